"""Unions that a tag decides: first, last, missing, unknown; of classes of every make."""

from dataclasses import dataclass
from typing import Annotated, Literal, TypedDict

import attrs
import demat
import msgspec
import pydantic
import pytest
from demat import Field, configure, csv, json, ndjson


@configure(tag="kind")
@dataclass
class Cat:
    lives: int


@configure(tag="kind", tag_value="woof")
@dataclass(slots=True)
class Dog:
    name: str
    friends: "list[Cat | Dog]"


Pet = Cat | Dog


@dataclass
class Circle:
    type: Literal["circle"]
    radius: float


@dataclass(slots=True)
class Square:
    type: Literal["square", "rect"]
    side: float


Figure = Annotated[Circle | Square, Field(tag="type")]


@configure(tag="v", tag_value=1)
@dataclass
class One:
    a: int


@configure(tag="v", tag_value=2)
@dataclass
class Two:
    a: int


@configure(tag="v", tag_value=3)
@dataclass(slots=True)
class Three:
    a: int
    b: int | None


@dataclass
class Plain:
    x: float


@dataclass
class Wide:
    x: int
    y: str


class Ok(TypedDict):
    status: Literal["ok"]
    value: int


class Bad(TypedDict):
    status: Literal["bad"]
    why: str


@attrs.define
class On:
    state: Literal["on"]


class Off(msgspec.Struct):
    state: Literal["off"]
    since: int = 0


class Unset(pydantic.BaseModel):
    state: Literal["unset"]


State = Annotated[On | Off | Unset, Field(tag="state")]

TAKEN = [
    (Pet, '{"kind":"Cat","lives":9}', Cat(9)),
    (Pet, '{"kind":"woof","name":"Rex","friends":[]}', Dog("Rex", [])),
    (Pet, '{"kind":"woof","name":"a","friends":[{"kind":"Cat","lives":1}]}', Dog("a", [Cat(1)])),
    (Cat, '{"kind":"Cat","lives":9}', Cat(9)),
    (Figure, '{"type":"circle","radius":1.0}', Circle("circle", 1.0)),
    (Figure, '{"type":"rect","side":2.5}', Square("rect", 2.5)),
    (One | Two, '{"v":2,"a":5}', Two(5)),
    (Annotated[Ok | Bad, Field(tag="status")], '{"status":"bad","why":"x"}', {"status": "bad", "why": "x"}),
    (State, '{"state":"on"}', On("on")),
    (State, '{"state":"off","since":5}', Off("off", 5)),
    (State, '{"state":"unset"}', Unset(state="unset")),
    (Pet | None, "null", None),
]


@pytest.mark.parametrize(("tp", "text", "value"), TAKEN)
def test_taken(tp, text, value):
    assert json.decode(text, tp) == value
    assert json.encode(value, type=tp) == text.encode()
    assert json.decode(f"[{text},{text}]", list[tp], errors="all") == [value, value]
    assert ndjson.decode(ndjson.encode([value], type=list[tp]), list[tp]) == [value]


def test_the_tag_may_come_late():
    assert json.decode('{"lives":9,"x":[{"kind":"woof"}],"kind":"Cat"}', Pet) == Cat(9)
    assert json.decode('{ "friends" : [{"lives":1,"kind":"Cat"}] , "name":"a", "kind" : "woof" }', Pet) == Dog(
        "a", [Cat(1)]
    )
    assert json.decode('{"side":1,"type":"square"}', Figure) == Square("square", 1.0)
    assert json.decode('{"a":1,"v":1}', One | Two) == One(1)


def test_a_class_alone_needs_no_tag_and_checks_the_one_that_comes():
    assert json.decode('{"lives":9}', Cat) == Cat(9)
    with pytest.raises(demat.ValidationError) as raised:
        json.decode('[{"kind":"woof","lives":9}]', list[Cat])
    assert str(raised.value) == "expected `Cat`, found `woof` at `$[0].kind` (line 1, column 10)"


REFUSED = [
    (Pet, '{"lives":9}', "expected field `kind`, found nothing at `$[0]` (line 1, column 12)"),
    (Pet, "{}", "expected field `kind`, found nothing at `$[0]` (line 1, column 3)"),
    (Pet, "1", "expected `Cat` or `Dog`, found `int` 1 at `$[0]` (line 1, column 2)"),
    (Pet, '{"kind":"cow"}', "expected `Cat` or `woof`, found `cow` at `$[0].kind` (line 1, column 10)"),
    (Pet, '{"a":1,"kind":"cow","b":2}', "expected `Cat` or `woof`, found `cow` at `$[0].kind` (line 1, column 16)"),
    (Pet, '{"kind":1}', "expected `str`, found `int` 1 at `$[0].kind` (line 1, column 10)"),
    (Pet, '{"kind":null}', "expected `str`, found `None` at `$[0].kind` (line 1, column 10)"),
    (Pet, '{"kind":"Cat"}', "expected field `lives`, found nothing at `$[0]` (line 1, column 15)"),
    (Pet, '{"kind":"Cat","lives":"9"}', 'expected `int`, found `str` "9" at `$[0].lives` (line 1, column 24)'),
    (One | Two, '{"v":3}', "expected `1` or `2`, found `3` at `$[0].v` (line 1, column 7)"),
    (One | Two, '{"v":"1"}', 'expected `int`, found `str` "1" at `$[0].v` (line 1, column 7)'),
    (
        Figure,
        '{"type":"line"}',
        "expected `circle` or `square` or `rect`, found `line` at `$[0].type` (line 1, column 10)",
    ),
    (Figure, '{"radius":1}', "expected field `type`, found nothing at `$[0]` (line 1, column 13)"),
]


@pytest.mark.parametrize(("tp", "text", "message"), REFUSED)
@pytest.mark.parametrize("errors", ["first", "all"])
def test_refused(tp, text, message, errors):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(f"[{text}]", list[tp], errors=errors)
    assert str(raised.value) == message


def test_of_two_tags_the_first_decides_and_each_is_checked():
    with pytest.raises(demat.ValidationError, match="expected `Cat`, found `woof`"):
        json.decode('{"kind":"Cat","lives":1,"kind":"woof"}', Pet)


def test_a_tag_is_no_unknown_field():
    assert json.decode('{"kind":"Cat","lives":1}', Pet, unknown="forbid") == Cat(1)
    assert json.decode('{"kind":"Cat","lives":1}', Cat, unknown="forbid") == Cat(1)


def test_late_tags_within_late_tags_are_not_read_twice_for_each_level():
    text = '{"name":"x","friends":[],"kind":"woof"}'
    for _ in range(200):
        text = f'{{"name":"x","friends":[{text}],"kind":"woof"}}'
    found = json.decode(text, Pet)
    for _ in range(200):
        (found,) = found.friends
    assert found == Dog("x", [])


def test_subclasses_are_written_by_their_tag():
    @dataclass
    class Lion(Cat):
        roar: int = 1

    assert json.encode(Lion(9)) == b'{"kind":"Lion","lives":9,"roar":1}'


@dataclass
class Row:
    kind: Literal["a"]
    number: int


@dataclass
class Other:
    kind: Literal["b"]
    text: str


def test_rows_of_a_table_of_several_classes():
    rows = csv.decode("kind,number,text\na,1,\nb,,x\n", list[Annotated[Row | Other, Field(tag="kind")]])
    assert rows == [Row("a", 1), Other("b", "x")]


TABLES = {
    "a tag in the fields": (
        Annotated[Row | Other, Field(tag="kind")],
        [Row("a", 1), Other("b", "x,y"), Other("b", ""), Row("a", 2)],
        b'kind,number,text\na,1,\nb,,"x,y"\nb,,""\na,2,\n',
    ),
    "a tag of the classes": (
        One | Two | Three,
        [Three(1, None), One(2), Two(3), Three(4, 5)],
        b"v,a,b\n3,1,\n1,2,\n2,3,\n3,4,5\n",
    ),
    "a tag of the union": (
        Annotated[Plain | Wide, Field(tag="is")],
        [Plain(1.5), Wide(1, "x"), Plain(2.0)],
        b"is,x,y\nPlain,1.5,\nWide,1,x\nPlain,2.0,\n",
    ),
    "TypedDicts": (
        Annotated[Ok | Bad, Field(tag="status")],
        [{"status": "bad", "why": "x"}, {"status": "ok", "value": 1}],
        b"status,value,why\nbad,,x\nok,1,\n",
    ),
    "classes of all makes": (
        State,
        [Unset(state="unset"), Off("off", 3), On("on")],
        b"state,since\nunset,\noff,3\non,\n",
    ),
}


@pytest.mark.parametrize(("tp", "rows", "table"), TABLES.values(), ids=TABLES)
def test_tables(tp, rows, table):
    assert csv.encode(rows, type=list[tp]) == table
    assert csv.Encoder(type=list[tp]).encode(rows) == table
    assert csv.decode(table, list[tp]) == rows
    assert csv.decode(table, list[tp], errors="all") == rows
    header, _, rest = table.partition(b"\n")
    assert csv.encode([], type=list[tp]) == header + b"\n"
    assert csv.encode(rows, type=list[tp], header=False) == rest
    assert csv.encode(iter(rows), type=list[tp], delimiter=";") == csv.encode(rows, type=list[tp], delimiter=";")
    assert csv.decode(csv.encode(rows[0], type=tp), list[tp]) == rows[:1]


def test_tables_whose_columns_stand_in_another_order():
    rows = [Row("a", 1), Other("b", "x")]
    tp = list[Annotated[Row | Other, Field(tag="kind")]]
    assert csv.decode("text,extra,number,kind\n,y,1,a\nx,y,,b\n", tp) == rows
    assert csv.decode("kind,number\na,1\n", tp) == rows[:1]
    with pytest.raises(demat.ValidationError, match="expected column `text`") as raised:
        csv.decode("kind,number\na,1\nb,\n", tp)
    assert raised.value.path == "$[1]"
    with pytest.raises(demat.ValidationError, match="expected field `kind`, found nothing"):
        csv.decode("number,text\n1,\n", tp)
    with pytest.raises(demat.ValidationError, match=r"expected `a` or `b`, found `c` at `\$\[1\]\.kind`"):
        csv.decode("kind,number,text\na,1,\nc,2,\n", tp)


def test_a_table_without_a_type_has_the_columns_of_its_first_row():
    assert csv.encode([Two(1), One(2)]) == b"v,a\n2,1\n1,2\n"
    with pytest.raises(demat.EncodeError, match="expected one of the columns `kind`, `number`, found `text`") as raised:
        csv.encode([Row("a", 1), Other("b", "x")])
    assert raised.value.path == "$[1].text"


@dataclass(slots=True)
class Late:
    """The tag is declared last, and stands first in the data."""

    radius: float
    label: str = "none"
    kind: Literal["late", "later"] = "late"


@dataclass(slots=True)
class Checked:
    """Refuses what its fields hold together."""

    side: int
    kind: Literal["checked"] = "checked"

    def __post_init__(self) -> None:
        if self.side < 0:
            raise ValueError("a negative side")


@dataclass
class Loose:
    """Without slots."""

    kind: Literal["loose"]
    side: int


Thing = Annotated[Late | Checked | Loose, Field(tag="kind")]


@pytest.mark.parametrize("form", [json, ndjson, demat.msgpack, demat.cbor], ids=lambda form: form.__name__)
def test_tag_that_stands_first_is_read_once(form):
    def decoded(*things):
        return form.decode(form.encode(list(things)), list[Thing])

    assert decoded({"kind": "later", "radius": 1.5, "label": "a"}) == [Late(1.5, "a", "later")]
    assert decoded({"kind": "late", "label": "a", "radius": 1.5}, {"kind": "late", "radius": 2.5}) == [
        Late(1.5, "a"),
        Late(2.5),
    ]
    assert decoded({"radius": 1.5, "kind": "later"}) == [Late(1.5, "none", "later")]
    assert decoded({"kind": "loose", "side": 3}, {"side": 4, "kind": "loose"}) == [Loose("loose", 3), Loose("loose", 4)]
    assert list(vars(decoded({"kind": "loose", "side": 3})[0])) == ["kind", "side"]
    assert decoded({"kind": "checked", "side": 3}) == [Checked(3)]
    for wrong, path in [
        ({"kind": "checked", "side": -1}, "$[0]"),
        ({"kind": "late"}, "$[0]"),
        ({"kind": "late", "radius": "x"}, "$[0].radius"),
        ({"kind": "other", "radius": 1}, "$[0].kind"),
        ({"radius": 1}, "$[0]"),
    ]:
        with pytest.raises(demat.Error) as raised:
            decoded(wrong)
        assert raised.value.path.startswith(path)


def test_tag_that_comes_twice():
    text = '{"kind":"late","radius":1.5,"kind":"later"}'
    assert json.decode(text, Thing) == Late(1.5, "none", "later")
    with pytest.raises(demat.Error, match="again"):
        json.decode(text, Thing, repeated_keys="refuse")
