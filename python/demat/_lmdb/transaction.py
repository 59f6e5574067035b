"""`Transaction`: what is read, or written, as a whole."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from typing import Self

    from demat import _native

    from .environment import Environment


class Transaction:
    """A transaction of an environment. It begins and ends with a `with`; `Environment.begin` gives it.

    All that this thread does with the environment's collections meanwhile is part of it. A transaction that writes is
    committed at the end of the `with`, or undone if an exception comes out. One within another is undone alone, and
    final with the outermost.

    Views of records that were read in a transaction that only reads are valid until it ends. Then they raise
    ValueError; `copy.copy(view)` is a record that stays.

    >>> import tempfile
    >>> from dataclasses import dataclass
    >>> from demat import lmdb
    >>> @dataclass
    ... class Point:
    ...     x: int
    ...     y: int
    >>> folder = tempfile.TemporaryDirectory()
    >>> env = lmdb.open(folder.name)
    >>> points = env.collection("points", Point, key=("x", "y"))
    >>> with env.begin(write=True):
    ...     points.put(Point(1, 2))
    ...     try:
    ...         with env.begin(write=True):
    ...             points.put(Point(3, 4))
    ...             raise RuntimeError
    ...     except RuntimeError:
    ...         points.count()
    (1, 2)
    (3, 4)
    1
    >>> env.close()
    >>> folder.cleanup()
    """

    __slots__ = ("_environment", "_native", "_nested", "_write")

    def __init__(self, environment: Environment, write: bool) -> None:
        self._environment = environment
        self._write = write
        self._native: _native.LmdbTransaction | None = None
        self._nested = False

    @property
    def number(self) -> int:
        """The number of the state that is read: each commit increases it."""
        number: int = self._begun().number
        return number

    def _begun(self) -> Any:
        if self._native is None:
            raise ValueError("the transaction has not begun, or has ended: use it in a `with`")
        return self._native

    def __enter__(self) -> Self:
        if self._native is not None:
            raise ValueError("the transaction has begun already")
        stack = self._environment._stack()
        outer = stack[-1] if stack else None
        if outer is not None and outer._begun().writes:
            if not self._write:
                # It sees what the outer one has changed: no snapshot could.
                self._native, self._nested = outer._native, True
                stack.append(self)
                return self
            outer._begun().nest()
            self._native, self._nested = outer._native, True
        else:
            if self._write and outer is not None:
                raise ValueError("a transaction that only reads is open in this thread; end it before one writes")
            self._native = self._environment._native.begin(self._write)
        stack.append(self)
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        native = self._begun()
        stack = self._environment._stack()
        if not stack or stack[-1] is not self:
            raise ValueError("a transaction ends in the thread that began it, and after those within it")
        try:
            if self._write or not self._nested:
                # Where a buffer of a view is in use this raises, and the snapshot lasts until that is gone.
                native.end(kind is None)
        finally:
            self._native = None
            stack.pop()

    def __repr__(self) -> str:
        state = "ended" if self._native is None else f"number {self.number}"
        return f"<transaction, {state}>"
