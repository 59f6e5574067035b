"""What the page is built of, as the package has it."""

from __future__ import annotations

import json
import re

import pytest
from server import PAGE, ROOT

BUILT = PAGE.parent
pytestmark = pytest.mark.skipif(
    not PAGE.exists(), reason="the page is not built; `make web` does it, where npm is there"
)


def test_nothing_else_is_there() -> None:
    assert sorted(path.name for path in BUILT.iterdir()) == ["LICENSES.txt", "app.css", "app.js", "index.html"]


def test_whose_work_it_is_stands_beside_it() -> None:
    packages = json.loads((ROOT / "web" / "todomvc" / "package.json").read_text())["dependencies"]
    notices = (BUILT / "LICENSES.txt").read_text()
    for name, version in packages.items():
        assert re.search(rf"^{name} {re.escape(version)}, .*(MIT|CC-BY-4\.0)", notices, re.MULTILINE), name
    assert "Permission is hereby granted" in notices
    assert "Creative Commons" in notices


def test_it_names_no_other_server() -> None:
    for path in (BUILT / "app.js", BUILT / "app.css"):
        others = set(re.findall(r"https?://[^\s'\"`)]+", path.read_text()))
        assert others <= {
            "https://todomvc.com",
            # names of namespaces, which nobody asks
            "http://www.w3.org/2000/svg",
            "http://www.w3.org/1999/xhtml",
            "http://www.w3.org/1998/Math/MathML",
        }
