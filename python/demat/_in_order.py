"""The order of a set's items in data, for equal bytes of equal sets."""

from __future__ import annotations

import datetime
import decimal
import uuid
from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from typing import Any

from . import json

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

    def written(item: Any) -> bytes:
        return json.encode(item, default=default, hooks=hooks, sort_keys=True, sort_sets=True, nonfinite="text")

    if all(map(_has_order, items)):
        try:
            return sorted(items)
        except TypeError:  # of several kinds
            pass
    return sorted(items, key=written)


def _has_order(item: Any) -> bool:
    if isinstance(item, tuple):
        return all(map(_has_order, item))
    if isinstance(item, _NUMBERS):
        return bool(item == item)
    return isinstance(item, _KINDS)
