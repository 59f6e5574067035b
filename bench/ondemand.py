"""simdjson's On-Demand interface as a peer: its source is fetched, and python/ondemand.cpp compiled with it."""

import hashlib
import io
import os
import shlex
import subprocess
import sys
import tarfile
import urllib.request
from pathlib import Path

from definition import BENCH

# The source distribution of pysimdjson carries simdjson whole, as two files.
SOURCE = (
    "https://files.pythonhosted.org/packages/9c/24/65e3cad88e74ef8ca59fefded953eb78ebface8a3199c3a97fe318a7387b/"
    "pysimdjson-7.0.2.tar.gz"
)
SHA256 = "44cf276e48912a3b9c7ca362c14da8420a7ac15a9f1a16ec95becff86db3904a"
FILES = ("simdjson.h", "simdjson.cpp")
FOLDER = BENCH / "target" / "simdjson"
LIBRARY = BENCH / "target" / "python" / "libondemand.so"
LOOP = BENCH / "python" / "ondemand.cpp"
SECONDS = 60


def fetch() -> None:
    """Puts simdjson's two files beside what is built; OSError or ValueError where that can't be."""
    if all((FOLDER / name).exists() for name in FILES):
        return
    with urllib.request.urlopen(SOURCE, timeout=SECONDS) as answer:
        archive = answer.read()
    if hashlib.sha256(archive).hexdigest() != SHA256:
        raise ValueError(f"{SOURCE} is not what it was")
    FOLDER.mkdir(parents=True, exist_ok=True)
    with tarfile.open(fileobj=io.BytesIO(archive)) as files:
        for member in files:
            name = Path(member.name).name
            content = files.extractfile(member) if name in FILES else None
            if content is not None:
                (FOLDER / name).write_bytes(content.read())


def compile_loop() -> None:
    """Makes the library by the system's C++ compiler, or says in a word why it is missing."""
    if LIBRARY.exists() and LIBRARY.stat().st_mtime > LOOP.stat().st_mtime:
        return
    compiler = shlex.split(os.environ.get("CXX", "c++"))
    flags = ["-std=c++17", "-O3", "-march=native", "-DNDEBUG", "-fPIC", "-shared", "-fvisibility=hidden"]
    try:
        fetch()
        LIBRARY.parent.mkdir(parents=True, exist_ok=True)
        sources = [LOOP, FOLDER / "simdjson.cpp"]
        subprocess.run([*compiler, *flags, f"-I{FOLDER}", *sources, "-o", LIBRARY], check=True)
    except (OSError, ValueError, subprocess.CalledProcessError) as error:
        LIBRARY.unlink(missing_ok=True)
        print(f"python: no simdjson On-Demand: {error}", file=sys.stderr)
