"""`store.template`: functions and stores by routes, as a native store."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote, unquote

from demat import _errors, _native

from .._store import Store
from .function import Function

_VERBS = ("get", "put", "patch", "post", "delete")
# What a rest begins with once it is one name: `/a/b` is `a` and `b` below the route. A name in a text has no slash.
_JOINED = "/"

Told = Callable[[dict[str, str], dict[str, str], Any], bytes | None]


def template(routes: Mapping[str, Any]) -> _native.Store:
    """The native store of the routes."""
    functions: dict[str, Callable[..., Any]] = {}
    stores: dict[tuple[str, ...], Store] = {}
    for route, target in routes.items():
        path = route.rpartition(" ")[2]
        parts = _parts(path)
        if any(part.startswith("*") for part in parts[:-1]):
            raise ValueError(f"{route!r}: a rest is the last name of a route")
        if isinstance(target, Store):
            stores[_prefix(route, parts)] = target
        else:
            functions[route] = target
    if not stores:
        return _of_functions(functions)
    if () in stores:
        if len(routes) > 1:
            raise ValueError("`/*` leads everywhere, so there is no other route beside it")
        return _of_store(stores[()])
    return _switched(functions, stores)


def refuse_rest(path: str) -> None:
    """Raises ValueError for a path of `demat.serve` with a rest, which only templates have."""
    if any(part.startswith("*") for part in _parts(path)):
        raise ValueError(
            f"{path!r}: a rest is for templates: serve `store.template({{'/*rest': function}})` at what is before it"
        )


def _parts(path: str) -> list[str]:
    return [part for part in path.split("/") if part]


def _prefix(route: str, parts: list[str]) -> tuple[str, ...]:
    """The names before the rest of a store's route."""
    if not route.startswith("/") or not parts or parts[-1] != "*":
        raise ValueError(
            f"{route!r}: a store answers all that is below it, so its route has no verbs and ends with `/*`"
        )
    if any(part.startswith(":") for part in parts):
        raise ValueError(f"{route!r}: a store has no use for parameters")
    return tuple(unquote(part) for part in parts[:-1])


def _of_store(store: Store) -> _native.Store:
    from demat.store import native_of

    return native_of(store)


def _switched(functions: dict[str, Callable[..., Any]], stores: dict[tuple[str, ...], Store]) -> _native.Store:
    """Stores at their names, and functions at all others."""
    own: dict[str, dict[tuple[str, ...], Store]] = {}
    for prefix, store in stores.items():
        own.setdefault(prefix[0], {})[prefix[1:]] = store
    within: dict[str, _native.Store] = {}
    for name, below in own.items():
        if () in below and len(below) > 1:
            raise ValueError(f"the store at `/{name}/*` answers all that is below it, so there is no other one there")
        within[name] = _of_store(below[()]) if () in below else _switched({}, below)
    answered = _of_functions(functions) if functions else None
    for route in functions:
        parts = _parts(route.rpartition(" ")[2])
        if not parts or parts[0][0] in ":*":
            raise ValueError(f"{route!r}: beside a store, the first name of a function's route is no parameter")
        name = unquote(parts[0])
        if name in own:
            raise ValueError(f"{route!r}: a store stands at `/{parts[0]}` already")
        if answered is not None and name not in within:
            within[name] = _native.Store("relative", answered, f"/{parts[0]}")
    return _native.Store("switch", list(within), list(within.values()))


def _of_functions(functions: Mapping[str, Callable[..., Any]]) -> _native.Store:
    own: list[tuple[str, list[str], bool, Told]] = []
    plain: list[list[str]] = []
    rests: list[list[str]] = []
    for route, function in functions.items():
        verbs, _, path = route.rpartition(" ")
        parts = _parts(path)
        rest = parts[-1][1:] if parts and parts[-1].startswith("*") else None
        if rest == "":
            raise ValueError(f"{route!r}: a function takes the rest by its name, such as `*path`")
        if rest is not None:
            path = "/" + "/".join([*parts[:-1], f":{rest}"])
        answer = Function(function, path, verbs.split())
        if answer.takes["head"] or answer.takes["fields"] or any(many for _, many in answer.takes["query"]):
            raise TypeError(
                f"{route!r}: a store has no requests, so its functions take no headers, cookies, forms and lists"
            )
        names = [verb.lower() for verb in answer.methods]
        for name in names:
            if name not in _VERBS:
                raise ValueError(f"no verb is called {name!r}; there are {', '.join(_VERBS)}")
        asked = bool(answer.asked)
        if rest is None:
            own.append((path, names, asked, answer.told))
        else:
            # What is not there is said here, where the whole reference is known.
            for some, is_read in ((["get"], True), ([name for name in names if name != "get"], False)):
                if set(some) <= set(names) and some:
                    own.append((path, some, asked, _with_rest(parts, answer.told, is_read)))
        (plain if rest is None else rests).append(parts)
    made = _native.Store("template", own)
    if not rests:
        return made
    return _native.Store("mapped", made, lambda at: _joined(at, plain, rests), None, None)


def _joined(at: str, plain: list[list[str]], rests: list[list[str]]) -> str:
    """The reference in which the rest is one name. A route without a rest goes first."""
    names = _parts(at)
    if any(len(route) == len(names) and _matches(route, names) for route in plain):
        return at
    for route in rests:
        before = len(route) - 1
        if len(names) > before and _matches(route[:-1], names):
            rest = _JOINED + "/".join(names[before:])
            return "/" + "/".join([*names[:before], quote(rest, safe="")])
    return at


def _matches(route: list[str], names: list[str]) -> bool:
    """Whether a reference begins as a route does."""
    pairs = zip(route, names, strict=False)
    return all(part.startswith(":") or unquote(part) == unquote(name) for part, name in pairs)


def _with_rest(route: list[str], told: Told, is_read: bool) -> Told:
    """A function that gets the rest as its text: the names, with slashes between them."""
    name = route[-1][1:]

    def call(names: dict[str, str], query: dict[str, str], body: Any) -> bytes | None:
        rest = names[name]
        own = [_name(part) for part in rest[1:].split("/")] if rest.startswith(_JOINED) else [rest]
        # Functions open files by it.
        if any("/" in part or part in ("", ".", "..") for part in own):
            raise _errors.NotFound("a name that is empty, `.` or `..`, or has a slash, is in no path")
        data = told({**names, name: "/".join(own)}, query, body)
        if data is None and is_read:
            before = [quote(names[part[1:]], safe="") if part.startswith(":") else part for part in route[:-1]]
            raise _errors.NotFound(f"`/{'/'.join([*before, rest.removeprefix(_JOINED)])}`")
        return data

    return call


def _name(part: str) -> str:
    """A name of the text of a reference, in which the empty name is `~`, and `.` and `..` have a tilde before them."""
    name = unquote(part)
    return name[1:] if name.startswith("~") and name.lstrip("~") in ("", ".", "..") else name
