"""The encoder visits each level of a lazy record once, and writes what it would write for plain objects."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import formats
import pytest
from levels import CHANGES, SHAPES, N, levels_of, lists_as_before, looked_at


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("shape", SHAPES)
@formats.each(reads="lazy")
def test_what_is_written_is_what_plain_objects_are(module: Any, shape: str, change: Callable[[list[N]], None]):
    data = module.encode([SHAPES[shape](40)])
    plain: N = module.decode(data, list[N])[0]
    view: N = module.decode(data, list[N], lazy=True)[0]
    change(levels_of(plain))
    change(levels_of(view))
    written = module.encode([view])
    assert module.decode(written, list[N]) == [plain]
    assert module.encode([view]) == written
    if change in (looked_at, lists_as_before):
        assert written == data
    assert copy.deepcopy(view) == view == pickle.loads(pickle.dumps(view))
