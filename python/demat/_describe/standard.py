"""Classes of the standard library that are text or a list in the data: entries like those of `demat.hook`."""

from __future__ import annotations

import re
import sys
from typing import Any

from .._hook import Hook


def hook(tp: Any) -> Hook | None:
    """The entry of a class; None for any other.

    It imports nothing that the program has not imported: without the module there is no such class.
    """
    if tp is complex:
        return Hook(wire=str, decode=_complex, encode=_complex_text)
    if tp is range:
        return Hook(wire=list[int], decode=_range, encode=list)
    if tp is re.Pattern:
        return Hook(wire=str, decode=_pattern, encode=_pattern_text)
    if not isinstance(tp, type):
        return None
    if tp.__name__ == "Fraction" and tp.__module__ == "fractions":
        return Hook(wire=str, decode=_fraction, encode=str)
    pathlib = sys.modules.get("pathlib")
    if pathlib is not None and issubclass(tp, pathlib.PurePath):
        return Hook(wire=str, decode=tp, encode=str)
    return None


def _complex(text: str) -> complex:
    # Python's parser also accepts parentheses, spaces and underscores, which `_complex_text` never writes.
    if text.isascii() and not set(text) & set(" \t\n\r\v\f_()"):
        try:
            return complex(text)
        except ValueError:
            pass
    raise ValueError(f"expected a complex number such as `1+2j`, found {text[:60]!r}")


def _complex_text(value: complex) -> str:
    return str(value).strip("()")


_FRACTION = re.compile(r"-?[0-9]+(?:/[0-9]+)?")


def _fraction(text: str) -> Any:
    # `Fraction` itself also accepts `1e999999999`, whose digits fill the memory.
    if not _FRACTION.fullmatch(text):
        raise ValueError(f"expected a fraction such as `1/3`, found {text[:60]!r}")
    from fractions import Fraction

    numerator, _, denominator = text.partition("/")
    try:
        return Fraction(int(numerator), int(denominator or "1"))
    except ZeroDivisionError:
        raise ValueError(f"expected a fraction whose denominator is not zero, found {text[:60]!r}") from None


def _pattern(text: str) -> re.Pattern[str]:
    try:
        return re.compile(text)
    except (re.error, OverflowError, RecursionError) as error:
        raise ValueError(f"expected a regular expression, found {text[:60]!r}: {error}") from None


def _pattern_text(pattern: re.Pattern[Any]) -> str:
    text = pattern.pattern
    if not isinstance(text, str):
        raise TypeError("a pattern of bytes can't be written as text")
    if re.compile(text).flags != pattern.flags:
        raise ValueError("the flags of a pattern are not written; write them into it, as in `(?i)abc`")
    return text


def _range(items: list[int]) -> range:
    if not items:
        return range(0)
    step = items[1] - items[0] if len(items) > 1 else 1
    made = range(items[0], items[-1] + (1 if step > 0 else -1), step) if step else range(0)
    if len(made) != len(items) or any(one != item for one, item in zip(made, items, strict=True)):
        raise ValueError("expected the items of a range, with equal steps between them")
    return made
