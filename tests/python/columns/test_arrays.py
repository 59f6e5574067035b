"""Records that stand as arrays, as rows of columns and of copies."""

import io
from dataclasses import dataclass, field
from typing import Annotated, Literal, NamedTuple

import demat
import pytest
from demat import Field, cbor, configure, csv, json, msgpack, ndjson, parquet, sqlite


@configure(array_like=True)
@dataclass
class Task:
    id: int
    title: str = "none"
    tags: list[str] = field(default_factory=list)


class Point(NamedTuple):
    x: int
    y: int = 7


@configure(array_like=True)
@dataclass
class Line:
    start: Task
    end: Task | None = None


@dataclass
class Named:
    name: str
    task: Task


ROWS = [Task(1, "a", ["x"]), Task(2)]
FULL = [{"id": 1, "title": "a", "tags": ["x"]}, {"id": 2, "title": "none", "tags": []}]
FORMATS = pytest.mark.parametrize("module", [json, ndjson, msgpack, cbor], ids=lambda module: module.__name__)


def copied(data, type, to, from_="json", **options):
    out = io.BytesIO()
    demat.copy(io.BytesIO(data), out, type, from_=from_, to=to, **options)
    # JSON in a place ends with a line break.
    return out.getvalue().removesuffix(b"\n") if to == "json" else out.getvalue()


@FORMATS
def test_columns(module):
    assert module.columns(module.encode(ROWS), Task).records() == FULL
    assert module.columns(module.encode([[1, "a", ["x"]], [2]]), Task).records() == FULL
    assert module.columns(module.encode(ROWS), Task, fields=["tags", "id"]).records() == [
        {"tags": ["x"], "id": 1},
        {"tags": [], "id": 2},
    ]


@FORMATS
def test_columns_of_named_tuples(module):
    rows = [{"x": 1, "y": 2}, {"x": 3, "y": 7}]
    assert module.columns(module.encode([[1, 2], [3]]), Point).records() == rows
    assert module.columns(module.encode([{"y": 2, "x": 1}, [3]]), Point).records() == rows


def test_columns_say_where_a_row_is_wrong():
    with pytest.raises(demat.ValidationError) as caught:
        ndjson.columns(b'[1,"a"]\n[2,3]\n', Task)
    assert caught.value.path == "$[1][1]"
    with pytest.raises(demat.ValidationError) as caught:
        ndjson.columns(b"[1]\n[]\n", Task)
    assert caught.value.path == "$[1]"
    with pytest.raises(demat.ValidationError):
        ndjson.columns(b'{"id":1}\n', Task)
    rejects = []
    left = ndjson.columns(b'[1,"a"]\n[2,3]\n[3]\n', Task, on_error="collect", rejects=rejects)
    assert [row["id"] for row in left.records()] == [1, 3]


def test_columns_of_objects():
    assert demat.columns_of(ROWS).records() == FULL


def test_copies_between_arrays():
    data = b'[[1,"a",["x"]],[2]]'
    assert copied(data, list[Task], "ndjson") == b'[1,"a",["x"]]\n[2,"none",[]]\n'
    assert msgpack.decode(copied(data, list[Task], "msgpack")) == [[1, "a", ["x"]], [2, "none", []]]
    assert copied(data, Task, "json") == b'[[1,"a",["x"]],[2,"none",[]]]'
    with pytest.raises(demat.ValidationError) as caught:
        copied(b'[[1],["b"]]', list[Task], "json")
    assert caught.value.path == "$[1][0]"


def test_copies_into_rows(tmp_path):
    data = json.encode(ROWS)
    parquet_file, database = tmp_path / "tasks.parquet", tmp_path / "tasks.db"
    (tmp_path / "tasks.json").write_bytes(data)
    demat.copy(tmp_path / "tasks.json", parquet_file, list[Task])
    assert list(parquet.read(parquet_file)) == FULL
    assert list(parquet.read(parquet_file, Task)) == ROWS
    assert list(parquet.read(parquet_file, Task, fields=["id", "title"])) == [Task(1, "a"), Task(2)]
    with sqlite.open(database) as opened:
        opened.table("tasks", Task).insert(ROWS)
        assert list(opened.table("tasks", Task).select()) == ROWS
    assert demat.copy(tmp_path / "tasks.json", f"{database}#others", list[Task]).records == 2
    demat.copy(f"{database}#others", parquet_file, list[Task])
    assert list(parquet.read(parquet_file, Task)) == ROWS

    @configure(array_like=True)
    @dataclass
    class Pair:
        a: int
        b: str = "-"

    assert copied(b'[[1,"x"],[2]]', list[Pair], "csv") == b"a,b\n1,x\n2,-\n"
    assert copied(b"[[1,2],[3]]", list[Point], "csv") == b"x,y\n1,2\n3,7\n"
    assert copied(b'[[1,"x"],[2]]', list[Pair], "csv", fields=["b"]) == b"b\nx\n-\n"
    assert copied(b'[[1,"x"],[2]]', list[Pair], "csv", where="a > 1") == b"a,b\n2,-\n"
    assert copied(b'[[1,"x"],[2]]', list[Pair], "csv", rename={"a": "c"}) == b"c,b\n1,x\n2,-\n"
    with pytest.raises(TypeError, match="its arrays, which are rows of named fields in csv"):
        copied(b"a,b\n1,x\n", list[Pair], "json", from_="csv")


def test_arrays_within_others():
    lines = b'[[[1,"a"],[2]],[[3]]]'
    assert copied(lines, list[Line], "json") == b'[[[1,"a",[]],[2,"none",[]]],[[3,"none",[]],null]]'
    assert copied(b'[{"name":"n","task":[1]}]', list[Named], "json") == b'[{"name":"n","task":[1,"none",[]]}]'
    with pytest.raises(demat.ValidationError) as caught:
        copied(b'[{"name":"n","task":[1,2]}]', list[Named], "json")
    assert caught.value.path == "$[0].task[1]"


def test_rules_hold():
    @configure(array_like=True)
    @dataclass
    class Seat:
        row: Annotated[int, Field(ge=1)]
        name: Annotated[str, Field(min_length=1)] = "x"

    @dataclass
    class Around:
        seat: Seat

    for to in ("json", "csv"):
        with pytest.raises(demat.ValidationError, match=">= 1"):
            copied(b"[[0]]", list[Seat], to)
        with pytest.raises(demat.ValidationError, match="length"):
            copied(b'[[1,""]]', list[Seat], to)
    with pytest.raises(demat.ValidationError, match=">= 1"):
        copied(b'[{"seat":[0]}]', list[Around], "json")
    with pytest.raises(demat.ValidationError, match=">= 1"):
        ndjson.columns(b"[0]\n", Seat)

    class Bounded(NamedTuple):
        low: Annotated[int, Field(ge=1)]

    with pytest.raises(demat.ValidationError, match=">= 1"):
        copied(b'[{"low":0}]', list[Bounded], "json")


def test_rules_of_the_class_itself():
    @configure(array_like=True)
    @dataclass
    class Even:
        n: int
        half: int = 0

        def __post_init__(self) -> None:
            if self.n % 2:
                raise ValueError("odd")
            self.half = self.n // 2

    assert copied(b"[[4]]", list[Even], "csv") == b"n,half\n4,2\n"
    assert ndjson.columns(b"[4]\n", Even).records() == [{"n": 4, "half": 2}]
    with pytest.raises(demat.ValidationError, match="odd"):
        copied(b"[[3]]", list[Even], "csv")
    with pytest.raises(TypeError, match="`Even` is array_like"):
        copied(b"[[4]]", list[Even], "json")


@configure(array_like=True, tag="kind")
@dataclass
class Cat:
    lives: int


@configure(array_like=True, tag="kind")
@dataclass
class Dog:
    good: bool


def test_tagged_arrays():
    data = b'[["Cat",9],["Dog",true]]'
    assert copied(data, list[Cat | Dog], "json") == data
    assert copied(data, list[Cat | Dog], "msgpack") == msgpack.encode(json.decode(data))

    @dataclass
    class Owner:
        pet: Cat | Dog

    assert copied(b'[{"pet":["Dog",false]}]', list[Owner], "json") == b'[{"pet":["Dog",false]}]'
    with pytest.raises(demat.ValidationError):
        copied(b'[["Cow",1]]', list[Cat | Dog], "json")


def test_a_literal_that_is_the_tag():
    @configure(array_like=True)
    @dataclass
    class Get:
        op: Literal["get"]
        key: str

    assert copied(b'[["get","a"]]', list[Get], "csv") == b"op,key\nget,a\n"


def test_lists_of_cells():
    data = b"a,b,c\n1,2,3\n4,5,6\n"
    assert list(csv.read(data, list[int])) == [[1, 2, 3], [4, 5, 6]]
    assert list(csv.read(io.BytesIO(data), list[float])) == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
    assert list(csv.read(data, list[str], header=False)) == [["a", "b", "c"], ["1", "2", "3"], ["4", "5", "6"]]
    assert list(csv.read(b"1,\n,4\n", list[int | None], header=False)) == [[1, None], [None, 4]]
    assert list(csv.read(b"1,x\n2,y\n", tuple[int, str], header=False)) == [(1, "x"), (2, "y")]
    assert csv.decode(data, list[list[int]]) == [[1, 2, 3], [4, 5, 6]]
    with pytest.raises(demat.ValidationError) as caught:
        list(csv.read(b"a,b\n1,2\n3,x\n", list[int]))
    assert (caught.value.path, caught.value.line) == ("$[1][1]", 3)


def test_some_columns_of_parquet(tmp_path):
    place = tmp_path / "tasks.parquet"
    parquet.write(place, [Named("a", Task(1)), Named("b", Task(2))])
    assert list(parquet.read(place, fields=["name"])) == [{"name": "a"}, {"name": "b"}]
    assert list(parquet.read(place, dict[str, str], fields="name", batch=1)) == [[{"name": "a"}], [{"name": "b"}]]


def test_places_that_find_fields_by_name(tmp_path):
    with demat.lmdb.open(tmp_path / "data.lmdb") as opened, pytest.raises(TypeError, match="`Task` is array_like"):
        opened.collection("tasks", Task, key="id")
