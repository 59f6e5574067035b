"""Lazy records over formats with keys: views of a class over the bytes of an object or a map."""

from __future__ import annotations

import copy
import dataclasses
import mmap
import pickle
from dataclasses import dataclass, field
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Field, Hook, json, ndjson, proto
from hypothesis import given
from hypothesis import strategies as st
from lazy_tasks import NAMES, TASK, Point, Task, form, odd
from steady import memory_stays, same_for_threads

EACH = pytest.mark.parametrize("module", formats.import_all(formats.KEYED), ids=formats.name)


def view(module: Any, data: Any, **options: Any) -> Task:
    own: Task = module.decode(data, Task, lazy=True, **options)
    return own


def documents(module: Any) -> list[bytes]:
    return [module.encode(TASK), odd(module)]


@EACH
def test_it_is_equal_to_what_is_decoded(module: Any):
    for data in documents(module):
        assert isinstance(view(module, data), Task)
        assert view(module, data) == TASK == module.decode(data, Task)
        assert repr(view(module, data)) == repr(TASK)
        for name in NAMES:
            assert getattr(view(module, data), name) == getattr(TASK, name)
        assert isinstance(view(module, data).at, Point)


@EACH
def test_what_was_only_read_is_written_as_it_is(module: Any):
    for data in documents(module):
        assert module.encode(view(module, data)) == data
        own = view(module, data)
        repr(own)
        assert own.at is own.at
        assert own.points[0] is own.points[0]
        assert own.counts is own.counts
        assert module.encode(own) == data
        written = module.encode([own, 1])
        assert data in written
        assert module.decode(written) == [module.decode(data), 1]
        assert data in module.encode({"a": own}, type=dict[str, Task])


@EACH
def test_a_change_leaves_all_else_as_it_is(module: Any):
    data, part = odd(module), lambda text, wide=True: form(module, text, wide=wide)
    own = view(module, data)
    own.title = "Read"
    title = b'"Clean \\u00fc"'
    assert module.encode(own) == data.replace(part(title), part(b'"Read"', False))
    own = view(module, data)
    assert own.at is not None
    own.at.y = 7.0
    own.points[0].x = 400
    written = module.encode(own)
    assert module.decode(written, Task) == dataclasses.replace(TASK, at=Point(1, 7.0), points=[Point(400), Point()])
    own = view(module, form(module, b'{"id":1,"title":"a","id":2}'))
    own.id = 3
    assert module.encode(own) == form(module, b'{"id":1,"title":"a","id":3}')


CHANGES = [
    (lambda own: setattr(own, "title", "Read\n"), "title"),
    (lambda own: own.tags.append("c"), "tags"),
    (lambda own: own.counts.update(z=2), "counts"),
    (lambda own: setattr(own.at, "x", 7), "at"),
    (lambda own: setattr(own.points[1], "y", 7.0), "points"),
    (lambda own: own.points.pop(), "points"),
    (lambda own: own.points.append(Point(9)), "points"),
    (lambda own: own.points.extend(Point(at) for at in range(40)), "points"),
    (lambda own: own.points.sort(key=lambda point: point.x), "points"),
    (lambda own: setattr(own, "due", None), "due"),
    (lambda own: setattr(own, "done", False), "done"),
    (lambda own: own.more["n"].append("x"), "more"),
    (lambda own: setattr(own, "more", None), "more"),
]


@EACH
@pytest.mark.parametrize(("change", "name"), CHANGES)
def test_what_was_changed_is_merged_around_the_rest(module: Any, change: Any, name: str):
    for data in documents(module):
        own, other = view(module, data), copy.deepcopy(TASK)
        change(own)
        change(other)
        assert getattr(own, name) == getattr(other, name)
        written = module.encode(own)
        assert module.decode(written, Task) == other
        assert ("other" in module.decode(data)) == ("other" in module.decode(written))
        # A second time, in a list, and in a record that is written field by field.
        assert module.encode(own) == written
        assert module.decode(module.encode([own, own]), list[Task]) == [other, other]
        assert module.decode(module.encode(own, rename="upper"), Task, rename="upper") == other


@EACH
def test_what_is_changed_back_is_what_it_was(module: Any):
    data = odd(module)
    own = view(module, data)
    own.tags.append("c")
    own.tags.pop()
    own.counts["b"] = 1
    del own.counts["b"]
    own.points.append(Point(1))
    own.points.pop()
    assert module.encode(own).startswith(data[:20])
    assert module.decode(module.encode(own), Task) == TASK


@EACH
def test_fields_that_did_not_come(module: Any):
    for came in (b"{}", b'{"x":[]}', b'{"title":"a"}', b'{"tags":[],"title":"b"}'):
        own = view(module, form(module, came))
        own.tags.append("a")
        own.id = 1
        if b"title" not in came:
            with pytest.raises(demat.EncodeError, match="expected field `title`"):
                module.encode(own)
            own.title = "c"
        written = module.encode(own)
        expected = Task(1, own.title, ["a"])
        assert module.decode(written, Task) == expected
        assert ("x" in module.decode(written)) == (b"x" in came)
        # What was looked at, and has its default, is not added.
        own = view(module, form(module, b'{"id":1,"title":"a"}'))
        repr(own)
        assert module.encode(own) == form(module, b'{"id":1,"title":"a"}')


@EACH
def test_fields_that_may_be_left_out(module: Any):
    @dataclass
    class Mild:
        id: Annotated[int, Field(name="ID", omit_default=True)] = 0
        tags: Annotated[list[str], Field(omit_default=True)] = field(default_factory=list)
        gone: Annotated[str, Field(read=("gone", "old"))] = ""

    own = module.decode(form(module, b'{"old":"a"}'), Mild, lazy=True)
    assert own == Mild(0, [], "a")
    own.id = 0
    own.gone = "b"
    assert module.encode(own) == form(module, b'{"old":"b"}')
    own.id = 2
    assert module.encode(own) == form(module, b'{"old":"b","ID":2}')
    own = module.decode(form(module, b'{"ID":5,"tags":["a"]}'), Mild, lazy=True)
    own.id = 0
    own.tags.clear()
    assert module.decode(module.encode(own), Mild) == Mild()


def as_eager(module: Any, data: bytes, type_: Any = Task) -> None:
    """Views raise what the decoder raises, at the same position."""
    with pytest.raises(demat.Error) as eager:
        module.decode(data, type_)
    with pytest.raises(demat.Error) as late:
        repr(module.decode(data, type_, lazy=True))
    assert type(late.value) is type(eager.value)
    for position in ("line", "column", "offset"):
        assert getattr(late.value, position) == getattr(eager.value, position), data
    # Of a record within a record the path is that in it.
    assert str(late.value).split(" at ")[0].split(" (")[0] == str(eager.value).split(" at ")[0].split(" (")[0]


@EACH
@pytest.mark.parametrize(
    "text",
    [
        b'{"title": 5, "id": 1}',
        b'{"id":1,"title":"a",\n "tags":[1, 2]}',
        b'{"id":1.5,"title":"a"}',
        b'{"id":1,"title":"a","at":{"x":\n"b"}}',
        b'{"id":1,"title":"a","at":[1]}',
        b'{"id":1,"title":"a","points":[{},\n {"x":null}]}',
        b'{"id":1,"title":"a","points":[{}, 7]}',
        b'{"id":1,"title":"a","points":{}}',
        b'{"id":1,"title":"a","points":{"x":1}}',
        b'{"id":1,"title":"a","due":"2024-13-01"}',
        b'{"id":1,"title":"a","counts":{"a":"x"}}',
        b'{"id":1,"title":null}',
        b'{"title":\n"a"}',
        b"[1]",
        b"null",
        b'"a"',
    ],
)
def test_errors_are_those_of_the_decoder(module: Any, text: bytes):
    as_eager(module, form(module, text))
    as_eager(module, form(module, text, wide=True))


@EACH
def test_cut_at_every_byte(module: Any):
    for data in documents(module):
        for end in range(len(data)):
            with pytest.raises(demat.Error) as eager:
                module.decode(data[:end], Task)
            with pytest.raises(demat.Error) as late:
                repr(view(module, data[:end]))
            assert type(late.value) is type(eager.value), end
            with pytest.raises(demat.Error):
                module.encode(view(module, data[:end]))


@EACH
def test_what_nobody_asks_for_is_not_decoded(module: Any):
    own = view(module, form(module, b'{"id":1,"title":5,"at":{"x":"no"},"points":[7]}'))
    assert own.id == 1
    assert own.tags == []
    with pytest.raises(demat.ValidationError):
        _ = own.title
    assert own.at is not None
    assert own.at.y == 0.0


@dataclass
class Node:
    next: Node | None = None
    more: list[Node] = field(default_factory=list)
    any: Any = None


@EACH
def test_depth_holds_for_what_is_opened_late(module: Any):
    def nested(depth: int) -> bytes:
        return b'{"next":' * depth + b"{}" + b"}" * depth

    def opened(data: bytes, type_: Any = Node) -> Any:
        return module.decode(data, type_, lazy=True, depth=4)

    own = opened(form(module, nested(3)))
    assert own.next.next.next == Node()
    for text in (nested(4), b'{"any":[[[[]]]]}', b'{"more":[{"more":[{}]}]}', b'{"next":{"next":{"any":[[]]}}}'):
        data = form(module, text)
        with pytest.raises(demat.LimitError) as eager:
            module.decode(data, Node, depth=4)
        with pytest.raises(demat.LimitError) as late:
            _ = opened(data).any
        assert str(late.value).split(" at ")[0] == str(eager.value).split(" at ")[0]
    with pytest.raises(demat.LimitError):
        opened(form(module, b'[{"any":[[[]]]}]'), list[Node])
    assert len(opened(form(module, b'[{"any":[[]]}]'), list[Node])) == 1
    assert opened(form(module, b'[{"any":[[]]}]'), list[Node])[0].any == [[]]


@EACH
def test_options_hold(module: Any):
    def own(text: bytes, **options: Any) -> Task:
        return view(module, form(module, text), **options)

    with pytest.raises(demat.ValidationError, match="the key `id` stands here again"):
        _ = own(b'{"id":1,"title":"a","id":2}', repeated_keys="refuse").title
    with pytest.raises(demat.ValidationError, match="stands here again"):
        repr(own(b'{"id":1,"title":"a","at":{"x":1,"x":2}}', repeated_keys="refuse"))
    assert own(b'{"id":"7","title":"a"}', strict=False).id == 7
    assert own(b'{"id":7,"title":"a","at":{"x":"5"}}', strict=False).at == Point(5)
    assert own(b'{"id":7,"title":"a","points":[{"x":"5"}]}', strict=False).points == [Point(5)]
    with pytest.raises(demat.ValidationError):
        _ = own(b'{"id":"7","title":"a"}').id
    with pytest.raises(demat.ValidationError, match="zzz"):
        _ = own(b'{"id":7,"zzz":1}', unknown="forbid").id
    hooks = {Decimal: Hook(wire=int, decode=lambda cents: Decimal(cents) / 100, encode=lambda value: int(value * 100))}
    hooked = own(b'{"id":7,"title":"a","price":150}', hooks=hooks)
    assert hooked.price == Decimal("1.5")
    assert module.encode(hooked) == form(module, b'{"id":7,"title":"a","price":150}')
    with pytest.raises(TypeError, match="errors is not for them"):
        own(b"{}", errors="all")


@EACH
def test_other_names_and_other_formats_go_by_the_fields(module: Any):
    own = view(module, odd(module))
    assert json.encode(own, indent=1) == json.encode(TASK, indent=1)
    assert json.encode(own, sort_keys=True) == json.encode(TASK, sort_keys=True)
    assert module.encode(own, rename="pascal") == module.encode(TASK, rename="pascal")
    assert ndjson.decode(ndjson.encode([own]), list[Task]) == [TASK]
    point = module.decode(form(module, b'{"x":1}'), Point, lazy=True)
    assert demat.csv.encode([point]) == b"x,y\n1,0.0\n"
    assert proto.encode(point) == proto.encode(Point(1))
    for other in formats.import_all(formats.names(reads="lazy", lists=False)):
        data = other.encode(Point(4, 1.5))
        inner = other.decode(data, Point, lazy=True)
        assert module.encode(inner) == module.encode(Point(4, 1.5))
        own.at = inner
        assert module.decode(module.encode(own), Task) == dataclasses.replace(TASK, at=Point(4, 1.5))
        assert other.encode(module.decode(module.encode(Point(4, 1.5)), Point, lazy=True)) == data


@dataclass
class Loose:
    id: int
    rest: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


@EACH
def test_unknown_keys_that_are_kept(module: Any):
    own = module.decode(form(module, b'{"a":1,"id":2,"b":[ 1]}'), Loose, lazy=True)
    assert own.id == 2
    assert own.rest == {"a": 1, "b": [1]}
    own.id = 3
    assert module.encode(own) == form(module, b'{"a":1,"id":3,"b":[ 1]}')
    assert own == module.decode(form(module, b'{"a":1,"id":3,"b":[ 1]}'), Loose)


@EACH
@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_buffer(module: Any, kind: Any):
    data = odd(module)
    own = view(module, kind(data))
    assert own == TASK
    assert module.encode(own) == data
    many = module.encode([own, own])
    assert module.decode(kind(many), list[Task], lazy=True) == [TASK, TASK]
    assert module.Decoder(Task, lazy=True).decode(kind(data)) == TASK
    with pytest.raises(TypeError):
        view(module, 5)


@EACH
def test_views_keep_the_buffer(module: Any, tmp_path: Path):
    data = bytearray(odd(module))
    own = view(module, data)
    point, points = own.at, own.points
    del own
    with pytest.raises(BufferError):
        data.append(0)
    assert (point, points) == (TASK.at, TASK.points)
    del point, points
    data.append(0)
    path = tmp_path / "task"
    path.write_bytes(odd(module))
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as memory:
        own = view(module, memory)
        assert own == TASK
        with pytest.raises(BufferError):
            memory.close()
        del own


@EACH
@pytest.mark.parametrize("byte", [0x7B, 0x80, 0x91, 0xC0, 0xDD, 0xFF])
def test_bytes_that_change_meanwhile_do_no_harm(module: Any, byte: int):
    for at in range(len(odd(module))):
        data = bytearray(odd(module))
        own = view(module, data)
        assert own.id == 5
        data[at] = byte
        try:
            repr(own)
            own.title = "x"
            own.done = False
            own.tags.append("y")
            module.encode(own)
        except demat.Error:
            pass


@EACH
def test_copies_and_pickles(module: Any):
    own = view(module, bytearray(odd(module)))
    own.tags.append("c")
    changed = dataclasses.replace(TASK, tags=["a", "b\n", "c"])
    for other in (copy.copy(own), copy.deepcopy(own)):
        assert other == changed
        other.tags.append("d")
        assert own == changed
    assert type(dataclasses.replace(own, id=9)) is Task
    pickled = pickle.loads(pickle.dumps(own))
    assert pickled == changed
    assert type(pickled) is type(own)
    lax = view(module, form(module, b'{"id":"7","title":"a"}'), strict=False)
    assert copy.copy(lax).id == 7
    assert pickle.loads(pickle.dumps(lax)).id == 7
    assert own == view(module, module.encode(changed))
    assert own != view(module, module.encode(TASK))


scalars = (
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
ints = st.integers(-(2**63), 2**64 - 1)
points = st.builds(Point, ints, st.floats(allow_nan=False, allow_infinity=False))
tasks = st.builds(
    Task,
    ints,
    st.text(),
    st.lists(st.text(), max_size=4),
    st.booleans(),
    st.none() | st.dates(),
    st.none() | points,
    st.lists(points, max_size=20),
    st.dictionaries(st.text(), ints, max_size=3),
    st.none() | st.decimals(allow_nan=False, allow_infinity=False),
    st.recursive(scalars, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=20)),
)


@EACH
@given(task=tasks, asked=st.permutations(NAMES))
def test_any_record(module: Any, task: Task, asked: list[str]):
    data = module.encode(task)
    own, eager = view(module, data), module.decode(data, Task)
    for name in asked:
        assert getattr(own, name) == getattr(eager, name)
    assert own == eager
    assert module.encode(own) == data
    many = module.encode([task, task])
    for views in (module.decode(many, list[Task], lazy=True), list(module.read(many, Task, lazy=True))):
        assert views == [eager, eager]
        assert module.encode(views) == many


@EACH
@given(
    task=tasks, other=tasks, names=st.lists(st.sampled_from(NAMES), unique=True), came=st.sets(st.sampled_from(NAMES))
)
def test_any_change(module: Any, task: Task, other: Task, names: list[str], came: set[str]):
    # Some fields do not come at all, and are added.
    plain = module.decode(module.encode(task))
    data = module.encode({name: plain[name] for name in NAMES if name in came or name in ("id", "title")})
    own, eager = view(module, data), module.decode(data, Task)
    for name in names:
        value = getattr(other, name)
        setattr(own, name, value)
        setattr(eager, name, value)
    written = module.encode([own])
    assert module.decode(written, list[Task]) == module.decode(module.encode([eager]), list[Task])
    assert module.decode(written, list[Task], lazy=True) == module.decode(written, list[Task])


@EACH
@given(data=st.binary(max_size=40) | st.binary(max_size=40).map(lambda tail: b"\x82\xa2id\x01\xa5title\xa1a" + tail))
def test_any_bytes(module: Any, data: bytes):
    """What eager decoding refuses is refused, and what it accepts is equal."""
    try:
        eager = module.decode(data, Task)
    except demat.Error:
        with pytest.raises(demat.Error):
            module.encode(view(module, data))
        return
    assert view(module, data) == eager
    assert module.encode(view(module, data)).strip() == data.strip()


@EACH
def test_many_threads_read_one_view(module: Any):
    own = view(module, odd(module))
    same_for_threads(lambda: own == TASK, 100)


@EACH
def test_memory_stays(module: Any):
    def work() -> None:
        own = view(module, bytearray(odd(module)))
        repr(own)
        own.tags.append("c")
        module.encode(own)

    memory_stays(work, 300)
