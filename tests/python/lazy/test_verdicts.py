"""Views never pass on what eager decoding refuses: reading the field fails, or at the latest encoding the view."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Field, json, msgpack, proto
from packed import packed


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
# The same in MessagePack, and what JSON has not.
MSGPACK = [
    *(packed(data) for data in JSON if b"\xff" not in data and b"1e}" not in data),
    b"\x82\xa2id\x01\xa5title\xa1\xff",
    b"\x82\xa2id\x01\xa1u\xa1\xff",
    b"\x82\xa2id\x01\xa1u\xc1",
    b"\x82\xa2id\x01\xa1u",
    b"\x83\xa2id\x01",
    b"\x81\xa2id\x01\x05",
    b"\x81\xa2id\x01\x81\xa2id\x01",
    b"\x82\xa2id\x01\x05\x06",
    b"\x82\xa2id\x01\x90\x06",
    b"\x82\xa2id\xcf\x00\x00\x00\x00\x00\x00\x00\x01\xa5title\xd9\x01a",
    b"\x82\xa2id\xcb\x3f\xf0\x00\x00\x00\x00\x00\x00\xa5title\xa1a",
    b"\x82\xa2id\x01\xa4many\x81\xa1x\x01",
    b"\x82\xa2id\x01\xa5inner\xd4\x05\x01",
    b"\x82\xa2id\x01\xa4many\x91\xd4\x05\x01",
    b"\x82\xa2id\x01\xa1u\xd4\x05\x01",
    b"\x82\xa2id\x01\xa1u\xd4\xff\x01",
    b"\x82\xa2id\x01\xa1u\x81\x91\x01\x02",
    b"\xd4\x05\x01",
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
    [(module, data) for module, all in ((json, JSON), (msgpack, MSGPACK), (proto, PROTO)) for data in all],
    ids=lambda own: repr(own)[:60],
)
def test_one_verdict(module: Any, data: bytes) -> None:
    eager = verdict(lambda: module.decode(data, Outer))
    assert verdict(lambda: module.encode(module.decode(data, Outer, lazy=True))) == eager
    assert verdict(lambda: module.write(io.BytesIO(), [module.decode(data, Outer, lazy=True)])) == eager
    other = json if module is not json else proto
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


@dataclass
class Tree:
    v: int = 0
    name: str = ""
    next: Tree | None = None
    many: list[Tree] = field(default_factory=list)
    more: dict[str, int] = field(default_factory=dict)
    last: int = 0


def valid(module: Any) -> bytes:
    leaf = Tree(3, "leaf", None, [], {"a": 1}, 7)
    return module.encode(Tree(1, "root", Tree(2, "middle", None, [leaf, leaf], {"a": 1}, 7), [leaf, leaf], {}, 7))


def set_scalar(view: Tree) -> None:
    view.v = 100


def set_deep(view: Tree) -> None:
    if view.next is not None and len(view.next.many) > 1:
        view.next.many[1].v = 100


def append_item(view: Tree) -> None:
    view.many.append(Tree(5))


def move(view: Tree) -> None:
    if view.next is not None:
        view.many[0] = view.next


def touch_dict(view: Tree) -> None:
    view.more["b"] = 2


CHANGES = [set_scalar, set_deep, append_item, move, touch_dict]


WRONG = {
    json: (b'"', b"x", b'"1"', b"null"),
    msgpack: (b"\x00", b"\x80", b"\xa1", b"\xc0", b"\xc1", b"\xdd", b"\xff"),
    proto: (b"\x00", b"\x09", b"\x0a", b"\xff"),
}


def damaged(module: Any) -> list[bytes]:
    """Documents with one wrong value each, at every value of the valid one."""
    data = valid(module)
    made = []
    for at in range(len(data)):
        for other in WRONG[module]:
            wrong = data[:at] + other + data[at + 1 :]
            if not verdict(lambda wrong=wrong: module.decode(wrong, Tree)):
                made.append(wrong)
    assert len(made) > 100
    return made


@pytest.mark.parametrize("change", CHANGES)
@formats.each(reads="lazy", lists=False)
def test_changed_views_pass_on_nothing_that_is_wrong(module: Any, change: Any) -> None:
    """What is encoded of a changed view is what eager decoding takes, also where a value beside the change is wrong."""
    changed = 0
    for data in damaged(module):
        try:
            view = module.decode(data, Tree, lazy=True)
            change(view)
            encoded = module.encode(view)
        except demat.Error:
            continue
        except (IndexError, AttributeError):
            continue
        changed += 1
        module.decode(encoded, Tree)
    # The value that is wrong is at times the one that was replaced.
    assert changed > 0 or change in (append_item, touch_dict, move)


@pytest.mark.parametrize(
    "data",
    [
        b'{"v":"wrong","next":{"v":1,"last":"wrong"}}',
        b'{"v":"wrong","many":[{"v":1},{"v":true},{"v":3}]}',
        b'{"v":"wrong","name":5}',
    ],
)
@pytest.mark.parametrize(("module", "form"), [(json, bytes), (msgpack, packed)])
def test_a_value_beside_one_that_was_replaced_is_refused(data: bytes, module: Any, form: Any) -> None:
    view = module.decode(form(data), Tree, lazy=True)
    view.v = 1
    if b"next" in data:
        view.next.v = 2
    if b"many" in data:
        view.many[0].v = 2
    with pytest.raises(demat.EncodeError) as refused:
        module.encode(view)
    assert refused.value.path in ("$.next.last", "$.many[1].v", "$.name")
    if b"next" in data:
        view.next.last = 3
        assert module.encode(view) == form(b'{"v":1,"next":{"v":2,"last":3}}')
    if b"many" in data:
        view.many[1].v = 3
        assert module.encode(view) == form(b'{"v":1,"many":[{"v":2},{"v":3},{"v":3}]}')


@formats.each(reads="lazy", lists=False)
def test_paths_are_those_of_eager_decoding(module: Any) -> None:
    text = b'{"id":"a","id":1}'
    data = {json: text, msgpack: packed(text), proto: b"\x0a\x01a\x08\x01"}[module]
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
