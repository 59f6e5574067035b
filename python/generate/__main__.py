"""Writes the modules and stubs of all formats from their table: `python -m generate`, which is `make stubs`.

With `--check` it writes nothing, and exits with 1 where one of them is not what it would write.
"""

import subprocess
import sys
from pathlib import Path

from demat._formats import FORMATS

from .module import module
from .page import page
from .stub import stub

ROOT = Path(__file__).parents[1]


def files() -> dict[Path, str]:
    """What is to stand in which file."""
    package = ROOT / "demat"
    written: dict[Path, str] = {}
    for form in FORMATS:
        written[package / f"{form.name}.py"] = formatted(module(form), "module.py")
        written[package / f"{form.name}.pyi"] = formatted(stub(form), "stub.pyi")
    written[ROOT.parent / "docs" / "formats.md"] = page()
    return written


def formatted(text: str, name: str) -> str:
    """The text as the house's formatter has it."""
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", str(ROOT / name), "-"]
    return subprocess.run(ruff, input=text, capture_output=True, text=True, check=True).stdout


def main() -> int:
    """Writes all files, or checks them; gives the code to exit with."""
    check = sys.argv[1:] == ["--check"]
    stale = 0
    for path, text in files().items():
        if path.exists() and path.read_text("utf-8") == text:
            continue
        stale += 1
        if check:
            sys.stderr.write(f"{path}: not what the table says; `make stubs` writes it anew\n")
        else:
            path.write_text(text, "utf-8")
    return 1 if check and stale else 0


if __name__ == "__main__":
    sys.exit(main())
