"""Classes whose instances are arrays of their fields."""

import dataclasses
from dataclasses import dataclass, field
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypedDict, TypeVar

import attrs
import demat
import msgspec
import pydantic
import pytest
from demat import Field, cbor, configure, csv, json, msgpack, ndjson, proto, raw, toml, yaml

T = TypeVar("T")


@configure(array_like=True)
@dataclass
class Point:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)


@configure(array_like=True)
@dataclass(slots=True, frozen=True)
class Slotted:
    x: int
    y: int = 0
    tags: list[str] = field(default_factory=list)


@configure(array_like=True)
@attrs.define
class Attrs:
    x: int
    y: int = 0
    tags: list[str] = attrs.Factory(list)


@configure(array_like=True)
class Model(pydantic.BaseModel):
    x: int
    y: int = 0
    tags: list[str] = []


class Struct(msgspec.Struct, array_like=True):
    x: int
    y: int = 0
    tags: list[str] = []


@configure(array_like=True)
@dataclass(init=False)
class Called:
    x: int
    y: int
    tags: list[str]

    def __init__(self, x: int, y: int = 0, tags: list[str] | None = None) -> None:
        self.x, self.y, self.tags = x, y, tags or []


CLASSES = [Point, Slotted, Attrs, Model, Struct, Called]


def made(cls: Any, *values: Any) -> Any:
    return cls(**dict(zip(("x", "y", "tags"), values, strict=False)))


@pytest.mark.parametrize("cls", CLASSES)
def test_by_place(cls):
    whole = made(cls, 1, 2, ["a"])
    assert json.encode(whole) == b'[1,2,["a"]]'
    assert json.encode([whole], type=list[cls]) == b'[[1,2,["a"]]]'
    assert json.decode(b'[1,2,["a"]]', cls) == whole
    assert json.decode(b"[1,2]", cls) == made(cls, 1, 2)
    assert json.decode(b"[1]", cls) == made(cls, 1)
    assert json.decode(b'[1,2,["a"],{"b":[]},4]', cls) == whole
    assert json.decode(b"[[1],[2,3]]", list[cls]) == [made(cls, 1), made(cls, 2, 3)]


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[]", "expected field `x`, found nothing (line 1, column 2)"),
        ('["a"]', 'expected `int`, found `str` "a" at `$[0]` (line 1, column 2)'),
        ("[1,2,[3]]", "expected `str`, found `int` 3 at `$[2][0]` (line 1, column 7)"),
        ("1", "expected a `list` as `{}`, found `int` 1 (line 1, column 1)"),
        ('{"x":1}', "expected a `list` as `{}`, found `dict` (line 1, column 1)"),
    ],
)
def test_refused(cls, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(text, cls)
    assert str(raised.value) == message.format(cls.__name__)


def test_all_errors_at_once():
    with pytest.raises(demat.ValidationError) as raised:
        json.decode('[["a","b"],[1,"c"],[]]', list[Point], errors="all")
    assert [error.path for error in raised.value.errors] == ["$[0][0]", "$[0][1]", "$[1][1]", "$[2]"]


def test_as_msgspec_does():
    for value in (Struct(1), Struct(1, 2, ["a"])):
        assert json.encode(value) == msgspec.json.encode(value)
        assert msgpack.encode(value) == msgspec.msgpack.encode(value)
    for text in (b"[1]", b"[1,2]", b'[1,2,["a"],5]'):
        assert json.decode(text, Struct) == msgspec.json.decode(text, type=Struct)


def test_further_items():
    @configure(array_like=True, unknown="forbid")
    @dataclass
    class Strict:
        a: int
        b: int = 0

    assert json.decode("[1]", Strict) == Strict(1)
    with pytest.raises(demat.ValidationError, match=r"expected a `list` of 2, found more items \(line 1, column 6\)"):
        json.decode("[1,2,3]", Strict)
    with pytest.raises(demat.ValidationError, match="expected a `list` of 3, found more items"):
        json.decode("[1,2,[],4]", Point, unknown="forbid")


@pytest.mark.parametrize("module", [json, msgpack, cbor, yaml], ids=lambda module: module.__name__)
def test_formats(module):
    for cls in (Point, Slotted, Model):
        rows = [made(cls, 1, 2, ["a"]), made(cls, 3)]
        data = module.encode(rows)
        assert module.decode(data) == [[1, 2, ["a"]], [3, 0, []]]
        assert module.decode(data, list[cls]) == rows
        assert module.validate(data, list[cls]) is None


def test_lines_and_documents():
    rows = [Point(1, 2, ["a"]), Point(3)]
    assert ndjson.encode(rows) == b'[1,2,["a"]]\n[3,0,[]]\n'
    assert ndjson.decode(ndjson.encode(rows), list[Point]) == rows
    assert list(ndjson.read(ndjson.encode(rows), Point)) == rows
    assert toml.encode({"at": Point(1, 2, ["a"])}) == b'at = [1, 2, ["a"]]\n'
    assert toml.decode('at = [1, 2, ["a"]]\n', dict[str, Point]) == {"at": Point(1, 2, ["a"])}


def test_instances_that_are_used_again():
    for cls in (Point, Slotted):
        found = [(row.x, row.y, row.tags) for row in ndjson.read(b"[1,2]\n[3]\n", cls, recycle=True)]
        assert found == [(1, 2, []), (3, 0, [])]


def test_where_records_have_names():
    @configure(array_like=True)
    @dataclass
    class Row:
        a: int
        b: str = ""

    rows = [Row(1, "x"), Row(2)]
    assert csv.encode(rows) == b'a,b\n1,x\n2,""\n'
    assert csv.decode("b,a\nx,1\n", list[Row]) == [Row(1, "x")]
    assert csv.decode("1,x\n", list[Row], header=False) == [Row(1, "x")]
    assert proto.decode(proto.encode(Row(1, "x")), Row) == Row(1, "x")
    assert raw.decode(raw.encode(rows, type=list[Row]), list[Row]) == rows


def test_within_others():
    @dataclass
    class Line:
        name: str
        start: Point
        end: Point | None = None

    line = Line("a", Point(1), Point(2, 3, ["b"]))
    assert json.encode(line) == b'{"name":"a","start":[1,0,[]],"end":[2,3,["b"]]}'
    assert json.decode(json.encode(line), Line) == line
    assert proto.decode(proto.encode(line), Line) == line
    assert raw.decode(raw.encode(line), Line) == line
    with pytest.raises(demat.ValidationError, match=r"at `\$\.start\[1\]`"):
        json.decode('{"name":"a","start":[1,"b"]}', Line)

    @configure(array_like=True)
    @dataclass
    class Tree:
        value: int
        children: "list[Tree]" = field(default_factory=list)

    tree = Tree(1, [Tree(2, [Tree(3)]), Tree(4)])
    assert json.encode(tree) == b"[1,[[2,[[3,[]]]],[4,[]]]]"
    assert json.decode(json.encode(tree), Tree) == tree


def test_generics_and_subclasses():
    @configure(array_like=True)
    @dataclass
    class Pair(Generic[T]):
        left: T
        right: T

    @dataclass
    class Third(Pair[int]):
        more: str = "m"

    assert json.decode("[1,2]", Pair[int]) == Pair(1, 2)
    assert json.encode(Third(1, 2)) == b'[1,2,"m"]'
    assert json.decode("[1,2]", Third) == Third(1, 2)

    @configure(array_like=False)
    @dataclass
    class Named(Pair[int]):
        pass

    assert json.encode(Named(1, 2)) == b'{"left":1,"right":2}'


def test_fields_that_are_not_read():
    @configure(array_like=True)
    @dataclass
    class Area:
        width: int
        area: int = field(init=False, default=7)
        height: int = 1

        def __post_init__(self) -> None:
            self.area = self.width * self.height

    @configure(array_like=True)
    @dataclass(slots=True)
    class Counted:
        a: int
        seen: int = field(init=False, default=7)
        b: int = 2

    assert json.encode(Area(2, 3)) == b"[2,6,3]"
    assert json.decode('[2,"skipped",3]', Area) == Area(2, 3)
    assert json.decode('[1,{"x":1}]', Counted) == Counted(1)
    assert json.decode("[1,5,3]", Counted) == Counted(1, 3)


def test_post_init_and_what_it_raises():
    @configure(array_like=True)
    @dataclass
    class Positive:
        a: int

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("negative")

    with pytest.raises(demat.ValidationError, match=r"negative at `\$\[1\]` \(line 1, column 6\)"):
        json.decode("[[1],[-1]]", list[Positive])


@configure(array_like=True, tag="kind")
@dataclass
class Cat:
    lives: int


@configure(array_like=True, tag="kind", tag_value="DOG")
@dataclass
class Dog:
    good: bool = True
    name: str = ""


@configure(array_like=True)
@dataclass
class Get:
    op: Literal["get"]
    key: str


@configure(array_like=True)
@dataclass
class Put:
    op: Literal["put"]
    key: str
    value: int = 0


Op = Annotated[Get | Put, Field(tag="op")]


@pytest.mark.parametrize("module", [json, msgpack, cbor], ids=lambda module: module.__name__)
def test_the_tag_is_the_first_item(module):
    pets = [Dog(False, "Rex"), Cat(9)]
    data = module.encode(pets)
    assert module.decode(data) == [["DOG", False, "Rex"], ["Cat", 9]]
    assert module.decode(data, list[Cat | Dog]) == pets
    assert module.decode(module.encode(pets, type=list[Cat | Dog]), list[Cat | Dog]) == pets
    assert module.decode(module.encode(Dog()), Dog) == Dog()
    ops = [Put("put", "a", 1), Get("get", "b")]
    assert module.decode(module.encode(ops)) == [["put", "a", 1], ["get", "b"]]
    assert module.decode(module.encode(ops), list[Op]) == ops


def test_a_union_says_the_tag():
    @configure(array_like=True)
    @dataclass
    class A:
        a: int

    @configure(array_like=True)
    @dataclass
    class B:
        a: int

    tp = Annotated[A | B, Field(tag="kind")]
    assert json.encode([B(1), A(2)], type=list[tp]) == b'[["B",1],["A",2]]'
    assert json.decode('[["B",1],["A",2]]', list[tp]) == [B(1), A(2)]
    assert json.encode(B(1)) == b"[1]"


@pytest.mark.parametrize(
    ("tp", "text", "message"),
    [
        (Cat | Dog, '["Cow",1]', "expected `Cat` or `DOG`, found `Cow` at `$[0]` (line 1, column 2)"),
        (Cat | Dog, "[]", "expected `Cat` or `DOG`, found an empty list (line 1, column 2)"),
        (Cat | Dog, "[1]", "expected `str`, found `int` 1 at `$[0]` (line 1, column 2)"),
        (Cat | Dog, '["Cat","x"]', 'expected `int`, found `str` "x" at `$[1]` (line 1, column 8)'),
        (Cat | Dog, '{"kind":"Cat"}', "expected `Cat` or `Dog`, found `dict` (line 1, column 1)"),
        (Cat, '["DOG",1]', "expected `Cat`, found `DOG` at `$[0]` (line 1, column 2)"),
        (Op, '["cut","a"]', "expected `get` or `put`, found `cut` at `$[0]` (line 1, column 2)"),
    ],
)
def test_tags_that_are_refused(tp, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(text, tp)
    assert str(raised.value) == message


def test_unions_without_a_tag():
    @dataclass
    class Named:
        x: int

    for value in (Point(1), Named(2)):
        assert json.decode(json.encode(value), Point | Named) == value
        assert json.decode(json.encode(value, type=Point | Named), Named | Point) == value
    assert json.decode("[1]", Point | int) == Point(1)
    assert json.decode("1", Point | int) == 1
    assert json.decode("null", Point | None) is None


def test_convert_and_to_builtins():
    for cls in CLASSES:
        whole = made(cls, 1, 2, ["a"])
        assert demat.to_builtins(whole) == [1, 2, ["a"]]
        assert demat.convert((1, 2, ("a",)), cls) == whole
        assert demat.convert([[1]], list[cls]) == [made(cls, 1)]
        with pytest.raises(demat.ValidationError):
            demat.convert({"x": 1}, cls)
    assert demat.to_builtins([Dog()]) == [["DOG", True, ""]]
    assert demat.convert([["DOG"]], list[Cat | Dog]) == [Dog()]


def test_chosen_fields_keep_their_places():
    rows = list(ndjson.read(b'[1,2,["a"]]\n[3]\n', Slotted, fields=["y"]))
    assert [row.y for row in rows] == [2, 0]
    assert not hasattr(rows[0], "x")


def test_lazy_records_are_refused():
    with pytest.raises(TypeError, match="`Point` has no lazy records: it is array_like"):
        json.decode("[1]", Point, lazy=True)

    @dataclass
    class Around:
        at: Point

    assert json.decode('{"at":[1]}', Around, lazy=True).at == Point(1)


def test_what_is_left_out_is_refused():
    @configure(array_like=True, omit_default=True)
    @dataclass
    class A:
        a: int = 1

    @configure(array_like=True)
    @dataclass
    class B:
        a: Annotated[int | None, Field(omit_none=True)]

    for cls in (A, B):
        with pytest.raises(TypeError, match="is not for .*array_like classes: their items go by position"):
            json.decode("[1]", cls)
    # A call's option is for fields that have names.
    assert json.encode(Point(1), omit_default=True) == b"[1,0,[]]"
    assert json.encode([Point(1)], rename="upper") == b"[[1,0,[]]]"


def test_an_unset_field_has_no_place():
    class Partly(msgspec.Struct, array_like=True):
        a: int | msgspec.UnsetType = msgspec.UNSET

    assert json.decode("[1]", Partly) == Partly(1)
    assert json.decode("[]", Partly) == Partly()
    with pytest.raises(demat.EncodeError, match=r"the attribute `a` of a `Partly` is not set at `\$\[0\]`"):
        json.encode(Partly())


def test_classes_that_can_not_be_arrays():
    @configure(array_like=True)
    class Tuple(NamedTuple):
        a: int

    @configure(array_like=True)
    class Dict(TypedDict):
        a: int

    @configure(array_like=True)
    @dataclass
    class Rest:
        a: int
        rest: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)

    for cls, message in (
        (Tuple, "not for named tuples, which are arrays anyway"),
        (Dict, "not for TypedDicts"),
        (Rest, "items of an array have no names, so an array_like class can't keep the rest"),
    ):
        with pytest.raises(TypeError, match=message):
            json.decode("[1]", cls)
    with pytest.raises(TypeError, match="array_like must be True or False, not int"):
        configure(array_like=1)  # type: ignore[call-overload]


def test_tagged_unions_that_can_not_be():
    @configure(tag="kind")
    @dataclass
    class Named:
        a: int

    @configure(array_like=True)
    @dataclass
    class Late:
        a: int
        op: Literal["late"]

    with pytest.raises(TypeError, match="`Cat` is array_like, so all classes of the union with its tag have to be"):
        json.decode("[]", Cat | Named)
    with pytest.raises(TypeError, match="`Late` is array_like: its tag `op` has to be the first field"):
        json.decode("[]", Annotated[Get | Late, Field(tag="op")])


def test_classes_that_read_and_write_themselves():
    class Open(pydantic.BaseModel):
        model_config = pydantic.ConfigDict(extra="allow")
        a: int

    class Root(pydantic.RootModel[list[int]]):
        pass

    for cls in (Open, Root):
        for said in ({"array_like": True}, {"rename": "upper"}, {"unknown": "forbid"}):
            own = type(cls.__name__, (cls,), {})
            configure(own, **said)
            with pytest.raises(TypeError, match=f"`{next(iter(said))}` of `configure` is not for `{cls.__name__}`"):
                json.decode("[1]", own)
        own = configure(type(cls.__name__, (cls,), {}), array_like=False, gc=True)
        assert json.decode("[1]" if cls is Root else '{"a":1}', own)

    @configure(array_like=True)
    @dataclass
    class Written:
        a: int

        def __demat_encode__(self) -> int:
            return self.a

    with pytest.raises(TypeError, match="`array_like` is not for classes with `__demat_decode__` or"):
        json.decode("1", Written)


def test_validated():
    @demat.validated
    @configure(array_like=True)
    @dataclass
    class Seat:
        row: Annotated[int, Field(ge=1)]

    assert json.decode("[2]", Seat) == Seat(2)
    with pytest.raises(demat.ValidationError):
        Seat(0)
    with pytest.raises(demat.ValidationError, match=r"at `\$\[0\]`"):
        json.decode("[0]", Seat)


def test_replaced_by_dataclasses():
    assert json.encode(dataclasses.replace(Slotted(1), y=2)) == b"[1,2,[]]"


def test_defaults_in_a_schema_are_arrays():
    class Around(NamedTuple):
        at: Point = Point(1)
        pet: Cat | Dog = Dog()

    at, pet = demat.schema(Around)["$defs"]["Around"]["anyOf"][0]["prefixItems"]
    assert at["default"] == [1, 0, []]
    assert pet["default"] == ["DOG", True, ""]
