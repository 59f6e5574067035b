"""Keys of any characters address rows, never the collection. Each `Location` leads back, also after a browser's URL
parser."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import demat
import pytest
from demat import store
from requested import ask

if TYPE_CHECKING:
    from pathlib import Path


@dataclass
class Row:
    key: Annotated[str, demat.Field(key=True)]
    value: int = 0


ODD = [
    "",
    ".",
    "..",
    "...",
    "~",
    "~~",
    "~.",
    "~..",
    "~~.",
    "~x",
    "/",
    "//",
    "../",
    "a/../b",
    "%",
    "%2F",
    "%2e",
    "%00",
    "?",
    "#",
    "?a=1#b",
    " ",
    "+",
    "&",
    ";",
    ",",
    "\\",
    "\\,",
    ":id",
    "\0",
    "a\0b",
    "\n\r",
    "\t",
    "é",
    "☃",
    "\u202e",
    "\U0010ffff",
    '"',
    "<script>",
    "{key}",
    "*",
    "-",
    "openapi.json",
    "count",
    "children",
    "x" * 2000,
]


def keys() -> list[str]:
    chance = random.Random(7)
    letters = "./~%?#&=+;: \\\0\na2eFéß☃\U0001f600"
    return [*ODD, *{"".join(chance.choices(letters, k=chance.randrange(1, 6))) for _ in range(150)} - set(ODD)]


def normalized(urls: list[str]) -> list[str]:
    """Returns the URLs as a browser sends them, using Node's `URL` class."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("SKIPPED: node is not there")
    program = "console.log(JSON.stringify(JSON.parse(require('fs').readFileSync(0)).map((url) => new URL(url).href)))"
    done = subprocess.run([node, "-e", program], input=json.dumps(urls), capture_output=True, text=True, check=True)
    result: list[str] = json.loads(done.stdout)
    return result


def test_a_location_leads_back(tmp_path: Path) -> None:
    with demat.sqlite.open(tmp_path / "rows.db") as database:
        table = database.table("rows", Row)
        with demat.serve({"/rows": table, "/all": database}, port=0, background=True, urls="url") as server:
            there = keys()
            for prefix in ("/rows", "/all/rows"):
                locations = []
                for number, key in enumerate(there):
                    made = ask(server.url, "POST", prefix, {"key": key, "value": number})
                    assert made.status == 201, (key, made)
                    assert made.json()["url"] == made.headers["location"], key
                    locations.append(made.headers["location"])
                assert len(set(locations)) == len(there)
                for number, (key, url) in enumerate(zip(there, normalized(locations), strict=True)):
                    path = urlsplit(url).path
                    assert ask(server.url, "GET", path).json()["key"] == key, url
                    assert ask(server.url, "PATCH", path, {"value": -number}).json()["value"] == -number, key
                    count = len(table.select().all())
                    assert ask(server.url, "DELETE", path).status == 204
                    assert len(table.select().all()) == count - 1, key
                    assert ask(server.url, "GET", path).status == 404
                assert table.select().all() == []


def test_a_remote_store_has_the_same_keys(tmp_path: Path) -> None:
    with demat.sqlite.open(tmp_path / "rows.db") as database:
        table = database.table("rows", Row)
        with demat.serve({"/rows": table}, port=0, background=True) as server:
            rows = store.remote(server.url + "/rows")
            for key in ODD:
                at = rows.post("/", {"key": key})
                assert rows.get(at)["key"] == key
                assert key in rows.children()
                rows.delete(at)
                with pytest.raises(demat.NotFound):
                    rows.get(at)


def test_values_by_odd_names() -> None:
    notes = store.memory({})
    with demat.serve({"/notes": notes, "/dict": {name: name for name in ODD}}, port=0, background=True) as server:
        below = store.remote(server.url)
        for name in ODD:
            own = below.children("/dict")
            assert name in own
        place = store.memory({name: {"": name} for name in ODD})
        assert place.get("/~/~") == ""
        assert place.get("/~..") == {"": ".."}


def test_what_would_be_resolved_is_refused(tmp_path: Path) -> None:
    with demat.sqlite.open(tmp_path / "rows.db") as database:
        table = database.table("rows", Row)
        table.insert([Row(""), Row("."), Row("..")])
        with demat.serve({"/rows": demat.route(table, bulk=True)}, port=0, background=True) as server:
            for path in (
                "/rows/",
                "/rows//",
                "/rows/.",
                "/rows/..",
                "/rows/%2e",
                "/rows/%2E%2e",
                "//",
                "/./rows",
                "/rows/%ff",
                "/rows/%",
                "/rows/%zz",
            ):
                assert ask(server.url, "DELETE", path).status == 400, path
                assert len(table.select().all()) == 3, path


def test_a_key_that_no_url_has_room_for_has_no_location(tmp_path: Path) -> None:
    with demat.sqlite.open(tmp_path / "rows.db") as database:
        table = database.table("rows", Row)
        with demat.serve({"/rows": table}, port=0, background=True) as server:
            made = ask(server.url, "POST", "/rows", {"key": "x" * 20_000})
            assert (made.status, made.headers.get("location")) == (201, None)
            assert ask(server.url, "GET", "/rows/" + "x" * 20_000).status == 400
