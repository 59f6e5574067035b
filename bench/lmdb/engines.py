"""One engine of an LMDB job, in a process of its own: says its answer, and the least CPU time of the job.

python engines.py ENGINE DIRECTORY RECORDS SIZE
"""

import dbm.dumb
import gc
import random
import shutil
import sqlite3
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from demat import lmdb
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

import lmdb as py_lmdb

GETS = 100_000
TIMES = 3


@dataclass(slots=True)
class Task:
    """A record: 60 bytes, or 2 KB, by its text."""

    id: int
    name: str
    done: bool
    text: str


def tasks(records: int, size: int) -> list[Task]:
    """Records in the order of their keys."""
    text = "x" * max(1, size - 35)
    return [Task(id, f"task number {id:08}", id % 3 == 0, text) for id in range(records)]


def message() -> Any:
    """The class of the same message, by upb."""
    file = descriptor_pb2.FileDescriptorProto(name="task.proto", package="bench", syntax="proto3")
    own = file.message_type.add(name="Task")
    kinds = {"id": "INT64", "name": "STRING", "done": "BOOL", "text": "STRING"}
    for number, (name, kind) in enumerate(kinds.items(), 1):
        own.field.add(name=name, number=number, type=f"TYPE_{kind}", label="LABEL_OPTIONAL")
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName("bench.Task"))


def least(job: Callable[[], object], prepare: Callable[[], object] = lambda: None) -> tuple[object, float]:
    """What a job says, and the least of its times."""
    best, answer = float("inf"), None
    for _ in range(TIMES):
        prepare()
        gc.collect()
        begin = time.process_time()
        answer = job()
        best = min(best, time.process_time() - begin)
    return answer, best


def key(id: int) -> bytes:
    """The key of an int as Demat has it, for up to four bytes."""
    length = (id.bit_length() + 7) // 8
    return bytes([0x29 + length]) + id.to_bytes(length, "big")


class Peer:
    """Py-lmdb with upb."""

    def __init__(self, folder: Path) -> None:
        """Opens it as Demat's engines do."""
        self.env = py_lmdb.open(str(folder), max_dbs=8, map_size=1 << 36, sync=False, metasync=False)
        self.tasks = self.env.open_db(b"tasks")
        self.message = message()

    def bare(self) -> int:
        """The cursor alone."""
        count = 0
        with self.env.begin(db=self.tasks) as txn:
            for _, _ in txn.cursor():
                count += 1
        return count

    def names(self) -> int:
        """One field of each record."""
        parse, total = self.message.FromString, 0
        with self.env.begin(db=self.tasks) as txn:
            for _, value in txn.cursor():
                total += len(parse(value).name)
        return total

    def gets(self, ids: list[int]) -> int:
        """One field of some records."""
        parse, total = self.message.FromString, 0
        with self.env.begin(db=self.tasks) as txn:
            for id in ids:
                total += len(parse(txn.get(key(id))).name)
        return total

    def put(self, messages: list[Any]) -> int:
        """All of them, appended."""
        with self.env.begin(db=self.tasks, write=True) as txn:
            items = ((key(one.id), one.SerializeToString()) for one in messages)
            return txn.cursor().putmulti(items, append=True)[1]


def run(engine: str, folder: Path, records: int, size: int) -> tuple[object, float]:
    """One engine."""
    ids = [random.Random(1).randrange(records) for _ in range(GETS)]
    if engine == "make":
        with lmdb.open(folder, sync="off") as env:
            return env.collection("tasks", Task, key="id").put_all(tasks(records, size)), 0.0
    if engine.startswith("demat-put"):
        values = tasks(records, size)

        def put() -> int:
            with lmdb.open(folder, sync="off") as env:
                return env.collection("tasks", Task, key="id").put_all(values)

        return least(put, lambda: shutil.rmtree(folder, ignore_errors=True))
    if engine == "py-lmdb-put":
        own = message()
        messages = [own(id=one.id, name=one.name, done=one.done, text=one.text) for one in tasks(records, size)]

        def fresh() -> None:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()

        def peer_put() -> int:
            peer = Peer(folder)
            count = peer.put(messages)
            peer.env.close()
            return count

        return least(peer_put, fresh)
    if engine in ("sqlite3", "dbm"):
        return others(engine, folder, records, size)
    if engine.startswith("py-lmdb"):
        peer = Peer(folder)
        jobs = {"py-lmdb-bare": peer.bare, "py-lmdb-names": peer.names, "py-lmdb-gets": lambda: peer.gets(ids)}
        return least(jobs[engine])
    with lmdb.open(folder, sync="off") as env:
        collection = env.collection("tasks", Task)

        def names() -> int:
            total = 0
            for task in collection.scan(recycle=True):
                total += len(task.name)
            return total

        def gets() -> int:
            total, get = 0, collection.get
            with env.begin():
                for id in ids:
                    total += len(get(id).name)  # type: ignore[union-attr]
            return total

        def columns() -> int:
            return int(collection.columns(fields=["done"]).numpy("done").sum())

        def count() -> int:
            return collection.count(where="done=true")

        jobs = {"demat-names": names, "demat-gets": gets, "demat-columns": columns, "demat-count": count}
        return least(jobs[engine])


def others(engine: str, folder: Path, records: int, size: int) -> tuple[object, float]:
    """Names of all records, kept by other stores of the standard library as Demat's bytes."""
    folder.mkdir(exist_ok=True)
    parse = message().FromString
    own = message()
    values = tasks(records, size)
    encoded = [own(id=one.id, name=one.name, done=one.done, text=one.text).SerializeToString() for one in values]
    if engine == "sqlite3":
        connection = sqlite3.connect(folder / "tasks.db")
        connection.execute("create table tasks (id integer primary key, record blob)")
        connection.executemany("insert into tasks values (?, ?)", enumerate(encoded))
        select = "select record from tasks order by id"
        return least(lambda: sum(len(parse(record).name) for (record,) in connection.execute(select)))
    with dbm.dumb.open(str(folder / "tasks"), "n") as database:
        for id, record in enumerate(encoded):
            database[str(id)] = record
        return least(lambda: sum(len(parse(database[name]).name) for name in database))


if __name__ == "__main__":
    answer, took = run(sys.argv[1], Path(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
    print(answer, took)
