"""Records as source: dataclasses, named tuples, TypedDicts, and aliases that contain themselves."""

from __future__ import annotations

import inspect
import keyword
import re
from typing import Any

from .._describe.nodes import Node, children
from .imports import Imports
from .literals import Literals
from .spelling import Spelling


class Classes:
    """Writes the entries of a description, in an order; what comes later is referred to by its name in quotes."""

    def __init__(
        self,
        records: list[dict[str, Any]],
        imports: Imports,
        literals: Literals,
        spelling: Spelling,
        names: dict[Any, str],
        tags: dict[int, Any],
    ) -> None:
        self.records = records
        self.imports = imports
        self.literals = literals
        self.spelling = spelling
        # By index; and the names of all that is defined, which is enums as well.
        self.names = names
        self.definitions = set(names.values())
        self.tags = tags
        self._defined: set[int] = set()
        # The attributes of the record that was looked at last.
        self._last: dict[str, Any] = {}
        self._attributes: set[str] = set()

    def lines(self, index: int) -> list[str]:
        """The definition of one entry."""
        entry = self.records[index]
        if "node" in entry:
            lines = [f"{self.names[index]} = {self.spelling.annotation(entry['node'])}"]
        elif entry.get("cls") is None:
            lines = self._dataclass(index, entry)
        else:
            lines = {"tuple": self._named_tuple, "dict": self._typed_dict}.get(entry["make"], self._dataclass)(
                index, entry
            )
        self._defined.add(index)
        return lines

    def _dataclass(self, index: int, record: dict[str, Any]) -> list[str]:
        _plain(record)
        cls, fields = record.get("cls"), record["fields"]
        own = {} if cls is None else getattr(cls, "__dataclass_fields__", {})
        options = _options(cls)
        kw_only = [bool(getattr(own.get(field["name"]), "kw_only", False)) for field in fields]
        if any(kw_only) or not _in_order(fields):
            # A required field after an optional one can't be a positional parameter.
            options["kw_only"] = True
        decorator = f"@{self.imports.member('dataclasses', 'dataclass')}"
        given = ", ".join(f"{name}={value}" for name, value in options.items())
        lines = [*self._configured(index, record), f"{decorator}({given})" if given else decorator]
        lines += [f"class {self.names[index]}:", *_docstring(cls)]
        lines += [self._attribute(field, record, number) for number, field in enumerate(fields, 1)]
        return lines if fields or _docstring(cls) else [*lines, "    pass"]

    def _named_tuple(self, index: int, record: dict[str, Any]) -> list[str]:
        lines = [*self._configured(index, record)]
        lines += [
            f"class {self.names[index]}({self.imports.member('typing', 'NamedTuple')}):",
            *_docstring(record["cls"]),
        ]
        for number, field in enumerate(record["fields"], 1):
            default = f" = {self.literals.text(field['default'])}" if "default" in field else ""
            lines.append(f"    {field['name']}: {self._annotation(field, record, number)}{default}")
        return lines if record["fields"] else [*lines, "    pass"]

    def _typed_dict(self, index: int, record: dict[str, Any]) -> list[str]:
        name, base = self.names[index], self.imports.member("typing", "TypedDict")
        parts = {}
        for number, field in enumerate(record["fields"], 1):
            extra = {key: field[key] for key in ("default", "factory") if key in field}
            text = self._annotation(field, record, number, extra)
            if not field["required"] and not extra:
                text = f"{self.imports.member('typing', 'NotRequired')}[{text}]"
            parts[field["name"]] = text
        if all(key.isidentifier() and not keyword.iskeyword(key) and not key.startswith("__") for key in parts):
            lines = [*self._configured(index, record), f"class {name}({base}):", *_docstring(record["cls"])]
            return [*lines, *(f"    {key}: {text}" for key, text in parts.items())] if parts else [*lines, "    pass"]
        # By a call, which takes any names.
        listed = ", ".join(f"{key!r}: {text}" for key, text in parts.items())
        said = self._configuration(index, record)
        configured = [f"{self.imports.member('demat', 'configure')}({name}, {said})"] if said else []
        return [f"{name} = {base}({name!r}, {{{listed}}})", *configured]

    def _attribute(self, field: dict[str, Any], record: dict[str, Any], number: int) -> str:
        text = f"    {field['name']}: {self._annotation(field, record, number)}"
        given = {}
        if "default" in field:
            given["default"] = self.literals.text(field["default"])
            if isinstance(field["default"], (list, dict, set, bytearray)):
                given = {"default_factory": self.literals.copier(field["default"])}
        elif "factory" in field:
            given["default_factory"] = self.literals.factory(field["factory"])
        elif not field["required"] and field["init"] is not None:
            given["default"] = "None"
        if field["init"] is None:
            given["init"] = "False"
        if not given:
            return text
        if list(given) == ["default"]:
            return f"{text} = {given['default']}"
        called = ", ".join(f"{name}={value}" for name, value in given.items())
        return f"{text} = {self.imports.member('dataclasses', 'field')}({called})"

    def _annotation(
        self, field: dict[str, Any], record: dict[str, Any], number: int, extra: dict[str, Any] | None = None
    ) -> str:
        """The annotation of a field, with all that its `Field` has to say."""
        name, key, read = field["name"], field["key"], field["read"]
        unknown = record["unknown"]
        is_rest = isinstance(unknown, int) and record["fields"][unknown] is field
        said: dict[str, Any] = {}
        if is_rest:
            said["rest"] = True
        elif read == (key,):
            said |= {"name": key} if key != name else {}
        else:
            said |= {"read": read} if read != (name,) else {}
            said |= {"write": key} if key != name else {}
        if field["number"] != number:
            said["number"] = field["number"]
        if field.get("omit"):
            said["omit_default"] = True
        if field.get("omit_none"):
            said["omit_none"] = True
        node = field["node"]
        if not field["required"] and not {"default", "factory"} & set(field) and record["make"] != "dict":
            # It may be missing, and an attribute is always there.
            node = node if node[0] in ("optional", "none", "any") or field["init"] is None else ("optional", node)
        text = self.spelling.annotation(node, {**said, **(extra or {}), **field.get("notes", {})})
        late = any(index not in self._defined for index in _mentioned(node))
        # In a class with `Point: Point | None = None` the next `Point` would mean the default.
        mentioned = self.definitions & set(re.findall(r"\w+", text))
        hidden = mentioned and not mentioned.isdisjoint(self._attributes_of(record))
        return repr(text) if late or hidden else text

    def _attributes_of(self, record: dict[str, Any]) -> set[str]:
        """The names of a record's attributes: made once, since each field may ask."""
        if self._last is not record:
            self._last, self._attributes = record, {field["name"] for field in record["fields"]}
        return self._attributes

    def _configured(self, index: int, record: dict[str, Any]) -> list[str]:
        said = self._configuration(index, record)
        return [f"@{self.imports.member('demat', 'configure')}({said})"] if said else []

    def _configuration(self, index: int, record: dict[str, Any]) -> str:
        given: dict[str, Any] = {}
        if record["unknown"] == "forbid":
            given["unknown"] = "forbid"
        if record.get("array_like"):
            given["array_like"] = True
        if record.get("gc", True) is False:
            given["gc"] = False
        tag, value = record["tag"] or (None, self.tags.get(index, self.names[index]))
        if tag is not None:
            given["tag"] = tag
        if value != self.names[index]:
            given["tag_value"] = value
        return ", ".join(f"{name}={value!r}" for name, value in given.items())


def _plain(record: dict[str, Any]) -> None:
    """Refuses a class that does more than its fields say."""
    name = record["name"]
    if record.get("cls") is not None and record["make"] != "fields":
        raise TypeError(f"`{name}` can't be written as source: it has a say in how its instances are made")
    if record.get("post_init") is not None:
        raise TypeError(f"`{name}` can't be written as source: it has a `__post_init__`")


def _options(cls: Any) -> dict[str, Any]:
    if cls is None:
        return {"slots": True}
    params = getattr(cls, "__dataclass_params__", None)
    options: dict[str, Any] = {}
    for name, usual in (("eq", True), ("order", False), ("unsafe_hash", False), ("frozen", False)):
        if getattr(params, name, usual) is not usual:
            options[name] = not usual
    # An instance of a class with slots all the way up has no dict.
    if getattr(cls, "__dictoffset__", 1) == 0:
        options["slots"] = True
    return options


def _in_order(fields: list[dict[str, Any]]) -> bool:
    needed = [field["required"] for field in fields if field["init"] is not None]
    return needed == sorted(needed, reverse=True)


def _docstring(cls: Any) -> list[str]:
    text = getattr(cls, "__dict__", {}).get("__doc__")
    if cls is None or not isinstance(text, str) or text.startswith(f"{cls.__name__}("):
        return []
    lines = inspect.cleandoc(text).replace("\\", "\\\\").replace('"""', '\\"\\"\\"').splitlines() or [""]
    lines[0] = f'"""{lines[0]}'
    lines[-1] += '"""' if len(lines) == 1 else ""
    return [f"    {line}".rstrip() for line in (lines if len(lines) == 1 else [*lines, '"""'])]


def _mentioned(node: Node) -> list[int]:
    """The records that an annotation has to name as they are; aliases are in quotes anyway."""
    if node[0] == "record":
        return [node[1]]
    return [index for part in children(node) for index in _mentioned(part)]
