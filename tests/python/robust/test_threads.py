"""Many threads: one Decoder and one Encoder for all, hooks that let others run, classes that are new to everybody."""

import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, make_dataclass
from typing import Annotated, Any

import demat
import pytest
from demat import Hook, csv, json, ndjson

THREADS = 8


@pytest.fixture(autouse=True)
def _often() -> Iterator[None]:
    """Threads take turns as often as they can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(work: Callable[[int], Any]) -> list[Any]:
    """What the work gives in each of the threads, which all begin together."""
    start = threading.Barrier(THREADS)

    def begin(number: int) -> Any:
        start.wait()
        return work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(begin, range(THREADS)))


def pause(value: Any) -> Any:
    time.sleep(0)
    return value


Slow = Annotated[int, Hook(wire=int, decode=pause, encode=pause)]


@dataclass(slots=True)
class Item:
    id: Slow
    name: str
    tags: list[str] = field(default_factory=list)
    more: dict[str, Any] = field(default_factory=dict)


@dataclass
class Other:
    id: Slow
    parts: tuple[Item, ...] = ()


@pytest.mark.parametrize("errors", ["first", "all"])
def test_one_decoder_and_one_encoder(errors):
    decoder, encoder = json.Decoder(list[Item | Other], errors=errors), json.Encoder(type=list[Item | Other])

    def work(number: int) -> int:
        for turn in range(20):
            values = [
                Item(number, f"n{number}", [f"t{turn}"] * 5, {f"key{number}{n}": [number] for n in range(8)}),
                Other(turn, (Item(number, "x"), Item(turn, "y"))),
            ] * 10
            data = encoder.encode(values)
            assert decoder.decode(data) == values
            with pytest.raises(demat.ValidationError) as raised:
                decoder.decode(data[:-1] + b',{"id":"%d"}]' % number)
            assert raised.value.path == "$[20]" or raised.value.path.startswith("$[20].")
            with pytest.raises(demat.DecodeError):
                decoder.decode(data[:-1])
        return number

    assert at_once(work) == list(range(THREADS))


def test_every_format_at_once():
    def work(number: int) -> None:
        for turn in range(20):
            rows = [Item(number * 100 + turn, f"r{row}", [], {}) for row in range(10)]
            assert ndjson.decode(ndjson.encode(rows), list[Item]) == rows
            flat = [{"a": f"{number}", "b": f"{turn}"}] * 10
            assert csv.decode(csv.encode(flat)) == flat
            assert json.decode(json.encode({"rows": rows}), dict[str, list[Item]]) == {"rows": rows}

    at_once(work)


def test_classes_that_are_new_to_everybody():
    for turn in range(20):
        cls = make_dataclass(f"New{turn}", [("a", int), ("b", list[Item])])

        def work(number: int) -> Any:
            value = json.decode('{"a":1,"b":[{"id":2,"name":"x"}]}', cls)  # noqa: B023
            values = json.decode('[{"a":1,"b":[]}]', list[cls])  # noqa: B023
            return json.encode([value, values])

        assert len(set(at_once(work))) == 1


def test_declarations_while_others_decode():
    class Own:
        def __init__(self, value: int) -> None:
            self.value = value

    demat.hook(Own, wire=int, decode=Own, encode=lambda own: own.value)

    def work(number: int) -> None:
        for _ in range(50):
            if number == 0:
                demat.hook(Own, wire=int, decode=Own, encode=lambda own: own.value)
            assert [own.value for own in json.decode("[1,2]", list[Own])] == [1, 2]
            assert json.encode([Own(5)]) == b"[5]"

    at_once(work)


def test_a_buffer_of_each_and_one_of_all():
    shared = bytearray()
    lock = threading.Lock()

    def work(number: int) -> None:
        own = bytearray()
        for _ in range(50):
            json.encode_into([Item(number, "x")], own)
            assert json.decode(own, list[Item]) == [Item(number, "x")]
            with lock:
                json.encode_into([number], shared)
                assert shared == b"[%d]" % number

    at_once(work)


def test_one_bytearray_that_all_write_to_at_once_is_no_crash():
    shared = bytearray()

    def work(number: int) -> None:
        for _ in range(200):
            try:
                json.encode_into([Item(number, "x" * number * 100)] * 3, shared)
            except (demat.Error, BufferError, ValueError):
                continue

    at_once(work)
    json.encode_into([1], shared)
    assert shared == b"[1]"


def test_a_list_that_others_change():
    values: list[Any] = [Item(1, "x")] * 50

    def work(number: int) -> None:
        for turn in range(100):
            if number == 0:
                values[turn % 50 :] = [Item(turn, "y")] * (turn % 70)
            else:
                try:
                    json.decode(json.encode(values), list[Item])
                except demat.EncodeError as error:
                    assert "changed while it was encoded" in str(error)

    at_once(work)


def test_large_untyped_documents():
    documents = [
        json.encode([{"k": [number, "x" * number], f"own{number}": {"a": None}}] * 500) for number in range(THREADS)
    ]
    expected = [json.decode(document) for document in documents]

    def work(number: int) -> bool:
        return all(json.decode(documents[number]) == expected[number] for _ in range(10))

    assert all(at_once(work))


def test_the_shared_untyped_decoder():
    decoder = json.Decoder()

    def work(number: int) -> bool:
        return all(decoder.decode(f'{{"k{number}":[{turn}]}}') == {f"k{number}": [turn]} for turn in range(500))

    assert all(at_once(work))
