"""Markus Kuhn's stress test, line by line: refused exactly where Python says that UTF-8 ends."""

from pathlib import Path

import demat
import pytest
from demat import csv, json, ndjson
from suites import files


@pytest.mark.parametrize("path", files("utf8", "kuhn-utf-8-test.txt"))
def test_every_line(path: Path):
    wrong = 0
    for line in path.read_bytes().split(b"\n"):
        # What JSON wants escaped is none of this test's.
        line = bytes(95 if byte < 32 or byte in b'"\\' else byte for byte in line)
        try:
            expected, start = line.decode(), None
        except UnicodeDecodeError as error:
            expected, start = None, error.start
            wrong += 1
        for before, after, wanted in (
            (b'"', b'"', expected),
            (b'["', b'"]', [expected]),
            (b'{"a":"', b'"}', {"a": expected}),
            (b'{"', b'":1}', {expected: 1}),
        ):
            data = before + line + after
            if start is None:
                assert json.decode(data) == wanted
                assert json.encode(wanted) == data
                continue
            for decode in (json.decode, lambda data: json.decode(data, demat.Raw), ndjson.decode):
                with pytest.raises(demat.DecodeError) as raised:
                    decode(data)
                assert raised.value.offset == len(before) + start, (data, str(raised.value))
        if start is not None:
            with pytest.raises(demat.DecodeError):
                csv.decode(b'a\n"' + line + b'"\n')
    assert wrong == 68
