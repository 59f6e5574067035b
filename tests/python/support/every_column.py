"""Records with a field of each kind that columns have."""

import uuid
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum


class Colour(Enum):
    RED = "red"
    BLUE = "blue"


@dataclass
class Owner:
    name: str
    age: int | None = None


@dataclass
class Task:
    id: int
    title: str
    done: bool = False
    share: float | None = None
    due: date | None = None
    at: datetime | None = None
    took: timedelta | None = None
    clock: time | None = None
    key: uuid.UUID | None = None
    price: Decimal | None = None
    colour: Colour = Colour.RED
    tags: list[str] = field(default_factory=list)
    owner: Owner | None = None
    data: bytes | None = None


TASKS = [
    Task(1, "käse"),
    Task(
        -2,
        "",
        done=True,
        share=0.5,
        due=date(2026, 1, 2),
        at=datetime(2026, 1, 2, 3, 4, 5, 678901, UTC),
        took=timedelta(days=1, microseconds=1),
        clock=time(1, 2, 3, 4),
        key=uuid.UUID(int=7),
        price=Decimal("12.50"),
        colour=Colour.BLUE,
        tags=["a", "b"],
        owner=Owner("Ada", 36),
        data=b"\x00\xff",
    ),
]
