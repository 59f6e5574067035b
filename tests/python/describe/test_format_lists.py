"""The names of formats in annotations, which checkers must read as text, are those that the command lists."""

import subprocess
import sys
from typing import Any, get_args

import demat
import pytest
from demat import _native
from demat._formats import FORMATS, CopiedName, DefinedName, ModuleName
from demat._sqlite.rows import Rows
from demat._sqlite.table import Table


def listed() -> dict[str, dict[str, str]]:
    """The formats that `demat formats` prints, by name, each with its columns."""
    printed = subprocess.run([sys.executable, "-m", "demat", "formats"], capture_output=True, text=True, check=True)
    head, *rows = printed.stdout.split("\n\n")[0].splitlines()
    columns = {name: head.index(name) for name in ("NAME", "SUFFIXES", "MEDIA TYPE", "IS")}
    ends = [*list(columns.values())[1:], None]
    return {
        row.split()[0]: {name: row[at:end].strip() for (name, at), end in zip(columns.items(), ends, strict=True)}
        for row in rows
    }


def said(function: Any, parameter: str) -> str:
    """A parameter's annotation, without what else it may be."""
    text: str = function.__annotations__[parameter]
    return text.removesuffix(" | None")


@pytest.mark.parametrize("option", ["from_", "to"])
def test_copies_name_every_format(option: str) -> None:
    # Of several targets each may have its own.
    assert said(demat.copy, option) in ("CopiedName", "CopiedName | Sequence[CopiedName | None]")
    assert get_args(CopiedName) == tuple(listed())


def test_definitions_name_formats_and_no_other() -> None:
    assert said(demat.define, "format") == "DefinedName"
    # Files of Arrow and Parquet say what they are by their first bytes; a set of descriptors is no format of data.
    assert set(get_args(DefinedName)) == set(listed()) - {"arrow", "parquet"} | {"protoset"}


@pytest.mark.parametrize("encode", [Rows.encode, Table.encode])
def test_rows_are_encoded_in_every_format_of_the_package(encode: Any) -> None:
    assert said(encode, "format") == "ModuleName"
    assert get_args(ModuleName) == _native.FORMATS


def test_each_module_is_a_format_of_the_command() -> None:
    assert set(_native.FORMATS) == {format.name for format in FORMATS} == set(demat._FORMATS)
    for name in _native.FORMATS:
        assert _native.content_type(name).split(";")[0] == listed()[name]["MEDIA TYPE"]


def test_unknown_formats_are_refused() -> None:
    with pytest.raises(ValueError, match=f'no format is called "yam"; there are {", ".join(_native.FORMATS)}'):
        _native.content_type("yam")


# Options that are about Python's objects, and so in no list of a format.
ABOUT_OBJECTS = {
    "strict", "times", "unknown", "rename", "fields", "hooks", "errors", "gc", "lazy", "ordered", "type", "default",
    "omit_default", "omit_none", "sort_sets",
}  # fmt: skip


@pytest.mark.parametrize("side", ["read", "write"])
@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_options_are_those_of_the_native_list(format: Any, side: str) -> None:
    (about,) = [about for about in _native.describe_formats() if about["name"] == format.name]
    native = {name: default for name, default, _ in about[side]}
    options = format.reading if side == "read" else format.writing
    own = {option.name: option.default for option in options if option.name not in ABOUT_OBJECTS}
    # Objects have a depth in every format; values of some have none that could be written.
    if side == "write":
        native.setdefault("depth", own["depth"])
    assert own == native
