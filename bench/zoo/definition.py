"""definitions/zoo.toml as objects: which cells a run has."""

import re
from dataclasses import is_dataclass
from typing import Any, NamedTuple

from definition import load
from zoo.columnar import columnar
from zoo.kinds import KINDS

ZOO: dict[str, Any] = load("zoo")
SIZES: dict[str, dict[str, Any]] = ZOO["sizes"]


class Plan(NamedTuple):
    """The jobs of one kind."""

    kind: str
    rows: int
    formats: list[str]
    jobs: dict[str, list[str]]
    """Job → engines."""


def cannot(engine: str, kind: str, job: str) -> str | None:
    """Why an engine can't do a job on a kind."""
    for one in ZOO["cannot"]:
        if engine in one["engines"] and kind in one["kinds"] and re.search(one["jobs"], job):
            return one["why"]
    return None


def fits(job: str, kind: str) -> bool:
    """Whether a job makes sense on a kind."""
    form, verb = job.split("/")
    own, record = ZOO["kinds"][kind], KINDS[kind].record
    single = KINDS[kind].single
    if form == "rust":
        return own.get("rust", False) and verb.split("-")[0] in own["formats"]
    if form == "small" or single:
        # Small jobs are JSON's, unless they begin with another format's name.
        other = verb.partition("-")[0]
        return form == "small" and single and (other not in ZOO["formats"] or other in own["formats"])
    if form not in own["formats"]:
        return False
    if verb == "columns":
        return own.get("columns", True) and is_dataclass(record) and columnar(record, flat=form == "csv")
    return True


def plans(size: str, kinds: str = "", jobs: str = "") -> list[Plan]:
    """What is to be measured: kinds and jobs by regular expressions."""
    made = []
    for name, own in ZOO["kinds"].items():
        if not re.search(kinds, name):
            continue
        chosen = {
            job: [engine for engine in engines if not cannot(engine, name, job)]
            for job, engines in ZOO["jobs"].items()
            if re.search(jobs, job) and fits(job, name)
        }
        rows = own["rows"] if KINDS[name].single else max(int(own["rows"] * SIZES[size]["rows"]), 40)
        if chosen:
            made.append(Plan(name, rows, own["formats"], chosen))
    return made


def uncovered(registry: list[str]) -> list[str]:
    """Formats that Demat lists and that the zoo says nothing of."""
    return [name for name in registry if name not in ZOO["formats"]]
