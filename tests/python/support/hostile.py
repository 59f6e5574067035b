"""Programs that may crash, hang or take all memory: each in a process of its own, with limits on both."""

import os
import resource
import subprocess
import sys
import textwrap

# Much above what any of them needs, and below what would hurt the machine.
_MEGABYTES = 2048
_SECONDS = 60


def run(
    program: str,
    *,
    megabytes: int | None = _MEGABYTES,
    seconds: int = _SECONDS,
    options: tuple[str, ...] = (),
    **environment: str,
) -> str:
    """What a Python program printed; fails where it does not end well, in time, and within the address space.

    `megabytes=None` is no limit, for programs under tools that map much and touch little.
    """

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if megabytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", *options, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=seconds,
        preexec_fn=limit,
        env={**os.environ, "PYTHONMALLOC": "", **environment},
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    assert not done.stderr, done.stderr[-4000:]
    return done.stdout
