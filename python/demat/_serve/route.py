"""`route`: how something is served."""

from typing import Any


class Route:
    """Something that is served, and how. `demat.route` makes it.

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
    """Something to be served, with options of its own, as a value among the routes of `demat.serve`.

    - `bulk`: whether `DELETE` and `PUT` may delete or replace a whole collection at once, such as all rows of a table.
      Unless it is True, they are answered by `409 Conflict`, and take keys, or conditions such as `?done=true`.

    Raises TypeError where `what` is a route already.

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
