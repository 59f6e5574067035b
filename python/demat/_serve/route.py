"""`route`: something to serve, with options."""

from collections.abc import Sequence
from typing import Any

from .response import checked_status


class Route:
    """Something to serve, with its options. `demat.route` makes it.

    >>> import demat
    >>> demat.route([1, 2], bulk=True)
    <route of list, bulk=True>
    """

    __slots__ = ("bulk", "max_body", "read", "status", "what", "write")
    what: Any
    bulk: bool
    status: int | None
    max_body: int | None
    read: list[str] | None
    write: list[str] | None

    def __init__(
        self,
        what: Any,
        *,
        bulk: bool,
        status: int | None = None,
        max_body: int | None = None,
        read: list[str] | None = None,
        write: list[str] | None = None,
    ) -> None:
        self.what = what
        self.bulk = bulk
        self.status = status
        self.max_body = max_body
        self.read = read
        self.write = write

    def __repr__(self) -> str:
        names = ("status", "max_body", "read", "write")
        said = [f"{name}={getattr(self, name)!r}" for name in names if getattr(self, name) is not None]
        return f"<route of {type(self.what).__name__}, {', '.join([f'bulk={self.bulk}', *said])}>"


def route(
    what: Any,
    *,
    bulk: bool = False,
    status: int | None = None,
    max_body: int | None = None,
    read: str | Sequence[str] | None = None,
    write: str | Sequence[str] | None = None,
) -> Route:
    """Returns something to serve with options of its own; use it as a value in the routes of `demat.serve`.

    - `bulk`: whether `DELETE` and `PUT` may delete or replace a whole collection at once, such as all rows of a table.
      If False, the server answers these with `409 Conflict`, and accepts only keys, or conditions such as `?done=true`.
    - `status`: of a function: the status of its answers, such as 201, in place of 200 and 204
    - `max_body`: how many bytes may be sent to this route at once, in place of the server's limit
    - `read`, `write`: the roles that may read, and change; a token needs one of them. Without these, they are `"read"`
      and `"write"`. See `tokens` of `demat.serve`.

    Raises TypeError if `what` is a route already, and ValueError if an option can't be honoured.

    >>> from urllib.request import Request, urlopen
    >>> import demat
    >>> notes = ["a", "b"]
    >>> with demat.serve({"/notes": demat.route(notes, bulk=True)}, port=0, background=True) as server:
    ...     urlopen(Request(server.url + "/notes", method="DELETE")).status
    204
    >>> notes
    []
    """
    if isinstance(what, Route):
        raise TypeError("that is a route already")
    if status is not None:
        checked_status(status)
    if max_body is not None and (not isinstance(max_body, int) or isinstance(max_body, bool) or max_body < 0):
        raise ValueError(f"max_body must be a number of bytes, not {max_body!r}")
    return Route(
        what, bulk=bulk, status=status, max_body=max_body, read=_roles("read", read), write=_roles("write", write)
    )


def _roles(name: str, said: str | Sequence[str] | None) -> list[str] | None:
    if said is None:
        return None
    roles = [said] if isinstance(said, str) else list(said)
    if not roles:
        raise ValueError(f"{name} names no role, so nobody could use it")
    for role in roles:
        if not isinstance(role, str):
            raise TypeError(f"{name} takes names of roles, not {type(role).__name__}")
    return roles
