"""Reads definitions/*.toml: what is data here, and where things stand."""

import os
import tomllib
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parent
DATA = BENCH / "data"
OUT = BENCH / "out"


def load(name: str) -> dict[str, Any]:
    """One definition file."""
    with (BENCH / "definitions" / f"{name}.toml").open("rb") as file:
        return tomllib.load(file)


DATA_SETS: dict[str, dict[str, Any]] = load("data")


def real(name: str) -> Path | None:
    """A document of the suites, which are not part of the repository."""
    suites = Path(os.environ.get("DEMAT_SUITES", BENCH.parent.parent / "shared" / "suites"))
    path = suites / "json" / "real" / name
    return path if path.exists() else None
