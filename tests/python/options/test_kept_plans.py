"""Plans under options are made once, for as long as what they are about is there."""

import gc
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any

import demat
import pytest
from demat import Hook, _describe, json


@pytest.fixture
def described(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The types that were described, each as often as it was."""
    found: list[Any] = []
    describe = _describe.described

    def look(tp: Any, *arguments: Any) -> Any:
        found.append(tp)
        return describe(tp, *arguments)

    monkeypatch.setattr(_describe, "described", look)
    return found


def task() -> Any:
    @dataclass
    class Task:
        some_id: int

    return Task


def as_year(text: str) -> datetime:
    return datetime(int(text), 1, 1)


def year_of(value: datetime) -> str:
    return str(value.year)


YEAR = Hook(wire=str, decode=as_year, encode=year_of)

OPTIONS: dict[str, Callable[[], dict[str, Any]]] = {
    "rename": lambda: {"rename": "camel"},
    "rename by a dict": lambda: {"rename": {"some_id": "someId"}},
    "rename by a function": lambda: {"rename": str.upper},
    "unknown": lambda: {"unknown": "forbid"},
    "hooks": lambda: {"hooks": {datetime: YEAR}},
    "equal hooks": lambda: {"hooks": {datetime: Hook(wire=str, decode=as_year, encode=year_of)}},
    "several": lambda: {"hooks": {datetime: YEAR}, "rename": "camel", "unknown": "ignore"},
}


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_one_plan_for_each_type_and_options(options, described):
    cls = task()
    rename = options().get("rename")
    key = "SOME_ID" if callable(rename) else "someId" if rename else "some_id"
    for _ in range(3):
        for tp, text in ((cls, f'{{"{key}":1}}'), (list[cls], f'[{{"{key}":1}}]')):
            assert json.decode(text, tp, **options()) in (cls(1), [cls(1)])
            assert json.Decoder(tp, **options()).decode(text) in (cls(1), [cls(1)])
    assert described == [cls, list[cls]]


@pytest.mark.parametrize("name", [name for name in OPTIONS if name not in ("unknown", "several")])
def test_the_same_when_writing(name, described):
    cls, options = task(), OPTIONS[name]
    for _ in range(3):
        json.encode([cls(1)], **options())
        json.encode([cls(1)], type=list[cls], **options())
    assert described == [cls, list[cls]]


def test_hooks_of_builtin_classes_keep_their_plans_themselves(described):
    hook = Hook(wire=str, decode=as_year, encode=year_of)
    for _ in range(3):
        assert json.decode('["2020"]', list[datetime], hooks={datetime: hook}) == [datetime(2020, 1, 1)]
        assert json.encode([datetime(2020, 1, 1)], hooks={datetime: hook}) == b'["2020"]'
    assert described == [list[datetime], datetime]


def test_options_that_differ_are_other_plans():
    cls = task()
    for _ in range(2):
        assert json.decode('{"someId":1}', cls, rename="camel") == cls(1)
        assert json.decode('{"SOME_ID":1}', cls, rename="upper") == cls(1)
        assert json.decode('{"x":1}', cls, rename={"some_id": "x"}) == cls(1)
        assert json.decode('{"y":1}', cls, rename={"some_id": "y"}) == cls(1)
        assert json.decode('{"some_id":1,"z":2}', cls) == cls(1)
        with pytest.raises(demat.ValidationError, match="unknown field `z`"):
            json.decode('{"some_id":1,"z":2}', cls, unknown="forbid")
        for number in (2, 3):
            hooks = {int: Hook(wire=int, decode=number.__mul__)}
            assert json.decode('{"some_id":5}', cls, hooks=hooks) == cls(5 * number)


def test_wires_that_differ_in_their_order_are_other_plans():
    @dataclass
    class Box:
        value: Any

    for _ in range(2):
        for wire, made in ((int | str, 1), (str | int, "1")):
            hooks = {Box: Hook(wire=wire, decode=Box)}
            assert demat.csv.decode("a\n1\n", list[dict[str, Box]], hooks=hooks) == [{"a": Box(made)}]


def test_what_has_no_hash_is_planned_each_time(described):
    class Names(dict[str, str]):
        pass

    class Decode:
        __hash__ = None  # type: ignore[assignment]

        def __call__(self, value: Any) -> Any:
            return value

    cls = task()
    names = {"some_id": "a"}
    for rename in (MappingProxyType(names), Names(names)):
        names["some_id"] = "a"
        assert json.decode('{"a":1}', cls, rename=Names(names)) == cls(1)
        assert json.decode('{"a":1}', cls, rename=rename) == cls(1)
    for _ in range(2):
        assert json.decode('{"some_id":1}', cls, hooks={int: Hook(wire=int, decode=Decode())}) == cls(1)
    assert len(described) == 6


def test_a_mapping_that_changes_is_looked_at_again():
    cls = task()
    names = {"some_id": "a"}
    view = MappingProxyType(names)
    for rename in (names, view):
        names["some_id"] = "a"
        assert json.decode('{"a":1}', cls, rename=rename) == cls(1)
        names["some_id"] = "b"
        assert json.decode('{"b":1}', cls, rename=rename) == cls(1)


def test_so_many_are_kept_and_no_more():
    cls = task()
    for number in range(1000):
        assert json.decode(f'{{"k{number}":1}}', cls, rename={"some_id": f"k{number}"}) == cls(1)
    gc.collect()
    plans = [found for found in gc.get_objects() if type(found).__name__ == "Plan"]
    assert sum(any(record.get("cls") is cls for record in records_of(plan)) for plan in plans) <= 65


def records_of(plan: Any) -> list[Any]:
    # The description; the members of enums are a tuple, too.
    parts = (part for part in gc.get_referents(plan) if isinstance(part, tuple))
    return [found for part in parts if len(part) == 2 and isinstance(part[1], list) for found in part[1]]


def test_a_new_epoch_makes_new_plans():
    cls = task()
    assert json.decode('{"someId":1}', cls, rename="camel") == cls(1)
    demat.hook(cls, wire=int, decode=cls, encode=lambda value: value.some_id)
    assert json.decode("5", cls, rename="camel") == cls(5)
    assert json.encode(cls(5), rename="camel") == b"5"


@pytest.mark.parametrize("options", OPTIONS.values(), ids=OPTIONS)
def test_classes_go(options):
    cls = task()
    rename = options().get("rename")
    key = "SOME_ID" if callable(rename) else "someId" if rename else "some_id"
    gone = weakref.ref(cls)
    json.decode(f'[{{"{key}":1}}]', list[cls], **options())
    json.encode(cls(1), **{name: value for name, value in options().items() if name != "unknown"})
    del cls
    gc.collect()
    assert gone() is None


def test_hooks_and_what_they_hold_go():
    class Held:
        pass

    held = Held()
    gone = weakref.ref(held)
    hook = Hook(wire=str, decode=lambda text, held=held: text, encode=lambda value, held=held: "x")
    json.decode('["a"]', list[datetime], hooks={datetime: hook})
    json.encode([datetime(2020, 1, 1)], hooks={datetime: hook})
    del held, hook
    gc.collect()
    assert gone() is None
