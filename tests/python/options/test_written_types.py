"""`type=` of the writing verbs: a value is written as the type says, and refused where it is not of it."""

import collections
import enum
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, Optional, TypedDict, Union
from uuid import UUID

import attrs
import demat
import formats
import msgspec
import pydantic
import pytest
from demat import Field, Hook, json
from typing_extensions import TypeAliasType


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@dataclass
class Task:
    id: int
    title: str = ""
    due: date | None = None
    tags: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Slotted:
    id: int
    part: "Slotted | None" = None


@dataclass
class Sub(Task):
    more: int = 0


class Options(TypedDict):
    dueDate: Annotated[int, Field(name="due")]
    color: NotRequired[str]


class Point(NamedTuple):
    x: int
    y: float


@attrs.define
class Attrs:
    a: int


class Struct(msgspec.Struct):
    a: int


class Model(pydantic.BaseModel):
    a: int


@dataclass
class Circle:
    radius: float


@dataclass
class Square:
    side: float


Figure = Annotated[Circle | Square, Field(tag="kind")]
Json = TypeAliasType("Json", Union[None, bool, int, float, str, "list[Json]", "dict[str, Json]"])
Hexed = Annotated[int, Hook(wire=str, decode=lambda text: int(text, 16), encode=hex)]
HERE = __name__
Maybe = Literal["a", 1] | None


class Own:
    pass


TAKEN = [
    (Any, [1, Own], b""),
    (None, None, b"null"),
    (bool, True, b"true"),
    (int, 5, b"5"),
    (int, 2**70, b"1180591620717411303424"),
    (int, Level.LOW, b"1"),
    (float, 5.5, b"5.5"),
    (float, 5, b"5"),
    (str, "a", b'"a"'),
    (bytes, b"a", b'"YQ=="'),
    (bytearray, bytearray(b"a"), b'"YQ=="'),
    (memoryview, memoryview(b"a"), b'"YQ=="'),
    (Decimal, Decimal("1.0"), b"1.0"),
    (date, date(2020, 1, 2), b'"2020-01-02"'),
    (datetime, datetime(2020, 1, 2), b'"2020-01-02T00:00:00"'),
    (time, time(1), b'"01:00:00"'),
    (timedelta, timedelta(1), b'"P1D"'),
    (UUID, UUID(int=0), b'"00000000-0000-0000-0000-000000000000"'),
    (demat.Raw, demat.Raw("[ 1]"), b"[ 1]"),
    (Color, Color.RED, b'"red"'),
    (Level, Level.LOW, b"1"),
    (Access, Access.READ | Access.WRITE, b"3"),
    (Maybe, "a", b'"a"'),
    (Maybe, 1, b"1"),
    (Maybe, None, b"null"),
    (Literal[Color.RED], Color.RED, b'"red"'),
    (Optional[int], None, b"null"),  # noqa: UP045
    (list[int], [1, 2], b"[1,2]"),
    (list[int], (1, 2), b"[1,2]"),
    (Sequence[int], (1, 2), b"[1,2]"),
    (Iterable[int], (number for number in (1, 2)), b"[1,2]"),
    (set[int], {1}, b"[1]"),
    (collections.deque[int], collections.deque([1]), b"[1]"),
    (tuple[int, str], (1, "a"), b'[1,"a"]'),
    (tuple[int, ...], (1, 2, 3), b"[1,2,3]"),
    (dict[str, int], {"a": 1}, b'{"a":1}'),
    (dict[int, list[int]], {1: [1]}, b'{"1":[1]}'),
    (Mapping[str, int], MappingProxyType({"a": 1}), b'{"a":1}'),
    (Task, Task(1), b'{"id":1,"title":"","due":null,"tags":[]}'),
    (list[Task], [Task(1), Sub(2)], b""),
    (Slotted, Slotted(1, Slotted(2)), b'{"id":1,"part":{"id":2,"part":null}}'),
    (Options, {"dueDate": 5}, b'{"due":5}'),
    (Options, {"dueDate": 5, "more": Own}, b'{"due":5,"more":"Own"}'),
    (Point, Point(1, 2), b"[1,2]"),
    (Attrs, Attrs(1), b'{"a":1}'),
    (Struct, Struct(1), b'{"a":1}'),
    (Model, Model(a=1), b'{"a":1}'),
    (list[Figure], [Circle(1.0), Square(2)], b'[{"kind":"Circle","radius":1.0},{"kind":"Square","side":2}]'),
    (int | str, "a", b'"a"'),
    (int | list[int] | None, [1], b"[1]"),
    (list[int] | list[str], ["a"], b'["a"]'),
    (list[int] | list[Hexed], [], b"[]"),
    (list[str] | list[Hexed], [255], b'["0xff"]'),
    (dict[str, int] | dict[str, list[int]], {"a": [1]}, b'{"a":[1]}'),
    (tuple[int, int] | tuple[int, str], (1, "a"), b'[1,"a"]'),
    (set[int] | dict[str, int], {1}, b"[1]"),
    (date | str, date(2020, 1, 2), b'"2020-01-02"'),
    (int | Literal["auto"], "auto", b'"auto"'),
    (Task | Slotted, Slotted(1), b'{"id":1,"part":null}'),
    (Options | list[int], {"dueDate": 1}, b'{"due":1}'),
    (Json, {"a": [1, None, {"b": 2.5}]}, b'{"a":[1,null,{"b":2.5}]}'),
    (Hexed, 255, b'"0xff"'),
    (list[Hexed | None], [255, None], b'["0xff",null]'),
    (Annotated[int, Field(ge=10)], 5, b"5"),  # bounds are for what comes from outside
]


def named(tp: object) -> str:
    """The type as an id: without the addresses of functions, which differ from process to process."""
    return re.sub(r" at 0x[0-9a-f]+", "", str(tp))


@pytest.mark.parametrize(("tp", "value", "written"), TAKEN, ids=[named(tp) for tp, _, _ in TAKEN])
def test_taken(tp, value, written):
    given = {"default": lambda value: value.__name__}
    found = json.encode(value, type=tp, **given)
    assert found == (written or json.encode(value, **given))
    assert type(value).__name__ == "generator" or json.Encoder(type=tp, **given).encode(value) == found


REFUSED = [
    (bool, 1, "expected `bool`, found `int` 1"),
    (int, True, "expected `int`, found `bool` True"),
    (int, "1", 'expected `int`, found `str` "1"'),
    (int, 1.0, "expected `int`, found `float` 1.0"),
    (int, None, "expected `int`, found `None`"),
    (float, "1", 'expected `float`, found `str` "1"'),
    (float, True, "expected `float`, found `bool` True"),
    (str, b"a", 'expected `str`, found `bytes` b"a"'),
    (bytes, "a", 'expected `bytes`, found `str` "a"'),
    (Decimal, 1.5, "expected `Decimal`, found `float` 1.5"),
    (date, datetime(2020, 1, 2), "expected `date`, found `datetime.datetime`"),
    (datetime, date(2020, 1, 2), "expected `datetime`, found `datetime.date`"),
    (UUID, "a", 'expected `UUID`, found `str` "a"'),
    (Color, "red", "expected `red` or `blue`, found `red`"),
    (Color, Level.LOW, f"expected `red` or `blue`, found `{HERE}.Level`"),
    (Literal["a", 1], "b", "expected `a` or `1`, found `b`"),
    (Literal["a", 1], True, "expected `a` or `1`, found `True`"),
    (Literal["a", 1], [], "expected `a` or `1`, found `list`"),
    (Literal[Color.RED], Color.BLUE, f"expected `red`, found `{HERE}.Color`"),
    (Optional[int], "a", 'expected `int`, found `str` "a"'),  # noqa: UP045
    (list[int], 5, "expected `list`, found `int` 5"),
    (list[str], "ab", 'expected `list`, found `str` "ab"'),
    (list[int], {"a": 1}, "expected `list`, found `dict`"),
    (tuple[int, str], (1,), "expected a `tuple` of 2, found one of 1"),
    (tuple[int, str], {}, "expected a `tuple` of 2, found `dict`"),
    (dict[str, int], [1], "expected `dict`, found `list`"),
    (Task, {"id": 1}, "expected `Task`, found `dict`"),
    (Task, Slotted(1), f"expected `Task`, found `{HERE}.Slotted`"),
    (Options, Task(1), f"expected `Options`, found `{HERE}.Task`"),
    (Options, {}, "the key `dueDate` of a `Options` is not set"),
    (Point, (1, 2), "expected `Point`, found `tuple`"),
    (Model, {"a": 1}, "expected `Model`, found `dict`"),
    (Figure, Task(1), f"expected `Circle` or `Square`, found `{HERE}.Task`"),
    (int | str, 1.5, "expected `int` or `str`, found `float` 1.5"),
    (int | Literal["auto"], "off", 'expected `int` or `auto`, found `str` "off"'),
    (int | None | str, [], "expected `int` or `str`, found `list`"),
    (Hexed, "a", 'expected `int`, found `str` "a"'),
    (Json, Own, "expected `bool` or `int` or `float` or `str` or `list` or `dict`, found `type`"),
]


@pytest.mark.parametrize(("tp", "value", "message"), REFUSED, ids=[f"{named(tp)} {value}" for tp, value, _ in REFUSED])
def test_refused(tp, value, message):
    for write in (json.encode, lambda value, type: json.Encoder(type=type).encode(value)):
        for whole, whole_type, path in (
            (value, tp, "$"),
            ([value], list[tp], "$[0]"),
            ({"a": (value,)}, dict[str, list[tp]], "$.a[0]"),
        ):
            with pytest.raises(demat.EncodeError) as raised:
                write(whole, type=whole_type)
            assert raised.value.reason == message
            assert raised.value.path.startswith(path)


PATHS = [
    (Task, Task(1, "", None, ["a", 2]), "$.tags[1]", "expected `str`, found `int` 2"),
    (Task, Task("1"), "$.id", 'expected `int`, found `str` "1"'),
    (Slotted, Slotted(1, Slotted(2, Slotted("3"))), "$.part.part.id", 'expected `int`, found `str` "3"'),
    (list[Slotted], [Slotted(1), Slotted(2), Slotted("3")], "$[2].id", 'expected `int`, found `str` "3"'),
    (dict[str, Options], {"a": {"dueDate": "x"}}, "$.a.dueDate", 'expected `int`, found `str` "x"'),
    (dict[int, int], {"a": 1}, "$.a", 'expected `int`, found `str` "a"'),
    (Figure, Circle("x"), "$.radius", 'expected `float`, found `str` "x"'),
    (list[int] | list[str], [1, "a"], "$[1]", 'expected `int`, found `str` "a"'),
    (Point, Point(1, "y"), "$[1]", 'expected `float`, found `str` "y"'),
    (Model, Model.model_construct(a="x"), "$.a", 'expected `int`, found `str` "x"'),
]


@pytest.mark.parametrize(("tp", "value", "path", "message"), PATHS)
def test_paths(tp, value, path, message):
    with pytest.raises(demat.EncodeError) as raised:
        json.encode(value, type=tp)
    assert (raised.value.path, raised.value.reason) == (path, message)
    buffer = bytearray(b"head")
    with pytest.raises(demat.EncodeError):
        json.encode_into(value, buffer, 4, type=tp)
    assert buffer == b"head"


def test_none_within_a_type_is_one_and_alone_it_is_no_type():
    assert json.encode([None], type=list[None]) == b"[null]"
    with pytest.raises(demat.EncodeError, match=r"expected `None`, found `int` 1 at `\$\[0\]`"):
        json.encode([1], type=list[None])
    assert json.encode(1, type=None) == b"1"


def test_without_a_type_nobody_looks():
    assert json.encode(Task("1", 2)) == b'{"id":"1","title":2,"due":null,"tags":[]}'
    assert json.encode([Task("1")], type=list[Any]) == json.encode([Task("1")])


@formats.each()
def test_rows(module):
    value = Task(1, tags=[]) if formats.is_nested(module) else Circle(1.0)
    assert module.decode(module.encode([value]), list[type(value)])
    with pytest.raises(demat.EncodeError) as raised:
        module.encode([Circle(1.0), Circle("x")], type=list[Circle])
    assert (raised.value.path, raised.value.reason) == ("$[1].radius", 'expected `float`, found `str` "x"')
    with pytest.raises(demat.EncodeError, match=rf"expected `Circle`, found `{HERE}.Square` at `\$\[1\]`"):
        module.encode([Circle(1.0), Square(1)], type=list[Circle])


def test_default_is_asked_before_a_value_is_refused():
    assert json.encode([1, Own()], type=list[int], default=lambda own: 5) == b"[1,5]"
    with pytest.raises(demat.EncodeError, match="expected `int`, found `str`"):
        json.encode([1, "a"], type=list[int], default=lambda own: 5)


def test_rename_and_hooks_with_a_type():
    assert json.encode([{"dueDate": 1, "color": "x"}], type=list[Options], rename="upper") == b'[{"due":1,"COLOR":"x"}]'
    hooks = {date: Hook(wire=int, encode=lambda day: day.year)}
    assert json.encode({"a": date(2020, 1, 2)}, type=dict[str, date], hooks=hooks) == b'{"a":2020}'
    with pytest.raises(demat.EncodeError, match="expected `date`, found `int`"):
        json.encode({"a": 5}, type=dict[str, date], hooks=hooks)
    # What a hook gives is its own affair.
    assert json.encode(5, type=Annotated[int, Hook(wire=str, encode=lambda number: [number])]) == b"[5]"


def test_containers_that_hold_themselves():
    loop: list[Any] = []
    loop.append(loop)
    for tp in (list[int] | list[Json], list[Any] | list[int], Json):
        with pytest.raises((demat.LimitError, demat.EncodeError)):
            json.encode(loop, type=tp)
