# ruff: noqa: E501 (each program is a line)
"""Ctrl-C ends every long call within a bounded time, leaves nothing half-written, and the interpreter goes on.

Each call runs in a process of its own, on an input that takes seconds. Another process sends it a real SIGINT.
"""

import textwrap

import pytest
from hostile import run

# Of the process's own time: well above the goal of 0.1 s, and well below the full time of any call. By the clock a busy machine
# takes longer.
SECONDS = 1.0
BY_THE_CLOCK = 20.0

PRELUDE = """
# `decimal` says so on standard error if the import of it is interrupted, and imported once more.
import decimal, io, os, subprocess, sys, time
from dataclasses import dataclass
from pathlib import Path
import demat
from demat import csv, json, ndjson, proto, sqlite

@dataclass
class Row:
    id: int
    name: str
    score: float | None = None

@dataclass
class Node:
    value: int
    left: "Node | None" = None
    right: "Node | None" = None

def tree(depth):
    text = b'{"value":0,"left":null,"right":null}'
    for value in range(1, depth + 1):
        text = b'{"value":%d,"left":%b,"right":%b}' % (value, text, text)
    return text

def keyed(n):
    return b'{"' + str(list(range(n)))[1:-1].replace(", ", '":1,"').encode() + b'":1}'

def rows(n):
    return [Row(k, "some name", k / 7) for k in range(n)]

def lines(n):
    return b'{"id":1,"name":"some name","score":0.5}\\n' * n

def listed(n):
    return b"[" + b'{"id":1,"name":"some name","score":0.5},' * n + b'{"id":1,"name":"x"}]'

# What a first use imports is imported here: the import machinery has callbacks in which Python loses an interrupt.
json.decode(b"[]", list[Row])
demat.columns_of(rows(1))
demat.copy(rows(1), io.BytesIO(), to="json")
demat.define(lines(1), format="ndjson")

def interrupted(call, once=False):
    # From another process: a thread of this one would wait for the interpreter, as long as a call keeps it.
    kill = f"sleep 0.05; date +%s.%N; cat /proc/{os.getpid()}/stat; kill -INT {os.getpid()}"
    sender = subprocess.Popen(["sh", "-c", kill], stdout=subprocess.PIPE)
    try:
        call()
        while not once:
            call()
    except KeyboardInterrupt:
        now, spent = time.time(), time.process_time()
    else:
        print("ended")
        return
    sent, stat = sender.communicate()[0].split(b"\\n", 1)
    # What it had spent by then: fields 14 and 15, behind the name in brackets.
    before = sum(map(int, stat.rsplit(b")", 1)[1].split()[11:13])) / os.sysconf("SC_CLK_TCK")
    print("heard", spent - before, now - float(sent))
    assert json.decode(b"[1, {}]") == [1, {}]
    assert json.encode([Row(1, "x")]) == b'[{"id":1,"name":"x","score":null}]'
"""

CALLS = {
    "decode": "data = listed(2_000_000); interrupted(lambda: json.decode(data, list[Row]))",
    "decode, untyped": "data = listed(2_000_000); interrupted(lambda: json.decode(data))",
    "decode, a list of numbers": "data = b'[' + b'1,' * 15_000_000 + b'1]'; interrupted(lambda: json.decode(data, list[int]))",
    "decode, untyped numbers": "data = b'[' + b'1,' * 15_000_000 + b'1]'; interrupted(lambda: json.decode(data))",
    "decode, a dict": ("data = keyed(3_000_000); interrupted(lambda: json.decode(data, dict[str, int]))"),
    "decode, a tree": (
        "data = b'[' + b','.join([tree(20)] * 3) + b']'; interrupted(lambda: json.decode(data, list[Node]))"
    ),
    "decode, a bytearray": "data = bytearray(listed(2_000_000)); interrupted(lambda: json.decode(data, list[Row]))",
    "decode, lines": "data = lines(2_000_000); interrupted(lambda: ndjson.decode(data, list[Row]))",
    "decode, CSV": "data = b'id,name,score\\n' + b'1,some name,0.5\\n' * 3_000_000; interrupted(lambda: csv.decode(data, list[Row]))",
    "decode, messages": "data = proto.encode(rows(1000)) * 2000; interrupted(lambda: proto.decode(data, list[Row]))",
    "decode, all errors": "data = lines(2_000_000); interrupted(lambda: ndjson.decode(data, list[Row], errors='all'))",
    "validate": "data = listed(8_000_000); interrupted(lambda: json.validate(data, list[Row]))",
    "validate, a bytearray": "data = bytearray(listed(8_000_000)); interrupted(lambda: json.validate(data, list[Row]))",
    "lazy, an index": "data = listed(8_000_000); interrupted(lambda: json.lazy(data)[-1])",
    "lazy, the keys": "data = b'{' + b','.join(b'\"%d\":1' % k for k in range(3_000_000)) + b'}'; interrupted(lambda: len(json.lazy(data)))",
    "lazy, a value": "data = listed(8_000_000); interrupted(lambda: json.lazy(data).value())",
    "encode": "values = rows(50_000) * 200; interrupted(lambda: json.encode(values))",
    "encode, numbers": "values = list(range(1_000_000)) * 20; interrupted(lambda: json.encode(values))",
    "encode, a dict": "values = [dict.fromkeys(map(str, range(1_000_000)), 1)] * 20; interrupted(lambda: json.encode(values))",
    "encode, messages": "values = rows(50_000) * 200; interrupted(lambda: proto.encode(values))",
    "encode, CSV": "values = rows(50_000) * 200; interrupted(lambda: csv.encode(values))",
    "encode_into": "values = rows(50_000) * 200; buffer = bytearray(); interrupted(lambda: json.encode_into(values, buffer))",
    "read": "data = lines(2_000_000); interrupted(lambda: sum(1 for _ in ndjson.read(io.BytesIO(data), Row)))",
    "read in C": "data = lines(2_000_000); interrupted(lambda: list(ndjson.read(io.BytesIO(data), Row)))",
    "read on": (
        "data = lines(1_000_000); reader = ndjson.read(io.BytesIO(data), Row); "
        "interrupted(lambda: list(reader), once=True); assert 0 < sum(1 for _ in reader) < 1_000_000"
    ),
    "columns": "data = lines(10_000_000); interrupted(lambda: ndjson.columns(data, Row))",
    "columns on one thread": "data = lines(8_000_000); interrupted(lambda: ndjson.columns(data, Row, threads=1))",
    "columns of a file": (
        "place = Path(sys.argv[1], 'a.ndjson'); place.write_bytes(lines(8_000_000)); "
        "interrupted(lambda: ndjson.columns(place, Row))"
    ),
    "columns of objects": "values = rows(50_000) * 200; interrupted(lambda: demat.columns_of(values))",
    "infer": (
        "place = Path(sys.argv[1], 'a.ndjson'); place.write_bytes(lines(3_000_000)); "
        "interrupted(lambda: demat.define(place, rows=None))"
    ),
    "copy": (
        "place, target = Path(sys.argv[1], 'a.ndjson'), Path(sys.argv[1], 'b.csv'); place.write_bytes(lines(10_000_000)); "
        "interrupted(lambda: demat.copy(place, target), once=True); assert not target.exists(); "
        "assert os.listdir(sys.argv[1]) == ['a.ndjson']"
    ),
    "write": (
        "values, target = rows(50_000) * 200, Path(sys.argv[1], 'a.json'); "
        "interrupted(lambda: json.write(target, values), once=True); assert not target.exists(); assert not os.listdir(sys.argv[1])"
    ),
    "sqlite, insert": (
        "db = sqlite.open(Path(sys.argv[1], 'a.db')); table = db.table('t', Row); values = rows(100_000) * 10; "
        "interrupted(lambda: table.insert(values), once=True); assert len(table) == 0; table.insert(rows(3)); assert len(table) == 3"
    ),
    "sqlite, load": (
        "db = sqlite.open(Path(sys.argv[1], 'a.db')); table = db.table('t', Row); values = rows(150_000) * 10; "
        "interrupted(lambda: table.load(values), once=True); assert len(table) == 0; table.insert(rows(3)); assert len(table) == 3"
    ),
    "sqlite, build": (
        "target = Path(sys.argv[1], 'a.db'); values = rows(150_000) * 10; "
        "interrupted(lambda: sqlite.build(target, {'t': (Row, values)}), once=True); assert not target.exists()"
    ),
    "sqlite, a statement": (
        "db = sqlite.open(Path(sys.argv[1], 'a.db')); "
        "sql = 'with recursive c(x) as (select 1 union all select x + 1 from c) select count(*) as n from c'; "
        "interrupted(lambda: db.query(sql).all()); assert db.query('select 1 as a').all() == [{'a': 1}]"
    ),
    "sqlite, select": (
        "db = sqlite.open(Path(sys.argv[1], 'a.db')); table = db.table('t', Row); table.load(rows(100_000) * 10); "
        "interrupted(lambda: [table.select().all() for _ in range(10)])"
    ),
    "sqlite, columns": (
        "db = sqlite.open(Path(sys.argv[1], 'a.db')); table = db.table('t', Row); table.load(rows(100_000) * 10); "
        "interrupted(lambda: [table.select().columns() for _ in range(50)])"
    ),
}


@pytest.mark.parametrize("call", CALLS)
def test_heard(call: str, tmp_path: object) -> None:
    program = textwrap.dedent(PRELUDE) + f"sys.argv = ['', {str(tmp_path)!r}]\n" + CALLS[call]
    said = run(program, megabytes=None, seconds=120).split()
    assert said[0] == "heard", said
    assert float(said[1]) < SECONDS
    assert float(said[2]) < BY_THE_CLOCK
