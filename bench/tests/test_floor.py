"""Floors make what they say they make, and leave the interpreter as it was."""

import gc
import json
import sys
import unittest

import floor
import proto_data
from shapes import DictRecord, Record, Task

FIELDS = ("hi", "there", "comment")
# Around where ints gain a digit of 30 bits.
EDGES = (1, 9, 10, 99, 100, 12_345, (1 << 30) - 1, 1 << 30, (1 << 60) + 1)


class Floor(unittest.TestCase):
    """Each function of floor.c."""

    def setUp(self) -> None:
        self.maker = floor.Maker(Record, FIELDS)

    def test_records(self) -> None:
        wanted = [Record(i, 2 * i, "comment") for i in range(1, 1001)]
        for shared in (False, True):
            made = self.maker.records(1000, shared=shared)
            self.assertEqual(made, wanted)
            self.assertTrue(all(map(gc.is_tracked, made)))
            self.assertEqual(len({id(row.comment) for row in made}), 1 if shared else 1000)

    def test_with_dict(self) -> None:
        self.assertEqual(floor.with_dict(DictRecord, FIELDS, 3), [DictRecord(i, 2 * i, "comment") for i in (1, 2, 3)])

    def test_write(self) -> None:
        rows = [Record(edge, edge, "text") for edge in EDGES]
        wanted = json.dumps([{"hi": e, "there": e, "comment": "text"} for e in EDGES], separators=(",", ":")).encode()
        self.assertEqual(self.maker.write(rows, len(wanted)), wanted)
        buffer = bytearray(len(wanted))
        self.maker.write_into(rows, buffer)
        self.assertEqual(buffer, wanted)

    def test_tasks(self) -> None:
        tasks = floor.Tasks(Task, ("id", "title", "done"))
        task = tasks.make(b"")
        self.assertEqual(task, Task(48151, "Buy oat milk and bread", False))
        self.assertEqual(json.loads(tasks.write(task)), {"id": 48151, "title": "Buy oat milk and bread", "done": False})

    def test_copy(self) -> None:
        value = {"a": [1, -5, 1 << 70, 2.5, "text", "é", "€", "😀", None, True, {}, []], "b": {"c": -(1 << 40)}}
        self.assertEqual(repr(floor.copy(value)), repr(value))

    def test_messages(self) -> None:
        data = b"".join(proto_data.long_records(300))
        rows = [proto_data.of_record(one) for one in proto_data.messages(data)]
        self.assertEqual(floor.scan(data, 3), sum(row[2] for row in rows))
        offsets, texts = floor.texts(data, 6)
        self.assertEqual(memoryview(offsets).cast("i").tolist(), [12 * row for row in range(301)])
        self.assertEqual(texts.decode(), "".join(row[5] for row in rows))
        one = proto_data.record(proto_data.LONG, 7)
        self.assertEqual((floor.last(one, 6), floor.last(one, 4), floor.last(one, 9)), (rows[6][5], rows[6][3], ""))

    def test_messages_that_are_cut(self) -> None:
        one = proto_data.record(proto_data.SHORT, 7)
        for cut in range(len(one)):
            self.assertIn(floor.last(one[:cut], 6), ("", "name 0000007"[:cut]))
            floor.scan(b"\x3c" + one[:cut], 3)
            floor.texts(b"\x3c" + one[:cut], 6)

    def test_the_collector_is_as_before(self) -> None:
        self.maker.records(10)
        self.assertTrue(gc.isenabled())
        gc.disable()
        try:
            self.maker.records(10)
            self.assertFalse(gc.isenabled())
        finally:
            gc.enable()

    def test_no_reference_is_lost(self) -> None:
        def references() -> list[int]:
            gc.collect()
            return [sys.getrefcount(cls) for cls in (Record, DictRecord)] + [sys.getallocatedblocks()]

        def work() -> None:
            self.maker.records(500)
            self.maker.records(500, shared=True)
            floor.with_dict(DictRecord, FIELDS, 500)
            floor.copy([{"a": 1.5}] * 500)

        work()
        before = references()
        work()
        for name, more in zip(("Record", "DictRecord", "blocks"), map(int.__sub__, references(), before), strict=True):
            self.assertLess(more, 50, name)

    def test_only_slots_are_taken(self) -> None:
        with self.assertRaises((TypeError, AttributeError)):
            floor.Maker(DictRecord, FIELDS)
        with self.assertRaises(TypeError):
            floor.Maker(Record, ("hi", "there", "__init__"))
