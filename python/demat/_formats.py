"""Which formats there are and which options each takes: the one table that is true of all of them.

`make stubs` writes the modules (`json.py` …) and what type checkers read of them (`json.pyi` …) from it, and tests hold
the native module against it. A program that uses the package never loads it.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

# Checkers read annotations as text, so these names stand here as text, once.
ModuleName: TypeAlias = Literal[
    "json", "ndjson", "csv", "proto", "msgpack", "cbor", "xml", "nbt", "snbt", "mca", "toml", "yaml", "raw", "plist"
]
"""A format with a module of the package."""
CopiedName: TypeAlias = Literal[
    "json",
    "ndjson",
    "csv",
    "tsv",
    "arrow",
    "parquet",
    "proto",
    "msgpack",
    "cbor",
    "xml",
    "nbt",
    "snbt",
    "mca",
    "toml",
    "yaml",
    "raw",
    "plist",
    "sqlite",
]
"""A format of `demat.copy`."""
DefinedName: TypeAlias = Literal[
    "json",
    "ndjson",
    "csv",
    "tsv",
    "msgpack",
    "cbor",
    "xml",
    "nbt",
    "snbt",
    "mca",
    "toml",
    "yaml",
    "raw",
    "plist",
    "sqlite",
    "proto",
    "protoset",
]
"""A format of `demat.define`: Arrow and Parquet say by their first bytes what they are."""


class Option(NamedTuple):
    """An option of a verb: a keyword argument that has a default."""

    name: str
    type: str
    """As a stub writes it."""
    default: str
    """As a stub writes it, too."""
    doc: str
    """What it says, after a colon and before a full stop."""


class Format(NamedTuple):
    """A format: a module of the package."""

    name: str
    title: str
    """What it is called in a sentence, with an article where that has one."""
    summary: str
    """What it is, in a line."""
    doc: str
    """What else is to be known of it."""
    example: str
    """A doctest that shows it."""
    untyped: str
    """What comes of decoding without a type, in words."""
    untyped_type: str
    """The same as a stub writes it."""
    reading: tuple[Option, ...]
    streaming: tuple[Option, ...]
    """What `read` takes besides those."""
    records: str
    """What its records are, where nothing else is said."""
    writing: tuple[Option, ...]
    typed: bool = False
    """Whether nothing can be read without a type, nor written that is no instance of a class."""
    binary: bool = False
    """Whether its bytes are no text: nothing is read from a `str`."""
    any_record: bool = True
    """Whether its records may have any fields, as those of the generated examples."""
    texts: bool = False
    """Whether each value is text where no type says more, and a list of one item is that item."""


DEPTH = Option("depth", "int", "1024", "how many levels of lists and records may stand within each other")

READING = (
    Option(
        "strict",
        "bool",
        "True",
        "False takes for a value what can only mean it, too: text of a number or a bool, `1` and `0` for a bool, `3.0` "
        "for an int, seconds for a datetime",
    ),
    Option(
        "unknown",
        "Unknown | None",
        "None",
        "what becomes of fields that a class does not have, where the class does not say; None: they are ignored",
    ),
    Option(
        "rename",
        "Rename | None",
        "None",
        "how the fields of classes that say nothing themselves are called in the data: a case such as `camel`, a "
        "mapping, or a function from the attribute's name",
    ),
    Option(
        "fields",
        "Iterable[str] | None",
        "None",
        "the names of the attributes that are wanted of the class that the type is, or is a list of: all else is "
        "passed over and left unset; None: all",
    ),
    Option(
        "hooks",
        "Mapping[type[Any], Hook] | None",
        "None",
        "how values of these classes are made, for this call or decoder; before what `demat.hook` says",
    ),
    Option(
        "errors",
        'Literal["first", "all"] | int',
        '"first"',
        "whether to stop at the first thing that is wrong with the values, or to go on and tell of all, or of so many",
    ),
    Option(
        "gc",
        "bool",
        "True",
        "False: instances of classes are not tracked by the cyclic collector, which is for those that can't be part of "
        "a cycle",
    ),
)

AT = Option(
    "at",
    "str | None",
    "None",
    'where in the document the records are, as a path such as `"$.data.items[*]"`; without `[*]` the one value there '
    "is the one record; None: the items of the outermost list",
)

STREAMING = (
    Option(
        "recycle",
        "bool",
        "False",
        "True: an instance that the program has let go of is filled again, instead of a new one made; one that it "
        "keeps is never touched",
    ),
    Option(
        "batch",
        "int | None",
        "None",
        "give lists of so many records, less where that is all that has come or the end; None: one by one",
    ),
    Option(
        "progress",
        "bool | Callable[[int, int | None], object]",
        "False",
        "called with the bytes read so far and those that there are, or None; True: a bar on standard error",
    ),
    Option("limit", "int", "1073741824", "how many bytes a single record may have"),
    Option(
        "compression",
        'Literal["auto", "gzip", "zstd"] | None',
        '"auto"',
        "how the place is packed; `auto`: as its first bytes say; None: not at all",
    ),
)

WRITING = (
    Option(
        "type",
        "TypeForm[Any] | None",
        "None",
        "write the value as this type says: its tags, its names, its hooks, its columns; a value that is not of it is "
        "refused; None: as its own class says",
    ),
    Option(
        "rename",
        "Rename | None",
        "None",
        "how the fields of classes that say nothing themselves are called in the data: a case such as `camel`, a "
        "mapping, or a function from the attribute's name",
    ),
    Option(
        "hooks",
        "Mapping[type[Any], Hook] | None",
        "None",
        "how values of these classes are written, for this call or encoder; before what `demat.hook` says",
    ),
    Option(
        "default",
        "Callable[[Any], Any] | None",
        "None",
        "called with each value of a class that nothing is known of; what it gives is written instead",
    ),
    DEPTH,
)

WRITE = (
    Option(
        "compression",
        'Literal["auto", "gzip", "zstd"] | None',
        '"auto"',
        "how the bytes are packed; `auto`: as the suffix of a path says, `.gz` or `.zst`",
    ),
)

COLUMNS = (
    Option(
        "fields",
        "Sequence[str] | None",
        "None",
        "the columns that are wanted, in this order; the others are passed over",
    ),
    Option(
        "batch_size",
        "int | None",
        "None",
        "give the columns of so many records at a time, as an iterator that reads as it goes; None: of all",
    ),
    Option("threads", "int | None", "None", "how many threads read it; None: as many as there are cores"),
    Option(
        "decimals",
        "tuple[int, int] | None",
        "None",
        "how many digits decimals have, and how many of them behind the point; None: they are text, which has them all",
    ),
    Option(
        "naive",
        "bool",
        "False",
        "True: each datetime is one of a clock on some wall; False: only where the type says so, and the others are "
        "points of time, with an offset",
    ),
    Option("sample", "int | None", "1000", "how many records say what the columns are, where no type does; None: all"),
)

LAZY = Option(
    "lazy",
    "bool",
    "False",
    "True: instances are views, which look for a field in the bytes when it is asked for, and hold on to these; see "
    "docs/python/lazy.md",
)

ORDERED = Option(
    "ordered",
    "bool",
    "False",
    "of lazy records: True promises that the fields of each message stand in the order of their numbers, as writers "
    "write them, so that a field is looked for only as far as where a bigger number stands",
)

JSON_READING = (
    DEPTH,
    Option(
        "repeated_keys",
        'Literal["last", "refuse"]',
        '"last"',
        "whether the last value counts of a key that an object repeats, or the object is refused",
    ),
)

JSON_WRITING = (
    Option("sort_keys", "bool", "False", "True: the keys of each object in the order of their UTF-8 bytes"),
    Option("ascii", "bool", "False", "True: what is beyond ASCII is written as `\\u` escapes"),
)

INDENT = Option(
    "indent", "int | None", "None", "so many spaces for each level, and a line for each item; None: no space at all"
)

TABLE = (
    Option("delimiter", "str", '","', "what stands between two cells, an ASCII character"),
    Option(
        "quote",
        "str | None",
        "'\"'",
        "what stands around a cell that holds a delimiter, a quote or a line break; None: nothing does",
    ),
)

TABLE_READING = (
    *TABLE,
    Option(
        "header",
        "bool",
        "True",
        "True: the first row is the names of the columns, which may be in any order; False: columns go by position",
    ),
    Option(
        "ragged",
        'Literal["refuse", "pad"]',
        '"refuse"',
        "what becomes of rows that are shorter than the others: they are refused, or their last fields are missing",
    ),
)

TABLE_WRITING = (
    *TABLE,
    Option("header", "bool", "True", "whether the first row is the names of the columns"),
    Option(
        "line_ending",
        'Literal["\\n", "\\r\\n"]',
        '"\\n"',
        "what stands at the end of each row; RFC 4180 has the longer one",
    ),
    Option(
        "escape_formulas",
        "bool",
        "False",
        "True: text that a spreadsheet might run as a formula gets a `'` before it",
    ),
)

SEQUENCE = Option(
    "sequence",
    "bool",
    "False",
    "True: the records of a list stand one behind the other and are written as they come; False: they are one array, "
    "which is held in memory until it ends if nothing says how long it is and its place is no plain file",
)

CBOR_SEQUENCE = Option(
    "sequence",
    "bool",
    "False",
    "True: the items of a list stand one behind the other; False: they are one array",
)

READ_SEQUENCE = Option(
    "sequence",
    "bool",
    "False",
    "True: the whole is a list of the values that stand in it one behind the other, of any kind; False: only maps one "
    "behind the other are a list",
)

UNKNOWN_TAGS = Option(
    "unknown_tags",
    'Literal["ignore", "refuse"]',
    '"ignore"',
    "whether the content of a tag without a meaning here is read as if the tag were not there, or the tag is refused",
)

DETERMINISTIC = Option(
    "deterministic",
    "bool",
    "False",
    "True: equal values have equal bytes (RFC 8949, 4.2.1): sorted keys, the shortest floats, all lengths in front; a "
    "map, and a list of unknown length, are held in memory until they end",
)

XML_READING = (
    DEPTH._replace(default="256", doc="how many elements may stand within each other, up to 8000"),
    Option("root", "str | None", "None", "the name that the root element must have; None: any"),
    Option(
        "doctype",
        'Literal["refuse", "skip"]',
        '"refuse"',
        "whether a document type declaration is refused, or passed over without obeying any of it",
    ),
    Option("namespaces", "bool", "True", "False: prefixes of names need not be declared, and a colon is a character"),
    Option(
        "empty",
        'Literal["text", "null"]',
        '"text"',
        "what an element or attribute without content is: empty text, or None",
    ),
)

XML_WRITING = (
    INDENT,
    Option("root", "str | None", "None", "the name of the root element; None: that of the class, or `root`"),
    Option(
        "item",
        "str | None",
        "None",
        "the name of each item of the outermost list; None: that of the class, or `item`",
    ),
    Option(
        "namespace",
        "str | None",
        "None",
        "the namespace of the root element and of all in it that say none; None: no namespace",
    ),
    Option("declaration", "bool", "True", "whether an XML declaration is written at the beginning"),
)

XML_AT = AT._replace(
    doc="where the records are, as the names of elements from the root on, such as `catalog/book`; None: the children "
    "of the root"
)

NBT_DEPTH = DEPTH._replace(default="512", doc="how many levels of lists and compounds may stand within each other")

NBT_READING = (
    *READING,
    NBT_DEPTH,
    *(option for option in JSON_READING if option.name == "repeated_keys"),
)

NBT_WRITING = (
    *(option for option in WRITING if option.name != "depth"),
    NBT_DEPTH,
    Option(
        "uuids",
        'Literal["text", "ints"]',
        '"text"',
        "whether a UUID is written as text, or as an array of four ints, as Minecraft has it from 1.16 on",
    ),
)

ROOT = Option(
    "root",
    'Literal["named", "nameless", "entry"]',
    '"named"',
    "what stands before the outermost value: a name, which reading passes over; none, as over the network from Java "
    "Edition 1.20.2 on; `entry`: a name, and the value is the only entry of a dict, under that name",
)

NBT_VARIANT = Option(
    "variant",
    'Literal["auto", "java", "bedrock", "bedrock-network"]',
    '"auto"',
    "which variant it is; `auto`: as the first 64 KiB say, and Java Edition's where they say nothing else",
)

NBT_OWN_WRITING = (
    Option(
        "variant",
        'Literal["java", "bedrock", "bedrock-network"]',
        '"java"',
        "which variant is written: big-endian, little-endian, or with numbers of variable length",
    ),
    ROOT,
    Option("name", "str", '""', "the name of the outermost value"),
    Option(
        "header",
        "int | None",
        "None",
        "the version in the eight bytes that a Bedrock `level.dat` begins with; None: there are none",
    ),
    Option(
        "packed",
        'Literal["no", "gzip", "zlib"]',
        '"no"',
        "how the document itself is packed, whatever its file is called; `level.dat` of Java Edition is gzip",
    ),
    SEQUENCE._replace(
        doc="True: the records of a list stand one behind the other and are written as they come; False: they are one "
        "list, which is held in memory until it ends where nothing says how long it is"
    ),
)

YAML_READING = (
    DEPTH,
    Option(
        "merge_keys",
        "bool",
        "True",
        "True: the key `<<` adds the entries of other maps; False: it is text, as YAML 1.2 has it",
    ),
    Option(
        "alias_limit",
        "int",
        "16777216",
        "how much aliases may add: 32 bytes for each value, and the bytes of its text",
    ),
    Option(
        "lenient_indentation",
        "bool",
        "False",
        "True: brackets and quoted text may be indented less than the specification asks, as PyYAML accepts it",
    ),
)

YAML_WRITING = (
    Option("indent", "int", "2", "so many spaces for each level, from 1 to 16"),
    Option(
        "documents",
        "bool",
        "False",
        "True: each record of a list is a document of its own; False: the list is one document",
    ),
)

PROTO_READING = (
    *(option for option in READING if option.name != "strict"),
    DEPTH._replace(default="100", doc="how many levels of messages may stand within each other"),
    LAZY,
    ORDERED,
)

WRITTEN_AS = Option(
    "written_as",
    "TypeForm[Any] | str | None",
    "None",
    "the type that the data was written as, if that is another one: of the whole, or of the records; or the text of "
    "its shape",
)

PLIST_WRITING = (
    Option("variant", 'Literal["xml", "binary"]', '"xml"', "the form: XML, or binary"),
    Option(
        "uids", "bool", "False", "True: a dict with the one key `CF$UID` is written as a UID; only binary has these"
    ),
)

FORMATS = (
    Format(
        name="json",
        title="JSON",
        summary="JSON, as RFC 8259 has it.",
        doc="Integers of any size are exact, and floats come back to the bit. There is no `NaN` and no `Infinity`.",
        example="""\
>>> from dataclasses import dataclass
>>> from demat import json
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> task = json.decode('{"id": 1, "title": "Clean room"}', Task)
>>> task
Task(id=1, title='Clean room', done=False)
>>> json.encode(task)
b'{"id":1,"title":"Clean room","done":false}'""",
        untyped="None, bool, int, float, str, and lists and dicts of them",
        untyped_type="Any",
        reading=(*READING, *JSON_READING, LAZY),
        streaming=(AT, *STREAMING),
        records="the items of the outermost list",
        writing=(*WRITING, INDENT, *JSON_WRITING),
    ),
    Format(
        name="ndjson",
        title="NDJSON",
        summary="NDJSON, also called JSON Lines: a JSON value on each line.",
        doc="The whole is a list, one line an item. Errors have the number of the record.",
        example="""\
>>> from dataclasses import dataclass
>>> from demat import ndjson
>>> @dataclass
... class Hit:
...     path: str
...     ms: int
>>> hits = ndjson.decode(b'{"path": "/", "ms": 3}\\n{"path": "/about", "ms": 12}\\n', list[Hit])
>>> hits[1].ms
12
>>> ndjson.encode(hits[:1])
b'{"path":"/","ms":3}\\n'""",
        untyped="a list of None, bool, int, float, str, and lists and dicts of them",
        untyped_type="list[Any]",
        reading=(*READING, *JSON_READING, LAZY),
        streaming=(
            AT._replace(
                doc=AT.doc.replace("document", "line").replace("the items of the outermost list", "the line itself")
            ),
            *STREAMING,
        ),
        records="the lines",
        writing=(*WRITING, *JSON_WRITING),
    ),
    Format(
        name="csv",
        title="CSV",
        summary="CSV, as RFC 4180 has it, and its kin with other delimiters.",
        doc="The whole is a list, one row an item. A cell is read as what the field is, whatever the order of the "
        "columns; an empty one is None to a field that may be None. Without a type, each cell is text, or None "
        "where it is empty.",
        example="""\
>>> from dataclasses import dataclass
>>> from datetime import date
>>> from demat import csv
>>> @dataclass
... class Person:
...     name: str
...     born: date | None
>>> people = csv.decode("born,name\\n1815-12-10,Ada\\n,Bob\\n", list[Person])
>>> people[0]
Person(name='Ada', born=datetime.date(1815, 12, 10))
>>> csv.encode(people, delimiter=";")
b'name;born\\nAda;1815-12-10\\nBob;\\n'""",
        untyped="a list of dicts of str (None where a cell is empty), or of lists where there is no header",
        untyped_type="list[Any]",
        reading=(*READING, *TABLE_READING),
        streaming=STREAMING,
        records="the rows",
        writing=(*WRITING, *TABLE_WRITING),
    ),
    Format(
        name="proto",
        title="Protocol Buffers",
        summary="Protocol Buffers: messages as dataclasses, eager or lazy.",
        doc="A class is a message, and `Field` says the numbers of its fields and how they are written; without one, a "
        "field has its position, from 1, and an int is `int64`, a float `double`, a str `string`, a datetime "
        "`google.protobuf.Timestamp`. A list of messages is these one behind the other, each behind its length.",
        example="""\
>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from demat import Field, proto
>>> @dataclass
... class Task:
...     id: Annotated[int, Field(1, wire="sint32")]
...     title: Annotated[str, Field(4)]
...     done: Annotated[bool, Field(2)] = False
>>> data = proto.encode(Task(-1, "Clean room"))
>>> data
b'\\x08\\x01"\\nClean room'
>>> proto.decode(data, Task)
Task(id=-1, title='Clean room', done=False)""",
        untyped="nothing can be decoded, as a message does not say what its fields are",
        untyped_type="Never",
        reading=PROTO_READING,
        streaming=STREAMING,
        records="messages, each behind its length",
        writing=WRITING,
        typed=True,
        binary=True,
    ),
    Format(
        name="msgpack",
        title="MessagePack",
        summary="MessagePack: JSON's values, bytes and timestamps, in few bytes.",
        doc="A document is one value. Where a list is read, maps one behind the other are one, too. Bytes are `bin`, a "
        "datetime with an offset is a timestamp in UTC, and what MessagePack has no form for is text, as in JSON. Ints "
        "have 64 bits.",
        example="""\
>>> from dataclasses import dataclass
>>> from demat import msgpack
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> data = msgpack.encode(Task(1, "Clean room"))
>>> data
b'\\x83\\xa2id\\x01\\xa5title\\xaaClean room\\xa4done\\xc2'
>>> msgpack.decode(data, Task)
Task(id=1, title='Clean room', done=False)""",
        untyped="None, bool, int, float, str, bytes, datetime, and lists and dicts of them",
        untyped_type="Any",
        reading=(*READING, *JSON_READING),
        streaming=(AT, *STREAMING),
        records="the items of the outermost list",
        writing=(*WRITING, SEQUENCE),
        binary=True,
    ),
    Format(
        name="cbor",
        title="CBOR",
        summary="CBOR (RFC 8949): JSON's values, bytes, dates, decimals and UUIDs, in few bytes.",
        doc="A document is one value. Where a list is read, maps one behind the other are one, too. Tags say what is "
        "a datetime, a date, a `Decimal`, a `UUID` or an int beyond 64 bits; what CBOR has no tag for is text, as in "
        "JSON. Other tags are passed over.",
        example="""\
>>> from dataclasses import dataclass
>>> from demat import cbor
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> data = cbor.encode(Task(1, "Clean room"))
>>> data
b'\\xa3bid\\x01etitlejClean roomddone\\xf4'
>>> cbor.decode(data, Task)
Task(id=1, title='Clean room', done=False)""",
        untyped="None, bool, int, float, str, bytes, datetime, date, Decimal, UUID, and lists and dicts of them",
        untyped_type="Any",
        reading=(*READING, *JSON_READING, READ_SEQUENCE, UNKNOWN_TAGS),
        streaming=(AT, *STREAMING),
        records="the items of the outermost list",
        writing=(*WRITING, CBOR_SEQUENCE, DETERMINISTIC),
        binary=True,
    ),
    Format(
        name="xml",
        title="XML",
        summary="XML 1.0 with namespaces: elements as dataclasses.",
        doc="A class is an element, and `Field` says which fields are attributes or text. An element that repeats is a "
        "list, wherever it stands. A document type declaration is refused, and no entity is expanded but the five of "
        "XML.",
        example="""\
>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from demat import Field, xml
>>> @dataclass
... class Task:
...     id: Annotated[int, Field(xml="attribute")]
...     title: str
...     done: bool = False
>>> task = xml.decode('<task id="1"><title>Clean room</title></task>', Task)
>>> task
Task(id=1, title='Clean room', done=False)
>>> xml.encode(task, declaration=False)
b'<Task id="1"><title>Clean room</title><done>false</done></Task>'""",
        untyped="str, None, and lists and dicts of them, with attributes under `@name` and text under `#text`",
        untyped_type="Any",
        reading=(*READING, *XML_READING),
        streaming=(XML_AT, *STREAMING),
        records="the children of the root",
        writing=(*WRITING, *XML_WRITING),
        texts=True,
    ),
    Format(
        name="nbt",
        title="NBT",
        summary="NBT: the Named Binary Tag of Minecraft, of Java Edition and Bedrock.",
        doc="Packed documents are unpacked, and the variant is found out. `Field(nbt=...)` says the tag of a number; "
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
        streaming=(AT, *STREAMING),
        records="the items of the outermost list",
        writing=(*NBT_WRITING, *NBT_OWN_WRITING),
        binary=True,
    ),
    Format(
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
        streaming=(AT, *STREAMING),
        records="the items of the outermost list",
        writing=(*NBT_WRITING, INDENT),
    ),
    Format(
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
        streaming=(AT, *STREAMING),
        records="the chunks",
        writing=NBT_WRITING,
        any_record=False,
        binary=True,
    ),
    Format(
        name="toml",
        title="TOML",
        summary="TOML 1.1: configuration, as a record or a map.",
        doc="The whole is a table, and is read and written whole. The four kinds of date and time are `datetime` with "
        "an offset and without one, `date` and `time`. There is no null: a field that is None is left out, and one "
        "that may be None and is not there is None. Ints have 64 bits.",
        example="""\
>>> from dataclasses import dataclass
>>> from demat import toml
>>> @dataclass
... class Server:
...     host: str
...     ports: list[int]
>>> server = toml.decode("host = 'localhost'\\nports = [80, 443]\\n", Server)
>>> server
Server(host='localhost', ports=[80, 443])
>>> print(toml.encode({"web": server}).decode(), end="")
[web]
host = "localhost"
ports = [80, 443]""",
        untyped="a dict of bool, int, float, str, datetime, date, time, and lists and dicts of them",
        untyped_type="dict[str, Any]",
        reading=(*READING, DEPTH),
        streaming=(AT, *STREAMING),
        records="what `at` selects",
        writing=WRITING,
    ),
    Format(
        name="yaml",
        title="YAML",
        summary="YAML 1.2 with its core schema, in a safe subset.",
        doc="A document is read whole. Text without quotes is a number, a bool or a null only where the core schema "
        "says so: `no` is text. Several documents are a list. Tags that construct objects are refused, and what "
        "aliases add is limited. What is written is read as the same by readers of YAML 1.1.",
        example="""\
>>> from dataclasses import dataclass
>>> from demat import yaml
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     tags: list[str]
>>> task = yaml.decode("id: 1\\ntitle: Clean room\\ntags: [home, no]\\n", Task)
>>> task
Task(id=1, title='Clean room', tags=['home', 'no'])
>>> print(yaml.encode(task).decode(), end="")
id: 1
title: Clean room
tags:
  - home
  - 'no'""",
        untyped="None, bool, int, float, str, bytes, datetime, date, and lists and dicts of them",
        untyped_type="Any",
        reading=(*READING, *YAML_READING),
        streaming=(AT, *STREAMING),
        records="the items of the outermost list, or the documents",
        writing=(*WRITING, *YAML_WRITING),
    ),
    Format(
        name="raw",
        title="raw data",
        summary="Demat's own binary: the values of a known type, without names and numbers.",
        doc="Eight bytes in front are a fingerprint of the type, so that data of another type is refused. `written_as` "
        "is the type that older data was written as; then fields go by name, and may be added, removed, moved and "
        "renamed. docs/raw.md describes each byte.",
        example="""\
>>> from dataclasses import dataclass
>>> from demat import raw
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> data = raw.encode(Task(1, "Clean room"))
>>> data[8:]
b'\\x01\\x02\\nClean room\\x00'
>>> raw.decode(data, Task)
Task(id=1, title='Clean room', done=False)""",
        untyped="nothing can be decoded, as raw data does not say what it is",
        untyped_type="Never",
        reading=(*READING, DEPTH, WRITTEN_AS),
        streaming=STREAMING,
        records="the items of the outermost list",
        writing=WRITING,
        typed=True,
        binary=True,
    ),
    Format(
        name="plist",
        title="a property list",
        summary="Apple's property lists: XML, binary, and the old text form, which is only read.",
        doc="Which form it is of is found out by itself. A datetime with an offset is a date, in UTC, and bytes are "
        "data. There is no null: a field that is None is left out, and a None in a list or a dict is refused. A "
        "document is held in memory.",
        example="""\
>>> from dataclasses import dataclass
>>> from demat import plist
>>> @dataclass
... class Task:
...     id: int
...     title: str
...     done: bool = False
>>> data = plist.encode(Task(1, "Clean room"), variant="binary")
>>> data[:8]
b'bplist00'
>>> plist.decode(data, Task)
Task(id=1, title='Clean room', done=False)""",
        untyped="bool, int, float, str, bytes, datetime, and lists and dicts of them",
        untyped_type="Any",
        reading=(*READING, DEPTH._replace(default="512"), JSON_READING[1]),
        streaming=(AT, *STREAMING),
        records="the items of the outermost array",
        writing=(*WRITING, *PLIST_WRITING),
        binary=True,
    ),
)
