"""`columns_of`: objects as columns, with no text in between."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from . import _native

if TYPE_CHECKING:
    from collections.abc import Iterable

    from typing_extensions import TypeForm

    from ._native import Columns

_T = TypeVar("_T")


def columns_of(
    objects: Iterable[_T],
    type: TypeForm[_T] | None = None,
    *,
    naive: bool = False,
    decimals: tuple[int, int] | None = None,
    narrow: bool = False,
    dictionary: bool | Iterable[str] = False,
) -> Columns:
    """Gives objects as columns in Arrow's memory: those of dataclasses, and of all other classes with fields.

    `objects` is any iterable of them, or columns of another library. `type` is that of each, and is checked; without
    it the columns are those of the first one's class. The page about columns says which column a field becomes. Hooks
    are asked, as in encoding.

    - `naive`: each datetime is one of a clock on some wall; else only those of fields with `Field(tz=False)` are, and
      the others are points of time
    - `decimals`: how many digits decimals have, and how many of them behind the point; None: they are text
    - `narrow`: True: columns of ints are as narrow as the bounds of their type allow; False: `int64`
    - `dictionary`: the columns whose texts are stored once each, with a number for each row; True: all

    Raises `EncodeError` where an object is not of the type given, and `ValidationError` where a value has no place in
    its column, both with the path; ValueError where there are no objects and no type; TypeError for a type that can't
    be described.

    >>> from dataclasses import dataclass
    >>> @dataclass
    ... class Task:
    ...     id: int
    ...     title: str
    >>> columns = columns_of([Task(1, "Clean room"), Task(2, "Rest")])
    >>> columns
    <demat.Columns of 2 records: id: Int64, title: Utf8>
    >>> columns.numpy("id").tolist()
    [1, 2]
    """
    given = {"naive": naive, "decimals": decimals, "narrow": narrow, "dictionary": dictionary}
    return _native.columns_of(objects, type, given)
