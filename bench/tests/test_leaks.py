"""The leak check finds leaks of every kind that it speaks of, and nothing where there is none."""

import contextlib
import ctypes
import io
import json
import sys
import unittest
from collections.abc import Callable
from typing import Any

import leaks
from leak_cases import CASES, Case

KEPT: list[Any] = []
SOME = tuple(case for case in CASES if case.name in ("int", "any", "list"))


def verbs(leak: Callable[[bytes], None], failing: bool = False) -> Callable[[Case], leaks.Verbs]:
    """The standard library's json, with a leak at each success or at each failure."""

    def prepare(case: Case) -> leaks.Verbs:
        def read(data: bytes) -> Any:
            try:
                value = json.loads(data)
                if data in case.bad:
                    raise ValueError("of the wrong type")
            except ValueError:
                if failing:
                    leak(data)
                raise
            if not failing:
                leak(data)
            return value

        return leaks.Verbs((read,), (json.dumps,), (ValueError, TypeError))

    return prepare


class Leaks(unittest.TestCase):
    """What is said about each."""

    def setUp(self) -> None:
        KEPT.clear()

    def said(self, prepare: Callable[[Case], leaks.Verbs], count: int = 3000) -> tuple[int, str]:
        """The exit code and the output."""
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            code = leaks.run(prepare, SOME, count)
        return code, output.getvalue()

    def test_nothing(self) -> None:
        code, said = self.said(verbs(lambda data: None))
        self.assertEqual(code, 0, said)
        self.assertIn("nothing grew", said)

    def test_references(self) -> None:
        increase = ctypes.pythonapi.Py_IncRef
        increase.argtypes = [ctypes.py_object]
        for what, name in (
            (lambda data: None, "None"),
            (lambda data: data, "inputs"),
            (lambda data: int, "basic types"),
        ):
            for failing in (False, True):
                # From 3.12 on None and the basic types are immortal: their counts don't change.
                if sys.version_info >= (3, 12) and name != "inputs":
                    continue
                code, said = self.said(verbs(lambda data, what=what: increase(what(data)), failing))
                self.assertEqual(code, 1)
                self.assertIn(f"references to {name} grew", said)

    def test_objects(self) -> None:
        code, said = self.said(verbs(lambda data: KEPT.append([])))
        self.assertEqual(code, 1)
        self.assertIn("objects known to the collector grew", said)

    def test_blocks(self) -> None:
        code, said = self.said(verbs(lambda data: KEPT.append(len(KEPT) * 1000.5)))
        self.assertEqual(code, 1)
        self.assertIn("blocks of the interpreter grew", said)

    def test_memory_of_another_allocator(self) -> None:
        code, said = self.said(verbs(lambda data: KEPT.append(bytes(2000))))
        self.assertEqual(code, 1)
        self.assertRegex(said, "the process grew|bytes of malloc grew")

    def test_a_failure_that_succeeds_is_told(self) -> None:
        def prepare(case: Case) -> leaks.Verbs:
            return leaks.Verbs((lambda data: None,), (), (ValueError,))

        code, said = self.said(prepare)
        self.assertEqual(code, 1)
        self.assertIn("was taken", said)
