"""The registered formats, chosen by what they can do: a test of all such formats runs a new one without a change.

A test takes its formats from here unless it is about the syntax or the options of particular ones. `but` leaves out
formats for which a test has no meaning; the reason stands beside it.
"""

from __future__ import annotations

from collections.abc import Collection
from importlib import import_module
from types import ModuleType
from typing import Any

import pytest
from demat import _native
from demat._formats import FORMATS, Format

_NATIVE = {about["name"]: about for about in _native.describe_formats()}
# Formats that can't hold the values of most tests. They have tests of their own, and run here only where named.
SPECIAL = {
    "avro": "the whole is a list, and what is written has a type, without which nobody knows its schema",
    "mca": "a record is a chunk of a world, and nothing else is written",
    "nbt": "no nulls, keys are text, and a list has items of one kind",
    "plist": "no nulls, keys are text, and times are whole seconds",
    "snbt": "as nbt",
    "toml": "the whole is a table, and there are no nulls",
    "txtpb": "the whole is one message",
    "xml": "without a type all scalars are text, and an element that comes once is no list",
}
# All formats of `demat.copy`: those with a module, dialects of them, columns and databases.
COPIED = [name for name in _NATIVE if name not in SPECIAL]
# A database is no stream of bytes.
DATABASES = ["sqlite"]
STREAMED = [name for name in COPIED if name not in DATABASES]
# What the server offers: the others hold no list of records with any fields and nulls.
SERVED = [name for name in _NATIVE if name not in ("sqlite", "mca", "nbt", "plist", "raw", "snbt", "toml", "txtpb")]
# Tables of cells, which hold no lists.
CELLS = [name for name, about in _NATIVE.items() if any(option == "delimiter" for option, *_ in about["read"])]

_BY_NAME = {format.name: format for format in FORMATS}


def name(module: ModuleType) -> str:
    """The name of a format, by its module."""
    return module.__name__.rpartition(".")[2]


def suffix(name: str) -> str:
    """The usual suffix of a format's files, with its dot."""
    found: str = _NATIVE[name]["suffixes"][0]
    return found


def is_typed(name: str) -> bool:
    """Whether nothing of the format is read or written without a type, also of formats that have no module."""
    return name in _BY_NAME and (_BY_NAME[name].typed or _BY_NAME[name].written_typed)


def is_database(name: str) -> bool:
    """Whether it is tables in a file, and no stream of bytes."""
    return name in DATABASES


def is_text(name: str) -> bool:
    """Whether each value is text where no type says more, and a list of one item is that item."""
    return name in _BY_NAME and _BY_NAME[name].texts


def facts(format: ModuleType | str) -> Format:
    """What the package's table says of a format."""
    return _BY_NAME[format if isinstance(format, str) else name(format)]


def options(format: Format) -> set[str]:
    """The options with which a format is read as a whole."""
    return {option.name for option in format.reading}


def is_nested(format: ModuleType | str) -> bool:
    """Whether a value may hold lists and records: only then is there a limit of their depth."""
    return "depth" in options(facts(format))


def is_list(format: ModuleType | str) -> bool:
    """Whether the whole is always a list, so that no other value is encoded."""
    return facts(format).untyped_type == "list[Any]"


def names(
    *,
    typed: bool | None = None,
    nested: bool | None = None,
    binary: bool | None = None,
    lists: bool | None = None,
    special: bool | None = False,
    texts: bool | None = None,
    looked_into: bool | None = None,
    reads: str | None = None,
    reads_no: str | None = None,
    writes: str | None = None,
    writes_no: str | None = None,
    but: Collection[str] = (),
) -> list[str]:
    """The names of the formats with a module of which all this is so.

    - `typed`: nothing is read without a type; False: nor is a type needed to write.
    - `nested`: values may hold lists and records.
    - `binary`: the bytes are no text.
    - `lists`: the whole is always a list.
    - `special`: they can't hold the values of most tests, which leave them out by default; see `SPECIAL`.
    - `texts`: each value is text where no type says more, and a list of one item is that item.
    - `looked_into`: they have `lazy`.
    - `reads`, `writes`: they have this option; `reads_no`, `writes_no`: they don't.
    """

    def is_meant(format: Format) -> bool:
        reading, writing = options(format), {option.name for option in format.writing}
        return (
            (typed is None or (format.typed if typed else not (format.typed or format.written_typed)))
            and nested in (None, is_nested(format.name))
            and binary in (None, format.binary)
            and lists in (None, is_list(format.name))
            and special in (None, format.name in SPECIAL)
            and texts in (None, format.texts)
            and looked_into in (None, format.looked_into)
            and (reads is None or reads in reading)
            and reads_no not in reading
            and (writes is None or writes in writing)
            and writes_no not in writing
            and format.name not in but
        )

    found = [format.name for format in FORMATS if is_meant(format)]
    assert found, "no format is left to test"
    return found


def modules(**kinds: Any) -> list[ModuleType]:
    """The modules of the formats of which all this is so; see `names`."""
    return import_all(names(**kinds))


def import_all(names: Collection[str]) -> list[ModuleType]:
    """The modules of the formats with these names."""
    return [import_module(f"demat.{name}") for name in names]


def each(argument: str = "module", **kinds: Any) -> pytest.MarkDecorator:
    """Runs a test with each module of which all this is so; see `names`."""
    return pytest.mark.parametrize(argument, modules(**kinds), ids=name)


def whole(module: ModuleType, values: Any, **options: Any) -> bytes:
    """What `write` makes of these values: what `encode` makes of them, and behind a document of JSON a line's end."""
    return module.encode(values, **options) + (b"\n" if name(module) == "json" else b"")


def one_by_one(module: ModuleType, values: Any, **options: Any) -> bytes:
    """What `write` makes of values that come one by one. CBOR's array has no count then, but a break at its end."""
    if name(module) == "cbor" and not options.get("sequence"):
        items: bytes = module.encode(values, sequence=True, **options)
        return b"\x9f" + items + b"\xff"
    return whole(module, values, **options)


def wrapped(module: ModuleType, value: Any) -> Any:
    """The value where it can stand alone, else a list of it."""
    return [value] if is_list(module) else value


# Documents of one value whose records have keys, and which lazy records are over.
KEYED = [name for name in names(reads="lazy", lists=False) if name in names(reads="repeated_keys")]
