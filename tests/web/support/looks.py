"""Pictures of pages, and what axe finds in them; both are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page
from server import ROOT

AXE = ROOT / "web" / "todomvc" / "node_modules" / "axe-core" / "axe.min.js"
OUT = ROOT / "tests" / "web" / "out"


def picture(page: Page, name: str) -> Path:
    """Keeps a picture of the page."""
    OUT.mkdir(exist_ok=True)
    path = OUT / f"{name}.png"
    page.screenshot(path=path)
    return path


def findings(page: Page, name: str) -> list[str]:
    """What axe finds that is serious or worse; all that it finds is kept."""
    page.evaluate(AXE.read_text())
    found: dict[str, Any] = page.evaluate("axe.run()")
    OUT.mkdir(exist_ok=True)
    kept = {part: found[part] for part in ("violations", "incomplete")}
    (OUT / f"{name}.axe.json").write_text(json.dumps(kept, indent=2, ensure_ascii=False) + "\n")
    return [
        f"{each['impact']}: {each['help']}: {node['html']}"
        for each in found["violations"]
        if each["impact"] in ("serious", "critical")
        for node in each["nodes"]
    ]
