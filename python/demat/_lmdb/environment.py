"""`Environment`: a directory that LMDB keeps its file in."""

from __future__ import annotations

import sys
import threading
from contextlib import contextmanager
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, overload

from demat import _native

from .collection import Collection
from .transaction import Transaction

if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Iterator
    from typing import Literal, Self

T = TypeVar("T")


def _keys_of(type: Any) -> list[str] | None:
    """The fields of a class that say that they are its key."""
    from .._describe import describe

    root, records = describe(type)
    fields = records[root[1]]["fields"] if root[0] == "record" else []
    return [field["key"] for field in fields if ("sql", "key") in field.get("places", ())] or None


class _Auto:
    """The type of `auto`."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "demat.lmdb.auto"


auto: Final = _Auto()
"""The key of a collection that numbers its records itself."""


class ReaderInfo(NamedTuple):
    """A transaction that reads.

    >>> ReaderInfo(transaction=7, behind=2, seconds=0.5, process=1234)
    ReaderInfo(transaction=7, behind=2, seconds=0.5, process=1234)
    """

    transaction: int
    """The number of the state that it reads."""
    behind: int
    """How many transactions were committed since."""
    seconds: float | None
    """How long it has been open; None in another process."""
    process: int
    """The number of its process."""


class Info(NamedTuple):
    """What is to be known of an environment.

    >>> Info(map_size=1 << 40, file_size=8192, transaction=1, readers=0, max_readers=510, max_key=511).max_key
    511
    """

    map_size: int
    """The largest size that the file may have, in bytes."""
    file_size: int
    """The size that it has."""
    transaction: int
    """The number of the last transaction that was committed."""
    readers: int
    """The places for readers that are, or were, in use in all processes."""
    max_readers: int
    """All places for readers."""
    max_key: int
    """The length of the longest key, in bytes."""


def open(
    path: str | PathLike[str],
    *,
    map_size: int | None = None,
    max_collections: int = 128,
    max_readers: int = 510,
    readonly: bool = False,
    create: bool = True,
    sync: Literal["full", "data", "off"] = "full",
) -> Environment:
    """Opens a directory with an LMDB file; makes it if it does not exist.

    - `map_size`: the largest size of the file, in bytes, a multiple of the page size. The size is reserved as
      addresses, and takes neither memory nor disk. None: 1 TiB, or as much as the system gives
    - `max_collections`: how many collections and indexes can be open
    - `max_readers`: how many transactions can read at a time, in all processes
    - `readonly`: refuse changes
    - `create`: make it if it does not exist
    - `sync`: what a commit waits for. `full`: the disk. `data`: the disk, except for the last page, so a crash of the
      system may undo the last commit. `off`: nothing, so a crash of the system may damage the file; a crash of the
      process does not

    A process that opens a directory twice shares the environment. Close it before a fork, and open it anew.

    Raises `demat.StoreError` if it can't be opened, or is no environment.

    >>> import tempfile
    >>> from demat import lmdb
    >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
    ...     env.collections
    []
    """
    return Environment(
        path,
        map_size=map_size,
        max_collections=max_collections,
        max_readers=max_readers,
        readonly=readonly,
        create=create,
        sync=sync,
    )


class Environment:
    """An open environment. It closes at the end of a `with`, or by `close`.

    Any thread can use it. One transaction writes at a time, in all processes; readers neither wait nor hold it up.

    >>> import tempfile
    >>> from demat import StoreError, lmdb
    >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
    ...     try:
    ...         env.collection("tasks")
    ...     except StoreError as error:
    ...         print(error.reason)
    there is no collection `tasks`; there are none
    """

    __slots__ = ("__weakref__", "_local", "_native", "_path")

    def __init__(
        self,
        path: str | PathLike[str],
        *,
        map_size: int | None = None,
        max_collections: int = 128,
        max_readers: int = 510,
        readonly: bool = False,
        create: bool = True,
        sync: Literal["full", "data", "off"] = "full",
    ) -> None:
        self._path = fspath(path)
        self._local = threading.local()
        self._native = _native.LmdbEnvironment(
            self._path, map_size, max_collections, max_readers, readonly, create, sync
        )

    def _stack(self) -> list[Transaction]:
        """The open transactions of this thread, the outermost first."""
        stack: list[Transaction] | None = getattr(self._local, "stack", None)
        if stack is None:
            stack = self._local.stack = []
        return stack

    def _current(self) -> Any:
        stack = self._stack()
        return stack[-1]._native if stack else None

    @contextmanager
    def _writing(self, whole: bool = False) -> Iterator[Any]:
        """The open transaction that writes, or one of its own. `whole`: what is done is undone alone."""
        stack = self._stack()
        if stack and not whole:
            yield stack[-1]._native
            return
        with Transaction(self, True) as own:
            yield own._native

    @property
    def path(self) -> str:
        """The path that it was opened by."""
        return self._path

    @property
    def collections(self) -> list[str]:
        """The names of the collections, in alphabetical order."""
        return self._native.collections()

    @property
    def readers(self) -> list[ReaderInfo]:
        """The transactions that read, in all processes, oldest first.

        LMDB can't reuse the pages that a reader may still read. So the file grows while an old one is open and others
        write. Readers whose processes have died are removed first. On Windows, only readers of this process are known.
        """
        return [ReaderInfo(*reader) for reader in self._native.readers()]

    @property
    def info(self) -> Info:
        """Sizes and numbers."""
        return Info(*self._native.info())

    def begin(self, *, write: bool = False) -> Transaction:
        """Returns a transaction, which begins with a `with`. One that writes waits until no other does.

        Raises `demat.StoreError` where there are too many readers, or the environment is open for reading only.

        >>> import tempfile
        >>> from demat import lmdb
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     with env.begin() as transaction:
        ...         transaction.number
        0
        """
        return Transaction(self, write)

    @overload
    def collection(
        self,
        name: str,
        type: builtins.type[T],
        *,
        key: str | tuple[str, ...] | Callable[[T], Any] | _Auto | None = None,
        encoding: Literal["protobuf", "msgpack", "json"] | None = None,
        compression: Literal["zstd", "lz4", "none"] | None = None,
    ) -> Collection[T]: ...
    @overload
    def collection(self, name: str, type: None = None) -> Collection[Any]: ...

    def collection(
        self,
        name: str,
        type: Any = None,
        *,
        key: Any = None,
        encoding: str | None = None,
        compression: str | None = None,
    ) -> Collection[Any]:
        """A collection of records: it is made if it does not exist, and else compared with what is asked for.

        - `type`: the class of the records. Without it the collection has to exist, and `collection.type` is a class
          made of what is stored
        - `key`: what keys are made of: the name of a field, or several in a tuple; a function of a record; or `auto`,
          where the collection numbers its records. None: what it was made with; for a new one the fields with
          `demat.Field(key=True)`, and `auto` if there are none
        - `encoding`: how records are encoded. None: as they are; for a new one `protobuf`
        - `compression`: how each record is compressed. None: as they are; for a new one `none`

        A class may have fields that are new, or lack some: a record is read with defaults. A field with another type,
        or in Protocol Buffers another number, is an error, and so is another key, encoding or compression.

        A new collection is made in a transaction of its own, so not within one that writes.

        Raises `demat.StoreError` with all differences; TypeError if the class can't be described.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import StoreError, lmdb
        >>> @dataclass
        ... class Task:
        ...     id: int
        ...     title: str
        >>> @dataclass
        ... class Other:
        ...     id: int
        ...     title: bytes
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     tasks = env.collection("tasks", Task, key="id")
        ...     try:
        ...         env.collection("tasks", Other)
        ...     except StoreError as error:
        ...         print(error.reason.partition(": ")[2])
        the field `title` is `bytes` in the class, and `text` in the collection
        """
        function = None
        if isinstance(key, _Auto):
            said: Any = "auto"
        elif isinstance(key, str):
            said = [key]
        elif isinstance(key, tuple) and key and all(isinstance(name, str) for name in key):
            said = list(key)
        elif callable(key):
            said, function = "given", key
        elif key is None:
            said = None if type is None or name in self.collections else _keys_of(type)
        else:
            raise TypeError(f"key is the name of a field, a tuple of names, a function, or auto, not {key!r}")
        made = type is None
        if made:
            probe = self._native.collection(name, None, None, said, function, encoding, compression)
            type = self._defined(name, probe, sys._getframe(1).f_globals.get("__name__", "__main__"))
        native = self._native.collection(name, type, list[type], said, function, encoding, compression)
        return Collection(self, name, type, native)

    def _defined(self, name: str, native: Any, module: str) -> Any:
        from .._schema.define import defined
        from .._schema.identifiers import class_name

        (root, records), numbered = native.describe()
        if numbered:
            from .._schema.messages import with_enums

            root, records = with_enums(root, records)
        return defined(root, records, class_name(name), module, said=class_name(name))

    def drop(self, name: str) -> bool:
        """Removes a collection and its indexes; returns whether it existed.

        >>> import tempfile
        >>> from demat import lmdb
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     env.drop("tasks")
        False
        """
        return self._native.drop_collection(name)

    def sync(self) -> None:
        """Waits until everything that was committed is on the disk.

        >>> import tempfile
        >>> from demat import lmdb
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder, sync="off") as env:
        ...     env.sync()
        """
        self._native.sync()

    def resize(self, map_size: int) -> None:
        """Changes the largest size of the file, in bytes: a multiple of the page size.

        Raises `demat.StoreError` while a transaction of this process, or a view of a scan, is open.

        >>> import tempfile
        >>> from demat import lmdb
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder, map_size=1 << 20) as env:
        ...     env.resize(1 << 24)
        ...     env.info.map_size
        16777216
        """
        self._native.resize(map_size)

    def clear_stale_readers(self) -> int:
        """Frees the places of readers whose processes have died; returns how many.

        >>> import tempfile
        >>> from demat import lmdb
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     env.clear_stale_readers()
        0
        """
        return self._native.clear_stale_readers()

    def copy_to(self, path: str | PathLike[str]) -> None:
        """Writes a consistent copy into a new file, without free pages, while others read and write.

        A file `data.mdb` in a directory of its own is an environment.

        Raises `demat.StoreError` if the file exists, or can't be written.

        >>> import tempfile
        >>> from demat import lmdb
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     env.copy_to(f"{folder}/copy.mdb")
        """
        self._native.copy_to(fspath(path))

    def close(self) -> None:
        """Closes it. Views that are still there keep the file open until they are gone.

        Raises ValueError if a transaction is open in this thread.

        >>> import tempfile
        >>> from demat import lmdb
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     env = lmdb.open(folder)
        ...     env.close()
        ...     env.closed
        True
        """
        if self._stack():
            raise ValueError("a transaction is open; end it first")
        self._native.close()

    @property
    def closed(self) -> bool:
        """Whether it was closed."""
        return self._native.closed

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<{'closed ' if self.closed else ''}environment {self._path!r}>"
