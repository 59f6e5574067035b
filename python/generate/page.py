"""The page that lists all formats, from what the native module says of them."""

from __future__ import annotations

from demat import _native

HEAD = """# Formats

All formats that Demat reads and writes. `make stubs` writes this page from the native list; `demat formats` prints the
same. [Adding a format](adding-a-format.md) shows how to add one.

Options that all formats share, such as `type` and `compression`, are on [Streams](python/streams.md).
[Conformance](conformance.md) shows which values each of them holds.

"""


def page() -> str:
    """The text of `docs/formats.md`."""
    formats = _native.describe_formats()
    rows = ["| format | suffixes | media types | is |", "|---|---|---|---|"]
    for one in formats:
        suffixes, types = _codes(one["suffixes"]), _codes(one["media_types"])
        rows.append(f"| [`{one['name']}`](#{one['name']}) | {suffixes} | {types} | {one['description']} |")
    parts = [HEAD + "\n".join(rows) + "\n"]
    for one in formats:
        parts.append(f"\n## {one['name']}\n\n{_sentence(one['description'])}\n")
        for word, key in (("reading", "read"), ("writing", "write")):
            parts.append(_options(word, one[key]))
    return "".join(parts)


def _options(word: str, options: list[tuple[str, str, str]]) -> str:
    if not options:
        return f"\nThere are no options for {word}.\n"
    rows = [f"| `{name}` | `{default}` | {text} |" for name, default, text in options]
    return "\n" + "\n".join([f"| option for {word} | default | is |", "|---|---|---|", *rows]) + "\n"


def _codes(words: list[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


__all__ = ["page"]
