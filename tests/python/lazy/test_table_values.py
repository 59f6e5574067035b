"""Lazy values of CSV: rows by their index, cells by the name of the column, and no other cell is decoded."""

from __future__ import annotations

import pickle
import random
from dataclasses import dataclass
from typing import Annotated

import demat
import pytest
from demat import csv
from hypothesis import given
from hypothesis import strategies as st

DATA = b'id,name,note\n1,Ada,"a, b"\n2,Alan,\n3,"Gr\xc3\xa4ce\nHopper","say ""hi"""\n'


@dataclass
class Person:
    id: int
    name: str
    note: str | None = None


def test_rows_and_cells():
    doc = csv.lazy(DATA)
    assert len(doc) == 3
    assert doc[0]["name"].str() == "Ada"
    assert doc[2]["name"].str() == "Gr\u00e4ce\nHopper"
    assert doc[-1]["note"].str() == 'say "hi"'
    assert doc[1]["id"].int() == 2
    assert doc.at("[1].id").float() == 2.0
    assert doc.at("$[0].note").str() == "a, b"
    assert [row["id"].int() for row in doc] == [1, 2, 3]
    assert list(doc[1]) == ["id", "name", "note"]
    assert [cell.value() for cell in doc[0].values()] == ["1", "Ada", "a, b"]
    assert (doc.kind, doc[0].kind, doc[0]["id"].kind) == ("list", "dict", "str")
    assert "id" in doc[0]
    assert "none" not in doc[0]
    assert doc[0].get("none", 5) == 5
    assert len(doc[0]) == 3
    assert doc[1]["note"].kind == "None"
    assert doc[0].decode(Person) == Person(1, "Ada", "a, b")
    assert doc.decode(list[Person]) == csv.decode(DATA, list[Person])
    assert doc.value() == csv.decode(DATA)
    assert doc[1].value() == csv.decode(DATA)[1]


def test_the_options_of_tables(tmp_path):
    text = "a;b\n1;x\n2;y\n"
    doc = csv.lazy(text, delimiter=";")
    assert doc[1]["b"].str() == "y"
    bare = csv.lazy(b"1,x\n2,y\n", header=False)
    assert bare[1][1].str() == "y"
    assert (bare[0].kind, len(bare[0]), bare[0][-1].str()) == ("list", 2, "x")
    path = tmp_path / "people.csv"
    path.write_bytes(b"\xef\xbb\xbf" + DATA)
    with csv.lazy(path=path) as doc:
        assert doc[2]["id"].int() == 3
    with pytest.raises(ValueError, match="closed"):
        doc[0]
    with pytest.raises(TypeError, match="no option"):
        csv.lazy(DATA, depth=3)
    crlf = csv.lazy(b"a,b\r\n1,2\r\n\r\n3,4\r\n")
    assert [row["b"].int() for row in crlf] == [2, 4]
    assert len(csv.lazy(b"a,b\n")) == 0
    assert not csv.lazy(b"a,b\n")


def test_errors_have_their_place():
    doc = csv.lazy(DATA)
    with pytest.raises(demat.ValidationError) as caught:
        doc[1]["name"].int()
    assert (caught.value.path, caught.value.line, caught.value.record) == ("$[1].name", 3, 2)
    with pytest.raises(IndexError) as caught:
        doc[3]
    assert caught.value.path == "$"
    with pytest.raises(KeyError) as caught:
        doc[0]["none"]
    assert caught.value.path == "$[0]"
    with pytest.raises(TypeError):
        doc[1.5]
    with pytest.raises(demat.ValidationError) as caught:
        doc[2].decode(dict[str, int])
    assert caught.value.path == "$[2].name"
    with pytest.raises(demat.ValidationError):
        doc[0]["id"]["x"]
    with pytest.raises(demat.ValidationError):
        doc[0]["id"].decode(list[int])


def test_damaged_tables():
    # What is passed on the way is checked as little as it has to be; what is asked for is checked.
    bad = csv.lazy(b"a,b\n1,2\n3\n4,\xff\n5,6\n")
    assert bad[0]["b"].int() == 2
    with pytest.raises(demat.Error):
        bad[1]["b"].int()
    with pytest.raises(demat.Error):
        bad[2]["b"].str()
    for data in (b"", b"\n", b'"', b'a,b\n"1', b"a\n\x00\n", b"a,a\n1,2\n"):
        try:
            doc = csv.lazy(data)
            for row in doc:
                for key in row:
                    row[key].value()
        except demat.Error:
            pass


def test_bytes_that_change():
    data = bytearray(b"a,b\n" + b"".join(b"%d,%d\n" % (n, n) for n in range(100)))
    doc = csv.lazy(data)
    row = doc[50]
    cell = row["b"]
    assert cell.int() == 50
    data[:] = b"x" * len(data)
    # What stands there now is read, and nothing that was found before is trusted.
    for ask in (cell.int, lambda: row["a"].int(), lambda: doc[51]["a"].int()):
        with pytest.raises(demat.Error):
            ask()
    assert list(row.value()) == ["x" * len(data)]

    class Changing:
        def __init__(self, text):
            data[:] = b"y" * len(data)

    data[:] = b"a,b\n" + b"z,z\n" * ((len(data) - 4) // 4) + b"\n" * ((len(data) - 4) % 4)
    hook = demat.Hook(wire=str, decode=Changing, encode=str)
    made = csv.lazy(data)[3].decode(dict[str, Annotated[Changing, hook]])
    assert set(made) == {"a", "b"}


def test_a_large_table_is_linear():
    rows = 20_000
    data = b"id,text,value\n" + b"".join(b'%d,"line\n%d",%d\n' % (n, n, n * n) for n in range(rows))
    doc = csv.lazy(data)
    order = list(range(rows))
    random.Random(3).shuffle(order)
    for n in order[:500]:
        assert doc[n]["value"].int() == n * n
        assert doc[n]["text"].str() == f"line\n{n}"
    assert sum(row["value"].int() for row in doc) == sum(n * n for n in range(rows))
    assert len(doc) == rows


@given(
    st.lists(
        st.lists(st.text(alphabet=st.characters(codec="utf-8", exclude_characters="\x00")), min_size=3, max_size=3)
    )
)
def test_they_are_what_decode_reads(rows):
    data = csv.encode([dict(zip("abc", row, strict=True)) for row in rows] or [{"a": "", "b": "", "c": ""}])
    whole = csv.decode(data)
    doc = csv.lazy(data)
    assert len(doc) == len(whole)
    for index in reversed(range(len(whole))):
        assert {key: cell.value() for key, cell in doc[index].items()} == whole[index]
        assert doc[index]["b"].value() == whole[index]["b"]


def test_they_are_written_by_what_they_hold():
    doc = csv.lazy(DATA)
    with pytest.raises((TypeError, demat.Error)):
        pickle.dumps(doc[0])
