"""The engines: one module each, with a table ENGINES: name → job → the function that prepares it.

The function takes the Inputs and gives the Work. A module is loaded in the process that measures its engines.
"""

from collections.abc import Callable
from importlib import import_module

from zoo.inputs import Inputs, Work

Prepare = Callable[[Inputs], Work]

MODULES = {
    "demat": "demat",
    "demat-fresh": "demat",
    "floor": "floor",
    "msgspec": "msgspec",
    "msgspec-struct": "msgspec",
    "msgspec-dataclass": "msgspec",
    "pydantic": "pydantic",
    "pydantic-model": "pydantic",
    "pydantic-dataclass": "pydantic",
    "orjson": "orjson",
    "ssrjson": "ssrjson",
    "jiter": "jiter",
    "json": "standard",
    "csv": "standard",
    "polars": "polars",
    "duckdb": "duckdb",
    "pyarrow": "pyarrow",
    "upb": "upb",
    "msgpack": "msgpack",
    "ormsgpack": "msgpack",
    **dict.fromkeys(
        ("cbor2", "cbor", "cborx", "plistlib", "nbtlib", "rapidnbt", "lxml", "xmltodict", "template"), "cold"
    ),
}


def load(engine: str) -> dict[str, Prepare]:
    """The jobs of an engine; ImportError where it can't be had."""
    return import_module(f"zoo.engines.{MODULES[engine]}").ENGINES[engine]


def each(records: object) -> None:
    """Takes every record and lets it go."""
    for _ in records:  # type: ignore[attr-defined]
        pass
