"""What is measured: for each job what Demat does, what it is compared with, and the answer that all must give."""

import json
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import demat
import demat.json
import demat.ndjson
import msgspec
from records import Event, Struct, events, struct

# One of a hundred records has an id below this share of all.
SHARE = 100
CHUNK = 4096


class Against(NamedTuple):
    """What Demat is compared with: `most` says how many times its time Demat may take, else `least` how many times
    Demat's time it has to take."""

    call: Callable[[], Any]
    least: float | None = None
    most: float | None = None


class Job(NamedTuple):
    """One line of the table."""

    name: str
    call: Callable[[], Any]
    others: dict[str, Against]
    """An answer that is None is not compared: that engine does a part of the work."""


class Inputs:
    """The records, as objects and as files in a folder."""

    def __init__(self, count: int, folder: Path) -> None:
        """Writes the files by the standard library."""
        self.count, self.folder = count, folder
        self.events = events(count)
        self.structs = [struct(event) for event in self.events]
        dicts = [asdict(event) for event in self.events]
        self.lines, self.document = folder / "events.ndjson", folder / "events.json"
        self.lines.write_text("".join(json.dumps(one, ensure_ascii=False) + "\n" for one in dicts))
        self.document.write_text(json.dumps(dicts, ensure_ascii=False))
        self.bytes = self.document.read_bytes()
        # The only record that an edit changes, somewhere in the middle.
        self.one = count // 2


def jobs(inputs: Inputs) -> list[Job]:
    """All jobs over these inputs."""
    return [filtered(inputs), teed(inputs), written(inputs), fed(inputs), validated(inputs), edited(inputs)]


def filtered(inputs: Inputs) -> Job:
    """A condition that one record of a hundred meets."""
    few = inputs.count // SHARE

    def copied() -> int:
        out = inputs.folder / "few.ndjson"
        demat.copy(inputs.lines, out, Event, where=f"id < {few}")
        return sum(1 for _ in out.open("rb"))

    def column() -> None:
        assert len(demat.ndjson.columns(inputs.lines, Event, fields=["id"])) == inputs.count

    def by_msgspec() -> int:
        decoder, encoder = msgspec.json.Decoder(Struct), msgspec.json.Encoder()
        with inputs.lines.open("rb") as lines, (inputs.folder / "few.msgspec").open("wb") as out:
            found = [one for one in map(decoder.decode, lines) if one.id < few]
            out.write(encoder.encode_lines(found))
        return len(found)

    return Job("filter", copied, {"one column": Against(column, most=1.3), "msgspec": Against(by_msgspec)})


def teed(inputs: Inputs) -> Job:
    """One source into two targets."""
    targets = [inputs.folder / "tee.json", inputs.folder / "tee.msgpack"]

    def sizes() -> list[int]:
        return [target.stat().st_size for target in targets]

    def together() -> list[int]:
        demat.copy(inputs.lines, targets, Event)
        return sizes()

    def apart() -> list[int]:
        for target in targets:
            demat.copy(inputs.lines, target, Event)
        return sizes()

    return Job("two targets", together, {"two copies": Against(apart, most=1.0)})


def written(inputs: Inputs) -> Job:
    """A writer that is held, and written to record by record."""

    def held() -> int:
        out = inputs.folder / "held.ndjson"
        with demat.writer(out) as writer:
            for event in inputs.events:
                writer.write(event)
        return sum(1 for _ in out.open("rb"))

    def by_json() -> int:
        out = inputs.folder / "held.json"
        with out.open("w") as file:
            for event in inputs.events:
                file.write(json.dumps(asdict(event)))
                file.write("\n")
        return inputs.count

    def by_msgspec() -> int:
        out, encoder = inputs.folder / "held.msgspec", msgspec.json.Encoder()
        with out.open("wb") as file:
            for one in inputs.structs:
                file.write(encoder.encode(one))
                file.write(b"\n")
        return inputs.count

    return Job("writer", held, {"json": Against(by_json, least=4), "msgspec": Against(by_msgspec, least=1.3)})


def fed(inputs: Inputs) -> Job:
    """A parser that gets chunks of 4 KiB."""

    def parsed() -> int:
        found: list[Event] = []
        parser = demat.json.parser(Event, at="$[*]", target=found.append)
        for start in range(0, len(inputs.bytes), CHUNK):
            parser.feed(inputs.bytes[start : start + CHUNK])
        parser.close()
        return len(found)

    def read() -> int:
        return len(list(demat.json.read(inputs.document, Event)))

    return Job("parser", parsed, {"read": Against(read, most=1.15)})


def validated(inputs: Inputs) -> Job:
    """All checks, and no objects."""

    def checked() -> None:
        demat.json.validate(inputs.bytes, list[Event])

    def decoded() -> None:
        demat.json.decode(inputs.bytes, list[Event])

    def by_msgspec() -> None:
        msgspec.json.decode(inputs.bytes, type=list[Struct])

    return Job("validate", checked, {"decode": Against(decoded, most=0.6), "msgspec": Against(by_msgspec)})


def edited(inputs: Inputs) -> Job:
    """A file of which one record changes."""
    out = inputs.folder / "edited.ndjson"

    def changed(event: Event) -> Event:
        event.note = "changed"
        return event

    def edit() -> int:
        demat.edit(inputs.lines, Event, changed, where=f"id == {inputs.one}", to=out)
        return sum(1 for _ in out.open("rb"))

    def copy() -> int:
        demat.copy(inputs.lines, out, Event)
        return sum(1 for _ in out.open("rb"))

    return Job("edit", edit, {"copy": Against(copy, most=1.2)})
