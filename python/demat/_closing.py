"""`Closing`: a `with` that closes at its end, and aborts after an error."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self


class Closing(ABC):
    """Base of writers: leaving a `with` closes them, leaving it by an exception aborts."""

    __slots__ = ()

    @abstractmethod
    def close(self) -> int:
        """Passes on what was written, and returns the number of values."""

    @abstractmethod
    def abort(self) -> None:
        """Gives up what was written."""

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, raised: BaseException | None, traceback: TracebackType | None, /
    ) -> None:
        if kind is None:
            self.close()
        else:
            self.abort()
