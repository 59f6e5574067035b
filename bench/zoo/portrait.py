"""What is compared: a record of any engine's class as nested tuples, each value beside its type.

`True == 1 == 1.0` in Python, but an answer must have the type as well as the value.
"""

import types
from collections.abc import Callable
from enum import Enum
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

from typing_extensions import is_typeddict

from zoo.plain import hints, tag_of

Portrait = Callable[[Any], Any]


def leaf(value: Any) -> Any:
    """A scalar; a text needs no type beside it, as no other value is equal to one."""
    return value if value is None or type(value) is str else (type(value).__name__, value)


@cache
def portrait(wanted: Any) -> Portrait:
    """The function for values of a type: classes of other engines need the same attributes only."""
    origin, arguments = get_origin(wanted), get_args(wanted)
    if origin is list:
        item = portrait(arguments[0])
        return lambda value: listed(value, item)
    if origin is dict:
        return lambda value: keyed(value, portrait(arguments[1]))
    if origin in (Union, types.UnionType):
        rest = [argument for argument in arguments if argument is not type(None)]
        if len(rest) == 1:
            return lambda value: None if value is None else portrait(rest[0])(value)
        by_name = {cls.__name__: cls for cls in rest}
        return lambda value: (type(value).__name__, portrait(by_name[type(value).__name__])(value))
    if (
        origin is Literal
        or wanted.__module__ in ("builtins", "datetime", "decimal", "uuid")
        or issubclass(wanted, Enum)
    ):
        return leaf
    if is_typeddict(wanted):
        return lambda value: keyed(value, leaf)
    return record(wanted)


def listed(value: Any, item: Portrait) -> list[Any]:
    """A list, of the very class."""
    if type(value) is not list:
        raise TypeError(f"expected a list, found {type(value)}")
    return [item(one) for one in value]


def keyed(value: Any, item: Portrait) -> dict[str, Any]:
    """A dict, of the very class; the order of the keys counts for nothing."""
    if type(value) is not dict:
        raise TypeError(f"expected a dict, found {type(value)}")
    return {key: item(one) for key, one in value.items()}


def record(cls: Any) -> Portrait:
    """All attributes but the tag, which some engines keep in the class."""
    tag = tag_of(cls)
    names = [name for name in hints(cls) if name != tag]
    parts: list[Portrait] = []

    def view(value: Any) -> tuple[Any, ...]:
        # At the first record, since a class may contain itself.
        if not parts:
            parts.extend(portrait(hints(cls)[name]) for name in names)
        return tuple([part(getattr(value, name)) for name, part in zip(names, parts, strict=True)])

    return view
