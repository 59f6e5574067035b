"""Follows a log as it grows, like `tail -f`, and passes on what is wrong in it.

    python examples/follow.py access.ndjson            # until Ctrl-C
    journalctl -f -o cat -u shop | python examples/follow.py -  # until the input ends

Each line of the log is a request. For each request that failed or took more than a second, the program writes an alarm
to standard output as soon as the line is complete. It reports other lines on standard error.
"""

import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated

import demat
from demat import Field, ndjson


@dataclass(slots=True)
class Request:
    """A line of the log, as far as this program is concerned; other fields are skipped."""

    at: Annotated[datetime, Field(tz=True)]
    path: str
    status: Annotated[int, Field(ge=100, le=599)]
    ms: float


@dataclass(slots=True)
class Alarm:
    """A line of the output."""

    at: Annotated[datetime, Field(tz=True)]
    what: str
    path: str


def growing(path: Path, pause: float = 0.1) -> Iterator[bytes]:
    """Yields what is in a file, and then what is appended to it."""
    with path.open("rb") as file:
        while True:
            if chunk := file.read(65536):
                yield chunk
            else:
                time.sleep(pause)


def alarms(requests: Iterator[Request]) -> Iterator[Alarm]:
    """Yields an alarm for each request that failed or was slow."""
    for request in requests:
        if request.status >= 500:
            yield Alarm(request.at, f"failed with {request.status}", request.path)
        elif request.ms > 1000:
            yield Alarm(request.at, f"took {request.ms / 1000:.1f} s", request.path)


def refused(error: demat.Error, line: bytes) -> None:
    """Reports a line that is no request."""
    print(f"line {error.record} is no request: {error.reason}", file=sys.stderr, flush=True)


def main(place: str) -> None:
    """Follows a place: a path, or `-` for standard input."""
    source = place if place == "-" else growing(Path(place))
    with (
        ndjson.read(source, Request, on_error="collect", rejects=refused) as requests,
        demat.writer("-", Alarm, format="ndjson") as writer,
    ):
        try:
            for alarm in alarms(requests):
                writer.write(alarm)
        except KeyboardInterrupt:
            print(f"{requests.record} requests, {requests.rejected} other lines", file=sys.stderr)


if __name__ == "__main__":
    main(sys.argv[1])
