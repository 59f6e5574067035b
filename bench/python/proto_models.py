"""What the jobs of definitions/proto.toml give and answer; see models.py for what a model is.

Where rows are made or taken, `cls` is a function: of the plain values of a record, as proto_data.py has them, it makes
what the engine is to encode; for decoders it is None.
"""

from itertools import pairwise
from operator import attrgetter
from typing import Any, NamedTuple

import fingerprints
import proto_data

RECORD = ("done", "marks", "address", "text", "seen", "name")
NAMED = ("one", "two", "three")
REST = tuple("abcdefghijklm")


class Values(NamedTuple):
    """What an engine without classes of the program's own makes or takes of a record."""

    done: bool
    marks: list[int]
    address: int
    text: str
    seen: bool
    name: str


class Named(NamedTuple):
    """The same of one of the three messages."""

    id: int
    text: str


class Three(NamedTuple):
    """The same of the record of three messages."""

    one: Named
    two: Named
    three: Named
    a: float
    b: float
    c: float
    d: int
    e: int
    f: int
    g: int
    h: int
    i: int
    j: int
    k: int
    l: int  # noqa: E741
    m: int


def record(job: Any, cls: Any) -> Any:
    """The file's record as an instance."""
    return cls(*proto_data.of_record(job.data))


def three(job: Any, cls: Any) -> Any:
    """The record of three messages as an instance of the first class, with three of the second."""
    outer, inner = cls
    values = proto_data.of_three(job.data)
    return outer(*(inner(*named) for named in values[:3]), *values[3:])


def of_text(result: Any, _: Any) -> str:
    """One text."""
    return f"text={result!r}"


def of_record(result: Any, _: Any) -> str:
    """All fields of a record."""
    done, marks, *others = attrgetter(*RECORD)(result)
    return fingerprints.value([done, list(marks), *others])


def of_three(result: Any, _: Any) -> str:
    """All fields of the record of three messages."""
    named = [[one.id, one.text] for one in attrgetter(*NAMED)(result)]
    return fingerprints.value([*named, *attrgetter(*REST)(result)])


def of_names(result: Any, _: Any) -> str:
    """A column of texts: a list, an Arrow table's, or offsets and bytes."""
    if isinstance(result, tuple):
        offsets, data = result
        ends = memoryview(offsets).cast("i")
        result = [data[begin:end].decode() for begin, end in pairwise(ends)]
    elif not isinstance(result, list):
        import pyarrow

        result = pyarrow.table(result).column(0).to_pylist()
    return fingerprints.names(result)


def of_sum(result: Any, _: Any) -> str:
    """One number."""
    return f"sum={int(result)}"


def of_array(result: Any, _: Any) -> str:
    """An array of numbers of 32 bits."""
    import numpy

    if result.dtype != numpy.uint32:
        raise TypeError(f"expected uint32, found {result.dtype}")
    return f"count={len(result)} sum={int(result.sum(dtype=numpy.uint64))}"


def of_item(result: Any, _: Any) -> str:
    """A list's length, and one of its items."""
    return "len={} item={}".format(*result)
