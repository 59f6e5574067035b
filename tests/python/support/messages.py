"""Messages of random schemas, as dataclasses and as Google's own classes."""

from __future__ import annotations

import enum
import itertools
from dataclasses import field, make_dataclass
from typing import Annotated, Any, NamedTuple

from demat import Field
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from hypothesis import strategies as st

Proto = descriptor_pb2.FieldDescriptorProto


class Color(enum.IntEnum):
    RED = 0
    GREEN = 5
    BLUE = -3


def ints(low: int, high: int) -> st.SearchStrategy[int]:
    """Ints of a range, often at the borders of varints' lengths."""
    borders = [sign * (1 << bits) + off for bits in range(0, 64, 7) for sign in (1, -1) for off in (-1, 0, 1)]
    return st.one_of(
        st.integers(low, high), st.sampled_from([one for one in [*borders, low, high, -129] if low <= one <= high])
    )


class Kind(NamedTuple):
    """A kind of scalar: its annotation, what Google calls it, its values, and what it is that did not come."""

    type: Any
    google: int
    values: st.SearchStrategy[Any]
    zero: Any


I32, U32, I64, U64 = (-(1 << 31), (1 << 31) - 1), (0, (1 << 32) - 1), (-(1 << 63), (1 << 63) - 1), (0, (1 << 64) - 1)
KINDS = {
    "int32": Kind(int, Proto.TYPE_INT32, ints(*I32), 0),
    "int64": Kind(int, Proto.TYPE_INT64, ints(*I64), 0),
    "uint32": Kind(int, Proto.TYPE_UINT32, ints(*U32), 0),
    "uint64": Kind(int, Proto.TYPE_UINT64, ints(*U64), 0),
    "sint32": Kind(int, Proto.TYPE_SINT32, ints(*I32), 0),
    "sint64": Kind(int, Proto.TYPE_SINT64, ints(*I64), 0),
    "fixed32": Kind(int, Proto.TYPE_FIXED32, ints(*U32), 0),
    "fixed64": Kind(int, Proto.TYPE_FIXED64, ints(*U64), 0),
    "sfixed32": Kind(int, Proto.TYPE_SFIXED32, ints(*I32), 0),
    "sfixed64": Kind(int, Proto.TYPE_SFIXED64, ints(*I64), 0),
    "float": Kind(float, Proto.TYPE_FLOAT, st.floats(width=32, allow_nan=False), 0.0),
    "double": Kind(float, Proto.TYPE_DOUBLE, st.floats(allow_nan=False), 0.0),
    "bool": Kind(bool, Proto.TYPE_BOOL, st.booleans(), False),
    "string": Kind(str, Proto.TYPE_STRING, st.text(max_size=20), ""),
    "bytes": Kind(bytes, Proto.TYPE_BYTES, st.binary(max_size=20), b""),
    "enum": Kind(Color | int, Proto.TYPE_ENUM, st.one_of(st.sampled_from(list(Color)), ints(*I32)), Color.RED),
}
KEYS = [name for name in KINDS if name not in ("float", "double", "bytes", "enum")]
LABELS = ("single", "optional", "repeated", "expanded", "map")
_count = itertools.count()


class Shape(NamedTuple):
    """A class and Google's class for the same message, and a strategy for the values of their fields."""

    cls: Any
    google: Any
    values: st.SearchStrategy[dict[str, Any]]
    fields: dict[str, tuple[str, str]]
    inner: Any


@st.composite
def shapes(draw: st.DrawFn, depth: int = 1) -> Shape:
    """Messages of a few fields of any kind, with messages in them."""
    inner = draw(shapes(depth=depth - 1)) if depth else None
    names = [*KINDS, "message"] if inner else list(KINDS)
    numbers = draw(
        st.lists(
            st.one_of(st.integers(1, 20), st.integers(1, 18_999), st.integers(20_000, (1 << 29) - 1)),
            unique=True,
            max_size=8,
            min_size=1,
        )
    )
    fields = [
        (number, draw(st.sampled_from(names)), draw(st.sampled_from(LABELS)), draw(st.sampled_from(KEYS)))
        for number in numbers
    ]
    return shape(fields, inner)


def shape(fields: list[tuple[int, str, str, str]], inner: Shape | None = None) -> Shape:
    """The message of these fields: number, kind, label and, of a map, the kind of its keys."""
    name = f"M{next(_count)}"
    file = descriptor_pb2.FileDescriptorProto(name=f"{name}.proto", syntax="proto3")
    message = file.message_type.add(name=name)
    enumeration = file.enum_type.add(name=f"Color{name}")
    for member in Color:
        enumeration.value.add(name=f"{name}_{member.name}", number=member.value)
    if inner is not None:
        file.dependency.append(inner.google.DESCRIPTOR.file.name)
    made: list[Any] = []
    values: dict[str, st.SearchStrategy[Any]] = {}
    for number, kind, label, key in fields:
        own = f"f{number}"
        said, default, value = _field(number, kind, label, key, inner)
        made.append((own, said, default))
        values[own] = value
        _declare(file, message, own, number, kind, label, key, inner)
    pool = descriptor_pool.Default()
    pool.Add(file)
    google = message_factory.GetMessageClass(pool.FindMessageTypeByName(name))
    cls = make_dataclass(name, made, slots=bool(next(_count) % 2))
    labels = {f"f{number}": (kind, label) for number, kind, label, _ in fields}
    return Shape(cls, google, st.fixed_dictionaries(values), labels, inner)


def _field(
    number: int, kind: str, label: str, key: str, inner: Shape | None
) -> tuple[Any, Any, st.SearchStrategy[Any]]:
    words = [] if kind in ("message", "enum") else [kind]
    if kind == "message":
        assert inner is not None
        one, values, zero = inner.cls, inner.values, None
    else:
        one, _, values, zero = KINDS[kind]
    packable = kind not in ("message", "string", "bytes")
    if label == "expanded" and packable:
        words.append("expanded")
    if label in ("repeated", "expanded"):
        said, default, value = list[one], field(default_factory=list), st.lists(values, max_size=5)
    elif label == "map":
        words.append(f"key {key}")
        said, default = dict[KINDS[key].type, one], field(default_factory=dict)
        value = st.dictionaries(KINDS[key].values, values, max_size=4)
    elif label == "optional" or kind == "message":
        said, default, value = one | None, None, st.none() | values
    else:
        said, default, value = one, zero, values
    return Annotated[said, Field(number, wire=", ".join(words))], default, value


def _declare(
    file: Any, message: Any, own: str, number: int, kind: str, label: str, key: str, inner: Shape | None
) -> None:
    many = label in ("repeated", "expanded", "map")
    declared = message.field.add(name=own, number=number, label=Proto.LABEL_REPEATED if many else Proto.LABEL_OPTIONAL)
    if label == "map":
        entry = message.nested_type.add(name=f"{own.capitalize()}Entry")
        entry.options.map_entry = True
        _kind(file, entry.field.add(name="key", number=1, label=Proto.LABEL_OPTIONAL), key, None)
        _kind(file, entry.field.add(name="value", number=2, label=Proto.LABEL_OPTIONAL), kind, inner)
        declared.type = Proto.TYPE_MESSAGE
        declared.type_name = f".{message.name}.{entry.name}"
        return
    _kind(file, declared, kind, inner)
    if label == "expanded" and kind not in ("message", "string", "bytes"):
        declared.options.packed = False
    if label == "optional" and kind != "message":
        declared.proto3_optional = True
        declared.oneof_index = len(message.oneof_decl)
        message.oneof_decl.add(name=f"_{own}")


def _kind(file: Any, declared: Any, kind: str, inner: Shape | None) -> None:
    if kind == "message":
        assert inner is not None
        declared.type, declared.type_name = Proto.TYPE_MESSAGE, f".{inner.google.DESCRIPTOR.full_name}"
        return
    declared.type = KINDS[kind].google
    if kind == "enum":
        declared.type_name = f".{file.enum_type[0].name}"


def ours(shape: Shape, values: dict[str, Any]) -> Any:
    """An instance of the dataclass."""
    return shape.cls(**{name: _changed(shape, name, value, ours) for name, value in values.items()})


def _changed(shape: Shape, name: str, value: Any, make: Any) -> Any:
    kind, label = shape.fields[name]
    if kind != "message" or value is None:
        return value
    if label in ("repeated", "expanded"):
        return [make(shape.inner, one) for one in value]
    if label == "map":
        return {key: make(shape.inner, one) for key, one in value.items()}
    return make(shape.inner, value)


def theirs(shape: Shape, values: dict[str, Any]) -> Any:
    """The same of Google's class."""
    message = shape.google()
    for name, given in values.items():
        kind, label = shape.fields[name]
        value = _changed(shape, name, given, theirs)
        if value is None:
            continue
        if label in ("repeated", "expanded"):
            getattr(message, name).extend(value)
        elif label == "map":
            for key, one in value.items():
                if kind == "message":
                    getattr(message, name)[key].CopyFrom(one)
                else:
                    getattr(message, name)[key] = one
        elif kind == "message":
            getattr(message, name).CopyFrom(value)
        else:
            setattr(message, name, value)
    return message
