"""The native module. This is what formats have in common; what their verbs take stands in `json.pyi` and its like."""

import sys
from collections.abc import AsyncIterable, Coroutine, Iterable
from os import PathLike
from threading import RLock
from types import GenericAlias
from typing import Any, Generic, Self, TypeAlias, TypeVar, final, overload

from _typeshed import SupportsWrite
from typing_extensions import Buffer, CapsuleType, TypeForm, disjoint_base

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)

__all__ = [
    "ColumnStream",
    "Columns",
    "Database",
    "Decoder",
    "Encoder",
    "Feed",
    "Format",
    "Items",
    "LazyReader",
    "Owner",
    "Plan",
    "Plans",
    "Raw",
    "Reader",
    "View",
    "Views",
    "Writer",
    "_rebuild",
    "_rebuild_view",
    "build_database",
    "columns_of",
    "command",
    "copy",
    "csv",
    "define_message",
    "forget_plans",
    "infer_shape",
    "json",
    "ndjson",
    "parse_shape",
    "proto",
    "proto_text",
    "quoted_name",
    "shape_text",
    "table_sql",
]

# A description, as docs/PYTHON.md has it: the root's node, and the records.
_Description: TypeAlias = tuple[tuple[Any, ...], list[dict[str, Any]]]

@final
class Format:
    @overload
    def decode(self, data: str | Buffer, /, **options: Any) -> Any: ...
    @overload
    def decode(self, data: str | Buffer, /, type: TypeForm[_T], **options: Any) -> _T: ...
    def encode(self, value: object, /, **options: Any) -> bytes: ...
    def encode_into(self, value: object, buffer: bytearray, offset: int = 0, /, **options: Any) -> None: ...
    def read(self, place: Any, /, type: Any = ..., **options: Any) -> Any: ...
    @overload
    def write(
        self,
        place: str | PathLike[str] | SupportsWrite[bytes],
        values: Iterable[Any],
        /,
        type: TypeForm[Any] | None = None,
        **options: Any,
    ) -> int: ...
    @overload
    def write(
        self,
        place: str | PathLike[str] | SupportsWrite[bytes],
        values: AsyncIterable[Any],
        /,
        type: TypeForm[Any] | None = None,
        **options: Any,
    ) -> Coroutine[Any, Any, int]: ...
    def columns(
        self, place: str | PathLike[str] | Buffer, /, type: TypeForm[Any] | None = None, **options: Any
    ) -> Any: ...
    @property
    def name(self) -> str: ...

# Each format has a subclass of its own, which is what makes these: `demat.json.Decoder`.
@disjoint_base
class Decoder(Generic[_T_co]):
    def decode(self, data: str | Buffer, /) -> _T_co: ...
    @property
    def type(self) -> TypeForm[_T_co]: ...

@disjoint_base
class Encoder:
    def encode(self, value: object, /) -> bytes: ...
    def encode_into(self, value: object, buffer: bytearray, offset: int = 0, /) -> None: ...

@final
class Columns:
    @property
    def names(self) -> tuple[str, ...]: ...
    @property
    def nbytes(self) -> int: ...
    def numpy(self, name: str | None = None) -> Any: ...
    @overload
    def records(self) -> list[dict[str, Any]]: ...
    @overload
    def records(self, type: TypeForm[_T]) -> list[_T]: ...
    def batches(self) -> list[Columns]: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> CapsuleType: ...
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[CapsuleType, CapsuleType]: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...
    def __len__(self) -> int: ...

@final
class ColumnStream:
    @property
    def names(self) -> tuple[str, ...]: ...
    def close(self) -> None: ...
    def __iter__(self) -> Self: ...
    def __next__(self) -> Columns: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, class_: object, value: object, traceback: object, /) -> None: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> CapsuleType: ...
    def __arrow_c_schema__(self) -> CapsuleType: ...

@final
class View:
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...

@final
class Reader(Generic[_T_co]):
    """The records of a place, one after the other, in bounded memory: what `demat.json.read` and its like give.

    It is an iterator, and a context manager that closes what `read` opened. Hardly anybody needs to close it: the end
    of the records does, an error, and the end of the reader itself. Using it while it is at work, from another thread
    or from a hook that it calls, raises RuntimeError.

    >>> from demat import json
    >>> with json.read(b"[1, 2, 3]", int) as numbers:
    ...     first = next(numbers)
    >>> first, numbers.record, list(numbers)
    (1, 1, [])
    """

    @property
    def record(self) -> int:
        """How many records were given so far."""
    @property
    def bytes_read(self) -> int:
        """How many bytes of the place were read so far, packed as they stand in it."""
    @property
    def closed(self) -> bool:
        """Whether nothing comes any more: all was given, an error was raised, or it was closed."""
    def close(self) -> None:
        """Ends the iteration, and closes what `read` opened; what was open before stays so."""
    def __iter__(self) -> Self: ...
    def __next__(self) -> _T_co: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, *_raised: object) -> None: ...
    @classmethod
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...

# What an asynchronous reader stands on.
@final
class Feed:
    def next(self) -> Any: ...
    def give(self, chunk: str | Buffer | None) -> None: ...
    def close(self) -> None: ...
    @property
    def record(self) -> int: ...
    @property
    def bytes_read(self) -> int: ...
    @property
    def closed(self) -> bool: ...

@final
class Writer:
    def tell(self, value: object, /) -> None: ...
    def finish(self) -> int: ...
    def abort(self) -> None: ...

json: Format
ndjson: Format
proto: Format
csv: Format

@final
class Raw:
    """A value kept as its bytes stand in a document, undecoded.

    As a field's type it defers decoding. It is written back as it was into the same format, and into another format as
    that has the value.

    >>> from demat import Raw, json
    >>> envelope = json.decode(b'{"kind": "task", "body": {"id": 1}}', dict[str, Raw])
    >>> envelope["body"]
    Raw(b'{"id": 1}')
    >>> envelope["body"].decode(dict[str, int])
    {'id': 1}
    """

    def __new__(cls, data: str | Buffer, format: str = "json") -> Raw: ...
    @overload
    def decode(self) -> Any: ...
    @overload
    def decode(self, type: TypeForm[_T]) -> _T: ...
    @property
    def format(self) -> str: ...
    def __bytes__(self) -> bytes: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

# Classes compiled, and where they are kept; nothing to be used from Python.
@final
class Plan: ...

@final
class Plans: ...

def forget_plans() -> None: ...
def shape_text(root: tuple[Any, ...], records: list[dict[str, Any]]) -> str: ...
def parse_shape(text: str) -> _Description: ...
def infer_shape(
    place: str | bytes | PathLike[str], format: str | None = None, limit: int | None = 1000
) -> _Description: ...
def command(arguments: list[str], /) -> int: ...
def _rebuild(class_: type[_T], type: Any, options: dict[str, Any]) -> _T: ...
def copy(
    src: Any, dst: str | PathLike[str] | SupportsWrite[bytes], settings: dict[str, Any]
) -> tuple[int, int, bool, int]: ...
def columns_of(objects: Iterable[Any], record: Any, given: dict[str, Any]) -> Columns: ...

# What `demat.sqlite` is made of; see there.
@final
class Database:
    def __new__(cls, path: str, readonly: bool, create: bool, timeout: float) -> Database: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def tables(self) -> list[str]: ...
    def make(
        self,
        name: str,
        root: tuple[Any, ...],
        records: list[dict[str, Any]],
        strict: bool,
        without_rowid: bool,
        indexes: list[list[str]],
        unique: list[list[str]],
    ) -> None: ...
    def describe(self, name: str) -> _Description: ...
    def columns(self, name: str) -> list[tuple[str, str]]: ...
    def select(
        self,
        name: str,
        columns: list[str],
        filter: str | None,
        order: list[tuple[str, bool]],
        limit: int | None,
        offset: int | None,
    ) -> str: ...
    def execute(self, sql: str, values: Any) -> int: ...
    def rows(
        self,
        sql: str,
        values: Any,
        type: Any,
        whole: tuple[str, list[str]] | None,
        recycle: bool,
        lock: RLock,
    ) -> Reader[Any]: ...
    def encode(
        self,
        sql: str,
        values: Any,
        type: Any,
        whole: tuple[str, list[str]] | None,
        format: str,
        options: dict[str, Any] | None,
    ) -> bytes: ...
    def arrow(self, sql: str, values: Any, type: Any, whole: tuple[str, list[str]] | None) -> Columns: ...
    def tell(self, name: str, values: Iterable[Any], type: Any, verb: str, every: int | None) -> int: ...
    def load(self, name: str, values: Iterable[Any], type: Any) -> int | str: ...
    def begin(self) -> None: ...
    def end(self, commit: bool) -> None: ...
    def interrupt(self) -> None: ...

def build_database(
    path: str,
    tables: list[tuple[str, tuple[Any, ...], list[dict[str, Any]], Any, Iterable[Any]]],
    page_size: int,
    durable: bool,
    replace: bool,
) -> int: ...
def table_sql(name: str, root: tuple[Any, ...], records: list[dict[str, Any]]) -> str: ...
def quoted_name(name: str) -> str: ...
