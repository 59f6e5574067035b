"""`demat.arrow` and `demat.parquet`: places that hold columns, with the verbs of the other formats."""

import gzip
import io
import socket
import threading
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import demat
import pytest
from demat import Field, arrow, parquet

MODULES = [pytest.param(module, id=module.__name__.rpartition(".")[2]) for module in (arrow, parquet)]
each = pytest.mark.parametrize("module", MODULES)


@dataclass
class Task:
    id: int
    title: str
    done: bool = False


@dataclass
class Everything:
    number: Annotated[int, Field(ge=0)]
    ratio: float
    text: str | None
    when: datetime
    day: date
    price: Decimal
    ident: UUID
    data: bytes
    tags: list[str] = field(default_factory=list)
    inner: Task | None = None


def everything(number: int) -> Everything:
    return Everything(
        number,
        number / 7,
        None if number % 3 else "é",
        datetime(2024, 2, 29, 1, 2, 3, number, tzinfo=UTC),
        date(2024, 2, 29),
        Decimal("1.50"),
        UUID(int=number),
        b"\x00\xff",
        ["a"] * (number % 4),
        Task(number, "inner") if number % 2 else None,
    )


def place_of(module: Any, folder: Path) -> Path:
    return folder / f"records.{module.__name__.rpartition('.')[2]}"


@each
def test_objects_come_back(module: Any, tmp_path: Path):
    place, objects = place_of(module, tmp_path), [everything(number) for number in range(100)]
    assert module.write(place, objects) == 100
    assert list(module.read(place, Everything)) == objects
    assert [len(batch) for batch in module.read(str(place), Everything, batch=30)] == [30, 30, 30, 10]
    records = list(module.read(place))
    assert records[3]["number"] == 3
    assert records[3]["inner"] == {"id": 3, "title": "inner", "done": False}
    assert list(module.read(place, Everything)) == list(module.columns(place).records(Everything))
    assert module.columns(place, Everything).names == module.columns(place).names


@each
def test_any_source_and_target(module: Any, tmp_path: Path):
    tasks = [Task(number, f"task {number}") for number in range(10)]
    file = io.BytesIO()
    assert module.write(file, iter(tasks), Task) == 10
    data = file.getvalue()
    for make in (bytes, memoryview, io.BytesIO, lambda data: [data[:7], data[7:]]):
        assert list(module.read(make(data), Task)) == tasks
        assert len(module.columns(make(data))) == 10
    assert module.write(io.BytesIO(), demat.columns_of(tasks)) == 10
    packed = place_of(module, tmp_path).with_suffix(place_of(module, tmp_path).suffix + ".gz")
    module.write(packed, tasks)
    assert list(module.read(packed, Task)) == tasks
    assert gzip.decompress(packed.read_bytes())[:4] == (b"PAR1" if module is parquet else b"ARRO")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        sender = threading.Thread(target=lambda: (theirs.sendall(data), theirs.close()))
        sender.start()
        assert list(module.read(ours, Task)) == tasks
        sender.join()


@each
def test_chosen_columns_have_the_given_order(module: Any, tmp_path: Path):
    place = place_of(module, tmp_path)
    module.write(place, [Task(1, "a", done=True), Task(2, "b")])
    assert module.columns(place, fields=["title", "id"]).names == ("title", "id")
    assert module.columns(place, fields="id").numpy("id").tolist() == [1, 2]
    assert list(module.read(place, Task, fields=["id", "title"])) == [Task(1, "a"), Task(2, "b")]
    assert list(module.read(place, fields="done")) == [{"done": True}, {"done": False}]
    assert module.columns(place, Task, fields=["title"]).names == ("title",)
    with pytest.raises(demat.DecodeError, match="there is no column `nil`; the columns are `id`, `title`, `done`"):
        module.columns(place, fields=["id", "nil"])
    with pytest.raises(demat.DecodeError, match="no column `nil`"):
        module.read(place, Task, fields="nil")
    with pytest.raises(ValueError, match="names no column"):
        module.columns(place, fields=[])


@each
def test_a_stream_of_batches(module: Any, tmp_path: Path):
    place = place_of(module, tmp_path)
    module.write(place, [Task(number, "x") for number in range(20_000)])
    with module.columns(place, batch_size=3000) as stream:
        sizes = [len(batch) for batch in stream]
    assert sum(sizes) == 20_000
    assert max(sizes) == 3000
    typed = module.columns(place, Task, batch_size=7000)
    assert sum(len(batch) for batch in typed) == 20_000
    for wrong in (0, -1, True):
        with pytest.raises(ValueError, match="batch_size is an int from 1"):
            module.columns(place, batch_size=wrong)
        with pytest.raises(ValueError, match="batch is an int from 1"):
            module.read(place, batch=wrong)


@each
def test_an_error_has_the_path_from_the_first_record(module: Any, tmp_path: Path):
    @dataclass
    class Wide:
        id: int | None
        title: str

    place = place_of(module, tmp_path)
    module.write(place, [Wide(number if number != 15_000 else None, "x") for number in range(20_000)])
    with pytest.raises(demat.ValidationError, match=r"`\$\[15000\]\.id`"):
        list(module.read(place, Task))
    with pytest.raises(demat.ValidationError, match=r"`\$\[15000\]\.id`"):
        list(module.read(place, Task, batch=700))
    with pytest.raises(demat.DecodeError, match=r"`\$\[15000\]\.id`"):
        module.columns(place, Task)
    taken = module.read(place, Task)
    assert [next(taken) for _ in range(3)] == [Task(number, "x") for number in range(3)]


@each
def test_rules_of_a_type_hold(module: Any, tmp_path: Path):
    @dataclass
    class Small:
        id: Annotated[int, Field(lt=3)]

    place = place_of(module, tmp_path)
    module.write(place, [Task(number, "x") for number in range(5)])
    with pytest.raises(demat.ValidationError, match="< 3"):
        list(module.read(place, Small, fields="id"))
    with pytest.raises(demat.DecodeError, match="< 3"):
        module.columns(place, Small)


@each
def test_damaged_and_missing_places(module: Any, tmp_path: Path):
    place = place_of(module, tmp_path)
    module.write(place, [Task(1, "a")])
    data = place.read_bytes()
    for damaged in (b"", b"x", data[:10], b"{}" * 20):
        with pytest.raises(demat.DecodeError):
            list(module.read(damaged, Task))
        with pytest.raises(demat.DecodeError):
            module.columns(damaged)
    with pytest.raises(demat.StoreError):
        module.read(tmp_path / "missing", Task)
    with pytest.raises(TypeError):
        module.columns(5)
    with pytest.raises(TypeError):
        module.read(place, 5)
    with pytest.raises(demat.EncodeError):
        module.write(place, [Task(1, "a"), object()], Task)
    assert place.read_bytes() == data
    module.write(place, [], Task)
    assert list(module.read(place, Task)) == []


def test_options_of_the_columns(tmp_path: Path):
    @dataclass
    class Priced:
        price: Decimal

    place = tmp_path / "priced.parquet"
    parquet.write(place, [Priced(Decimal("1.5"))], decimals=(10, 2))
    assert repr(parquet.columns(place)) == "<demat.Columns of 1 records: price: Decimal128(10, 2)>"
    assert list(parquet.read(place, Priced)) == [Priced(Decimal("1.50"))]


def test_other_libraries_read_what_is_written(tmp_path: Path):
    polars = pytest.importorskip("polars")
    place = tmp_path / "tasks.parquet"
    parquet.write(place, [Task(1, "a"), Task(2, "b", done=True)])
    frame = polars.read_parquet(place)
    assert frame.rows() == [(1, "a", False), (2, "b", True)]
    frame.write_parquet(tmp_path / "other.parquet", compression="zstd")
    assert list(parquet.read(tmp_path / "other.parquet", Task)) == [Task(1, "a"), Task(2, "b", done=True)]
    parquet.write(tmp_path / "frame.parquet", frame)
    assert list(parquet.read(tmp_path / "frame.parquet", Task))[1].done
