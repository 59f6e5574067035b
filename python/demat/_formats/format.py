"""A format of the table."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .option import Option


class Format(NamedTuple):
    """A format: a module of the package."""

    name: str
    title: str
    """Its name in a sentence, with an article if it needs one."""
    summary: str
    """What it is, in one line."""
    doc: str
    """What else users should know, in some sentences."""
    example: str
    """A doctest."""
    untyped: str
    """What decoding without a type returns, in words."""
    untyped_type: str
    """The same, as a stub writes it."""
    reading: tuple[Option, ...]
    streaming: tuple[Option, ...]
    """Options that `read` takes in addition."""
    records: str
    """What its records are by default."""
    writing: tuple[Option, ...]
    typed: bool = False
    """Whether reading needs a type, and writing an instance of a class."""
    written_typed: bool = False
    """Whether writing alone needs a type, or an instance of a class."""
    binary: bool = False
    """Whether its data is bytes and not text, so that it is not read from a `str`."""
    any_record: bool = True
    """Whether its records may have any fields, such as those of the generated examples."""
    single: str = ""
    """Set if a document is one record or map: the error for a list of records, which can't be written."""
    classes: tuple[tuple[str, str], ...] = ()
    """Other names that its module exports, each with the module that defines it and is imported on use."""
    looked_into: bool = False
    """Whether its documents can be looked into without decoding them: whether its module has `lazy`."""
    decoding: tuple[Option, ...] = ()
    """Options that `decode` takes in addition, and a `Decoder` does not."""
    divided: str = ""
    """How several readers share one file of it: `lines` (each line feed ends a record), `rows` (each line feed outside
    of quotes), or not at all."""
    joined: str = ""
    """How documents become one: `ends` (one behind the other), `header` (likewise, the first one alone has names),
    `array` (their items in one pair of brackets), `sequence` (one behind the other, if the option `sequence` is set),
    or not at all."""
    dialects: tuple[str, ...] = ()
    """Other formats of `copy` that differ from this one by the defaults of their options."""
    layout: tuple[str, ...] = ()
    """The options of writing that a reader must know, or that change what it gets, and those of reading that say what
    was written. A value of a store has none of them: the store reads and writes the format as it is by default."""
    texts: bool = False
    """Whether, without a type, each value is text and a list of one item is that item."""
