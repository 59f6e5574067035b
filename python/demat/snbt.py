"""SNBT: NBT as text, as Minecraft's commands have it.

It has the values of NBT, and each number has the letter of its tag. The whole text is held in memory.

`loads` and `dumps` are `decode` and `encode`, under the names that are typed first.

>>> from dataclasses import dataclass
>>> from typing import Annotated
>>> from demat import Field, snbt
>>> @dataclass
... class Item:
...     id: str
...     Count: Annotated[int, Field(nbt="byte")]
>>> snbt.encode(Item("minecraft:stone", 64))
b'{id:"minecraft:stone",Count:64b}'
>>> snbt.decode('{Count: 1b, id: "minecraft:dirt"}', Item)
Item(id='minecraft:dirt', Count=1)

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
- `depth=512`: how deep lists and compounds may nest
- `repeated_keys="last"`: the last value of a repeated key wins, or the object is refused

`validate(data, type=Any, **options)` takes the same options but `gc`, and returns nothing.

`read(place, type=Any, **options)`, with the options of `decode` and:

- `at=None`: the path of the records in the document, such as `"$.data.items[*]"`, or `"$.users.*"` for the values
  of a dict; without `[*]` and `.*` the value there is the only record; a dict of paths and types: the records of
  all of them, in the order of the document, each of the type of its path; None: the items of the outermost list
- `keys=False`: True: yield pairs of key and record, for a path that ends in `.*`
- `header=False`: True: keep the fields around the records, up to 1 MiB of them, for `reader.header`, as a dict; a
  type: as a value of it
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
- `omit_default=False`: True: leave out fields that equal their default, of classes and fields that do not say so
  themselves
- `omit_none=False`: True: leave out fields that are None, of classes and fields that do not say so themselves; a
  reader takes the default of each
- `depth=512`: how deep lists and compounds may nest
- `uuids="text"`: write a UUID as text, or as an array of four ints, as Minecraft does since 1.16
- `indent=None`: spaces for each level, with a line for each item; None: no white space at all

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
- `depth=512`: how deep lists and compounds may nest
- `repeated_keys="last"`: the last value of a repeated key wins, or the object is refused
"""

# Written by `make stubs` from `python/demat/_formats` and `python/generate`; change those.

from demat import _native, _placed
from demat._native import snbt as _verbs

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
    """Returns a parser that takes SNBT in pieces and gives complete records.

    It is a `demat.Parser`. `type` is the type of a record, `target` a callable that gets each. The options are those of
    `read`, but for `batch` and `recycle`.

    >>> from demat import snbt
    >>> data = snbt.encode([{'id': 'a'}])
    >>> parser = snbt.parser(dict[str, str])
    >>> [*parser.feed(data[:5]), *parser.feed(data[5:]), *parser.close()]
    [{'id': 'a'}]
    """

    from demat._parser import parser

    return parser(_verbs, type, target, options)  # type: ignore[arg-type]


class Decoder(_native.Decoder):
    """Decodes SNBT into one type, as `decode` does with the same type and options.

    It prepares the type and the options once, when it is made. Several threads may use it at a time, and it can be
    pickled if its type and options can.

    >>> from demat import snbt
    >>> decoder = snbt.Decoder(list[dict[str, str]])
    >>> decoder.decode(snbt.encode([{'id': 'a'}]))
    [{'id': 'a'}]
    """

    __slots__ = ()
    _format = "snbt"
    # `Decoder[Task]`, for annotations; `types` would have to be imported for this one name.
    __class_getitem__ = classmethod(type(list[int]))  # pyright: ignore[reportArgumentType]


class Encoder(_native.Encoder):
    """Encodes values as SNBT, as `encode` does with the same options.

    Several threads may use it at a time, and it can be pickled if its options can.

    >>> from demat import snbt
    >>> encoder = snbt.Encoder()
    >>> encoder.encode([{'id': 'a'}]) == snbt.encode([{'id': 'a'}])
    True
    """

    __slots__ = ()
    _format = "snbt"
