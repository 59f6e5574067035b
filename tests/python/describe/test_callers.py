"""References in types that say not where they were written: they mean what they mean to the caller."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from types import ModuleType
from typing import Any, TypeAlias, Union

import demat
import pytest
from demat import json
from demat._describe import describe, described

Js: TypeAlias = "Union[int, list[Js]]"  # noqa: UP007
Tree = Union[int, list["Tree"]]  # noqa: UP007
Named = dict[str, "Tree"]
Number: TypeAlias = "int"


def module(name: str, code: str) -> dict[str, Any]:
    made = ModuleType(name)
    made.__dict__["json"] = json
    exec(code, made.__dict__)
    return made.__dict__


@pytest.mark.parametrize("type_", [Js, Tree, "Js", "Tree", list["Number"], "list[Js]"])
def test_aliases_of_the_caller_are_known(type_: Any, tmp_path: Path) -> None:
    value = [1, [2]] if type_ not in (list["Number"],) else [1, 2]
    text = json.encode(value)
    for _ in range(2):
        assert json.decode(text, type_) == value
        assert json.Decoder(type_).decode(text) == value
        assert json.encode(value, type=type_) == text
        assert demat.convert(value, type_) == value
    path = tmp_path / "lines.ndjson"
    path.write_bytes(json.encode([1, 2]) + b"\n" + text + b"\n")
    if "Number" not in str(type_):
        assert list(demat.read(path, type_)) == [[1, 2], value]
    with pytest.raises(demat.ValidationError):
        json.decode('["x"]', type_)


def test_a_program_of_its_own(tmp_path: Path) -> None:
    import subprocess

    program = tmp_path / "program.py"
    program.write_text(
        "from typing import TypeAlias, Union\n"
        "import demat\n"
        'Js: TypeAlias = "Union[int, list[Js]]"\n'
        'print(demat.json.decode("[1,[2]]", Js), demat.json.decode("[1,[2]]", list["Js"]))\n'
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=True)
    assert done.stdout == "[1, [2]] [1, [2]]\n"


def test_equal_types_of_two_modules_are_told_apart() -> None:
    code = "Own = {}\ndef read(text): return json.decode(text, list['Own'])"
    ints, texts = module("ints", code.format("int")), module("texts", code.format("str"))
    for _ in range(3):
        assert ints["read"]("[1]") == [1]
        assert texts["read"]('["x"]') == ["x"]
        with pytest.raises(demat.ValidationError):
            ints["read"]('["x"]')
        with pytest.raises(demat.ValidationError):
            texts["read"]("[1]")


def test_a_name_that_is_another_type_now_is_that_type() -> None:
    own = module("own", "Own = int\ndef read(text): return json.decode(text, list['Own'])")
    assert own["read"]("[1]") == [1]
    own["Own"] = str
    assert own["read"]('["x"]') == ["x"]
    # A name of the module comes before one of the builtins, also if it is new.
    own = module("own", "def read(text): return json.decode(text, list['int'])")
    assert own["read"]("[1]") == [1]
    own["int"] = str
    assert own["read"]('["x"]') == ["x"]


def test_the_names_of_a_function_are_known() -> None:
    Local = Union[int, list["Local"]]  # noqa: N806, UP007
    assert json.decode("[1,[2]]", Local) == [1, [2]]
    Other = str  # noqa: N806
    assert json.decode('["x"]', list["Other"]) == [Other("x")]


def test_a_class_has_its_own_module() -> None:
    own = module("tests_own_classes", "Own = int\nclass Row:\n    own: 'Own'\n")
    row = own["Row"]
    row.__module__ = "tests_own_classes"
    sys.modules["tests_own_classes"] = ModuleType("tests_own_classes")
    sys.modules["tests_own_classes"].__dict__.update(own)
    from dataclasses import dataclass

    Own = str  # noqa: N806
    try:
        assert json.decode('{"own":1}', dataclass(row)).own == 1
        assert json.decode('["x"]', list["Own"]) == [Own("x")]
    finally:
        del sys.modules["tests_own_classes"]


def test_threads_are_callers_too() -> None:
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(json.decode("[1,[2]]", Js)))
    thread.start()
    thread.join()
    assert found == [[1, [2]]]


def test_what_nobody_knows_is_refused() -> None:
    with pytest.raises(TypeError, match=rf"there is no `Nothing` in module `{__name__}`; define it there"):
        json.decode("1", list["Nothing"])  # type: ignore[name-defined] # noqa: F821
    with pytest.raises(TypeError, match="there is no `Nothing`"):
        describe("Nothing")


def test_only_references_depend_on_the_caller() -> None:
    assert described(list[int])[2] is None
    assert described(dict[str, int | None])[2] is None
    caller = described(list["int"])[2]
    assert caller is not None
    assert caller.means_the_same()
    assert caller["Js"] is Js
    assert "int" not in caller
    assert {"Js", "int"} - set(caller) == {"int"}
    assert len(caller) == len(set(caller))
