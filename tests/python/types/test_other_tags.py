"""Tagged unions with a variant for all other tags."""

from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypedDict

import demat
import pytest
from demat import Field, cbor, configure, csv, json, msgpack, ndjson, raw, yaml
from hypothesis import given
from hypothesis import strategies as st


@dataclass
class Cat:
    lives: int


@configure(tag_value="woof")
@dataclass(slots=True)
class Dog:
    good: bool


@dataclass
class Unknown:
    kind: str
    rest: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


@dataclass
class Lost:
    """Keeps nothing of what it was."""


Pet = Annotated[Cat | Dog | Unknown, Field(tag="kind", other=Unknown)]
Added = Annotated[Cat | Dog, Field(tag="kind", other=Unknown)]
Plain = Annotated[Cat | Dog | dict[str, Any], Field(tag="kind", other=dict[str, Any])]


@dataclass
class Owner:
    pet: Pet


COW = {"kind": "cow", "milk": 2.5, "calves": [{"kind": "calf"}]}
VALUES = [
    ('{"kind":"Cat","lives":9}', Cat(9), Cat(9)),
    ('{"kind":"woof","good":true}', Dog(True), Dog(True)),
    (
        '{"kind":"cow","milk":2.5,"calves":[{"kind":"calf"}]}',
        Unknown("cow", {"milk": 2.5, "calves": [{"kind": "calf"}]}),
        COW,
    ),
]


@pytest.mark.parametrize(("text", "value", "plain"), VALUES)
def test_all_fields_come_back(text, value, plain):
    for tp, expected in ((Pet, value), (Added, value), (Plain, plain)):
        for module in (json, ndjson, msgpack, cbor, yaml):
            data = module.encode([expected], type=list[tp])
            assert module.decode(data, list[tp]) == [expected]
        assert json.decode(text, tp) == expected
        assert json.decode(f"[{text}]", list[tp], errors="all") == [expected]
        assert json.encode(expected, type=tp) == text.encode()
        assert json.encode({"x": [expected]}, type=dict[str, list[tp]]) == f'{{"x":[{text}]}}'.encode()
        assert list(json.read(f"[{text},{text}]".encode(), tp)) == [expected] * 2
        assert demat.convert(json.decode(text), tp) == expected
        assert demat.to_builtins(expected, type=tp) == json.decode(text)


def test_the_tag_may_come_late():
    assert json.decode('{"milk":2.5,"kind":"cow"}', Pet) == Unknown("cow", {"milk": 2.5})
    assert json.decode('{"lives":9,"kind":"Cat"}', Pet) == Cat(9)


def test_a_class_that_keeps_nothing():
    tp = Annotated[Cat | Lost, Field(tag="kind", other=Lost)]
    assert json.decode('[{"kind":"cow","milk":1},{"kind":"Cat","lives":1}]', list[tp]) == [Lost(), Cat(1)]


def test_fields_of_a_class():
    @dataclass
    class House:
        pet: Pet
        others: list[Pet] = field(default_factory=list)
        by_name: dict[str, Pet | None] = field(default_factory=dict)

    text = (
        b'{"pet":{"kind":"cow"},"others":[{"kind":"Cat","lives":1},{"kind":"emu","x":1}],"by_name":{"a":{"kind":"b"}}}'
    )
    house = json.decode(text, House)
    assert house == House(Unknown("cow"), [Cat(1), Unknown("emu", {"x": 1})], {"a": Unknown("b")})
    assert json.encode(house) == text
    for module in (raw, msgpack):
        assert module.decode(module.encode(house), House) == house


def test_a_known_tag_is_its_class_and_nothing_else():
    for tp in (Pet, Plain):
        for text, path in (('{"kind":"Cat"}', "$"), ('{"kind":"Cat","lives":"9"}', "$.lives")):
            with pytest.raises(demat.ValidationError) as raised:
                json.decode(text, tp)
            assert raised.value.path == path


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{}", "expected field `kind`, found nothing"),
        ('{"lives":1}', "expected field `kind`, found nothing"),
        ('{"kind":5}', "expected `str`, found `int` 5"),
        ('{"kind":null}', "expected `str`, found `None`"),
        ("5", "expected `Cat` or `Dog` or `Unknown`, found `int` 5"),
    ],
)
def test_a_tag_there_must_be(text, message):
    with pytest.raises(demat.ValidationError, match=message):
        json.decode(text, Pet)


def test_tags_that_are_ints():
    @configure(tag="v", tag_value=1)
    @dataclass
    class One:
        a: int

    @dataclass
    class Newer:
        v: int
        rest: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)

    tp = Annotated[One | Newer, Field(tag="v", other=Newer)]
    assert json.decode('[{"v":1,"a":2},{"v":7,"b":3}]', list[tp]) == [One(2), Newer(7, {"b": 3})]
    with pytest.raises(demat.ValidationError, match="expected `int`"):
        json.decode('{"v":"7"}', tp)


def test_typed_dicts():
    class Ok(TypedDict):
        status: Literal["ok"]
        value: int

    tp = Annotated[Ok | dict[str, Any], Field(tag="status", other=dict[str, Any])]
    for value in ({"status": "ok", "value": 1}, {"status": "odd", "value": "x", "more": None}):
        assert json.decode(json.encode(value, type=tp), tp) == value
    with pytest.raises(demat.ValidationError):
        json.decode('{"status":"ok","value":"x"}', tp)


def test_a_value_of_no_class_of_the_union_is_refused():
    with pytest.raises(demat.EncodeError):
        json.encode(5, type=Pet)
    with pytest.raises(demat.EncodeError):
        json.encode({"kind": "cow"}, type=Pet)


def test_csv():
    rows = [Cat(9), Unknown("cow", {})]
    data = csv.encode(rows, type=list[Pet])
    assert csv.decode(data, list[Pet])[0] == Cat(9)


def test_schema():
    schema = demat.schema(Pet)
    cat, dog, other = schema["anyOf"]
    assert schema["discriminator"] == {
        "propertyName": "kind",
        "mapping": {"Cat": cat["$ref"], "woof": dog["$ref"]},
    }
    assert other["not"] == {"properties": {"kind": {"enum": ["Cat", "woof"]}}}
    assert other["required"] == ["kind"]
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(schema)
    for text, good in (
        ('{"kind":"cow","milk":1}', True),
        ('{"kind":"Cat","lives":1}', True),
        ('{"kind":"Cat","lives":"1"}', False),
        ('{"lives":1}', False),
    ):
        assert validator.is_valid(json.decode(text)) is good


@pytest.mark.parametrize(
    ("tp", "message"),
    [
        (Annotated[Cat | Dog, Field(other=Unknown)], "`other` is for unions with a tag"),
        (Annotated[Cat | Dog, Field(tag="kind", other=int)], "`other` is a class with fields or a dict, and not `int`"),
        (Annotated[Cat | Dog, Field(tag="kind", other=list[int])], "`other` is a class with fields or a dict"),
        (Annotated[Cat, Field(tag="kind", other=Cat)], "there is no other class"),
    ],
)
def test_what_no_other_can_be(tp, message):
    with pytest.raises(TypeError, match=message):
        json.decode("{}", tp)


def test_a_class_with_a_tag_of_its_own_takes_no_other():
    @configure(tag="kind")
    @dataclass
    class Own:
        a: int

    with pytest.raises(TypeError, match="`other` takes any tag, and `Own` is tagged 'Own'"):
        json.decode("{}", Annotated[Cat | Own, Field(tag="kind", other=Own)])


# MessagePack has no more than 64 bits.
INTS = st.integers(-(2**63), 2**63 - 1)
JSON = st.recursive(st.none() | st.booleans() | INTS | st.text(), lambda inner: st.lists(inner, max_size=3))


@given(st.dictionaries(st.text(), JSON, max_size=5), st.text())
def test_any_record_with_a_tag_comes_back(fields, kind):
    record = {**fields, "kind": kind}
    if kind in ("Cat", "woof"):
        return
    for tp in (Pet, Plain):
        for module in (json, msgpack):
            found = module.decode(module.encode(record), tp)
            assert module.decode(module.encode(found, type=tp)) == record


def test_a_wrong_record_of_a_known_tag_is_refused_everywhere(tmp_path: Any) -> None:
    data = b'[{"kind":"Cat","lives":"9"}]'
    for read in (
        lambda: json.decode(data, list[Pet]),
        lambda: [owner.pet for owner in json.decode(b'[{"pet":%b}]' % data[1:-1], list[Owner], lazy=True)],
    ):
        with pytest.raises(demat.ValidationError, match="lives"):
            read()
    (tmp_path / "a.json").write_bytes(data)
    for work in (
        lambda: demat.copy(tmp_path / "a.json", tmp_path / "b.ndjson", type=list[Pet]),
        lambda: json.columns(data, Pet),
    ):
        with pytest.raises(TypeError, match="needs objects"):
            work()
