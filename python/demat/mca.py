"""Region files: the chunks of a Minecraft world, each a record.

A record has `x` and `z`, from 0 to 31, `timestamp`, in seconds since 1970, and `chunk`, which is NBT. The file is
held in memory, and one chunk of it unpacked.

`loads` and `dumps` are `decode` and `encode`, under the names that are typed first.

>>> from dataclasses import dataclass
>>> from demat import mca
>>> @dataclass
... class Level:
...     Status: str
>>> @dataclass
... class Chunk:
...     x: int
...     z: int
...     timestamp: int
...     chunk: Level
>>> region = mca.encode([Chunk(3, 0, 1700000000, Level("full"))])
>>> len(region)
12288
>>> mca.decode(region, list[Chunk])
[Chunk(x=3, z=0, timestamp=1700000000, chunk=Level(Status='full'))]

`decode(data, type=Any, **options)` and `Decoder(type=Any, **options)`:

- `strict=True`: False takes for a value what can only mean it, too: text of a number or a bool, `1` and `0` for a
  bool, `3.0` for an int, seconds for a datetime
- `unknown=None`: what becomes of fields that a class does not have, where the class does not say; None: they are
  ignored
- `rename=None`: how the fields of classes that say nothing themselves are called in the data: a case such as
  `camel`, a mapping, or a function from the attribute's name
- `fields=None`: the names of the attributes that are wanted of the class that the type is, or is a list of: all
  else is passed over and left unset; None: all
- `hooks=None`: how values of these classes are made, for this call or decoder; before what `demat.hook` says
- `errors="first"`: whether to stop at the first thing that is wrong with the values, or to go on and tell of all,
  or of so many
- `gc=True`: False: instances of classes are not tracked by the cyclic collector, which is for those that can't be
  part of a cycle
- `depth=512`: how many levels of lists and compounds may stand within each other
- `repeated_keys="last"`: whether the last value counts of a key that an object repeats, or the object is refused

`read(place, type=Any, **options)`, with the options of `decode` and:

- `at=None`: where in the document the records are, as a path such as `"$.data.items[*]"`; without `[*]` the one
  value there is the one record; None: the items of the outermost list
- `recycle=False`: True: an instance that the program has let go of is filled again, instead of a new one made; one
  that it keeps is never touched
- `batch=None`: give lists of so many records, less where that is all that has come or the end; None: one by one
- `progress=False`: called with the bytes read so far and those that there are, or None; True: a bar on standard
  error
- `limit=1073741824`: how many bytes a single record may have
- `compression="auto"`: how the place is packed; `auto`: as its first bytes say; None: not at all

`encode(value, **options)`, `encode_into(value, buffer, **options)` and `Encoder(**options)`:

- `type=None`: write the value as this type says: its tags, its names, its hooks, its columns; a value that is not
  of it is refused; None: as its own class says
- `rename=None`: how the fields of classes that say nothing themselves are called in the data: a case such as
  `camel`, a mapping, or a function from the attribute's name
- `hooks=None`: how values of these classes are written, for this call or encoder; before what `demat.hook` says
- `default=None`: called with each value of a class that nothing is known of; what it gives is written instead
- `depth=512`: how many levels of lists and compounds may stand within each other
- `uuids="text"`: whether a UUID is written as text, or as an array of four ints, as Minecraft has it from 1.16 on

`write(place, values, type=None, **options)` takes the options of `encode`, and:

- `compression="auto"`: how the bytes are packed; `auto`: as the suffix of a path says, `.gz` or `.zst`

`columns(place, type=None, **options)`:

- `fields=None`: the columns that are wanted, in this order; the others are passed over
- `batch_size=None`: give the columns of so many records at a time, as an iterator that reads as it goes; None: of
  all
- `threads=None`: how many threads read it; None: as many as there are cores
- `decimals=None`: how many digits decimals have, and how many of them behind the point; None: they are text, which
  has them all
- `naive=False`: True: each datetime is one of a clock on some wall; False: only where the type says so, and the
  others are points of time, with an offset
- `sample=1000`: how many records say what the columns are, where no type does; None: all
- `depth=512`: how many levels of lists and compounds may stand within each other
- `repeated_keys="last"`: whether the last value counts of a key that an object repeats, or the object is refused
"""

# Written by `make stubs`; what is to change stands in `_formats.py` and `python/generate`.

from demat import _native
from demat._native import mca as _verbs

__all__ = ["Decoder", "Encoder", "columns", "decode", "dumps", "encode", "encode_into", "loads", "read", "write"]

decode = loads = _verbs.decode
encode = dumps = _verbs.encode
encode_into = _verbs.encode_into
read = _verbs.read
write = _verbs.write
columns = _verbs.columns


class Decoder(_native.Decoder):
    """Decodes region files into one type, as `decode` does with the same type and options.

    What there is to find out about the type and the options is found out once, when it is made. It may be used by
    several threads at a time, and be pickled where its type and options can.
    """

    __slots__ = ()
    _format = "mca"
    # `Decoder[Task]`, for annotations; `types` would have to be imported for this one name.
    __class_getitem__ = classmethod(type(list[int]))  # pyright: ignore[reportArgumentType]


class Encoder(_native.Encoder):
    """Encodes values as region files, as `encode` does with the same options.

    It may be used by several threads at a time, and be pickled where its options can.
    """

    __slots__ = ()
    _format = "mca"
