# Written by `make stubs`; what is to change stands in `_formats.py` and `python/generate`.

import builtins
from collections.abc import AsyncIterable, Callable, Coroutine, Iterable, Mapping, Sequence
from os import PathLike
from types import GenericAlias
from typing import Any, Literal, Self, TypeVar, overload

from _typeshed import SupportsWrite
from typing_extensions import Buffer, TypeForm

from demat import Columns, ColumnStream, Hook, _native
from demat._async_reader import AsyncReader
from demat._configure import Rename, Unknown
from demat._native import Reader
from demat._places import AsyncPlace, Place

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)

__all__ = ["Decoder", "Encoder", "columns", "decode", "dumps", "encode", "encode_into", "loads", "read", "write"]

@overload
def decode(
    data: Buffer,
    /,
    *,
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> list[Any]:
    """Decodes region files.

    `data` is any buffer: bytes, bytearray, memoryview, mmap. `type` is what it is to be: a class, or any other
    annotation; what is made is checked against it. `None` is a type, too: that of `None`. Without a type, a list of
    dicts are made.

    - `strict=True`: False takes for a value what can only mean it, too: text of a number or a bool, `1` and `0` for a
      bool, `3.0` for an int, seconds for a datetime
    - `unknown=None`: what becomes of fields that a class does not have, where the class does not say; None: they are
      ignored
    - `rename=None`: how the fields of classes that say nothing themselves are called in the data: a case such as
      `camel`, a mapping, or a function from the attribute's name
    - `fields=None`: the names of the attributes that are wanted of the class that the type is, or is a list of: all
      else is passed over and left unset; None: all
    - `hooks=None`: how values of these classes are made, for this call or decoder; before what `demat.hook` says
    - `errors="first"`: whether to stop at the first thing that is wrong with the values, or to go on and tell of all,
      or of so many
    - `gc=True`: False: instances of classes are not tracked by the cyclic collector, which is for those that can't be
      part of a cycle
    - `depth=512`: how many levels of lists and compounds may stand within each other
    - `repeated_keys="last"`: whether the last value counts of a key that an object repeats, or the object is refused

    Raises `DecodeError` where the data is no region files, `ValidationError` where it is not of the type, `LimitError`
    where it is past a limit, and TypeError for a type or an option that there is not.

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
    [Chunk(x=3, z=0, timestamp=1700000000, chunk=Level(Status='full'))]
    """

@overload
def decode(
    data: Buffer,
    /,
    type: builtins.type[_T],
    *,
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> _T: ...
@overload
def decode(
    data: Buffer,
    /,
    type: TypeForm[_T],
    *,
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> _T: ...

loads = decode

def encode(
    value: object,
    /,
    *,
    type: TypeForm[Any] | None = None,
    rename: Rename | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    default: Callable[[Any], Any] | None = None,
    depth: int = 512,
    uuids: Literal["text", "ints"] = "text",
) -> bytes:
    """Encodes a value as region files, and gives the bytes.

    - `type=None`: write the value as this type says: its tags, its names, its hooks, its columns; a value that is not
      of it is refused; None: as its own class says
    - `rename=None`: how the fields of classes that say nothing themselves are called in the data: a case such as
      `camel`, a mapping, or a function from the attribute's name
    - `hooks=None`: how values of these classes are written, for this call or encoder; before what `demat.hook` says
    - `default=None`: called with each value of a class that nothing is known of; what it gives is written instead
    - `depth=512`: how many levels of lists and compounds may stand within each other
    - `uuids="text"`: whether a UUID is written as text, or as an array of four ints, as Minecraft has it from 1.16 on

    Raises `EncodeError` where region files has no way to write the value or nothing is known of its class, `LimitError`
    where it is nested too deep or contains itself, and TypeError for an option that it has not.

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
    [Chunk(x=3, z=0, timestamp=1700000000, chunk=Level(Status='full'))]
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
    depth: int = 512,
    uuids: Literal["text", "ints"] = "text",
) -> None:
    """Encodes a value as region files into a bytearray, whose memory is used again.

    It writes at `offset`, in bytes; -1 is the end. The bytes before the offset stay, and those after the value are cut
    off. If it fails, nothing is written. Options and errors are those of `encode`; also TypeError if it is no
    bytearray, ValueError if the offset is beyond its end, and BufferError if a memoryview of it exists.
    """

@overload
def read(
    place: Place,
    /,
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: None = None,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> Reader[Any]:
    """Reads region files record by record, in bounded memory: the chunks.

    `place` is a path (`-` is standard input), a buffer (bytes …) that is the data itself, an open file, a socket, or an
    iterable of chunks, bytes or str, also packed by gzip or zstd; or one whose bytes are awaited: an asynchronous
    iterable, or what has an asynchronous `read`. `type` is what each record is.

    Gives a `demat.Reader`, an iterator; for places whose bytes are awaited a `demat.AsyncReader`. A record is given as
    soon as its bytes have come. What `read` opened is closed at the end, after an error, by `close()`, at the end of a
    `with`, and when the reader goes; what was open before stays open.

    - `at=None`: where in the document the records are, as a path such as `"$.data.items[*]"`; without `[*]` the one
      value there is the one record; None: the items of the outermost list
    - `recycle=False`: True: an instance that the program has let go of is filled again, instead of a new one made; one
      that it keeps is never touched
    - `batch=None`: give lists of so many records, less where that is all that has come or the end; None: one by one
    - `progress=False`: called with the bytes read so far and those that there are, or None; True: a bar on standard
      error
    - `limit=1073741824`: how many bytes a single record may have
    - `compression="auto"`: how the place is packed; `auto`: as its first bytes say; None: not at all
    - `strict=True`: False takes for a value what can only mean it, too: text of a number or a bool, `1` and `0` for a
      bool, `3.0` for an int, seconds for a datetime
    - `unknown=None`: what becomes of fields that a class does not have, where the class does not say; None: they are
      ignored
    - `rename=None`: how the fields of classes that say nothing themselves are called in the data: a case such as
      `camel`, a mapping, or a function from the attribute's name
    - `fields=None`: the names of the attributes that are wanted of the class that the type is, or is a list of: all
      else is passed over and left unset; None: all
    - `hooks=None`: how values of these classes are made, for this call or decoder; before what `demat.hook` says
    - `errors="first"`: whether to stop at the first thing that is wrong with the values, or to go on and tell of all,
      or of so many
    - `gc=True`: False: instances of classes are not tracked by the cyclic collector, which is for those that can't be
      part of a cycle
    - `depth=512`: how many levels of lists and compounds may stand within each other
    - `repeated_keys="last"`: whether the last value counts of a key that an object repeats, or the object is refused

    Raises OSError where a file can't be opened, and TypeError or ValueError for what is no place, type or option.
    Iterating raises what `decode` does, with the number of the record, and what the place itself raises; after that it
    has ended.
    """

@overload
def read(
    place: Place,
    /,
    type: builtins.type[_T],
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: None = None,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> Reader[_T]: ...
@overload
def read(
    place: Place,
    /,
    type: TypeForm[_T],
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: None = None,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> Reader[_T]: ...
@overload
def read(
    place: Place,
    /,
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: int,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> Reader[list[Any]]: ...
@overload
def read(
    place: Place,
    /,
    type: builtins.type[_T],
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: int,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> Reader[list[_T]]: ...
@overload
def read(
    place: Place,
    /,
    type: TypeForm[_T],
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: int,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> Reader[list[_T]]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: None = None,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> AsyncReader[Any]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    type: builtins.type[_T],
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: None = None,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> AsyncReader[_T]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    type: TypeForm[_T],
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: None = None,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> AsyncReader[_T]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: int,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> AsyncReader[list[Any]]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    type: builtins.type[_T],
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: int,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> AsyncReader[list[_T]]: ...
@overload
def read(
    place: AsyncPlace,
    /,
    type: TypeForm[_T],
    *,
    at: str | None = None,
    recycle: bool = False,
    batch: int,
    progress: bool | Callable[[int, int | None], object] = False,
    limit: int = 1073741824,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    strict: bool = True,
    unknown: Unknown | None = None,
    rename: Rename | None = None,
    fields: Iterable[str] | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    errors: Literal["first", "all"] | int = "first",
    gc: bool = True,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> AsyncReader[list[_T]]: ...
@overload
def write(
    place: str | PathLike[str] | SupportsWrite[bytes],
    values: Iterable[Any],
    /,
    type: TypeForm[Any] | None = None,
    *,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    rename: Rename | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    default: Callable[[Any], Any] | None = None,
    depth: int = 512,
    uuids: Literal["text", "ints"] = "text",
) -> int:
    """Writes records to a place as region files, as they come, and gives how many there were.

    `place` is a path, or an open file (anything with a `write` that takes bytes, which stays open). A file is there
    when all is written, or stays what it was where something fails; an open file gets the bytes as they come. `values`
    is any iterable; of an asynchronous one a coroutine is made, to be awaited. `type` is that of a record; without it,
    each is written as its own class says. Memory is bounded by the longest record.

    - `compression="auto"`: how the bytes are packed; `auto`: as the suffix of a path says, `.gz` or `.zst`
    - `rename=None`: how the fields of classes that say nothing themselves are called in the data: a case such as
      `camel`, a mapping, or a function from the attribute's name
    - `hooks=None`: how values of these classes are written, for this call or encoder; before what `demat.hook` says
    - `default=None`: called with each value of a class that nothing is known of; what it gives is written instead
    - `depth=512`: how many levels of lists and compounds may stand within each other
    - `uuids="text"`: whether a UUID is written as text, or as an array of four ints, as Minecraft has it from 1.16 on

    Raises what `encode` raises, with the record's number in its path; `StoreError`, which is the OSError, too, where
    the place can't be written; and what the values raise.
    """

@overload
def write(
    place: str | PathLike[str] | SupportsWrite[bytes],
    values: AsyncIterable[Any],
    /,
    type: TypeForm[Any] | None = None,
    *,
    compression: Literal["auto", "gzip", "zstd"] | None = "auto",
    rename: Rename | None = None,
    hooks: Mapping[builtins.type[Any], Hook] | None = None,
    default: Callable[[Any], Any] | None = None,
    depth: int = 512,
    uuids: Literal["text", "ints"] = "text",
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
    sample: int | None = 1000,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> Columns:
    """Reads the records of region files as columns in Arrow's memory, with no objects made of them.

    `place` is a path (`-` is standard input), the data itself in any buffer, an open file, a socket, or an iterable of
    chunks, bytes or str, also packed by gzip or zstd. `type` is that of a record; without it the first records say what
    the columns are. Values are checked against the class. A missing field gets its default, or null. Other threads run
    meanwhile.

    - `fields=None`: the columns that are wanted, in this order; the others are passed over
    - `batch_size=None`: give the columns of so many records at a time, as an iterator that reads as it goes; None: of
      all
    - `threads=None`: how many threads read it; None: as many as there are cores
    - `decimals=None`: how many digits decimals have, and how many of them behind the point; None: they are text, which
      has them all
    - `naive=False`: True: each datetime is one of a clock on some wall; False: only where the type says so, and the
      others are points of time, with an offset
    - `sample=1000`: how many records say what the columns are, where no type does; None: all
    - `depth=512`: how many levels of lists and compounds may stand within each other
    - `repeated_keys="last"`: whether the last value counts of a key that an object repeats, or the object is refused

    Raises `DecodeError` and `LimitError` with the record's number, path and position; `StoreError`, which is the
    OSError, too, where the place can't be read; ValueError and TypeError for arguments that say nothing.
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
    sample: int | None = 1000,
    depth: int = 512,
    repeated_keys: Literal["last", "refuse"] = "last",
) -> ColumnStream: ...

class Decoder(_native.Decoder[_T_co]):
    """Decodes region files into one type, as `decode` does with the same type and options.

    What there is to find out about the type and the options is found out once, when it is made. It may be used by
    several threads at a time, and be pickled where its type and options can.
    """

    @overload
    def __new__(
        cls,
        *,
        strict: bool = True,
        unknown: Unknown | None = None,
        rename: Rename | None = None,
        fields: Iterable[str] | None = None,
        hooks: Mapping[builtins.type[Any], Hook] | None = None,
        errors: Literal["first", "all"] | int = "first",
        gc: bool = True,
        depth: int = 512,
        repeated_keys: Literal["last", "refuse"] = "last",
    ) -> Decoder[list[Any]]: ...
    @overload
    def __new__(
        cls,
        type: builtins.type[_T],
        *,
        strict: bool = True,
        unknown: Unknown | None = None,
        rename: Rename | None = None,
        fields: Iterable[str] | None = None,
        hooks: Mapping[builtins.type[Any], Hook] | None = None,
        errors: Literal["first", "all"] | int = "first",
        gc: bool = True,
        depth: int = 512,
        repeated_keys: Literal["last", "refuse"] = "last",
    ) -> Decoder[_T]: ...
    @overload
    def __new__(
        cls,
        type: TypeForm[_T],
        *,
        strict: bool = True,
        unknown: Unknown | None = None,
        rename: Rename | None = None,
        fields: Iterable[str] | None = None,
        hooks: Mapping[builtins.type[Any], Hook] | None = None,
        errors: Literal["first", "all"] | int = "first",
        gc: bool = True,
        depth: int = 512,
        repeated_keys: Literal["last", "refuse"] = "last",
    ) -> Decoder[_T]: ...
    def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...

class Encoder(_native.Encoder):
    """Encodes values as region files, as `encode` does with the same options.

    It may be used by several threads at a time, and be pickled where its options can.
    """

    def __new__(
        cls,
        *,
        type: TypeForm[Any] | None = None,
        rename: Rename | None = None,
        hooks: Mapping[builtins.type[Any], Hook] | None = None,
        default: Callable[[Any], Any] | None = None,
        depth: int = 512,
        uuids: Literal["text", "ints"] = "text",
    ) -> Self: ...
