"""Lazy records within each other, by field and by list, and what can be changed in them."""

import copy
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any


@dataclass
class N:
    v: int = 0
    next: "N | None" = None
    l: "list[N]" = field(default_factory=list)  # noqa: E741
    more: dict[str, int] = field(default_factory=dict)


def by_next(levels: int) -> N:
    made = N(0, None, [], {"a": 1})
    for level in range(levels):
        made = N(level + 1, made, [], {"a": level})
    return made


def by_list(levels: int) -> N:
    made = N(0, None, [], {"a": 1})
    for level in range(levels):
        made = N(level + 1, None, [made], {"a": level})
    return made


def levels_of(view: N) -> list[N]:
    found = [view]
    while True:
        view = found[-1].next or (found[-1].l[0] if len(found[-1].l) else None)  # type: ignore[assignment]
        if view is None:
            return found
        found.append(view)


def changed_leaf(views: list[N]) -> None:
    views[-1].v = 1000


def changed_each(views: list[N]) -> None:
    for view in views:
        view.v += 1000


def changed_root(views: list[N]) -> None:
    views[0].v = 1000


def dicts(views: list[N]) -> None:
    for view in views:
        view.more["b"] = 1


def looked_at(views: list[N]) -> None:
    assert [view.more for view in views]


def lists(views: list[N]) -> None:
    for view in views:
        view.l.append(N(5))


def lists_as_before(views: list[N]) -> None:
    for view in views:
        view.l.append(N(5))
        view.l.pop()


CHANGES = [changed_leaf, changed_each, changed_root, dicts, looked_at, lists, lists_as_before]
VERBS: dict[str, Callable[[Any, Any], object]] = {
    "encode": lambda module, view: module.encode([view], depth=100_000),
    "encode into": lambda module, view: module.encode_into([view], bytearray(), depth=100_000),
    "twice": lambda module, view: [module.encode([view], depth=100_000) for _ in range(2)],
    "deepcopy": lambda _, view: copy.deepcopy(view),
    "pickle": lambda _, view: pickle.dumps(view),
    "len": lambda _, view: [len(one.l) for one in levels_of(view)],
}
SHAPES = {"next": by_next, "list": by_list}
DEPTH = {"depth": 100_000}


def opened(module: Any, shape: str, levels: int, change: Callable[[list[N]], None]) -> N:
    data = module.encode([SHAPES[shape](levels)], **DEPTH)
    view: N = module.decode(data, list[N], lazy=True, **DEPTH)[0]
    change(levels_of(view))
    return view
