"""`columns` with `on_error`: the rows that are not refused, and what becomes of the others."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field, csv, json, msgpack, ndjson, proto, xml, yaml

MODULES = [pytest.param(module, id=module.__name__) for module in (csv, json, msgpack, ndjson, proto, xml, yaml)]


@dataclass
class Task:
    id: int
    title: str
    done: bool = False


@dataclass
class Small:
    id: Annotated[int, Field(le=3)]
    title: str


@dataclass
class Checked:
    id: int
    title: str

    def __post_init__(self) -> None:
        if self.id == 2:
            raise ValueError("two is taken")


LINES = b'{"id":1,"title":"a"}\n{"id":"x","title":"b"}\nnonsense\n{"id":3,"title":"c","done":true}\n'


def test_refused_lines_are_left_out_or_collected(tmp_path: Path):
    place = tmp_path / "tasks.ndjson"
    place.write_bytes(LINES)
    for source in (place, str(place), LINES, io.BytesIO(LINES), [LINES[:30], LINES[30:]]):
        columns = ndjson.columns(source, Task, on_error="skip")
        assert columns.records(Task) == [Task(1, "a"), Task(3, "c", done=True)]
    rejects: list[tuple[demat.Error, bytes]] = []
    columns = ndjson.columns(place, Task, on_error="collect", rejects=rejects)
    assert columns.numpy("id").tolist() == [1, 3]
    assert [data.rstrip() for _, data in rejects] == [b'{"id":"x","title":"b"}', b"nonsense"]
    assert isinstance(rejects[0][0], demat.ValidationError)
    assert rejects[0][0].path == "$[1].id"
    seen: list[bytes] = []
    ndjson.columns(place, Task, on_error="collect", rejects=lambda _, data: seen.append(data))
    assert len(seen) == 2


@pytest.mark.parametrize("module", MODULES)
def test_without_refused_records_the_columns_are_the_same(module: Any, tmp_path: Path):
    tasks = [Task(number, f"task {number}", number % 2 == 0) for number in range(50)]
    place = tmp_path / "tasks"
    module.write(place, tasks)
    plain, lenient = module.columns(place, Task), module.columns(place, Task, on_error="skip")
    assert repr(lenient) == repr(plain)
    assert lenient.records(Task) == plain.records(Task) == tasks
    chosen = module.columns(place, Task, fields=["title", "id"], on_error="skip")
    assert chosen.names == ("title", "id")
    if module is not proto:
        assert repr(module.columns(place, on_error="skip")) == repr(module.columns(place))


@pytest.mark.parametrize(("cls", "left"), [(Small, [1, 2, 3]), (Checked, [1, 3, 4, 5])])
def test_rules_of_a_class_refuse_single_records(cls: Any, left: list[int]):
    data = csv.encode([Task(number, "x") for number in range(1, 6)])
    rejects: list[tuple[demat.Error, bytes]] = []
    columns = csv.columns(data, cls, on_error="collect", rejects=rejects)
    assert columns.numpy("id").tolist() == left
    assert len(rejects) == 5 - len(left)
    with pytest.raises(demat.DecodeError):
        csv.columns(data, cls)


def test_what_can_not_be_honoured_is_refused():
    with pytest.raises(ValueError, match="batch_size= can't be combined with on_error="):
        ndjson.columns(LINES, Task, on_error="skip", batch_size=10)
    with pytest.raises(ValueError, match="threads= can't be combined"):
        ndjson.columns(LINES, Task, on_error="skip", threads=2)
    with pytest.raises(ValueError, match="needs rejects="):
        ndjson.columns(LINES, Task, on_error="collect")
    with pytest.raises(ValueError, match="rejects= needs on_error="):
        ndjson.columns(LINES, Task, rejects=[])
    with pytest.raises(ValueError, match="on_error"):
        ndjson.columns(LINES, Task, on_error="some")
    with pytest.raises(TypeError, match="rejects"):
        ndjson.columns(LINES, Task, on_error="collect", rejects=5)


def test_what_a_callable_raises_ends_the_reading():
    def rejects(error: demat.Error, data: bytes) -> None:
        raise KeyError(data)

    with pytest.raises(KeyError):
        ndjson.columns(LINES, Task, on_error="collect", rejects=rejects)


def test_errors_of_the_whole_still_end_it(tmp_path: Path):
    with pytest.raises(demat.DecodeError):
        json.columns(b'[{"id":1,"title":"a"},', Task, on_error="skip")
    with pytest.raises(demat.StoreError):
        json.columns(tmp_path / "missing.json", Task, on_error="skip")
    # The last record of one window may be refused because it is cut; that is no reject.
    data = b"".join(b'{"id":%d,"title":"%s"}\n' % (number, b"x" * 500) for number in range(5000))
    rejects: list[Any] = []
    assert len(ndjson.columns(data, Task, on_error="collect", rejects=rejects)) == 5000
    assert rejects == []
