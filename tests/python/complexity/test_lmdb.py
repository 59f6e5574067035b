"""Work on collections is linear in their records, in the length of a record, and in the number of its index entries."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from demat import lmdb, store
from growth import MOST, growth


@dataclass
class Record:
    id: int
    text: str = ""
    tags: list[int] = field(default_factory=list)


def many(n: int) -> list[Record]:
    return [Record(id, "text", [id]) for id in range(n)]


def long(n: int) -> list[Record]:
    return [Record(1, "x" * n * 50)]


def tagged(n: int) -> list[Record]:
    return [Record(1, "text", list(range(n)))]


def exhaust(values: Any) -> None:
    for value in values:
        _ = value.text


WORK: dict[str, Callable[[lmdb.Collection[Record], list[Record]], object]] = {
    "put_all": lambda records, values: records.put_all(values),
    "put": lambda records, values: [records.put(value) for value in values[:1]],
    "scan": lambda records, values: exhaust(records.scan(recycle=True)),
    "objects": lambda records, values: exhaust(records.scan(objects=True)),
    "reverse": lambda records, values: exhaust(records.scan(reverse=True)),
    "index": lambda records, values: exhaust(records.index("tags").scan()),
    "rebuild": lambda records, values: records.index("tags", "tags", rebuild=True),
    "columns": lambda records, values: records.columns(fields=["id"]),
    "encode": lambda records, values: records.encode("json"),
    "count": lambda records, values: records.count(lo=0),
    "where": lambda records, values: records.count(where="text.ne=y"),
    "store": lambda records, values: store.of(records).encode("/", query="order=-text"),
    "store of an index": lambda records, values: store.of(records).encode("/", query="id.ge=0&text.ne=y"),
    "store deletes": lambda records, values: store.of(records).delete("/"),
}


@pytest.mark.parametrize("values", [many, long, tagged])
@pytest.mark.parametrize("work", WORK)
def test_growth(tmp_path: Path, work: str, values: Callable[[int], list[Record]]) -> None:
    with lmdb.open(tmp_path, sync="off") as env:

        def make(n: int) -> Callable[[], object]:
            own = values(n)
            records = env.collection(f"{values.__name__}-{n}", Record, key="id")
            if "tags" not in records.definition["indexes"]:
                records.index("tags", "tags")
            records.put_all(own)
            return lambda: WORK[work](records, own)

        assert growth(make, 400) < MOST
