"""Errors of a copy with workers: their positions, refused records, and that nothing is left."""

import io
import json
from pathlib import Path
from typing import Any

import demat
import pytest
from divided import Row, left, small

small = small  # a fixture


def lines(bad: set[int], count: int = 60) -> bytes:
    """Lines with an error in some, blank lines, and line feeds of both kinds."""
    made = [b'{"id":%d,"title":"Rest"}' % i for i in range(count)]
    for at in bad:
        made[at] = [b'{"id":"x","title":"Rest"}', b'{"id":1,"title"', b'{"id":1}'][at % 3]
    return b"".join(line + (b"\n", b"\r\n", b"\n\n")[at % 3] for at, line in enumerate(made))


def table(bad: set[int], count: int = 60) -> bytes:
    made = [b'%d,"a\nb"' % i for i in range(count)]
    for at in bad:
        made[at] = [b"x,a", b"1,a,2", b'1,"a"b'][at % 3]
    return b"id,title\n" + b"".join(row + (b"\n", b"\r\n", b"\n\n")[at % 3] for at, row in enumerate(made))


def said(error: BaseException) -> tuple[Any, ...]:
    own = {name: value for name, value in vars(error).items() if name != "_errors"}
    return type(error), str(error), own


def refused(src: Path, workers: int | None, **options: Any) -> tuple[Any, ...]:
    """What a copy gives, with all of its errors."""
    out, rejects = io.BytesIO(), []
    if options.get("on_error") == "collect":
        options["rejects"] = rejects
    try:
        done: Any = demat.copy(src, out, Row, to="ndjson", workers=workers, **options)
    except demat.Error as error:
        done = said(error), [said(one) for one in error.errors]
        if workers is not None:
            assert out.getvalue() == b""
    return done, [(said(error), data) for error, data in rejects]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("on_error", ["stop", "collect", "all"])
@pytest.mark.parametrize(("name", "data"), [("in.ndjson", lines({33, 34, 50})), ("in.csv", table({33, 35, 52}))])
def test_positions_are_those_in_the_whole_file(tmp_path: Path, name: str, data: bytes, on_error: str) -> None:
    src = tmp_path / name
    src.write_bytes(data)
    expected = refused(src, None, on_error=on_error)
    assert refused(src, 2, on_error=on_error) == expected


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize("on_error", ["stop", "collect"])
@pytest.mark.parametrize(("name", "data"), [("in.ndjson", lines({33, 36, 51})), ("in.csv", table({33, 36, 51}))])
def test_positions_count_records_that_are_left_out(tmp_path: Path, name: str, data: bytes, on_error: str) -> None:
    src = tmp_path / name
    src.write_bytes(data)
    expected = refused(src, None, on_error=on_error, where="id > 20")
    assert refused(src, 3, on_error=on_error, where="id > 20") == expected


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("name", "data"), [("in.ndjson", lines({1, 33, 35})), ("in.csv", table({0, 33}))])
def test_a_file_of_refused_records_is_the_same(tmp_path: Path, name: str, data: bytes) -> None:
    src = tmp_path / name
    src.write_bytes(data)
    demat.copy(src, tmp_path / "one", Row, to="json", on_error="skip", rejects=tmp_path / "one.rejects")
    demat.copy(src, tmp_path / "two", Row, to="json", on_error="skip", rejects=tmp_path / "two.rejects", workers=2)
    assert (tmp_path / "two").read_bytes() == (tmp_path / "one").read_bytes()
    assert (tmp_path / "two.rejects").read_bytes() == (tmp_path / "one.rejects").read_bytes() != b""
    assert left(tmp_path) == []


@pytest.mark.usefixtures("small")
def test_an_error_leaves_the_target_as_it_was(tmp_path: Path) -> None:
    src, dst = tmp_path / "in.ndjson", tmp_path / "out.csv"
    src.write_bytes(lines({55}))
    with pytest.raises(demat.DecodeError) as raised:
        demat.copy(src, dst, Row, workers=2)
    assert raised.value.record == 56
    assert not dst.exists()
    dst.write_bytes(b"old")
    for rejects in (lambda *_: 1 / 0,):
        with pytest.raises(ZeroDivisionError):
            demat.copy(src, dst, Row, workers=2, on_error="collect", rejects=rejects)
    assert dst.read_bytes() == b"old"
    assert left(tmp_path) == []


@pytest.mark.usefixtures("small")
def test_errors_of_several_files_name_the_file(tmp_path: Path) -> None:
    for name, bad in (("a", set()), ("b", {42})):
        (tmp_path / f"{name}.ndjson").write_bytes(lines(bad))
    with pytest.raises(demat.ValidationError, match=r"b\.ndjson, record 43, line ") as raised:
        demat.copy(tmp_path, io.BytesIO(), Row, to="json", workers=2)
    assert raised.value.path == "$[42].id"


@pytest.mark.usefixtures("small")
def test_an_open_quote_is_told_once_where_it_is(tmp_path: Path) -> None:
    src = tmp_path / "in.csv"
    src.write_bytes(b"id,title\n" + b"1,a\n" * 30 + b'2,"open\n' + b"3,b\n" * 60)
    for on_error in ("stop", "collect"):
        expected = refused(src, None, on_error=on_error)
        assert refused(src, 2, on_error=on_error) == expected


def test_places_that_are_not_there_or_not_to_be_written(tmp_path: Path) -> None:
    with pytest.raises(demat.StoreError) as raised:
        demat.copy([tmp_path / "a.ndjson", tmp_path / "b.ndjson"], io.BytesIO(), Row, to="json", workers=2)
    assert isinstance(raised.value, FileNotFoundError)
    (tmp_path / "in.ndjson").write_bytes(lines(set(), 3))
    two = [tmp_path / "in.ndjson"] * 2
    for target, kind in ((tmp_path, IsADirectoryError), (tmp_path / "no" / "out", FileNotFoundError)):
        with pytest.raises(demat.StoreError, match="can't be written") as raised:
            demat.copy(two, target, Row, to="ndjson", workers=2)
        assert isinstance(raised.value, kind)


REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"src": "-"}, "not standard input"),
    ({"src": b"{}"}, "not bytes"),
    ({"src": iter([b"{}"])}, "not a list_iterator"),
    ({"src": io.BytesIO(b"{}")}, "not a BytesIO"),
    ({"src": ["a.ndjson"]}, "chunks of one source"),
    ({"src": []}, "no file to copy"),
    ({"src": "*.nothing"}, "no file matches"),
    ({"workers": 0}, "a number of processes"),
    ({"workers": True}, "a number of processes"),
    ({"first": 3}, "first="),
    ({"dst": ["a.json", "b.json"]}, "one target"),
    ({"to": "parquet"}, "parts can be joined"),
    ({"to": "sqlite"}, "parts can be joined"),
    ({"to": "msgpack"}, "sequence"),
    ({"write": {"indent": 2}}, "without indent="),
    ({"dst": "out.json.gz"}, "not compressed"),
    ({"type": None, "fields": ["id"]}, "needs type= with fields="),
    ({"type": None, "where": "id > 1"}, "needs type= with where="),
    ({"type": None, "to": "csv"}, "needs type= where a table is written"),
    ({"type": dict[str, Any], "to": "csv"}, "a class with fields"),
    ({"progress": True}, "a bar of one process"),
    ({"on_error": "collect"}, "needs rejects="),
    ({"on_error": "all", "rejects": []}, "takes no rejects="),
    ({"on_error": "never"}, "on_error is"),
    ({"read": {"delimiter": ";"}}, "no option"),
    ({"write": {"delimiter": ";"}}, "no option"),
]


@pytest.mark.usefixtures("small")
@pytest.mark.parametrize(("changed", "message"), REFUSED)
def test_what_is_refused(
    tmp_path: Path, changed: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.ndjson").write_bytes(lines(set()))
    said = {"src": "in.ndjson", "dst": "out.json", "type": Row, "workers": 2, **changed}
    with pytest.raises((ValueError, TypeError), match=message):
        demat.copy(said.pop("src"), said.pop("dst"), **said)
    assert [path.name for path in tmp_path.iterdir()] == ["in.ndjson"]


@pytest.mark.usefixtures("small")
def test_tables_without_a_type_have_the_same_header(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_bytes(b"id,title\n1,a\n")
    (tmp_path / "b.csv").write_bytes(b"title,id\r\nb,2\r\n")
    with pytest.raises(ValueError, match="different headers"):
        demat.copy(tmp_path, io.BytesIO(), to="ndjson", workers=2)
    (tmp_path / "b.csv").write_bytes(b"id,title\r\n2,b\r\n")
    out = io.BytesIO()
    demat.copy(tmp_path, out, to="json", workers=2)
    assert json.loads(out.getvalue()) == [{"id": "1", "title": "a"}, {"id": "2", "title": "b"}]
