"""Ways of writing a name of several words: what `rename="camel"` does to `due_date`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


def words(name: str) -> list[str]:
    """The words of a name in lower case: `http_server`, `HttpServer` and `HTTPServer` have the same two."""
    found = [""]
    for index, char in enumerate(name):
        before = name[index - 1] if index else ""
        after = name[index + 1 : index + 2]
        begins = char.isupper() and before not in ("", "_") and (not before.isupper() or after.islower())
        if char == "_" or begins:
            found.append("")
        if char != "_":
            found[-1] += char.lower()
    return [word for word in found if word]


def _capitalised(word: str) -> str:
    return word[0].upper() + word[1:]


def _pascal(name: str) -> str:
    return "".join(map(_capitalised, words(name)))


def _camel(name: str) -> str:
    first, *others = words(name) or [""]
    return first + "".join(map(_capitalised, others))


CASES: dict[str, Callable[[str], str]] = {
    "camel": _camel,
    "pascal": _pascal,
    "snake": lambda name: "_".join(words(name)),
    "screaming_snake": lambda name: "_".join(words(name)).upper(),
    "kebab": lambda name: "-".join(words(name)),
    "lower": str.lower,
    "upper": str.upper,
}


def renamed(name: str, case: str) -> str:
    """The name in that case; itself where no word is in it (`_`)."""
    return CASES[case](name) or name
