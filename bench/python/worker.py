"""The process in which one engine does one job. ../interpreter.py drives it; by hand:

worker.py engines                              what is here, as JSON
worker.py job MODEL ENGINE FILE ROWS EXPECTED  one job, as JSON; exit 1 and a sentence where an answer is wrong
"""

import json
import platform
import sys
from pathlib import Path
from typing import Any

BENCH = Path(__file__).resolve().parent.parent
# Behind everything else: the harness's modules must not shadow a peer's.
sys.path += [str(BENCH), str(BENCH / "target" / "python")]

import clock  # noqa: E402
import engines  # noqa: E402
from models import MODELS, Job, place  # noqa: E402


def job(model_name: str, engine: str, path: str, rows: str, expected: str) -> dict[str, Any]:
    """Warm up on next to nothing, then measure; every result is checked, outside the timed part."""
    model = MODELS[model_name]
    prepare = engines.prepared(engine, model_name)

    call, cls = prepare(model.warm)
    given = model.given(model.warm, cls)
    model.answer(call([None], given) if model.small else call(given), cls)

    # Where the call is given a place, it may be one of gigabytes.
    whole = Job(b"" if model.given is place else Path(path).read_bytes(), int(rows), path)
    call, cls = prepare(whole)
    given = model.given(whole, cls)

    def check(result: Any) -> None:
        if (answer := model.answer(result, cls)) != expected:
            raise SystemExit(f"{engine}: wrong answer: {answer}, expected {expected}")

    return (clock.small if model.small else clock.bulk)(call, given, check)


def here() -> dict[str, Any]:
    """Which engine can do which model, and what else belongs beside the figures."""
    found, missing = engines.load()
    return {
        "engines": {name: list(models) for name, models in found.items()},
        "missing": missing,
        "versions": {platform.python_implementation(): platform.python_version()} | engines.versions(),
    }


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["engines"]:
            print(json.dumps(here()))
        case ["job", model, engine, path, rows, expected]:
            print(json.dumps(job(model, engine, path, rows, expected)))
        case _:
            sys.exit(__doc__)
