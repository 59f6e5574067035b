"""`on_error` of `Table.load`: refused values are left out, whether the table is built or its rows are inserted."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import demat
import pytest
from demat import Field, sqlite


@dataclass
class Item:
    id: Annotated[int, Field(key=True)]
    name: Annotated[str, Field(max_length=5)]
    size: float | None = None


@dataclass
class Judged(Item):
    def __post_init__(self) -> None:
        if self.name == "no":
            raise ValueError("not this name")


class Money:
    pass


def broken(_: Money) -> str:
    raise KeyError("bug")


@dataclass
class Hooked:
    id: int
    price: Annotated[Money, demat.Hook(wire=str, encode=broken)]


GOOD: list[Any] = [Item(1, "a", 1.5), {"id": 3, "name": "c"}, Item(5, "e")]
BAD: list[Any] = [Item(2, "longer"), {"id": 4, "name": 5}, {"id": 6}, 7]
MIXED = [GOOD[0], BAD[0], GOOD[1], BAD[1], BAD[2], GOOD[2], BAD[3]]
ROWS = [Item(1, "a", 1.5), Item(3, "c"), Item(5, "e")]
BUILT = pytest.mark.parametrize("built", [True, False])


@pytest.fixture
def database(tmp_path: Path) -> Iterator[sqlite.Database]:
    with sqlite.open(tmp_path / "a.db") as database:
        yield database


def loaded(database: sqlite.Database, values: Any, built: bool, type: Any = Item, **options: Any) -> int:
    table = database.table("items", type)
    if not built:
        database.execute("create trigger if not exists t after insert on items begin select 1; end")
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        count = table.load(values, **options)
    assert len(said) == (not built)
    return count


@BUILT
def test_refused_values_are_left_out(database: sqlite.Database, built: bool) -> None:
    assert loaded(database, iter(MIXED), built, on_error="skip") == 3
    assert list(database.table("items", Item)) == ROWS


@BUILT
@pytest.mark.parametrize("called", [True, False])
def test_they_are_collected_with_their_errors(database: sqlite.Database, built: bool, called: bool) -> None:
    rejects: list[tuple[demat.Error, Any]] = []
    given = (lambda error, value: rejects.append((error, value))) if called else rejects
    assert loaded(database, MIXED, built, on_error="collect", rejects=given) == 3
    assert [value for _, value in rejects] == BAD
    assert [error.record for error, _ in rejects] == [2, 4, 5, 7]
    assert [(error.path or "")[:4] for error, _ in rejects] == ["$[1]", "$[3]", "$[4]", "$[6]"]
    assert all(f"(record {error.record})" in str(error) for error, _ in rejects)
    assert list(database.table("items", Item)) == ROWS


@BUILT
def test_many_rows_around_a_refused_one(database: sqlite.Database, built: bool) -> None:
    """Of several pages, and with an index, whose entries are taken back with the row."""
    values: list[Any] = [Item(k, str(k % 1000), k / 8) for k in range(10_000)]
    for k in (0, 1, 4321, 9999):
        values[k] = {"id": k, "name": "s", "size": "no number"}
    table = database.table("items", Item, indexes=["name"])
    assert table
    assert loaded(database, values, built, on_error="skip") == 9996
    assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]
    assert [row.id for row in database.table("items", Item)] == [
        k for k in range(10_000) if k not in (0, 1, 4321, 9999)
    ]


@BUILT
def test_what_the_class_itself_refuses(database: sqlite.Database, built: bool) -> None:
    rejects: list[tuple[demat.Error, Any]] = []
    values = [
        {"id": 1, "name": "no"},
        {"id": 2, "name": "yes"},
        {"id": 3, "name": "longer"},
        {"id": "x", "name": "yes"},
    ]
    assert loaded(database, values, built, Judged, on_error="collect", rejects=rejects) == 1
    assert [(error.record, value["id"]) for error, value in rejects] == [(1, 1), (3, 3), (4, "x")]


def test_a_key_that_is_there_stops_a_build_and_is_one_row_of_an_insert(database: sqlite.Database) -> None:
    values = [Item(1, "a"), Item(1, "b"), Item(2, "c")]
    with pytest.raises(demat.Error, match="two rows|UNIQUE"):
        loaded(database, [Item(2, "x"), *values], True, on_error="skip")
    assert len(database.table("items", Item)) == 0
    rejects: list[tuple[demat.Error, Any]] = []
    assert loaded(database, values, False, on_error="collect", rejects=rejects) == 2
    ((error, value),) = rejects
    assert (value, error.record, error.path) == (values[1], 2, "$[1]")
    assert isinstance(error, demat.StoreError)
    assert error.sqlite_name == "SQLITE_CONSTRAINT_PRIMARYKEY"


@BUILT
def test_what_is_no_refusal_stops_and_leaves_nothing(database: sqlite.Database, built: bool) -> None:
    def broken() -> Iterator[Item]:
        yield Item(1, "a")
        raise OSError("gone")

    with pytest.raises(OSError, match="gone"):
        loaded(database, broken(), built, on_error="skip")
    assert len(database.table("items", Item)) == 0

    def raises(error: demat.Error, value: Any) -> None:
        raise KeyError(value)

    with pytest.raises(KeyError):
        loaded(database, [Item(1, "a"), 7], built, on_error="collect", rejects=raises)
    assert len(database.table("items", Item)) == 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"on_error": "go"}, 'on_error must be "stop" or "skip" or "collect", not "go"'),
        ({"on_error": "collect"}, "needs rejects="),
        ({"rejects": []}, 'rejects= needs on_error="collect"'),
        ({"on_error": "collect", "rejects": 3}, "rejects must be a list"),
    ],
)
def test_options(database: sqlite.Database, options: dict[str, Any], said: str) -> None:
    with pytest.raises((TypeError, ValueError), match=said):
        database.table("items", Item).load([], **options)
    word: Literal["skip"] = "skip"
    with pytest.raises(TypeError, match="put it into a list"):
        database.table("items", Item).load("abc", on_error=word)  # type: ignore[arg-type]


@BUILT
def test_what_a_hook_raises_is_no_refusal(tmp_path: Path, built: bool) -> None:
    with sqlite.open(tmp_path / "b.db") as database, pytest.raises(KeyError, match="bug"):
        loaded(database, [Hooked(1, Money())], built, Hooked, on_error="skip")
