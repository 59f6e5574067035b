"""XML 1.0 with namespaces: elements as dataclasses."""

from __future__ import annotations

from .format import Format
from .option import AT, DEPTH, INDENT, OMITTING, READING, STREAMING, WRITING, Option

XML_READING = (
    DEPTH._replace(default="256", doc="how deep elements may nest, up to 8000"),
    Option("root", "str | None", "None", "the name that the root element must have; None: any"),
    Option(
        "doctype",
        'Literal["refuse", "skip", "expand"]',
        '"refuse"',
        "refuse a document type declaration; skip it and ignore what it declares; or expand the entities that it "
        "declares with their texts, within limits (never external ones)",
    ),
    Option("namespaces", "bool", "True", "False: prefixes need no declaration, and a colon is part of a name"),
    Option(
        "empty",
        'Literal["text", "null"]',
        '"text"',
        "read an empty element or attribute as empty text, or as None",
    ),
)

XML_WRITING = (
    INDENT,
    Option("root", "str | None", "None", "the name of the root element; None: the name of the class, or `root`"),
    Option(
        "item",
        "str | None",
        "None",
        "the name of each item of the outermost list; None: the name of the class, or `item`",
    ),
    Option(
        "namespace",
        "str | None",
        "None",
        "the namespace of the root element and of all elements without one of their own; None: no namespace",
    ),
    Option("declaration", "bool", "True", "whether to write an XML declaration"),
)

XML_AT = AT._replace(
    doc="the path of the records, as names of elements from the root on, such as `catalog/book`; a dict of paths and "
    "types: the records of all of them, in the order of the document, each of the type of its path; None: the children "
    "of the root"
)

FORMAT = Format(
    name="xml",
    title="XML",
    summary="XML 1.0 with namespaces: elements as dataclasses.",
    doc="A class is an element, and `Field` says which fields are attributes or text. An element that repeats is a "
    "list, wherever it stands. By default, a document type declaration is refused, and only the five entities of "
    "XML are expanded.",
    example="""\
>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from demat import Field, xml
>>> @dataclass
... class Task:
...     id: Annotated[int, Field(xml="attribute")]
...     title: str
...     done: bool = False
>>> task = xml.decode('<task id="1"><title>Clean room</title></task>', Task)
>>> task
Task(id=1, title='Clean room', done=False)
>>> xml.encode(task, declaration=False)
b'<Task id="1"><title>Clean room</title><done>false</done></Task>'""",
    untyped="str, None, and lists and dicts of them, with attributes under `@name` and text under `#text`",
    untyped_type="Any",
    reading=(*READING, *XML_READING),
    streaming=(XML_AT, *STREAMING),
    records="the children of the root",
    writing=(*WRITING, *OMITTING, *XML_WRITING),
    texts=True,
    layout=("root", "item", "namespace", "namespaces"),
)
