"""Views never pass on what eager decoding refuses: reading the field fails, or at the latest encoding the view."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import pytest
from demat import Field, json, proto


@dataclass
class Inner:
    x: Annotated[int, Field(le=100)]


@dataclass
class Outer:
    id: int
    title: str = ""
    inner: Inner | None = None
    many: list[Inner] = field(default_factory=list)


JSON = [
    b'{"id":1,"title":5}',
    b'{"id":1,"title":"\xff"}',
    b'{"id":1,"inner":{"x":"a"}}',
    b'{"id":1,"inner":{"x":101}}',
    b'{"id":1,"inner":{}}',
    b'{"id":1,"many":[{"x":1},{"x":1.5}]}',
    b'{"id":1,"unknown":1e}',
    b'{"id":"a","id":1}',
    b'{"id":1,"id":"a"}',
    b'{"id":1,"id":2,"id":null,"id":3}',
    b'{"id":1,"title":5,"title":"a"}',
    b'{"id":1,"inner":{"x":"a"},"inner":{"x":1}}',
    b'{"id":1,"inner":{"x":1,"x":2}}',
    b'{"title":"a"}',
    b'{"id":1,"id":2,"title":"a"}',
    b'{"id":1,"many":[],"unknown":[{}]}',
]
PROTO = [
    b"\x08\x01\x12\x01\xff",
    b"\x08\x01\x12\x05a",
    b"\x08\x01\x1a\x02\x08\x80",
    b"\x08\x01\x1a\x02\x08\x65",
    b"\x0a\x01a\x08\x01",
    b"\x08\x01\x0a\x01a",
    b"\x12\x01\xff\x12\x01a",
    b"\x1a\x02\x09\x01",
    b"\x22\x02\x08\x01\x22\x02\x09\x01",
    b"\x08\x01\x00",
    b"\x08\x01\x08\x02\x12\x01a\x12\x01b",
    b"\x08\x01\x7a\x01\xff",
]


def verdict(act: Any) -> bool:
    try:
        act()
    except demat.Error:
        return False
    return True


@pytest.mark.parametrize(
    ("module", "data"),
    [(json, data) for data in JSON] + [(proto, data) for data in PROTO],
    ids=lambda own: repr(own)[:60],
)
def test_one_verdict(module: Any, data: bytes) -> None:
    eager = verdict(lambda: module.decode(data, Outer))
    assert verdict(lambda: module.encode(module.decode(data, Outer, lazy=True))) == eager
    assert verdict(lambda: module.write(io.BytesIO(), [module.decode(data, Outer, lazy=True)])) == eager
    other = proto if module is json else json
    assert verdict(lambda: other.encode(module.decode(data, Outer, lazy=True))) == eager
    if eager:
        return
    # Reading a field fails if that field is what eager decoding refuses.
    view = module.decode(data, Outer, lazy=True)
    reads = {name: verdict(lambda name=name: getattr(view, name)) for name in ("id", "title")}
    try:
        module.decode(data, Outer)
    except demat.Error as error:
        if error.path in ("$.id", "$.title"):
            assert not reads[error.path[2:]], (data, reads)


@pytest.mark.parametrize("module", [json, proto])
def test_paths_are_those_of_eager_decoding(module: Any) -> None:
    data = b'{"id":"a","id":1}' if module is json else b"\x0a\x01a\x08\x01"
    with pytest.raises(demat.ValidationError) as eager:
        module.decode(data, Outer)
    with pytest.raises(demat.ValidationError) as lazy:
        _ = module.decode(data, Outer, lazy=True).id
    assert lazy.value.path == eager.value.path == "$.id"
    assert lazy.value.offset == eager.value.offset


@dataclass
class Node:
    v: int = 0
    next: Node | None = None
    many: list[Node] = field(default_factory=list)


def test_copies_of_classes_that_contain_themselves() -> None:
    file = io.BytesIO()
    demat.copy(b'[{"v":1,"many":[{"v":2}],"next":{"v":3}}]', file, Node, from_="json", to="json")
    expected = Node(1, Node(3), [Node(2)])
    assert json.decode(file.getvalue(), list[Node]) == [expected]
    assert json.encode(json.decode(json.encode(expected), Node, lazy=True)) == json.encode(expected)
