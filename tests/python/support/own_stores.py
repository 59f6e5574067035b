"""Stores that a program writes, for tests."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import demat
from demat import HTTPError

Path = tuple[str, ...]


class Tree(demat.Store):
    """All verbs, over nested dicts and lists; notes each call."""

    def __init__(self, root: Any = None) -> None:
        self.root: Any = {} if root is None else root
        self.calls: list[tuple[str, Path]] = []

    def _find(self, path: Path) -> Any:
        value = self.root
        for name in path:
            if isinstance(value, list):
                if not name.isdecimal() or int(name) >= len(value):
                    raise KeyError(name)
                value = value[int(name)]
            elif isinstance(value, dict):
                value = value[name]
            else:
                raise KeyError(name)
        return value

    def get(self, path: Path) -> Any:
        self.calls.append(("get", path))
        return self._find(path)

    def put(self, path: Path, value: Any) -> bool:
        self.calls.append(("put", path))
        if not path:
            self.root = value
            return False
        owner = self._find(path[:-1])
        is_new = path[-1] not in owner
        owner[path[-1]] = value
        return is_new

    def patch(self, path: Path, value: Any) -> None:
        self.calls.append(("patch", path))
        self._find(path).update(value)

    def post(self, path: Path, value: Any) -> int:
        self.calls.append(("post", path))
        owner = self._find(path)
        if not isinstance(owner, list):
            raise HTTPError(409, "only lists grow")
        owner.append(value)
        return len(owner) - 1

    def delete(self, path: Path) -> None:
        self.calls.append(("delete", path))
        self._find(path)
        owner = self._find(path[:-1])
        del owner[int(path[-1]) if isinstance(owner, list) else path[-1]]

    def children(self, path: Path) -> Iterator[str | int]:
        self.calls.append(("children", path))
        value = self._find(path)
        yield from range(len(value)) if isinstance(value, list) else value

    def version(self, path: Path) -> str:
        return repr(self._find(path))


class Plain(demat.Store):
    """A flat store without versions."""

    def __init__(self, **values: Any) -> None:
        self.values: dict[str, Any] = values
        self.gets = 0

    def get(self, path: Path) -> Any:
        self.gets += 1
        return self.values[path[0]] if path else self.values

    def put(self, path: Path, value: Any) -> None:
        self.values[path[0]] = value

    def delete(self, path: Path) -> None:
        del self.values[path[0]]


class Watched(Plain):
    """A store that tells of changes itself."""

    def __init__(self, **values: Any) -> None:
        super().__init__(**values)
        self.watchers: list[Callable[..., None]] = []
        self.ended = 0

    def watch(self, path: Path, tell: Callable[..., None]) -> Callable[[], None]:
        self.watchers.append(tell)

        def end() -> None:
            self.watchers.remove(tell)
            self.ended += 1

        return end

    def change(self, name: str, value: Any) -> None:
        self.values[name] = value
        for tell in list(self.watchers):
            tell((name,))
