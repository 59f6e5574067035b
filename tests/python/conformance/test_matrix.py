"""The conformance matrix: each case of `conformance/cases`, by each format and copied between all, as in Rust.

Nothing here names a format: what one can't hold stands in `conformance/exceptions.toml`.
"""

from __future__ import annotations

import functools
import io
import json
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, NamedTuple

import demat
import formats
import pytest
from demat import _native
from demat._describe import describe
from notation import build, exact, plain

FOLDER = Path(__file__).parents[3] / "conformance"
ALL = [about["name"] for about in _native.describe_formats()]
OWN = {name: getattr(demat, name) for name in formats.names(special=None)}


class Document(NamedTuple):
    """A document to be written, and what it is to be read as."""

    type: Any
    value: Any
    read: Any
    becomes: Any


class Form(NamedTuple):
    """How rows are a document."""

    name: str
    record: str
    each: bool
    value: Any

    def document(self, row: str, values: list[Any]) -> tuple[Any, Any]:
        """The type of a document of these rows, and its value."""
        record = self.record.replace("$row", row)
        if self.each:
            return built(f"[{record}]", [_filled(self.value, index, value) for index, value in enumerate(values)])
        return built(record, _filled(self.value, 0, values))


def _filled(template: Any, index: int, rows: Any) -> Any:
    if isinstance(template, dict):
        return {key: _filled(value, index, rows) for key, value in template.items()}
    return {"$row": rows, "$rows": rows, "$low": index % 32, "$high": index // 32}.get(template, template)


@functools.cache
def described(text: str) -> tuple[Any, Any, list[Any]]:
    """The type of Python for the text of a shape, and its description."""
    cls = demat.define(f"v: {text}")
    _, records = describe(cls)
    return cls.__annotations__["v"], records[0]["fields"][0]["node"], records


def built(text: str, value: Any) -> tuple[Any, Any]:
    """The type of Python for the text of a shape, and the value as that type has it."""
    type, node, records = described(text)
    return type, build(node, records, value)


class Case(NamedTuple):
    """A type, and values of it."""

    name: str
    spec: dict[str, Any]

    @property
    def is_document(self) -> bool:
        return "document" in self.spec

    @property
    def evolves(self) -> bool:
        return "read" in self.spec

    def documents(self, form: Form) -> list[Document]:
        """Its documents: one of all rows in a form, or each value by itself."""
        values = plain(self.spec["values"])
        if self.is_document:
            documents = [built(self.spec["document"], value) for value in values]
            return [Document(type, value, type, value) for type, value in documents]
        if "shape" in self.spec:
            row, values = f"{{v: {self.spec['shape']}}}", [{"v": value} for value in values]
        else:
            row = "".join(self.spec["row"])
        type, value = form.document(row, values)
        read, becomes = type, value
        if self.evolves:
            read, becomes = form.document(self.spec["read"], plain(self.spec["becomes"]))
        return [Document(type, value, read, becomes)]


class Exceptions:
    """The list of what formats can't hold."""

    def __init__(self) -> None:
        self.entries = tomllib.loads((FOLDER / "exceptions.toml").read_text("utf-8"))
        # Each cell is asked for as often as it is copied.
        self._outcome = functools.cache(self._look_up)

    def form(self, format: str, form: Form) -> str | None:
        return self._outcome("form", form.name, format)

    def cell(self, format: str, case: Case) -> str | None:
        return self._outcome("cell", case.name, format)

    def copy(self, source: str, target: str, case: Case) -> str | None:
        return self._outcome("copy", case.name, source, target)

    def _look_up(self, kind: str, name: str, format: str, target: str | None = None) -> str | None:
        for entry in self.entries.get(kind, ()):
            if (
                "python" in entry.get("languages", ["python"])
                and _any_fits(entry["formats"], format)
                and (target is None or _is_to(entry, target))
                and _any_fits(entry["cases"], name)
            ):
                outcome: str = entry["outcome"]
                return outcome
        return None


def _is_to(entry: dict[str, Any], target: str) -> bool:
    return _any_fits(entry["to"], target) and not _any_fits(entry.get("but", []), target)


def _any_fits(patterns: list[str], name: str) -> bool:
    return any(pattern == name or ("*" in pattern and _fits(pattern, name)) for pattern in patterns)


def _fits(pattern: str, name: str) -> bool:
    return fnmatchcase(name, pattern.replace("[", "[[]").replace("?", "[?]"))


def _entries() -> Iterator[dict[str, Any]]:
    for path in sorted((FOLDER / "cases").glob("*.json")):
        yield from json.loads(path.read_text("utf-8"))


FORMS = [Form(entry["name"], entry["record"], entry["each"], entry["value"]) for entry in _entries() if "name" in entry]
CASES = [Case(case["name"], case) for entry in _entries() for case in entry.get("cases", ()) if "rust_only" not in case]
LISTED = Exceptions()
SIMPLEST = Case("simplest", {"shape": "int64", "values": [1]})


def write(document: Document, format: str, folder: Path) -> bytes:
    """What a format makes of a value; by a copy where it has no module."""
    if format in OWN:
        typed = {"type": document.type} if formats.is_typed(format) else {}
        written: bytes = OWN[format].encode(document.value, **typed)
        return written
    return copied(demat.raw.encode(document.value, type=document.type), document, "raw", format, folder)


def read(written: bytes, document: Document, format: str, folder: Path) -> Any:
    """What is read of it, as the type that the document is to be read as."""
    options = {}
    if document.read is not document.type and format in OWN and "written_as" in formats.options(formats.facts(format)):
        options["written_as"] = document.type
    if format in OWN:
        return OWN[format].decode(written, document.read, **options)
    raw = copied(written, document._replace(type=document.read), format, "raw", folder)
    return demat.raw.decode(raw, document.read)


def copied(written: bytes, document: Document, source: str, target: str, folder: Path) -> bytes:
    """What `copy` makes of it; a database is a file, of which the bytes are returned."""
    src: Any = written
    if formats.is_database(source):
        src = folder / f"src{formats.suffix(source)}"
        src.write_bytes(written)
    if formats.is_database(target):
        dst = folder / f"dst{formats.suffix(target)}"
        dst.unlink(missing_ok=True)
        demat.copy(src, f"{dst}#rows", document.type, from_=source, to=target)
        return dst.read_bytes()
    file = io.BytesIO()
    demat.copy(src, file, document.type, from_=source, to=target)
    return file.getvalue()


def outcome(task: Any) -> tuple[str, str]:
    """What became of a value: `exact`, `refused`, `changed`; and what shows it."""
    try:
        expected, found = task()
    except demat.InternalError as error:
        return "panicked", str(error)
    except (demat.Error, ValueError, TypeError) as error:
        return ("refused", str(error)[:300]) if str(error) else ("failed", "an error without a text")
    except Exception as error:
        return "failed", f"{type(error).__name__}: {error}"[:300]
    if expected == found:
        return "exact", ""
    return "changed", f"{found!r:.300}, not {expected!r:.300}"


def cell(case: Case, form: Form, format: str, folder: Path) -> tuple[str, str]:
    """Writes a case in a format and reads it back."""

    def task() -> tuple[Any, Any]:
        documents = case.documents(form)
        found = [exact(read(write(document, format, folder), document, format, folder)) for document in documents]
        return [exact(document.becomes) for document in documents], found

    return outcome(task)


def copy(
    documents: list[Document], expected: list[Any], written: list[bytes], source: str, target: str, folder: Path
) -> tuple[str, str]:
    """Copies what a format has written to another, and reads it back."""

    def task() -> tuple[Any, Any]:
        found = []
        for document, data in zip(documents, written, strict=True):
            there = copied(data, document, source, target, folder)
            found.append(exact(read(there, document, target, folder)))
        return expected, found

    return outcome(task)


def verdict(cell: str, listed: str | None, found: tuple[str, str]) -> list[str]:
    """What is wrong with a cell, if anything is."""
    if (listed or "exact") == found[0]:
        return []
    return [f"{cell} | {found[0]} {found[1]} | the list says {listed or 'exact'}"]


def report(wrong: list[str]) -> None:
    assert not wrong, f"{len(wrong)} cells:\n" + "\n".join(wrong)


@pytest.mark.parametrize("format", ALL)
def test_every_format_holds_every_case_or_the_list_says_why_not(format, tmp_path):
    wrong = []
    for form in FORMS:
        found = cell(SIMPLEST, form, format, tmp_path)
        wrong += verdict(f"{format} | form {form.name}", LISTED.form(format, form), found)
    held = next((form for form in FORMS if LISTED.form(format, form) is None), None)
    for case in CASES:
        form = held or (FORMS[0] if case.is_document else None)
        found = cell(case, form, format, tmp_path) if form else ("refused", "it holds no form of documents")
        wrong += verdict(f"{format} | {case.name}", LISTED.cell(format, case), found)
    report(wrong)


@pytest.mark.parametrize("source", ALL)
def test_every_format_is_copied_to_every_other(source, tmp_path):
    wrong = []
    for case in CASES:
        if case.evolves or LISTED.cell(source, case):
            continue
        done: set[str] = set()
        for form in FORMS:
            if not case.is_document and LISTED.form(source, form):
                continue
            documents = case.documents(form)
            try:
                written = [write(document, source, tmp_path) for document in documents]
            except demat.Error:
                # A cell holds the value in the first form. In a later one it may be inside of a column of JSON.
                assert done
                continue
            expected = [exact(document.value) for document in documents]
            for target in ALL:
                if target in done or LISTED.cell(target, case):
                    continue
                if not case.is_document and LISTED.form(target, form):
                    continue
                done.add(target)
                found = copy(documents, expected, written, source, target, tmp_path)
                wrong += verdict(f"{source} > {target} | {case.name}", LISTED.copy(source, target, case), found)
            if case.is_document:
                break
    report(wrong)


def test_the_same_value_is_exact():
    assert exact([1.0, {"a": True}]) == exact([1.0, {"a": True}])
    for other in (1, 1.0, True, -0.0, 0.0, "1", None, [1], (1,)):
        same = [one for one in (1, 1.0, True, -0.0, 0.0, "1", None, [1], (1,)) if exact(one) == exact(other)]
        assert len(same) == 1
