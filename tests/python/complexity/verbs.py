"""The measured calls: every verb of every format in the package's table."""

import contextlib
import importlib
import io
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import demat
import formats
from demat._formats import Format
from families import Nothing, Sample
from growth import Call


class Case(NamedTuple):
    """A value of one size, encoded in one format."""

    format: Format
    module: Any
    sample: Sample
    data: bytes
    folder: Path

    @property
    def item(self) -> Any:
        """The type of one record."""
        return self.sample.type.__args__[0]

    def place(self) -> Path:
        """Writes the data to a file of its own, and returns the path."""
        path = self.folder / f"{len(self.data)}.{self.format.name}"
        path.write_bytes(self.data)
        return path


def has(format: Format, option: str) -> bool:
    return any(option == own.name for own in (*format.reading, *format.streaming))


class Pieces(io.RawIOBase):
    """A file that returns at most `size` bytes per read."""

    def __init__(self, data: bytes, size: int) -> None:
        self._data, self._size, self._at = data, size, 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        part = self._data[self._at : self._at + min(self._size, len(buffer))]
        buffer[: len(part)] = part
        self._at += len(part)
        return len(part)


def exhaust(values: Iterator[Any]) -> None:
    for _ in values:
        pass


def decode(case: Case) -> Call:
    return lambda: case.module.decode(case.data, case.sample.type)


def untyped(case: Case) -> Call | None:
    return None if case.format.typed else lambda: case.module.decode(case.data)


def lax(case: Case) -> Call | None:
    if not has(case.format, "strict"):
        return None
    return lambda: case.module.decode(case.data, case.sample.type, strict=False)


def all_errors(case: Case) -> Call:
    return lambda: case.module.decode(case.data, case.sample.type, errors="all")


def wrong(case: Case) -> Call | None:
    """Decodes records that all have the wrong type."""
    if case.format.typed:
        return None

    def call() -> None:
        with contextlib.suppress(demat.Error):
            case.module.decode(case.data, list[list[int]], errors=100_000)

    return call


def skip(case: Case) -> Call:
    return lambda: case.module.decode(case.data, list[Nothing])


def validate(case: Case) -> Call:
    return lambda: case.module.validate(case.data, case.sample.type)


def hold(case: Case) -> Call:
    """Writes records one by one to a place that is held."""

    def call() -> None:
        with demat.writer(io.BytesIO(), case.item, format=case.format.name) as writer:  # type: ignore[arg-type]
            for record in case.sample.value:
                writer.write(record)

    return call


def feed(case: Case) -> Call:
    """Feeds a parser with small pieces."""

    def call() -> None:
        parser = case.module.parser(case.item, target=lambda _: None)
        for at in range(0, len(case.data), 100):
            parser.feed(case.data[at : at + 100])
        parser.close()

    return call


def keep(case: Case) -> Call | None:
    return None if case.format.typed else lambda: case.module.decode(case.data, list[dict[str, Any]])


def encode(case: Case) -> Call:
    return lambda: case.module.encode(case.sample.value)


def encode_typed(case: Case) -> Call:
    return lambda: case.module.encode(case.sample.value, type=case.sample.type)


def encode_into(case: Case) -> Call:
    buffer = bytearray()
    return lambda: case.module.encode_into(case.sample.value, buffer)


def read(case: Case) -> Call:
    return lambda: exhaust(case.module.read(io.BytesIO(case.data), case.item))


def read_pieces(case: Case) -> Call:
    return lambda: exhaust(case.module.read(Pieces(case.data, 100), case.item))


def read_untyped(case: Case) -> Call | None:
    return None if case.format.typed else lambda: exhaust(case.module.read(Pieces(case.data, 100)))


def read_batches(case: Case) -> Call:
    return lambda: exhaust(case.module.read(io.BytesIO(case.data), case.item, batch=16))


def read_at(case: Case) -> Call | None:
    """Reads records deep within a document, after as many records that are skipped."""
    if case.format.name != "json":
        return None
    data = b'{"before":' + case.data + b',"at":{"items":' + case.data + b'},"behind":' + case.data + b"}"
    return lambda: exhaust(case.module.read(Pieces(data, 1000), case.item, at="$.at.items[*]"))


def write(case: Case) -> Call:
    return lambda: case.module.write(io.BytesIO(), iter(case.sample.value), case.item)


def columns(case: Case) -> Call:
    return lambda: case.module.columns(case.data, case.item)


def columns_untyped(case: Case) -> Call | None:
    return None if case.format.typed else lambda: case.module.columns(case.data)


def columns_streamed(case: Case) -> Call:
    return lambda: exhaust(case.module.columns(io.BytesIO(case.data), case.item, batch_size=16))


def records_of_columns(case: Case) -> Call:
    made = case.module.columns(case.data, case.item)
    return lambda: made.records(case.item)


def columns_of(case: Case) -> Call:
    return lambda: demat.columns_of(case.sample.value, case.item)


def define(case: Case) -> Call | None:
    return None if case.format.typed else lambda: demat.define(case.data, format=case.format.name, rows=None)


def lazy_all(case: Case) -> Call | None:
    """Reads every attribute of every view, at any depth."""
    return (
        None
        if not has(case.format, "lazy")
        else lambda: look(case.module.decode(case.data, case.sample.type, lazy=True))
    )


def lazy_encode(case: Case) -> Call | None:
    if not has(case.format, "lazy"):
        return None
    return lambda: case.module.encode(case.module.decode(case.data, case.sample.type, lazy=True))


def lazy_change(case: Case) -> Call | None:
    """Changes the innermost value, and writes the whole."""
    if not has(case.format, "lazy"):
        return None

    def call() -> None:
        views = case.module.decode(case.data, case.sample.type, lazy=True)
        change(views)
        case.module.encode(views)

    return call


def lazy_value(case: Case) -> Call | None:
    """Looks for one value, at the end of what is at the first level."""
    if not case.format.looked_into:
        return None

    def call() -> None:
        doc = case.module.lazy(case.data)
        if doc.kind == "list":
            doc[-1].value() if len(doc) else None
        else:
            doc[list(doc)[-1]].value()

    return call


def lazy_value_items(case: Case) -> Call | None:
    """Iterates over all that is at the first two levels, and indexes it in order."""
    # Each cell of a table is found by the header, so all cells of a row take the square of the columns.
    if not case.format.looked_into or case.format.dialects:
        return None

    def call() -> None:
        stack = [(case.module.lazy(case.data), 0)]
        while stack:
            at, level = stack.pop()
            kind = at.kind
            if level == 2 or kind not in ("list", "dict"):
                continue
            if kind == "dict":
                stack.extend((value, level + 1) for _, value in at.items())
                for key in at:
                    at[key].kind  # noqa: B018
            else:
                stack.extend((value, level + 1) for value in at)
                for index in range(len(at)):
                    at[index].kind  # noqa: B018

    return call


def lazy_value_wrong(case: Case) -> Call | None:
    """An error at the last value, which has the way to it."""
    if not case.format.looked_into:
        return None

    def call() -> None:
        doc = case.module.lazy(case.data)
        while doc.kind in ("list", "dict") and doc:
            doc = doc[-1] if doc.kind == "list" else doc[next(reversed(doc.keys()))]
            if doc.kind == "dict":
                break
        with contextlib.suppress(demat.Error):
            doc.decode(bytes)

    return call


def look(value: Any) -> None:
    stack = [value]
    while stack:
        inner = stack.pop()
        if hasattr(inner, "__dataclass_fields__"):
            stack.extend(getattr(inner, name) for name in inner.__dataclass_fields__)
        elif not isinstance(inner, (str, bytes)) and hasattr(inner, "__iter__"):
            stack.extend(inner.values() if isinstance(inner, dict) else inner)


def change(views: Any) -> None:
    """Changes an int as deep as the first path leads."""
    at = views
    while True:
        if not hasattr(at, "__dataclass_fields__"):
            at = at[0]
            continue
        inner = [getattr(at, name) for name in at.__dataclass_fields__]
        deeper = [
            one for one in inner if hasattr(one, "__dataclass_fields__") or (isinstance_list(one) and has_records(one))
        ]
        if deeper:
            at = deeper[0]
            continue
        for name in at.__dataclass_fields__:
            own = getattr(at, name)
            if isinstance(own, (int, str)):
                setattr(at, name, own + type(own)(1))
                return
        return


def isinstance_list(value: Any) -> bool:
    return not isinstance(value, (str, bytes, dict)) and hasattr(value, "__len__") and hasattr(value, "__getitem__")


def has_records(value: Any) -> bool:
    return len(value) > 0 and hasattr(value[0], "__dataclass_fields__")


def copies(to: str) -> Callable[[Case], Call | None]:
    def copy(case: Case) -> Call:
        source = case.place()
        target = case.folder / f"copied.{to}"
        return lambda: demat.copy(source, target, list[case.item], from_=case.format.name, to=to)  # type: ignore[name-defined, arg-type]

    return copy


def copies_untyped(to: str) -> Callable[[Case], Call | None]:
    def copy(case: Case) -> Call | None:
        if case.format.typed:
            return None
        source = case.place()
        target = case.folder / f"copied.{to}"
        return lambda: demat.copy(source, target, from_=case.format.name, to=to)  # type: ignore[arg-type]

    return copy


def copy_to_several(case: Case) -> Call:
    """Copies to several targets in one pass."""
    return lambda: demat.copy(
        case.data,
        [io.BytesIO(), io.BytesIO()],
        list[case.item],
        from_=case.format.name,
        to=["json", "msgpack"],  # type: ignore[name-defined, arg-type]
    )


def copy_pieces(case: Case) -> Call:
    """Copies from a source that delivers a few bytes at a time."""
    to = "json" if case.format.name == "ndjson" else "ndjson"
    return lambda: demat.copy(
        Pieces(case.data, 100),
        io.BytesIO(),
        list[case.item],
        from_=case.format.name,
        to=to,  # type: ignore[name-defined, arg-type]
    )


VERBS: dict[str, Callable[[Case], Call | None]] = {
    verb.__name__: verb
    for verb in (
        decode,
        untyped,
        lax,
        all_errors,
        wrong,
        skip,
        validate,
        hold,
        feed,
        keep,
        encode,
        encode_typed,
        encode_into,
        read,
        read_pieces,
        read_untyped,
        read_batches,
        read_at,
        write,
        columns,
        columns_untyped,
        columns_streamed,
        records_of_columns,
        columns_of,
        define,
        lazy_all,
        lazy_encode,
        lazy_change,
        lazy_value,
        lazy_value_items,
        lazy_value_wrong,
        copy_pieces,
        copy_to_several,
    )
}
# Targets of `demat.copy`: the formats, and those that only it knows.
for place in formats.COPIED:
    VERBS[f"copy_to_{place}"] = copies(place)
    VERBS[f"copy_to_{place}_untyped"] = copies_untyped(place)


def module_of(format: Format) -> Any:
    return importlib.import_module(f"demat.{format.name}")
