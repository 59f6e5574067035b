"""`import demat`: what it loads, and what it has."""

import subprocess
import sys

import demat
import pytest


def ran(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.strip()


BEFORE = "import sys; before = set(sys.modules); "
AFTER = "; print(*sorted(set(sys.modules) - before))"


def test_import_loads_nothing_but_itself():
    assert ran(f"{BEFORE}import demat{AFTER}") == "demat"


def test_declarations_load_no_more_than_they_need():
    program = "from demat import Field, Hook, configure, hook, Error; Field(name='x', ge=0); Hook(decode=int)"
    loaded = set(ran(f"{BEFORE}{program}{AFTER}").split())
    assert {name for name in loaded if not name.startswith("demat")} <= {"__future__"}
    assert not loaded & {"demat._describe", "demat._native", "demat._schema"}


def test_declaring_loads_no_typing():
    program = "import demat\nclass A: pass\ndemat.configure(A, rename='camel')\ndemat.hook(A, decode=A)"
    loaded = set(ran(f"{BEFORE}\n{program}\n{AFTER[2:]}").split())
    assert not loaded & {"typing", "dataclasses", "inspect", "re", "enum", "datetime", "decimal"}


def test_names():
    assert set(demat.__all__) <= set(dir(demat))
    for name in ("Error", "ValidationError", "Field", "Hook", "hook", "configure", "schema", "define", "source"):
        assert getattr(demat, name).__name__ == name
        assert name in vars(demat), "the second time it is found without asking"


def test_what_there_is_not():
    with pytest.raises(AttributeError, match="module 'demat' has no attribute 'nothing'"):
        demat.nothing  # noqa: B018
    with pytest.raises(ImportError):
        from demat import nothing  # type: ignore[attr-defined]  # noqa: F401


def test_unset_is_one():
    import copy
    import pickle

    from demat._unset import UNSET

    assert copy.deepcopy(UNSET) is pickle.loads(pickle.dumps(UNSET)) is UNSET
    assert not UNSET
