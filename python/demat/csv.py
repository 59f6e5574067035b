"""CSV (RFC 4180), also with other delimiters.

The whole is a list, one row an item. A cell is read as what the field is, whatever the order of the columns; an
empty one is None to a field that may be None. Without a type, each cell is text, or None where it is empty.

`loads` and `dumps` are `decode` and `encode`, under the names that are typed first.

>>> from dataclasses import dataclass
>>> from datetime import date
>>> from demat import csv
>>> @dataclass
... class Person:
...     name: str
...     born: date | None
>>> people = csv.decode("born,name\\n1815-12-10,Ada\\n,Bob\\n", list[Person])
>>> people[0]
Person(name='Ada', born=datetime.date(1815, 12, 10))
>>> csv.encode(people, delimiter=";")
b'name;born\\nAda;1815-12-10\\nBob;\\n'

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
- `delimiter=","`: the character between two cells, which is ASCII
- `quote='"'`: the character around cells with a delimiter, a quote or a line break in them; None: cells are never
  quoted
- `header=True`: True: the first row has the names of the columns, in any order; False: columns go by position
- `ragged="refuse"`: refuse rows that are shorter than the header, or read their last fields as missing
- `null=None`: a text that stands for None without quotes, such as `NA`, of 1 to 15 bytes; it is read besides an
  empty cell, and written in its place

`validate(data, type=Any, **options)` takes the same options but `gc`, and returns nothing.

`decode` also takes:

- `on_error="stop"`: where a record of `list[…]` is refused: `stop` there with its error, `skip` it, or `collect` it
  in `rejects`; a syntax error that hides where the next record begins always stops
- `rejects=None`: with `collect`: a list that gets the error and the bytes of each refused record, or a callable
  that is called with them

`lazy(data)` or `lazy(path=…)`, and the options:

- `delimiter=","`: the character between two cells, which is ASCII
- `quote='"'`: the character around cells with a delimiter, a quote or a line break in them; None: cells are never
  quoted
- `header=True`: True: the first row has the names of the columns, in any order; False: columns go by position
- `ragged="refuse"`: refuse rows that are shorter than the header, or read their last fields as missing
- `null=None`: a text that stands for None without quotes, such as `NA`, of 1 to 15 bytes; it is read besides an
  empty cell, and written in its place

`read(place, type=Any, **options)`, with the options of `decode` and:

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
- `delimiter=","`: the character between two cells, which is ASCII
- `quote='"'`: the character around cells with a delimiter, a quote or a line break in them; None: cells are never
  quoted
- `header=True`: whether the first row has the names of the columns
- `line_ending="\\n"`: the end of each row; RFC 4180 has the longer one
- `escape_formulas=False`: True: write a `'` before text that a spreadsheet might run as a formula
- `null=None`: a text that stands for None without quotes, such as `NA`, of 1 to 15 bytes; it is read besides an
  empty cell, and written in its place

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
- `delimiter=","`: the character between two cells, which is ASCII
- `quote='"'`: the character around cells with a delimiter, a quote or a line break in them; None: cells are never
  quoted
- `header=True`: True: the first row has the names of the columns, in any order; False: columns go by position
- `ragged="refuse"`: refuse rows that are shorter than the header, or read their last fields as missing
- `null=None`: a text that stands for None without quotes, such as `NA`, of 1 to 15 bytes; it is read besides an
  empty cell, and written in its place
"""

# Written by `make stubs` from `python/demat/_formats` and `python/generate`; change those.

from demat import _native, _placed
from demat._native import csv as _verbs

__all__ = [
    "Decoder",
    "Encoder",
    "columns",
    "decode",
    "dumps",
    "encode",
    "encode_into",
    "lazy",
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
lazy = _verbs.lazy
read = _placed.read_of(_verbs)
write = _placed.write_of(_verbs)
columns = _placed.columns_of(_verbs)


def parser(type: object = None, /, *, target: object = None, **options: object) -> object:
    """Returns a parser that takes CSV in pieces and gives complete records.

    It is a `demat.Parser`. `type` is the type of a record, `target` a callable that gets each. The options are those of
    `read`, but for `batch` and `recycle`.

    >>> from demat import csv
    >>> data = csv.encode([{'id': 'a'}])
    >>> parser = csv.parser(dict[str, str])
    >>> [*parser.feed(data[:5]), *parser.feed(data[5:]), *parser.close()]
    [{'id': 'a'}]
    """

    from demat._parser import parser

    return parser(_verbs, type, target, options)  # type: ignore[arg-type]


class Decoder(_native.Decoder):
    """Decodes CSV into one type, as `decode` does with the same type and options.

    It prepares the type and the options once, when it is made. Several threads may use it at a time, and it can be
    pickled if its type and options can.

    >>> from demat import csv
    >>> decoder = csv.Decoder(list[dict[str, str]])
    >>> decoder.decode(csv.encode([{'id': 'a'}]))
    [{'id': 'a'}]
    """

    __slots__ = ()
    _format = "csv"
    # `Decoder[Task]`, for annotations; `types` would have to be imported for this one name.
    __class_getitem__ = classmethod(type(list[int]))  # pyright: ignore[reportArgumentType]


class Encoder(_native.Encoder):
    """Encodes values as CSV, as `encode` does with the same options.

    Several threads may use it at a time, and it can be pickled if its options can.

    >>> from demat import csv
    >>> encoder = csv.Encoder()
    >>> encoder.encode([{'id': 'a'}]) == csv.encode([{'id': 'a'}])
    True
    """

    __slots__ = ()
    _format = "csv"
