"""A copy with workers against the copy by one process."""

import gzip
import io
import subprocess
import sys
from pathlib import Path
from typing import Any

import demat
import pytest
from divided import Even, Row, left, small

small = small  # a fixture


def rows(count: int) -> bytes:
    return b"".join(
        b'{"id":%d,"title":"Clean \\"room\\" %d","due":%s}\n' % (i, i * 7, b'"2026-01-02"' if i % 3 else b"null")
        for i in range(count)
    )


def table(count: int) -> bytes:
    return b"id,title,due\r\n" + b"".join(b'%d,"Clean\n""%d"",\n",2026-01-02\r\n' % (i, i) for i in range(count))


NDJSON = {
    "many": rows(40),
    "no final line feed": rows(40)[:-1],
    "blank lines": b"\n\r\n" + rows(20).replace(b"\n", b"\n\n \r\n"),
    "one": rows(1),
    "none": b"",
    "long": b'{"id":1,"title":"%s"}\n' % (b"x" * 500) + rows(5),
    "a byte order mark": b"\xef\xbb\xbf" + rows(10),
}
TABLES = {
    "many": table(40),
    "plain": b"id,title,due\n" + b"".join(b"%d,Rest,\n" % i for i in range(100)),
    "no final line feed": table(20).removesuffix(b"\r\n"),
    "quotes in plain cells": b"id,title,due\n" + b"".join(b'%d,5"disk,\n' % i for i in range(60)),
    "one": table(1),
    "no row": b"id,title,due\n",
    "none": b"",
    "rows within a cell": b'id,title,due\n1,"' + b"7,x,\n" * 100 + b'",\n' + b"2,b,\n" * 50,
}
TARGETS: list[tuple[str, dict[str, Any] | None]] = [
    ("ndjson", {"sort_keys": True}),
    ("json", None),
    ("csv", None),
    ("tsv", {"header": False}),
    ("proto", None),
    ("msgpack", {"sequence": True}),
    ("cbor", {"sequence": True}),
]


def both(src: Path, folder: Path, workers: int, *, to: str, **options: Any) -> tuple[Any, Any]:
    """What one process gives, and what some give."""
    one, some = folder / "one", folder / "some"
    expected = demat.copy(src, one, to=to, **options)
    copied = demat.copy(src, some, to=to, workers=workers, **options)
    assert left(folder) == []
    return (expected, one.read_bytes()), (copied, some.read_bytes())


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", NDJSON)
def test_lines(tmp_path: Path, name: str) -> None:
    src = tmp_path / "in.ndjson"
    src.write_bytes(NDJSON[name])
    expected, copied = both(src, tmp_path, 2, to="json", type=Row)
    assert copied == expected


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("name", TABLES)
def test_tables(tmp_path: Path, name: str) -> None:
    src = tmp_path / "in.csv"
    src.write_bytes(TABLES[name])
    expected, copied = both(src, tmp_path, 2, to="ndjson", type=Row)
    assert copied == expected


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("to", "write"), TARGETS)
def test_targets(tmp_path: Path, to: str, write: dict[str, Any] | None) -> None:
    src = tmp_path / "in.ndjson"
    for data in (rows(25), b""):
        src.write_bytes(data)
        expected, copied = both(src, tmp_path, 3, to=to, write=write, type=Row)
        assert copied == expected


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("workers", [1, 3])
def test_numbers_of_workers(tmp_path: Path, workers: int) -> None:
    src = tmp_path / "in.ndjson"
    src.write_bytes(rows(60))
    expected, copied = both(src, tmp_path, workers, to="csv", type=Row)
    assert copied == expected


@pytest.mark.usefixtures("small")
def test_without_a_type_lines_and_cells_pass_as_they_are(tmp_path: Path) -> None:
    (lines := tmp_path / "in.ndjson").write_bytes(rows(20) + b'[1, 2.50]\n"text"\n')
    expected, copied = both(lines, tmp_path, 2, to="json")
    assert copied == expected
    (cells := tmp_path / "in.csv").write_bytes(table(20))
    expected, copied = both(cells, tmp_path, 2, to="tsv")
    assert copied == expected


@pytest.mark.usefixtures("small")
def test_options(tmp_path: Path) -> None:
    src = tmp_path / "in.csv"
    src.write_bytes(b"id;title\n" + b"".join(b"%d;'Call\n%d'\n" % (i, i) for i in range(60)))
    expected, copied = both(
        src,
        tmp_path,
        2,
        to="csv",
        type="id: int, title: text",
        read={"delimiter": ";", "quote": "'"},
        fields=["title", "id"],
        rename={"title": "name"},
        where="id > 12",
    )
    assert copied == expected
    assert copied[0].records == 47
    src.write_bytes(b"".join(b'%d;"Call\n"\n' % i for i in range(60)))
    expected, copied = both(
        src, tmp_path, 2, to="json", type="id: int, title: text", read={"delimiter": ";", "header": False}
    )
    assert copied == expected
    src.write_bytes(b"".join(b'%d\t5"\n' % i for i in range(60)))
    read = {"quote": None, "header": False}
    expected, copied = both(src, tmp_path, 2, from_="tsv", to="json", type="id: int, title: text", read=read)
    assert copied == expected


@pytest.mark.usefixtures("small")
def test_packed_targets_have_the_same_bytes_in_them(tmp_path: Path) -> None:
    src = tmp_path / "in.ndjson"
    src.write_bytes(rows(40))
    demat.copy(src, tmp_path / "some.csv.gz", Row, workers=2)
    demat.copy(src, tmp_path / "one.csv", Row)
    assert gzip.decompress((tmp_path / "some.csv.gz").read_bytes()) == (tmp_path / "one.csv").read_bytes()
    demat.copy(src, tmp_path / "some.csv.zst", Row, workers=2)
    demat.copy(tmp_path / "some.csv.zst", tmp_path / "back.ndjson", Row)
    demat.copy(src, tmp_path / "one.ndjson", Row)
    assert (tmp_path / "back.ndjson").read_bytes() == (tmp_path / "one.ndjson").read_bytes()


def test_several_files_are_what_the_command_makes_of_them(tmp_path: Path) -> None:
    folder = tmp_path / "logs"
    folder.mkdir()
    (folder / "a.ndjson").write_bytes(rows(3))
    (folder / "b.ndjson.gz").write_bytes(gzip.compress(rows(4)))
    (folder / "c.json").write_bytes(b"[" + rows(2).replace(b"\n", b",")[:-1] + b"]")
    (folder / "d.csv").write_bytes(table(3))
    (folder / "e.ndjson").write_bytes(b"")
    (folder / "_ignored").write_bytes(b"?")
    (folder / ".hidden.json").write_bytes(b"?")
    names = sorted(str(path) for path in folder.iterdir() if path.name[0] not in "._")
    shape = "id: int, title: text, due: date?"
    command = [sys.executable, "-m", "demat", "-q", "copy", "--shape", shape, *names, "-o", str(tmp_path / "one.json")]
    subprocess.run(command, check=True)
    expected = (tmp_path / "one.json").read_bytes()
    for src in (folder, str(folder), f"{folder}/*.*", [Path(name) for name in names], str(tmp_path / "**" / "[a-e].*")):
        out = io.BytesIO()
        copied = demat.copy(src, out, Row, to="json", workers=2)
        assert (out.getvalue(), copied.records) == (expected, 12)


@pytest.mark.usefixtures("small")
def test_targets_that_take_bytes(tmp_path: Path) -> None:
    src = tmp_path / "in.ndjson"
    src.write_bytes(rows(30).replace(b"room", "Zimmer für é".encode()))
    demat.copy(src, tmp_path / "one", Row, to="ndjson")
    expected = (tmp_path / "one").read_bytes()
    pieces: list[bytes] = []
    demat.copy(src, pieces.append, Row, to="ndjson", workers=2)
    assert b"".join(pieces) == expected
    text = io.StringIO()
    demat.copy(src, text, Row, to="ndjson", workers=2)
    assert text.getvalue() == expected.decode()
    with (tmp_path / "raw").open("wb", buffering=0) as raw:
        demat.copy(src, raw, Row, to="ndjson", workers=2)
    assert (tmp_path / "raw").read_bytes() == expected
    program = f"import demat; demat.copy({str(src)!r}, '-', to='ndjson', workers=2)"
    assert subprocess.run([sys.executable, "-c", program], check=True, capture_output=True).stdout == src.read_bytes()


@pytest.mark.usefixtures("small")
def test_a_file_that_is_replaced_keeps_its_permissions_and_its_link(tmp_path: Path) -> None:
    src = tmp_path / "in.ndjson"
    src.write_bytes(rows(20))
    (tmp_path / "real").write_bytes(b"old")
    (tmp_path / "real").chmod(0o640)
    (tmp_path / "link").symlink_to("real")
    demat.copy(src, tmp_path / "link", Row, to="ndjson", workers=2)
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "real").stat().st_mode & 0o777 == 0o640
    assert len((tmp_path / "real").read_bytes()) == len(src.read_bytes())
    # The source may be the target.
    demat.copy(src, src, Row, workers=2, fields=["id"])
    assert src.read_bytes().startswith(b'{"id":0}\n{"id":1}\n')


@pytest.mark.usefixtures("small")
def test_progress(tmp_path: Path) -> None:
    src = tmp_path / "in.ndjson"
    src.write_bytes(rows(20))
    told: list[tuple[int, int | None]] = []
    demat.copy(src, io.BytesIO(), Row, to="ndjson", workers=2, progress=lambda read, total: told.append((read, total)))
    size = src.stat().st_size
    assert told == sorted(told)
    assert told[-1] == (size, size)
    assert len(told) > 5


@pytest.mark.usefixtures("small")
def test_a_class_with_rules_of_its_own(tmp_path: Path) -> None:
    src = tmp_path / "in.ndjson"
    src.write_bytes(b"".join(b'{"id":%d}\n' % i for i in range(100)))
    for on_error in ("stop", "skip"):
        out = io.BytesIO()
        try:
            found: object = demat.copy(src, out, Even, to="json", workers=2, on_error=on_error)
        except demat.Error as error:
            found = (str(error), repr(error.__cause__))
        one = io.BytesIO()
        try:
            expected: object = demat.copy(src, one, Even, to="json", on_error=on_error)
        except demat.Error as error:
            expected = (str(error), repr(error.__cause__))
        assert found == expected
        assert on_error == "stop" or out.getvalue() == one.getvalue()


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("tp", ["a: text, b: text", "a: text, b: text, c: text", None])
@pytest.mark.parametrize("ragged", [0, 6, 7, 20])
def test_rows_of_another_length_without_a_header(tmp_path: Path, tp: str | None, ragged: int) -> None:
    """The first row of the file says how many cells there are, and not that of a part."""
    rows = [b"%05d,a\n" % i if ragged and i % ragged == ragged - 1 else b"%05d,a,b\n" % i for i in range(200)]
    src = tmp_path / "in.csv"
    src.write_bytes(b"".join(rows))
    options: dict[str, Any] = {"type": tp, "read": {"header": False}, "on_error": "skip"}
    expected, copied = both(src, tmp_path, 3, to="ndjson", **options)
    assert copied == expected
    assert expected[0].records + expected[0].rejected == 200


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("header", [True, False])
@pytest.mark.parametrize("to", ["csv", "tsv", "ndjson"])
def test_a_table_of_one_column_with_empty_cells(tmp_path: Path, header: bool, to: str) -> None:
    src = tmp_path / "in.csv"
    src.write_bytes(b"t\n" + b"aaaa\n" * 30 + b"\n" * 300 + b"\xef\xbb\xbfbb\n" * 50)
    for on_error in ("stop", "skip"):
        options: dict[str, Any] = {"read": {"header": header}, "on_error": on_error, "type": "t: text?"}
        expected, copied = both(src, tmp_path, 3, to=to, **options)
        assert copied == expected
        assert expected[0].records == 380 + (not header)


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("on_error", ["stop", "skip", "collect"])
def test_an_error_in_the_header_is_where_the_header_is(tmp_path: Path, on_error: str) -> None:
    src = tmp_path / "in.csv"
    # The condition leaves out the first parts' records, so that a later part finds the error.
    src.write_bytes(b"\r\n\r\n\xef\xbb\xbfid,t\r\n" + b"1,a\r\n" * 100 + b"2,b\r\n")
    found = []
    for workers in (None, 2):
        rejects: list[Any] = []
        options: dict[str, Any] = {"on_error": on_error, "rejects": rejects if on_error == "collect" else None}
        with pytest.raises(demat.Error) as caught:
            demat.copy(src, tmp_path / "out.json", "id: int, t: text", where="t = 'b'", workers=workers, **options)
        error = caught.value
        found.append((str(error), error.path, error.record, error.line, error.offset))
    assert found[0] == found[1]
    assert found[0][3] == 3
