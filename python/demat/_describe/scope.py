"""Scopes: what the names in an annotation mean, and what its type variables stand for."""

from __future__ import annotations

import builtins
import sys
import typing
from collections.abc import Iterator, Mapping
from types import FrameType, ModuleType
from typing import Any

from .caller import Caller
from .own_annotations import own_annotations

_VARIABLES = (typing.TypeVar, typing.TypeVarTuple, typing.ParamSpec)

# A shared object, since scopes are compared by the identity of their bindings.
_NO_BINDINGS: Mapping[Any, Any] = {}


class Scope:
    """Where an annotation stands: in a class, or in a module, or nowhere that is known.

    `bindings` has the type variables that have been given a meaning: a node, or (for one that takes any number of
    arguments) a list of them, or a `Late` one. `caller` has the names of the code that asked, where nothing is known.
    """

    __slots__ = ("bindings", "caller", "module", "owner")

    def __init__(
        self,
        owner: type | None = None,
        module: str | None = None,
        bindings: Mapping[Any, Any] | None = None,
        caller: Caller | None = None,
    ) -> None:
        self.owner = owner
        self.caller = caller
        self.module = getattr(owner, "__module__", None) if module is None else module
        self.bindings = _NO_BINDINGS if bindings is None else bindings

    def moved(self, module: str | ModuleType) -> Scope:
        """The same scope in another module: a forward reference can say where it was written."""
        name = module.__name__ if isinstance(module, ModuleType) else module
        return self if name == self.module else Scope(None, name, self.bindings)

    def home(self, name: str, found: Any) -> Scope:
        """The scope of what was found under that name: the module's, if it is the module that has it under that name.

        What an alias of the module's refers to is the same then, whichever class refers to the alias.
        """
        if isinstance(found, _VARIABLES):
            return self  # what it stands for is known here only
        module = sys.modules.get(self.module or "")
        return Scope(None, self.module) if vars(module or builtins).get(name) is found else self

    def key(self) -> tuple[object, ...]:
        """Tells scopes apart in which the same name may mean something else."""
        return (self.owner, self.module, _Identity(self.bindings))

    def evaluate(self, text: str) -> Any:
        """What the text of an annotation means here; raises what Python raises where it means nothing."""
        # In brackets, as annotations may go over several lines. Names are all found by `_Names`, so that there is one
        # order to find them in.
        return eval(compile(f"({text})", "<annotation>", "eval"), {}, _Names(self))


class _Identity:
    """Stands for an object in a key: equal to itself only. Holds it, so that no other one can take its place."""

    __slots__ = ("object",)

    def __init__(self, object: Any) -> None:
        self.object = object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and other.object is self.object

    def __hash__(self) -> int:
        return id(self.object)


class Late:
    """A type whose description is wanted only if somebody asks for it, with the scope that it stands in."""

    __slots__ = ("scope", "type")

    def __init__(self, tp: Any, scope: Scope) -> None:
        self.type = tp
        self.scope = scope


class _Names(Mapping[str, Any]):
    """The names that an annotation can use, in the order in which Python would find them, as far as it still can."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope

    def __getitem__(self, name: str) -> Any:
        for names in self._places():
            if name in names:
                return names[name]
        raise KeyError(name)

    def _places(self) -> Iterator[Mapping[str, Any]]:
        owner = self.scope.owner
        yield {parameter.__name__: parameter for parameter in getattr(owner, "__type_params__", ())}
        if owner is not None:
            # Classes within the class, but not its fields: in `date: date | None = None` the annotation does not mean
            # the default, which is what stands under that name once the class is made.
            fields = own_annotations(owner)
            yield {name: value for name, value in vars(owner).items() if name not in fields}
            for frame in _frames(owner):
                yield frame.f_locals
        module = sys.modules.get(self.scope.module or "")
        if module is not None:
            yield vars(module)
        elif self.scope.caller is not None:
            yield self.scope.caller
        yield vars(builtins)
        if owner is not None:
            # A class that is not (or no longer) to be had by its name still knows itself and what it inherits from.
            yield {cls.__name__: cls for cls in reversed(owner.__mro__)}
        if self.scope.module in (None, "typing"):
            yield vars(typing)

    def __iter__(self) -> Iterator[str]:
        return iter({name: None for names in self._places() for name in names})

    def __len__(self) -> int:
        return sum(1 for _ in self)


def _frames(cls: type) -> Iterator[FrameType]:
    """The frames of the functions that a class was defined in, innermost first, as far as they are still running.

    `f.<locals>.Task` was defined in `f`. If `f` is what asks, directly or not, to read a Task, its names are on the
    stack; which other frame could tell what a name in there meant?
    """
    functions = set()
    outer, inside, _ = cls.__qualname__.rpartition(".<locals>.")
    while inside:
        functions.add(outer)
        outer, inside, _ = outer.rpartition(".<locals>.")
    if not functions:
        return
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        if frame.f_code.co_qualname in functions and frame.f_globals.get("__name__") == cls.__module__:
            yield frame
        frame = frame.f_back
