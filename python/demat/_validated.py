"""`validated`: a class whose instances are checked when a program makes them, too."""

from __future__ import annotations

import dataclasses
import functools
import sys
import types
from collections import abc
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

from ._convert import convert
from ._errors import Error, ValidationError
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
    are those that `decode` and other readers make; instances of other classes are, field by field. Assignments are not
    checked, and subclasses with fields of their own have to be decorated themselves.

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
        if type(self) is not cls and not _is_of(construct, type(self)):
            return
        try:
            check = checks[0]
        except IndexError:
            # Not before: a type may name classes that are defined after it.
            check = _fields_of(cls, names)
            checks.append(check)
        check(self, "$")

    # Readers make instances as if the constructor were that of the library. A wrapper around it has the first
    # attribute, too, and so says by the second that it is none of ours.
    construct.__demat_made__ = made  # type: ignore[attr-defined]
    construct.__demat_own__ = construct  # type: ignore[attr-defined]
    cls.__init__ = construct  # type: ignore[misc]
    return cls


def is_validated(cls: Any) -> bool:
    """Whether instances of exactly this class are checked when they are made."""
    return isinstance(cls, type) and hasattr(cls.__init__, "__demat_made__")  # type: ignore[misc]


def _is_of(construct: Any, cls: type) -> bool:
    found: Any = cls.__init__  # type: ignore[misc]
    return getattr(found, "__demat_own__", None) is construct


def _names(cls: Any) -> tuple[str, ...]:
    """The attributes that the constructor is given."""
    names = _attributes(cls)
    if names is None:
        raise TypeError(f"`validated` is for dataclasses and attrs classes, and {cls!r} is none")
    return names


def _attributes(cls: Any) -> tuple[str, ...] | None:
    if not isinstance(cls, type):
        return None
    if dataclasses.is_dataclass(cls):
        return tuple(field.name for field in dataclasses.fields(cls) if field.init)
    attributes = getattr(cls, "__attrs_attrs__", None)
    return tuple(own.name for own in attributes if own.init) if isinstance(attributes, tuple) else None


def _fields_of(cls: type, names: tuple[str, ...]) -> Check:
    """Checks an instance field by field."""
    found = _hints(cls)
    hints = {name: _of_value(found[name]) for name in names if found[name] not in (Any, object)}
    # The rules of scalars are checked together: a class of these attributes, by their own names, has them.
    ruled = [(name, hint) for name, hint in hints.items() if _is_ruled(hint)]
    checks = [(name, _check_of(get_args(hint)[0] if _is_ruled(hint) else hint)) for name, hint in hints.items()]
    rules: Any = dataclasses.make_dataclass(cls.__name__, ruled, kw_only=True, slots=True) if ruled else None

    def check(value: Any, path: str) -> None:
        for name, own in checks:
            own(getattr(value, name), f"{path}.{name}")
        if rules is not None:
            _converted({name: getattr(value, name) for name, _ in ruled}, rules, path)

    return check


def _is_ruled(hint: Any) -> bool:
    """Whether a type is that of a scalar, or None, with rules."""
    if get_origin(hint) is not Annotated:
        return False
    inner = get_args(hint)[0]
    parts = get_args(inner) if get_origin(inner) in (Union, types.UnionType) else (inner,)
    return all(isinstance(part, type) and not issubclass(part, _CONTAINERS) and not get_args(part) for part in parts)


_CONTAINERS: Final = (list, tuple, dict, set, frozenset)


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


def _check_of(hint: Any) -> Check:
    """Checks a value of a type: the parts of containers each by itself."""
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Annotated:
        return _annotated(parts[0], hint, parts[1:])
    if hint is None or hint is type(None):
        return lambda value, path: None if value is None else _refuse(value, "None", path)
    if hint in (Any, object):
        return lambda value, path: None
    if origin in (Union, types.UnionType):
        return _one_of(parts)
    if origin is tuple and parts[-1:] != (...,):
        return _tuple([_check_of(part) for part in parts], _name_of(hint))
    if isinstance(origin, type) and issubclass(origin, abc.Mapping):
        return _entries(_check_of(parts[0]), _check_of(parts[1]), origin, _name_of(hint))
    if isinstance(origin, type) and issubclass(origin, abc.Iterable) and not _attributes(origin):
        return _items(_check_of(parts[0]), origin, _name_of(hint))
    if isinstance(hint, type) and not parts:
        return _class(hint)
    return lambda value, path: _converted(value, hint, path)


def _class(cls: type) -> Check:
    """Checks an instance of a class: that it is one, and its fields, where nobody has checked them."""
    name = cls.__name__
    if cls is float:
        classes: tuple[type, ...] = (float, int)
    elif issubclass(cls, dict) or getattr(cls, "_is_protocol", False):
        # Of a TypedDict nothing is an instance.
        return lambda value, path: _converted(value, cls, path)
    else:
        classes = (cls,)
    fields: dict[type, Check] = {}
    scalar = _attributes(cls) is None

    def check(value: Any, path: str) -> None:
        if not isinstance(value, classes) or (value.__class__ is bool and cls in (int, float)):
            _refuse(value, name, path)
        if scalar or is_validated(type(value)):
            return
        own = type(value)
        found = fields.get(own)
        if found is None:
            found = fields[own] = _fields_of(own, _attributes(own) or ())
        found(value, path)

    return check


def _annotated(inner: Any, hint: Any, notes: tuple[Any, ...]) -> Check:
    own = _check_of(inner)
    if not any(isinstance(note, Field) for note in notes):
        return own
    origin = get_origin(inner) or inner
    if not (isinstance(origin, type) and issubclass(origin, abc.Collection) and not issubclass(origin, (str, bytes))):

        def check(value: Any, path: str) -> None:
            own(value, path)
            if value is not None:
                _converted(value, hint, path)

        return check
    # The only rules of a list or a dict are bounds on its length, so a list of that length stands for it.
    bare: Any = Annotated[(list[None], *notes)]

    def check_length(value: Any, path: str) -> None:
        own(value, path)
        _converted([None] * len(value), bare, path)

    return check_length


def _one_of(parts: tuple[Any, ...]) -> Check:
    others = [part for part in parts if part is not types.NoneType]
    if len(others) == 1 and len(parts) == 2:
        inner = _check_of(others[0])
        return lambda value, path: None if value is None else inner(value, path)
    checks = [_check_of(part) for part in parts]
    name = " | ".join(map(_name_of, parts))

    def check(value: Any, path: str) -> None:
        within: list[ValidationError] = []
        for own in checks:
            try:
                return own(value, path)
            except ValidationError as error:
                # One whose type does not fit says less than one of which something within, or a rule, is wrong.
                if error.path != path or error.expected is None:
                    within.append(error)
        if len(within) == 1:
            raise within[0]
        return _refuse(value, name, path)

    return check


def _tuple(checks: list[Check], name: str) -> Check:
    def check(value: Any, path: str) -> None:
        if not isinstance(value, tuple) or len(value) != len(checks):
            _refuse(value, name, path)
        for index, (own, item) in enumerate(zip(checks, value, strict=True)):
            own(item, f"{path}[{index}]")

    return check


def _items(own: Check, kind: type, name: str) -> Check:
    def check(value: Any, path: str) -> None:
        # An iterator would be used up.
        if not isinstance(value, kind) or isinstance(value, (str, bytes, abc.Iterator)):
            _refuse(value, name, path)
        for index, item in enumerate(value):
            own(item, f"{path}[{index}]")

    return check


def _entries(key: Check, own: Check, kind: type, name: str) -> Check:
    def check(value: Any, path: str) -> None:
        if not isinstance(value, kind):
            _refuse(value, name, path)
        for step, item in value.items():
            within = f"{path}.{step}" if isinstance(step, str) else f"{path}[{step!r}]"
            key(step, within)
            own(item, within)

    return check


def _converted(value: Any, hint: Any, path: str) -> None:
    """Checks a value as `convert` does, and that it was not converted."""
    try:
        made = _straight(value, hint)
        if made is NotImplemented:
            made = convert(value, hint)
    except Error as error:
        at = path + (error.path or "$")[1:]
        said = {name: getattr(error, name) for name in ("expected", "found", "value", "reason")}
        raise ValidationError(f"{error.reason} at `{at}`", path=at, **said) from None
    # Of rules it makes an instance of their own class.
    kind = dict if isinstance(value, dict) else type(made)
    if not isinstance(value, (kind, int) if kind is float else kind):
        _refuse(value, kind.__name__, path)


def _name_of(hint: Any) -> str:
    return hint.__name__ if isinstance(hint, type) and not get_args(hint) else str(hint)


def _refusal(value: Any, expected: str, path: str) -> ValidationError:
    # The encoder says it as all of Demat does: with the value, if it is a short one.
    found = type(value).__name__
    shown = repr(value) if isinstance(value, (int, float)) else f'"{value[:60]}"' if isinstance(value, str) else None
    reason = f"expected `{expected}`, found `{found}`" + (f" {shown}" if shown is not None else "")
    return ValidationError(
        f"{reason} at `{path}`", path=path, expected=expected, found=found, value=shown, reason=reason
    )


def _refuse(value: Any, expected: str, path: str) -> None:
    raise _refusal(value, expected, path)
