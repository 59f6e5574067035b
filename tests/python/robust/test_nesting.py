"""Extreme nesting: every function returns a value or raises LimitError, on any stack size."""

import demat
import pytest
from demat import json
from hostile import run

# What each of these programs has at hand.
PRELUDE = """
import sys, threading
from dataclasses import dataclass, field
from typing import Annotated, Any, NamedTuple, TypedDict, Union
from typing_extensions import TypeAliasType
import demat
from demat import csv, json, ndjson, Raw, Hook

@dataclass
class Node:
    next: "Node | None" = None

@dataclass(slots=True)
class Slotted:
    next: "Slotted | None" = None

class Chain(NamedTuple):
    next: "Chain | None" = None

class Typed(TypedDict, total=False):
    next: "Typed"

@dataclass
class Left:
    next: "Left | Right | None"
    left: int = 0

@dataclass
class Right:
    next: "Left | Right | None"
    right: int = 0

Json = TypeAliasType("Json", Union[None, int, "list[Json]", "dict[str, Json]"])

def outcome(call):
    try:
        call()
    except demat.LimitError as error:
        return "limit"
    except demat.Error as error:
        return type(error).__name__
    return "value"
"""

DEEP = 10_000_000


def outcomes(program: str) -> list[str]:
    return run(PRELUDE + program).split()


def test_lists_of_ten_million_levels():
    program = f"""
many = b"[" * {DEEP}
for tp in (Any, list, Json, list[list[int]], int, str, Node, Chain, dict, Raw, list[Raw], Node | int):
    for options in ({{}}, {{"errors": "all"}}, {{"depth": 4294967295}}):
        print(outcome(lambda: json.decode(many, tp, **options)), end=" ")
print(outcome(lambda: ndjson.decode(many)), outcome(lambda: csv.decode(many)))
"""
    found = outcomes(program)
    assert len(found) == 12 * 3 + 2
    assert set(found) <= {"limit", "DecodeError", "ValidationError", "value"}
    assert found[0] == found[-2] == "limit"
    assert found[-1] == "value"


def test_objects_of_a_million_levels():
    program = """
for count in (1_000_000, 1500):
    many = b'{"next":' * count
    for data in (many, many + b"null" + b"}" * count):
        for tp in (Any, dict, Json, Node, Slotted, Typed, Chain, Left | Right, dict[str, Any], Raw):
            for options in ({}, {"errors": "all"}):
                print(outcome(lambda: json.decode(data, tp, **options)), end=" ")
"""
    found = outcomes(program)
    assert len(found) == 2 * 2 * 10 * 2
    assert set(found) == {"limit"}


def test_without_a_limit_the_stack_is_one():
    program = """
many = 1_000_000
text = b'{"next":' * many + b"null" + b"}" * many
for tp in (Node, Slotted, Typed, Chain, Json, Left | Right):
    for errors in ("first", "all"):
        print(outcome(lambda: json.decode(text, tp, depth=4294967295, errors=errors)), end=" ")
"""
    assert set(outcomes(program)) == {"limit"}


def test_untyped_values_take_no_stack():
    program = """
import gc
text = b"[" * 100_000 + b"]" * 100_000
value = json.decode(text, depth=4294967295)
print(outcome(lambda: json.encode(value, depth=4294967295)), outcome(lambda: json.encode(value)))
# The interpreter itself ends deep lists without recursion.
del value
print(gc.collect() >= 0)
"""
    assert outcomes(program) in (["limit", "limit", "True"], ["value", "limit", "True"])


@pytest.mark.parametrize("wanted", ["unknown field", "tag that comes late", "Raw"])
def test_what_is_passed_over(wanted):
    program = f"""
many = {DEEP // 10}
@dataclass
class Plain:
    a: int = 0
@demat.configure(tag="kind")
@dataclass
class Tagged:
    a: int = 0
@demat.configure(tag="kind")
@dataclass
class Other:
    a: int = 0
types = {{"unknown field": Plain, "tag that comes late": Tagged | Other, "Raw": dict[str, Raw]}}
for opening, closing in ((b"[", b"]"), (b'{{"x":', b"}}")):
    for inner in (b"1", b""):
        text = b'{{"z":' + opening * many + inner + closing * many + b',"a":1,"kind":"Tagged"}}'
        for errors in ("first", "all"):
            print(outcome(lambda: json.decode(text, types[{wanted!r}], errors=errors)), end=" ")
"""
    assert set(outcomes(program)) == {"limit"}


def test_on_a_stack_of_128_kib():
    program = """
threading.stack_size(128 * 1024)
many = 1_000_000
deep = b'{"next":' * many + b"null" + b"}" * many
lists = b"[" * many + b"]" * many
value = node = None
for _ in range(100_000):
    value, node = [value], Slotted(node)
mapping = {}
for _ in range(100_000):
    mapping = {"a": mapping}
found = []
def work():
    for tp in (Any, Node, Slotted, Typed, Chain, Json, Left | Right, dict[str, Any]):
        for depth in (1024, 4294967295):
            if tp is not Any and tp != dict[str, Any] or depth == 1024:
                found.append(outcome(lambda: json.decode(deep, tp, depth=depth)))
            found.append(outcome(lambda: json.decode(deep[:8000], tp, depth=depth)))
    found.append(outcome(lambda: json.decode(lists)))
    found.append(outcome(lambda: json.decode(b'{"z":' + lists + b"}", Node)))
    for depth in (1024, 4294967295):
        for one in (value, node, mapping):
            found.append(outcome(lambda: json.encode(one, depth=depth)))
            found.append(outcome(lambda: ndjson.encode([one], depth=depth)))
    # And it still works.
    found.append(json.decode(b'{"next":{"next":null}}', Node).next == Node())
    try:
        json.decode(b"[1,")
    except demat.DecodeError as error:
        found.append(str(error) != "")
thread = threading.Thread(target=work)
thread.start()
thread.join()
print(*found)
"""
    found = outcomes(program)
    assert found[-2:] == ["True", "True"]
    assert set(found[:-2]) <= {"limit", "DecodeError"}
    assert found.count("limit") > 20


def test_at_the_limit_and_past_it():
    for depth in (0, 1, 2, 64, 1024):
        text = "[" * depth + "1" + "]" * depth
        value = json.decode(text, depth=depth)
        assert json.encode(value, depth=depth) == text.encode()
        with pytest.raises(demat.LimitError, match="depth"):
            json.decode(f"[{text}]", depth=depth)
        with pytest.raises(demat.LimitError, match="depth"):
            json.encode([value], depth=depth)


def test_hooks_do_not_start_the_count_anew_for_ever():
    program = """
def again(text):
    return decoder.decode('"x"')
decoder = json.Decoder(Annotated[Any, Hook(wire=str, decode=again)])
class Own: pass
def write(own):
    return json.encode(own).decode()
demat.hook(Own, encode=write)
for limit in (1000, 100_000):
    sys.setrecursionlimit(limit)
    for call in (lambda: decoder.decode('"x"'), lambda: json.encode(Own())):
        try:
            call()
        except (RecursionError, demat.LimitError) as error:
            print(type(error).__name__, end=" ")
"""
    found = outcomes(program)
    assert len(found) == 4
    assert set(found) <= {"RecursionError", "LimitError"}


CYCLES = {
    "list": "a = []; a.append(a)",
    "dict": "a = {}; a['a'] = a",
    "tuple": "b = []; a = (b,); b.append(a)",
    "two lists": "a, b = [], []; a.append(b); b.append(a)",
    "dataclass": "a = Node(); a.next = a",
    "slots": "a = Slotted(); a.next = a",
    "dict in a list": "a = {}; a['x'] = [a]",
    "deque": "import collections; a = collections.deque(); a.append(a)",
    "hook": """
class Own: pass
demat.hook(Own, encode=lambda own: [own])
a = Own()""",
    "hook that gives itself": """
class Own: pass
demat.hook(Own, encode=lambda own: own)
a = Own()""",
    "generators": """
def ever():
    yield ever()
class Ever:
    def __demat_encode__(self) -> Any:
        return ever()
a = Ever()""",
    "Mapping": """
import collections.abc
class Endless(collections.abc.Mapping):
    def __getitem__(self, key): return self
    def __iter__(self): return iter(["a"])
    def __len__(self): return 1
a = Endless()""",
}


@pytest.mark.parametrize("make", CYCLES.values(), ids=CYCLES)
def test_cycles_are_a_limit(make):
    program = f"""
{make}
for depth in (5, 1024, 4294967295):
    print(outcome(lambda: json.encode(a, depth=depth)), outcome(lambda: ndjson.encode([a], depth=depth)), end=" ")
    print(outcome(lambda: json.encode_into({{"k": a}}, bytearray(), depth=depth)), end=" ")
"""
    assert outcomes(program) == ["limit"] * 9


def test_values_that_are_deep_and_no_cycle():
    program = """
value = node = None
for _ in range(1_000_000):
    value, node = (value,), Slotted(node)
for depth in (1024, 4294967295):
    print(outcome(lambda: json.encode(value, depth=depth)), outcome(lambda: json.encode(node, depth=depth)), end=" ")
"""
    assert outcomes(program) == ["limit"] * 4
