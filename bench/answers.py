"""The answers that the definitions must give, by Python's own parsers: no engine is the judge of another.

    python answers.py             compare with the definitions; exit 1 where one differs
    python answers.py --write     put them into the definitions

It mirrors src/answer.rs; the two were written to agree, and every run holds them to it. Engines in Python are
fingerprinted by the functions here.
"""

import csv
import json
import re
import struct
import sys
import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import proto_answers
from data import fingerprint, make
from definition import BENCH, load
from fingerprints import value

WORD = 0xFFFFFFFFFFFFFFFF
SPREAD = 0x9E3779B97F4A7C15


def rows(records: Iterable[tuple[int, int, str]]) -> str:
    """`rows=… crc=…` over every field of every record, in order."""
    count = crc = 0
    for hi, there, comment in records:
        text = comment.encode()
        crc = zlib.crc32(struct.pack("<qqQ", hi, there, len(text)) + text, crc)
        count += 1
    return f"rows={count} crc={crc:08x}"


def document(root: Any) -> str:
    """`nodes=… crc=…` of an untyped document, keys sorted, floats as bits."""
    nodes = crc = 0

    def text(value: str) -> bytes:
        encoded = value.encode()
        return b"s" + struct.pack("<Q", len(encoded)) + encoded

    def walk(value: Any) -> None:
        nonlocal nodes, crc
        nodes += 1
        match value:
            case None:
                crc = zlib.crc32(b"n", crc)
            case bool():
                crc = zlib.crc32(b"t" if value else b"f", crc)
            case int():
                crc = zlib.crc32(b"i" + struct.pack("<q", value), crc)
            case float():
                crc = zlib.crc32(b"d" + struct.pack("<d", value), crc)
            case str():
                crc = zlib.crc32(text(value), crc)
            case list():
                crc = zlib.crc32(b"[", crc)
                for item in value:
                    walk(item)
                crc = zlib.crc32(b"]", crc)
            case dict():
                crc = zlib.crc32(b"{", crc)
                for key in sorted(value, key=str.encode):
                    crc = zlib.crc32(text(key), crc)
                    walk(value[key])
                crc = zlib.crc32(b"}", crc)

    walk(root)
    return f"nodes={nodes} crc={crc:08x}"


def word(value: int | float | str) -> int:
    """A field as the 64 bits that the tally takes in."""
    if isinstance(value, int):
        return value & WORD
    if isinstance(value, float):
        return struct.unpack("<Q", struct.pack("<d", value))[0]
    text = value.encode()
    return len(text) | text[0] << 32 | text[-1] << 40 if text else 0


def tally(table: Iterable[Iterable[int | float | str]]) -> str:
    """`rows=… tally=…` of rows that are visited and dropped."""
    count = state = 0
    for row in table:
        total = sum(word(field) * 31**place for place, field in enumerate(row)) & WORD
        state = (state ^ total) * SPREAD & WORD
        state ^= state >> 32
        count += 1
    return f"rows={count} tally={state:016x}"


@cache
def content(path: Path) -> Any:
    """A JSON document; kept, because several jobs start from one."""
    with path.open(encoding="utf-8") as file:
        return json.load(file)


def cells(path: Path) -> Iterable[list[str]]:
    """A CSV file's rows without the header."""
    with path.open(encoding="utf-8", newline="") as file:
        reader = csv.reader(file, strict=True)
        next(reader)
        yield from reader


def records(path: Path) -> Iterable[tuple[int, int, str]]:
    """The records of any of the three formats."""
    if path.suffix == ".csv":
        for hi, there, comment in cells(path):
            yield int(hi), int(there), comment
    elif path.suffix == ".ndjson":
        with path.open(encoding="utf-8") as file:
            yield from (tuple(json.loads(line).values()) for line in file)
    else:
        yield from (tuple(row.values()) for row in content(path))


def stops(path: Path) -> Iterable[list[int | float | str]]:
    """The rows of stop_times, typed."""
    for row in cells(path):
        yield [*row[:4], int(row[4]), row[5], int(row[6]), int(row[7]), float(row[8])]


def stops_columns(columns: list[list[Any]]) -> str:
    """`rows=… …` of the columns of stop_times; an empty headsign is none."""
    trips, _, departures, stops_, sequences, headsigns, *_, metres = columns
    crc = 0
    for texts in (trips, departures, stops_, [headsign or "" for headsign in headsigns]):
        crc = zlib.crc32("\n".join(texts).encode(), crc)
    nulls = headsigns.count(None)
    whole = sum(round(metre * 1000) for metre in metres)
    return f"rows={len(trips)} stops={sum(sequences)} metres={whole} nulls={nulls} crc={crc:08x}"


def columns_of_stops(path: Path) -> str:
    """The same of the file."""
    columns: list[list[Any]] = [list(column) for column in zip(*stops(path), strict=True)]
    columns[5] = [headsign or None for headsign in columns[5]]
    return stops_columns(columns)


def split(path: Path) -> str:
    """`rows=… fields=… bytes=…`, the bytes unquoted."""
    count = fields = size = 0
    for row in cells(path):
        count += 1
        fields += len(row)
        size += sum(len(cell.encode()) for cell in row)
    return f"rows={count} fields={fields} bytes={size}"


def encoded(path: Path) -> str:
    """The file itself is what an encoder must write."""
    size, crc = fingerprint(path)
    return f"bytes={size} crc={crc}"


def task(number: int, title: str, done: bool) -> str:
    """`id=… title=… done=…` of the small message."""
    return f"id={number!r} title={title!r} done={done!r}"


MODELS = {
    "json/decode-owned": lambda path: rows(records(path)),
    "json/decode-borrowed": lambda path: rows(records(path)),
    "json/sum": lambda path: f"sum={sum(row[0] for row in records(path))}",
    "json/encode-fresh": encoded,
    "json/encode-reused": encoded,
    "json/value-decode": lambda path: document(content(path)),
    "json/value-copy": lambda path: document(content(path)),
    "ndjson/decode-owned": lambda path: rows(records(path)),
    "ndjson/sum": lambda path: f"sum={sum(row[0] for row in records(path))}",
    "csv/collect-owned": lambda path: rows(records(path)),
    "csv/records-owned": lambda path: tally(records(path)),
    "csv/records-borrowed": lambda path: tally(records(path)),
    "csv/stops-owned": lambda path: tally(stops(path)),
    "csv/stops-borrowed": lambda path: tally(stops(path)),
    "csv/split": split,
    "decode-slots": lambda path: rows(records(path)),
    "decode-dict-class": lambda path: rows(records(path)),
    "decode-untyped": lambda path: value(content(path)),
    "encode-slots": encoded,
    "encode-slots-into": encoded,
    "encode-dicts": lambda path: value(content(path)),
    "small-decode": lambda path: task(*content(path).values()),
    "small-decode-oneshot": lambda path: task(*content(path).values()),
    "small-encode": encoded,
    "small-encode-oneshot": encoded,
    "ndjson-decode": lambda path: rows(records(path)),
    "ndjson-encode": encoded,
    "csv-decode": lambda path: rows(records(path)),
    "csv-encode": lambda path: rows(records(path)),
    "json-columns": lambda path: rows(records(path)),
    "json-columns-two": lambda path: rows(records(path)),
    "ndjson-columns": lambda path: rows(records(path)),
    "ndjson-columns-two": lambda path: rows(records(path)),
    "stops-columns": lambda path: columns_of_stops(path),
    "stops-columns-two": lambda path: columns_of_stops(path),
    "json-column-sum": lambda path: f"sum={sum(row[0] for row in records(path))}",
    "json-read-sum": lambda path: f"sum={sum(row[0] for row in records(path))}",
    "ndjson-read-sum": lambda path: f"sum={sum(row[0] for row in records(path))}",
    "json-first": lambda path: f"sum={next(iter(records(path)))[0]}",
    "objects-columns": lambda path: rows(records(path)),
} | proto_answers.MODELS


def main() -> int:
    """Compares, or writes."""
    differing = 0
    for part in ("json", "csv", "python", "proto"):
        file = BENCH / "definitions" / f"{part}.toml"
        text = file.read_text(encoding="utf-8")
        for name, job in load(part).items():
            path = make(job["data"]) if "data" in job else None
            if path is None:
                continue
            answer = MODELS[job["model"]](path)
            if answer != job["answer"]:
                differing += 1
                print(f"{name}: {answer} (the definition says {job['answer']})")
                start = text.index(f'["{name}"]')
                text = text[:start] + re.sub(r'answer = ".*"', f'answer = "{answer}"', text[start:], count=1)
        if "--write" in sys.argv:
            file.write_text(text, encoding="utf-8")
    return 1 if differing and "--write" not in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
