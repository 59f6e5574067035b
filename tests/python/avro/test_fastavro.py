"""Avro's container files, compared to `fastavro`."""

from __future__ import annotations

import enum
import io
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal
from uuid import UUID

import demat
import fastavro
import pytest
from demat import Field, avro
from hypothesis import given
from hypothesis import strategies as st

Codec = Literal["null", "deflate", "snappy", "zstandard"]
CODECS: list[Codec] = ["null", "deflate", "snappy", "zstandard"]

each_codec = pytest.mark.parametrize("codec", CODECS)


def theirs(data: bytes) -> list[Any]:
    """What fastavro reads."""
    return list(fastavro.reader(io.BytesIO(data)))


def of_theirs(schema: Any, values: list[Any], **options: Any) -> bytes:
    """What fastavro writes."""
    file = io.BytesIO()
    fastavro.writer(file, schema, values, **options)
    return file.getvalue()


class Kind(enum.Enum):
    ROUND = "round"
    FLAT = "flat"


@dataclass
class Circle:
    r: float


@dataclass
class Square:
    side: float


@dataclass
class Everything:
    number: int
    ratio: float
    text: str
    data: bytes
    flag: bool
    day: date
    hour: time
    at: datetime
    local: Annotated[datetime, Field(tz=False)]
    key: UUID
    kind: Kind
    form: Circle | Square
    tags: list[str]
    sizes: dict[str, int]
    pair: tuple[int, str]
    maybe: int | None = None
    either: int | str = 0
    next: Everything | None = None


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
ints = st.integers(-(2**63), 2**63 - 1)
floats = st.floats(allow_nan=False)
moments = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30))
forms = st.builds(Circle, floats) | st.builds(Square, floats)
everything: st.SearchStrategy[Any] = st.recursive(
    st.none(),
    lambda inner: st.builds(
        Everything,
        number=ints,
        ratio=floats,
        text=texts,
        data=st.binary(),
        flag=st.booleans(),
        day=st.dates(),
        hour=st.times(),
        at=moments.map(lambda at: at.replace(tzinfo=UTC)),
        local=moments,
        key=st.uuids(),
        kind=st.sampled_from(Kind),
        form=forms,
        tags=st.lists(texts),
        sizes=st.dictionaries(texts, ints),
        pair=st.tuples(ints, texts),
        maybe=st.none() | ints,
        either=ints | texts,
        next=inner,
    ),
    max_leaves=3,
).filter(lambda one: one is not None)


def plain(value: Any) -> Any:
    """The value as fastavro reads it."""
    if isinstance(value, Everything | Circle | Square):
        return {name: plain(getattr(value, name)) for name in value.__dataclass_fields__}
    if isinstance(value, enum.Enum):
        return value.value
    if isinstance(value, tuple):
        return {f"_{place}": plain(item) for place, item in enumerate(value)}
    return value


@given(values=st.lists(everything, max_size=4), codec=st.sampled_from(CODECS))
def test_both_read_what_demat_writes(values: list[Everything], codec: Codec) -> None:
    data = avro.encode(values, type=list[Everything], codec=codec)
    assert avro.decode(data, list[Everything]) == values
    assert theirs(data) == [plain(value) for value in values]
    assert list(avro.read(io.BytesIO(data), Everything)) == values
    avro.validate(data, list[Everything])


SCHEMA = {
    "type": "record",
    "name": "Row",
    "namespace": "demat.test",
    "fields": [
        {"name": "small", "type": "int"},
        {"name": "large", "type": "long"},
        {"name": "half", "type": "float"},
        {"name": "whole", "type": "double"},
        {"name": "text", "type": "string"},
        {"name": "data", "type": "bytes"},
        {"name": "flag", "type": "boolean"},
        {"name": "nothing", "type": "null"},
        {"name": "four", "type": {"type": "fixed", "name": "Four", "size": 4}},
        {"name": "suit", "type": {"type": "enum", "name": "Suit", "symbols": ["A", "B"]}},
        {"name": "list", "type": {"type": "array", "items": ["null", "long", "string"]}},
        {"name": "map", "type": {"type": "map", "values": {"type": "array", "items": "int"}}},
        {"name": "day", "type": {"type": "int", "logicalType": "date"}},
        {"name": "millis", "type": {"type": "int", "logicalType": "time-millis"}},
        {"name": "micros", "type": {"type": "long", "logicalType": "time-micros"}},
        {"name": "at_millis", "type": {"type": "long", "logicalType": "timestamp-millis"}},
        {"name": "at_micros", "type": {"type": "long", "logicalType": "timestamp-micros"}},
        {"name": "local", "type": {"type": "long", "logicalType": "local-timestamp-micros"}},
        {"name": "price", "type": {"type": "bytes", "logicalType": "decimal", "precision": 20, "scale": 4}},
        {
            "name": "fixed_price",
            "type": {"type": "fixed", "name": "P", "size": 8, "logicalType": "decimal", "precision": 15, "scale": 2},
        },
        {"name": "key", "type": {"type": "string", "logicalType": "uuid"}},
        {"name": "next", "type": ["null", "Row"]},
    ],
}


def millis(at: Any) -> Any:
    return at.replace(microsecond=at.microsecond // 1000 * 1000)


def decimals(digits: int, places: int) -> st.SearchStrategy[Decimal]:
    most = 10**digits - 1
    return st.integers(-most, most).map(lambda number: Decimal(number).scaleb(-places))


aware = moments.map(lambda at: at.replace(tzinfo=UTC))
rows: st.SearchStrategy[Any] = st.recursive(
    st.none(),
    lambda inner: st.fixed_dictionaries(
        {
            "small": st.integers(-(2**31), 2**31 - 1),
            "large": ints,
            "half": st.floats(width=32, allow_nan=False),
            "whole": floats,
            "text": texts,
            "data": st.binary(),
            "flag": st.booleans(),
            "nothing": st.none(),
            "four": st.binary(min_size=4, max_size=4),
            "suit": st.sampled_from("AB"),
            "list": st.lists(st.none() | ints | texts),
            "map": st.dictionaries(texts, st.lists(st.integers(-(2**31), 2**31 - 1))),
            "day": st.dates(),
            "millis": st.times().map(millis),
            "micros": st.times(),
            "at_millis": aware.map(millis),
            "at_micros": aware,
            "local": moments,
            "price": decimals(20, 4),
            "fixed_price": decimals(15, 2),
            "key": st.uuids(),
            "next": inner,
        }
    ),
    max_leaves=3,
).filter(lambda one: one is not None)


@given(values=st.lists(rows, max_size=4), codec=st.sampled_from(CODECS), interval=st.sampled_from([1, 100, 16_000]))
def test_demat_reads_what_fastavro_writes(values: list[Any], codec: Codec, interval: int) -> None:
    data = of_theirs(SCHEMA, values, codec=codec, sync_interval=interval)
    assert avro.decode(data) == theirs(data) == values
    assert list(avro.read(data)) == values


@dataclass
class Part:
    """Some fields of a row, some with other types, and one that it does not have."""

    large: float
    text: bytes
    data: bytes
    suit: Literal["A", "B"]
    at_millis: datetime
    price: Decimal
    key: str
    next: Part | None
    missing: list[int] = field(default_factory=lambda: [7])


@given(values=st.lists(rows.map(lambda row: row | {"next": None}), min_size=1, max_size=3))
def test_fields_go_by_name_and_are_promoted(values: list[Any]) -> None:
    for found, value in zip(avro.decode(of_theirs(SCHEMA, values), list[Part]), values, strict=True):
        assert found.large == float(value["large"])
        assert found.text == value["text"].encode()
        assert (found.suit, found.at_millis, found.price) == (value["suit"], value["at_millis"], value["price"])
        assert (found.key, found.next, found.missing) == (str(value["key"]), None, [7])


@each_codec
def test_large_files_stream(codec: Codec, tmp_path: Any) -> None:
    path = tmp_path / "rows.avro"
    circles = [Circle(at / 7) for at in range(50_000)]
    avro.write(path, iter(circles), codec=codec)
    with path.open("rb") as file:
        blocks = list(fastavro.block_reader(file))
    assert len(blocks) > 5
    assert sum(block.num_records for block in blocks) == 50_000
    assert list(avro.read(path, Circle)) == circles
    assert [row["r"] for row in theirs(path.read_bytes())] == [circle.r for circle in circles]


@each_codec
def test_unions_of_records_go_by_name(codec: Codec) -> None:
    schema = [
        {"type": "record", "name": "a.Square", "fields": [{"name": "side", "type": "double"}]},
        {"type": "record", "name": "a.Circle", "fields": [{"name": "r", "type": "double"}]},
    ]
    data = of_theirs(schema, [("a.Circle", {"r": 1.0}), ("a.Square", {"side": 2.0})], codec=codec)
    assert avro.decode(data, list[Circle | Square]) == [Circle(1.0), Square(2.0)]
    own = avro.encode([Square(2.0), Circle(1.0)], type=list[Circle | Square], codec=codec)
    assert avro.decode(own, list[Circle | Square]) == [Square(2.0), Circle(1.0)]
    assert theirs(own) == [{"side": 2.0}, {"r": 1.0}]


def test_decimals_and_clocks_are_written_as_they_are_asked_for() -> None:
    @dataclass
    class Price:
        amount: Decimal
        at: datetime

    price = Price(Decimal("12.5"), datetime(2026, 5, 1, 12, 30))
    with pytest.raises(demat.EncodeError, match=r"instant with an offset.*\$\[0\]\.at"):
        avro.encode([price])
    data = avro.encode([price], naive=True, decimals=(9, 2))
    assert theirs(data) == [{"amount": Decimal("12.50"), "at": price.at}]
    assert avro.decode(data, list[Price]) == [price]
    with pytest.raises(ValueError, match="1 to 1000 digits"):
        avro.encode([price], decimals=(2, 9))
    with pytest.raises(demat.EncodeError, match=r"a decimal of 3 digits.*\$\[0\]\.amount"):
        avro.encode([price], naive=True, decimals=(3, 2))


def test_durations_are_text_and_those_of_avro_are_read() -> None:
    assert theirs(avro.encode([timedelta(seconds=1.5)], type=list[timedelta])) == ["PT1.5S"]
    schema = {"type": "fixed", "name": "D", "size": 12, "logicalType": "duration"}
    days = (0).to_bytes(4, "little") + (3).to_bytes(4, "little") + (1500).to_bytes(4, "little")
    assert avro.decode(of_theirs(schema, [days])) == [timedelta(days=3, seconds=1.5)]
    with pytest.raises(demat.Error, match="without months"):
        avro.decode(of_theirs(schema, [b"\1" * 12]))


def test_what_is_known_without_a_class_is_the_schema(tmp_path: Any) -> None:
    path = tmp_path / "rows.avro"
    # An empty file has no records to take a sample of.
    path.write_bytes(of_theirs(SCHEMA | {"fields": SCHEMA["fields"][:-1]}, []))
    cls = demat.define(path)
    assert {"small", "at_micros", "price"} <= set(cls.__annotations__)
    columns = avro.columns(path)
    assert "small: Int32" in str(columns)
    assert "half: Float32" in str(columns)
    demat.copy(path, tmp_path / "rows.parquet")
    demat.copy(path, f"{tmp_path / 'rows.db'}#rows")
    assert str(avro.columns(tmp_path / "rows.avro", fields=["small"])) == "<demat.Columns of 0 records: small: Int32>"


def test_a_key_that_is_no_text_is_written_as_text() -> None:
    data = avro.encode([{1: 2}], type=list[dict[int, int]])
    assert theirs(data) == [{"1": 2}]
    assert avro.decode(data, list[dict[int, int]]) == [{1: 2}]


@pytest.mark.parametrize(
    ("type_", "message"),
    [
        (list[dict[str, Any]], "must know the type"),
        (list[list[int] | list[str]], "one array at most"),
    ],
)
def test_what_avro_can_not_say_is_refused(type_: Any, message: str) -> None:
    with pytest.raises(demat.EncodeError, match=message):
        avro.encode([], type=type_)
    with pytest.raises(demat.EncodeError, match="type="):
        avro.encode([{"a": 1}])


@each_codec
def test_damaged_files_are_refused_or_read(codec: Codec) -> None:
    values = [{"id": at, "title": f"t{at}"} for at in range(3)]
    schema = {
        "type": "record",
        "name": "T",
        "fields": [{"name": "id", "type": "long"}, {"name": "title", "type": "string"}],
    }
    data = of_theirs(schema, values, codec=codec)
    for at in range(len(data)):
        for change in (1, 0x40, 0x80):
            bad = bytearray(data)
            bad[at] ^= change
            try:
                avro.decode(bytes(bad))
            except demat.Error:
                continue
        cut = data[:at]
        try:
            assert avro.decode(cut) == []
        except demat.Error:
            continue


def test_other_codecs_are_refused_by_their_names() -> None:
    data = of_theirs("int", [1], codec="bzip2")
    with pytest.raises(demat.Error, match="null, deflate, snappy, zstandard, and not .*bzip2"):
        avro.decode(data)


def test_single_values_and_lists_of_one() -> None:
    data = avro.encode(Circle(1.5))
    assert avro.decode(data, Circle) == Circle(1.5)
    assert avro.decode(data, list[Circle]) == [Circle(1.5)]
    assert theirs(data) == [{"r": 1.5}]
    assert UUID(int=0) == avro.decode(avro.encode(UUID(int=0), type=UUID), UUID)
