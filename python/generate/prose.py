"""What the modules and stubs say about themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from textwrap import indent, wrap
from typing import TYPE_CHECKING

from demat._formats import COLUMNS, READING, WRITE

if TYPE_CHECKING:
    from demat._formats import Format, Option

# Of the lines in a docstring that stands four spaces from the left.
WIDTH = 116

NOTICE = "# Written by `make stubs`; what is to change stands in `_formats.py` and `python/generate`.\n"


def options(given: tuple[Option, ...]) -> str:
    """A list of options, each with what it says."""
    lines: list[str] = []
    for option in given:
        text = f"- `{option.name}={option.default}`: {option.doc}"
        lines += wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines)


def paragraph(*sentences: str) -> str:
    """The sentences in lines of the house's width."""
    return "\n".join(wrap(" ".join(sentences), WIDTH, break_on_hyphens=False))


def docstring(parts: list[str], depth: int = 4) -> str:
    """The parts, an empty line between each two, as a docstring so many spaces from the left."""
    text = "\n\n".join(parts).replace("\\", "\\\\")
    end = "\n" if "\n" in text else ""
    return indent(f'"""{text}{end}"""', " " * depth) + "\n"


def with_example(about: Callable[[Format], list[str]]) -> Callable[[Format], list[str]]:
    """What is said ends with an example, which is left out for a format whose records have fields of their own."""

    @wraps(about)
    def parts(form: Format) -> list[str]:
        said = about(form)
        return said if form.any_record else said[:-1]

    return parts


def setup(form: Format) -> str:
    """The lines of an example that come first."""
    if not form.typed:
        return f">>> from demat import {form.name}\n"
    return (
        ">>> from dataclasses import dataclass\n"
        f">>> from demat import {form.name}\n"
        ">>> @dataclass\n"
        "... class Task:\n"
        "...     id: str\n"
    )


def record(form: Format, value: str) -> str:
    """A record of an example."""
    return f"Task({value})" if form.typed else f"{{'id': {value}}}"


def is_table(form: Format) -> bool:
    """Whether the whole is always a record or a map, so that no list of records is written."""
    return form.untyped_type.startswith("dict[")


def refused(form: Format, call: str) -> str:
    """An example of what such a format refuses."""
    message = f"expected a record or a map, which a {form.title} document is, found `list`"
    return f"{setup(form)}>>> {call}\nTraceback (most recent call last):\n...\ndemat.EncodeError: {message}"


def kind(form: Format) -> str:
    """The type of such records."""
    return "Task" if form.typed else "dict[str, str]"


def shown(form: Format, value: str) -> str:
    """Such a record as an example shows it."""
    return f"Task(id={value})" if form.typed else f"{{'id': {value}}}"


def data(form: Format) -> str:
    """What is decoded, in words."""
    if form.binary:
        return "`data` is any buffer: bytes, bytearray, memoryview, mmap."
    return "`data` is text, as a str or as UTF-8 in any buffer: bytes, bytearray, memoryview, mmap, a NumPy array."


def decode(form: Format) -> list[str]:
    """About `decode`."""
    return [
        f"Decodes {form.title}.",
        paragraph(
            data(form),
            "`type` is what it is to be: a class, or any other annotation; what is made is checked against it.",
            "`None` is a type, too: that of `None`.",
            f"Without a type, {form.untyped}{'' if form.typed else ' are made'}.",
        ),
        options(form.reading),
        paragraph(
            f"Raises `DecodeError` where the data is no {form.title}, `ValidationError` where it is not of the type,",
            "`LimitError` where it is past a limit, and TypeError for a type or an option that there is not.",
        ),
        form.example,
    ]


def encode(form: Format) -> list[str]:
    """About `encode`."""
    return [
        f"Encodes a value as {form.title}, and gives the bytes{'' if form.binary else ', which are UTF-8'}.",
        options(form.writing),
        paragraph(
            f"Raises `EncodeError` where {form.title} has no way to write the value or nothing is known of its class,",
            "`LimitError` where it is nested too deep or contains itself, and TypeError for an option that it has not.",
        ),
        form.example,
    ]


@with_example
def encode_into(form: Format) -> list[str]:
    """About `encode_into`."""
    value = record(form, repr("a")) if is_table(form) else f"[{record(form, repr('a'))}]"
    return [
        f"Encodes a value as {form.title} into a bytearray, whose memory is used again.",
        paragraph(
            "It writes at `offset`, in bytes; -1 is the end. The bytes before the offset stay, and those after the",
            "value are cut off. If it fails, nothing is written. Options and errors are those of `encode`; also",
            "TypeError if it is no bytearray, ValueError if the offset is beyond its end, and BufferError if a",
            "memoryview of it exists.",
        ),
        f"{setup(form)}"
        ">>> buffer = bytearray(b'what was there')\n"
        f">>> {form.name}.encode_into({value}, buffer)\n"
        f">>> buffer == {form.name}.encode({value})\n"
        "True",
    ]


@with_example
def read(form: Format) -> list[str]:
    """About `read`."""
    records = f"[{record(form, repr('a'))}, {record(form, repr('b'))}]"
    place, at = (f"{{'items': {records}}}", ", at='$.items[*]'") if is_table(form) else (records, "")
    return [
        f"Reads {form.title} record by record, in bounded memory: {form.records}.",
        paragraph(
            "`place` is a path (`-` is standard input), a buffer (bytes …) that is the data itself, an open file, a",
            "socket, or an iterable of chunks, bytes or str, also packed by gzip or zstd; or one whose bytes are",
            "awaited: an asynchronous iterable, or what has an asynchronous `read`. `type` is what each record is.",
        ),
        paragraph(
            "Gives a `demat.Reader`, an iterator; for places whose bytes are awaited a `demat.AsyncReader`. A record",
            "is given as soon as its bytes have come. What `read` opened is closed at the end, after an error, by",
            "`close()`, at the end of a `with`, and when the reader goes; what was open before stays open.",
        ),
        options(form.streaming + form.reading),
        paragraph(
            "Raises OSError where a file can't be opened, and TypeError or ValueError for what is no place, type or",
            "option. Iterating raises what `decode` does, with the number of the record, and what the place itself",
            "raises; after that it has ended.",
        ),
        f"{setup(form)}"
        f">>> place = {form.name}.encode({place})\n"
        f">>> for record in {form.name}.read(place, {kind(form)}{at}):\n"
        "...     print(record)\n"
        f"{shown(form, repr('a'))}\n"
        f"{shown(form, repr('b'))}",
    ]


@with_example
def write(form: Format) -> list[str]:
    """About `write`."""
    return [
        f"Writes records to a place as {form.title}, as they come, and gives how many there were.",
        paragraph(
            "`place` is a path, or an open file (anything with a `write` that takes bytes, which stays open). A file",
            "is there when all is written, or stays what it was where something fails; an open file gets the bytes as",
            "they come. `values` is any iterable; of an asynchronous one a coroutine is made, to be awaited. `type` is",
            "that of a record; without it, each is written as its own class says. Memory is bounded by the longest",
            "record.",
        ),
        options((*WRITE, *(option for option in form.writing if option.name != "type"))),
        paragraph(
            "Raises what `encode` raises, with the record's number in its path; `StoreError`, which is the OSError,",
            "too, where the place can't be written; and what the values raise.",
        ),
        ">>> import io\n" + refused(form, f"{form.name}.write(io.BytesIO(), [{record(form, repr('a'))}])")
        if is_table(form)
        else f">>> import io\n{setup(form)}"
        ">>> file = io.BytesIO()\n"
        f">>> {form.name}.write(file, ({record(form, 'id')} for id in 'abc'))\n"
        "3\n"
        f">>> {form.name}.decode(file.getvalue(), list[{kind(form)}])[2]\n"
        f"{shown(form, repr('c'))}",
    ]


def about_text(form: Format) -> tuple[Option, ...]:
    """The options that are about the format's text, and not about the objects that are made of it."""
    return tuple(option for option in form.reading if option not in READING and option.name not in ("lazy", "ordered"))


@with_example
def columns(form: Format) -> list[str]:
    """About `columns`."""
    return [
        f"Reads the records of {form.title} as columns in Arrow's memory, with no objects made of them.",
        paragraph(
            "`place` is a path (`-` is standard input), the data itself in any buffer, an open file, a socket, or an",
            "iterable of chunks, bytes or str, also packed by gzip or zstd. `type` is that of a record"
            + ("." if form.typed else "; without it the first records say what the columns are."),
            "Values are checked against the class. A missing field gets its default, or null. Other threads run",
            "meanwhile.",
        ),
        options((*COLUMNS, *about_text(form))),
        paragraph(
            "Raises `DecodeError` and `LimitError` with the record's number, path and position; `StoreError`, which is",
            "the OSError, too, where the place can't be read; ValueError and TypeError for arguments that say nothing.",
        ),
        refused(form, f"{form.name}.columns({form.name}.encode([{record(form, repr('a'))}]))")
        if is_table(form)
        else f"{setup(form)}"
        f">>> data = {form.name}.encode([{record(form, repr('a'))}, {record(form, repr('b'))}])\n"
        f">>> {form.name}.columns(data{', Task' if form.typed else ''})\n"
        "<demat.Columns of 2 records: id: Utf8>",
    ]


@with_example
def decoder(form: Format) -> list[str]:
    """About `Decoder`."""
    wanted = kind(form) if is_table(form) else f"list[{kind(form)}]"
    value, found = record(form, repr("a")), shown(form, repr("a"))
    value, found = (value, found) if is_table(form) else (f"[{value}]", f"[{found}]")
    return [
        f"Decodes {form.title} into one type, as `decode` does with the same type and options.",
        paragraph(
            "What there is to find out about the type and the options is found out once, when it is made.",
            "It may be used by several threads at a time, and be pickled where its type and options can.",
        ),
        f"{setup(form)}"
        f">>> decoder = {form.name}.Decoder({wanted})\n"
        f">>> decoder.decode({form.name}.encode({value}))\n"
        f"{found}",
    ]


@with_example
def encoder(form: Format) -> list[str]:
    """About `Encoder`."""
    value = record(form, repr("a")) if is_table(form) else f"[{record(form, repr('a'))}]"
    return [
        f"Encodes values as {form.title}, as `encode` does with the same options.",
        "It may be used by several threads at a time, and be pickled where its options can.",
        f"{setup(form)}"
        f">>> encoder = {form.name}.Encoder()\n"
        f">>> encoder.encode({value}) == {form.name}.encode({value})\n"
        "True",
    ]
