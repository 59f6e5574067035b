"""CSV that Demat writes reads back equal, or writing is refused. Headers are checked even without rows."""

import io
from dataclasses import dataclass

import demat
import pytest
from demat import csv
from hypothesis import given, settings
from hypothesis import strategies as some


@dataclass
class Pair:
    a: str | None
    b: str


@dataclass
class Strict:
    a: int
    b: int = 0


TEXT = some.one_of(
    some.none(),
    some.text(max_size=6),
    some.sampled_from(
        [
            "",
            "\ufeff",
            "\ufeffa",
            '\ufeff"',
            '"',
            "'",
            "a,b",
            "\t",
            "\r",
            "\n",
            "\r\n",
            " ",
            "=1",
            "null",
            "\u0000",
            "\uffff",
        ]
    ),
)
ROWS = some.lists(some.tuples(TEXT, TEXT.filter(lambda text: text is not None)), max_size=5)
OPTIONS = some.fixed_dictionaries(
    {
        "delimiter": some.sampled_from([",", ";", "\t", "|", " "]),
        "quote": some.sampled_from(['"', "'", None]),
        "header": some.booleans(),
    }
)


@settings(max_examples=1500, deadline=None)
@given(rows=ROWS, options=OPTIONS, line_ending=some.sampled_from(["\n", "\r\n"]))
def test_rows_read_back_as_they_were_or_are_refused(rows, options, line_ending):
    if options["quote"] == options["delimiter"]:
        return
    rows = [Pair(*row) for row in rows]
    try:
        written = csv.encode(rows, type=list[Pair], line_ending=line_ending, **options)
    except demat.EncodeError:
        return
    assert csv.decode(written, list[Pair], **options) == rows, written


@settings(max_examples=500, deadline=None)
@given(rows=some.lists(some.lists(TEXT, min_size=1, max_size=1), min_size=1, max_size=4), options=OPTIONS)
def test_dicts_of_one_column_read_back_as_they_were_or_are_refused(rows, options):
    rows = [{"only": row[0]} for row in rows]
    if not options["header"]:
        return
    try:
        written = csv.encode(rows, **options)
    except demat.EncodeError:
        return
    assert csv.decode(written, **options) == rows, written


@pytest.mark.parametrize("delimiter", [",", "\t"])
def test_a_byte_order_mark_of_the_first_cell_is_kept(delimiter):
    for header in (True, False):
        rows = [Pair("\ufeffx", "\ufeff"), Pair("\ufeff", "y")]
        written = csv.encode(rows, header=header, delimiter=delimiter)
        assert csv.decode(written, list[Pair], header=header, delimiter=delimiter) == rows
    assert csv.decode(csv.encode([{"\ufeffname": "1"}])) == [{"\ufeffname": "1"}]


def test_without_quotes_empty_text_is_told_from_null_or_refused():
    assert csv.encode([Pair(None, "")], quote=None) == b"a,b\n,\n"
    assert csv.decode(b"a,b\n,\n", list[Pair], quote=None) == [Pair(None, "")]
    with pytest.raises(demat.EncodeError, match="empty text") as raised:
        csv.encode([Pair("", "x")], quote=None)
    assert raised.value.path == "$[0].a"


VERBS = {
    "decode": lambda data, type_: csv.decode(data, list[type_]),
    "read": lambda data, type_: list(csv.read(io.BytesIO(data), type_)),
    "columns": lambda data, type_: csv.columns(data, type_),
    "columns in batches": lambda data, type_: list(csv.columns(data, type_, batch_size=2)),
    "copy": lambda data, type_: demat.copy(data, io.BytesIO(), type_, from_="csv", to="json"),
    "copy to columns": lambda data, type_: demat.copy(data, io.BytesIO(), type_, from_="csv", to="arrow"),
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("rows", [b"", b"1,2\n"])
def test_a_header_is_checked_with_and_without_rows(verb, rows):
    run = VERBS[verb]
    run(b"a,b\n" + rows, Strict)
    run(b"", Strict)  # an empty file is no table
    for header in (b"b,c\n", b"x,y\n"):
        with pytest.raises(demat.ValidationError, match="columns? `a`") as raised:
            run(header + rows, Strict)
        assert raised.value.line == 1


@pytest.mark.parametrize("rows", [b"", b"1,2\n"])
def test_a_column_that_is_forbidden_is_refused_without_rows_too(rows):
    for read in (
        lambda: csv.decode(b"a,z\n" + rows, list[Strict], unknown="forbid"),
        lambda: list(csv.read(io.BytesIO(b"a,z\n" + rows), Strict, unknown="forbid")),
        lambda: demat.copy(b"a,z\n" + rows, io.BytesIO(), "a: int, !", from_="csv", to="json"),
    ):
        with pytest.raises(demat.ValidationError, match="`?z`?"):
            read()


def test_a_header_alone_says_the_columns():
    assert csv.columns(b"a,b\n").names == ("a", "b")
    assert [field.name for field in __import__("dataclasses").fields(demat.define(b"a,b\n", format="csv"))] == [
        "a",
        "b",
    ]
    out = io.BytesIO()
    demat.copy(b"a,b\n", out, from_="csv", to="csv", infer=True)
    assert out.getvalue() == b"a,b\n"


def test_a_table_of_many_columns_is_no_map():
    names = [f"c{n}" for n in range(20_000)]
    data = (",".join(names) + "\n" + ",".join(["1"] * len(names)) + "\n").encode()
    assert csv.columns(data).names == tuple(names)


def test_cells_that_nobody_reads_are_text_in_utf8_all_the_same():
    for data in (b"a,b,c\n1,2,\xff\n", b"a,b,c\n1,\xff,3\n", b"z,a,b\n\xff,1,2\n"):
        for verb, run in VERBS.items():
            with pytest.raises(demat.DecodeError, match="UTF-8") as raised:
                run(data.replace(b"b,c", b"c,d") if data.startswith(b"a") else data.replace(b"a,b", b"a,d"), Strict)
            assert raised.value.line == 2, verb
    assert csv.decode("a,b,c\n1,2,ä\n".encode(), list[Strict]) == [Strict(1, 2)]


def test_a_text_stands_for_none() -> None:
    @dataclass
    class Row:
        n: int | None
        text: str | None

    rows = [Row(1, "NA"), Row(None, None), Row(2, "")]
    data = csv.encode(rows, null="NA")
    assert data == b'n,text\n1,"NA"\nNA,NA\n2,""\n'
    assert csv.decode(data, list[Row], null="NA") == rows
    assert csv.decode(b"n,text\n,NULL\n", list[Row], null="NULL") == [Row(None, None)]
    assert [row.n for row in csv.read(b"n,text\nNA,x\n", Row, null="NA")] == [None]
    for wrong in ("", "x" * 16):
        with pytest.raises((demat.Error, ValueError), match="from 1 to 15 bytes"):
            csv.decode(data, list[Row], null=wrong)
    with pytest.raises(TypeError, match="null"):
        csv.decode(data, list[Row], null=5)  # type: ignore[call-overload]
