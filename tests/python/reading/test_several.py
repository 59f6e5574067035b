"""Records of several paths of one document, each of its own type."""

from __future__ import annotations

import asyncio
import gc
import time
import weakref
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Hook, ValidationError, avro, cbor, csv, json, msgpack, nbt, ndjson, plist, proto, toml, xml, yaml


@dataclass
class User:
    id: int
    name: str = ""


@dataclass
class Order:
    user: int
    total: float = 0.0


DOCUMENT = {
    "n": 3,
    "users": [{"id": 1, "name": "Ada"}, {"id": 2, "name": "Alan"}],
    "skip": {"orders": [{"user": 9, "total": 9.5}]},
    "more": {"orders": [{"user": 2, "total": 1.5}]},
    "end": "x",
}
AT: dict[str, Any] = {"$.users[*]": User, "$.more.orders[*]": Order}
RECORDS = [User(1, "Ada"), User(2, "Alan"), Order(2, 1.5)]


@pytest.mark.parametrize("form", [json, msgpack, cbor, toml, yaml, plist, nbt], ids=lambda form: form.__name__)
def test_records_come_in_the_order_of_the_document(form: Any) -> None:
    data = form.encode(DOCUMENT)
    assert list(form.read(data, at=AT)) == RECORDS
    # The order of the paths does not matter.
    assert list(form.read(data, at=dict(reversed(AT.items())))) == RECORDS
    assert list(form.read((data[i : i + 1] for i in range(len(data))), at=AT)) == RECORDS
    assert [list(batch) for batch in form.read(data, at=AT, batch=2)] == [RECORDS[:2], RECORDS[2:]]


def test_lines_and_elements_have_several_paths_too() -> None:
    line = json.encode({"users": [{"id": 1}], "orders": [{"user": 1}]})
    at: dict[str, Any] = {"$.users[*]": User, "$.orders[*]": Order}
    assert list(ndjson.read(line + b"\n" + line, at=at)) == [User(1), Order(1), User(1), Order(1)]
    text = b"<shop><user><id>1</id></user><x><order/></x><order><user>1</user></order><user><id>2</id></user></shop>"
    assert list(xml.read(text, at={"shop/user": User, "shop/order": Order})) == [User(1), Order(1), User(2)]


def test_values_and_single_ones_and_no_type() -> None:
    data = json.encode({"by": {"a": {"id": 1}, "b": {"id": 2}}, "one": 7, "any": [None, [1]]})
    at: dict[str, Any] = {"$.by.*": User, "$.one": int, "$.any[*]": Any}
    assert list(json.read(data, at=at)) == [User(1), User(2), 7, None, [1]]
    assert list(json.read(b"[null]", at={"$[*]": None})) == [None]
    assert list(json.read(data, at={"$.any[*]": int | None | list[int]})) == [None, [1]]


def test_keys_come_with_the_records_of_paths_that_have_some() -> None:
    data = json.encode({"users": {"ada": {"id": 1}}, "orders": {"first": {"user": 1}}})
    at: dict[str, Any] = {"$.users.*": User, "$.orders.*": Order}
    assert list(json.read(data, at=at, keys=True)) == [("ada", User(1)), ("first", Order(1))]
    with pytest.raises(ValueError, match=r"keys=True is for paths that each end in `\.\*`"):
        json.read(data, at={"$.users.*": User, "$.orders": Order}, keys=True)


@pytest.mark.parametrize(
    ("at", "message"),
    [
        ({"$.a[*]": User, "$.a[*].b": Order}, r"`\$\.a\[\*\]\.b` lies within `\$\.a\[\*\]`, whose values are records"),
        ({"$.a.b": User, "$.a": Order}, r"`\$\.a\.b` lies within `\$\.a`"),
        ({"$": User, "$.a": Order}, r"`\$\.a` lies within `\$`"),
        ({"$.a": User, "$['a']": Order}, r"the path `\$\.a` is given twice"),
        ({"$.*": User, "$.a.b": Order}, "select each value of the dict `\\$` and a certain one"),
        ({"$.a[*]": User, "$.a.b": Order}, r"`\$\.a` can't be both a list and a dict"),
        ({}, "expected a path of records, found none"),
        ({"users": User}, "at must be a path"),
    ],
)
def test_paths_that_exclude_each_other_are_refused(at: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        json.read(b"{}", at=at)


def test_what_is_for_one_type_is_refused() -> None:
    data = json.encode(DOCUMENT)
    with pytest.raises(TypeError, match="a type beside at={…}"):
        json.read(data, User, at=AT)
    for options in ({"recycle": True}, {"fields": ["id"]}, {"lazy": True}):
        with pytest.raises(TypeError):
            json.read(data, at=AT, **options)
    assert list(json.read(data, at=AT, recycle=False, lazy=False, fields=None)) == RECORDS
    for wrong in (1, ["$.users[*]"], {1: User}, b"$", {"$.users[*]": 1}):
        with pytest.raises(TypeError):
            json.read(data, at=wrong)  # type: ignore[call-overload]
    for form in (csv, proto):
        with pytest.raises(TypeError, match='has no option "at"'):
            form.read(b"", at=AT)
    with pytest.raises(TypeError):
        demat.copy(data, "never.json", from_="json", at=AT)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        demat.edit("never.json", User, lambda user: None, at=AT)  # type: ignore[arg-type]
    assert not Path("never.json").exists()


def test_each_path_must_be_there() -> None:
    reader = json.read(b'{"users": [{"id": 1}]}', at={"$.users[*]": User, "$.orders[*]": Order})
    assert next(reader) == User(1)
    with pytest.raises(ValidationError, match="expected field `orders`, found nothing"):
        next(reader)
    with pytest.raises(demat.Error, match="the key `users` stands here again"):
        list(json.read(b'{"users": [], "orders": [], "users": []}', at={"$.users[*]": User, "$.orders[*]": Order}))


def test_refused_records_are_those_of_their_type() -> None:
    data = b'{"users": [{"id": 1}, {"id": "x"}], "orders": [{"user": 1}, {"id": 1}, {"user": 3}]}'
    at: dict[str, Any] = {"$.users[*]": User, "$.orders[*]": Order}
    for options in ({}, {"errors": "all"}, {"batch": 10}):
        rejects: list[Any] = []
        reader = json.read(data, at=at, on_error="collect", rejects=rejects, **options)
        found = [one for record in reader for one in (record if isinstance(record, list) else [record])]
        assert found == [User(1), Order(1), Order(3)]
        assert [(error.path, error.record, data) for error, data in rejects] == [
            ("$.users[1].id", 2, b'{"id": "x"}'),
            ("$.orders[1]", 4, b'{"id": 1}'),
        ]
        assert reader.rejected == 2
    with pytest.raises(ValidationError, match=r"at `\$\.users\[1\]\.id`"):
        list(json.read(data, at=at))


def test_any_place_parsers_and_awaited_bytes(tmp_path: Path) -> None:
    data = json.encode(DOCUMENT)
    path = tmp_path / "shop.json.gz"
    with demat.writer(path, format="json") as whole:
        whole.write(DOCUMENT)
    assert list(demat.read(path, at={path.replace("$", "$[0]"): cls for path, cls in AT.items()})) == RECORDS
    parser = json.parser(at=AT)
    assert [record for i in range(len(data)) for record in parser.feed(data[i : i + 1])] + parser.close() == RECORDS

    async def pieces() -> AsyncIterator[bytes]:
        for i in range(0, len(data), 3):
            yield data[i : i + 3]

    async def awaited() -> list[Any]:
        return [record async for record in json.read(pieces(), at=AT)]

    assert asyncio.run(awaited()) == RECORDS


def test_hooks_of_each_type_run_once_for_each_record() -> None:
    calls: list[Any] = []

    def made(text: str) -> str:
        calls.append(text)
        return text.upper()

    @dataclass
    class Named:
        name: Annotated[str, Hook(wire=str, decode=made)]

    data = json.encode({"a": [{"name": "x"}] * 3, "b": [{"id": 1}] * 3, "c": [{"name": "y"}]})
    at: dict[str, Any] = {"$.a[*]": Named, "$.b[*]": User, "$.c[*]": Named}
    pieces = (data[i : i + 1] for i in range(len(data)))
    assert list(json.read(pieces, at=at)) == [Named("X")] * 3 + [User(1)] * 3 + [Named("Y")]
    assert calls == ["x", "x", "x", "y"]


def test_a_hook_that_raises_or_asks_the_reader_ends_it() -> None:
    def bad(_: Any) -> Any:
        raise KeyError("mine")

    @dataclass
    class Bad:
        x: Annotated[int, Hook(wire=int, decode=bad)]

    data = json.encode({"a": [{"id": 1}], "b": [{"x": 1}]})
    reader: Iterator[Any] = json.read(data, at={"$.a[*]": User, "$.b[*]": Bad}, on_error="skip")
    assert next(reader) == User(1)
    with pytest.raises(KeyError, match="mine"):
        next(reader)

    def greedy(_: Any) -> Any:
        return next(reader)

    @dataclass
    class Greedy:
        x: Annotated[int, Hook(wire=int, decode=greedy)]

    reader = json.read(data, at={"$.a[*]": User, "$.b[*]": Greedy})
    with pytest.raises(RuntimeError, match="this reader is at work"):
        list(reader)


class Many(dict[str, Any]):
    """A mapping whose items are not those of its entries."""

    def items(self) -> Any:
        raise LookupError("mine")


def test_a_mapping_that_raises_is_not_read() -> None:
    with pytest.raises(LookupError, match="mine"):
        json.read(b"{}", at=Many())


def test_nothing_of_a_reader_stays() -> None:
    def read() -> weakref.ref[type]:
        @dataclass
        class Own:
            id: int

        # Not read to its end.
        next(json.read(b'{"a": [{"id": 1}], "b": 2}', at={"$.a[*]": Own, "$.b": int}, header=True))
        return weakref.ref(Own)

    gone = read()
    gc.collect()
    assert gone() is None


def test_time_is_linear_in_records_and_in_paths() -> None:
    def seconds(paths: int, records: int) -> float:
        document = json.encode({f"k{i}": [{"id": i}] * records for i in range(paths)})
        at: dict[str, Any] = {f"$.k{i}[*]": User for i in range(paths)}
        start = time.process_time()
        assert sum(1 for _ in json.read(document, at=at)) == paths * records
        return time.process_time() - start

    for few, many in (((500, 10), (5000, 10)), ((2, 5000), (2, 50_000))):
        once, often = min(seconds(*few) for _ in range(3)), seconds(*many)
        assert often < 40 * max(once, 0.002), (few, once, often)


def test_unknown_avro_too() -> None:
    @dataclass
    class Page:
        ids: list[int]
        names: list[str]

    data = avro.encode([Page([1, 2], ["a"])])
    assert list(avro.read(data, at={"$[*].ids[*]": int, "$[*].names[*]": str})) == [1, 2, "a"]
