"""Scalars in texts: parameters of the query, headers, and fields of forms."""

from __future__ import annotations

from datetime import date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin
from uuid import UUID

from demat import _errors, json

from .._unset import UNSET

_SCALARS = (str, int, float, bool, date, datetime, time, timedelta, Decimal, UUID, Enum)
_LISTS = (list, set, frozenset)


def is_alias(annotation: Any) -> bool:
    """Whether it is `X` of `type X = …`."""
    return type(annotation).__name__ == "TypeAliasType"


def _meant(annotation: Any) -> Any:
    """What a new type or an alias (`type X = …`) stands for."""
    while True:
        if hasattr(annotation, "__supertype__"):
            annotation = annotation.__supertype__
        elif is_alias(annotation):
            annotation = annotation.__value__
        else:
            return annotation


def is_scalar(annotation: Any) -> bool:
    """Whether values of a type are read from a text."""
    annotation = _meant(annotation)
    origin = get_origin(annotation)
    if origin is Annotated:
        return is_scalar(get_args(annotation)[0])
    if origin is Union or origin is UnionType:
        return all(is_scalar(part) or part is NoneType for part in get_args(annotation))
    if origin is Literal:
        return True
    return isinstance(annotation, type) and issubclass(annotation, _SCALARS)


def item_of(annotation: Any) -> Any:
    """The type of the items of a list of scalars, which may be optional; UNSET if the type is no such list."""
    annotation = _meant(annotation)
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return item_of(parts[0])
    if origin is Union or origin is UnionType:
        lists = [part for part in parts if part is not NoneType]
        return item_of(lists[0]) if len(lists) == 1 else UNSET
    if origin in _LISTS and parts and is_scalar(parts[0]):
        return parts[0]
    if origin is tuple and len(parts) == 2 and parts[1] is Ellipsis and is_scalar(parts[0]):
        return parts[0]
    return UNSET


def called(place: str) -> str:
    """What a parameter in a place of the request is called."""
    return {"form": "field", "header": "header", "cookie": "cookie"}.get(place, "parameter")


def read(place: str, name: str, text: str, annotation: Any) -> Any:
    """Reads a text as a type. Raises ValidationError if it doesn't fit."""
    if annotation is Any or annotation is str:
        return text
    try:
        return json.decode(json.encode(text), annotation)
    except _errors.Error as error:
        failure = error
    # Numbers, bools and null are no strings in JSON, but what they look like. A parameter has no spaces around them.
    if text[:1] not in ('"', "[", "{", "") and text.strip() == text:
        try:
            return json.decode(text.encode(), annotation)
        except _errors.Error as error:
            # If it is no JSON, or the type takes texts, the first error says what was expected.
            if failure.found == "str" and _is_json(text):
                failure = error
    raise _errors.ValidationError(f"the {called(place)} `{name}`: {_reason(failure)}", reason=f"{name}: {text!r}")


def read_all(place: str, name: str, texts: list[str], item: Any, annotation: Any) -> Any:
    """Reads texts as a list of scalars. Raises ValidationError if one doesn't fit, or the list as a whole."""
    items = [read(place, name, text, item) for text in texts]
    try:
        return json.decode(json.encode(items), annotation)
    except _errors.Error as error:
        raise _errors.ValidationError(f"the values of `{name}`: {_reason(error)}", reason=name) from None


def _is_json(text: str) -> bool:
    try:
        json.decode(text.encode())
    except _errors.Error:
        return False
    return True


def _reason(error: _errors.Error) -> str:
    # A text has one line, and its beginning is no news.
    return str(error).removesuffix(" (line 1, column 1)")
