"""`Request`: the request as a function sees it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping


class Headers(Mapping[str, str]):
    """The headers of a request. Names are compared without regard to case.

    `headers["accept"]` is the first value, and `headers.get_all("accept")` a list of all.
    """

    __slots__ = ("_values",)

    def __init__(self, pairs: list[tuple[str, str]]) -> None:
        values: dict[str, list[str]] = {}
        for name, value in pairs:
            values.setdefault(name.lower(), []).append(value)
        self._values = values

    def __getitem__(self, name: str) -> str:
        return self._values[name.lower()][0]

    def get_all(self, name: str) -> list[str]:
        """All values of a header, in their order; an empty list if the request has none."""
        return list(self._values.get(name.lower(), ()))

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __repr__(self) -> str:
        return f"<headers {', '.join(self._values)}>"


class Request:
    """The request, for a parameter annotated with this class.

    - `method`: the method, in upper case
    - `path`: the path as it was sent, percent-encoded
    - `query`: the text behind the question mark, or an empty one
    - `headers`: a mapping of the headers; names are compared without regard to case
    - `client`: the address that the connection comes from. Behind a proxy, it is the proxy's.
    - `roles`: the roles of the request's token

    >>> from urllib.request import urlopen
    >>> import demat
    >>> def echo(request: demat.Request) -> list[str]:
    ...     return [request.method, request.path, request.client]
    >>> with demat.serve({"/echo": echo}, port=0, background=True) as server:
    ...     urlopen(server.url + "/echo").read()
    b'["GET","/echo","127.0.0.1"]'
    """

    __slots__ = ("_body", "client", "headers", "method", "path", "query", "roles")

    method: str
    path: str
    query: str
    headers: Headers
    client: str
    roles: frozenset[str]

    def __init__(
        self,
        method: str,
        path: str,
        query: str,
        headers: Headers,
        client: str,
        body: bytes | None,
        roles: frozenset[str],
    ) -> None:
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.client = client
        self._body = body
        self.roles = roles

    @property
    def body(self) -> bytes:
        """The bytes of the body; unpacked, if it was sent packed.

        Raises RuntimeError if the function takes fields of a form: then the form is not kept as a whole.

        >>> from urllib.request import Request as Sent, urlopen
        >>> import demat
        >>> def length(request: demat.Request) -> int:
        ...     return len(request.body)
        >>> with demat.serve({"POST /length": length}, port=0, background=True) as server:
        ...     urlopen(Sent(server.url + "/length", b"hello", {"Content-Type": "application/octet-stream"})).read()
        b'5'
        """
        if self._body is None:
            raise RuntimeError("the body is a form, whose fields are the function's parameters")
        return self._body

    def __repr__(self) -> str:
        return f"<request {self.method} {self.path}>"
