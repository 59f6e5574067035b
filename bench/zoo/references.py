"""The formats without an engine of their own: the reference package writes the inputs and judges encoders.

Each is a parser and a writer of dicts and lists, with code by hand around it (zoo/hand.py); XML is in zoo/by_lxml.py.
"""

import io
import plistlib
from collections.abc import Callable
from dataclasses import make_dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple
from uuid import UUID

from zoo import by_lxml
from zoo.hand import Hand, maker, teller
from zoo.kind import Kind


class Reference(NamedTuple):
    """A parser and a writer for the values of one type."""

    read: Callable[[bytes], Any]
    write: Callable[[Any], bytes]


# Times of day have no tag in CBOR; in the others dates and identifiers are texts, too.
TIME_READ, TIME_WRITE = "time.fromisoformat({})", "{}.isoformat()"
MOMENTS = {"date": date, "time": time, "datetime": datetime, "UUID": UUID, "Decimal": Decimal}
READ = {date: "date.fromisoformat({})", time: TIME_READ, UUID: "UUID({})", Decimal: "Decimal({})"}
WRITE = {date: "{}.isoformat()", time: TIME_WRITE, UUID: "str({})", Decimal: "str({})"}

CBOR = Hand({time: TIME_READ}, {time: TIME_WRITE}, MOMENTS)
PLIST = Hand(READ, WRITE, MOMENTS, nulls=False)


@cache
def document(record: Any) -> Any:
    """NBT's outermost value is a compound, so the records are in a field of it."""
    return make_dataclass("Document", [("records", list[record])], slots=True)


def wrapped(kind: Kind, record: Any = None) -> Any:
    """The type of a document of NBT; `record` is the type of a record where it is not just the kind's."""
    return record or kind.record if kind.single else document(record or kind.record)


def of_cbor(kind: Kind) -> Reference:
    """By cbor2, with instants as numbers and dates, decimals and identifiers under their tags."""
    cbor2 = import_module("cbor2")
    make, tell = maker(kind.root, CBOR), teller(kind.root, CBOR)
    return Reference(
        lambda data: make(cbor2.loads(data)),
        lambda value: cbor2.dumps(tell(value), datetime_as_timestamp=True, timezone=UTC),
    )


def of_plist(kind: Kind, form: Any) -> Reference:
    """By plistlib; dicts keep their order, as everybody's do."""
    make, tell = maker(kind.root, PLIST), teller(kind.root, PLIST)
    return Reference(
        lambda data: make(plistlib.loads(data, fmt=form)),
        lambda value: plistlib.dumps(tell(value), fmt=form, sort_keys=False),
    )


def by_nbtlib() -> Hand:
    """The tags of nbtlib are subclasses of Python's numbers and texts."""
    tags = import_module("nbtlib.tag")
    scalars = {int: "int({})", float: "float({})", str: "str({})", bool: "bool({})"}
    texts = {wanted: made.format("str({})") for wanted, made in READ.items()}
    told = {int: "Long({})", float: "Double({})", str: "String({})", bool: "Byte({})"}
    told |= {wanted: f"String({made})" for wanted, made in WRITE.items()}
    lists = {(list, int): "[Long]", (list, float): "[Double]", (list, str): "[String]"}
    names = {name: getattr(tags, name) for name in ("Long", "Double", "String", "Byte", "List", "Compound")}
    return Hand(scalars | texts, told | lists, MOMENTS | names, "ListITEM({})", "Compound({})", nulls=False)


def of_nbt(kind: Kind) -> Reference:
    """By nbtlib: ints are longs, floats doubles, bools bytes."""
    nbtlib, hand = import_module("nbtlib"), by_nbtlib()
    make, tell = maker(wrapped(kind), hand), teller(wrapped(kind), hand)

    def write(value: Any) -> bytes:
        out = io.BytesIO()
        nbtlib.File(tell(value)).write(out)
        return out.getvalue()

    return Reference(lambda data: make(nbtlib.File.parse(io.BytesIO(data))), write)


def within(reference: Reference, kind: Kind) -> Reference:
    """The records themselves, where a document has them in a field."""
    if kind.single:
        return reference
    whole = document(kind.record)
    return Reference(
        lambda data: reference.read(data).records,
        lambda values: reference.write(whole(values)),
    )


REFERENCES: dict[str, Callable[[Kind], Reference]] = {
    "cbor": of_cbor,
    "plist": partial(of_plist, form=plistlib.FMT_XML),
    "bplist": partial(of_plist, form=plistlib.FMT_BINARY),
    "nbt": lambda kind: within(of_nbt(kind), kind),
    "xml": lambda kind: Reference(by_lxml.reader(kind), by_lxml.writer(kind)),
}
