"""XML 1.0 with namespaces: elements as dataclasses.

A class is an element, and `Field` says which fields are attributes or text. An element that repeats is a list,
wherever it stands. By default, a document type declaration is refused, and only the five entities of XML are
expanded.

`loads` and `dumps` are `decode` and `encode`, under the names that are typed first.

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
b'<Task id="1"><title>Clean room</title><done>false</done></Task>'

`decode(data, type=Any, **options)` and `Decoder(type=Any, **options)`:

- `strict=True`: False also accepts other forms of a value: the text of a number or a bool, `1` and `0` for a bool,
  `3.0` for an int, for a datetime what `times="seconds"` accepts
- `times=None`: the other forms of datetimes and times to accept: `lenient`: a date alone, no seconds, `+0100`, and
  more digits of a second than microseconds, which are cut; `seconds`, `milliseconds`: these, and numbers since 1970
  in UTC; None: those of RFC 3339 only
- `unknown=None`: what to do with fields that a class does not have, unless the class says so itself; None: ignore
  them
- `rename=None`: the names in the data of the fields of classes that do not say so themselves: a case such as
  `camel`, a mapping, or a function of the attribute's name
- `fields=None`: the names of the attributes to read of the class that the type is, or is a list of; the others are
  skipped and stay unset; None: all
- `hooks=None`: how to make values of these classes, for this call or decoder; they win over `demat.hook`
- `errors="first"`: stop at the first invalid value, collect all of them, or at most so many
- `gc=True`: False: the cyclic garbage collector does not track the instances; only if they can't be part of a cycle
- `depth=256`: how deep elements may nest, up to 8000
- `root=None`: the name that the root element must have; None: any
- `doctype="refuse"`: refuse a document type declaration; skip it and ignore what it declares; or expand the
  entities that it declares with their texts, within limits (never external ones)
- `namespaces=True`: False: prefixes need no declaration, and a colon is part of a name
- `empty="text"`: read an empty element or attribute as empty text, or as None

`validate(data, type=Any, **options)` takes the same options but `gc`, and returns nothing.

`read(place, type=Any, **options)`, with the options of `decode` and:

- `at=None`: the path of the records, as names of elements from the root on, such as `catalog/book`; a dict of paths
  and types: the records of all of them, in the order of the document, each of the type of its path; None: the
  children of the root
- `recycle=False`: True: fill an instance again that the program no longer refers to, instead of making a new one;
  instances that it keeps never change
- `batch=None`: yield lists of up to so many records; a list is shorter at the end and where no more data has
  arrived; None: one record at a time
- `progress=False`: called with the bytes read so far and the total, or None if that is unknown; True: a progress
  bar on standard error
- `limit=1073741824`: the largest size of a record in bytes
- `compression="auto"`: how the data is compressed; `auto`: detected by its first bytes; None: not compressed
- `on_error="stop"`: where a record is refused: `stop` there with its error, `skip` it, or `collect` it in
  `rejects`; a syntax error that hides where the next record begins always stops
- `rejects=None`: with `collect`: a list that gets the error and the bytes of each refused record, or a callable
  that is called with them

`parser(type=Any, target=None, **options)`, with the options of `read`, takes the bytes as they come.

`encode(value, **options)`, `encode_into(value, buffer, **options)` and `Encoder(**options)`:

- `type=None`: the type to write the value as, which decides its tags, names, hooks and columns; a value of another
  type is refused; None: the value's own class
- `rename=None`: the names in the data of the fields of classes that do not say so themselves: a case such as
  `camel`, a mapping, or a function of the attribute's name
- `hooks=None`: how to write values of these classes, for this call or encoder; they win over `demat.hook`
- `default=None`: called with each value of an unknown class; its result is written instead
- `sort_sets=False`: True: write the items of sets in order; False: in the order of iteration, which differs from
  run to run
- `depth=1024`: how deep lists and records may nest
- `omit_default=False`: True: leave out fields that equal their default, of classes and fields that do not say so
  themselves
- `omit_none=False`: True: leave out fields that are None, of classes and fields that do not say so themselves; a
  reader takes the default of each
- `indent=None`: spaces for each level, with a line for each item; None: no white space at all
- `root=None`: the name of the root element; None: the name of the class, or `root`
- `item=None`: the name of each item of the outermost list; None: the name of the class, or `item`
- `namespace=None`: the namespace of the root element and of all elements without one of their own; None: no
  namespace
- `declaration=True`: whether to write an XML declaration

`write(place, values, type=None, **options)` takes the options of `encode`, and:

- `compression="auto"`: how to compress the data; `auto`: by the suffix of a path, `.gz` or `.zst`; None: not at all

`columns(place, type=None, **options)`:

- `fields=None`: the columns to read, in this order; the others are skipped; None: all
- `batch_size=None`: yield columns of so many records at a time, from an iterator that reads on demand; None: all at
  once
- `threads=None`: the number of threads; None: one for each core
- `decimals=None`: precision and scale of columns of decimals; None: they become text, which keeps all digits
- `naive=False`: True: no datetime has a time zone; False: only those have none whose type says so, and the others
  are instants, with an offset
- `narrow=False`: True: columns of ints are as narrow as the bounds of their type allow (`uint8` for `ge=0,
  le=255`); False: `int64`
- `dictionary=False`: the columns whose texts are stored once each, with a number for each row; True: all
- `sample=1000`: how many records to infer the columns from, if there is no type; None: all
- `on_error="stop"`: where a record is refused: `stop` there with its error, `skip` it, or `collect` it in
  `rejects`; a syntax error that hides where the next record begins always stops
- `rejects=None`: with `collect`: a list that gets the error and the bytes of each refused record, or a callable
  that is called with them
- `depth=256`: how deep elements may nest, up to 8000
- `root=None`: the name that the root element must have; None: any
- `doctype="refuse"`: refuse a document type declaration; skip it and ignore what it declares; or expand the
  entities that it declares with their texts, within limits (never external ones)
- `namespaces=True`: False: prefixes need no declaration, and a colon is part of a name
- `empty="text"`: read an empty element or attribute as empty text, or as None
"""

# Written by `make stubs` from `python/demat/_formats` and `python/generate`; change those.

from demat import _native, _placed
from demat._native import xml as _verbs

__all__ = [
    "Decoder",
    "Encoder",
    "columns",
    "decode",
    "dumps",
    "encode",
    "encode_into",
    "loads",
    "parser",
    "read",
    "validate",
    "write",
]

decode = loads = _verbs.decode
encode = dumps = _verbs.encode
encode_into = _verbs.encode_into
validate = _verbs.validate
read = _placed.read_of(_verbs)
write = _placed.write_of(_verbs)
columns = _placed.columns_of(_verbs)


def parser(type: object = None, /, *, target: object = None, **options: object) -> object:
    """Returns a parser that takes XML in pieces and gives complete records.

    It is a `demat.Parser`. `type` is the type of a record, `target` a callable that gets each. The options are those of
    `read`, but for `batch` and `recycle`.

    >>> from demat import xml
    >>> data = xml.encode([{'id': 'a'}])
    >>> parser = xml.parser(dict[str, str])
    >>> [*parser.feed(data[:5]), *parser.feed(data[5:]), *parser.close()]
    [{'id': 'a'}]
    """

    from demat._parser import parser

    return parser(_verbs, type, target, options)  # type: ignore[arg-type]


class Decoder(_native.Decoder):
    """Decodes XML into one type, as `decode` does with the same type and options.

    It prepares the type and the options once, when it is made. Several threads may use it at a time, and it can be
    pickled if its type and options can.

    >>> from demat import xml
    >>> decoder = xml.Decoder(list[dict[str, str]])
    >>> decoder.decode(xml.encode([{'id': 'a'}]))
    [{'id': 'a'}]
    """

    __slots__ = ()
    _format = "xml"
    # `Decoder[Task]`, for annotations; `types` would have to be imported for this one name.
    __class_getitem__ = classmethod(type(list[int]))  # pyright: ignore[reportArgumentType]


class Encoder(_native.Encoder):
    """Encodes values as XML, as `encode` does with the same options.

    Several threads may use it at a time, and it can be pickled if its options can.

    >>> from demat import xml
    >>> encoder = xml.Encoder()
    >>> encoder.encode([{'id': 'a'}]) == xml.encode([{'id': 'a'}])
    True
    """

    __slots__ = ()
    _format = "xml"
