"""Dataclasses of every make: what `dataclass` itself would give, without its `__init__`."""

import dataclasses
import functools
import pickle
from abc import ABC, abstractmethod
from dataclasses import InitVar, dataclass, field
from typing import Annotated, Any, ClassVar, Final

import demat
import pytest
from demat import Field, json

MAKES = {
    "plain": {},
    "slots": {"slots": True},
    "frozen": {"frozen": True},
    "frozen slots": {"frozen": True, "slots": True},
    "keywords": {"kw_only": True},
    "keywords slots": {"kw_only": True, "slots": True},
    "ordered": {"order": True},
    "weak slots": {"slots": True, "weakref_slot": True},
    "not equal": {"eq": False},
    "hashed": {"unsafe_hash": True},
}


def made(**options: Any) -> type:
    @dataclass(**options)
    class Task:
        id: int
        title: str
        done: bool = False
        tags: list[str] = field(default_factory=list)
        note: str | None = None

    return Task


@pytest.mark.parametrize("options", MAKES.values(), ids=MAKES)
def test_every_make(options):
    cls = made(**options)
    task = json.decode('{"id":1,"title":"a"}', cls)
    assert type(task) is cls
    expected = cls(id=1, title="a")
    for name in ("id", "title", "done", "tags", "note"):
        assert getattr(task, name) == getattr(expected, name)
    assert repr(task) == repr(expected)
    assert (task == expected) is (options != {"eq": False})
    assert dataclasses.asdict(task) == dataclasses.asdict(expected)
    assert json.encode(task) == b'{"id":1,"title":"a","done":false,"tags":[],"note":null}'
    whole = '{"note":"n","tags":["x"],"done":true,"title":"a","id":1}'
    task = json.decode(whole, cls)
    assert repr(task) == repr(cls(id=1, title="a", done=True, tags=["x"], note="n"))
    assert repr(json.decode(json.encode(task), cls)) == repr(task)
    assert repr(json.decode(f"[{whole},{whole}]", list[cls])) == repr([task, task])
    if options.get("frozen"):
        with pytest.raises(dataclasses.FrozenInstanceError):
            task.id = 2
    else:
        task.id = 2
        assert task.id == 2
    assert hasattr(task, "__dict__") is not options.get("slots", False)


def test_defaults_are_not_shared_where_they_are_made():
    cls = made(slots=True)
    one, other = json.decode('[{"id":1,"title":"a"},{"id":2,"title":"b"}]', list[cls])
    one.tags.append("x")
    assert other.tags == []


def test_each_kind_of_default():
    made = []

    def count() -> int:
        made.append(1)
        return len(made)

    shared = object()

    @dataclass
    class Defaults:
        a: int = 5
        b: Any = shared
        c: list = field(default_factory=list)
        d: dict = field(default_factory=dict)
        e: set = field(default_factory=set)
        f: int = field(default_factory=count)
        g: Annotated[int, Field(default=7)] = 8
        h: Annotated[list[int], Field(factory=lambda: [1])] = field(default_factory=lambda: [2])

    found = json.decode("{}", Defaults)
    assert found == Defaults(f=1)
    assert found.b is shared
    # It stands there: nothing is made.
    assert json.decode('{"f":10}', Defaults).f == 10
    assert json.decode("[{},{}]", list[Defaults])[1].f == 3


def test_a_default_that_only_the_field_knows():
    @dataclass
    class Defaults:
        a: Annotated[int, Field(default=7)]
        b: Annotated[list[int], Field(factory=lambda: [1])]

    assert json.decode("{}", Defaults) == Defaults(7, [1])


def test_a_factory_that_raises():
    def fail() -> int:
        raise error

    @dataclass
    class Late:
        a: int = field(default_factory=fail)

    error = RuntimeError("not now")
    with pytest.raises(RuntimeError, match="not now") as raised:
        json.decode("[{}]", list[Late])
    assert raised.value is error
    assert error.__notes__ == ["while Demat was at `$[0].a`"]
    error = ValueError("no good")
    with pytest.raises(demat.ValidationError, match=r"no good at `\$\[0\]\.a`"):
        json.decode("[{}]", list[Late])


@dataclass
class Base:
    a: int
    b: str = "base"


@dataclass(slots=True)
class Derived(Base):
    c: float = 0.5


@dataclass
class Changed(Base):
    b: int = 9  # another type in the same place
    d: "Changed | None" = None


@dataclass(slots=True)
class SlottedBase:
    a: int


@dataclass(slots=True)
class SlottedDerived(SlottedBase):
    b: int = 1


@dataclass
class OpenDerived(SlottedBase):
    c: int = 2


@pytest.mark.parametrize(
    ("cls", "text", "value"),
    [
        (Derived, '{"a":1,"b":"x","c":1.5}', Derived(1, "x", 1.5)),
        (Derived, '{"a":1}', Derived(1)),
        (Changed, '{"a":1,"b":2,"d":{"a":3}}', Changed(1, 2, Changed(3))),
        (SlottedDerived, '{"b":5,"a":4}', SlottedDerived(4, 5)),
        (OpenDerived, '{"a":4}', OpenDerived(4)),
    ],
)
def test_inheritance(cls, text, value):
    assert json.decode(text, cls) == value
    assert json.decode(json.encode(value), cls) == value
    with pytest.raises(demat.ValidationError, match="expected field `a`, found nothing"):
        json.decode("{}", cls)


def test_fields_that_are_not_given_from_outside():
    @dataclass
    class Partial:
        a: int
        b: int = field(init=False, default=5)
        c: list = field(init=False, default_factory=list)
        d: int = field(init=False)
        e: ClassVar[int] = 6
        f: int = field(default=7, repr=False, compare=False)
        g: Final[int] = 8

    found = json.decode('{"a":1,"b":100,"c":100,"d":100,"e":100}', Partial)
    assert (found.a, found.b, found.c, found.e, found.f, found.g) == (1, 5, [], 6, 7, 8)
    assert not hasattr(found, "d")
    with pytest.raises(demat.EncodeError, match=r"the attribute `d` of a `.*Partial` is not set at `\$\.d`"):
        json.encode(found)
    found.d = 9
    assert json.encode(found) == b'{"a":1,"b":5,"c":[],"d":9,"f":7,"g":8}'
    # They are known, so that nobody has to take them out of what was written.
    assert json.decode(json.encode(found), Partial, unknown="forbid").a == 1


def test_init_vars_are_refused_with_the_reason():
    @dataclass
    class Odd:
        a: InitVar[int]

    with pytest.raises(TypeError, match="InitVar"):
        json.decode("{}", Odd)


def test_post_init_is_called():
    @dataclass(slots=True)
    class Span:
        low: int
        high: int
        size: int = field(init=False)

        def __post_init__(self):
            if self.low > self.high:
                raise ValueError("low is above high")
            self.size = self.high - self.low

    assert json.decode('{"low":1,"high":3}', Span).size == 2
    with pytest.raises(
        demat.ValidationError, match=r"^low is above high at `\$\[1\]` \(line 1, column 25\)$"
    ) as raised:
        json.decode('[ {"low":1,"high":3} ,  {"low":4,"high":3} ]', list[Span])
    assert isinstance(raised.value.__cause__, ValueError)
    assert raised.value.reason == "low is above high"


def test_post_init_of_a_frozen_class_and_of_a_base():
    @dataclass(frozen=True)
    class Frozen:
        a: int

        def __post_init__(self):
            object.__setattr__(self, "a", self.a + 1)

    @dataclass(frozen=True)
    class Below(Frozen):
        b: int = 0

        def __post_init__(self):
            super().__post_init__()
            object.__setattr__(self, "b", self.a)

    assert json.decode('{"a":1}', Frozen).a == 2
    assert json.decode('{"a":1}', Below) == json.decode('{"a":1,"b":1}', Below)
    assert json.decode('{"a":1}', Below).b == 2


def test_a_hand_written_constructor_is_called():
    calls = []

    @dataclass(init=False)
    class Own:
        a: int
        b: int

        def __init__(self, a: int, b: int = 3) -> None:
            calls.append((a, b))
            self.a, self.b = a, b * 10

    assert json.decode('{"a":1}', Own).b == 30
    assert json.decode('{"b":2,"a":1}', Own).b == 20
    assert calls == [(1, 3), (1, 2)]


def test_what_a_constructor_raises():
    @dataclass(init=False)
    class Own:
        a: int

        def __init__(self, a: int) -> None:
            raise {1: ValueError("one"), 2: KeyError("two")}[a]

    with pytest.raises(demat.ValidationError, match=r"^one at `\$\[0\]` \(line 1, column 3\)$"):
        json.decode('[ {"a":1}]', list[Own])
    with pytest.raises(KeyError) as raised:
        json.decode('[ {"a":2}]', list[Own])
    assert raised.value.__notes__ == ["while Demat was at `$[0]`"]


def test_descriptors_and_setters_have_their_way():
    @dataclass
    class Set:
        a: int

        def __setattr__(self, name: str, value: object) -> None:
            object.__setattr__(self, name, value * 2)

    assert json.decode('{"a":2}', Set).a == 4

    @dataclass
    class Cached:
        a: int

        @functools.cached_property
        def double(self) -> int:
            return self.a * 2

        @property
        def half(self) -> float:
            return self.a / 2

    found = json.decode('{"a":2,"double":9}', Cached)
    assert (found.double, found.half) == (4, 1.0)
    assert json.encode(found) == b'{"a":2}'


class Shaped(ABC):
    @abstractmethod
    def area(self) -> float: ...


@pytest.mark.parametrize("slots", [False, True])
def test_abstract_classes_have_no_instances(slots):
    @dataclass(slots=slots)
    class Square(Shaped):
        side: float

    with pytest.raises((demat.ValidationError, TypeError), match="abstract"):
        json.decode('{"side":1}', Square)

    @dataclass(slots=slots)
    class Real(Square):
        def area(self) -> float:
            return self.side**2

    assert json.decode('{"side":2}', Real).area() == 4.0


@pytest.mark.parametrize("slots", [False, True])
def test_a_dataclass_that_is_an_exception(slots):
    @dataclass(slots=slots)
    class Failed(Exception):
        code: int
        why: str = "unknown"

    found = json.decode('{"code":5}', Failed)
    assert (found.code, found.why, found.__traceback__) == (5, "unknown", None)
    made = Failed(code=5)
    assert (str(found), repr(found), found.args) == (str(made), repr(made), made.args)
    with pytest.raises(Failed):
        raise found
    assert json.encode(found) == b'{"code":5,"why":"unknown"}'


def test_a_dataclass_that_is_a_container():
    @dataclass
    class Row(dict):
        a: int

    @dataclass
    class Rows(list):
        a: int

    for cls in (Row, Rows):
        found = json.decode('{"a":5}', cls)
        assert (type(found), found.a, len(found)) == (cls, 5, 0)
        found.update(x=1) if cls is Row else found.append(1)
        assert len(found) == 1


def test_instances_are_as_good_as_any():
    found = json.decode('{"a":1}', Derived)
    assert pickle.loads(pickle.dumps(found)) == found == dataclasses.replace(found)
    assert dataclasses.replace(found, a=2) == Derived(2)


def test_more_fields_than_a_word_has_bits():
    for count in (63, 64, 65, 128, 200):
        names = [f"f{index}" for index in range(count)]
        for slots in (False, True):
            cls = dataclasses.make_dataclass("Wide", [(name, int) for name in names], slots=slots)
            values = {name: index for index, name in enumerate(names)}
            for order in (names, names[::-1], names[1::2] + names[::2]):
                found = json.decode(json.encode({name: values[name] for name in order}), cls)
                assert dataclasses.asdict(found) == values
            for missing in (names[0], names[count // 2], names[-1]):
                with pytest.raises(demat.ValidationError, match=f"expected field `{missing}`, found nothing"):
                    json.decode(json.encode({name: 1 for name in names if name != missing}), cls)


def test_no_fields_at_all():
    @dataclass
    class Nothing:
        pass

    @dataclass(slots=True)
    class Less:
        pass

    for cls in (Nothing, Less):
        assert json.decode("{}", cls) == cls() == json.decode('{"a":[1]}', cls)
        assert json.encode(cls()) == b"{}"


def test_names_that_are_like_python_s_own():
    cls = dataclasses.make_dataclass("Odd", [("self", int), ("class_", int), ("__private", int), ("é", int)])
    found = json.decode('{"self":1,"class_":2,"__private":3,"é":4}', cls)
    assert dataclasses.astuple(found) == (1, 2, 3, 4)
    assert json.decode(json.encode(found), cls) == found
