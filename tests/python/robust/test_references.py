"""References: whatever is lent, made or dropped on the way, afterwards there are as many as before."""

import contextlib
import gc
import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import demat
import pytest
from demat import Hook, csv, json, ndjson

ROUNDS = 200


class Color(Enum):
    RED = "red"


SHARED = object()


@dataclass
class Plain:
    a: int
    b: str = "default"
    c: list[int] = field(default_factory=list)
    d: Any = SHARED


@dataclass(slots=True)
class Slotted:
    a: int
    b: str = "default"
    c: list[int] = field(default_factory=list)
    d: Any = SHARED


class Named(NamedTuple):
    a: int
    b: str = "default"


class Typed(TypedDict):
    a: int


@demat.configure(unknown="keep")
@dataclass
class Keeping:
    a: int
    rest: Annotated[dict[str, Any], demat.Field(rest=True)] = field(default_factory=dict)


def read(value: int) -> int:
    if value < 0:
        raise ValueError("negative")
    if value == 0:
        raise RuntimeError("nothing")
    return value


Hooked = Annotated[int, Hook(decode=read)]

CASES = {
    "untyped": (
        Any,
        ['{"a":[1,2.5,"x",null,true,{}]}', '[{"k":1},{"k":2},{"k":3}]'],
        ['{"a":[1,', '{"a" 1}', "[nul]", '{"a":{"b":[1,"x}'],
    ),
    "lists": (list[int], ["[1,2,3]", "[]"], ['[1,"x"]', "[1,2", "{}"]),
    "tuples": (tuple[int, str], ['[1,"a"]'], ["[1]", '[1,"a",2]', "[1,2]"]),
    "sets": (set[str], ['["a","b","a"]'], ['["a",1]', '["a"']),
    "sets of anything": (frozenset[Any], ['["a",1]'], ["[[1]]"]),
    "dicts": (dict[str, int], ['{"a":1,"b":2,"a":3}'], ['{"a":"x"}', '{"a":1', "[]"]),
    "dicts by int": (dict[int, list[str]], ['{"1":["a"]}'], ['{"x":[]}', '{"1":[1]}']),
    "dataclass": (
        Plain,
        ['{"a":1}', '{"a":1,"b":"x","c":[1],"d":null,"z":[1]}'],
        ["{}", '{"a":"x"}', '{"a":1,"c":[null]}', '{"a":1'],
    ),
    "slots": (
        Slotted,
        ['{"a":1}', '{"c":[1],"b":"x","a":1,"a":2}'],
        ["{}", '{"a":"x"}', '{"c":[1],"a":null}', '{"a":1'],
    ),
    "many": (list[Slotted], ['[{"a":1},{"a":2,"b":"y"}]'], ['[{"a":1},{}]']),
    "named tuple": (Named, ["[1]", '{"a":1,"b":"x"}'], ["[]", '["x"]', '[1,"b",2]']),
    "typed dict": (Typed, ['{"a":1,"x":2}'], ["{}", '{"a":null}']),
    "kept": (Keeping, ['{"a":1,"x":[1],"y":2}'], ['{"x":1}', '{"a":1,"x":[}']),
    "enum": (list[Color], ['["red"]'], ['["blue"]', "[1]"]),
    "literal": (list[(Literal["a", 1, True] | None)], ['["a",1,true,null]'], ['["b"]', "[2]", "[1.5]"]),
    "union": (list[int | str | Plain | Slotted], ['[1,"a",{"a":1}]'], ["[1.5]", "[{}]"]),
    "records by trial": (Named | Slotted | Plain, ['{"a":1,"c":[1]}'], ['{"a":"x"}']),
    "hook": (list[Hooked], ["[1,2]"], ["[1,-1]", "[1,0]"]),
    "raw": (list[demat.Raw], ['[{"a":1}]'], ["[{]"]),
}


def counts(objects: list[object]) -> list[int]:
    gc.collect()
    return [sys.getrefcount(one) for one in objects]


def unchanged(work: Callable[[], None], objects: list[object]) -> None:
    """The reference count of each object stays about the same: a leaked reference would leak in each round."""
    for _ in range(20):
        work()
    before = counts(objects)
    for _ in range(ROUNDS):
        work()
    grown = {
        repr(one)[:40]: after - then
        for one, then, after in zip(objects, before, counts(objects), strict=True)
        if abs(after - then) > ROUNDS // 2
    }
    assert not grown


@pytest.mark.parametrize("name", CASES)
def test_reading(name):
    tp, good, bad = CASES[name]
    inputs = [*good, *bad, *(text.encode() for text in good + bad), *(bytearray(text.encode()) for text in good + bad)]
    decoders = [json.Decoder(tp), json.Decoder(tp, errors="all"), json.Decoder(tp, strict=False, gc=False)]

    def work() -> None:
        for data in inputs:
            for decoder in decoders:
                try:
                    decoder.decode(data)
                except (demat.Error, RuntimeError):
                    continue
        for text in good:
            json.decode(text, tp)
            ndjson.decode(text, list[tp])

    texts = ["a", "b", "x", "default", "", "red"]
    unchanged(
        work,
        [
            None,
            True,
            False,
            *range(-5, 10),
            *texts,
            (),
            SHARED,
            *inputs,
            *decoders,
            tp,
            Plain,
            Slotted,
            Named,
            Typed,
            Keeping,
            Color,
            *Color,
            read,
            int,
            str,
            list,
            dict,
            float,
        ],
    )


class Own:
    def __init__(self, value: object) -> None:
        self.value = value


def write(value: object) -> object:
    if isinstance(value, Own):
        return value.value
    raise RuntimeError("nothing")


WRITTEN = {
    "scalars": ([None, True, 1, 2**100, 1.5, "a", b"x", ""], [float("nan"), "\ud800"]),
    "containers": (
        [[1, "a"], (1,), {1}, {"a": "b"}, {1: None}, range(3)],
        [[1, object()], {"a": object()}, {None: 1}, {(): 1}],
    ),
    "classes": (
        [Plain(1), Slotted(1, "x"), Named(1), Keeping(1, {"x": 1}), Color.RED],
        [Plain(object()), Slotted(float("nan")), Keeping(1, {1: 2})],
    ),
    "hooks": ([Own(1), Own([Own("x")])], [object(), Own(object()), Own("\ud800")]),
    "raw": ([demat.Raw("[1]")], [demat.Raw("[1")]),
}


@pytest.mark.parametrize("name", WRITTEN)
def test_writing(name):
    good, bad = WRITTEN[name]
    encoders = [
        json.Encoder(default=write),
        json.Encoder(default=write, sort_keys=True, indent=1),
        ndjson.Encoder(default=write),
    ]
    buffer = bytearray()

    def work() -> None:
        for value in good + bad:
            for encoder in encoders:
                try:
                    encoder.encode([value, [value]])
                    encoder.encode_into([value], buffer)
                except (demat.Error, RuntimeError):
                    continue

    unchanged(
        work,
        [
            None,
            True,
            False,
            *range(10),
            "a",
            "b",
            "x",
            "",
            (),
            *good,
            *bad,
            *encoders,
            buffer,
            write,
            Plain,
            Slotted,
            Named,
            Keeping,
            Color,
            Own,
            object,
        ],
    )


def test_tables():
    rows = [Plain(1, "x"), Plain(2)]
    bad = [object(), [Plain(object())], [1], [{"a": 1}, {"b": 2}]]

    def work() -> None:
        data = csv.encode([Named(1, "x")])
        csv.decode(data, list[Named])
        csv.decode(data)
        for text in ("a,b\n1\n", 'a,b\n"1\n', "a,b\nx,y\n", "b\n1\n"):
            for errors in ("first", "all"):
                try:
                    csv.decode(text, list[Named], errors=errors)
                except demat.Error:
                    continue
        for value in bad:
            try:
                csv.encode(value)
            except demat.Error:
                continue

    unchanged(work, [None, *range(10), "a", "b", "x", *rows, Named, Plain, *bad])


def test_options_that_are_refused():
    options = [{"errors": 0}, {"depth": "x"}, {"hooks": 5}, {"rename": 5}, {"nonsense": SHARED}, {"unknown": "x"}]

    def work() -> None:
        for given in options:
            for call, arguments in ((json.decode, ("1", int)), (json.Decoder, (int,)), (json.encode, (1,))):
                with contextlib.suppress(TypeError, ValueError):
                    call(*arguments, **given)

    unchanged(work, [None, SHARED, int, *options])


def test_the_long_check():
    """The bench's own check of leaks, in short: memory, objects and references of many calls of every kind."""
    import subprocess
    from pathlib import Path

    leaks = Path(__file__).parents[3] / "bench" / "python" / "leaks.py"
    done = subprocess.run(
        [sys.executable, str(leaks), "--count", "20000"], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
