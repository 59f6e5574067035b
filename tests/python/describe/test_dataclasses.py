"""Dataclasses: their fields, in order, with defaults."""

import dataclasses
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final

import pytest
from asked import fields, nodes, record
from demat import Field


@dataclass(slots=True)
class Task:
    id: int
    title: str = "new"
    tags: list[str] = field(default_factory=list)
    made: float = field(default=1.5, init=False)
    state: int = field(init=False)
    kind: ClassVar[str] = "task"


def test_a_record_says_all_there_is():
    assert record(Task) == {
        "cls": Task,
        "name": "Task",
        "make": "fields",
        "fields": [
            {
                "name": "id", "key": "id", "read": ("id",), "number": 1, "node": ("int",), "required": True,
                "init": "id", "omit": None,
            },
            {
                "name": "title", "key": "title", "read": ("title",), "number": 2, "node": ("str",), "required": False,
                "init": "title", "omit": None, "default": "new",
            },
            {
                "name": "tags", "key": "tags", "read": ("tags",), "number": 3, "node": ("list", list, ("str",)),
                "required": False, "init": "tags", "omit": None, "factory": list,
            },
            {
                "name": "made", "key": "made", "read": ("made",), "number": 4, "node": ("float",), "required": False,
                "init": None, "omit": None, "default": 1.5,
            },
            {
                "name": "state", "key": "state", "read": ("state",), "number": 5, "node": ("int",), "required": False,
                "init": None, "omit": None,
            },
        ],
        "unknown": "ignore",
        "post_init": None,
        "gc": True,
        "tag": None,
    }  # fmt: skip


@pytest.mark.parametrize(
    "options",
    [{}, {"slots": True}, {"frozen": True}, {"frozen": True, "slots": True}, {"kw_only": True}, {"eq": False}],
)
def test_plain_classes_are_made_by_storing_their_fields(options):
    @dataclass(**options)
    class Plain:
        a: int
        b: str = ""

    assert record(Plain)["make"] == "fields"
    assert list(fields(Plain)) == ["a", "b"]


@dataclass
class Base:
    a: int
    b: int = 1


@dataclass
class Derived(Base):
    b: str = "x"  # type: ignore[assignment]
    c: bool = False


class Undecorated(Base):
    pass


def test_inherited_fields_stand_where_the_base_has_them():
    assert nodes(Derived) == {"a": ("int",), "b": ("str",), "c": ("bool",)}
    assert nodes(Undecorated) == {"a": ("int",), "b": ("int",)}
    assert record(Undecorated)["cls"] is Undecorated


@dataclass
class Watched:
    a: int

    def __post_init__(self) -> None:
        self.a += 1


class Louder(Watched):
    def __post_init__(self) -> None:
        self.a += 2


def test_post_init_is_called_on_what_was_stored():
    assert record(Watched)["make"] == "fields"
    assert record(Watched)["post_init"] is Watched.__post_init__
    assert record(Louder)["post_init"] is Louder.__post_init__


@dataclass(init=False)
class NoInit:
    a: int

    def __post_init__(self) -> None:
        raise AssertionError("a class without an __init__ does not call it")


def test_post_init_is_left_alone_where_nothing_would_call_it():
    assert record(NoInit)["make"] == "fields"
    assert record(NoInit)["post_init"] is None


@dataclass
class Scaled:
    a: int
    scale: dataclasses.InitVar[int] = 1


def test_an_init_var_is_refused_with_the_reason():
    with pytest.raises(TypeError, match=r"`Scaled`: `scale` is an InitVar: .* never written; .*demat.hook\(Scaled"):
        record(Scaled)


@dataclass
class Qualified:
    a: Final[int]
    b: Annotated[Final[int], Field(ge=0)] = 3  # type: ignore[valid-type]
    c: Any = None
    d: Final = 4


def test_final_says_nothing_about_the_type():
    assert nodes(Qualified) == {
        "a": ("int",),
        "b": ("checked", ("int",), {"ge": 0}),
        "c": ("any",),
        "d": ("any",),
    }


def test_defaults_of_the_class_come_before_those_of_field():
    @dataclass
    class Both:
        a: Annotated[int, Field(default=1)]
        b: Annotated[int, Field(default=1)] = 2
        c: Annotated[list[int], Field(factory=list)] = field(default_factory=lambda: [1])

    found = fields(Both)
    assert (found["a"]["default"], found["a"]["required"]) == (1, False)
    assert found["b"]["default"] == 2
    assert found["c"]["factory"]() == [1]


def test_numbers_are_positions_or_said():
    @dataclass
    class Numbered:
        a: Annotated[int, Field(number=7)]
        b: int

    assert [field["number"] for field in record(Numbered)["fields"]] == [7, 2]


def test_a_number_twice_is_refused():
    @dataclass
    class Clash:
        a: Annotated[int, Field(number=2)]
        b: int

    with pytest.raises(TypeError, match="`Clash`: the fields `a` and `b` both have the number 2"):
        record(Clash)


def test_made_at_run_time():
    made = dataclasses.make_dataclass("Made", [("x", int), ("y", "list[int]", field(default_factory=list))])
    assert nodes(made) == {"x": ("int",), "y": ("list", list, ("int",))}
