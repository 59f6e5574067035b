"""NumPy's arrays and scalars, for programs that have imported it: arrays are lists, scalars are what they hold.

Demat itself never imports NumPy.
"""

from __future__ import annotations

import base64
import sys
from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any, get_args

from .. import _native
from .._field import Field
from .._hook import Hook

# Bytes of the widest numbers that formats have.
_WIDEST = 8
# What a datetime64 counts: finer units have no text, and of none there is no time.
_UNITS = ("Y", "M", "W", "D", "h", "m", "s", "ms", "us", "ns")

if TYPE_CHECKING:
    from .describer import Describer
    from .nodes import Node
    from .scope import Scope


def node(describer: Describer, cls: type, tp: Any, arguments: tuple[Any, ...] | None, scope: Scope) -> Node | None:
    """The node for a class of arrays or of scalars; None for any other."""
    numpy = sys.modules.get("numpy")
    if numpy is None or not hasattr(numpy, "ndarray"):
        return None
    if issubclass(cls, numpy.ndarray):
        hook = _array(numpy, cls, arguments or ())
    elif issubclass(cls, numpy.generic):
        hook = _scalar(numpy, cls)
    else:
        return None
    if hook is None:
        raise describer.refusal(tp, "no data is a value of this class of NumPy")
    from . import hooks

    made = hooks.on_field(describer, hook, tp, scope)
    # What a hook writes is checked to be of the class, which the type with its arguments is not.
    return (*made[:2], cls, *made[3:])


def _array(numpy: Any, cls: type, arguments: tuple[Any, ...]) -> Hook | None:
    """How arrays of this class are read and written: `ndarray[shape, dtype[scalar]]`."""
    shape = get_args(arguments[0]) if arguments else ()
    depth = 0 if not shape or shape[-1] is Ellipsis else len(shape)
    given = get_args(arguments[1])[0] if len(arguments) > 1 and get_args(arguments[1]) else None
    scalar = given if isinstance(given, type) and issubclass(given, numpy.generic) else None
    item = _items(numpy, scalar)
    wire: Any = list[Any]
    if depth and item is not None:
        wire = item
        for _ in range(depth):
            wire = list[wire]

    def decode(read: Any) -> Any:
        made = _made(numpy, read, scalar)
        if depth and made.ndim != depth:
            raise ValueError(f"expected an array of {depth} dimensions, found one of {made.ndim}")
        return made if cls is numpy.ndarray else made.view(cls)

    return Hook(wire=wire, decode=decode, encode=lambda array: _written(numpy, array))


def _items(numpy: Any, scalar: type | None) -> Any:
    """The type of an array's items in the data; None if the class of scalars does not say it."""
    if scalar is None:
        return None
    if issubclass(scalar, numpy.timedelta64):
        return timedelta
    if issubclass(scalar, numpy.datetime64):
        return str | None
    for kind, item in (
        (numpy.bool_, bool),
        (numpy.integer, int),
        (numpy.floating, float),
        (numpy.complexfloating, complex),
        (numpy.str_, str),
        (numpy.bytes_, bytes),
    ):
        if issubclass(scalar, kind):
            return item
    return None


def _made(numpy: Any, read: Any, scalar: type | None) -> Any:
    """The array of what was read."""
    if not isinstance(read, list):
        raise ValueError(f"expected a list for an array, found `{type(read).__name__}`")
    items = numpy.asarray(read, dtype=object)
    kinds = set(map(type, items.ravel()))
    if list in kinds or dict in kinds:
        raise ValueError("expected lists of the same length for the rows of an array")
    if scalar is None:
        if kinds != {int, float} and (len(kinds) > 1 or type(None) in kinds):
            raise ValueError("expected items of one kind for an array, found several")
        return numpy.array(read)
    allowed, converted = _readable(numpy, scalar)
    if kinds - allowed:
        found = " or ".join(sorted(f"`{kind.__name__}`" for kind in kinds - allowed))
        raise ValueError(f"expected items of `{scalar.__name__}`, found {found}")
    if converted is not None:
        items = numpy.frompyfunc(converted, 1, 1)(items)
    try:
        with numpy.errstate(all="ignore"):
            made = items.astype(_dtype(numpy, scalar))
    except OverflowError as error:
        raise ValueError(f"expected items of `{scalar.__name__}`, found a larger number") from error
    if issubclass(scalar, numpy.floating) and numpy.isinf(made).any():
        # Formats without infinities have refused them, so an infinity is a number that is too large for the type.
        finite = [item for item in items.ravel() if item not in (float("inf"), float("-inf"))]
        if len(finite) > int(numpy.isfinite(made).sum()) + int(numpy.isnan(made).sum()):
            raise ValueError(f"expected items of `{scalar.__name__}`, found a larger number")
    return made


def _readable(numpy: Any, scalar: type) -> tuple[set[type], Callable[[Any], Any] | None]:
    """The classes of items that an array of these scalars is made of, and a function that converts them first."""
    if issubclass(scalar, numpy.timedelta64):
        return {timedelta, str}, _span
    if issubclass(scalar, numpy.datetime64):
        return {str, type(None)}, _moment
    if issubclass(scalar, numpy.bool_):
        return {bool}, None
    if issubclass(scalar, numpy.integer):
        return {int}, None
    if issubclass(scalar, numpy.floating):
        return {int, float}, None
    if issubclass(scalar, numpy.complexfloating):
        return {int, float, complex, str}, complex
    if issubclass(scalar, numpy.bytes_):
        return {bytes, str}, _bytes
    return ({str}, None) if issubclass(scalar, numpy.str_) else ({bool, int, float, str}, None)


def _dtype(numpy: Any, scalar: type) -> Any:
    # Without a unit a time has none that it can be read in.
    if scalar is numpy.datetime64:
        return "datetime64[us]"
    return "timedelta64[us]" if scalar is numpy.timedelta64 else scalar


def _moment(text: str | None) -> str:
    if text is None:
        return "NaT"
    if text.endswith(("Z", "z")) or "+" in text or text.count("-", 8) > 0:
        raise ValueError(f"expected a time without an offset for `datetime64`, found {text[:60]!r}")
    return text


def _span(span: timedelta | str) -> timedelta | str:
    # NumPy would wrap around.
    if isinstance(span, timedelta) and not -(2**63) < span // timedelta(microseconds=1) < 2**63:
        raise ValueError("expected a `timedelta64` of 64 bits of microseconds, found a longer one")
    return span


def _bytes(item: bytes | str) -> bytes:
    return item if isinstance(item, bytes) else base64.b64decode(item, validate=True)


def _written(numpy: Any, array: Any) -> Any:
    """What an array is encoded from: its memory where that holds numbers, which is lists of them; else lists."""
    kind, own = array.dtype.kind, array.__class__.tolist is numpy.ndarray.tolist
    if not own or not array.ndim or kind not in "biufM" or array.dtype.itemsize > _WIDEST:
        return _listed(numpy, array)
    unit = None
    if kind == "M":
        unit, count = numpy.datetime_data(array.dtype)
        if unit not in _UNITS:
            return _listed(numpy, array)
        if count > 1:
            # Not a multiple of a unit, but the unit.
            array = array.astype(f"datetime64[{unit}]")
    array = numpy.ascontiguousarray(array, array.dtype.newbyteorder("="))
    # A buffer has no datetime64.
    return _native.Numbers(array.view("i8") if unit else array, kind, unit)


def _listed(numpy: Any, array: Any) -> Any:
    """The items of an array as lists, in the order of its indices; of one without dimensions, the item."""
    kind = array.dtype.kind
    if kind in "?biuUSO":
        return array.tolist()
    if kind == "f":
        # The shortest digits that give the same number in the array's own width.
        narrow = array.dtype.itemsize < _WIDEST
        return (array.astype(str).astype(float) if narrow else _exact(numpy, array, float)).tolist()
    if kind == "c":
        return _exact(numpy, array, complex).tolist()
    if kind == "M":
        return _moments(numpy, array)
    if kind == "m":
        return _spans(numpy, array)
    raise TypeError(f"an array of `{array.dtype}` has no form in data; write its fields one by one")


def _each(change: Callable[[str], str | None], value: Any) -> Any:
    """The same lists with each item changed; of what is no list, the item."""
    return [_each(change, item) for item in value] if isinstance(value, list) else change(value)


def _exact(numpy: Any, array: Any, cls: type) -> Any:
    """The numbers as `float` or `complex`, which are narrower than a `longdouble`."""
    with numpy.errstate(over="ignore"):
        made = array.astype(cls)
    if ((made != array) & (array == array)).any():
        raise ValueError(f"a `{array.dtype}` that no 64-bit float is equal to; round it with `.astype({cls.__name__})`")
    return made


# The units of `datetime64` that are dates, and those that are times without seconds.
_DATES, _COARSE = ("Y", "M", "W", "D"), ("h", "m")
# The units whose 64 bits are less than the years 1 to 9999, and those of them that have more digits than formats.
_NEAR, _FINER = ("ns", "ps", "fs", "as"), ("ps", "fs", "as")


def _moments(numpy: Any, array: Any) -> Any:
    """The dates or times as text: in full, and of the years 1 to 9999, as all formats and `datetime` have them."""
    unit = numpy.datetime_data(array.dtype)[0]
    own = "D" if unit in _DATES else "s" if unit in _COARSE else "ns" if unit in _FINER else unit
    if unit != "generic":  # Only NaT has no unit.
        _near(numpy, array, unit)
        made = array.astype(f"datetime64[{own}]")
        if unit in _FINER and ((made != array) & ~numpy.isnat(array)).any():
            raise ValueError(f"a datetime64[{unit}] that is not whole nanoseconds, the finest that formats have")
        array = made
        # Several years are one unit, of which the first ones may be before the year 1.
        _near(numpy, array, own)
    return _each(_moment_text, numpy.datetime_as_string(array).tolist())


def _moment_text(text: str) -> str | None:
    """NumPy's text with as many digits of a second as a `datetime` has: none, three, six or nine."""
    if text == "NaT":
        return None
    whole, _, digits = text.partition(".")
    while digits.endswith("000"):
        digits = digits[:-3]
    return f"{whole}.{digits}" if digits else whole


def _near(numpy: Any, array: Any, unit: str) -> None:
    if unit in _NEAR:
        return
    # In the array's own unit, as another one may overflow.
    ends = "0001-01-01", "9999-12-31T23:59:59.999999"
    first, last = (numpy.datetime64(end, "us").astype(array.dtype) for end in ends)
    if ((array < first) | (array > last)).any():
        raise ValueError("a datetime64 outside the years 1 to 9999, which dates and times have")


def _spans(numpy: Any, array: Any) -> Any:
    """The spans of time as `timedelta`, which has days, seconds and microseconds."""
    unit = numpy.datetime_data(array.dtype)[0]
    if unit in ("Y", "M") or (unit == "generic" and not numpy.isnat(array).all()):
        found = "without a unit" if unit == "generic" else f"of {'years' if unit == 'Y' else 'months'}"
        raise ValueError(f"a timedelta64 {found} has no length in days or seconds, and no `timedelta`")
    if numpy.isnat(array).any():
        raise ValueError("a timedelta64 that is NaT is no `timedelta`")
    if unit in _NEAR:
        micros = array.astype("timedelta64[us]")
        if (micros != array).any():
            raise ValueError("a timedelta64 with parts of a microsecond has no exact `timedelta`")
        array = micros
    spans = array.tolist()
    # NumPy leaves what does not fit as an int.
    if any(type(span) is not timedelta for span in numpy.asarray(spans, dtype=object).ravel()):
        raise ValueError("a timedelta64 of more than 999,999,999 days, the most that a `timedelta` has")
    return spans


def _scalar(numpy: Any, cls: type) -> Hook | None:
    """How scalars of this class are read and written."""
    item = _items(numpy, cls)
    if item is None:
        return None
    if issubclass(cls, numpy.integer) and not issubclass(cls, numpy.timedelta64):
        limits = numpy.iinfo(cls)
        item = Annotated[int, Field(ge=int(limits.min), le=int(limits.max))]

    def decode(read: Any) -> Any:
        return _made(numpy, [read], cls)[0]

    return Hook(wire=item, decode=decode, encode=lambda value: _listed(numpy, numpy.asarray(value)))
