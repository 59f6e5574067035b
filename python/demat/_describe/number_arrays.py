"""`array.array`: lists of numbers, or of characters.

The type of the items is a type code in an annotation, `Annotated[array, "d"]`, or an argument, `array[float]`, from
Python 3.12 on.
"""

from __future__ import annotations

import sys
from math import isinf
from typing import TYPE_CHECKING, Annotated, Any

from .. import _native
from .._field import Field
from .._hook import Hook

if TYPE_CHECKING:
    import array

    from .describer import Describer
    from .nodes import Node
    from .scope import Scope

# The `dtype.kind` that NumPy has for each type code. The text codes, `u` and `w`, have none.
_KINDS = {**dict.fromkeys("bhilq", "i"), **dict.fromkeys("BHILQ", "u"), **dict.fromkeys("fd", "f")}
_SIGNED, _TEXTS = "bhilq", "uw"
# What holds any item of a type that Python has one of.
_CODES: dict[Any, str] = {int: "q", float: "d", str: "u" if sys.version_info < (3, 13) else "w"}


def is_one(cls: Any) -> bool:
    """Whether a class is `array.array`. Demat does not import it: without the module nobody has one."""
    module = sys.modules.get("array")
    return module is not None and cls is module.array


def node(describer: Describer, cls: type, tp: Any, arguments: tuple[Any, ...] | None, scope: Scope) -> Node | None:
    """The node for `array.array` with its argument, or (None) without; None for any other class."""
    if not is_one(cls):
        return None
    code = None
    if arguments:
        code = _CODES.get(arguments[0])
        if code is None:
            raise describer.refusal(tp, "the items of an array are `int`, `float` or `str`")
    return _node(describer, code, tp, scope)


def annotated(describer: Describer, metadata: tuple[Any, ...], tp: Any, scope: Scope) -> Node | None:
    """The node for `Annotated[array.array, "d"]`; None for any other type and without a type code."""
    if not is_one(tp):
        return None
    import array

    # What stands further out wins, as in all annotations.
    codes = [part for part in metadata if isinstance(part, str)]
    if not codes:
        return None
    if codes[-1] not in array.typecodes:
        known = ", ".join(map(repr, array.typecodes))
        raise describer.refusal(tp, f"{codes[-1]!r} is no type code of an array; these are: {known}")
    return _node(describer, codes[-1], tp, scope)


def _node(describer: Describer, code: str | None, tp: Any, scope: Scope) -> Node:
    import array

    from . import hooks

    wire: Any = list[Any if code is None else _item(code)]  # type: ignore[misc]

    def decode(read: Any) -> Any:
        return _made(code, read)

    def encode(value: array.array[Any]) -> Any:
        if code is not None and value.typecode != code:
            raise TypeError(f"expected an array of {code!r}, found one of {value.typecode!r}")
        return _written(value)

    made = hooks.on_field(describer, Hook(wire=wire, decode=decode, encode=encode), tp, scope)
    # What a hook writes is checked to be of the class, which the type with its arguments is not.
    return (*made[:2], array.array, *made[3:])


def _item(code: str) -> Any:
    """The type of the items of a type code."""
    import array

    if code in _TEXTS:
        return Annotated[str, Field(min_length=1, max_length=1)]
    if _KINDS[code] == "f":
        return float
    bits = 8 * array.array(code).itemsize
    least, bits = (-(1 << bits - 1), bits - 1) if code in _SIGNED else (0, bits)
    return Annotated[int, Field(ge=least, le=(1 << bits) - 1)]


def _made(code: str | None, read: Any) -> Any:
    """The array of what was read; without a type code, of the items that stand there."""
    import array

    if not isinstance(read, list):
        raise ValueError(f"expected a list for an array, found `{type(read).__name__}`")
    if code is None:
        code = _found(read)
    try:
        made = array.array(code, read)
    except OverflowError as error:
        raise ValueError("expected ints of 64 bits for an array, found a larger one") from error
    if code == "f":
        for item, narrow in zip(read, made, strict=True):
            if isinf(narrow) and not isinf(item):
                raise ValueError(f"expected a number of 32 bits for an array, found {item!r}")
    return made


def _found(read: list[Any]) -> str:
    """The type code for items of one kind: `q` for ints, `Q` if they need it, `d` if there are floats."""
    kinds = set(map(type, read))
    if kinds <= {int}:
        return "Q" if read and max(read) >= 1 << 63 else "q"
    if kinds <= {int, float}:
        return "d"
    if kinds == {str} and all(len(item) == 1 for item in read):
        return _CODES[str]
    found = " and ".join(sorted(f"`{kind.__name__}`" for kind in kinds))
    raise ValueError(f"expected numbers or single characters for an array, found {found}")


def _written(value: array.array[Any]) -> Any:
    """What an array is encoded from: its memory, which is a list of its numbers."""
    kind = _KINDS.get(value.typecode)
    return value.tolist() if kind is None else _native.Numbers(value, kind)
