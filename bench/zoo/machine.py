"""What a run was measured on, and with which versions; which formats this Demat has."""

import os
import platform
import re
import shutil
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

CORE = os.environ.get("DEMAT_BENCH_CORE", "0")
PACKAGES = (
    "demat",
    "msgspec",
    "orjson",
    "pydantic",
    "pydantic_core",
    "ssrjson",
    "jiter",
    "polars",
    "duckdb",
    "pyarrow",
    "protobuf",
    "cbor2",
    "cbor",
    "cborx",
    "nbtlib",
    "rapidnbt",
    "lxml",
    "xmltodict",
)


def pinned(command: list[Any]) -> list[str]:
    """The command on one core."""
    return [*(["taskset", "-c", CORE] if shutil.which("taskset") else []), *map(str, command)]


def versions() -> dict[str, str]:
    """Of the interpreter and of the packages that are here."""
    found = {platform.python_implementation(): platform.python_version()}
    for package in PACKAGES:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, Any]:
    """A load before the first job says that others are at work."""
    info = Path("/proc/cpuinfo")
    model = re.search(r"model name\s*: (.*)", info.read_text(encoding="utf-8")) if info.exists() else None
    return {
        "cpu": model[1] if model else "unknown",
        "cores": os.cpu_count(),
        "system": platform.system(),
        "load": round(os.getloadavg()[0], 2),
        "versions": versions(),
    }


def registry() -> list[str]:
    """The formats that Demat lists; none where it is not here."""
    try:
        from demat import _native
    except ImportError:
        return []
    return [one["name"] for one in _native.describe_formats()]
