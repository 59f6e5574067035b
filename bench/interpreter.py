"""Jobs that run inside a Python interpreter: definitions/python.toml, by the programs in python/.

Each engine does each job in a process of its own, the engines taking turns; a process makes the call several times.

    python interpreter.py       installs the wheel, compiles the floors, and says what is here
"""

import hashlib
import json
import os
import shlex
import subprocess
import sys
import sysconfig
from pathlib import Path
from statistics import median
from time import monotonic
from typing import Any

from data import make
from definition import BENCH
from ondemand import compile_loop
from process import pinned

PYTHON = BENCH / ".venv" / "bin" / "python"
PROGRAMS = BENCH / "python"
FLOORS = BENCH / "target" / "python"
# Starting an interpreter is quick, and its noise is a good part of the time.
STARTS_A_ROUND = 10


def install_wheel() -> None:
    """Puts the newest wheel of `make build`, or the one that DEMAT_WHEEL names, into the peers' environment.

    Where there is none, what is installed stays; with nothing installed Demat's jobs are reported as not here.
    """
    wheels = [Path(os.environ["DEMAT_WHEEL"])] if "DEMAT_WHEEL" in os.environ else []
    wheels = wheels or sorted(
        (BENCH.parent / "target" / "wheels").glob("demat-*.whl"), key=lambda path: path.stat().st_mtime
    )
    if not wheels:
        print("python: no wheel of Demat in target/wheels (make build)", file=sys.stderr)
        return
    digest = hashlib.sha256(wheels[-1].read_bytes()).hexdigest()
    stamp = PYTHON.parent.parent / "demat-wheel.sha256"
    if stamp.exists() and stamp.read_text(encoding="ascii") == digest:
        return
    command = [PYTHON, "-m", "pip", "install", "-q", "--no-deps", "--force-reinstall", wheels[-1]]
    subprocess.run(command, check=True)
    stamp.write_text(digest, encoding="ascii")


def compile_floors() -> None:
    """Floors are a C extension: made by the system's compiler for this interpreter, or missing with a word about it."""
    asked = [PYTHON, "-c", "import sysconfig as s; print(s.get_path('include'), s.get_config_var('EXT_SUFFIX'))"]
    include, suffix = subprocess.run(asked, capture_output=True, text=True, check=True).stdout.split()
    FLOORS.mkdir(parents=True, exist_ok=True)
    output = FLOORS / f"floor{suffix}"
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = ["-O3", "-fPIC", "-shared", "-Wall", "-Wextra", "-Wno-missing-field-initializers", "-Werror"]
    # Names of the interpreter are found when the extension is loaded.
    flags += ["-undefined", "dynamic_lookup"] if sysconfig.get_platform().startswith("macosx") else []
    try:
        subprocess.run([*compiler, *flags, f"-I{include}", PROGRAMS / "floor.c", "-o", output], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        output.unlink(missing_ok=True)
        print(f"python: no floors: {error}", file=sys.stderr)


def prepare() -> dict[str, Any]:
    """Everything installed and compiled; which engines are here, and their versions."""
    if not PYTHON.exists():
        raise SystemExit("no environment of peers is here (make setup)")
    install_wheel()
    compile_floors()
    compile_loop()
    return answered("worker.py", "engines")


def answered(program: str, *arguments: Any, environment: dict[str, str] | None = None) -> Any:
    """What a program of python/ prints, as JSON; RuntimeError where it failed."""
    command = pinned([PYTHON, PROGRAMS / program, *arguments])
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    if done.returncode != 0:
        raise RuntimeError((done.stderr.strip() or done.stdout.strip() or f"exit {done.returncode}")[-500:])
    return json.loads(done.stdout)


def run(
    name: str,
    job: dict[str, Any],
    here: dict[str, Any],
    rounds: int,
    environment: dict[str, str],
    seconds: float = float("inf"),
) -> dict[str, Any]:
    """One job; the environment is that of the processes that measure.

    After the first round no further one begins that would probably end later than `seconds` after the start.
    """
    result: dict[str, Any] = {"name": name, "kind": "python", "engines": {}}
    result |= {key: job[key] for key in ("bar", "bars", "over_floor", "most_ms") if key in job}
    if job["model"] == "leaks":
        return result | leaks(job, here)
    if "data" not in job:
        return result | starts(job, here, rounds)
    result["missing"] = [engine for engine in job["engines"] if job["model"] not in here["engines"].get(engine, [])]
    path = job["path"] if "path" in job else make(job["data"])
    if path is None:
        return result | {"skipped": f"{job['data']} is not here"}
    result["bytes"] = path.stat().st_size
    engines = [engine for engine in job["engines"] if engine not in result["missing"]]
    processes: dict[str, list[dict[str, Any]]] = {engine: [] for engine in engines}
    failed = {}
    start = monotonic()
    for turn in range(rounds if engines else 0):
        spent = monotonic() - start
        if turn and spent + spent / turn > seconds:
            break
        place = turn % len(engines)
        for engine in engines[place:] + engines[:place]:
            if engine in failed:
                continue
            try:
                asked = ("job", job["model"], engine, path, job.get("rows", 0), job["answer"])
                processes[engine].append(answered("worker.py", *asked, environment=environment))
            except RuntimeError as error:
                failed[engine] = str(error)
    result["engines"] = {engine: gathered(processes[engine]) for engine in engines if engine not in failed}
    if failed:
        result["failed"] = "; ".join(f"{engine}: {words}" for engine, words in failed.items())
    return result


def gathered(processes: list[dict[str, list[float]]]) -> dict[str, Any]:
    """Of one engine's processes: each one's median, the best of all calls, and the very first calls.

    Loops of small calls know no kinds of memory.
    """
    one: dict[str, Any] = {
        "best": min(min(done["seconds"]) for done in processes),
        "calls": sum(len(done["seconds"]) + len(done["kept"]) for done in processes),
    }
    for kind in ("seconds", "cpu", "after", "kept", "kept_cpu"):
        if processes[0][kind]:
            one[kind] = [median(done[kind]) for done in processes]
    if "cpu" in one:
        one["cpu_least"] = min(min(done["cpu"]) for done in processes)
    if "kept" in one:
        one["first"] = [done["seconds"][0] for done in processes]
        one["kept_best"] = min(min(done["kept"]) for done in processes)
    return one


def starts(job: dict[str, Any], here: dict[str, Any], rounds: int) -> dict[str, Any]:
    """What an import or a first message adds to the start of an interpreter."""
    missing = [name for name in job["engines"] if name != "json" and name not in here["versions"]]
    missing += (
        ["demat"] if "demat" in job["engines"] and "demat" not in here["engines"] and "demat" not in missing else []
    )
    names = [name for name in job["engines"] if name not in missing]
    try:
        taken = answered("starts.py", job["model"], rounds * STARTS_A_ROUND, *names)
    except RuntimeError as error:
        return {"missing": missing, "failed": str(error)}
    bare = taken.pop("")
    engines = {}
    for script, whole in taken.items():
        engines[script] = {
            kind: [one - less for one, less in zip(whole[kind], bare[kind], strict=True)] for kind in ("seconds", "cpu")
        }
        # Of one round the difference may be below nothing; that of the best rounds is the best guess.
        engines[script]["best"] = min(whole["seconds"]) - min(bare["seconds"])
    return {"missing": missing, "engines": engines, "bare": median(bare["seconds"])}


def leaks(job: dict[str, Any], here: dict[str, Any]) -> dict[str, Any]:
    """The check that nothing grows."""
    if "demat" not in here["engines"]:
        return {"missing": ["demat"]}
    done = subprocess.run(
        [PYTHON, PROGRAMS / "leaks.py", "--count", str(job["count"])], capture_output=True, text=True, check=False
    )
    said = done.stdout.strip() or done.stderr.strip()[-500:]
    return {"missing": [], "failed" if done.returncode else "passed": said}


if __name__ == "__main__":
    print(json.dumps(prepare(), indent=1))
