"""The description of a function for OpenAPI."""

from __future__ import annotations

import inspect
from types import NoneType, UnionType
from typing import TYPE_CHECKING, Annotated, Any, NoReturn, Union, get_args, get_origin

from demat import _native, json

from .._describe import describe
from .._schema.json_schema import json_schema
from .._unset import UNSET
from .formats import readable, writable
from .generated import as_iterable
from .response import EMPTY, Response

if TYPE_CHECKING:
    from .components import Components, Schema
    from .signature import Parameter, Signature

_JSON = "application/json"
_BYTES = "application/octet-stream"
# OpenAPI ignores parameters of these names; they are described otherwise.
_UNDESCRIBED = ("accept", "content-type", "authorization")


class Answered:
    """What a function returns: the type of its value, and which statuses and formats an answer may have."""

    __slots__ = ("formats", "is_bytes", "is_open", "statuses", "type")

    def __init__(self, returns: Any, status: int | None) -> None:
        parts = [part for part in get_args(returns) if part is not NoneType]
        is_optional = get_origin(returns) in (Union, UnionType) and len(parts) == 1
        if is_optional and (parts[0] is Response or get_origin(parts[0]) is Response):
            returns = parts[0]  # which may be without a value anyway
        # Whether the function itself may choose status and content.
        self.is_open = returns is Response or get_origin(returns) is Response
        if self.is_open:
            returns = get_args(returns)[0] if get_args(returns) else Any
        self.type, may_be_none = _without_none(as_iterable(returns))
        has_value = self.type is not UNSET
        self.is_bytes = has_value and self.type in (bytes, bytearray)
        # The statuses, and whether an answer of it has a value.
        self.statuses: dict[int, bool] = {}
        if has_value:
            self.statuses[status or 200] = True
        if may_be_none:
            self.statuses.setdefault(status or 204, False)
        if has_value and self.type is not Any and status in EMPTY:
            raise ValueError(f"an answer of status {status} has no value, but the function returns one")
        self.formats = writable(self.type) if has_value and not self.is_bytes else list(_native.FORMATS)


def _without_none(returns: Any) -> tuple[Any, bool]:
    """The type of the value (UNSET: there is none), and whether there may be none."""
    if returns is None or returns is NoneType or returns is NoReturn:
        return UNSET, True
    if returns is Any:
        return Any, True
    if get_origin(returns) is Annotated:
        inner, may_be_none = _without_none(get_args(returns)[0])
        return (inner if inner is UNSET else returns), may_be_none
    if get_origin(returns) in (Union, UnionType) and NoneType in get_args(returns):
        return Union[tuple(part for part in get_args(returns) if part is not NoneType)], True  # noqa: UP007
    return returns, False


def described(
    function: Any, signature: Signature, answered: Answered, methods: list[str], components: Components
) -> dict[str, Any]:
    """The Operation Object of a function. Raises TypeError for types that can't be described."""
    summary, _, text = (inspect.getdoc(function) or "").partition("\n")
    operation: dict[str, Any] = {"operationId": getattr(function, "__name__", type(function).__name__)}
    if summary and not isinstance(function, type) and inspect.isroutine(function):
        operation["summary"] = summary
        if text.strip():
            operation["description"] = text.strip()
    places = ("path", "query", "header", "cookie")
    parameters = [
        _parameter(parameter, components) for parameter in signature.parameters.values() if parameter.place in places
    ]
    parameters = [own for own in parameters if own["in"] != "header" or own["name"].lower() not in _UNDESCRIBED]
    if parameters:
        operation["parameters"] = parameters
    body = _body(signature, components)
    takes_body = body is not None and any(method not in ("GET", "HEAD", "DELETE") for method in methods)
    if takes_body:
        operation["requestBody"] = body
    operation["responses"] = _responses(signature, answered, takes_body, components)
    return operation


def schema_of(annotation: Any, components: Components, *, written: bool = False) -> Schema:
    """The schema of a type, with its classes as components."""
    return components.placed(json_schema(*describe(annotation, notes=True), written=written))


def _parameter(parameter: Parameter, components: Components) -> dict[str, Any]:
    schema = _shown(parameter, components)
    said = {"description": schema.pop("description")} if "description" in schema else {}
    return {
        "name": parameter.name,
        "in": parameter.place,
        "required": parameter.place == "path" or parameter.required,
        **said,
        "schema": schema,
    }


def _shown(parameter: Parameter, components: Components) -> Schema:
    schema = dict(schema_of(parameter.annotation, components))
    default = _default(parameter.default)
    if default is not UNSET and default is not None:
        schema["default"] = default
    return schema


def _default(default: Any) -> Any:
    """A default as JSON has it; UNSET if it has none."""
    if default is UNSET:
        return UNSET
    try:
        return json.decode(json.encode(default))
    except Exception:
        # A default that JSON does not have is still a default; only the description leaves it out.
        return UNSET


def _body(signature: Signature, components: Components) -> dict[str, Any] | None:
    forms = signature.forms()
    if forms:
        return _form(forms, components)
    body = signature.body
    if body is None:
        # A function that gets the request itself takes any body.
        return {"content": {"*/*": {}}} if signature.takes_request else None
    if body.is_bytes:
        return {"required": body.default is UNSET, "content": {_BYTES: {}}}
    others = [_native.content_type(name) for name in readable(body.annotation) if name != "json"]
    also = f", or the same as {', '.join(others)}" if others else ""
    return {
        "description": f"As JSON{also}.",
        "required": body.default is UNSET,
        "content": {_JSON: {"schema": schema_of(body.annotation, components)}},
        "x-also": others,
    }


def _form(forms: list[Parameter], components: Components) -> dict[str, Any]:
    properties: dict[str, Schema] = {}
    for field in forms:
        file = {"type": "string", "format": "binary", "contentMediaType": _BYTES}
        if not field.is_file:
            properties[field.name] = _shown(field, components)
        elif field.item is UNSET:
            properties[field.name] = file
        else:
            properties[field.name] = {"type": "array", "items": file}
    required = [field.name for field in forms if field.required]
    schema: Schema = {"type": "object", "properties": properties, "additionalProperties": False}
    if required:
        schema["required"] = required
    kinds = ["multipart/form-data"]
    if not any(field.is_file for field in forms):
        kinds.append("application/x-www-form-urlencoded")
    return {"required": bool(required), "content": {kind: {"schema": schema} for kind in kinds}}


def _responses(signature: Signature, answered: Answered, takes_body: bool, components: Components) -> dict[str, Any]:
    responses: dict[str, Any] = {}
    for status, has_value in answered.statuses.items():
        if not has_value:
            responses[str(status)] = {"description": "Done; there is no value."}
        elif answered.is_bytes:
            responses[str(status)] = {"description": "The bytes.", "content": {_BYTES: {}}}
        else:
            schema = schema_of(answered.type, components, written=True)
            # A JSON schema does not apply to other formats.
            content = {
                _native.content_type(name): {"schema": schema} if name == "json" else {} for name in answered.formats
            }
            responses[str(status)] = {"description": "What the function returns.", "content": content}
    failures = ["400", "404", "406"]
    if signature.parameters or takes_body:
        failures.append("422")
    if takes_body:
        failures += ["413", "415"]
    for failure in sorted(failures):
        responses[failure] = {"$ref": f"#/components/responses/E{failure}"}
    # A function may choose any status (`Response`), or refuse with one (`HTTPError`).
    if answered.is_open:
        responses["default"] = {"description": "Another answer of the function."}
    else:
        responses["default"] = {"$ref": "#/components/responses/Other"}
    return responses
