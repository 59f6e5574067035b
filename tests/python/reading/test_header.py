"""The fields around the records of a document."""

from __future__ import annotations

import asyncio
import datetime
import gc
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Any, TypedDict

import pytest
from demat import (
    Field,
    Hook,
    LimitError,
    ValidationError,
    cbor,
    csv,
    json,
    msgpack,
    nbt,
    ndjson,
    plist,
    toml,
    xml,
    yaml,
)

PAGE = {"total": 2, "next": "…", "users": [{"id": 1}, {"id": 2}], "took": 3}


@dataclass
class User:
    id: int


@pytest.mark.parametrize("form", [json, msgpack, cbor, toml, yaml, plist, nbt], ids=lambda form: form.__name__)
def test_it_has_what_was_passed(form: Any) -> None:
    # Some formats have their tables behind all else.
    page = {"total": 2, "next": "…", "took": 3, "users": [{"id": 1}, {"id": 2}]} if form is toml else PAGE
    data = form.encode(page)
    before = {"total": 2, "next": "…", "took": 3} if form is toml else {"total": 2, "next": "…"}
    for place in (data, (data[i : i + 1] for i in range(len(data)))):
        reader = form.read(place, User, at="$.users[*]", header=True)
        assert reader.header == {}
        seen = [(user.id, reader.header) for user in reader]
        assert seen == [(1, before), (2, before)]
        assert reader.header == {"total": 2, "next": "…", "took": 3}


def test_the_same_dict_until_there_is_more() -> None:
    reader = json.read(json.encode(PAGE), at="$.users[*]", header=True)
    next(reader)
    first = reader.header
    next(reader)
    assert reader.header is first
    assert list(reader) == []
    assert (first, reader.header["took"]) == ({"total": 2, "next": "…"}, 3)


def test_maps_around_are_dicts_and_items_stand_for_their_lists() -> None:
    data = json.encode({"meta": {"count": 2}, "data": {"page": 1, "items": [7], "x": [[0]]}, "z": None})
    reader = json.read(data, at="$.data.items[*]", header=True)
    assert (next(reader), reader.header) == (7, {"meta": {"count": 2}, "data": {"page": 1}})
    assert (list(reader), reader.header) == ([], {"meta": {"count": 2}, "data": {"page": 1, "x": [[0]]}, "z": None})
    users = json.encode({"n": 2, "users": [{"id": i, "tasks": ["a"] * i, "name": str(i)} for i in range(200)]})
    reader = json.read(users, at="$.users[*].tasks[*]", header=True)
    of = [reader.header["users"]["id"] for _ in reader]
    assert of == [i for i in range(200) for _ in range(i)]
    assert reader.header == {"n": 2, "users": {"id": 199, "name": "199"}}
    by = json.encode({"users": {"ada": {"id": 1, "tasks": [1]}, "alan": {"id": 2, "tasks": [2]}}})
    reader = json.read(by, at="$.users.*.tasks[*]", header=True)
    assert [reader.header for _ in reader] == [{"users": {"ada": {"id": 1}}}, {"users": {"alan": {"id": 2}}}]


def test_without_fields_around_it_is_empty() -> None:
    for data, at in ((b"[1]", None), (b"7", "$"), (b'{"a": 1}', "$.*"), (b"[[1]]", "$[*][*]")):
        reader = json.read(data, at=at, header=True)
        assert (len(list(reader)), reader.header) == (1, {})


def test_with_several_paths_it_has_none_of_their_records() -> None:
    data = json.encode({"a": 1, "users": [{"id": 1}], "b": 2, "ids": [7], "c": 3})
    reader = json.read(data, at={"$.users[*]": User, "$.ids[*]": int}, header=True)
    assert [(record, reader.header) for record in reader] == [(User(1), {"a": 1}), (7, {"a": 1, "b": 2})]
    assert reader.header == {"a": 1, "b": 2, "c": 3}


def test_lines_have_one_each() -> None:
    lines = b'{"id": 1, "t": ["a", "b"]}\n{"id": 2, "t": ["c"], "x": 0}\n'
    reader = ndjson.read(lines, at="$.t[*]", header=True)
    assert [(text, reader.header["id"]) for text in reader] == [("a", 1), ("b", 1), ("c", 2)]
    assert reader.header == {"id": 2, "x": 0}


@dataclass
class Money:
    amount: Decimal
    rates: list[float] = field(default_factory=list)


@dataclass
class Page:
    total: Annotated[int, Field(ge=0)]
    next: str | None = None
    at: datetime.date | None = None
    price: Decimal | None = None
    sum: Money | None = None
    took: int = 0


def test_a_type_says_what_is_kept() -> None:
    data = (
        b'{"total": 2, "big": ' + b"[0]" * 0 + b"[" + b"0," * 2_000_000 + b"0]"
        b', "at": "2026-01-02", "price": 1.10, "sum": {"amount": 0.30, "rates": [1, 2.5], "x": 0},'
        b' "users": [{"id": 1}], "took": 3, "next": "p"}'
    )
    reader = json.read(data, User, at="$.users[*]", header=Page)
    with pytest.raises(ValidationError, match="expected field `total`, found nothing"):
        _ = reader.header
    assert next(reader) == User(1)
    header = reader.header
    assert header == Page(2, at=datetime.date(2026, 1, 2), price=Decimal("1.10"), sum=Money(Decimal("0.30"), [1, 2.5]))
    assert (str(header.price), str(header.sum.amount), type(header.sum.rates[0])) == ("1.10", "0.30", float)
    assert list(reader) == []
    assert (reader.header.took, reader.header.next) == (3, "p")


class Loose(TypedDict, total=False):
    total: int
    took: int


def test_other_types_do_too() -> None:
    reader = json.read(json.encode(PAGE), at="$.users[*]", header=Loose)
    assert (next(reader), reader.header) == ({"id": 1}, {"total": 2})
    reader = json.read(json.encode({"a": 1, "b": 2, "l": [0]}), at="$.l[*]", header=dict[str, int])
    assert (next(reader), reader.header) == (0, {"a": 1, "b": 2})
    reader = json.read(json.encode(PAGE), at="$.users[*]", header=Any)
    assert (next(reader), reader.header) == ({"id": 1}, {"total": 2, "next": "…"})


def test_a_header_that_is_not_of_its_type_says_where() -> None:
    reader = json.read(b'{"total": -1, "users": [{"id": 1}]}', at="$.users[*]", header=Page)
    next(reader)
    with pytest.raises(ValidationError, match=r"at `\$\.total`"):
        _ = reader.header
    # The records do not depend on it.
    assert list(reader) == []
    with pytest.raises(TypeError):
        json.read(b"{}", header=3)  # type: ignore[call-overload]
    with pytest.raises(TypeError):
        json.read(b"{}", header=None)  # type: ignore[call-overload]


def test_readers_without_one_say_so() -> None:
    for reader in (json.read(b"[1]"), json.read(b"[1]", header=False)):
        with pytest.raises(AttributeError, match="header=True"):
            _ = reader.header
    with pytest.raises(TypeError):
        xml.read(b"<a/>", header=True)  # type: ignore[call-overload]
    # Of a table it says whether there are names of columns.
    assert list(csv.read(b"1,2\n", tuple[str, str], header=False)) == [("1", "2")]


def test_it_is_bounded() -> None:
    def page(size: int, where: str) -> bytes:
        long = {"long": "x" * size} if where == "text" else {f"k{i}": "x" * 100 for i in range(size // 100)}
        return json.encode({**long, "users": [{"id": 1}]})

    for where in ("text", "fields"):
        assert list(json.read(page(900_000, where), at="$.users[*]", header=True)) == [{"id": 1}]
        with pytest.raises(
            LimitError, match="the length of the fields around the records exceeds the limit of 1048576"
        ):
            list(json.read(page(1_200_000, where), at="$.users[*]", header=True))
        # Nobody has to keep it.
        assert list(json.read(page(1_200_000, where), at="$.users[*]", header=Loose)) == [{"id": 1}]

    def endless() -> Any:
        yield b'{"list": ['
        while True:
            yield b"0," * 10_000

    with pytest.raises(LimitError):
        list(json.read(endless(), at="$.users[*]", header=True))


def test_what_was_passed_is_not_held() -> None:
    def pages() -> Any:
        yield b'{"users": [{"t": []}'
        for i in range(300):
            yield b',{"id": %d, "bio": "%s", "t": [1]}' % (i, b"x" * 100_000)
        yield b"]}"

    reader = json.read(pages(), at="$.users[*].t[*]", header=True)
    assert sum(1 for _ in reader) == 300
    assert reader.header["users"]["id"] == 299


def test_batches_and_refused_records_and_the_end() -> None:
    data = json.encode({"a": 1, "users": [{"id": 1}, {"id": "x"}, {"id": 3}], "b": 2})
    rejects: list[Any] = []
    reader = json.read(data, User, at="$.users[*]", header=True, batch=2, on_error="collect", rejects=rejects)
    assert next(reader) == [User(1), User(3)]
    assert (reader.header["a"], len(rejects)) == (1, 1)
    assert list(reader) == []
    assert reader.header == {"a": 1, "b": 2}
    many = json.encode({**{f"k{i}": i for i in range(5000)}, "v": list(range(5)), "end": 1})
    reader = json.read(many, at="$.v[*]", header=True, batch=3)
    assert [(batch, len(reader.header)) for batch in reader] == [([0, 1, 2], 5000), ([3, 4], 5001)]
    # After an error there is what came before it.
    reader = json.read(b'{"a": 1, "v": [1, ]}', at="$.v[*]", header=True)
    with pytest.raises(demat_error()):
        list(reader)
    assert reader.header == {"a": 1}
    reader.close()
    assert reader.header == {"a": 1}


def demat_error() -> type[Exception]:
    from demat import DecodeError

    return DecodeError


def test_batches_go_on_behind_refused_records() -> None:
    lines = b'"a"\n"b"\n1\n2\n3\n'
    assert list(ndjson.read(lines, int, batch=2, on_error="skip")) == [[1, 2], [3]]
    assert list(ndjson.read(lines * 200, int, batch=2, on_error="skip")) == [[1, 2], [3, 1], [2, 3]] * 100


def test_parsers_and_awaited_bytes() -> None:
    data = json.encode(PAGE)
    parser = json.parser(User, at="$.users[*]", header=True)
    for i in range(len(data)):
        parser.feed(data[i : i + 1])
    parser.close()
    assert parser.header == {"total": 2, "next": "…", "took": 3}

    async def pieces() -> AsyncIterator[bytes]:
        for i in range(len(data)):
            yield data[i : i + 1]

    async def awaited() -> list[Any]:
        reader = json.read(pieces(), User, at="$.users[*]", header=True)
        return [dict(reader.header) async for _ in reader] + [reader.header]

    before = {"total": 2, "next": "…"}
    assert asyncio.run(awaited()) == [before, before, {**before, "took": 3}]


def test_hooks_of_a_header() -> None:
    calls: list[Any] = []

    def made(value: str) -> str:
        calls.append(value)
        with pytest.raises(RuntimeError, match="this reader is at work"):
            _ = reader.header
        return value.upper()

    def bad(value: str) -> str:
        raise KeyError(value)

    @dataclass
    class Own:
        next: Annotated[str, Hook(wire=str, decode=made)]

    reader: Any = json.read(json.encode(PAGE), at="$.users[*]", header=Own)
    next(reader)
    assert (reader.header.next, reader.header.next, calls) == ("…", "…", ["…"])

    @dataclass
    class Bad:
        next: Annotated[str, Hook(wire=str, decode=bad)]

    reader = json.read(json.encode(PAGE), at="$.users[*]", header=Bad)
    next(reader)
    for _ in range(2):
        with pytest.raises(KeyError):
            _ = reader.header
    assert list(reader) == [{"id": 2}]
    gc.collect()


def test_repeated_fields() -> None:
    data = b'{"a": 1, "a": 2, "v": [0]}'
    reader = json.read(data, at="$.v[*]", header=True)
    assert (list(reader), reader.header) == ([0], {"a": 2})
    with pytest.raises(ValidationError, match="`a` stands here again"):
        list(json.read(data, at="$.v[*]", header=True, repeated_keys="refuse"))


def test_options_of_records_are_not_those_of_the_header() -> None:
    @dataclass
    class Both:
        id: int = 0
        name: str = ""

    data = json.encode({"total": 1, "users": [{"id": 1, "name": "a"}]})
    reader = json.read(data, Both, at="$.users[*]", header=Page, fields=["id"])
    assert (next(reader).id, reader.header) == (1, Page(1))
