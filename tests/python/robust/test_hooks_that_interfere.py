"""Hooks that do what they should not: change what is read or written, keep it, drop it, look at it half made."""

import contextlib
import gc
from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import pytest
from demat import Hook, csv, json, ndjson


def calling(function: Any, wire: Any = Any) -> Any:
    """A type whose values are passed to a function, and made by it."""
    return Annotated[Any, Hook(wire=wire, decode=function, encode=function)]


def test_a_bytearray_that_is_changed_while_it_is_decoded():
    data = bytearray(b'[1, "abc", {"k": [2, 3]}, "tail", 5.5]')
    copy = bytes(data)

    def spoil(value: Any) -> Any:
        for index in range(len(data)):
            data[index] = 0xFF
        return value

    assert json.decode(data, list[calling(spoil)]) == json.decode(copy)
    assert set(data) == {0xFF}


def test_a_bytearray_that_is_resized_while_it_is_decoded():
    def grow(value: Any) -> Any:
        data.extend(b"x" * 100_000)
        return value

    for wire in (Any, int, str | int):
        data = bytearray(b"[1, 2, 3]")
        assert json.decode(data, list[calling(grow, wire)]) == [1, 2, 3]
        assert len(data) == 9 + 300_000


def test_a_bytearray_can_be_resized_after_decoding():
    for text, tp in ((b"[1]", Any), (b"[1", Any), (b'["x"]', list[int]), (b"[1]", list[calling(raising)])):
        data = bytearray(text)
        for lend in (lambda data: data, memoryview):
            lent = lend(data)
            with contextlib.suppress(demat.Error, LookupError):
                json.decode(lent, tp)
            if lent is not data:
                lent.release()
            data.append(32)


def raising(_: Any) -> Any:
    raise LookupError


def test_writable_memory_elsewhere():
    import numpy

    array = numpy.frombuffer(bytearray(b"[1,2,3]"), numpy.uint8)

    def spoil(value: Any) -> Any:
        array[:] = 0
        return value

    assert json.decode(array, list[calling(spoil)]) == [1, 2, 3]


def test_the_last_reference_to_the_input_is_dropped():
    holder = [bytes(b'["' + b"x" * 50 + b'", "' + b"y" * 50 + b'"]')]

    def drop(value: Any) -> Any:
        holder.clear()
        gc.collect()
        return value

    assert json.decode(holder[0], list[calling(drop)]) == ["x" * 50, "y" * 50]


def test_lists_and_dicts_that_are_half_made_can_be_looked_at():
    seen = []

    def look(value: Any) -> Any:
        for one in gc.get_objects():
            if type(one) is list and one[:1] == ["first of the half made"]:
                seen.append(len(one))
                repr(one)
            if type(one) in (Half, HalfSlotted):
                seen.append(sorted(name for name in ("a", "b") if hasattr(one, name)))
                repr([getattr(one, name, None) for name in ("a", "b")])
        return value

    @dataclass
    class Half:
        a: int
        b: calling(look)

    @dataclass(slots=True)
    class HalfSlotted:
        a: int
        b: calling(look)

    assert json.decode('["first of the half made", 2]', tuple[str, calling(look)]) == ("first of the half made", 2)
    assert json.decode('["first of the half made", 2]', list[calling(look)]) == ["first of the half made", 2]
    for cls in (Half, HalfSlotted):
        assert json.decode('{"a":1,"b":2}', cls) == cls(1, 2)
        assert json.decode('{"b":2,"a":1}', cls) == cls(1, 2)
    assert seen


def test_a_half_made_list_that_is_changed():
    def steal(value: Any) -> Any:
        for one in gc.get_objects():
            if type(one) is list and one[:1] == ["half made and changed"]:
                one.clear()
                one.extend(["other"] * 1000)
        return value

    for tp in (list[calling(steal)], tuple[calling(steal), ...], tuple[str, calling(steal), calling(steal)]):
        json.decode('["half made and changed", 2, 3]', tp)
    gc.collect()


class Spiteful:
    """Equal to everything, hashed at random, and it changes what it is compared in."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __hash__(self) -> int:
        return 1

    def __eq__(self, other: object) -> bool:
        for one in gc.get_objects():
            if type(one) in (set, dict) and any(type(item) is Spiteful for item in list(one)[:3]):
                one.clear()
        return False


def test_hashes_and_comparisons_that_change_what_is_made():
    hook = {Spiteful: Hook(wire=str, decode=Spiteful)}
    for tp in (set[Spiteful], dict[Spiteful, int]):
        for text in ('["a","b","c","d"]', '{"a":1,"b":2,"c":3,"d":4}'):
            with contextlib.suppress(demat.ValidationError, RuntimeError):
                json.decode(text, tp, hooks=hook)
    gc.collect()


def test_a_frozenset_that_is_seen_before_it_is_done():
    class Peeking:
        def __init__(self, value: str) -> None:
            self.value = value

        def __hash__(self) -> int:
            kept.extend(
                one for one in gc.get_objects() if type(one) is frozenset and any(type(i) is Peeking for i in one)
            )
            return hash(self.value)

        def __eq__(self, other: object) -> bool:
            return isinstance(other, Peeking) and self.value == other.value

    kept: list[Any] = []
    try:
        found = json.decode('["a","b","c"]', frozenset[Peeking], hooks={Peeking: Hook(wire=str, decode=Peeking)})
        assert {one.value for one in found} == {"a", "b", "c"}
    except demat.Error:
        pass


class Changing:
    """Encoded by a function that changes where it stands."""

    def __init__(self, change: Any) -> None:
        self.change = change

    def __demat_encode__(self) -> int:
        self.change()
        return 1


@pytest.mark.parametrize(
    "change",
    [
        lambda values: values.clear(),
        lambda values: values.pop(),
        lambda values: values.append(1),
        lambda values: values.extend([2] * 1000),
        lambda values: values.__delitem__(slice(1, None)),
    ],
    ids=["clear", "pop", "append", "extend", "cut"],
)
def test_a_list_that_changes_its_length_while_it_is_written(change):
    values: list[Any] = []
    for before, after in ((0, 2), (1, 1), (5, 5)):
        for write in (json.encode, ndjson.encode, lambda values: json.encode(values, type=list[int | Changing])):
            values[:] = [0] * before + [Changing(lambda: change(values))] + [3] * after
            with pytest.raises(demat.EncodeError, match="the list changed while it was encoded"):
                write(values)


def test_a_list_whose_items_are_exchanged_is_written_as_it_then_is():
    values: list[Any] = [Changing(lambda: values.__setitem__(slice(0, 3), ["x", "y", "z"])), [1], {"a": [2]}]
    assert json.encode(values) == b'[1,"y","z"]'


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.clear(),
        lambda table: table.update(more=1),
        lambda table: table.pop("z"),
        lambda table: table.update({str(n): n for n in range(1000)}),
    ],
    ids=["clear", "add", "remove", "grow"],
)
def test_a_dict_that_changes_its_size_while_it_is_written(change):
    table: dict[str, Any] = {}
    for sort_keys in (False, True):
        table.clear()
        table.update({"a": 1, "b": Changing(lambda: change(table)), "c": [3], "z": 4})
        with pytest.raises(demat.EncodeError, match="the dict changed while it was encoded"):
            json.encode(table, sort_keys=sort_keys)


def test_other_containers_that_change():
    from collections import OrderedDict, UserDict, deque

    for values, add in ((many := set(), many.add), (queue := deque(), queue.append)):
        for item in [1, 2, Changing(values.clear), 3]:
            add(item)
        with pytest.raises((demat.EncodeError, RuntimeError)):
            json.encode(values)
    for kind in (OrderedDict, UserDict):
        table: Any = kind()
        table.update(a=1, b=Changing(table.clear), c=2)
        with pytest.raises((demat.EncodeError, RuntimeError)):
            json.encode(table)


def test_slots_and_attributes_that_change_while_they_are_written():
    @dataclass(slots=True)
    class Slotted:
        a: Any
        b: Any
        c: Any

    @dataclass
    class Open:
        a: Any
        b: Any
        c: Any

    for cls in (Slotted, Open):

        def change(value: Any) -> None:
            value.b = ["other"]
            value.a = None
            gc.collect()

        value = cls(None, [1, 2], [3])
        value.a = [Changing(lambda: change(value)), "x" * 100]  # noqa: B023
        assert json.encode(value) == b'{"a":[1,"' + b"x" * 100 + b'"],"b":["other"],"c":[3]}'
        value = cls(1, None, [3])
        value.b = Changing(lambda: delattr(value, "c"))  # noqa: B023
        with pytest.raises(demat.EncodeError, match="the attribute `c` of a"):
            json.encode(value)


def test_what_is_written_to_is_changed_on_the_way():
    buffer = bytearray(b"x" * 10)
    for change in (
        lambda: buffer.clear(),
        lambda: buffer.extend(b"y" * 100_000),
        lambda: buffer.__setitem__(slice(None), b"z"),
    ):
        for size in (1, 300_000):
            try:
                json.encode_into(["a" * size, Changing(change), "b" * size], buffer)
            except (demat.Error, ValueError, BufferError):
                continue
            assert json.decode(buffer)[0] == "a" * size or True
    view = memoryview(buffer)
    with pytest.raises(BufferError):
        json.encode_into(["x" * 100_000], buffer)
    view.release()
    json.encode_into([1], buffer)
    assert buffer == b"[1]"


def test_encoders_that_are_used_by_their_own_hooks():
    class Own:
        def __init__(self, depth: int) -> None:
            self.depth = depth

    def write(own: Own) -> Any:
        json.encode_into([own.depth], buffer)
        return [own.depth, Own(own.depth - 1)] if own.depth else encoder.encode([1, 2]).decode()

    buffer = bytearray()
    encoder = json.Encoder(hooks={Own: Hook(encode=write)})
    assert encoder.encode(Own(3)) == b'[3,[2,[1,"[1,2]"]]]'
    assert encoder.encode([Own(0)] * 3) == b'["[1,2]","[1,2]","[1,2]"]'


def test_classes_that_are_declared_anew_by_their_own_hooks():
    class Own:
        pass

    def write(own: Own) -> int:
        demat.hook(Own, wire=int, decode=lambda _: Own(), encode=write)
        return 5

    demat.hook(Own, wire=int, decode=lambda _: Own(), encode=write)
    assert json.encode([Own(), Own(), {"a": Own()}]) == b'[5,5,{"a":5}]'
    assert csv.encode([{"a": Own()}]) == b"a\n5\n"


def test_a_decoder_that_is_dropped_by_its_own_hook():
    def drop(value: int) -> int:
        holder.clear()
        gc.collect()
        return value

    holder = [json.Decoder(list[Annotated[int, Hook(decode=drop)]])]
    assert holder[0].decode("[1,2,3]") == [1, 2, 3]
    holder = [json.Encoder(type=list[Annotated[int, Hook(encode=drop)]])]
    assert holder[0].encode([1, 2, 3]) == b"[1,2,3]"


def test_a_class_that_loses_its_plan_by_its_own_hook():
    @dataclass
    class Row:
        a: Any
        b: list[int] = field(default_factory=list)

        def __post_init__(self) -> None:
            demat.configure(Row, rename="upper")
            if "__demat_plans__" in vars(Row):
                del Row.__demat_plans__
            gc.collect()

    assert [row.b for row in json.decode('[{"a":1,"b":[1]},{"a":2,"b":[2]}]', list[Row])] == [[1], [2]]
    assert json.decode('{"A":1,"B":[3]}', Row).b == [3]
