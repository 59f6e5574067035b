"""Consecutive items of equal length, which lazy records count without parsing each."""

from dataclasses import dataclass, field

import pytest
from demat import proto
from hypothesis import given
from hypothesis import strategies as st


@dataclass
class Item:
    n: int = 0


@dataclass
class Many:
    items: list[Item] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    last: int = 0


def same(data):
    lazy, eager = proto.decode(data, Many, lazy=True), proto.decode(data, Many)
    assert (len(lazy.items), len(lazy.names), lazy.last) == (len(eager.items), len(eager.names), eager.last)
    assert [item.n for item in lazy.items] == [item.n for item in eager.items]
    assert list(lazy.names) == eager.names
    assert proto.encode(lazy) == data
    if eager.items:
        lazy = proto.decode(data, Many, lazy=True)
        assert (lazy.items[-1].n, lazy.items[len(eager.items) // 2].n) == (
            eager.items[-1].n,
            eager.items[len(eager.items) // 2].n,
        )


@pytest.mark.parametrize("count", [*range(34), 1000])
@pytest.mark.parametrize("name", ["", "a", "x" * 125, "x" * 126, "x" * 127, "x" * 128])
def test_so_many_of_one_length(count, name):
    same(proto.encode(Many([Item(1 + at % 100) for at in range(count)], [name] * count, count)))


PIECES = [
    b"\n\x02\x08\x05",
    b"\n\x02\x08\x06",
    b"\n\x00",
    b"\n\x03\x08\x80\x01",
    b"\x12\x01a",
    b"\x12\x02bb",
    b"\x18\x07",
    b"\x38\x01",
]


@given(st.lists(st.tuples(st.sampled_from(PIECES), st.integers(1, 20)), max_size=12))
def test_runs_of_them_among_others(pieces):
    data = b"".join(piece * count for piece, count in pieces)
    lazy, eager = proto.decode(data, Many, lazy=True), proto.decode(data, Many)
    assert [item.n for item in lazy.items] == [item.n for item in eager.items]
    assert (list(lazy.names), lazy.last) == (eager.names, eager.last)
    assert proto.encode(lazy) == data


@given(st.integers(1, 40), st.integers(0, 200))
def test_cut_anywhere(count, cut):
    data = proto.encode(Many([Item(5)] * count))[:cut]
    try:
        eager = [item.n for item in proto.decode(data, Many).items]
    except Exception as error:
        with pytest.raises(type(error)):
            _ = proto.decode(data, Many, lazy=True).items
    else:
        assert [item.n for item in proto.decode(data, Many, lazy=True).items] == eager
