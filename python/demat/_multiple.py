"""Whether a number is a multiple of another, as people mean it who write numbers in decimals."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from decimal import Decimal


def is_multiple(value: int | float | Decimal, factor: int | float | Decimal) -> bool:
    """Whether `value` is a whole number of times `factor`, exactly, whatever the size of both.

    A float is taken as the shortest decimal that says it: 19.99 is a multiple of 0.01, which in binary it is not. No
    more digits are made than there are in the two, so that an exponent of a million costs nothing.

    >>> is_multiple(19.99, 0.01), is_multiple(19.995, 0.01)
    (True, False)
    """
    if isinstance(value, int) and isinstance(factor, int):
        return value % factor == 0
    whole, exponent = _parts(value)
    divisor, scale = _parts(factor)
    exponent -= scale
    if exponent >= 0:
        return whole * pow(10, exponent, divisor) % divisor == 0
    # Each of these tens has to be in the digits of the value; there are not more of them than digits.
    return whole == 0 or (-exponent < whole.bit_length() and whole % (divisor * 10**-exponent) == 0)


def _parts(number: int | float | Decimal) -> tuple[int, int]:
    """Two ints, without a sign, of which the number is the first times ten to the power of the second."""
    if isinstance(number, int):
        return abs(number), 0
    from decimal import Decimal

    _, digits, exponent = (number if isinstance(number, Decimal) else Decimal(repr(number))).as_tuple()
    if not isinstance(exponent, int):
        raise ValueError(f"{number} is no multiple of anything")
    # Not by way of a str, of which `int` takes a few thousand digits only.
    return int(Decimal((0, digits, 0))), exponent
