"""What `Annotated[T, ...]` carries beside the type: Fields and Hooks, and what others have that says the same."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .._field import NOTED, Field
from .._hook import Hook

if TYPE_CHECKING:
    from .describer import Describer

# What is said to single places: of a column, of the wire, of an element.
COLUMN = ("key", "unique", "index", "references", "sql", "was", "wire", "oneof", *NOTED)
FIELD_ONLY = ("name", "read", "write", "number", "default", "factory", "rest", "omit_default", "omit_none", *COLUMN)
CHECKS = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern")
NOTES = ("title", "description", "examples")

# Of these two one is enough, and the outer one replaces the inner.
_RIVALS = {"ge": "gt", "gt": "ge", "le": "lt", "lt": "le", "default": "factory", "factory": "default"}

# What of pydantic's metadata changes or replaces values by functions of the user's.
_FUNCTIONS = ("BeforeValidator", "PlainValidator", "WrapValidator", "PlainSerializer", "WrapSerializer")


def settings(describer: Describer, tp: Any, metadata: Iterable[Any]) -> tuple[dict[str, Any], Hook | None]:
    """All that the metadata says, by the names of `Field`, and the hook; what comes later is further out, and wins."""
    merged: dict[str, Any] = {}
    hook = None
    for part in metadata:
        if isinstance(part, Hook):
            if describer.is_for(part):
                hook = part
            continue
        if part is Field or part is Hook:
            raise describer.refusal(tp, f"`{part.__name__}` stands there without brackets; write `{part.__name__}(…)`")
        given = part.given() if isinstance(part, Field) else _foreign(describer, tp, part)
        for name, value in given.items():
            merged.pop(_RIVALS.get(name, ""), None)
            merged[name] = value
    return merged, hook


def only_on_fields(describer: Describer, tp: Any, merged: dict[str, Any]) -> None:
    """Refuses what only a field of a class can have: elsewhere it would be lost without a word."""
    for name in FIELD_ONLY:
        if name in merged:
            raise describer.refusal(tp, f"`{name}` says something about a field of a class, and this is none")


def _foreign(describer: Describer, tp: Any, part: Any) -> dict[str, Any]:
    cls = type(part)
    module = cls.__module__.partition(".")[0]
    if module == "msgspec" and cls.__name__ == "Meta":
        return _told(part, (*CHECKS, *NOTES, "tz"))
    if module == "annotated_types":
        return _of_annotated_types(describer, tp, part)
    if module == "pydantic":
        return _of_pydantic(describer, tp, part)
    return {}


def _told(part: Any, names: Iterable[str]) -> dict[str, Any]:
    found = {name: getattr(part, name, None) for name in names}
    found = {name: getattr(value, "pattern", value) for name, value in found.items() if value is not None}
    # 0 is the least length anyway, and is what some write for "no limit".
    return {name: value for name, value in found.items() if (name, value) != ("min_length", 0)}


def _of_annotated_types(describer: Describer, tp: Any, part: Any) -> dict[str, Any]:
    match type(part).__name__:
        case "Timezone":
            return {"tz": part.tz is not None}
        case "Predicate" | "Not" if not describer.validating:
            raise describer.refusal(tp, "Demat can't apply a Predicate; use a hook")
    return _told(part, CHECKS)


def _of_pydantic(describer: Describer, tp: Any, part: Any) -> dict[str, Any]:
    name = type(part).__name__
    if name in _FUNCTIONS or (name == "AfterValidator" and not describer.validating):
        raise describer.refusal(tp, f"only pydantic applies its {name}; use a hook")
    if name != "FieldInfo":
        return _told(part, CHECKS)
    # Where a FieldInfo stands in an annotation of a list's items, say, and not in the class's own fields.
    merged, _ = settings(describer, tp, part.metadata)
    merged.update(_told(part, NOTES))
    if isinstance(part.discriminator, str):
        merged["tag"] = part.discriminator
    return merged
