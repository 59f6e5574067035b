"""Time grows as the input does, whatever that is: with the square of none."""

import random
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, make_dataclass
from typing import Annotated, Any, TypedDict

import demat
import pytest
from demat import Field, csv, json, ndjson


@dataclass
class Row:
    a: int = 0
    b: str = ""


@dataclass
class A:
    items: "list[A | B]"
    a: int


@dataclass
class B:
    items: "list[A | B]"
    b: int


@demat.configure(tag="kind")
@dataclass
class Tagged:
    items: "list[Tagged | Other]"


@demat.configure(tag="kind")
@dataclass
class Other:
    items: "list[Tagged | Other]"


@demat.configure(unknown="keep")
@dataclass
class Kept:
    rest: Annotated[dict[str, Any], Field(rest=True)]


WIDE = make_dataclass("Wide", [(f"field{n}", int, 0) for n in range(300)])


def colliding(count: int) -> str:
    """Keys whose hashes agree in the bits that small tables look at."""
    return "{" + ",".join(f'"{"k" * 17}{n * 65536:020d}":1' for n in range(count)) + "}"


FAMILIES: dict[str, tuple[Callable[[int], Any], Callable[[Any], Any]]] = {
    "digits of an int": (lambda n: "1" * (4 * n), json.decode),
    "digits of a float": (lambda n: "0." + "1" * (8 * n), json.decode),
    "zeros of a float": (lambda n: "0." + "0" * (8 * n) + "1", json.decode),
    "escapes": (lambda n: '"' + "\\u00e9" * n + '"', json.decode),
    "one long text": (lambda n: '"' + "é" * (8 * n) + '"', json.decode),
    "blanks": (lambda n: "[" + " " * (20 * n) + "1]", json.decode),
    "keys": (lambda n: "{" + ",".join(f'"key{k}":{k}' for k in range(n)) + "}", json.decode),
    "keys that collide": (colliding, json.decode),
    "one key again and again": (lambda n: "{" + ",".join(['"a":1'] * n) + "}", json.decode),
    "one key again and again, typed": (
        lambda n: "{" + ",".join(['"a":1'] * n) + "}",
        lambda text: json.decode(text, Row),
    ),
    "keys that nobody wants": (
        lambda n: "{" + ",".join(f'"key{k}":[{k}]' for k in range(n)) + "}",
        lambda text: json.decode(text, Row),
    ),
    "keys that are kept": (
        lambda n: "{" + ",".join(f'"key{k}":{k}' for k in range(n)) + "}",
        lambda text: json.decode(text, Kept),
    ),
    "fields backwards": (
        lambda n: json.encode([{f"field{k}": k for k in reversed(range(300))}] * (n // 300 + 1)),
        lambda text: json.decode(text, list[WIDE]),
    ),
    "errors": (lambda n: "[" + ",".join(['"x"'] * (n // 4)) + "]", lambda text: failing(text, list[int])),
    "errors of records": (
        lambda n: "[" + ",".join(['{"a":"x"}'] * (n // 8)) + "]",
        lambda text: failing(text, list[Row]),
    ),
    "errors deep down": (
        lambda n: '{"a":' * 900 + "[" + ",".join(['"x"'] * (n // 40)) + "]" + "}" * 900,
        lambda text: failing(text, Deep),
    ),
    "an error after much": (lambda n: "[" + "1,\n" * (4 * n) + "x]", lambda text: failing(text, list[int])),
    "many lines with errors": (lambda n: '{"a":"x"}\n' * (n // 8), lambda text: failing(text, list[Row], ndjson)),
    "many rows with errors": (lambda n: "a,b\n" + "x,y\n" * (n // 8), lambda text: failing(text, list[Row], csv)),
    "unions by trial": (
        lambda n: '{"items":[' + ",".join(['{"items":[],"b":1}'] * n) + '],"b":1}',
        lambda text: json.decode(text, A | B),
    ),
    "late tags": (
        lambda n: '{"items":[' + ",".join(['{"items":[],"kind":"Other"}'] * n) + '],"kind":"Other"}',
        lambda text: json.decode(text, Tagged | Other),
    ),
    "cells": (lambda n: "a,b\n" + "1,x\n" * n, lambda text: csv.decode(text, list[Row])),
    "one long cell": (lambda n: 'a\n"' + '""' * (8 * n) + '"\n', csv.decode),
    "a quote that is never closed": (lambda n: 'a\n"' + "x,\n" * (8 * n), lambda text: failing(text, Any, csv)),
    "columns": (lambda n: ",".join(f"c{k}" for k in range(n)) + "\n" + ",".join(["1"] * n), csv.decode),
    "writing text": (lambda n: ["é\n" * (8 * n)], json.encode),
    "writing ints": (lambda n: 7 ** (4 * n), json.encode),
    "writing sorted keys": (
        lambda n: {f"k{(k * 7919) % n}": k for k in range(n)},
        lambda value: json.encode(value, sort_keys=True),
    ),
    "writing lists": (lambda n: [[k] for k in range(n)], lambda value: json.encode(value, indent=2)),
}


class Deep(TypedDict):
    a: "Deep | list[int]"


def failing(text: Any, tp: Any, module: Any = json) -> None:
    with pytest.raises(demat.Error):
        module.decode(text, tp, errors="all")


def took(call: Callable[[Any], Any], value: Any) -> float:
    """The least of some times of this thread's own, of which the first may have to find things out."""
    best = float("inf")
    for _ in range(3):
        start = time.thread_time()
        call(value)
        best = min(best, time.thread_time() - start)
        if best > 2:
            break
    return best


@pytest.mark.parametrize("name", FAMILIES)
def test_the_time_grows_as_the_input_does(name):
    make, call = FAMILIES[name]
    size = 2000
    # Up to a size that can be measured.
    while size < 250_000 and took(call, make(size)) < 0.002:
        size *= 2
    for _ in range(3):
        ratio = took(call, make(8 * size)) / took(call, make(size))
        # Eight times the input: eight times the time, and what caches and a busy machine add. The square would be 64.
        # Ints are multiplied by Karatsuba's way, which makes it 27.
        if ratio < 40:
            return
    pytest.fail(f"{ratio:.1f} times as long for eight times the input of {size}")


@pytest.fixture(autouse=True)
def _ints_of_any_size():
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


def test_ints_of_a_hundred_thousand_digits_where_the_interpreter_has_no_limit():
    digits = "".join(random.Random(5).choices("123456789", k=100_000))
    number = json.decode(digits, int)
    assert number % 10**9 == int(digits[-9:])
    assert number.bit_length() == pytest.approx(332_193, abs=10)
    assert json.encode(number) == digits.encode()
    assert json.encode(-number) == b"-" + digits.encode()
    assert json.decode(f"[{digits},-{digits}]") == [number, -number]
    assert json.decode(f'{{"{digits}":1}}', dict[int, int]) == {number: 1}
    assert csv.decode(f"a\n{digits}\n", list[dict[str, int]]) == [{"a": number}]
    # And an error about it does not print it all.
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(digits, Annotated[int, Field(le=5)])
    assert len(str(raised.value)) < 500
    with pytest.raises(demat.ValidationError) as raised:
        json.decode(digits, Annotated[int, Field(multiple_of=10)])
    assert len(str(raised.value)) < 500
