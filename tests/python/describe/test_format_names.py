"""Where the names of formats stand: in the formats' own modules, in the lists, and in few other places, each for a
reason.

A new format is one module and one line in a list. Code elsewhere asks a format what it says of itself.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

# Constants of formats, and quoted names, suffixes and media types of them. (`arrow`, `sqlite`, `parquet` and `proto`
# are names of libraries, features and notes, too, and do not count.)
NAMES = re.compile(
    r"\bFormat::(?:JSON|NDJSON|CSV|TSV|ARROW|PARQUET|PROTO|MSGPACK|CBOR|XML|NBT|SNBT|MCA|TOML|YAML|RAW|PLIST|TXTPB|AVRO|SQLITE)\b"
    r'|"(?:json|ndjson|csv|tsv|msgpack|cbor|xml|nbt|snbt|mca|toml|yaml|plist|txtpb|avro)"'
    r'|"\.(?:json|ndjson|jsonl|csv|tsv|tab|arrows?|ipc|feather|parquet|pb|binpb|protobuf|msgpack|mpk|cbor|xml|nbt|dat|snbt|mca|mcr|toml|ya?ml|demat|plist|txtpb|textproto|pbtxt|avro|db|sqlite3?)"'
    r'|"(?:application/(?:json|avro|x-ndjson|jsonl|x-jsonlines|vnd\.apache[a-z.]*|(?:x-)?protobuf|(?:vnd\.|x-)?msgpack|cbor(?:-seq)?|xml|x-(?:minecraft-)?nbt|x-minecraft-region|toml|(?:x-)?yaml|vnd\.demat\.raw|x-(?:apple-|b)?plist|vnd\.sqlite3)|text/(?:csv|json|xml|x-minecraft-snbt|x-protobuf|(?:x-|vnd\.)?yaml))"'
)

OWN = re.compile(
    r"crates/demat-formats/src/(json|ndjson|csv|proto|msgpack|cbor|xml|nbt|snbt|region|toml|yaml|raw|plist|txtpb|avro|canonical|format)/"
    r"|crates/demat-place/src/(columnar|database)/"
    r"|python/demat/_formats/__init__\.py"
    r"|python/demat/(_formats/)?(json|ndjson|csv|proto|msgpack|cbor|xml|nbt|snbt|mca|toml|yaml|raw|plist|txtpb|avro)\.py"
    r"|/tests?/|/tests\.rs$|_tests\.rs$"
)

# Files that name a format, with the reason.
ARGUED = {
    "crates/demat-arrow/src/schema/said.rs": "notes of a format say how wide its ints are",
    "crates/demat-cli/src/workers/check.rs": "messages and lines can be joined",
    "crates/demat-cli/src/diff/change.rs": "a record of a difference is shown as JSON",
    "crates/demat-http/src/answer.rs": "errors of the server are JSON",
    "crates/demat-http/src/store_request.rs": "the description of a server is JSON: OpenAPI says so",
    "crates/demat-http/src/encoding.rs": "media types that are text, by their subtype or its suffix",
    "crates/demat-http/src/openapi.rs": "it describes answers that are always JSON",
    "crates/demat-http/src/page.rs": "health and description are JSON",
    "crates/demat-lmdb/src/encoding.rs": "how records are encoded unless it is said otherwise",
    "crates/demat-place/src/job/queried.rs": "a statement over files is of SQLite, which holds them in memory",
    "crates/demat-postgres/src/column_type.rs": "a type of columns is called so",
    "crates/demat-postgres/src/of_shape.rs": "a type of columns is called so",
    "crates/demat-postgres/src/source/mod.rs": "a type of columns is called so",
    "crates/demat-sqlite/src/fit.rs": "a class of columns is called JSON, as the values in them are",
    "crates/demat-place/src/media_type.rs": "source maps of scripts are JSON, whatever their suffix",
    "crates/demat-place/src/place.rs": "a name says which kind of place it is: `#table`, `lmdb:`, `postgresql:`",
    "crates/demat-python/src/convert.rs": "the options that all formats have are parsed as those of one",
    "crates/demat-python/src/decode/options.rs": "likewise, of a conversion",
    "crates/demat-python/src/decode/run.rs": "the entry points of lazy records, by their encoding",
    "crates/demat-python/src/lazy/mod.rs": "the formats that have lazy records",
    "crates/demat-python/src/plan/wire.rs": "a word of notes for Protocol Buffers",
    "crates/demat-python/src/raw.rs": "a `Raw` is JSON unless it says otherwise",
    "crates/demat-python/src/serve/called.rs": "an argument that is called so",
    "crates/demat-sqlite/src/function.rs": "a kind of column: text that holds JSON",
    "crates/demat-sqlite/src/source/mod.rs": "a kind of column: text that holds JSON",
    "crates/demat-sqlite/src/stored.rs": "a kind of column: text that holds JSON",
    "crates/demat-store/src/folder.rs": "the suffix of a folder's files unless it is told another",
    "python/demat/_edit.py": "tables whose cells are edited in place, and cells between tabs",
    "python/demat/_field.py": "the argument `nbt` of `Field`",
    "python/demat/__init__.py": "modules, for type checkers; formats that a program adds are found without",
    "python/demat/_any_place.py": "examples; and cells between tabs are those of CSV, by an option",
    "python/demat/_async_writer.py": "an example",
    "python/demat/_command.py": "an example",
    "python/demat/_copy.py": "an example",
    "python/demat/_describe/msgspec_raw.py": "a `msgspec.Raw` is JSON",
    "python/demat/_describe/of_pydantic.py": "an argument of pydantic's",
    "python/demat/_serve/formats.py": "which formats hold values of a type, by what they can nest",
    "python/demat/_serve/operation.py": "OpenAPI describes a body and an answer as JSON",
    "python/demat/_serve/function.py": "the answer of a function is JSON where the client asks for none of the others",
    "python/demat/_serve/objects.py": "JSON has no NaN, which other formats have",
    "python/demat/_format_of.py": "cells between tabs are those of CSV, by an option",
    "python/demat/_hook.py": "an example",
    "python/demat/_lmdb/collection.py": "a default",
    "python/demat/_lmdb/environment.py": "the encodings of records, for type checkers",
    "python/demat/_objects.py": "objects on their way to JSON are lines of it, which keep its numbers",
    "python/demat/_own_places.py": "examples; and columns of objects are those of Arrow",
    "python/demat/_postgres/rows.py": "a default",
    "python/demat/_postgres/table.py": "a default, and an example",
    "python/demat/_sqlite/rows.py": "a default",
    "python/demat/_sqlite/table.py": "a default, and an example",
    "python/demat/_scheme.py": "an example",
    "python/demat/_stored.py": "what a value of a store is copied as, since it keeps all kinds",
    "python/demat/_writer.py": "an example",
    "python/demat/postgres.py": "an example",
    "python/demat/sqlite.py": "an example",
    "python/demat/store.py": "values go to stores as JSON",
}


def sources() -> Iterator[Path]:
    for folder in (ROOT / "crates").iterdir():
        yield from (folder / "src").rglob("*.rs")
    yield from (ROOT / "python" / "demat").rglob("*.py")


def code(path: Path) -> str:
    """A file without comments and without the tests at its end."""
    text = path.read_text("utf-8").split("#[cfg(test)]\nmod tests {")[0]
    return "\n".join(line for line in text.splitlines() if not line.lstrip().startswith(("//", "#")))


def naming() -> set[str]:
    names = {path.relative_to(ROOT).as_posix(): path for path in sources()}
    return {name for name, path in names.items() if not OWN.search(name) and NAMES.search(code(path))}


def test_formats_are_named_in_their_modules_and_where_it_is_argued() -> None:
    assert naming() - ARGUED.keys() == set()


def test_what_is_argued_is_still_so() -> None:
    assert ARGUED.keys() - naming() == set()


@pytest.mark.parametrize("text", ["if format == Format::CSV {", 'name == "ndjson"', '&[".parquet"]', '"text/csv"'])
def test_names_are_seen(text: str) -> None:
    assert NAMES.search(text)
