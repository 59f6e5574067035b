"""Every overload of the stubs takes all options of its verb, each of the table's type."""

from __future__ import annotations

import ast
from itertools import product
from pathlib import Path

import pytest
from demat._formats import FORMATS, WRITE, Format, Option

PACKAGE = Path(__file__).parents[3] / "python" / "demat"
FORMS = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form.name)


class Stub:
    """The functions of a format's stub, and the sets of options that they unpack."""

    def __init__(self, form: Format) -> None:
        body = ast.parse((PACKAGE / f"{form.name}.pyi").read_text("utf-8")).body
        self.classes = {node.name: node for node in body if isinstance(node, ast.ClassDef)}
        self.functions = {"": functions(body), **{name: functions(node.body) for name, node in self.classes.items()}}

    def overloads(self, name: str) -> list[ast.FunctionDef]:
        """The overloads of a verb, or of a class's method."""
        owner, _, own = name.rpartition(".")
        return [function for function in self.functions[owner] if function.name == own]

    def options(self, function: ast.FunctionDef) -> dict[str, str]:
        """The type of each option that a function takes, by itself or in the set that it unpacks."""
        written = {argument.arg: of(argument.annotation) for argument in function.args.kwonlyargs}
        if function.args.kwarg is None:
            return written
        match function.args.kwarg.annotation:
            case ast.Subscript(value=ast.Name(id="Unpack"), slice=ast.Name(id=name)):
                unpacked = self.fields(name)
        assert not written.keys() & unpacked.keys(), "an option is there twice"
        return written | unpacked

    def fields(self, name: str) -> dict[str, str]:
        """The fields of a set of options, none of which a call has to give."""
        if name == "TypedDict":
            return {}
        node = self.classes[name]
        assert [(keyword.arg, of(keyword.value)) for keyword in node.keywords] == [("total", "False")]
        own: dict[str, str] = {}
        for field in node.body:
            assert isinstance(field, ast.AnnAssign)
            own[of(field.target)] = of(field.annotation)
        (base,) = node.bases
        inherited = self.fields(of(base))
        assert not own.keys() & inherited.keys(), "an option is there twice"
        return inherited | own


def functions(body: list[ast.stmt]) -> list[ast.FunctionDef]:
    return [node for node in body if isinstance(node, ast.FunctionDef)]


def of(node: ast.expr | None) -> str:
    assert node is not None
    return ast.unparse(node).replace("builtins.type[", "type[")


def types(options: tuple[Option, ...]) -> dict[str, str]:
    return {option.name: of(ast.parse(option.type, mode="eval").body) for option in options}


@FORMS
def test_every_overload_takes_the_options_of_the_table(form: Format) -> None:
    stub = Stub(form)
    writing = types(form.writing)
    wanted = {
        "decode": (3, types(form.reading + form.decoding)),
        "Decoder.__new__": (3, types(form.reading)),
        "encode": (1, writing),
        "encode_into": (1, writing),
        "Encoder.__new__": (1, writing),
        # The type may be given by place, too.
        "write": (2, {**types(WRITE), **{name: type_ for name, type_ in writing.items() if name != "type"}}),
    }
    for verb, (count, options) in wanted.items():
        taken = [stub.options(function) for function in stub.overloads(verb)]
        assert taken == [options] * count, verb


@FORMS
def test_every_overload_of_read_takes_them_too(form: Format) -> None:
    stub = Stub(form)
    wanted = types(form.streaming + form.reading)
    ways: list[tuple[str | None, ...]] = []
    for function in stub.overloads("read"):
        options = stub.options(function)
        assert list(options) == list(wanted) or function.args.kwarg
        place, *type_ = (of(argument.annotation) for argument in function.args.posonlyargs + function.args.args)
        ways.append((place, type_[0] if type_ else None, options["batch"], options.get("keys")))
        assert {**options, **{name: wanted[name] for name in ("batch", "keys") if name in wanted}} == wanted
    keys = ("Literal[False]", "Literal[True]") if "keys" in wanted else (None,)
    kinds = (None, "type[_T]", "TypeForm[_T]")
    assert sorted(ways, key=repr) == sorted(product(("Place", "AsyncPlace"), kinds, ("None", "int"), keys), key=repr)


@FORMS
def test_the_first_overload_shows_the_options_and_their_defaults(form: Format) -> None:
    stub = Stub(form)
    reading = form.reading
    for verb, options in {
        "decode": reading + form.decoding,
        "Decoder.__new__": reading,
        "read": form.streaming + reading,
    }.items():
        given = stub.overloads(verb)[0].args
        shown = [(name.arg, of(default)) for name, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)]
        assert shown == [(option.name, of(ast.parse(option.default, mode="eval").body)) for option in options]
