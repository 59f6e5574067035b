"""Code such as a user writes by hand around a parser or a writer that knows no classes, generated from the kind's own.

    def make_Ints(v):
        return Ints(v["a"], v["b"])

    def tell_Ints(o):
        return {"a": o.a, "b": o.b}

It has no look-up that a user would not write, and converts nothing that the parser has converted.
"""

from dataclasses import is_dataclass
from enum import Enum
from types import UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin

from typing_extensions import is_typeddict

from zoo.plain import hints, tag_of


class Hand(NamedTuple):
    """What a parser makes of a value, and what a writer wants: expressions around `{}`, by the type of the value."""

    read: dict[Any, str]
    write: dict[Any, str]
    names: dict[str, Any]
    """The names in the expressions."""
    many: str = "{}"
    """Around a list for the writer."""
    keyed: str = "{}"
    """Around a dict for the writer."""
    nulls: bool = True
    """Whether None is written; without it the key is left out."""
    inside: str = "{}"
    """Around a list or a dict of the parser, before it is looked into."""


def without_none(wanted: Any) -> tuple[Any, bool]:
    """The type, and whether None is one of its values."""
    if get_origin(wanted) in (Union, UnionType):
        rest = [one for one in get_args(wanted) if one is not type(None)]
        return (rest[0], True) if len(rest) == 1 else (wanted, False)
    return wanted, False


def bases(wanted: Any) -> Any:
    """The type of a literal's values."""
    return type(get_args(wanted)[0]) if get_origin(wanted) is Literal else wanted


def record(wanted: Any) -> bool:
    """Whether a type has fields."""
    return is_dataclass(wanted) or is_typeddict(wanted)


class Program:
    """The functions for a type and for those within it."""

    def __init__(self, hand: Hand) -> None:
        """Nothing yet."""
        self.hand = hand
        self.sources: dict[str, str] = {}
        self.scope: dict[str, Any] = dict(hand.names)

    def compiled(self, expression: str, argument: str) -> Any:
        """The function of one argument with this expression."""
        for source in self.sources.values():
            exec(source, self.scope)
        return eval(f"lambda {argument}: {expression}", self.scope)

    def make(self, wanted: Any, at: str) -> str:
        """The expression that makes a value of what the parser gave."""
        wanted = bases(wanted)
        origin, arguments = get_origin(wanted), get_args(wanted)
        if origin is list:
            item, within = self.make(arguments[0], "x"), self.hand.inside.format(at)
            return within if item == "x" else f"[{item} for x in {within}]"
        if origin is dict:
            item, within = self.make(arguments[1], "x"), self.hand.inside.format(at)
            return within if item == "x" else f"{{k: {item} for k, x in {within}.items()}}"
        if origin in (Union, UnionType):
            return self.member(arguments, at)
        if record(wanted):
            return f"{self.maker(wanted)}({self.hand.inside.format(at)})"
        if isinstance(wanted, type) and issubclass(wanted, Enum):
            self.scope[wanted.__name__] = wanted
            return f"{wanted.__name__}({self.make(type(next(iter(wanted)).value), at)})"
        return self.hand.read.get(wanted, "{}").format(at)

    def member(self, arguments: tuple[Any, ...], at: str) -> str:
        """One of several classes, by its tag."""
        self.scope.setdefault("members", {})
        makers = ", ".join(f"{get_args(hints(one)[tag_of(one) or ''])[0]!r}: {self.maker(one)}" for one in arguments)
        tag = self.make(str, f"v[{tag_of(arguments[0])!r}]")
        self.sources["member"] = f"def member(v):\n return members[{tag}](v)\n"
        self.sources["members"] = f"members = {{{makers}}}\n"
        return f"member({self.hand.inside.format(at)})"

    def maker(self, cls: Any) -> str:
        """The name of the function that makes a record."""
        name = f"make_{cls.__name__}"
        if name not in self.sources:
            self.sources[name] = ""
            self.scope[cls.__name__] = cls
            given = []
            for field, own in hints(cls).items():
                wanted, optional = without_none(own)
                if optional:
                    made = self.make(wanted, "x")
                    found = f"v.get({field!r})"
                    given.append(found if made == "x" else f"{made} if (x := {found}) is not None else None")
                else:
                    given.append(self.make(wanted, f"v[{field!r}]"))
            if is_typeddict(cls):
                body = ", ".join(f"{field!r}: {one}" for field, one in zip(hints(cls), given, strict=True))
                self.sources[name] = f"def {name}(v):\n return {{{body}}}\n"
            else:
                self.sources[name] = f"def {name}(v):\n return {cls.__name__}({', '.join(given)})\n"
        return name

    def tell(self, wanted: Any, at: str) -> str:
        """The expression that the writer is given for a value."""
        wanted = bases(wanted)
        origin, arguments = get_origin(wanted), get_args(wanted)
        if origin is list:
            item = self.tell(arguments[0], "x")
            many = self.hand.many.format(at if item == "x" else f"[{item} for x in {at}]")
            return many.replace("ITEM", self.hand.write.get((list, arguments[0]), ""))
        if origin is dict:
            item = self.tell(arguments[1], "x")
            return self.hand.keyed.format(at if item == "x" else f"{{k: {item} for k, x in {at}.items()}}")
        if origin in (Union, UnionType):
            tellers = ", ".join(f"{one.__name__}: {self.teller(one)}" for one in arguments)
            self.sources["tellers"] = f"tellers = {{{tellers}}}\n"
            self.scope |= {one.__name__: one for one in arguments}
            return f"tellers[type({at})]({at})"
        if record(wanted):
            return f"{self.teller(wanted)}({at})"
        if isinstance(wanted, type) and issubclass(wanted, Enum):
            return self.tell(type(next(iter(wanted)).value), f"{at}.value")
        return self.hand.write.get(wanted, "{}").format(at)

    def teller(self, cls: Any) -> str:
        """The name of the function that takes a record apart."""
        name = f"tell_{cls.__name__}"
        if name not in self.sources:
            self.sources[name] = ""
            always, sometimes = [], []
            for field, own in hints(cls).items():
                wanted, optional = without_none(own)
                found = f"o[{field!r}]" if is_typeddict(cls) else f"o.{field}"
                if optional and not self.hand.nulls:
                    told = self.tell(wanted, found)
                    sometimes.append(f" if {found} is not None:\n  d[{field!r}] = {told}\n")
                else:
                    told = self.tell(wanted, "x" if optional else found)
                    whole = f"{told} if (x := {found}) is not None else None" if optional and told != "x" else told
                    always.append(f"{field!r}: {found if optional and told == 'x' else whole}")
            made = f"{{{', '.join(always)}}}"
            if sometimes:
                body = f" d = {made}\n{''.join(sometimes)} return {self.hand.keyed.format('d')}\n"
            else:
                body = f" return {self.hand.keyed.format(made)}\n"
            self.sources[name] = f"def {name}(o):\n{body}"
        return name


def maker(wanted: Any, hand: Hand) -> Any:
    """The function that makes a value of a type of what the parser gave."""
    program = Program(hand)
    return program.compiled(program.make(wanted, "v"), "v")


def teller(wanted: Any, hand: Hand) -> Any:
    """The function that gives the writer a value of a type."""
    program = Program(hand)
    return program.compiled(program.tell(wanted, "o"), "o")
