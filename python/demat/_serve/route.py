"""`route`: something to serve, with options."""

from typing import Any


class Route:
    """Something to serve, with its options. `demat.route` makes it.

    >>> import demat
    >>> demat.route([1, 2], bulk=True)
    <route of list, bulk=True>
    """

    __slots__ = ("bulk", "what")
    what: Any
    bulk: bool

    def __init__(self, what: Any, *, bulk: bool) -> None:
        self.what = what
        self.bulk = bulk

    def __repr__(self) -> str:
        return f"<route of {type(self.what).__name__}, bulk={self.bulk}>"


def route(what: Any, *, bulk: bool = False) -> Route:
    """Returns something to serve with options of its own; use it as a value in the routes of `demat.serve`.

    - `bulk`: whether `DELETE` and `PUT` may delete or replace a whole collection at once, such as all rows of a table.
      If False, the server answers these with `409 Conflict`, and accepts only keys, or conditions such as `?done=true`.

    Raises TypeError if `what` is a route already.

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
    return Route(what, bulk=bulk)
