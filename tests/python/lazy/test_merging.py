"""Changed values in the bytes of a lazy record: their position, the options that apply, and error paths."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Field, Hook, json, proto


@dataclass
class Point:
    x: int = 0
    y: int = 0


@dataclass
class Line:
    name: str = ""
    points: list[Point] = field(default_factory=list)
    at: Point | None = None
    more: Any = None
    next: "Line | None" = None


class Own:
    pass


@formats.each(reads="lazy")
def test_options_are_those_of_the_call(module: Any):
    line = module.decode(module.encode([Line("a", [Point(1)], None, [1], Line("b"))]), list[Line], lazy=True)[0]
    line.next.more = Own()
    with pytest.raises(demat.EncodeError, match="can't encode an object of the class") as raised:
        module.encode([line])
    assert raised.value.path == "$[0].next.more"
    assert b"own" in module.encode([line], default=lambda _: "own")
    assert b"own" in module.Encoder(default=lambda _: "own").encode([line])
    assert b"hook" in module.encode([line], hooks={Own: Hook(encode=lambda _: "hook")})


@formats.each(reads="lazy")
def test_an_error_has_the_whole_path(module: Any):
    data = module.encode([Line("a", [Point(), Point(1)], None, None, Line("b", [Point(2)]))])
    line = module.decode(data, list[Line], lazy=True)[0]
    line.next.points[0].y = Own()
    with pytest.raises(demat.EncodeError) as raised:
        module.encode([line])
    assert raised.value.path == "$[0].next.points[0].y"
    line.next.points[0].y = 5
    line.points.append(Point(1, Own()))  # type: ignore[arg-type]
    with pytest.raises(demat.EncodeError) as raised:
        module.encode([line])
    assert raised.value.path == "$[0].points[2].y"


def test_a_depth_that_is_exceeded_has_a_path():
    line = json.decode(b'{"name":"a","next":{"name":"b"}}', Line, lazy=True)
    assert line.next is not None
    line.next.more = [[[]]]
    with pytest.raises(demat.LimitError) as raised:
        json.encode(line, depth=4)
    assert raised.value.path == "$.next.more[0][0]"
    assert json.encode(line, depth=5) == b'{"name":"a","next":{"name":"b","more":[[[]]]}}'


def test_with_a_type_what_is_new_is_of_it():
    line = json.decode(b'{"name":"a", "at": {"x": 1}}', Line, lazy=True)
    line.name = 5  # type: ignore[assignment]
    assert json.encode(line) == b'{"name":5, "at": {"x": 1}}'


def test_blanks_stay_in_lists_and_around_what_is_new():
    line = json.decode(b'{ "points" : [ {"x" : 1} , { } ] , "name":"a" }', Line, lazy=True)
    line.points[1].y = 2
    assert json.encode(line) == b'{ "points" : [ {"x" : 1} , {"y":2 } ] , "name":"a" }'
    line.at = Point(3)
    assert json.encode(line) == b'{ "points" : [ {"x" : 1} , {"y":2 } ] , "name":"a","at":{"x":3,"y":0} }'
    line.points.reverse()
    line.points.reverse()
    assert json.encode(line) == b'{ "points" : [ {"x" : 1} , {"y":2 } ] , "name":"a","at":{"x":3,"y":0} }'
    line.points.reverse()
    assert json.encode(line) == b'{ "points" : [{"y":2 },{"x" : 1}] , "name":"a","at":{"x":3,"y":0} }'
    empty = json.decode(b"{ }", Line, lazy=True)
    empty.name = "a"
    empty.at = Point(1)
    assert json.encode(empty) == b'{"name":"a","at":{"x":1,"y":0} }'


def test_what_is_long_is_passed_on_meanwhile():
    line = json.decode(
        json.encode(Line("a", [Point(n) for n in range(50_000)], None, ["x" * 200] * 9000)), Line, lazy=True
    )
    line.points[25_000].y = 7
    assert len(line.more) == 9000
    written = json.encode(line)
    assert written == json.encode(json.decode(written, Line))
    line.more[8999] = "y"
    line.next = Line("z")
    for indices in (slice(0, 1), slice(49_998, 49_999)):
        line.points[indices] = [Point(9)]
    written = json.encode([line, line])
    assert json.decode(written, list[Line])[1] == line


# Valid but unusual encodings of a message: overlong lengths and tags, and messages and lists in several parts.
PARTS = {
    "long lengths": b"\x0a\x81\x00a\x12\x82\x80\x00\x08\x01\x1a\x80\x00\x2a\x85\x00\x0a\x01b\x12\x00",
    "long tags": b"\x8a\x00\x01a\x92\x80\x00\x02\x08\x01\x12\x00\x1a\x00\xaa\x00\x03\x0a\x01b",
    "in parts": b"\x1a\x02\x08\x01\x12\x00\x2a\x03\x0a\x01z\x1a\x02\x10\x02\x12\x02\x08\x01\x2a\x02\x12\x00\x0a\x01a",
}


@pytest.mark.parametrize("data", PARTS.values(), ids=PARTS)
def test_messages_that_others_write(data: bytes):
    plain = proto.decode(data, Line)
    line = proto.decode(data, Line, lazy=True)
    assert line == plain
    assert line.next is not None
    assert [point.x for point in line.points] == [point.x for point in plain.points]
    assert [point.x for point in line.next.points] == [0] * (data != PARTS["long tags"])
    assert (line.next.at, line.at and line.at.x) is not None
    assert proto.encode(line) == data
    assert plain.next is not None
    for change in (
        lambda line: setattr(line.next, "name", "new"),
        lambda line: setattr(line.points[0], "x", 9),
        lambda line: line.next.points and setattr(line.next.points[0], "y", 10),
        lambda line: setattr(line.at, "y", 11) if line.at else None,
        lambda line: line.points.append(Point(5)),
        lambda line: setattr(line, "name", "other"),
        lambda line: setattr(line, "next", None),
        lambda line: setattr(line, "at", None),
    ):
        change(line)
        change(plain)
        assert proto.decode(proto.encode(line), Line) == plain
        assert proto.encode(line) == proto.encode(line)
    assert json.encode(line) == json.encode(plain)


def test_what_nobody_changed_stays_where_it_is_in_a_message():
    data = PARTS["in parts"]
    line = proto.decode(data, Line, lazy=True)
    line.points[1].x = 300
    assert proto.encode(line) == data.replace(b"\x12\x02\x08\x01", b"\x12\x03\x08\xac\x02")


def test_unknown_fields_stay_in_what_is_nested():
    @dataclass
    class More:
        x: int = 0
        z: Annotated[str, Field(number=9)] = ""

    @dataclass
    class Wide:
        name: str = ""
        points: list[More] = field(default_factory=list)

    line = proto.decode(proto.encode(Wide("a", [More(1, "kept"), More(2, "too")])), Line, lazy=True)
    line.points[1].x = 500
    assert proto.decode(proto.encode(line), Wide) == Wide("a", [More(1, "kept"), More(500, "too")])
    text = json.decode('{"points":[{"x":1,"z":"kept"},{"x":2,"z":"too"}]}', Line, lazy=True)
    text.points[1].x = 500
    assert json.encode(text) == b'{"points":[{"x":1,"z":"kept"},{"x":500,"z":"too"}]}'
