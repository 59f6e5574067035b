"""`convert` and `to_builtins`: Python's own objects in, objects of a type or builtins out, with no text in between."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TypeVar, get_args, get_origin

from . import _native
from ._errors import EncodeError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Literal

    from typing_extensions import TypeForm

    from ._hook import Hook

_T = TypeVar("_T")


def convert(
    value: object,
    type: TypeForm[_T],
    *,
    strict: bool = True,
    times: Literal["lenient", "seconds", "milliseconds"] | None = None,
    errors: int | Literal["first", "all"] = "first",
    unknown: Literal["ignore", "forbid", "keep"] | None = None,
    rename: str | Callable[[str], str] | Mapping[str, str] | None = None,
    hooks: Mapping[type[Any], Hook] | None = None,
    default: Callable[[Any], Any] | None = None,
    accept_single: bool = False,
) -> _T:
    """Returns a value as an object of a type: dicts become dataclasses, one class's object becomes another's.

    It is `decode` for what is no text: checks, defaults, hooks, `strict=False` and paths in errors are the same. The
    input is anything that Demat encodes: builtins, dataclasses, attrs classes, TypedDicts, enums, dates; and rows:
    named tuples, and objects with `keys()` and items, such as those of `sqlite3.Row` and a DataFrame's; and NumPy's
    arrays. A field of an object has the name that it is encoded by. Dates, decimals, UUIDs and bytes are read as they
    are, and from text.

    - `type`: the type of the result, as in `decode`
    - `strict`: False also takes `"12"` for an int, `1` for a bool, and so on
    - `times`: "lenient" also takes other texts for a datetime, such as a date alone; "seconds" and "milliseconds" also
      numbers since 1970
    - `errors`: "all" or a number to raise so many errors together
    - `unknown`: "forbid" refuses fields that the class does not have; None leaves it to the class
    - `rename`: the names of fields of classes that don't say so themselves
    - `hooks`: hooks of classes for this call alone
    - `default`: returns what to read in place of an object of an unknown class
    - `accept_single`: True reads a single value as a list of one where the type is a list

    Raises `demat.ValidationError` for a value that does not fit the type, with the path; `demat.EncodeError` for an
    object of an unknown class; TypeError for a type that can't be described.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Task:
    ...     id: int
    ...     title: str
    ...     done: bool = False
    >>> convert({"id": 1, "title": "Rest"}, Task)
    Task(id=1, title='Rest', done=False)
    >>> convert([{"id": "1", "title": "Rest"}], list[Task], strict=False)
    [Task(id=1, title='Rest', done=False)]
    >>> convert({"id": 1, "title": None}, Task)
    Traceback (most recent call last):
    demat.ValidationError: expected `str`, found `None` at `$.title`
    """
    usual = strict and times is None and errors == "first" and unknown is None and rename is None and hooks is None
    if usual and accept_single is False:
        straight: _T = _native.convert_straight(value, type)
        if straight is not NotImplemented:
            return straight
    reading = {
        "strict": strict,
        "times": times,
        "errors": errors,
        "unknown": unknown,
        "rename": rename,
        "hooks": hooks,
        "accept_single": accept_single,
    }
    writing = {"hooks": hooks, "default": _parts(default)}
    converted: _T = _native.convert(value if _is_tuple(type) else _named(value), type, reading, writing)
    return converted


def to_builtins(
    value: object,
    *,
    type: TypeForm[Any] | None = None,
    rename: str | Callable[[str], str] | Mapping[str, str] | None = None,
    hooks: Mapping[type[Any], Hook] | None = None,
    default: Callable[[Any], Any] | None = None,
    omit_default: bool = False,
    omit_none: bool = False,
    sort_sets: bool = False,
) -> Any:
    """Returns a value as builtins: objects become dicts of their encoded fields, enums their values, all lists lists.

    Values that have a class of their own in Python stay what they are: dates and times, timedeltas, decimals, UUIDs,
    bytes. The options are those of `encode`: `type` checks the value; `rename`, `hooks`, `default`, `omit_default`,
    `omit_none` and `sort_sets` are for this call alone.

    Raises `demat.EncodeError` for an object of an unknown class and for a value that is not of `type`.

    >>> from dataclasses import dataclass
    >>> from datetime import date
    >>> @dataclass
    ... class Task:
    ...     id: int
    ...     due: object
    >>> to_builtins([Task(1, date(2024, 2, 29))])
    [{'id': 1, 'due': datetime.date(2024, 2, 29)}]
    """
    unchecked = type is None and rename is None and hooks is None and default is None
    if unchecked and omit_default is False and omit_none is False and sort_sets is False:
        straight = _native.builtins_straight(value)
        if straight is not NotImplemented:
            return straight
    writing = {
        "type": type,
        "rename": rename,
        "hooks": hooks,
        "default": default,
        "omit_default": omit_default,
        "omit_none": omit_none,
        "sort_sets": sort_sets,
    }
    return _native.convert(value, Any, {}, writing)


def _parts(default: Callable[[Any], Any] | None) -> Callable[[Any], Any]:
    """Returns a function that makes dicts of rows, and leaves all other objects to `default`."""

    def parts(value: Any) -> Any:
        if callable(getattr(value, "keys", None)) and hasattr(value, "__getitem__"):
            return {key: value[key] for key in value.keys()}  # noqa: SIM118 - no dict
        if hasattr(value, "__array__") and hasattr(value, "tolist"):
            return value.tolist()
        if default is not None:
            return default(value)
        name = f"{value.__class__.__module__}.{value.__class__.__qualname__}"
        raise EncodeError(f"can't convert an object of the class `{name}`; say how with `default=` or a hook")

    return parts


def _named(value: object) -> object:
    """Returns a row as a dict, and a list of rows as one of dicts: encoders take rows that are sequences for lists."""
    if isinstance(value, list) and value and _is_row(value[0]):
        return [_row(item) if _is_row(item) else item for item in value]
    return _row(value) if _is_row(value) else value


def _is_row(value: Any) -> bool:
    """Whether a value is a sequence with names: a named tuple, or a row of a database."""
    return isinstance(value, Sequence) and (hasattr(value, "_asdict") or callable(getattr(value, "keys", None)))


def _row(row: Any) -> dict[str, Any]:
    return row._asdict() if hasattr(row, "_asdict") else {key: row[key] for key in row.keys()}  # noqa: SIM118 - no dict


def _is_tuple(wanted: Any) -> bool:
    """Whether a type, or that of a list's items, is a tuple, which is read from a list."""
    if get_origin(wanted) is list:
        (wanted,) = get_args(wanted)
    wanted = get_origin(wanted) or wanted
    return not isinstance(wanted, type) or issubclass(wanted, (tuple, list, set, frozenset))
