"""The native module. This is what formats have in common; what their verbs take stands in `json.pyi` and its like."""

import builtins
import sys
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable, Iterator, KeysView
from os import PathLike
from threading import RLock
from types import GenericAlias
from typing import Any, ClassVar, Generic, Literal, Self, SupportsIndex, TypeAlias, TypeVar, final, overload

from typing_extensions import Buffer, CapsuleType, TypeForm, disjoint_base

from demat._places import Target

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)

__all__ = [
    "ColumnStream",
    "Columns",
    "Database",
    "Decoder",
    "Encoder",
    "FORMATS",
    "Feed",
    "Format",
    "Items",
    "LINES",
    "LazyDocument",
    "LazyIterator",
    "LazyReader",
    "LazyValue",
    "LmdbCollection",
    "LmdbEnvironment",
    "LmdbKeeper",
    "LmdbScan",
    "LmdbStream",
    "LmdbTransaction",
    "Migration",
    "Numbers",
    "Owner",
    "PartSink",
    "Plan",
    "Plans",
    "PostgresDatabase",
    "PostgresListener",
    "Raw",
    "Reader",
    "Server",
    "Store",
    "StoreState",
    "TableColumn",
    "View",
    "Views",
    "Writer",
    "StoreFeed",
    "rewritten",
    "_rebuild",
    "_rebuild_view",
    "arrow_shape",
    "avro",
    "build_database",
    "cbor",
    "chosen",
    "check_record",
    "columns_of",
    "records_behind",
    "stored_columns",
    "convert",
    "convert_straight",
    "builtins_straight",
    "command",
    "content_type",
    "copy",
    "csv",
    "define_message",
    "describe_formats",
    "described_columns",
    "forget_plans",
    "edit",
    "format_name",
    "infer_shape",
    "is_judged",
    "json",
    "mca",
    "msgpack",
    "nbt",
    "ndjson",
    "notes",
    "parse_shape",
    "plist",
    "proto",
    "proto_text",
    "queried",
    "reserve",
    "quoted_name",
    "quoted_postgres_name",
    "raw",
    "shape_text",
    "snbt",
    "table_sql",
    "xml",
    "toml",
    "txtpb",
    "yaml",
    "__version__",
    "open_writer",
]

# A description, as docs/PYTHON.md has it: the root's node, and the records.
_Description: TypeAlias = tuple[tuple[Any, ...], list[dict[str, Any]]]

@final
class Format:
    @overload
    def decode(self, data: str | Buffer, /, **options: Any) -> Any: ...
    @overload
    def decode(self, data: str | Buffer, /, type: TypeForm[_T], **options: Any) -> _T: ...
    def validate(self, data: str | Buffer, /, type: Any = ..., **options: Any) -> None: ...
    def lazy(
        self, data: str | Buffer | None = None, /, *, path: str | PathLike[str] | None = None, **options: Any
    ) -> LazyValue: ...
    def encode(self, value: object, /, **options: Any) -> bytes: ...
    def encode_into(self, value: object, buffer: bytearray, offset: int = 0, /, **options: Any) -> None: ...
    def read(self, place: Any, /, type: Any = ..., **options: Any) -> Any: ...
    @overload
    def write(
        self,
        place: Target,
        values: Iterable[Any],
        /,
        type: TypeForm[Any] | None = None,
        **options: Any,
    ) -> int: ...
    @overload
    def write(
        self,
        place: Target,
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
    def __getitem__(self, name: str, /) -> Any: ...
    def __contains__(self, name: object, /) -> bool: ...
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
    def header(self) -> Any:
        """The fields of the document around the records that were passed so far; after the end, all of them.

        A dict, or a value of the type that `header=` gave. Without `header=` it raises AttributeError.

        >>> from demat import json
        >>> page = b'{"total": 2, "next": null, "ids": [7, 8], "took": 3}'
        >>> with json.read(page, int, at="$.ids[*]", header=True) as reader:
        ...     next(reader), reader.header, list(reader), reader.header["took"]
        (7, {'total': 2, 'next': None}, [8], 3)
        """
    @property
    def rejected(self) -> int:
        """How many records were left out so far."""
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

@final
class PartSink:
    """What `__demat_encode__(self, sink)` writes the parts of its value to.

    One value is written: a scalar, or `list()` or `map()` with what is in it and `end()`. In a map each value has a key
    before it. A wrong sequence raises `demat.EncodeError`, and then nothing of the whole value is written. After the
    call, and in another thread, each method raises RuntimeError.

    >>> import demat
    >>> class Point:
    ...     def __init__(self, x: int, y: int) -> None:
    ...         self.x, self.y = x, y
    ...     def __demat_encode__(self, sink: demat.PartSink) -> None:
    ...         sink.map()
    ...         sink.key("x")
    ...         sink.int(self.x)
    ...         sink.key("y")
    ...         sink.int(self.y)
    ...         sink.end()
    >>> demat.json.encode([Point(1, 2)])
    b'[{"x":1,"y":2}]'
    """

    def null(self) -> None:
        """Writes None."""
    def bool(self, value: builtins.bool) -> None:
        """Writes a bool."""
    def int(self, value: builtins.int) -> None:
        """Writes an int of any size."""
    def float(self, value: builtins.float) -> None:
        """Writes a float; an int is converted."""
    def text(self, value: str) -> None:
        """Writes a str."""
    def bytes(self, value: builtins.bytes) -> None:
        """Writes bytes, as the format has them: in JSON as base64."""
    def value(self, value: object) -> None:
        """Writes an object of any class, as it would be encoded by itself."""
    def list(self) -> None:
        """Begins a list: what is written up to its `end` are its items."""
    def map(self) -> None:
        """Begins a map: what is written up to its `end` are keys, each with a value behind it."""
    def key(self, key: str) -> None:
        """Writes the key of the value that comes next."""
    def end(self) -> None:
        """Ends the innermost list or map."""

# What an asynchronous reader stands on.
@final
class Feed:
    def next(self) -> Any: ...
    def ready(self, records: list[Any], target: Callable[[Any], object] | None = None) -> None: ...
    def give(self, chunk: str | Buffer | None) -> None: ...
    def close(self) -> None: ...
    @property
    def record(self) -> int: ...
    @property
    def header(self) -> Any: ...
    @property
    def rejected(self) -> int: ...
    @property
    def bytes_read(self) -> int: ...
    @property
    def closed(self) -> bool: ...

@final
class Writer:
    """Writes values to a place, one by one, as `demat.writer` returns it.

    A file appears when the writer is closed; before, and after an error that leaves a `with`, it is as it was. A file
    object or a pipe gets what each call writes as the call returns. A value that is refused is not written, and the
    writer goes on, unless it holds a `Raw`, columns or lazy records; then, and where the place fails, the writer is
    closed and the place is given up.

    - `count`: the number of values written
    - `closed`: whether it takes no more

    >>> import demat, io
    >>> file = io.BytesIO()
    >>> with demat.writer(file, format="json") as writer:
    ...     writer.write({"id": 1})
    ...     writer.write_all({"id": id} for id in range(2, 4))
    2
    >>> file.getvalue()
    b'[{"id":1},{"id":2},{"id":3}]\\n'
    >>> writer.count, writer.closed
    (3, True)
    """

    def write(self, value: object, /) -> None:
        """Writes one value.

        Raises what `encode` raises; `RuntimeError` if the writer is closed.
        """
    def write_all(self, values: Iterable[Any], /) -> int:
        """Writes the values of an iterable, and returns their number. Those before one that is refused are written.

        Raises what `encode` raises, and what the iterable raises; `RuntimeError` if the writer is closed.
        """
    def flush(self) -> None:
        """Passes on all that was written to a file object, a pipe or a socket. A file appears at the end.

        Raises what the place raises; `RuntimeError` if the writer is closed.
        """
    def close(self) -> int:
        """Ends the list, lets a file appear, and returns the number of values written. Again it does nothing.

        Raises what the place raises; then nothing appears.
        """
    def abort(self) -> None:
        """Gives the place up: a file that is there stays as it was. Again it does nothing."""
    @property
    def count(self) -> int:
        """The number of values written."""
    @property
    def closed(self) -> bool:
        """Whether it takes no more."""
    def __enter__(self) -> Self: ...
    def __exit__(self, kind: object, _raised: object, _traceback: object, /) -> bool: ...

def open_writer(place: Any, type: Any, format: str | None, options: dict[str, Any]) -> Writer: ...

json: Format
ndjson: Format
proto: Format
msgpack: Format
cbor: Format
xml: Format
nbt: Format
snbt: Format
mca: Format
toml: Format
yaml: Format
raw: Format
plist: Format
txtpb: Format
avro: Format
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

@final
class LazyValue:
    """A value in a document that is not decoded: what `lazy` of a format returns, and the values in it.

    Keys and indices lead to the values inside. Each access walks over what comes before in the same dict or list, and
    decodes nothing of it. Malformed data that it passes is an error; what it does not pass is not checked. Errors have
    the way to the value, and the position in the document.

    It keeps the document's bytes alive. Several threads may use it at a time.

    >>> from demat import json
    >>> doc = json.lazy('{"users": [{"name": "Ada", "age": 36}, {"name": "Alan", "age": 41}]}')
    >>> doc["users"][1]["name"].str()
    'Alan'
    >>> [user["age"].int() for user in doc["users"]]
    [36, 41]
    >>> doc.at("users[0]").value()
    {'name': 'Ada', 'age': 36}
    >>> doc["users"][0]["name"].int()
    Traceback (most recent call last):
    ...
    demat.ValidationError: expected `int`, found `str` "Ada" at `$.users[0].name` (line 1, column 21)
    """

    def __getitem__(self, key: Any, /) -> LazyValue:
        """Returns the value of a key of a dict, or the item of a list with an index, which may be negative.

        Of a key that repeats the last value counts, so it reads the dict to its end. Raises `MissingError`, which is a
        KeyError and an IndexError, and `ValidationError` for a value of another kind.
        """

    @overload
    def get(self, key: Any, /) -> LazyValue | None:
        """Returns the value of a key or the item with an index; `default` if there is none."""

    @overload
    def get(self, key: Any, default: _T, /) -> LazyValue | _T: ...
    def at(self, path: str, /) -> LazyValue:
        """Returns the value at a path, in the syntax of `at=`: `$.users[3].name`, or without the `$.`.

        Raises ValueError if it is no path to one value.
        """

    def __contains__(self, key: object, /) -> builtins.bool:
        """Whether a dict has the key."""

    def __len__(self) -> builtins.int:
        """The number of keys of a dict, or of items of a list."""

    def __bool__(self) -> builtins.bool:
        """What it is of the decoded value: False for what is empty, for 0, False and None."""

    def __iter__(self) -> Iterator[Any]:
        """Iterates over the keys of a dict, or over the items of a list, which are lazy values."""

    def keys(self) -> KeysView[Any]:
        """Returns a view of the keys of a dict."""

    def values(self) -> Iterator[LazyValue]:
        """Iterates over the values of a dict."""

    def items(self) -> Iterator[tuple[Any, LazyValue]]:
        """Iterates over the pairs of key and value of a dict."""

    @property
    def kind(self) -> builtins.str:
        """The kind of the value, as errors name it: `dict`, `list`, `str`, `int`, `float`, `bool`, `None`, `bytes` …"""

    def int(self) -> builtins.int:
        """Decodes the value as an int."""

    def float(self) -> builtins.float:
        """Decodes the value as a float. An int is one, too."""

    def str(self) -> builtins.str:
        """Decodes the value as a str."""

    def bool(self) -> builtins.bool:
        """Decodes the value as a bool."""

    def bytes(self) -> builtins.bytes:
        """Decodes the value as bytes; from text, as base64. `bytes(value)` are the bytes of the document instead."""

    def value(self) -> Any:
        """Decodes the value as `decode` does without a type."""

    @overload
    def decode(self, **options: Any) -> Any:
        """Decodes the value as `type`, with the options of `decode` about types: `strict`, `errors`, `hooks` …"""

    @overload
    def decode(self, type: builtins.type[_T], **options: Any) -> _T: ...
    @overload
    def decode(self, type: TypeForm[_T], **options: Any) -> _T: ...
    def validate(self) -> None:
        """Checks all of the value: raises what `value()` raises."""

    @property
    def raw(self) -> Raw:
        """The value as it stands in the document, undecoded."""

    def __bytes__(self) -> builtins.bytes:
        """The bytes of the value as they stand in the document."""

    @property
    def path(self) -> builtins.str:
        """The way to the value, such as `$.users[3]`. Takes time linear in the document before the value."""

    def close(self) -> None:
        """Releases the bytes of the document; its lazy values raise ValueError from then on."""

    def __enter__(self) -> Self: ...
    def __exit__(self, class_: object, value: object, trace: object, /) -> None: ...
    def __eq__(self, other: object, /) -> builtins.bool:
        """Compares the decoded value. Lazy values have no hash."""

    __hash__: ClassVar[None]  # type: ignore[assignment]

    def __ne__(self, other: object, /) -> builtins.bool: ...
    def __lt__(self, other: object, /) -> builtins.bool: ...
    def __le__(self, other: object, /) -> builtins.bool: ...
    def __gt__(self, other: object, /) -> builtins.bool: ...
    def __ge__(self, other: object, /) -> builtins.bool: ...

# Classes compiled, and where they are kept; nothing to be used from Python.
@final
class Plan: ...

@final
class Plans: ...

# What an array of NumPy is encoded from.
@final
class Numbers:
    def __new__(cls, array: Any, kind: str, unit: str | None = None) -> Self: ...

# What lazy records are made of: see docs/python/proto.md.
@final
class Items(Generic[_T]):
    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, index: SupportsIndex, /) -> _T: ...
    @overload
    def __getitem__(self, index: slice, /) -> list[_T]: ...
    def __setitem__(self, index: Any, value: Any, /) -> None: ...
    def __delitem__(self, index: Any, /) -> None: ...
    def __iter__(self) -> Iterator[_T]: ...
    def __reversed__(self) -> Iterator[_T]: ...
    def __contains__(self, value: object, /) -> bool: ...
    def __add__(self, other: Any, /) -> list[_T]: ...
    def __radd__(self, other: Any, /) -> list[_T]: ...
    def __iadd__(self, other: Any, /) -> Self: ...
    def __mul__(self, times: SupportsIndex, /) -> list[_T]: ...
    def __rmul__(self, times: SupportsIndex, /) -> list[_T]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Any, /) -> bool: ...
    def __le__(self, other: Any, /) -> bool: ...
    def __gt__(self, other: Any, /) -> bool: ...
    def __ge__(self, other: Any, /) -> bool: ...
    def __class_getitem__(cls, item: Any) -> GenericAlias: ...
    def __copy__(self) -> list[_T]: ...
    def __deepcopy__(self, memo: Any, /) -> list[_T]: ...
    def __reduce__(self) -> tuple[type[list[Any]], tuple[list[_T]]]: ...
    def append(self, object: _T, /) -> None: ...
    def clear(self) -> None: ...
    def copy(self) -> list[_T]: ...
    def count(self, value: Any, /) -> int: ...
    def extend(self, iterable: Iterable[_T], /) -> None: ...
    def index(self, value: Any, start: SupportsIndex = ..., stop: SupportsIndex = ..., /) -> int: ...
    def insert(self, index: SupportsIndex, object: _T, /) -> None: ...
    def pop(self, index: SupportsIndex = ..., /) -> _T: ...
    def remove(self, value: _T, /) -> None: ...
    def reverse(self) -> None: ...
    def sort(self, *, key: Callable[[_T], Any] | None = ..., reverse: bool = ...) -> None: ...
    def numpy(self) -> Any: ...
    if sys.version_info >= (3, 12):
        def __buffer__(self, flags: int, /) -> memoryview: ...
        def __release_buffer__(self, buffer: memoryview, /) -> None: ...

@final
class LazyReader(Generic[_T_co]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> _T_co: ...
    def __enter__(self) -> Self: ...
    def __exit__(self, class_: object, value: object, trace: object, /) -> None: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    @property
    def record(self) -> int: ...
    @property
    def bytes_read(self) -> int: ...
    def __class_getitem__(cls, item: Any) -> GenericAlias: ...

@final
class LazyDocument: ...

@final
class LazyIterator(Generic[_T_co]):
    def __iter__(self) -> Self: ...
    def __next__(self) -> _T_co: ...

@final
class Owner: ...

@final
class Views: ...

def _rebuild_view(class_: type[_T], data: bytes) -> _T: ...
def define_message(
    place: str | bytes | PathLike[str], message: str | None, includes: list[str], is_set: bool
) -> _Description: ...

FORMATS: tuple[str, ...]
LINES: str
__version__: str

def content_type(format: str) -> str: ...
def describe_formats() -> list[dict[str, Any]]: ...
def proto_text(root: tuple[Any, ...], records: list[dict[str, Any]], package: str) -> str: ...
def forget_plans() -> None: ...
def reserve(size: int | None = None) -> int: ...
def notes(argument: str, text: str) -> list[tuple[str, str]]: ...
def shape_text(root: tuple[Any, ...], records: list[dict[str, Any]]) -> str: ...
def parse_shape(text: str) -> _Description: ...
def arrow_shape(object: Any) -> _Description: ...
def infer_shape(place: str | bytes | PathLike[str], format: str | None, limit: int | None) -> _Description: ...
def command(arguments: list[str], /) -> int: ...
def _rebuild(class_: type[_T], type: Any, options: dict[str, Any]) -> _T: ...
def copy(src: Any, dst: Target, settings: dict[str, Any]) -> tuple[int, int, bool, int]: ...
def format_name(dst: Target, to: str | None) -> str: ...
def edit(
    place: str | PathLike[str],
    type: Any,
    change: Callable[[Any, bytes, list[str]], bytes | None],
    *,
    format: str,
    to: str | PathLike[str] | None,
    at: str | None,
    where: str | None,
    read: dict[str, Any] | None,
) -> tuple[int, int]: ...
def rewritten(
    format: str, old: bytes, before: bytes, after: bytes, columns: list[str], read: dict[str, Any] | None
) -> bytes | None: ...
def described_columns(root: tuple[Any, ...], records: list[dict[str, Any]]) -> Columns: ...
def convert(value: object, type: Any, reading: dict[str, Any], writing: dict[str, Any]) -> Any: ...
def convert_straight(value: object, type: Any) -> Any: ...
def builtins_straight(value: object) -> Any: ...
def columns_of(objects: Iterable[Any], record: Any, given: dict[str, Any]) -> Columns: ...
def check_record(type: Any) -> None: ...
def records_behind(columns: Columns, first: int, type: Any = ...) -> list[Any]: ...
@overload
def stored_columns(
    format: str,
    place: Any,
    record: Any,
    fields: list[str] | None,
    rows: int,
    given: dict[str, Any],
    later: Any = ...,
) -> ColumnStream: ...
@overload
def stored_columns(
    format: str,
    place: Any,
    record: Any,
    fields: list[str] | None,
    rows: int | None,
    given: dict[str, Any],
    later: Any = ...,
) -> Columns | ColumnStream: ...

# What `demat.serve` is made of; see there.
@final
class Server:
    def __new__(
        cls,
        routes: list[tuple[Any, ...]],
        host: str,
        port: int,
        cors: list[str],
        token: str | None,
        urls: str | None,
        title: str,
        browser: bool,
        max_body: int,
        stop_timeout: float,
        log: Callable[[str], object] | None,
        tls: tuple[str, str] | None,
        durable: bool,
        wal: bool,
        hosts: list[str],
        unrepresentable: str,
        schemas: bytes,
        tokens: list[tuple[str, list[str]]] | None,
    ) -> Server: ...
    @property
    def host(self) -> str: ...
    @property
    def port(self) -> int: ...
    def wait(self) -> None: ...
    def stop(self) -> None: ...

# What `demat.store` is made of; see there.
@final
class Store:
    def __new__(cls, kind: str, *said: Any) -> Store: ...
    def encode(self, at: str, query: str, format: str) -> bytes: ...
    def give(self, verb: str, at: str, value: bytes, format: str) -> str: ...
    def delete(self, at: str) -> None: ...
    def children(self, at: str) -> list[str]: ...
    def described(self, form: str) -> str: ...
    def times(self, verb: str) -> tuple[int, float, float] | None: ...
    def flush(self) -> None: ...

@final
class StoreFeed:
    """The changes of a store, each once."""

    def __new__(cls, store: Store, at: str, limit: int) -> Self: ...
    def wait(self, seconds: float) -> tuple[Literal["put", "delete", "reset"], str] | None: ...
    def value(self, at: str) -> tuple[bytes, str | None]: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...

@final
class StoreState:
    """What all native stores of one instance of `demat.Store` share."""

def chosen(json: bytes, query: str) -> list[int]: ...
def queried(json: bytes, query: str) -> bytes: ...

# What `demat.lmdb` is made of; see there.
_Asked: TypeAlias = tuple[str | None, Any, Any, Any, tuple[bool, bool], bool, int | None, str | None]

@final
class LmdbEnvironment:
    def __new__(
        cls,
        path: str,
        map_size: int | None,
        max_collections: int,
        max_readers: int,
        readonly: bool,
        create: bool,
        sync: str,
    ) -> LmdbEnvironment: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def begin(self, write: bool) -> LmdbTransaction: ...
    def collections(self) -> list[str]: ...
    def collection(
        self,
        name: str,
        type: Any,
        list: Any,
        key: Any,
        function: Callable[[Any], Any] | None,
        encoding: str | None,
        compression: str | None,
    ) -> LmdbCollection: ...
    def drop_collection(self, name: str) -> bool: ...
    def readers(self) -> list[tuple[int, int, float | None, int]]: ...
    def info(self) -> tuple[int, int, int, int, int, int]: ...
    def clear_stale_readers(self) -> int: ...
    def resize(self, size: int) -> None: ...
    def sync(self) -> None: ...
    def copy_to(self, path: str) -> None: ...

@final
class LmdbTransaction:
    @property
    def number(self) -> int: ...
    @property
    def writes(self) -> bool: ...
    def nest(self) -> None: ...
    def end(self, commit: bool) -> None: ...

@final
class LmdbKeeper: ...

@final
class LmdbCollection:
    def definition(self) -> dict[str, Any]: ...
    def describe(self) -> tuple[_Description, bool]: ...
    @property
    def is_lazy(self) -> bool: ...
    def put(self, transaction: LmdbTransaction, value: Any, key: Any, put: str) -> Any: ...
    def put_list(self, transaction: LmdbTransaction, values: list[Any], put: str) -> int: ...
    def get(self, transaction: LmdbTransaction | None, key: Any, objects: bool) -> Any: ...
    def is_same_key(self, one: Any, other: Any) -> bool: ...
    def delete(self, transaction: LmdbTransaction, key: Any) -> bool: ...
    def delete_range(self, transaction: LmdbTransaction, asked: _Asked) -> int: ...
    def count(self, transaction: LmdbTransaction | None, asked: _Asked) -> int: ...
    def scan(self, transaction: LmdbTransaction | None, asked: _Asked, gives: str) -> LmdbScan: ...
    def stream(
        self, transaction: LmdbTransaction | None, asked: _Asked, fields: list[str] | None = None
    ) -> LmdbStream: ...
    def index(
        self,
        name: str,
        fields: list[str] | None,
        function: Any,
        version: str | None,
        unique: bool,
        rebuild: bool,
    ) -> None: ...
    def drop_index(self, name: str) -> bool: ...
    def check(self) -> list[str]: ...
    def train(self, transaction: LmdbTransaction) -> int: ...

@final
class LmdbScan:
    def __iter__(self) -> LmdbScan: ...
    def __next__(self) -> Any: ...
    def close(self) -> None: ...
    def __enter__(self) -> LmdbScan: ...
    def __exit__(self, class_: object, value: object, trace: object, /) -> None: ...

@final
class LmdbStream:
    def read(self, size: int = ...) -> bytes: ...

# What `demat.sqlite` is made of; see there.
@final
class Migration:
    def steps(self) -> list[tuple[str, str]]: ...
    def losses(self) -> list[tuple[str, str]]: ...
    def sql(self) -> str: ...
    def apply(self, drop: bool, narrow: bool) -> None: ...

@final
class Database:
    def __new__(cls, path: str, readonly: bool, create: bool, timeout: float) -> Self: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def restrict(self, seconds: float) -> None: ...
    def parameters(self, sql: str) -> list[str | None]: ...
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
        migrate: tuple[bool, bool] | None,
    ) -> None: ...
    def migration(
        self,
        name: str,
        root: tuple[Any, ...],
        records: list[dict[str, Any]],
        strict: bool,
        without_rowid: bool,
        indexes: list[list[str]],
        unique: list[list[str]],
    ) -> Migration: ...
    def describe(self, name: str) -> _Description: ...
    def columns(self, name: str, type: Any) -> list[TableColumn]: ...
    def select(
        self,
        name: str,
        type: Any,
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
        made: bool,
        whole: tuple[str, list[str]] | None,
        format: str,
        options: dict[str, Any] | None,
    ) -> bytes: ...
    def arrow(
        self,
        sql: str,
        values: Any,
        type: Any,
        made: bool,
        whole: tuple[str, list[str]] | None,
        threads: int | None,
        options: dict[str, Any],
    ) -> Columns: ...
    def tell(
        self, name: str, values: Iterable[Any], type: Any, verb: str, every: int | None, ids: bool
    ) -> tuple[int, list[int]]: ...
    def load(
        self,
        name: str,
        values: Iterable[Any],
        type: Any,
        on_error: dict[str, Any] | None = None,
    ) -> int | str: ...
    def begin(self) -> None: ...
    def end(self, commit: bool) -> None: ...
    def interrupt(self) -> None: ...

@final
class PostgresListener:
    def __new__(cls, database: PostgresDatabase, name: str) -> Self: ...
    def wait(self, seconds: float) -> list[bytes | None]: ...
    def close(self) -> None: ...

@final
class PostgresDatabase:
    def __new__(cls, url: str) -> Self: ...
    def beside(self) -> Self: ...
    def notify(self, name: str, on: bool) -> None: ...
    @property
    def address(self) -> str: ...
    def close(self) -> None: ...
    @property
    def closed(self) -> bool: ...
    def tables(self) -> list[str]: ...
    def make(self, name: str, root: tuple[Any, ...], records: list[dict[str, Any]], create: bool) -> None: ...
    def describe(self, name: str) -> _Description: ...
    def columns(self, name: str) -> tuple[str, list[tuple[str, str]], list[str]]: ...
    def execute(self, sql: str, values: Any) -> int: ...
    def rows(self, sql: str, values: Any, type: Any, copied: bool, recycle: bool, lock: RLock) -> Reader[Any]: ...
    def encode(
        self, sql: str, values: Any, type: Any, copied: bool, format: str, options: dict[str, Any] | None
    ) -> bytes: ...
    def arrow(self, sql: str, values: Any, type: Any, copied: bool, options: dict[str, Any]) -> Columns: ...
    def tell(self, name: str, values: Iterable[Any], type: Any, verb: str) -> tuple[int, list[int]]: ...
    def begin(self) -> None: ...
    def end(self, commit: bool) -> None: ...
    def interrupt(self) -> None: ...

def quoted_postgres_name(name: str) -> str: ...
def build_database(
    path: str,
    tables: list[tuple[str, tuple[Any, ...], list[dict[str, Any]], Any, Iterable[Any]]],
    page_size: int,
    durable: bool,
    replace: bool,
) -> int: ...
def table_sql(name: str, root: tuple[Any, ...], records: list[dict[str, Any]]) -> str: ...
@final
class TableColumn:
    @property
    def name(self) -> str: ...
    @property
    def keeps_digits(self) -> bool: ...
    def compared(self, several: bool, values: list[str]) -> tuple[str, int]: ...

def is_judged(type: Any) -> tuple[bool, bool, bool]: ...
def quoted_name(name: str) -> str: ...
