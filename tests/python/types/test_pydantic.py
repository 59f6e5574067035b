"""pydantic models: made by their own `model_validate`, so that their validators and checks count."""

from datetime import date
from typing import Annotated, Generic, Literal, TypeVar

import demat
import pydantic
import pytest
from demat import csv, json
from pydantic import BaseModel, ConfigDict, computed_field, field_validator, model_validator

T = TypeVar("T")


class Item(BaseModel):
    name: str
    price: float = 0.0
    born: date | None = None


class Order(BaseModel):
    id: Annotated[int, pydantic.Field(ge=1)]
    items: list[Item] = []
    kind: Literal["a", "b"] = "a"


class Lower(BaseModel):
    name: str

    @field_validator("name")
    @classmethod
    def _lower(cls, value: str) -> str:
        if not value:
            raise ValueError("a name, please")
        return value.lower()


class Aliased(BaseModel):
    due_date: int = pydantic.Field(alias="dueDate")


class Page(BaseModel, Generic[T]):
    items: list[T]


class Numbers(pydantic.RootModel[list[int]]):
    pass


class Open(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Closed(BaseModel):
    model_config = ConfigDict(extra="forbid")
    a: int


class Whole(BaseModel):
    low: int
    high: int

    @model_validator(mode="after")
    def _order(self) -> "Whole":
        if self.low > self.high:
            raise ValueError("low is above high")
        return self

    @computed_field
    @property
    def size(self) -> int:
        return self.high - self.low


@pytest.mark.parametrize(
    ("tp", "text", "value"),
    [
        (Item, '{"name":"a","born":"2020-01-02"}', Item(name="a", born=date(2020, 1, 2))),
        (
            Order,
            '{"id":1,"items":[{"name":"a","price":1.5}],"kind":"b"}',
            Order(id=1, items=[Item(name="a", price=1.5)], kind="b"),
        ),
        (Lower, '{"name":"ADA"}', Lower(name="ada")),
        (Aliased, '{"dueDate":5}', Aliased(dueDate=5)),
        (Page[Item], '{"items":[{"name":"x"}]}', Page[Item](items=[Item(name="x")])),
        (Numbers, "[1,2]", Numbers([1, 2])),
        (Open, '{"a":1,"b":2}', Open(a=1, b=2)),
        (Whole, '{"low":1,"high":3}', Whole(low=1, high=3)),
    ],
)
def test_taken(tp, text, value):
    found = json.decode(text, tp)
    assert (type(found), found) == (type(value), value)
    assert found.model_fields_set == tp.model_validate_json(text).model_fields_set
    written = json.encode(value)
    assert json.decode(written, tp) == value
    assert json.decode(written) == pydantic.TypeAdapter(tp).dump_python(value, mode="json", by_alias=True)


@pytest.mark.parametrize(
    ("tp", "text", "message"),
    [
        (Item, "{}", r"(?s)name"),
        (Item, '{"name":1}', r"str"),
        (Order, '{"id":0}', r"(?s)greater than or equal to 1"),
        (Lower, '{"name":""}', r"a name, please"),
        (Closed, '{"a":1,"b":2}', r"(?i)unknown|extra"),
        (Whole, '{"low":2,"high":1}', "low is above high"),
        (Numbers, '["a"]', "int"),
        (Item, "[]", "Item"),
    ],
)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError, match=message) as raised:
        json.decode(f"[{text}]", list[tp])
    assert raised.value.path.startswith("$[0]")


def test_what_pydantic_raises_is_the_cause():
    with pytest.raises(demat.ValidationError) as raised:
        json.decode('{"id":0}', Order)
    assert isinstance(raised.value.__cause__, pydantic.ValidationError)


def test_rows_of_a_table():
    rows = [Item(name="a", price=1.5), Item(name="b", born=date(2020, 1, 2))]
    assert csv.decode(csv.encode(rows), list[Item]) == rows


def test_all_errors_of_many_models():
    text = '[{"id":"x"},{"id":0},{"id":1},{"id":-1,"kind":"c"}]'
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(text, list[Order], errors="all")
    assert [error.path for error in raised.value.errors] == ["$[0].id", "$[1]", "$[3].kind"]


class Utf8(BaseModel):
    data: bytes
    more: list[bytes | None] = []
    named: dict[str, bytes] = {}


class Small(BaseModel):
    data: bytes


class Hex(BaseModel):
    model_config = ConfigDict(ser_json_bytes="hex", val_json_bytes="hex")
    data: bytes


class Base64(BaseModel):
    model_config = ConfigDict(ser_json_bytes="base64", val_json_bytes="base64")
    data: bytes


class Root(pydantic.RootModel[list[bytes]]):
    pass


@pytest.mark.parametrize(
    "model",
    [
        Utf8(data="grüße".encode(), more=[b"", None, b"aGVsbG8="], named={"k": b"v"}),
        Hex(data=bytes(range(256))),
        Base64(data=b"plain"),
        Root([b"a", "\N{SNOWMAN}".encode()]),
    ],
    ids=lambda model: type(model).__name__,
)
def test_bytes_are_what_pydantic_writes_and_reads(model):
    written = json.encode(model)
    assert written == model.model_dump_json().encode()
    assert json.decode(written, type(model)) == model
    assert type(model).model_validate_json(written) == model


def test_bytes_that_are_not_utf8_are_refused():
    with pytest.raises(demat.EncodeError, match=r"at `\$\.data`"):
        json.encode(Utf8(data=b"\xff"))
    with pytest.raises(demat.ValidationError, match=r"at `\$\.data`"):
        json.decode(b'{"data":"6z"}', Hex)


def test_bytes_of_a_model_are_text_in_every_format(tmp_path):
    source, target = tmp_path / "a.json", tmp_path / "a.csv"
    source.write_bytes(b'[{"data":"aGVsbG8="}]')
    demat.copy(source, target, list[Small])
    assert target.read_bytes() == b"data\naGVsbG8=\n"
    assert csv.decode(target.read_bytes(), list[Small]) == [Small(data=b"aGVsbG8=")]
