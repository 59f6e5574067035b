"""Collections beside a twin, and all that a call may say."""

import gc
import random
import threading
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone
from enum import Enum, IntEnum
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import demat
import pytest
from demat import EncodeError, Field, LimitError, StoreError, lmdb
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

ENCODINGS = ["protobuf", "msgpack", "json"]


@dataclass
class Task:
    id: int
    title: str = ""
    done: bool = False
    tags: list[str] = field(default_factory=list)
    due: date | None = None


@dataclass
class Given:
    """A record whose key is given by the caller."""

    value: int


@pytest.fixture
def env(tmp_path: Path) -> Any:
    with lmdb.open(tmp_path / "env", sync="off") as env:
        yield env


def opened(env: lmdb.Environment, encoding: Any = None, **said: Any) -> lmdb.Collection[Task]:
    return env.collection("tasks", Task, key="id", encoding=encoding, **said)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("compression", [None, "zstd", "lz4"])
def test_records_come_back(env: lmdb.Environment, encoding: Any, compression: Any) -> None:
    tasks = opened(env, encoding, compression=compression)
    all_tasks = [Task(id, f"task {id}", id % 3 == 0, ["x"] * (id % 4), date(1969, 12, 31)) for id in range(-50, 50)]
    assert tasks.put_all(all_tasks) == 100
    assert list(tasks.scan(objects=True)) == all_tasks
    assert list(tasks) == all_tasks
    assert [type(task) for task in tasks.scan(objects=True, limit=1)] == [Task]
    assert all(isinstance(task, Task) and type(task) is not Task for task in tasks)
    assert [task.id for task in tasks.scan(recycle=True)] == list(range(-50, 50))
    assert list(tasks.scan(keys_only=True, reverse=True)) == list(range(49, -51, -1))
    assert tasks.get(7) == all_tasks[57]
    assert tasks.get(7, objects=True) == all_tasks[57]
    assert len(tasks) == 100
    assert 7 in tasks
    assert 700 not in tasks
    assert tasks[7].id == 7
    with pytest.raises(KeyError):
        tasks[700]
    with env.begin(write=True):
        assert list(tasks) == all_tasks
        assert tasks.get(7) == all_tasks[57]
    assert tasks.columns(fields=["id"]).numpy("id").tolist() == list(range(-50, 50))
    assert demat.json.decode(tasks.encode("json", limit=2), list[Task]) == all_tasks[:2]
    with env.begin(write=True):
        tasks.put(Task(1000))
        assert len(tasks.columns()) == 101


KEYS = [
    None,
    *(-(2**70), -(2**64), -(2**63) - 1, -(2**63), -67_824, -824, -256, -255, -1),
    *(0, 1, 255, 256, 824, 67_824, 2**63, 2**64, 2**70),
    *(float("-inf"), -1.5, -0.0, 0.0, 1e-300, 1.5, float("inf")),
    *(False, True),
    *(b"", b"\0", b"\0\xff", b"a", b"a\0", b"\xff"),
    *("", "\0", "a", "a\0", "ab", "ä", "\uffff", "\U0010ffff"),
    *(UUID(int=0), UUID(int=2**128 - 1)),
    *(date(1, 1, 1), date(1969, 12, 31), date(1970, 1, 1), date(9999, 12, 31)),
    *(datetime(1969, 12, 31, 23, 59, 59, 999999), datetime(1970, 1, 1)),
    *(datetime(1969, 12, 31, tzinfo=UTC), datetime(1970, 1, 1, 1, tzinfo=timezone(timedelta(hours=0.5)))),
]


def test_keys_have_their_order_and_come_back(env: lmdb.Environment) -> None:
    records = env.collection("records", Given, key=lambda record: KEYS[record.value])
    order = list(range(len(KEYS)))
    random.Random(1).shuffle(order)
    with env.begin(write=True):
        for at in order:
            assert records.put(Given(at)) == KEYS[at]
    assert [record.value for record in records] == list(range(len(KEYS)))
    found = list(records.scan(keys_only=True))
    assert found == KEYS
    assert [type(key) for key in found] == [type(key) for key in KEYS]
    for at, key in enumerate(KEYS):
        assert records[key].value == at
    pairs = [(KEYS[at], KEYS[-at]) for at in order]
    pair_records = env.collection("pairs", Given, key=lambda record: pairs[record.value])
    pair_records.put_all(Given(at) for at in range(len(pairs)))
    ranks = {repr(key): rank for rank, key in enumerate(KEYS)}
    expected = sorted(pairs, key=lambda pair: (ranks[repr(pair[0])], ranks[repr(pair[1])]))
    assert list(pair_records.scan(keys_only=True)) == expected


class Color(Enum):
    RED = "red"


class Level(IntEnum):
    LOW = 1


@dataclass
class Kinds:
    at: datetime
    color: Color
    level: Level
    number: UUID


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_keys_of_fields_are_those_of_their_values(env: lmdb.Environment, encoding: Any) -> None:
    """The key that is read of the bytes is the one that is made of the objects."""
    kinds = env.collection("kinds", Kinds, key=("color", "level", "number", "at"), encoding=encoding)
    value = Kinds(datetime(2024, 5, 6, 7, 8, 9, 10, tzinfo=UTC), Color.RED, Level.LOW, UUID(int=7))
    key = kinds.put(value)
    assert kinds.get(key) == value
    # Protocol Buffers have the names of an enum, the others its values.
    names = encoding == "protobuf"
    assert key == ("RED" if names else "red", "LOW" if names else 1, value.number, value.at)


def test_what_is_no_key(env: lmdb.Environment) -> None:
    tasks = opened(env)
    for bad in ([1], {1: 2}, ..., object()):
        with pytest.raises(TypeError, match="a key is of None, int"):
            tasks.get(bad)
    with pytest.raises(EncodeError, match="NaN"):
        tasks.get(float("nan"))
    with pytest.raises(LimitError):
        tasks.get(1 << 5000)
    titles = env.collection("titles", Task, key="title")
    assert titles.put(Task(1, "x" * 508)) == "x" * 508
    with pytest.raises(LimitError, match="at most 511 bytes"):
        titles.put(Task(1, "x" * 509))
    with pytest.raises(LimitError):
        titles.put_all([Task(1, "y"), Task(1, "x" * 509)])
    assert titles.get("x" * 509) is None
    assert titles.count() == 1
    with pytest.raises(ValueError, match="include is"):
        tasks.scan(include="all")  # type: ignore[call-overload]


def test_ranges(env: lmdb.Environment) -> None:
    tasks = opened(env)
    tasks.put_all(Task(id) for id in range(10))

    def ids(**said: Any) -> list[int]:
        found = list(tasks.scan(keys_only=True, **said))
        said.pop("reverse", None)
        assert tasks.count(**said) == len(found)
        return found

    assert ids(lo=3, hi=6) == [3, 4, 5]
    assert ids(lo=3, hi=6, include="both") == [3, 4, 5, 6]
    assert ids(lo=3, hi=6, include="hi") == [4, 5, 6]
    assert ids(lo=3, hi=6, include="neither", reverse=True) == [5, 4]
    assert ids(prefix=(4,)) == [4]
    assert ids(lo=8) == [8, 9]
    assert ids(hi=2) == [0, 1]
    assert ids(lo=3, limit=2) == [3, 4]
    assert ids(limit=0) == []
    assert ids(lo=6, hi=3) == []
    first, last = tasks.first(lo=3), tasks.last(hi=3)
    assert first is not None
    assert last is not None
    assert (first.id, last.id) == (3, 2)
    assert tasks.delete_range(lo=2, hi=4) == 2
    assert tasks.delete_range() == 8
    assert len(tasks) == 0


def test_numbers_are_given_once(env: lmdb.Environment) -> None:
    notes = env.collection("notes", Given, key=lmdb.auto)
    assert [notes.put(Given(0)) for _ in range(2)] == [1, 2]
    assert notes.delete(2)
    assert notes.put(Given(0)) == 3
    notes.put_all([Given(1), Given(2)])
    assert list(notes.scan(keys_only=True)) == [1, 3, 4, 5]
    assert notes.update(3, value=9)
    assert notes[3].value == 9
    assert notes.count() == 4


def test_key_of_the_class(env: lmdb.Environment) -> None:
    @dataclass
    class Keyed:
        name: Annotated[str, Field(key=True)]
        value: int

    keyed = env.collection("keyed", Keyed)
    assert keyed.put(Keyed("a", 1)) == "a"
    assert keyed.definition["key"] == ["name"]
    again = env.collection("keyed")
    assert again["a"].value == 1
    assert again.type.__name__ == "Keyed"


def test_views_raise_once_their_transaction_has_ended(env: lmdb.Environment) -> None:
    tasks = opened(env)
    tasks.put_all(Task(id, "a title", tags=["x"]) for id in range(3))
    with env.begin():
        view, scan = tasks.get(1), tasks.scan()
        kept = [next(scan), next(scan)]
        nested = kept[0].tags
        made = [demat.json.encode(one) for one in kept]
        assert len(env.readers) == 1
    assert env.readers == []
    assert made[0].startswith(b'{"id":0')
    for released in (view, *kept):
        for use in (lambda view: view.title, repr, demat.json.encode):
            with pytest.raises(ValueError, match="released"):
                use(released)
    with pytest.raises(ValueError, match="released"):
        nested[0]
    with pytest.raises(ValueError, match="released"):
        next(scan)
    assert tasks.put(Task(9)) == 9


def test_a_scan_of_its_own_lasts_as_its_views(env: lmdb.Environment) -> None:
    tasks = opened(env)
    tasks.put_all(Task(id, "before") for id in range(100))
    kept = list(tasks.scan())
    tasks.put_all(Task(id, "after" * 100) for id in range(100))
    assert {task.title for task in kept} == {"before"}
    assert [(reader.behind > 0) for reader in env.readers] == [True]
    del kept
    gc.collect()
    assert env.readers == []
    assert tasks.get(1).title == "after" * 100  # type: ignore[union-attr]


def test_recycled_views_are_refilled(env: lmdb.Environment) -> None:
    tasks = opened(env)
    tasks.put_all(Task(id, str(id)) for id in range(10))
    assert len({id(task) for task in tasks.scan(recycle=True)}) == 2
    kept = list(tasks.scan(recycle=True))
    assert [task.title for task in kept] == [str(id) for id in range(10)]


def test_a_view_that_is_put_keeps_what_its_class_does_not_know(env: lmdb.Environment) -> None:
    for encoding in ENCODINGS:

        @dataclass
        class New:
            id: int
            title: str
            more: list[int]

        @dataclass
        class Old:
            id: int
            title: str

        new = env.collection(encoding, New, key="id", encoding=encoding)  # type: ignore[call-overload]
        new.put(New(1, "a", [1, 2, 3]))
        old = env.collection(encoding, Old)
        assert old.update(1, title="b")
        assert new.get(1) == New(1, "b", [1, 2, 3])


def test_changes_within_a_scan_are_seen(env: lmdb.Environment) -> None:
    tasks = opened(env)
    tasks.put_all(Task(id) for id in range(200))
    with env.begin(write=True):
        seen = []
        for task in tasks.scan():
            seen.append(task.id)
            if task.id % 2 == 0:
                tasks.delete(task.id + 1)
            if task.id == 198:
                tasks.put(Task(500))
        assert seen == [*range(0, 200, 2), 500]


def test_a_generator_may_read_what_is_written(env: lmdb.Environment) -> None:
    tasks = opened(env)
    tasks.put_all(Task(id) for id in range(10))
    with env.begin(write=True):
        tasks.put_all(Task(task.id + 10_000, task.title) for task in tasks.scan(hi=10_000))
    assert len(tasks) == 20


def test_put_all_is_whole(env: lmdb.Environment) -> None:
    tasks = opened(env)

    def failing() -> Any:
        yield from (Task(id) for id in range(2500))
        raise RuntimeError("in between")

    with pytest.raises(RuntimeError, match="in between"):
        tasks.put_all(failing())
    assert len(tasks) == 0
    with env.begin(write=True):
        tasks.put(Task(-1))
        with pytest.raises(RuntimeError):
            tasks.put_all(failing())
        with pytest.raises(EncodeError):
            tasks.put_all([Task(1), "no task"])  # type: ignore[list-item]
    assert list(tasks.scan(keys_only=True)) == [-1]
    with pytest.raises(StoreError, match="is there already"):
        tasks.put_all([Task(5), Task(-1)], mode="new")
    assert tasks.put_all([Task(5), Task(-1, "x")], mode="there") == 2
    assert len(tasks) == 1


def test_transactions_belong_to_threads(env: lmdb.Environment) -> None:
    tasks = opened(env)
    tasks.put(Task(1))
    seen: list[Any] = []

    def other() -> None:
        seen.append(len(tasks))
        with env.begin():
            seen.append(len(tasks))

    with env.begin(write=True) as transaction:
        tasks.put(Task(2))
        thread = threading.Thread(target=other)
        thread.start()
        thread.join()
        assert seen == [1, 1]
        assert len(tasks) == 2

        def misuse() -> None:
            try:
                transaction._native.nest()  # type: ignore[union-attr]
            except RuntimeError as error:
                seen.append(str(error))

        thread = threading.Thread(target=misuse)
        thread.start()
        thread.join()
    assert "belongs to the thread" in seen[-1]
    with env.begin(), pytest.raises(ValueError, match="only reads"):
        tasks.put(Task(3))
    with env.begin(), pytest.raises(ValueError, match="only reads"), env.begin(write=True):
        pass
    with env.begin(write=True), env.begin():
        assert len(tasks) == 2


def test_many_threads_write_and_read(env: lmdb.Environment) -> None:
    tasks = opened(env)

    def work(at: int) -> None:
        for turn in range(20):
            with env.begin(write=True):
                tasks.put(Task(at * 1000 + turn))
            with env.begin():
                assert sum(1 for _ in tasks) == len(tasks)

    threads = [threading.Thread(target=work, args=(at,)) for at in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tasks) == 80


def test_an_index_by_a_function(env: lmdb.Environment) -> None:
    tasks = opened(env)
    tasks.put_all([Task(1, "Write", tags=["a", "b"]), Task(2, "test")])
    titles = tasks.index("titles", lambda task: task.title.lower() or None, unique=True)
    words = tasks.index("words", lambda task: [(word, len(word)) for word in task.title.split()])
    assert list(titles.scan(keys_only=True)) == ["test", "write"]
    tasks.put(Task(3, "two words"))
    assert list(words.scan(keys_only=True)) == [("Write", 5, 1), ("test", 4, 2), ("two", 3, 3), ("words", 5, 3)]
    tasks.put(Task(4))
    assert titles.count() == 3
    assert words.get("words", 5).id == 3
    with pytest.raises(StoreError, match='the records 2 and 9 have the same key "test" in the unique index `titles`'):
        tasks.put(Task(9, "TEST"))
    assert tasks.get(9) is None
    assert tasks.check() == []
    with pytest.raises(StoreError, match="rebuild=True"):
        tasks.index("titles", lambda task: task.title, unique=True, version=2)
    rebuilt = tasks.index("titles", lambda task: task.title, unique=True, version=2, rebuild=True)
    assert list(rebuilt.scan(keys_only=True)) == ["", "Write", "test", "two words"]
    failing = tasks.index("failing", lambda task: 1 / task.id)
    with pytest.raises(ZeroDivisionError):
        tasks.put(Task(0, "zero"))
    assert tasks.get(0) is None
    assert failing.count() == 4
    assert tasks.drop_index("failing")
    assert tasks.put(Task(0, "zero")) == 0
    with pytest.raises(KeyError):
        tasks.index("failing")
    found = tasks.find(title="zero")
    assert found is not None
    assert found.id == 0
    assert tasks.find(title="none") is None


def test_a_function_can_not_use_the_transaction_that_calls_it(env: lmdb.Environment) -> None:
    tasks = opened(env)
    tasks.index("bad", lambda task: tasks.count())
    with pytest.raises(RuntimeError, match="in use"):
        tasks.put(Task(1))
    assert len(tasks) == 0


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    steps=st.lists(
        st.one_of(
            st.tuples(st.just("put"), st.integers(-5, 5), st.text(max_size=3)),
            st.tuples(st.just("delete"), st.integers(-5, 5), st.just("")),
            st.tuples(st.just("update"), st.integers(-5, 5), st.text(max_size=3)),
            st.tuples(st.just("all"), st.integers(-5, 5), st.text(max_size=3)),
        ),
        max_size=30,
    ),
    fails=st.booleans(),
    encoding=st.sampled_from(ENCODINGS),
)
def test_a_collection_is_a_sorted_dict(
    tmp_path_factory: Any, steps: list[tuple[str, int, str]], fails: bool, encoding: Any
) -> None:
    with lmdb.open(tmp_path_factory.mktemp("env"), sync="off") as env:
        tasks = env.collection("tasks", Task, key="id", encoding=encoding)
        by_title = tasks.index("by_title", "title")
        tasks.put_all(Task(id) for id in range(-2, 2))
        twin = before = dict.fromkeys(range(-2, 2), "")
        try:
            with env.begin(write=True):
                twin = dict(before)
                for verb, id, title in steps:
                    if verb == "put":
                        tasks.put(Task(id, title))
                        twin[id] = title
                    elif verb == "delete":
                        assert tasks.delete(id) == (id in twin)
                        twin.pop(id, None)
                    elif verb == "update":
                        assert tasks.update(id, title=title) == (id in twin)
                        twin |= {id: title} if id in twin else {}
                    else:
                        tasks.put_all(Task(other, title) for other in (id, id + 1))
                        twin |= {id: title, id + 1: title}
                    assert {task.id: task.title for task in tasks} == twin
                if fails:
                    raise RuntimeError
        except RuntimeError:
            twin = before
        assert [(task.id, task.title) for task in tasks] == sorted(twin.items())
        by_both = sorted((title, id) for id, title in twin.items())
        assert list(by_title.scan(keys_only=True)) == by_both
        assert tasks.check() == []
