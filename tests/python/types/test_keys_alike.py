"""Keys of a dict that differ in Python, and are written alike."""

from __future__ import annotations

import enum
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from typing import Annotated, Any
from uuid import UUID

import demat
import pytest
from demat import EncodeError, Hook, cbor, csv, json, msgpack, nbt, ndjson, plist, snbt, toml, xml, yaml

# Formats whose keys are text.
TEXT: list[Any] = [json, ndjson, toml, plist, nbt, snbt, xml, csv]
# Formats whose keys keep their kinds.
TYPED: list[Any] = [msgpack, cbor, yaml]


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


@dataclass(frozen=True)
class Name:
    """A key that a hook writes in lower case."""

    text: str

    def __demat_encode__(self) -> str:
        return self.text.lower()

    @classmethod
    def __demat_decode__(cls, text: str) -> Name:
        return cls(text)


class Several(Mapping[str, int]):
    """A mapping whose `items` has a key twice, as those of requests and headers have."""

    def __getitem__(self, key: str) -> int:
        raise KeyError(key)

    def __iter__(self) -> Iterator[str]:
        return iter(["a", "a"])

    def __len__(self) -> int:
        return 2

    def items(self) -> Any:
        return [("a", 1), ("a", 2)]


# Dicts whose two keys are the same text, and that text.
ALIKE: list[tuple[dict[Any, Any], str]] = [
    ({1: 0, "1": 0}, "1"),
    ({"1": 0, 1: 0}, "1"),
    ({-(2**70): 0, str(-(2**70)): 0}, str(-(2**70))),
    ({date(2026, 8, 1): 0, "2026-08-01": 0}, "2026-08-01"),
    ({"01:02:00": 0, time(1, 2): 0}, "01:02:00"),
    ({timedelta(1): 0, "P1D": 0}, "P1D"),
    ({UUID(int=5): 0, str(UUID(int=5)): 0}, str(UUID(int=5))),
    ({Color.RED: 0, "red": 0}, "red"),
    ({Name("A"): 0, "a": 0}, "a"),
    ({Name("A"): 0, Name("a"): 0}, "a"),
    ({"x": 0, 3: 0, "y": 0, Decimal("1.50"): 0, "1.50": 0}, "1.50"),
]


@pytest.mark.parametrize("format", TEXT)
@pytest.mark.parametrize("keys", ALIKE, ids=lambda keys: keys[1])
def test_keys_of_one_text_are_refused(format: Any, keys: tuple[dict[Any, Any], str]) -> None:
    alike, _ = keys
    with pytest.raises(EncodeError, match="another key of the dict is written like this one"):
        format.encode(alike)
    for key in alike:
        # Each by itself is a key.
        assert format.encode({key: 0})


@pytest.mark.parametrize("format", [json, toml, nbt, snbt, xml, plist])
@pytest.mark.parametrize(
    ("alike", "path"),
    [
        ({"a": {1: 0, "1": 0}}, '$.a["1"]'),
        ({"a": {True: 0, "true": 0}}, "$.a.true"),
        ({"a": {"b": [{"x": 1}, {False: {"c": 1}, "false": 1}]}}, "$.a.b[1].false"),
    ],
)
def test_the_error_has_the_path_of_the_second_key(format: Any, alike: Any, path: str) -> None:
    with pytest.raises(EncodeError) as caught:
        format.encode(alike)
    assert caught.value.path == path


@pytest.mark.parametrize("format", TYPED)
def test_formats_with_kinds_of_keys_tell_them_apart(format: Any) -> None:
    for alike in ({1: 0, "1": 1}, {None: 0, "null": 1}, {1.5: 0, "1.5": 1}, {False: 0, "false": 1, 3: 2}):
        assert format.decode(format.encode(alike)) == alike
    with pytest.raises(EncodeError, match="written like this one"):
        format.encode({Color.RED: 0, "red": 0})
    with pytest.raises(EncodeError, match="written like this one"):
        format.encode({time(1, 2): 0, "01:02:00": 0})


def test_a_date_is_a_text_where_the_format_has_none() -> None:
    alike = {date(2026, 8, 1): 0, "2026-08-01": 1}
    assert cbor.decode(cbor.encode(alike)) == alike
    with pytest.raises(EncodeError, match="written like this one"):
        msgpack.encode(alike)


def test_each_nan_is_a_key_of_its_own() -> None:
    with pytest.raises(EncodeError, match="written like this one"):
        msgpack.encode({float("nan"): 1, float("nan"): 2})
    assert len(msgpack.encode({float("nan"): 1, 1.0: 2, float("inf"): 3})) > 20


def test_mappings_with_a_key_twice() -> None:
    for format in (json, msgpack, cbor):
        with pytest.raises(EncodeError, match="written like this one"):
            format.encode(Several())


def test_a_hook_on_keys() -> None:
    @dataclass
    class Headers:
        all: dict[Annotated[str, Hook(encode=str.lower, decode=str.title, wire=str)], int] = field(default_factory=dict)

    assert json.encode(Headers({"A": 1, "B": 2})) == b'{"all":{"a":1,"b":2}}'
    with pytest.raises(EncodeError, match="written like this one") as caught:
        json.encode(Headers({"A": 1, "a": 2}))
    assert caught.value.path == "$.all.a"


def test_hooks_run_once_a_key() -> None:
    calls: list[str] = []

    def encode(name: Plain) -> str:
        calls.append(name.text)
        return name.text

    @dataclass(frozen=True)
    class Plain:
        text: str

    options: dict[str, Any] = {"hooks": {Plain: Hook(encode=encode, wire=str)}}
    assert json.encode({Plain("a"): 1, "b": 2, 3: 4}, **options) == b'{"a":1,"b":2,"3":4}'
    assert calls == ["a"]


def test_hooks_that_raise_or_change_the_dict() -> None:
    alike: dict[Any, Any] = {}

    @dataclass(frozen=True)
    class Odd:
        def __demat_encode__(self) -> str:
            alike["more"] = 1
            raise RuntimeError("no")

        @classmethod
        def __demat_decode__(cls, text: str) -> Odd:
            return cls()

    alike |= {1: 0, Odd(): 1}
    with pytest.raises(RuntimeError, match="no"):
        json.encode(alike)

    @dataclass(frozen=True)
    class Adds:
        def __demat_encode__(self) -> str:
            alike["again"] = 1
            return "x"

        @classmethod
        def __demat_decode__(cls, text: str) -> Adds:
            return cls()

    alike.clear()
    alike |= {1: 0, Adds(): 1}
    with pytest.raises(EncodeError, match="changed while it was encoded"):
        json.encode(alike)


def test_errors_of_keys_are_as_before() -> None:
    for key in (None, float("inf"), (1, 2), object()):
        with pytest.raises(EncodeError) as alone:
            json.encode({key: 1})
        with pytest.raises(EncodeError) as among:
            json.encode({"a": 0, key: 1})
        assert among.value.reason == alone.value.reason


@pytest.mark.parametrize("format", TEXT + TYPED)
def test_keys_of_several_kinds_that_differ(format: Any) -> None:
    mixed: dict[Any, Any] = {1: 0, "2": 1, UUID(int=1): 2, datetime(2026, 8, 1, tzinfo=UTC): 3}
    if format in (csv, plist):
        mixed = {1: 0, "2": 1, UUID(int=1): 2}
    assert format.encode(mixed)


def test_many_keys() -> None:
    mixed: dict[Any, Any] = {n if n % 2 else str(n): n for n in range(20_000)}
    assert len(json.decode(json.encode(mixed))) == 20_000
    mixed["19999"] = 0
    with pytest.raises(EncodeError, match="written like this one"):
        json.encode(mixed)


def test_writers_and_options_are_the_same_way() -> None:
    for options in ({"indent": 2}, {"sort_keys": True}):
        with pytest.raises(EncodeError, match="written like this one"):
            json.encode([{"a": {1: 0, "1": 0}}], **options)
    with pytest.raises(EncodeError, match="written like this one"), demat.writer(io.BytesIO(), format="json") as writer:
        writer.write({1: 0, "1": 0})
