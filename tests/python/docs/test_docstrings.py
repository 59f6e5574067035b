"""Every example in a docstring of the package runs: of its modules, and of the stubs that editors show."""

from __future__ import annotations

import ast
import doctest
import io
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import postgres_server
import pytest

PACKAGE = Path(__file__).parents[3] / "python" / "demat"
FLAGS = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL


def name(path: Path) -> str:
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def of_module(path: Path) -> Iterator[doctest.DocTest]:
    module = import_module(name(path))
    for label, line, text in docstrings(path):
        place = f"{name(path)}.{label}"
        yield doctest.DocTestParser().get_doctest(text, dict(vars(module)), place, str(path), line)


def of_stub(path: Path) -> Iterator[doctest.DocTest]:
    for label, line, text in docstrings(path):
        place = f"{name(path)}.{label}"
        yield doctest.DocTestParser().get_doctest(text, {"__name__": name(path)}, place, str(path), line)


def docstrings(path: Path) -> Iterator[tuple[str, int, str]]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and (text := ast.get_docstring(node)):
            yield getattr(node, "name", ""), node.body[0].lineno - 1, text


def examples(pattern: str) -> list[Path]:
    """The files that have any."""
    files = sorted(PACKAGE.glob(pattern))
    return [path for path in files if any(">>> " in text for _, _, text in docstrings(path))]


@pytest.mark.parametrize("path", [*examples("**/*.py"), *examples("**/*.pyi")], ids=lambda path: path.name)
def test_docstrings(path: Path) -> None:
    found = list(of_stub(path) if path.suffix == ".pyi" else of_module(path))
    assert any(test.examples for test in found), "there are examples in it, and none was found"
    told = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=FLAGS, verbose=False)
    for test in found:
        if "postgres.connect(url)" in (test.docstring or ""):
            test.globs["url"] = postgres_server.schema()
        runner.run(test, out=told.write)
    assert runner.summarize(verbose=False).failed == 0, told.getvalue()
