"""Property lists, compared to Python's `plistlib`."""

from __future__ import annotations

import plistlib
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Literal

import demat
import pytest
from demat import DecodeError, EncodeError, LimitError, plist
from hypothesis import given
from hypothesis import strategies as st

FORMS: list[Literal["xml", "binary"]] = ["xml", "binary"]
FORMATS = {"xml": plistlib.FMT_XML, "binary": plistlib.FMT_BINARY}

texts = st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"))
dates = st.datetimes(datetime(1, 1, 2), datetime(9999, 12, 30)).map(
    lambda at: at.replace(microsecond=0, fold=0, tzinfo=UTC)
)
scalars = st.booleans() | st.integers(-(2**63), 2**64 - 1) | st.floats(allow_nan=False) | texts | st.binary() | dates
values = st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(texts, inner), max_leaves=20)


def naive(value: Any) -> Any:
    """Returns the value as `plistlib` does: dates without an offset, in UTC."""
    if isinstance(value, datetime):
        return value.replace(tzinfo=None)
    if isinstance(value, list):
        return [naive(item) for item in value]
    if isinstance(value, dict):
        return {key: naive(item) for key, item in value.items()}
    return value


def exactly(value: Any) -> str:
    """Shows the value so that `True` differs from `1` and `-0.0` from `0`; the order of keys does not matter."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {exactly(value[key])}" for key in sorted(value)) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(exactly, value)) + "]"
    return repr(value)


@given(value=values, form=st.sampled_from(FORMS))
def test_both_read_what_the_other_writes(value: Any, form: Literal["xml", "binary"]) -> None:
    written = plist.encode(value, variant=form)
    assert exactly(naive(plist.decode(written))) == exactly(naive(value))
    assert exactly(plistlib.loads(written)) == exactly(naive(value))
    theirs = plistlib.dumps(naive(value), fmt=FORMATS[form])
    assert exactly(naive(plist.decode(theirs))) == exactly(plistlib.loads(theirs))


@pytest.mark.parametrize("form", FORMS)
def test_equal_scalars_are_shared_in_both(form: Literal["xml", "binary"]) -> None:
    value = [{"a long name": "a long text", "n": 1000} for _ in range(500)]
    ours, theirs = plist.encode(value, variant=form), plistlib.dumps(value, fmt=FORMATS[form])
    assert len(ours) <= len(theirs) * 1.01 + 100
    assert plist.decode(theirs) == value


@dataclass
class Item:
    name: str
    at: datetime | None
    size: float = 0.0
    uid: int | None = None


def test_classes_in_every_form() -> None:
    item = Item("a", datetime(2024, 2, 29, 12, 30, tzinfo=UTC), 1.5)
    for form in FORMS:
        data = plist.encode([item, Item("b", None)], variant=form)
        assert plist.decode(data, list[Item]) == [item, Item("b", None)]
        assert list(plist.read(data, Item)) == [item, Item("b", None)]
    old = b'( { name = a; at = "2024-02-29T12:30:00Z"; size = 1.5; }, { name = b; } )'
    assert plist.decode(old, list[Item]) == [item, Item("b", None)]
    assert plist.decode(b'{ name = a; at = "2024-02-29T12:30:00Z"; size = 1.5; }', Item) == item


def test_uids_are_ints_or_dicts() -> None:
    data = plistlib.dumps({"name": "a", "uid": plistlib.UID(7)}, fmt=plistlib.FMT_BINARY)
    assert plist.decode(data, Item) == Item("a", None, uid=7)
    assert plist.decode(data) == {"name": "a", "uid": {"CF$UID": 7}}
    again = plist.encode(plist.decode(data), variant="binary", uids=True)
    assert plistlib.loads(again) == plistlib.loads(data)


def test_what_has_no_form_is_refused() -> None:
    for value in ([None], {"a": None}, None, 2**64, -(2**63) - 1):
        with pytest.raises(EncodeError):
            plist.encode(value)
    with pytest.raises(EncodeError, match="whole seconds"):
        plist.encode(datetime(2024, 1, 1, microsecond=1, tzinfo=UTC))
    at = datetime(2024, 1, 1, microsecond=123456, tzinfo=UTC)
    assert plist.decode(plist.encode(at, variant="binary"), datetime) == at
    with pytest.raises(EncodeError, match="U\\+0000"):
        plist.encode("\0")
    assert plist.decode(plist.encode("\0", variant="binary")) == "\0"


def test_hostile_documents_are_refused() -> None:
    entity = b'<?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaa">]><plist><string>&a;</string></plist>'
    external = b'<!DOCTYPE plist [<!ENTITY a SYSTEM "file:///etc/passwd">]><plist><string>&a;</string></plist>'
    for data in (entity, external, b"<plist><string>&a;</string></plist>", b"bplist00" + b"\xff" * 40):
        with pytest.raises(DecodeError):
            plist.decode(data)
    with pytest.raises(LimitError):
        plist.decode(b"(" * 100_000)
    bomb = plistlib.dumps(_shared(24), fmt=plistlib.FMT_BINARY)
    assert len(bomb) < 1000
    with pytest.raises(LimitError):
        plist.decode(bomb)


def _shared(levels: int) -> list[Any]:
    value: list[Any] = []
    for _ in range(levels):
        value = [value, value]
    return value


def test_copies_keep_what_there_is(tmp_path: Any) -> None:
    source, binary, back = tmp_path / "a.json", tmp_path / "a.plist", tmp_path / "b.json"
    source.write_text('[{"id": 1, "tags": ["x", "y"]}, {"id": 2, "tags": []}]')
    demat.copy(source, binary, write={"variant": "binary"})
    assert binary.read_bytes().startswith(b"bplist00")
    demat.copy(binary, back)
    assert demat.json.decode(back.read_bytes()) == demat.json.decode(source.read_bytes())
