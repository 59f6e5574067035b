"""Lazy records under hostile conditions: every verb, in every format, with every hostile value.

Add a verb, a format or a value to its table to test it. Each value runs in a process of its own, on the usual stack and
on one of 128 KiB. The outcome must be a value, a `demat.Error`, or what the program's own hook raised.
"""

import formats
import pytest
from hostile import run

FORMATS = formats.names(reads="lazy")

# Operations on a view `v` of the format `m`; `w` is another view like it. Those in `FLAT` don't read nested views.
DEEP = {
    "encode": "m.encode(v) if m is not ndjson else m.encode([v])",
    "encode in a list": "m.encode([v, v])",
    "encode in a plain object": "m.encode([N(1, v)])",
    "encode with type": "m.encode([v], type=list[N])",
    "Encoder": "m.Encoder().encode([v])",
    "encode_into": "m.encode_into([v], bytearray(b'head'), 4)",
    "write": "m.write(io.BytesIO(), [v])",
    "to json": "json.encode(v)",
    "to json, indented": "json.encode(v, indent=1)",
    "to json, sorted": "json.encode(v, sort_keys=True)",
    "to json, renamed": "json.encode(v, rename='upper')",
    "to ndjson": "ndjson.encode([v])",
    "to proto": "proto.encode([v])",
    "to csv": "csv.encode([v])",
    "to parquet": "demat.parquet.write(io.BytesIO(), [v])",
    "to arrow": "demat.arrow.write(io.BytesIO(), [v])",
    "convert": "demat.convert(v, N)",
    "convert to a dict": "demat.convert(v, dict[str, Any])",
    "to_builtins": "demat.to_builtins(v)",
    "copied to json": "demat.copy([v], io.BytesIO(), to='json')",
    "copied to two": "demat.copy([v], [io.BytesIO(), io.BytesIO()], to='json')",
    "writer": "written(v)",
    "insert": "table.insert([v])",
    "hook": "json.encode(Hooked(v))",
    "default": "json.encode(Unknown(), default=lambda _, v=v: v)",
    "deepcopy": "copy.deepcopy(v)",
    "copy": "copy.copy(v)",
    "pickle": "pickle.dumps(v)",
    "equal": "v == w",
    "not equal": "v != w",
    "hash": "hash(v)",
    "repr": "repr(v)",
    "str": "str(v)",
    "in": "v in [w]",
    "list equal": "v.l == w.l",
}
# Tables, columns and messages can't hold each of the values.
REFUSING = {"to csv", "insert", "to proto", "to parquet", "to arrow"}
# What may run code of the program while it reads: the verbs before those that compare.
READING = list(DEEP.values())[: list(DEEP).index("pickle") + 1]
FLAT = {
    "len": "len(v.l)",
    "items": "[item.v for item in v.l]",
    "attributes": "v.v, v.next, v.more",
    "set": "setattr(v, 'v', 3)",
    "append": "v.l.append(w)",
    "end": "w.__class__",
    "collect": "gc.collect()",
}

PRELUDE = (
    f"from demat import {', '.join(FORMATS)}"
    + """
import copy, functools, gc, io, pickle, re, sys, threading
from dataclasses import dataclass, field
from typing import Any
import demat
from demat import csv, json, ndjson, proto, sqlite

@dataclass(unsafe_hash=True)
class N:
    v: int = 0
    next: "N | None" = None
    l: "list[N]" = field(default_factory=list, hash=False)
    more: Any = field(default=None, hash=False)

class Unknown: pass

class Own(Exception): pass

class Hooked:
    def __init__(self, made): self.made = made
    def __demat_encode__(self) -> Any: return self.made() if callable(self.made) else self.made

MOST = 4294967295

@functools.cache
def few():
    return m.encode([N(1, N(2, None, [N(3)]), [N(4), N(5)], {"a": 1})])

def new():
    return m.decode(few(), list[N], lazy=True)[0]

@functools.cache
def nested(levels):
    # The innermost first, as text or as bytes: plain objects that deep could not be encoded.
    if m is proto:
        data = proto.encode(N(7))
        for _ in range(levels):
            size, length = len(data), b""
            while size > 127:
                length, size = length + bytes([size & 127 | 128]), size >> 7
            data = b"\\x12" + length + bytes([size]) + data
        return data
    # A level is as short as can be: some verbs read all of the rest at each.
    form = json if m is ndjson else m
    inner = form.encode({"v": 7})
    before, behind = form.encode({"next": {"v": 7}}).split(inner)
    return before * levels + inner + behind * levels

def opened(levels, depth=MOST):
    v = m.decode(nested(levels), N, lazy=True, depth=depth)
    if type(v) is list:
        v = v[0]
    within = v
    while within.next is not None:
        within = within.next
    return v, within

def written(*values):
    with demat.writer(io.BytesIO(), format="json") as writer:
        return [writer.write(value) for value in values]

def outcome(verb, v, w):
    try:
        eval(verb)
    except demat.LimitError:
        return "limit"
    except demat.Error as error:
        return "error"
    except Own:
        return "own"
    except (TypeError, AttributeError) as error:
        return "refused" if "hash" in verb else repr(error)
    except BaseException as error:
        return repr(error)[:300]
    return "value"

def each(verbs, make):
    for verb in verbs:
        v = make()
        # Few verbs look at another one, and some values take long to make.
        w = make() if re.search(r"\\bw\\b", verb) else None
        print(verb, end="", flush=True)
        print("\\t" + outcome(verb, v, w), flush=True)
        del v, w
        gc.collect()

def on_stack(kib, work):
    if kib:
        threading.stack_size(kib * 1024)
        thread = threading.Thread(target=work)
        thread.start()
        thread.join()
    else:
        work()
"""
)

# How to make `v`, with the allowed outcomes of the deep and of the flat operations.
LIMIT = ({"limit"}, {"value"})
# For values that some format or table refuses for other reasons, before the depth matters.
ANY = ({"limit", "value", "error"}, {"value", "limit"})
THINGS = {
    "cycle in a list": ("v = new(); v.l.append(v)", *ANY),
    "cycle": ("v = new(); v.next = v", *LIMIT),
    "cycle of two": ("v, u = new(), new(); v.next = u; u.next = v", *LIMIT),
    "cycle by a plain object": ("v = new(); v.next = N(1, v)", *LIMIT),
    "cycle by a plain list": ("v = new(); v.l = [N(1, None, [v])]", *ANY),
    "cycle by what is nested": ("v = new(); v.next.l[0].next = v", *LIMIT),
    "3500 by hand": ("v = new()\nfor _ in range(3500):\n    u = new(); u.next = v; v = u", *LIMIT),
    "3500 in lists": ("v = new()\nfor _ in range(3500):\n    u = new(); u.l.append(v); v = u", *ANY),
    "3500 by turns": ("v = new()\nfor _ in range(1750):\n    u = new(); u.next = N(1, v); v = u", *LIMIT),
    "900 of data, changed": ("v, within = opened(900); within.v = 8", *ANY),
    "900 of data, looked at": ("v, _ = opened(900)", *ANY),
    "20000 of data, looked at": ("v, _ = opened(20000) if m is proto else opened(1000)", *ANY),
    "20000 of data": ("v = m.decode(nested(20000), list[N] if m is ndjson else N, lazy=True, depth=MOST)", *ANY),
    "wide": ("v = new(); v.l.extend(new() for _ in range(3000)); v.l[1500].v = 8", *ANY),
}


def outcomes(form: str, thing: str, stack: int) -> dict[str, str]:
    make = "\n".join("    " + line for line in thing.split("\n"))
    program = f"""
m = {form}
file = sqlite.open(":memory:")
try:
    table = file.table("n", N)
except (TypeError, demat.Error):
    class table:
        insert = staticmethod(lambda rows: json.encode(list(rows)))
def make():
{make}
    return v[0] if type(v) is list else v
on_stack({stack}, lambda: each({[*DEEP.values(), *FLAT.values()]!r}, make))
"""
    printed = run(PRELUDE + program, seconds=240)
    return dict(line.split("\t") for line in printed.splitlines())


@pytest.mark.parametrize("stack", [0, 128])
@pytest.mark.parametrize("thing", THINGS)
@pytest.mark.parametrize("form", FORMATS)
def test_every_verb(form: str, thing: str, stack: int):
    make, deep, flat = THINGS[thing]
    found = outcomes(form, make, stack)
    wrong = {}
    for verbs, known in ((DEEP, deep | {"refused"}), (FLAT, flat)):
        for name, verb in verbs.items():
            # A format that can't hold the value says so first.
            may = known | {"error"} if name in REFUSING else known
            if name in ("copy", "hash", "in", "not equal", "equal", "list equal", "repr", "str") or stack:
                may = may | {"value", "limit"}
            if found[verb] not in may:
                wrong[name] = found[verb]
    assert not wrong


# What a hook does while the view is being encoded.
MEDDLERS = {
    "raises": "raise Own",
    "sets": "v.next = None; v.v = 99; v.l = []",
    "appends": "v.l.append(N(9)); v.l.append(new())",
    "clears": "v.l.clear()",
    "changes what is nested": "v.next.l.append(v.next); v.l[0].v = 77",
    "drops": "state.clear(); gc.collect()",
    "encodes": "m.encode([new()]); json.encode(w)",
    "sets itself": "v.more = 1",
    "closes": "state['reader'].close()",
    "writes over": "state['data'][:] = bytes(len(state['data']))",
    "cuts": "del state['data'][10:]",
}


@pytest.mark.parametrize("meddler", MEDDLERS)
@pytest.mark.parametrize("form", FORMATS)
def test_code_that_meddles(form: str, meddler: str):
    program = f"""
m = {form}
state = {{}}
def meddle():
    v, w = state.get("v"), state.get("w")
    if v is not None:
        try:
            {meddler and MEDDLERS[meddler].replace(chr(10), chr(10) + " " * 12)}
        except BufferError:
            pass
    return 5

def make():
    state["data"] = bytearray(m.encode([N(1, N(2, None, [N(3)]), [N(4), N(5)], {{"a": 1}})] * 3))
    state["reader"] = m.read(state["data"], N, lazy=True)
    v, w, _ = state["reader"]
    v.next.l[0].more = Hooked(meddle)
    v.l[1].more = Hooked(meddle)
    v.l.append(N(8, None, [], Hooked(meddle)))
    v.more = [Hooked(meddle)]
    state.update(v=v, w=w)
    return v

for verb in {READING!r}:
    try:
        table = sqlite.open(":memory:").table("n", N)
    except (TypeError, demat.Error):
        class table:
            insert = staticmethod(lambda rows: json.encode(list(rows)))
    v = make()
    w = state["w"]
    print(verb, end="", flush=True)
    print("\\t" + outcome(verb, v, w), flush=True)
    state.clear()
    del v, w
    gc.collect()
"""
    printed = run(PRELUDE + program, seconds=120)
    found = dict(line.split("\t") for line in printed.splitlines())
    assert len(found) == len(READING)
    assert {name: got for name, got in found.items() if got not in {"value", "error", "own", "limit"}} == {}


# Those with slots are views of bytes of their own, the others of the same bytes.
@pytest.mark.parametrize("slots", [True, False])
@pytest.mark.parametrize("form", FORMATS)
def test_a_million_within_each_other_end(form: str, slots: bool):
    program = f"""
m = {form}
@dataclass(slots={slots})
class Chain:
    next: "Chain | None" = None
    l: "list[Chain]" = field(default_factory=list)
one = Chain(None, [Chain()])
data = m.encode([one])
def views(n):
    if {slots}:
        return (m.decode(data, list[Chain], lazy=True)[0] for _ in range(n))
    return m.decode(m.encode([one] * n), list[Chain], lazy=True)
def end(kib, by):
    def work():
        v, *others = views(300_000 if kib else 1_000_000)
        while others:
            u = others.pop()
            if by == "next":
                u.next = v
            else:
                u.l.append(v)
            v = u
        del v, u
    on_stack(kib, work)
    print("ended")
gc.disable()
for kib in (0, 128):
    for by in ("next", "list"):
        end(kib, by)
gc.enable()
v = u = m.decode(data, list[Chain], lazy=True)[0]
for _ in range(100_000):
    u.next = m.decode(data, list[Chain], lazy=True)[0]
    u = u.next
u.next = v
del u, v
print(gc.collect() > 0)
"""
    assert run(PRELUDE + program, seconds=240).split() == ["ended"] * 4 + ["True"]


def test_messages_are_opened_as_deep_as_they_are_decoded():
    program = """
m = proto
def deepest(read):
    for levels in range(1, 300):
        try:
            read(levels)
        except demat.LimitError as error:
            assert "next" in error.path or read is eager
            return levels
def eager(levels): proto.decode(nested(levels), N, depth=depth)
def lazy(levels): opened(levels, depth)
def read(levels):
    data = nested(levels)
    size, length = len(data), b""
    while size > 127:
        length, size = length + bytes([size & 127 | 128]), size >> 7
    for within in proto.read(length + bytes([size]) + data, N, lazy=True, depth=depth):
        while within.next is not None:
            within = within.next
for depth in (1, 5, 100):
    print(deepest(eager), deepest(lazy), deepest(read))
"""
    for line in run(PRELUDE + program).splitlines():
        assert len(set(line.split())) == 1
        assert "None" not in line


@pytest.mark.parametrize("form", formats.KEYED)
def test_depth_counts_through_bytes_that_nobody_opened(form: str):
    program = (
        f"m = {form}"
        + """
v = m.decode(nested(600), N, lazy=True)
print(outcome("m.encode(v)", v, None), outcome("m.encode(v, depth=600)", v, None))
print(outcome("m.encode(v, depth=601)", v, None))
for _ in range(500):
    v = [v]
print(outcome("m.encode(v)", v, None), outcome("ndjson.encode([v])", v, None))
v = m.decode(nested(600), N, lazy=True)
v.v = 8
for _ in range(500):
    u = m.decode(m.encode({"v": 2}), N, lazy=True)
    u.next = v
    v = u
print(outcome("m.encode(v)", v, None), outcome("m.encode(v, depth=1200)", v, None))
"""
    )
    assert run(PRELUDE + program).split() == ["value", "limit", "value", "limit", "limit", "limit", "value"]
