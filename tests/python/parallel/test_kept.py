"""What a copy with workers must not lose: sources, refused records, headers, columns, documents."""

import gzip
import io
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import demat
import pytest
from divided import Row, chosen, left, small

small = small  # a fixture

BAD = {"a.ndjson": b'{"id":"x","title":"a"}\n{"id":1,"title":"b"}\n', "b.ndjson": b'{"id":2,"title":"c"}\n'}


@pytest.mark.parametrize("place", ["a.ndjson", "b.ndjson", "link", "out.ndjson"])
def test_refused_records_are_not_written_to_what_is_read_or_written(tmp_path: Path, place: str) -> None:
    src = chosen(tmp_path, BAD)
    (tmp_path / "link").symlink_to("b.ndjson")
    options: dict[str, Any] = {"on_error": "skip", "rejects": tmp_path / place, "workers": 2}
    with pytest.raises(demat.ValidationError, match="refused records can't be written to what is read or written"):
        demat.copy(src, tmp_path / "out.ndjson", Row, **options)
    assert {path.name: path.read_bytes() for path in src} == BAD
    assert not (tmp_path / "out.ndjson").exists()


def test_documents_that_are_no_lists_are_items(tmp_path: Path) -> None:
    files = {"a.json": b"{}", "b.json": b'[{"id":1},2]', "c.json": b"7", "d.json": b"[]", "e.toml": b"id=1\n"}
    out = io.BytesIO()
    demat.copy(chosen(tmp_path, files), out, to="json", workers=2)
    assert json.loads(out.getvalue()) == [{}, {"id": 1}, 2, 7, {"id": 1}]


HEADERS = [
    {"a.csv.gz": gzip.compress(b"id,title\n1,a\n"), "b.csv.gz": gzip.compress(b"title,id\na,1\n")},
    {"a.csv": b"\xef\xbb\xbfid,title\n1,a\n", "b.csv": b"\xef\xbb\xbftitle,id\na,1\n"},
    {"a.csv": b"id,title\r1,a\r", "b.csv": b"title,id\ra,1\r"},
    {"a.csv": b"id,title", "b.csv": b"title,id\na,1\n"},
]


@pytest.mark.parametrize("files", HEADERS)
def test_different_headers_are_seen_in_whatever_form(tmp_path: Path, files: dict[str, bytes]) -> None:
    with pytest.raises(ValueError, match="different headers"):
        demat.copy(chosen(tmp_path, files), io.BytesIO(), to="csv", workers=2)


def test_a_header_that_cannot_be_read_is_refused(tmp_path: Path) -> None:
    files = chosen(tmp_path, {"a.csv": b"id,title\n1,a\n", "b.csv": b'id,"title\n'})
    with pytest.raises(ValueError, match="whose first row can't be read: .*a closing quote"):
        demat.copy(files, io.BytesIO(), to="csv", workers=2)


def test_the_header_is_that_of_the_first_file_that_has_one(tmp_path: Path) -> None:
    files = {"a.csv": b"", "b.csv": b"\xef\xbb\xbfid,title\r\n1,a\r\n", "c.csv": b"\n", "d.csv": b"id,title\n2,b\n"}
    out = io.BytesIO()
    demat.copy(chosen(tmp_path, files), out, to="csv", workers=2)
    assert out.getvalue() == b"id,title\n1,a\n2,b\n"


def test_wrong_arguments_leave_the_refused_records_of_before(tmp_path: Path) -> None:
    src, rejects = chosen(tmp_path, BAD), tmp_path / "rejects.ndjson"
    rejects.write_bytes(b"old")
    options: dict[str, Any] = {"on_error": "skip", "rejects": rejects, "workers": 2}

    class Local(Row):
        pass

    with pytest.raises(TypeError, match="a type that other processes can import"):
        demat.copy(src, tmp_path / "out.ndjson", Local, **options)
    with pytest.raises(demat.StoreError, match="can't be written"):
        demat.copy(src, tmp_path / "no" / "out.ndjson", Row, **options)
    assert rejects.read_bytes() == b"old"
    demat.copy(src, tmp_path / "out.ndjson", Row, **options)
    assert rejects.read_bytes().count(b"\n") == 1


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", ["in.ndjson", "whole.ndjson"])
def test_a_source_that_changes_is_not_mixed(tmp_path: Path, name: str) -> None:
    rows = b'{"id":1,"title":"old"}\n' * 40
    files = {"in.ndjson": rows, "whole.ndjson": rows[:23]}
    src, dst = chosen(tmp_path, files), tmp_path / "out.ndjson"

    def replace(_read: int, _total: int | None) -> None:
        (tmp_path / "new").write_bytes(files[name].replace(b"old", b"new"))
        os.replace(tmp_path / "new", tmp_path / name)  # noqa: PTH105

    with pytest.raises(demat.StoreError, match=rf"{name} has changed while it was read"):
        demat.copy(src, dst, Row, workers=2, progress=replace)
    assert not dst.exists()
    assert left(tmp_path) == []


def test_a_target_among_the_files_that_are_found_is_refused(tmp_path: Path) -> None:
    src = chosen(tmp_path, {"a.ndjson": b'{"id":1}\n', "b.ndjson": b'{"id":2}\n'})
    for found in (str(tmp_path / "*.ndjson"), tmp_path, [tmp_path]):
        with pytest.raises(ValueError, match="is among the files that are found"):
            demat.copy(found, tmp_path / "b.ndjson", workers=2)
    demat.copy(src, tmp_path / "b.ndjson", workers=2)
    assert (tmp_path / "b.ndjson").read_bytes() == b'{"id":1}\n{"id":2}\n'


class Few(io.RawIOBase):
    """A raw file whose `write` returns the given answers."""

    def __init__(self, answers: Iterator[Any]) -> None:
        self._answers = answers

    def writable(self) -> bool:
        return True

    def write(self, _data: Any) -> Any:
        return next(self._answers)


@pytest.mark.parametrize("answers", [[None], [0], [3, 0], [1000]])
def test_a_raw_file_that_does_not_take_all_is_an_error(tmp_path: Path, answers: list[Any]) -> None:
    src = chosen(tmp_path, {"a.ndjson": b'{"id":1}\n', "b.ndjson": b'{"id":2}\n'})
    with pytest.raises(OSError, match="the file says that it has written"):
        demat.copy(src, Few(iter(answers)), to="ndjson", workers=2)
