"""Hooks for dates and times count where a value is undeclared, also where scalars are written one behind the other."""

from __future__ import annotations

import pytest
from hostile import run

BEGIN = """
from dataclasses import dataclass
from datetime import date, datetime, time, timezone
from typing import Any
from uuid import UUID

import demat
from demat import Hook, cbor, json, msgpack

# From here on the classes are known to the encoder.
json.encode([date(2020, 1, 2), datetime(2020, 1, 2, tzinfo=timezone.utc), time(1)])

@dataclass
class R:
    a: Any
    b: int

@dataclass(slots=True)
class S:
    a: object
    b: int

@dataclass
class L:
    a: list
    b: dict

OWN = {date: date(2020, 1, 2), datetime: datetime(2020, 1, 2, 3), time: time(4, 5)}

def shapes(v):
    yield from ([v], [1, v], [v, v], [1, [v]], {"x": v}, {"x": 1, "y": v})
    yield from (R(v, 1), S(v, 1), [R(v, 1), R(v, 2)], [S(v, 1)])
    yield from (L([v], {}), L([1, v], {"x": v}), {"x": [1, v]}, (1, v), [None, "text", v, 2.5])
"""


@pytest.mark.parametrize("how", ["program", "call", "encoder"])
@pytest.mark.parametrize("cls", ["date", "datetime", "time"])
def test_a_hook_for_one_of_them(how, cls):
    program = f"""
if {how!r} == "program":
    demat.hook({cls}, encode=lambda _: "hooked", decode=lambda _: None)
given = {{}} if {how!r} == "program" else {{"hooks": {{{cls}: Hook(encode=lambda _: "hooked")}}}}
for form in (json, msgpack, cbor):
    encode = form.Encoder(**given).encode if {how!r} == "encoder" else lambda value: form.encode(value, **given)
    for own, expected in zip(shapes(OWN[{cls}]), shapes("hooked")):
        assert encode(own) == form.encode(expected), (form, own, encode(own))
    # The other classes are what they are.
    for other in set(OWN) - {{{cls}}}:
        assert encode([1, OWN[other]]) == form.encode([1, OWN[other]])
print("fine")
"""
    assert run(BEGIN + program) == "fine\n"


def test_hooks_for_other_classes_leave_them():
    program = """
plain = [json.encode(own) for value in OWN.values() for own in shapes(value)]
demat.hook(complex, encode=lambda value: [value.real, value.imag], decode=lambda _: None)
hooks = {UUID: Hook(encode=lambda _: "hooked")}
again = [json.encode(own, hooks=hooks) for value in OWN.values() for own in shapes(value)]
assert again == plain
assert json.encode([1, UUID(int=1), OWN[date]], hooks=hooks) == b'[1,"hooked","2020-01-02"]'
assert json.encode([1, 1j, OWN[date]]) == b'[1,[0.0,1.0],"2020-01-02"]'
print("fine")
"""
    assert run(BEGIN + program) == "fine\n"
