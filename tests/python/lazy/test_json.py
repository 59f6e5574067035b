"""Lazy records over JSON: blanks, lines, positions by line, and text. What all formats with keys share is in
`test_keyed.py`."""

from __future__ import annotations

import abc
import dataclasses
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Hook, json, ndjson, proto
from hypothesis import given
from hypothesis import strategies as st
from lazy_tasks import NAMES, ODD, TASK, Point, Task

DATA = json.encode(TASK)


def view(data: Any = DATA, **options: Any) -> Task:
    return json.decode(data, Task, lazy=True, **options)


@pytest.mark.parametrize("data", [DATA, ODD], ids=["own", "odd"])
def test_what_was_only_read_is_written_as_it_is(data: bytes):
    assert json.encode(view(data)) == data
    own = view(data)
    repr(own)
    assert own.at is own.at
    assert own.points[0] is own.points[0]
    assert own.counts is own.counts
    assert json.encode(own) == data
    assert json.encode([own, 1]) == b"[" + data + b",1]"
    assert json.encode({"a": own}, type=dict[str, Task]) == b'{"a":' + data + b"}"
    # Blanks around it are nobody's, nor is the mark of the byte order.
    assert json.encode(view(b"\xef\xbb\xbf \n" + data + b" \r\n")) == data


def test_a_change_leaves_all_else_as_it_is():
    own = view(ODD)
    own.title = "Read"
    assert json.encode(own) == ODD.replace(b'"Clean \\u00fc"', b'"Read"')
    own = view(ODD)
    assert own.at is not None
    own.at.y = 7.0
    own.points[0].x = 4
    assert json.encode(own) == ODD.replace(b'"y":2.5', b'"y":7.0').replace(b'"x":3 , "z"', b'"x":4 , "z"')
    # Of a key that comes twice the last one counts.
    own = view(b'{"id":1,"title":"a","id":2}')
    own.id = 3
    assert json.encode(own) == b'{"id":1,"title":"a","id":3}'


@pytest.mark.parametrize(
    ("data", "written"),
    [
        (b"{}", b'{"id":1,"title":"c","tags":["a"]}'),
        (b"{ \n}", b'{"id":1,"title":"c","tags":["a"] \n}'),
        (b'{"x":[] }', b'{"x":[],"id":1,"title":"c","tags":["a"] }'),
        (b'{\n  "title": "a"\n}\n', b'{\n  "title": "a","id":1,"tags":["a"]\n}'),
        (b'{"tags":[],"title":"b"}', b'{"tags":["a"],"title":"b","id":1}'),
    ],
)
def test_fields_that_did_not_come(data: bytes, written: bytes):
    own = view(data)
    own.tags.append("a")
    own.id = 1
    if b"title" not in data:
        with pytest.raises(demat.EncodeError, match="expected field `title`"):
            json.encode(own)
        own.title = "c"
    assert json.encode(own) == written


def test_fields_that_have_to_come():
    own = view(b'{"title":\n"a"}')
    assert own.title == "a"
    with pytest.raises(demat.ValidationError) as eager:
        json.decode(b'{"title":\n"a"}', Task)
    with pytest.raises(demat.ValidationError) as late:
        _ = own.id
    assert str(late.value) == str(eager.value)
    with pytest.raises(AttributeError, match="`title` of a lazy record can't be deleted"):
        del own.title


WRONG = [
    b'{"title": 5, "id": 1}',
    b'{"id":1,"title":"a",\n "tags":[1, 2]}',
    b'{"id":1.5,"title":"a"}',
    b'{"id":1,"title":"a","at":{"x":\n"b"}}',
    b'{"id":1,"title":"a","at":[1]}',
    b'{"id":1,"title":"a","points":[{},\n {"x":null}]}',
    b'{"id":1,"title":"a","points":[{}, 7]}',
    b'{"id":1,"title":"a","points":{}}',
    b'{"id":1,"title":"a","due":"2024-13-01"}',
    b'{"id":1,"title":"a","counts":{"a":"x"}}',
    b'{"id":1,"title":null}',
    b"[1]",
    b"null",
    b"",
    b" ",
    b'"a"',
    b'{"id":1,"title":"a"} x',
    b'{"id":1,"title":"a",}',
    b'{"id":1,"title":"\xff"}',
    b'{"id":1,"title":"\\ud800"}',
    b'{"id":1 "title":"a"}',
    b'\xef\xbb\xbf\xef\xbb\xbf{"id":1,"title":"a"}',
]


@pytest.mark.parametrize("data", WRONG)
def test_errors_are_those_of_the_decoder(data: bytes):
    with pytest.raises(demat.Error) as eager:
        json.decode(data, Task)
    with pytest.raises(demat.Error) as late:
        repr(view(data))
    assert type(late.value) is type(eager.value)
    assert (late.value.line, late.value.column) == (eager.value.line, eager.value.column)
    # Of a record within a record the path is that in it.
    assert str(late.value).split(" at ")[0].split(" (")[0] == str(eager.value).split(" at ")[0].split(" (")[0]


def test_errors_have_path_and_position_in_a_list():
    data = b'[\n {"id":1,"title":"a"},\n {"id":2,"title":false}]'
    for own in (json.decode(data, list[Task], lazy=True), list(json.read(data, Task, lazy=True))):
        assert own[0].title == "a"
        with pytest.raises(demat.ValidationError, match=r"found `bool` False at `\$\.title` \(line 3, column 18\)"):
            _ = own[1].title
    lines = b'{"id":1,"title":"a"}\n{"id":2,"title":false}\n'
    for own in (ndjson.decode(lines, list[Task], lazy=True), list(ndjson.read(lines, Task, lazy=True))):
        with pytest.raises(demat.ValidationError, match=r"found `bool` False at `\$\.title` \(line 2, column 17\)"):
            _ = own[1].title


def test_depth_holds_for_what_is_opened_late():
    @dataclass
    class Node:
        next: Node | None = None
        more: list[Node] = field(default_factory=list)
        any: Any = None

    def nested(depth: int) -> bytes:
        return b'{"next":' * depth + b"{}" + b"}" * depth

    local = {"Node": Node}
    assert local
    own = json.decode(nested(3), Node, lazy=True, depth=4)
    assert own.next is not None
    assert own.next.next is not None
    assert own.next.next.next == Node()
    for data in (nested(4), b'{"any":[[[[]]]]}', b'{"more":[{"more":[{}]}]}', b'{"next":{"next":{"any":[[]]}}}'):
        with pytest.raises(demat.LimitError) as eager:
            json.decode(data, Node, depth=4)
        with pytest.raises(demat.LimitError) as late:
            _ = json.decode(data, Node, lazy=True, depth=4).any
        assert str(late.value).split(" at ")[0] == str(eager.value).split(" at ")[0]
    # Bytes that were changed meanwhile find the same limit.
    data = bytearray(b'{"next":{"next":{"any":[ ]}}}'.replace(b"[ ]", b"[   ]"))
    own = json.decode(data, Node, lazy=True, depth=4)
    assert own.next is not None
    assert own.next.next is not None
    data[data.index(b"[") : data.index(b"]") + 1] = b"[[ ]]"
    with pytest.raises(demat.LimitError):
        _ = own.next.next.any
    with pytest.raises(demat.LimitError):
        json.decode(b'[{"any":[[]]}]', list[Node], lazy=True, depth=3)
    assert len(json.decode(b'[{"any":[]}]', list[Node], lazy=True, depth=3)) == 1


def test_other_names_and_other_formats_go_by_the_fields():
    own = view(ODD)
    assert json.encode(own, indent=1) == json.encode(TASK, indent=1)
    assert json.encode(own, sort_keys=True) == json.encode(TASK, sort_keys=True)
    assert json.encode(own, rename="pascal") == json.encode(TASK, rename="pascal")
    # A line has no line breaks.
    assert ndjson.decode(ndjson.encode([own]), list[Task]) == [TASK]
    assert ndjson.encode([view(DATA + b" ")]) == DATA + b"\n"
    assert demat.csv.encode([json.decode(b'{"x":1}', Point, lazy=True)]) == b"x,y\n1,0.0\n"
    point = proto.decode(proto.encode(Point(4)), Point, lazy=True)
    assert json.encode(point) == b'{"x":4,"y":0.0}'
    own.at = point
    assert json.decode(json.encode(own), Task) == dataclasses.replace(TASK, at=Point(4))


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda data: data.decode()])
def test_any_buffer_and_text(kind: Any):
    own = view(kind(ODD))
    assert own == TASK
    assert json.encode(own) == ODD
    assert json.decode(kind(b"[" + ODD + b"]"), list[Task], lazy=True) == [TASK]
    assert json.Decoder(Task, lazy=True).decode(kind(ODD)) == TASK
    with pytest.raises(demat.DecodeError, match="surrogate"):
        view('{"title":"\ud800"}')
    with pytest.raises(TypeError):
        view(5)


@pytest.mark.parametrize("recycle", [False, True])
@formats.each(reads="lazy")
def test_files(tmp_path: Path, module: Any, recycle: bool):
    tasks = [dataclasses.replace(TASK, id=id, tags=[str(id)]) for id in range(20)]
    path = tmp_path / "tasks"
    path.write_bytes(module.encode(tasks))
    kept = []
    with module.read(path, Task, lazy=True, recycle=recycle) as reader:
        for at, own in enumerate(reader):
            assert own == tasks[at]
            assert json.encode(own) == json.encode(tasks[at])
            own.title = "changed"
            if at % 5 == 0:
                kept.append(own)
        assert reader.record == 20
        assert [own.id for own in kept] == [0, 5, 10, 15]
    with pytest.raises(ValueError, match="the buffer of this record was released"):
        _ = kept[0].id
    with pytest.raises(ValueError, match="the buffer of this record was released"):
        json.encode(kept[0])
    assert [own.id for own in module.read(path.read_bytes(), Task, lazy=True)] == list(range(20))
    assert module.decode(path.read_bytes(), list[Task], lazy=True) == tasks


def test_files_that_are_odd(tmp_path: Path):
    assert list(ndjson.read(b"", Task, lazy=True)) == []
    assert list(ndjson.read(b"\n \r\n\n", Task, lazy=True)) == []
    assert [own.x for own in ndjson.read(b'\xef\xbb\xbf{"x":1}\r\n\n {"x":2}', Point, lazy=True)] == [1, 2]
    assert list(json.read(b" [ ] ", Task, lazy=True)) == []
    for data in (b"", b"{}", b'[{"x":1}', b'[{"x":1},]', b'[{"x":1}] 1', b'[{"x":1} {}]'):
        with pytest.raises(demat.Error):
            list(json.read(data, Point, lazy=True))
        with pytest.raises(demat.Error):
            json.decode(data, list[Point], lazy=True)
    packed = tmp_path / "tasks.json.gz"
    json.write(packed, [TASK])
    with pytest.raises(ValueError, match="unpack it first"):
        json.read(packed, Task, lazy=True)
    with pytest.raises(TypeError, match='lazy records have no option "gc"'):
        json.read(DATA, Task, lazy=True, gc=False)  # type: ignore[call-overload]


def test_classes_that_have_no_views():
    class Late:
        id: int

        def __post_init__(self) -> None:
            raise AssertionError

    class Based(abc.ABC):
        id: int

    @demat.configure(tag="kind")
    @dataclass
    class Tagged:
        id: int

    for cls, reason in (
        (dataclass(Late), "it has a `__post_init__`"),
        (dataclass(Based), "it has a metaclass"),
        (Tagged, "it is a variant of a union, which its tag says"),
    ):
        with pytest.raises(TypeError, match=f"has no lazy records: {reason}"):
            json.decode(b"{}", cls, lazy=True)
    for type_ in (int, dict[str, int], list[int]):
        with pytest.raises(TypeError, match="lazy records are those of a dataclass"):
            json.decode(b"", type_, lazy=True)
    with pytest.raises(TypeError, match="lazy records are of a class"):
        json.decode(b"{}", lazy=True)


@dataclass
class Abstract(abc.ABC):  # noqa: B024
    id: int = 0


@dataclass
class Outer:
    inner: Abstract
    many: list[Abstract]


def test_classes_without_views_within_others_are_decoded():
    own = json.decode(b'{"inner":{"id":1},"many":[{"id":2}]}', Outer, lazy=True)
    assert own == Outer(Abstract(1), [Abstract(2)])
    own.inner.id = 5
    assert json.encode(own) == b'{"inner":{"id":5},"many":[{"id":2}]}'
    message = proto.decode(proto.encode(Outer(Abstract(1), [Abstract(2)])), Outer, lazy=True)
    assert message == Outer(Abstract(1), [Abstract(2)])


@pytest.mark.parametrize("fails", [False, True])
def test_hooks_that_close_the_reader(fails: bool):
    readers: list[Any] = []

    def decode(number: int) -> int:
        readers[0].close()
        if fails:
            raise ValueError("no")
        return number

    @dataclass
    class Hooked:
        id: Annotated[int, Hook(wire=int, decode=decode)]
        many: list[Annotated[int, Hook(wire=int, decode=decode)]] = field(default_factory=list)

    for module in formats.modules(reads="lazy"):
        for name in ("id", "many"):
            data = bytearray(module.encode([Hooked(5, [6] * 1000)]))
            readers[:] = [module.read(data, Hooked, lazy=True)]
            own = next(readers[0])
            if fails:
                with pytest.raises(demat.ValidationError, match="no at"):
                    getattr(own, name)
            else:
                assert getattr(own, name) == (5 if name == "id" else [6] * 1000)
            data.clear()
            with pytest.raises(ValueError, match="was released"):
                getattr(own, "many" if name == "id" else "id")


scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
points = st.builds(Point, st.integers(), st.floats(allow_nan=False, allow_infinity=False))
tasks = st.builds(
    Task,
    st.integers(),
    st.text(),
    st.lists(st.text(), max_size=4),
    st.booleans(),
    st.none() | st.dates(),
    st.none() | points,
    st.lists(points, max_size=4),
    st.dictionaries(st.text(), st.integers(), max_size=3),
    st.none() | st.decimals(allow_nan=False, allow_infinity=False),
    st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)),
)


@given(tasks, st.permutations(NAMES), st.none() | st.integers(0, 3), st.booleans())
def test_any_record(task: Task, asked: list[str], indent: int | None, ascii: bool):
    data = json.encode(task, indent=indent, ascii=ascii)
    own, eager = view(data), json.decode(data, Task)
    for name in asked:
        assert getattr(own, name) == getattr(eager, name)
    assert own == eager
    assert json.encode(own) == data


@given(tasks, tasks, st.lists(st.sampled_from(NAMES), unique=True), st.integers(0, 3))
def test_any_change(task: Task, other: Task, names: list[str], indent: int):
    data = json.encode(task, indent=indent)
    own = view(data)
    for name in names:
        value = getattr(other, name)
        setattr(own, name, value)
        setattr(task, name, value)
    written = json.encode(own)
    assert json.decode(written, Task) == json.decode(json.encode(task), Task)
    assert view(written) == json.decode(written, Task)
