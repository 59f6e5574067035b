"""The options of the data source, of which none is ignored."""

from __future__ import annotations

import ast
import json
import re
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import unquote, urlsplit

from .. import _native
from .._command import class_of
from .._parallel.parts import format_of

if TYPE_CHECKING:
    from collections.abc import Mapping

# What Spark itself passes on, and what reading, streams and writing take.
_PLACES = {"path", "paths"}
_SHARED = {"format", "type", "shape", "decimals", "naive"}
_READ = {
    "mode",
    "columnnameofcorruptrecord",
    "fields",
    "at",
    "lax",
    "encoding",
    "where",
    "multiline",
    "maxpartitionbytes",
    "maxfilespertrigger",
}
_WRITE = {"compression"}
_SAID = {"columnnameofcorruptrecord": "columnNameOfCorruptRecord", "multiline": "multiLine"}
_SAID |= {"maxpartitionbytes": "maxPartitionBytes", "maxfilespertrigger": "maxFilesPerTrigger"}

Mode = Literal["FAILFAST", "DROPMALFORMED", "PERMISSIVE"]
_MODES = ("FAILFAST", "DROPMALFORMED", "PERMISSIVE")
_PARTITION = 1 << 27


class Options:
    """What was said by `.option(…)`. Raises ValueError for what no option is, or no value of one."""

    def __init__(self, given: Mapping[str, str], *, writes: bool) -> None:
        self._given = {name.lower(): str(value) for name, value in given.items()}
        self._check(writes)
        self.paths = self._paths()
        self.format: str | None = self._given.get("format")
        self.decimals = self._decimals()
        self.naive = self._bool("naive", default=False)
        self.mode = self._one_of("mode", "FAILFAST", _MODES)
        self.corrupt = self._given.get("columnnameofcorruptrecord", "_corrupt_record")
        if "columnnameofcorruptrecord" in self._given and self.mode != "PERMISSIVE":
            raise ValueError(
                "option columnNameOfCorruptRecord needs mode=PERMISSIVE: in others there is no such column"
            )
        self.fields = [name.strip() for name in self._given["fields"].split(",")] if "fields" in self._given else None
        self.at = self._given.get("at")
        self.lax = self._bool("lax", default=False)
        self.encoding = self._given.get("encoding")
        self.where = self._given.get("where")
        self.multiline = self._bool("multiline", default=True)
        self.partition = self._count("maxpartitionbytes", _PARTITION)
        self.files = self._count("maxfilespertrigger", None)
        self.compression = self._one_of("compression", "none", ("none", "gzip", "zstd"))

    def _check(self, writes: bool) -> None:
        known = _PLACES | _SHARED | (_WRITE if writes else _READ)
        prefix = "write." if writes else "read."
        for name in self._given:
            if name not in known and not name.startswith(prefix):
                has = ", ".join(sorted(_SAID.get(one, one) for one in known - _PLACES))
                verb = "writing" if writes else "reading"
                raise ValueError(
                    f"{name!r} is no option for {verb}; there are {has}, and {prefix}NAME for the format's"
                )
        if "type" in self._given and "shape" in self._given:
            raise ValueError("the options type and shape say the same: give one of them")

    def _paths(self) -> list[str]:
        if "paths" in self._given:
            return [_local(path) for path in json.loads(self._given["paths"])]
        return [_local(self._given["path"])] if "path" in self._given else []

    def need_paths(self) -> list[str]:
        """The places: one or more."""
        if not self.paths:
            raise ValueError("there is no path: say load(path) or save(path)")
        return self.paths

    def _bool(self, name: str, *, default: bool) -> bool:
        said = self._given.get(name, str(default)).lower()
        if said not in ("true", "false"):
            raise ValueError(f"option {_SAID.get(name, name)} is true or false, not {said!r}")
        return said == "true"

    def _one_of(self, name: str, default: str, values: tuple[str, ...]) -> str:
        said = self._given.get(name, default)
        for value in values:
            if value.lower() == said.lower():
                return value
        raise ValueError(f"option {name} is one of {', '.join(values)}, not {said!r}")

    def _count(self, name: str, default: Any) -> Any:
        if name not in self._given:
            return default
        said = self._given[name]
        if not said.isdecimal() or int(said) < 1:
            raise ValueError(f"option {_SAID.get(name, name)} is a number from 1, not {said!r}")
        return int(said)

    def _decimals(self) -> tuple[int, int] | None:
        if "decimals" not in self._given:
            return None
        digits, comma, scale = self._given["decimals"].partition(",")
        if not (comma and digits.strip().isdecimal() and scale.strip().isdecimal()):
            raise ValueError(f"option decimals is two numbers, such as '18,2', not {self._given['decimals']!r}")
        return int(digits), int(scale)

    def type(self) -> Any:
        """The class that `type` names, or the text of `shape`; None if neither is said."""
        if "type" in self._given:
            try:
                return class_of(self._given["type"])
            except (ImportError, AttributeError) as error:
                raise ValueError(f"option type: {self._given['type']} can't be imported here: {error}") from error
        return self._given.get("shape")

    def records(self, format: str) -> Any:
        """The type as `copy` takes it for a format: of a list, if only that tells a file of records from one record."""
        from .._formats import FORMATS

        type: Any = self.type()
        typed = any(about.typed for about in FORMATS if format in (about.name, *about.dialects))
        return list[type] if typed and type is not None and not isinstance(type, str) else type

    def format_of(self, path: str) -> str:
        """The format of a file."""
        try:
            return format_of(path, self.format)
        except ValueError as error:
            raise ValueError(str(error).replace("say from_=", "say option format")) from None

    def of_format(self, name: str, way: Literal["read", "write"]) -> dict[str, Any]:
        """The options of a format, as `copy` takes them."""
        given = {key[len(way) + 1 :]: text for key, text in self._given.items() if key.startswith(f"{way}.")}
        about = next((one for one in _native.describe_formats() if one["name"] == name), None)
        if about is None:
            raise ValueError(f"option format: there is no format {name!r}")
        defaults = {key: default for key, default, _ in about[way]}
        parsed: dict[str, Any] = {}
        for key, text in given.items():
            if key not in defaults:
                has = ", ".join(defaults) or "none"
                raise ValueError(f"{way}.{key} is no option of {name}; it has {has}")
            default = ast.literal_eval(defaults[key])
            try:
                parsed[key] = _value(text, _annotation(name, way, key, default), default)
            except ValueError as error:
                raise ValueError(f"option {way}.{key} is {error}, not {text!r}") from None
        return parsed


def _annotation(format: str, way: str, key: str, default: object) -> str:
    """The type of an option, as its stub writes it."""
    from .._formats import FORMATS

    for about in FORMATS:
        if format in (about.name, *about.dialects):
            for option in about.reading if way == "read" else about.writing:
                if option.name == key:
                    return option.type
    return "str" if default is None else type(default).__name__


def _value(text: str, annotation: str, default: object) -> Any:
    """An option of a format, from its text. Raises ValueError, which says what it is, for other text."""
    # Text that is None unless something is said may be any, and so the word as well.
    is_text = annotation.startswith("str")
    if "None" in annotation and text.lower() == "none" and not (is_text and default is None):
        return None
    if annotation.startswith("bool"):
        if text.lower() not in ("true", "false"):
            raise ValueError("true or false")
        return text.lower() == "true"
    if annotation.startswith("int"):
        if not text.removeprefix("-").isdecimal():
            raise ValueError("a whole number")
        return int(text)
    return text


def _local(path: str) -> str:
    """The path of a file on a disk. Raises ValueError for the address of a store that Python can't open."""
    parts = urlsplit(path)
    if parts.scheme == "file":
        # Not the path that `urlsplit` finds: `#` and `?` are characters of names here, as they are to Spark.
        return unquote(re.sub(r"^file:(//(localhost)?(?=/))?", "", path, flags=re.IGNORECASE))
    if len(parts.scheme) > 1 and path.startswith(f"{parts.scheme}:/"):
        raise ValueError(f"{path}: only files are read, by paths that each executor has (a shared disk or a mount)")
    return path
