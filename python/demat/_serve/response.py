"""`Response`: what a function returns to choose more of the answer than its value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Generic, Literal, TypeVar

from .markers import TOKEN

T = TypeVar("T")

_MEDIA_TYPE = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+/[!#$%&'*+\-.^_`|~0-9A-Za-z]+(;[\t\x20-\x7e]*)?")
_VALUE = re.compile(r"([\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?)?")
# RFC 6265, 4.1.1: no space, quote, comma, semicolon or backslash.
_COOKIE = re.compile(r"[\x21\x23-\x2b\x2d-\x3a\x3c-\x5b\x5d-\x7e]*")
_PART = re.compile(r"[\x20-\x3a\x3c-\x7e]*")
# The server sets these itself.
_OWN = ("connection", "content-length", "date", "keep-alive", "trailer", "transfer-encoding", "upgrade")
# Answers of these have no body.
EMPTY = (204, 304)
# What a store says where a server answers with one of these.
FAULTS = {400: "bad_request", 403: "forbidden", 404: "not_found", 405: "not_allowed", 409: "conflict", 412: "changed"}


class SetCookie:
    """A cookie that an answer sets, with its attributes.

    - `max_age`: the lifetime in seconds; without it, until the browser is closed. 0 deletes the cookie.
    - `path`, `domain`: where the browser sends it
    - `secure`: only over encrypted connections; `http_only`: not readable by the page's scripts
    - `same_site`: which pages of other sites make the browser send it. `"none"` requires `secure`.

    >>> import demat
    >>> demat.SetCookie("abc", max_age=3600)
    SetCookie('abc', max_age=3600, path='/', domain=None, secure=False, http_only=True, same_site='lax')
    """

    __slots__ = ("domain", "http_only", "max_age", "path", "same_site", "secure", "value")

    value: str
    max_age: int | None
    path: str
    domain: str | None
    secure: bool
    http_only: bool
    same_site: Literal["strict", "lax", "none"]

    def __init__(
        self,
        value: str,
        *,
        max_age: int | None = None,
        path: str = "/",
        domain: str | None = None,
        secure: bool = False,
        http_only: bool = True,
        same_site: Literal["strict", "lax", "none"] = "lax",
    ) -> None:
        if not isinstance(value, str):
            raise TypeError(f"the value of a cookie must be a str, not {type(value).__name__}")
        if not _COOKIE.fullmatch(value):
            raise ValueError("the value of a cookie has no spaces, quotes, commas, semicolons or backslashes")
        if max_age is not None and (not isinstance(max_age, int) or isinstance(max_age, bool)):
            raise TypeError(f"max_age must be an int, not {type(max_age).__name__}")
        for name, said in (("path", path), ("domain", domain)):
            if said is not None and not _PART.fullmatch(said):
                raise ValueError(f"{name} can't be {said!r}")
        if same_site not in ("strict", "lax", "none"):
            raise ValueError(f"same_site={same_site!r} is none of 'strict', 'lax', 'none'")
        if same_site == "none" and not secure:
            raise ValueError("same_site='none' requires secure=True")
        self.value = value
        self.max_age = max_age
        self.path = path
        self.domain = domain
        self.secure = secure
        self.http_only = http_only
        self.same_site = same_site

    def header(self, name: str) -> str:
        """The value of the header `Set-Cookie` for a cookie of this name.

        >>> import demat
        >>> demat.SetCookie("abc", secure=True).header("session")
        'session=abc; Path=/; Secure; HttpOnly; SameSite=Lax'
        """
        if not TOKEN.fullmatch(name):
            raise ValueError(f"no cookie can be called {name!r}")
        parts = [f"{name}={self.value}"]
        if self.max_age is not None:
            parts.append(f"Max-Age={self.max_age}")
        parts.append(f"Path={self.path}")
        if self.domain is not None:
            parts.append(f"Domain={self.domain}")
        if self.secure:
            parts.append("Secure")
        if self.http_only:
            parts.append("HttpOnly")
        parts.append(f"SameSite={self.same_site.capitalize()}")
        return "; ".join(parts)

    def __repr__(self) -> str:
        names = ("max_age", "path", "domain", "secure", "http_only", "same_site")
        return f"SetCookie({self.value!r}, {', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"


class Response(Generic[T]):
    """An answer: its value, and a status, headers and cookies.

    The value is encoded in the format that the client prefers, unless there is a `media_type`: then it is bytes, or a
    str that is sent as UTF-8. `Response[Task]` as return annotation says what the value is, for the description.

    - `status`: the status; without it, that of the route, or 200, or 204 without a value
    - `headers`: further headers. The server itself sets the length and the connection's headers.
    - `cookies`: cookies by name: a str, a `demat.SetCookie`, or None to delete the cookie

    Raises TypeError or ValueError for what HTTP can't send.

    >>> from urllib.request import urlopen
    >>> import demat
    >>> def page() -> demat.Response[str]:
    ...     return demat.Response("<h1>hello</h1>", media_type="text/html; charset=utf-8", headers={"X-Who": "me"})
    >>> with demat.serve({"/": page}, port=0, background=True) as server:
    ...     answer = urlopen(server.url)
    ...     answer.read(), answer.headers["x-who"], answer.headers["content-type"]
    (b'<h1>hello</h1>', 'me', 'text/html; charset=utf-8')
    """

    __slots__ = ("_lines", "media_type", "status", "value")

    value: T
    status: int | None
    media_type: str | None

    def __init__(
        self,
        value: T = None,  # type: ignore[assignment]
        *,
        status: int | None = None,
        headers: Mapping[str, str] | None = None,
        cookies: Mapping[str, str | SetCookie | None] | None = None,
        media_type: str | None = None,
    ) -> None:
        if status is not None:
            checked_status(status, has_value=value is not None)
        if media_type is not None:
            if not _MEDIA_TYPE.fullmatch(media_type):
                raise ValueError(f"{media_type!r} is no media type")
            if not isinstance(value, str | bytes | bytearray):
                raise TypeError(f"with media_type, the value must be bytes or a str, not {type(value).__name__}")
        self.value = value
        self.status = status
        self.media_type = media_type
        self._lines = [*header_lines(headers or {}), *_cookie_lines(cookies or {})]

    def lines(self) -> list[tuple[str, str]]:
        """The headers, with one `set-cookie` for each cookie.

        >>> import demat
        >>> demat.Response(headers={"X-A": "b"}, cookies={"c": None}).lines()
        [('x-a', 'b'), ('set-cookie', 'c=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax')]
        """
        return list(self._lines)

    def __repr__(self) -> str:
        return f"<response {self.status or ''}>".replace(" >", ">")


class HTTPError(Exception):
    """Ends a request with a status and a message; functions and their dependencies raise it.

    >>> from urllib.error import HTTPError as Refused
    >>> from urllib.request import urlopen
    >>> import demat
    >>> def teapot() -> None:
    ...     raise demat.HTTPError(418, "this is a teapot")
    >>> with demat.serve({"/": teapot}, port=0, background=True) as server:
    ...     try:
    ...         urlopen(server.url)
    ...     except Refused as error:
    ...         error.code, demat.json.decode(error.read())["error"]["message"]
    (418, 'this is a teapot')
    """

    status: int
    headers: dict[str, str]

    def __init__(self, status: int, message: str = "", *, headers: Mapping[str, str] | None = None) -> None:
        if not isinstance(status, int) or isinstance(status, bool) or not 400 <= status <= 599:
            raise ValueError(f"the status of an error is from 400 to 599, not {status!r}")
        header_lines(headers or {})
        super().__init__(message)
        self.status = status
        self.headers = dict(headers or {})

    @property
    def message(self) -> str:
        """The message, or the usual phrase for the status.

        >>> import demat
        >>> demat.HTTPError(409).message
        'Conflict'
        """
        return str(self) or (HTTPStatus(self.status).phrase if self.status in _KNOWN else "refused")


_KNOWN = frozenset(int(status) for status in HTTPStatus)


def checked_status(status: Any, *, has_value: bool = False) -> int:
    """The status of an answer. Raises TypeError or ValueError if it can't be one, or can't have a body."""
    if not isinstance(status, int) or isinstance(status, bool):
        raise TypeError(f"status must be an int, not {type(status).__name__}")
    if not 200 <= status <= 599:
        raise ValueError(f"status must be from 200 to 599, not {status}")
    if has_value and status in EMPTY:
        raise ValueError(f"an answer of status {status} has no value")
    return int(status)


def header_lines(headers: Mapping[str, str]) -> list[tuple[str, str]]:
    """Headers with their names in lower case. Raises TypeError or ValueError for what HTTP can't send."""
    lines = []
    for name, value in headers.items():
        if not isinstance(name, str) or not isinstance(value, str):
            raise TypeError(f"a header's name and value must be str, not {name!r}: {value!r}")
        if not TOKEN.fullmatch(name):
            raise ValueError(f"no header can be called {name!r}")
        if not _VALUE.fullmatch(value):
            raise ValueError(f"the header {name!r} can't be {value!r}: visible ASCII, with spaces inside")
        own = name.lower()
        if own in _OWN:
            raise ValueError(f"the server itself sets {name!r}")
        if own == "content-type":
            raise ValueError("media_type says the type of the content")
        if own == "set-cookie":
            raise ValueError("cookies says which cookies are set")
        lines.append((own, value))
    return lines


def _cookie_lines(cookies: Mapping[str, str | SetCookie | None]) -> list[tuple[str, str]]:
    lines = []
    for name, said in cookies.items():
        if said is None:
            said = SetCookie("", max_age=0)
        elif isinstance(said, str):
            said = SetCookie(said)
        lines.append(("set-cookie", said.header(name)))
    return lines
