"""The formats of the package and the options of each.

`make stubs` writes the modules (`json.py` …) and what type checkers read of them (`json.pyi` …) from this table, and
tests compare it with the native module. A format is one module here and one line in `FORMATS`. Of the package only
`copy` with workers loads it, to see how files of a format are divided and joined.
"""

from __future__ import annotations

from typing import Literal, TypeAlias

from . import avro, cbor, csv, json, mca, msgpack, nbt, ndjson, plist, proto, raw, snbt, toml, txtpb, xml, yaml
from .format import Format
from .option import COLUMNS, ON_ERROR, READING, WRITE, Option

__all__ = [
    "COLUMNS",
    "FORMATS",
    "ON_ERROR",
    "READING",
    "WRITE",
    "CopiedName",
    "DefinedName",
    "Format",
    "ModuleName",
    "Option",
]

# Checkers read annotations as text, so these names stand here as text, once.
ModuleName: TypeAlias = Literal[
    "json",
    "ndjson",
    "csv",
    "proto",
    "msgpack",
    "cbor",
    "xml",
    "nbt",
    "snbt",
    "mca",
    "toml",
    "yaml",
    "raw",
    "plist",
    "txtpb",
    "avro",
]
"""A format with a module of the package."""
CopiedName: TypeAlias = Literal[
    "json",
    "ndjson",
    "csv",
    "tsv",
    "arrow",
    "parquet",
    "proto",
    "msgpack",
    "cbor",
    "xml",
    "nbt",
    "snbt",
    "mca",
    "toml",
    "yaml",
    "raw",
    "plist",
    "txtpb",
    "avro",
    "sqlite",
]
"""A format of `demat.copy`."""
DefinedName: TypeAlias = Literal[
    "json",
    "ndjson",
    "csv",
    "tsv",
    "msgpack",
    "cbor",
    "xml",
    "nbt",
    "snbt",
    "mca",
    "toml",
    "yaml",
    "raw",
    "plist",
    "txtpb",
    "avro",
    "sqlite",
    "proto",
    "protoset",
]
"""A format of `demat.define`: Arrow and Parquet say by their first bytes what they are."""

FORMATS = (
    json.FORMAT,
    ndjson.FORMAT,
    csv.FORMAT,
    proto.FORMAT,
    msgpack.FORMAT,
    cbor.FORMAT,
    xml.FORMAT,
    nbt.FORMAT,
    snbt.FORMAT,
    mca.FORMAT,
    toml.FORMAT,
    yaml.FORMAT,
    raw.FORMAT,
    plist.FORMAT,
    txtpb.FORMAT,
    avro.FORMAT,
)
