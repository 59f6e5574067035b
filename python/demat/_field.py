"""`Field`: what an annotation alone can't say about a field or a value."""

from __future__ import annotations

from ._unset import UNSET

TYPE_CHECKING = False
if TYPE_CHECKING:
    import datetime
    import decimal
    import re
    from collections.abc import Callable, Iterable
    from typing import Any, Literal, NoReturn, TypeAlias

    Times: TypeAlias = Literal["lenient", "seconds", "milliseconds"]
    Bound = int | float | decimal.Decimal | datetime.date | datetime.time | datetime.timedelta

# In the order of the constructor, which is the order of `repr`.
_SLOTS = (
    "name", "read", "write", "number", "default", "factory", "ge", "gt", "le", "lt", "multiple_of", "min_length",
    "max_length", "pattern", "tz", "times", "tag", "other", "rest", "omit_default", "omit_none", "key", "unique",
    "index", "references", "sql", "was", "wire", "oneof", "xml", "nbt", "msgpack", "cbor", "title", "description",
    "examples",
)  # fmt: skip
# Arguments for single formats, which say what words they have.
NOTED = ("xml", "nbt", "msgpack", "cbor")
_TIMES = ("lenient", "seconds", "milliseconds")
# Of these False says nothing.
_FLAGS = ("rest", "key", "unique", "index")


class Field:
    """What `Annotated[..., Field(...)]` says beside the type. Immutable; whatever is not given says nothing.

    About a field of a class (directly in the annotation of the field, or in an alias that stands there):

    - `name`: its name outside, when reading and when writing; the attribute's own name otherwise
    - `read`: a name, or several, that it is read by, in place of the attribute's own (and beside `name`)
    - `write`: its name when it is written
    - `number`: its number, for formats that know fields by number, from 1 to 536870911 without 19000 to 19999; else its
      position in the class, from 1. It may stand first, without its name: `Field(3)`
    - `default`: the value where the field is missing; `factory`: makes that value, for values that can be changed.
      A default of the class itself comes before these.
    - `rest`: True for the dict that keeps the fields that the class does not have
    - `omit_default`: True: not written where it equals its default; False: written though `configure` says otherwise
    - `omit_none`: True: not written where it is None, and None where it is missing; False: written though `configure`
      says otherwise

    About the field's column, in a table of a database:

    - `key`: True: it is the table's primary key, or a part of it, where several fields are. One int that is it is the
      number of the row itself, which SQLite gives where it is None.
    - `unique`: True: no two rows have the same; `index`: True: rows are found by it without looking at all of them
    - `references`: the table that has a row of this key: `"people"`, `"people(id)"`, and what follows where that row
      goes: `"people(id) on delete cascade"`
    - `sql`: the type that the column is declared with: `"VARCHAR(220)"`, `"JSON"`
    - `was`: the name that the column had before, or several: a migration renames it

    About how it is written in Protocol Buffers:

    - `wire`: the kind of its numbers, as `.proto` files call them: `"sint32"`, `"fixed64"`, `"float"`; `"string"` and
      `"bytes"`; `"group"` or `"delimited"` for a class; `"packed"` or `"expanded"` for a list of numbers; `"required"`.
      Commas separate several: `"sint32, expanded"`; `key` precedes the kind of a dict's keys: `"key fixed32, float"`.
      For canonical JSON `"json_name title"` says another name than the field's own makes, and of the first field of a
      class `"json wrapper"`, `"json struct"`, `"json list"`, `"json field_mask"`, `"json any"` that it is google's.
      `"text_name Title"` says another name in the text format, which is read beside the field's own.
      Of a union `"oneof 3 4"` says that its variants are fields of the class itself, with these numbers
    - `oneof`: the name of a group of fields of which only one is there; all of them may be None

    About where it stands in XML:

    - `xml`: `"attribute"`; `"text"`: the text of the element; `"wrapped"`: the items of a list are in one element, each
      an `item`, or as in `"wrapped book"`; `"mixed"`: a list of all texts and elements, in their order; `"choice"`: a
      list of all elements, whatever their names are; `"name"`: the name of the element. `"namespace http://…"` says the
      namespace of its name; behind a comma it stands last: `"attribute, namespace http://…"`

    About how it is written in NBT:

    - `nbt`: the tag of the ints or floats in it, also of those in its lists and dicts: `"byte"`, `"short"`, `"int"`,
      `"long"`, `"float"`, `"double"`; or that its lists are arrays: `"byte_array"`, `"int_array"`, `"long_array"`

    About how it is written in MessagePack:

    - `msgpack`: `"ext"`, for the field `code` of a class with the fields `code` and `data`, such as `msgpack.Ext`: an
      instance is an extension type

    About how it is written in CBOR:

    - `cbor`: `"tag"`, for the field `tag` of a class with the fields `tag` and `value`, such as `cbor.Tag`: an instance
      is a value with a tag

    About any value, in a list or a dict, too:

    - `ge`, `gt`, `le`, `lt`: bounds, of numbers, dates, times and timedeltas; `multiple_of`: of numbers
    - `min_length`, `max_length`: in characters of a str, bytes of bytes, items of a list, a set or a dict
    - `pattern`: a regular expression, as `re` has them, that is found somewhere in a str (`^…$` for all of it)
    - `tz`: True: a datetime or time with an offset; False: without one; else either will do
    - `times`: the other forms of a datetime that are read: `"lenient"`: a date alone, `+0100`, no seconds, more digits
      of a second than microseconds, which are cut; `"seconds"`, `"milliseconds"`: these, and numbers since 1970 in UTC
    - `tag`: the name of the field that says which class of a union it is: `Annotated[Cat | Dog, Field(tag="kind")]`
    - `other`: the type of the values whose tag names no class of the union: a class, or `dict[str, Any]`, which keeps
      all fields: `Annotated[Cat | Dog | Unknown, Field(tag="kind", other=Unknown)]`
    - `title`, `description`, `examples`: for schemas

    Where several Fields meet on one type, each says what the others don't, and the outermost decides where they differ.

    Raises TypeError or ValueError where an argument is of a wrong type, or where no value could ever fit.

    >>> from typing import Annotated
    >>> Positive = Annotated[int, Field(gt=0)]
    >>> Name = Annotated[str, Field(min_length=1, max_length=80)]
    >>> Field(name="dueDate", default=None)
    Field(name='dueDate', default=None)
    >>> Field(ge=3, lt=3)
    Traceback (most recent call last):
    ValueError: no value lies between 3 and 3
    """

    __slots__ = _SLOTS

    name: str | None
    read: tuple[str, ...] | None
    write: str | None
    number: int | None
    default: Any
    factory: Callable[[], Any] | None
    ge: Bound | None
    gt: Bound | None
    le: Bound | None
    lt: Bound | None
    multiple_of: int | float | decimal.Decimal | None
    min_length: int | None
    max_length: int | None
    pattern: str | None
    tz: bool | None
    times: Times | None
    tag: str | None
    other: Any
    rest: bool
    omit_default: bool | None
    omit_none: bool | None
    key: bool
    unique: bool
    index: bool
    references: str | None
    sql: str | None
    was: tuple[str, ...] | None
    wire: str | None
    oneof: str | None
    xml: str | None
    nbt: str | None
    msgpack: str | None
    cbor: str | None
    title: str | None
    description: str | None
    examples: tuple[Any, ...] | None

    def __init__(
        self,
        number: int | None = None,
        *,
        name: str | None = None,
        read: str | Iterable[str] | None = None,
        write: str | None = None,
        default: Any = UNSET,
        factory: Callable[[], Any] | None = None,
        ge: Bound | None = None,
        gt: Bound | None = None,
        le: Bound | None = None,
        lt: Bound | None = None,
        multiple_of: int | float | decimal.Decimal | None = None,
        min_length: int | None = None,
        max_length: int | None = None,
        pattern: str | re.Pattern[str] | None = None,
        tz: bool | None = None,
        times: Times | None = None,
        tag: str | None = None,
        other: Any = None,
        rest: bool = False,
        omit_default: bool | None = None,
        omit_none: bool | None = None,
        key: bool = False,
        unique: bool = False,
        index: bool = False,
        references: str | None = None,
        sql: str | None = None,
        was: str | Iterable[str] | None = None,
        wire: str | None = None,
        oneof: str | None = None,
        xml: str | None = None,
        nbt: str | None = None,
        msgpack: str | None = None,
        cbor: str | None = None,
        title: str | None = None,
        description: str | None = None,
        examples: Iterable[Any] | None = None,
    ) -> None:
        given: dict[str, Any] = dict.fromkeys(_SLOTS)
        given.update(
            name=_text("name", name),
            read=_names("read", read, "leave it out to read by the field's own name"),
            write=_text("write", write),
            number=_number(number),
            default=_default(default),
            factory=_factory(factory, default),
            ge=ge,
            gt=gt,
            le=le,
            lt=lt,
            multiple_of=multiple_of,
            min_length=min_length,
            max_length=max_length,
            pattern=getattr(pattern, "pattern", pattern),
            tz=_flag("tz", tz),
            times=_times(times),
            tag=_text("tag", tag),
            other=other,
            rest=bool(_flag("rest", rest)),
            omit_default=_flag("omit_default", omit_default),
            omit_none=_flag("omit_none", omit_none),
            key=bool(_flag("key", key)),
            unique=bool(_flag("unique", unique)),
            index=bool(_flag("index", index)),
            references=_text("references", references),
            sql=_text("sql", sql),
            was=_names("was", was, "leave it out"),
            wire=_text("wire", wire),
            oneof=_text("oneof", oneof),
            xml=_text("xml", xml),
            nbt=_text("nbt", nbt),
            msgpack=_text("msgpack", msgpack),
            cbor=_text("cbor", cbor),
            title=_text("title", title),
            description=_text("description", description),
            examples=None if examples is None else tuple(examples),
        )
        bounds = ("ge", "gt", "le", "lt", "multiple_of", "min_length", "max_length", "pattern")
        constraints = {name: given[name] for name in bounds if given[name] is not None}
        if constraints:
            from ._bounds import check

            check(constraints)
        for argument in NOTED:
            if given[argument] is not None:
                from ._native import notes

                notes(argument, given[argument])
        for slot, value in given.items():
            object.__setattr__(self, slot, value)

    def given(self) -> dict[str, Any]:
        """What it says, by name, in the order of the constructor; what was not given is not there.

        >>> Field(ge=0, default=None).given()
        {'default': None, 'ge': 0}
        """
        values = ((slot, getattr(self, slot)) for slot in _SLOTS)
        return {
            slot: value
            for slot, value in values
            if (value is not UNSET if slot == "default" else value is not None and (slot not in _FLAGS or value))
        }

    def __repr__(self) -> str:
        return f"Field({', '.join(f'{name}={value!r}' for name, value in self.given().items())})"

    def __eq__(self, other: object) -> bool:
        return self.given() == other.given() if isinstance(other, Field) else NotImplemented

    def __hash__(self) -> int:
        # `typing` puts annotations into sets and caches, so it must not fail where a default has no hash.
        return hash((self.name, self.read, self.write, self.number, self.ge, self.gt, self.le, self.lt, self.pattern))

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Field can't be changed; make another one with {name}=…")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a Field can't be changed")

    def __reduce__(self) -> tuple[Any, ...]:
        return _remade, (self.given(),)


def _remade(given: dict[str, Any]) -> Field:
    return Field(**given)


def _text(name: str, value: object) -> object:
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    return value


def _names(argument: str, given: str | Iterable[str] | None, instead: str) -> tuple[str, ...] | None:
    if given is None:
        return None
    names = (given,) if isinstance(given, str) else tuple(given)
    if not names:
        raise ValueError(f"{argument} names nothing; {instead}")
    for name in names:
        _text(argument, name)
        if not name and argument == "was":
            raise ValueError("was names a column, and no column has an empty name")
    return names


def _number(number: object) -> object:
    if number is None:
        return None
    if not isinstance(number, int) or isinstance(number, bool):
        raise TypeError(f"number must be an int, not {type(number).__name__}")
    # What Protocol Buffers have for the numbers of fields.
    if not 1 <= number < 1 << 29:
        raise ValueError(f"number must be from 1 to 536870911, not {number}")
    if 19_000 <= number < 20_000:
        raise ValueError(f"number must not be from 19000 to 19999, which Protocol Buffers keep, as {number} is")
    return number


def _default(default: object) -> object:
    if isinstance(default, (list, dict, set, bytearray)):
        kind = type(default).__name__
        raise ValueError(f"default is a {kind} that all instances would share; say factory={kind}, or a lambda")
    return default


def _factory(factory: object, default: object) -> object:
    if factory is None:
        return None
    if not callable(factory):
        raise TypeError(f"factory must be callable without arguments, not {type(factory).__name__}")
    if default is not UNSET:
        raise ValueError("default and factory both say what is there where the field is missing; give one of them")
    return factory


def _times(times: object) -> object:
    if times is not None and times not in _TIMES:
        raise ValueError(f"times={times!r} is none of {', '.join(map(repr, _TIMES))}")
    return times


def _flag(name: str, value: object) -> object:
    if value is not None and not isinstance(value, bool):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return value
