"""Classes whose instances are arrays of their fields: `configure(array_like=True)`, and msgspec's option."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .describer import Describer
    from .draft import Draft

_OMITTED = ("omit_default", "omit_none")


def is_one(describer: Describer, draft: Draft, config: dict[str, Any]) -> bool:
    """Whether instances are arrays. Raises TypeError where they can't be."""
    declared = config.get("array_like")
    if declared is None:
        return bool(draft.array_like)
    if draft.make == "tuple":
        raise describer.wrong("`array_like` is not for named tuples, which are arrays anyway")
    if draft.make == "dict":
        raise describer.wrong(
            "`array_like` is not for TypedDicts: at run time nothing tells their instances from dicts"
        )
    if declared:
        for name in _OMITTED:
            if config.get(name):
                raise describer.wrong(f"`{name}` is not for array_like classes: their items go by position")
    return bool(declared)


def field(describer: Describer, said: dict[str, Any]) -> None:
    """Refuses what a field can't be in an array."""
    for name in _OMITTED:
        if said.get(name):
            raise describer.wrong(f"`{name}` is not for fields of array_like classes: their items go by position")


def check(describer: Describer, record: dict[str, Any]) -> None:
    """Refuses a record that can't be an array."""
    if isinstance(record["unknown"], int):
        raise describer.wrong("items of an array have no names, so an array_like class can't keep the rest")
