"""`configure`: what is said once for a whole class."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal, TypeAlias, TypeVar, overload

    T = TypeVar("T", bound=type)
    Case: TypeAlias = Literal["camel", "pascal", "snake", "screaming_snake", "kebab", "lower", "upper"]
    Rename: TypeAlias = Case | Mapping[str, str] | Callable[[str], str]
    Unknown: TypeAlias = Literal["ignore", "forbid", "keep"]
else:

    def overload(function: object) -> object:
        return function


@overload
def configure(
    cls: None = None,
    /,
    *,
    rename: Rename | None = None,
    unknown: Unknown | None = None,
    tag: str | None = None,
    tag_value: str | int | None = None,
    gc: bool | None = None,
    omit_default: bool | None = None,
    omit_none: bool | None = None,
    array_like: bool | None = None,
) -> Callable[[T], T]: ...


@overload
def configure(  # noqa: F811
    cls: T,
    /,
    *,
    rename: Rename | None = None,
    unknown: Unknown | None = None,
    tag: str | None = None,
    tag_value: str | int | None = None,
    gc: bool | None = None,
    omit_default: bool | None = None,
    omit_none: bool | None = None,
    array_like: bool | None = None,
) -> T: ...


def configure(  # noqa: F811
    cls: Any = None,
    /,
    *,
    rename: Rename | None = None,
    unknown: Unknown | None = None,
    tag: str | None = None,
    tag_value: str | int | None = None,
    gc: bool | None = None,
    omit_default: bool | None = None,
    omit_none: bool | None = None,
    array_like: bool | None = None,
) -> Any:
    """Says how a class is read and written. A decorator, or a function for a class that is not yours.

    - `rename`: how its fields are called outside: `"camel"`, `"pascal"`, `"snake"`, `"kebab"`, `"screaming_snake"`,
      `"lower"`, `"upper"`; a function from a name to a name; or a mapping from attribute to name, for some. A field
      whose `Field` names it keeps that name.
    - `unknown`: what becomes of fields that the class does not have: `"ignore"`, which is what happens if nothing is
      said; `"forbid"`: an error; `"keep"`: kept in the dict that is marked `Field(rest=True)`, and written again
    - `tag`: the name of a field that says which class it is; in a union of such classes that field decides
    - `tag_value`: what stands there, a str or an int; the name of the class otherwise
    - `gc`: False: instances are not tracked by the cyclic collector, so cycles through them are never freed: only for
      classes whose instances can't be part of a cycle
    - `omit_default`: True: fields that equal their default are not written
    - `omit_none`: True: fields that are None are not written, and a missing field is None
    - `array_like`: True: instances are arrays of their fields in order, where a format has arrays, and its tag is the
      first item. Trailing items may be missing, and have their defaults; others than the fields' are unknown fields.
      For classes with attributes, not for named tuples and TypedDicts

    What is not given stays as it was. Subclasses inherit all but `tag_value`. In a call, options like `rename=` count
    for classes that say nothing themselves.

    Gives the class back, or the decorator. Raises TypeError or ValueError where an argument is none of these.

    >>> from dataclasses import dataclass
    >>> @configure(rename="camel", unknown="forbid")
    ... @dataclass
    ... class Task:
    ...     due_date: str
    >>> class Other:
    ...     pass
    >>> configure(Other, tag="kind")
    <class 'demat._configure.Other'>
    >>> from demat import json
    >>> @configure(array_like=True)
    ... @dataclass
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> json.encode(Point(1, 2)), json.decode("[1]", Point)
    (b'[1,2]', Point(x=1, y=0))
    """
    entries = {
        "rename": _rename(rename),
        "unknown": _unknown(unknown),
        "tag": _tag(tag),
        "tag_value": _tag_value(tag_value),
        "gc": _flag("gc", gc),
        "omit_default": _flag("omit_default", omit_default),
        "omit_none": _flag("omit_none", omit_none),
        "array_like": _flag("array_like", array_like),
    }
    entries = {name: value for name, value in entries.items() if value is not None}

    def declared(target: Any) -> Any:
        if not isinstance(target, type):
            raise TypeError(f"configure takes a class, not {target!r}")
        from ._declared import declare

        declare(target, entries)
        return target

    return declared if cls is None else declared(cls)


def _rename(rename: object) -> object:
    if rename is None or callable(rename):
        return rename
    if isinstance(rename, str):
        from ._case import CASES

        if rename not in CASES:
            raise ValueError(f"rename={rename!r} is none of {', '.join(map(repr, CASES))}")
        return rename
    if not hasattr(rename, "get"):
        raise TypeError(f"rename must be a str, a function or a mapping, not {type(rename).__name__}")
    return rename


def _unknown(unknown: object) -> object:
    if unknown not in (None, "ignore", "forbid", "keep"):
        raise ValueError(f"unknown={unknown!r} is none of 'ignore', 'forbid', 'keep'")
    return unknown


def _tag(tag: object) -> object:
    if tag is not None and not isinstance(tag, str):
        raise TypeError(f"tag must be the name of a field, not {type(tag).__name__}")
    return tag


def _tag_value(value: object) -> object:
    if value is not None and (not isinstance(value, (str, int)) or isinstance(value, bool)):
        raise TypeError(f"tag_value must be a str or an int, not {type(value).__name__}")
    return value


def _flag(name: str, value: object) -> object:
    if value is not None and not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return value
