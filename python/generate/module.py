"""The modules of the formats, as the interpreter reads them: the verbs of the native module, bound."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import prose

if TYPE_CHECKING:
    from demat._formats import Format

NAMES = ("Decoder", "Encoder", "decode", "dumps", "encode", "encode_into", "loads")


def module(form: Format) -> str:
    """The text of the format's module."""
    names = ", ".join(f'"{name}"' for name in NAMES)
    about = [
        form.summary,
        prose.paragraph(form.doc),
        "`loads` and `dumps` are `decode` and `encode`, under the names that are typed first.",
        form.example,
        "`decode(data, type=Any, **options)` and `Decoder(type=Any, **options)`:",
        prose.options(form.reading),
        "`encode(value, **options)`, `encode_into(value, buffer, **options)` and `Encoder(**options)`:",
        prose.options(form.writing),
    ]
    return (
        f"{prose.docstring(about, 0)}\n"
        f"{prose.NOTICE}\n"
        f"from demat._native import {form.name} as _format\n\n"
        f"__all__ = [{names}]\n\n"
        "decode = loads = _format.decode\n"
        "encode = dumps = _format.encode\n"
        "encode_into = _format.encode_into\n"
        "Decoder = _format.Decoder\n"
        "Encoder = _format.Encoder\n"
    )
