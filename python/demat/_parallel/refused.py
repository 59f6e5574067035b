"""What a copy with workers refuses, and its refused records."""

from __future__ import annotations

import os
from os import PathLike
from typing import TYPE_CHECKING, Any

from .. import _native, _stored
from .._describe import describe
from .._errors import Error, ValidationError
from .joined import takes_bytes
from .parts import Dividing, files_of, first_rows
from .pool import pickled_type

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from .parts import Part
    from .positions import Before

# The most errors that are raised together.
_MOST = 1000
# What learns from the first records what all of them are.
_LEARNT = ("infer", "flatten", "fields", "rename", "where")


def check(src: Any, dst: Any, settings: dict[str, Any], workers: Any) -> tuple[str, str]:
    """Returns how the target's parts are joined, and its format. Raises ValueError and TypeError for all else."""
    if isinstance(workers, bool) or not isinstance(workers, int) or workers < 1:
        raise ValueError(f"workers is a number of processes from 1, or None, not {workers!r}")
    if _stored.Stored.of(src) is not None:
        raise ValueError("workers= needs files: a value of a store is read by one process")
    if settings["others"]:
        raise ValueError("workers= fills one target")
    if settings["first"] is not None:
        raise ValueError("first= counts records from the beginning, which workers don't: leave out workers=")
    if settings["progress"] is True:
        raise ValueError("progress=True is a bar of one process; with workers= give a callable")
    _check_errors(settings)
    learnt = [name for name in _LEARNT if settings[name]]
    if settings["type"] is None and learnt:
        raise ValueError(
            f"workers= needs type= with {learnt[0]}=: without it the fields are learnt from the first records, which "
            "not each worker sees"
        )
    if not takes_bytes(dst):
        raise TypeError(f"a copy needs a path or what takes bytes, not {type(dst).__name__}")
    format = _native.format_name(dst, settings["to"])
    how = _how(format, dst, settings)
    pickled_type(settings["type"])
    return how, format


def check_places(src: Any, dst: Any, rejects: Any) -> list[str]:
    """Returns the files of the source.

    Raises ValueError if a pattern or a folder finds the target, and ValidationError if the refused records would be
    written to what is read or written.
    """
    files = files_of(src)
    target = _path(dst)
    named = {_path(one) for one in (src if isinstance(src, (list, tuple)) else [src])}
    if target is not None and any(file not in named and _is_same(file, target) for file in files):
        raise ValueError(
            f"the target {target} is among the files that are found, and would be read: write it elsewhere"
        )
    place = _path(rejects)
    if place is not None and any(_is_same(place, other) for other in (*files, target) if other is not None):
        raise ValidationError(f"refused records can't be written to what is read or written ({place})", path="$")
    return files


def _path(place: Any) -> str | None:
    if not isinstance(place, (str, PathLike)):
        return None
    name = os.fspath(place)
    return name if isinstance(name, str) else os.fsdecode(name)


def _is_same(one: str, other: str) -> bool:
    """Whether two paths are of one file, by links too, or will be."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return os.path.realpath(one) == os.path.realpath(other)


def _check_errors(settings: dict[str, Any]) -> None:
    on_error, rejects = settings["on_error"], settings["rejects"]
    if on_error not in ("stop", "skip", "collect", "all"):
        raise ValueError(f'on_error is "stop", "skip", "collect" or "all", not {on_error!r}')
    if rejects is None:
        if on_error == "collect":
            raise ValueError('on_error="collect" needs rejects=')
        return
    if on_error == "stop":
        raise ValueError('rejects= needs on_error="collect", "skip" or "all"')
    if on_error == "all":
        raise ValueError('with workers=, on_error="all" raises the errors and takes no rejects=; "collect" does')
    if not isinstance(rejects, (str, PathLike, list)) and not callable(rejects):
        raise TypeError(f"rejects is a path, a list or a callable, not {type(rejects).__name__}")


def _how(format: str, dst: Any, settings: dict[str, Any]) -> str:
    from .._formats import FORMATS

    about = next((about for about in FORMATS if format in (about.name, *about.dialects)), None)
    how = about.joined if about is not None else ""
    write = settings["write"] or {}
    if how == "sequence" and not write.get("sequence"):
        raise ValueError(
            f'parts of {format} are joined as a sequence only: with workers= say write={{"sequence": True}}'
        )
    if not how:
        can = ", ".join(name for about in FORMATS if about.joined for name in (about.name, *about.dialects))
        raise ValueError(
            f"workers= needs a target that parts can be joined to ({can}), and {format} is none: copy into one "
            f"of these with workers=, and from there into {format}"
        )
    if how == "array" and write.get("indent") is not None:
        raise ValueError("with workers= an array is written without indent=")
    if how == "array" and packing(dst, settings["compression"]) is not None:
        raise ValueError("with workers= an array is not compressed: write lines, or leave out workers=")
    if settings["to_encoding"] is not None and how == "array":
        raise ValueError("with workers= an array is written as UTF-8")
    return how


def packing(dst: Any, asked: Any) -> Any:
    """Returns how a target is packed: "gzip", "zstd", or None. Another value is refused where it is used."""
    if asked != "auto" or not isinstance(dst, (str, PathLike)):
        return None if asked == "auto" else asked
    name = os.fspath(dst)
    suffix = os.path.splitext(name if isinstance(name, str) else os.fsdecode(name))[1].lower()
    return {".gz": "gzip", ".zst": "zstd"}.get(suffix)


def check_parts(parts: Sequence[Part], settings: dict[str, Any], how: str) -> int:
    """Returns the part that the target's header comes from.

    Refuses sources whose records would get other columns in one part than in another, and wrong options.
    """
    if how == "header" and settings["type"] is not None and not _has_fields(settings["type"]):
        raise ValueError("with workers= the type of a table's rows is a class with fields: each part has its columns")
    tables = [part for part in parts if Dividing(part.format, settings["read"]).by == "rows"]
    if settings["type"] is None and how == "header" and len(tables) < len(parts):
        raise ValueError(
            "workers= needs type= where a table is written: without it the columns are learnt from records"
        )
    rows: dict[int, bytes] = {}
    # One file has one header.
    if settings["type"] is None and tables and tables[0].span.path != tables[-1].span.path:
        rows = first_rows(tables, settings)
        if len(set(rows.values())) > 1 and (settings["read"] or {}).get("header", True):
            raise ValueError("workers= needs type= for tables with different headers")
    # What is wrong with an option is found before a process begins.
    try:
        trial = {**settings, "from_": parts[0].format, "progress": None, "rejects": None}
        trial["on_error"] = "stop" if trial["on_error"] == "collect" else trial["on_error"]
        _native.copy(b"", lambda _: None, trial)
    except Error:
        pass
    # A table without a row has no names for a header.
    return min(rows, default=0)


def _has_fields(type: Any) -> bool:
    if isinstance(type, str):
        try:
            root = _native.parse_shape(type)[0]
        except Error:
            # The path of a message, which has fields; or the copy will say what is wrong with it.
            return True
    else:
        root = describe(type, {})[0]
    return bool(root[0] == "record" or (root[0] == "list" and root[2][0] == "record"))


class Rejects:
    """What becomes of refused records."""

    def __init__(self, on_error: str, rejects: Any) -> None:
        self._all = on_error == "all"
        self._errors: list[Error] = []
        self._more = 0
        self._told: Callable[[Error, bytes], object] | None = None
        self._place: Any = None
        self._file: Any = None
        on_error = "skip" if on_error == "collect" else on_error
        # What a worker does with refused records, and how it keeps them: as lines, pickled, or not.
        self.of_worker: tuple[str, str | None] = (on_error, None)
        if isinstance(rejects, (str, PathLike)):
            self._place = rejects
            self.of_worker = (on_error, "lines")
        elif rejects is not None or self._all:
            self._told = (lambda error, data: rejects.append((error, data))) if isinstance(rejects, list) else rejects
            self.of_worker = ("skip", "pickled")

    def begin(self) -> None:
        """Opens the file of refused records, once something has been read: a wrong argument leaves it as it is."""
        if self._place is not None and self._file is None:
            self._file = _native.open_writer(self._place, None, _native.LINES, {})

    def take(self, path: str, position: Callable[[], Before]) -> None:
        """Takes the refused records of a part from the file that its worker has written."""
        if self.of_worker[1] is None or not os.path.exists(path) or not os.path.getsize(path):
            return
        before = position()
        if self._file is not None:
            from ..ndjson import read

            with read(path, dict[str, Any]) as lines:
                for line in lines:
                    self._file.write(before.shift_line(line))
            return
        from .copy import unpickled

        for error, cause, data in unpickled(path):
            error.__cause__ = cause
            before.shift(error)
            if self._told is not None:
                self._told(error, data)
            elif len(self._errors) < _MOST:
                self._errors.append(error)
            else:
                self._more += 1

    def finish(self) -> None:
        """Raises the errors, if all of them are asked for."""
        if not self._errors:
            return
        first, *others = self._errors
        if not others:
            raise first
        names = ("path", "offset", "line", "column", "record", "expected", "found", "value", "reason")
        message = f"{first} (and {len(others) + self._more} more)"
        given = {name: getattr(first, name) for name in names}
        raise type(first)(message, **given, errors=self._errors) from first.__cause__

    def close(self) -> None:
        """Lets the file of refused records appear."""
        if self._file is not None:
            self._file.close()
