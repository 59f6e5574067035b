"""Which kinds can be columns, and the types of the columns."""

import types
from collections.abc import Callable
from dataclasses import is_dataclass
from datetime import date, datetime
from typing import Any, Union, get_args, get_origin

from zoo.plain import hints

SCALARS = (int, float, str, bool, date, datetime)


def bare(wanted: Any) -> Any:
    """The type without None."""
    if get_origin(wanted) in (Union, types.UnionType):
        rest = [argument for argument in get_args(wanted) if argument is not type(None)]
        return rest[0] if len(rest) == 1 else wanted
    return wanted


def columnar(wanted: Any, *, flat: bool, within: tuple[Any, ...] = ()) -> bool:
    """Whether values of this type can stand in a column that all peers have; `flat`: in a cell of a table."""
    wanted = bare(wanted)
    if wanted in SCALARS:
        return True
    if flat and within:
        return False
    if get_origin(wanted) is list:
        return columnar(get_args(wanted)[0], flat=flat, within=(*within, list))
    if is_dataclass(wanted) and wanted not in within:
        return all(columnar(own, flat=flat, within=(*within, wanted)) for own in hints(wanted).values())
    return False


def schema(
    cls: Any, scalar: dict[type, Any], many: Callable[[Any], Any], record: Callable[[dict[str, Any]], Any]
) -> Any:
    """The fields of a class in another library's types."""

    def typed(wanted: Any) -> Any:
        wanted = bare(wanted)
        if wanted in scalar:
            return scalar[wanted]
        if get_origin(wanted) is list:
            return many(typed(get_args(wanted)[0]))
        return record({name: typed(own) for name, own in hints(wanted).items()})

    return {name: typed(own) for name, own in hints(cls).items()}
