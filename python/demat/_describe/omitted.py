"""Which fields are left out of what is written: those that equal their default, and those that are None."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .nodes import Node

if TYPE_CHECKING:
    from .describer import Describer
    from .draft import Draft, FieldDraft

_NULL = ("any", "none", "optional")
# Values of these may be None, or what stands for them in data: only the field itself can say so.
_NULLABLE = (*_NULL, "hook", "named")


def default(
    describer: Describer, field: FieldDraft, said: dict[str, Any], config: dict[str, Any], made: dict[str, Any]
) -> None:
    """Notes that a field is left out where it equals its default: if it or its class says so, else if the call does."""
    wanted = config.get("omit_default", field.omit_default or describer.options.get("omit_default"))
    wanted = said.get("omit_default", wanted)
    if "default" in made or "factory" in made:
        made["omit"] = "default" if wanted else None
    elif said.get("omit_default"):
        raise describer.wrong("`omit_default` is for fields with a default")


def none(
    describer: Describer, draft: Draft, said: dict[str, Any], config: dict[str, Any], made: dict[str, Any]
) -> None:
    """Notes that a field is left out where it is None.

    If the field or its class says so, a missing field is read as None. A call that writes decides about itself only.
    """
    declared = said.get("omit_none", config.get("omit_none"))
    if declared and not _nullable(made["node"], _NULLABLE if "omit_none" in said else _NULL):
        if "omit_none" in said:
            raise describer.wrong("`omit_none` is for fields that may be None")
        return
    if declared:
        _reads_none(describer, draft, made)
    if declared or (declared is None and describer.options.get("omit_none") and _nullable(made["node"], _NULLABLE)):
        made["omit_none"] = True


def _nullable(node: Node, kinds: tuple[str, ...]) -> bool:
    while node[0] in ("checked", "noted"):
        node = node[1]
    return node[0] in kinds or (node[0] == "literal" and None in node[1])


def _reads_none(describer: Describer, draft: Draft, made: dict[str, Any]) -> None:
    """Makes None the default of a field that has no other, as it is what a field that was left out had been."""
    if "factory" in made or made.get("default") is not None:
        advice = "so None could not be read back; say `Field(omit_none=False)`"
        raise describer.wrong(f"`omit_none`: where the field is missing it is its default, {advice}")
    if draft.make == "tuple":
        raise describer.wrong("`omit_none` is not for named tuples: their items go by position")
    if not made["required"]:
        return
    if draft.make == "validate":
        raise describer.wrong("`omit_none`: a pydantic model has to know its own defaults: give it `= None`")
    made["default"] = None
    made["required"] = False
