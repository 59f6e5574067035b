"""`serve`: tables, objects, functions and files over HTTP."""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypedDict, Unpack, overload

from .server import Server

if TYPE_CHECKING:
    from demat._sqlite.database import Database


class _Options(TypedDict, total=False):
    host: str
    port: int
    cors: str | Sequence[str] | None
    hosts: Sequence[str]
    token: str | None
    tokens: Mapping[str, str | Sequence[str]] | None
    urls: str | None
    title: str
    browser: bool
    max_body: int
    stop_timeout: float
    log: bool | Callable[[str], object]
    tls: tuple[str | PathLike[str], str | PathLike[str]] | None
    durable: bool
    wal: bool
    unrepresentable: Literal["null", "text", "refuse"]
    queries: "Mapping[str, str | tuple[Database, str]] | None"
    query_timeout: float
    query_rows: int


@overload
def serve(routes: Mapping[str, Any], *, background: Literal[True], **options: Unpack[_Options]) -> Server: ...
@overload
def serve(routes: Mapping[str, Any], *, background: Literal[False] = ..., **options: Unpack[_Options]) -> None: ...


def serve(
    routes: Mapping[str, Any],
    *,
    background: bool = False,
    host: str = "127.0.0.1",
    port: int = 8080,
    cors: str | Sequence[str] | None = None,
    hosts: Sequence[str] = (),
    token: str | None = None,
    tokens: Mapping[str, str | Sequence[str]] | None = None,
    urls: str | None = None,
    title: str = "Demat",
    browser: bool = True,
    max_body: int = 16 << 20,
    stop_timeout: float = 10.0,
    log: bool | Callable[[str], object] = False,
    tls: tuple[str | PathLike[str], str | PathLike[str]] | None = None,
    durable: bool = True,
    wal: bool = True,
    unrepresentable: Literal["null", "text", "refuse"] = "null",
    queries: "Mapping[str, str | tuple[Database, str]] | None" = None,
    query_timeout: float = 5.0,
    query_rows: int = 1000,
) -> Server | None:
    """Serves over HTTP what stands at each path, until it is stopped: by Ctrl-C, or SIGTERM.

    What may stand at a path:

    - a table (`demat.sqlite.Table`): a list of records, each at its key; or a database, with its tables by their names.
      A file is served by connections of the server's own; other processes may use it at the same time.
    - a table of PostgreSQL (`demat.postgres.Table`), or a database (`demat.postgres.Database`), with its tables by
      their names. The server has connections of its own.
    - a collection of LMDB (`demat.lmdb.Collection`), or an environment, with its collections by their names
    - a list, a dict, or an instance of a class: the objects themselves, as they are at each request. `(list, type)`
      says of what type the list's items are, so that what is sent is checked.
    - a store (`demat.store`), also one of your own (`demat.Store`)
    - a function: see below
    - a folder (`pathlib.Path`), with its files as they are
    - any of these with options of its own (`demat.route`)

    A path may begin with methods, and then serves only these: `"GET /tasks"`.

    What can be done:

    - `GET`, `POST`, `PUT`, `PATCH`, `DELETE`, in JSON, CSV, Arrow and each other format that `demat formats` lists,
      except databases, as `Accept` and `Content-Type` say (or `?format=csv`);
      of lists `?done=false&title.like=a%&order=-id&limit=20&offset=40&fields=id`, `?where=done or n > 3`,
      `?search=…`, `?embed=…` and `?count`; the header `Prefer` says what an answer has
    - `ETag` with `If-None-Match` and `If-Match`; changes as they are made, with `Accept: text/event-stream`
    - `/openapi.json` describes all of it, `/-/` is a page to browse tables, `/-/api` one to
      try each operation, `/health` and `/metrics` are for machines

    A function receives what its parameters say: names in the path that begin with a colon (`"/users/:id"`), and names
    of the query, both read as the annotation says. A parameter that is annotated with a class, or called `body`,
    receives the body. `demat.Query`, `demat.Header`, `demat.Cookie`, `demat.Form`, `demat.Upload`, `demat.Request` and
    `demat.Depends` say otherwise. A value that does not fit its annotation is refused with 422, an unknown name in the
    query with 400. The result is encoded; None is `204 No Content`, and `demat.Response` sets status, headers and
    cookies. A function answers `GET`, or, with a body, `POST`, unless the path begins with methods:
    `"PUT /users/:id"`. It may be `async`. `demat.HTTPError` ends the request with its status, `demat.NotFound` with
    404, a PermissionError that the function raises itself with 403, and `demat.DecodeError` with 400 or 422. Any other
    exception is 500: the traceback goes to standard error, and the client gets no details.

    - `background`: serves on a thread of its own, and gives the `Server` at once, which stops at the end of a `with`
    - `host`, `port`: this machine alone, unless told otherwise; port 0 is any that is free
    - `cors`: the origins whose pages may use the server, one or several, or `"*"` for all. Other pages change nothing
    - `hosts`: names to accept as `Host`, besides `localhost`, the loopback addresses, and `host`. Others are refused,
      since a page can make its own name resolve here (DNS rebinding). With `host="0.0.0.0"` any IP address is accepted
    - `token`: required as `Authorization: Bearer …`. The package's pages load without it, and have a login form
    - `tokens`: several tokens, each with its roles: `{"s3cret": "read", "s4cret": ["read", "write"]}`. Reading needs
      the role `"read"` and every other method `"write"`, unless the route names others (`demat.route`). Without a known
      token the answer is 401, without the role 403. `token`, beside these, has every role.
    - `urls`: the field in which each record gets its own absolute URL
    - `title`: what the description is called
    - `browser`: whether the pages stand at `/-/` and `/-/api`
    - `max_body`: how many bytes may be sent at once
    - `stop_timeout`: how many seconds requests have that were accepted before it was stopped
    - `log`: True writes a line a request to standard error; a function gets the line
    - `tls`: the files of the certificate chain and of the key, in PEM, for `https`
    - `durable`: a write is acknowledged when a loss of power could not undo it
    - `unrepresentable`: the replacement for a value that the answer's format can't represent (infinity in JSON), or
      that doesn't fit its column (bytes in one of text): `"null"`, or `"text"` where the format allows it. Each is
      logged on standard error, with its table and row. `"refuse"` fails the request.
    - `queries`: SQL by its name, which is served at `/-/queries/NAME` and on a page of the table browser:
      `{"late": "select title from tasks where due < :day"}`. Clients give each parameter as text, in the query
      (`?day=2026-01-01`), and SQLite allows no statement that changes anything. The database is that of the tables that
      are served; where there are several, `(database, sql)` says which.
    - `query_timeout`, `query_rows`: how many seconds such a query may take, without the encoding of its answer, and how
      many rows an answer may have. Where there are more, the header `demat-truncated` says so.
    - `wal`: who reads and who writes don't wait for each other, by a log beside the file, which the file remembers

    Raises OSError where the address can't be had, TypeError or ValueError where something can't be served as the routes
    or options say.

    >>> from dataclasses import dataclass
    >>> from typing import Annotated
    >>> from urllib.request import urlopen
    >>> import demat
    >>> @dataclass
    ... class Task:
    ...     title: str
    ...     id: Annotated[int | None, demat.Field(key=True)] = None
    >>> database = demat.sqlite.open(":memory:")
    >>> tasks = database.table("tasks", Task)
    >>> tasks.insert([Task("write"), Task("rest")])
    2
    >>> def add(a: int, b: int) -> int:
    ...     return a + b
    >>> with demat.serve({"/tasks": tasks, "/add": add}, port=0, background=True) as server:
    ...     urlopen(server.url + "/tasks?title=rest").read()
    ...     urlopen(server.url + "/add?a=2&b=3").read()
    b'[{"title":"rest","id":2}]'
    b'5'
    """
    from demat import json

    from .components import Components
    from .routes import routed

    if log is True:
        log = _to_stderr
    origins = [cors] if isinstance(cors, str) else _several("cors", cors or ())
    files = None if tls is None else (fspath(tls[0]), fspath(tls[1]))
    components = Components()
    if queries:
        from .queries import saved

        own = saved(
            queries,
            routes.values(),
            seconds=query_timeout,
            rows=query_rows,
            unrepresentable=unrepresentable,
        )
        routes = {**routes, **own}
    server = Server(
        [routed(path, what, unrepresentable, components) for path, what in routes.items()],
        (
            *(
                host,
                port,
                origins,
                token,
                urls,
                title,
                browser,
                max_body,
                stop_timeout,
                log or None,
                files,
                durable,
                wal,
            ),
            _several("hosts", hosts),
            unrepresentable,
            json.encode(components.schemas),
            _with_roles(tokens),
        ),
    )
    if background:
        return server
    if host in ("0.0.0.0", "::") and not hosts:
        import sys

        sys.stderr.write("demat: requests must call this machine `localhost` or by an address; `hosts` adds names\n")
    server.wait()
    return None


def _with_roles(tokens: Mapping[str, str | Sequence[str]] | None) -> list[tuple[str, list[str]]] | None:
    if tokens is None:
        return None
    if not isinstance(tokens, Mapping):
        raise TypeError("tokens is a mapping from tokens to their roles")
    return [(token, [roles] if isinstance(roles, str) else list(roles)) for token, roles in tokens.items()]


def _several(name: str, said: Sequence[str]) -> list[str]:
    if isinstance(said, str):
        raise TypeError(f"{name} is a list of texts, and not one text")
    return list(said)


def _to_stderr(line: str) -> None:
    import sys

    sys.stderr.write(line + "\n")


def page(name: str) -> Path:
    """The folder of a page that comes with Demat, to be served: `"todomvc"`, a list of tasks kept at `/tasks`.

    Raises FileNotFoundError where the package was built without it, and ValueError where there is no such page.

    >>> import demat
    >>> try:
    ...     demat.page("nothing")
    ... except ValueError as error:
    ...     print(error)
    no page is called 'nothing'; there is 'todomvc'
    """
    if name != "todomvc":
        raise ValueError(f"no page is called {name!r}; there is 'todomvc'")
    from .routes import PAGES

    folder = PAGES / name
    if not (folder / "index.html").exists():
        raise FileNotFoundError(f"this package was built without its pages: {folder}")
    return folder
