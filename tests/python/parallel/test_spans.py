"""Ranges of lines, and the ranges that a table is divided into, against readers of the whole."""

import csv
import io
from itertools import pairwise
from pathlib import Path

import pytest
from demat._parallel.parts import Dividing
from demat._parallel.rows import Dialect
from demat._parallel.spans import Span, SpanReader, aligned, is_plain
from hypothesis import given
from hypothesis import strategies as st


def content(span: Span) -> bytes:
    with SpanReader(span) as reader:
        return reader.read()


LINES = st.lists(st.sampled_from(["", "a", "bcd", "\r", "é", "\ufeffx", '"', "long" * 30]), max_size=12)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("spans") / "file"


@given(lines=LINES, ends=st.booleans(), cuts=st.lists(st.integers(0, 400), max_size=6))
def test_ranges_of_lines_are_the_lines(path: Path, lines: list[str], ends: bool, cuts: list[int]) -> None:
    data = "\n".join(lines).encode() + (b"\n" if ends else b"")
    path.write_bytes(data)
    at = sorted({0, len(data), *(cut for cut in cuts if cut < len(data))})
    spans = [aligned(Span(str(path), start, end)) for start, end in pairwise(at)]
    assert b"".join(map(content, spans)) == data
    for span in spans:
        assert span.start in (0, len(data)) or data[span.start - 1 : span.start] == b"\n"
        assert (
            not data[span.start :].startswith(b"\xef\xbb\xbf") or span.start in (0, len(data)) or span.start == span.end
        )


CELLS = st.text(st.sampled_from('ab,"\n\r é'), max_size=6)


@given(rows=st.lists(st.lists(CELLS, min_size=2, max_size=2), max_size=30), size=st.integers(1, 60))
def test_ranges_of_a_table_are_the_table(path: Path, rows: list[list[str]], size: int) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([["one", "two"], *rows])
    data = text.getvalue().encode()
    path.write_bytes(data)
    spans, header = Dividing("csv", None).spans(str(path), size)
    assert b"".join(map(content, spans)) == data
    assert len(spans) == 1 or header == (b"one,two\n", 2)
    assert all(span.start < span.end for span in spans)


def test_a_reader_has_the_header_first_and_any_size(path: Path) -> None:
    path.write_bytes(b"0123456789")
    reader = SpanReader(Span(str(path), 3, 8), b"head")
    assert [reader.read(3), reader.read(3), reader.read(3), reader.read(), reader.read(2)] == [
        b"hea",
        b"d",
        b"345",
        b"67",
        b"",
    ]
    reader.close()


def test_a_file_that_becomes_shorter_is_an_error(path: Path) -> None:
    path.write_bytes(b"0123456789")
    reader = SpanReader(Span(str(path), 3, 8))
    path.write_bytes(b"012")
    with pytest.raises(OSError, match="has become shorter"):
        reader.read()
    reader.close()


@pytest.mark.parametrize("first", [b"\x1f\x8b\x08\x00", b"\x28\xb5\x2f\xfd", b"\xff\xfea\x00", b"\xfe\xff\x00a"])
def test_what_is_packed_or_no_utf8_is_not_divided(path: Path, first: bytes) -> None:
    path.write_bytes(first + b"a\nb\n" * 100)
    assert not is_plain(str(path))
    assert len(Dividing("ndjson", None).spans(str(path), 10)[0]) == 1
    path.write_bytes(b"a\nb\n" * 100)
    assert len(Dividing("ndjson", None).spans(str(path), 10)[0]) > 10


def test_a_header_is_a_row_whatever_is_in_it(path: Path) -> None:
    path.write_bytes(b'\xef\xbb\xbf\n"o\n,ne";two\n1;2\n')
    head = Dialect(";", '"', True).head(str(path))
    assert head is not None
    assert (head.bytes, head.cells) == (b'\xef\xbb\xbf\n"o\n,ne";two\n', 2)
    assert Dialect(";", None, True).head(str(path)).bytes == b'\xef\xbb\xbf\n"o\n'
    assert Dialect(";", '"', False).head(str(path)).bytes == b""


@pytest.mark.parametrize("data", [b"", b"one,two", b'"one', b"one,two\r1,2\n", b'"a"b,c\n'])
def test_a_header_that_does_not_end_is_none(path: Path, data: bytes) -> None:
    path.write_bytes(data)
    assert Dialect(",", '"', True).head(str(path)) is None
