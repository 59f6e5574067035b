"""Functions as routes: what is asked becomes their arguments, and what they return the answer."""

from __future__ import annotations

import inspect
import sys
import traceback
from collections.abc import Callable
from importlib import import_module
from typing import Any, get_type_hints

from demat import _errors, _native, json

from .._schema.schema import schema

_FORMATS = {name: import_module(f"demat.{name}") for name in _native.FORMATS}
_SCALARS = (str, int, float, bool)


class Function:
    """A function as a route; it is called with what is asked, and gives status, media type and bytes."""

    __slots__ = ("_annotations", "_body", "_function", "_known", "_parameters", "_returns", "about", "asked", "methods")

    def __init__(self, function: Callable[..., Any], path: str, methods: list[str]) -> None:
        self._function = function
        signature = inspect.signature(function)
        self._annotations = get_type_hints(function, include_extras=True)
        self._returns = self._annotations.get("return", Any)
        names = [name[1:] for name in path.split("/") if name.startswith(":")]
        self._parameters = signature.parameters
        self._body: str | None = None
        self._known: frozenset[str] = frozenset()
        for name, parameter in self._parameters.items():
            if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
                raise TypeError(f"{_name(function)}: the parameter `{name}` can't be given by its name")
            if name in names:
                continue
            if name == "body" or not _is_scalar(self._annotations.get(name, str)):
                if self._body is not None:
                    raise TypeError(f"{_name(function)}: `{self._body}` and `{name}` can't both be the body")
                self._body = name
        for name in names:
            if name not in self._parameters:
                raise TypeError(f"{_name(function)}: there is no parameter for `:{name}` of the path")
        self.methods = [method.upper() for method in methods] or (["POST"] if self._body else ["GET"])
        others = [(name, own) for name, own in self._parameters.items() if name not in names and name != self._body]
        self.asked = [(name, own.default is own.empty, self._schema(name)) for name, own in others]
        self._known = frozenset(name for name, _ in others)
        self.about = (inspect.getdoc(function) or "").partition("\n")[0]

    def _schema(self, name: str) -> str:
        """What a parameter is read as, as JSON Schema."""
        said = schema(self._annotations.get(name, str))
        del said["$schema"]
        # What refers to another part of the schema can't stand in the description.
        return "{}" if "$defs" in said else json.encode(said).decode()

    def __call__(
        self,
        method: str,
        names: dict[str, str],
        query: dict[str, str],
        body: tuple[str, bytes] | None,
        wanted: str,
    ) -> tuple[int, str | None, bytes | None]:
        """Answers what is asked."""
        try:
            result = self.called(names, query, body)
            if result is None:
                return 204, None, None
            if isinstance(result, bytes | bytearray):
                return 200, "application/octet-stream", bytes(result)
            return _encoded(result, wanted if wanted in _FORMATS else "json")
        except _errors.NotFound as error:
            return _said(404, "store", str(error) or "not found")
        except PermissionError as error:
            # An errno means that the operating system raised it: a server error, which the client learns nothing about.
            return _broken() if error.errno is not None else _said(403, "store", str(error))
        except (_errors.DecodeError, _errors.LimitError) as error:
            return _wrong(error)
        except Exception:
            return _broken()

    def called(self, names: dict[str, str], query: dict[str, str], body: tuple[str, bytes] | None) -> Any:
        """What the function returns."""
        result = self._function(**self._arguments(names, query, body))
        if inspect.iscoroutine(result):
            from .loop import waited

            result = waited(result)
        return result

    def told(self, names: dict[str, str], query: dict[str, str], body: tuple[str, bytes] | None) -> bytes | None:
        """The same as JSON; nothing, where it returns nothing."""
        result = self.called(names, query, body)
        return None if result is None else json.encode(result)

    def _arguments(
        self, names: dict[str, str], query: dict[str, str], body: tuple[str, bytes] | None
    ) -> dict[str, Any]:
        arguments: dict[str, Any] = {}
        unknown = [name for name in query if name not in self._known]
        if unknown:
            raise _errors.ValidationError(f"there is no parameter `{unknown[0]}`")
        for name, parameter in self._parameters.items():
            annotation = self._annotations.get(name, Any)
            if name == self._body:
                if body is None:
                    if parameter.default is parameter.empty:
                        raise _errors.ValidationError("expected a body, found nothing")
                    continue
                form, data = body
                arguments[name] = data if annotation is bytes else _FORMATS[form].decode(data, annotation)
                continue
            text = names.get(name, query.get(name))
            if text is not None:
                arguments[name] = _read(name, text, annotation)
            elif parameter.default is parameter.empty:
                raise _errors.ValidationError(f"expected the parameter `{name}`, found nothing")
        return arguments


def _encoded(result: Any, form: str) -> tuple[int, str, bytes]:
    try:
        return 200, _native.content_type(form), _FORMATS[form].encode(result)
    except _errors.EncodeError:
        if form == "json":
            raise
        return _said(406, "encode", f"it can't be had as {_native.content_type(form)}")


def _broken() -> tuple[int, str, bytes]:
    """Answers 500 and prints the traceback to standard error; the client gets no details."""
    traceback.print_exc(file=sys.stderr)
    return _said(500, "io", "internal server error")


def _name(function: Callable[..., Any]) -> str:
    return getattr(function, "__qualname__", repr(function))


def _is_scalar(annotation: Any) -> bool:
    """Whether values of it are read from a text."""
    from datetime import date, datetime, time, timedelta
    from decimal import Decimal
    from enum import Enum
    from types import NoneType, UnionType
    from typing import Annotated, Literal, Union, get_args, get_origin
    from uuid import UUID

    origin = get_origin(annotation)
    if origin is Annotated:
        return _is_scalar(get_args(annotation)[0])
    if origin is Union or origin is UnionType:
        return all(_is_scalar(part) or part is NoneType for part in get_args(annotation))
    if origin is Literal:
        return True
    scalars = (*_SCALARS, date, datetime, time, timedelta, Decimal, UUID, Enum)
    return isinstance(annotation, type) and issubclass(annotation, scalars)


def _read(name: str, text: str, annotation: Any) -> Any:
    if annotation is Any or annotation is str:
        return text
    try:
        return json.decode(json.encode(text), annotation)
    except _errors.Error:
        pass
    # Numbers and bools are not texts of JSON, but what they look like.
    try:
        return json.decode(text.encode(), annotation)
    except _errors.Error as error:
        raise _errors.ValidationError(f"the parameter `{name}`: {error}", reason=f"{name}: {text!r}") from None


def _said(status: int, kind: str, message: str) -> tuple[int, str, bytes]:
    told = {"error": {"status": status, "kind": kind, "message": message}}
    return status, _native.content_type("json"), json.encode(told)


def _wrong(error: _errors.Error) -> tuple[int, str, bytes]:
    kind = kind_of(error)
    status = 400 if kind in ("syntax", "limit") else 422
    said: dict[str, Any] = {"status": status, "kind": kind, "message": str(error)}
    for name in ("path", "expected", "found", "line", "column"):
        value = getattr(error, name, None)
        if value is not None and value != "$":
            said[name] = value
    return status, _native.content_type("json"), json.encode({"error": said})


def kind_of(error: _errors.Error) -> str:
    """What kind of thing went wrong, by the word that answers have for it."""
    for class_, kind in (
        (_errors.ValidationError, "constraint"),
        (_errors.DecodeError, "syntax"),
        (_errors.LimitError, "limit"),
        (_errors.EncodeError, "encode"),
        (_errors.StoreError, "store"),
    ):
        if isinstance(error, class_):
            return kind
    return "constraint"
