"""Google's protobuf, whose messages are upb's; descriptors are made here, as protoc would make them."""

import mmap
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf.internal import api_implementation

from models import Job
from proto_models import Named, Three, Values

if api_implementation.Type() != "upb":
    raise ImportError(f"protobuf is here, but it is not upb: {api_implementation.Type()}")

Kind = descriptor_pb2.FieldDescriptorProto
MESSAGES: dict[str, dict[str, Any]] = {
    "Record": {
        "done": Kind.TYPE_BOOL,
        "marks": [Kind.TYPE_UINT32],
        "address": Kind.TYPE_FIXED32,
        "text": Kind.TYPE_STRING,
        "seen": Kind.TYPE_BOOL,
        "name": Kind.TYPE_STRING,
    },
    "Named": {"id": Kind.TYPE_INT32, "text": Kind.TYPE_STRING},
    "Three": dict.fromkeys(("one", "two", "three"), "Named")
    | dict.fromkeys("abc", Kind.TYPE_DOUBLE)
    | dict.fromkeys("defghijklm", Kind.TYPE_INT64),
    "Numbers": {"values": [Kind.TYPE_FIXED32]},
    "Item": {"id": Kind.TYPE_INT64},
    "Nested": {"items": ["Item"]},
}


def classes() -> dict[str, Any]:
    """Google's class for each message."""
    file = descriptor_pb2.FileDescriptorProto(name="bench.proto", package="bench", syntax="proto3")
    for name, fields in MESSAGES.items():
        made = file.message_type.add(name=name)
        for number, (field, kind) in enumerate(fields.items(), 1):
            label = Kind.LABEL_REPEATED if isinstance(kind, list) else Kind.LABEL_OPTIONAL
            one = kind[0] if isinstance(kind, list) else kind
            own = made.field.add(name=field, number=number, label=label)
            if isinstance(one, str):
                own.type, own.type_name = Kind.TYPE_MESSAGE, f".bench.{one}"
            else:
                own.type = one
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {name: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"bench.{name}")) for name in MESSAGES}


CLASSES = classes()
Record = CLASSES["Record"]


def last(times: Iterable[None], data: bytes) -> str:
    """A parse, and the last field."""
    parse = Record.FromString
    for _ in times:
        found = parse(data).name
    return found


def decode_record(times: Iterable[None], data: bytes) -> Values:
    """A parse, and every field read."""
    parse = Record.FromString
    for _ in times:
        one = parse(data)
        found = one.done, [*one.marks], one.address, one.text, one.seen, one.name
    return Values(*found)


def decode_three(times: Iterable[None], data: bytes) -> Three:
    """A parse, and every field read."""
    parse = CLASSES["Three"].FromString
    for _ in times:
        m = parse(data)
        a, b, c = m.one, m.two, m.three
        named = (a.id, a.text), (b.id, b.text), (c.id, c.text)
        rest = m.a, m.b, m.c, m.d, m.e, m.f, m.g, m.h, m.i, m.j, m.k, m.l, m.m
    return Three(*(Named(*one) for one in named), *rest)


def encode_record(times: Iterable[None], row: Values) -> bytes:
    """A message built and written."""
    for _ in times:
        found = Record(
            done=row.done, marks=row.marks, address=row.address, text=row.text, seen=row.seen, name=row.name
        ).SerializeToString()
    return found


def encode_three(times: Iterable[None], row: Three) -> bytes:
    """A message and three within it built and written."""
    outer, inner = CLASSES["Three"], CLASSES["Named"]
    for _ in times:
        one, two, three, a, b, c, d, e, f, g, h, i, j, k, l, m = row  # noqa: E741
        named = [inner(id=id, text=text) for id, text in (one, two, three)]
        found = outer(
            one=named[0], two=named[1], three=named[2], a=a, b=b, c=c, d=d, e=e, f=f, g=g, h=h, i=i, j=j, k=k, l=l, m=m
        ).SerializeToString()
    return found


def numbers(times: Iterable[None], data: bytes) -> Any:
    """A parse, and a copy of what it gives."""
    parse = CLASSES["Numbers"].FromString
    for _ in times:
        found = numpy.array(parse(data).values, dtype=numpy.uint32)
    return found


def nested(times: Iterable[None], data: bytes) -> tuple[int, int]:
    """A parse, and then a list's length and one of its items."""
    parse = CLASSES["Nested"].FromString
    for _ in times:
        items = parse(data).items
        found = len(items), items[len(items) // 2].id
    return found


def more(data: mmap.mmap, at: int, size: int) -> tuple[int, int]:
    """A length of several bytes, of which the first was read, and where it ends."""
    shift, size = 7, size & 0x7F
    while (byte := data[at]) > 0x7F:
        size |= (byte & 0x7F) << shift
        shift += 7
        at += 1
    return size | byte << shift, at + 1


# A file is mapped, and one message filled again and again, with no generator around it: nothing is quicker here.


def scan(path: str) -> int:
    """One field of each, in a loop."""
    one, total = Record(), 0
    parse = one.ParseFromString
    with Path(path).open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at, end = 0, len(data)
        while at < end:
            size = data[at]
            at += 1
            if size > 0x7F:
                size, at = more(data, at, size)
            parse(data[at : at + size])
            at += size
            total += one.address
    return total


def columns(path: str) -> list[str]:
    """One field of each, in a list."""
    one, found = Record(), []
    parse, add = one.ParseFromString, found.append
    with Path(path).open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        at, end = 0, len(data)
        while at < end:
            size = data[at]
            at += 1
            if size > 0x7F:
                size, at = more(data, at, size)
            parse(data[at : at + size])
            at += size
            add(one.name)
    return found


def to_json(data: bytes) -> bytes:
    """Each message by `MessageToJson`."""
    texts = []
    at = 0
    while at < len(data):
        size = data[at]
        texts.append(json_format.MessageToJson(Record.FromString(data[at + 1 : at + 1 + size]), indent=None))
        at += 1 + size
    return f"[{','.join(texts)}]".encode()


def plain(call: Callable[..., Any], cls: Any = None) -> Callable[[Job], tuple[Callable[..., Any], Any]]:
    """The same for every job."""
    return lambda job: (call, cls)


ENGINES = {
    "upb": {
        "proto-last": plain(last),
        "proto-decode-record": plain(decode_record),
        "proto-decode-three": plain(decode_three),
        "proto-encode-record": plain(encode_record, Values),
        "proto-encode-three": plain(encode_three, (Three, Named)),
        "proto-numbers": plain(numbers),
        "proto-numbers-asarray": plain(numbers),
        "proto-nested": plain(nested),
        "proto-scan": plain(scan),
        "proto-columns": plain(columns),
        "proto-columns-one": plain(columns),
        "proto-json": plain(to_json),
    }
}
