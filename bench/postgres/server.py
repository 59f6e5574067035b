"""A PostgreSQL server of a benchmark: in a folder of its own, on a socket that only this folder has."""

import contextlib
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

# A server that measures the clients, not the disk. All engines have the same one.
SETTINGS = {
    "listen_addresses": "",
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
    "shared_buffers": "512MB",
    "max_wal_size": "16GB",
    "log_min_messages": "fatal",
}


def programs() -> Path | None:
    """Returns the folder of the server's programs; None where there is no server."""
    folders = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    found = shutil.which("postgres")
    for folder in [*folders, *([Path(found).parent] if found else [])]:
        if (folder / "initdb").exists() and (folder / "postgres").exists():
            return folder
    return None


def unprivileged(script: str) -> list[str]:
    """Returns a command that does not run as root, as the server demands."""
    command = ["sh", "-c", script]
    if os.geteuid() == 0:
        command = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", *command]
    return command


@contextlib.contextmanager
def running(own: Path) -> Iterator[Path]:
    """Starts a server; yields the folder of its socket. It ends with the block, or with this process."""
    made = subprocess.run(
        unprivileged("mktemp -d /tmp/demat-bench-pg.XXXXXX"), stdout=subprocess.PIPE, text=True, check=True
    )
    where = Path(made.stdout.strip())
    settings = " ".join(f"-c {name}={value}" for name, value in SETTINGS.items())
    script = (
        f"set -e; cd {where}; {own}/initdb -D data -U postgres -A trust -E UTF8 --no-locale --no-sync >log 2>&1; "
        f"{own}/postgres -D data -k {where} {settings} >>log 2>&1 & P=$!; "
        f"trap 'kill -QUIT $P; wait $P; rm -rf {where}' EXIT; read X || true"
    )
    # It ends when this process does, and closes the pipe.
    with subprocess.Popen(unprivileged(script), stdin=subprocess.PIPE) as process:
        try:
            deadline = time.monotonic() + 60
            ready = [own / "pg_isready", "-q", "-h", where, "-U", "postgres"]
            while subprocess.run(ready, check=False).returncode:
                if time.monotonic() > deadline or process.poll() is not None:
                    raise RuntimeError(f"the server does not start: see {where}/log")
                time.sleep(0.05)
            yield where
        finally:
            process.communicate()


def url_of(where: Path) -> str:
    """Returns the URL of the server's database."""
    return f"postgresql://postgres@/postgres?host={where}"
