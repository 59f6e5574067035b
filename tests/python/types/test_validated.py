"""Classes whose instances are checked when a program makes them."""

import enum
import functools
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import InitVar, dataclass, field
from datetime import date, datetime
from decimal import Decimal
from pathlib import PurePath
from typing import Annotated, Any, Generic, TypeVar
from uuid import UUID

import attrs
import demat
import formats
import pydantic
import pytest
from demat import Field, json

T = TypeVar("T")


@demat.validated
@dataclass(slots=True)
class Task:
    id: Annotated[int, Field(7, ge=0, read="ID", write="number", key=True)]
    title: Annotated[str, Field(max_length=5)] = "x"
    parent: "Task | None" = None
    tags: list[Annotated[str, Field(min_length=1)]] = field(default_factory=list)
    at: Annotated[datetime | None, Field(tz=False)] = None
    made: int = field(default=1, init=False)


@demat.validated
@attrs.frozen
class Point:
    _x: float
    y: float = attrs.field(default=0.0, alias="why")


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: Task(-1), r"\$\.id"),
        (lambda: Task("1"), r"\$\.id"),  # type: ignore[arg-type]
        (lambda: Task(1, "abcdef"), r"\$\.title"),
        (lambda: Task(1, parent=5), r"\$\.parent"),  # type: ignore[arg-type]
        (lambda: Task(1, tags=["a", ""]), r"\$\.tags\[1\]"),
        (lambda: Task(1, tags=None), r"\$\.tags"),  # type: ignore[arg-type]
        (lambda: Task(1, at=datetime.fromisoformat("2026-01-01T00:00:00Z")), r"\$\.at"),
        (lambda: Point("1"), r"\$\._x"),  # type: ignore[arg-type]
        (lambda: Point(1.0, why=None), r"\$\.y"),  # type: ignore[arg-type]
    ],
)
def test_what_is_wrong_is_refused_with_its_path(make: Any, path: str) -> None:
    with pytest.raises(demat.ValidationError, match=path):
        make()


def test_what_is_right_is_as_it_was_given() -> None:
    tags = ["a"]
    parent = Task(2)
    task = Task(1, "t", parent, tags, datetime(2026, 1, 1))
    assert (task.parent, task.tags, task.made) == (parent, tags, 1)
    assert task.tags is tags
    assert task.parent is parent
    with pytest.raises(AttributeError, match="can't set"):
        Point(1.0).y = 2.0  # type: ignore[misc]
    with pytest.raises(TypeError, match="missing"):
        Task()  # type: ignore[call-arg]


@formats.each(nested=True, typed=False, texts=False)
def test_instances_that_are_read_are_made_as_others(module: Any) -> None:
    data = module.encode([{"ID": 3, "title": "t"}])
    (task,) = module.decode(data, list[Task])
    assert (task.id, task.title, task.made) == (3, "t", 1)
    assert json.encode(task).startswith(b'{"number":3')


def test_reading_does_not_check_twice() -> None:
    calls = []

    @demat.validated
    @dataclass
    class Counted:
        n: int

        def __post_init__(self) -> None:
            calls.append(self.n)

    assert json.decode(b'[{"n":1},{"n":2}]', list[Counted]) == [Counted(1), Counted(2)]
    assert calls == [1, 2, 1, 2]
    with pytest.raises(demat.ValidationError):
        Counted("x")  # type: ignore[arg-type]


def test_subclasses_say_it_themselves() -> None:
    @dataclass
    class Loose(Task):
        more: int = 0

    assert Loose(-1).id == -1

    @demat.validated
    @dataclass
    class Strict(Task):
        more: int = 0

    with pytest.raises(demat.ValidationError, match=r"\$\.more"):
        Strict(1, more="x")  # type: ignore[arg-type]


def test_generic_classes_take_what_their_parameter_may_be() -> None:
    @demat.validated
    @dataclass
    class Box(Generic[T]):
        value: T
        n: int = 0

    assert Box("a").value == "a"
    with pytest.raises(demat.ValidationError, match=r"\$\.n"):
        Box(1, "x")  # type: ignore[arg-type]


def test_other_classes_are_refused() -> None:
    class Model(pydantic.BaseModel):
        a: int

    for other in (Model, int, type("Plain", (), {}), 5):
        with pytest.raises(TypeError, match="for dataclasses and attrs classes"):
            demat.validated(other)  # type: ignore[type-var]


@demat.validated
@dataclass
class Link:
    value: int
    next: "Link | None" = None
    many: "Annotated[list[Link], Field(max_length=2)]" = field(default_factory=list)
    named: "dict[str, Link]" = field(default_factory=dict)
    pair: "tuple[Link, int] | None" = None
    either: "Link | list[Link] | str" = ""


def test_instances_of_validated_classes_are_not_looked_into() -> None:
    last = Link(0)
    for value in range(5000):
        last = Link(value, last, [last, last], {"a": last}, (last, 1), [last])
    broken = Link(1)
    broken.value = "changed later"  # type: ignore[assignment]
    assert Link(2, broken).next is broken


@pytest.mark.parametrize(
    ("make", "path"),
    [
        (lambda: Link(1, 5), r"\$\.next"),  # type: ignore[arg-type]
        (lambda: Link(1, {"value": 1}), r"\$\.next"),  # type: ignore[arg-type]
        (lambda: Link(1, many=[Link(1), 5]), r"\$\.many\[1\]"),  # type: ignore[list-item]
        (lambda: Link(1, many=[Link(1)] * 3), r"\$\.many"),
        (lambda: Link(1, many=(Link(1),)), r"\$\.many"),  # type: ignore[arg-type]
        (lambda: Link(1, named={"a": None}), r"\$\.named\.a"),  # type: ignore[dict-item]
        (lambda: Link(1, pair=(Link(1), "x")), r"\$\.pair\[1\]"),  # type: ignore[arg-type]
        (lambda: Link(1, either=[5]), r"\$\.either\[0\]"),  # type: ignore[list-item]
        (lambda: Link(1, either=5), r"\$\.either"),  # type: ignore[arg-type]
    ],
)
def test_what_holds_them_is_checked(make: Any, path: str) -> None:
    with pytest.raises(demat.ValidationError, match=path):
        make()


class Color(enum.Enum):
    RED = "red"


@dataclass
class Plain:
    on: date
    n: int = 0


@demat.validated
@dataclass
class Strict:
    on: date | None = None
    color: Color | None = None
    plain: Plain | None = None
    price: Decimal | None = None
    ratio: float = 0.0
    dates: list[date] = field(default_factory=list)
    by_name: dict[str, tuple[int, ...]] = field(default_factory=dict)
    tags: set[UUID] = field(default_factory=set)


def test_nothing_is_converted() -> None:
    on, own = date(2026, 1, 1), UUID(int=1)
    made = Strict(on, Color.RED, Plain(on), Decimal("1.5"), 1, [on], {"a": (1,)}, {own})
    assert (made.ratio, made.dates, made.tags) == (1, [on], {own})
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"on": "2026-01-01"}, "on"),
        ({"color": "red"}, "color"),
        ({"plain": {"on": on}}, "plain"),
        ({"plain": Plain("2026-01-01")}, "plain.on"),  # type: ignore[arg-type]
        ({"plain": Plain(on, "1")}, "plain.n"),  # type: ignore[arg-type]
        ({"price": "1.5"}, "price"),
        ({"price": 1}, "price"),
        ({"ratio": True}, "ratio"),
        ({"dates": [on, "2026-01-01"]}, "dates[1]"),
        ({"dates": (on,)}, "dates"),
        ({"by_name": {"a": [1]}}, "by_name.a"),
        ({"tags": {str(own)}}, "tags[0]"),
    ]
    for given, path in wrong:
        with pytest.raises(demat.ValidationError) as caught:
            Strict(**given)
        assert caught.value.path == f"$.{path}", given


def test_an_instance_of_a_subclass_that_is_not_checked_is_looked_into() -> None:
    @dataclass
    class Loose(Link):
        more: int = 0

    with pytest.raises(demat.ValidationError, match=r"\$\.next\.more"):
        Link(1, next=Loose(1, more="x"))  # type: ignore[arg-type]
    loose = Loose(1)
    assert Link(1, next=loose).next is loose


@demat.validated
@dataclass
class Abstract:
    items: Sequence[int] = ()
    names: AbstractSet[str] = frozenset()
    amount: Decimal | str = ""
    at: datetime | str = ""
    ratios: set[float] = field(default_factory=set)
    either: "list[Link] | list[int]" = field(default_factory=list)
    anything: Any = None
    thing: object = None


def test_what_is_right_in_another_form_is_taken() -> None:
    unknown = object()
    Abstract((1, 2), frozenset("a"), "1.50", "2026-01-01", {1, 2.5}, [1], unknown, unknown)
    Abstract([1], {"a"}, Decimal(1), datetime(2026, 1, 1), set(), [Link(1)], Link, open)


@pytest.mark.parametrize(
    ("cls", "given"),
    [
        (Abstract, {"items": 5}),
        (Abstract, {"items": "12"}),
        (Abstract, {"items": ["1"]}),
        (Abstract, {"either": [1, Link(1)]}),
        (Abstract, {"amount": 1.5}),
        (Strict, {"by_name": {1: (1,)}}),
        (Strict, {"ratio": Decimal(1)}),
        (Task, {"id": Color.RED}),
        (Task, {"id": 1, "title": Color.RED}),
        (Task, {"id": 1, "title": PurePath("a")}),
        (Task, {"id": object()}),
        (Task, {"id": True}),
        (Link, {"value": 1, "named": {1: Link(1)}}),
    ],
)
def test_what_is_of_another_class_is_refused(cls: Any, given: dict[str, Any]) -> None:
    with pytest.raises(demat.ValidationError):
        cls(**given)


def test_instances_of_other_classes_are_looked_into_and_not_made_again() -> None:
    calls = []

    @dataclass
    class Inner:
        n: int
        password: InitVar[str]

        def __post_init__(self, password: str) -> None:
            calls.append(password)

    @demat.validated
    @dataclass
    class Outer:
        inner: Inner
        more: list[Inner] = field(default_factory=list)

    inner = Inner(1, "pw")
    assert Outer(inner, [inner]).inner is inner
    assert calls == ["pw"]
    inner.n = "x"  # type: ignore[assignment]
    with pytest.raises(demat.ValidationError, match=r"\$\.more\[0\]\.n"):
        Outer(Inner(2, "pw"), [inner])


def test_a_wrapper_around_the_constructor_is_not_passed_over() -> None:
    calls = []

    @demat.validated
    @dataclass
    class Wrapped:
        n: int

    own = Wrapped.__init__

    @functools.wraps(own)
    def wrapper(self: Any, *args: Any, **named: Any) -> None:
        calls.append(1)
        own(self, *args, **named)

    Wrapped.__init__ = wrapper  # type: ignore[method-assign]
    with pytest.raises(demat.ValidationError):
        Wrapped("x")  # type: ignore[arg-type]
    assert json.decode(b'{"n":1}', Wrapped).n == 1
    assert calls == [1, 1]
