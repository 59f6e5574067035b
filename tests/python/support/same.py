"""Whether two values are the same: of the same classes, floats to the bit, dicts in the same order."""

import math
import struct


def same(one: object, other: object) -> bool:
    """Stricter than `==`, to which `1`, `1.0` and `True` are one, as are the zeros; iterative, for deep values."""
    pairs = [(one, other)]
    while pairs:
        left, right = pairs.pop()
        if type(left) is not type(right):
            return False
        if isinstance(left, float):
            if bits(left) != bits(right) and not (math.isnan(left) and math.isnan(right)):
                return False
        elif isinstance(left, (list, tuple)):
            if len(left) != len(right):
                return False
            pairs.extend(zip(left, right, strict=True))
        elif isinstance(left, dict):
            if list(left) != list(right):
                return False
            pairs.extend(zip(left.values(), right.values(), strict=True))
        elif left != right:
            return False
    return True


def bits(number: float) -> bytes:
    """The eight bytes of a float."""
    return struct.pack(">d", number)
