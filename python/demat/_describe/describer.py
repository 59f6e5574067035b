"""The describer: what it has found so far, and how it goes from a type to a node."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from . import aliases, annotated, classes, forward, generics, special
from .display import display
from .nodes import Node
from .scope import Late, Scope

if TYPE_CHECKING:
    from .._hook import Hook


class Describer:
    """Describes one type, with all that it refers to.

    `records` is what it will give; an entry is None while its class is being described.
    """

    def __init__(self, root: Any, options: Mapping[str, Any], *, notes: bool = False) -> None:
        self.options = options
        # Whether titles and descriptions are put into nodes; only schemas want them.
        self.notes = notes
        self.records: list[dict[str, Any] | None] = []
        # Which entry of `records` a class or alias with these arguments is.
        self.index: dict[Any, int] = {}
        # The aliases that are being described, as far as no class stands between, which recursion would go by.
        self.open: set[Any] = set()
        # How often each class is being described at the moment, one within another.
        self.nesting: dict[Any, int] = {}
        # Whether values go through a pydantic model, which itself does what its annotations say.
        self.validating = False
        # Whether the field that is being described may have no value: its type includes msgspec's `UnsetType`.
        self.unset = False
        # The places that hooks are for alone.
        self.placed: set[str] = set()
        self._path: list[Any] = [root]

    def node(self, tp: Any, scope: Scope) -> Node:
        """The node for a type, or for the text of one, that stands in the scope."""
        for describe in (forward.node, special.node, annotated.node, aliases.node, generics.node, classes.node):
            found = describe(self, tp, scope)
            if found is not None:
                return found
        raise self.refusal(tp, "it is no type that a value can have")

    def is_for(self, hook: Hook) -> bool:
        """Whether a hook counts at the place that is described for."""
        if not hook.place:
            return True
        self.placed.update(hook.place)
        return self.options.get("place") in hook.place

    def late(self, binding: Any) -> Any:
        """What a type variable was bound to: nodes, of which some may not have been described yet."""
        if isinstance(binding, Late):
            return self.node(binding.type, binding.scope)
        if isinstance(binding, list):
            return [self.late(part) for part in binding]
        return binding

    @contextmanager
    def at(self, step: str) -> Iterator[None]:
        """While it runs, refusals say that they are about this part: `.field`, `[]`, `[key]`."""
        self._path.append(step)
        try:
            yield
        finally:
            self._path.pop()

    @contextmanager
    def within(self, name: str) -> Iterator[None]:
        """While it runs, the class of that name is described, and paths start at it: how one got there says little."""
        before = self._path, self.open, self.validating
        self._path, self.open, self.validating = [name], set(), False
        try:
            yield
        finally:
            self._path, self.open, self.validating = before

    @property
    def path(self) -> str:
        """Where in the type it is: `Task.tags[]`."""
        root, *steps = self._path
        return display(root) + "".join(steps)

    def refusal(self, tp: Any, reason: str) -> TypeError:
        """Returns the error for a type that can't be described. The caller raises it."""
        what, where = display(tp), self.path
        return TypeError(f"`{what}` can't be described: {reason}" if what == where else
                         f"`{what}` at `{where}` can't be described: {reason}")  # fmt: skip

    def wrong(self, reason: str) -> TypeError:
        """The error for a type whose parts don't go together."""
        return TypeError(f"`{self.path}`: {reason}")

    def attempt(self, describe: Callable[[], Node]) -> Node | None:
        """What it describes, or None where that is refused; then nothing of the attempt is left over."""
        count, index = len(self.records), dict(self.index)
        try:
            return describe()
        except TypeError:
            del self.records[count:]
            self.index = index
            return None
