"""Conditions of a copy from a table: what the server decides about is what is decided about each record."""

from __future__ import annotations

import json
import subprocess
import sys
from functools import cache
from io import BytesIO
from typing import Any

import demat
import pytest
from demat import DecodeError, StoreError, ValidationError, postgres
from hypothesis import given, settings
from hypothesis import strategies as st
from postgres_server import schema

# For each column its type, values in SQL, and what it may be compared with.
COLUMNS: dict[str, tuple[str, list[str], list[str]]] = {
    "i2": ("smallint", ["-1", "0", "32767"], ["0", "-1", "32767.5", "1e3", "99999999999999999999"]),
    "i4": ("int", ["-2147483648", "7", "12"], ["7", "7.0", "7.5", "-1e99", "12"]),
    "i8": ("bigint", ["9007199254740993", "-9223372036854775808", "1"], ["9007199254740993", "9007199254740992.0"]),
    "o": ("oid", ["0", "4294967295"], ["0", "4294967295", "-1", "1.5", "4294967296", "9007199254740993", "1e30"]),
    "n": ("numeric", ["1.50", "-0.001", "1e30", "12345678901234567890.123"], ["1.5", "0", "-1e-3", "1e999", "1e30"]),
    "f4": ("real", ["'NaN'", "'Infinity'", "0.1", "-0"], ["0.1", "0", "1e99", "-5.5"]),
    "f8": (
        "float8",
        ["'NaN'", "'-Infinity'", "0.1", "-0.0", "1e300", "9007199254740992"],
        ["0.1", "0", "1e300", "-1", "9007199254740991", "9007199254740993", "-1" + 400 * "0"],
    ),
    "b": ("bool", ["true", "false"], ["true", "false"]),
    "t": (
        "text",
        ["''", "'a'", "'A'", "'ä'", "'é'", "'B'", "'a%'", "'Zz'", "'\\'", "'😀'", "'K'", "'ß'", "'a b_'"],
        ["'a'", "'B'", "'ä'", "''", "'zz'", "'😀'", "'a%'", "'_'", r"'\%'", r"'%\\'", "'%A%'", "'K'", "'ss'", "'%'"],
    ),
    "v": ('varchar(9) collate "und-x-icu"', ["'a'", "'A'", "'b'", "'Z'", "'ä'"], ["'a'", "'Z'", "'A%'", "'ä'"]),
    "w": ("text collate loose", ["'a'", "'A'", "'á'"], ["'a'", "'A'", "'á'", "'%A'"]),
    "e": ("mood", ["'sad'", "'Ok'", "'happy'"], ["'sad'", "'ok'", "'happy'", "'z'", "'%A%'"]),
    "c": ("char(3)", ["'a'", "'abc'", "' '"], ["'a'", "'a  '", "'abc'", "'A_C'"]),
    "p": ("bpchar", ["'a'", "'a '", "'b'"], ["'a'", "'a '", "'A%'", "'_'"]),
    "x": ("bytea", ["''", r"'\x00ff'", r"'\x01'"], ["'AP8='", "''", "'AQ=='"]),
    "d": ("date", ["'2024-02-29'", "'0001-01-01'", "'9999-12-31'"], ["2024-02-29", "'1970-01-01'", "9999-12-31"]),
    "h": ("time", ["'00:00'", "'12:30:15.5'", "'23:59:59.999999'"], ["'12:30:15.5'", "00:00:00", "'23:59:59.9999999'"]),
    "ts": (
        "timestamp",
        ["'2024-02-29 12:00'", "'0001-01-01'"],
        ["2024-02-29", "'2024-02-29T12:00:00'", "'2024-02-29T12:00:00.0000001'", "9999-01-01"],
    ),
    "tz": (
        "timestamptz",
        ["'2024-02-29 12:00+00'", "'1969-12-31 23:00-01'"],
        ["2024-02-29", "'2024-02-29T13:00:00+01:00'", "'1970-01-01T00:00:00Z'"],
    ),
    "iv": ("interval", ["'1 day'", "'-2 h'", "'0'"], ["'P1D'", "'PT0S'"]),
    "u": ("uuid", ["'00000000-0000-0000-0000-000000000001'", "'ffffffff-ffff-ffff-ffff-ffffffffffff'"],
          ["'00000000-0000-0000-0000-000000000001'", "'ffffffff-ffff-ffff-ffff-fffffffffff0'", "'f%'"]),
    "j": ("jsonb", ["'null'", "'1'", "'{\"a\": 1}'"], []),
    "l": ("int[]", ["'{}'", "'{1,2}'"], []),
    "k": ("inet", ["'10.0.0.1'", "'::1/64'"], ["'10.0.0.1'"]),
}  # fmt: skip
NO_PATTERN = {"b", "x"}


@cache
def place() -> str:
    url = schema()
    with postgres.connect(url) as database:
        database.execute("create type mood as enum ('sad', 'Ok', 'happy')")
        database.execute("create collation loose (provider = icu, locale = 'und-u-ks-level1', deterministic = false)")
        database.execute(
            f"create table t (id int primary key, {', '.join(f'{name} {own[0]}' for name, own in COLUMNS.items())})"
        )
        for at in range(60):
            # Each value beside each of another column sooner or later, and NULL among them.
            choices = [[*own[1], "null"] for own in COLUMNS.values()]
            row = ", ".join(values[(at * 7 + at // 3 + index) % len(values)] for index, values in enumerate(choices))
            database.execute(f"insert into t values ({at}, {row})")
    return url


@st.composite
def terms(draw: st.DrawFn) -> str:
    name = draw(st.sampled_from(sorted(COLUMNS)))
    values = COLUMNS[name][2]
    ways = ["null"]
    if values:
        ways += ["compare", "compare", "in", "between"]
        if name not in NO_PATTERN:
            ways += ["like"]
    if name == "b":
        ways += ["bare"]
    value = st.sampled_from(values) if values else st.nothing()
    match draw(st.sampled_from(ways)):
        case "compare":
            return f"{name} {draw(st.sampled_from(['=', '<>', '<', '<=', '>', '>=']))} {draw(value)}"
        case "in":
            word = draw(st.sampled_from(["in", "not in"]))
            return f"{name} {word} ({', '.join(draw(st.lists(value, min_size=1, max_size=3)))})"
        case "between":
            return f"{name} {draw(st.sampled_from(['between', 'not between']))} {draw(value)} and {draw(value)}"
        case "like":
            word = draw(st.sampled_from(["like", "not like", "contains"]))
            given = draw(value)
            text = given if given.startswith("'") else f"'{given}'"
            if word != "contains" and text.endswith("\\'") and not text.endswith("\\\\'"):
                text = "'a'"
            return f"{name} {word} {text}"
        case "bare":
            return name
        case _:
            return f"{name} is {draw(st.sampled_from(['', 'not ']))}null"


CONDITIONS = st.recursive(
    terms(),
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from(["and", "or"]), inner).map(lambda parts: f"({' '.join(parts)})"),
        inner.map(lambda part: f"not ({part})"),
    ),
    max_leaves=5,
)


def copied(source: str, where: str, **options: Any) -> Any:
    """The keys of the rows that a copy chooses, or its error."""
    out = BytesIO()
    try:
        done = demat.copy(source, out, where=where, to="json", **{"fields": ["id"], **options})
    except (StoreError, ValidationError, DecodeError) as error:
        return type(error), error.reason
    return sorted(row["id"] for row in json.loads(out.getvalue())), done.rejected


@given(CONDITIONS)
@settings(max_examples=400)
def test_the_server_decides_as_each_record_is_decided_about(condition: str) -> None:
    url = place()
    # A statement is filtered record by record.
    expected = copied(f"{url}?select * from t", condition)
    assert copied(f"{url}#t", condition) == expected, condition


ODD = {
    "n": ("numeric", ["'NaN'", "'Infinity'", "'-Infinity'", "1"], "1"),
    "d": ("date", ["'infinity'", "'-infinity'", "'0044-03-15 BC'", "'10000-01-01'", "'2024-01-01'"], "2024-01-01"),
    "ts": ("timestamp", ["'infinity'", "'-infinity'", "'10000-01-01'", "'2024-01-01'"], "2024-01-01"),
    "tz": ("timestamptz", ["'infinity'", "'0001-01-01 00:00 BC'", "'2024-01-01 00:00+00'"], "2024-01-01"),
    "h": ("time", ["'24:00'", "'12:00'"], "12:00:00"),
}


@pytest.mark.parametrize("name", ODD)
@pytest.mark.parametrize("test", ["{} = {}", "{} > {}", "{} < {}", "not {} > {}", "{} is null", "id > 0 and {} >= {}"])
@pytest.mark.parametrize("on_error", ["stop", "skip"])
def test_a_value_that_cannot_be_read_is_refused_as_ever(name: str, test: str, on_error: str) -> None:
    declared, values, compared = ODD[name]
    condition = test.format(name, compared)
    url = schema()
    with postgres.connect(url) as database:
        database.execute(f"create table t (id int primary key, {name} {declared})")
        for at, value in enumerate([*values, "null"]):
            database.execute(f"insert into t values ({at}, {value})")
    expected = copied(f"{url}?select * from t", condition, on_error=on_error)
    assert copied(f"{url}#t", condition, on_error=on_error) == expected


# Values that are fewer than those of the columns.
STRICT = "[{id: int, small: int8?, whole: int?, text: text}]"


@pytest.mark.parametrize(
    "condition", ["small > 1", "whole = 1", "text = 'a'", "text <> 'a' and id > 0", "whole is null"]
)
def test_a_class_says_how_values_are_read(condition: str) -> None:
    url = schema()
    with postgres.connect(url) as database:
        database.execute("create table t (id int, small int, whole numeric, text text)")
        database.execute(
            "insert into t values (1, 300, 1, 'a'), (2, 1, 1.5, 'b'), (3, null, 2, null), (4, 2, null, 'a')"
        )
    source = f"{url}?select * from t"
    for on_error in ("stop", "skip"):
        expected = copied(source, condition, type=STRICT, on_error=on_error)
        assert copied(f"{url}#t", condition, type=STRICT, on_error=on_error) == expected


def test_only_chosen_rows_are_sent() -> None:
    url = schema()
    with postgres.connect(url) as database:
        database.execute("create table t (id int primary key, text text)")
        database.execute("insert into t select g, 'row ' || g from generate_series(1, 9) g")
        # A row that is not sent is not computed.
        database.execute("create view v as select id, text, 10 / (id - 5) as quotient from t")
    view = f"{url}#v"
    every: Any = {"fields": None}
    assert copied(view, "text < 'row 5'", **every) == ([1, 2, 3, 4], 0)
    assert copied(view, "not (id >= 5 or text contains 'ow 2')", **every) == ([1, 3, 4], 0)
    # A part that the server can't decide about is decided about here.
    assert copied(view, "id <> 5 and (id > 7 or text is null)", **every) == ([8, 9], 0)
    assert copied(view, "id > 2", first=2, **every) == ([3, 4], 0)
    assert copied(f"{url}#t", "id > 2", first=2) == ([3, 4], 0)
    assert copied(view, "id >= 5", **every)[0] is StoreError


def test_two_sources_share_a_condition() -> None:
    url = schema()
    with postgres.connect(url) as database:
        for name in ("one", "two"):
            database.execute(f"create table {name} (id int, n int)")
            database.execute(f"insert into {name} values (1, 1), (2, 2), (3, null)")
    command = [
        sys.executable,
        "-m",
        "demat",
        "copy",
        f"{url}#one",
        f"{url}#two",
        "-",
        "--to",
        "json",
        "--where",
        "n > 1",
    ]
    done = subprocess.run(command, capture_output=True, check=True)
    assert [row["id"] for row in json.loads(done.stdout)] == [2, 2]


def test_a_database_in_another_encoding_is_filtered_here() -> None:
    url = schema()
    with postgres.connect(url) as database:
        database.execute("create database latin template template0 encoding 'LATIN1' lc_collate 'C' lc_ctype 'C'")
    other = url.replace("@/postgres?", "@/latin?").replace(url.rsplit("%3D", 1)[1], "public")
    with postgres.connect(other) as database:
        database.execute("create table t (id int, text text)")
        database.execute("insert into t values ($1, $2), (2, 'a')", (1, "ä"))
    assert copied(f"{other}#t", "text > 'b'") == ([1], 0)
    assert copied(f"{other}#t", "text <> '😀'") == ([1, 2], 0)
