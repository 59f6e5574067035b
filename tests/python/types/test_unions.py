"""Unions without a tag: the first type that fits, one of exactly the kind that stands there before others."""

import datetime
import decimal
import time
from dataclasses import dataclass
from typing import Annotated, Literal, Optional, Union

import demat
import pytest
from demat import Field, Hook, csv, json, ndjson
from same import same

date = datetime.date


@dataclass
class A:
    a: int


@dataclass
class B:
    b: int


@dataclass(slots=True)
class Both:
    a: int
    b: int


TAKEN = [
    (Optional[int], "null", None),  # noqa: UP045
    (Optional[int], "1", 1),  # noqa: UP045
    (int | str, "1", 1),
    (int | str, '"1"', "1"),
    (int | float, "1", 1),
    (float | int, "1", 1),
    (float | int, "1.0", 1.0),
    (bool | int, "true", True),
    (int | bool, "true", True),
    (int | bool, "1", 1),
    (int | None | str, "null", None),
    (list[int] | dict[str, int], "[1]", [1]),
    (list[int] | dict[str, int], '{"a":1}', {"a": 1}),
    (list[int] | list[str], '["a"]', ["a"]),
    (list[int] | list[str], "[]", []),
    (list[int | str], '[1,"a"]', [1, "a"]),
    (date | str, '"2020-01-02"', date(2020, 1, 2)),
    (date | str, '"soon"', "soon"),
    (str | date, '"2020-01-02"', "2020-01-02"),
    (datetime.datetime | date, '"2020-01-02"', date(2020, 1, 2)),
    (A | B, '{"b":1}', B(1)),
    (A | B, '{"a":1}', A(1)),
    (A | B, '{"b":2,"a":1}', A(1)),
    (A | Both, '{"b":2,"a":1}', A(1)),
    (Both | A, '{"b":2,"a":1}', Both(1, 2)),
    (Both | A | None, "null", None),
    (Union[A, list[A]], '[{"a":1}]', [A(1)]),  # noqa: UP007
    (int | Literal["auto"], '"auto"', "auto"),
    (int | Literal["auto"], "5", 5),
    (tuple[int, int] | tuple[str], '["a"]', ("a",)),
    (Annotated[int, Field(ge=0)] | Annotated[int, Field(le=-10)], "-11", -11),
    (decimal.Decimal | None, "1.5", decimal.Decimal("1.5")),
    (dict[str, int] | A, '{"a":1}', {"a": 1}),
    (A | dict[str, int], '{"x":1}', {"x": 1}),
]


@pytest.mark.parametrize(("tp", "text", "value"), TAKEN)
def test_taken(tp, text, value):
    assert same(json.decode(text, tp), value)
    assert same(json.decode(f"[{text}]", list[tp], errors="all"), [value])
    assert json.encode(value, type=tp) == json.encode(value)
    assert same(ndjson.decode(f"{text}\n{text}\n", list[tp]), [value, value])


REFUSED = [
    (int | str, "1.5", "expected `int` or `str`, found `float`"),
    (int | str, "null", "expected `int` or `str`, found `None`"),
    (int | None, '"a"', "expected `int`, found `str`"),
    (int | str | None, "[]", "expected `int` or `str`, found `list`"),
    (A | B, "1", "expected `A` or `B`, found `int`"),
    (A | B, '{"c":1}', "expected `A` or `B`, found a `dict` that is none of them"),
    (A | B, '{"a":"x"}', "expected `A` or `B`, found a `dict` that is none of them"),
    (A | int, '{"a":"x"}', "expected `int`, found `str`"),
    (date | int, '"soon"', "expected `date` as YYYY-MM-DD, found other text"),
    (list[int] | list[str], "[1.5]", "expected `list` or `list`, found a `list` that is none of them"),
    (int | Literal["auto"], '"off"', "expected `auto`, found `off`"),
]


@pytest.mark.parametrize(("tp", "text", "message"), REFUSED)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(f"[ {text}]", list[tp])
    assert str(raised.value).startswith(f"{message} at `$[0]")
    if "that is none" in message:
        assert (raised.value.offset, raised.value.path) == (2, "$[0]")


def test_what_is_no_json_is_not_a_matter_of_the_union():
    for text in ('{"a":1', '{"a":01}', '{"b":1,}', '{"c":tru}'):
        with pytest.raises(demat.DecodeError) as raised:
            json.decode(text, A | B)
        assert type(raised.value) is demat.DecodeError


def test_hooks_in_unions():
    def even(number: int) -> str:
        if number % 2:
            raise ValueError("odd")
        return f"even {number}"

    def fail(number: int) -> str:
        raise LookupError("its own affair")

    even_or_float = Annotated[str, Hook(wire=int, decode=even)] | Annotated[str, Hook(wire=int, decode=str)]
    assert json.decode("[1,2]", list[even_or_float]) == ["1", "even 2"]
    with pytest.raises(LookupError, match="its own affair"):
        json.decode(
            "[1]", list[Annotated[str, Hook(wire=int, decode=fail)] | Annotated[str, Hook(wire=int, decode=str)]]
        )


def test_errors_of_tries_are_not_gathered():
    with pytest.raises(demat.ValidationError) as raised:
        json.decode('[{"b":1},{"c":1},{"a":1},{"a":"x"}]', list[A | B], errors="all")
    assert [error.path for error in raised.value.errors] == ["$[1]", "$[3]"]
    assert json.decode('[{"b":1},{"b":2}]', list[A | B], errors="all") == [B(1), B(2)]


@dataclass
class Left:
    child: "Left | Right | None"
    left: int


@dataclass
class Right:
    child: "Left | Right | None"
    right: int


@pytest.mark.parametrize("leaf", ["null", "true"], ids=["good", "bad"])
def test_tries_within_tries_take_no_time_that_doubles(leaf):
    text = leaf
    for _ in range(60):
        text = f'{{"child":{text},"right":1}}'
    start = time.perf_counter()
    if leaf == "null":
        found = json.decode(text, Left | Right)
        for _ in range(60):
            assert type(found) is Right
            found = found.child
        assert found is None
    else:
        for errors in ("first", "all"):
            with pytest.raises(demat.ValidationError):
                json.decode(text, Left | Right, errors=errors)
    assert time.perf_counter() - start < 2


@dataclass
class Row:
    number: int | float
    text: int | str
    maybe: int | date | None
    name: Literal["x"] | int


def test_in_cells_where_everything_is_text():
    rows = csv.decode("number,text,maybe,name\n1,1,,x\n1.5,a,2020-01-02,3\n", list[Row])
    assert rows == [Row(1, 1, None, "x"), Row(1.5, "a", date(2020, 1, 2), 3)]
    assert same([rows[0].number, rows[0].text, rows[1].name], [1, 1, 3])
    assert csv.decode(csv.encode(rows), list[Row]) == rows
    with pytest.raises(demat.ValidationError, match=r"expected `int` or `float`, found .* at `\$\[0\]\.number`"):
        csv.decode("number,text,maybe,name\nx,1,,x\n", list[Row])
