"""The docstrings of the generated modules and stubs."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from textwrap import indent, wrap
from typing import TYPE_CHECKING

from demat._formats import COLUMNS, READING, WRITE

if TYPE_CHECKING:
    from demat._formats import Format, Option

# The width of a line in a docstring that is indented by four spaces.
WIDTH = 116

NOTICE = "# Written by `make stubs` from `python/demat/_formats` and `python/generate`; change those.\n"


def options(given: tuple[Option, ...]) -> str:
    """A list of options with their defaults and descriptions."""
    lines: list[str] = []
    for option in given:
        text = f"- `{option.name}={option.default}`: {option.doc}"
        lines += wrap(text, WIDTH, subsequent_indent="  ", break_on_hyphens=False)
    return "\n".join(lines)


def paragraph(*sentences: str) -> str:
    """The sentences, wrapped."""
    return "\n".join(wrap(" ".join(sentences), WIDTH, break_on_hyphens=False))


def docstring(parts: list[str], depth: int = 4) -> str:
    """A docstring of the parts, with empty lines between them, indented by `depth` spaces."""
    text = "\n\n".join(parts).replace("\\", "\\\\")
    end = "\n" if "\n" in text else ""
    return indent(f'"""{text}{end}"""', " " * depth) + "\n"


def with_example(about: Callable[[Format], list[str]]) -> Callable[[Format], list[str]]:
    """Leaves out the example, which is the last part, for a format whose records have fixed fields."""

    @wraps(about)
    def parts(form: Format) -> list[str]:
        said = about(form)
        return said if form.any_record else said[:-1]

    return parts


def has_class(form: Format) -> bool:
    """Whether the examples need a class, and not dicts."""
    return form.typed or form.written_typed


def setup(form: Format) -> str:
    """The first lines of an example."""
    if not has_class(form):
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
    return f"Task({value})" if has_class(form) else f"{{'id': {value}}}"


def refused(form: Format, call: str) -> str:
    """An example of an error, for a format that can't hold a list."""
    return f"{setup(form)}>>> {call}\nTraceback (most recent call last):\n...\ndemat.EncodeError: {form.single}"


def kind(form: Format) -> str:
    """The type of the records of an example."""
    return "Task" if has_class(form) else "dict[str, str]"


def shown(form: Format, value: str) -> str:
    """A record of an example as Python prints it."""
    return f"Task(id={value})" if has_class(form) else f"{{'id': {value}}}"


def data(form: Format) -> str:
    """What `data` may be."""
    if form.binary:
        return "`data` is any buffer: bytes, bytearray, memoryview, mmap."
    return "`data` is text, as a str or as UTF-8 in any buffer: bytes, bytearray, memoryview, mmap, a NumPy array."


def decode(form: Format) -> list[str]:
    """About `decode`."""
    return [
        f"Decodes {form.title}.",
        paragraph(
            data(form),
            "`type` is a class or any other annotation; values that are not of it are refused. `None` is the type of",
            "`None`.",
            f"Without a type, {form.untyped}{'' if form.typed else ' are returned'}.",
        ),
        options(form.reading + form.decoding),
        paragraph(
            f"Raises `DecodeError` if the data can't be parsed as {form.title}, `ValidationError` if it is not of",
            "the type, `LimitError` if it exceeds a limit, and TypeError for an unknown type or option.",
        ),
        form.example,
    ]


@with_example
def validate(form: Format) -> list[str]:
    """About `validate`."""
    value = record(form, repr("a")) if form.single else f"[{record(form, repr('a'))}]"
    type_ = kind(form) if form.single else f"list[{kind(form)}]"
    return [
        f"Checks that data is {form.title} and a value of `type`.",
        paragraph(
            "What `decode` accepts is accepted, and what it refuses is refused with the same error; the options are",
            "those of `decode`. Objects are made only where the value can't be checked without them.",
        ),
        f"{setup(form)}>>> data = {form.name}.encode({value})\n>>> {form.name}.validate(data, {type_})",
    ]


@with_example
def lazy(form: Format) -> list[str]:
    """About `lazy`."""
    return [
        f"Looks into {form.title} without decoding it.",
        paragraph(
            data(form),
            "`path` is a file instead, which is mapped into memory. Returns a `demat.LazyValue`: keys and indices lead",
            "to the values in it, and only what you ask for is decoded. What is not passed is not checked.",
        ),
        options(about_text(form)),
        paragraph("Raises TypeError for an unknown option, and OSError if a file can't be opened."),
        ">>> from demat import csv\n>>> csv.lazy('id,title\\n7,Rest\\n')[0]['title'].str()\n'Rest'"
        if form.dialects
        else f"{setup(form)}"
        f">>> data = {form.name}.encode({{'tasks': [{record(form, repr('a'))}, {record(form, repr('b'))}]}})\n"
        f">>> {form.name}.lazy(data)['tasks'][1]['id'].str()\n"
        "'b'",
    ]


def encode(form: Format) -> list[str]:
    """About `encode`."""
    return [
        f"Encodes a value as {form.title}, and returns the bytes{'' if form.binary else ', which are UTF-8'}.",
        options(form.writing),
        paragraph(
            f"Raises `EncodeError` if {form.title} can't represent the value or its class is unknown, `LimitError` if",
            "it is nested too deep or contains itself, and TypeError for an unknown option.",
        ),
        form.example,
    ]


@with_example
def encode_into(form: Format) -> list[str]:
    """About `encode_into`."""
    value = record(form, repr("a")) if form.single else f"[{record(form, repr('a'))}]"
    return [
        f"Encodes a value as {form.title} into a bytearray, and reuses its memory.",
        paragraph(
            "It writes at `offset`, in bytes; -1 is the end. The bytes before the offset stay, and the bytearray ends",
            "after the value. If it fails, nothing is written. Options and errors are those of `encode`; it also",
            "raises TypeError if `buffer` is no bytearray, ValueError if the offset is beyond its end, and BufferError",
            "if a memoryview of it exists.",
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
    shows = [shown(form, repr("a")), shown(form, repr("b"))]
    place, at = records, ""
    if form.single and form.typed:
        place, shows = record(form, repr("a")), shows[:1]
    elif form.single:
        place, at = f"{{'items': {records}}}", ", at='$.items[*]'"
    return [
        f"Reads {form.title} record by record, in bounded memory: {form.records}.",
        paragraph(
            "`place` is a path (`-` is standard input), a buffer (bytes …) that is the data itself, an open file, a",
            "socket, an iterable of chunks (bytes or str), an asynchronous iterable of them, an object with an",
            "asynchronous `read`, or a store or a place of a `demat.scheme` (`todo:/tasks`), whose value is in memory",
            "as a whole. The data may be compressed by gzip or zstd. `type` is the type of a record.",
        ),
        paragraph(
            "Returns a `demat.Reader`, an iterator; for an asynchronous place a `demat.AsyncReader`. It yields a",
            "record as soon as its bytes have arrived. A file that `read` opened is closed at the end, after an error,",
            "by `close()`, at the end of a `with`, and when the reader is deleted; other files stay open.",
        ),
        options(form.streaming + form.reading),
        paragraph(
            "Raises OSError if a file can't be opened, and TypeError or ValueError for an invalid place, type or",
            "option. Iterating raises what `decode` does, with the number of the record, and what the place itself",
            "raises; after an error the reader is at its end.",
        ),
        f"{setup(form)}"
        f">>> place = {form.name}.encode({place})\n"
        f">>> for record in {form.name}.read(place, {kind(form)}{at}):\n"
        "...     print(record)\n" + "\n".join(shows),
    ]


@with_example
def parser(form: Format) -> list[str]:
    """About `parser`."""
    data, at = f"[{record(form, repr('a'))}]", ""
    if form.single and form.typed:
        data = record(form, repr("a"))
    elif form.single:
        data, at = f"{{'items': {data}}}", ", at='$.items[*]'"
    return [
        f"Returns a parser that takes {form.title} in pieces and gives complete records.",
        paragraph(
            "It is a `demat.Parser`. `type` is the type of a record, `target` a callable that gets each. The options",
            "are those of `read`, but for `batch` and `recycle`.",
        ),
        f"{setup(form)}"
        f">>> data = {form.name}.encode({data})\n"
        f">>> parser = {form.name}.parser({kind(form)}{at})\n"
        ">>> [*parser.feed(data[:5]), *parser.feed(data[5:]), *parser.close()]\n"
        f"[{shown(form, repr('a'))}]",
    ]


@with_example
def write(form: Format) -> list[str]:
    """About `write`."""
    return [
        f"Writes records to a place as {form.title}, as they come, and returns their number.",
        paragraph(
            "`place` is a path (`-` is standard output), an open file (any object with a `write` that takes bytes), a",
            "`StringIO`, a socket, all of which stay open, a callable that gets bytes, or a store or a place of a",
            "`demat.scheme` (`todo:/tasks`). A file at a path, and a value of a store, is replaced",
            "when all is written, and keeps its content if something fails; the others get the bytes in pieces of",
            "64 KiB. `values` is any iterable; for an asynchronous one `write` returns a coroutine. `type` is the type",
            "of a record; without it, each is written as its own class. The longest record bounds the memory.",
        ),
        options((*WRITE, *(option for option in form.writing if option.name != "type"))),
        paragraph(
            "Raises what `encode` raises, with the record's number in its path; `StoreError`, which is also an",
            "OSError if the place can't be written; and what iterating the values raises.",
        ),
        ">>> import io\n" + refused(form, f"{form.name}.write(io.BytesIO(), [{record(form, repr('a'))}])")
        if form.single
        else f">>> import io\n{setup(form)}"
        ">>> file = io.BytesIO()\n"
        f">>> {form.name}.write(file, ({record(form, 'id')} for id in 'abc'))\n"
        "3\n"
        f">>> {form.name}.decode(file.getvalue(), list[{kind(form)}])[2]\n"
        f"{shown(form, repr('c'))}",
    ]


def about_text(form: Format) -> tuple[Option, ...]:
    """The options about the format's text, as opposed to those about the objects that are made of it."""
    about_objects = ("lazy", "ordered", "accept_single")
    return tuple(option for option in form.reading if option not in READING and option.name not in about_objects)


def inferred(form: Format) -> str:
    """Where columns come from if there is no type."""
    return "those of the file's schema" if form.written_typed else "inferred from the first records"


@with_example
def columns(form: Format) -> list[str]:
    """About `columns`."""
    return [
        f"Reads the records of {form.title} as columns in Arrow's memory, without making objects.",
        paragraph(
            "`place` is a path (`-` is standard input), the data itself in any buffer, an open file, a socket, an",
            "iterable of chunks (bytes or str), also compressed by gzip or zstd, or a store or a place of a",
            "`demat.scheme` (`todo:/tasks`). `type` is the type of a record"
            + ("." if form.typed else f"; without it, the columns are {inferred(form)}."),
            "Values are checked against the class. A missing field gets its default, or null. It releases the global",
            "interpreter lock.",
        ),
        options((*COLUMNS, *about_text(form))),
        paragraph(
            "Raises `DecodeError` and `LimitError` with the record's number, path and position; `StoreError`, which is",
            "also an OSError, if the place can't be read; ValueError and TypeError for invalid arguments.",
        ),
        refused(form, f"{form.name}.columns({form.name}.encode([{record(form, repr('a'))}]))")
        if form.single
        else f"{setup(form)}"
        f">>> data = {form.name}.encode([{record(form, repr('a'))}, {record(form, repr('b'))}])\n"
        f">>> {form.name}.columns(data{', Task' if form.typed else ''})\n"
        "<demat.Columns of 2 records: id: Utf8>",
    ]


@with_example
def decoder(form: Format) -> list[str]:
    """About `Decoder`."""
    wanted = kind(form) if form.single else f"list[{kind(form)}]"
    value, found = record(form, repr("a")), shown(form, repr("a"))
    value, found = (value, found) if form.single else (f"[{value}]", f"[{found}]")
    return [
        f"Decodes {form.title} into one type, as `decode` does with the same type and options.",
        paragraph(
            "It prepares the type and the options once, when it is made. Several threads may use it at a time, and it",
            "can be pickled if its type and options can.",
        ),
        f"{setup(form)}"
        f">>> decoder = {form.name}.Decoder({wanted})\n"
        f">>> decoder.decode({form.name}.encode({value}))\n"
        f"{found}",
    ]


@with_example
def encoder(form: Format) -> list[str]:
    """About `Encoder`."""
    value = record(form, repr("a")) if form.single else f"[{record(form, repr('a'))}]"
    return [
        f"Encodes values as {form.title}, as `encode` does with the same options.",
        "Several threads may use it at a time, and it can be pickled if its options can.",
        f"{setup(form)}"
        f">>> encoder = {form.name}.Encoder()\n"
        f">>> encoder.encode({value}) == {form.name}.encode({value})\n"
        "True",
    ]
