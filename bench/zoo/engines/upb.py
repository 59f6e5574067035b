"""Google's protobuf, whose messages are upb's: each is parsed into the kind's classes, or built of them and written."""

from collections.abc import Callable
from dataclasses import is_dataclass
from typing import Any, get_args, get_origin

from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.protobuf.internal import api_implementation

from zoo.engines import Prepare
from zoo.inputs import Inputs, Work
from zoo.plain import hints
from zoo.wire import messages, varint, without_none

if api_implementation.Type() != "upb":
    raise ImportError(f"protobuf is here, but it is not upb: {api_implementation.Type()}")

Field = descriptor_pb2.FieldDescriptorProto
SCALARS = {int: Field.TYPE_INT64, float: Field.TYPE_DOUBLE, str: Field.TYPE_STRING, bool: Field.TYPE_BOOL}


def describe(cls: Any, file: Any, done: set[Any]) -> None:
    """A message for a class, and for those within it, as protoc would make them."""
    if cls in done:
        return
    done.add(cls)
    made = file.message_type.add(name=cls.__name__)
    for number, (name, own) in enumerate(hints(cls).items(), 1):
        wanted, optional = without_none(own)
        repeated = get_origin(wanted) in (list, dict)
        field = made.field.add(
            name=name, number=number, label=Field.LABEL_REPEATED if repeated else Field.LABEL_OPTIONAL
        )
        item = get_args(wanted)[-1] if repeated else wanted
        if get_origin(wanted) is dict:
            entry = made.nested_type.add(name=f"{name.title().replace('_', '')}Entry")
            entry.options.map_entry = True
            entry.field.add(name="key", number=1, type=Field.TYPE_STRING, label=Field.LABEL_OPTIONAL)
            entry.field.add(name="value", number=2, type=SCALARS[item], label=Field.LABEL_OPTIONAL)
            field.type, field.type_name = Field.TYPE_MESSAGE, f".zoo.{cls.__name__}.{entry.name}"
        elif is_dataclass(item):
            field.type, field.type_name = Field.TYPE_MESSAGE, f".zoo.{item.__name__}"
            describe(item, file, done)
        else:
            field.type = SCALARS[item]
            if optional:
                field.proto3_optional, field.oneof_index = True, len(made.oneof_decl)
                made.oneof_decl.add(name=f"_{name}")


def classes(record: Any) -> dict[Any, Any]:
    """Google's class for each of the kind's."""
    file = descriptor_pb2.FileDescriptorProto(name="zoo.proto", package="zoo", syntax="proto3")
    done: set[Any] = set()
    describe(record, file, done)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return {cls: message_factory.GetMessageClass(pool.FindMessageTypeByName(f"zoo.{cls.__name__}")) for cls in done}


def reading(cls: Any, known: dict[Any, Any]) -> Callable[[Any], Any]:
    """The function that makes a record of a message: one expression, as a user writes it for the class."""
    if cls in known:
        return known[cls]
    named: dict[str, Any] = {"cls": cls}
    made = []
    for name, own in hints(cls).items():
        wanted, optional = without_none(own)
        value = f"message.{name}"
        if is_dataclass(wanted):
            named[f"read_{name}"] = reading(wanted, known)
            value = f"read_{name}({value})"
        elif get_origin(wanted) is list and is_dataclass(get_args(wanted)[0]):
            named[f"read_{name}"] = reading(get_args(wanted)[0], known)
            value = f"[read_{name}(one) for one in {value}]"
        elif get_origin(wanted) is list:
            value = f"[*{value}]"
        elif get_origin(wanted) is dict:
            value = f"dict({value})"
        made.append(f"{value} if message.HasField({name!r}) else None" if optional else value)
    known[cls] = eval(f"lambda message: cls({', '.join(made)})", named)
    return known[cls]


def building(cls: Any, google: dict[Any, Any], known: dict[Any, Any]) -> Callable[[Any], Any]:
    """The function that makes a message of a record."""
    if cls in known:
        return known[cls]
    named: dict[str, Any] = {"google": google[cls]}
    made = []
    for name, own in hints(cls).items():
        wanted, _ = without_none(own)
        value = f"record.{name}"
        inner = get_args(wanted)[0] if get_origin(wanted) is list else wanted
        if is_dataclass(inner):
            named[f"build_{name}"] = building(inner, google, known)
            value = f"build_{name}({value})" if inner is wanted else f"[build_{name}(one) for one in {value}]"
        made.append(f"{name}={value}")
    known[cls] = eval(f"lambda record: google({', '.join(made)})", named)
    return known[cls]


def decode(inputs: Inputs) -> Work:
    """A parse, and every field read."""
    record = inputs.kind.record
    parse, read = classes(record)[record].FromString, reading(record, {})
    if inputs.kind.single:
        return Work(lambda data: read(parse(data)), inputs.texts["proto"], record)
    return Work(lambda data: [read(parse(one)) for one in messages(data)], inputs.texts["proto"], record)


def encode(inputs: Inputs) -> Work:
    """A message built, and written."""
    build = building(inputs.kind.record, classes(inputs.kind.record), {})
    if inputs.kind.single:
        return Work(lambda record: build(record).SerializeToString(), inputs.objects)

    def call(records: list[Any]) -> bytes:
        out = bytearray()
        for record in records:
            one = build(record).SerializeToString()
            out += varint(len(one))
            out += one
        return bytes(out)

    return Work(call, inputs.objects)


ENGINES: dict[str, dict[str, Prepare]] = {
    "upb": {"proto/decode": decode, "proto/encode": encode, "small/proto-decode": decode, "small/proto-encode": encode}
}
