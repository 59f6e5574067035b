"""The modules of the formats, as the interpreter reads them: the native module's verbs, bound to a format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from demat._formats import COLUMNS, WRITE

from . import prose

if TYPE_CHECKING:
    from demat._formats import Format

NAMES = (
    "Decoder",
    "Encoder",
    "columns",
    "decode",
    "dumps",
    "encode",
    "encode_into",
    "loads",
    "parser",
    "read",
    "validate",
    "write",
)


def names_of(form: Format) -> list[str]:
    """The names that the format's module exports."""
    lazy = ("lazy",) if form.looked_into else ()
    return sorted((*NAMES, *lazy, *(name for name, _ in form.classes)))


def module(form: Format) -> str:
    """The text of the format's module."""
    exported = names_of(form)
    names = ", ".join(f'"{name}"' for name in exported)
    about = [
        form.summary,
        prose.paragraph(form.doc),
        "`loads` and `dumps` are `decode` and `encode`, under the names that are typed first.",
        form.example,
        "`decode(data, type=Any, **options)` and `Decoder(type=Any, **options)`:",
        prose.options(form.reading),
        "`validate(data, type=Any, **options)` takes the same options but `gc`, and returns nothing.",
        *(["`decode` also takes:", prose.options(form.decoding)] if form.decoding else []),
        *(
            ["`lazy(data)` or `lazy(path=…)`, and the options:", prose.options(prose.about_text(form))]
            if form.looked_into
            else []
        ),
        "`read(place, type=Any, **options)`, with the options of `decode` and:",
        prose.options(form.streaming),
        "`parser(type=Any, target=None, **options)`, with the options of `read`, takes the bytes as they come.",
        "`encode(value, **options)`, `encode_into(value, buffer, **options)` and `Encoder(**options)`:",
        prose.options(form.writing),
        "`write(place, values, type=None, **options)` takes the options of `encode`, and:",
        prose.options(WRITE),
        "`columns(place, type=None, **options)`:",
        prose.options((*COLUMNS, *prose.about_text(form))),
    ]
    return (
        f"{prose.docstring(about, 0)}\n"
        f"{prose.NOTICE}\n"
        f"from demat import _native, _placed\n"
        f"from demat._native import {form.name} as _verbs\n\n"
        f"{_checked(form)}"
        f"__all__ = [{names}]\n\n"
        "decode = loads = _verbs.decode\n"
        "encode = dumps = _verbs.encode\n"
        "encode_into = _verbs.encode_into\n"
        "validate = _verbs.validate\n"
        f"{'lazy = _verbs.lazy' + chr(10) if form.looked_into else ''}"
        "read = _placed.read_of(_verbs)\n"
        "write = _placed.write_of(_verbs)\n"
        "columns = _placed.columns_of(_verbs)\n\n\n"
        "def parser(type: object = None, /, *, target: object = None, **options: object) -> object:\n"
        f"{prose.docstring(prose.parser(form))}\n"
        "    from demat._parser import parser\n\n"
        "    return parser(_verbs, type, target, options)  # type: ignore[arg-type]\n\n\n"
        f"class Decoder(_native.Decoder):\n{prose.docstring(prose.decoder(form))}\n"
        "    __slots__ = ()\n"
        f'    _format = "{form.name}"\n'
        "    # `Decoder[Task]`, for annotations; `types` would have to be imported for this one name.\n"
        "    __class_getitem__ = classmethod(type(list[int]))  # pyright: ignore[reportArgumentType]\n\n\n"
        f"class Encoder(_native.Encoder):\n{prose.docstring(prose.encoder(form))}\n"
        "    __slots__ = ()\n"
        f'    _format = "{form.name}"\n'
        f"{_lazily(form)}"
    )


def _checked(form: Format) -> str:
    """Imports the module's classes for type checkers only."""
    if not form.classes:
        return ""
    imports = "".join(f"    from demat.{where} import {name}\n" for name, where in form.classes)
    return f"TYPE_CHECKING = False\nif TYPE_CHECKING:\n{imports}\n"


def _lazily(form: Format) -> str:
    """Imports the module's classes when they are used, so that importing the module stays quick."""
    if not form.classes:
        return ""
    cases = "".join(
        f'    if name == "{name}":\n        from demat.{where} import {name}\n\n        return {name}\n'
        for name, where in form.classes
    )
    return (
        "\n\ndef __getattr__(name: str) -> object:\n"
        f"{cases}"
        '    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")\n'
    )
