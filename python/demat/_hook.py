"""Hooks: how values of a class that Demat does not know, or should not treat as it would, become data."""

from __future__ import annotations

from ._unset import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, NoReturn, TypeVar, overload

    from typing_extensions import TypeForm

    T = TypeVar("T")
    Wire = TypeVar("Wire")
else:

    def overload(function: object) -> object:
        return function


class WritesParts:
    """Marks a `__demat_encode__` that writes parts to a sink, for the native module."""

    __slots__ = ("function",)

    def __init__(self, function: Callable[[Any, Any], None]) -> None:
        self.function = function


class Hook:
    """How values of one type are read and written, by two functions and a type in between. Immutable.

    - `wire`: the type that stands in the data, `typing.Any` if it is not given: any type that Demat knows
    - `decode(wire value)` gives the object; without it, what was read is the object
    - `encode(object)` gives a value of the wire type; without it, the object is written as it would be without a hook

    For one field: `Annotated[T, Hook(...)]`. For a class everywhere: `demat.hook`. For a class in one call:
    `hooks={cls: Hook(...)}`. The first of these that there is counts, the field's before the call's before the class's.
    ValueError and TypeError that the functions raise come out as `demat.ValidationError` or `demat.EncodeError`, with
    the path; anything else comes out as it is.

    `place` says where it counts: a format (`"json"`), `"sql"` for tables of databases, or several of these; elsewhere
    it is as if the hook were not there. Such a hook stands in an annotation. What reads or writes values of the type
    nowhere in particular, such as `demat.convert`, refuses it.

    In an annotation a hook is for all that it annotates. Where None is not to be read by it, that stands outside:
    `Annotated[T, Hook(...)] | None`. Bounds are those of the wire type: `wire=Annotated[str, Field(min_length=1)]`.

    Raises TypeError where neither function is given, or one can't be called, and ValueError for an unknown place.

    >>> from typing import Annotated
    >>> Hex = Annotated[int, Hook(wire=str, decode=lambda text: int(text, 16), encode=hex)]
    """

    # `_plans` is the native module's own: plans that are made with a hook of a call live as long as that.
    __slots__ = ("_plans", "decode", "encode", "place", "wire")

    decode: Callable[[Any], Any] | None
    encode: Callable[[Any], Any] | None
    wire: Any
    place: tuple[str, ...]

    def __init__(
        self,
        *,
        decode: Callable[[Any], Any] | None = None,
        encode: Callable[[Any], Any] | None = None,
        wire: Any = UNSET,
        place: str | Iterable[str] = (),
    ) -> None:
        if decode is None and encode is None:
            raise TypeError("a hook needs decode, encode, or both")
        for name, function in (("decode", decode), ("encode", encode)):
            if function is not None and not callable(function):
                raise TypeError(f"{name} must be callable with one argument, not {type(function).__name__}")
            object.__setattr__(self, name, function)
        object.__setattr__(self, "wire", wire)
        object.__setattr__(self, "place", _places(place))

    def __repr__(self) -> str:
        given = ((name, getattr(self, name)) for name in ("wire", "decode", "encode", "place"))
        return f"Hook({', '.join(f'{name}={value!r}' for name, value in given if value not in (None, UNSET, ()))})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Hook):
            return NotImplemented
        own = (self.decode, self.encode, self.wire, self.place)
        return own == (other.decode, other.encode, other.wire, other.place)

    def __hash__(self) -> int:
        return hash((self.decode, self.encode, self.place))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a Hook can't be changed")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Hook can't be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.decode, self.encode, self.wire, self.place)


def _remade(
    decode: Callable[[Any], Any] | None, encode: Callable[[Any], Any] | None, wire: Any, place: tuple[str, ...] = ()
) -> Hook:
    return Hook(decode=decode, encode=encode, wire=wire, place=place)


def _places(given: Any) -> tuple[str, ...]:
    """The names of places, each of which is one."""
    if not given and given != "":
        return ()
    from . import _native

    places = (given,) if isinstance(given, str) else tuple(given)
    for place in places:
        if not isinstance(place, str):
            raise TypeError(f"place must be a str, or several, not {type(place).__name__}")
        if place != "sql" and place not in _native.FORMATS:
            raise ValueError(f"{place!r} is no place of a hook: a format such as 'json', or 'sql' for tables")
    return places


@overload
def hook(
    cls: type[T],
    *,
    decode: Callable[[Any], T] | None = None,
    encode: Callable[[T], Any] | None = None,
) -> type[T]: ...


@overload
def hook(  # noqa: F811
    cls: type[T],
    *,
    decode: Callable[[Wire], T] | None = None,
    encode: Callable[[T], Wire] | None = None,
    wire: TypeForm[Wire],
) -> type[T]: ...


def hook(  # noqa: F811
    cls: type[T],
    *,
    decode: Callable[[Any], T] | None = None,
    encode: Callable[[T], Any] | None = None,
    wire: Any = UNSET,
) -> type[T]:
    """Says, from outside of a class, how its values are read and written, from now on and everywhere.

    `decode`, `encode` and `wire` are as in `Hook`. Gives the class back. It counts for the class itself, in place of
    what Demat would do with it and of its own `__demat_decode__` and `__demat_encode__`; and for those of its
    subclasses that Demat could not do anything with otherwise. Saying it again replaces it.

    Raises TypeError where `cls` is no class, or as `Hook` does.

    >>> from zoneinfo import ZoneInfo
    >>> hook(ZoneInfo, wire=str, decode=ZoneInfo, encode=str)
    <class 'zoneinfo.ZoneInfo'>
    """
    if not isinstance(cls, type):
        raise TypeError(f"hook takes a class, not {cls!r}; for one field write Annotated[…, demat.Hook(…)]")
    made = Hook(decode=decode, encode=encode, wire=wire)
    from ._declared import declare

    declare(cls, {"hook": made})
    return cls
