"""XML by lxml with code by hand: objects of elements, elements of objects, and texts from templates.

An element is a record, its children are the fields, a list is a repeated child.

    def make_Ints(e):
        v = {c.tag: c for c in e}
        return Ints(int(v["a"].text), int(v["b"].text))
"""

from collections.abc import Callable
from dataclasses import is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from importlib import import_module
from types import UnionType
from typing import Any, Union, get_args, get_origin
from uuid import UUID
from xml.sax.saxutils import escape

from typing_extensions import is_typeddict

from zoo.hand import bases, without_none
from zoo.kind import Kind
from zoo.plain import hints, tag_of

READ = {
    int: "int({})",
    float: "float({})",
    str: '({} or "")',
    bool: '{} == "true"',
    Decimal: "Decimal({})",
    date: "date.fromisoformat({})",
    time: "time.fromisoformat({})",
    datetime: "datetime.fromisoformat({})",
    UUID: "UUID({})",
}
WRITE = {
    int: "str({})",
    float: "repr({})",
    str: "{}",
    bool: '("true" if {} else "false")',
    Decimal: "str({})",
    date: "{}.isoformat()",
    time: "{}.isoformat()",
    datetime: "{}.isoformat()",
    UUID: "str({})",
}
NAMES = {"Decimal": Decimal, "date": date, "time": time, "datetime": datetime, "UUID": UUID, "escape": escape}


def members(wanted: Any) -> tuple[Any, ...]:
    """The classes of a union; the one of any other type."""
    return get_args(wanted) if get_origin(wanted) in (Union, UnionType) else (wanted,)


def record(wanted: Any) -> bool:
    """Whether a type is an element with children."""
    return is_dataclass(wanted) or is_typeddict(wanted) or len(members(wanted)) > 1


def scalar(wanted: Any, at: str, templates: dict[Any, str], scope: dict[str, Any]) -> str:
    """The expression for a value without parts."""
    wanted = bases(wanted)
    if isinstance(wanted, type) and issubclass(wanted, Enum):
        scope[wanted.__name__] = wanted
        value = type(next(iter(wanted)).value)
        if templates is READ:
            return f"{wanted.__name__}({READ[value].format(at)})"
        return templates[value].format(f"{at}.value")
    return templates[wanted].format(at)


class Program:
    """The functions for a type, and for those within it."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.sources: dict[str, str] = {}
        self.scope: dict[str, Any] = dict(NAMES)

    def function(self, name: str) -> Any:
        """One of the functions."""
        for source in self.sources.values():
            exec(source, self.scope)
        return self.scope[name]

    def chosen(self, wanted: Any, of: Callable[[Any], str], by: str) -> str:
        """The function for a record, or for any of several by their tag."""
        classes = members(wanted)
        if len(classes) == 1:
            return of(wanted)
        found = {cls: of(cls) for cls in classes}
        if by == "tag":
            cases = ", ".join(f"{get_args(hints(cls)[tag_of(cls) or ''])[0]!r}: {name}" for cls, name in found.items())
            key = f"e.findtext({tag_of(classes[0])!r})"
            self.sources["choose"] = f"cases = {{{cases}}}\ndef choose(e):\n return cases[{key}](e)\n"
        else:
            self.scope |= {cls.__name__: cls for cls in classes}
            cases = ", ".join(f"{cls.__name__}: {name}" for cls, name in found.items())
            taken = "o" if by == "text" else "e, o"
            self.sources["choose"] = f"cases = {{{cases}}}\ndef choose({taken}):\n return cases[type(o)]({taken})\n"
        return "choose"

    def maker(self, wanted: Any) -> str:
        """Makes a record of its element."""
        return self.chosen(wanted, self.maker_of, "tag")

    def maker_of(self, cls: Any) -> str:
        """Makes a record of one class."""
        name = f"make_{cls.__name__}"
        if name in self.sources:
            return name
        self.sources[name] = ""
        self.scope[cls.__name__] = cls
        types = {field: without_none(own) for field, own in hints(cls).items()}
        # Texts where all children have only text; the elements otherwise.
        flat = not any(record(own) or get_origin(own) is list for own, _ in types.values())
        given = []
        for field, (own, optional) in types.items():
            if get_origin(own) is list:
                (item,) = get_args(own)
                one = f"{self.maker(item)}(x)" if record(item) else scalar(item, "x.text", READ, self.scope)
                made = f"[{one} for x in e.iterchildren({field!r})]"
            else:
                at = "x" if optional else f"v[{field!r}]"
                text = at if flat else f"{at}.text"
                made = f"{self.maker(own)}({at})" if record(own) else scalar(own, text, READ, self.scope)
                if optional and flat and own is str:
                    made = f'(v[{field!r}] or "") if {field!r} in v else None'
                elif optional:
                    made = f"({made}) if (x := v.get({field!r})) is not None else None"
            given.append(f"{field}={made}")
        made = f"{'dict' if is_typeddict(cls) else cls.__name__}({', '.join(given)})"
        children = "{c.tag: c.text for c in e}" if flat else "{c.tag: c for c in e}"
        self.sources[name] = f"def {name}(e):\n v = {children}\n return {made}\n"
        return name

    def filler(self, wanted: Any) -> str:
        """Gives an element the children of a record."""
        return self.chosen(wanted, self.filler_of, "element")

    def filler_of(self, cls: Any) -> str:
        """Gives an element the children of a record of one class."""
        name = f"fill_{cls.__name__}"
        if name in self.sources:
            return name
        self.sources[name] = ""
        lines = [f"def {name}(e, o):"]
        for field, own in hints(cls).items():
            wanted, optional = without_none(own)
            at, indent = (f"o[{field!r}]" if is_typeddict(cls) else f"o.{field}"), " "
            if optional:
                lines.append(f" if {at} is not None:")
                indent = "  "
            if get_origin(wanted) is list:
                lines.append(f"{indent}for x in {at}:")
                wanted, at, indent = get_args(wanted)[0], "x", f"{indent} "
            child = f"SubElement(e, {field!r})"
            if record(wanted):
                lines.append(f"{indent}{self.filler(wanted)}({child}, {at})")
            else:
                lines.append(f"{indent}{child}.text = {scalar(wanted, at, WRITE, self.scope)}")
        self.sources[name] = "\n".join(lines) + "\n"
        return name

    def teller(self, wanted: Any) -> str:
        """The children of a record as text."""
        return self.chosen(wanted, self.teller_of, "text")

    def teller_of(self, cls: Any) -> str:
        """The children of a record of one class as text."""
        name = f"tell_{cls.__name__}"
        if name in self.sources:
            return name
        self.sources[name] = ""
        templates = WRITE | {str: "escape({})"}
        pieces = []
        for field, own in hints(cls).items():
            wanted, optional = without_none(own)
            at = f"o[{field!r}]" if is_typeddict(cls) else f"o.{field}"
            item = get_args(wanted)[0] if get_origin(wanted) is list else wanted
            one = "x" if item is not wanted else at
            told = f"{self.teller(item)}({one})" if record(item) else scalar(item, one, templates, self.scope)
            if item is not wanted:
                pieces.append(f'"".join(["<{field}>" + {told} + "</{field}>" for x in {at}])')
            elif optional:
                pieces.append(f'("" if {at} is None else "<{field}>" + {told} + "</{field}>")')
            else:
                pieces.append(f'"<{field}>" + {told} + "</{field}>"')
        parts = ", ".join(pieces)
        self.sources[name] = f'def {name}(o):\n return "".join([{parts}])\n'
        return name


def root_names(kind: Kind) -> tuple[str, str]:
    """The names of the outermost element and of each record in it."""
    return ("root", "item")


def reader(kind: Kind) -> Callable[[bytes], Any]:
    """Parses a document and makes the records of it."""
    etree, program = import_module("lxml.etree"), Program()
    make = program.function(program.maker(kind.record))
    parse = etree.fromstring
    return (lambda data: make(parse(data))) if kind.single else lambda data: [make(e) for e in parse(data)]


def writer(kind: Kind) -> Callable[[Any], bytes]:
    """Makes elements of the records and writes them."""
    etree, program = import_module("lxml.etree"), Program()
    program.scope["SubElement"] = sub = etree.SubElement
    fill = program.function(program.filler(kind.record))
    outer, inner = root_names(kind)

    def write(values: Any) -> bytes:
        root = etree.Element(outer)
        if kind.single:
            fill(root, values)
        else:
            for value in values:
                fill(sub(root, inner), value)
        return etree.tostring(root, encoding="UTF-8", xml_declaration=True)

    return write


def templates(kind: Kind) -> Callable[[Any], bytes]:
    """Pieces of text around escaped values."""
    program = Program()
    tell = program.function(program.teller(kind.record))
    outer, inner = root_names(kind)
    head, tail = f'<?xml version="1.0" encoding="UTF-8"?>\n<{outer}>', f"</{outer}>"

    def write(values: Any) -> bytes:
        if kind.single:
            return (head + tell(values) + tail).encode()
        return (head + "".join([f"<{inner}>{tell(value)}</{inner}>" for value in values]) + tail).encode()

    return write
