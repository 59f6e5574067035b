"""`validated`: a class whose instances are checked when a program makes them, too."""

from __future__ import annotations

import dataclasses
import functools
import sys
import types
from collections import abc
from collections.abc import Callable, Iterable, Iterator
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from ._convert import convert
from ._errors import ValidationError
from ._field import Field
from ._native import convert_straight as _straight

T = TypeVar("T", bound=type)

# Checks a value at a path.
Check = Callable[[Any, str], None]

# What a field says of its values, and not of its name, its column or its default.
_RULES: Final = (
    "ge",
    "gt",
    "le",
    "lt",
    "multiple_of",
    "min_length",
    "max_length",
    "pattern",
    "tz",
    "times",
    "tag",
    "other",
)


def validated(cls: T) -> T:
    """Checks the instances of a class whenever it is called, by the rules that `decode` checks them by.

    A decorator for dataclasses and attrs classes. Calling the class then raises `demat.ValidationError` for a value
    that is not of its field's type, or breaks a rule of its `Field`; nothing is converted, but an int is a float, too.
    `__post_init__` runs before. Instances of validated classes are not checked again as parts of others, and neither
    are those that `decode` and other readers make. Assignments are not checked, and subclasses with fields of their own
    have to be decorated themselves.

    Raises TypeError for other classes.

    >>> from dataclasses import dataclass
    >>> from typing import Annotated
    >>> import demat
    >>> @demat.validated
    ... @dataclass
    ... class Task:
    ...     title: Annotated[str, demat.Field(min_length=1)]
    ...     order: int = 0
    >>> Task("Clean room", order=1)
    Task(title='Clean room', order=1)
    >>> Task("")
    Traceback (most recent call last):
    demat.ValidationError: expected a length of at least 1, found a length of 0 at `$.title`
    >>> Task("Clean room", "1")
    Traceback (most recent call last):
    demat.ValidationError: expected `int`, found `str` "1" at `$.order`
    """
    names = _names(cls)
    made: Any = cls.__init__  # type: ignore[misc]
    checks: list[Check] = []

    @functools.wraps(made)
    def construct(self: Any, *args: Any, **named: Any) -> None:
        made(self, *args, **named)
        # A subclass with a constructor of its own that calls this one is not whole yet.
        if type(self).__init__ is not construct:
            return
        try:
            check = checks[0]
        except IndexError:
            # Not before: a type may name classes that are defined after it.
            check = _check_of_fields(cls, names)
            checks.append(check)
        check(self, "$")

    # Readers make instances as if the constructor were that of the library.
    construct.__demat_made__ = made  # type: ignore[attr-defined]
    cls.__init__ = construct  # type: ignore[misc]
    return cls


def is_validated(cls: Any) -> bool:
    """Whether instances of exactly this class are checked when they are made."""
    return isinstance(cls, type) and hasattr(cls.__init__, "__demat_made__")  # type: ignore[misc]


def _names(cls: Any) -> tuple[str, ...]:
    """The attributes that the constructor is given."""
    if isinstance(cls, type) and dataclasses.is_dataclass(cls):
        return tuple(field.name for field in dataclasses.fields(cls) if field.init)
    attributes = getattr(cls, "__attrs_attrs__", None)
    if isinstance(cls, type) and isinstance(attributes, tuple):
        return tuple(own.name for own in attributes if own.init)
    raise TypeError(f"`validated` is for dataclasses and attrs classes, and {cls!r} is none")


def _check_of_fields(cls: type, names: tuple[str, ...]) -> Check:
    """Checks an instance: all fields at once, but those with instances of validated classes."""
    hints = {name: _of_value(hint) for name, hint in _hints(cls).items() if name in names}
    apart = {name: _check_of(hint) for name, hint in hints.items() if _has_validated(hint)}
    others = [(name, hint) for name, hint in hints.items() if name not in apart]
    # A class of the same attributes, by their own names, which has the rules and nothing else.
    rules: Any = dataclasses.make_dataclass(cls.__name__, others, kw_only=True, slots=True)
    plain = tuple(name for name, _ in others)
    lax = tuple(name for name, hint in others if not _is_exact(hint))

    def check(value: Any, path: str) -> None:
        given = {name: getattr(value, name) for name in plain}
        made = _straight(given, rules)
        if made is NotImplemented:
            made = convert(given, rules)
        for name in lax:
            _alike(given[name], getattr(made, name), f"{path}.{name}")
        for name, own in apart.items():
            own(getattr(value, name), f"{path}.{name}")

    return check


def _is_exact(hint: Any) -> bool:
    """Whether values of other classes are never converted to the type."""
    if get_origin(hint) is Annotated:
        return _is_exact(get_args(hint)[0])
    if get_origin(hint) in (Union, types.UnionType):
        return all(map(_is_exact, get_args(hint)))
    return hint in (int, str, bool, float, type(None))


def _hints(cls: type) -> dict[str, Any]:
    """The types of a class's attributes. What they name may also stand in a function that still runs."""
    try:
        return get_type_hints(cls, include_extras=True)
    except NameError:
        frame, local = sys._getframe(1), dict[str, Any]()
        while frame is not None:
            local = {**frame.f_locals, **local}
            frame = frame.f_back  # type: ignore[assignment]
        return get_type_hints(cls, localns=local, include_extras=True)


def _of_value(hint: Any) -> Any:
    """A field's type with its rules, and without its name and the like."""
    if get_origin(hint) is not Annotated:
        return hint
    inner, *notes = get_args(hint)
    kept: list[Any] = []
    for note in notes:
        if isinstance(note, Field):
            said = {name: getattr(note, name) for name in _RULES}
            rules = {name: value for name, value in said.items() if value is not None}
            if rules:
                kept.append(Field(**rules))
        else:
            kept.append(note)
    return Annotated[(inner, *kept)] if kept else inner


def _has_validated(hint: Any) -> bool:
    return is_validated(hint) or any(_has_validated(part) for part in get_args(hint))


def _check_of(hint: Any) -> Check:
    """Checks a value that may hold instances of validated classes: these are not looked into."""
    if not _has_validated(hint):
        return lambda value, path: _converted(value, hint, path)
    if isinstance(hint, type) and not get_args(hint):
        return lambda value, path: _instance(value, hint, path)
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(parts[0], parts[1:])
    if origin in (Union, types.UnionType):
        return _one_of(parts, hint)
    if origin is tuple and parts[-1:] != (...,):
        return _tuple([_check_of(part) for part in parts], hint)
    if isinstance(origin, type) and issubclass(origin, abc.Mapping):
        return _each(_check_of(parts[-1]), origin, hint, lambda value: value.items())
    if isinstance(origin, type) and issubclass(origin, abc.Collection):
        return _each(_check_of(parts[0]), origin, hint, enumerate)
    return lambda value, path: _converted(value, hint, path)


def _instance(value: Any, cls: Any, path: str) -> None:
    if not isinstance(value, cls):
        raise _refused(value, cls.__name__, path)
    if not is_validated(type(value)):
        _converted(value, type(value), path)


def _annotated(inner: Any, notes: tuple[Any, ...]) -> Check:
    """Rules of a list or a dict are of its length, whatever is in it."""
    own = _check_of(inner)
    bare: Any = Annotated[(list[None], *notes)]

    def check(value: Any, path: str) -> None:
        own(value, path)
        if isinstance(value, abc.Collection):
            _converted([None] * len(value), bare, path)

    return check


def _one_of(parts: tuple[Any, ...], hint: Any) -> Check:
    checks = [_check_of(part) for part in parts]

    def check(value: Any, path: str) -> None:
        for own in checks:
            try:
                return own(value, path)
            except ValidationError as error:
                # It is of that type, and what is within is wrong.
                if error.path != path:
                    raise
        raise _refused(value, _name_of(hint), path)

    return check


def _tuple(checks: list[Check], hint: Any) -> Check:
    def check(value: Any, path: str) -> None:
        if not isinstance(value, tuple) or len(value) != len(checks):
            raise _refused(value, _name_of(hint), path)
        for index, (own, item) in enumerate(zip(checks, value, strict=True)):
            own(item, f"{path}[{index}]")

    return check


def _each(own: Check, kind: type, hint: Any, steps: Callable[[Any], Iterable[tuple[Any, Any]]]) -> Check:
    def check(value: Any, path: str) -> None:
        if not isinstance(value, kind) or isinstance(value, (str, bytes)):
            raise _refused(value, _name_of(hint), path)
        for step, item in steps(value):
            own(item, _within(path, step))

    return check


def _converted(value: Any, hint: Any, path: str) -> None:
    """Checks a value as `convert` does, and that nothing was converted."""
    try:
        made = convert(value, hint)
    except ValidationError as error:
        at = path + (error.path or "$")[1:]
        said = {name: getattr(error, name) for name in ("expected", "found", "value", "reason")}
        raise ValidationError(f"{error.reason} at `{at}`", path=at, **said) from None
    _alike(value, made, path)


def _alike(given: Any, made: Any, path: str) -> None:
    """Checks that a value is of the classes that it would have been converted to."""
    if given is made:
        return
    if isinstance(made, float) and type(given) is int:
        return
    if not isinstance(given, type(made)):
        raise _refused(given, type(made).__name__, path)
    for step, item, own in _parts(given, made):
        _alike(item, own, _within(path, step))


def _parts(given: Any, made: Any) -> Iterator[tuple[Any, Any, Any]]:
    if isinstance(made, (list, tuple)):
        yield from zip(range(len(made)), given, made, strict=True)
    elif isinstance(made, dict):
        yield from zip(made, given.values(), made.values(), strict=True)
    elif isinstance(made, (set, frozenset)):
        classes = tuple({type(item) for item in made})
        wrong = next((item for item in given if not isinstance(item, classes)), None)
        if wrong is not None:
            yield 0, wrong, next(iter(made))
    elif dataclasses.is_dataclass(made):
        for field in dataclasses.fields(made):
            yield field.name, getattr(given, field.name, None), getattr(made, field.name, None)


def _within(path: str, step: Any) -> str:
    return f"{path}.{step}" if isinstance(step, str) else f"{path}[{step!r}]"


def _name_of(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)


def _refused(value: Any, expected: str, path: str) -> ValidationError:
    found = type(value).__name__
    said = f"expected `{expected}`, found `{found}`"
    return ValidationError(f"{said} at `{path}`", path=path, expected=expected, found=found, reason=said)
