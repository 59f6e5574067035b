"""NBT compared to nbtlib: each reads the output of the other as the same values with the same tags."""

from __future__ import annotations

import contextlib
import io
from dataclasses import dataclass, field
from typing import Annotated, Any

import nbtlib
import pytest
from demat import Field, Raw, nbt, snbt
from hypothesis import given
from hypothesis import strategies as st

ORDERS = {"java": "big", "bedrock": "little"}

# nbtlib writes UTF-8, but Java writes surrogates, and two bytes for U+0000.
texts = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0", max_codepoint=0xFFFF), max_size=8)
SCALARS: dict[Any, st.SearchStrategy[Any]] = {
    nbtlib.Byte: st.integers(-(2**7), 2**7 - 1),
    nbtlib.Short: st.integers(-(2**15), 2**15 - 1),
    nbtlib.Int: st.integers(-(2**31), 2**31 - 1),
    nbtlib.Long: st.integers(-(2**63), 2**63 - 1),
    nbtlib.Float: st.floats(width=32, allow_nan=False),
    nbtlib.Double: st.floats(allow_nan=False),
    nbtlib.String: texts,
    nbtlib.ByteArray: st.lists(st.integers(-128, 127), max_size=4),
    nbtlib.IntArray: st.lists(st.integers(-(2**31), 2**31 - 1), max_size=4),
    nbtlib.LongArray: st.lists(st.integers(-(2**63), 2**63 - 1), max_size=4),
}


def lists_of(tag: Any, items: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Lists of one tag."""
    return st.lists(items, min_size=1, max_size=4).map(nbtlib.List[tag])


def compounds_of(tags: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return st.dictionaries(texts, tags, max_size=4).map(nbtlib.Compound)


scalars = {tag: values.map(tag) for tag, values in SCALARS.items()}
lists = {tag: lists_of(tag, items) for tag, items in scalars.items()}
lists_of_lists = st.one_of(lists_of(nbtlib.List[tag], items) for tag, items in lists.items())
compounds = compounds_of(
    st.recursive(
        st.one_of(*scalars.values(), *lists.values(), lists_of_lists),
        lambda tags: lists_of(nbtlib.Compound, compounds_of(tags)) | compounds_of(tags),
        max_leaves=8,
    )
)


def written(compound: Any, order: str, name: str = "") -> bytes:
    """Returns the output of nbtlib."""
    file = io.BytesIO()
    nbtlib.File(compound, root_name=name).write(file, order)
    return file.getvalue()


def plain(tag: Any) -> Any:
    """Returns the value that Demat reads without a type."""
    if isinstance(tag, nbtlib.ByteArray):
        return bytes(int(item) & 0xFF for item in tag)
    if isinstance(tag, nbtlib.IntArray | nbtlib.LongArray):
        return [int(item) for item in tag]
    if isinstance(tag, nbtlib.List):
        return [plain(item) for item in tag]
    if isinstance(tag, nbtlib.Compound):
        return {str(key): plain(item) for key, item in tag.items()}
    return next(of(tag) for of in (int, float, str) if isinstance(tag, of))


# One test of all that holds for them: making random compounds takes most of the time.
@given(compound=compounds)
def test_compounds_are_the_same_to_both(compound: Any) -> None:
    value = plain(compound)
    for variant, order in ORDERS.items():
        if variant == "bedrock" and any(ord(character) > 0xFFFF or character == "\0" for character in str(compound)):
            # nbtlib writes modified UTF-8 there, too.
            continue
        data = written(compound, order)
        assert nbt.decode(data, variant=variant) == value  # type: ignore[call-overload]
        # A raw keeps every tag.
        raws = nbt.decode(data, dict[str, Raw], variant=variant)  # type: ignore[call-overload]
        assert nbt.encode(raws, variant=variant) == data  # type: ignore[arg-type]
    read = nbtlib.File.parse(io.BytesIO(nbt.encode(value, name="x")))
    assert read.root_name == "x"
    assert plain(read) == value


@given(value=st.recursive(texts | st.integers(-(2**31), 2**31 - 1), lambda inner: st.dictionaries(texts, inner)))
def test_snbt_is_read_by_nbtlib(value: Any) -> None:
    text = snbt.encode(value).decode()
    assert snbt.decode(text) == value
    if not any(character in repr(value) for character in "\\\"'") and "" not in repr(value).split("'")[1:2]:
        assert plain(nbtlib.parse_nbt(text)) == value


@dataclass
class Chunk:
    y: Annotated[int, Field(nbt="byte")]
    biomes: Annotated[list[int], Field(nbt="int_array")]
    states: Annotated[list[int], Field(nbt="long_array")]
    blocks: bytes
    heat: Annotated[float, Field(nbt="float")]
    ticks: Annotated[list[int], Field(nbt="short")] = field(default_factory=list)
    name: str | None = None


def test_fields_have_the_tags_of_nbtlib() -> None:
    ours = nbt.encode(Chunk(-4, [1, -1], [2**40], b"\x01\xff", 0.5, [1]))
    peer = nbtlib.Compound(
        y=nbtlib.Byte(-4),
        biomes=nbtlib.IntArray([1, -1]),
        states=nbtlib.LongArray([2**40]),
        blocks=nbtlib.ByteArray([1, -1]),
        heat=nbtlib.Float(0.5),
        ticks=nbtlib.List[nbtlib.Short]([1]),
    )
    assert ours == written(peer, "big")
    assert nbt.decode(ours, Chunk) == Chunk(-4, [1, -1], [2**40], b"\x01\xff", 0.5, [1], None)
    with pytest.raises(ValueError, match="is no note for nbt; its notes are byte, short"):
        Field(nbt="int8")


@given(data=st.binary(max_size=64))
def test_bytes_that_nbtlib_refuses_do_no_harm(data: bytes) -> None:
    for variant in ("java", "bedrock", "bedrock-network", "auto"):
        with contextlib.suppress(ValueError):
            nbt.decode(b"\n\0\0" + data, variant=variant)  # type: ignore[call-overload]
