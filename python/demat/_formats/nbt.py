"""NBT: the Named Binary Tag of Minecraft, of Java Edition and Bedrock."""

from __future__ import annotations

from .format import Format
from .json import JSON_READING
from .option import AT, DEPTH, HEADER, KEYS, OMITTING, READING, SEQUENCE, STREAMING, WRITING, Option

NBT_DEPTH = DEPTH._replace(default="512", doc="how deep lists and compounds may nest")

NBT_READING = (
    *READING,
    NBT_DEPTH,
    *(option for option in JSON_READING if option.name == "repeated_keys"),
)

NBT_WRITING = (
    *(option for option in WRITING if option.name != "depth"),
    *OMITTING,
    NBT_DEPTH,
    Option(
        "uuids",
        'Literal["text", "ints"]',
        '"text"',
        "write a UUID as text, or as an array of four ints, as Minecraft does since 1.16",
    ),
)

ROOT = Option(
    "root",
    'Literal["named", "nameless", "entry"]',
    '"named"',
    "the name of the outermost value: `named`: it has one, which reading ignores; `nameless`: it has none, as over the "
    "network since Java Edition 1.20.2; `entry`: the name is the only key of a dict",
)

NBT_VARIANT = Option(
    "variant",
    'Literal["auto", "java", "bedrock", "bedrock-network"]',
    '"auto"',
    "the variant; `auto`: detected by the first 64 KiB, and Java Edition's if they are ambiguous",
)

NBT_OWN_WRITING = (
    Option(
        "variant",
        'Literal["java", "bedrock", "bedrock-network"]',
        '"java"',
        "the variant to write: big-endian, little-endian, or with numbers of variable length",
    ),
    ROOT,
    Option("name", "str", '""', "the name of the outermost value"),
    Option(
        "header",
        "int | None",
        "None",
        "the version in the eight-byte header of a Bedrock `level.dat`; None: no header",
    ),
    Option(
        "packed",
        'Literal["no", "gzip", "zlib"]',
        '"no"',
        "how to compress the document, whatever its file is called; `level.dat` of Java Edition is gzip",
    ),
    SEQUENCE._replace(
        doc="True: write the records of a list one after another, as they come; False: as one list, which is held in "
        "memory until it ends if its length is unknown"
    ),
)

FORMAT = Format(
    name="nbt",
    title="NBT",
    summary="NBT: the Named Binary Tag of Minecraft, of Java Edition and Bedrock.",
    doc="Compression and variant are detected. `Field(nbt=...)` says the tag of a number; "
    "else an int is an int or, if it does not fit, a long, and a float a double. A field that is None is left out.",
    example="""\
>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from demat import Field, nbt
>>> @dataclass
... class Item:
...     id: str
...     Count: Annotated[int, Field(nbt="byte")]
>>> data = nbt.encode(Item("minecraft:stone", 64))
>>> data
b'\\n\\x00\\x00\\x08\\x00\\x02id\\x00\\x0fminecraft:stone\\x01\\x00\\x05Count@\\x00'
>>> nbt.decode(data, Item)
Item(id='minecraft:stone', Count=64)""",
    untyped="int, float, str, bytes, and lists and dicts of them",
    untyped_type="Any",
    reading=(*NBT_READING, NBT_VARIANT, ROOT),
    streaming=(AT, KEYS, HEADER, *STREAMING),
    records="the items of the outermost list",
    writing=(*NBT_WRITING, *NBT_OWN_WRITING),
    binary=True,
    joined="sequence",
    layout=("variant", "root", "name", "header", "packed", "sequence"),
)
