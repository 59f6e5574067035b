"""pydantic's models."""

import datetime
import decimal
from typing import Annotated, Any, Generic, Literal, TypeVar

import pydantic
import pytest
from asked import fields, node, nodes, record
from pydantic import AliasChoices, AliasPath, BaseModel, ConfigDict
from pydantic import Field as PydanticField

T = TypeVar("T")


class Owner(BaseModel):
    name: str


class Task(BaseModel):
    id: int
    owner: Owner | None = None
    tags: list[str] = []
    due: datetime.date = PydanticField(alias="dueDate")
    other: int = PydanticField(default=1, validation_alias="in", serialization_alias="out")
    many: int = PydanticField(default=1, validation_alias=AliasChoices("x", "y"))
    made: float = PydanticField(default_factory=float, ge=0)


def test_a_model_is_made_by_validation():
    found = record(Task)
    assert (found["make"], found["unknown"]) == ("validate", "ignore")
    assert nodes(Task) == {
        "id": ("int",),
        "owner": ("optional", ("record", 1)),
        "tags": ("list", list, ("str",)),
        "due": ("date",),
        "other": ("int",),
        "many": ("int",),
        # The model checks by itself.
        "made": ("float",),
    }


def test_what_is_described_is_what_the_model_takes_and_gives():
    found = fields(Task)
    read = {field["read"][0]: field["init"] for field in found.values()}
    values = {"id": 1, "dueDate": datetime.date.min, "in": 3, "x": 4}
    model = Task.model_validate({read[name]: value for name, value in values.items()})
    assert (model.other, model.many, model.due) == (3, 4, datetime.date.min)
    assert set(model.model_dump(by_alias=True)) == {field["key"] for field in found.values()}
    required = {name for name, field in found.items() if field["required"]}
    assert required == {"id", "due"}


def test_aliases():
    found = fields(Task)
    assert (found["due"]["key"], found["due"]["read"]) == ("dueDate", ("dueDate",))
    assert (found["other"]["key"], found["other"]["read"]) == ("out", ("in",))
    assert (found["many"]["key"], found["many"]["read"], found["many"]["init"]) == ("many", ("x", "y"), "x")


class Both(BaseModel):
    model_config = ConfigDict(populate_by_name=True, extra="forbid", alias_generator=str.upper)
    a: int


class NameOnly(BaseModel):
    model_config = ConfigDict(validate_by_alias=False, validate_by_name=True)
    a: int = PydanticField(alias="A")


def test_configuration():
    assert record(Both)["unknown"] == "forbid"
    assert fields(Both)["a"]["read"] == ("A", "a")
    assert (fields(NameOnly)["a"]["read"], fields(NameOnly)["a"]["init"]) == (("a",), "a")


class Cat(BaseModel):
    kind: Literal["cat"]


class Dog(BaseModel):
    kind: Literal["dog"]


class Home(BaseModel):
    pet: Cat | Dog = PydanticField(discriminator="kind")
    pets: list[Annotated[Cat | Dog, PydanticField(discriminator="kind")]] = []


def test_discriminators_are_tags():
    assert nodes(Home)["pet"][:2] == ("union", "kind")
    assert nodes(Home)["pets"][2][:2] == ("union", "kind")


class Page(BaseModel, Generic[T]):
    items: list[T]


class Node(BaseModel):
    next: "Node | None" = None


def test_generic_and_recursive_models():
    assert nodes(Page[int]) == {"items": ("list", list, ("int",))}
    assert nodes(Node) == {"next": ("optional", ("record", 0))}


class Host:
    pass


class Odd(BaseModel):
    model_config = ConfigDict(arbitrary_types_allowed=True)
    url: pydantic.HttpUrl
    host: Any
    plain: Host | None = None
    words: Annotated[list[str], pydantic.BeforeValidator(str.split)] = []
    short: Annotated[str, pydantic.StringConstraints(strip_whitespace=True, max_length=2)] = ""
    after: Annotated[int, pydantic.AfterValidator(abs)] = 0

    @pydantic.field_validator("short", mode="before")
    @classmethod
    def _shorten(cls, value: Any) -> Any:
        return str(value)


def test_a_field_without_a_description_is_left_to_the_model():
    found = nodes(Odd)
    for name in ("url", "plain", "words"):
        assert found[name][:4] == ("hook", ("any",), object, None), name
    assert found["url"][4](pydantic.HttpUrl("http://a.b/")) == "http://a.b/"
    assert found["host"] == ("any",)
    assert found["after"] == ("int",)


def test_a_field_with_a_validator_before_its_type_takes_anything():
    assert nodes(Odd)["short"] == ("hook", ("any",), object, None, None, ("str",))


class Numbers(pydantic.RootModel[list[int]]):
    pass


def test_root_models_are_their_root():
    kind, read, cls, decode, encode, write = node(Numbers)
    assert (kind, read, cls, write) == ("hook", ("list", list, ("int",)), Numbers, ("list", list, ("int",)))
    assert encode(decode([1, 2])) == [1, 2]


class Extra(BaseModel):
    model_config = ConfigDict(extra="allow")
    a: int


class Computed(BaseModel):
    a: int

    @pydantic.computed_field
    @property
    def b(self) -> int:
        return self.a + 1


class Serialized(BaseModel):
    a: decimal.Decimal

    @pydantic.field_serializer("a")
    def _a(self, value: decimal.Decimal) -> str:
        return f"{value:.2f}"


class Before(BaseModel):
    a: int

    @pydantic.model_validator(mode="before")
    @classmethod
    def _all(cls, data: Any) -> Any:
        return {"a": data["b"]}


class Path(BaseModel):
    a: int = PydanticField(validation_alias=AliasPath("x", 0))


class Secret(BaseModel):
    a: int = PydanticField(exclude=True)


@pytest.mark.parametrize("cls", [Extra, Computed, Serialized, Before, Path, Secret])
def test_a_model_with_rules_for_the_whole_does_it_all_itself(cls):
    kind, read, found, decode, encode, write = node(cls)
    assert (kind, read, found, decode, write) == ("hook", ("any",), cls, cls.model_validate, ("any",))
    made = decode({"a": "1", "b": "1", "x": ["1"]})
    assert isinstance(made, cls)
    assert isinstance(encode(made), dict)


@pydantic.dataclasses.dataclass
class Data:
    a: int
    b: list[int] = PydanticField(default_factory=list)


def test_pydantic_dataclasses_are_called():
    found = record(Data)
    assert found["make"] == "call"
    assert found["fields"][1]["required"] is False


class Unknown(BaseModel):
    x: "Nowhere"  # noqa: F821


def test_what_pydantic_itself_does_not_know_is_refused():
    with pytest.raises(TypeError, match="model_rebuild"):
        node(Unknown)
    with pytest.raises(TypeError, match="what models inherit from"):
        node(BaseModel)


def test_validators_count_only_where_pydantic_applies_them():
    with pytest.raises(TypeError, match="only pydantic applies its AfterValidator"):
        node(list[Annotated[int, pydantic.AfterValidator(abs)]])
