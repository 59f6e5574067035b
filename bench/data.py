"""Makes the data of the benchmarks, the same bytes on every machine.

    python data.py [NAME…]      all that definitions/data.toml lists, or those named

Nothing comes from `random`, whose sequence a Python release may change: the stop times follow a generator written
out here. Each file must have the size and the CRC that definitions/data.toml gives, or it is not used.
"""

import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import proto_data
from definition import DATA, DATA_SETS, real

CHUNK = 1 << 20


def records_json(rows: int) -> Iterator[str]:
    """The records as one JSON array without spaces."""
    before = "["
    for i in range(1, rows + 1):
        yield f'{before}{{"hi":{i},"there":{2 * i},"comment":"comment"}}'
        before = ","
    yield "]"


def records_ndjson(rows: int) -> Iterator[str]:
    """The records, one a line."""
    for i in range(1, rows + 1):
        yield f'{{"hi":{i},"there":{2 * i},"comment":"comment"}}\n'


def records_csv(rows: int) -> Iterator[str]:
    """The records under a header."""
    yield "hi,there,comment\n"
    for i in range(1, rows + 1):
        yield f"{i},{2 * i},comment\n"


def task_json(count: int) -> Iterator[str]:
    """The small message: one task, of the size that a request has."""
    for i in range(count):
        yield f'{{"id":{48_151 + i},"title":"Buy oat milk and bread","done":false}}'


HEADSIGNS = ("Downtown", "Forest Hills", '"Airport, all terminals"', '"The ""Loop"""', "Malmö södra")


def stop_times(trips: int) -> Iterator[str]:
    """A GTFS stop_times table: 12 to 43 stops a trip, few headsigns, times past midnight, some cells quoted."""
    yield (
        "trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,"
        "pickup_type,drop_off_type,shape_dist_traveled\n"
    )
    state = 20_240_229
    for trip in range(trips):
        # Knuth's MMIX generator; its low bits are poor, so only high ones are used.
        state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
        stops = 12 + (state >> 59)
        second = 4 * 3600 + (state >> 33) % 79_000
        name = f"{31_000_000 + trip * 7}-{'Weekday' if state >> 62 else 'Saturday'}"
        # One trip in eight shows where it goes.
        headsign = HEADSIGNS[(state >> 45) % 5] if (state >> 50) % 8 == 0 else ""
        metres = 0
        for sequence in range(1, stops + 1):
            state = (state * 6364136223846793005 + 1442695040888963407) & 0xFFFFFFFFFFFFFFFF
            high = state >> 32
            wait = 20 if high & 3 == 0 else 0
            leave = second + wait
            yield (
                f"{name},{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02},"
                f"{leave // 3600:02}:{leave // 60 % 60:02}:{leave % 60:02},"
                f"{70_000 + high % 9_000},{sequence},{headsign},"
                f"{1 if sequence == stops else 0},{1 if sequence == 1 else 0},"
                f"{metres // 1000}.{metres % 1000:03}\n"
            )
            second = leave + 45 + high % 200
            metres += 180 + high % 1_400


def brackets(count: int) -> Iterator[str]:
    """Nothing but `[`: nesting without end."""
    for _ in range(count // CHUNK):
        yield "[" * CHUNK
    yield "[" * (count % CHUNK)


def cut_string(count: int) -> Iterator[str]:
    """One text of `count` bytes whose end never comes."""
    yield '["'
    for _ in range(count // CHUNK):
        yield "a" * CHUNK
    yield "a" * (count % CHUNK)


def long_number(digits: int) -> Iterator[str]:
    """One integer of `digits` digits."""
    yield '[{"hi":'
    yield ("1234567890" * (digits // 10 + 1))[:digits]
    yield ',"there":2,"comment":"comment"}]'


MAKERS = {
    maker.__name__: maker
    for maker in (records_json, records_ndjson, records_csv, task_json, stop_times, brackets, cut_string, long_number)
} | proto_data.MAKERS


def fingerprint(path: Path) -> tuple[int, str]:
    """The size and CRC of a file, read in pieces."""
    size = crc = 0
    with path.open("rb") as file:
        while piece := file.read(CHUNK):
            size += len(piece)
            crc = zlib.crc32(piece, crc)
    return size, f"{crc:08x}"


def make(name: str) -> Path | None:
    """The path of a data set, made if it is not there yet; None, and a loud line, where it can't be had."""
    data = DATA_SETS[name]
    if "real" in data:
        path = real(data["real"])
        if path is None:
            print(f"SKIPPED: {name}: no {data['real']} in the suites; set DEMAT_SUITES", file=sys.stderr)
            return None
    else:
        path = DATA / name
        if not path.exists() or path.stat().st_size != data["bytes"]:
            DATA.mkdir(exist_ok=True)
            print(f"making {name}", file=sys.stderr)
            part = path.with_suffix(".part")
            pieces = MAKERS[data["maker"]](data["count"])
            with part.open("wb", buffering=CHUNK) as file:
                file.writelines(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
            part.rename(path)
        elif path.with_suffix(path.suffix + ".good").exists():
            return path
    found = fingerprint(path)
    if found != (data["bytes"], data["crc"]):
        raise SystemExit(
            f"{name}: expected {data['bytes']} bytes and CRC {data['crc']}, found {found[0]} and {found[1]}"
        )
    if "real" not in data:
        path.with_suffix(path.suffix + ".good").touch()
    return path


if __name__ == "__main__":
    for wanted in sys.argv[1:] or DATA_SETS:
        make(wanted)
