# Written by `make stubs` from `python/demat/_formats` and `python/generate`; change those.

import builtins
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable, Mapping, Sequence
from types import GenericAlias
from typing import Any, Literal, Self, TypedDict, TypeVar, Unpack, overload

from typing_extensions import Buffer, TypeForm

from demat import Columns, ColumnStream, Error, Hook, _native
from demat._async_reader import AsyncReader
from demat._configure import Rename, Unknown
from demat._native import Reader
from demat._parser import Parser
from demat._places import AsyncPlace, Place, Target

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)

__all__ = [
    "Decoder",
    "Encoder",
    "columns",
    "decode",
    "dumps",
    "encode",
    "encode_into",
    "loads",
    "parser",
    "read",
    "validate",
    "write",
]

class _Reading(TypedDict, total=False):
    strict: bool
    times: Literal["lenient", "seconds", "milliseconds"] | None
    unknown: Unknown | None
    rename: Rename | None
    fields: Iterable[str] | None
    hooks: Mapping[builtins.type[Any], Hook] | None
    errors: Literal["first", "all"] | int
    gc: bool
    depth: int
    repeated_keys: Literal["last", "refuse"]
    variant: Literal["auto", "java", "bedrock", "bedrock-network"]
    root: Literal["named", "nameless", "entry"]

class _Streaming(_Reading, total=False):
    at: str | Mapping[str, TypeForm[Any]] | None
    header: bool | TypeForm[Any]
    recycle: bool
    progress: bool | Callable[[int, int | None], object]
    limit: int
    compression: Literal["auto", "gzip", "zstd"] | None
    on_error: Literal["stop", "skip", "collect"]
    rejects: list[tuple[Error, bytes]] | Callable[[Error, bytes], object] | None

@overload
def decode(
    data: Buffer,
    /,
    *,
    strict: bool = True,
    times: Literal["lenient", "seconds", "milliseconds"] | None = None,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
    variant: Literal["auto", "java", "bedrock", "bedrock-network"] = "auto",
    root: Literal["named", "nameless", "entry"] = "named",
) -> Any:
    """Decodes NBT.

    `data` is any buffer: bytes, bytearray, memoryview, mmap. `type` is a class or any other annotation; values that are
    not of it are refused. `None` is the type of `None`. Without a type, int, float, str, bytes, and lists and dicts of
    them are returned.

    - `strict=True`: False also accepts other forms of a value: the text of a number or a bool, `1` and `0` for a bool,
      `3.0` for an int, for a datetime what `times="seconds"` accepts
    - `times=None`: the other forms of datetimes and times to accept: `lenient`: a date alone, no seconds, `+0100`, and
      more digits of a second than microseconds, which are cut; `seconds`, `milliseconds`: these, and numbers since 1970
      in UTC; None: those of RFC 3339 only
    - `unknown=None`: what to do with fields that a class does not have, unless the class says so itself; None: ignore
      them
    - `rename=None`: the names in the data of the fields of classes that do not say so themselves: a case such as
      `camel`, a mapping, or a function of the attribute's name
    - `fields=None`: the names of the attributes to read of the class that the type is, or is a list of; the others are
      skipped and stay unset; None: all
    - `hooks=None`: how to make values of these classes, for this call or decoder; they win over `demat.hook`
    - `errors="first"`: stop at the first invalid value, collect all of them, or at most so many
    - `gc=True`: False: the cyclic garbage collector does not track the instances; only if they can't be part of a cycle
    - `depth=512`: how deep lists and compounds may nest
    - `repeated_keys="last"`: the last value of a repeated key wins, or the object is refused
    - `variant="auto"`: the variant; `auto`: detected by the first 64 KiB, and Java Edition's if they are ambiguous
    - `root="named"`: the name of the outermost value: `named`: it has one, which reading ignores; `nameless`: it has
      none, as over the network since Java Edition 1.20.2; `entry`: the name is the only key of a dict

    Raises `DecodeError` if the data can't be parsed as NBT, `ValidationError` if it is not of the type, `LimitError` if
    it exceeds a limit, and TypeError for an unknown type or option.

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
    Item(id='minecraft:stone', Count=64)
    """

@overload
def decode(data: Buffer, /, type: builtins.type[_T], **options: Unpack[_Reading]) -> _T: ...
@overload
def decode(data: Buffer, /, type: TypeForm[_T], **options: Unpack[_Reading]) -> _T: ...

loads = decode

def validate(
    data: Buffer,
    /,
    type: TypeForm[Any] = ...,
    *,
    strict: bool = True,
    times: Literal["lenient", "seconds", "milliseconds"] | None = None,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
    variant: Literal["auto", "java", "bedrock", "bedrock-network"] = "auto",
    root: Literal["named", "nameless", "entry"] = "named",
) -> None:
    """Checks that data is NBT and a value of `type`.

    What `decode` accepts is accepted, and what it refuses is refused with the same error; the options are those of
    `decode`. Objects are made only where the value can't be checked without them.

    >>> from demat import nbt
    >>> data = nbt.encode([{'id': 'a'}])
    >>> nbt.validate(data, list[dict[str, str]])
    """

def encode(
    value: object,
    /,
    *,
    type: TypeForm[Any] | None = None,
    rename: Rename | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    default: Callable[[Any], Any] | None = None,
    sort_sets: bool = False,
    omit_default: bool = False,
    omit_none: bool = False,
    depth: int = 512,
    uuids: Literal["text", "ints"] = "text",
    variant: Literal["java", "bedrock", "bedrock-network"] = "java",
    root: Literal["named", "nameless", "entry"] = "named",
    name: str = "",
    header: int | None = None,
    packed: Literal["no", "gzip", "zlib"] = "no",
    sequence: bool = False,
) -> bytes:
    """Encodes a value as NBT, and returns the bytes.

    - `type=None`: the type to write the value as, which decides its tags, names, hooks and columns; a value of another
      type is refused; None: the value's own class
    - `rename=None`: the names in the data of the fields of classes that do not say so themselves: a case such as
      `camel`, a mapping, or a function of the attribute's name
    - `hooks=None`: how to write values of these classes, for this call or encoder; they win over `demat.hook`
    - `default=None`: called with each value of an unknown class; its result is written instead
    - `sort_sets=False`: True: write the items of sets in order; False: in the order of iteration, which differs from
      run to run
    - `omit_default=False`: True: leave out fields that equal their default, of classes and fields that do not say so
      themselves
    - `omit_none=False`: True: leave out fields that are None, of classes and fields that do not say so themselves; a
      reader takes the default of each
    - `depth=512`: how deep lists and compounds may nest
    - `uuids="text"`: write a UUID as text, or as an array of four ints, as Minecraft does since 1.16
    - `variant="java"`: the variant to write: big-endian, little-endian, or with numbers of variable length
    - `root="named"`: the name of the outermost value: `named`: it has one, which reading ignores; `nameless`: it has
      none, as over the network since Java Edition 1.20.2; `entry`: the name is the only key of a dict
    - `name=""`: the name of the outermost value
    - `header=None`: the version in the eight-byte header of a Bedrock `level.dat`; None: no header
    - `packed="no"`: how to compress the document, whatever its file is called; `level.dat` of Java Edition is gzip
    - `sequence=False`: True: write the records of a list one after another, as they come; False: as one list, which is
      held in memory until it ends if its length is unknown

    Raises `EncodeError` if NBT can't represent the value or its class is unknown, `LimitError` if it is nested too deep
    or contains itself, and TypeError for an unknown option.

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
    Item(id='minecraft:stone', Count=64)
    """

dumps = encode

def encode_into(
    value: object,
    buffer: bytearray,
    offset: int = 0,
    /,
    *,
    type: TypeForm[Any] | None = None,
    rename: Rename | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    default: Callable[[Any], Any] | None = None,
    sort_sets: bool = False,
    omit_default: bool = False,
    omit_none: bool = False,
    depth: int = 512,
    uuids: Literal["text", "ints"] = "text",
    variant: Literal["java", "bedrock", "bedrock-network"] = "java",
    root: Literal["named", "nameless", "entry"] = "named",
    name: str = "",
    header: int | None = None,
    packed: Literal["no", "gzip", "zlib"] = "no",
    sequence: bool = False,
) -> None:
    """Encodes a value as NBT into a bytearray, and reuses its memory.

    It writes at `offset`, in bytes; -1 is the end. The bytes before the offset stay, and the bytearray ends after the
    value. If it fails, nothing is written. Options and errors are those of `encode`; it also raises TypeError if
    `buffer` is no bytearray, ValueError if the offset is beyond its end, and BufferError if a memoryview of it exists.

    >>> from demat import nbt
    >>> buffer = bytearray(b'what was there')
    >>> nbt.encode_into([{'id': 'a'}], buffer)
    >>> buffer == nbt.encode([{'id': 'a'}])
    True
    """

@overload
def read(
    place: Place,
    /,
    *,
    at: str | Mapping[str, TypeForm[Any]] | None = None,
    keys: Literal[False] = False,
    header: bool | TypeForm[Any] = False,
    recycle: bool = False,
    batch: None = None,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    on_error: Literal["stop", "skip", "collect"] = "stop",
    rejects: list[tuple[Error, bytes]] | Callable[[Error, bytes], object] | None = None,
    strict: bool = True,
    times: Literal["lenient", "seconds", "milliseconds"] | None = None,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
    variant: Literal["auto", "java", "bedrock", "bedrock-network"] = "auto",
    root: Literal["named", "nameless", "entry"] = "named",
) -> Reader[Any]:
    """Reads NBT record by record, in bounded memory: the items of the outermost list.

    `place` is a path (`-` is standard input), a buffer (bytes …) that is the data itself, an open file, a socket, an
    iterable of chunks (bytes or str), an asynchronous iterable of them, an object with an asynchronous `read`, or a
    store or a place of a `demat.scheme` (`todo:/tasks`), whose value is in memory as a whole. The data may be
    compressed by gzip or zstd. `type` is the type of a record.

    Returns a `demat.Reader`, an iterator; for an asynchronous place a `demat.AsyncReader`. It yields a record as soon
    as its bytes have arrived. A file that `read` opened is closed at the end, after an error, by `close()`, at the end
    of a `with`, and when the reader is deleted; other files stay open.

    - `at=None`: the path of the records in the document, such as `"$.data.items[*]"`, or `"$.users.*"` for the values
      of a dict; without `[*]` and `.*` the value there is the only record; a dict of paths and types: the records of
      all of them, in the order of the document, each of the type of its path; None: the items of the outermost list
    - `keys=False`: True: yield pairs of key and record, for a path that ends in `.*`
    - `header=False`: True: keep the fields around the records, up to 1 MiB of them, for `reader.header`, as a dict; a
      type: as a value of it
    - `recycle=False`: True: fill an instance again that the program no longer refers to, instead of making a new one;
      instances that it keeps never change
    - `batch=None`: yield lists of up to so many records; a list is shorter at the end and where no more data has
      arrived; None: one record at a time
    - `progress=False`: called with the bytes read so far and the total, or None if that is unknown; True: a progress
      bar on standard error
    - `limit=1073741824`: the largest size of a record in bytes
    - `compression="auto"`: how the data is compressed; `auto`: detected by its first bytes; None: not compressed
    - `on_error="stop"`: where a record is refused: `stop` there with its error, `skip` it, or `collect` it in
      `rejects`; a syntax error that hides where the next record begins always stops
    - `rejects=None`: with `collect`: a list that gets the error and the bytes of each refused record, or a callable
      that is called with them
    - `strict=True`: False also accepts other forms of a value: the text of a number or a bool, `1` and `0` for a bool,
      `3.0` for an int, for a datetime what `times="seconds"` accepts
    - `times=None`: the other forms of datetimes and times to accept: `lenient`: a date alone, no seconds, `+0100`, and
      more digits of a second than microseconds, which are cut; `seconds`, `milliseconds`: these, and numbers since 1970
      in UTC; None: those of RFC 3339 only
    - `unknown=None`: what to do with fields that a class does not have, unless the class says so itself; None: ignore
      them
    - `rename=None`: the names in the data of the fields of classes that do not say so themselves: a case such as
      `camel`, a mapping, or a function of the attribute's name
    - `fields=None`: the names of the attributes to read of the class that the type is, or is a list of; the others are
      skipped and stay unset; None: all
    - `hooks=None`: how to make values of these classes, for this call or decoder; they win over `demat.hook`
    - `errors="first"`: stop at the first invalid value, collect all of them, or at most so many
    - `gc=True`: False: the cyclic garbage collector does not track the instances; only if they can't be part of a cycle
    - `depth=512`: how deep lists and compounds may nest
    - `repeated_keys="last"`: the last value of a repeated key wins, or the object is refused
    - `variant="auto"`: the variant; `auto`: detected by the first 64 KiB, and Java Edition's if they are ambiguous
    - `root="named"`: the name of the outermost value: `named`: it has one, which reading ignores; `nameless`: it has
      none, as over the network since Java Edition 1.20.2; `entry`: the name is the only key of a dict

    Raises OSError if a file can't be opened, and TypeError or ValueError for an invalid place, type or option.
    Iterating raises what `decode` does, with the number of the record, and what the place itself raises; after an error
    the reader is at its end.

    >>> from demat import nbt
    >>> place = nbt.encode([{'id': 'a'}, {'id': 'b'}])
    >>> for record in nbt.read(place, dict[str, str]):
    ...     print(record)
    {'id': 'a'}
    {'id': 'b'}
    """

@overload
def read(
    place: Place,
    /,
    type: builtins.type[_T],
    *,
    keys: Literal[False] = False,
    batch: None = None,
    **options: Unpack[_Streaming],
) -> Reader[_T]: ...
@overload
def read(
    place: Place,
    /,
    type: TypeForm[_T],
    *,
    keys: Literal[False] = False,
    batch: None = None,
    **options: Unpack[_Streaming],
) -> Reader[_T]: ...
@overload
def read(
    place: Place, /, *, keys: Literal[False] = False, batch: int, **options: Unpack[_Streaming]
) -> Reader[list[Any]]: ...
@overload
def read(
    place: Place, /, type: builtins.type[_T], *, keys: Literal[False] = False, batch: int, **options: Unpack[_Streaming]
) -> Reader[list[_T]]: ...
@overload
def read(
    place: Place, /, type: TypeForm[_T], *, keys: Literal[False] = False, batch: int, **options: Unpack[_Streaming]
) -> Reader[list[_T]]: ...
@overload
def read(
    place: Place, /, *, keys: Literal[True], batch: None = None, **options: Unpack[_Streaming]
) -> Reader[tuple[str, Any]]: ...
@overload
def read(
    place: Place, /, type: builtins.type[_T], *, keys: Literal[True], batch: None = None, **options: Unpack[_Streaming]
) -> Reader[tuple[str, _T]]: ...
@overload
def read(
    place: Place, /, type: TypeForm[_T], *, keys: Literal[True], batch: None = None, **options: Unpack[_Streaming]
) -> Reader[tuple[str, _T]]: ...
@overload
def read(
    place: Place, /, *, keys: Literal[True], batch: int, **options: Unpack[_Streaming]
) -> Reader[list[tuple[str, Any]]]: ...
@overload
def read(
    place: Place, /, type: builtins.type[_T], *, keys: Literal[True], batch: int, **options: Unpack[_Streaming]
) -> Reader[list[tuple[str, _T]]]: ...
@overload
def read(
    place: Place, /, type: TypeForm[_T], *, keys: Literal[True], batch: int, **options: Unpack[_Streaming]
) -> Reader[list[tuple[str, _T]]]: ...
@overload
def read(
    place: AsyncPlace, /, *, keys: Literal[False] = False, batch: None = None, **options: Unpack[_Streaming]
) -> AsyncReader[Any]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    type: builtins.type[_T],
    *,
    keys: Literal[False] = False,
    batch: None = None,
    **options: Unpack[_Streaming],
) -> AsyncReader[_T]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    type: TypeForm[_T],
    *,
    keys: Literal[False] = False,
    batch: None = None,
    **options: Unpack[_Streaming],
) -> AsyncReader[_T]: ...
@overload
def read(
    place: AsyncPlace, /, *, keys: Literal[False] = False, batch: int, **options: Unpack[_Streaming]
) -> AsyncReader[list[Any]]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    type: builtins.type[_T],
    *,
    keys: Literal[False] = False,
    batch: int,
    **options: Unpack[_Streaming],
) -> AsyncReader[list[_T]]: ...
@overload
def read(
    place: AsyncPlace, /, type: TypeForm[_T], *, keys: Literal[False] = False, batch: int, **options: Unpack[_Streaming]
) -> AsyncReader[list[_T]]: ...
@overload
def read(
    place: AsyncPlace, /, *, keys: Literal[True], batch: None = None, **options: Unpack[_Streaming]
) -> AsyncReader[tuple[str, Any]]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    type: builtins.type[_T],
    *,
    keys: Literal[True],
    batch: None = None,
    **options: Unpack[_Streaming],
) -> AsyncReader[tuple[str, _T]]: ...
@overload
def read(
    place: AsyncPlace, /, type: TypeForm[_T], *, keys: Literal[True], batch: None = None, **options: Unpack[_Streaming]
) -> AsyncReader[tuple[str, _T]]: ...
@overload
def read(
    place: AsyncPlace, /, *, keys: Literal[True], batch: int, **options: Unpack[_Streaming]
) -> AsyncReader[list[tuple[str, Any]]]: ...
@overload
def read(
    place: AsyncPlace, /, type: builtins.type[_T], *, keys: Literal[True], batch: int, **options: Unpack[_Streaming]
) -> AsyncReader[list[tuple[str, _T]]]: ...
@overload
def read(
    place: AsyncPlace, /, type: TypeForm[_T], *, keys: Literal[True], batch: int, **options: Unpack[_Streaming]
) -> AsyncReader[list[tuple[str, _T]]]: ...
@overload
def parser(type: None = None, /, *, target: Callable[[Any], object] | None = None, **options: Any) -> Parser[Any]:
    """Returns a parser that takes NBT in pieces and gives complete records.

    It is a `demat.Parser`. `type` is the type of a record, `target` a callable that gets each. The options are those of
    `read`, but for `batch` and `recycle`.

    >>> from demat import nbt
    >>> data = nbt.encode([{'id': 'a'}])
    >>> parser = nbt.parser(dict[str, str])
    >>> [*parser.feed(data[:5]), *parser.feed(data[5:]), *parser.close()]
    [{'id': 'a'}]
    """

@overload
def parser(
    type: builtins.type[_T], /, *, target: Callable[[_T], object] | None = None, **options: Any
) -> Parser[_T]: ...
@overload
def parser(type: TypeForm[_T], /, *, target: Callable[[_T], object] | None = None, **options: Any) -> Parser[_T]: ...
@overload
def write(
    place: Target,
    values: Iterable[Any],
    /,
    type: TypeForm[Any] | None = None,
    *,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    rename: Rename | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    default: Callable[[Any], Any] | None = None,
    sort_sets: bool = False,
    omit_default: bool = False,
    omit_none: bool = False,
    depth: int = 512,
    uuids: Literal["text", "ints"] = "text",
    variant: Literal["java", "bedrock", "bedrock-network"] = "java",
    root: Literal["named", "nameless", "entry"] = "named",
    name: str = "",
    header: int | None = None,
    packed: Literal["no", "gzip", "zlib"] = "no",
    sequence: bool = False,
) -> int:
    """Writes records to a place as NBT, as they come, and returns their number.

    `place` is a path (`-` is standard output), an open file (any object with a `write` that takes bytes), a `StringIO`,
    a socket, all of which stay open, a callable that gets bytes, or a store or a place of a `demat.scheme`
    (`todo:/tasks`). A file at a path, and a value of a store, is replaced when all is written, and keeps its content if
    something fails; the others get the bytes in pieces of 64 KiB. `values` is any iterable; for an asynchronous one
    `write` returns a coroutine. `type` is the type of a record; without it, each is written as its own class. The
    longest record bounds the memory.

    - `compression="auto"`: how to compress the data; `auto`: by the suffix of a path, `.gz` or `.zst`; None: not at all
    - `rename=None`: the names in the data of the fields of classes that do not say so themselves: a case such as
      `camel`, a mapping, or a function of the attribute's name
    - `hooks=None`: how to write values of these classes, for this call or encoder; they win over `demat.hook`
    - `default=None`: called with each value of an unknown class; its result is written instead
    - `sort_sets=False`: True: write the items of sets in order; False: in the order of iteration, which differs from
      run to run
    - `omit_default=False`: True: leave out fields that equal their default, of classes and fields that do not say so
      themselves
    - `omit_none=False`: True: leave out fields that are None, of classes and fields that do not say so themselves; a
      reader takes the default of each
    - `depth=512`: how deep lists and compounds may nest
    - `uuids="text"`: write a UUID as text, or as an array of four ints, as Minecraft does since 1.16
    - `variant="java"`: the variant to write: big-endian, little-endian, or with numbers of variable length
    - `root="named"`: the name of the outermost value: `named`: it has one, which reading ignores; `nameless`: it has
      none, as over the network since Java Edition 1.20.2; `entry`: the name is the only key of a dict
    - `name=""`: the name of the outermost value
    - `header=None`: the version in the eight-byte header of a Bedrock `level.dat`; None: no header
    - `packed="no"`: how to compress the document, whatever its file is called; `level.dat` of Java Edition is gzip
    - `sequence=False`: True: write the records of a list one after another, as they come; False: as one list, which is
      held in memory until it ends if its length is unknown

    Raises what `encode` raises, with the record's number in its path; `StoreError`, which is also an OSError if the
    place can't be written; and what iterating the values raises.

    >>> import io
    >>> from demat import nbt
    >>> file = io.BytesIO()
    >>> nbt.write(file, ({'id': id} for id in 'abc'))
    3
    >>> nbt.decode(file.getvalue(), list[dict[str, str]])[2]
    {'id': 'c'}
    """

@overload
def write(
    place: Target,
    values: AsyncIterable[Any],
    /,
    type: TypeForm[Any] | None = None,
    *,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    rename: Rename | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    default: Callable[[Any], Any] | None = None,
    sort_sets: bool = False,
    omit_default: bool = False,
    omit_none: bool = False,
    depth: int = 512,
    uuids: Literal["text", "ints"] = "text",
    variant: Literal["java", "bedrock", "bedrock-network"] = "java",
    root: Literal["named", "nameless", "entry"] = "named",
    name: str = "",
    header: int | None = None,
    packed: Literal["no", "gzip", "zlib"] = "no",
    sequence: bool = False,
) -> Coroutine[Any, Any, int]: ...
@overload
def columns(
    place: Place,
    /,
    type: TypeForm[Any] | None = None,
    *,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    decimals: tuple[int, int] | None = None,
    naive: bool = False,
    narrow: bool = False,
    dictionary: bool | Sequence[str] = False,
    sample: int | None = 1000,
    on_error: Literal["stop", "skip", "collect"] = "stop",
    rejects: list[tuple[Error, bytes]] | Callable[[Error, bytes], object] | None = None,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
    variant: Literal["auto", "java", "bedrock", "bedrock-network"] = "auto",
    root: Literal["named", "nameless", "entry"] = "named",
) -> Columns:
    """Reads the records of NBT as columns in Arrow's memory, without making objects.

    `place` is a path (`-` is standard input), the data itself in any buffer, an open file, a socket, an iterable of
    chunks (bytes or str), also compressed by gzip or zstd, or a store or a place of a `demat.scheme` (`todo:/tasks`).
    `type` is the type of a record; without it, the columns are inferred from the first records. Values are checked
    against the class. A missing field gets its default, or null. It releases the global interpreter lock.

    - `fields=None`: the columns to read, in this order; the others are skipped; None: all
    - `batch_size=None`: yield columns of so many records at a time, from an iterator that reads on demand; None: all at
      once
    - `threads=None`: the number of threads; None: one for each core
    - `decimals=None`: precision and scale of columns of decimals; None: they become text, which keeps all digits
    - `naive=False`: True: no datetime has a time zone; False: only those have none whose type says so, and the others
      are instants, with an offset
    - `narrow=False`: True: columns of ints are as narrow as the bounds of their type allow (`uint8` for `ge=0,
      le=255`); False: `int64`
    - `dictionary=False`: the columns whose texts are stored once each, with a number for each row; True: all
    - `sample=1000`: how many records to infer the columns from, if there is no type; None: all
    - `on_error="stop"`: where a record is refused: `stop` there with its error, `skip` it, or `collect` it in
      `rejects`; a syntax error that hides where the next record begins always stops
    - `rejects=None`: with `collect`: a list that gets the error and the bytes of each refused record, or a callable
      that is called with them
    - `depth=512`: how deep lists and compounds may nest
    - `repeated_keys="last"`: the last value of a repeated key wins, or the object is refused
    - `variant="auto"`: the variant; `auto`: detected by the first 64 KiB, and Java Edition's if they are ambiguous
    - `root="named"`: the name of the outermost value: `named`: it has one, which reading ignores; `nameless`: it has
      none, as over the network since Java Edition 1.20.2; `entry`: the name is the only key of a dict

    Raises `DecodeError` and `LimitError` with the record's number, path and position; `StoreError`, which is also an
    OSError, if the place can't be read; ValueError and TypeError for invalid arguments.

    >>> from demat import nbt
    >>> data = nbt.encode([{'id': 'a'}, {'id': 'b'}])
    >>> nbt.columns(data)
    <demat.Columns of 2 records: id: Utf8>
    """

@overload
def columns(
    place: Place,
    /,
    type: TypeForm[Any] | None = None,
    *,
    batch_size: int,
    fields: Sequence[str] | None = None,
    threads: int | None = None,
    decimals: tuple[int, int] | None = None,
    naive: bool = False,
    narrow: bool = False,
    dictionary: bool | Sequence[str] = False,
    sample: int | None = 1000,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
    variant: Literal["auto", "java", "bedrock", "bedrock-network"] = "auto",
    root: Literal["named", "nameless", "entry"] = "named",
) -> ColumnStream: ...

class Decoder(_native.Decoder[_T_co]):
    """Decodes NBT into one type, as `decode` does with the same type and options.

    It prepares the type and the options once, when it is made. Several threads may use it at a time, and it can be
    pickled if its type and options can.

    >>> from demat import nbt
    >>> decoder = nbt.Decoder(list[dict[str, str]])
    >>> decoder.decode(nbt.encode([{'id': 'a'}]))
    [{'id': 'a'}]
    """

    @overload
    def __new__(
        cls,
        *,
        strict: bool = True,
        times: Literal["lenient", "seconds", "milliseconds"] | None = None,
        unknown: Unknown | None = None,
        rename: Rename | None = None,
        fields: Iterable[str] | None = None,
        hooks: Mapping[builtins.type[Any], Hook] | None = None,
        errors: Literal["first", "all"] | int = "first",
        gc: bool = True,
        depth: int = 512,
        repeated_keys: Literal["last", "refuse"] = "last",
        variant: Literal["auto", "java", "bedrock", "bedrock-network"] = "auto",
        root: Literal["named", "nameless", "entry"] = "named",
    ) -> Decoder[Any]: ...
    @overload
    def __new__(cls, type: builtins.type[_T], **options: Unpack[_Reading]) -> Decoder[_T]: ...
    @overload
    def __new__(cls, type: TypeForm[_T], **options: Unpack[_Reading]) -> Decoder[_T]: ...
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...

class Encoder(_native.Encoder):
    """Encodes values as NBT, as `encode` does with the same options.

    Several threads may use it at a time, and it can be pickled if its options can.

    >>> from demat import nbt
    >>> encoder = nbt.Encoder()
    >>> encoder.encode([{'id': 'a'}]) == nbt.encode([{'id': 'a'}])
    True
    """

    def __new__(
        cls,
        *,
        type: TypeForm[Any] | None = None,
        rename: Rename | None = None,
        hooks: Mapping[builtins.type[Any], Hook] | None = None,
        default: Callable[[Any], Any] | None = None,
        sort_sets: bool = False,
        omit_default: bool = False,
        omit_none: bool = False,
        depth: int = 512,
        uuids: Literal["text", "ints"] = "text",
        variant: Literal["java", "bedrock", "bedrock-network"] = "java",
        root: Literal["named", "nameless", "entry"] = "named",
        name: str = "",
        header: int | None = None,
        packed: Literal["no", "gzip", "zlib"] = "no",
        sequence: bool = False,
    ) -> Self: ...
