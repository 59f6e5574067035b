"""Records: from what a class says about its fields to the dict that the native side compiles."""

from __future__ import annotations

import itertools
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from .._unset import UNSET
from . import annotated, arrays, binding, omitted
from .aliases import nested
from .configured import configured
from .draft import Draft, FieldDraft
from .metadata import COLUMN, NOTES, settings
from .naming import distinct, names
from .nodes import Node, bare, frozen, title
from .places import noted
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer

Drafter = Callable[[Any, type, dict[type, Any], int], Draft]


def node(describer: Describer, cls: type, arguments: tuple[Any, ...] | None, scope: Scope, draft: Drafter) -> Node:
    """The node for a class with these arguments, described now if it has not been before."""
    own = binding.given(describer, cls, arguments, scope)
    values = [describer.late(value) for value in own.values()]
    key = (cls, frozen(tuple(map(_tupled, values))))
    index = describer.index.get(key)
    if index is None:
        index = len(describer.records)
        describer.index[key] = index
        describer.records.append(None)
        name = cls.__name__
        if arguments:
            name += f"[{', '.join(title(node, describer.records) for node in _flat(values))}]"
        with nested(describer, cls), describer.within(name):
            drafted = draft(describer, cls, {**binding.bases(describer, cls, own), cls: own}, index)
            describer.records[index] = _record(describer, cls, name, drafted)
    return ("record", index)


def _tupled(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _flat(values: list[Any]) -> list[Node]:
    return [node for value in values for node in (value if isinstance(value, list) else [value])]


def scope_of(cls: type, bindings: dict[type, Any], index: int) -> Scope:
    """The scope of what stands in a class that the one being described is or inherits from."""
    own = bindings.get(cls, {})
    return Scope(cls, None, {"Self": ("record", index), **(own if isinstance(own, dict) else {})})


def _record(describer: Describer, cls: type, name: str, draft: Draft) -> dict[str, Any]:
    said = configured(cls)
    is_array = arrays.is_one(describer, draft, said)
    fields = [_field(describer, draft, field, number, said) for number, field in enumerate(draft.fields, 1)]
    _renumber(fields)
    distinct(describer, fields)
    record = {
        "cls": cls,
        "name": name,
        "make": draft.make,
        "fields": fields,
        "unknown": _unknown(describer, fields, said.get("unknown", draft.unknown)),
        "post_init": draft.post_init,
        "gc": said.get("gc", True),
        **({"array_like": True} if is_array else {}),
        # What was said, until `tags` settles what comes of it.
        "tag": (said.get("tag", draft.tag), said.get("tag_value", draft.tag_value)),
    }
    if is_array:
        arrays.check(describer, record)
    for field in fields:
        del field["rest"]
    return record


def _renumber(fields: list[dict[str, Any]]) -> None:
    """Gives the field that keeps unknown ones another number, if its position is the number of one that has a say."""
    others = {field["number"] for field in fields if not field["rest"]}
    for position, field in enumerate(fields, 1):
        if field["rest"] and field["number"] == position and position in others:
            # It is never written under its own number. 19000 to 19999 are Protocol Buffers' own.
            field["number"] = next(n for n in itertools.count(1) if n not in others and not 19000 <= n < 20000)


def _field(
    describer: Describer, draft: Draft, field: FieldDraft, number: int, config: dict[str, Any]
) -> dict[str, Any]:
    with describer.at(f".{field.name}"):
        peeled = annotated.peel(describer, field.type, field.scope)
        peeled.metadata = (*field.metadata, *peeled.metadata)
        said, _ = settings(describer, peeled.type, peeled.metadata)
        outer, describer.unset = describer.unset, False
        node = annotated.dressed(describer, peeled) if field.node is None else field.node
        may_be_unset, describer.unset = describer.unset, outer
        key, read = names(describer, field, said, config.get("rename", describer.options.get("rename")))
        rest = said.get("rest", False)
        made: dict[str, Any] = {
            "name": field.name,
            "key": key,
            "read": () if rest else read,
            "number": said.get("number", number),
            "node": node,
            "required": True,
            "init": field.init,
            "omit": None,
            "rest": rest,
        }
        _default(describer, draft, field, said, made)
        if "NotRequired" in peeled.qualifiers and "default" not in made and "factory" not in made:
            made["required"] = False
        if "Required" in peeled.qualifiers:
            made["required"] = True
        _rest(describer, made)
        if arrays.is_one(describer, draft, config):
            arrays.field(describer, said)
        else:
            omitted.default(describer, field, said, config, made)
            omitted.none(describer, draft, said, config, made)
        unset = getattr(sys.modules.get("msgspec"), "UNSET", None)
        if unset is not None and (may_be_unset or made.get("default") is unset):
            made["unset"] = unset
        if describer.notes:
            made["notes"] = {name: said[name] for name in (*NOTES, *COLUMN) if name in said}
        places = tuple(noted(said, node))
        if places:
            made["places"] = places
        return made


def _default(describer: Describer, draft: Draft, field: FieldDraft, said: dict[str, Any], made: dict[str, Any]) -> None:
    """What stands there where the field is missing: what the class says, else what its `Field` says."""
    default, factory = field.default, field.factory
    if default is UNSET and factory is None and field.init is not None:
        default, factory = said.get("default", UNSET), said.get("factory")
        if draft.make == "validate" and (default is not UNSET or factory is not None):
            raise describer.wrong("a pydantic model has to know its own defaults: give it there")
    if default is not UNSET:
        made["default"] = default
    elif factory is not None:
        made["factory"] = factory
    made["required"] = default is UNSET and factory is None and not field.may_miss and field.init is not None


def _rest(describer: Describer, made: dict[str, Any]) -> None:
    if not made["rest"]:
        return
    if bare(made["node"])[0] != "dict" or made["node"][0] != "dict" or made["node"][2] not in (("str",), ("any",)):
        raise describer.wrong("the field that keeps the rest has to be a dict with str keys")
    made["required"] = False
    if "default" not in made and "factory" not in made:
        made["factory"] = dict


def _unknown(describer: Describer, fields: list[dict[str, Any]], said: str | None) -> str | int:
    rest = [index for index, field in enumerate(fields) if field["rest"]]
    if len(rest) > 1:
        raise describer.wrong("two fields are marked to keep the rest, and only one can")
    if rest:
        if said in ("forbid", "ignore"):
            raise describer.wrong(f"it has a field that keeps unknown fields, and is configured to {said} them")
        return rest[0]
    # The call's option is for classes that say nothing.
    becomes: str = said or describer.options.get("unknown") or "ignore"
    if becomes == "keep":
        advice = "rest: Annotated[dict[str, Any], Field(rest=True)]"
        raise describer.wrong(f'`unknown="keep"` needs a field to keep them in, like `{advice}`')
    return becomes
