"""The list of the examples: it has all that there are, and nothing else."""

from __future__ import annotations

import re

from programs import EXAMPLES

PAGE = (EXAMPLES / "README.md").read_text("utf-8")
# What a program in the list brings besides itself.
PARTS = {"demo.py"}


def test_each_link_leads_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)", PAGE)
    assert len(links) > 15
    for link in links:
        assert (EXAMPLES / link).exists(), link


def test_each_program_is_in_the_list() -> None:
    programs = {path.relative_to(EXAMPLES).as_posix() for path in EXAMPLES.rglob("*.py")}
    programs |= {path.name for path in EXAMPLES.glob("*.sh")} | {path.name for path in EXAMPLES.glob("*.proto")}
    rust = (EXAMPLES.parent / "crates" / "demat" / "examples").glob("*.rs")
    programs |= {f"../crates/demat/examples/{path.name}" for path in rust}
    assert programs - PARTS <= set(re.findall(r"\]\(([^)#]+)", PAGE))


def test_how_to_run_a_program_is_what_it_says_itself() -> None:
    found = re.findall(r"^\| .* \| `python (examples/\S+)(.*)` \|$", PAGE, re.MULTILINE)
    assert len(found) >= 9
    for program, arguments in found:
        said = (EXAMPLES.parent / program).read_text("utf-8")
        assert f"python {program}{arguments}" in said, program
