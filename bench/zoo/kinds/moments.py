"""Kinds whose values are texts in JSON and something else in a program: dates, times, identifiers, enums."""

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum, IntEnum
from typing import Literal
from uuid import UUID

from zoo.kind import kind
from zoo.seeded import Seeded


@dataclass(slots=True)
class Shift:
    """Days and times of day."""

    id: int
    day: date
    start: time
    end: time


@kind("dates", Shift)
def dates(seed: Seeded, number: int) -> Shift:
    """The times have whole seconds."""

    def clock() -> time:
        return time(seed.below(24), seed.below(60), seed.below(60))

    return Shift(number, date(1970, 1, 1) + timedelta(seed.below(30_000)), clock(), clock())


@dataclass(slots=True)
class Event:
    """Instants."""

    id: int
    created: datetime
    updated: datetime


@kind("instants", Event)
def instants(seed: Seeded, number: int) -> Event:
    """In UTC, one with microseconds."""
    created = datetime(2000, 1, 1, tzinfo=UTC) + timedelta(seconds=seed.below(900_000_000))
    return Event(number, created, created + timedelta(microseconds=seed.below(10**12)))


@dataclass(slots=True)
class Reference:
    """Identifiers."""

    id: UUID
    parent: UUID


@kind("uuids", Reference)
def uuids(seed: Seeded, number: int) -> Reference:
    """Of version 4, as the bits say."""

    def version_4() -> UUID:
        return UUID(int=seed.word() << 64 | seed.word(), version=4)

    return Reference(version_4(), version_4())


class Colour(Enum):
    """A text."""

    RED = "red"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"


class Level(IntEnum):
    """A number."""

    LOW = 1
    MIDDLE = 5
    HIGH = 10


@dataclass(slots=True)
class Order:
    """Enums and a literal."""

    id: int
    colour: Colour
    level: Level
    state: Literal["open", "paid", "shipped", "cancelled"]


@kind("enums", Order)
def enums(seed: Seeded, number: int) -> Order:
    """Any of the members."""
    return Order(
        number,
        seed.pick([*Colour]),
        seed.pick([*Level]),
        seed.pick(("open", "paid", "shipped", "cancelled")),
    )
