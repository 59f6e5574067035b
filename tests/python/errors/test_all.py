"""errors="all" and errors=N: every error of the values, in the input's order; the first as it would be alone."""

from dataclasses import dataclass, field
from enum import STRICT, Flag
from typing import Annotated, Any, NamedTuple, TypedDict

import attrs
import demat
import msgspec
import pydantic
import pytest
from demat import Field, Hook, csv, json, ndjson


def positive(value: int) -> int:
    if value < 0:
        raise ValueError(f"{value} is negative")
    return value


@dataclass(slots=True)
class Row:
    id: int
    name: str
    tags: list[str] = field(default_factory=list)


@dataclass
class Posted:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


class Typed(TypedDict):
    a: int
    b: str


class Named(NamedTuple):
    a: int
    b: str


Hooked = Annotated[int, Hook(wire=int, decode=positive)]


@dataclass
class Checked:
    first: Hooked
    second: Hooked
    third: Hooked


@dataclass
class Failing:
    a: int
    b: int = field(default_factory=lambda: positive(-5))


class Model(pydantic.BaseModel):
    a: int

    @pydantic.field_validator("a")
    @classmethod
    def positive(cls, value: int) -> int:
        return positive(value)


class Whole(Model):
    @pydantic.model_validator(mode="before")
    @classmethod
    def look(cls, values: Any) -> Any:
        return values


@attrs.define
class Attrs:
    a: int = attrs.field(validator=attrs.validators.ge(0))


class Struct(msgspec.Struct):
    a: int

    def __post_init__(self) -> None:
        positive(self.a)


class Access(Flag, boundary=STRICT):
    READ = 1
    WRITE = 2


class Short(list[int]):
    def __init__(self, items: list[int]) -> None:
        if len(items) > 1:
            raise ValueError("too long")
        super().__init__(items)


class Few(dict[str, int]):
    def update(self, items: Any) -> None:
        if len(items) > 1:
            raise ValueError("too many")
        super().update(items)


CASES = {
    "items": (list[int], '[1,"a",2,null,3.5]', ["$[1]", "$[3]", "$[4]"]),
    "fields": (
        list[Row],
        '[{"id":"x","name":1},{"name":"a"},{"id":1,"name":"b","tags":[1,"x",2]}]',
        ["$[0].id", "$[0].name", "$[1]", "$[2].tags[0]", "$[2].tags[2]"],
    ),
    "two missing": (list[Row], "[{}]", ["$[0]", "$[0]"]),
    "wrong kinds": (list[Row], '[1,[],{"id":{},"name":[]}]', ["$[0]", "$[1]", "$[2].id", "$[2].name"]),
    "dicts": (dict[str, dict[str, int]], '{"a":{"x":"1","y":2,"z":null},"b":5}', ["$.a.x", "$.a.z", "$.b"]),
    "tuples": (tuple[int, list[int], str], '["x",[1,"y"],2]', ["$[0]", "$[1][1]", "$[2]"]),
    "sets": (set[int], '[1,"a",[]]', ["$[1]", "$[2]"]),
    "typed dicts": (list[Typed], '[{"a":"x"},{"b":1}]', ["$[0].a", "$[0]", "$[1].b", "$[1]"]),
    "named tuples": (list[Named], '[["x",1],{"a":1}]', ["$[0][0]", "$[0][1]", "$[1]"]),
    "hooks": (list[Hooked], '[1,-1,"x",-2]', ["$[1]", "$[2]", "$[3]"]),
    "checks": (list[Annotated[str, Field(min_length=2)]], '["a","ab",1,""]', ["$[0]", "$[2]", "$[3]"]),
    "post init": (
        list[Posted],
        '[{"low":2,"high":1},{"low":"x","high":1},{"low":5,"high":4}]',
        ["$[0]", "$[1].low", "$[2]"],
    ),
    "nested post init": (
        dict[str, list[Posted]],
        '{"a":[{"low":2,"high":1}],"b":[{"low":1,"high":2},{"low":3,"high":2}]}',
        ["$.a[0]", "$.b[1]"],
    ),
    "post init of tuples": (
        tuple[Posted, int, Posted],
        '[{"low":2,"high":1},"x",{"low":2,"high":1}]',
        ["$[0]", "$[1]", "$[2]"],
    ),
    "hooks in fields": (
        list[Checked],
        '[{"first":-1,"second":"x","third":-2},{"first":1,"second":-3,"third":3}]',
        ["$[0].first", "$[0].second", "$[0].third", "$[1].second"],
    ),
    "factories": (list[Failing], '[{"a":"x"},{}]', ["$[0].a", "$[0].b", "$[1]", "$[1].b"]),
    "pydantic": (list[Model], '[{"a":-1},{"a":"x"},{"a":5},{"a":-2}]', ["$[0]", "$[1].a", "$[3]"]),
    "pydantic before all": (list[Whole], '[{"a":-1},{"a":5},{"a":-2}]', ["$[0]", "$[2]"]),
    "attrs": (list[Attrs], '[{"a":-1},{"a":"x"},{"a":5},{"a":-2}]', ["$[0]", "$[1].a", "$[3]"]),
    "structs": (list[Struct], '[{"a":-1},{"a":"x"},{"a":5},{"a":-2}]', ["$[0]", "$[1].a", "$[3]"]),
    "flags": (list[Access], "[1,8,2,16]", ["$[1]", "$[3]"]),
    "classes of lists": (list[Short], '[[1],[1,2],["x"],[1,2]]', ["$[1]", "$[2][0]", "$[3]"]),
    "classes of dicts": (list[Few], '[{"a":1},{"a":1,"b":2},{"a":"x"}]', ["$[1]", "$[2].a"]),
    "what has no hash": (list[set[Any]], '[[1,[2],"x",[3]],[{}]]', ["$[0][1]", "$[0][3]", "$[1][0]"]),
    "keys": (
        list[dict[int, int]],
        '[{"1":1,"a":"x","b":2,"3":"y"},{"c":3}]',
        ["$[0].a", "$[0].a", "$[0].b", '$[0]["3"]', "$[1].c"],
    ),
    "keys by hooks": (dict[Hooked, list[int]], '{"1":[1],"-1":["x"],"-2":[2]}', ['$["-1"]', '$["-1"][0]', '$["-2"]']),
    "unions": (list[int | str], '[1,null,"a",1.5]', ["$[1]", "$[3]"]),
    "options": (list[int | None], '[null,"a",[]]', ["$[1]", "$[2]"]),
}


def errors_of(tp: Any, data: Any, errors: Any, module: Any = json, **options: Any) -> demat.ValidationError:
    with pytest.raises(demat.ValidationError) as raised:
        module.decode(data, tp, errors=errors, **options)
    return raised.value


@pytest.mark.parametrize(("tp", "text", "paths"), CASES.values(), ids=CASES)
def test_all(tp, text, paths):
    error = errors_of(tp, text, "all")
    assert [one.path for one in error.errors] == paths
    first = errors_of(tp, text, "first")
    names = ("path", "offset", "line", "column", "expected", "found", "reason")
    assert [getattr(error, name) for name in names] == [getattr(first, name) for name in names]
    assert str(error.errors[0]) == str(first)
    more = f" (and {len(paths) - 1} more)" if len(paths) > 1 else ""
    assert str(error) == str(first) + more
    offsets = [one.offset for one in error.errors]
    assert all(offset is not None for offset in offsets)
    for one in error.errors:
        assert one.errors == (one,)
        assert type(one) is demat.ValidationError


@pytest.mark.parametrize(("tp", "text", "paths"), CASES.values(), ids=CASES)
@pytest.mark.parametrize("count", [1, 2, 3, 100])
def test_so_many(tp, text, paths, count):
    assert [one.path for one in errors_of(tp, text, count).errors] == paths[:count]


def test_good_values_are_good_in_all_ways():
    for errors in ("first", "all", 1, 2, 10**6):
        assert json.decode('[{"id":1,"name":"a"}]', list[Row], errors=errors) == [Row(1, "a")]
        assert json.Decoder(list[Hooked], errors=errors).decode("[1,2]") == [1, 2]


def test_what_is_no_json_ends_it():
    error = pytest.raises(demat.DecodeError, json.decode, '[1,"a",{"x":[1,}', list[int], errors="all").value
    assert [(type(one), one.path) for one in error.errors] == [
        (demat.ValidationError, "$[1]"),
        (demat.ValidationError, "$[2]"),
        (demat.DecodeError, "$[2]"),
    ] or [one.path for one in error.errors][:2] == ["$[1]", "$[2]"]
    error = pytest.raises(demat.DecodeError, json.decode, '["a",1', list[int], errors="all").value
    assert [type(one) for one in error.errors] == [demat.ValidationError, demat.DecodeError]


def test_lines():
    text = '{"id":"x","name":"a"}\n{"id":1,"name":"b"}\n[1]\n{"id":2}\n'
    error = errors_of(list[Row], text, "all", ndjson)
    assert [(one.path, one.record, one.line) for one in error.errors] == [
        ("$[0].id", 1, 1),
        ("$[2]", 3, 3),
        ("$[3]", 4, 4),
    ]


def test_rows():
    text = "id,name\nx,a\n1,b\ny,c\n"
    error = errors_of(list[Row], text, "all", csv, unknown="ignore")
    assert [(one.path, one.record, one.line) for one in error.errors] == [("$[0].id", 1, 2), ("$[2].id", 3, 4)]


def test_causes_go_with_their_errors():
    error = errors_of(list[Model | None], '[{"a":-1},null,{"a":"x"},{"a":-2}]', "all")
    assert [type(one.__cause__) for one in error.errors] == [
        pydantic.ValidationError,
        type(None),
        pydantic.ValidationError,
    ]
    error = errors_of(dict[Hooked, Posted], '{"-1":{"low":2,"high":1},"1":{"low":3,"high":1}}', "all")
    assert [str(one.__cause__) for one in error.errors] == ["-1 is negative", *2 * ["low is above high"]]


def test_paths_are_whole_where_the_text_breaks_off():
    for tp in (list[list[int]], set[tuple[int, ...]], tuple[list[int], int], list[frozenset[int]]):
        with pytest.raises(demat.DecodeError) as raised:
            json.decode('[[1,"x",2', tp, errors="all")
        assert [one.path for one in raised.value.errors] == ["$[0][1]", "$[0]"]


def test_ten_thousand_errors():
    error = errors_of(list[int], "[" + ",".join(['"x"'] * 10_000) + "]", "all")
    assert len(error.errors) == 10_000
    assert error.errors[-1].path == "$[9999]"
    assert str(error).endswith("(and 9999 more)")
    assert len(errors_of(list[int], "[" + ",".join(['"x"'] * 10_000) + "]", 10).errors) == 10


def test_what_is_the_program_s_own_affair_ends_it_at_once():
    def fail(value: int) -> int:
        raise KeyError(value)

    with pytest.raises(KeyError):
        json.decode('["a",1,"b"]', list[Annotated[int, Hook(wire=int, decode=fail)]], errors="all")


def test_hooks_are_not_called_with_what_was_refused():
    seen = []

    def look(value: Any) -> Any:
        seen.append(value)
        return value

    tp = list[Annotated[Any, Hook(wire=list[int], decode=look)]]
    errors_of(tp, '[[1],["x"],[2,"y"],[3]]', "all")
    assert seen == [[1], [3]]
