"""`define`: classes for descriptions without classes, as Shapes and samples give them."""

import copy
import datetime
import enum
import pickle
import subprocess
import sys
from typing import Any, get_args

import demat
import pytest
from alike import differences
from demat import avro, source
from demat._describe import describe
from demat._schema.define import defined
from demat._schema.identifiers import attribute, class_name
from demat._schema.places import is_file, is_shape


def field(name: str, node: Any, number: int, **more: Any) -> dict[str, Any]:
    """A field as a Shape has it."""
    usual = {"key": name, "read": (name,), "required": True, "init": name, "omit": None}
    return {"name": name, "node": node, "number": number, **usual, **more}


def record(name: str, *fields: Any, unknown: Any = "ignore") -> dict[str, Any]:
    """A record as a Shape has it."""
    plain = {"make": "fields", "post_init": None, "gc": True, "tag": None}
    return {"cls": None, "name": name, "fields": list(fields), "unknown": unknown, **plain}


def test_a_record_is_a_slotted_dataclass_of_the_callers():
    made = defined(
        ("record", 0), [record("Task", field("id", ("int",), 1), field("title", ("str",), 2))], "X", __name__
    )
    assert (made.__name__, made.__module__) == ("Task", __name__)
    assert made.__slots__ == ("id", "title")
    assert made(1, "a") == made(id=1, title="a")


def test_a_list_of_records_is_its_records():
    made = defined(("list", list, ("optional", ("record", 0))), [record("", field("id", ("int",), 1))], "Tasks")
    assert made.__name__ == "Tasks"


def test_a_union_of_records_is_the_union_of_their_classes():
    shapes = ("union", None, ((None, ("record", 0)), (None, ("record", 1))))
    records = [record("Circle", field("radius", ("int",), 1)), record("Square", field("side", ("int",), 1))]
    made = defined(("list", list, shapes), records, "Shapes", __name__)
    assert [each.__name__ for each in get_args(made)] == ["Circle", "Square"]
    data = avro.encode([each(1) for each in get_args(made)], type=list[made])
    assert avro.decode(data, list[made]) == [each(1) for each in get_args(made)]
    found = demat.define(data, format="avro")
    assert [each.__slots__ for each in get_args(found)] == [("radius",), ("side",)]


def test_a_union_of_a_record_and_a_value_is_refused():
    with pytest.raises(TypeError, match="a class is for records, and this is a union"):
        defined(("union", None, ((None, ("record", 0)), (None, ("int",)))), [record("A")], "X")


def test_a_name_that_is_said_counts():
    assert defined(("record", 0), [record("Task")], "Tasks", said="Job").__name__ == "Job"


def test_what_is_no_record_is_refused():
    with pytest.raises(TypeError, match="a class is for records, and this is a int"):
        defined(("list", list, ("int",)), [], "X")


def test_what_may_be_missing_has_a_default():
    made = defined(
        ("record", 0),
        [
            record(
                "R",
                field("a", ("optional", ("int",)), 1, required=False),
                field("b", ("str",), 2, required=False),
                field("c", ("optional", ("int",)), 3),
                field("d", ("list", list, ("int",)), 4, required=False, default=[1, 2]),
                field("e", ("date",), 5, required=False, default=datetime.date(2020, 1, 2)),
                field("f", ("any",), 6, required=False),
            )
        ],
        "R",
    )
    one = made(c=None)
    assert (one.a, one.b, one.c, one.d, one.e, one.f) == (None, None, None, [1, 2], datetime.date(2020, 1, 2), None)
    assert made(c=None).d is not one.d
    _, (found,) = describe(made)
    assert [entry["node"] for entry in found["fields"][:3]] == [
        ("optional", ("int",)),
        ("optional", ("str",)),
        ("optional", ("int",)),
    ]


def test_names_that_python_can_not_have():
    made = defined(
        ("record", 0),
        [
            record(
                "a-b c",
                field("first name", ("str",), 1),
                field("class", ("record", 1), 2),
                field("class_", ("int",), 3),
                field("2nd", ("int",), 4, key="2ND", read=("2nd", "second")),
                field("__x", ("int",), 5),
                field("", ("int",), 6),
            ),
            record("", field("x", ("int",), 1)),
        ],
        "R",
    )
    assert made.__name__ == "ABC"
    assert made.__slots__ == ("first_name", "class_", "class__2", "_2nd", "_x", "field")
    _, (found, inner) = describe(made)
    assert [(entry["key"], entry["read"]) for entry in found["fields"]] == [
        ("first name", ("first name",)),
        ("class", ("class",)),
        ("class_", ("class_",)),
        ("2ND", ("2nd", "second")),
        ("__x", ("__x",)),
        ("", ("",)),
    ]
    assert inner["name"] == "Class"


def test_unknown_fields_and_rests():
    strict = defined(("record", 0), [record("R", field("a", ("int",), 1), unknown="forbid")], "R")
    assert describe(strict)[1][0]["unknown"] == "forbid"
    rest = field("rest", ("dict", dict, ("str",), ("any",)), 2, read=(), required=False, factory=dict)
    assert describe(defined(("record", 0), [record("R", field("a", ("int",), 1), rest, unknown=1)], "R"))[1][0][
        "unknown"
    ] == (1)


def test_recursion_needs_no_module():
    made = defined(
        ("record", 0),
        [
            record("Node", field("next", ("optional", ("record", 0)), 1), field("leaf", ("record", 1), 2)),
            record("Leaf", field("up", ("optional", ("record", 0)), 1)),
        ],
        "R",
        "nowhere.at.all",
    )
    _, records = describe(made)
    assert [entry["name"] for entry in records] == ["Node", "Leaf"]
    assert records[1]["fields"][0]["node"] == ("optional", ("record", 0))


def test_unions_and_their_tags():
    union = ("union", "kind", (("circle", ("record", 1)), ("Dot", ("record", 2))))
    made = defined(
        ("record", 0),
        [record("R", field("a", union, 1)), record("", field("r", ("float",), 1)), record("Dot")],
        "R",
    )
    _, records = describe(made)
    assert [(name, records[part[1]]["name"]) for name, part in records[0]["fields"][0]["node"][2]] == [
        ("circle", "Circle"),
        ("Dot", "Dot"),
    ]


def test_enums_with_and_without_a_name():
    made = defined(
        ("record", 0),
        [
            record(
                "R",
                field("a", ("enum", None, {"x": "x", "y z": "y z"}), 1),
                field("b", ("enum", "task state", {"open": "open", "in progress": "in progress", "1": "1"}), 2),
            )
        ],
        "R",
    )
    _, (found,) = describe(made)
    assert found["fields"][0]["node"] == ("literal", ("x", "y z"))
    kind, cls, members = found["fields"][1]["node"]
    assert (kind, cls.__name__) == ("enum", "TaskState")
    assert issubclass(cls, enum.StrEnum)
    assert list(members) == ["open", "in progress", "1"]
    assert [member.name for member in cls] == ["OPEN", "IN_PROGRESS", "N1"]


def test_checks_and_numbers_stay():
    node = ("checked", ("int",), {"ge": -128, "le": 127})
    made = defined(("record", 0), [record("R", field("a", node, 7))], "R")
    _, (found,) = describe(made)
    assert (found["fields"][0]["node"], found["fields"][0]["number"]) == (node, 7)


def test_what_was_defined_is_printed_and_defines_the_same():
    made = defined(
        ("record", 0),
        [
            record(
                "",
                field("first name", ("str",), 1),
                field("tags", ("list", list, ("str",)), 2, required=False, default=["a"]),
                field("owner", ("optional", ("record", 1)), 3, required=False),
                unknown="forbid",
            ),
            record("", field("name", ("str",), 1), field("tasks", ("list", list, ("record", 0)), 2)),
        ],
        "Tasks",
        __name__,
    )
    text = source(made)
    module = sys.modules["printed"] = type(sys)("printed")
    try:
        exec(text, vars(module))
        assert differences(describe(made), describe(module.Tasks)) == []
    finally:
        del sys.modules["printed"]
    assert copy.deepcopy(made("a")) == made("a")


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("a", "a"),
        ("dueDate", "dueDate"),
        ("due date", "due_date"),
        ("due-date", "due_date"),
        ("a.b/c", "a_b_c"),
        ("1", "_1"),
        ("", "field"),
        ("___", "field"),
        ("$", "field"),
        ("__init__", "_init"),
        ("if", "if_"),
        ("None", "None_"),
        ("match", "match"),
        ("straße", "straße"),
        ("ﬁeld", "field"),
        ("😀", "field"),
        ("x_", "x"),
    ],
)
def test_attributes(key, name):
    assert attribute(key) == name
    assert attribute(key).isidentifier()


def test_a_name_that_is_taken_gets_a_number():
    assert attribute("a", {"a", "a_2"}) == "a_3"
    assert class_name("if") == "If"


def test_places(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "id:int").write_text("")
    assert is_file("id:int")
    assert not is_file("tasks.csv")
    assert not is_file("a" * 10_000)
    assert not is_file("\0")
    assert is_shape("id:int, done:bool")
    assert is_shape("Task{}")
    assert not is_shape("tasks.csv")


def test_shapes():
    made = demat.define('Task{id: int, title: text = "new"}')
    assert made(1) == made(1, "new")
    assert made.__module__ == __name__


def test_files_and_samples(tmp_path):
    path = tmp_path / "tasks.csv"
    path.write_text("id,due date\n1,2020-01-02\n")
    for place in (path, str(path)):
        made = demat.define(place)
        assert (made.__name__, made.__slots__) == ("Tasks", ("id", "due_date"))
    made = demat.define(b'{"id": 1, "owner": {"name": "a"}}', format="json", name="Task")
    assert made.__name__ == "Task"
    with path.open("rb") as file:
        made = demat.define(file, format="csv")
    assert (made.__name__, made.__slots__) == ("Tasks", ("id", "due_date"))


def test_places_that_there_are_not():
    with pytest.raises(FileNotFoundError, match=r"there is no file 'tasks\.csv'"):
        demat.define("tasks.csv")
    with pytest.raises(ValueError, match="rows must be 1 or more"):
        demat.define("a: int", rows=0)


def test_notes_of_formats():
    made = demat.define("id: int #xml:attribute, on: int #nbt:byte")
    value = made(7, 1)
    assert demat.xml.encode(value, declaration=False) == b'<Record id="7"><on>1</on></Record>'
    assert b"\x01\x00\x02on\x01" in demat.nbt.encode(value)
    with pytest.raises(demat.Error, match="no format has notes for `xlm`"):
        demat.define("id: int #xlm:attribute")
    with pytest.raises(demat.Error, match="`atribute` is no note for xml"):
        demat.define("id: int #xml:atribute")


def test_instances_are_pickled_and_copied():
    made = demat.define("id: int, owner: Owner{mail: text}?")
    owner = made.__dataclass_fields__["owner"].type.__args__[0]
    one = made(1, owner("a@b"))
    pickles = [pickle.loads(pickle.dumps(one, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for again in (copy.copy(one), copy.deepcopy(one), *pickles):
        assert type(again) is made
        assert again == one
    # Another process makes the class anew, once.
    program = "import pickle, sys; a, b = pickle.load(sys.stdin.buffer); print(a, type(a) is type(b))"
    both = pickle.dumps([one, made(2, None)])
    run = subprocess.run([sys.executable, "-c", program], input=both, capture_output=True, check=True)
    assert run.stdout == b"Record(id=1, owner=Owner(mail='a@b')) True\n"


def test_classes_below_a_defined_one_are_pickled_by_name():
    with pytest.raises((pickle.PicklingError, AttributeError), match="Below"):
        pickle.dumps(type("Below", (demat.define("id: int"),), {})(1))
