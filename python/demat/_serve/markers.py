"""Markers in annotations that say which part of a request an argument comes from."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, ClassVar

# A token as RFC 9110 defines it: the names of headers and cookies.
TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")


class Marker:
    """The base of the markers; `name` is the name in the request, if it differs from the parameter's."""

    __slots__ = ("name",)
    place: ClassVar[str]
    name: str | None

    def __init__(self, name: str | None = None) -> None:
        if name is not None and not isinstance(name, str):
            raise TypeError(f"name must be a str, not {type(name).__name__}")
        if name is not None and not self._fits(name):
            raise ValueError(f"{name!r} can't be the name of a {self.place} parameter")
        self.name = name

    @classmethod
    def _fits(cls, name: str) -> bool:
        return bool(name)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({'' if self.name is None else repr(self.name)})"

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.name == getattr(other, "name", None)

    def __hash__(self) -> int:
        return hash((type(self), self.name))


class Query(Marker):
    """An argument from the query: under another name than the parameter's, or a list of all values of that name.

    Scalars without a marker come from the query, too. A list needs the marker; without it, it is the body.

    >>> from typing import Annotated
    >>> from urllib.request import urlopen
    >>> import demat
    >>> def total(numbers: Annotated[list[int], demat.Query("n")]) -> int:
    ...     return sum(numbers)
    >>> with demat.serve({"/total": total}, port=0, background=True) as server:
    ...     urlopen(server.url + "/total?n=1&n=2&n=3").read()
    b'6'
    """

    __slots__ = ()
    place = "query"


class Header(Marker):
    """An argument from a header of the request.

    Without a name it is the header of the parameter's name, with hyphens for underscores. A list receives each line of
    a repeated header; for any other type, a repeated header is refused.

    >>> from typing import Annotated
    >>> from urllib.request import Request, urlopen
    >>> import demat
    >>> def about(user_agent: Annotated[str, demat.Header()]) -> str:
    ...     return user_agent
    >>> with demat.serve({"/about": about}, port=0, background=True) as server:
    ...     urlopen(Request(server.url + "/about", headers={"User-Agent": "me"})).read()
    b'"me"'
    """

    __slots__ = ()
    place = "header"

    @classmethod
    def _fits(cls, name: str) -> bool:
        return TOKEN.fullmatch(name) is not None


class Cookie(Header):
    """An argument from a cookie, of the parameter's name unless another one is given.

    >>> from typing import Annotated
    >>> from urllib.request import Request, urlopen
    >>> import demat
    >>> def who(session: Annotated[str | None, demat.Cookie()] = None) -> str:
    ...     return session or "nobody"
    >>> with demat.serve({"/who": who}, port=0, background=True) as server:
    ...     urlopen(Request(server.url + "/who", headers={"Cookie": "session=ann"})).read()
    b'"ann"'
    """

    __slots__ = ()
    place = "cookie"


class Form(Marker):
    """An argument from a field of a form, sent as `multipart/form-data` or `application/x-www-form-urlencoded`.

    A list receives all values of the field. A parameter annotated with `demat.Upload` receives a file.

    >>> from typing import Annotated
    >>> from urllib.request import Request, urlopen
    >>> import demat
    >>> def greet(name: Annotated[str, demat.Form()], times: Annotated[int, demat.Form()] = 1) -> str:
    ...     return " ".join(["hello"] * times + [name])
    >>> with demat.serve({"/greet": greet}, port=0, background=True) as server:
    ...     urlopen(Request(server.url + "/greet", b"name=Ann&times=2")).read()
    b'"hello hello Ann"'
    """

    __slots__ = ()
    place = "form"


class Depends:
    """An argument that a function returns, which may have parameters of its own.

    The server calls the function once per request, however many parameters depend on it. If it is a generator, its
    first value is the argument. The generator continues after the answer is encoded and before it is sent; an exception
    of the route's function is raised in it.

    >>> from collections.abc import Iterator
    >>> from typing import Annotated
    >>> from urllib.request import urlopen
    >>> import demat
    >>> log = []
    >>> def session(user: str = "nobody") -> Iterator[str]:
    ...     log.append("open")
    ...     yield f"session of {user}"
    ...     log.append("close")
    >>> def show(session: Annotated[str, demat.Depends(session)]) -> str:
    ...     return session
    >>> with demat.serve({"/": show}, port=0, background=True) as server:
    ...     urlopen(server.url + "/?user=ann").read()
    b'"session of ann"'
    >>> log
    ['open', 'close']
    """

    __slots__ = ("function",)
    function: Callable[..., Any]

    def __init__(self, function: Callable[..., Any]) -> None:
        if not callable(function):
            raise TypeError(f"Depends takes a function, not {type(function).__name__}")
        # A method has a hash, whatever its object has.
        own: Any = function
        self.function = own if type(own).__hash__ is not None else own.__call__

    def __repr__(self) -> str:
        return f"Depends({getattr(self.function, '__qualname__', repr(self.function))})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Depends) and self.function is other.function

    def __hash__(self) -> int:
        return id(self.function)
