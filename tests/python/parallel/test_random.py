"""Random lines and tables, with errors in them, divided in random sizes: a copy by parts against the whole.

The parts are copied in this process, in a random order, since processes would take minutes for as many cases.
"""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import demat
import pytest
from demat._parallel import copy, parts, worker
from divided import Row
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

CELLS = ["a", 'a"b', '"q"', '"a\nb"', '"a""b"', '"1,x,\n2,y,\n"', '""', "é", '"\n"', "x y", "\r"]
WRONG_CELLS = ['"open', '"c"d']
LINES = ['{"id":%d,"title":"a"}'] * 8 + ['{"id":%d,"title":"é","due":"2026-01-02"}']
WRONG_LINES = ['{"id":"x","title":"b"}', '{"id":1', "[]", '{"id":%d,"title":"a","id":3}', '\ufeff{"id":1,"title":"a"}']
ENDS = ["\n", "\r\n", "\n\n"]


class InProcess:
    """Copies parts as a `Pool` does, each when it is waited for, in a random order."""

    def __init__(self, order: random.Random, workers: int, settings: dict[str, Any]) -> None:
        self.order = order
        self.workers = workers
        self.settings = settings
        self.tasks: list[worker.Task] = []

    @property
    def free(self) -> bool:
        return len(self.tasks) < self.workers

    def begin(self, task: worker.Task) -> None:
        self.tasks.append(task)

    def wait(self) -> list[tuple[worker.Task, worker.Outcome]]:
        if not self.tasks:
            return []
        task = self.tasks.pop(self.order.randrange(len(self.tasks)))
        return [(task, worker.copied(task, self.settings))]

    def close(self) -> None:
        pass


def table(made: random.Random) -> str:
    wrong = made.random() < 0.4
    rows = []
    for at in range(made.randrange(60)):
        cell = made.choice(WRONG_CELLS if wrong and made.random() < 0.04 else CELLS)
        number = "x" if wrong and made.random() < 0.1 else str(at)
        rows.append(f"{number},{cell},{',' if wrong and made.random() < 0.03 else ''}{made.choice(ENDS)}")
    return f"id,title,due{made.choice(ENDS)}{''.join(rows)}"


def lines(made: random.Random) -> str:
    wrong = made.random() < 0.6
    rows = []
    for at in range(made.randrange(60)):
        line = made.choice(WRONG_LINES if wrong and made.random() < 0.2 else LINES)
        rows.append((line % at if "%d" in line else line) + made.choice(ENDS))
    return "".join(rows)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("random")


def outcome(src: Path, out: Path, **options: Any) -> tuple[Any, ...]:
    rejects: list[tuple[demat.Error, bytes]] = []
    if options["on_error"] == "collect":
        options["rejects"] = rejects
    out.unlink(missing_ok=True)
    try:
        done: Any = demat.copy(src, out, Row, **options)
    except demat.Error as error:
        done = said(error), [said(one) for one in error.errors]
    return done, out.read_bytes() if out.exists() else None, [(said(error), data) for error, data in rejects]


def said(error: demat.Error) -> tuple[Any, ...]:
    return type(error), str(error), {name: value for name, value in vars(error).items() if name != "_errors"}


@given(
    seed=st.integers(0, 2**32),
    kind=st.sampled_from([table, lines]),
    size=st.sampled_from([20, 50, 100, 300]),
    workers=st.sampled_from([1, 2, 5]),
    to=st.sampled_from(["ndjson", "json", "csv"]),
    on_error=st.sampled_from(["stop", "skip", "collect", "all"]),
    where=st.sampled_from([None, None, "id > 10"]),
    fields=st.sampled_from([None, None, ["id", "title"]]),
)
@settings(max_examples=120, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_parts_are_the_whole(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    kind: Callable[[random.Random], str],
    size: int,
    workers: int,
    **options: Any,
) -> None:
    made = random.Random(seed)
    monkeypatch.setattr(copy, "Pool", lambda *given: InProcess(made, *given))
    monkeypatch.setattr(parts, "_LEAST", size)
    monkeypatch.setattr(parts, "_MOST", size)
    src = folder / ("in.csv" if kind is table else "in.ndjson")
    text = kind(made)
    src.write_text(text if made.random() < 0.7 else text.rstrip(), encoding="utf-8", newline="")
    expected = outcome(src, folder / "one", **options)
    assert outcome(src, folder / "one", workers=workers, **options) == expected
