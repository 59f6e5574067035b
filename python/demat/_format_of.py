"""The format of a place, by what is said or by its name."""

from __future__ import annotations

from os import PathLike
from typing import Any

from . import _native

# Cells between tabs are those of CSV, by an option.
_TABS = {"delimiter": "\t"}


def name_in(place: Any) -> str | PathLike[str] | None:
    """The name that a place has: its path, or that of an open file."""
    name = place if isinstance(place, (str, PathLike)) else getattr(place, "name", None)
    return name if isinstance(name, (str, PathLike)) else None


def format_of(place: Any, format: str | None) -> str:
    """The name of the format of a place. Raises ValueError if it can't be told, or if no format is called so."""
    if format is not None:
        return _native.format_name("-", format)
    named = name_in(place)
    if named is None:
        raise ValueError(f"the format of {_shown(place)} can't be told: say format=")
    try:
        return _native.format_name(named, None)
    except ValueError as error:
        raise ValueError(f"the format of {_named(named)} can't be told by its name: say format=") from error


def tabbed(format: str | None, options: dict[str, Any]) -> tuple[str | None, dict[str, Any]]:
    """The format and the options of a module or a native writer, which there are not for cells between tabs."""
    return ("csv", {**_TABS, **options}) if format == "tsv" else (format, options)


def open_writer(place: Any, type: Any, format: str | None, options: dict[str, Any]) -> _native.Writer:
    """Opens a native writer. An open file says its format by its name, as a path does."""
    named = name_in(place)
    if format is None and named is not None:
        format = format_of(named, None)
    elif format is not None:
        format = format_of(None, format)
    format, options = tabbed(format, options)
    return _native.open_writer(place, type, format, options)


def _shown(place: Any) -> str:
    return "bytes" if isinstance(place, (bytes, bytearray, memoryview)) else f"a `{type(place).__name__}`"


def _named(name: Any) -> str:
    return str(name).encode(errors="backslashreplace").decode()
