"""Decodes and encodes a great many times, good and failing, and says what has grown; exit 1 where anything has.

    leaks.py [--count N] [--package demat|msgspec]

N is the number of calls, a million unless told, shared out among the cases of leak_cases.py. For each case, after a
warm-up, these must be where they were: the references to constants that are shared (None, small ints, short texts),
to types and to the inputs; the objects that the cyclic collector knows; the blocks of the interpreter's allocator; the
bytes of the C library's allocator, where it tells; and for all of them together the memory of the process.

A limit is half of what one leak a call would come to, so a smaller count is no weaker for references and objects. What
another allocator has lost shows in the memory of the process only, for which the count should be large.
"""

import argparse
import ctypes
import gc
import os
import sys
import typing
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from leak_cases import CASES, Case, demat_cases, msgspec_cases

LEAST_ROUNDS = 100
# A case that has grown is tried again, so often in all.
TIMES = 4
# A fresh stretch of heap here and there is no leak; a million leaks of sixteen bytes are sixteen times this.
PROCESS_SLACK = 1 << 20
CLASSES_EVERY = 50


class Verbs(NamedTuple):
    """What a library offers for one type, each called with one argument; and what it may raise."""

    reading: tuple[Callable[[Any], Any], ...]
    writing: tuple[Callable[[Any], Any], ...]
    errors: tuple[type[Exception], ...]


class Allocated(ctypes.Structure):
    """The answer of glibc's `mallinfo2`."""

    _fields_ = (
        *((name, ctypes.c_size_t) for name in ("arena", "ordblks", "smblks", "hblks")),
        *((name, ctypes.c_size_t) for name in ("hblkhd", "usmblks", "fsmblks", "uordblks", "fordblks", "keepcost")),
    )


def demat_verbs(case: Case) -> Verbs:
    """Demat, in the case's format."""
    import demat

    module, cls = import_module(f"demat.{case.format}"), case.type
    decoder, encoder, buffer = module.Decoder(cls), module.Encoder(), bytearray()
    reading = (
        decoder.decode,
        lambda data: module.decode(data, cls),
        lambda data: module.decode(data, cls, errors="all"),
        lambda data: module.decode(data, cls, gc=False),
        lambda data: module.decode(memoryview(data), cls),
        lambda data: module.decode(bytearray(data), cls),
    )
    writing = (encoder.encode, module.encode, lambda value: encoder.encode_into(value, buffer))
    return Verbs(reading, writing, (demat.Error,))


def msgspec_verbs(case: Case) -> Verbs:
    """msgspec's JSON: shows that the check passes where nothing leaks."""
    import msgspec

    cls = case.type
    decoder, encoder, buffer = msgspec.json.Decoder(cls), msgspec.json.Encoder(), bytearray()
    reading = (decoder.decode, lambda data: msgspec.json.decode(data, type=cls))
    writing = (encoder.encode, msgspec.json.encode, lambda value: encoder.encode_into(value, buffer))
    # A text that is no UTF-8 and a value of an unknown class get errors of Python's own.
    return Verbs(reading, writing, (msgspec.MsgspecError, UnicodeDecodeError, TypeError))


# The verbs of a package, and a function of its cases.
PACKAGES = {
    "demat": (demat_verbs, lambda: CASES + demat_cases()),
    "msgspec": (msgspec_verbs, lambda: CASES + msgspec_cases()),
}


def types_in(annotation: Any, seen: set[type]) -> Iterator[type]:
    """The classes that an annotation speaks of, those of fields included."""
    for part in typing.get_args(annotation):
        yield from types_in(part, seen)
    if isinstance(annotation, type) and annotation not in seen and not typing.get_args(annotation):
        seen.add(annotation)
        yield annotation
        if is_dataclass(annotation):
            hints = typing.get_type_hints(annotation)
            for one in fields(annotation):
                yield from types_in(hints[one.name], seen)


def watched(case: Case, *more: Any) -> dict[str, list[Any]]:
    """Objects by the name under which a growth of their references is told."""
    constants = {
        "None": [None],
        "True and False": [True, False],
        "small ints": [*range(-5, 257)],
        "empty and short texts": ["", *map(chr, range(256))],
        "empty constants": [b"", (), frozenset()],
        "basic types": [bool, int, float, str, bytes, list, tuple, dict, set, frozenset, type(None)],
    }
    classes = {f"class {cls.__name__}": [cls] for cls in types_in(case.type, set(constants["basic types"]))}
    inputs = {"inputs": [*case.good, *case.bad]}
    return constants | classes | inputs | {f"verbs {place}": [one] for place, one in enumerate(more)}


def process_bytes() -> int:
    """The resident memory of this process; 0 where there is no /proc."""
    statm = Path("/proc/self/statm")
    return int(statm.read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE") if statm.exists() else 0


def allocator() -> Callable[[], int]:
    """The bytes in use by malloc; a function that gives 0 where the C library has none to ask."""
    try:
        ask = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError):
        return lambda: 0
    ask.restype = Allocated

    def used() -> int:
        told = ask()
        return told.uordblks + told.hblkhd

    return used


USED = allocator()


def state(objects: dict[str, list[Any]]) -> dict[str, int]:
    """Everything that must not grow, by name."""
    gc.collect()
    gc.collect()
    counted = {f"references to {name}": sum(map(sys.getrefcount, many)) for name, many in objects.items()}
    counted["objects known to the collector"] = len(gc.get_objects())
    counted["blocks of the interpreter"] = sys.getallocatedblocks()
    counted["bytes of malloc"] = USED()
    return counted


def growth(objects: dict[str, list[Any]], work: Callable[[], None], rounds: int) -> dict[str, int]:
    """What `rounds` calls of `work` leave behind, by name."""
    state(objects)
    earlier = state(objects)
    before = state(objects)
    for _ in range(rounds):
        work()
    after = state(objects)
    # Keeping such a state is itself some blocks: what the second added to the first, the third adds to the second.
    return {name: after[name] - 2 * before[name] + earlier[name] for name in after}


def complaints(grown: dict[str, int], rounds: int) -> list[str]:
    """What is above its limit, in words."""
    # Tables that grow by doubling take their share now or then.
    limits = {"bytes of malloc": max(1 << 14, 8 * rounds)}
    usual = max(8, rounds // 2)
    return [
        f"{name} grew by {more} in {rounds} rounds" for name, more in grown.items() if more > limits.get(name, usual)
    ]


def lasting(measured: Callable[[], list[str]]) -> list[str]:
    """What is complained of each time: a cache that fills grows for a while, a leak grows always."""
    words: list[str] = []
    for _ in range(TIMES):
        words = measured()
        if not words:
            break
    return words


class UnexpectedError(Exception):
    """A call that should have failed did not, or the other way round."""


def one_round(case: Case, verbs: Verbs, bad: tuple[bytes, ...]) -> None:
    """Every verb once with every input."""
    for data in case.good:
        for read in verbs.reading:
            value = read(data)
        for write in verbs.writing:
            write(value)
        for write in verbs.writing:
            try:
                write([value, object()])
            except verbs.errors:
                continue
            raise UnexpectedError("an object of no known kind was written")
    for data in bad:
        for read in verbs.reading:
            try:
                read(data)
            except verbs.errors:
                continue
            raise UnexpectedError(f"{data!r} was taken")


def broken(case: Case) -> tuple[bytes, ...]:
    """What must be refused: that of the wrong type, and what is no JSON."""
    return (*case.bad, b"", case.good[-1] + b" x") if case.format == "json" else case.bad


def check(case: Case, prepare: Callable[[Case], Verbs], count: int) -> tuple[int, list[str]]:
    """One case; the number of calls, and what grew."""
    verbs, bad = prepare(case), broken(case)
    calls = len(case.good) * (len(verbs.reading) + 2 * len(verbs.writing)) + len(bad) * len(verbs.reading)
    rounds = max(LEAST_ROUNDS, count // calls)
    objects = watched(case, *verbs.reading, *verbs.writing)
    for _ in range(max(LEAST_ROUNDS, rounds // 10)):
        one_round(case, verbs, bad)
    return calls * rounds, lasting(
        lambda: complaints(growth(objects, lambda: one_round(case, verbs, bad), rounds), rounds)
    )


def passing() -> Case:
    """A class made for the occasion."""

    @dataclass(slots=True)
    class Passing:
        number: int
        text: str

    return Case("passing", list[Passing], (b'[{"number":1000,"text":"a text"}]',), (b'[{"number":1000}]',))


def check_classes(prepare: Callable[[Case], Verbs], rounds: int) -> list[str]:
    """Classes that come and go: whatever was made for them must go with them.

    The interpreter's own tables grow by some bytes a class; so the same is done with classes that nobody is shown.
    """

    def shown() -> None:
        case = passing()
        one_round(case, prepare(case), case.bad)

    objects = watched(Case("", None, ()))
    for work in (passing, shown):
        for _ in range(20):
            work()
            gc.collect()
    bare = growth(objects, passing, rounds)

    def measured() -> list[str]:
        grown = growth(objects, shown, rounds)
        return complaints({name: more - max(0, bare[name]) for name, more in grown.items()}, rounds)

    return lasting(measured)


def main(arguments: list[str]) -> int:
    """All cases; a line for each complaint."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=1_000_000, help="the number of calls, good and failing")
    parser.add_argument("--package", choices=PACKAGES, default="demat")
    chosen = parser.parse_args(arguments)
    prepare, cases = PACKAGES[chosen.package]
    return run(prepare, cases(), chosen.count)


def run(prepare: Callable[[Case], Verbs], cases: tuple[Case, ...], count: int) -> int:
    """Checks the cases with so many calls, prints what is to be said, and gives the exit code."""
    share = count // len(cases)
    found = []
    # All cases once before the process is weighed, so that every plan is made and every cache is warm.
    for case in cases:
        verbs = prepare(case)
        try:
            for _ in range(LEAST_ROUNDS):
                one_round(case, verbs, broken(case))
        except Exception as error:
            found.append(f"{case.name}: {type(error).__name__}: {error}")
    if found:
        print(*found, sep="\n")
        return 1
    gc.collect()
    weight, calls = process_bytes(), 0
    for case in cases:
        done, words = check(case, prepare, share)
        calls += done
        found += [f"{case.name}: {word}" for word in words]
    words = check_classes(prepare, max(LEAST_ROUNDS // 2, share // CLASSES_EVERY))
    found += [f"classes that come and go: {word}" for word in words]
    gc.collect()
    heavier = process_bytes() - weight
    if heavier > PROCESS_SLACK + 8 * calls / len(cases):
        found.append(f"the process grew by {heavier} bytes in {calls} calls")
    nothing = f"nothing grew in {calls} calls of {len(cases)} types; the process by {heavier} bytes"
    print(*found or [nothing], sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
