"""pydantic's models (version 2 and later), recognised by what they are made with: pydantic is never imported here.

A model is asked to validate what Demat read, so its own rules hold. What it says about its fields decides how they are
read: a field that Demat has no description for is read as it stands, and left to the model.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from .._field import Field
from . import annotated, records
from .configured import configured
from .draft import Draft, FieldDraft
from .nodes import ANY, Node
from .pydantic_bytes import as_configured
from .scope import Scope

if TYPE_CHECKING:
    from .describer import Describer


def is_one(cls: type) -> bool:
    """Whether it is a model."""
    return hasattr(cls, "__pydantic_decorators__") and hasattr(cls, "model_validate")


def node(describer: Describer, cls: Any, arguments: tuple[Any, ...] | None, scope: Scope) -> Node:
    """The node for a model: a record, if its fields say all there is to know; else a hook that leaves all to it."""
    if cls.__module__ in ("pydantic.main", "pydantic.root_model"):
        raise describer.refusal(cls, "it is what models inherit from, and has no fields of its own")
    if not getattr(cls, "__pydantic_complete__", True):
        cls.model_rebuild(raise_errors=False)
        if not cls.__pydantic_complete__:
            raise describer.refusal(cls, "pydantic has not found all types of its fields; see its `model_rebuild`")
    is_root = getattr(cls, "__pydantic_root_model__", False)
    if _has_say(cls) or is_root:
        _refuse_settings(describer, cls)
    if _has_say(cls):
        return ("hook", ANY, cls, cls.model_validate, _dumped, ANY)
    if is_root:
        inner = _described(describer, cls.model_fields["root"], Scope(cls), cls.model_config)
        return ("hook", inner, cls, cls.model_validate, _root, inner)
    return records.node(describer, cls, arguments, scope, _draft)


def _refuse_settings(describer: Describer, cls: Any) -> None:
    """Refuses what `configure` says about fields of a model that reads and writes them itself."""
    for name, value in configured(cls).items():
        if name != "gc" and value is not False:
            reason = "it reads and writes itself as a whole, so say it to pydantic"
            raise describer.wrong(f"`{name}` of `configure` is not for `{cls.__name__}`: {reason}")


def _dumped(model: Any) -> Any:
    return model.model_dump(mode="json", by_alias=True)


def _root(model: Any) -> Any:
    return model.root


def _has_say(cls: Any) -> bool:
    """Whether it has rules for the whole of what is read or written, so that only it can do either."""
    own = cls.__pydantic_decorators__
    if own.model_serializers or own.field_serializers or own.computed_fields or own.root_validators:
        return True
    if any(decorator.info.mode != "after" for decorator in own.model_validators.values()):
        return True
    config = cls.model_config
    if config.get("extra") == "allow" or config.get("json_encoders"):
        return True
    return any(field.exclude or _names(field) is None for field in cls.model_fields.values())


def _draft(describer: Describer, cls: Any, bindings: dict[type, Any], index: int) -> Draft:
    config = cls.model_config
    before = _validated_before(cls)
    fields = []
    for name, field in cls.model_fields.items():
        read = _names(field) or (name,)
        if config.get("validate_by_alias") is False:
            read = (name,)
        elif config.get("populate_by_name") or config.get("validate_by_name"):
            read = (*read, name)
        with describer.at(f".{name}"):
            inner = _described(describer, field, Scope(cls), config)
        if before & {name, "*"}:
            # A validator that comes before the type wants what stands there, whatever it is.
            inner = ("hook", ANY, object, None, None, inner)
        draft = FieldDraft(
            name=name,
            type=Any,
            scope=Scope(cls),
            init=read[0],
            key=field.serialization_alias or field.alias or name,
            read=read,
            may_miss=not field.is_required(),
            metadata=(Field(title=field.title, description=field.description, examples=field.examples),),
            node=inner,
        )
        _default(draft, field)
        fields.append(draft)
    return Draft("validate", fields, unknown="forbid" if config.get("extra") == "forbid" else None)


def _described(describer: Describer, field: Any, scope: Scope, config: Any) -> Node:
    """The node of a field; where there is none, whatever stands there, and what pydantic makes of it for writing."""
    metadata = tuple(field.metadata)
    if isinstance(field.discriminator, str):
        metadata += (Field(tag=field.discriminator),)

    def describe() -> Node:
        if field.discriminator is not None and not isinstance(field.discriminator, str):
            raise describer.refusal(field.annotation, "a function of the model's decides which of them it is")
        peeled = annotated.peel(describer, field.annotation, scope)
        peeled.metadata = (*peeled.metadata, *metadata)
        return annotated.dressed(describer, peeled)

    before, describer.validating = describer.validating, True
    found = describer.attempt(describe)
    describer.validating = before
    if found is not None:
        return as_configured(found, config)
    return ("hook", ANY, object, None, sys.modules["pydantic_core"].to_jsonable_python, ANY)


def _validated_before(cls: Any) -> set[str]:
    """The names of the fields that have a validator before their type's own; `*` for all."""
    own = cls.__pydantic_decorators__
    late = [decorator for decorator in own.field_validators.values() if decorator.info.mode != "after"]
    old = [decorator for decorator in own.validators.values() if decorator.info.mode != "after"]
    return {name for decorator in (*late, *old) for name in decorator.info.fields}


def _names(field: Any) -> tuple[str, ...] | None:
    """The names that it is read by, none for its own; None where they are paths, which only the model can follow."""
    alias = field.validation_alias or field.alias
    choices = (() if alias is None else (alias,)) if not hasattr(alias, "choices") else tuple(alias.choices)
    return choices if all(isinstance(choice, str) for choice in choices) else None


def _default(draft: FieldDraft, field: Any) -> None:
    if field.default_factory is not None:
        if not field.default_factory_takes_validated_data:
            draft.factory = field.default_factory
    elif not field.is_required():
        draft.default = field.default
