"""The records of the jobs, as everybody's own classes."""

from dataclasses import dataclass
from random import Random
from typing import Any

import msgspec

SEED = 20_261_128
WORDS = ["alpha", "beta", "gamma", "delta", 'with "quotes"', "naïve", "line\nbreak", "東京"]


@dataclass(slots=True)
class Event:
    """What a service writes to its log."""

    id: int
    name: str
    price: float
    tags: list[str]
    done: bool = False
    note: str | None = None


class Struct(msgspec.Struct):
    """The same as users of msgspec write it."""

    id: int
    name: str
    price: float
    tags: list[str]
    done: bool = False
    note: str | None = None


def events(count: int) -> list[Event]:
    """So many records, which are the same in each run."""
    random = Random(SEED)
    return [
        Event(
            number,
            f"{random.choice(WORDS)} {random.randrange(10**6)}",
            random.randrange(10**6) / 100,
            [random.choice(WORDS) for _ in range(random.randrange(4))],
            random.random() < 0.3,
            random.choice(WORDS) if random.random() < 0.2 else None,
        )
        for number in range(count)
    ]


def struct(event: Event) -> Any:
    """The record for msgspec."""
    return Struct(event.id, event.name, event.price, event.tags, event.done, event.note)
