"""Lazy records: views of a class over the bytes of a message."""

import copy
import dataclasses
import datetime
import gc
import mmap
import pickle
import weakref
from collections.abc import MutableSequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import demat
import numpy as np
import pytest
from demat import Field, json, proto
from steady import memory_stays, same_for_threads


@dataclass
class Point:
    x: int = 0
    y: int = 0


@dataclass(slots=True)
class Task:
    id: Annotated[int, Field(wire="sint32")]
    title: str
    tags: list[str] = field(default_factory=list)
    sizes: Annotated[list[int], Field(wire="fixed32")] = field(default_factory=list)
    steps: list[int] = field(default_factory=list)
    due: datetime.datetime | None = None
    counts: dict[str, int] = field(default_factory=dict)
    at: Point | None = None
    points: list[Point] = field(default_factory=list)
    done: bool = False
    weight: Annotated[list[float], Field(wire="float")] = field(default_factory=list)


DUE = datetime.datetime(2024, 1, 2, tzinfo=datetime.UTC)
TASK = Task(
    -5, "Clean", ["a", "ü"], [1, 2, 3], [1, 300, -1], DUE, {"a": 1}, Point(1, 2), [Point(3), Point()], True, [0.5]
)
DATA = proto.encode(TASK)


def view(data: Any = DATA) -> Task:
    return proto.decode(data, Task, lazy=True)


def test_a_view_is_an_instance_of_the_class():
    assert isinstance(view(), Task)
    assert type(view()) is type(view()) is not Task
    assert type(view()).__name__ == "Task"
    assert isinstance(view().at, Point)
    assert dataclasses.is_dataclass(view())


def test_it_is_equal_to_what_is_decoded():
    assert view() == TASK == proto.decode(DATA, Task)
    assert view() == view()
    assert (view() != TASK) is False
    assert view() != dataclasses.replace(TASK, id=7)
    assert view() != 3
    assert repr(view()) == repr(TASK)
    with pytest.raises(TypeError, match="unhashable type: 'Task'"):
        hash(view())


def test_frozen_records_hash_and_stay():
    @dataclass(frozen=True)
    class Frozen:
        id: int
        name: str = ""

    own = proto.decode(proto.encode(Frozen(1, "a")), Frozen, lazy=True)
    assert hash(own) == hash(Frozen(1, "a"))
    assert own in {Frozen(1, "a")}
    with pytest.raises(dataclasses.FrozenInstanceError):
        own.id = 2  # type: ignore[misc]


def test_nothing_is_kept_but_what_can_change():
    own = view()
    assert own.tags is own.tags
    assert own.at is own.at
    assert own.points[0] is own.points[0]
    assert own.counts is own.counts
    assert own.due is not own.due


def test_a_message_that_was_only_read_is_written_as_it_is():
    # Fields in another order, one twice, an unknown one, a varint that is longer than it need be.
    odd = b"\xd8\x0f\x07" + DATA[2:] + b"\x08\x01\x08\x89\x80\x00" + b"\x1a\x01z"
    own = view(odd)
    assert own.id == -5
    assert own.tags == ["a", "ü", "z"]
    assert own == proto.decode(odd, Task)
    assert proto.encode(own) == odd


@pytest.mark.parametrize(
    ("change", "name"),
    [
        (lambda own: setattr(own, "title", "Read"), "title"),
        (lambda own: own.tags.append("c"), "tags"),
        (lambda own: own.sizes.__setitem__(1, 9), "sizes"),
        (lambda own: own.steps.clear(), "steps"),
        (lambda own: own.counts.update(z=2), "counts"),
        (lambda own: setattr(own.at, "x", 7), "at"),
        (lambda own: setattr(own.points[1], "y", 7), "points"),
        (lambda own: own.points.pop(), "points"),
        (lambda own: setattr(own, "due", None), "due"),
        (lambda own: setattr(own, "done", False), "done"),
        (lambda own: own.weight.extend([1.5, 2.5]), "weight"),
        (lambda own: own.tags.__iadd__(["x"]), "tags"),
        (lambda own: own.tags.__delitem__(slice(None)), "tags"),
        (lambda own: own.tags.sort(reverse=True), "tags"),
    ],
)
def test_what_was_changed_is_merged_around_the_rest(change: Any, name: str):
    own, other = view(DATA + b"\xd8\x0f\x07"), copy.deepcopy(TASK)
    change(own)
    change(other)
    assert getattr(own, name) == getattr(other, name)
    written = proto.encode(own)
    assert proto.decode(written, Task) == other
    assert written.endswith(b"\xd8\x0f\x07")
    alone = proto.encode(dataclasses.replace(TASK, **{name: getattr(other, name)}))
    assert sorted(written[:-3]) == sorted(alone)


def test_what_is_changed_back_is_what_it_was():
    own = view()
    own.tags.append("c")
    own.tags.pop()
    own.counts["b"] = 1
    del own.counts["b"]
    assert proto.encode(own) == DATA


def test_fields_that_did_not_come():
    own = view(b"")
    assert own == Task(0, "")
    own.tags.append("a")
    own.points.append(Point(1))
    assert proto.decode(proto.encode(own), Task) == Task(0, "", ["a"], points=[Point(1)])
    assert proto.encode(view(b"")) == b""


def test_fields_can_not_be_deleted():
    with pytest.raises(AttributeError, match="`title` of a lazy record can't be deleted"):
        del view().title


def test_a_view_within_another_message():
    @dataclass
    class Box:
        task: Task
        tasks: list[Task]

    own = view()
    box = Box(own, [own, TASK])
    assert proto.encode(box) == proto.encode(Box(TASK, [TASK, TASK]))
    assert proto.encode([own, own]) == proto.encode([TASK, TASK])
    again = proto.decode(proto.encode(box), Box, lazy=True)
    again.task = view(proto.encode(dataclasses.replace(TASK, id=1)))
    assert proto.decode(proto.encode(again), Box).task.id == 1


def test_other_formats_write_it_as_the_class():
    assert json.encode(view()) == json.encode(TASK)
    assert json.encode([view()], type=list[Task]) == json.encode([TASK])
    assert demat.ndjson.encode([view()]) == demat.ndjson.encode([TASK])


def test_lists_are_lists_to_all_that_programs_do():
    own = view()
    assert isinstance(own.tags, MutableSequence)
    assert (len(own.tags), own.tags[0], own.tags[-1], own.tags[:1], "ü" in own.tags) == (2, "a", "ü", ["a"], True)
    assert [*own.tags, *reversed(own.tags)] == ["a", "ü", "ü", "a"]
    assert own.tags + ["b"] == ["a", "ü", "b"]  # noqa: RUF005
    assert ["b"] + own.tags == ["b", "a", "ü"]  # noqa: RUF005
    assert own.tags * 2 == ["a", "ü"] * 2
    assert own.tags == view().tags
    assert own.tags != ["a"]
    assert own.steps > [1]
    assert own.tags.index("ü") == 1
    assert repr(own.steps) == "[1, 300, -1]"
    assert pickle.loads(pickle.dumps(own.steps)) == [1, 300, -1]
    with pytest.raises(IndexError):
        own.tags[2]
    with pytest.raises(AttributeError):
        _ = own.tags.nonsense  # type: ignore[attr-defined]


def test_numbers_of_fixed_width_are_a_buffer():
    data = bytearray(DATA)
    own = view(data)
    numbers = np.asarray(own.sizes)
    assert numbers.dtype == np.uint32
    assert numbers.tolist() == [1, 2, 3]
    assert not numbers.flags.writeable
    # No copy: what is written to the bytes is seen.
    at = data.index(b"\x01\x00\x00\x00\x02\x00\x00\x00")
    data[at] = 9
    assert numbers.tolist() == [9, 2, 3]
    assert memoryview(own.weight).tolist() == [0.5]
    with pytest.raises(BufferError, match="can't be changed while a buffer of it is looked at"):
        own.sizes.append(1)
    del numbers
    own.sizes.append(1)
    with pytest.raises(BufferError, match="only numbers of fixed width"):
        memoryview(own.sizes)  # type: ignore[arg-type]
    with pytest.raises(BufferError, match="only numbers of fixed width"):
        memoryview(own.steps)  # type: ignore[arg-type]


def test_numbers_in_pieces_are_a_buffer_of_a_copy():
    own = view(DATA + b"\x25\x07\x00\x00\x00" + DATA)
    assert np.asarray(own.sizes).tolist() == [1, 2, 3, 7, 1, 2, 3]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_buffer(kind: Any):
    assert view(kind(DATA)) == TASK


def test_a_mapped_file(tmp_path: Path):
    path = tmp_path / "task.pb"
    path.write_bytes(DATA)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
        own = view(memory)
        assert own == TASK
        with pytest.raises(BufferError):
            memory.close()
        del own


def test_views_keep_the_buffer():
    data = bytearray(DATA)
    own = view(data)
    point, points = own.at, own.points
    del own
    with pytest.raises(BufferError):
        data.append(0)
    assert (point, points) == (TASK.at, TASK.points)
    del point, points
    data.append(0)


def test_a_closed_reader_takes_its_views_along(tmp_path: Path):
    path = tmp_path / "tasks.pb"
    path.write_bytes(proto.encode([TASK] * 3))
    with proto.read(path, Task, lazy=True) as reader:
        rows = list(reader)
        tags, points = rows[2].tags, rows[2].points
        assert rows == [TASK] * 3
        numbers = np.asarray(rows[0].sizes)
        with pytest.raises(BufferError, match="still looked at"):
            reader.close()
        del numbers
    assert reader.closed
    for use in (lambda: rows[1].title, lambda: tags[0], lambda: points[1].x, lambda: proto.encode(rows[1])):
        with pytest.raises(ValueError, match="the buffer of this record was released"):
            use()
    assert list(reader) == []
    # What has left it is the program's.
    assert repr(TASK) == repr(TASK)


def test_recycled_views(tmp_path: Path):
    path = tmp_path / "tasks.pb"
    tasks = [dataclasses.replace(TASK, id=id, tags=[str(id)]) for id in range(20)]
    path.write_bytes(proto.encode(tasks))
    seen = []
    kept = []
    for own in proto.read(path, Task, lazy=True, recycle=True):
        seen.append((own.id, list(own.tags)))
        own.title = "changed"
        if own.id % 5 == 0:
            kept.append(own)
    assert seen == [(task.id, task.tags) for task in tasks]
    assert [own.id for own in kept] == [0, 5, 10, 15]
    assert all(own.title == "changed" for own in kept)


def test_lists_of_views():
    data = proto.encode([TASK, TASK])
    assert proto.decode(data, list[Task], lazy=True) == [TASK, TASK]
    assert proto.Decoder(list[Task], lazy=True).decode(data) == [TASK, TASK]
    assert proto.Decoder(Task, lazy=True).decode(DATA) == TASK
    with pytest.raises(demat.DecodeError, match="a message behind its length"):
        proto.decode(data[:-1], list[Task], lazy=True)
    with pytest.raises(demat.DecodeError, match="a message behind its length"):
        list(proto.read(data[:-1], Task, lazy=True))


def test_copies():
    own = view(bytearray(DATA))
    own.tags.append("c")
    changed = dataclasses.replace(TASK, tags=["a", "ü", "c"])
    for other in (copy.copy(own), copy.deepcopy(own)):
        assert other == changed
        other.tags.append("d")
        assert own == changed
    replaced = dataclasses.replace(own, id=9)
    assert type(replaced) is Task
    assert replaced == dataclasses.replace(changed, id=9)
    assert dataclasses.asdict(own)["at"] == {"x": 1, "y": 2}


def test_pickles():
    own = proto.decode(proto.encode(Point(3, 4)), Point, lazy=True)
    own.x = 5
    assert pickle.loads(pickle.dumps(own)) == Point(5, 4)


@pytest.mark.parametrize(
    "data",
    [
        b"\x08",
        b"\x0a\x01\x00",
        b"\x12\xff\xff\xff\xff\x0f",
        b"\x12\x01\xff",
        b"\x00\x01",
        b"\x0f",
        b"\x0b\x0b",
        b"\x42\x01\x08",
    ],
)
def test_errors_are_those_of_the_decoder(data: bytes):
    with pytest.raises(demat.Error) as full:
        proto.decode(data, Task)
    with pytest.raises(demat.Error) as found:
        repr(view(data))
    assert type(found.value) is type(full.value)


def test_errors_have_path_and_position():
    with pytest.raises(demat.Error, match=r"UTF-8.*`\$.title`") as found:
        _ = view(b"\x08\x01\x12\x01\xff").title
    assert found.value.path == "$.title"


def test_classes_that_have_no_views():
    @dataclass
    class Late:
        id: int

        def __post_init__(self) -> None:
            raise AssertionError

    with pytest.raises(TypeError, match="`Late` has no lazy records: it has a `__post_init__`"):
        proto.decode(b"", Late, lazy=True)
    for type_ in (int, dict[str, int], list[int]):
        with pytest.raises(TypeError, match="lazy records are those of a dataclass"):
            proto.decode(b"", type_, lazy=True)
    with pytest.raises(TypeError, match="has no option"):
        demat.csv.decode(b"", Task, lazy=True)  # type: ignore[call-overload]


def test_recursive_messages():
    @dataclass
    class Node:
        value: int = 0
        next: "Node | None" = None
        children: list["Node"] = field(default_factory=list)

    tree = Node(1, Node(2, Node(3)), [Node(4), Node(5, None, [Node(6)])])
    own = proto.decode(proto.encode(tree), Node, lazy=True)
    assert own.next is not None
    assert own.next.next is not None
    assert own.next.next.value == 3
    own.children[1].children[0].value = 60
    tree.children[1].children[0].value = 60
    assert proto.decode(proto.encode(own), Node) == tree


def test_views_and_classes_go():
    @dataclass
    class Gone:
        id: int = 0
        tags: list[str] = field(default_factory=list)
        self: Any = None

    own = proto.decode(proto.encode(Gone(1, ["a"])), Gone, lazy=True)
    own.self = own
    own.tags.append("b")
    refs = [weakref.ref(type(own)), weakref.ref(Gone)]
    del own
    gc.collect()
    del Gone
    gc.collect()
    gc.collect()
    assert [ref() for ref in refs] == [None, None]


def test_many_threads_read_one_view():
    own = view()
    same_for_threads(lambda: own == TASK and own.tags[1] == "ü", 300)


def test_memory_stays():
    def work() -> None:
        own = view(bytearray(DATA))
        repr(own)
        own.tags.append("c")
        proto.encode(own)

    memory_stays(work, 500)


@pytest.mark.parametrize("number", [1, 15, 16, 300])
@pytest.mark.parametrize("lengths", [[3] * 20, [3, 3, 4, 4, 3, 0, 0, 127, 127, 128, 128, 300, 300, 3], [1, 2, 1, 2]])
def test_items_alike_and_not(number: int, lengths: list[int]):
    @dataclass
    class Box:
        names: Annotated[list[str], Field(number)] = field(default_factory=list)
        points: Annotated[list[Point], Field(7)] = field(default_factory=list)
        last: Annotated[int, Field(400)] = 0

    box = Box(["x" * length for length in lengths], [Point(length, 1) for length in lengths], 5)
    data = proto.encode(box) + proto.encode(Box(["y"], [Point(9)]))
    own = proto.decode(data, Box, lazy=True)
    assert own == proto.decode(data, Box)
    assert (len(own.names), own.names[-1], own.points[-1], own.last) == (len(lengths) + 1, "y", Point(9), 5)
    for cut in range(len(data)):
        part = data[:cut]
        try:
            expected = repr(proto.decode(part, Box))
        except demat.Error:
            with pytest.raises(demat.Error):
                repr(proto.decode(part, Box, lazy=True))
        else:
            assert repr(proto.decode(part, Box, lazy=True)) == expected
