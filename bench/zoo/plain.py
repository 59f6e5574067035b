"""Records as plain values for Python's own `json` and `csv`, and plain values as records again.

It is the judge of encoders: what an engine wrote is parsed by the standard library and made into records by this.
"""

import types
from collections.abc import Callable
from dataclasses import MISSING, fields, is_dataclass
from datetime import UTC, date, datetime, time
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from typing_extensions import is_typeddict

# Stands before the digits of a decimal until the whole text is written: `json` has no way to write one as a number.
DECIMAL = "@decimal:"


def rfc3339(value: datetime) -> str:
    """RFC 3339, with Z."""
    return value.isoformat().replace("+00:00", "Z")


@cache
def hints(cls: Any) -> dict[str, Any]:
    """The fields of a class of records, with their types."""
    return get_type_hints(cls)


def tag_of(cls: Any) -> str | None:
    """The name of the field that tells a member of a union, where the class has one."""
    return next(
        (name for name, own in hints(cls).items() if get_origin(own) is Literal and len(get_args(own)) == 1), None
    )


def plain(value: Any, *, sparse: bool = False, instant: Callable[[datetime], Any] = rfc3339) -> Any:
    """Dicts, lists and scalars; a tag comes first. `sparse` leaves out fields that are None."""
    if is_dataclass(value):
        names = sorted((field.name for field in fields(value)), key=lambda name: name != tag_of(type(value)))
        made = {name: plain(getattr(value, name), sparse=sparse, instant=instant) for name in names}
        return {name: own for name, own in made.items() if own is not None} if sparse else made
    match value:
        case Enum():
            return value.value
        case list():
            return [plain(item, sparse=sparse, instant=instant) for item in value]
        case dict():
            return {key: plain(item, sparse=sparse, instant=instant) for key, item in value.items()}
        case Decimal():
            return f"{DECIMAL}{value}"
        case datetime():
            return instant(value)
        case date() | time():
            return value.isoformat()
        case UUID():
            return str(value)
    return value


def exactly(wanted: type) -> Callable[[Any], Any]:
    """Accepts values of one class."""

    def check(value: Any) -> Any:
        if type(value) is not wanted:
            raise TypeError(f"expected {wanted.__name__}, found {value!r:.80}")
        return value

    return check


def when(value: str | datetime) -> datetime:
    """An instant, in UTC."""
    return (datetime.fromisoformat(value) if isinstance(value, str) else value).astimezone(UTC)


def number(value: Any) -> float:
    """A float; a whole one may be written without a point, as JSON has one kind of number."""
    if type(value) not in (int, float):
        raise TypeError(f"expected a number, found {value!r:.80}")
    return float(value)


SCALARS: dict[Any, Callable[[Any], Any]] = {
    int: exactly(int),
    str: exactly(str),
    bool: exactly(bool),
    type(None): exactly(type(None)),
    float: number,
    Decimal: lambda value: Decimal(str(value)),
    date: date.fromisoformat,
    time: time.fromisoformat,
    datetime: when,
    UUID: UUID,
}


@cache
def reader(wanted: Any) -> Callable[[Any], Any]:
    """The function that makes a value of this type of what `json.loads` gave."""
    if wanted in SCALARS:
        return SCALARS[wanted]
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin is list:
        item = reader(arguments[0])
        return lambda value: [item(one) for one in value]
    if origin is dict:
        item = reader(arguments[1])
        return lambda value: {key: item(one) for key, one in value.items()}
    if origin in (Union, types.UnionType):
        return member(arguments)
    if origin is Literal:
        return lambda value: arguments[arguments.index(value)]
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        return wanted
    return record(wanted)


def member(arguments: tuple[Any, ...]) -> Callable[[Any], Any]:
    """Of `X | None`, or of classes that a tag tells apart."""
    rest = [argument for argument in arguments if argument is not type(None)]
    if len(rest) == 1:
        return lambda value: None if value is None else reader(rest[0])(value)
    tags = {get_args(hints(cls)[tag_of(cls) or ""])[0]: cls for cls in rest}
    tag = tag_of(rest[0])
    return lambda value: reader(tags[value[tag]])(value)


def record(cls: Any) -> Callable[[Any], Any]:
    """A dataclass or a TypedDict. Its fields are looked up at the first record: a class may contain itself."""
    if is_typeddict(cls):
        return lambda value: {name: reader(own)(value[name]) for name, own in hints(cls).items()}
    optional = {
        field.name
        for field in fields(cls)
        if field.default is not MISSING or type(None) in get_args(hints(cls)[field.name])
    }

    def make(value: dict[str, Any]) -> Any:
        if unknown := value.keys() - hints(cls).keys():
            raise TypeError(f"{cls.__name__} has no {unknown}")
        given = {name: reader(own)(value[name]) for name, own in hints(cls).items() if name in value}
        absent = hints(cls).keys() - given.keys()
        if absent - optional:
            raise TypeError(f"{cls.__name__} lacks {absent - optional}")
        return cls(**given, **dict.fromkeys(absent & nullable, None))

    nullable = {name for name in optional if type(None) in get_args(hints(cls)[name])}
    return make
