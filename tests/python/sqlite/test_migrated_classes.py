"""From any class to any other: rows are kept, the table is the one of the class, and nothing is left to do."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import make_dataclass
from typing import Annotated, Any

from demat import Field, StoreError, sqlite
from hypothesis import given, note
from hypothesis import strategies as st

NAMES = ("a", "b", "c", "d")
# Each type, with a value that any other type of this list can be made of.
TYPES: dict[Any, Any] = {int: 1, float: 1.0, str: "1", bool: True}


@st.composite
def columns(draw: st.DrawFn) -> dict[str, dict[str, Any]]:
    names = draw(st.lists(st.sampled_from(NAMES), unique=True))
    return {
        name: {
            "type": draw(st.sampled_from(list(TYPES))),
            "nullable": draw(st.booleans()),
            "default": draw(st.booleans()),
            "unique": draw(st.booleans()),
            "index": draw(st.booleans()),
            "checked": draw(st.booleans()),
        }
        for name in names
    }


def class_of(said: dict[str, dict[str, Any]], was: dict[str, str], key: bool) -> Any:
    fields: list[Any] = [("id", Annotated[int, Field(key=True)] if key else int)]
    for name, column in said.items():
        type_ = column["type"] | None if column["nullable"] else column["type"]
        options: dict[str, Any] = {"unique": column["unique"], "index": column["index"]}
        if name in was:
            options["was"] = was[name]
        if column["checked"] and column["type"] in (int, float):
            options["ge"] = 0
        default = (TYPES[column["type"]],) if column["default"] else ()
        fields.append((name, Annotated[type_, Field(**options)], *default))
    return make_dataclass("Row", fields, kw_only=True)


@given(
    old=columns(),
    new=columns(),
    count=st.integers(0, 2),
    renamed=st.dictionaries(st.sampled_from(NAMES), st.sampled_from(NAMES), max_size=2),
    kinds=st.tuples(st.booleans(), st.booleans(), st.booleans(), st.booleans()),
)
def test_rows_are_kept(
    old: dict[str, dict[str, Any]],
    new: dict[str, dict[str, Any]],
    count: int,
    renamed: dict[str, str],
    kinds: tuple[bool, bool, bool, bool],
) -> None:
    before = class_of(old, {}, kinds[0])
    after = class_of(new, renamed, kinds[1])
    with sqlite.open(":memory:") as database:
        table = database.table("t", before, strict=kinds[2])
        for id in range(1, count + 1):
            row = {"id": id, **{name: TYPES[column["type"]] for name, column in old.items()}}
            # The second row is refused where a column is unique.
            with suppress(StoreError):
                table.insert([row])
        there = {row["id"]: row for row in database.query("select * from t").all()}
        schema = database.query("select * from sqlite_schema").all()
        try:
            migration = database.migration("t", after, strict=kinds[3])
            note(str(migration))
            migration.apply(allow={"drop", "narrow"})
        except StoreError as error:
            assert database.query("select * from sqlite_schema").all() == schema
            assert {row["id"]: row for row in database.query("select * from t").all()} == there
            reason = error.reason or ""
            # Only these can't be done, whatever the classes are.
            assert any(said in reason for said in ("new and required", "is unique", "both were")), reason
            assert there or "both were" in reason
            return
        assert not database.migration("t", after, strict=kinds[3])
        found = {row.id: row for row in database.table("t", after, strict=kinds[3])}
        assert found.keys() == there.keys()
        # The names that columns had, as the plan says.
        moved = {}
        for step in migration.steps:
            if step.what.startswith("rename the column"):
                _, before_it, _, after_it, _ = step.what.split("`")
                moved[after_it] = before_it
        gone = set(moved.values())
        for id, row in found.items():
            for name, column in new.items():
                source = moved.get(name, "" if name in gone else name)
                if source in there[id]:
                    expected: Any = column["type"](there[id][source]) if column["type"] is not str else None
                    value = getattr(row, name)
                    assert value == expected if expected is not None else value in ("1", "1.0", "True")
                else:
                    assert getattr(row, name) == (TYPES[column["type"]] if column["default"] else None)
        assert database.query("pragma integrity_check").all() == [{"integrity_check": "ok"}]
