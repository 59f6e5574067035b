"""Everything is a place: what has objects, on either side of each verb; `demat.Source` and `demat.Sink`."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pyarrow as pa
import pytest
from demat import Field, lmdb, sqlite, store


@dataclass
class User:
    id: Annotated[int, Field(key=True)]
    name: str = "x"


USERS = [User(1), User(2, "y")]


class Squares:
    def __init__(self) -> None:
        self.began = 0

    def records(self) -> Iterable[User]:
        self.began += 1
        return iter(USERS)


class Kept:
    """A sink that keeps its records, and raises at a chosen call."""

    def __init__(self, fails: str = "") -> None:
        self.fails = fails
        self.taken: list[Any] = []
        self.calls: list[str] = []

    def _called(self, name: str) -> None:
        self.calls.append(name)
        if self.fails == name:
            raise RuntimeError(f"{name} fails")

    def take(self, record: Any) -> None:
        self._called("take")
        self.taken.append(record)

    def commit(self) -> None:
        self._called("commit")

    def abort(self) -> None:
        self._called("abort")


def sources(folder: Path) -> dict[str, Callable[[], Any]]:
    table = sqlite.open(str(folder / "a.db")).table("users", User)
    table.insert(USERS)
    collection = lmdb.open(folder / "a.lmdb").collection("users", User)
    collection.put_all(USERS)
    return {
        "table": lambda: table,
        "rows": table.select,
        "collection": lambda: collection,
        "scan": collection.scan,
        "store": lambda: store.of(table),
        "columns": lambda: demat.columns_of(USERS, User),
        "arrow": lambda: pa.table({"id": [1, 2], "name": ["x", "y"]}),
        "list": lambda: USERS,
        "tuple": lambda: tuple(USERS),
        "generator": lambda: (user for user in USERS),
        "dicts": lambda: [{"id": 1, "name": "x"}, {"id": 2, "name": "y"}],
        "function": lambda: lambda: USERS,
        "source": Squares,
        "reader": lambda: demat.ndjson.read(b'{"id":1}\n{"id":2,"name":"y"}', User),
    }


def test_each_verb_takes_each_source(tmp_path: Path) -> None:
    for name, source in sources(tmp_path).items():
        assert list(demat.read(source(), User)) == USERS, name
        file = io.BytesIO()
        assert demat.copy(source(), file, to="csv").records == 2, name
        assert file.getvalue() == b"id,name\n1,x\n2,y\n", name
        file = io.BytesIO()
        assert demat.write(file, source(), format="csv") == 2, name
        assert file.getvalue() == b"id,name\n1,x\n2,y\n", name
        for type in (User, None):
            columns = demat.columns(source(), type)
            assert pa.table(columns).to_pydict() == {"id": [1, 2], "name": ["x", "y"]}, name
        table = sqlite.open(":memory:").table("users", User)
        assert table.insert(source()) == 2, name
        assert table.select().all() == USERS, name
        sink = Kept()
        assert demat.copy(source(), sink, User).records == 2, name
        assert (sink.taken, sink.calls) == (USERS, ["take", "take", "commit"]), name


def test_a_source_is_read_once_and_by_all_options(tmp_path: Path) -> None:
    source = Squares()
    assert list(demat.read(source)) == USERS
    assert source.began == 1
    demat.copy(Squares(), [tmp_path / "a.csv", tmp_path / "b.ndjson"], where="id > 1", rename={"name": "n"})
    assert (tmp_path / "a.csv").read_text() == "id,n\n2,y\n"
    assert (tmp_path / "b.ndjson").read_text() == '{"id":2,"n":"y"}\n'
    assert demat.columns(Squares(), User, narrow=True).names == ("id", "name")
    with pytest.raises(TypeError, match="no option 'at'"):
        demat.read(Squares(), User, at="$.x")
    with pytest.raises(TypeError, match="no option 'depth'"):
        demat.columns(USERS, User, depth=3)

    class Fails:
        def records(self) -> Iterable[User]:
            yield USERS[0]
            raise RuntimeError("gone")

    with pytest.raises(RuntimeError, match="gone"):
        demat.copy(Fails(), tmp_path / "c.csv")
    assert not (tmp_path / "c.csv").exists()


def test_objects_become_the_type_that_is_wanted() -> None:
    assert list(demat.read([User(1)], dict)) == [{"id": 1, "name": "x"}]
    with pytest.raises(demat.ValidationError, match="id"):
        list(demat.read([{"id": "x"}], User))
    # Places of bytes stay what they are.
    assert list(demat.read([b'{"id":', b"1}"], User, format="ndjson")) == [User(1)]
    with pytest.raises(ValueError, match="format"):
        demat.read([b"1"], User)


def test_a_sink_gets_records_of_the_type_or_dicts() -> None:
    data = b"id,name\n1,x\n2,y\n"
    for type, options, expected in (
        (User, {}, USERS),
        (User, {"fields": ["id"]}, [{"id": 1}, {"id": 2}]),
        (User, {"where": "id = 2"}, USERS[1:]),
        ("id: int, name: text", {"rename": {"id": "i"}}, [{"i": 1, "name": "x"}, {"i": 2, "name": "y"}]),
        (None, {"first": 1}, [{"id": "1", "name": "x"}]),
    ):
        sink = Kept()
        demat.copy(data, sink, type, from_="csv", **options)  # type: ignore[arg-type]
        assert sink.taken == expected
        assert sink.calls[-1] == "commit"
    sink = Kept()
    assert demat.write(sink, USERS) == 2
    assert sink.taken == USERS
    assert sink.taken[0] is USERS[0]


def test_several_targets_have_one_outcome(tmp_path: Path) -> None:
    data = b"id,name\n1,x\n2,y\n"
    sink, other = Kept(), Kept()
    demat.copy(data, [tmp_path / "a.json", sink, other], User, from_="csv")
    assert (sink.taken, other.taken) == (USERS, USERS)
    sink, other = Kept(), Kept()
    with pytest.raises(demat.ValidationError):
        demat.copy(data + b"z,z\n", [tmp_path / "b.json", sink, other], User, from_="csv")
    assert (sink.calls[-1], other.calls[-1]) == ("abort", "abort")
    assert not (tmp_path / "b.json").exists()


@pytest.mark.parametrize("fails", ["take", "commit", "abort"])
@pytest.mark.parametrize("objects", [False, True])
def test_a_sink_that_fails(fails: str, objects: bool, tmp_path: Path) -> None:
    sink = Kept(fails)
    source: Any = iter([*USERS, 5]) if objects and fails == "abort" else USERS
    data = b"id,name\n1,x\n2,y\n" + (b"z,z\n" if fails == "abort" else b"")
    with pytest.raises((RuntimeError, demat.Error)) as raised:
        if objects:
            demat.copy(source, [sink, tmp_path / "a.csv"], User)
        else:
            demat.copy(data, [sink, tmp_path / "a.csv"], User, from_="csv")
    if fails != "abort":
        assert str(raised.value) == f"{fails} fails"
    assert sink.calls.count("abort") == (0 if fails == "commit" else 1)
    assert sink.calls.count("commit") == (1 if fails == "commit" else 0)
    # It commits behind the files.
    assert (tmp_path / "a.csv").exists() == (fails == "commit")


def test_a_sink_that_copies_itself(tmp_path: Path) -> None:
    class Nested(Kept):
        def take(self, record: Any) -> None:
            inner = Kept()
            demat.copy(USERS, inner)
            super().take((record, len(inner.taken)))

    sink = Nested()
    demat.copy(USERS, sink)
    assert sink.taken == [(USERS[0], 2), (USERS[1], 2)]


def test_options_that_say_nothing_are_refused(tmp_path: Path) -> None:
    for options in ({"to": "json"}, {"compression": "gzip"}, {"write": {"indent": 1}}, {"workers": 2}):
        with pytest.raises(ValueError, match="sink"):
            demat.copy(tmp_path / "a.csv", Kept(), **options)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="sink"):
        demat.write(Kept(), USERS, format="json")
    with pytest.raises(TypeError, match="no option"):
        demat.write(Kept(), USERS, indent=2)
