"""Every verb of every format takes linear time in whatever grows.

`verbs.py` has the table of verbs, `families.py` that of growing values. The formats come from the package's own table.
A verb that refuses a value (CSV has no lists) is left out. With DEMAT_COMPLEXITY=1 copies between all formats are
measured.
"""

import contextlib
import os
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import demat
import pytest
from demat._formats import FORMATS, Format
from families import FAMILIES, Family, Sample
from growth import MOST, SCALE, Call, growth
from verbs import VERBS, Case, module_of


class Refused(Exception):
    """This combination does not exist."""


@cache
def made(family: Family, n: int) -> Sample:
    return family.make(n)


def maker(format: Format, verb: str, family: Family, folder: Path) -> Callable[[int], Call]:
    def make(n: int) -> Call:
        sample = made(family, n)
        module = module_of(format)
        try:
            data = module.encode(sample.value, type=sample.type)
            call = VERBS[verb](Case(format, module, sample, data, folder))
            if call is None:
                raise Refused
            call()
        except demat.Error as error:
            raise Refused from error
        except TypeError as error:
            if verb.startswith("lazy") or "is not copied" in str(error):
                # Lazy records need a record class, and some classes have another form in messages.
                raise Refused from error
            raise
        return call

    return make


def size(family: Family) -> int:
    return family.n if family.deepest is not None else family.n * SCALE


def makes_columns(verb: str) -> bool:
    return "columns" in verb or verb.startswith(("copy_to_arrow", "copy_to_parquet"))


def is_measured(format: Format, verb: str) -> bool:
    """Copies to all targets are measured from one format: sources and sinks do not know each other."""
    return "DEMAT_COMPLEXITY" in os.environ or not verb.startswith("copy_to") or format.name == "ndjson"


def exists(format: Format, verb: str) -> bool:
    """Whether the format has the verb for any of the values."""
    with tempfile.TemporaryDirectory() as folder:
        for family in FAMILIES.values():
            if family.flat or not makes_columns(verb):
                with contextlib.suppress(Refused):
                    maker(format, verb, family, Path(folder))(2)
                    return True
    return False


CELLS = [(format, verb) for format in FORMATS for verb in VERBS if is_measured(format, verb) and exists(format, verb)]


@pytest.mark.parametrize(("format", "verb"), CELLS, ids=lambda own: own if isinstance(own, str) else own.name)
def test_growth(format: Format, verb: str, tmp_path: Path) -> None:
    slow = {}
    for name, family in FAMILIES.items():
        if not family.flat and makes_columns(verb):
            continue
        try:
            ratio = growth(maker(format, verb, family, tmp_path), size(family), family.deepest)
        except Refused:
            continue
        if ratio >= MOST:
            slow[name] = round(ratio, 1)
    assert not slow, f"twice the input multiplies the time by: {slow}"
