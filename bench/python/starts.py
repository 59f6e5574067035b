"""Starts interpreters one after the other, with something to run and without.

    starts.py MODEL ROUNDS NAME…     what each round took, by name; the bare script's name is empty; as JSON

They are started as users start them: with `site`, with bytecode written beforehand, and in an empty folder, which is
the first entry of `sys.path`. Variables that change how Python starts are not handed on.
"""

import json
import os
import sys
import tempfile
import time

CLASS = "from dataclasses import dataclass\n@dataclass\nclass Task:\n    id: int\n    title: str\n    done: bool\n"
DATA = """b'{"id":1,"title":"one","done":false}'"""

# For each model the bare script and then, by name, what is added to it.
SCRIPTS = {
    "import": {
        "": "pass",
        "demat": "import demat",
        "msgspec": "import msgspec",
        "orjson": "import orjson",
        "pydantic": "import pydantic",
        "json": "import json",
    },
    "import-decode": {
        "": "pass",
        "demat": "import demat\ndemat.json.decode(b'[1]')",
        "msgspec": "import msgspec\nmsgspec.json.decode(b'[1]')",
        "orjson": "import orjson\norjson.loads(b'[1]')",
        "pydantic": "import pydantic_core\npydantic_core.from_json(b'[1]')",
        "json": "import json\njson.loads(b'[1]')",
    },
    "first-message": {
        "": CLASS,
        "demat": f"{CLASS}import demat\ndemat.json.decode({DATA}, Task)",
        "msgspec": f"{CLASS}import msgspec\nmsgspec.json.decode({DATA}, type=Task)",
        "orjson": f"{CLASS}import orjson\nTask(**orjson.loads({DATA}))",
        "pydantic": f"{CLASS}import pydantic\npydantic.TypeAdapter(Task).validate_json({DATA})",
        "json": f"{CLASS}import json\nTask(**json.loads({DATA}))",
    },
}


def start(script: str, environment: dict[str, str]) -> tuple[float, float]:
    """Seconds on the wall and of processor time, from before the start to after the exit."""
    begun = time.perf_counter_ns()
    child = os.posix_spawn(sys.executable, [sys.executable, "-c", script], environment)
    _, status, usage = os.wait4(child, 0)
    taken = (time.perf_counter_ns() - begun) / 1e9
    if status:
        raise SystemExit(f"exit status {status}: {script}")
    return taken, usage.ru_utime + usage.ru_stime


def rounds(model: str, count: int, names: list[str]) -> dict[str, dict[str, list[float]]]:
    """Every script once a round, each round beginning with another one; the first round is not counted."""
    scripts = SCRIPTS[model]
    names = ["", *names]
    taken: dict[str, dict[str, list[float]]] = {name: {"seconds": [], "cpu": []} for name in names}
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    for turn in range(count + 1):
        place = turn % len(names)
        for name in names[place:] + names[:place]:
            seconds, cpu = start(scripts[name], environment)
            if turn:
                taken[name]["seconds"].append(seconds)
                taken[name]["cpu"].append(cpu)
    return taken


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as empty:
        os.chdir(empty)
        print(json.dumps(rounds(sys.argv[1], int(sys.argv[2]), sys.argv[3:])))
