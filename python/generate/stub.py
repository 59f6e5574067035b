"""What type checkers and editors read of the formats' modules."""

from __future__ import annotations

import re
from textwrap import indent
from typing import TYPE_CHECKING

from demat._formats import COLUMNS, ON_ERROR, WRITE

from . import prose
from .module import names_of

if TYPE_CHECKING:
    from demat._formats import Format, Option

# A class is a `type[T]`, which every checker knows; any other annotation (`A | B`, `Literal[...]`, `Annotated[...]`)
# is a `TypeForm[T]` (PEP 747), and so is `None`.
FORMS = ("builtins.type[_T]", "TypeForm[_T]")


def stub(form: Format) -> str:
    """The text of the format's stub."""
    value = "value: object"
    body = "\n".join(
        [
            _option_sets(form),
            _decode(form, "decode", prose.decode(form)),
            "loads = decode\n",
            _validate(form),
            *([_lazy(form)] if form.looked_into else []),
            _encode(form, "encode", f"{value}, /", "bytes", prose.encode(form)),
            "dumps = encode\n",
            _encode(
                form, "encode_into", f"{value}, buffer: bytearray, offset: int = 0, /", "None", prose.encode_into(form)
            ),
            _read(form),
            _parser(form),
            _write(form),
            _columns(form),
            _decoder(form),
            _encoder(form),
        ]
    )
    return f"{_head(form, body)}\n{body}"


def _head(form: Format, body: str) -> str:
    def used(names: tuple[str, ...]) -> str:
        return ", ".join(name for name in names if re.search(rf"\b{name}\b", body))

    imports = [
        "from demat._async_reader import AsyncReader\n",
        "from demat._configure import Rename, Unknown\n",
        f"from demat._native import {'LazyValue, ' if form.looked_into else ''}Reader\n",
        "from demat._parser import Parser\n",
        "from demat._places import AsyncPlace, Place, Target\n",
        *(f"from demat.{where} import {name} as {name}\n" for name, where in form.classes),
    ]
    generic = used(("AsyncIterable", "Callable", "Coroutine", "Iterable", "Mapping", "Sequence"))
    return (
        f"{prose.NOTICE}\n"
        "import builtins\n"
        f"from collections.abc import {generic}\n"
        f"{'from os import PathLike' + chr(10) if used(('PathLike',)) else ''}"
        "from types import GenericAlias\n"
        "from typing import "
        f"Any, Literal, {'Never, ' if form.typed else ''}Self, TypedDict, TypeVar, Unpack, overload\n\n"
        "from typing_extensions import Buffer, TypeForm\n\n"
        f"from demat import Columns, ColumnStream, {'Error, ' if '[Error, bytes]' in body else ''}Hook, _native\n"
        f"{''.join(sorted(imports))}\n"
        '_T = TypeVar("_T")\n'
        '_T_co = TypeVar("_T_co", covariant=True)\n\n'
        f"__all__ = {names_of(form)!r}\n"
    )


def _option_sets(form: Format) -> str:
    """The options that the overloads after the first unpack (PEP 692): written once, and not in each of them."""
    # Those that decide what `read` yields differ from overload to overload.
    streaming = tuple(option for option in form.streaming if option.name not in ("batch", "keys"))
    sets = [
        _option_set("_Reading(TypedDict", form.reading),
        *([_option_set("_Decoding(_Reading", form.decoding)] if form.decoding else []),
        _option_set("_Streaming(_Reading", streaming),
    ]
    return "\n".join(sets)


def _option_set(head: str, options: tuple[Option, ...]) -> str:
    lines = "".join(f"    {option.name}: {_qualified(option.type)}\n" for option in options)
    return f"class {head}, total=False):\n{lines}"


def _decode(form: Format, name: str, doc: list[str]) -> str:
    data = "data: Buffer, /" if form.binary else "data: str | Buffer, /"
    untyped = _function(name, data, _options(form.reading + form.decoding), form.untyped_type, doc)
    options = "_Decoding" if form.decoding else "_Reading"
    typed = [_repeated(name, f"{data}, type: {form_}", options, "_T") for form_ in FORMS]
    return "".join(f"@overload\n{function}" for function in [untyped, *typed])


def _validate(form: Format) -> str:
    data = "data: Buffer, /" if form.binary else "data: str | Buffer, /"
    options = _options(tuple(option for option in form.reading if option.name not in ("gc", "lazy", "ordered")))
    return _function("validate", f"{data}, type: TypeForm[Any] = ...", options, "None", prose.validate(form))


def _lazy(form: Format) -> str:
    options = _options(prose.about_text(form))
    data = "data: Buffer, /" if form.binary else "data: str | Buffer, /"
    verbs = [
        _function("lazy", data, ["path: None = None", *options], "LazyValue", prose.lazy(form)),
        _function("lazy", "data: None = None, /", ["path: str | PathLike[str]", *options], "LazyValue"),
    ]
    return "".join(f"@overload\n{verb}" for verb in verbs)


def _encode(form: Format, name: str, values: str, result: str, doc: list[str]) -> str:
    return _function(name, values, _options(form.writing), result, doc)


def _read(form: Format) -> str:
    functions: list[str] = []
    untyped = "Never" if form.typed else "Any"
    for place, reader in (("Place", "Reader"), ("AsyncPlace", "AsyncReader")):
        for way in _ways(form):
            for kind, record in (("", untyped), *((f", type: {kind}", "_T") for kind in FORMS)):
                given = f"tuple[str, {record}]" if way.get("keys") == "keys: Literal[True]" else record
                given = f"list[{given}]" if way["batch"] == "batch: int" else given
                values, result = f"place: {place}, /{kind}", f"{reader}[{given}]"
                if functions:
                    functions.append(_repeated("read", f"{values}, *, {', '.join(way.values())}", "_Streaming", result))
                    continue
                options = [way.get(option.name) or _option(option) for option in form.streaming + form.reading]
                functions.append(_function("read", values, options, result, prose.read(form)))
    return "".join(f"@overload\n{function}" for function in functions)


def _ways(form: Format) -> list[dict[str, str]]:
    """The options of `read` that decide what is yielded, by name, as a stub writes them."""
    has_keys = any(option.name == "keys" for option in form.streaming)
    keys: list[dict[str, str]] = (
        [{"keys": "keys: Literal[False] = False"}, {"keys": "keys: Literal[True]"}] if has_keys else [{}]
    )
    return [{**key, "batch": batch} for key in keys for batch in ("batch: None = None", "batch: int")]


def _parser(form: Format) -> str:
    functions: list[str] = []
    for kind, record in (("type: None = None, /, *, ", "Any"), *((f"type: {kind}, /, *, ", "_T") for kind in FORMS)):
        doc = f"\n{prose.docstring(prose.parser(form))}" if not functions else " ...\n"
        target = f"target: Callable[[{record}], object] | None = None, **options: Any"
        functions.append(f"def parser({kind}{target}) -> Parser[{record}]:{doc}")
    return "".join(f"@overload\n{function}" for function in functions)


def _write(form: Format) -> str:
    # The type is said by place, too, and so not one of the options here.
    options = [*_options(WRITE), *_options(tuple(option for option in form.writing if option.name != "type"))]
    type_ = next(option for option in form.writing if option.name == "type")
    place = "place: Target"
    verbs = [
        _function("write", f"{place}, values: {values}, /, type: {type_.type} = None", options, result, doc)
        for values, result, doc in (
            ("Iterable[Any]", "int", prose.write(form)),
            ("AsyncIterable[Any]", "Coroutine[Any, Any, int]", None),
        )
    ]
    return "".join(f"@overload\n{verb}" for verb in verbs)


def _columns(form: Format) -> str:
    place = "place: Place, /, type: TypeForm[Any] | None = None"
    given = (*COLUMNS, *prose.about_text(form))
    whole = tuple(option for option in given if option.name != "batch_size")
    # Batches are read on demand, and a refused record ends them.
    in_batches = tuple(option for option in whole if option not in ON_ERROR)
    verbs = [
        _function("columns", place, _options(whole), "Columns", prose.columns(form)),
        _function("columns", place, ["batch_size: int", *_options(in_batches)], "ColumnStream"),
    ]
    return "".join(f"@overload\n{verb}" for verb in verbs)


def _decoder(form: Format) -> str:
    options = _options(form.reading)
    untyped = _function("__new__", "cls", options, f"Decoder[{form.untyped_type}]")
    typed = [_repeated("__new__", f"cls, type: {form_}", "_Reading", "Decoder[_T]") for form_ in FORMS]
    methods = "".join(f"@overload\n{function}" for function in [untyped, *typed])
    methods += "def __class_getitem__(cls, item: Any, /) -> GenericAlias: ...\n"
    return f"class Decoder(_native.Decoder[_T_co]):\n{prose.docstring(prose.decoder(form))}\n{_within(methods)}"


def _encoder(form: Format) -> str:
    methods = _function("__new__", "cls", _options(form.writing), "Self")
    return f"class Encoder(_native.Encoder):\n{prose.docstring(prose.encoder(form))}\n{_within(methods)}"


def _function(name: str, values: str, options: list[str], result: str, doc: list[str] | None = None) -> str:
    arguments = [*values.split(", "), "*", *options]
    lines = "".join(f"    {argument},\n" for argument in arguments)
    body = f"\n{prose.docstring(doc)}" if doc else " ...\n"
    return f"def {name}(\n{lines}) -> {result}:{body}"


def _repeated(name: str, arguments: str, options: str, result: str) -> str:
    """An overload after the first, which has all options with their defaults: it unpacks their set."""
    return f"def {name}({arguments}, **options: Unpack[{options}]) -> {result}: ...\n"


def _options(options: tuple[Option, ...]) -> list[str]:
    return [_option(option) for option in options]


def _option(option: Option) -> str:
    return f"{option.name}: {_qualified(option.type)} = {option.default}"


def _qualified(annotation: str) -> str:
    # Within `Decoder`, `type` is its property.
    return re.sub(r"\btype\[", "builtins.type[", annotation)


def _within(text: str) -> str:
    return indent(text, "    ")
