"""Whether instances can be made by storing their fields, or their class has a say in it."""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from .draft import FieldDraft

if TYPE_CHECKING:
    from .describer import Describer


def is_plain(cls: type, names: Iterable[str], generated: Callable[[Any], bool]) -> bool:
    """Whether storing the fields to memory does all that calling the class would.

    `generated` tells the methods that a library wrote, which do nothing but that, from those that a person did.
    """
    usual_call: Any = type.__call__
    usual_new: Any = object.__new__
    if type(cls).__call__ is not usual_call or cls.__new__ is not usual_new:
        return False
    for method, usual in (("__init__", object.__init__), ("__setattr__", object.__setattr__)):
        found = constructor(cls) if method == "__init__" else getattr(cls, method)
        if found is not usual and not generated(found):
            return False
    return not any(_is_descriptor(cls, name) for name in names)


def constructor(cls: type) -> Any:
    """The `__init__` of a class, without the checks that `demat.validated` puts around it: readers have their own."""
    found: Any = cls.__init__  # type: ignore[misc]
    # Not of a wrapper that a program has put around it.
    is_own = getattr(found, "__demat_own__", None) is found
    return getattr(found, "__demat_made__", found) if is_own else found


def takes(function: Callable[..., Any], *positional: Any, **named: Any) -> bool | None:
    """Returns whether the function accepts these arguments; None if it has no readable signature."""
    try:
        signature = inspect.signature(function)
    except (TypeError, ValueError):
        return None
    try:
        signature.bind(*positional, **named)
    except TypeError:
        return False
    return True


def guarded(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Wraps a constructor so that any exception it raises becomes a ValueError or TypeError about the value.

    Constructors may raise anything: `decimal.InvalidOperation`, or a KeyError of a table.
    """

    def call(value: Any) -> Any:
        try:
            return function(value)
        except (ValueError, TypeError, MemoryError):
            raise
        except Exception as error:
            name, text = type(error).__name__, str(error)
            raise ValueError(f"{name}: {text}" if text else name) from error

    return call


def sequence(cls: type) -> Callable[[Any], Any]:
    """Returns what builds a `list`, `set` or similar subclass from a list of its items."""
    return cls if _constructs_as_its_base(cls) else guarded(cls)


def mapping(cls: type) -> Callable[[Any], Any] | None:
    """Returns what builds a `dict` subclass from a dict; None if Demat makes an empty instance and updates it."""
    return guarded(cls) if not _constructs_as_its_base(cls) and takes(cls, {}) else None


def _constructs_as_its_base(cls: type) -> bool:
    """Returns whether a container class inherits its constructor from the builtin base."""
    base: Any = next(base for base in cls.__mro__ if base.__module__ in ("builtins", "collections"))
    return all(getattr(cls, name) is getattr(base, name) for name in ("__new__", "__init__"))


def _is_descriptor(cls: type, name: str) -> bool:
    """Whether setting the attribute calls code of the class's: a property, or a descriptor like it."""
    found = inspect.getattr_static(cls, name, None)
    return hasattr(type(found), "__set__") and not isinstance(found, types.MemberDescriptorType)


def take_parameters(describer: Describer, cls: type, fields: list[FieldDraft]) -> None:
    """Has the fields given to the parameters of a hand-written constructor, whose defaults count, not the fields'.

    Refuses a constructor that can't be given the fields, or wants what is none of them.
    """
    parameters = inspect.signature(cls).parameters
    any_name = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())
    taken = {name for name, parameter in parameters.items() if _by_name(parameter)}
    for field in fields:
        if field.init is None:
            continue
        if field.init in taken:
            _take(field, parameters[field.init])
            continue
        if field.init in parameters and parameters[field.init].kind is inspect.Parameter.POSITIONAL_ONLY:
            raise describer.wrong(f"its constructor takes `{field.init}` by position only; {_advice(cls)}")
        if not any_name:
            raise describer.wrong(f"its constructor takes no `{field.init}`, which is a field of it; {_advice(cls)}")
    given = {field.init for field in fields}
    for name, parameter in parameters.items():
        if name not in given and parameter.default is parameter.empty and parameter.kind not in _MANY:
            raise describer.wrong(f"its constructor wants `{name}`, which is no field of it; {_advice(cls)}")


_MANY = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def _by_name(parameter: inspect.Parameter) -> bool:
    return parameter.kind in (parameter.POSITIONAL_OR_KEYWORD, parameter.KEYWORD_ONLY)


def _take(field: FieldDraft, parameter: inspect.Parameter) -> None:
    # What stands for "call the factory" in a signature that was written by a program.
    by_factory = field.factory is not None and repr(parameter.default) == "<factory>"
    if parameter.default is not parameter.empty and not by_factory:
        # To pass a parameter's default is to pass nothing.
        field.default, field.factory = parameter.default, None


def _advice(cls: type) -> str:
    return f"say how instances are made with demat.hook({cls.__name__}, …) or a `__demat_decode__`"
