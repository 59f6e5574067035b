"""Every verb of every format takes linear time in whatever grows.

`verbs.py` has the table of verbs, `families.py` that of growing values. The formats come from the package's own table.
A verb that refuses a value (CSV has no lists) is left out.
"""

import os
from collections.abc import Callable
from pathlib import Path

import demat
import pytest
from demat._formats import FORMATS, Format
from families import FAMILIES, Family
from growth import MOST, SCALE, Call, growth
from verbs import VERBS, Case, module_of


class Refused(Exception):
    """This combination does not exist."""


def maker(format: Format, verb: str, family: Family, folder: Path) -> Callable[[int], Call]:
    def make(n: int) -> Call:
        sample = family.make(n)
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
            if verb.startswith("lazy"):
                # Lazy records need a record class.
                raise Refused from error
            raise
        return call

    return make


def size(family: Family) -> int:
    return family.n if family.deepest is not None else family.n * SCALE


@pytest.mark.skipif("DEMAT_COMPLEXITY" not in os.environ, reason="set DEMAT_COMPLEXITY=1 to measure every verb")
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("format", FORMATS, ids=lambda format: format.name)
def test_growth(format: Format, verb: str, tmp_path: Path) -> None:
    slow, cells = {}, 0
    for name, family in FAMILIES.items():
        try:
            ratio = growth(maker(format, verb, family, tmp_path), size(family))
        except Refused:
            continue
        cells += 1
        if ratio >= MOST:
            slow[name] = round(ratio, 1)
    if not cells:
        pytest.skip("the format has no such verb")
    assert not slow, f"twice as much takes so many times as long: {slow}"
