"""Hooks that are for one format, or for tables, alone."""

from __future__ import annotations

import copy
import pickle
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import EncodeError, Field, Hook, ValidationError, cbor, csv, json, lmdb, msgpack, ndjson, sqlite, yaml

CENTS = Hook(wire=int, encode=lambda money: int(money * 100), decode=lambda cents: Decimal(cents) / 100, place="sql")
TEXT = Hook(wire=str, encode=lambda money: f"{money} €", decode=lambda text: Decimal(text[:-2]), place="json")
Money = Annotated[Decimal, CENTS, TEXT]


@dataclass
class Order:
    id: Annotated[int, Field(key=True)]
    total: Money
    other: Decimal = Decimal(0)


@dataclass
class Page:
    orders: list[Order]
    by: dict[str, Money] = field(default_factory=dict)


ORDERS = [Order(1, Decimal("1.50")), Order(2, Decimal("20.00"), Decimal("0.1"))]


def test_each_place_has_its_own() -> None:
    data = json.encode(ORDERS)
    assert data == '[{"id":1,"total":"1.50 €","other":0},{"id":2,"total":"20.00 €","other":0.1}]'.encode()
    assert json.decode(data, list[Order]) == ORDERS
    # Elsewhere it is as without hooks.
    for form in (msgpack, cbor, yaml, ndjson, csv):
        assert form.decode(form.encode(ORDERS), list[Order]) == ORDERS
        assert b"\xe2\x82\xac" not in form.encode(ORDERS)
    with pytest.raises(ValidationError):
        json.decode(b'[{"id": 1, "total": 150}]', list[Order])


def test_tables_have_theirs() -> None:
    with sqlite.open(":memory:") as database:
        table = database.table("orders", Order)
        table.insert(ORDERS)
        assert list(database.query("select total, typeof(total) as kind from orders order by id")) == [
            {"total": 150, "kind": "integer"},
            {"total": 2000, "kind": "integer"},
        ]
        assert list(table.select()) == ORDERS
        assert list(database.query("select * from orders order by id", type=Order)) == ORDERS
        with pytest.raises(EncodeError, match="write instances of it, not dicts"):
            table.insert([{"id": 3, "total": 1}])
        table.update([Order(1, Decimal("3"))])
        table.upsert([Order(1, Decimal("4")), Order(3, Decimal("5"))])
        assert [order.total for order in table.select()] == [4, 20, 5]
        # Rows that become documents without objects would skip the hooks of both.
        with pytest.raises(TypeError, match="hooks for single places"):
            database.query("select * from orders", type=Order).encode("json")


@pytest.mark.parametrize("order", [ORDERS[0], Page(ORDERS, {"a": Decimal("2")}), {"a": [ORDERS[1]]}, (ORDERS[0],)])
def test_the_places_do_not_mix_whatever_comes_first(order: Any) -> None:
    for _ in range(3):
        for form in (json, msgpack, cbor, json, yaml):
            data = form.encode(order)
            assert ("€".encode() in data) == (form is json)
            assert form.Encoder().encode(order) == data
            if not isinstance(order, (dict, tuple)):
                assert form.encode(order, type=type(order)) == data
                assert form.decode(data, type(order)) == order
                assert form.Decoder(type(order)).decode(data) == order
                form.validate(data, type(order))
                assert list(form.read(data, type(order), at="$")) == [order]


def test_options_of_a_call_go_with_them() -> None:
    data = json.encode(ORDERS[0], rename="upper", omit_default=True)
    assert data == '{"ID":1,"TOTAL":"1.50 €"}'.encode()
    assert json.decode(data, Order, rename="upper") == ORDERS[0]
    assert json.decode(json.encode(ORDERS), list[Order], fields=["total"])[0].total == Decimal("1.50")
    double = {Decimal: Hook(wire=str, encode=lambda money: f"<{money}>", decode=lambda text: Decimal(text[1:-1]))}
    data = json.encode(ORDERS[1], hooks=double)
    # The hook of the field comes before that of the call.
    assert data == '{"id":2,"total":"20.00 €","other":"<0.1>"}'.encode()
    assert json.decode(data, Order, hooks=double) == ORDERS[1]
    assert msgpack.decode(msgpack.encode(ORDERS[1], hooks=double), Order, hooks=double) == ORDERS[1]


def test_the_outermost_that_is_for_the_place_counts() -> None:
    everywhere = Hook(wire=str, encode=lambda value: f"any {value}", decode=lambda text: text[4:])
    special = Hook(wire=str, encode=lambda value: f"own {value}", decode=lambda text: text[4:], place=("json", "yaml"))

    @dataclass
    class Inner:
        x: Annotated[str, special, everywhere]

    @dataclass
    class Outer:
        x: Annotated[str, everywhere, special]

    for form in (json, yaml, msgpack):
        assert b"any a" in form.encode(Inner("a"))
        assert (b"own a" in form.encode(Outer("a"))) == (form is not msgpack)
        assert form.decode(form.encode(Outer("a")), Outer) == Outer("a")
        assert form.decode(form.encode(Inner("a")), Inner) == Inner("a")


def test_types_that_are_no_classes() -> None:
    assert json.decode('["1.50 €"]', list[Money]) == [Decimal("1.50")]
    assert json.encode([Decimal("1.50")], type=list[Money]) == '["1.50 €"]'.encode()
    assert msgpack.decode(msgpack.encode(["1.50"]), list[Money]) == [Decimal("1.50")]
    assert json.decode('"1.50 €"', Money) == Decimal("1.50")


def test_streams_of_every_kind(tmp_path: Path) -> None:
    path = tmp_path / "orders.json"
    assert demat.write(path, ORDERS, Order) == 2
    assert "€" in path.read_text("utf-8")
    assert list(demat.read(path, Order)) == ORDERS
    parser = json.parser(Order)
    assert parser.feed(path.read_bytes()) + parser.close() == ORDERS
    with demat.writer(tmp_path / "lines.ndjson", Order) as lines:
        lines.write_all(ORDERS)
    assert "€" not in (tmp_path / "lines.ndjson").read_text("utf-8")
    reader = json.read(b'{"total": "1.50 \xe2\x82\xac", "id": 7, "v": [1]}', int, at="$.v[*]", header=Order)
    assert (list(reader), reader.header) == ([1], Order(7, Decimal("1.50")))
    assert list(json.read(path, at={"$[*]": Order})) == ORDERS


@dataclass
class Shop:
    first: Order


def test_objects_as_stores_exchange_json() -> None:
    shop = Shop(Order(1, Decimal("1.50")))
    store = demat.store.of(shop)
    assert store.get("/first", Order) == shop.first
    store.put("/first", Order(2, Decimal("2.50")))
    store.patch("/first", {"total": "3.50 €"})
    assert shop == Shop(Order(2, Decimal("3.50")))


def test_lazy_records_follow_them() -> None:
    (order,) = json.decode(json.encode(ORDERS[:1]), list[Order], lazy=True)
    assert order.total == Decimal("1.50")
    assert json.encode(order) == json.encode(ORDERS[0])


def served(order: Order) -> Order:
    return order


def test_what_is_for_no_place_in_particular_refuses_them(tmp_path: Path) -> None:
    match = r"`.*` has hooks for single places \(`json`, `sql`\)"
    for refused in (
        lambda: demat.convert({"id": 1, "total": "1"}, Order),
        lambda: demat.schema(Order),
        lambda: json.columns(json.encode(ORDERS), Order),
        lambda: demat.columns_of(ORDERS),
        lambda: demat.copy(json.encode(ORDERS), tmp_path / "x.csv", Order, from_="json"),
        lambda: demat.copy(ORDERS, tmp_path / "x.parquet"),
        lambda: demat.copy(ORDERS, f"{tmp_path}/x.db#orders"),
        lambda: lmdb.open(tmp_path / "kept").collection("orders", Order),
        lambda: demat.serve({"/x": served}, port=0, background=True),
    ):
        with pytest.raises(TypeError, match=match):
            refused()
    for written in (lambda: demat.convert(ORDERS[0], dict[str, Any]), lambda: demat.to_builtins(ORDERS)):
        with pytest.raises(EncodeError, match=match):
            written()
    assert not (tmp_path / "x.csv").exists()
    assert not (tmp_path / "x.parquet").exists()


def test_hooks_that_raise_do_so_at_their_place_only() -> None:
    def bad(_: Any) -> Any:
        raise KeyError("mine")

    @dataclass
    class Bad:
        x: Annotated[int, Hook(wire=int, encode=bad, decode=bad, place="json")]

    assert msgpack.decode(msgpack.encode(Bad(1)), Bad) == Bad(1)
    with pytest.raises(KeyError):
        json.encode(Bad(1))
    with pytest.raises(KeyError):
        json.decode(b'{"x": 1}', Bad)

    def again(value: Any) -> Any:
        return json.decode(msgpack.encode(value)[:0] or b"1") + len(msgpack.encode(Again(value))) * 0

    @dataclass
    class Again:
        x: Annotated[int, Hook(wire=int, encode=again, place="json")]

    assert json.encode([Again(5), Again(6)]) == b'[{"x":1},{"x":1}]'

    def endless(value: Any) -> Any:
        return Endless(value)

    @dataclass
    class Endless:
        x: Annotated[Any, Hook(encode=endless, place="json")]

    with pytest.raises((demat.LimitError, RecursionError)):
        json.encode(Endless(1))
    assert msgpack.decode(msgpack.encode(Endless(1))) == {"x": 1}


def test_one_way_hooks() -> None:
    @dataclass
    class Shown:
        x: Annotated[int, Hook(wire=str, encode=str, place="json")]

    assert json.encode(Shown(3)) == b'{"x":"3"}'
    assert json.decode(b'{"x": 3}', Shown) == Shown(3)


def test_a_hook_says_what_it_is() -> None:
    hook = Hook(encode=str, place=["json", "sql"])
    assert hook.place == ("json", "sql")
    assert repr(hook) == "Hook(encode=<class 'str'>, place=('json', 'sql'))"
    assert (hook == Hook(encode=str), hook == Hook(encode=str, place=("json", "sql"))) == (False, True)
    assert pickle.loads(pickle.dumps(hook)) == copy.deepcopy(hook) == hook
    assert Hook(encode=str).place == ()
    for wrong in ("jsn", "", "sqlite", ["json", "?"]):
        with pytest.raises(ValueError, match="is no place of a hook"):
            Hook(encode=str, place=wrong)
    for other in (3, [1]):
        with pytest.raises(TypeError):
            Hook(encode=str, place=other)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="a hook with `place` stands in an annotation"):
        json.encode(Decimal(1), hooks={Decimal: TEXT}, type=Decimal)


def test_unions() -> None:
    @dataclass
    class Cat:
        price: Money

    @dataclass
    class Dog:
        name: str

    data = json.encode([Cat(Decimal("1.50")), Dog("x")], type=list[Cat | Dog])
    assert json.decode(data, list[Cat | Dog]) == [Cat(Decimal("1.50")), Dog("x")]
