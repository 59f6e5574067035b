"""Every engine, and for each the models that it can do.

An engine is one file `engine_*.py` with a table ENGINES: name → model → a function of the Job that gives the callable
to measure, which takes one argument, and the class of the records that it makes or takes (None where there is none).
For the small models the callable is a loop: it takes an iterable of turns and the argument, and returns the last
result.
"""

from collections.abc import Callable
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from models import Job

Prepare = Callable[[Job], tuple[Callable[..., Any], Any]]

MODULES = (
    "engine_floor",
    "engine_demat",
    "engine_msgspec",
    "engine_orjson",
    "engine_pydantic",
    "engine_json",
    "engine_csv",
    "engine_columns",
    "engine_duckdb",
    "engine_polars",
    "engine_pyarrow",
    "engine_ijson",
    "engine_simdjson",
    "engine_floor_proto",
    "engine_demat_proto",
    "engine_upb",
    "engine_betterproto",
    "engine_ondemand",
)
PACKAGES = (
    "demat",
    "msgspec",
    "orjson",
    "pydantic",
    "pydantic_core",
    "duckdb",
    "polars",
    "pyarrow",
    "ijson",
    "pysimdjson",
    "protobuf",
    "betterproto2",
)


def load() -> tuple[dict[str, dict[str, Prepare]], dict[str, str]]:
    """The engines that can be imported here, and why the others can't."""
    found: dict[str, dict[str, Prepare]] = {}
    missing = {}
    for name in MODULES:
        try:
            for engine, models in import_module(name).ENGINES.items():
                found.setdefault(engine, {}).update(models)
        except ImportError as error:
            missing[name] = str(error)
    return found, missing


def prepared(engine: str, model: str) -> Prepare:
    """The function of one engine for one model, with as few other peers loaded as can be."""
    word = engine.split("-")[0]
    for name in sorted(MODULES, key=lambda name: word not in name):
        try:
            engines = import_module(name).ENGINES
        except ImportError:
            continue
        if model in engines.get(engine, {}):
            return engines[engine][model]
    raise KeyError(f"{engine} has no {model}, or is not here")


def versions() -> dict[str, str]:
    """Of the packages that are installed."""
    found = {}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found
