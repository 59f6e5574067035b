"""Forks, shutdown, subinterpreters, debug builds of the allocator: each in a process of its own."""

import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from hostile import run


def test_a_fork_in_the_middle():
    program = """
    import gc, os, sys
    from typing import Annotated, Any
    from demat import Hook, json
    many = json.encode([[n] for n in range(3000)])
    def forking(value):
        if value == [1500]:
            pid = os.fork()
            if pid == 0:
                assert json.decode(many, list[list[int]])[-1] == [2999]
                return "child"
            _, status = os.waitpid(pid, 0)
            assert status == 0, status
        return value
    found = json.decode(many, list[Annotated[Any, Hook(wire=list[int], decode=forking)]])
    assert len(found) == 3000 and gc.isenabled()
    if "child" in found:
        gc.collect()
        os._exit(0 if json.encode(found) else 1)
    print("ok")
    """
    assert run(program) == "ok\n"


def test_a_fork_while_another_thread_decodes():
    program = """
    import gc, os, threading, warnings
    from typing import Annotated, Any
    from demat import Hook, json
    # From 3.12 on the interpreter warns of just this.
    warnings.filterwarnings("ignore", "This process", DeprecationWarning)
    many = json.encode([[n] for n in range(3000)])
    inside, leave = threading.Event(), threading.Event()
    def waiting(value):
        if value == [1500]:
            inside.set()
            leave.wait()
        return value
    waited = Annotated[Any, Hook(wire=list[int], decode=waiting)]
    thread = threading.Thread(target=json.decode, args=(many, list[waited]))
    thread.start()
    inside.wait()
    assert not gc.isenabled()
    pid = os.fork()
    if pid == 0:
        # The thread that paused the collector is not here to let it go on.
        enabled = gc.isenabled()
        assert json.decode(many) and json.encode([1]) == b"[1]"
        os._exit(0 if enabled and gc.isenabled() else 3)
    _, status = os.waitpid(pid, 0)
    leave.set()
    thread.join()
    assert gc.isenabled()
    print(os.waitstatus_to_exitcode(status))
    """
    assert run(program) == "0\n"


def test_shutdown():
    program = """
    import atexit, threading, time, weakref
    from dataclasses import dataclass
    from typing import Annotated, Any
    import demat
    from demat import Hook, csv, json, ndjson

    @dataclass
    class Row:
        a: int
        b: Any = None

    decoder, encoder = json.Decoder(list[Row]), json.Encoder()

    class Last:
        def __del__(self):
            json.decode(b'[{"a":1}]', list[Row])
            json.encode(Row(2))
            decoder.decode(b'[{"a":3}]')

    class Late:
        def __del__(self):
            try:
                decoder.decode(b'[{"a":"x"}]')
            except Exception:
                pass

    def at_exit():
        assert json.decode(b'[{"a":1}]', list[Row]) == [Row(1)]
        assert csv.decode(csv.encode([Row(1, "x")]), list[Row])[0].a == 1
        try:
            json.decode("[1,")
        except demat.DecodeError as error:
            print(error, flush=True)
        class New:
            pass
        demat.hook(New, encode=lambda new: 5)
        print(json.encode([New()]), flush=True)

    atexit.register(at_exit)
    kept = [Row(1, Last()), Late()]
    kept.append(kept)

    def forever():
        while True:
            json.decode(json.encode([Row(1)] * 50), list[Row])
    for _ in range(3):
        threading.Thread(target=forever, daemon=True).start()
    time.sleep(0.2)
    """
    out = run(program)
    assert "end of input" in out
    assert "b'[5]'" in out


# Before 3.14 CPython ends a daemon thread that returns from a hook during shutdown by `pthread_exit`, which unwinds the
# stack. Rust aborts the process when a foreign unwind reaches its frames. No extension can intercept that.
@pytest.mark.skipif(sys.version_info < (3, 14), reason="before 3.14 CPython unwinds daemon threads at shutdown")
def test_shutdown_while_a_daemon_is_in_a_hook():
    program = """
    import threading, time
    from typing import Annotated
    from demat import Hook, json
    slow = Annotated[int, Hook(decode=lambda value: time.sleep(0.001) or value)]
    data = json.encode([1] * 2000)
    def forever():
        while True:
            json.decode(data, list[slow])
    threading.Thread(target=forever, daemon=True).start()
    time.sleep(0.2)
    """
    assert run(program) == ""


def test_shutdown_by_an_exception_in_a_hook():
    program = """
    import sys
    from typing import Annotated
    from demat import Hook, json
    def leave(value):
        sys.exit(0)
    json.decode("[1]", list[Annotated[int, Hook(decode=leave)]])
    """
    assert run(program) == ""


INTERPRETERS = next(filter(find_spec, ("_interpreters", "_xxsubinterpreters")), "none")


@pytest.mark.skipif(INTERPRETERS == "none", reason="this Python has no module that makes interpreters")
@pytest.mark.parametrize("first", ["the main one", "the other one"])
@pytest.mark.parametrize("kind", ["isolated", "legacy"])
def test_a_subinterpreter_is_refused_in_words(first, kind):
    program = f"""
    import sys, textwrap, {INTERPRETERS} as interpreters
    if {first!r} == "the main one":
        from demat import json
        json.decode("[1]", list[int])
    code = textwrap.dedent('''
    import os
    try:
        from demat import json
        json.decode("[1]", list[int])
        said = "it was imported"
    except ImportError as error:
        said = type(error).__name__ + ": " + str(error)
    os.write(1, said.encode() + bytes([10]))
    ''')
    for _ in range(2):
        old = sys.version_info < (3, 13)
        inner = interpreters.create(isolated={kind == "isolated"}) if old else interpreters.create({kind!r})
        interpreters.run_string(inner, code)
        interpreters.destroy(inner)
    from demat import json
    print(json.decode("[1]", list[int]), flush=True)
    """
    *refused, last = run(program).splitlines()
    assert last == "[1]"
    assert len(refused) == 2
    for line in refused:
        assert line.startswith("ImportError: ")
        assert "subinterpreter" in line


EVERYTHING = (Path(__file__).parents[1] / "support" / "everything.py").read_text(encoding="utf-8")


def test_in_development_mode():
    assert run(EVERYTHING, options=("-X", "dev"), seconds=120) == "ok\n"


def test_with_the_allocator_s_checks():
    assert run(EVERYTHING, PYTHONMALLOC="debug", seconds=120) == "ok\n"
    assert run(EVERYTHING, PYTHONMALLOC="malloc_debug", MALLOC_PERTURB_="123", seconds=120) == "ok\n"


def test_without_assertions_and_docstrings():
    program = """
    from demat import json
    from dataclasses import dataclass
    @dataclass
    class Row:
        a: int
    print(json.decode('{"a":1}', Row), json.encode(Row(2)))
    """
    assert run(program, options=("-OO",)) == "Row(a=1) b'{\"a\":2}'\n"


def test_with_isolation_and_no_site():
    program = """
    import sys
    from demat import json
    print(json.decode('[1]', list[int]), sorted({"msgspec", "pydantic", "attrs", "numpy"} & set(sys.modules)))
    """
    assert run(program, options=("-I",)) == "[1] []\n"
