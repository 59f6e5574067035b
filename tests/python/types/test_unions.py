"""Unions without a tag: the first type that fits, one of exactly the kind that stands there before others."""

import datetime
import decimal
import enum
import time
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, Optional, Union

import demat
import pytest
from demat import Field, Hook, cbor, csv, json, msgpack, ndjson, xml, yaml
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
    (A | Both, '{"b":2,"a":1}', Both(1, 2)),
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
    (int | str, "1.5", "expected `int` or `str`, found `float` 1.5"),
    (int | str, "null", "expected `int` or `str`, found `None`"),
    (int | None, '"a"', 'expected `int`, found `str` "a"'),
    (int | str | None, "[]", "expected `int` or `str`, found `list`"),
    (A | B, "1", "expected `A` or `B`, found `int` 1"),
    (A | B, '{"c":1}', "expected `A` or `B`, found a `dict` that is none of them"),
    (A | B, '{"a":"x"}', "expected `A` or `B`, found a `dict` that is none of them"),
    (A | int, '{"a":"x"}', 'expected `int`, found `str` "x"'),
    (date | int, '"soon"', 'expected `date` as YYYY-MM-DD, found `str` "soon"'),
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


class Color(enum.Enum):
    RED = "red"
    ONE = 1


# What a cell says, by its type: strictly, and where it is read laxly.
CELLS = [
    (int | float, "1", 1, 1),
    (int | float, "1.0", 1.0, 1.0),
    (int | float, "1e3", 1000.0, 1000.0),
    (int | float, " 1", None, 1),
    (float | int, "1", 1.0, 1.0),
    (int | None, "", ..., ...),
    (int | None, "5", 5, 5),
    (int | None, "5.0", None, 5),
    (int | None, "x", None, None),
    (str | None, "", ..., ...),
    (str | None, '""', "", ""),
    (date | str, "2020-01-02", date(2020, 1, 2), date(2020, 1, 2)),
    (date | str, "soon", "soon", "soon"),
    (str | date, "2020-01-02", "2020-01-02", "2020-01-02"),
    (date | None, "", ..., ...),
    (datetime.datetime | date, "2020-01-02", date(2020, 1, 2), date(2020, 1, 2)),
    (datetime.datetime | int, "5", 5, 5),
    (datetime.timedelta | int, "5", 5, 5),
    (datetime.timedelta | date, "5", None, datetime.timedelta(seconds=5)),
    (bool | int, "true", True, True),
    (bool | int, "1", True, True),
    (bool | int, "5", 5, 5),
    (int | bool, "1", 1, 1),
    (bool | str, "yes", "yes", "yes"),
    (bool | date, "yes", None, True),
    (Literal[1, "a"], "1", 1, 1),
    (Literal[1, "a"], '"1"', 1, 1),
    (Literal[1, "a"], "a", "a", "a"),
    (Literal[1, "a"], "b", None, None),
    (Literal[1, "a"], "", None, None),
    (Literal["1", 1], "1", "1", "1"),
    (Literal[True, "x"], "true", True, True),
    (Literal[True, "x"], "1", True, True),
    (Literal[True, "x"], "0", None, None),
    (Literal[1, True], "1", 1, 1),
    (Literal[1, True], "true", True, True),
    (Literal["x"] | None, "", ..., ...),
    (Literal["x"] | None, '""', None, None),
    (int | Literal["auto"], "auto", "auto", "auto"),
    (int | Literal["auto"], "7", 7, 7),
    (int | Literal["auto"], "x", None, None),
    (Color, "1", Color.ONE, Color.ONE),
    (Color | int, "1", Color.ONE, Color.ONE),
    (Color | int, "7", 7, 7),
    (Color | None, "", ..., ...),
    (decimal.Decimal | str, "1.50", decimal.Decimal("1.50"), decimal.Decimal("1.50")),
    (decimal.Decimal | str, "x", "x", "x"),
    (Annotated[int, Field(ge=5)] | str, "3", "3", "3"),
    (Annotated[int | None, Field(ge=5)], "", ..., ...),
    (Annotated[int | None, Field(ge=5)], "3", None, None),
    (int | list[int], "3", 3, 3),
]


@pytest.mark.parametrize(("tp", "cell", "strictly", "laxly"), CELLS)
def test_cells(tp, cell, strictly, laxly):
    """None is for what is refused, and `...` for None."""
    for strict, expected in ((True, strictly), (False, laxly)):
        for errors in ("first", "all"):
            tuples = list[tuple[tp, str]]
            options = {"header": False, "strict": strict, "errors": errors}
            if expected is None:
                with pytest.raises(demat.ValidationError, match="expected ") as raised:
                    csv.decode(f"{cell},z\n", tuples, **options)
                assert (raised.value.path, raised.value.offset) == ("$[0][0]", 0)
                assert "``" not in str(raised.value)
                continue
            ((found, _),) = csv.decode(f"{cell},z\n", tuples, **options)
            assert same(found, None if expected is ... else expected)
            if strict:
                assert csv.decode(csv.encode([(found, "z")], type=tuples), tuples, header=False) == [(found, "z")]


def test_an_empty_cell_is_a_default_where_it_can_be_nothing_else():
    @dataclass
    class Defaults:
        a: int | str = 5
        b: int | None = 6
        c: Literal[1, "x"] = "x"
        d: int | float = 7

    assert csv.decode("a,b,c,d\n,,,\n", list[Defaults]) == [Defaults(5, None, "x", 7)]


def test_rows_of_several_classes_without_a_tag():
    assert csv.decode("a\n1\n2\n3\n", list[Both | A]) == [A(1), A(2), A(3)]
    assert csv.decode("b\n1\n2\n", list[A | B]) == [B(1), B(2)]
    for errors in ("first", "all"):
        with pytest.raises(demat.ValidationError, match="found a `dict` that is none of them"):
            csv.decode("c\n1\n2\n", list[A | B], errors=errors)


@dataclass
class Few:
    a: int = 1


@dataclass
class More:
    b: int = 2
    a: int = 0
    inner: "list[Few | More]" = field(default_factory=list)


@dataclass
class Strict:
    a: int = 1
    unlike: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


def test_the_record_that_has_all_the_fields_counts():
    values = [Few(7), More(5, 6, [Few(8), More(9, 1)]), More(1, 2, [])]
    for module in (json, cbor, msgpack, yaml, xml):
        assert module.decode(module.encode(values), list[Few | More]) == values
        assert module.decode(module.encode(values), list[Annotated[Few, Field()] | More]) == values
    assert json.decode(json.encode(values), list[Few | More], errors="all") == values
    # Where none has all of them it is the first one; and a dict or a field for the rest has any.
    assert json.decode('{"a":1,"z":1}', Few | More) == Few(1)
    assert json.decode('{"a":1,"z":1}', More | Few) == More(a=1)
    assert json.decode('{"b":1,"z":1}', Few | More | dict[str, int]) == {"b": 1, "z": 1}
    assert json.decode('{"b":1,"z":1}', Few | dict[str, int]) == {"b": 1, "z": 1}
    assert json.decode('{"b":1,"z":"text"}', Few | dict[str, int]) == Few()
    assert json.decode('{"a":1}', Few | dict[str, int]) == Few(1)
    assert json.decode('{"b":1}', dict[str, int] | Few | More) == {"b": 1}
    assert json.decode('{"b":1}', Few | Strict | More) == Strict(1, {"b": 1})
    with pytest.raises(demat.ValidationError, match="none of them"):
        json.decode('{"z":1}', Few | More, unknown="forbid")
