"""`demat.edit` of CSV and XML: of a changed record, only the values that changed have other bytes."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import demat
import pytest
from demat import Field, csv, xml


@dataclass
class Person:
    name: str
    age: int | None = None
    born: date | None = None


@dataclass
class Book:
    id: Annotated[int, Field(xml="attribute")]
    title: str
    pages: int | None = None
    tags: list[str] = field(default_factory=list)


def write(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def older(person: Person) -> None:
    if person.age is not None:
        person.age += 1


TABLE = '\ufeff"name",note, age ,age,born\r\n"Ada, B.", x ,?,"36",1815-12-10\n\nBob,"say ""hi""\n",,,\rC,"",1,9,'


def test_only_cells_that_changed_are_written(tmp_path: Path) -> None:
    path = write(tmp_path / "people.csv", TABLE)
    read = {"unknown": "ignore"}
    assert demat.edit(path, Person, older, read=read) == (3, 2)
    assert path.read_bytes().decode() == TABLE.replace('"36"', '"37"').replace("1,9,", "1,10,")
    # With a condition, and a value that was null, or becomes it.
    assert demat.edit(path, Person, lambda one: Person(one.name, 5, date(2000, 1, 2)), where="name = 'Bob'") == (1, 1)
    assert b'Bob,"say ""hi""\n",,5,2000-01-02\r' in path.read_bytes()
    assert demat.edit(path, Person, lambda one: Person("x,\n", None), where="age = 37") == (1, 1)
    assert path.read_bytes().startswith('\ufeff"name",note, age ,age,born\r\n"x,\n", x ,?,,\n\nBob'.encode())


def test_what_the_type_does_not_know_stays(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "id,name,x\n1,a, y\n")
    demat.edit(path, Person, lambda one: Person("b"))
    assert path.read_text() == "id,name,x\n1,b, y\n"
    before = path.stat()
    assert demat.edit(path, Person, lambda one: one) == (1, 0)
    assert path.stat() == before


def test_other_tables(tmp_path: Path) -> None:
    path = write(tmp_path / "a.tsv", "name\tage\n'a'\t1\n")
    demat.edit(path, Person, older)
    assert path.read_text() == "name\tage\n'a'\t2\n"
    path = write(tmp_path / "b.csv", "'a;b';1;;more\nc;NA;;\n")
    read = {"delimiter": ";", "quote": "'", "header": False, "null": "NA", "ragged": "pad"}

    def change(one: list[str | None]) -> list[str | None]:
        return [one[0], "x;y", *one[2:]]

    assert demat.edit(path, list[str | None], change, read=read) == (2, 2)  # type: ignore[arg-type]
    assert path.read_text() == "'a;b';'x;y';;more\nc;'x;y';;\n"
    path = write(tmp_path / "c.csv", "a,b\n1,2\n")
    assert demat.edit(path, Any, lambda row: {**row, "b": "3"}) == (1, 1)
    assert path.read_text() == "a,b\n1,3\n"
    assert demat.edit(path, dict[str, int], lambda row: {**row, "a": 7}) == (1, 1)
    assert path.read_text() == "a,b\n7,3\n"
    assert demat.edit(path, tuple[int, int], lambda row: (row[0], 9)) == (1, 1)
    assert path.read_text() == "a,b\n7,9\n"
    with pytest.raises(demat.ValidationError, match="`2` has changed"):
        demat.edit(path, list[int], lambda row: [*row, 1])


def test_a_change_without_a_column_is_refused(tmp_path: Path) -> None:
    path = write(tmp_path / "a.csv", "name\nx\n")
    with pytest.raises(demat.ValidationError, match=r"`age` has changed.*no column"):
        demat.edit(path, Person, lambda one: Person(one.name, 1))
    assert path.read_text() == "name\nx\n"
    for option in ("header", "delimiter", "line_ending"):
        with pytest.raises(TypeError, match=option):
            demat.edit(path, Person, older, write={option: ","})
    with pytest.raises(ValueError, match="items|whole rows"):
        demat.edit(path, Person, older, at="$.name")


BOOKS = """<?xml version='1.0'?>
<!-- all -->
<books xmlns:x="urn:x" at = '1'>
  <book  id='1' x:more="y">
    <title>A &#65; <!-- t --></title> <!-- keep -->
    <x:own>1</x:own>
    <pages> 10 </pages><tags>a</tags>
    <tags  >b</tags  >
  </book>
  <book id="2"><title><![CDATA[<B>]]></title></book >
  <?pi keep?>
</books>
"""


def test_only_parts_of_an_element_that_changed_are_written(tmp_path: Path) -> None:
    path = write(tmp_path / "books.xml", BOOKS)

    def change(book: Book) -> None:
        book.id += 6
        if book.pages:
            book.pages += 1
            book.tags.append("c")

    assert demat.edit(path, Book, change, read={"unknown": "ignore"}) == (2, 2)
    expected = (
        BOOKS.replace("id='1'", "id='7'")
        .replace(" 10 ", " 11 ")
        .replace("b</tags  >", "b</tags  >\n    <tags>c</tags>")
        .replace('id="2"', 'id="8"')
    )
    assert path.read_text() == expected
    # A new child, and one that is gone.
    assert demat.edit(path, Book, lambda book: Book(book.id, "C<", 3), where="id = 8", read={"unknown": "ignore"}) == (
        1,
        1,
    )
    assert path.read_text() == expected.replace(
        "<title><![CDATA[<B>]]></title>", "<title>C&lt;</title><pages>3</pages>"
    )
    assert demat.edit(
        path, Book, lambda book: Book(book.id, book.title), where="id = 7", read={"unknown": "ignore"}
    ) == (1, 1)
    assert "<x:own>1</x:own>\n  </book>" in path.read_text()


def test_elements_further_down(tmp_path: Path) -> None:
    text = (
        "<all>\n <head/>\n <books><book id='1'><title>a</title></book>\n\t"
        "<book id='2'><title>b</title></book></books>\n</all>"
    )
    path = write(tmp_path / "a.xml", text)
    assert demat.edit(path, Book, lambda book: Book(book.id, "new"), at="all/books/book", where="id = 2") == (1, 1)
    assert path.read_text() == text.replace("<title>b", "<title>new")


def test_what_can_not_be_done_in_place_is_refused(tmp_path: Path) -> None:
    utf16 = '<?xml version="1.0" encoding="UTF-16"?><a><b id="1"><title>x</title></b></a>'.encode("utf-16")
    path = write(tmp_path / "a.xml", utf16)
    with pytest.raises(demat.Error, match="do not lie in the document"):
        demat.edit(path, Book, lambda book: Book(2, "y"))
    assert path.read_bytes() == utf16


@pytest.mark.parametrize("seed", range(30))
def test_an_edit_changes_the_values_and_no_other_byte(seed: int, tmp_path: Path) -> None:
    """Records around the size of the window, of which some change."""
    dice = random.Random(seed)
    count = dice.choice([0, 1, 3, 200])
    names = ["é,\"'<&\n" * dice.choice([0, 1, 100, 3000]) + f"n{index}" for index in range(count)]
    people = [Person(name, dice.choice([None, index])) for index, name in enumerate(names)]
    wanted = {index for index in range(count) if dice.random() < 0.4}

    def change(person: Person) -> Person | None:
        index = int(person.name.rpartition("n")[2])
        return Person(person.name[-3:], 7) if index in wanted else None

    changed = [change(person) or person for person in people]
    path = tmp_path / "a.csv"
    path.write_bytes(csv.encode(people, type=list[Person], line_ending="\r\n"))
    done = demat.edit(path, Person, change)
    assert done.records == count
    assert csv.decode(path.read_bytes(), list[Person]) == changed
    rows = [csv.encode([one], type=list[Person], line_ending="\r\n", header=False) for one in changed]
    for index in wanted:
        # A cell that had quotes has them still.
        name = changed[index].name.encode()
        if "," in names[index] and not rows[index].startswith(b'"'):
            rows[index] = rows[index].replace(name, b'"%s"' % name, 1)
    assert path.read_bytes() == b"name,age,born\r\n" + b"".join(rows)
    path = tmp_path / "a.xml"
    path.write_bytes(xml.encode(people, type=list[Person], indent=2))
    assert demat.edit(path, Person, change) == done
    assert xml.decode(path.read_bytes(), list[Person]) == changed
    assert path.read_bytes() == xml.encode(changed, type=list[Person], indent=2)


@pytest.mark.parametrize("name", ["a.csv", "a.xml"])
def test_the_file_stays_as_it_was_after_an_error(name: str, tmp_path: Path) -> None:
    text = {"a.csv": "name,age\na,1\nb,2\n", "a.xml": "<a><p><name>a</name></p><p><name>b</name></p></a>"}[name]
    path = write(tmp_path / name, text)

    def fails(person: Person) -> None:
        person.age = 5
        if person.name == "b":
            raise ValueError("not b")

    with pytest.raises(ValueError, match="^not b"):
        demat.edit(path, Person, fails)
    assert path.read_text() == text

    def returns(person: Person) -> Any:
        return person if person.name == "a" else 5

    with pytest.raises(demat.EncodeError):
        demat.edit(path, Person, returns)
    assert path.read_text() == text
    assert [one.name for one in tmp_path.iterdir()] == [name]
