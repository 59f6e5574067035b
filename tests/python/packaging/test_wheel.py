"""The wheel: its contents, and that it works in an empty environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def wheel() -> Path:
    """The wheel, as `make wheel` leaves it; there is little to do where it has just done so."""
    subprocess.run(["make", "wheel"], cwd=ROOT, check=True, capture_output=True)
    (path,) = (ROOT / "target" / "wheels").glob("*.whl")
    return path


@pytest.fixture(scope="module")
def fresh(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The `bin` of an environment that has the wheel and nothing else."""
    folder = tmp_path_factory.mktemp("fresh")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
    pip = [sys.executable, "-m", "pip", "--python", folder / "bin" / "python", "install", "--quiet"]
    subprocess.run([*pip, "--no-index", wheel], check=True)
    return folder / "bin"


def run(*command: str | Path, cwd: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    done = subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def test_all_of_the_package_is_in_it_and_nothing_else(wheel: Path) -> None:
    sources = {
        path.relative_to(ROOT / "python").as_posix()
        for path in (ROOT / "python" / "demat").rglob("*")
        if path.suffix in (".py", ".pyi") or path.name == "py.typed"
    }
    # Pages are built beside the sources, where there is what builds them.
    pages = {path.relative_to(ROOT / "python").as_posix() for path in (ROOT / "python" / "demat" / "web").rglob("*.*")}
    packed = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    assert pages - packed == set()
    packed -= pages
    assert {"demat/py.typed", "demat/json.pyi", "demat/_native.pyi", "demat/__init__.pyi"} <= packed
    natives = packed - sources
    assert sources - packed == set()
    assert [name.split(".")[0] for name in natives] == ["demat/_native"]


def test_what_it_says_of_itself(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
    about = Parser().parsestr(archive.read(name).decode())
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]
    assert about["Version"] == workspace["version"]
    assert about["Requires-Python"] == ">=3.11"
    # Nothing but what an extra is asked for.
    assert all("extra ==" in needed for needed in about.get_all("Requires-Dist", []))
    assert about["License-Expression"] == workspace["license"]
    assert {Path(name).name for name in about.get_all("License-File", [])} == {"LICENSE-APACHE", "LICENSE-MIT"}
    assert "Typing :: Typed" in about.get_all("Classifier", [])


def test_it_works_alone(fresh: Path, tmp_path: Path) -> None:
    program = """
import dataclasses, sys, demat
@dataclasses.dataclass
class Task:
    id: int
task = demat.json.decode(b'{"id": 1}', Task)
print(task, demat.json.encode(task).decode())
for name, module in list(sys.modules.items()):
    if "site-packages" in (getattr(module, "__file__", None) or ""):
        assert name.split(".")[0] == "demat", name
"""
    assert run(fresh / "python", "-c", program, cwd=tmp_path) == 'Task(id=1) {"id":1}\n'


def test_the_command_comes_with_it(fresh: Path, tmp_path: Path) -> None:
    workspace = tomllib.loads((ROOT / "Cargo.toml").read_text("utf-8"))["workspace"]["package"]
    assert run(fresh / "demat", "--version", cwd=tmp_path) == f"demat {workspace['version']}\n"
    (tmp_path / "tasks.json").write_text('[{"id":1}]')
    run(fresh / "demat", "copy", "tasks.json", "tasks.csv", cwd=tmp_path)
    assert (tmp_path / "tasks.csv").read_text() == "id\n1\n"


def test_little_is_imported(fresh: Path, tmp_path: Path) -> None:
    """What `import demat` brings in costs every program that uses it; most of it is not needed at once."""
    program = "import sys; bare = set(sys.modules); import demat; print(*sorted(set(sys.modules) - bare))"
    loaded = run(fresh / "python", "-c", program, cwd=tmp_path).split()
    assert set(loaded) <= {"__future__", "demat"}, loaded


def test_importing_is_quick(fresh: Path, tmp_path: Path) -> None:
    """15 ms over an interpreter that does nothing, and so over what it has loaded anyway; the format's module, too."""

    def best(program: str) -> float:
        timed = f"import time; begun = time.perf_counter(); {program}; print(time.perf_counter() - begun)"
        return min(float(run(fresh / "python", "-c", timed, cwd=tmp_path)) for _ in range(10))

    assert best("import demat") < 0.015
    assert best("import demat.json") < 0.015


def test_editors_find_the_stubs(fresh: Path, tmp_path: Path) -> None:
    (tmp_path / "program.py").write_text("import demat\nreveal_type(demat.json.decode(b'', list[int]))\n")
    command = [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", str(fresh / "python"), "program.py"]
    told = json.loads(subprocess.run(command, cwd=tmp_path, capture_output=True, text=True).stdout)
    assert [fault["message"] for fault in told["generalDiagnostics"]] == [
        'Type of "demat.json.decode(b\'\', list[int])" is "list[int]"'
    ]
