"""The names of the code that asks for a description, for types that don't say where they were written."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from typing import Any

_MISSING = object()


class Caller(Mapping[str, Any]):
    """The names of the function and of the module that called Demat.

    `list["Task"]` and `Union[int, list["Tree"]]` are equal in every module, whatever the names mean there. So a plan
    that was made from such a type counts only where the names mean the same: see `means_the_same`.
    """

    __slots__ = ("_looked_up", "_places")

    def __init__(self) -> None:
        self._places: list[Mapping[str, Any]] | None = None
        # What each name that was looked up meant; `_MISSING`, if nothing.
        self._looked_up: dict[str, Any] = {}

    @property
    def is_used(self) -> bool:
        """Whether the description depends on it."""
        return bool(self._looked_up)

    @property
    def module(self) -> str | None:
        """The name of the module; None if no code but Demat's and the standard library's is running."""
        frame = _frame()
        return None if frame is None else frame[0]["__name__"]

    def forget(self) -> None:
        """Lets go of the names, except for those that were looked up."""
        self._places = None

    def means_the_same(self) -> bool:
        """Whether all names that were looked up mean the same to the code that calls now."""
        places = _places()
        return all(_found(places, name) is value for name, value in self._looked_up.items())

    def __getitem__(self, name: str) -> Any:
        if self._places is None:
            self._places = _places()
        value = self._looked_up[name] = _found(self._places, name)
        if value is _MISSING:
            raise KeyError(name)
        return value

    def __contains__(self, name: object) -> bool:
        try:
            self[name]  # type: ignore[index]
        except KeyError:
            return False
        return True

    def __iter__(self) -> Iterator[str]:
        return iter({name: None for names in _places() for name in names})

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _found(places: list[Mapping[str, Any]], name: str) -> Any:
    return next((names[name] for names in places if name in names), _MISSING)


def _places() -> list[Mapping[str, Any]]:
    """The names of the calling function, if it is one, and those of its module."""
    frame = _frame()
    if frame is None:
        # On a thread that Demat started only the program itself can be meant. In a worker process it has this name.
        main = sys.modules.get("__mp_main__") or sys.modules.get("__main__")
        return [] if main is None else [vars(main)]
    own, names = frame
    return [own] if names is own else [names, own]


def _frame() -> tuple[dict[str, Any], Mapping[str, Any]] | None:
    """The names of the module and the function that called Demat."""
    frame = sys._getframe(1)
    while frame is not None:
        name = frame.f_globals.get("__name__")
        if isinstance(name, str):
            package = name.partition(".")[0]
            if package != "demat" and package not in sys.stdlib_module_names:
                return frame.f_globals, frame.f_locals
        frame = frame.f_back  # type: ignore[assignment]
    return None
