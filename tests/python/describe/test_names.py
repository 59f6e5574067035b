"""What fields are called outside, when read and when written."""

from dataclasses import dataclass
from typing import Annotated, TypedDict

import demat
import pytest
from asked import fields, record
from demat import Field
from demat._case import CASES, renamed


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("http_server", ["httpServer", "HttpServer", "http_server", "HTTP_SERVER", "http-server"]),
        ("HttpServer", ["httpServer", "HttpServer", "http_server", "HTTP_SERVER", "http-server"]),
        ("HTTPServer", ["httpServer", "HttpServer", "http_server", "HTTP_SERVER", "http-server"]),
        ("x", ["x", "X", "x", "X", "x"]),
        ("utf8_text", ["utf8Text", "Utf8Text", "utf8_text", "UTF8_TEXT", "utf8-text"]),
        ("_private", ["private", "Private", "private", "PRIVATE", "private"]),
        ("class_", ["class", "Class", "class", "CLASS", "class"]),
        ("straße_nr", ["straßeNr", "StraßeNr", "straße_nr", "STRASSE_NR", "straße-nr"]),
        ("_", ["_"] * 5),
    ],
)
def test_names_are_written_in_every_case(name, expected):
    cases = ("camel", "pascal", "snake", "screaming_snake", "kebab")
    assert [renamed(name, case) for case in cases] == expected


def test_upper_and_lower_change_letters_only():
    assert (renamed("Two_Words", "lower"), renamed("two_words", "upper")) == ("two_words", "TWO_WORDS")
    assert {"upper", "lower"} < set(CASES)


def names(tp, **options):
    return {name: (field["key"], field["read"]) for name, field in fields(tp, **options).items()}


@demat.configure(rename="camel")
@dataclass
class Task:
    due_date: str
    is_done: Annotated[bool, Field(name="DONE")]
    long_title: Annotated[str, Field(read=("title", "longTitle"))]
    made_by: Annotated[str, Field(write="author")]
    seen_by: Annotated[str, Field(name="seen", read="viewers", write="watchers")]


def test_names_for_reading_and_writing():
    assert names(Task) == {
        "due_date": ("dueDate", ("dueDate",)),
        "is_done": ("DONE", ("DONE",)),
        "long_title": ("longTitle", ("title", "longTitle")),
        "made_by": ("author", ("madeBy",)),
        "seen_by": ("watchers", ("seen", "viewers")),
    }


def test_the_call_renames_classes_that_say_nothing():
    @dataclass
    class Silent:
        due_date: str
        task: Task | None = None

    assert names(Silent, rename="kebab")["due_date"] == ("due-date", ("due-date",))
    assert names(Task, rename="kebab") == names(Task)


@pytest.mark.parametrize(
    ("rename", "expected"),
    [
        (str.upper, ["A_B", "C"]),
        ({"a_b": "first"}, ["first", "c"]),
        (lambda name: f"x.{name}", ["x.a_b", "x.c"]),
    ],
)
def test_functions_and_mappings_rename(rename, expected):
    @dataclass
    class Both:
        a_b: int
        c: int

    demat.configure(Both, rename=rename)
    assert [field["key"] for field in record(Both)["fields"]] == expected


def test_typed_dicts_are_renamed_outside_only():
    class Options(TypedDict):
        max_size: int

    assert names(Options, rename="camel") == {"max_size": ("maxSize", ("maxSize",))}


@dataclass
class Clash:
    a: Annotated[int, Field(name="x")]
    b: Annotated[int, Field(read=("b", "x"))]


@dataclass
class Written:
    a: Annotated[int, Field(write="x")]
    b: Annotated[int, Field(write="x")]


@demat.configure(rename="lower")
@dataclass
class Folded:
    a: int
    A: int


@pytest.mark.parametrize(
    ("cls", "message"),
    [
        (Clash, "`Clash`: the fields `a` and `b` are both read as `x`"),
        (Written, "`Written`: the fields `a` and `b` are both written as `x`"),
        (Folded, "`Folded`: the fields `a` and `A` are both read as `a`"),
    ],
)
def test_two_fields_of_one_name_are_refused(cls, message):
    with pytest.raises(TypeError, match=message):
        record(cls)


def test_a_function_that_gives_no_name_is_refused():
    with pytest.raises(TypeError, match="renaming the field `due_date` gave a NoneType"):
        names(dataclass(type("Odd", (), {"__annotations__": {"due_date": int}})), rename=lambda name: None)
    with pytest.raises(TypeError, match="rename='title' is none of 'camel'"):
        names(dataclass(type("Odd", (), {"__annotations__": {"due_date": int}})), rename="title")
