"""The same of the package itself: errors, fields, hooks, classes, schemas."""

from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path, PurePosixPath
from typing import Annotated, Any, assert_type

import demat

# Errors are ValueErrors that say what and where.
try:
    demat.json.decode(b"")
except demat.ValidationError as error:
    assert_type(error.path, str | None)
    assert_type(error.offset, int | None)
    assert_type(error.line, int | None)
    assert_type(error.column, int | None)
    assert_type(error.record, int | None)
    assert_type(error.expected, str | None)
    assert_type(error.found, str | None)
    assert_type(error.reason, str)
    assert_type(error.errors, tuple[demat.Error, ...])
    invalid: demat.DecodeError = error
except (demat.EncodeError, demat.LimitError, demat.StoreError) as error:
    refused: demat.Error = error
    value_error: ValueError = error

field = demat.Field(
    name="n",
    read=["a", "b"],
    write="c",
    number=3,
    default=None,
    ge=0,
    lt=Decimal("1.5"),
    multiple_of=0.5,
    min_length=1,
    max_length=9,
    pattern="^a",
    tz=True,
    times="milliseconds",
    tag="kind",
    other=dict[str, object],
    rest=False,
    omit_default=True,
    omit_none=False,
    title="A title",
    description="What it is",
    examples=[1, 2],
)
Tags = Annotated[list[str], demat.Field(factory=list, max_length=9)]


# Decorators give back the class that they were given.
@demat.configure(rename="camel", unknown="forbid", tag="kind", tag_value="task", gc=False, omit_none=True)
@dataclass
class Task:
    id: int
    title: str


@demat.configure
@dataclass
class Note:
    text: str


assert_type(Task(1, "Clean room").title, str)
assert_type(Note("x"), Note)
assert_type(demat.configure(Note, unknown="keep", rename={"text": "TEXT"}), type[Note])

# Hooks: what is in the data is what the functions take and give.
assert_type(demat.hook(PurePosixPath, wire=str, decode=PurePosixPath, encode=str), type[PurePosixPath])
demat.hook(complex, wire=tuple[float, float], decode=lambda pair: complex(*pair), encode=lambda c: (c.real, c.imag))
demat.hook(complex, wire=str | float, decode=lambda value: complex(value))
demat.hook(complex, encode=repr)
hooked = demat.Hook(wire=str, decode=lambda text: int(text, 16), encode=hex)
Hex = Annotated[int, hooked]

# Shapes.
assert_type(demat.schema(Task), dict[str, Any])
assert_type(demat.schema(list[Task] | None, to="json-schema"), dict[str, Any])
assert_type(demat.schema(Task, to="shape"), str)
assert_type(demat.schema(Task, rename="camel", unknown="forbid", hooks={complex: hooked}), dict[str, Any])
assert_type(demat.define("id: int, title: text"), type[Any])
assert_type(demat.define(Path("tasks.csv"), name="Task", rows=None), type[Any])
assert_type(demat.define(b"id,title", format="csv"), type[Any])
with Path("tasks.csv").open() as lines, Path("tasks.json").open("rb") as opened:
    assert_type(demat.define(lines, format="csv"), type[Any])
    assert_type(demat.define(opened, rows=3), type[Any])
assert_type(demat.source(Task), str)

# Spans.
raw = demat.Raw(b"[1]", "json")
assert_type(raw.decode(), Any)
assert_type(raw.decode(list[int]), list[int])
assert_type(raw.decode(int | None), int | None)
assert_type(raw.format, str)
assert_type(bytes(raw), bytes)
assert_type(len(raw), int)
