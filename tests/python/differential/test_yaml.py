"""YAML compared to PyYAML and ruamel.yaml: readers of 1.1 and 1.2 read the output of Demat alike. JSON is YAML."""

from __future__ import annotations

import io
import json
import math
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal
from enum import Enum
from typing import Any
from uuid import UUID

import demat
import pytest
import yaml as pyyaml
from demat import yaml
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML

OFFSETS = st.integers(-23 * 60, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))
# Words that some version of YAML parses as another type than text.
WORDS = st.sampled_from(
    [
        "yes",
        "no",
        "on",
        "off",
        "y",
        "n",
        "Y",
        "N",
        "true",
        "True",
        "null",
        "~",
        "1",
        "-1",
        "1e3",
        "1.5",
        ".5",
        "5.",
        "0x1F",
        "0o7",
        "017",
        "0b1",
        "1_000",
        "1:30",
        "12:30:00",
        "2001-01-01",
        "=",
        "<<",
        ".inf",
        "-.INF",
        ".nan",
        "-",
        "?",
        ":",
        "---",
        "...",
        "#a",
        "&a",
        "*a",
        "!a",
        "|a",
        ">a",
        "%a",
        "@a",
        "`a",
        "[a]",
        "{a}",
        ",a",
        "'a",
        '"a',
        "a:",
        "a:b",
        "a#b",
        ":a",
        "-a",
        "?a",
        "+1",
        "+",
        ".",
        "e3",
        "1e",
        "1.2.3",
        "2001-12-14T10:00:00Z",
        "0x_",
        "1__0",
        "190:20:30.15",
        "NULL",
        "nUll",
    ]
)
TEXTS = st.one_of(
    st.text(),
    WORDS,
    st.lists(
        WORDS | st.sampled_from([" ", "  ", "\n", "\n\n", "\t", "\r", ": ", " #", "'", '"', "\\"]), max_size=5
    ).map("".join),
    st.text(st.sampled_from("0123456789_.:-+eExobTZ ~")),
)
SCALARS = st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), TEXTS, st.binary())
TIMES = st.one_of(
    st.dates(),
    st.datetimes(),
    # PyYAML does not support negative offsets of less than an hour.
    st.datetimes(timezones=st.integers(0, 23 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes)))),
)


KEYS = TEXTS | st.integers()


def nested(scalars: st.SearchStrategy[Any], keys: st.SearchStrategy[Any] = KEYS) -> st.SearchStrategy[Any]:
    return st.recursive(scalars, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(keys, inner, max_size=4))


def same(one: Any, two: Any) -> bool:
    """Returns whether both are the same value: NaN equals itself, and signs of zero matter."""
    if isinstance(one, dict) and isinstance(two, dict):
        return list(one) == list(two) and all(same(value, two[key]) for key, value in one.items())
    if isinstance(one, list) and isinstance(two, list):
        return len(one) == len(two) and all(map(same, one, two))
    if isinstance(one, float) and isinstance(two, float):
        return (one == two and math.copysign(1, one) == math.copysign(1, two)) or (math.isnan(one) and math.isnan(two))
    return isinstance(two, type(one)) and bool(one == two)


@given(nested(SCALARS | TIMES), st.integers(1, 8))
def test_pyyaml_reads_what_is_written(value: Any, indent: int) -> None:
    text = yaml.encode(value, indent=indent)
    assert same(value, pyyaml.safe_load(text)), text


@given(nested(SCALARS))
def test_ruamel_reads_what_is_written(value: Any) -> None:
    text = yaml.encode(value)
    reader = YAML(typ="safe", pure=True)
    assert same(value, reader.load(io.BytesIO(text))), text


@given(st.recursive(SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4)))
def test_what_is_written_is_read(value: Any) -> None:
    text = yaml.encode(value)
    assert same(value, yaml.decode(text)), text


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS,
        lambda inner: st.lists(inner) | st.dictionaries(TEXTS, inner),
    ),
    st.booleans(),
    st.sampled_from([None, 1, 4]),
)
def test_json_is_yaml(value: Any, ascii_only: bool, indent: int | None) -> None:
    text = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return
    if any(ord(char) in range(0x7F, 0xA0) for char in text):
        return  # JSON may have these as they are, YAML may not
    assert same(yaml.decode(text), json.loads(text)), text


# Without text that the versions parse differently: dates, numbers that only 1.2 has, and byte order marks.
LETTERS = st.text(st.characters(codec="utf-8", categories=("L", "Zs", "P")), max_size=20)


@given(
    nested(st.none() | st.booleans() | st.integers() | LETTERS | st.binary(), LETTERS).filter(
        lambda value: value != ""
    ),
    st.sampled_from([None, True, False]),
)
def test_what_pyyaml_writes_is_read(value: Any, flow: bool | None) -> None:
    def has_text_keys(value: Any) -> bool:
        if isinstance(value, dict):
            return all(isinstance(key, str) and key for key in value) and all(map(has_text_keys, value.values()))
        return not isinstance(value, list) or all(map(has_text_keys, value))

    if not has_text_keys(value):
        return
    text = pyyaml.safe_dump(value, default_flow_style=flow, allow_unicode=True, sort_keys=False)
    assert same(yaml.decode(text, lenient_indentation=True), pyyaml.safe_load(text)), text


class Color(Enum):
    RED = "red"
    NO = "no"


@dataclass
class Part:
    name: str
    note: str | None
    size: tuple[int, float] = (1, 0.5)


@dataclass
class Everything:
    flag: bool
    number: int
    ratio: float
    text: str
    price: Decimal
    data: bytes
    day: date
    at: time
    local: datetime
    point: datetime
    span: timedelta
    id: UUID
    color: Color
    parts: list[Part]
    by_number: dict[int, Part]
    by_day: dict[date, str]
    either: int | str
    maybe: int | None
    more: dict[str, Any] = field(default_factory=dict)


def everything() -> Everything:
    return Everything(
        flag=True,
        number=2**100,
        ratio=1e300,
        text="no",
        price=Decimal("1.10"),
        data=b"\0\xff",
        day=date(2024, 5, 6),
        at=time(7, 8, 9, 250000),
        local=datetime(2024, 5, 6, 7, 8, 9),
        point=datetime(2024, 5, 6, 7, 8, 9, tzinfo=UTC),
        span=timedelta(minutes=1),
        id=UUID(int=1),
        color=Color.NO,
        parts=[Part("a", None), Part("b", "x\ny", (2, 2.0))],
        by_number={1: Part("c", None)},
        by_day={date(2024, 5, 6): "x"},
        either="1",
        maybe=None,
        more={"deep": {"list": [1, {"a": []}]}},
    )


def test_every_type_comes_back() -> None:
    value = everything()
    text = yaml.encode(value)
    assert yaml.decode(text, Everything) == value
    read = pyyaml.safe_load(text)
    assert (read["point"], read["day"], read["color"], read["at"]) == (value.point, value.day, "no", "07:08:09.250")


def test_what_pyyaml_writes_of_times_is_read_by_type() -> None:
    stamp = datetime(2024, 5, 6, 7, 8, 9, 1, tzinfo=timezone(timedelta(hours=2)))
    assert yaml.decode(pyyaml.safe_dump([stamp]), list[datetime]) == [stamp]
    assert yaml.decode(pyyaml.safe_dump({"a": date(2024, 5, 6)}), dict[str, date]) == {"a": date(2024, 5, 6)}
    assert yaml.decode("!!timestamp 2024-05-06") == date(2024, 5, 6)


def test_nothing_is_constructed() -> None:
    for text in ("!!python/object/apply:os.system ['x']", "!!python/name:os.system", "!x 1", "!!set {a}"):
        with pytest.raises(demat.DecodeError, match="a tag of the core schema"):
            yaml.decode(text)


def test_aliases_are_limited() -> None:
    lines = ["a: &a [lol]"]
    for one, following in zip("abcdefghij", "bcdefghijk", strict=True):
        lines.append(f"{following}: &{following} [{', '.join(['*' + one] * 9)}]")
    with pytest.raises(demat.LimitError, match="what aliases add"):
        yaml.decode("\n".join(lines))
    with pytest.raises(demat.DecodeError, match="inside the value"):
        yaml.decode("&a [*a]")
    with pytest.raises(demat.LimitError):
        yaml.decode("[&a [1, 2], *a]", alias_limit=10)
    assert yaml.decode("[&a [1, 2], *a]") == [[1, 2], [1, 2]]


def test_errors_say_where() -> None:
    with pytest.raises(demat.DecodeError) as caught:
        yaml.decode("name: a\nnote:\nsize: [1, x]\n", Part)
    assert (caught.value.path, caught.value.line, caught.value.column) == ("$.size[1]", 3, 11)
    with pytest.raises(demat.DecodeError) as caught:
        yaml.decode("a: 1\nb: 2\na: 3\n")
    assert (caught.value.line, caught.value.column) == (3, 1)


def test_records_are_documents_or_items() -> None:
    parts = [Part("a", None), Part("b", "x")]
    for text in (yaml.encode(parts), yaml.encode(parts, documents=True)):
        assert list(yaml.read(text, Part)) == parts
        assert yaml.decode(text, list[Part]) == parts
    assert yaml.decode("", list[Part]) == []
    assert yaml.decode("") is None


@pytest.mark.parametrize("text", ["[" * 10**5, "{a: " * 10**5, "- " * 10**5, "? " * 10**5])
def test_depth_is_limited(text: str) -> None:
    with pytest.raises(demat.LimitError):
        yaml.decode(text)
