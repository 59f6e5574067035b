"""TypedDicts: plain dicts, of which it is known what is in them."""

from typing import Annotated, Generic, NotRequired, Required, TypedDict, TypeVar

import demat
import pytest
from demat import Field, configure, csv, json

T = TypeVar("T")


class Task(TypedDict):
    id: int
    title: NotRequired[str]


class Partial(TypedDict, total=False):
    a: int
    b: Required[str]


class Below(Task):
    more: list[Task]


class Page(TypedDict, Generic[T]):
    items: list[T]


Functional = TypedDict("Functional", {"with-dash": int, "class": str})


@configure(rename="camel", unknown="forbid")
class Renamed(TypedDict):
    due_date: int
    n: Annotated[int, Field(name="number")]


@pytest.mark.parametrize(
    ("tp", "text", "value"),
    [
        (Task, '{"id":1,"title":"a"}', {"id": 1, "title": "a"}),
        (Task, '{"id":1}', {"id": 1}),
        (Partial, '{"b":"x"}', {"b": "x"}),
        (Below, '{"id":1,"more":[{"id":2}]}', {"id": 1, "more": [{"id": 2}]}),
        (Page[int], '{"items":[1]}', {"items": [1]}),
        (Functional, '{"with-dash":1,"class":"c"}', {"with-dash": 1, "class": "c"}),
        (Renamed, '{"dueDate":1,"number":2}', {"due_date": 1, "n": 2}),
    ],
)
def test_taken(tp, text, value):
    found = json.decode(text, tp)
    assert (type(found), found) == (dict, value)
    assert json.decode(json.encode(value, type=tp), tp) == value
    assert json.decode(text.replace('"id":1,', '"id":1,"unknown":[1],') if tp is not Renamed else text, tp) == value


@pytest.mark.parametrize(
    ("tp", "text", "message"),
    [
        (Task, "{}", "expected field `id`, found nothing (line 1, column 2)"),
        (Task, "[]", "expected `Task`, found `list` (line 1, column 1)"),
        (Task, '{"id":null}', "expected `int`, found `None` at `$.id` (line 1, column 7)"),
        (Partial, '{"a":1}', "expected field `b`, found nothing (line 1, column 7)"),
        (Page[int], '{"items":["a"]}', 'expected `int`, found `str` "a" at `$.items[0]` (line 1, column 11)'),
        (
            Renamed,
            '{"dueDate":1,"number":2,"x":1}',
            "unknown field `x`; the fields are `dueDate`, `number` (line 1, column 25)",
        ),
    ],
)
def test_refused(tp, text, message):
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(text, tp)
    assert str(raised.value) == message


def test_keys_that_the_class_does_not_have_are_not_lost_when_writing():
    value = {"id": 1, "extra": [1]}
    assert json.encode(value, type=Task) == b'{"id":1,"extra":[1]}'
    with pytest.raises(demat.EncodeError, match=r"the key `id` of a `Task` is not set at `\$\.id`"):
        json.encode({}, type=Task)


def test_rows_of_a_table():
    rows: list[Task] = [{"id": 1, "title": "a"}, {"id": 2, "title": ""}]
    data = csv.encode(rows, type=list[Task])
    assert csv.decode(data, list[Task])[0] == rows[0]
