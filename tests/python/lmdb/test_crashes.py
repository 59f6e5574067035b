"""What was acknowledged is there after any crash, and nothing is there by half."""

import os
import random
import resource
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from demat import LimitError, StoreError, lmdb

#: How often a writer is killed; DEMAT_CRASHES=1000 for more.
CRASHES = int(os.environ.get("DEMAT_CRASHES", "100"))

CLASS = """
from dataclasses import dataclass
from demat import lmdb

@dataclass
class Pair:
    id: int
    text: str
"""

# One interpreter forks a writer again and again, kills it, and checks what is there.
CRASHER = (
    CLASS
    + """
import os, random, select, signal, struct, sys

def size(pair):
    return len(pair.text)

def text(turn):
    return f"{turn} " + "x" * (turn % 3000)

def write(turn, out):
    env = lmdb.open(sys.argv[1])
    pairs = env.collection("pairs", Pair, key="id")
    pairs.index("by_size", size)
    while True:
        # Two records of one transaction are there both, or neither is.
        with env.begin(write=True):
            pairs.put(Pair(turn, text(turn)))
            pairs.put(Pair(-turn, text(turn)))
            if turn > 50:
                pairs.delete(turn - 50)
                pairs.delete(50 - turn)
            if turn % 7 == 0:
                # Pages are split and freed.
                pairs.put_all(Pair(10**6 + n, "y" * (turn % 900)) for n in range(40))
                pairs.delete_range(lo=10**6)
        os.write(out, struct.pack("q", turn))
        turn += 1

def check(least):
    with lmdb.open(sys.argv[1]) as env:
        pairs = env.collection("pairs", Pair, key="id")
        pairs.index("by_size", size)
        ids = list(pairs.scan(keys_only=True))
        found = max(ids, default=0)
        assert found in (least, least + 1), (found, least)
        assert ids == [-id for id in reversed(ids)]
        assert len(ids) == 2 * min(found, 50)
        assert all(pair.text == text(abs(pair.id)) for pair in pairs)
        assert pairs.check() == []
        assert env.readers == []
        return found

random.seed(1)
last = 0
for _ in range(int(sys.argv[2])):
    end, out = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(end)
        try:
            write(last + 1, out)
        finally:
            os._exit(1)
    os.close(out)
    # Killed at any time: while it opens the file, within a transaction, while it commits.
    if random.random() < 0.2:
        select.select([], [], [], random.random() * 0.03)
    else:
        select.select([end], [], [])
        select.select([], [], [], random.random() * 0.02)
    os.kill(child, signal.SIGKILL)
    acknowledged = b""
    while part := os.read(end, 1 << 16):
        acknowledged += part
    os.close(end)
    assert os.waitpid(child, 0)[1] == signal.SIGKILL
    least = struct.unpack("q", acknowledged[-8:])[0] if acknowledged else last
    last = check(least)
print(last)
"""
)


@dataclass
class Pair:
    id: int
    text: str


def test_killed_writers_lose_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-c", CRASHER, str(tmp_path), str(CRASHES)]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True, timeout=60 + CRASHES)
    assert int(done.stdout) > CRASHES / 4


def test_two_processes_take_turns(tmp_path: Path) -> None:
    script = (
        CLASS
        + """
import sys
env = lmdb.open(sys.argv[1], sync="off")
pairs = env.collection("pairs", Pair, key=lmdb.auto)
for _ in range(200):
    with env.begin(write=True):
        assert pairs.put(Pair(0, sys.argv[2])) == pairs.count()
"""
    )
    writers = [subprocess.Popen([sys.executable, "-c", script, str(tmp_path), str(at)]) for at in range(2)]
    assert [writer.wait() for writer in writers] == [0, 0]
    with lmdb.open(tmp_path) as env:
        pairs = env.collection("pairs", Pair)
        assert list(pairs.scan(keys_only=True)) == list(range(1, 401))
        assert sorted({pair.text for pair in pairs}) == ["0", "1"]


def test_another_process_is_seen(tmp_path: Path) -> None:
    with lmdb.open(tmp_path, map_size=1 << 20, sync="off") as env:
        pairs = env.collection("pairs", Pair, key="id")
        pairs.put(Pair(1, "a"))
        script = (
            CLASS
            + """
import sys
with lmdb.open(sys.argv[1], map_size=1 << 26, sync="off") as env:
    pairs = env.collection("pairs", Pair)
    pairs.index("by_text", ("text", "id"))
    pairs.put_all(Pair(id, "x" * 300) for id in range(10_000))
"""
        )
        subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True)
        # The other one has made the map larger, and an index that this one now keeps, too.
        assert len(pairs) == 10_000
        assert env.info.map_size >= 1 << 24
        pairs.put(Pair(-1, "new"))
        assert pairs.index("by_text").get("new", -1).id == -1  # type: ignore[union-attr]
        assert pairs.check() == []


def test_a_full_map(tmp_path: Path) -> None:
    with lmdb.open(tmp_path, map_size=1 << 20, sync="off") as env:
        pairs = env.collection("pairs", Pair, key="id")
        with pytest.raises(StoreError, match="the map is full; open the environment with a larger `map_size`"):
            pairs.put_all(Pair(id, "x" * 1000) for id in range(2000))
        assert len(pairs) == 0
        with env.begin(), pytest.raises(StoreError, match="while a transaction is open"):
            env.resize(1 << 24)
        env.resize(1 << 24)
        assert pairs.put_all(Pair(id, "x" * 1000) for id in range(2000)) == 2000


def test_a_full_disk(tmp_path: Path) -> None:
    """A limit of the process stands for the disk's."""
    script = (
        CLASS
        + """
import resource, signal, sys
from demat import StoreError
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
env = lmdb.open(sys.argv[1])
pairs = env.collection("pairs", Pair, key="id")
pairs.put(Pair(1, "before"))
resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
try:
    pairs.put_all(Pair(id, "x" * 1000) for id in range(5000))
except StoreError as error:
    assert len(pairs) == 1 and pairs[1].text == "before"
    pairs.put(Pair(2, "after"))
    print("refused")
"""
    )
    done = subprocess.run([sys.executable, "-c", script, str(tmp_path)], check=True, stdout=subprocess.PIPE, text=True)
    assert done.stdout == "refused\n"
    with lmdb.open(tmp_path) as env:
        assert [pair.text for pair in env.collection("pairs", Pair)] == ["before", "after"]
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY


def test_a_forked_process_is_refused(tmp_path: Path) -> None:
    with lmdb.open(tmp_path) as env:
        pairs = env.collection("pairs", Pair, key="id")
        pairs.put(Pair(1, "a"))
        child = os.fork()
        if child == 0:
            code = 1
            try:
                pairs.get(1)
            except StoreError as error:
                code = 0 if "forked" in str(error) else 2
            try:
                # It would wait for the end of what the parent has opened.
                lmdb.open(tmp_path)
                code = 3
            except StoreError as error:
                code = code if "forked" in str(error) else 4
            os._exit(code)
        assert os.waitpid(child, 0)[1] == 0
        assert pairs[1].text == "a"


def test_damaged_values_are_errors(tmp_path: Path) -> None:
    """Bytes that are no record raise when they are read, and end nothing else."""

    @dataclass
    class Wide:
        id: int
        text: str
        more: list[int]

    with lmdb.open(tmp_path, sync="off") as env:
        wide = env.collection("wide", Wide, key="id", encoding="json")
        wide.put_all(Wide(id, "text " * 5, [1, 2, 3]) for id in range(50))
    data = bytearray((tmp_path / "data.mdb").read_bytes())
    for at in range(len(data)):
        if data[at : at + 6] == b'"text"' and random.Random(at).random() < 0.5:
            data[at : at + 2] = b"\xff\xff"
    (tmp_path / "data.mdb").write_bytes(data)
    with lmdb.open(tmp_path, sync="off") as env:
        good, bad = 0, 0
        for one in env.collection("wide", Wide):
            try:
                assert one.text == "text " * 5
                good += 1
            except ValueError:
                bad += 1
        assert good > 5
        assert bad > 5
        assert good + bad == 50


@pytest.mark.parametrize("said", [{"max_readers": 1}, {"max_collections": 2}])
def test_limits_are_said(tmp_path: Path, said: Any) -> None:
    with lmdb.open(tmp_path, sync="off", **said) as env:
        pairs = env.collection("pairs", Pair, key="id")
        pairs.put(Pair(1, "a"))
        with pytest.raises((StoreError, LimitError), match="max_readers|max_collections"):
            if "max_readers" in said:
                with env.begin():
                    kept = [pairs.scan() for _ in range(3)]
                    del kept
                    import threading

                    raised: list[BaseException] = []

                    def other() -> None:
                        try:
                            pairs.get(1)
                        except StoreError as error:
                            raised.append(error)

                    thread = threading.Thread(target=other)
                    thread.start()
                    thread.join()
                    raise raised[0]
            pairs.index("by_text", "text")
            env.collection("more", Pair, key="id")
