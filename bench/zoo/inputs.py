"""What the jobs of a kind start from, and what they must answer."""

import json
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple, get_args

import msgpack

from zoo import written
from zoo.kind import Kind
from zoo.plain import hints, reader
from zoo.portrait import portrait


class Work(NamedTuple):
    """What an engine does for a job."""

    call: Any
    """The function to measure, of one argument."""
    given: Any
    """The argument."""
    cls: Any = None
    """The class of the records that it makes, where there is one."""


class Inputs:
    """So many records of a kind, in every format that the kind has."""

    def __init__(self, kind: Kind, count: int, formats: list[str], folder: Path) -> None:
        """Makes the records and writes the files."""
        self.kind, self.count = kind, count
        self.values = kind.values(count)
        self.paths = {name: folder / f"{kind.name}.{name}" for name in formats if name in written.FORMATS}
        self.texts = {name: written.FORMATS[name](kind, self.values) for name in self.paths}
        for name, path in self.paths.items():
            path.write_bytes(self.texts[name])

    @property
    def objects(self) -> Any:
        """The records as instances of the kind's own classes; of a message the one."""
        return self.values[0] if self.kind.single else self.values

    @cached_property
    def plain(self) -> Any:
        """The same as `json` reads them."""
        return json.loads(self.texts["json"])

    @cached_property
    def plain_packed(self) -> Any:
        """The same as `msgpack` reads them, with instants as datetimes."""
        return unpacked(self.texts["msgpack"])

    @cached_property
    def portrait(self) -> Any:
        """What a typed decoder must answer."""
        return portrait(self.kind.root)(self.objects)

    @cached_property
    def columns(self) -> list[list[Any]]:
        """What columns must hold."""
        return [[column(getattr(value, name)) for value in self.values] for name in hints(self.kind.record)]

    def read_packed(self, data: bytes) -> Any:
        """An encoder's MessagePack as records, by `msgpack`."""
        return reader(self.kind.root)(unpacked(data))

    def read(self, text: bytes | str) -> Any:
        """An encoder's JSON as records, by the standard library."""
        return reader(self.kind.root)(json.loads(text, parse_float=Decimal if self.exact else None))

    @cached_property
    def exact(self) -> bool:
        """Whether numbers with a point are decimals."""
        return Decimal in get_args(self.kind.record) or Decimal in own(self.kind.record).values()


def unpacked(data: bytes) -> Any:
    """A value of MessagePack."""
    return msgpack.unpackb(data, timestamp=3)


def own(record: Any) -> dict[str, Any]:
    """The fields of a record's class; none of a union."""
    return hints(record) if isinstance(record, type) else {}


def column(value: Any) -> Any:
    """A value of a column as pyarrow shows it: records are dicts."""
    if hasattr(value, "__dataclass_fields__"):
        return {name: column(getattr(value, name)) for name in hints(type(value))}
    return value
