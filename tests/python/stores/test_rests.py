"""Routes of templates that end with a rest, and stores that answer all that is below a route."""

from __future__ import annotations

import itertools
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import demat
import pytest
from demat import StoreError, store
from hypothesis import given
from hypothesis import strategies as st
from own_stores import Plain, Tree


class Files:
    """Functions over texts by their paths; notes what each was called with."""

    def __init__(self) -> None:
        self.texts: dict[str, Any] = {"a": {"n": 1}, "a/b.txt": [{"n": 1}, {"n": 2}]}

    def get(self, path: str) -> Any:
        return self.texts.get(path)

    def put(self, path: str, value: dict[str, int]) -> None:
        self.texts[path] = value

    def post(self, path: str, value: dict[str, int]) -> str:
        self.texts[f"{path}/new"] = value
        return "new"

    def delete(self, path: str) -> None:
        if self.texts.pop(path, None) is None:
            raise demat.NotFound("not found")

    def store(self, before: str = "/files") -> store.Store:
        return store.template(
            {
                f"{before}/*path": self.get,
                f"PUT {before}/*path": self.put,
                f"POST {before}/*path": self.post,
                f"DELETE {before}/*path": self.delete,
            }
        )


def test_a_rest_is_one_name_or_more() -> None:
    files = Files()
    place = files.store()
    assert (place.get("/files/a"), place.get("/files/a/b.txt", query="n.gt=1")) == ({"n": 1}, [{"n": 2}])
    place.put("/files/x/y/z", {"n": 3})
    assert files.texts["x/y/z"] == {"n": 3}
    assert place.post("/files/x/y", {"n": 4}) == "/files/x/y/new"
    assert files.texts["x/y/new"] == {"n": 4}
    place.delete("/files/x/y/z")
    for at in ("/files/x/y/z", "/files/none%20", "/other", "/other/a"):
        with pytest.raises(demat.NotFound, match=f"`{at}`: not found"):
            place.get(at)
    with pytest.raises(demat.NotFound):
        place.delete("/files/x/y/z")
    with pytest.raises(demat.ValidationError):
        place.put("/files/x", "text")
    assert (place.children(), place.children("/files")) == (["files"], [])


def test_a_rest_stands_at_the_root_behind_parameters_and_over_http() -> None:
    files = Files()

    def both(id: int, path: str, n: int = 0) -> list[Any]:
        return [id, path, n]

    place = store.template({"/by/:id/*path": both})
    assert place.get("/by/7/a/b", query="n=2") == [7, "a/b", 2]
    with demat.serve({"/s": files.store(""), "/t": store.cache(place)}, port=0, background=True) as server:
        assert urlopen(server.url + "/s/a/b.txt?n=2").read() == b'[{"n":2}]'
        assert urlopen(server.url + "/t/by/7/a").read() == b'[7,"a",0]'
        sent = Request(server.url + "/s/c/d", b'{"n": 5}', {"Content-Type": "application/json"}, method="PUT")
        assert urlopen(sent).status == 200
    assert files.texts["c/d"] == {"n": 5}


def test_a_route_without_a_rest_goes_first() -> None:
    place = store.template({"/a/*rest": lambda rest: f"rest {rest}", "/a/:id/info": lambda id: f"info {id}"})
    assert [place.get(at) for at in ("/a/5/info", "/a/5/other", "/a/5")] == ["info 5", "rest 5/other", "rest 5"]


def test_no_function_gets_a_name_with_a_slash_whatever_the_order() -> None:
    got: list[str] = []

    def plain(id: str) -> str:
        got.append(id)
        return f"plain {id}"

    def rest(path: str) -> str:
        return f"rest {path}"

    def both(a: str, b: str) -> str:
        got.extend((a, b))
        return f"both {a} {b}"

    def put(id: str, body: str) -> None:
        got.append(id)

    routes = {"/f/:id": plain, "/f/*path": rest, "/:a/:b": both, "PUT /f/:id": put, "PUT /:id": put, "/g/*path": rest}
    for order in itertools.permutations(routes.items()):
        got.clear()
        place = store.template(dict(order))
        assert place.get("/f/etc/hostname") == "rest etc/hostname"
        assert place.get("/g/etc/hostname") == "rest etc/hostname"
        assert place.get("/f/x") in ("plain x", "both f x")
        with pytest.raises(StoreError):
            place.put("/f/etc/hostname", "x")
        for at in ("/f/%2Fetc%2Fhostname", "/f/%2Fetc", "/%2F/x", "/f/~..", "/f/-/%2Fetc"):
            with pytest.raises(demat.NotFound, match="in no path"):
                place.get(at)
        assert not any("/" in name or name in ("", ".", "..") for name in got)


def test_over_http_no_function_gets_a_name_with_a_slash() -> None:
    got: list[str] = []

    def plain(id: str) -> str:
        got.append(id)
        return f"plain {id}"

    for routes in (
        {"/f/:id": plain, "/f/*path": lambda path: f"rest {path}"},
        {"/f/*path": lambda path: f"rest {path}", "/f/:id": plain},
    ):
        with demat.serve({"/s": store.template(routes)}, port=0, background=True) as server:
            assert urlopen(server.url + "/s/f/etc/hostname").read() == b'"rest etc/hostname"'
            assert urlopen(server.url + "/s/f/x").read() == b'"plain x"'
            for at in ("%2Fetc%2Fhostname", "%2Fetc", "%2e%2e%2Fetc", "~..", "a/%2Fetc", "~/etc", "a/../../etc"):
                with pytest.raises(HTTPError) as refused:
                    urlopen(f"{server.url}/s/f/{at}")
                assert refused.value.code in (400, 404)
                refused.value.close()
    assert got == ["x", "x"]


def test_a_route_without_a_rest_goes_first_in_any_order_and_whatever_its_verb() -> None:
    def put(body: str) -> None:
        return None

    place = store.template({"/f/*path": lambda path: path, "/f/x": lambda: "plain", "PUT /f/y": put})
    assert (place.get("/f/x"), place.get("/f/z"), place.get("/f/x/y")) == ("plain", "z", "x/y")
    with pytest.raises(StoreError, match="can't get `/f/y`: this store does not support it"):
        place.get("/f/y")
    with demat.serve({"/s": place}, port=0, background=True) as server, pytest.raises(HTTPError) as refused:
        urlopen(server.url + "/s/f/y")
    assert refused.value.code == 405
    refused.value.close()


@pytest.mark.parametrize("at", ["/files/a%2Fb.txt", "/files/~../a", "/files/~.", "/files/a/~/b", "/files/~"])
def test_a_path_has_no_odd_names(at: str) -> None:
    called: list[str] = []
    place = store.template({"/files/*path": lambda path: called.append(path)})
    with pytest.raises(demat.NotFound, match="in no path"):
        place.get(at)
    assert called == []


NAMES = st.text(min_size=1).filter(lambda name: "/" not in name and name not in (".", ".."))


@given(st.lists(NAMES, min_size=1, max_size=4))
def test_any_other_name_is_in_a_rest(names: list[str]) -> None:
    place = store.template({"/:a/*path": lambda a, path: [a, path]})
    try:
        at = "".join(f"/{_text(name)}" for name in ["x", *names])
    except UnicodeEncodeError:
        return
    assert place.get(at) == ["x", "/".join(names)]


def _text(name: str) -> str:
    """A name in the text of a reference."""
    text = quote(name, safe="")
    return f"~{text}" if name.startswith("~") and name.lstrip("~") in ("", ".", "..") else text


def test_a_store_answers_all_that_is_below_its_route() -> None:
    own, other = Tree({"k": [1]}), store.memory({})
    place = store.template({"/a/own/*": own, "/a/b/other/*": other, "/f/:name": lambda name: name, "/g": lambda: "g"})
    place.put("/a/own/new", {"x": 1})
    assert place.post("/a/own/k", 2) == "/a/own/k/1"
    assert own.root == {"k": [1, 2], "new": {"x": 1}}
    place.put("/a/b/other/y", 1)
    assert (other.get(), place.get("/a/own/new/x"), place.get("/f/n"), place.get("/g")) == ({"y": 1}, 1, "n", "g")
    assert place.get("/a/own") == own.root
    assert sorted(place.children()) == ["a", "f", "g"]
    with pytest.raises(demat.NotFound):
        place.get("/a/none")
    assert store.template({"/*": Plain(a=1)}).get("/a") == 1
    # Nothing of Python is between it and who reads.
    assert "memory" in str(store.template({"/m/*": store.memory()}))


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"/*path/a": lambda path: path}, ValueError, "the last name"),
    ({"/a/*": lambda: 1}, ValueError, "takes the rest by its name"),
    ({"/a": Plain(a=1)}, ValueError, "ends with `/\\*`"),
    ({"/a/*rest": Plain(a=1)}, ValueError, "ends with `/\\*`"),
    ({"PUT /a/*": Plain(a=1)}, ValueError, "no verbs"),
    ({"/:a/*": Plain(a=1)}, ValueError, "no use for parameters"),
    ({"/*": Plain(a=1), "/a": lambda: 1}, ValueError, "leads everywhere"),
    ({"/a/*": Plain(a=1), "/a/b/*": Plain(a=1)}, ValueError, "no other one there"),
    ({"/a/*": Plain(a=1), "/a/b": lambda: 1}, ValueError, "a store stands at"),
    ({"/a/*": Plain(a=1), "/:b": lambda b: b}, ValueError, "is no parameter"),
    ({"/a/*path": lambda other: other}, TypeError, "path"),
]


@pytest.mark.parametrize(("routes", "error", "why"), WRONG, ids=[" ".join(routes) for routes, *_ in WRONG])
def test_what_is_no_route_is_refused(routes: dict[str, Any], error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=why):
        store.template(routes)


def test_a_server_names_where_rests_are_had() -> None:
    with pytest.raises(ValueError, match=r"store\.template"):
        demat.serve({"/files/*path": lambda path: path}, port=0, background=True)
