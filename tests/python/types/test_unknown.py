"""Fields that a class does not have: ignored, forbidden, or kept and written again."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import attrs
import demat
import pytest
from demat import Field, cbor, configure, csv, json, msgpack, ndjson, xml, yaml


@dataclass
class Plain:
    a: int


@dataclass(slots=True)
class Inner:
    plain: Plain
    b: int = 0


def test_ignored_unless_told():
    for text in ('{"x":[1,{"y":"]"}],"a":1}', '{"a":1,"x":null,"y":"\\"}"}', '{"x":1,"a":1,"x":{}}'):
        assert json.decode(text, Plain) == json.decode(text, Plain, unknown="ignore") == Plain(1)
    # Passed over, and still looked at.
    for text in ('{"x":[1,],"a":1}', '{"a":1,"x":tru}', '{"a":1,"x":"\\x"}', '{"a":1,"x":01}'):
        with pytest.raises(demat.DecodeError):
            json.decode(text, Plain)


@pytest.mark.parametrize("module", [json, ndjson], ids=["json", "ndjson"])
def test_forbidden(module):
    with pytest.raises(demat.ValidationError) as raised:
        module.decode(
            b'[{"plain":{"a":1,"zz":2}}]', list[list[Inner]] if module is ndjson else list[Inner], unknown="forbid"
        )
    error = raised.value
    path = "$[0][0].plain" if module is ndjson else "$[0].plain"
    assert (error.path, error.reason, error.offset) == (path, "unknown field `zz`; the fields are `a`", 17)
    assert module.decode(b"", list[Inner]) == [] if module is ndjson else True


def test_forbidden_in_a_table():
    assert csv.decode("a,b\n1,2\n", list[Plain]) == [Plain(1)]
    with pytest.raises(demat.ValidationError, match="unknown field `b`"):
        csv.decode("a,b\n1,2\n", list[Plain], unknown="forbid")


def test_the_class_comes_before_the_call():
    @configure(unknown="forbid")
    @dataclass
    class Strict:
        a: int

    @configure(unknown="ignore")
    @dataclass
    class Lax:
        a: int

    with pytest.raises(demat.ValidationError, match="unknown field"):
        json.decode('{"a":1,"b":2}', Strict, unknown="ignore")
    assert json.decode('{"a":1,"b":2}', Lax, unknown="forbid") == Lax(1)


@configure(unknown="keep")
@dataclass
class Kept:
    a: int
    rest: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


@configure(unknown="keep")
@dataclass(slots=True)
class KeptSlots:
    a: int
    rest: Annotated[dict[str, int], Field(rest=True)] = field(default_factory=dict)
    z: int = 9


@configure(unknown="keep")
@attrs.define
class KeptAttrs:
    a: int
    rest: Annotated[dict[str, int], Field(rest=True)] = attrs.Factory(dict)


@configure(unknown="keep")
@dataclass(init=False)
class KeptCall:
    a: int
    rest: Annotated[dict[str, int], Field(rest=True)]

    def __init__(self, a: int, rest: dict[str, int]) -> None:
        self.a, self.rest = a, rest


@pytest.mark.parametrize("cls", [Kept, KeptSlots, KeptAttrs])
def test_kept_and_written_again(cls):
    found = json.decode('{"x":1,"a":5,"y":2}', cls)
    assert (found.a, found.rest) == (5, {"x": 1, "y": 2})
    assert json.decode(json.encode(found), cls) == found
    assert b'"rest"' not in json.encode(found)
    assert json.decode('{"a":5}', cls).rest == {}
    assert json.decode('{"a":5,"rest":3}', cls).rest == {"rest": 3}
    assert json.decode('{"a":5,"x":1,"x":2}', cls).rest == {"x": 2}
    with pytest.raises(demat.ValidationError, match="`x` stands here again"):
        json.decode('{"a":5,"x":1,"x":2}', cls, repeated_keys="refuse")


def test_kept_for_a_constructor():
    assert json.decode('{"x":1,"a":5}', KeptCall).rest == {"x": 1}
    with pytest.raises(demat.ValidationError):
        json.decode('{"a":5,"x":[]}', KeptCall)


def test_what_is_kept_has_its_type():
    with pytest.raises(demat.ValidationError, match=r'expected `int`, found `str` "1" at `\$\[0\]\.x`'):
        json.decode('[{"a":1,"x":"1"}]', list[KeptSlots])
    assert json.decode('{"a":1,"x":{"y":[1.5]}}', Kept).rest == {"x": {"y": [1.5]}}


def test_kept_by_a_call():
    @dataclass
    class Ready:
        a: int
        more: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)

    assert json.decode('{"a":1,"x":2}', Ready, unknown="keep").more == {"x": 2}


def test_kept_from_a_table():
    assert csv.decode("a,x\n1,2\n", list[KeptSlots]) == [KeptSlots(1, {"x": 2})]


def test_kept_errors_are_gathered_too():
    with pytest.raises(demat.ValidationError) as raised:
        json.decode('[{"a":1,"x":"1","y":"2"},{"a":"3"}]', list[KeptSlots], errors="all")
    assert [error.path for error in raised.value.errors] == ["$[0].x", "$[0].y", "$[1].a"]


def test_the_fields_of_an_init_false_class_are_known():
    @configure(unknown="keep")
    @dataclass
    class Computed:
        a: int
        b: int = field(init=False, default=2)
        rest: Annotated[dict[str, int], Field(rest=True)] = field(default_factory=dict)

    found = json.decode('{"a":1,"b":5,"c":6}', Computed)
    assert (found.b, found.rest) == (2, {"c": 6})
    assert json.encode(found) == b'{"a":1,"b":2,"c":6}'


@dataclass
class Rest:
    a: int
    b: Annotated[int, Field(name="bee")] = 0
    rest: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


@dataclass
class Cat:
    rest: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


@dataclass
class Dog:
    name: str


@pytest.mark.parametrize("module", [json, ndjson, cbor, msgpack, yaml, xml])
def test_unknown_fields_that_have_the_name_of_a_field_are_refused(module):
    for name in ("a", "bee"):
        with pytest.raises(demat.EncodeError, match=f"the unknown field `{name}` has the name of a field of `Rest`"):
            module.encode(Rest(1, 2, {"x": 1, name: 9}))
    values = [Rest(1, 2, {"b": "3"})]
    assert module.decode(module.encode(values), list[Rest]) == values


def test_unknown_fields_that_have_the_name_of_a_tag_are_refused():
    pet = Annotated[Cat | Dog, Field(tag="kind")]
    assert json.encode(Cat({"age": 3}), type=pet) == b'{"kind":"Cat","age":3}'
    with pytest.raises(demat.EncodeError, match="the unknown field `kind` has the name of a field of `Cat`"):
        json.encode(Cat({"kind": "Dog"}), type=pet)
    own = configure(tag="kind")(dataclass(type("Own", (Rest,), {})))
    with pytest.raises(demat.EncodeError, match="the unknown field `kind` has the name of a field of `Own`"):
        json.encode(own(1, rest={"kind": "Dog"}))
