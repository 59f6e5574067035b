"""Kinds of texts."""

from dataclasses import dataclass

from zoo.kind import kind
from zoo.seeded import Seeded


@dataclass(slots=True)
class Comment:
    """The bench's own record, each with a comment of its own."""

    hi: int
    there: int
    comment: str


@kind("records", Comment)
def records(seed: Seeded, number: int) -> Comment:
    """The comment is as long as the word `comment`."""
    return Comment(number + 1, 2 * (number + 1), f"{seed.word() & 0xFFFFFFF:07x}")


@dataclass(slots=True)
class Text:
    """A number and two texts."""

    id: int
    name: str
    text: str


@kind("short-texts", Text)
def short_texts(seed: Seeded, number: int) -> Text:
    """5 to 24 characters."""
    return Text(number, seed.text(seed.between(5, 14)), seed.text(seed.between(8, 24)))


@dataclass
class Plain:
    """Without slots, as most dataclasses are: the attributes are in a `__dict__`, or where one would be made of."""

    id: int
    name: str
    price: float
    paid: bool
    text: str


@kind("plain", Plain)
def plain(seed: Seeded, number: int) -> Plain:
    """Five attributes, all of one kind each."""
    return Plain(number, seed.text(seed.between(5, 14)), seed.below(100_000) / 128, number % 3 == 0, seed.text(20))


@kind("long-texts", Text)
def long_texts(seed: Seeded, number: int) -> Text:
    """Some hundreds to thousands of characters."""
    return Text(number, seed.text(seed.between(30, 60)), seed.text(seed.between(300, 3000)))


def salted(seed: Seeded, size: int, salt: str | list[str]) -> str:
    """A text with one of `salt` about every ten characters."""
    plain = seed.text(size)
    pieces = [plain[at : at + 10] + str(seed.pick(salt)) for at in range(0, len(plain), 10)]
    return "".join(pieces)


@kind("escaped-texts", Text)
def escaped_texts(seed: Seeded, number: int) -> Text:
    """Quotes, backslashes and line breaks, as in code and in logs."""
    return Text(number, salted(seed, 12, '"\\\n'), salted(seed, seed.between(30, 120), '"\\\n\t/\r\x01'))


@kind("unicode-escapes", Text, spelling="ascii")
def unicode_escapes(seed: Seeded, number: int) -> Text:
    """Characters beyond ASCII, all spelled as escapes, as Python's `json` spells them."""
    return Text(number, salted(seed, 12, "éüñ"), salted(seed, seed.between(30, 120), "éß→語😀"))


LETTERS = [
    chr(code) for code in (*range(0x430, 0x450), *range(0x3B1, 0x3C9), *range(0x4E00, 0x4F00), *range(0xE0, 0xF6))
]


@kind("non-ascii", Text)
def non_ascii(seed: Seeded, number: int) -> Text:
    """A Cyrillic, Greek, Chinese or accented text, some with emoji."""

    def text(size: int) -> str:
        at = int(seed.pick((0, 0, 32, 56, 120, 312)))
        letters = "".join(LETTERS[(at + seed.below(22)) % len(LETTERS)] for _ in range(size))
        return letters + ("😀" if seed.below(10) == 0 else "")

    return Text(number, text(seed.between(4, 12)), text(seed.between(10, 60)))
