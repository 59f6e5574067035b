"""Copies to several targets in one pass."""

import gzip
import io
import itertools
from dataclasses import dataclass

import demat
import formats
import pytest
from demat import csv, json, ndjson, sqlite


@dataclass(slots=True)
class Task:
    id: int
    title: str
    done: bool = False


TASKS = [Task(1, "a", True), Task(2, 'b, "c"\n'), Task(3, "käse")]
DATA = json.encode(TASKS)


def written(format, place):
    file = io.BytesIO()
    # A class is one record of a format that lists its records, and of messages the whole.
    demat.copy(place, file, list[Task] if formats.is_typed(format) else Task, to="json")
    return json.decode(file.getvalue(), list[Task])


@pytest.mark.parametrize("one", formats.COPIED)
def test_every_format_beside_every_other(one, tmp_path):
    for other in formats.COPIED:
        places = [tmp_path / f"{one}-{other}{formats.suffix(one)}", tmp_path / f"{other}-{one}x{formats.suffix(other)}"]
        targets = [f"{p}#tasks" if formats.is_database(f) else p for f, p in zip((one, other), places, strict=True)]
        assert demat.copy(DATA, targets, Task, from_="json", to=[one, other]).records == 3
        alone = tmp_path / f"alone{formats.suffix(other)}"
        demat.copy(DATA, f"{alone}#tasks" if formats.is_database(other) else alone, Task, from_="json", to=other)
        assert places[1].stat().st_size == alone.stat().st_size
        alone.unlink()
        for format, target in zip((one, other), targets, strict=True):
            assert written(format, target) == TASKS


def test_each_has_its_own_options(tmp_path):
    csv_file, pretty, packed = tmp_path / "a.csv", tmp_path / "a.json", tmp_path / "b"
    lines, told = io.BytesIO(), []
    demat.copy(
        TASKS[:1],
        [csv_file, pretty, packed, lines, told.append],
        to=[None, None, "json", "ndjson", "json"],
        compression=["auto", "auto", "gzip", "auto", "auto"],
        write=[{"delimiter": ";"}, {"indent": 1}, None, None, None],
    )
    assert csv_file.read_text() == "id;title;done\n1;a;true\n"
    assert pretty.read_text() == '[\n {\n  "id": 1,\n  "title": "a",\n  "done": true\n }\n]\n'
    assert gzip.decompress(packed.read_bytes()) == b"".join(told) == b'[{"id":1,"title":"a","done":true}]\n'
    assert lines.getvalue() == b'{"id":1,"title":"a","done":true}\n'


@pytest.mark.parametrize("src", ["objects", "columns", "generator", "text", "bytes", "table", "file"])
def test_every_kind_of_source(src, tmp_path):
    sources = {
        "objects": lambda: TASKS,
        "columns": lambda: json.columns(DATA, Task),
        "generator": lambda: (task for task in TASKS),
        "text": lambda: iter([DATA.decode()]),
        "bytes": lambda: DATA,
        "table": lambda: f"{tmp_path}/src.db#tasks",
        "file": lambda: io.BytesIO(DATA),
    }
    sqlite.open(tmp_path / "src.db").table("tasks", Task).insert(TASKS)
    from_ = "json" if src in ("text", "bytes", "file") else None
    targets = [tmp_path / "a.json", tmp_path / "a.parquet", f"{tmp_path}/src.db#copied", f"{tmp_path}/new.db#one"]
    demat.copy(sources[src](), targets, None if src == "columns" else Task, from_=from_)
    for target in targets:
        assert written("json", target) == TASKS


def test_conditions_fields_names_and_refusals_count_for_all(tmp_path):
    lines = b'{"id":1,"n":5}\n{"id":"x","n":9}\n{"id":3,"n":1}\n{"id":4,"n":7}\n'
    targets, rejects = [tmp_path / "a.json", tmp_path / "a.csv", f"{tmp_path}/a.db#t"], []
    copied = demat.copy(
        lines, targets, "id: int, n: int", from_="ndjson", where="n > 2", fields=["id"], rename={"id": "key"},
        on_error="collect", rejects=rejects,
    )  # fmt: skip
    assert (copied.records, copied.rejected) == (2, 1)
    assert [data for _, data in rejects] == [b'{"id":"x","n":9}']
    assert (tmp_path / "a.json").read_bytes() == b'[{"key":1},{"key":4}]\n'
    assert (tmp_path / "a.csv").read_bytes() == b"key\n1\n4\n"


class Failing:
    """A file that fails at its n-th write."""

    def __init__(self, n):
        self.left = n

    def write(self, data):
        self.left -= 1
        if self.left < 0:
            raise ConnectionError("gone")
        return len(data)


@pytest.mark.parametrize("n", range(4))
def test_an_error_at_the_nth_write_leaves_nothing_anywhere(n, tmp_path):
    rows = ({"id": id, "title": "t" * 100} for id in range(3000))
    old = tmp_path / "old.json"
    old.write_text("old")
    with sqlite.open(tmp_path / "a.db") as file:
        file.table("tasks", Task).insert(TASKS)
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    targets = [old, tmp_path / "a.parquet", f"{tmp_path}/a.db#tasks", f"{tmp_path}/new.db#tasks", Failing(n)]
    with pytest.raises(ConnectionError, match="gone"):
        demat.copy(rows, targets, "id: int, title: text, done: bool = false", to=[None, None, None, None, "json"])
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_record_that_one_refuses_is_an_error_of_all(tmp_path):
    data = b'[{"id":1,"tags":[]},{"id":2,"tags":["x"]}]'
    with pytest.raises(demat.EncodeError, match="tags"):
        demat.copy(data, [tmp_path / "a.json", tmp_path / "a.csv"], "id: int, tags: [text]", from_="json")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("targets", "options", "message"),
    [
        ([], {}, "there is no target"),
        (["a.json", "b.csv"], {"to": ["json"]}, "to= has 1 values for 2 targets"),
        (["a.json", "b.csv"], {"write": [{}, {"indent": 1}]}, "indent"),
        (["a.json", "b"], {}, "the format of .*b can't be told"),
        (["a.json", "b.parquet"], {"to_encoding": "latin1"}, "to_encoding"),
        (["a.json", 7], {}, "place"),
    ],
)
def test_what_is_wrong_is_said_before_anything_is_written(targets, options, message, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises((ValueError, TypeError), match=message):
        demat.copy(DATA, targets, Task, from_="json", **options)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("pair", [("a.json", "./a.json"), ("a.db#t", "a.db#t"), ("-", "-")])
def test_a_place_is_named_once(pair, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    to = "json" if "-" in pair else None
    with pytest.raises(demat.Error, match="two targets of one copy"):
        demat.copy(DATA, list(pair), Task, from_="json", to=to)
    assert list(tmp_path.iterdir()) == []


def test_pipes_get_records_as_they_come():
    one, other = io.BytesIO(), io.BytesIO()
    seen = []

    def chunks():
        for id in range(3):
            yield b'{"id":%d}\n' % id
            seen.append((one.getvalue(), other.getvalue()))

    demat.copy(chunks(), [one, other], from_="ndjson", to=["ndjson", "csv"], type="id: int")
    for (lines, cells), count in zip(seen[1:], itertools.count(1)):
        assert len(ndjson.decode(lines)) >= count
        assert len(csv.decode(cells)) >= count
