"""An option of a verb, and the options that several formats share."""

from __future__ import annotations

from typing import NamedTuple


class Option(NamedTuple):
    """An option of a verb: a keyword argument that has a default."""

    name: str
    type: str
    """As a stub writes it."""
    default: str
    """As a stub writes it, too."""
    doc: str
    """What it does, as text that follows a colon."""


DEPTH = Option("depth", "int", "1024", "how deep lists and records may nest")

TIMES = Option(
    "times",
    'Literal["lenient", "seconds", "milliseconds"] | None',
    "None",
    "the other forms of datetimes and times to accept: `lenient`: a date alone, no seconds, `+0100`, and more digits "
    "of a second than microseconds, which are cut; `seconds`, `milliseconds`: these, and numbers since 1970 in UTC; "
    "None: those of RFC 3339 only",
)

ACCEPT_SINGLE = Option(
    "accept_single",
    "bool",
    "False",
    "True: read a single value as a list of one where the type is a list; a list stays what it is",
)

READING = (
    Option(
        "strict",
        "bool",
        "True",
        "False also accepts other forms of a value: the text of a number or a bool, `1` and `0` for a bool, `3.0` for "
        'an int, for a datetime what `times="seconds"` accepts',
    ),
    TIMES,
    Option(
        "unknown",
        "Unknown | None",
        "None",
        "what to do with fields that a class does not have, unless the class says so itself; None: ignore them",
    ),
    Option(
        "rename",
        "Rename | None",
        "None",
        "the names in the data of the fields of classes that do not say so themselves: a case such as `camel`, a "
        "mapping, or a function of the attribute's name",
    ),
    Option(
        "fields",
        "Iterable[str] | None",
        "None",
        "the names of the attributes to read of the class that the type is, or is a list of; the others are skipped "
        "and stay unset; None: all",
    ),
    Option(
        "hooks",
        "Mapping[type[Any], Hook] | None",
        "None",
        "how to make values of these classes, for this call or decoder; they win over `demat.hook`",
    ),
    Option(
        "errors",
        'Literal["first", "all"] | int',
        '"first"',
        "stop at the first invalid value, collect all of them, or at most so many",
    ),
    Option(
        "gc",
        "bool",
        "True",
        "False: the cyclic garbage collector does not track the instances; only if they can't be part of a cycle",
    ),
)

AT = Option(
    "at",
    "str | Mapping[str, TypeForm[Any]] | None",
    "None",
    'the path of the records in the document, such as `"$.data.items[*]"`, or `"$.users.*"` for the values of a dict; '
    "without `[*]` and `.*` the value there is the only record; a dict of paths and types: the records of all of them, "
    "in the order of the document, each of the type of its path; None: the items of the outermost list",
)

HEADER = Option(
    "header",
    "bool | TypeForm[Any]",
    "False",
    "True: keep the fields around the records, up to 1 MiB of them, for `reader.header`, as a dict; a type: as a value "
    "of it",
)

KEYS = Option(
    "keys",
    "bool",
    "False",
    "True: yield pairs of key and record, for a path that ends in `.*`",
)

ON_ERROR = (
    Option(
        "on_error",
        'Literal["stop", "skip", "collect"]',
        '"stop"',
        "where a record is refused: `stop` there with its error, `skip` it, or `collect` it in `rejects`; a syntax "
        "error that hides where the next record begins always stops",
    ),
    Option(
        "rejects",
        "list[tuple[Error, bytes]] | Callable[[Error, bytes], object] | None",
        "None",
        "with `collect`: a list that gets the error and the bytes of each refused record, or a callable that is called "
        "with them",
    ),
)

# Of formats whose whole is a list of lines or rows, each with an end that its content can't hide.
LINES = tuple(
    option._replace(doc=option.doc.replace("a record is refused", "a record of `list[…]` is refused"))
    for option in ON_ERROR
)

STREAMING = (
    Option(
        "recycle",
        "bool",
        "False",
        "True: fill an instance again that the program no longer refers to, instead of making a new one; instances "
        "that it keeps never change",
    ),
    Option(
        "batch",
        "int | None",
        "None",
        "yield lists of up to so many records; a list is shorter at the end and where no more data has arrived; None: "
        "one record at a time",
    ),
    Option(
        "progress",
        "bool | Callable[[int, int | None], object]",
        "False",
        "called with the bytes read so far and the total, or None if that is unknown; True: a progress bar on standard "
        "error",
    ),
    Option("limit", "int", "1073741824", "the largest size of a record in bytes"),
    Option(
        "compression",
        'Literal["auto", "gzip", "zstd"] | None',
        '"auto"',
        "how the data is compressed; `auto`: detected by its first bytes; None: not compressed",
    ),
    *ON_ERROR,
)

WRITING = (
    Option(
        "type",
        "TypeForm[Any] | None",
        "None",
        "the type to write the value as, which decides its tags, names, hooks and columns; a value of another type is "
        "refused; None: the value's own class",
    ),
    Option(
        "rename",
        "Rename | None",
        "None",
        "the names in the data of the fields of classes that do not say so themselves: a case such as `camel`, a "
        "mapping, or a function of the attribute's name",
    ),
    Option(
        "hooks",
        "Mapping[type[Any], Hook] | None",
        "None",
        "how to write values of these classes, for this call or encoder; they win over `demat.hook`",
    ),
    Option(
        "default",
        "Callable[[Any], Any] | None",
        "None",
        "called with each value of an unknown class; its result is written instead",
    ),
    Option(
        "sort_sets",
        "bool",
        "False",
        "True: write the items of sets in order; False: in the order of iteration, which differs from run to run",
    ),
    DEPTH,
)

# Of formats whose fields have names, so that any of them can be left out.
OMITTING = (
    Option(
        "omit_default",
        "bool",
        "False",
        "True: leave out fields that equal their default, of classes and fields that do not say so themselves",
    ),
    Option(
        "omit_none",
        "bool",
        "False",
        "True: leave out fields that are None, of classes and fields that do not say so themselves; a reader takes the "
        "default of each",
    ),
)

WRITE = (
    Option(
        "compression",
        'Literal["auto", "gzip", "zstd"] | None',
        '"auto"',
        "how to compress the data; `auto`: by the suffix of a path, `.gz` or `.zst`; None: not at all",
    ),
)

COLUMNS = (
    Option(
        "fields",
        "Sequence[str] | None",
        "None",
        "the columns to read, in this order; the others are skipped; None: all",
    ),
    Option(
        "batch_size",
        "int | None",
        "None",
        "yield columns of so many records at a time, from an iterator that reads on demand; None: all at once",
    ),
    Option("threads", "int | None", "None", "the number of threads; None: one for each core"),
    Option(
        "decimals",
        "tuple[int, int] | None",
        "None",
        "precision and scale of columns of decimals; None: they become text, which keeps all digits",
    ),
    Option(
        "naive",
        "bool",
        "False",
        "True: no datetime has a time zone; False: only those have none whose type says so, and the others are "
        "instants, with an offset",
    ),
    Option(
        "narrow",
        "bool",
        "False",
        "True: columns of ints are as narrow as the bounds of their type allow (`uint8` for `ge=0, le=255`); False: "
        "`int64`",
    ),
    Option(
        "dictionary",
        "bool | Sequence[str]",
        "False",
        "the columns whose texts are stored once each, with a number for each row; True: all",
    ),
    Option(
        "sample", "int | None", "1000", "how many records to infer the columns from, if there is no type; None: all"
    ),
    *ON_ERROR,
)

LAZY = Option(
    "lazy",
    "bool",
    "False",
    "True: instances are views that keep a reference to the bytes and decode a field when it is accessed; see "
    "docs/python/lazy.md",
)

INDENT = Option(
    "indent", "int | None", "None", "spaces for each level, with a line for each item; None: no white space at all"
)

SEQUENCE = Option(
    "sequence",
    "bool",
    "False",
    "True: write the records of a list one after another, as they come; False: as one array, which is held in memory "
    "until it ends if its length is unknown and the target is no plain file",
)
