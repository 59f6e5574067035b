"""SNBT: NBT as text, as Minecraft's commands have it."""

from __future__ import annotations

from .format import Format
from .nbt import NBT_READING, NBT_WRITING
from .option import AT, HEADER, INDENT, KEYS, STREAMING

FORMAT = Format(
    name="snbt",
    title="SNBT",
    summary="SNBT: NBT as text, as Minecraft's commands have it.",
    doc="It has the values of NBT, and each number has the letter of its tag. The whole text is held in memory.",
    example="""\
>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from demat import Field, snbt
>>> @dataclass
... class Item:
...     id: str
...     Count: Annotated[int, Field(nbt="byte")]
>>> snbt.encode(Item("minecraft:stone", 64))
b'{id:"minecraft:stone",Count:64b}'
>>> snbt.decode('{Count: 1b, id: "minecraft:dirt"}', Item)
Item(id='minecraft:dirt', Count=1)""",
    untyped="int, float, str, bytes, and lists and dicts of them",
    untyped_type="Any",
    reading=NBT_READING,
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the items of the outermost list",
    writing=(*NBT_WRITING, INDENT),
)
