"""Names: what a field is called outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from .._case import CASES, renamed
from .draft import FieldDraft

if TYPE_CHECKING:
    from .describer import Describer


def names(describer: Describer, field: FieldDraft, said: dict[str, Any], rename: Any) -> tuple[str, tuple[str, ...]]:
    """The name that a field is written by, and those that it is read by, the likeliest first."""
    usual = _renamed(describer, field.name, rename) if field.key is None else field.key
    key = said.get("write", said.get("name", usual))
    read: tuple[str, ...]
    if "name" in said or "read" in said:
        read = (*((said["name"],) if "name" in said else ()), *said.get("read", ()))
    else:
        read = (usual,) if field.read is None else field.read
    return key, tuple(dict.fromkeys(read))


def _renamed(describer: Describer, name: str, rename: Any) -> str:
    if rename is None:
        return name
    if isinstance(rename, str):
        if rename not in CASES:
            raise describer.wrong(f"rename={rename!r} is none of {', '.join(map(repr, CASES))}")
        return renamed(name, rename)
    made = rename.get(name, name) if isinstance(rename, Mapping) else rename(name)
    if not isinstance(made, str):
        raise describer.wrong(f"renaming the field `{name}` gave a {type(made).__name__} and not a str")
    return made


def distinct(describer: Describer, fields: list[dict[str, Any]]) -> None:
    """Refuses fields that could not be told apart: of one name, when read or written, or of one number."""
    read: dict[str, str] = {}
    written: dict[str, str] = {}
    numbers: dict[int, str] = {}
    for field in fields:
        for name in field["read"]:
            _once(describer, read, name, field["name"], f"the fields `{{}}` and `{{}}` are both read as `{name}`")
        if field["read"]:
            key = field["key"]
            _once(describer, written, key, field["name"], f"the fields `{{}}` and `{{}}` are both written as `{key}`")
        number = field["number"]
        reason = (
            f"the fields `{{}}` and `{{}}` both have the number {number}; a field's number is its position, if not said"
        )
        _once(describer, numbers, number, field["name"], reason)


def _once(describer: Describer, seen: dict[Any, str], key: Any, name: str, reason: str) -> None:
    if key in seen:
        raise describer.wrong(reason.format(seen[key], name))
    seen[key] = name
