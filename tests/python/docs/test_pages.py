"""Every Python example of the README and of the pages in `docs/python` runs, in the order in which it is read."""

from __future__ import annotations

import doctest
import io
import re
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[3]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs" / "python").glob("**/*.md"))]

FENCE = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
NOT_RUN = re.compile(r"<!-- not run:(.*?)-->\s*\Z", re.DOTALL)


class Block(NamedTuple):
    line: int
    code: str


def blocks(page: str) -> Iterator[Block]:
    """The blocks that run. One that doesn't says why, in a comment before it: `<!-- not run: it never ends -->`."""
    end = 0
    for fence in FENCE.finditer(page):
        excuse = NOT_RUN.search(page, end, fence.start())
        end = fence.end()
        if excuse is None:
            yield Block(page.count("\n", 0, fence.start(1)), fence[1])
        elif len(excuse[1].split()) < 2:
            raise ValueError(f"line {page.count(chr(10), 0, fence.start()) + 1}: `not run` wants a reason")


def run(page: str, path: Path) -> None:
    """Runs the blocks of a page, which see each other's names as the cells of a notebook do."""
    # A module that can be found: dataclasses and annotations look their names up there.
    module = ModuleType(f"page_{path.stem.lower()}")
    sys.modules[module.__name__] = module
    try:
        for block in blocks(page):
            if block.code.lstrip().startswith(">>>"):
                run_session(block, module, path)
            else:
                # As many lines before it as there are on the page, so that a traceback points there.
                # What this file imports from the future is no part of it.
                code = compile("\n" * block.line + block.code, path, "exec", dont_inherit=True)
                exec(code, module.__dict__)
    finally:
        del sys.modules[module.__name__]


def run_session(block: Block, module: ModuleType, path: Path) -> None:
    test = doctest.DocTestParser().get_doctest(block.code, {}, path.name, str(path), block.line)
    # The parser makes a copy.
    test.globs = module.__dict__
    told = io.StringIO()
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL, verbose=False)
    runner.run(test, out=told.write, clear_globs=False)
    if runner.summarize(verbose=False).failed:
        raise AssertionError(told.getvalue())


@pytest.mark.parametrize("path", PAGES, ids=lambda path: str(path.relative_to(ROOT)))
def test_page(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run(path.read_text("utf-8"), path)


def fenced(*codes: str) -> str:
    return "".join(f"Text.\n\n```python\n{code}\n```\n" for code in codes)


def test_blocks_see_each_other() -> None:
    run(fenced("from dataclasses import dataclass\na = 1", ">>> a + 1\n2", "assert a == 1"), Path("page.md"))


@pytest.mark.parametrize("code", ["assert 1 == 2", ">>> 1\n2", ">>> 1 / 0", "raise SystemExit"])
def test_a_false_example_fails(code: str) -> None:
    with pytest.raises((AssertionError, SystemExit)):
        run(fenced(code), Path("page.md"))


def test_a_fault_has_its_place_on_the_page() -> None:
    with pytest.raises(ZeroDivisionError) as raised:
        run(fenced("a = 1", "b = 1\na / 0"), Path("page.md"))
    place = traceback.extract_tb(raised.tb)[-1]
    assert (place.filename, place.lineno) == ("page.md", 10)


def test_only_a_reason_excuses() -> None:
    run("<!-- not run: it needs a server -->\n" + fenced("1 / 0").removeprefix("Text.\n\n"), Path("page.md"))
    for page in ("<!-- not run: -->\n\n", "<!-- not run: no -->"):
        with pytest.raises(ValueError, match="wants a reason"):
            run(page + fenced("1 / 0").removeprefix("Text.\n"), Path("page.md"))
    with pytest.raises(ZeroDivisionError):
        run("<!-- not run: it needs a server -->\n" + fenced("1 / 0"), Path("page.md"))


def test_rust_on_the_page_about_formats_stands_in_the_example() -> None:
    page = (ROOT / "docs" / "adding-a-format.md").read_text("utf-8")
    folder = ROOT / "examples" / "format"
    source = "\n".join(path.read_text("utf-8") for path in folder.rglob("src/*.rs"))
    found = re.findall(r"^```rust\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(found) > 5
    for block in found:
        assert block in source
