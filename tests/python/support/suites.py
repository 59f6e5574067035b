"""Where the public test suites are: in the folder that `DEMAT_SUITES` names, else `shared/suites` beside the clone.

They are no part of the repository. Where one is not there, its tests are skipped, and say so.
"""

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).parents[4] / "shared" / "suites"
_FOLDER = Path(os.environ.get("DEMAT_SUITES", _BESIDE))


def files(folder: str, pattern: str) -> list[object]:
    """The files of a suite, as parameters of a test with the file's stem as id; one that skips where there are none."""
    found = sorted((_FOLDER / folder).glob(pattern))
    if found:
        return [pytest.param(path, id=path.stem) for path in found]
    # Skipped, not failed: the suites are other projects' data under their own licences, so a clone has none of them.
    # Without its files this test has nothing to run on. The reason tells how to supply them.
    reason = f"no suite {folder!r} in {_FOLDER}; set DEMAT_SUITES to the folder that has it"
    return [pytest.param(None, id="absent", marks=pytest.mark.skip(reason=reason))]
