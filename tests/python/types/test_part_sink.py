"""Classes that write their parts themselves: `__demat_encode__(self, sink)`."""

from __future__ import annotations

import contextlib
import gc
import io
import threading
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

import demat
import pytest
from demat import EncodeError, LimitError, PartSink, cbor, csv, json, msgpack, ndjson, plist, proto, toml, xml, yaml

Write = Callable[[PartSink], object]


class Own:
    """Writes what a function writes."""

    def __init__(self, write: Write) -> None:
        self.write = write

    def __demat_encode__(self, sink: PartSink) -> None:
        return self.write(sink)  # type: ignore[return-value]


@dataclass
class Holder:
    own: Own
    n: int = 1


@dataclass
class Task:
    id: int
    day: date | None = None


def everything(sink: PartSink) -> None:
    sink.map()
    sink.key("null")
    sink.null()
    sink.key("list")
    sink.list()
    sink.bool(True)
    sink.int(-3)
    sink.int(2**70)
    sink.float(1.5)
    sink.float(2)
    sink.text("ä")
    sink.value(Task(1, date(2026, 1, 2)))
    sink.list()
    sink.end()
    sink.end()
    sink.key("map")
    sink.map()
    sink.end()
    sink.key("objects")
    sink.value([Task(2), {"a": (1, None)}])
    sink.end()


SAME: dict[str, Any] = {
    "null": None,
    "list": [True, -3, 2**70, 1.5, 2.0, "ä", Task(1, date(2026, 1, 2)), []],
    "map": {},
    "objects": [Task(2), {"a": (1, None)}],
}


def test_parts_are_written_as_a_value_is() -> None:
    for options in ({}, {"indent": 2}, {"sort_keys": True}):
        assert json.encode(Own(everything), **options) == json.encode(SAME, **options)
    small = {**SAME, "list": [item for item in SAME["list"] if item != 2**70]}

    def without(sink: PartSink) -> None:
        sink.map()
        for key, value in small.items():
            sink.key(key)
            if isinstance(value, list):
                sink.list()
                for item in value:
                    sink.value(item)
                sink.end()
            else:
                sink.value(value)
        sink.end()

    for form in (cbor, msgpack, yaml):
        assert form.decode(form.encode(Own(without))) == form.decode(form.encode(small))
    assert json.encode([Own(everything)] * 2) == json.encode([SAME] * 2)
    assert json.encode(Holder(Own(lambda sink: sink.int(7)))) == b'{"own":7,"n":1}'
    assert json.encode({"a": Own(lambda sink: sink.text("x"))}) == b'{"a":"x"}'
    assert json.encode(Own(lambda sink: sink.value(Own(lambda inner: inner.null())))) == b"null"


def test_in_all_formats_that_hold_such_values() -> None:
    def write(sink: PartSink) -> None:
        sink.map()
        sink.key("id")
        sink.int(1)
        sink.key("tags")
        sink.list()
        sink.text("a")
        sink.text("b")
        sink.end()
        sink.end()

    same = {"id": 1, "tags": ["a", "b"]}
    for form in (json, msgpack, cbor, toml, yaml, plist, xml):
        assert form.encode(Own(write)) == form.encode(same)
    assert ndjson.encode([Own(write), Own(write)]) == ndjson.encode([same, same])
    assert demat.to_builtins(Own(write)) == same
    assert demat.convert(Own(write), dict[str, Any]) == same


def test_bytes_are_those_of_the_format() -> None:
    for form in (json, msgpack, cbor):
        assert form.encode(Own(lambda sink: sink.bytes(b"\x00\xff"))) == form.encode(b"\x00\xff")


def test_formats_with_fixed_fields_refuse_or_hold_it() -> None:
    with pytest.raises((demat.Error, TypeError)):
        proto.encode(Holder(Own(everything)))
    with pytest.raises(demat.Error):
        csv.encode([Holder(Own(everything))])
    assert csv.encode([Holder(Own(lambda sink: sink.int(3)))]) == b"own,n\n3,1\n"


def keys_twice(sink: PartSink) -> None:
    sink.map()
    sink.key("a")
    sink.key("b")


def key_in_list(sink: PartSink) -> None:
    sink.list()
    sink.key("a")


def value_without_key(sink: PartSink) -> None:
    sink.map()
    sink.int(1)


def key_without_value(sink: PartSink) -> None:
    sink.map()
    sink.key("a")
    sink.end()


def unclosed(sink: PartSink) -> None:
    sink.map()
    sink.key("a")
    sink.list()
    sink.int(1)


def no_value_at_the_end(sink: PartSink) -> None:
    sink.map()
    sink.key("a")


def two_roots(sink: PartSink) -> None:
    sink.int(1)
    sink.int(2)


def two_ends(sink: PartSink) -> None:
    sink.list()
    sink.end()
    sink.end()


@pytest.mark.parametrize(
    ("write", "message"),
    [
        (keys_twice, "wrote the key `b`, and the key `a` before it has no value"),
        (key_in_list, "wrote the key `a` outside of a map"),
        (lambda sink: sink.key("a"), "wrote the key `a` outside of a map"),
        (value_without_key, "wrote a value without a key into a map"),
        (key_without_value, "wrote the end of a map whose key `a` has no value"),
        (unclosed, "left 2 of its lists and maps open"),
        (no_value_at_the_end, "wrote the key `a` without a value"),
        (two_roots, "wrote to its sink after the value was complete"),
        (two_ends, "wrote to its sink after the value was complete"),
        (lambda sink: sink.end(), "wrote an end, and no list or map is open"),
        (lambda sink: None, "wrote no value to its sink"),
        (lambda sink: sink.int(1) or 5, "has to return None, not `int`"),
    ],
)
@pytest.mark.parametrize("form", [json, msgpack, yaml], ids=lambda form: form.__name__)
def test_a_wrong_sequence_is_one_error(form: Any, write: Write, message: str, tmp_path: Path) -> None:
    with pytest.raises(EncodeError, match=message) as raised:
        form.encode(Own(write))
    with pytest.raises(EncodeError, match=message) as raised:
        form.encode([1, Holder(Own(write))])
    assert raised.value.path.startswith("$[1].own")
    buffer = bytearray(b"before")
    with pytest.raises(EncodeError, match=message):
        form.encode_into([1, Own(write)], buffer, 6)
    assert buffer == b"before"
    # An error that the function swallows is an error all the same.

    def swallows(sink: PartSink) -> object:
        try:
            return write(sink)
        except EncodeError:
            return None

    with pytest.raises(EncodeError, match=message):
        form.encode([Own(swallows)])
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(EncodeError, match=message):
        form.write(path, [1, Own(write)])
    assert path.read_bytes() == b"old"


def test_errors_have_the_path_within_what_was_written() -> None:
    def write(sink: PartSink) -> None:
        sink.map()
        sink.key("a")
        sink.list()
        sink.int(1)
        sink.value([0, object()])

    with pytest.raises(EncodeError, match="can't encode an object of the class `object`") as raised:
        json.encode({"x": Own(write)})
    assert raised.value.path == "$.x.a[1][1]"
    with pytest.raises(EncodeError, match="lone surrogate"):
        json.encode(Own(lambda sink: sink.text("\ud800")))
    with pytest.raises(EncodeError):
        json.encode(Own(lambda sink: sink.float(float("nan"))))


def test_values_of_wrong_classes_are_refused() -> None:
    for write, message in (
        (lambda sink: sink.int("1"), "int takes an int, not str"),
        (lambda sink: sink.int(True), "int takes an int, not bool"),
        (lambda sink: sink.bool(1), "bool takes a bool, not int"),
        (lambda sink: sink.text(b"a"), "text takes a str, not bytes"),
        (lambda sink: sink.float("1"), "float takes a float, not str"),
        (lambda sink: sink.bytes("a"), "bytes takes bytes, not str"),
        (lambda sink: (sink.map(), sink.key(1)), "key takes a str, not int"),
    ):
        with pytest.raises(EncodeError, match=message):
            json.encode(Own(write))  # type: ignore[arg-type]


class Mine(Exception):
    pass


def test_a_function_that_raises_passes_its_exception() -> None:
    def raises(sink: PartSink) -> None:
        sink.map()
        sink.key("a")
        raise Mine("mine")

    def answers(sink: PartSink) -> None:
        try:
            sink.end()
        except EncodeError:
            raise Mine("mine") from None

    for write in (raises, answers, lambda sink: sink.value(Own(raises))):
        with pytest.raises(Mine, match="mine"):
            json.encode([Own(write)])

    def catches(sink: PartSink) -> None:
        with contextlib.suppress(Mine):
            sink.value(Own(raises))
        with pytest.raises(Mine):
            sink.int(1)

    with pytest.raises(Mine, match="mine"):
        json.encode(Own(catches))
    with pytest.raises(EncodeError, match="mine"):
        json.encode(Own(lambda sink: (_ for _ in ()).throw(ValueError("mine"))))
    # The encoder is as good as new.
    encoder = json.Encoder()
    for _ in range(3):
        with pytest.raises(Mine):
            encoder.encode(Own(raises))
        assert encoder.encode(Own(everything)) == json.encode(SAME)


def test_a_sink_is_for_its_call() -> None:
    kept: list[PartSink] = []

    def keeps(sink: PartSink) -> None:
        kept.append(sink)
        sink.int(1)

    assert json.encode([Own(keeps)]) == b"[1]"
    with pytest.raises(RuntimeError, match="this sink is no longer of use"):
        kept[0].int(2)
    with pytest.raises(RuntimeError, match="this sink is no longer of use"):
        kept[0].end()
    with pytest.raises(EncodeError):
        json.encode([Own(lambda sink: kept.append(sink))])
    with pytest.raises(RuntimeError, match="this sink is no longer of use"):
        kept[1].value([])
    with pytest.raises(TypeError):
        PartSink()  # type: ignore[call-arg]


def test_an_inner_function_can_not_use_the_outer_sink() -> None:
    def outer(sink: PartSink) -> None:
        def inner(own: PartSink) -> None:
            with pytest.raises(RuntimeError, match="this sink is at work"):
                sink.int(1)
            own.int(2)

        sink.list()
        sink.value(Own(inner))
        sink.end()

    assert json.encode(Own(outer)) == b"[2]"


def test_another_thread_can_not_use_it() -> None:
    def write(sink: PartSink) -> None:
        found: list[BaseException] = []

        def use() -> None:
            try:
                sink.int(1)
            except RuntimeError as error:
                found.append(error)

        thread = threading.Thread(target=use)
        thread.start()
        thread.join()
        assert "this sink is for the thread" in str(found[0])
        sink.int(2)

    assert json.encode(Own(write)) == b"2"


def test_functions_may_encode_in_between() -> None:
    def write(sink: PartSink) -> None:
        sink.list()
        for form in (json, msgpack):
            sink.value(form.decode(form.encode([Own(lambda inner: inner.int(5))])))
        sink.text(json.encode(Own(everything)).decode())
        sink.end()

    assert json.decode(json.encode(Own(write)))[:2] == [[5], [5]]


def test_infinite_recursion_ends() -> None:
    class Endless:
        def __demat_encode__(self, sink: PartSink) -> None:
            sink.list()
            sink.value(self)
            sink.end()

    class Bare:
        def __demat_encode__(self, sink: PartSink) -> None:
            sink.value(self)

    def deep(sink: PartSink) -> None:
        for _ in range(100_000):
            sink.list()

    for value in (Endless(), Bare(), Own(deep)):
        for form in (json, msgpack, cbor):
            with pytest.raises((LimitError, RecursionError)):
                form.encode(value)
        with pytest.raises((LimitError, RecursionError)):
            json.encode(value, depth=100)


def test_many_parts_in_linear_memory_and_streams() -> None:
    def write(sink: PartSink) -> None:
        sink.list()
        for index in range(100_000):
            sink.int(index)
        sink.end()

    assert json.encode(Own(write)) == json.encode(list(range(100_000)))
    file = io.BytesIO()
    assert ndjson.write(file, (Own(write) for _ in range(3))) == 3
    assert file.getvalue() == ndjson.encode([list(range(100_000))] * 3)


def test_nothing_stays_of_what_was_written() -> None:
    own = Own(everything)
    gone = weakref.ref(own)
    json.encode([own])
    del own
    gc.collect()
    assert gone() is None


def test_the_other_form_stays() -> None:
    class Old:
        def __demat_encode__(self, indent: int = 2) -> str:
            return "x" * indent

    class Static:
        @staticmethod
        def __demat_encode__(value: Any, sink: PartSink) -> None:
            sink.text(type(value).__name__)

    class Inherits(Own):
        pass

    assert json.encode([Old(), Static(), Inherits(lambda sink: sink.int(1))]) == b'["xx","Static",1]'


def test_reading_has_its_own_method() -> None:
    class Point:
        def __init__(self, x: int, y: int) -> None:
            self.x, self.y = x, y

        @classmethod
        def __demat_decode__(cls, wire: list[int]) -> Point:
            return cls(*wire)

        def __demat_encode__(self, sink: PartSink) -> None:
            sink.list()
            sink.int(self.x)
            sink.int(self.y)
            sink.end()

    @dataclass
    class Line:
        points: list[Point]

    data = json.encode(Line([Point(1, 2), Point(3, 4)]))
    assert data == b'{"points":[[1,2],[3,4]]}'
    assert json.encode(json.decode(data, Line)) == data
    assert json.encode([Point(1, 2)], type=list[Point]) == b"[[1,2]]"


@pytest.mark.parametrize("format", [json, ndjson, cbor, msgpack, yaml, toml, xml, plist, csv])
def test_a_map_has_a_key_once(format: Any) -> None:
    def twice(sink: PartSink) -> None:
        sink.map()
        for key in ("a", "b", "a"):
            sink.key(key)
            sink.int(1)
        sink.end()

    with pytest.raises(EncodeError, match="wrote the key `a` into a map that has it already"):
        format.encode(Own(twice))

    def apart(sink: PartSink) -> None:
        sink.map()
        sink.key("a")
        sink.map()
        sink.key("a")
        sink.int(1)
        sink.end()
        sink.key("b")
        sink.int(2)
        sink.end()

    assert json.decode(json.encode(Own(apart))) == {"a": {"a": 1}, "b": 2}
