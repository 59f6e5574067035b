"""`Collection`: records of one class, in the order of their keys; and `Index`, another order of them."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, overload

if TYPE_CHECKING:
    import builtins
    from collections.abc import Callable, Iterable, Iterator
    from typing import Literal

    from demat import Columns, _native

    from .._formats import ModuleName
    from .environment import Environment

T = TypeVar("T")

_INCLUDE = {"lo": (True, False), "hi": (False, True), "both": (True, True), "neither": (False, False)}
_CHUNK = 1000


class _Ranges(Generic[T]):
    """What collections and indexes have in common: ranges of keys."""

    __slots__ = ("_environment", "_index", "_name", "_native", "_type")

    _environment: Environment
    _native: _native.LmdbCollection
    _index: str | None
    _name: str
    _type: Any

    @property
    def name(self) -> str:
        """Its name."""
        return self._name

    def _asked(
        self, lo: Any, hi: Any, prefix: Any, include: str, reverse: bool, limit: int | None, where: str | None
    ) -> tuple[str | None, Any, Any, Any, tuple[bool, bool], bool, int | None, str | None]:
        if include not in _INCLUDE:
            raise ValueError(f'include is "lo", "hi", "both" or "neither", not {include!r}')
        return (self._index, lo, hi, prefix, _INCLUDE[include], reverse, limit, where)

    @overload
    def scan(
        self,
        *,
        lo: Any = None,
        hi: Any = None,
        prefix: Any = None,
        include: Literal["lo", "hi", "both", "neither"] = "lo",
        reverse: bool = False,
        limit: int | None = None,
        where: str | None = None,
        keys_only: Literal[False] = False,
        recycle: bool = False,
        objects: bool = False,
    ) -> Iterator[T]: ...
    @overload
    def scan(
        self,
        *,
        lo: Any = None,
        hi: Any = None,
        prefix: Any = None,
        include: Literal["lo", "hi", "both", "neither"] = "lo",
        reverse: bool = False,
        limit: int | None = None,
        where: str | None = None,
        keys_only: Literal[True],
        recycle: bool = False,
        objects: bool = False,
    ) -> Iterator[Any]: ...

    def scan(
        self,
        *,
        lo: Any = None,
        hi: Any = None,
        prefix: Any = None,
        include: str = "lo",
        reverse: bool = False,
        limit: int | None = None,
        where: str | None = None,
        keys_only: bool = False,
        recycle: bool = False,
        objects: bool = False,
    ) -> Iterator[Any]:
        """Iterates over the records of a range, as views of the pages.

        - `lo`, `hi`: keys, or the first parts of keys as a tuple: where the range begins and ends
        - `prefix`: the first parts of all keys, as a tuple; or the beginning of their first part, as a str or bytes
        - `include`: which ends are in the range: `lo`, `hi`, `both` or `neither`; with the first parts of keys, all
          keys that begin with them
        - `reverse`: the greatest key first
        - `limit`: the most records
        - `where`: conditions on fields, as `demat.store` and URLs say them: `"done=false&due.lt=2024-05-01"`. A scan
          reads only the fields that they name. `urllib.parse.urlencode` makes them of any values
        - `keys_only`: the keys alone: one part, or a tuple of parts
        - `recycle`: reuse a view once you hold no other reference to it: for loops that keep none
        - `objects`: instances of the class instead of views

        Outside of a transaction a scan has a snapshot of its own, which lasts as long as one of its views. In a
        transaction that writes it sees the changes, also later ones, and gives views of copies.

        Raises `demat.StoreError` if LMDB fails, or for conditions that name no field or no value of one; TypeError for
        what is no key.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Task:
        ...     project: str
        ...     number: int
        ...     title: str = ""
        >>> folder = tempfile.TemporaryDirectory()
        >>> env = lmdb.open(folder.name)
        >>> tasks = env.collection("tasks", Task, key=("project", "number"))
        >>> with env.begin(write=True):
        ...     tasks.put_all(Task(project, number) for project in ["a", "ab", "b"] for number in range(3))
        9
        >>> list(tasks.scan(prefix=("a",), keys_only=True))
        [('a', 0), ('a', 1), ('a', 2)]
        >>> list(tasks.scan(prefix="a", reverse=True, limit=2, keys_only=True))
        [('ab', 2), ('ab', 1)]
        >>> list(tasks.scan(lo=("a", 2), hi=("b",), include="neither", keys_only=True))
        [('ab', 0), ('ab', 1), ('ab', 2)]
        >>> list(tasks.scan(prefix=("a",), where="number.ge=1&number.ne=2", keys_only=True))
        [('a', 1)]
        >>> env.close()
        >>> folder.cleanup()
        """
        gives = "keys" if keys_only else "objects" if objects else "recycled" if recycle else "views"
        asked = self._asked(lo, hi, prefix, include, reverse, limit, where)
        return self._native.scan(self._environment._current(), asked, gives)

    def count(
        self,
        *,
        lo: Any = None,
        hi: Any = None,
        prefix: Any = None,
        include: str = "lo",
        limit: int | None = None,
        where: str | None = None,
    ) -> int:
        """Returns the number of records in a range. The arguments are those of `scan`.

        Records are not read, or with `where` only the fields that it names.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Point:
        ...     x: float
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     points = env.collection("points", Point, key="x")
        ...     points.put_all(Point(x / 2) for x in range(10))
        ...     points.count(lo=1.0, hi=2.0, include="both"), points.count(where="x.gt=4")
        10
        (3, 1)
        """
        asked = self._asked(lo, hi, prefix, include, False, limit, where)
        return self._native.count(self._environment._current(), asked)

    def first(
        self, *, lo: Any = None, hi: Any = None, prefix: Any = None, include: str = "lo", where: str | None = None
    ) -> T | None:
        """Returns the record with the least key of a range, or None. The arguments are those of `scan`.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Point:
        ...     x: int
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     points = env.collection("points", Point, key="x")
        ...     points.put_all(Point(x) for x in (5, -67, 824))
        ...     points.first().x, points.last().x, points.first(lo=900)
        3
        (-67, 824, None)
        """
        return self._one(lo, hi, prefix, include, False, where)

    def last(
        self, *, lo: Any = None, hi: Any = None, prefix: Any = None, include: str = "lo", where: str | None = None
    ) -> T | None:
        """Returns the record with the greatest key of a range, or None. The arguments are those of `scan`."""
        return self._one(lo, hi, prefix, include, True, where)

    def _one(self, lo: Any, hi: Any, prefix: Any, include: str, reverse: bool, where: str | None) -> T | None:
        asked = self._asked(lo, hi, prefix, include, reverse, 1, where)
        return next(cast("Iterator[T]", self._native.scan(self._environment._current(), asked, "views")), None)

    def columns(
        self,
        *,
        lo: Any = None,
        hi: Any = None,
        prefix: Any = None,
        include: str = "lo",
        reverse: bool = False,
        limit: int | None = None,
        where: str | None = None,
        fields: Iterable[str] | None = None,
        decimals: tuple[int, int] | None = None,
        naive: bool = False,
        narrow: bool = False,
        dictionary: bool | Iterable[str] = False,
    ) -> Columns:
        """Returns the records of a range as Arrow's columns, without making objects of them.

        - `fields`: the fields to read, in this order; None: all
        - `decimals`, `naive`, `narrow`, `dictionary`: as for the `columns` of a format

        The other arguments are those of `scan`.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Point:
        ...     x: int
        ...     y: float
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     points = env.collection("points", Point, key="x")
        ...     points.put_all(Point(x, x / 2) for x in range(4))
        ...     points.columns(lo=1)
        4
        <demat.Columns of 3 records: x: Int64, y: Float64>
        """
        asked = self._asked(lo, hi, prefix, include, reverse, limit, where)
        chosen = None if fields is None else list(fields)
        stream = self._native.stream(self._environment._current(), asked, chosen)
        options = {"decimals": decimals, "naive": naive, "narrow": narrow, "dictionary": dictionary}
        if chosen is not None:
            options["fields"] = chosen
        made: Columns = self._module().columns(stream, self._type, **options)
        return made

    def encode(
        self,
        format: ModuleName = "json",
        /,
        *,
        lo: Any = None,
        hi: Any = None,
        prefix: Any = None,
        include: str = "lo",
        reverse: bool = False,
        limit: int | None = None,
        where: str | None = None,
    ) -> bytes:
        """Returns the records of a range in a format, as a list, without making objects of them.

        The arguments are those of `scan`.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Point:
        ...     x: int
        ...     y: float
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     points = env.collection("points", Point, key="x")
        ...     points.put_all(Point(x, x / 2) for x in range(2))
        ...     points.encode("csv")
        2
        b'x,y\\n0,0.0\\n1,0.5\\n'
        """
        from io import BytesIO

        from .._copy import copy

        asked = self._asked(lo, hi, prefix, include, reverse, limit, where)
        stream = self._native.stream(self._environment._current(), asked)
        out = BytesIO()
        copy(
            stream,
            out,
            cast("Any", list)[self._type],
            from_=self._native.definition()["encoding"],
            to=cast("Any", format),
        )
        return out.getvalue()

    def _module(self) -> Any:
        import demat

        return getattr(demat, self._native.definition()["encoding"])


class Collection(_Ranges[T]):
    """Records of one class, in the order of their keys. `Environment.collection` gives it.

    A record that is read is a view: an instance of a subclass of the class, which decodes a field when it is asked for.
    Changing a view changes no record; `put` writes it back, with the fields that the class does not know.

    Outside of a transaction each change is one of its own.

    >>> import tempfile
    >>> from dataclasses import dataclass
    >>> from demat import lmdb
    >>> @dataclass
    ... class Task:
    ...     title: str
    ...     done: bool = False
    >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
    ...     tasks = env.collection("tasks", Task, key=lmdb.auto)
    ...     number = tasks.put(Task("write"))
    ...     number, tasks.get(number).title, tasks.get(7)
    (1, 'write', None)
    """

    __slots__ = ()

    def __init__(self, environment: Environment, name: str, type: Any, native: _native.LmdbCollection) -> None:
        self._environment = environment
        self._name = name
        self._type = type
        self._native = native
        self._index = None

    @property
    def type(self) -> builtins.type[T]:
        """The class of its records: the one that was given, or one that was made of what is stored."""
        made: builtins.type[T] = self._type
        return made

    @property
    def definition(self) -> dict[str, Any]:
        """What is stored about it: `key`, `encoding`, `compression`, `shape`, `dictionaries` and `indexes`."""
        return self._native.definition()

    def put(self, value: T, *, key: Any = None, mode: Literal["always", "new", "there"] = "always") -> Any:
        """Writes a record; returns its key.

        - `key`: the key; None: what the collection's key makes of the record, or the next number. Where fields of the
          record are the key, it has to be theirs
        - `mode`: `new` raises if a record with this key is there; `there` writes only if one is, and else returns None

        Raises `demat.StoreError` if a key is taken, with both records where it is that of a unique index, and nothing
        is written; `demat.LimitError` for a key that is too long; `demat.EncodeError` for a value of another class.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import StoreError, lmdb
        >>> @dataclass
        ... class Tag:
        ...     name: str
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     tags = env.collection("tags", Tag, key="name")
        ...     tags.put(Tag("a"))
        ...     try:
        ...         tags.put(Tag("a"), mode="new")
        ...     except StoreError as error:
        ...         print(error.reason)
        'a'
        a record with the key "a" is there already
        """
        if mode not in ("always", "new", "there"):
            raise ValueError(f'mode is "always", "new" or "there", not {mode!r}')
        with self._environment._writing() as transaction:
            return self._native.put(transaction, value, key, mode)

    def put_all(self, values: Iterable[T], *, mode: Literal["always", "new", "there"] = "always") -> int:
        """Writes records, all of them or none; returns how many. Fastest where their keys ascend.

        Raises what `put` raises, with the record's number.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Point:
        ...     x: int
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     env.collection("points", Point, key="x").put_all(Point(x) for x in range(100_000))
        100000
        """
        if mode not in ("always", "new", "there"):
            raise ValueError(f'mode is "always", "new" or "there", not {mode!r}')
        count = 0
        rest = iter(values)
        with self._environment._writing(whole=True) as transaction:
            while chunk := list(islice(rest, _CHUNK)):
                count += self._native.put_list(transaction, chunk, mode)
        return count

    def get(self, key: Any, *, objects: bool = False) -> T | None:
        """Returns the record of a key, or None.

        - `objects`: an instance of the class instead of a view

        In a transaction that reads it is a view of the page. Else it is a view of a copy, which stays.
        """
        found: T | None = self._native.get(self._environment._current(), key, objects)
        return found

    def __getitem__(self, key: Any) -> T:
        found = self.get(key)
        if found is None:
            raise KeyError(key)
        return found

    def __contains__(self, key: Any) -> bool:
        return self.count(lo=key, hi=key, include="both", limit=1) > 0

    def __len__(self) -> int:
        return self.count()

    def __iter__(self) -> Iterator[T]:
        return self.scan()

    def update(self, key: Any, /, **changes: Any) -> bool:
        """Changes fields of a record; returns whether it was there. Fields that the class does not know stay.

        If the key is made of the fields, and changes, the record moves.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Task:
        ...     id: int
        ...     title: str
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     tasks = env.collection("tasks", Task, key="id")
        ...     tasks.put(Task(1, "a"))
        ...     tasks.update(1, title="b"), tasks.update(2, title="c")
        ...     tasks.update(1, id=3)
        ...     [(task.id, task.title) for task in tasks]
        1
        (True, False)
        True
        [(3, 'b')]
        """
        with self._environment._writing(whole=True) as transaction:
            record: Any = self._native.get(transaction, key, False)
            if record is None:
                return False
            for name, value in changes.items():
                if not hasattr(record, name):
                    raise TypeError(f"{self._type.__name__} has no field {name!r}")
                setattr(record, name, value)
            numbered = self._native.definition()["key"] == "auto"
            own = self._native.put(transaction, record, key if numbered else None, "always")
            if not self._native.is_same_key(own, key):
                self._native.delete(transaction, key)
            return True

    def delete(self, key: Any) -> bool:
        """Deletes the record of a key; returns whether it was there.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Tag:
        ...     name: str
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     tags = env.collection("tags", Tag, key="name")
        ...     tags.put(Tag("a"))
        ...     tags.delete("a"), tags.delete("a")
        'a'
        (True, False)
        """
        with self._environment._writing() as transaction:
            return self._native.delete(transaction, key)

    def delete_range(
        self,
        *,
        lo: Any = None,
        hi: Any = None,
        prefix: Any = None,
        include: str = "lo",
        reverse: bool = False,
        limit: int | None = None,
        where: str | None = None,
    ) -> int:
        """Deletes the records of a range; returns how many. The arguments are those of `scan`; without any, all."""
        asked = self._asked(lo, hi, prefix, include, reverse, limit, where)
        with self._environment._writing(whole=True) as transaction:
            return self._native.delete_range(transaction, asked)

    def find(self, **equal: Any) -> T | None:
        """Returns the first record whose fields have these values, or None.

        It is looked up if the key, or an index, begins with one of the fields; else all records are read.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Task:
        ...     id: int
        ...     title: str
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     tasks = env.collection("tasks", Task, key="id")
        ...     tasks.put_all([Task(1, "a"), Task(2, "b")])
        ...     tasks.find(title="b").id, tasks.find(id=3)
        2
        (2, None)
        """
        definition = self._native.definition()
        orders: list[tuple[str | None, Any]] = [(None, definition["key"])]
        # The items of a list are keys of an index, but not the value of the field.
        orders += [(name, fields) for name, (fields, _, _) in definition["indexes"].items()]
        best: tuple[int, str | None, tuple[Any, ...]] = (0, None, ())
        for name, fields in orders:
            if not isinstance(fields, list):
                continue
            known = []
            for field in fields:
                if field not in equal or isinstance(equal[field], list | dict | set):
                    break
                known.append(equal[field])
            if len(known) > best[0]:
                best = (len(known), name, tuple(known))
        place: _Ranges[T] = self if best[1] is None else Index(self, best[1])
        for record in place.scan(prefix=best[2] or None):
            if all(getattr(record, name) == value for name, value in equal.items()):
                return record
        return None

    def index(
        self,
        name: str,
        by: str | tuple[str, ...] | Callable[[T], Any] | None = None,
        *,
        unique: bool = False,
        version: str | int | None = None,
        rebuild: bool = False,
    ) -> Index[T]:
        """An index: another order of the records. It is made of those that are there if it does not exist.

        - `by`: a field, or several in a tuple: each item of a list is a key. Or a function of a record, which returns
          a key, a list of keys, or None for no key. None: the index has to exist
        - `unique`: refuse two records with the same key
        - `version`: of a function: increase it when the function returns other keys. The version is stored
        - `rebuild`: make the index anew, though it exists

        Every program that writes to the collection must give the function of an index first. A change updates the
        indexes in the same transaction.

        Raises `demat.StoreError` if the index that is there differs, or two records clash.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import StoreError, lmdb
        >>> @dataclass
        ... class Task:
        ...     id: int
        ...     title: str
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     tasks = env.collection("tasks", Task, key="id")
        ...     tasks.put_all([Task(1, "Write"), Task(2, "test")])
        ...     by_title = tasks.index("by_title", lambda task: task.title.lower(), unique=True)
        ...     [task.title for task in by_title.scan()]
        ...     try:
        ...         tasks.put(Task(3, "TEST"))
        ...     except StoreError as error:
        ...         print(error.reason)
        2
        ['test', 'Write']
        the records 2 and 3 have the same key "test" in the unique index `by_title`
        """
        if by is None:
            if name not in self._native.definition()["indexes"]:
                there = ", ".join(self._native.definition()["indexes"]) or "none"
                raise KeyError(f"there is no index {name!r}; there are {there}")
            return Index(self, name)
        fields = [by] if isinstance(by, str) else list(by) if isinstance(by, tuple) else None
        if fields is None and not callable(by):
            raise TypeError(f"an index is by a field, a tuple of fields or a function, not {by!r}")
        if fields is not None and version is not None:
            raise TypeError("only an index by a function has a version")
        said = None if fields is not None else str(1 if version is None else version)
        self._native.index(name, fields, None if fields is not None else by, said, unique, rebuild)
        return Index(self, name)

    def drop_index(self, name: str) -> bool:
        """Removes an index; returns whether it existed."""
        return self._native.drop_index(name)

    def check(self) -> list[str]:
        """Returns what is wrong with the indexes: nothing if each has the entries of the records, and no other."""
        return self._native.check()

    def train(self) -> int:
        """Makes a dictionary of the records that are there, which compresses those that are written later better.

        Returns its size in bytes. Records that are there stay as they are, and can be read.

        Raises `demat.StoreError` if the collection is not compressed, or has too few records.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Note:
        ...     id: int
        ...     text: str
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     notes = env.collection("notes", Note, key="id", compression="zstd")
        ...     count = notes.put_all(Note(id, f"a note with much text, number {id * id}") for id in range(1000))
        ...     size = notes.train()
        ...     notes.put(Note(1000, "a note with much text"))
        1000
        """
        with self._environment._writing() as transaction:
            return self._native.train(transaction)

    def __repr__(self) -> str:
        return f"<collection {self._name!r} of {self._type.__name__}>"


class Index(_Ranges[T]):
    """Another order of a collection's records. `Collection.index` gives it.

    The keys of its scans are those of the index, followed by the record's own key unless the index is unique.
    """

    __slots__ = ()

    def __init__(self, collection: Collection[T], name: str) -> None:
        self._environment = collection._environment
        self._name = name
        self._type = collection._type
        self._native = collection._native
        self._index = name

    def get(self, *key: Any) -> T | None:
        """Returns the first record with a key in the index, or None.

        >>> import tempfile
        >>> from dataclasses import dataclass
        >>> from demat import lmdb
        >>> @dataclass
        ... class Task:
        ...     id: int
        ...     tags: list[str]
        >>> with tempfile.TemporaryDirectory() as folder, lmdb.open(folder) as env:
        ...     tasks = env.collection("tasks", Task, key="id")
        ...     tasks.put(Task(1, ["red", "late"]))
        ...     by_tag = tasks.index("by_tag", "tags")
        ...     by_tag.get("late").id, by_tag.get("l"), by_tag.count()
        1
        (1, None, 2)
        """
        return self.first(prefix=key)

    def __repr__(self) -> str:
        return f"<index {self._name!r} of records of {self._type.__name__}>"
