"""`examples/weather_messages.py` beside what Google's library makes of its files."""

from __future__ import annotations

import json
import runpy
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import demat
import pytest
from google.protobuf.proto import parse_length_prefixed
from programs import EXAMPLES, said


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("weather")


@pytest.fixture(scope="module")
def spoken(folder: Path) -> str:
    return said("weather_messages.py", folder)


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    return runpy.run_path(str(EXAMPLES / "weather_messages.py"))


def google_reads(path: Path, program: dict[str, Any]) -> list[Any]:
    """The messages of a file, by Google's library alone."""
    cls, found = program["google_reading"](), []
    with path.open("rb") as file:
        while (message := parse_length_prefixed(cls, file)) is not None:
            found.append(message)
    return found


def test_google_reads_what_was_to_be_written(folder: Path, spoken: str, program: dict[str, Any]) -> None:
    messages, readings = google_reads(folder / "ours.pb", program), list(program["readings"]())
    assert len(messages) == len(readings) == 500
    for message, reading in zip(messages, readings, strict=True):
        assert message.station == reading.station
        assert message.at.ToDatetime(UTC) == reading.at
        assert message.tenths == reading.tenths
        assert message.quality == int(reading.quality)
        assert list(message.gusts) == reading.gusts
        assert dict(message.notes) == reading.notes
        assert (message.rain if message.HasField("rain") else None) == reading.rain
        message.DiscardUnknownFields()
        assert message.ByteSize() == len(demat.proto.encode(reading))
    mean = sum(message.tenths for message in messages) / 500 / 10
    assert spoken == f"500 readings there and back, {mean:.2f} °C on average\n"
    # Each way of a field that may be there or not, and each sign.
    assert {reading.rain for reading in readings} == {None, 0.0, 1.5}
    assert min(reading.tenths for reading in readings) < 0 < max(reading.tenths for reading in readings)


def test_what_google_wrote_came_back(folder: Path, spoken: str, program: dict[str, Any]) -> None:
    messages = google_reads(folder / "theirs.pb", program)
    lines = [json.loads(line) for line in (folder / "theirs.ndjson").read_text("utf-8").splitlines()]
    assert len(lines) == len(messages) == 500
    for message, line in zip(messages, lines, strict=True):
        assert {**line, "at": datetime.fromisoformat(line["at"])} == {
            "station": message.station,
            "at": message.at.ToDatetime(UTC),
            "tenths": message.tenths,
            "quality": message.quality,
            "gusts": list(message.gusts),
            "notes": dict(message.notes),
            "rain": message.rain if message.HasField("rain") else None,
        }


def test_google_is_told_what_the_definition_says(program: dict[str, Any]) -> None:
    """What stands in the program in the place of `protoc`'s answer, against the file that `protoc` would read."""
    fields = program["google_reading"]().DESCRIPTOR.fields
    assert [field.name for field in fields] == list(program["Reading"].__dataclass_fields__)
    written = demat.schema(program["Reading"], to="proto", package="weather")
    for field in fields:
        assert f" {field.name} = {field.number};" in written
