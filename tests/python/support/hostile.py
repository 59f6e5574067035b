"""Programs that may crash, hang or take all memory: each in a process of its own, with limits on both."""

import os
import resource
import subprocess
import sys
import textwrap

# Much above what any of them needs, and below what would hurt the machine. Seconds are those of the processor; by the
# clock a busy machine may take several times as long.
_MEGABYTES = 2048
_SECONDS = 60
_BY_THE_CLOCK = 5


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
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
        if megabytes is not None:
            resource.setrlimit(resource.RLIMIT_AS, (megabytes << 20, megabytes << 20))

    done = subprocess.run(
        [sys.executable, "-X", "faulthandler", *options, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        timeout=seconds * _BY_THE_CLOCK,
        preexec_fn=limit,
        env={**os.environ, "PYTHONMALLOC": "", **environment},
        check=False,
    )
    assert done.returncode == 0, f"exit {done.returncode}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"
    assert not done.stderr, done.stderr[-4000:]
    return done.stdout
