"""The types that leaks.py decodes and encodes, each with data that fits it and data that doesn't."""

from collections import deque
from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum, Flag, IntEnum
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict
from uuid import UUID


class Case(NamedTuple):
    """A type, data of it, and data that must be refused; to the latter leaks.py adds what is no JSON at all."""

    name: str
    type: Any
    good: tuple[bytes, ...]
    bad: tuple[bytes, ...] = ()
    format: str = "json"


class Colour(Enum):
    """By text."""

    RED = "red"
    BLUE = "blue"


class Level(IntEnum):
    """By number."""

    LOW = 1
    HIGH = 300


class Rights(Flag):
    """Members that combine."""

    READ = 1
    WRITE = 2


@dataclass(slots=True)
class Slotted:
    """Stored by offset."""

    number: int
    text: str


@dataclass
class Plain:
    """Stored in a `__dict__`."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Frozen:
    """Immutable to Python code."""

    number: int
    text: str


@dataclass(slots=True)
class Defaults:
    """Fields that needn't come."""

    number: int = 70_000
    texts: list[str] = field(default_factory=list)
    inner: Slotted | None = None


@dataclass
class Checked:
    """Runs code of its own, which may refuse."""

    number: int

    def __post_init__(self) -> None:
        """The refusal."""
        if self.number < 0:
            raise ValueError("negative")


@dataclass
class Node:
    """Refers to itself."""

    value: int
    children: list["Node"]


@dataclass(slots=True)
class Wide:
    """One of everything, so that an error in the last field finds many objects to give back."""

    text: str
    number: int
    real: float
    when: datetime
    ident: UUID
    price: Decimal
    colour: Colour
    inner: Slotted
    many: list[Slotted]
    named: dict[str, Plain]
    last: int


class Pair(NamedTuple):
    """A tuple with names."""

    left: int
    right: str = "right"


class Total(TypedDict):
    """A dict of which all is there."""

    number: int
    text: str


class Partial(TypedDict):
    """A dict of which some may be missing."""

    number: int
    text: NotRequired[str]


WIDE = (
    b'{"text":"some text \\u00e9 \\ud83d\\ude00","number":123456789012,"real":1.5e-7,"when":"2024-02-29T12:30:00.25Z",'
    b'"ident":"12345678-1234-5678-1234-567812345678","price":"1.10","colour":"red","inner":{"number":400,"text":"x y"},'
    b'"many":[{"number":500,"text":"one two"},{"number":600,"text":"three"}],'
    b'"named":{"first key":{"number":700,"text":"seven"}},"last":%s}'
)
RECORD = b'{"number":1000,"text":"a text"}'
RECORD_BAD = (b'{"number":1000}', b'{"text":"a text","number":"1"}', b'{"number":1000,"text":["a text"]}')
DOCUMENT = (
    b'{"a key":[1,2.5,"text \\n",null,true,{"b":[]},300,-70000,12345678901234567890],"\xc3\xa9":"\xf0\x9f\x98\x80",'
    b'"a \\u20ac":{"x":{"y":{"z":[[[]]]}}}}'
)

CASES = (
    Case("none", type(None), (b"null",), (b"0",)),
    Case("bool", bool, (b"true", b"false"), (b"1",)),
    Case("int", int, (b"0", b"-70000", b"9223372036854775807"), (b'"1"', b"1.5", b"null")),
    Case("float", float, (b"0.1", b"-1e300", b"7"), (b'"x"',)),
    Case("str", str, (b'""', b'"x"', b'"a longer text"', b'"\xc3\xa9\\n\\ud83d\\ude00"'), (b"1", b'"\xff"', b'"\\x"')),
    Case("bytes", bytes, (b'""', b'"YWJjZGVm"'), (b'"&"', b"1")),
    Case("bytearray", bytearray, (b'"YWJjZGVm"',), (b'"&"',)),
    Case("decimal", Decimal, (b'"12345.678"',), (b'"x"', b"[]")),
    Case("datetime", datetime, (b'"2024-02-29T12:30:00+02:00"', b'"2024-02-29T12:30:00"'), (b'"2023-02-29T00:00:00"',)),
    Case("date", date, (b'"2024-02-29"',), (b'"2023-02-29"', b"1")),
    Case("time", time, (b'"12:30:00.123456"',), (b'"25:00:00"',)),
    Case("timedelta", timedelta, (b'"P1DT2H"',), (b'"P"',)),
    Case("uuid", UUID, (b'"12345678-1234-5678-1234-567812345678"',), (b'"1234"',)),
    Case("enum", Colour, (b'"red"', b'"blue"'), (b'"green"', b"1")),
    Case("int enum", Level, (b"1", b"300"), (b"2", b'"x"')),
    Case("literal", Literal["one", "two"], (b'"one"', b'"two"'), (b'"three"',)),
    Case("optional", int | None, (b"null", b"70000"), (b'"x"',)),
    Case("union", int | str | list[int] | None, (b"null", b"70000", b'"text"', b"[400,500]"), (b"{}", b'[400,"x"]')),
    Case("list", list[int], (b"[]", b"[1000,2000,3000]"), (b'[1000,2000,"x"]', b"{}")),
    Case("list of texts", list[str], (b'["one text","another"]',), (b'["one text",1]',)),
    Case("tuple", tuple[int, ...], (b"[1000,2000]",), (b"[1000,null]",)),
    Case("fixed tuple", tuple[int, str], (b'[1000,"text"]',), (b"[1000]", b'[1000,"text",1]', b"[1000,1]")),
    Case("set", set[int], (b"[1000,2000,1000]",), (b'[1000,"x"]',)),
    Case("frozenset", frozenset[str], (b'["one text","another"]',), (b'["one text",1]',)),
    Case("dict", dict[str, int], (b'{"one key":1000,"two":2000}',), (b'{"one key":1000,"two":"x"}',)),
    Case("dict by int", dict[int, str], (b'{"1000":"a text"}',), (b'{"x":"a text"}',)),
    Case("any", Any, (DOCUMENT, b"[]", b'"x"'), (b'{"a key":[1,{"b":', b'["x",]', b"[1e]")),
    Case("slotted", Slotted, (RECORD,), RECORD_BAD),
    Case("plain", Plain, (RECORD,), RECORD_BAD),
    Case("frozen", Frozen, (RECORD,), RECORD_BAD),
    Case("many slotted", list[Slotted], (b"[%s,%s,%s]" % ((RECORD,) * 3),), (b'[%s,{"number":1}]' % RECORD,)),
    Case("many plain", list[Plain], (b"[%s,%s,%s]" % ((RECORD,) * 3),), (b'[%s,{"number":1}]' % RECORD,)),
    Case("unknown fields", Slotted, (b'{"other":[1,{"x":"y"}],"number":1000,"more":null,"text":"a text"}',)),
    Case(
        "defaults",
        Defaults,
        (b"{}", b'{"texts":["one text"]}', b'{"number":5000,"inner":%s}' % RECORD),
        (b'{"texts":["one text",1]}', b'{"inner":{}}'),
    ),
    Case("post_init", Checked, (b'{"number":1000}',), (b'{"number":-1000}', b"{}")),
    Case(
        "recursive",
        Node,
        (b'{"value":1000,"children":[{"value":2000,"children":[]},{"value":3000,"children":[]}]}',),
        (b'{"value":1000,"children":[{"value":2000,"children":[{"value":"x"}]}]}',),
    ),
    Case("wide", Wide, (WIDE % b"800",), (WIDE % b'"x"', WIDE % b"", (WIDE % b"800")[:-1])),
    Case("typed dict", Total, (RECORD,), RECORD_BAD),
    Case("partial typed dict", Partial, (b'{"number":1000}', RECORD), (b'{"text":"a text"}',)),
)


def msgspec_cases() -> tuple[Case, ...]:
    """What is msgspec's own way."""
    return (Case("named tuple", Pair, (b'[1000,"a text"]', b"[1000]"), (b"[]", b'["x"]')),)


def demat_cases() -> tuple[Case, ...]:
    """What only Demat has, and its other formats."""
    from demat import Field

    number = Annotated[int, Field(ge=0, lt=5000, multiple_of=10)]
    text = Annotated[str, Field(min_length=2, max_length=8, pattern="^[a-z]+$")]
    tagged = Annotated[Slotted | Defaults, Field(tag="kind")]
    rows, short = list[Slotted], (b"number\n1000\n",)
    return (
        Case("named tuple", Pair, (b'{"left":1000,"right":"a text"}', b'{"left":1000}'), (b"{}", b'{"left":"x"}')),
        Case("long int", int, (b"123456789012345678901234567890",), (b"12345678901234567890123456789.5",)),
        Case("deque", deque[int], (b"[1000,2000]",), (b'[1000,"x"]',)),
        Case("flag", Rights, (b"3",), (b"8",)),
        Case("literal of kinds", Literal["one", 2000, None], (b'"one"', b"2000", b"null"), (b"1", b"true")),
        Case("bounds", number, (b"1000",), (b"-10", b"5000", b"1001")),
        Case("lengths and pattern", text, (b'"abc"',), (b'"a"', b'"abcdefghi"', b'"ABC"')),
        Case("several faults", list[number], (b"[1000,2000]",), (b"[1001,2000,-1,9999]",)),
        Case(
            "tagged union",
            tagged,
            (b'{"kind":"Slotted",%s' % RECORD[1:], b'{"number":5000,"kind":"Defaults"}'),
            (b'{"kind":"Other"}', RECORD, b'{"kind":"Slotted","number":1000}'),
        ),
        Case("ndjson", rows, (b"%s\n%s\n" % (RECORD, RECORD), b""), (b'%s\n{"number":1}\n' % RECORD, b"{"), "ndjson"),
        Case(
            "csv",
            rows,
            (b'text,number\na text,1000\n"another ""text""",2000\n',),
            (*short, b"text,number\nx,y\n"),
            "csv",
        ),
    )
