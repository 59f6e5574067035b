"""`demat.edit`: changes records of a file, and leaves every other byte as it is."""

from __future__ import annotations

import gzip
import json as standard
import random
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Field, cbor, json, msgpack, ndjson


@dataclass
class User:
    name: str
    age: int = 0
    tags: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Frozen:
    id: int


@dataclass
class Open:
    id: int
    others: Annotated[dict[str, Any], Field(rest=True)] = field(default_factory=dict)


EDITED = [json, ndjson, msgpack, cbor]


def older(user: User) -> None:
    user.age += 1


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def test_only_changed_records_are_written_anew(tmp_path: Path) -> None:
    text = '\ufeff{ "of": 1.50, "users" : [\n\t{"name" : "\\u0041da", "age":36},\r\n {"age": 9,"name":"Bob"} ] }\n\n'
    path = write(tmp_path / "users.json", text)
    done = demat.edit(path, User, older, at="$.users[*]", where="age < 18")
    assert done == demat.Edited(records=1, changed=1)
    assert path.read_bytes().decode() == text.replace('{"age": 9,"name":"Bob"}', '{"name":"Bob","age":10,"tags":[]}')
    # What would be written as it was keeps its bytes.
    before = path.stat()
    assert demat.edit(path, User, lambda user: User(user.name, user.age, []), at="$.users[*]") == (2, 0)
    assert path.stat() == before


def test_what_is_returned_replaces_the_record(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", '[ {"id":1}, {"id":2} ]')
    assert demat.edit(path, Frozen, lambda one: Frozen(one.id * 10) if one.id == 2 else one) == (2, 1)
    assert path.read_text() == '[ {"id":1}, {"id":20} ]'
    with pytest.raises(demat.EncodeError, match="expected `Frozen`"):
        demat.edit(path, Frozen, lambda one: {"id": 3})  # type: ignore[arg-type, return-value]


def test_records_without_a_class(tmp_path: Path) -> None:
    path = write(tmp_path / "a.ndjson", '{"id": 1, "by": "x"}\n\n{"id": 2}\n7')

    def change(value: Any) -> Any:
        return {**value, "new": True} if isinstance(value, dict) and value["id"] == 2 else value

    assert demat.edit(path, Any, change) == (3, 1)
    assert path.read_text() == '{"id": 1, "by": "x"}\n\n{"id":2,"new":true}\n7'


@pytest.mark.parametrize("module", EDITED, ids=lambda module: module.__name__)
def test_each_format_whose_values_stand_by_themselves(module: Any, tmp_path: Path) -> None:
    users = [User(f"{index}" * (index % 40), index, ["é"] * (index % 3)) for index in range(5000)]
    path = tmp_path / f"users.{module.__name__.split('.')[-1]}"
    path.write_bytes(module.encode(users))

    def change(user: User) -> User | None:
        user.name += "!" * 30
        return None if user.age % 7 == 0 else User(user.name[:-30], user.age, user.tags)

    assert demat.edit(path, User, change) == (5000, 715)
    for user in users[::7]:
        user.name += "!" * 30
    # A list of records may have other maps in CBOR than a record by itself.
    assert path.read_bytes() == module.encode(users) or module is cbor
    assert module.decode(path.read_bytes(), list[User]) == users


def test_other_formats_are_refused(tmp_path: Path) -> None:
    edited = {module.__name__.split(".")[-1] for module in EDITED} | {"csv", "tsv", "xml"}
    for name in formats.COPIED:
        if name not in edited:
            path = write(tmp_path / f"a.{name}", "x")
            with pytest.raises(ValueError, match="can't be edited|only files"):
                demat.edit(path, User, older, format=name)
            assert path.read_text() == "x"


def test_what_the_type_does_not_know_is_not_lost(tmp_path: Path) -> None:
    text = '[{"id": 1, "more": [1.50]}, {"id": 2}]'
    path = write(tmp_path / "a.json", text)
    with pytest.raises(demat.ValidationError, match="more") as raised:
        demat.edit(path, Frozen, lambda one: Frozen(one.id + 1))
    assert any("would lose" in note for note in raised.value.__notes__)
    assert path.read_text() == text
    # Not even looked at where nothing changes.
    assert demat.edit(path, Frozen, lambda one: one if one.id == 1 else Frozen(3)) == (2, 1)
    demat.edit(path, Open, lambda one: Open(one.id + 1, one.others))
    assert path.read_text() == '[{"id":2,"more":[1.5]}, {"id":4}]'
    demat.edit(path, Frozen, lambda one: Frozen(one.id + 1), read={"unknown": "ignore"})
    assert path.read_text() == '[{"id":3}, {"id":5}]'


def test_options(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", '[{"name": "é", "age": "7"}]')
    with pytest.raises(demat.ValidationError, match=r"expected `int`, found `str`.* at `\$\[0\]\.age`"):
        demat.edit(path, User, older)
    demat.edit(path, User, older, read={"strict": False}, write={"ascii": True, "sort_keys": True})
    assert path.read_text() == '[{"age":8,"name":"\\u00e9","tags":[]}]'
    with pytest.raises(TypeError, match="no option"):
        demat.edit(path, User, older, read={"delimiter": ";"})
    with pytest.raises(TypeError, match="no option"):
        demat.edit(path, User, older, write={"delimiter": ";"})
    with pytest.raises(TypeError, match="lazy"):
        demat.edit(path, User, older, read={"lazy": True})
    with pytest.raises(ValueError, match="where"):
        demat.edit(path, User, older, where="age <")
    with pytest.raises(ValueError, match="at"):
        demat.edit(path, User, older, at="users[")
    with pytest.raises(ValueError, match="nam"):
        demat.edit(path, User, older, where="nam = 'x'")
    with pytest.raises(TypeError, match="function"):
        demat.edit(path, User, None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="path of a file"):
        demat.edit(b"[]", User, older, format="json")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="only files"):
        demat.edit("-", User, older, format="json")
    with pytest.raises(ValueError, match="format"):
        demat.edit(tmp_path / "b", User, older)
    with pytest.raises(demat.StoreError, match="b.json"):
        demat.edit(tmp_path / "b.json", User, older)


@pytest.mark.parametrize("wrong", ['[{"name":"a"},{"name":2}]', '[{"name":"a"},{"name":"b"}', '[{"name":"a"}] x', "{}"])
def test_the_file_stays_as_it_was_after_an_error(wrong: str, tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", wrong)
    with pytest.raises(demat.DecodeError):
        demat.edit(path, User, older)
    assert path.read_text() == wrong
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_what_the_function_raises_is_raised(tmp_path: Path) -> None:
    path = write(tmp_path / "a.ndjson", '{"name":"a"}\n{"name":"b"}\n')

    def fails(user: User) -> None:
        user.age = 1
        if user.name == "b":
            raise ValueError("not b")

    with pytest.raises(ValueError, match="^not b") as raised:
        demat.edit(path, User, fails)
    assert not isinstance(raised.value, demat.Error)
    assert raised.value.__notes__ == ["while Demat edited `$[1]` (record 2)"]
    assert path.read_text() == '{"name":"a"}\n{"name":"b"}\n'


def test_another_file_and_compression(tmp_path: Path) -> None:
    packed = tmp_path / "a.ndjson.gz"
    packed.write_bytes(gzip.compress(b'{"name":"a"}\n'))
    assert demat.edit(packed, User, older) == (1, 1)
    assert gzip.decompress(packed.read_bytes()) == b'{"name":"a","age":1,"tags":[]}\n'
    demat.edit(packed, User, older, to=tmp_path / "b.ndjson")
    assert (tmp_path / "b.ndjson").read_bytes() == b'{"name":"a","age":2,"tags":[]}\n'
    assert gzip.decompress(packed.read_bytes()) == b'{"name":"a","age":1,"tags":[]}\n'


def test_links_and_permissions_are_kept(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", '[{"name":"a"}]')
    path.chmod(0o640)
    link = tmp_path / "link.json"
    link.symlink_to(path)
    demat.edit(link, User, older)
    assert link.is_symlink()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert path.read_text() == '[{"name":"a","age":1,"tags":[]}]'


def test_a_function_may_edit_other_files_and_the_same_one(tmp_path: Path) -> None:
    path = write(tmp_path / "a.json", '[{"name":"a"},{"name":"b"}]')
    other = write(tmp_path / "b.json", '[{"name":"c"}]')

    def change(user: User) -> None:
        older(user)
        if user.name == "a":
            demat.edit(other, User, older)
            demat.edit(path, User, lambda user: User("inner", 100))

    demat.edit(path, User, change)
    # The outer edit reads what was there when it began, and is the last to replace the file.
    assert [user.name for user in json.decode(path.read_bytes(), list[User])] == ["a", "b"]
    assert json.decode(other.read_bytes(), list[User]) == [User("c", 1)]


@pytest.mark.parametrize("type", [int, float, int | str, list[int], dict[str, int]])
def test_types_without_fields(type: Any, tmp_path: Path) -> None:
    value = {int: "1", float: "1.0", int | str: "1", list[int]: "[1]", dict[str, int]: '{"a":1}'}[type]
    path = write(tmp_path / "a.json", f"[ {value} ]")
    other = {int: 2, float: 2.0, int | str: "b", list[int]: [2], dict[str, int]: {"b": 2}}[type]
    assert demat.edit(path, type, lambda _: other) == (1, 1)
    assert json.decode(path.read_bytes(), list[type]) == [other]


def test_lines_are_edited_whole(tmp_path: Path) -> None:
    path = write(tmp_path / "a.ndjson", '  {"name":"a"}  \r\n[1]')
    with pytest.raises(ValueError, match="whole lines"):
        demat.edit(path, Any, lambda value: value, at="$.name")
    assert demat.edit(path, Any, lambda value: value if isinstance(value, list) else 7) == (2, 1)
    assert path.read_bytes() == b"  7  \r\n[1]"
    path = write(tmp_path / "b.ndjson", '{"name":"a","other":1}\n')
    with pytest.raises(demat.ValidationError, match="other"):
        demat.edit(path, User, older)


def test_a_sequence_of_records(tmp_path: Path) -> None:
    path = write(tmp_path / "a.cbor", cbor.encode(User("a")) + cbor.encode(User("b")))
    assert demat.edit(path, User, older, where="name = 'b'", read={"sequence": True}) == (1, 1)
    assert cbor.decode(path.read_bytes(), list[User], sequence=True) == [User("a"), User("b", 1)]


@pytest.mark.parametrize("seed", range(40))
def test_an_edit_is_the_change_of_the_values_and_of_no_other_byte(seed: int, tmp_path: Path) -> None:
    """Of random documents with random spaces, and records around the size of the window."""
    dice = random.Random(seed)

    def space() -> str:
        return "".join(dice.choice(" \n\t\r") for _ in range(dice.choice([0, 0, 1, 40])))

    def text(value: Any) -> str:
        if isinstance(value, dict):
            return (
                "{"
                + ",".join(f"{space()}{standard.dumps(key)}{space()}:{text(own)}" for key, own in value.items())
                + space()
                + "}"
            )
        if isinstance(value, list):
            return "[" + ",".join(map(text, value)) + "]"
        return space() + standard.dumps(value) + space()

    count = dice.choice([0, 1, 3, 200])
    sizes = [dice.choice([0, 1, 100, 5000, 20_000, 300_000 if index < 2 else 0]) for index in range(count)]
    records = [{"name": 'é\\"' * (size // 4), "age": index, "tags": ["x", "]"]} for index, size in enumerate(sizes)]
    parts = [text(record) for record in records]
    wanted = {index for index in range(count) if dice.random() < 0.3}
    pieces = [space() + part + space() for part in parts]
    head, tail = (
        f'{space()}{{"first":{text([1, {"a": []}])},"in":[',
        f']{space()},"last":{text(records[:2])}}}{space()}',
    )
    path = write(tmp_path / "a.json", head + ",".join(pieces) + tail)

    def change(user: User) -> User:
        return User("new", -user.age) if user.age in wanted else user

    assert demat.edit(path, User, change, at="$.in[*]") == (count, len(wanted))
    expected = [
        piece.replace(part.strip(), f'{{"name":"new","age":{-index},"tags":[]}}') if index in wanted else piece
        for index, (part, piece) in enumerate(zip(parts, pieces, strict=True))
    ]
    assert path.read_bytes().decode() == head + ",".join(expected) + tail
