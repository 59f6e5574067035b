"""Objects and containers that user code drops while they are encoded: at a collection, in annotations, by keys."""

from __future__ import annotations

import sys

import pytest
from hostile import run

# What the programs have in common. Texts are made, so that nothing but their container keeps them.
BEGIN = """
import gc
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, TypedDict

import demat
from demat import Field, cbor, json, msgpack, yaml


class Trap:
    # Garbage: the next collection calls a function.
    def __init__(self, call):
        self.call, self.me = call, self

    def __del__(self):
        self.call()


def outcome(form, value, call):
    encode = form.encode
    encode([1])  # The first call imports modules.
    gc.collect()
    gc.disable()
    Trap(call)
    gc.set_threshold(1)
    gc.enable()
    # The next object that a collector tracks is made within.
    try:
        made = encode(value)
    except demat.Error as error:
        return str(error)
    finally:
        gc.set_threshold(700)
    return f"{len(made)} bytes"


def told(form, value, **options):
    try:
        return f"{len(form.encode(value, **options))} bytes"
    except demat.Error as error:
        return str(error)


def text(number):
    return f"text number {number}"


def wrong(number=0):
    return chr(0xD800) + text(number)


"""


def printed(program: str, **environment: str) -> list[str]:
    """The lines of a program, with an allocator that spoils what is freed."""
    return run(BEGIN + program, PYTHONMALLOC="debug", **environment).splitlines()


def no_unicode(path: str) -> str:
    return f"expected text that is Unicode, found a lone surrogate at index 0 at `{path}`"


@pytest.mark.parametrize("form", ["json", "msgpack", "cbor", "yaml"])
@pytest.mark.parametrize(
    ("value", "call", "path"),
    [
        ("[*map(text, range(40)), wrong()]", "value.clear", "$[40]"),
        ("[1, *map(text, range(40)), None, wrong()]", "value.clear", "$[42]"),
        ("{text(n): text(n) for n in range(10)} | {'bad': wrong()}", "value.clear", "$.bad"),
        ("[{text(1): text(1), wrong(): 1}]", "value[0].clear", '$[0]["?text number 0"]'),
        ("[[text(1)], {text(1): [wrong()]}]", "value.clear", '$[1]["text number 1"][0]'),
    ],
    ids=["list", "behind others", "dict", "key", "nested"],
)
def test_a_lone_surrogate(form, value, call, path):
    """The error is made without an exception: in Python 3.11, making one may collect garbage."""
    program = f"value = {value}\nprint(ascii(outcome({form}, value, {call})))"
    (found,) = printed(program)
    shown = eval(found).replace("\ufffd", "?")
    # Where a surrogate stands in a path, it is shown by as many signs as it has bytes.
    assert shown.replace("???", "?") == no_unicode(path)


@pytest.mark.parametrize("form", ["json", "msgpack", "cbor", "yaml"])
@pytest.mark.parametrize("slots", ["", "(slots=True)"], ids=["attributes", "slots"])
def test_a_lone_surrogate_in_a_record(form, slots):
    program = f"""
@dataclass{slots}
class R:
    a: str
    b: str
    c: str

{form}.encode([R("a", "b", "c")])
for spoil in ("value.clear()", "own.a = own.b = own.c = None"):
    value = [R(text(1), wrong(), text(2))]
    scope = {{"value": value, "own": value[0]}} if "own" in spoil else {{"value": value}}
    print(outcome({form}, value, lambda: exec(spoil, scope)))
"""
    assert printed(program) == [no_unicode("$[0].b")] * 2


def test_a_lone_surrogate_leaves_no_exception_behind():
    """Rows are written straight from their slots, and again in another way where that fails."""
    program = """
from demat import sqlite
@dataclass(slots=True)
class R:
    a: str
    b: str
with sqlite.open(":memory:") as database:
    table = database.table("r", R)
    try:
        table.insert([R(text(1), wrong())])
    except demat.Error as error:
        print(error)
    print(table.insert([R(text(1), text(2))]))
"""
    first, second = printed(program)
    assert "lone surrogate at index 0" in first
    assert second == "1"


@pytest.mark.parametrize("form", ["json", "yaml"])
@pytest.mark.parametrize(
    ("value", "call"),
    [
        ("[10**1000 + n for n in range(40)]", "value.clear"),
        ("[1, 2.5, *(10**1000 + n for n in range(40))]", "value.clear"),
        ("{text(n): 10**1000 + n for n in range(10)}", "value.clear"),
        ("[R(10**1000, 10**1001, text(1))]", "value.clear"),
        ("[S(10**1000, 10**1001, text(1))]", "value.clear"),
        ("S(10**1000, 10**1001, text(1))", "lambda: (setattr(value, 'a', 0), setattr(value, 'b', 0))"),
    ],
    ids=["list", "behind others", "dict", "attributes", "slots", "changed"],
)
def test_a_huge_int(form, value, call):
    """Python's own modules convert it, which collects garbage."""
    program = f"""
@dataclass
class R:
    a: int
    b: int
    c: str

@dataclass(slots=True)
class S:
    a: int
    b: int
    c: str

value = {value}
expected = told({form}, value)
# The conversion needs modules, of which only the first one runs code on all versions.
print(expected)
print(outcome({form}, value, {call}))
"""
    expected, found = printed(program)
    assert found in (expected, "the list changed while it was encoded", "the dict changed while it was encoded") or (
        "changed while it was encoded" in found or ("S(" in program and found.endswith(" bytes"))
    )


@pytest.mark.parametrize(
    ("value", "spoil"),
    [
        ("[C(1, text(1))]", "value.clear()"),
        ("{'k': C(1, text(1))}", "value.clear()"),
        ("S(C(1, text(1)))", "value.v = None"),
        ("L([C(1, text(1))])", "value.v.clear()"),
        ("M({'k': C(1, text(1))})", "value.v.clear()"),
    ],
    ids=["list", "dict", "slot", "declared list", "declared dict"],
)
def test_an_annotation_that_drops_the_object(value, spoil):
    program = f"""
def evil():
    exec({spoil!r}, globals())
    return int

C = dataclass(type("C", (), {{"__annotations__": {{"a": "evil()", "b": "str"}}, "__module__": "__main__"}}))

@dataclass(slots=True)
class S:
    v: object

@dataclass
class L:
    v: list[Any]

@dataclass
class M:
    v: dict[str, Any]

json.encode([S(1), L([]), M({{}})])
value = {value}
print(told(json, value))
"""
    (found,) = printed(program)
    assert found.endswith(" bytes") or "changed while it was encoded" in found


def test_an_annotation_that_gives_the_object_another_class():
    program = """
class Other:
    pass

def evil():
    global C
    value[0].__class__ = Other
    del C
    return int

C = dataclass(type("C", (), {"__annotations__": {"a": "evil()", "b": "str"}, "__module__": "__main__"}))
value = [C(1, text(1))]
print(told(json, value))
"""
    (found,) = printed(program)
    assert found


def test_a_class_that_drops_the_object_as_it_is_named():
    program = """
class Meta(type):
    def __getattribute__(cls, name):
        if name == "__qualname__":
            value.clear()
            gc.collect()
        return super().__getattribute__(name)

def made():
    return Meta("Named", (), {})()

value = [made()]
print(told(json, value))
"""
    (found,) = printed(program)
    assert "can't encode an object of the class `Named`" in found


def test_a_dict_whose_class_drops_it():
    program = """
class Meta(type):
    def __getattribute__(cls, name):
        if name == "items":
            value.clear()
        return super().__getattribute__(name)

class Own(dict, metaclass=Meta):
    pass

value = [Own(a=text(1), b=text(2))]
print(told(json, value))
"""
    assert printed(program) == ["the list changed while it was encoded"]


@pytest.mark.parametrize("how", ["held", "asked"])
def test_a_key_that_drops_the_dict_of_a_union(how):
    program = f"""
class A(TypedDict):
    k: Literal["A"]
    x: int

class B(TypedDict):
    k: Literal["B"]
    y: int

class Key:
    def __init__(self, of):
        self.hash = hash(of)
    def __hash__(self):
        return self.hash
    def __eq__(self, other):
        value.clear()
        return False

class Evil:
    def __str__(self):
        value.clear()
        return "B"

U = Annotated[A | B, Field(tag="k")]

@dataclass
class Held:
    v: list[A | B]

@dataclass
class Tagged:
    v: list[U]

value = []
made = [
    lambda: {{Key("x"): 1, Key("k"): 5, "k": text(1), "y": 1}},
    lambda: {{"k": Evil(), "y": 1, text(1): text(2)}},
]
for make in made:
    for holder, tp in ((Held, list[A | B]), (Tagged, list[U])):
        value = [make()]
        if {how!r} == "held":
            print(told(json, holder(value)))
        else:
            print(told(json, value, type=tp))
"""
    assert len(printed(program)) == 4


@pytest.mark.parametrize("first", [True, False])
@pytest.mark.parametrize("value", ["Decimal('1.25' + '7' * 3)", "uuid.UUID(int=5)"])
def test_the_module_of_a_class_is_imported_while_a_value_is_read(value, first):
    program = f"""
import uuid

@dataclass(slots=True)
class S:
    v: {value.partition("(")[0]}

if not {first}:
    json.encode(S(1))
value = [S({value})]
print(outcome(json, value, lambda: setattr(value[0], "v", None)))
"""
    (found,) = printed(program)
    assert found.endswith(" bytes")


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="the interface that makes such texts is gone")
def test_a_key_that_is_ascii_but_not_compact():
    program = """
import ctypes

api = ctypes.pythonapi
api.PyUnicode_FromUnicode.restype = ctypes.py_object
api.PyUnicode_FromUnicode.argtypes = [ctypes.c_void_p, ctypes.c_ssize_t]
api.PyUnicode_AsUnicode.restype = ctypes.c_void_p
api.PyUnicode_AsUnicode.argtypes = [ctypes.py_object]

def made(text):
    own = api.PyUnicode_FromUnicode(None, len(text))
    ctypes.memmove(api.PyUnicode_AsUnicode(own), text.encode("utf-32-le", "surrogatepass"), 4 * len(text))
    return own

key = made("key")
hash(key)
for _ in range(5):
    print(msgpack.encode({key: 1}), json.encode({key: 1}))
print(json.encode([made("text"), made("t\\xe9xt"), made("\\u20ac"), made("\\U0001F600")]).decode())
print(told(json, [made("ab\\ud800")]))
beyond = api.PyUnicode_FromUnicode(None, 1)
ctypes.memmove(api.PyUnicode_AsUnicode(beyond), (0x110000).to_bytes(4, "little"), 4)
print(told(json, [beyond]))
"""
    *same, texts, surrogate, beyond = run(BEGIN + program, options=("-W", "ignore")).splitlines()
    assert same == ["""b'\\x81\\xa3key\\x01' b'{"key":1}'"""] * 5
    assert texts == '["text","t\u00e9xt","\u20ac","\U0001f600"]'
    assert surrogate == "expected text that is Unicode, found a lone surrogate at index 2 at `$[0]`"
    assert "none of Unicode" in beyond


@pytest.mark.parametrize(
    "base",
    [
        "weakref.ref",
        "collections.deque",
        "array.array",
        "functools.partial",
        "threading.local",
        "Exception",
        "type",
        "set",
    ],
)
def test_a_record_on_a_class_in_c(base):
    """No instance of it is made that its base in C has not begun."""
    program = f"""
import array, collections, functools, threading, weakref
class C({base}):
    __annotations__ = {{"a": int, "b": str}}
C = dataclass(C)
for work in (lambda: demat.schema(C), lambda: json.decode('{{"a":1,"b":"x"}}', C)):
    try:
        work()
    except (TypeError, demat.Error):
        pass
gc.collect()
print("there")
"""
    assert printed(program) == ["there"]
