"""Functions as routes: a request becomes their arguments, and what they return the answer."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable
from contextlib import ExitStack
from importlib import import_module
from typing import Any

from demat import _errors, _native, json

from .._unset import UNSET
from . import scalars
from .components import Components
from .dependencies import called, closing
from .formats import readable
from .generated import gone_through, is_once
from .operation import Answered, described
from .queries import Rows
from .request import Headers, Request
from .response import EMPTY, FAULTS, HTTPError, Response, header_lines
from .signature import Body, Parameter, Signature
from .upload import opened

_FORMATS = {name: import_module(f"demat.{name}") for name in _native.FORMATS}

# Method, path, query, headers, address of the client, roles.
Head = tuple[str, str, str, list[tuple[str, bytes]], str, list[str]]
# A text of a form; or a file: its name, media type, length, and bytes or handle.
FormValue = str | tuple[str, str | None, int, bytes | int]
# The format of a body (None: it is passed on as it is) and its bytes, or the fields of a form.
Sent = tuple[str | None, bytes] | list[tuple[str, FormValue]]
# Status, media type, bytes, and further headers.
Answer = tuple[int, str | None, bytes | None, list[tuple[str, str]]]


class Function:
    """A function as a route; called with a request, it returns the status, media type, bytes and headers."""

    __slots__ = ("_answered", "_function", "_signature", "_status", "methods", "operation", "takes")

    def __init__(
        self,
        function: Callable[..., Any],
        path: str,
        methods: list[str],
        components: Components | None = None,
        status: int | None = None,
    ) -> None:
        own: Any = function
        if type(own).__hash__ is None:
            function = own.__call__  # a method has a hash, whatever its object has
        self._function = function
        names = [name[1:] for name in path.split("/") if name.startswith(":")]
        self._signature = signature = Signature(function, names)
        self._answered = Answered(signature.returns, status)
        self._status = status
        has_body = signature.body is not None or bool(signature.forms())
        self.methods = [method.upper() for method in methods] or (["POST"] if has_body else ["GET"])
        if has_body and (signature.body is None or signature.body.default is UNSET):
            without = [method for method in self.methods if method in ("GET", "HEAD", "DELETE")]
            if without:
                raise TypeError(f"{without[0]} {path} has no body, and its function takes one")
        # The description, as JSON.
        self.operation = json.encode(
            described(function, signature, self._answered, self.methods, components or Components())
        )
        # What the server checks before it calls: see `Function` of the native module.
        self.takes: dict[str, Any] = {
            "query": [(own.name, own.item is not UNSET) for own in signature.of("query")],
            "headers": [own.name for own in signature.of("header")],
            "body": self._body_kind(),
            "formats": self._body_formats(),
            "fields": [(own.name, own.item is not UNSET, own.is_file) for own in signature.forms()],
            "answers": self._answered.formats,
            "is_open": self._answered.is_open or self._answered.is_bytes or self._answered.type is Any,
            "head": signature.takes_request or bool(signature.of("header") or signature.of("cookie")),
        }

    @property
    def asked(self) -> list[str]:
        """The names of the query that it takes."""
        return [own.name for own in self._signature.of("query")]

    def _body_kind(self) -> str:
        signature = self._signature
        if signature.forms():
            return "form"
        if signature.body is None:
            return "any" if signature.takes_request else "none"
        return "any" if signature.body.is_bytes else "value"

    def _body_formats(self) -> list[str]:
        body = self._signature.body
        return readable(body.annotation) if self._body_kind() == "value" and body is not None else []

    def __call__(
        self, names: dict[str, str], query: list[tuple[str, str]], sent: Sent | None, head: Head | None, wanted: str
    ) -> Answer:
        """Answers a request."""
        try:
            return self._answer(names, query, sent, head, wanted)
        except HTTPError as error:
            return *_said(error.status, "store", error.message), header_lines(error.headers)
        except _errors.NotFound as error:
            return *_said(404, "store", str(error) or "not found"), []
        except PermissionError as error:
            # An errno means that the operating system raised it: a server error, which the client learns nothing about.
            return *(_broken() if error.errno is not None else _said(403, "store", str(error))), []
        except (_errors.DecodeError, _errors.LimitError) as error:
            return *_wrong(error), []
        except Exception:
            return *_broken(), []

    def _answer(
        self, names: dict[str, str], query: list[tuple[str, str]], sent: Sent | None, head: Head | None, wanted: str
    ) -> Answer:
        def act(stack: ExitStack) -> Answer:
            values = self._values(names, query, sent, head, stack)
            request = _request(head, sent) if self._signature.takes_request and head is not None else None
            # Generators are closed after this, so that what they commit counts before the client is told.
            result = called(self._function, self._signature, values, request, stack)
            return self._encoded(result, wanted, stack)

        return closing(act)

    def told(self, names: dict[str, str], query: dict[str, str], body: tuple[str | None, bytes] | None) -> bytes | None:
        """What the function returns, as JSON; None, where it returns None."""
        unknown = [name for name in query if ("query", name) not in self._signature.parameters]
        if unknown:
            raise _errors.ValidationError(f"there is no parameter `{unknown[0]}`")

        def act(stack: ExitStack) -> bytes | None:
            values = self._values(names, list(query.items()), body, None, stack)
            result = called(self._function, self._signature, values, None, stack)
            if isinstance(result, Response):
                raise TypeError("a function of a store returns a value, and no Response")
            return None if result is None else json.encode(gone_through(result, stack), **self._typed())

        try:
            return closing(act)
        except HTTPError as error:
            if error.status not in FAULTS:
                raise
            refused = _errors.StoreError(error.message)
            refused._fault = FAULTS[error.status]
            raise refused from error

    def _values(
        self,
        names: dict[str, str],
        query: list[tuple[str, str]],
        sent: Sent | None,
        head: Head | None,
        stack: ExitStack,
    ) -> dict[Parameter | Body, Any]:
        """The arguments that the request has. All are checked before anything is called."""
        texts: dict[tuple[str, str], list[Any]] = {("path", name): [value] for name, value in names.items()}
        for name, value in query:
            texts.setdefault(("query", name), []).append(value)
        if head is not None:
            _add_head(texts, head[3])
        if isinstance(sent, list):
            for name, field in sent:
                own: Any = field
                if not isinstance(field, str):
                    own = opened(*field)
                    stack.callback(own.file.close)
                texts.setdefault(("form", name), []).append(own)
        values: dict[Parameter | Body, Any] = {}
        for key, parameter in self._signature.parameters.items():
            there = texts.get(key)
            if there is not None:
                values[parameter] = _value(parameter, there)
            elif parameter.required:
                raise _errors.ValidationError(
                    f"expected the {scalars.called(parameter.place)} `{parameter.name}`, found nothing"
                )
        body = self._signature.body
        if body is not None and sent is not None and not isinstance(sent, list):
            form, data = sent
            values[body] = data if body.is_bytes else _FORMATS[form or "json"].decode(data, body.annotation)
        elif body is not None and body.is_bytes and body.default is UNSET:
            values[body] = b""  # of an empty file nothing is sent
        elif body is not None and body.default is UNSET:
            raise _errors.ValidationError("expected a body, found nothing")
        return values

    def _typed(self) -> dict[str, Any]:
        """The type of the value, if it is annotated: it says more than the value's class, such as tags of unions."""
        type_ = self._answered.type
        return {} if type_ is UNSET or type_ is Any else {"type": type_}

    def _encoded(self, result: Any, wanted: str, stack: ExitStack) -> Answer:
        status, lines, media_type = self._status, [], None
        if isinstance(result, Response):
            status, lines, media_type = result.status or status, result.lines(), result.media_type
            result = result.value
        if result is None:
            return status or 204, None, None, lines
        status = status or 200
        if status in EMPTY:
            raise ValueError(f"an answer of status {status} has no value, but the function returned one")
        if media_type is not None:
            return status, media_type, result.encode() if isinstance(result, str) else bytes(result), lines
        if isinstance(result, bytes | bytearray):
            return status, "application/octet-stream", bytes(result), lines
        result = gone_through(result, stack)
        if is_once(result) and wanted != "json":
            result = list(result)  # since JSON is tried if the format can't hold it
        # An error that the function tells is no value of its type.
        typed = {} if status >= 400 else self._typed()
        try:
            return status, _native.content_type(wanted), _FORMATS[wanted].encode(result, **typed), lines
        except _errors.EncodeError:
            rows = result.representable() if isinstance(result, Rows) else None
            if rows is not None:
                return status, _native.content_type(wanted), _FORMATS[wanted].encode(rows), lines
            if wanted == "json":
                raise
        # What JSON can't have either is a fault of the function.
        json.encode(result, **typed)
        raise HTTPError(406, f"it can't be had as {_native.content_type(wanted)}")


def _value(parameter: Parameter, there: list[Any]) -> Any:
    """The value of a parameter from the texts, or the files, of its name."""
    place, name = parameter.place, parameter.name
    if parameter.is_file:
        return there[0] if parameter.item is UNSET else there
    if parameter.item is UNSET:
        if len(there) > 1:
            raise _errors.DecodeError(f"the {scalars.called(parameter.place)} `{name}` is said twice")
        return scalars.read(place, name, there[0], parameter.annotation)
    return scalars.read_all(place, name, there, parameter.item, parameter.annotation)


def _add_head(texts: dict[tuple[str, str], list[Any]], headers: list[tuple[str, bytes]]) -> None:
    """Adds the texts of headers and cookies."""
    for name, value in headers:
        texts.setdefault(("header", name), []).append(_header_text(value))
        if name == "cookie":
            for part in _header_text(value).split(";"):
                own, is_one, text = part.strip(" \t").partition("=")
                if is_one:
                    if len(text) > 1 and text[0] == text[-1] == '"':
                        text = text[1:-1]
                    texts.setdefault(("cookie", own), []).append(text)


def _header_text(value: bytes) -> str:
    # Headers are ASCII; other bytes are UTF-8 by custom, and Latin-1 by an old one.
    try:
        return value.decode()
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _request(head: Head, sent: Sent | None) -> Request:
    method, path, query, headers, client, roles = head
    own = Headers([(name, _header_text(value)) for name, value in headers])
    body = b"" if sent is None else None if isinstance(sent, list) else sent[1]
    return Request(method, path, query, own, client, body, frozenset(roles))


def _broken() -> tuple[int, str, bytes]:
    """Answers 500 and prints the traceback to standard error; the client gets no details."""
    traceback.print_exc(file=sys.stderr)
    return _said(500, "io", "internal server error")


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
