"""Names for Python, where a place calls its fields as it likes: `first name` becomes the attribute `first_name`."""

from __future__ import annotations

import keyword
import re
import unicodedata
from collections.abc import Container
from typing import Any

from .._case import renamed
from .._describe.nodes import Node, children

Records = list[dict[str, Any]]


def attribute(key: str, taken: Container[str] = ()) -> str:
    """A name that an attribute can have, as close to the key as can be, and none of those that are taken.

    >>> attribute("first name"), attribute("2nd"), attribute("class"), attribute(""), attribute("a", {"a"})
    ('first_name', '_2nd', 'class_', 'field', 'a_2')
    """
    # Python itself reads identifiers so, and two that are written differently could then be one.
    name = re.sub(r"\W+", "_", unicodedata.normalize("NFKC", key)).rstrip("_")
    # With two underscores in front it would be private to its class, and have another name.
    name = re.sub("^_+", "_", name) if name.strip("_") else "field"
    if not name.isidentifier():
        name = f"_{name}"
    if keyword.iskeyword(name):
        name += "_"
    return unlike(name, taken)


def unlike(name: str, taken: Container[str]) -> str:
    """The name, with a number behind it where it is taken."""
    count, found = 1, name
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    return found


def class_name(text: str) -> str:
    """A name for a class.

    >>> class_name("due dates"), class_name("Task"), class_name("HTTP-log"), class_name("9")
    ('DueDates', 'Task', 'HttpLog', '_9')
    """
    return attribute(renamed(attribute(text), "pascal") if not text.isidentifier() or text.islower() else text)


def identified(root: Node, records: Records, name: str) -> Records:
    """The records with a name for each class and attribute that Python can have; the keys stay what they are.

    `name` is for the one at the root; one that has no name is called after the field that it was first found at.
    """
    names: dict[int, str] = {}
    taken: set[str] = set()

    def found(node: Node, hint: str) -> None:
        if node[0] == "union":
            # What stands at a tag says best what the class is.
            for value, variant in node[2]:
                found(variant, hint if value is None else str(value))
            return
        if node[0] not in ("record", "named"):
            for part in children(node):
                found(part, hint)
            return
        index = node[1]
        if index in names:
            return
        entry = records[index]
        names[index] = unlike(class_name(entry["name"] or hint), taken)
        taken.add(names[index])
        for field in entry.get("fields", ()):
            found(field["node"], field["key"])
        if "node" in entry:
            found(entry["node"], hint)

    found(root, name)
    return [_renamed(entry, names.get(index, "Unused")) for index, entry in enumerate(records)]


def _renamed(entry: dict[str, Any], name: str) -> dict[str, Any]:
    if "fields" not in entry:
        return {**entry, "name": name}
    taken: set[str] = set()
    fields = []
    for field in entry["fields"]:
        made = attribute(field["name"], taken)
        taken.add(made)
        fields.append({**field, "name": made, "init": made})
    return {**entry, "name": name, "fields": fields}
