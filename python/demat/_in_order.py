"""The order of a set's items in data, for equal bytes of equal sets."""

from __future__ import annotations

import datetime
import decimal
import threading
import uuid
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from . import _errors, json

# The orders of sets that are within one that is being sorted, by their identities.
_sorting = threading.local()
_NUMBERS = (int, float, decimal.Decimal)
# Values of one of these have one order, whatever order they come in.
_KINDS = (str, bytes, datetime.datetime, datetime.date, datetime.time, datetime.timedelta, uuid.UUID, tuple)


def in_order(
    items: AbstractSet[Any], default: Callable[[Any], Any] | None, hooks: Mapping[type[Any], Any] | None
) -> list[Any]:
    """The items of a set in an order that depends on nothing but the items.

    Numbers, texts, bytes, dates, times and UUIDs stand in their own order, and so do tuples of them. Other items, and
    those of several kinds, stand in the order of their JSON. `default` and `hooks` are those of the call.

    >>> in_order({10, 9.5, True}, None, None)
    [True, 9.5, 10]
    >>> in_order({"b", 1, "a"}, None, None)
    ['a', 'b', 1]
    """

    if len(items) < 2:
        return list(items)

    def written(item: Any) -> bytes:
        if isinstance(item, frozenset):
            # Not by `json.encode`, which would come back here, and double the work at each level.
            return b"[" + b",".join(text for text, _ in pairs(item)) + b"]"
        try:
            return json.encode(item, default=default, hooks=hooks, sort_keys=True, sort_sets=True, nonfinite="text")
        except _errors.EncodeError as error:
            advice = (
                "a hook of the annotation does not count for the order of a set: say it by `demat.hook` or `hooks=`"
            )
            raise _errors.EncodeError(f"{error}; {advice}") from error

    def pairs(items: AbstractSet[Any]) -> list[tuple[bytes, Any]]:
        known = _sorted(items)
        if known is not None:
            return [(written(item), item) for item in known]
        # Different items may have equal JSON, such as a date and its text.
        return sorted(((written(item), item) for item in items), key=lambda pair: (pair[0], type(pair[1]).__qualname__))

    known = _sorted(items)
    if known is not None:
        return known
    # The encoder asks again for the sets within an item, at each level: they are sorted once.
    outer = getattr(_sorting, "orders", None)
    orders: dict[int, tuple[Any, list[Any]]] = {} if outer is None else outer
    if id(items) not in orders:
        _sorting.orders = orders
        try:
            order = [item for _, item in pairs(items)]
            # The set is kept, since another one may get the identity of one that is gone.
            orders[id(items)] = items, order
        finally:
            _sorting.orders = outer
    return list(orders[id(items)][1])


def _sorted(items: AbstractSet[Any]) -> list[Any] | None:
    """The items in their own order; None if they have none."""
    if all(map(_has_order, items)):
        try:
            return sorted(items)
        except TypeError:  # of several kinds
            pass
    return None


def _has_order(item: Any) -> bool:
    if isinstance(item, tuple):
        return all(map(_has_order, item))
    if isinstance(item, _NUMBERS):
        return bool(item == item)
    return isinstance(item, _KINDS)
