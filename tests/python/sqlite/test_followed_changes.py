"""Who follows the changes of a table has what the table has, whatever happens and however slow the reader is."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import demat
from demat import sqlite
from hypothesis import given, settings
from hypothesis import strategies as st


@dataclass
class Row:
    id: Annotated[int, demat.Field(key=True)]
    text: Annotated[str, demat.Field(unique=True)]


LAST = Row(-1, "the last")

STEPS = st.one_of(
    st.tuples(st.just("upsert"), st.integers(0, 5), st.integers(0, 3)),
    st.tuples(st.just("delete"), st.integers(0, 5), st.just(0)),
    st.tuples(st.just("move"), st.integers(0, 5), st.integers(0, 5)),
    st.tuples(st.just("undo"), st.integers(0, 5), st.integers(0, 3)),
)


def do(database: sqlite.Database, table: sqlite.Table[Row], step: tuple[str, int, int]) -> None:
    verb, id, other = step
    try:
        if verb == "upsert":
            table.upsert([Row(id, f"{id}.{other}")])
        elif verb == "delete":
            table.delete(id=id)
        elif verb == "move":
            database.execute("update rows set id = ?, text = ? where id = ?", (other, f"{other}.moved", id))
        else:
            with database.transaction():
                table.upsert([Row(id, f"{id}.{other}")])
                table.delete("id > ?", other)
                raise KeyError
    except (demat.StoreError, KeyError):
        pass


def settled(database: sqlite.Database, changes: demat.Changes) -> None:
    """Waits until the thread has taken what the triggers have written."""
    log = changes._watch._log  # type: ignore[attr-defined]
    while database.query(f"select 1 as n from temp.{log}").first() is not None:
        time.sleep(0.0002)


def followed(changes: Iterator[demat.Change], table: sqlite.Table[Row]) -> dict[int, Row]:
    """What a reader knows once it has seen the last row."""
    known: dict[int, Row] = {}
    for change in changes:
        if change.kind == "reset":
            known = {row.id: row for row in table}
        elif change.kind == "put":
            known[change.key] = change.value
        else:
            known.pop(change.key, None)
        if LAST.id in known:
            break
    return known


@settings(max_examples=40, deadline=None)
@given(st.lists(STEPS, max_size=12), st.sampled_from([1, 3, 1000]), st.sampled_from(["together", "settled", "at once"]))
def test_the_reader_has_what_the_table_has(steps: list[tuple[str, int, int]], queue: int, how: str) -> None:
    with sqlite.open(":memory:") as database:
        table = database.table("rows", Row)
        with table.changes(queue=queue) as changes:
            if how == "together":
                with database.transaction():
                    for step in steps:
                        do(database, table, step)
            else:
                for step in steps:
                    do(database, table, step)
                    if how == "settled":
                        settled(database, changes)
            table.insert([LAST])
            assert followed(changes, table) == {row.id: row for row in table}
