"""The process of one kind: makes its data once, then has each engine do each job in a process of its own.

    python -m zoo.worker '{"kind": …, "count": …, "formats": […], "jobs": {job: [engine…]}, "rounds": …, …}'

Engines are imported in a process each, forked from here; each cell (a job of an engine) is measured in a process forked
from that one, so that no cell inherits the heap that another left. Engines take turns: A B C, then B C A.
"""

import gc
import json
import os
import select
import signal
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parent.parent
# Behind everything else: the harness's modules must not shadow a peer's.
sys.path += [str(BENCH), str(BENCH / "python"), str(BENCH / "target" / "python")]

from zoo import answers, cell  # noqa: E402
from zoo.engines import each, load  # noqa: E402
from zoo.inputs import Inputs, Work  # noqa: E402
from zoo.kinds import KINDS  # noqa: E402

# The warm-up is a document of so many records.
WARM = 2
# A cell that takes longer has failed.
PATIENCE = 120


def answered(task: Callable[[], Any], patience: float) -> dict[str, Any]:
    """What a task gives in a forked process, or `failed` with a sentence."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        try:
            result = {"done": task()}
        except BaseException as error:
            result = {"failed": f"{type(error).__name__}: {error}"[:400]}
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(json.dumps(result).encode())
        os._exit(0)
    os.close(writing)
    pieces = []
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], patience)[0]:
            if not (piece := pipe.read(1 << 16)):
                break
            pieces.append(piece)
        else:
            os.kill(child, signal.SIGKILL)
            pieces = [json.dumps({"failed": f"no answer within {patience:g} s"}).encode()]
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return json.loads(b"".join(pieces)) if pieces else {"failed": f"the process ended with {code}"}


def measure(job: str, prepare: Any, warm: Inputs, inputs: Inputs, limits: cell.Limits, *, full: bool) -> dict[str, Any]:
    """One cell, in its own process."""
    small, read = job.startswith("small/"), job.endswith("/read")
    first = prepare(warm)
    answers.check(job, first.call(first.given), warm, first, full=True)
    work: Work = prepare(inputs)
    prints: list[str | None] = []

    def check(result: Any) -> None:
        # Records that are read are gone when the clock has stopped: they are read once more.
        result = work.call(work.given) if read else result
        prints.append(answers.check(job, result, inputs, work, full=full and not prints))
        if prints[0] != prints[-1]:
            raise answers.AnswerError(f"another output at another call: {prints[0]}, {prints[-1]}")

    call = (lambda given: each(work.call(given))) if read else work.call
    gc.collect()
    gc.freeze()
    measured = (cell.small if small else cell.bulk)(call, work.given, check, limits)
    return measured | {"output": prints[0]}


def server(engine: str, warm: Inputs, inputs: Inputs, limits: cell.Limits, asked: int, telling: int) -> None:
    """An engine's process: imports it, and forks for each cell that it is asked for, a line each."""
    with os.fdopen(asked, "r") as requests, os.fdopen(telling, "w") as answers_:
        try:
            jobs, missing = load(engine), None
            # It shows anybody's columns to the check, and takes long to load.
            if any(job.endswith("/columns") for job in jobs):
                import_module("pyarrow")
        except ImportError as error:
            jobs, missing = {}, f"not here: {error}"
        for line in requests:
            job, full = json.loads(line)
            if missing or job not in jobs:
                told = {"failed": missing or f"{engine} has no {job}"}
            else:
                told = answered(partial(measure, job, jobs[job], warm, inputs, limits, full=full), PATIENCE)
            answers_.write(json.dumps(told) + "\n")
            answers_.flush()


class Engine:
    """The other end of an engine's process."""

    def __init__(self, name: str, *given: Any) -> None:
        """Forks it."""
        requests, asked = os.pipe()
        answers_, telling = os.pipe()
        self.child = os.fork()
        if self.child == 0:
            os.close(asked)
            os.close(answers_)
            try:
                server(name, *given, requests, telling)
            finally:
                os._exit(0)
        os.close(requests)
        os.close(telling)
        self.asked, self.answers = os.fdopen(asked, "w"), os.fdopen(answers_, "r")

    def ask(self, job: str, *, full: bool) -> dict[str, Any]:
        """One cell."""
        try:
            self.asked.write(json.dumps([job, full]) + "\n")
            self.asked.flush()
            line = self.answers.readline()
        except OSError as error:
            return {"failed": f"the engine's process is gone: {error}"}
        return json.loads(line) if line else {"failed": "the engine's process is gone"}

    def end(self) -> None:
        """Lets it go."""
        self.asked.close()
        self.answers.close()
        os.waitpid(self.child, 0)


def run(asked: dict[str, Any], folder: Path) -> dict[str, Any]:
    """All jobs of a kind."""
    kind = KINDS[asked["kind"]]
    limits = cell.Limits(asked["calls"], asked["enough"], asked["loop"])
    warm_folder = folder / "warm"
    warm_folder.mkdir()
    warm = Inputs(kind, min(WARM, asked["count"]), asked["formats"], warm_folder)
    inputs = Inputs(kind, asked["count"], asked["formats"], folder)
    # Made before the forks, so that all engines share them.
    for one in (warm, inputs):
        _ = one.portrait
        if "json" in one.texts:
            _ = one.plain
        if "msgpack" in one.texts:
            _ = one.plain_packed
        if any(job.endswith("/columns") for job in asked["jobs"]):
            _ = one.columns
    gc.collect()
    gc.freeze()
    # An engine ends when its pipe is closed. So an engine that is forked later must not keep the pipes of earlier ones
    # open.
    engines: dict[str, Engine] = {}
    cells: dict[str, dict[str, dict[str, Any]]] = {job: {} for job in asked["jobs"]}
    for turn in range(asked["rounds"]):
        for job, names in asked["jobs"].items():
            place = turn % len(names)
            for name in names[place:] + names[:place]:
                if name not in engines:
                    engines[name] = Engine(name, warm, inputs, limits)
                one = cells[job].setdefault(name, {"rounds": []})
                if "failed" in one:
                    continue
                told = engines[name].ask(job, full=turn == 0)
                if "failed" in told:
                    one["failed"] = told["failed"]
                    continue
                done = told["done"]
                if one["rounds"] and one["rounds"][0]["output"] != done["output"]:
                    one["failed"] = "another output in another round"
                one["rounds"].append(done)
    # The youngest first: it holds copies of the pipes of those before it.
    for engine in reversed(engines.values()):
        engine.end()
    return {"bytes": {name: len(text) for name, text in inputs.texts.items()}, "cells": cells}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as name:
        print(json.dumps(run(json.loads(sys.argv[1]), Path(name))))
