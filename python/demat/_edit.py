"""`edit`: changes records of a file, and leaves every other byte as it is."""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from . import _native, _stored
from ._errors import ValidationError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from typing_extensions import TypeForm

    from ._formats import DefinedName

_T = TypeVar("_T")

# The module of a format of cells, and the options that differ from those of CSV.
_TABLES: dict[str, tuple[str, dict[str, Any]]] = {"csv": ("csv", {}), "tsv": ("csv", {"delimiter": "\t"})}


class Edited(NamedTuple):
    """What an edit came to.

    >>> Edited(records=3, changed=1)
    Edited(records=3, changed=1)
    """

    records: int
    """Records that the function was called with."""
    changed: int
    """Those of them that were written anew."""


def edit(
    place: str | PathLike[str],
    type: TypeForm[_T],
    change: Callable[[_T], _T | None],
    /,
    *,
    at: str | None = None,
    where: str | None = None,
    to: str | PathLike[str] | None = None,
    format: DefinedName | None = None,
    read: Mapping[str, Any] | None = None,
    write: Mapping[str, Any] | None = None,
) -> Edited:
    """Changes records of a file in one pass and in bounded memory. Every byte outside of the changed ones stays.

    - `place`: the file; it keeps its compression, if it has one
    - `type`: the type of a record
    - `change`: called with each record. What it returns is written in its place; after None the record itself is, which
      the function may have changed. A record that would be written as before keeps its own bytes
    - `at`: the path of the records in the document, as in `read`: `"$.users[*]"`; by default the items of the list
    - `where`: a condition on the record, in the language of `copy`. Other records become no objects: they are skipped
    - `to`: another file to write; by default the file is replaced, once all of it was written, unless nothing changed
    - `format`: the format, where the name of the place does not say it: JSON, NDJSON (by whole lines), MessagePack,
      CBOR, CSV, TSV, XML
    - `read`, `write`: options of the format's `decode` and `encode`

    Of CSV only the cells that changed are written anew, of XML the attributes, texts and elements: all other bytes of
    the record stay as well, such as quotes, comments and what the type does not know. In the other formats, a key that
    the type does not know would be lost with the old bytes of a changed record, and is refused;
    `read={"unknown": "ignore"}` says that it may be. A tag of CBOR around a record that changes is not kept.

    Raises `demat.ValidationError` if a change can't be made in place: a value of a table that has no column for it, or
    a new element of another namespace. Raises what `decode` and `encode` raise, and what the function raises; the file
    is then as it was. Raises TypeError if the place is no path, and ValueError for an unknown format, path or
    condition, for other formats, and for a value of a store, which has no bytes of its own: `get` it and `put` it back.

    >>> import pathlib, tempfile
    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class User:
    ...     name: str
    ...     age: int
    >>> def birthday(user: User) -> None:
    ...     user.age += 1
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "users.json"
    >>> _ = path.write_text('{ "users": [\\n  {"name": "Ada", "age": 36},\\n  {"name": "Bob", "age": 9}\\n] }')
    >>> edit(path, User, birthday, at="$.users[*]", where="age < 18")
    Edited(records=1, changed=1)
    >>> print(path.read_text())
    { "users": [
      {"name": "Ada", "age": 36},
      {"name":"Bob","age":10}
    ] }
    """
    if not callable(change):
        raise TypeError(f"expected a function that changes records, not {change!r}")
    for own in (place, to):
        _stored.refuse_stored(own, "an edit leaves bytes of a file as they are")
    if not isinstance(place, (str, PathLike)):
        raise TypeError(f"expected the path of a file to edit, not {place.__class__.__name__}")
    name = _native.format_name(place, format)
    reading, writing = dict(read or {}), dict(write or {})
    is_table = name in _TABLES
    kept = name
    if is_table:
        name, usual = _TABLES[name]
        _check_table(writing)
        writing = {**_shared(usual | reading), **writing, "header": True}
    try:
        module: Any = import_module(f"demat.{name}")
    except ModuleNotFoundError:
        raise ValueError(f"{name} can't be edited: it has no records that stand by themselves") from None
    as_lines = name == _native.LINES
    # One record is no sequence of records.
    strict = {name: value for name, value in reading.items() if name not in ("sequence", "unknown")}

    # A document of lines is a list of them.
    in_list = as_lines or is_table
    kind: Any = list[type] if in_list else type  # type: ignore[valid-type]

    def encoded(record: Any) -> bytes:
        written = bytes(module.encode([record] if in_list else record, type=kind, **writing))
        return written.rstrip(b"\n") if as_lines else written

    def new_bytes(record: Any, old: bytes, columns: list[str]) -> bytes | None:
        before, width = encoded(record), _width(record) if is_table else None
        returned = change(record)
        changed = record if returned is None else returned
        after = encoded(changed)
        if after == before:
            return None
        if width is not None:
            # A row that is a list has no names, so its columns are numbered.
            names = range(max(width, _width(changed) or 0))
            header = writing.get("delimiter", ",").join(map(str, names)).encode() + b"\n"
            before, after, columns = header + before, header + after, []
        rewritten = _native.rewritten(kept, old, before, after, columns, reading or None)
        if rewritten is not None:
            return rewritten
        if reading.get("unknown") is None:
            _refuse_loss(module, old, kind, strict)
        return after

    return Edited(*_native.edit(place, type, new_bytes, format=kept, to=to, at=at, where=where, read=reading or None))


def _width(record: Any) -> int | None:
    """The number of cells of a row that is a list."""
    return len(record) if isinstance(record, (list, tuple)) and not hasattr(record, "_fields") else None


def _shared(reading: Mapping[str, Any]) -> dict[str, Any]:
    """The options for reading cells that also say how they are written."""
    return {name: reading[name] for name in ("delimiter", "quote", "null") if name in reading}


def _check_table(writing: dict[str, Any]) -> None:
    """Raises TypeError for options that the file decides."""
    for option in ("delimiter", "quote", "null", "header", "line_ending"):
        if option in writing:
            raise TypeError(f"{option}: cells are written as they are read, so it is an option of `read`")


def _refuse_loss(module: Any, old: bytes, type: Any, strict: dict[str, Any]) -> None:
    """Raises ValidationError if the bytes of a record hold what its type does not know."""
    try:
        decode = module.Decoder(type, **strict, unknown="forbid").decode
    except TypeError:
        # A type without fields knows all of its value.
        return
    try:
        decode(old)
    except ValidationError as error:
        error.add_note('the edit would lose it; read={"unknown": "ignore"} allows that')
        raise
