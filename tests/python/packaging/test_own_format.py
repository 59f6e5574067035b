"""A format that a program adds from outside, in Python's verbs: `docs/adding-a-format.md`."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]

PROGRAM = """
import io, sys
import demat_rec_native
sys.modules["demat._native"] = demat_rec_native
import demat
from dataclasses import dataclass

@dataclass
class Task:
    id: int
    title: str
    done: bool = False

tasks = [Task(1, "Clean the room"), Task(2, "Write\\na letter", True)]
data = demat.rec.encode(tasks)
assert data == b"id: 1\\ntitle: Clean the room\\ndone: no\\n\\nid: 2\\ntitle: Write\\n+ a letter\\ndone: yes\\n", data
assert demat.rec.decode(data, list[Task]) == tasks
assert list(demat.rec.read(io.BytesIO(data), Task)) == tasks
assert demat.rec.decode(data)[0] == {"id": "1", "title": "Clean the room", "done": "no"}
assert list(demat.rec.columns(data, Task).names) == ["id", "title", "done"]
demat.rec.write("tasks.rec", tasks)
demat.copy("tasks.rec", "tasks.json", list[Task])
assert demat.json.decode(open("tasks.json", "rb").read(), list[Task]) == tasks
demat.copy("tasks.json", "again.rec", list[Task])
assert open("again.rec", "rb").read() == data
try:
    demat.rec.decode(b"id: x\\n", list[Task])
except demat.ValidationError as error:
    assert str(error) == "expected `int`, found `x` at `$[0].id` (line 1, column 4)", error
else:
    raise AssertionError("it was taken")
try:
    demat.rec.decode(data, list[Task], lazy=True)
except TypeError as error:
    print("refused:", error)
"""


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the native module of the example, built for development."""
    manifest = ROOT / "examples" / "format" / "Cargo.toml"
    # All of its workspace, as its tests are built: so both want the same features of the same crates.
    build = ["cargo", "build", "--locked", "--quiet", "--manifest-path", manifest, "--workspace"]
    subprocess.run([*build, "--target-dir", ROOT / "target"], check=True)
    folder = tmp_path_factory.mktemp("native")
    shutil.copy(ROOT / "target" / "debug" / "libdemat_rec_native.so", folder / "demat_rec_native.so")
    return folder


def test_the_verbs_have_it(native: Path, tmp_path: Path) -> None:
    path = f"import sys; sys.path[:0] = [{str(native)!r}, {str(ROOT / 'python')!r}]\n"
    done = subprocess.run(
        [sys.executable, "-c", path + PROGRAM], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == 'refused: decoding rec has no option "lazy"\n'
