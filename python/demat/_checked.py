"""Formats a type's constraints as `check` notes of a shape, which every entry point enforces."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_LOWER = ("ge", "gt")


def said(kind: str, name: str, bound: Any) -> str:
    """Returns the note for a constraint on values of `kind`. It accepts exactly what Python's comparison accepts.

    If the kind can't express a bound, the note has the nearest bound that decides the same.

    >>> said("int", "gt", 0.5), said("int", "ge", 3), said("float", "le", 0.1)
    ('gt 0', 'ge 3', 'le 0.1')
    """
    if name in ("min_length", "max_length", "pattern"):
        return f"{name} {bound}"
    if name == "multiple_of":
        return f"{name} {bound!r}" if isinstance(bound, float) else f"{name} {bound}"
    if kind == "timedelta":
        return f"{name} {_duration(bound)}"
    if kind not in ("int", "float", "decimal"):
        return f"{name} {bound.isoformat()}"
    from decimal import Decimal

    if isinstance(bound, bool):
        bound = int(bound)
    exact = bound if isinstance(bound, Decimal) else Decimal(bound)
    if exact.is_infinite():
        return f"{name} {'-' if exact < 0 else ''}inf"
    if kind == "decimal":
        return f"{name} {exact}"
    if kind == "int":
        return _whole(name, bound)
    return _float(name, exact)


def _whole(name: str, bound: Any) -> str:
    import math

    if bound == int(bound):
        return f"{name} {int(bound)}"
    # The bound is fractional, so no int equals it.
    rounded = math.ceil if name in ("ge", "lt") else math.floor
    return f"{name} {rounded(bound)}"


def _float(name: str, exact: Any) -> str:
    import math
    from decimal import Decimal

    near = float(exact)
    if math.isinf(near) or Decimal(near) == exact:
        return f"{name} {int(exact) if exact == exact.to_integral_value() and abs(exact) < 2**53 else repr(near)}"
    if name in _LOWER:
        return f"ge {near if Decimal(near) > exact else math.nextafter(near, math.inf)!r}"
    return f"le {near if Decimal(near) < exact else math.nextafter(near, -math.inf)!r}"


def _duration(bound: Any) -> str:
    micros = (bound.days * 86_400 + bound.seconds) * 1_000_000 + bound.microseconds
    sign, micros = ("-" if micros < 0 else ""), abs(micros)
    return f"{sign}PT{micros // 1_000_000}.{micros % 1_000_000:06}S"


def one_of(values: list[Any]) -> str:
    """Returns the note that allows only these values."""
    return f"one_of [{', '.join(map(_literal, values))}]"


def _literal(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    if isinstance(value, int):
        return str(int(value))
    text = str(value).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'
