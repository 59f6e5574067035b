"""Stores: places with references, that values are got from and put to, and stores over stores.

A reference is a path of names: `"/tasks/3/title"`. Whatever a store is (a table, a folder of files, objects of yours),
it has the same verbs; what is between a GET and the rows of a table stays native, however many stores it goes through.

>>> from demat import store
>>> notes = store.cache(store.memory({"a": {"b": [1, 2]}}))
>>> notes.get("/a/b")
[1, 2]
>>> notes.post("/a/b", 3)
'/a/b/2'
>>> both = store.switch({"notes": notes, "env": store.environment("DEMAT_")})
>>> both.get("/notes/a/b/2")
3
>>> print(both)
switch
├─ env: environment DEMAT_*
└─ notes: cache 67108864 bytes
   └─ memory
<BLANKLINE>
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from os import PathLike, fspath
from typing import TYPE_CHECKING, Any, TypeVar, final, overload

from demat import _native, json
from demat._store import Store as BaseStore

if TYPE_CHECKING:
    from demat._changes.changes import Changes

__all__ = [
    "Store",
    "cache",
    "environment",
    "folder",
    "log",
    "mapped",
    "memory",
    "merge",
    "of",
    "read_only",
    "relative",
    "remote",
    "sequence",
    "switch",
    "template",
    "timed",
    "typed",
]

T = TypeVar("T")
_VERBS = ("get", "put", "patch", "post", "delete")


@final
class Store(BaseStore):
    """A place with references. The functions of this module give it, and `demat.serve` takes it. To write a store of
    your own, derive from `demat.Store`.

    A reference that does not exist raises `demat.NotFound`. An operation that the store does not support raises
    `demat.StoreError`, and a value that does not fit its type `demat.DecodeError`.

    >>> from demat import StoreError, store
    >>> place = store.memory()
    >>> place.put("/a", True)
    >>> try:
    ...     place.get("/b")
    ... except StoreError as error:
    ...     print(error)
    `/b`: not found
    """

    __slots__ = ("_native",)

    def __init_subclass__(cls) -> None:
        raise TypeError("`demat.store.Store` has no subclasses: a store of your own derives from `demat.Store`")

    def __init__(self, native: _native.Store) -> None:
        self._native = native

    @overload
    def get(self, at: str = "/", type: None = None, *, query: str = "") -> Any: ...
    @overload
    def get(self, at: str, type: type[T], *, query: str = "") -> T: ...

    def get(self, at: str = "/", type: Any = None, *, query: str = "") -> Any:
        """The value of a reference, of a type where one is given.

        - `query`: what is wanted of a list, as a URL says it: `"done=false&order=-id&limit=20&fields=id,title"`

        >>> from demat import store
        >>> store.memory([{"id": 1}, {"id": 2}]).get("/", query="id.gt=1")
        [{'id': 2}]
        """
        data = self._native.encode(at, query, "json")
        return json.decode(data) if type is None else json.decode(data, type)

    def encode(self, at: str = "/", format: str = "json", *, query: str = "") -> bytes:
        """The value of a reference in a format, with no object made of it.

        >>> from demat import store
        >>> store.memory([{"id": 1}, {"id": 2}]).encode("/", "csv")
        b'id\\n1\\n2\\n'
        """
        return self._native.encode(at, query, format)

    def put(self, at: str, value: Any) -> None:
        """Gives a reference a value, in place of what it had.

        >>> from demat import store
        >>> place = store.memory()
        >>> place.put("/a", [1])
        >>> place.get()
        {'a': [1]}
        """
        self._native.give("put", at, json.encode(value), "json")

    def patch(self, at: str, value: Any) -> None:
        """Changes the part of a value that is given.

        >>> from demat import store
        >>> place = store.memory({"a": {"b": 1, "c": 2}})
        >>> place.patch("/a", {"c": 3})
        >>> place.get("/a")
        {'b': 1, 'c': 3}
        """
        self._native.give("patch", at, json.encode(value), "json")

    def post(self, at: str, value: Any) -> str:
        """Adds a value to what a reference is; gives the value's own reference.

        >>> from demat import store
        >>> store.memory({"list": [1]}).post("/list", 2)
        '/list/1'
        """
        return self._native.give("post", at, json.encode(value), "json")

    def delete(self, at: str) -> None:
        """Takes a value away.

        >>> from demat import store
        >>> place = store.memory({"a": 1})
        >>> place.delete("/a")
        >>> place.get()
        {}
        """
        self._native.delete(at)

    def children(self, at: str = "/") -> list[str]:
        """The names within a reference.

        >>> from demat import store
        >>> store.memory({"a": 1, "b": 2}).children()
        ['a', 'b']
        """
        return self._native.children(at)

    def watch(self, at: str = "/", *, values: bool = True, limit: int | None = None, queue: int = 1024) -> Changes:
        """The changes at a reference and below it from now on: an iterator, and an asynchronous one.

        Each is a `demat.Change`, whose `key` is a reference of this store, and whose `value` is the one that the key
        has when the change is reported. What is changed through this store or a layer over it is reported as it is
        done, each once, and so is what a remote server reports. Tables of SQLite and collections of LMDB also report
        what is made through other stores and servers of the same file in this process. What another process changes
        there, or this one past its stores, is one `reset`, within a fifth of a second. So is a put of all of `at`.

        - `values`: False: report keys only, and read no values
        - `limit`: end after so many changes; None: at `close`
        - `queue`: the number of changes that wait for a slow reader; more of them become one `reset`

        In a process that was forked, the watch of its parent raises RuntimeError: begin another one.

        Raises `demat.StoreError` if the store reports no changes, `demat.NotFound` if the reference can't exist,
        ValueError if an option is out of range.

        >>> from demat import store
        >>> place = store.memory({"tasks": {}})
        >>> with place.watch("/tasks", limit=2) as changes:
        ...     place.put("/tasks/a", {"done": False})
        ...     place.delete("/tasks/a")
        ...     [change.key for change in changes]
        ['/tasks/a', '/tasks/a']
        """
        from demat._changes.changes import Changes, checked
        from demat._changes.of_store import StoreWatch
        from demat._changes.queue import Queue

        checked(queue, limit)
        # As all verbs read it: `tasks` is `/tasks`.
        at = _native.Store("relative", self._native, at).described("text").splitlines()[0].removeprefix("relative ")
        waiting = Queue(queue, at)
        return Changes(waiting, StoreWatch(self, at, waiting, queue, values), limit)

    def flush(self) -> None:
        """Does what a `cache` that writes back has kept; raises what the store below refused.

        >>> from demat import store
        >>> below = store.memory()
        >>> place = store.cache(below, write_back=True)
        >>> place.put("/a", 1)
        >>> place.flush()
        >>> below.get("/a")
        1
        """
        self._native.flush()

    def times(self, verb: str) -> tuple[int, float, float] | None:
        """Of a `timed` store: how often a verb was done, how many seconds that took, and how many at most.

        >>> from demat import store
        >>> place = store.timed(store.memory({}))
        >>> _ = place.get()
        >>> place.times("get")[0]
        1
        """
        return self._native.times(verb)

    def to_dot(self) -> str:
        """What it is made of, for Graphviz.

        >>> from demat import store
        >>> store.memory().to_dot().splitlines()[0]
        'digraph stores {'
        """
        return self._native.described("dot")

    def to_svg(self) -> str:
        """What it is made of, as a picture.

        >>> from demat import store
        >>> store.memory().to_svg()[:4]
        '<svg'
        """
        return self._native.described("svg")

    def __str__(self) -> str:
        return self._native.described("text")

    def __repr__(self) -> str:
        return f"<store {self._native.described('text').splitlines()[0]}>"


def native_of(store: BaseStore) -> _native.Store:
    """The native store behind a store."""
    if isinstance(store, Store):
        return store._native
    if not isinstance(store, BaseStore):
        raise TypeError(
            f"expected a store, found a {type(store).__name__}: `demat.store.of` makes stores of other objects"
        )
    from demat._serve.program_store import ProgramStore

    return _native.Store("program", ProgramStore(store))


def memory(value: Any = None) -> Store:
    """Values in memory: by the keys of maps, and the numbers of lists' items. They are copies: see `of` for objects.

    >>> from demat import store
    >>> store.memory({"a": [1, 2]}).get("/a/1")
    2
    """
    return Store(_native.Store("memory", None if value is None else json.encode(value)))


def of(what: Any) -> Store:
    """The store that `demat.serve` makes of a table or a database of SQLite or PostgreSQL, of a collection or an
    environment of LMDB, of a store that the program writes (`demat.Store`), or of an object (a list, a dict, an
    instance).

    >>> from demat import store
    >>> names = ["a"]
    >>> store.of(names).post("/", "b")
    '/1'
    >>> names
    ['a', 'b']
    """
    from demat._serve.routes import mounted

    kind, *said = mounted("/", [], what)
    if kind == "store":
        return what if isinstance(what, Store) else Store(said[0])
    if kind not in ("table", "postgres", "collection", "collections", "objects"):
        raise TypeError(f"a {type(what).__name__} is no store")
    return Store(_native.Store(kind, *said))


def folder(path: str | PathLike[str], *, raw: bool = False, suffix: str | None = None) -> Store:
    """A folder of files, each the value that is in it: its format is told by its suffix, also packed (`.json.gz`).

    - `raw`: the files' bytes, as they are
    - `suffix`: of files that are made by a name without one

    Nothing outside of the folder is touched.

    >>> import tempfile
    >>> from demat import store
    >>> with tempfile.TemporaryDirectory() as path:
    ...     place = store.folder(path, suffix=".json")
    ...     place.put("/settings", {"port": 80})
    ...     place.children(), place.get("/settings")
    (['settings.json'], {'port': 80})
    """
    return Store(_native.Store("folder", fspath(path), raw, suffix))


def environment(prefix: str = "") -> Store:
    """The variables of the process's environment whose names begin so, which they are called without;
    they are text, and can't be changed.

    >>> import os
    >>> from demat import store
    >>> os.environ["DEMAT_DOC"] = "x"
    >>> store.environment("DEMAT_").get("/DOC")
    'x'
    """
    return Store(_native.Store("environment", prefix))


def remote(
    url: str,
    type: Any = None,
    *,
    token: str | None = None,
    timeout: float = 30.0,
    packed: bool = False,
    certificates: str | PathLike[str] | None = None,
) -> Store:
    """A store that somebody else serves, over HTTP: with `demat.serve`, or any server that speaks JSON.

    - `type`: of what stands at the URL; then what comes is checked to be of it. A server of Demat's knows it by itself
    - `token`: is sent as `Authorization: Bearer …`, and nowhere else
    - `timeout`: in seconds: to connect, until an answer begins, and for each 64 KiB of it
    - `packed`: answers may be packed, which is worth it where the network is slow
    - `certificates`: whom to trust for `https://`, a file in PEM; in place of those that the system trusts

    Errors are those of the store behind the server; where the query is not valid, `demat.StoreError`. A redirect is an
    error as well. What is changed is sent once.

    >>> import demat
    >>> from demat import store
    >>> with demat.serve({"/notes": store.memory({"a": [1, 2]})}, port=0, background=True) as server:
    ...     notes = store.remote(server.url + "/notes")
    ...     notes.post("/a", 3)
    ...     notes.get("/a", list[int])
    '/a/2'
    [1, 2, 3]
    """
    root, records = None, None
    if type is not None:
        from demat._describe import describe

        root, records = describe(type)
    trusted = None if certificates is None else fspath(certificates)
    return Store(_native.Store("remote", url, root, records, token, timeout, packed, trusted))


def template(routes: Mapping[str, Callable[..., Any] | BaseStore]) -> Store:
    """Functions, by routes: `"/tasks/:id"`, where `:id` stands for any name and is the argument `id`. A route may end
    with a rest: in `"/files/*path"`, `path` is all that follows `/files/`: one name or more with slashes between them,
    none of which is empty, `.` or `..`, or has a slash itself. Nor has any other name of such a template.

    They are as `demat.serve` takes them: a verb may stand before a route (`"PUT /tasks/:id"`), and the argument that is
    no scalar is the value that is given. What a function returns is the value, nothing where there is none; of a post
    the name of what was added. If there is none, raise `demat.NotFound`. The store applies the query to what is
    returned, unless the function takes parts of it. A route without a rest goes before one with a rest.

    A store stands at `"/files/*"`, without a verb, and answers all that is there.

    >>> from demat import store
    >>> names = {"1": "Ann"}
    >>> def name(id: str) -> dict[str, str]:
    ...     return {"name": names[id]}
    >>> def rename(id: str, value: dict[str, str]) -> None:
    ...     names[id] = value["name"]
    >>> people = store.template({"/people/:id": name, "PUT /people/:id": rename})
    >>> people.put("/people/1", {"name": "Bob"})
    >>> people.get("/people/1")
    {'name': 'Bob'}
    >>> files = store.template({"/files/*path": lambda path: {"read": path}, "/notes/*": store.memory([1])})
    >>> files.get("/files/a/b.txt"), files.get("/notes/0")
    ({'read': 'a/b.txt'}, 1)
    """
    from demat._serve.template import template as native_template

    return Store(native_template(routes))


def mapped(
    below: BaseStore,
    *,
    reference: Callable[[str], str] | None = None,
    written: Callable[[str, Any], Any] | None = None,
    read: Callable[[str, Any], Any] | None = None,
) -> Store:
    """Another store, with functions of yours before it; where there is none, nothing of Python's runs.

    - `reference`: from a reference to the one that the store below has
    - `written`: from a reference and a value that is put, patched or posted there to the value for the store below
    - `read`: from a reference and the value of the store below to the value that readers get; queries apply to that

    >>> from demat import store
    >>> below = store.memory({"a": {"cents": 120}})
    >>> place = store.mapped(
    ...     below,
    ...     reference=str.lower,
    ...     written=lambda at, value: {"cents": round(value * 100)},
    ...     read=lambda at, value: value["cents"] / 100,
    ... )
    >>> place.put("/B", 3.5)
    >>> place.get("/A"), place.get("/B")
    (1.2, 3.5)
    >>> below.get("/b")
    {'cents': 350}
    """

    def values(function: Callable[[str, Any], Any] | None) -> Callable[[str, bytes], bytes] | None:
        if function is None:
            return None
        return lambda at, data: json.encode(function(at, json.decode(data)))

    return Store(_native.Store("mapped", native_of(below), reference, values(written), values(read)))


def cache(below: BaseStore, *, limit: int = 64 << 20, write_back: bool = False) -> Store:
    """Keeps what was got at hand, up to so many bytes, for as long as the store below says that it is the same.

    - `write_back`: puts, patches and deletes are kept, and done by `flush`

    >>> from demat import store
    >>> below = store.timed(store.memory({"a": 1}))
    >>> place = store.cache(below)
    >>> place.get("/a"), place.get("/a"), below.times("get")[0]
    (1, 1, 1)
    """
    return Store(_native.Store("cache", native_of(below), limit, write_back))


def timed(below: BaseStore) -> Store:
    """Counts what is done, and how long it takes; see `Store.times`.

    >>> from demat import store
    >>> store.timed(store.memory()).times("put")
    (0, 0.0, 0.0)
    """
    return Store(_native.Store("timed", native_of(below)))


def log(below: BaseStore, tell: Callable[[str], object], verbs: Iterable[str] = _VERBS) -> Store:
    """Tells a function a line for what is done by these verbs.

    >>> from demat import store
    >>> lines = []
    >>> store.log(store.memory(), lines.append, ["put"]).put("/a", 1)
    >>> lines[0].split()[:2]
    ['put', '/a']
    """
    chosen = list(verbs)
    for verb in chosen:
        if verb not in _VERBS:
            raise ValueError(f"no verb is called {verb!r}; there are {', '.join(_VERBS)}")
    return Store(_native.Store("log", native_of(below), chosen, tell))


def read_only(below: BaseStore) -> Store:
    """Another store, that nothing is changed in.

    >>> from demat import StoreError, store
    >>> try:
    ...     store.read_only(store.memory()).put("/a", 1)
    ... except StoreError as error:
    ...     print(error)
    can't put `/a`: this store does not support it
    """
    return Store(_native.Store("read_only", native_of(below)))


def relative(below: BaseStore, at: str) -> Store:
    """What another store has below a reference.

    >>> from demat import store
    >>> store.relative(store.memory({"a": {"b": 1}}), "/a").get("/b")
    1
    """
    return Store(_native.Store("relative", native_of(below), at))


def typed(below: BaseStore, format: str, type: Any = None) -> Store:
    """Values of a type, in a format, over a store that holds bytes (a `folder` that is `raw`).

    >>> import tempfile
    >>> from demat import store
    >>> with tempfile.TemporaryDirectory() as path:
    ...     place = store.typed(store.folder(path, raw=True), "json", list[int])
    ...     place.put("/numbers", [1, 2])
    ...     place.get("/numbers")
    [1, 2]
    """
    root, records = None, None
    if type is not None:
        from demat._describe import describe

        root, records = describe(type)
    return Store(_native.Store("typed", native_of(below), format, root, records))


def switch(stores: Mapping[str, BaseStore]) -> Store:
    """Several stores, each by its name.

    >>> from demat import store
    >>> store.switch({"a": store.memory([1])}).get("/a/0")
    1
    """
    return Store(_native.Store("switch", list(stores), [native_of(store) for store in stores.values()]))


def sequence(*stores: BaseStore) -> Store:
    """The first that has something there answers; what is changed is changed in the first.

    >>> from demat import store
    >>> store.sequence(store.memory({}), store.memory({"port": 80})).get("/port")
    80
    """
    return Store(_native.Store("sequence", [native_of(store) for store in stores]))


def merge(*stores: BaseStore) -> Store:
    """All of them put together: lists one after the other, maps with the keys of all; the last one's values count.

    >>> from demat import store
    >>> store.merge(store.memory({"a": 1}), store.memory({"b": 2})).get()
    {'a': 1, 'b': 2}
    """
    return Store(_native.Store("merge", [native_of(store) for store in stores]))
