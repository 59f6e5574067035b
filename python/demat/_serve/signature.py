"""What a function's parameters receive: from the path, query, headers, cookies, form or body, or from dependencies."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from .._unset import UNSET
from .markers import Depends, Form, Header, Marker, Query
from .request import Request
from .scalars import is_alias, is_scalar, item_of
from .upload import Upload


class Parameter:
    """A parameter of the request, and the type that its text is read as."""

    __slots__ = ("annotation", "default", "item", "name", "place")

    def __init__(self, place: str, name: str, annotation: Any, default: Any, item: Any) -> None:
        self.place = place
        self.name = name
        self.annotation = annotation
        self.default = default
        # The type of each value, if it takes several; else UNSET.
        self.item = item

    @property
    def required(self) -> bool:
        return self.default is UNSET

    @property
    def is_file(self) -> bool:
        return self.place == "form" and _upload_of(self.annotation) is not None

    @property
    def key(self) -> tuple[str, str]:
        """What tells it from other parameters of the request; headers have no case."""
        return self.place, self.name.lower() if self.place == "header" else self.name


class Body:
    """The body, and the type that it is decoded as."""

    __slots__ = ("annotation", "argument", "default")

    def __init__(self, argument: str, annotation: Any, default: Any) -> None:
        self.argument = argument
        self.annotation = annotation
        self.default = default

    @property
    def is_bytes(self) -> bool:
        """Whether it is passed on as it is."""
        return bool(self.annotation is bytes or self.annotation == (bytes | None))


class WholeRequest:
    """The request itself."""

    __slots__ = ()


REQUEST = WholeRequest()
Source = Parameter | Body | WholeRequest | Depends


class Signature:
    """The arguments of a function and of all that it depends on."""

    __slots__ = ("body", "dependencies", "parameters", "returns", "sources", "takes_request")

    def __init__(self, function: Callable[..., Any], names: list[str]) -> None:
        # The sources of the arguments, of the function and of each dependency.
        self.sources: dict[Callable[..., Any], dict[str, Source]] = {}
        # In the order in which they are resolved.
        self.dependencies: list[Callable[..., Any]] = []
        self.parameters: dict[tuple[str, str], Parameter] = {}
        self.body: Body | None = None
        self.takes_request = False
        self.returns = hints_of(function).get("return", Any)
        self._add(function, names, [])
        for name in names:
            if names.count(name) > 1:
                raise TypeError(f"{name_of(function)}: `:{name}` stands twice in the path")
            if ("path", name) not in self.parameters:
                raise TypeError(f"{name_of(function)}: there is no parameter for `:{name}` of the path")
        if self.body is not None and self.forms():
            raise TypeError(
                f"{name_of(function)}: `{self.body.argument}` is the body, so there can't be fields of a form, too"
            )

    def forms(self) -> list[Parameter]:
        """The fields of the form that it takes."""
        return self.of("form")

    def of(self, place: str) -> list[Parameter]:
        """The parameters in one place of the request."""
        return [parameter for parameter in self.parameters.values() if parameter.place == place]

    def _add(self, function: Callable[..., Any], names: list[str], around: list[Callable[..., Any]]) -> None:
        if function in around:
            raise TypeError(f"{name_of(function)} depends on itself")
        if function in self.sources:
            return
        own: dict[str, Source] = {}
        for name, annotation, default in _arguments(function):
            try:
                source = _source(name, annotation, default, names)
            except TypeError as error:
                raise TypeError(f"{name_of(function)}: {error}") from None
            if isinstance(source, Depends):
                self._add(source.function, names, [*around, function])
            elif isinstance(source, Parameter):
                source = self._parameter(source, function)
            elif isinstance(source, Body):
                if self.body is not None:
                    both = f"`{self.body.argument}` and `{name}`"
                    raise TypeError(f"{name_of(function)}: {both} can't both be the body")
                self.body = source
            else:
                self.takes_request = True
            own[name] = source
        self.sources[function] = own
        if around:
            self.dependencies.append(function)

    def _parameter(self, new: Parameter, function: Callable[..., Any]) -> Parameter:
        """The parameter, or the same one that something else takes already."""
        known = self.parameters.setdefault(new.key, new)
        if known.annotation != new.annotation or not _is_same(known.default, new.default):
            raise TypeError(
                f"{name_of(function)}: the {new.place} parameter `{new.name}` has another type or default elsewhere"
            )
        return known


def _is_same(one: Any, other: Any) -> bool:
    return one is other or (type(one) is type(other) and bool(one == other))


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function, for errors."""
    return str(getattr(function, "__qualname__", None) or repr(function))


def hints_of(function: Any) -> dict[str, Any]:
    """The annotations of a function, of an instance that can be called, or of a class's constructor."""
    while isinstance(function, functools.partial):
        function = function.func
    if isinstance(function, type):
        constructor: Any = getattr(function, "__init__")  # noqa: B009
        # A named tuple has its annotations itself.
        own = function if constructor is object.__init__ else constructor
        return {**get_type_hints(own, include_extras=True), "return": function}
    if not inspect.isroutine(function):
        function = type(function).__call__
    return get_type_hints(function, include_extras=True)


def _arguments(function: Callable[..., Any]) -> Iterator[tuple[str, Any, Any]]:
    hints = hints_of(function)
    # A signature shows what a partial function binds as a default, and clients must not change it.
    bound = function.keywords if isinstance(function, functools.partial) else {}
    for name, parameter in inspect.signature(function).parameters.items():
        if name in bound:
            continue
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD, parameter.POSITIONAL_ONLY):
            raise TypeError(f"{name_of(function)}: the parameter `{name}` can't be given by its name")
        yield name, hints.get(name, UNSET), UNSET if parameter.default is parameter.empty else parameter.default


def _source(name: str, annotation: Any, default: Any, names: list[str]) -> Source:
    marker, annotation = _unmarked(name, annotation)
    if isinstance(marker, Depends):
        if default is not UNSET or name in names:
            raise TypeError(f"`{name}` depends on a function, so it can have no default and no place in the path")
        return marker
    if annotation is Request:
        if marker is not None or default is not UNSET:
            raise TypeError(f"`{name}` is the request, and has no marker and no default")
        return REQUEST
    if _mentions(annotation, Request):
        raise TypeError(f"`{name}` must be annotated with `Request` itself")
    if name in names:
        if marker is not None:
            raise TypeError(f"`{name}` stands in the path, and {marker!r} says otherwise")
        return _parameter("path", name, annotation, UNSET)
    upload = _upload_of(annotation)
    if upload is not None or isinstance(marker, Form):
        if upload is not None and marker is not None and not isinstance(marker, Form):
            raise TypeError(f"`{name}` is a file of a form, and {marker!r} says otherwise")
        return _form(name, marker, annotation, default, upload)
    if marker is not None:
        own = marker.name or (name.replace("_", "-") if type(marker) is Header else name)
        return _parameter(marker.place, own, annotation, default)
    if name == "body" or not (annotation is UNSET or is_scalar(annotation)):
        return Body(name, Any if annotation is UNSET else annotation, default)
    return _parameter("query", name, annotation, default)


def _form(name: str, marker: Any, annotation: Any, default: Any, upload: bool | None) -> Parameter:
    own = name if marker is None or marker.name is None else marker.name
    if upload is None:
        return _parameter("form", own, annotation, default)
    if default is not UNSET and default is not None and default != []:
        raise TypeError(f"the default of the file `{name}` can be None only")
    return Parameter("form", own, annotation, default, Upload if upload else UNSET)


def _parameter(place: str, name: str, annotation: Any, default: Any) -> Parameter:
    if annotation is UNSET:
        return Parameter(place, name, str if place == "path" else Any, default, UNSET)
    if is_scalar(annotation):
        return Parameter(place, name, annotation, default, UNSET)
    item = item_of(annotation) if place in (Query.place, Header.place, Form.place) else UNSET
    if item is UNSET:
        raise TypeError(f"the {place} parameter `{name}` has a type that no text is read as: {annotation!r}")
    return Parameter(place, name, annotation, default, item)


def _unmarked(name: str, annotation: Any) -> tuple[Marker | Depends | None, Any]:
    """Takes the marker out of an annotation."""
    # `type User = Annotated[str, Depends(user)]` says where it comes from, too.
    while is_alias(annotation) and (
        _mentions_marker(annotation) or _mentions(annotation, Request) or _mentions(annotation, Upload)
    ):
        annotation = annotation.__value__
    if get_origin(annotation) is not Annotated:
        if _mentions_marker(annotation):
            raise TypeError(f"the marker of `{name}` must stand in the outermost `Annotated`")
        return None, annotation
    inner, *said = get_args(annotation)
    markers = [part for part in said if isinstance(part, Marker | Depends)]
    for part in said:
        if isinstance(part, type) and issubclass(part, Marker | Depends):
            raise TypeError(f"`{name}` is annotated with the class {part.__name__}, and not with `{part.__name__}()`")
    if len(markers) > 1:
        raise TypeError(f"`{name}` can't come from both {markers[0]!r} and {markers[1]!r}")
    if _mentions_marker(inner):
        raise TypeError(f"the marker of `{name}` must stand in the outermost `Annotated`")
    rest = [part for part in said if not isinstance(part, Marker | Depends)]
    for part in rest:
        inner = Annotated[inner, part]
    return (markers[0] if markers else None), inner


def _mentions_marker(annotation: Any) -> bool:
    return any(isinstance(part, Marker | Depends) for part in _parts(annotation))


def _mentions(annotation: Any, what: type) -> bool:
    return any(part is what for part in _parts(annotation))


def _parts(annotation: Any, around: tuple[Any, ...] = ()) -> Iterator[Any]:
    """An annotation and all that it consists of, also by aliases, which may be recursive."""
    alias = annotation if is_alias(annotation) else get_origin(annotation)
    if is_alias(alias):
        if alias in around:
            return
        yield from _parts(alias.__value__, (*around, alias))
    yield annotation
    for part in get_args(annotation):
        yield from _parts(part, around)


def _upload_of(annotation: Any) -> bool | None:
    """Whether an annotation is a file (False) or a list of files (True); None for anything else."""
    if annotation is Upload:
        return False
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated and _mentions(annotation, Upload):
        raise TypeError("nothing but `Form()` can be said about a file")
    if origin in (Union, UnionType) and set(parts) == {Upload, NoneType}:
        return False
    if origin is list and parts == (Upload,):
        return True
    if _mentions(annotation, Upload):
        raise TypeError("a file is `Upload`, `Upload | None` or `list[Upload]`")
    return None
