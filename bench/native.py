"""Builds the program of the jobs in Rust."""

import os
import subprocess
from pathlib import Path

from definition import BENCH


def build(portable: bool = False) -> Path:
    """`demat-bench`, built as .cargo/config.toml says or for any x86-64."""
    environment = dict(os.environ)
    target = BENCH / "target"
    if portable:
        target /= "portable"
        # Set, even to nothing, this replaces the flags of .cargo/config.toml.
        environment["RUSTFLAGS"] = ""
    command = ["cargo", "build", "--release", "--locked", "--bin", "demat-bench", "--target-dir", target]
    subprocess.run(command, cwd=BENCH, env=environment, check=True)
    return target / "release" / "demat-bench"
