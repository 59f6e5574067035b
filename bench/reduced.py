"""A twentieth of the data for `--quick`: the jobs of the definitions, their answers computed anew, without bars."""

from pathlib import Path
from typing import Any

from answers import MODELS
from data import CHUNK, MAKERS, make
from definition import DATA, DATA_SETS

SHARE = 20
# What does not hold for less data.
BARS = ("bar", "bars", "over_floor", "most_ms", "speed")


def smaller(name: str) -> Path | None:
    """A twentieth of a data set; documents are as they are."""
    data = DATA_SETS[name]
    if "real" in data or data["count"] < SHARE:
        return make(name)
    path = DATA / f"quick-{SHARE}" / name
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        part = path.with_suffix(".part")
        with part.open("wb", buffering=CHUNK) as file:
            pieces = MAKERS[data["maker"]](data["count"] // SHARE)
            file.writelines(piece.encode() if isinstance(piece, str) else piece for piece in pieces)
        part.rename(path)
    return path


def job(full: dict[str, Any], known: dict[tuple[str, str], str]) -> dict[str, Any]:
    """The same job with its own `path`, and the answer to it; `known` keeps answers from job to job."""
    kept = {key: value for key, value in full.items() if key not in BARS}
    if "data" not in full:
        return kept
    path = smaller(full["data"])
    if path is None:
        return kept
    if (asked := (full["model"], full["data"])) not in known:
        known[asked] = MODELS[full["model"]](path)
    return kept | {"path": path, "rows": full.get("rows", 0) // SHARE, "answer": known[asked]}
