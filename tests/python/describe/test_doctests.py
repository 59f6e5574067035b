"""The examples in docstrings."""

import doctest
import importlib
import pkgutil
import sys

import demat
import pytest

MODULES = ["_case", "_configure", "_declared", "_errors", "_field", "_hook", "_unset"]
for package in ("_describe", "_schema"):
    found = importlib.import_module(f"demat.{package}")
    MODULES += [package, *(f"{package}.{module.name}" for module in pkgutil.iter_modules(found.__path__))]


@pytest.mark.parametrize("name", MODULES)
def test_examples(name):
    # Not by import, which gives what the package has under the name: functions are called as their modules are.
    importlib.import_module(f"demat.{name}")
    assert doctest.testmod(sys.modules[f"demat.{name}"]).failed == 0


@pytest.mark.parametrize("name", ["Error", "Field", "Hook", "hook", "configure", "schema", "define", "source"])
def test_each_public_name_has_an_example(name):
    assert ">>>" in (getattr(demat, name).__doc__ or "")
