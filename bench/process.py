"""Jobs that are whole programs: converted files, peak memory, bombs."""

import json
import os
import shutil
import subprocess
import sys
import zlib
from pathlib import Path
from typing import Any

from data import make
from definition import BENCH, DATA, DATA_SETS

CHECKER = BENCH / "checker.py"
CORE = os.environ.get("DEMAT_BENCH_CORE", "0")


def programs() -> dict[str, str | None]:
    """Where each program stands; None where it does not. DEMAT names the one to measure."""
    duckdb = BENCH / ".venv" / "bin" / "duckdb"
    demat = Path(os.environ.get("DEMAT", BENCH.parent / "target" / "release" / "demat"))
    return {
        "demat": str(demat) if demat.exists() else None,
        "mlr": shutil.which("mlr"),
        "jq": shutil.which("jq"),
        "duckdb": str(duckdb) if duckdb.exists() else shutil.which("duckdb"),
    }


def pinned(command: list[Any]) -> list[str]:
    """The command on one core: Go's and DuckDB's threads would otherwise take what others have not."""
    taskset = ["taskset", "-c", CORE] if shutil.which("taskset") else []
    return [*taskset, *map(str, command)]


def launch(program: Path, output: str, command: list[str], job: dict[str, Any]) -> dict[str, Any]:
    """One process, timed by the launcher, under the job's cap and watchdog."""
    guard = []
    if "cap" in job:
        guard += ["prlimit", f"--as={job['cap'] << 20}"]
    if "timeout" in job:
        guard += ["timeout", "--signal=KILL", str(job["timeout"])]
    done = subprocess.run(
        pinned([program, "launch", output, *guard, *command]), capture_output=True, text=True, check=False
    )
    if done.returncode != 0:
        raise RuntimeError(done.stderr.strip())
    return json.loads(done.stdout) | {"stderr": done.stderr.strip()[-300:]}


def crc(path: Path) -> int:
    """Of a whole file, in pieces."""
    total = 0
    with path.open("rb") as file:
        while piece := file.read(1 << 20):
            total = zlib.crc32(piece, total)
    return total


def outcome(ran: dict[str, Any]) -> str:
    """What a program did with a bomb: the words of definitions/memory.toml, or what went wrong."""
    if ran["signal"] is not None:
        return f"signal {ran['signal']}"
    if ran["code"] == 0:
        return "value"
    if ran["code"] > 125:
        return f"code {ran['code']} (crash or watchdog)"
    return "error" if ran["stderr"] else f"code {ran['code']} without a word"


def carried(output: Path, digits: int) -> bool:
    """Whether a number of data.py's `long_number` came through whole, wherever it stands in the output."""
    whole = ("1234567890" * (digits // 10 + 1))[:digits]
    return whole in output.read_text(encoding="utf-8", errors="replace")


def convert(job: dict[str, Any], program: Path, command: list[str], state: dict[str, Any]) -> None:
    """One measured conversion. The first output is parsed and compared, later ones must be the same bytes."""
    output = Path(command[-1])
    output.unlink(missing_ok=True)
    ran = launch(program, str(output), command[:-1], job)
    if ran["code"] != 0:
        raise RuntimeError(f"exit {ran['code']}, signal {ran['signal']}: {ran['stderr']}")
    found = crc(output)
    if "crc" not in state:
        done = subprocess.run([sys.executable, CHECKER, output], capture_output=True, text=True, check=False)
        answer = done.stdout.strip() or done.stderr.strip()[-200:]
        if answer != job["answer"]:
            raise RuntimeError(f"wrong answer: {answer}, expected {job['answer']}")
        state["crc"] = found
    elif state["crc"] != found:
        raise RuntimeError("not the same bytes as the time before")
    state["seconds"].append(ran["seconds"])
    state["peak_kib"] = max(state["peak_kib"], ran["peak_kib"])
    output.unlink()


def run(name: str, job: dict[str, Any], program: Path, here: dict[str, str | None], times: int) -> dict[str, Any]:
    """One job of definitions/{cli,memory}.toml; the programs take turns."""
    result: dict[str, Any] = {
        "name": name,
        "bytes": DATA_SETS[job["input"]]["bytes"],
        "bars": job.get("bars"),
        "peak": job.get("peak"),
    }
    result["missing"] = [engine for engine in job["commands"] if not here.get(engine)]
    source = make(job["input"])
    result["engines"] = {}
    failed = []
    engines = [engine for engine in job["commands"] if here.get(engine)]
    for turn in range(times):
        for engine in engines:
            if turn and engine not in result["engines"]:
                continue
            state = result["engines"].setdefault(engine, {"seconds": [], "peak_kib": 0})
            output = DATA / f"{engine}.{job['output']}" if "output" in job else Path("/dev/null")
            names = {"{input}": str(source), "{output}": str(output), **{f"{{{k}}}": v for k, v in here.items() if v}}
            command = [fill(part, names) for part in job["commands"][engine]]
            try:
                if "output" in job:
                    convert(job, program, [*command, str(output)], state)
                    continue
                sink = DATA / f"{engine}.out" if "digits" in job else Path("/dev/null")
                ran = launch(program, str(sink), command, job)
                state["seconds"].append(ran["seconds"])
                state["peak_kib"] = ran["peak_kib"]
                state["outcome"] = outcome(ran)
                if "digits" in job:
                    if state["outcome"] == "value" and not carried(sink, job["digits"]):
                        state["outcome"] = "digits lost"
                    sink.unlink()
                if engine == "demat" and state["outcome"] not in job.get("outcome", ["value"]):
                    failed.append(f"demat: {state['outcome']}: {ran['stderr']}")
            except RuntimeError as error:
                failed.append(f"{engine}: {error}")
                del result["engines"][engine]
    if failed:
        result["failed"] = "; ".join(failed)
    return result


def fill(part: str, names: dict[str, str]) -> str:
    """Names in braces replaced one by one; `str.format` would trip over jq's own braces."""
    for name, value in names.items():
        part = part.replace(name, value)
    return part
