"""What the constraints of a `Field` may be, checked when the field is made and not when the first value comes."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LOWER = ("ge", "gt")
_UPPER = ("le", "lt")


def check(given: dict[str, Any]) -> None:
    """Raises TypeError or ValueError where the constraints among `given` are of a wrong type or can't all hold."""
    for name in (*_LOWER, *_UPPER):
        if name in given:
            _comparable(name, given[name])
    if "multiple_of" in given:
        _positive(given["multiple_of"])
    for name in ("min_length", "max_length"):
        if name in given:
            _length(name, given[name])
    for pair in (_LOWER, _UPPER):
        if all(name in given for name in pair):
            raise ValueError(f"{pair[0]} and {pair[1]} both bound the same side; give one of them")
    _order(given)
    if "pattern" in given:
        _pattern(given["pattern"])


def _comparable(name: str, bound: object) -> None:
    if isinstance(bound, (int, float)) and not isinstance(bound, bool):
        if bound != bound:
            raise ValueError(f"{name} is not a number, which nothing compares with")
        return
    import datetime
    import decimal

    if isinstance(bound, decimal.Decimal):
        if bound.is_nan():
            raise ValueError(f"{name} is not a number, which nothing compares with")
        return
    if not isinstance(bound, (datetime.date, datetime.time, datetime.timedelta)):
        raise TypeError(f"{name} must be a number, a date, a time or a timedelta, not {type(bound).__name__}")


def _positive(bound: object) -> None:
    import decimal

    if not isinstance(bound, (int, float, decimal.Decimal)) or isinstance(bound, bool):
        raise TypeError(f"multiple_of must be a number, not {type(bound).__name__}")
    if not 0 < bound < float("inf"):
        raise ValueError(f"multiple_of must be finite and more than 0, not {bound!r}")


def _length(name: str, bound: object) -> None:
    if not isinstance(bound, int) or isinstance(bound, bool):
        raise TypeError(f"{name} must be an int, not {type(bound).__name__}")
    if bound < 0:
        raise ValueError(f"{name} must be 0 or more, not {bound}")


def _order(given: dict[str, Any]) -> None:
    if "min_length" in given and "max_length" in given and given["min_length"] > given["max_length"]:
        raise ValueError("min_length is more than max_length: nothing has such a length")
    lower = next((given[name] for name in _LOWER if name in given), None)
    upper = next((given[name] for name in _UPPER if name in given), None)
    if lower is None or upper is None:
        return
    try:
        empty = lower > upper or (lower == upper and ("gt" in given or "lt" in given))
    except TypeError:
        raise TypeError(f"the bounds {lower!r} and {upper!r} can't be compared with each other") from None
    if empty:
        raise ValueError(f"no value lies between {lower!r} and {upper!r}")


def _pattern(pattern: object) -> None:
    import re

    if not isinstance(pattern, str):
        raise TypeError(f"pattern must be a str or a compiled pattern of one, not {type(pattern).__name__}")
    try:
        re.compile(pattern)
    except re.error as error:
        raise ValueError(f"pattern {pattern!r} is no regular expression: {error}") from None
