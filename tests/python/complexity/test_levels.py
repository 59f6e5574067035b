"""The encoder visits each level of a lazy record once: twice the levels take twice the time."""

from collections.abc import Callable
from typing import Any

import formats
import pytest
from growth import MOST, growth
from levels import CHANGES, SHAPES, VERBS, N, opened


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("shape", SHAPES)
@formats.each(reads="lazy")
def test_growth(module: Any, shape: str, change: Callable[[list[N]], None], verb: str) -> None:
    work = VERBS[verb]
    # A small case first: exponential work would never end.
    work(module, opened(module, shape, 40, change))

    def make(levels: int) -> Callable[[], object]:
        view = opened(module, shape, levels, change)
        return lambda: work(module, view)

    assert growth(make, 75, deepest=600) < MOST
