"""Region files: the chunks of a Minecraft world, each a record."""

from __future__ import annotations

from .format import Format
from .nbt import NBT_READING, NBT_WRITING
from .option import AT, HEADER, KEYS, STREAMING

FORMAT = Format(
    name="mca",
    title="region files",
    summary="Region files: the chunks of a Minecraft world, each a record.",
    doc="A record has `x` and `z`, from 0 to 31, `timestamp`, in seconds since 1970, and `chunk`, which is NBT. "
    "The file is held in memory, and one chunk of it unpacked.",
    example="""\
>>> from dataclasses import dataclass
>>> from demat import mca
>>> @dataclass
... class Level:
...     Status: str
>>> @dataclass
... class Chunk:
...     x: int
...     z: int
...     timestamp: int
...     chunk: Level
>>> region = mca.encode([Chunk(3, 0, 1700000000, Level("full"))])
>>> len(region)
12288
>>> mca.decode(region, list[Chunk])
[Chunk(x=3, z=0, timestamp=1700000000, chunk=Level(Status='full'))]""",
    untyped="a list of dicts",
    untyped_type="list[Any]",
    reading=NBT_READING,
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the chunks",
    writing=NBT_WRITING,
    any_record=False,
    binary=True,
)
