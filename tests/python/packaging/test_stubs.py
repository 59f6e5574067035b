"""The stubs and the table of formats say what is so: of the modules, and of the native module behind them."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from demat._formats import FORMATS, Format, Option

ROOT = Path(__file__).parents[3]
WRITERS = ("encode", "dumps")
FORMS = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)


def module(form: Format) -> ModuleType:
    return import_module(f"demat.{form.name}")


def given(options: tuple[Option, ...]) -> dict[str, Any]:
    """Each option as it is when it is not given."""
    return {option.name: eval(option.default) for option in options}


def test_the_modules_are_as_the_table_says() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "python")}
    check = [sys.executable, "-m", "generate", "--check"]
    done = subprocess.run(check, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_stubs_are_as_the_modules_are(tmp_path: Path) -> None:
    # They have no types, and need not be there.
    (tmp_path / "mypy.ini").write_text(
        "[mypy]\n[mypy-pyspark.*,pyarrow.*]\nfollow_imports = skip\nignore_missing_imports = True\n"
    )
    # Private modules but the native one are their own stubs; what they name for checkers alone is not there when run.
    # An alias of an annotated union is none to the checker.
    (tmp_path / "allowed").write_text("demat\\._(?!native)\\w+\\..*\ndemat\\.net\\.Ip\\w+\n")
    command = [sys.executable, "-m", "mypy.stubtest", "--concise", "--mypy-config-file", "mypy.ini"]
    command += ["--allowlist", "allowed", "--ignore-unused-allowlist", "demat"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("", 0)


@dataclass
class Row:
    a: str


def sample(form: Format) -> tuple[Any, Any]:
    """A record of the format, and its type."""
    if not form.any_record:
        return {"x": 3, "z": 0, "timestamp": 1, "chunk": {"a": "b"}}, dict[str, Any]
    return (Row("b"), Row) if form.typed or form.written_typed else ({"a": "b"}, dict[str, str])


@FORMS
def test_every_option_is_there(form: Format) -> None:
    verbs = module(form)
    record, type_ = sample(form)
    whole, whole_type = (record, type_) if form.single else ([record], list[type_])
    data = verbs.encode(whole, **given(form.writing))
    assert data == verbs.encode(whole) == verbs.dumps(whole, **given(form.writing))
    assert data == verbs.Encoder(**given(form.writing)).encode(whole)
    buffer = bytearray()
    verbs.encode_into(whole, buffer, **given(form.writing))
    assert buffer == data
    decoding = given(form.reading + form.decoding)
    value = verbs.decode(data, whole_type, **decoding)
    assert value == whole == verbs.loads(data, type=whole_type, **decoding)
    assert value == verbs.Decoder(whole_type, **given(form.reading)).decode(data)
    if not form.typed and not form.written_typed and not form.texts:
        assert verbs.decode(data, **decoding) == value
    reading = given(form.streaming + form.reading)
    assert list(verbs.read(data, type_, **reading)) == list(verbs.read(data, type_)) == [record]


@FORMS
def test_no_other_option_is_there(form: Format) -> None:
    verbs = module(form)
    reading = {option.name for other in FORMATS for option in other.reading} | {"nonsense"}
    writing = {option.name for other in FORMATS for option in other.writing} | {"nonsense"}
    for name in reading - {option.name for option in form.reading}:
        with pytest.raises(TypeError, match=name):
            verbs.decode(b"", list[int], **{name: None})
        with pytest.raises(TypeError, match=name):
            verbs.Decoder(list[int], **{name: None})
    streaming = reading | {option.name for other in FORMATS for option in other.streaming}
    for name in streaming - {option.name for option in form.reading + form.streaming}:
        with pytest.raises(TypeError, match=name):
            verbs.read(b"", **{name: None})
    for name in writing - {option.name for option in form.writing}:
        for verb in WRITERS:
            with pytest.raises(TypeError, match=name):
                getattr(verbs, verb)([], **{name: None})
        with pytest.raises(TypeError, match=name):
            verbs.encode_into([], bytearray(), **{name: None})
        with pytest.raises(TypeError, match=name):
            verbs.Encoder(**{name: None})


@FORMS
def test_the_classes_are_the_modules_own(form: Format) -> None:
    verbs = module(form)
    decoder, encoder = verbs.Decoder(list[int]), verbs.Encoder()
    assert type(decoder) is verbs.Decoder
    assert type(encoder) is verbs.Encoder
    assert repr(verbs.Decoder[int]) == f"demat.{form.name}.Decoder[int]"
    assert not any(isinstance(decoder, module(other).Decoder) for other in FORMATS if other is not form)
    names = ["columns", "decode", "dumps", "encode", "encode_into", "loads", "parser", "read", "validate", "write"]
    names += ["lazy"] if form.looked_into else []
    assert sorted(verbs.__all__) == sorted(["Decoder", "Encoder", *names, *(name for name, _ in form.classes)])
