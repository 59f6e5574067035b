"""Lazy records over MessagePack: headers that count, extension types, sequences of maps."""

from __future__ import annotations

import copy
import datetime
import io
import pickle
import struct
from dataclasses import dataclass, field, make_dataclass
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field, Raw, json, msgpack
from lazy_tasks import Point
from packed import packed


@dataclass
class Line:
    name: str = ""
    points: list[Point] = field(default_factory=list)
    at: Point | None = None
    more: Any = None
    next: Line | None = None
    blob: bytes = b""
    when: datetime.datetime | None = None


def line(data: Any, **options: Any) -> Line:
    own: Line = msgpack.decode(data, Line, lazy=True, **options)
    return own


def test_a_header_counts_what_is_added():
    own = line(b"\x80")
    own.name = "a"
    assert msgpack.encode(own) == packed('{"name":"a"}')
    own.at = Point(1, 0.5)
    assert msgpack.encode(own) == packed('{"name":"a","at":{"x":1,"y":0.5}}')
    # In a record within the record, and in an item.
    own = line(packed('{"at":{},"points":[{},{"x":1}],"next":{"at":{}}}'))
    assert own.at is not None
    assert own.next is not None
    assert own.next.at is not None
    own.at.x = 1
    own.points[0].x = 2
    own.next.at.x = 3
    assert msgpack.encode(own) == packed('{"at":{"x":1},"points":[{"x":2},{"x":1}],"next":{"at":{"x":3}}}')


@pytest.mark.parametrize("count", [1, 14, 15, 16, 17, 300])
def test_headers_become_wider(count: int):
    names = [f"f{at}" for at in range(count)]
    wide = make_dataclass("Wide", [(name, int, 0) for name in names])
    around = make_dataclass("Around", [("wide", wide), ("list", list[wide])])  # type: ignore[valid-type]
    data = msgpack.encode({"wide": {}, "list": [{}, {}], "unknown": [1]})
    own: Any = msgpack.decode(data, around, lazy=True)
    for record in (own.wide, own.list[1]):
        for at, name in enumerate(names):
            setattr(record, name, at)
    full = {name: at for at, name in enumerate(names)}
    expected = msgpack.encode({"wide": full, "list": [{}, full], "unknown": [1]})
    assert msgpack.encode(own) == expected
    assert msgpack.encode([own, own]) == b"\x92" + expected * 2
    assert msgpack.encode([own], sequence=True) == expected
    file = io.BytesIO()
    msgpack.write(file, (own for _ in range(2)))
    assert msgpack.decode(file.getvalue()) == [msgpack.decode(expected)] * 2
    own.wide.f0 = 7
    assert msgpack.decode(msgpack.encode(own), around).wide.f0 == 7


def test_headers_of_other_forms_stay_as_they_are():
    text = '{"name":"a","points":[{"x":1}],"u":[1]}'
    data = packed(text, wide=True)
    own = line(data)
    # All is looked at, and what may change is compared.
    repr(own)
    own.points.append(Point())
    own.points.pop()
    assert msgpack.encode(own) == data
    own.points[0].x = 2
    assert msgpack.encode(own) == data.replace(packed('"x"', wide=True) + b"\x01", packed('"x"', wide=True) + b"\x02")
    own.blob = b"b"
    written = msgpack.encode(own)
    # Only the header that has changed is written anew.
    assert written.startswith(b"\x84" + packed('"name"', wide=True))
    assert written[1:].startswith(packed(text, wide=True)[5:40])


EXT = b"\xc7\x03\x05abc"
WHEN = datetime.datetime(2024, 1, 2, 3, 4, 5, tzinfo=datetime.UTC)


def test_extension_types_are_kept_byte_for_byte():
    when = msgpack.encode(WHEN)
    data = b"\x86\xa1u" + EXT + b"\xa4more\x92" + EXT + b"\xd4\x05\x01" + b"\xa4name\xa1a\xa4when" + when
    data += b"\xa4blob\xc4\x01b\xa1t\xc7\x0c\xff" + struct.pack(">Iq", 1, 2)
    own = line(data)
    assert own.when == WHEN
    assert own.more == [{"code": 5, "data": b"abc"}, {"code": 5, "data": b"\x01"}]
    assert own.blob == b"b"
    assert own == msgpack.decode(data, Line)
    assert msgpack.encode(own) == data
    own.name = "b"
    assert msgpack.encode(own) == data.replace(b"\xa1a\xa4when", b"\xa1b\xa4when")
    own.when = WHEN + datetime.timedelta(microseconds=1)
    assert EXT in msgpack.encode(own)
    assert msgpack.decode(msgpack.encode(own), Line).when == own.when


@dataclass
class Coded:
    code: int
    data: bytes = b""
    more: int = 7


@dataclass
class Holder:
    one: Coded
    many: list[Coded] = field(default_factory=list)
    ext: msgpack.Ext | None = None


@dataclass
class Rested:
    code: int
    rest: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


@pytest.mark.parametrize("bytes_", [EXT, b"\xd4\x05a", b"\xd8\xfe" + b"x" * 16, b"\xc8\x01\x00\x05" + b"x" * 256])
def test_a_record_is_read_of_an_extension_type(bytes_: bytes):
    eager = msgpack.decode(bytes_, Coded)
    own = msgpack.decode(bytes_, Coded, lazy=True)
    assert (own.code, own.data, own.more) == (eager.code, eager.data, 7)
    assert own == eager
    assert msgpack.encode(own) == bytes_
    assert msgpack.encode([own]) == b"\x91" + bytes_
    assert copy.copy(own) == pickle.loads(pickle.dumps(own)) == eager
    own.more = 8
    assert msgpack.decode(msgpack.encode(own), Coded) == Coded(eager.code, eager.data, 8)
    assert msgpack.decode(bytes_, Rested, lazy=True) == msgpack.decode(bytes_, Rested)
    many = b"\x92" + bytes_ * 2
    assert msgpack.decode(many, list[Coded], lazy=True) == [eager, eager]
    assert list(msgpack.read(many, Coded, lazy=True)) == [eager, eager]
    # Within a record.
    data = b"\x83\xa3one" + bytes_ + b"\xa4many\x92" + bytes_ * 2 + b"\xa3ext" + bytes_
    holder = msgpack.decode(data, Holder, lazy=True)
    assert holder.one == eager
    assert holder == msgpack.decode(data, Holder)
    assert holder.ext == msgpack.Ext(eager.code, eager.data)
    assert msgpack.encode(holder) == data
    holder.one = Coded(1)
    assert msgpack.encode(holder).endswith(data[data.index(b"\xa4many") :])
    assert holder.many[1].code == eager.code
    holder.many[1].more = 8
    assert msgpack.decode(msgpack.encode(holder), Holder).many == [eager, Coded(eager.code, eager.data, 8)]
    assert b"\x92" + bytes_ in msgpack.encode(holder)


def test_views_of_ext_itself():
    own = msgpack.decode(EXT, msgpack.Ext, lazy=True)
    assert own == msgpack.Ext(5, b"abc")
    assert msgpack.encode(own) == EXT
    own = msgpack.decode(b"\x82\xa4code\x05\xa4data\xc4\x01a", msgpack.Ext, lazy=True)
    assert own == msgpack.Ext(5, b"a")
    assert msgpack.decode(msgpack.encode(own), msgpack.Ext) == own


def test_sequences_are_lists():
    maps = [packed('{"x":1}'), packed('{"x":2}', wide=True), b"\x80"]
    eager = [Point(1), Point(2), Point()]
    for data in (b"".join(maps), b"\x93" + b"".join(maps), b"\xdd\0\0\0\x03" + b"".join(maps)):
        assert msgpack.decode(data, list[Point], lazy=True) == eager
        reader = msgpack.read(data, Point, lazy=True)
        assert list(reader) == eager
        assert (reader.record, reader.bytes_read) == (3, len(data))
        views = msgpack.decode(data, list[Point], lazy=True)
        assert msgpack.encode(views) == b"\x93" + b"".join(maps)
        assert msgpack.encode(views, sequence=True) == b"".join(maps)
        views[2].x = 3
        assert msgpack.encode(views, sequence=True) == b"".join(maps[:2]) + packed('{"x":3}')
    assert msgpack.decode(maps[0], list[Point], lazy=True) == [Point(1)]
    assert msgpack.decode(b"\x90", list[Point], lazy=True) == []
    assert list(msgpack.read(b"\x90", Point, lazy=True)) == []
    for data in (
        b"",
        b"\x05",
        b"\x91",
        b"\x91\x80\x80",
        b"\x80\x05",
        b"\x80\x90",
        b"\x80\x81",
        b"\xdd\xff\xff\xff\xff\x80",
    ):
        with pytest.raises(demat.Error) as eager_error:
            msgpack.decode(data, list[Point])
        with pytest.raises(demat.Error) as late:
            repr(msgpack.decode(data, list[Point], lazy=True))
        assert late.value.offset == eager_error.value.offset
        with pytest.raises(demat.Error):
            repr(list(msgpack.read(data, Point, lazy=True)))
    # A record of a sequence is no extension type, and a sequence is no record.
    with pytest.raises(demat.EncodeError, match="every item of a sequence"):
        msgpack.encode(msgpack.decode(b"\x91" + EXT, list[msgpack.Ext], lazy=True), sequence=True)
    with pytest.raises(demat.DecodeError, match="expected end of input"):
        _ = msgpack.decode(b"\x80\x80", Point, lazy=True).x


def test_a_map_within_a_record_is_no_sequence():
    for data in (packed('{"points":{"x":1}}'), packed('{"points":{}}')):
        with pytest.raises(demat.ValidationError) as eager:
            msgpack.decode(data, Line)
        with pytest.raises(demat.ValidationError) as late:
            repr(line(data).points)
        assert str(late.value) == str(eager.value)
        with pytest.raises(demat.EncodeError, match="expected `list`"):
            msgpack.encode(line(data))


def test_errors_have_offsets_of_the_document(tmp_path: Path):
    data = packed('[{"x":1},{"x":"a"},{"y":true}]')
    path = tmp_path / "points.msgpack"
    path.write_bytes(data)
    for own in (
        msgpack.decode(data, list[Point], lazy=True),
        msgpack.decode(bytearray(data), list[Point], lazy=True),
        list(msgpack.read(data, Point, lazy=True)),
        list(msgpack.read(path, Point, lazy=True)),
    ):
        assert own[0].x == 1
        with pytest.raises(demat.ValidationError, match=r'expected `int`, found `str` "a" at `\$\.x` \(byte 8\)'):
            _ = own[1].x
        with pytest.raises(demat.ValidationError, match=r"expected `float`, found `bool` True at `\$\.y` \(byte 13\)"):
            _ = own[2].y
    with pytest.raises(demat.ValidationError, match=r"expected field `name`.*\(byte 10\)"):
        own = msgpack.decode(packed('[{"name":"a"},{}]')[:-1] + b"\x80", list[Named], lazy=True)
        _ = own[1].name
    reader = msgpack.read(packed('[{"x":1},{"x":2}]')[:-1], Point, lazy=True)
    assert next(reader).x == 1
    with pytest.raises(demat.DecodeError, match="record 2"):
        next(reader)


@dataclass
class Named:
    name: str


def test_hostile_lengths_cost_nothing():
    for value in (
        b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff",
        b"\xdb\xff\xff\xff\xff",
        b"\xc6\xff\xff\xff\xff",
        b"\xc9\xff\xff\xff\xff\x05",
    ):
        for key in (b"\xa6points", b"\xa1u", b"\xa4more"):
            with pytest.raises(demat.DecodeError):
                _ = line(b"\x81" + key + value).name
        with pytest.raises(demat.Error):
            repr(msgpack.decode(value, list[Point], lazy=True))
        with pytest.raises(demat.Error):
            repr(msgpack.decode(value, Line, lazy=True))
    with pytest.raises(demat.LimitError):
        _ = line(b"\x81\xa1u" + b"\x91" * 1_000_000 + b"\xc0").name
    with pytest.raises(demat.LimitError):
        _ = line(b"\x81\xa1u" + b"\x91" * 20 + b"\xc0", depth=20).name
    assert line(b"\x81\xa1u" + b"\x91" * 19 + b"\xc0", depth=20).name == ""


def test_raw_values_and_text():
    @dataclass
    class Kept:
        value: Raw

    data = b"\x81\xa5value\xd9\x01a"
    own = msgpack.decode(data, Kept, lazy=True)
    assert bytes(own.value) == b"\xd9\x01a"
    assert msgpack.encode(own) == data
    assert json.encode(line(packed('{"name":"a"}'))) == json.encode(Line("a"))


def test_long_records_leave_the_memory_meanwhile(tmp_path: Path):
    own = line(msgpack.encode({"name": "a", "points": [{"x": at} for at in range(30_000)], "more": ["x" * 200] * 3000}))
    own.points[25_000].y = 7
    own.next = Line("z" * 100_000)
    assert len(own.more) == 3000
    own.more[2999] = "y"
    path = tmp_path / "lines.msgpack"
    msgpack.write(path, (own for _ in range(3)))
    for read in (msgpack.decode(path.read_bytes(), list[Line]), list(msgpack.read(path, Line, lazy=True))):
        assert len(read) == 3
        assert read[1].points[25_000] == Point(25_000, 7)
        assert (read[2].next, read[2].more[-2:]) == (Line("z" * 100_000), ["x" * 200, "y"])


def test_a_view_of_an_extension_type_in_a_record_is_lazy():
    data = b"\x81\xa3one" + b"\xc7\x03\x05abc"
    holder = msgpack.decode(data, Holder, lazy=True)
    assert type(holder.one) is not Coded
    assert holder.one.data == b"abc"
    assert holder.one is holder.one
    holder.one.more = 9
    assert msgpack.decode(msgpack.encode(holder), Holder) == Holder(Coded(5, b"abc", 9))
