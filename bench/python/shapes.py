"""The classes that a user would have: every engine that can is given these very ones."""

from dataclasses import dataclass


@dataclass(slots=True)
class Record:
    """A row of the records files."""

    hi: int
    there: int
    comment: str


@dataclass
class DictRecord:
    """The same with a `__dict__`, as a class is where nobody asked for slots."""

    hi: int
    there: int
    comment: str


@dataclass(slots=True)
class Task:
    """The small message."""

    id: int
    title: str
    done: bool


@dataclass(slots=True)
class Hi:
    """One field of the records."""

    hi: int


@dataclass(slots=True)
class Stop:
    """A row of stop_times."""

    trip_id: str
    arrival_time: str
    departure_time: str
    stop_id: str
    stop_sequence: int
    stop_headsign: str | None
    pickup_type: int
    drop_off_type: int
    shape_dist_traveled: float
