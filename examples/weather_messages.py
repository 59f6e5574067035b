"""Protocol Buffers, together with Google's own library: each side writes what the other one reads.

    python examples/weather_messages.py FOLDER

`weather.proto` beside this program defines the messages. Demat reads that file. Google's library needs the output of
`protoc`, which few machines have, so this program contains it. Writes `ours.pb` and `theirs.pb`, the same readings
written by each library, and `theirs.ndjson`, which Demat makes of Google's file. Needs protobuf.
"""

import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import demat
from demat import ndjson, proto
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory, text_format, timestamp_pb2
from google.protobuf.proto import parse_length_prefixed, serialize_length_prefixed

Reading = demat.define(Path(__file__).with_name("weather.proto"), "weather.Reading")

COMPILED = """
name: "weather.proto" package: "weather" syntax: "proto3" dependency: "google/protobuf/timestamp.proto"
enum_type {
  name: "Quality"
  value { name: "GOOD" number: 0 } value { name: "SUSPECT" number: 1 } value { name: "BROKEN" number: 2 }
}
message_type {
  name: "Reading"
  field { name: "station" number: 1 type: TYPE_INT64 label: LABEL_OPTIONAL }
  field { name: "at" number: 2 type: TYPE_MESSAGE type_name: ".google.protobuf.Timestamp" label: LABEL_OPTIONAL }
  field { name: "tenths" number: 3 type: TYPE_SINT32 label: LABEL_OPTIONAL }
  field { name: "quality" number: 4 type: TYPE_ENUM type_name: ".weather.Quality" label: LABEL_OPTIONAL }
  field { name: "gusts" number: 5 type: TYPE_FIXED32 label: LABEL_REPEATED }
  field { name: "notes" number: 6 type: TYPE_MESSAGE type_name: ".weather.Reading.NotesEntry" label: LABEL_REPEATED }
  field { name: "rain" number: 7 type: TYPE_DOUBLE label: LABEL_OPTIONAL proto3_optional: true oneof_index: 0 }
  nested_type {
    name: "NotesEntry" options { map_entry: true }
    field { name: "key" number: 1 type: TYPE_STRING label: LABEL_OPTIONAL }
    field { name: "value" number: 2 type: TYPE_STRING label: LABEL_OPTIONAL }
  }
  oneof_decl { name: "_rain" }
}
"""


def google_reading() -> Any:
    """Returns Google's class, as `protoc` would define it in `weather_pb2.py`."""
    pool = descriptor_pool.DescriptorPool()
    pool.AddSerializedFile(timestamp_pb2.DESCRIPTOR.serialized_pb)
    pool.AddSerializedFile(text_format.Parse(COMPILED, descriptor_pb2.FileDescriptorProto()).SerializeToString())
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("weather.Reading"))


def readings(count: int = 500, seed: int = 10) -> Iterator[Any]:
    """Yields readings, as instances of the class that Demat made of the definition."""
    chosen = random.Random(seed)
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(count):
        yield Reading(
            station=chosen.randrange(1 << 40),
            at=start + timedelta(minutes=number, milliseconds=chosen.randrange(1000)),
            tenths=chosen.randint(-300, 400),
            quality=chosen.choice([0, 1, 2]),
            gusts=[chosen.randrange(200) for _ in range(chosen.randrange(5))],
            notes={"by": chosen.choice(["Ada", "Bö"])} if chosen.random() < 0.2 else {},
            rain=chosen.choice([None, 0.0, 1.5]),
        )


def main(folder: Path) -> None:
    """Exchanges readings through the files of a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    theirs = google_reading()
    ours = folder / "ours.pb"
    count = proto.write(ours, readings())

    # Google reads what Demat has written, and writes it again; Demat reads that.
    with ours.open("rb") as source, (folder / "theirs.pb").open("wb") as target:
        while (message := parse_length_prefixed(theirs, source)) is not None:
            serialize_length_prefixed(message, target)
    back = list(proto.read(folder / "theirs.pb", Reading))
    assert back == list(readings())

    ndjson.write(folder / "theirs.ndjson", back)
    print(f"{count} readings there and back, {sum(reading.tenths for reading in back) / count / 10:.2f} °C on average")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
