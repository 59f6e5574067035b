"""Something of everything: each kind of type in and out, good and bad, with hooks, threads and errors."""

import enum
import gc
import sys
import threading
import warnings
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple, TypedDict
from uuid import UUID

import demat
from demat import Field, Hook, Raw, csv, json, ndjson

warnings.simplefilter("error")


class Color(enum.Enum):
    RED = "red"


class Named(NamedTuple):
    x: int
    y: str = "y"


class Typed(TypedDict, total=False):
    k: int


@demat.configure(tag="kind")
@dataclass(slots=True)
class Slotted:
    a: int
    b: "Slotted | Open | None" = None


@demat.configure(tag="kind")
@dataclass
class Open:
    a: Annotated[int, Field(ge=0)]
    more: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self):
        if self.a == 13:
            raise ValueError("thirteen")


@dataclass
class All:
    a: bool
    b: float
    c: Decimal
    d: UUID
    e: date
    f: datetime
    g: timedelta
    h: Color
    i: Named
    j: Typed
    k: list[int | str | None]
    l: tuple[int, str]  # noqa: E741
    m: set[str]
    n: frozenset[int]
    o: deque[float]
    p: dict[int, bytes]
    q: Slotted | Open
    r: Annotated[int, Hook(wire=str, decode=lambda text: int(text, 16), encode=hex)]
    s: Raw
    t: Literal["a", 1]
    u: Any


value = All(
    True,
    1.5,
    Decimal("1.10"),
    UUID(int=5),
    date(2020, 1, 1),
    datetime(2020, 1, 1, tzinfo=UTC),
    timedelta(1),
    Color.RED,
    Named(1),
    {"k": 1},
    [1, "x", None],
    (1, "a"),
    {"a"},
    frozenset([1]),
    deque([0.5]),
    {1: b"x"},
    Slotted(1, Open(2, {"z": [1]})),
    255,
    Raw(b'{"raw":[1]}'),
    1,
    {"deep": [[[{"k" * 20: "v" * 40}]]], "big": 2**200},
)
text = json.encode([value, value])
for _ in range(3):
    assert json.encode(json.decode(text, list[All])) == text
    assert json.decode(text, list[All], errors="all", gc=False)[1].q == value.q
    for at in range(0, len(text), 7):
        for broken in (
            text[:at],
            text[:at] + b"\0" + text[at + 1 :],
            text[:at] + b"9" + text[at:],
            text[:at] + text[at + 1 :],
        ):
            for options in ({}, {"errors": "all"}, {"strict": False}):
                for type in (list[All], Any):
                    try:
                        json.decode(bytearray(broken), type, **options)
                    except demat.Error as error:
                        str(error), error.errors, error.path
    rows = [Named(n, "y" * n) for n in range(50)]
    assert csv.decode(csv.encode(rows), list[Named]) == rows
    assert ndjson.decode(ndjson.encode(rows), list[Named]) == rows
    buffer = bytearray()
    json.encode_into([value] * 3000, buffer)
    assert len(json.decode(buffer)) == 3000
    gc.collect()


def work():
    for _ in range(5):
        json.decode(text, list[All])
        json.encode([value, json.decode(text)])


threads = [threading.Thread(target=work) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.stdout.write("ok\n")
