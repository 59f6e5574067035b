"""Places of schemes on the command line of the package."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import demat
import pytest
from demat._command_places import READING, VALUED

DEMAT = Path(sys.executable).with_name("demat")

PACKAGE = '''
import os
import demat
from demat import store


class Notes(demat.Store):
    """Values in files of a folder."""

    def __init__(self):
        self.files = store.folder(os.environ["NOTES"], suffix=".json")

    def get(self, path):
        if path == ("slow",):
            import time
            print("begun", flush=True)
            time.sleep(60)
        if path == ("wrong",):
            raise TypeError("a mistake in the store")
        return self.files.get("/" + "/".join(path))

    def put(self, path, value):
        if path == ("refused",):
            raise PermissionError("not here")
        self.files.put("/" + "/".join(path), value)
'''


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the notes; the current folder is beside it, and so are temporary files."""
    (tmp_path / "lib" / "noted-1.dist-info").mkdir(parents=True)
    (tmp_path / "lib" / "noted.py").write_text(PACKAGE)
    about = tmp_path / "lib" / "noted-1.dist-info"
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: noted\nVersion: 1\n")
    (about / "entry_points.txt").write_text("[demat.schemes]\nnoted = noted:Notes\nbroken = nowhere:Notes\n")
    for name in ("kept", "here", "tmp"):
        (tmp_path / name).mkdir()
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path / "lib"), os.environ.get("PYTHONPATH", "")]))
    monkeypatch.setenv("NOTES", str(tmp_path / "kept"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
    monkeypatch.chdir(tmp_path / "here")
    (tmp_path / "kept" / "tasks.json").write_text('[{"id":1,"title":"write"},{"id":2,"title":"rest"}]')
    return tmp_path / "kept"


def run(*arguments: str, given: bytes = b"") -> tuple[int, str, str]:
    done = subprocess.run([DEMAT, *arguments], input=given, capture_output=True, check=False, timeout=60)
    return done.returncode, done.stdout.decode(), done.stderr.decode()


def shown(value: object) -> str:
    return " ".join(value) if isinstance(value, list) else ""


LINES = '{"id":1,"title":"write"}\n{"id":2,"title":"rest"}\n'
SEEN = [
    (["copy", "noted:/tasks.json"], LINES),
    (["copy", "noted:/tasks.json", "-", "--to", "csv"], "id,title\n1,write\n2,rest\n"),
    (["copy", "--from", "ndjson", "noted:/tasks.json?id.gt=1", "-", "--to=csv"], "id,title\n2,rest\n"),
    (["copy", "--", "noted:/tasks.json", "-"], LINES),
    (["-q", "--color", "never", "copy", "noted:/tasks.json", "noted:/tasks.json", "-"], LINES + LINES),
    (["head", "-n", "1", "noted:/tasks.json"], LINES.splitlines(keepends=True)[0]),
    (["schema", "noted:/tasks.json"], "id:int, title:text, !\n"),
    (["check", "noted:/tasks.json"], ""),
    (["diff", "noted:/tasks.json", "noted:/tasks.json"], ""),
]


@pytest.mark.parametrize(("arguments", "said"), SEEN, ids=shown)
def test_values_are_read(kept: Path, arguments: list[str], said: str) -> None:
    code, out, wrong = run(*arguments)
    assert (code, out, wrong) == (0, said, "")
    assert list((kept.parent / "tmp").iterdir()) == []


def test_info_counts_the_records(kept: Path) -> None:
    assert "records: 2\n" in run("info", "noted:/tasks.json")[1]


def test_values_are_written(kept: Path) -> None:
    Path("a.csv").write_text("id,title\n1,write\n2,rest\n")
    for arguments, names in (
        (["copy", "a.csv", "noted:/one", "--infer"], ["one"]),
        (["copy", "--infer", "a.csv", "b.json", "--also", "noted:/two", "--also=noted:/three"], ["two", "three"]),
        (["copy", "a.csv", "-o", "noted:/four", "--infer"], ["four"]),
        (["copy", "a.csv", "--output=noted:/five", "--infer", "--to", "json"], ["five"]),
        (["copy", "noted:/tasks.json", "noted:/six"], ["six"]),
        (["copy", "-qo", "noted:/seven", "noted:/tasks.json"], ["seven"]),
        (["copy", "noted:/tasks.json", "-onoted:/eight"], ["eight"]),
        (["copy", "-qo=noted:/nine", "a.csv", "--infer"], ["nine"]),
    ):
        assert run(*arguments) == (0, "", "")
        for name in names:
            written = demat.json.decode((kept / f"{name}.json").read_bytes())
            assert written == demat.json.decode((kept / "tasks.json").read_bytes())
    assert list((kept.parent / "tmp").iterdir()) == []


def test_any_name_is_that_of_a_value(kept: Path) -> None:
    Path("a.csv").write_text("id\n1\n")
    for name in ("a.db#x", "b.db%3Fx", "c.sqlite", "d.db"):
        assert run("copy", "a.csv", f"noted:/{name}", "--infer") == (0, "", "")
        assert run("copy", f"noted:/{name}") == (0, '{"id":1}\n', "")


def test_records_that_are_left_out_do_not_keep_the_others_from_the_store(kept: Path) -> None:
    Path("a.ndjson").write_text('{"id":1}\n{"id":"x"}\n{"id":2}\n')
    code, _, wrong = run("copy", "a.ndjson", "noted:/new", "--shape", "id: int", "--on-error", "skip")
    assert (code, "2 were written" in wrong) == (1, True)
    assert demat.json.decode((kept / "new.json").read_bytes()) == [{"id": 1}, {"id": 2}]


def test_help_writes_nothing_and_is_no_error(kept: Path) -> None:
    code, out, wrong = run("copy", "a.ndjson", "noted:/new", "--help")
    assert (code, wrong, "Usage: demat copy" in out) == (0, "", True)


def test_a_condition_is_no_place(kept: Path) -> None:
    code, out, wrong = run("copy", "noted:/tasks.json", "-", "--where", "title = 'noted:/tasks.json'")
    assert (code, out, wrong) == (0, "", "")
    assert "takes no place" not in run("copy", "noted:/tasks.json", "-", "--where", "noted:/tasks")[2]


def test_long_names_and_bytes_that_are_no_text(kept: Path) -> None:
    code, _, wrong = run("copy", f"noted:/{'x' * 300}", "-")
    assert code == 3
    assert "Traceback" not in wrong
    done = subprocess.run([DEMAT, "copy", b"noted:/\xff", "-"], capture_output=True, check=False, timeout=60)
    assert (done.returncode, b"UTF-8" in done.stderr, b"Traceback" in done.stderr) == (2, True, False)


REFUSED = [
    (["copy", "noted:/tasks.json", "x.csv", "--from", "csv", "--no-header"], 2, "leave out --no-header"),
    (["copy", "noted:/tasks.json", "noted:/new", "--to", "csv", "--to-delimiter", ";"], 2, "leave out --to-delimiter"),
    (["copy", "noted:/tasks.json", "noted:/new", "--to-option", "sequence=true"], 2, "leave out --to-option"),
    (["copy", "noted:/tasks.json", "x.csv", "--encoding", "latin1"], 2, "leave out --encoding"),
    (["copy", "noted:/none", "x.csv"], 3, "error: `/none`: not found"),
    (["copy", "x.csv", "noted:/a?id=1"], 3, "a query says what is read"),
    (["copy", "noted:/tasks.json", "x.csv", "--from", "nonsense"], 2, "nonsense"),
    (["copy", "noted:/wrong", "x.csv"], 1, "Traceback"),
    (["serve", "noted:/tasks.json"], 2, "`demat serve` takes no place of a scheme"),
    (["copy", "noted:/tasks.json", "x.csv", "--rejects", "noted:/r"], 2, "--rejects takes no place of a scheme"),
    (["copy", "noted:/tasks.json", "x.csv", "--add-path"], 2, "--add-path names files"),
    (["copy", "noted:/tasks.json", "noted:/refused"], 3, "not here"),
    (["copy", "noted:/tasks.json", "x.csv", "--nonsense"], 2, "--nonsense"),
    (["copy", "noted:/tasks.json", "--shape", "id: text", "x.csv"], 1, "expected"),
    (["copy", "broken:/a", "x.csv"], 1, "No module named 'nowhere'"),
    (["copy", "noted2:/tasks.json", "x.csv"], 3, "can't be opened"),
]


@pytest.mark.parametrize(("arguments", "code", "why"), REFUSED, ids=shown)
def test_what_is_refused(kept: Path, arguments: list[str], code: int, why: str) -> None:
    ended, out, wrong = run(*arguments)
    assert (ended, out) == (code, "")
    assert why in wrong
    assert not Path("x.csv").exists()
    assert [path.name for path in kept.iterdir()] == ["tasks.json"]
    assert list((kept.parent / "tmp").iterdir()) == []


def test_a_file_of_this_name_comes_first(kept: Path) -> None:
    Path("noted:").mkdir()
    Path("noted:/tasks.json").write_text("[7]")
    assert run("copy", "noted:/tasks.json") == (0, "[7]\n", "")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_signals_end_it_and_leave_nothing_behind(kept: Path, number: signal.Signals) -> None:
    """While the store is read, and while the command runs."""

    def listen() -> None:
        signal.signal(number, signal.SIG_DFL)

    command: dict[str, list[str]] = {
        "reading": ["copy", "noted:/tasks.json", "noted:/slow", "-"],
        "running": ["copy", "--from", "ndjson", "-", "noted:/new"],
    }
    for arguments in command.values():
        with subprocess.Popen(
            [DEMAT, *arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            preexec_fn=listen,
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            if "noted:/slow" in arguments:
                assert process.stdout.readline() == b"begun\n"
            else:
                process.stdin.write(b'{"id":1}\n')
                process.stdin.flush()
                until = time.monotonic() + 20
                while not list((kept.parent / "tmp").rglob("*.demat-tmp")):
                    assert time.monotonic() < until
                    time.sleep(0.01)
            process.send_signal(number)
            assert process.wait(timeout=20) == -number
    assert list((kept.parent / "tmp").iterdir()) == []
    assert [path.name for path in kept.iterdir()] == ["tasks.json"]


def test_a_command_that_is_killed_is_said_to_be(kept: Path) -> None:
    with subprocess.Popen(
        [DEMAT, "copy", "--from", "ndjson", "-", "noted:/new"], stdin=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        until = time.monotonic() + 20
        while not list((kept.parent / "tmp").rglob("*.demat-tmp")):
            assert time.monotonic() < until
            time.sleep(0.01)
        child = Path(f"/proc/{process.pid}/task/{process.pid}/children")
        if not child.exists():
            process.terminate()
            pytest.skip("the system does not say which processes it has started")
        os.kill(int(child.read_text().split()[0]), signal.SIGKILL)
        assert process.wait(timeout=20) == -signal.SIGKILL
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert [path.name for path in kept.iterdir()] == ["tasks.json"]


def test_options_that_take_a_value_are_known() -> None:
    for name in READING:
        told = run(name, "--help")[1]
        options = re.findall(r"^ +(?:(-\w), )?(--[\w-]+) <", told, re.MULTILINE)
        assert options
        for short, long in options:
            assert {long, *([short] if short else [])} <= VALUED
