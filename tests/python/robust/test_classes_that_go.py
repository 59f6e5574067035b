"""Classes that come and go: what was made for them goes with them, and nobody mistakes one for another."""

import gc
import typing
import weakref
from dataclasses import dataclass, field, make_dataclass
from enum import Enum
from typing import Annotated, Any, Generic, NamedTuple, TypeVar

import demat
import pytest
from demat import Hook, csv, json, ndjson

T = TypeVar("T")


def plain() -> type:
    @dataclass
    class Row:
        a: int
        b: list["Row"] = field(default_factory=list)

    return Row


def slotted() -> type:
    @dataclass(slots=True)
    class Row:
        a: int
        b: str = "x"

    return Row


def named() -> type:
    class Row(NamedTuple):
        a: int

    return Row


def posted() -> type:
    @dataclass
    class Row:
        a: int

        def __post_init__(self) -> None:
            self.made = Row

    return Row


def nested() -> type:
    inner = plain()

    @dataclass
    class Row:
        a: int
        b: inner | None = None  # type: ignore[valid-type]

    return Row


USES = {
    "decode": lambda cls: json.decode('{"a":1}', cls),
    "decode a list": lambda cls: json.decode('[{"a":1}]', list[cls]),
    "decode an option": lambda cls: json.decode('{"a":1}', cls | None),
    "decode a dict": lambda cls: json.decode('{"k":[{"a":1}]}', dict[str, list[cls]]),
    "decode with options": lambda cls: json.decode('{"A":1}', cls, rename="upper", errors="all"),
    "Decoder": lambda cls: json.Decoder(list[cls]).decode('[{"a":1}]'),
    "encode": lambda cls: json.encode(cls(1)),
    "encode a list": lambda cls: json.encode([cls(1), {"k": cls(2)}]),
    "encode as a type": lambda cls: json.encode([cls(1)], type=list[cls]),
    "encode with hooks": lambda cls: json.encode(cls(1), hooks={cls: Hook(encode=str)}),
    "Encoder": lambda cls: json.Encoder(type=cls).encode(cls(1)),
    "a table": lambda cls: csv.decode("a\n1\n", list[cls]),
    "lines": lambda cls: ndjson.decode('{"a":1}', list[cls]),
    "an error": lambda cls: failing(lambda: json.decode('{"a":"x"}', cls)),
    "errors": lambda cls: failing(lambda: json.decode('[{"a":"x"},{}]', list[cls], errors="all")),
    "an error of writing": lambda cls: failing(lambda: json.encode(cls(object()))),
    "configured": lambda cls: (demat.configure(cls, rename="upper"), json.decode('{"A":1}', cls)),
    "hooked": lambda cls: (
        demat.hook(cls, wire=int, decode=lambda a: cls(a), encode=lambda one: one.a),
        json.decode("[1]", list[cls]),
    ),
}


def failing(call: Any) -> None:
    with pytest.raises(demat.Error):
        call()


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("make", [plain, slotted, named, posted, nested])
def test_a_class_is_freed_with_all_that_was_made_for_it(make, use):
    cls = make()
    use(cls)
    alive = weakref.ref(cls)
    del cls
    gc.collect()
    gc.collect()
    assert alive() is None


def test_decoders_and_encoders_are_freed():
    for make in (
        lambda: json.Decoder(list[int]),
        json.Encoder,
        lambda: csv.Decoder(plain()),
        lambda: json.Decoder(plain(), rename="upper"),
    ):
        one = make()
        alive = weakref.ref(one)
        del one
        gc.collect()
        assert alive() is None


def test_a_decoder_that_its_own_class_keeps():
    cls = slotted()

    @dataclass
    class Keeper:
        a: int

    Keeper.decoder = json.Decoder(list[Keeper])
    Keeper.encoder = json.Encoder(type=Keeper)
    alive = weakref.ref(Keeper)
    assert Keeper.decoder.decode('[{"a":1}]') == [Keeper(1)]
    del Keeper, cls
    gc.collect()
    assert alive() is None


def test_enums_are_freed():
    color = Enum("Color", {"RED": "red"})
    assert json.decode('"red"', color) is color.RED
    assert json.decode('["red"]', list[color]) == [color.RED]
    assert json.encode([color.RED]) == b'["red"]'
    alive = weakref.ref(color)
    del color
    gc.collect()
    assert alive() is None


def test_generic_classes_are_freed():
    @dataclass
    class Box(Generic[T]):
        item: T

    assert json.decode('{"item":[1]}', Box[list[int]]) == Box([1])
    assert json.encode(Box(1), type=Box[int]) == b'{"item":1}'
    alive = weakref.ref(Box)
    del Box
    # What `typing` itself keeps of what was written.
    for cleanup in typing._cleanups:
        cleanup()
    gc.collect()
    assert alive() is None


def test_instances_are_freed_at_once():
    class Watched:
        pass

    cls = plain()
    row = json.decode('{"a":1}', cls)
    row.watched = Watched()
    alive = weakref.ref(row.watched)
    gc.disable()
    try:
        json.encode(cls(1))
        del row
        assert alive() is None
    finally:
        gc.enable()


def test_a_class_of_the_same_name_is_another():
    for turn in range(50):
        cls = make_dataclass("Row", [("a", int)] if turn % 2 else [("a", str), ("b", int, 5)], slots=turn % 3 == 0)
        text, value = ('{"a":1}', cls(1)) if turn % 2 else ('{"a":"x","b":5}', cls("x"))
        assert json.decode(text, cls) == value
        assert json.encode(value) == text.encode()
        assert json.decode(f"[{text}]", list[cls]) == [value]
        del cls, value
        if turn % 5 == 0:
            gc.collect()


def test_a_class_that_is_changed():
    @dataclass
    class Row:
        a: int
        b: int = 1

    assert json.decode('{"a":1}', Row) == Row(1)
    assert json.encode(Row(1)) == b'{"a":1,"b":1}'
    Row.extra = 5
    Row.method = lambda self: self.a
    assert json.decode('{"a":1}', Row).method() == 1
    demat.configure(Row, rename="upper")
    assert json.decode('{"A":1}', Row) == Row(1)
    assert json.encode(Row(1)) == b'{"A":1,"B":1}'
    demat.hook(Row, wire=int, decode=Row, encode=lambda row: row.a)
    assert json.decode("5", Row) == Row(5)
    assert json.encode([Row(5)]) == b"[5]"


def test_a_subclass_does_not_use_the_plan_of_its_base():
    @dataclass
    class Base:
        a: int

    assert json.decode('{"a":1}', Base) == Base(1)
    assert json.encode(Base(1)) == b'{"a":1}'

    @dataclass
    class Below(Base):
        b: int = 2

    class Same(Base):
        pass

    assert json.decode('{"a":1,"b":3}', Below) == Below(1, 3)
    assert json.encode(Below(1)) == b'{"a":1,"b":2}'
    assert type(json.decode('{"a":1}', Same)) is Same
    assert json.encode([Same(1), Base(1), Below(1)]) == b'[{"a":1},{"a":1},{"a":1,"b":2}]'


def test_many_types_that_are_never_met_again():
    """What is kept of types without a class of their own is bounded."""
    before = None
    for turn in range(3000):
        tp = list[Annotated[int, demat.Field(ge=turn)]]
        assert json.decode(f"[{turn}]", tp) == [turn]
        if turn == 1500:
            gc.collect()
            before = len(gc.get_objects())
    gc.collect()
    assert len(gc.get_objects()) < before + 5000
