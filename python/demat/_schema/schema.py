"""`schema`: what a type says about data, in the words of others."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, overload

from .._describe import describe
from .json_schema import json_schema

if TYPE_CHECKING:
    import builtins

    from typing_extensions import TypeForm

    from .._configure import Rename, Unknown
    from .._hook import Hook
    from .._native import Columns


@overload
def schema(
    type: TypeForm[Any],
    to: Literal["json-schema"] = "json-schema",
    *,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    rename: Rename | None = None,
    unknown: Unknown | None = None,
) -> dict[str, Any]: ...
@overload
def schema(
    type: TypeForm[Any],
    to: Literal["shape", "sql", "proto"],
    *,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    rename: Rename | None = None,
    unknown: Unknown | None = None,
    package: str = "",
) -> str: ...
@overload
def schema(
    type: TypeForm[Any],
    to: Literal["arrow"],
    *,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    rename: Rename | None = None,
    unknown: Unknown | None = None,
) -> Columns: ...


def schema(
    type: TypeForm[Any],
    to: str = "json-schema",
    *,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    rename: Rename | None = None,
    unknown: Unknown | None = None,
    package: str = "",
) -> dict[str, Any] | str | Columns:
    """The schema of a type.

    - `to="json-schema"`, if nothing is said: a dict, JSON Schema of draft 2020-12. It says what is *read* as the type:
      by what names, with what defaults, in which form. Classes are under `$defs`; titles, descriptions and examples are
      those of `Field`, and descriptions of classes their docstrings. What JSON Schema can't say (bounds of dates) is
      left out, so it accepts all that Demat does.
    - `to="shape"`: a str, the text of a Shape, as the `demat` command and `demat.define` take it.
    - `to="arrow"`: columns of no records, which hand out their schema to whatever speaks Arrow's PyCapsule interface:
      `pyarrow.schema(demat.schema(Task, to="arrow"))`.
    - `to="sql"`: a str, the statements that make a table of the class in SQLite, as `demat.sqlite` makes it.
    - `to="proto"`: a str, the `.proto` file (proto3) of a class, with all that it refers to, in `package` if that is
      said.

    `hooks`, `rename` and `unknown` are as for decoding. Raises TypeError where the type can't be described, and
    ValueError where `to` is none of these.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Task:
    ...     id: int
    ...     title: str = "new"
    >>> schema(Task)["$defs"]["Task"]["properties"]
    {'id': {'type': 'integer'}, 'title': {'type': 'string', 'default': 'new'}}
    """
    options = {"hooks": hooks, "rename": rename, "unknown": unknown}
    if to == "json-schema":
        return json_schema(*describe(type, options, notes=True))
    text: str
    if to == "shape":
        native: Any = import_module("demat._native")
        text = native.shape_text(*describe(type, options))
        return text
    if to == "sql":
        native = import_module("demat._native")
        root, records = describe(type, options)
        name = getattr(type, "__name__", "records")
        statements: str = native.table_sql(name, root, records)
        return statements
    if to == "proto":
        native = import_module("demat._native")
        text = native.proto_text(*describe(type, options), package)
        return text
    if to == "arrow":
        native = import_module("demat._native")
        columns: Columns = native.described_columns(*describe(type, options))
        return columns
    raise ValueError(f"to={to!r} is none of 'json-schema', 'shape', 'sql', 'arrow', 'proto'")
