"""`define`: a class for what stands in a place."""

from __future__ import annotations

import sys
from functools import reduce
from operator import or_
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

from .._describe.nodes import Node
from .identifiers import class_name, identified
from .messages import is_definition
from .messages import message as described_message
from .pickled import Definition, keep
from .places import described, is_file, is_table, stored_value
from .program import program

if TYPE_CHECKING:
    from collections.abc import Iterable

    from _typeshed import SupportsRead

    from .._formats import DefinedName
    from .._store import Store
    from .arrow import Arrow


def define(
    place_or_shape: str | PathLike[str] | bytes | SupportsRead[str | bytes] | Arrow | Store,
    message: str | None = None,
    *,
    name: str | None = None,
    format: DefinedName | None = None,
    rows: int | None = 1_000,
    includes: Iterable[str | PathLike[str]] = (),
) -> type[Any]:
    """A dataclass, with slots, for what a Shape says or what stands in a place.

    - The text of a Shape: `"id: int, title: text"`.
    - The path of a file (a str of one that exists, or `os.PathLike`): a CSV file's header and first rows, or the first
      records of JSON, whole or in lines, say what its fields are; a file of Arrow or Parquet says it itself.
    - A table of an SQLite database, `"app.db#tasks"`, or what a statement gives, `"app.db?select …"`.
    - The path of a `.proto` file, or of a descriptor set (`.protoset`, which `protoc --descriptor_set_out` writes), and
      the `message` in it, `"pkg.Task"` or, where only one message is called so, `"Task"`; the only one, if nothing is
      said.
      With `format="proto"` or `format="protoset"` what stands in one. What it imports is looked for in `includes`, then
      beside it. Enums and other messages are classes of their own, the fields of a oneof may each be None.
    - Columns of any library that speaks Arrow's PyCapsule interface (a frame
      of polars, a table or a schema of pyarrow).
    - A store, or a place of a `demat.scheme` (`"todo:/tasks"`): its value is the sample.
    - A sample: bytes, or an open file, which is read to its end.

    `name` is what the class is called; else what the Shape calls it, or the file: `Tasks` for `tasks.csv`. `format` is
    the format of a sample, where its name does not say it. `rows` is how many records are looked at, 1,000 if nothing
    is said; None: all. Fields whose names Python can't have get one that it can, and keep their own outside:
    `first_name: Annotated[str, Field(name="first name")]`. Records in records are classes of their own. `demat.source`
    prints what was made. Where the schema of an Avro file has records of several kinds, it is the union of their
    classes, `Circle | Square`.

    Raises `demat.DecodeError` where the text or the sample is not well-formed, TypeError where it says something other
    than a record, FileNotFoundError where a path leads to no file.

    >>> Task = define("Task{id: int, 'due date': date?}".replace("'", '"'))
    >>> Task(id=1)
    Task(id=1, due_date=None)
    """
    if is_definition(place_or_shape, format):
        root, records = described_message(place_or_shape, message, format, includes)
    elif message is not None:
        raise TypeError("a message is one of a .proto file or of a descriptor set; for a name say name=")
    else:
        root, records = described(place_or_shape, format, rows)
    # The class is the caller's: that is where it has to be found again, to be pickled.
    module = sys._getframe(1).f_globals.get("__name__", "__main__")
    said = name
    if said is None and isinstance(place_or_shape, str) and is_table(place_or_shape):
        # A table has a name as tables have them.
        said = class_name(records[root[1]]["name"] or "Record") if root[0] == "record" else None
    if said is None and is_definition(place_or_shape, format) and root[0] == "record":
        said = records[root[1]]["name"]
    made: type[Any] = defined(root, records, name or _name_of(place_or_shape), module, said=said)
    return made


def _name_of(place: Any) -> str:
    stored = stored_value(place)
    if stored is not None:
        return class_name(stored.at.rpartition("/")[2] or "Record")
    path = getattr(place, "name", None) if hasattr(place, "read") else place
    if not isinstance(path, (str, PathLike)) or not is_file(path):
        return "Record"
    return class_name(Path(path).name.partition(".")[0])


def defined(
    root: Node, records: list[dict[str, Any]], name: str, module: str = "__main__", *, said: str | None = None
) -> Any:
    """The class for a description without classes; `said` is a name that counts before the one in the description.

    For a union of records without a tag, as the schema of an Avro file can be, it is the union of their classes.
    """
    while root[0] in ("list", "optional"):
        root = root[2] if root[0] == "list" else root[1]
    tag: object = root[1] if root[0] == "union" else ""
    if tag is None and all(variant[0] == "record" for _, variant in root[2]):
        text, names = program(root, identified(root, records, name))
        made = made_of(text, module)
        return reduce(or_, (made[names[variant[1]]] for _, variant in root[2]))
    if root[0] != "record":
        raise TypeError(f"a class is for records, and this is a {root[0]}")
    if said is not None:
        records = list(records)
        records[root[1]] = {**records[root[1]], "name": said}
    text, names = program(root, identified(root, records, name))
    return made_of(text, module)[names[root[1]]]


def made_of(text: str, module: str) -> dict[str, Any]:
    """What the statements make, by name; the classes are the module's."""
    # `dataclass` looks for texts of annotations in a class's module, so that has to be one that there is.
    space: dict[str, Any] = {"__name__": __name__}
    # Not under the future statement of this module, which would make texts of all annotations.
    exec(compile(text, "<demat.define>", "exec", dont_inherit=True), space)
    for key, made in space.items():
        if isinstance(made, type) and made.__module__ == __name__:
            made.__module__ = module
            _resolve(made, space)
            keep(made, Definition(text, key, module))
    return space


def _resolve(cls: Any, space: dict[str, Any]) -> None:
    """Has the fields of the class refer to the other classes themselves: by name nobody could find them later."""
    for field in getattr(cls, "__dataclass_fields__", {}).values():
        if isinstance(field.type, str):
            field.type = cls.__annotations__[field.name] = eval(field.type, space)
