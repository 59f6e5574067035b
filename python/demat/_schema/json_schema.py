"""Descriptions as JSON Schema, draft 2020-12."""

from __future__ import annotations

import inspect
import re
from typing import Any

from .._describe.nodes import Node
from .._unset import UNSET
from . import limits
from .plain import empty, plain

Schema = dict[str, Any]

_DIALECT = "https://json-schema.org/draft/2020-12/schema"

_SCALARS: dict[str, Schema] = {
    "any": {},
    "raw": {},
    "none": {"type": "null"},
    "bool": {"type": "boolean"},
    "int": {"type": "integer"},
    "float": {"type": "number"},
    "str": {"type": "string"},
    "bytes": {"type": "string", "contentEncoding": "base64"},
    "bytearray": {"type": "string", "contentEncoding": "base64"},
    "memoryview": {"type": "string", "contentEncoding": "base64"},
    "decimal": {"type": ["number", "string"], "format": "decimal"},
    "date": {"type": "string", "format": "date"},
    "timedelta": {"type": "string", "format": "duration"},
    "uuid": {"type": "string", "format": "uuid"},
    "flag": {"type": "integer"},
}
# Their formats want an offset, which values that are naive have not.
_ZONED = {"datetime": "date-time", "time": "time"}


def json_schema(root: Node, records: list[dict[str, Any]], *, written: bool = False) -> Schema:
    """The JSON Schema of what is read as a description says; made with `notes`, it has titles and the like.

    With `written` it is the schema of what is written: fields have the names that they are written by.
    """
    writer = _Writer(records, written=written)
    schema = {"$schema": _DIALECT, **writer.node(root)}
    told: dict[str, Schema] = {}
    # Telling one may refer to more of them.
    while len(told) < len(writer.names):
        for key, name in list(writer.names.items())[len(told) :]:
            told[name] = writer.entry(*key)
    if told:
        schema["$defs"] = told
    return schema


class _Writer:
    def __init__(self, records: list[dict[str, Any]], *, written: bool = False) -> None:
        self.records = records
        self.written = written
        # The names of the records that are referred to; with a tag and its value, where a union puts one into them.
        self.names: dict[tuple[int, str | None, Any], str] = {}

    def node(self, node: Node) -> Schema:
        """The schema of what is read as a node."""
        kind = node[0]
        if kind in _SCALARS:
            return dict(_SCALARS[kind])
        match kind:
            case "datetime" | "time":
                return _time(node)
            case "enum":
                return {**_said(node[1]), "enum": list(node[2])}
            case "literal":
                return {"const": node[1][0]} if len(node[1]) == 1 else {"enum": list(node[1])}
            case "optional":
                return _any_of([self.node(node[1]), {"type": "null"}])
            case "list":
                return {"type": "array", **_unless_any("items", self.node(node[2]))}
            case "tuple":
                parts = [self.node(part) for part in node[1]]
                count = len(parts)
                prefix = {"prefixItems": parts} if parts else {}
                return {"type": "array", **prefix, "items": False, "minItems": count, "maxItems": count}
            case "dict":
                values = _unless_any("additionalProperties", self.node(node[3]))
                return {"type": "object", **limits.keys(node[2], self.node(node[2])), **values}
            case "record" | "named":
                return self.reference(node[1])
            case "union":
                return self.union(node)
            case "hook":
                return self.node(node[5] if self.written else node[1])
            case "checked":
                return limits.limited(self.node(node[1]), node)
            case "noted":
                return {**self.node(node[1]), **self.notes(node[2], node[1])}
        raise AssertionError(f"no node is called {kind!r}")

    def reference(self, index: int, tag: str | None = None, value: Any = None) -> Schema:
        """A reference to a record under `$defs`, where it will be told."""
        key = (index, tag, value)
        if key not in self.names:
            name = plainest = re.sub(r"[^\w.-]+", "_", self.records[index]["name"], flags=re.ASCII).strip("_")
            count = 1
            while name in self.names.values():
                count += 1
                name = f"{plainest}_{count}"
            self.names[key] = name
        return {"$ref": f"#/$defs/{self.names[key]}"}

    def entry(self, index: int, tag: str | None, value: Any) -> Schema:
        """The schema of an entry of the records."""
        entry = self.records[index]
        if "fields" not in entry:
            return {"title": entry["name"], **self.node(entry["node"])}
        if entry["make"] == "tuple" and tag is None and entry["tag"] is None:
            return self.named_tuple(entry)
        if entry.get("array_like"):
            return self.array(entry, entry["tag"] if tag is None else (tag, value))
        return self.record(entry, None if tag is None else (tag, value))

    def named_tuple(self, record: dict[str, Any]) -> Schema:
        """The schema of a named tuple: it is written as a list, and read from a list or from an object."""
        fields = record["fields"]
        needed = len(fields) if self.written else sum(field["required"] for field in fields)
        items = [next(iter(self.properties(field).values())) for field in fields]
        prefix = {"prefixItems": items} if items else {}
        listed: Schema = {"type": "array", **prefix, "items": False, "minItems": needed, "maxItems": len(fields)}
        said = _said(record["cls"], record["name"])
        if self.written:
            return {**said, **listed}
        keyed = {name: part for name, part in self.record(record).items() if name not in said}
        return {**said, "anyOf": [listed, keyed]}

    def array(self, record: dict[str, Any], tag: tuple[str, Any] | None) -> Schema:
        """The schema of an `array_like` class; `tag` is the first item."""
        fields = record["fields"]
        items = [] if tag is None else [{"const": tag[1]}]
        needed = len(items)
        for field in fields:
            items.append(next(iter(self.properties(field).values())))
            if self.written or (field["required"] and field["init"] is not None):
                needed = len(items)
        schema = {**_said(record["cls"], record["name"]), "type": "array"}
        if items:
            schema["prefixItems"] = items
        schema["minItems"] = needed
        if self.written or record["unknown"] == "forbid":
            schema |= {"items": False, "maxItems": len(items)}
        return schema

    def record(self, record: dict[str, Any], tag: tuple[str, Any] | None = None) -> Schema:
        """The schema of a record; `tag`, of a union, is a property more, which must be there."""
        properties: dict[str, Schema] = {}
        required: list[str] = []
        choices: list[Schema] = []
        rest: Any = False if record["unknown"] == "forbid" else UNSET
        for key, value in filter(None, (tag, record["tag"] if tag is None else None)):
            properties[key] = {"const": value}
            if tag is not None:
                required.append(key)
        for index, field in enumerate(record["fields"]):
            if index == record["unknown"]:
                rest = self.node(field["node"][3])
                continue
            properties |= self.properties(field)
            if field["required"] and (self.written or len(field["read"]) == 1):
                required.append(field["key"] if self.written else field["read"][0])
            elif field["required"]:
                choices.append({"anyOf": [{"required": [name]} for name in field["read"]]})
        schema: Schema = {**_said(record["cls"], record["name"]), "type": "object", "properties": properties}
        if required:
            schema["required"] = required
        if choices:
            schema["allOf"] = choices
        if rest is not UNSET and rest != {}:
            schema["additionalProperties"] = rest
        return schema

    def properties(self, field: dict[str, Any]) -> dict[str, Schema]:
        """The properties that a field can be read from."""
        schema = {**self.node(field["node"]), **self.notes(field.get("notes", {}), field["node"])}
        default = plain(field["default"], field["node"], self.records) if "default" in field else UNSET
        if "factory" in field:
            default = empty(field["factory"])
        if default is not UNSET:
            schema["default"] = default
        if field["init"] is None:
            return {field["key"]: {**schema, "readOnly": True}}
        return {field["key"]: schema} if self.written else dict.fromkeys(field["read"], schema)

    def union(self, node: Node) -> Schema:
        """Returns the schema of a union: that of each variant, with its tag."""
        _, tag, variants = node
        if tag is None:
            return _any_of([self.node(variant) for _, variant in variants])
        named = [(name, self.variant(tag, name, variant)) for name, variant in variants if name is not None]
        schemas = [schema for _, schema in named]
        are_arrays = any(self.records[variant[1]].get("array_like") for _, variant in variants)
        for name, variant in variants:
            if name is None:
                known = {"enum": [name for name, _ in named]}
                schemas.append(self.other(tag, known, variant, is_array=are_arrays))
        if are_arrays:
            return _any_of(schemas)
        # OpenAPI's, by which its tools find the schema of a tag; to JSON Schema it says nothing.
        mapping = {str(name): schema["$ref"] for name, schema in named}
        return {**_any_of(schemas), "discriminator": {"propertyName": tag, "mapping": mapping}}

    def other(self, tag: str, known: Schema, variant: Node, *, is_array: bool) -> Schema:
        """Returns the schema of the variant for all tags that are not known."""
        if is_array:
            return {**self.node(variant), "minItems": 1, "not": {"prefixItems": [known], "minItems": 1}}
        return {**self.node(variant), "required": [tag], "not": {"properties": {tag: known}}}

    def variant(self, tag: str, name: Any, variant: Node) -> Schema:
        """Returns the schema of the variant with this name, in a union with this tag."""
        record = self.records[variant[1]]
        held = next((field for field in record["fields"] if field["key"] == tag), None)
        if record.get("array_like") and (held is not None or record["tag"] is not None):
            return {**self.node(variant), **({} if held is None else {"prefixItems": [{"const": name}]})}
        if held is not None:
            return {**self.node(variant), "properties": {tag: {"const": name}}}
        if record["tag"] is not None:
            return {**self.node(variant), "required": [tag]}
        # The class has no tag, and may forbid unknown fields. So the variant gets a definition of its own with the tag.
        return self.reference(variant[1], tag, name)

    def notes(self, said: dict[str, Any], node: Node) -> Schema:
        """Titles and the like, with examples as they would be in JSON."""
        if "examples" not in said:
            return said
        examples = [plain(example, node, self.records) for example in said["examples"]]
        return {**said, "examples": [example for example in examples if example is not UNSET]}


def _time(node: Node) -> Schema:
    """The schema of a datetime or a time; its format wants an offset, and the usual form."""
    if node[2:]:
        return {"type": "string"} if node[2] == "lenient" else {"type": ["string", "number"]}
    return {"type": "string"} if node[1] is False else {"type": "string", "format": _ZONED[node[0]]}


def _any_of(schemas: list[Schema]) -> Schema:
    return {"anyOf": schemas}


def _unless_any(key: str, schema: Schema) -> Schema:
    return {key: schema} if schema else {}


def _said(cls: Any, name: str | None = None) -> Schema:
    """The name and the docstring of a class."""
    title = getattr(cls, "__name__", None) if name is None else name
    said = {"title": title} if title else {}
    text = getattr(cls, "__dict__", {}).get("__doc__")
    # What `dataclass` and `namedtuple` put there is the signature of the constructor.
    if cls is not None and isinstance(text, str) and not text.startswith(f"{cls.__name__}("):
        said["description"] = inspect.cleandoc(text)
    return said
