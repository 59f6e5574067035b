"""A PostgreSQL server of this test run, which ends with it."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from functools import cache
from itertools import count
from pathlib import Path
from urllib.parse import quote

import pytest
from demat import StoreError, postgres

NUMBERS = count()


def programs() -> Path | None:
    """The folder of the server's programs."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("postgres")
    for folder in [*folders, *([Path(found).parent] if found else [])]:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


def unprivileged(script: str) -> list[str]:
    """A command that does not run as root, as the server demands."""
    command = ["sh", "-c", script]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
    return command


@cache
def folder() -> Path | None:
    """Starts the server; returns the folder with its socket. None where there is no server."""
    own = programs()
    if own is None:
        return None
    made = subprocess.run(unprivileged("mktemp -d /tmp/demat-pg.XXXXXX"), capture_output=True, text=True)
    if made.returncode != 0:
        return None
    where = Path(made.stdout.strip())
    script = (
        f"set -e; cd {where}; {own}/initdb -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >log 2>&1; "
        f"{own}/postgres -D data -k {where} -c listen_addresses= -c fsync=off -c max_connections=50 "
        f"-c log_min_messages=fatal >>log 2>&1 & P=$!; trap 'kill -QUIT $P; wait $P; rm -rf {where}' EXIT; "
        "read X || true"
    )
    # It ends when this process does, and closes the pipe.
    process = subprocess.Popen(unprivileged(script), stdin=subprocess.PIPE)
    deadline = time.monotonic() + 60
    while True:
        try:
            postgres.connect(url_of(where, "public")).close()
        except StoreError:
            if time.monotonic() > deadline or process.poll() is not None:
                raise
            time.sleep(0.05)
        else:
            PROCESSES.append(process)
            return where


# Held, since a process that is collected loses its pipe.
PROCESSES: list[subprocess.Popen[bytes]] = []


def url_of(where: Path, schema: str) -> str:
    return f"postgresql://postgres@/postgres?host={where}&options={quote('-csearch_path=' + schema)}"


def schema() -> str:
    """Returns the URL of an empty database; skips the test where there is no server."""
    where = folder()
    if where is None:
        pytest.skip("there is no PostgreSQL server")
    name = f"s{next(NUMBERS)}"
    with postgres.connect(url_of(where, "public")) as database:
        database.execute(f"create schema {name}")
    return url_of(where, name)
