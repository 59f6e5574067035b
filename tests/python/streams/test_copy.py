"""Copies from place to place: every pair of formats, what is refused, and what the user sees of it meanwhile."""

import gzip
import io
import itertools
import json as stdlib
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import demat
import formats
import pytest

Json = bool | float | str | list["Json"] | dict[str, "Json"] | None


@dataclass
class Event:
    data: Json


@dataclass(slots=True)
class Task:
    id: int
    title: str
    done: bool = False


TASKS = [Task(1, "a", True), Task(2, 'b, "c"\n'), Task(3, "käse")]


def write(format, place):
    """Writes the tasks, by the format's own module where it has one."""
    if format in formats.names():
        getattr(demat, format).write(place, TASKS)
    else:
        demat.copy(demat.json.encode(TASKS), place, Task, from_="json")


def written(format, place):
    """Returns the tasks that stand there, as `write` wrote them."""
    if format in formats.names():
        return getattr(demat, format).decode(place.read_bytes(), list[Task])
    file = io.BytesIO()
    demat.copy(place, file, Task, to="json")
    return demat.json.decode(file.getvalue(), list[Task])


@pytest.mark.parametrize(("from_", "to"), list(itertools.product(formats.STREAMED, repeat=2)))
def test_every_format_becomes_every_other(from_, to, tmp_path):
    src, dst = tmp_path / f"src{formats.suffix(from_)}", tmp_path / f"dst{formats.suffix(to)}"
    write(from_, src)
    # A class is one record of a format that lists its records, and of messages the whole.
    copied = demat.copy(src, dst, list[Task] if formats.is_typed(from_) else Task)
    assert copied == demat.Copied(records=3, rejected=0, read=src.stat().st_size)
    assert written(to, dst) == TASKS


def test_null_within_a_recursive_type_is_one_of_its_values():
    line = b'{"data":{"a":[1.0,null,{"b":null}]}}\n'
    file = io.BytesIO()
    demat.copy(line, file, Event, from_="ndjson", to="ndjson")
    assert file.getvalue() == line


def test_unknown_fields_that_a_class_keeps_are_copied():
    kept = demat.define("id: int, ...rest: map(text, int)")
    values = [kept(1, {"x": 2}), kept(2, {})]
    raw, lines = io.BytesIO(), io.BytesIO()
    demat.copy(demat.raw.encode(values, type=list[kept]), lines, list[kept], from_="raw", to="ndjson")
    assert lines.getvalue() == b'{"id":1,"x":2}\n{"id":2}\n'
    demat.copy(lines.getvalue(), raw, list[kept], from_="ndjson", to="raw")
    assert demat.raw.decode(raw.getvalue(), list[kept]) == values


def test_data_and_open_files_are_places():
    for data in (b"id\n1\n", bytearray(b"id\n1\n"), memoryview(b"id\n1\n")):
        file = io.BytesIO()
        demat.copy(data, file, "id: int", from_="csv", to="json")
        assert file.getvalue() == b'[{"id":1}]\n'
        assert not file.closed


def test_what_has_no_name_needs_a_format():
    with pytest.raises(ValueError, match="say from_="):
        demat.copy(b"[]", io.BytesIO(), to="json")
    with pytest.raises(ValueError, match="say to="):
        demat.copy(b"[]", io.BytesIO(), from_="json")
    with pytest.raises(ValueError, match="no format is called `jsn`.* did you mean `json`"):
        demat.copy(b"[]", io.BytesIO(), from_="jsn", to="json")


@pytest.mark.parametrize("place", [3, None, [3]])
def test_other_objects_are_no_places(place, tmp_path):
    with pytest.raises(TypeError):
        demat.copy(place, tmp_path / "x.json", from_="json")
    with pytest.raises(TypeError, match="a place to write to is a path or an open file"):
        demat.copy(b"[]", place, from_="json", to="json")


def test_fields_are_chosen(tmp_path):
    file = io.BytesIO()
    demat.copy(b'[{"id":1,"title":"a","x":[1]}]', file, from_="json", to="csv", fields=["title", "id"])
    assert file.getvalue() == b"title,id\na,1\n"
    file = io.BytesIO()
    demat.copy(b'[{"id":1,"title":"a","x":[1]}]', file, Task, from_="json", to="ndjson", fields="id")
    assert file.getvalue() == b'{"id":1}\n'
    with pytest.raises(demat.ValidationError, match="there is no field `name`; there are `id`, `title`"):
        demat.copy(b'[{"id":1,"title":"a"}]', file, from_="json", to="ndjson", fields=["name"])


def test_cells_are_what_they_look_like_if_wanted():
    data = b"id,day\n1,2026-01-02\n2,\n"
    outputs = []
    for infer in (False, True):
        file = io.BytesIO()
        demat.copy(data, file, from_="csv", to="ndjson", infer=infer)
        outputs.append(file.getvalue().splitlines()[1])
    assert outputs == [b'{"id":"2","day":null}', b'{"id":2,"day":null}']


def test_records_within_records_become_columns():
    file = io.BytesIO()
    demat.copy(b'{"a":{"b":1,"c":[2]}}\n', file, from_="ndjson", to="csv", flatten=True)
    assert file.getvalue() == b"a.b,a.c\n1,[2]\n"


def test_only_the_first_records():
    file = io.BytesIO()
    assert demat.copy(b"[1,2,3", file, from_="json", to="ndjson", first=2).records == 2
    assert file.getvalue() == b"1\n2\n"


def test_the_sample_decides_what_the_columns_are():
    data = b'{"a":1}\n' * 3 + b'{"a":1,"b":2}\n'
    with pytest.raises(demat.ValidationError, match="`b`"):
        demat.copy(data, io.BytesIO(), from_="ndjson", to="csv", sample=3)
    file = io.BytesIO()
    demat.copy(data, file, from_="ndjson", to="csv", sample=None)
    assert file.getvalue() == b"a,b\n1,\n1,\n1,\n1,2\n"


def test_options_of_both_ends():
    file = io.BytesIO()
    demat.copy(b"1;a\n", file, "id: int, title: text", from_="csv", to="json",
               read={"delimiter": ";", "header": False}, write={"indent": 1, "sort_keys": True})  # fmt: skip
    assert file.getvalue() == b'[\n {\n  "id": 1,\n  "title": "a"\n }\n]\n'
    file = io.BytesIO()
    demat.copy(b"a\tb\n1\t2\n", file, from_="tsv", to="tsv", read={"header": True}, write={"line_ending": "\r\n"})
    assert file.getvalue() == b"a\tb\r\n1\t2\r\n"
    with pytest.raises(TypeError, match="read= has no option .strict."):
        demat.copy(b"[]", file, from_="json", to="json", read={"strict": False})
    with pytest.raises(TypeError, match="write= has no option .default."):
        demat.copy(b"[]", file, from_="json", to="json", write={"default": str})


BAD = b'{"id":1,"title":"a"}\n{"id":"2","title":"b"}\n}\n{"id":4,"title":"d"}\n'


def test_the_first_error_ends_it_and_leaves_the_file_alone(tmp_path):
    dst = tmp_path / "dst.json"
    dst.write_bytes(b"before")
    with pytest.raises(demat.ValidationError) as caught:
        demat.copy(BAD, dst, Task, from_="ndjson")
    assert (caught.value.path, caught.value.record, caught.value.line) == ("$[1].id", 2, 2)
    assert dst.read_bytes() == b"before"


def test_refused_records_are_left_out_and_kept(tmp_path):
    dst, rejects = tmp_path / "dst.json", tmp_path / "rejects.ndjson"
    copied = demat.copy(BAD, dst, Task, from_="ndjson", on_error="skip", rejects=rejects)
    assert (copied.records, copied.rejected) == (2, 2)
    assert [task["id"] for task in stdlib.loads(dst.read_bytes())] == [1, 4]
    kept = [stdlib.loads(line) for line in rejects.read_text().splitlines()]
    assert [one["data"] for one in kept] == ['{"id":"2","title":"b"}', "}"]
    assert [one["line"] for one in kept] == [2, 3]


def test_refused_records_are_told_to_a_callable():
    told = []
    demat.copy(BAD, io.BytesIO(), Task, from_="ndjson", to="json", on_error="skip",
               rejects=lambda error, data: told.append((type(error), error.record, data)))  # fmt: skip
    assert told == [(demat.ValidationError, 2, b'{"id":"2","title":"b"}'), (demat.DecodeError, 3, b"}")]


def test_what_the_callable_raises_ends_it(tmp_path):
    def refuse(error, data):
        raise KeyError("mine")

    # More than one window, since it ends where it would read on.
    with pytest.raises(KeyError, match="mine"):
        demat.copy(BAD * 100_000, tmp_path / "x.json", Task, from_="ndjson", on_error="skip", rejects=refuse)
    assert not any(tmp_path.iterdir())


def test_all_errors_at_once_and_nothing_written(tmp_path):
    with pytest.raises(demat.DecodeError, match="and 1 more") as caught:
        demat.copy(BAD, tmp_path / "x.json", Task, from_="ndjson", on_error="all")
    assert [error.record for error in caught.value.errors] == [2, 3]
    assert not any(tmp_path.iterdir())


def test_so_many_errors_are_kept(tmp_path):
    data = b'{"id":"x","title":"b"}\n' * 2500
    with pytest.raises(demat.ValidationError, match="and 2499 more") as caught:
        demat.copy(data, tmp_path / "x.json", Task, from_="ndjson", on_error="all")
    assert len(caught.value.errors) == 1000


def test_options_that_say_nothing_are_refused(tmp_path):
    with pytest.raises(ValueError, match="on_error"):
        demat.copy(b"[]", io.BytesIO(), from_="json", to="json", on_error="ignore")
    with pytest.raises(ValueError, match="rejects= needs on_error"):
        demat.copy(b"[]", io.BytesIO(), from_="json", to="json", rejects=tmp_path / "x")
    with pytest.raises(TypeError, match="rejects"):
        demat.copy(b"[]", io.BytesIO(), from_="json", to="json", on_error="skip", rejects=3)


def test_progress_is_told(tmp_path):
    src = tmp_path / "src.ndjson"
    src.write_bytes(b'{"id":1}\n' * 200_000)
    told = []
    demat.copy(src, os.devnull, to="json", progress=lambda read, total: told.append((read, total)))
    assert told[-1] == (1_800_000, 1_800_000)
    assert told == sorted(told)
    assert len(told) > 3


def test_what_progress_raises_ends_it(tmp_path):
    src = tmp_path / "src.ndjson"
    src.write_bytes(b'{"id":1}\n' * 200_000)

    def stop(read, total):
        raise InterruptedError("enough")

    with pytest.raises(InterruptedError, match="enough"):
        demat.copy(src, tmp_path / "dst.json", progress=stop)
    assert not (tmp_path / "dst.json").exists()


def test_it_can_be_interrupted(tmp_path):
    fifo = tmp_path / "src.ndjson"
    os.mkfifo(fifo)
    ended = threading.Event()

    def feed():
        with fifo.open("wb", buffering=0) as file:
            while not ended.is_set():
                try:
                    file.write(b'{"id":1}\n' * 1000)
                except BrokenPipeError:
                    return

    def stop(*_):
        raise InterruptedError("enough")

    thread = threading.Thread(target=feed)
    thread.start()
    before = signal.signal(signal.SIGALRM, stop)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.1)
        with pytest.raises(InterruptedError, match="enough"):
            demat.copy(fifo, os.devnull, to="json")
    finally:
        signal.signal(signal.SIGALRM, before)
        ended.set()
        thread.join(30)


def test_other_threads_run_meanwhile():
    counted = 0
    ended = threading.Event()

    def count():
        nonlocal counted
        while not ended.is_set():
            counted += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        before = counted
        demat.copy(b'{"id":1}\n' * 2_000_000, os.devnull, from_="ndjson", to="json")
        during = counted - before
    finally:
        ended.set()
        thread.join()
    # With the lock held all the time there would be none.
    assert during > 10


def test_packed_places(tmp_path):
    src, dst = tmp_path / "src.csv.gz", tmp_path / "dst.json.gz"
    src.write_bytes(gzip.compress(b"id\n1\n"))
    demat.copy(src, dst)
    assert gzip.decompress(dst.read_bytes()) == b'[{"id":"1"}]\n'
    file = io.BytesIO()
    demat.copy(gzip.compress(b"[1]"), file, from_="json", to="json", compression="gzip")
    assert gzip.decompress(file.getvalue()) == b"[1]\n"


def test_bounds_hold_in_a_copy():
    @dataclass
    class Small:
        id: Annotated[int, demat.Field(le=1)]

    file = io.BytesIO()
    with pytest.raises(demat.ValidationError) as caught:
        demat.copy(b'[{"id":1},{"id":5}]', file, Small, from_="json", to="ndjson")
    assert caught.value.path == "$[1].id"
    demat.copy(b'[{"id":1},{"id":5}]', file, Small, from_="json", to="ndjson", on_error="skip")
    assert file.getvalue().endswith(b'{"id":1}\n')


def test_places_that_are_not_there(tmp_path):
    with pytest.raises(FileNotFoundError) as caught:
        demat.copy(tmp_path / "no.json", tmp_path / "x.json")
    assert isinstance(caught.value, demat.StoreError)
    (tmp_path / "a.json").write_bytes(b"[]")
    with pytest.raises(FileNotFoundError):
        demat.copy(tmp_path / "a.json", tmp_path / "no" / "x.json")


def test_memory_is_bounded(tmp_path):
    src = tmp_path / "src.ndjson"
    src.write_bytes((b'{"id":1,"title":"' + b"x" * 1000 + b'"}\n') * 100_000)
    program = """
import demat, os, resource, sys
def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
demat.copy(b"[]", os.devnull, from_="json", to="csv")
before = peak()
assert demat.copy(sys.argv[1], os.devnull, to="csv").records == 100_000
print(peak() - before)
"""
    ran = subprocess.run([sys.executable, "-c", program, src], capture_output=True, text=True, check=True)
    assert int(ran.stdout) < 16 * 1024


@pytest.mark.parametrize("suffix", ["arrow", "parquet"])
def test_columns_are_places_too(suffix, tmp_path):
    src, dst, back = tmp_path / "src.json", tmp_path / f"dst.{suffix}", tmp_path / "back.ndjson"
    demat.json.write(src, TASKS)
    assert demat.copy(src, dst, Task).records == 3
    assert demat.copy(dst, back).records == 3
    assert demat.ndjson.decode(back.read_bytes(), list[Task]) == TASKS
    with pytest.raises(TypeError, match="has no option .* it has none"):
        demat.copy(dst, back, read={"depth": 1})


def test_parquet_can_be_read_by_others(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    path = tmp_path / "tasks.parquet"
    file = io.BytesIO()
    demat.copy(b"id,at\n1,2026-01-02T03:04:05\n", path, "id: int, at: instant", from_="csv", write={"naive": True})
    assert parquet.read_table(path).column("at").to_pylist()[0].isoformat() == "2026-01-02T03:04:05"
    parquet.write_table(parquet.read_table(path), path)
    demat.copy(path, file, to="csv")
    assert file.getvalue() == b"id,at\n1,2026-01-02T03:04:05\n"


@pytest.mark.parametrize("packed", [False, True])
def test_sources_may_be_whatever_bytes_come_from(packed, tmp_path):
    data = demat.ndjson.encode(TASKS)
    data = gzip.compress(data) if packed else data
    path = tmp_path / "tasks"
    path.write_bytes(data)
    for src in (io.BytesIO(data), [data[:5], b"", data[5:]], (data[at : at + 1] for at in range(len(data)))):
        file = io.BytesIO()
        assert demat.copy(src, file, Task, from_="ndjson", to="json") == (3, 0, len(data))
        assert demat.json.decode(file.getvalue(), list[Task]) == TASKS
    with path.open("rb") as src:
        assert demat.copy(src, tmp_path / "tasks.parquet", Task, from_="ndjson").records == 3
    with (tmp_path / "tasks.parquet").open("rb") as src, path.open("wb") as dst:
        assert demat.copy(src, dst, from_="parquet", to="ndjson").records == 3
    assert demat.ndjson.decode(path.read_bytes(), list[Task]) == TASKS


def test_what_a_source_raises_is_raised_and_nothing_written(tmp_path):
    def broken():
        yield demat.ndjson.encode(TASKS)
        raise RuntimeError("the line is dead")

    with pytest.raises(RuntimeError, match="the line is dead"):
        demat.copy(broken(), tmp_path / "x.json", Task, from_="ndjson")
    assert not any(tmp_path.iterdir())
    with pytest.raises(TypeError, match="expected bytes or str"):
        demat.copy([5], tmp_path / "x.json", from_="ndjson")

    async def soon():
        yield b""

    with pytest.raises(TypeError, match="await"):
        demat.copy(soon(), tmp_path / "x.json", from_="ndjson")


def test_progress_may_be_a_bar(tmp_path):
    program = """
import demat, sys
data = demat.ndjson.encode([{"id": id} for id in range(1000)])
demat.copy(data, sys.argv[1], from_="ndjson", progress=True)
demat.copy([data], sys.argv[1], from_="ndjson", progress=True)
demat.copy(data, sys.argv[1], from_="ndjson", progress=False)
"""
    ran = subprocess.run([sys.executable, "-c", program, tmp_path / "x.json"], capture_output=True, text=True)
    assert (ran.returncode, ran.stdout) == (0, "")
    assert len(ran.stderr.splitlines()) <= 4
    assert "Error" not in ran.stderr
    with pytest.raises(TypeError, match="progress must be True, False or a function"):
        demat.copy(b"", io.BytesIO(), from_="json", to="json", progress=3)
    told = []
    demat.copy(b"[1]", io.BytesIO(), from_="json", to="json", progress=lambda read, total: told.append((read, total)))
    assert told[-1] == (3, 3)


def test_messages_are_places(tmp_path):
    @dataclass
    class Step:
        number: Annotated[int, demat.Field(number=3)]
        of: list[str]

    @dataclass
    class Job:
        id: int
        steps: list[Step]
        note: str | None = None

    jobs = [Job(1, [Step(7, ["a", ""])]), Job(0, [], "x")]
    demat.json.write(tmp_path / "jobs.json", jobs)
    demat.copy(tmp_path / "jobs.json", tmp_path / "jobs.pb", Job)
    # Each message behind its length; the fields by number, zeros left out.
    assert (tmp_path / "jobs.pb").read_bytes() == b"\x0b\x08\x01\x12\x07\x18\x07\x12\x01a\x12\x00" + b"\x03\x1a\x01x"
    copied = demat.copy(tmp_path / "jobs.pb", tmp_path / "back.json", list[Job], read={"depth": 5})
    assert copied.records == 2
    assert demat.json.decode((tmp_path / "back.json").read_bytes(), list[Job]) == jobs
    # A class alone is one message.
    file = io.BytesIO()
    demat.copy(b"\x08\x05\x1a\x01y", file, Job, from_="proto", to="json")
    assert demat.json.decode(file.getvalue(), Job) == Job(5, [], "y")


def test_messages_are_read_as_a_type_only(tmp_path):
    with pytest.raises(demat.ValidationError, match="the shape has to be given"):
        demat.copy(b"\x08\x05", tmp_path / "a.json", from_="proto")
    with pytest.raises(demat.DecodeError, match="expected 5 bytes, found `1`") as caught:
        demat.copy(b"\x12\x05a", tmp_path / "a.json", Task, from_="proto")
    assert (caught.value.path, caught.value.offset) == ("$.title", 1)
    with pytest.raises(demat.LimitError):
        demat.copy(b"\x02\x08\x05", tmp_path / "a.json", list[Task], from_="proto", read={"depth": 0})
    with pytest.raises(TypeError, match="it has depth"):
        demat.copy(b"\x08\x05", tmp_path / "a.json", Task, from_="proto", read={"header": True})
    with pytest.raises(TypeError, match="it has none"):
        demat.copy(b"[]", tmp_path / "a.pb", Task, from_="json", write={"indent": 2})


def test_what_is_written_goes_on_before_more_is_waited_for() -> None:
    class Output(io.RawIOBase):
        written = b""

        def writable(self) -> bool:
            return True

        def write(self, data: Any) -> int:
            Output.written += bytes(data)
            return len(data)

    def lines() -> Iterator[bytes]:
        yield b'{"n":1}\n{"n":2}\n'
        assert Output.written == b'{"n":1}\n{"n":2}\n'
        yield b'{"n":3}\n{"n"'
        assert Output.written.endswith(b'{"n":3}\n')
        yield b":4}\n"

    assert demat.copy(lines(), Output(), from_="ndjson", to="ndjson").records == 4
    assert Output.written == b"".join(b'{"n":%d}\n' % n for n in range(1, 5))


def test_records_are_chosen_named_and_converted() -> None:
    def copied(data: bytes, **options: Any) -> bytes:
        out = io.BytesIO()
        demat.copy(data, out, **{"from_": "ndjson", "to": "ndjson", **options})
        return out.getvalue()

    lines = b'{"id":1,"by":{"name":"Ada"}}\n{"id":2,"by":{"name":"Bob"}}\n'
    assert copied(lines, where="by.name = 'Bob' or id > 5") == b'{"id":2,"by":{"name":"Bob"}}\n'
    assert copied(lines, rename={"id": "n", "by.name": "who"}, fields=["id", "by.name"]) == (
        b'{"n":1,"by":{"who":"Ada"}}\n{"n":2,"by":{"who":"Bob"}}\n'
    )
    document = b'{"total":2,"items":[{"id":1},{"id":2}]}'
    assert copied(document, from_="json", at="$.items[*]", where="id < 2") == b'{"id":1}\n'
    assert copied(b"<c><b><id>7</id></b></c>", from_="xml", at="c/b", type="id: int") == b'{"id":7}\n'
    assert copied(b'{"id":"1","done":"yes"}', type="id: int, done: bool", lax=True) == b'{"id":1,"done":true}\n'
    table = "n\nä\n".encode("latin1")
    assert copied(table, from_="csv", encoding="latin1", to="csv", to_encoding="windows-1252") == table
    for options, said in [
        ({"where": "n >"}, "where: expected a value"),
        ({"at": "items["}, "at: "),
        ({"from_": "csv", "at": "$.a[*]"}, "at: "),
        ({"encoding": "klingon"}, "encoding: no encoding is called `klingon`"),
        ({"from_": "cbor", "encoding": "latin1"}, "encoding: the encoding of cbor can't be chosen"),
        ({"to_encoding": "utf-16le"}, "to_encoding: "),
    ]:
        with pytest.raises(ValueError, match=re.escape(said)):
            copied(lines, **options)
    with pytest.raises(demat.ValidationError, match="there is no field `nothing`"):
        copied(lines, where="nothing = 1")
    for option in ("at", "encoding"):
        with pytest.raises(ValueError, match=f"{option}= is about a place"):
            demat.copy([{"a": 1}], io.BytesIO(), to="json", **{option: "x"})
