"""The names that a source uses and does not define: of modules, of what is in them, of builtins."""

from __future__ import annotations

import builtins
from collections.abc import Iterable


class Imports:
    """Gives names to what is imported, so that no attribute of the classes stands in their way.

    In a class with `list: list[int] = …` the next annotation that says `list` would mean the default. So what an
    attribute is called is imported under another name.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self.taken = set(taken)
        self._modules: set[str] = set()
        self._members: dict[str, set[str]] = {}

    def module(self, name: str) -> str:
        """The name of a module."""
        self._modules.add(name)
        return self._name(name)

    def member(self, module: str, name: str) -> str:
        """The name of something in a module."""
        self._members.setdefault(module, set()).add(name)
        return self._name(name)

    def builtin(self, name: str) -> str:
        """The name of a builtin."""
        assert hasattr(builtins, name), name
        return f"{self.module('builtins')}.{name}" if name in self.taken else name

    def lines(self) -> list[str]:
        """The import statements."""
        plain = [f"import {self._as(name)}" for name in sorted(self._modules)]
        members = [
            f"from {module} import {', '.join(map(self._as, sorted(names)))}"
            for module, names in sorted(self._members.items())
        ]
        return plain + members

    def _name(self, name: str) -> str:
        while name in self.taken:
            name = f"_{name}"
        return name

    def _as(self, name: str) -> str:
        own = self._name(name)
        return name if own == name else f"{name} as {own}"
