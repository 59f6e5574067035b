"""Places that are held, joined and scripted: writers, parsers, conditions, several targets, edits.

    python run.py [--records N] [--rounds N] [--jobs PATTERN] [--bars]

The engines of a job take turns; the least processor time of this process counts, in which threads are added up.
Before the clock starts, all must give the same answer. The exit code is 1 where an answer is wrong, and with `--bars`
where a bar is missed.
"""

import argparse
import gc
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import process_time
from typing import Any

import demat
from jobs import Inputs, Job, jobs


def least(calls: dict[str, Callable[[], Any]], rounds: int) -> dict[str, float]:
    """The least processor time of each call in seconds."""
    best = dict.fromkeys(calls, float("inf"))
    for _ in range(rounds):
        for name, call in calls.items():
            gc.collect()
            begin = process_time()
            call()
            best[name] = min(best[name], process_time() - begin)
    return best


def disagreements(job: Job) -> list[str]:
    """The engines whose answer is not Demat's. One that answers None does a part of the work only."""
    own = job.call()
    answers = {name: other.call() for name, other in job.others.items()}
    return [name for name, answer in answers.items() if answer is not None and answer != own]


def verdicts(job: Job, times: dict[str, float]) -> tuple[list[str], bool]:
    """What to print of each comparison, and whether all bars are met."""
    shown, met = [], True
    for name, other in job.others.items():
        ratio = times[name] / times["demat"]
        bar = ""
        if other.most is not None:
            met &= 1 / ratio <= other.most
            bar = f", bar: at most {other.most} of its time"
            shown.append(f"{1 / ratio:.2f} of the time of {name}{bar}")
            continue
        if other.least is not None:
            met &= ratio >= other.least
            bar = f", bar {other.least}"
        shown.append(f"{ratio:.2f} times {name}{bar}")
    return shown, met


def main() -> int:
    """All jobs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--records", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--jobs", default="", help="a pattern; all that match")
    parser.add_argument("--bars", action="store_true", help="fail where a bar is missed")
    given = parser.parse_args()
    print(f"demat {demat.__version__} of {Path(demat.__file__).parent}", file=sys.stderr)
    good = True
    with tempfile.TemporaryDirectory() as folder:
        inputs = Inputs(given.records, Path(folder))
        gc.freeze()
        for job in jobs(inputs):
            if not re.search(given.jobs, job.name):
                continue
            wrong = disagreements(job)
            if wrong:
                print(f"{job.name}: other answers by {', '.join(wrong)}")
                good = False
            calls = {"demat": job.call} | {name: other.call for name, other in job.others.items()}
            times = least(calls, given.rounds)
            shown, met = verdicts(job, times)
            good &= met or not given.bars
            print(f"{job.name:12} {times['demat'] * 1000:9.1f} ms: {'; '.join(shown)}", flush=True)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
