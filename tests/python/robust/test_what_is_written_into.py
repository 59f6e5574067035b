"""Buffers that hooks change during encoding or decoding: the result never contains uninitialised memory."""

import formats
import pytest
from hostile import run

CHANGES = {
    "shrinks": "del buffer[size:]",
    "clears": "buffer.clear()",
    "grows": "buffer.extend(b'y' * 100_000)",
    "fills": "buffer[:] = b'z' * 10",
    "holds": "held.append(memoryview(buffer))",
    "looks": "looked.append(bytes(buffer))",
    "encodes into it": "json.encode_into([1, 2, 3], buffer)",
    "cuts and raises": "del buffer[size:]; raise LookupError",
    "clears and fails": "buffer.clear(); raise ValueError('bad')",
}

PRELUDE = """
import io
from dataclasses import dataclass
from typing import Annotated, Any
import demat
from demat import Hook, json

held, looked = [], []

@dataclass
class Row:
    name: str
    size: int = 5

class Own:
    pass

def change(_):
    if steps:
        CHANGE
        steps.pop()
    return 5
"""


def with_formats(program: str) -> str:
    """The program, which names its kinds of formats."""
    for kind, names in {
        "ALL": formats.names(),
        "LAZY": formats.names(reads="lazy"),
        "NESTED": formats.names(nested=True),
    }.items():
        program = program.replace(f"({kind})", f"({', '.join(f'demat.{name}' for name in names)},)")
    return program


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("form", formats.names())
def test_encode_into(form: str, change: str):
    program = (
        PRELUDE.replace("CHANGE", CHANGES[change])
        + f"""
m = demat.{form}
for length in (0, 10, 50, 1000, 700_000):
    for offset in (0, 5, 50, -1):
        for size in (0, 3, 49, 50, 51):
            for text in (1, 100, 70_000, 600_000):
                if text > 1000 and (size not in (0, 50) or length > 50):
                    continue
                buffer = bytearray(b"x" * length)
                if offset > length:
                    continue
                before = bytes(buffer)
                begin = length if offset == -1 else offset
                steps = [1]
                held.clear(), looked.clear()
                rows = [Row("a" * text), Row("b", Own()), Row("c" * text)]
                try:
                    m.encode_into(rows, buffer, offset, hooks={{Own: Hook(wire=int, encode=change)}})
                    done = True
                except (demat.Error, ValueError, BufferError, LookupError) as error:
                    done = False
                steps = []
                whole = m.encode(rows, hooks={{Own: Hook(wire=int, encode=change)}})
                after = bytes(buffer)
                if done:
                    # What stood before the offset is whatever the hook made of it.
                    assert after[begin:] == whole, (length, offset, size, text)
                    assert set(after[:begin]) <= set(b"xyz[1,23]"), after[:begin][:100]
                else:
                    assert set(after) <= set(b"xyz[1,23]"), (length, offset, size, text, after[:100])
                assert all(seen == before for seen in looked)
                for view in held:
                    view.release()
                buffer.append(1)
"""
    )
    assert run(program, seconds=120) == ""


def test_a_list_a_dict_and_a_view_that_change_while_they_are_written_into_a_buffer():
    program = """
from dataclasses import dataclass, field
from typing import Any
import demat

@dataclass
class N:
    v: int = 0
    l: "list[N]" = field(default_factory=list)
    more: Any = None

class Own:
    def __init__(self, change): self.change = change
    def __demat_encode__(self) -> Any:
        self.change()
        return 1

for m in (LAZY):
    for change in (
        lambda: v.l.clear(), lambda: v.l.append(N(9)), lambda: setattr(v, "l", []), lambda: buffer.clear(),
        lambda: reader.close(), lambda: data.clear(), lambda: values.clear(), lambda: values.extend([v] * 1000),
    ):
        for at in range(2):
            data = bytearray(m.encode([N(1, [N(2), N(3)], {"a": 1})] * 2))
            reader = m.read(data, N, lazy=True)
            v = next(reader)
            if at:
                v.l[0].more = Own(change)
            else:
                v.l.append(N(5, [], Own(change)))
            v.v = 7
            values = [v]
            buffer = bytearray(b"head")
            try:
                m.encode_into(values, buffer, 4)
            except (demat.Error, ValueError, BufferError):
                assert bytes(buffer) in (b"head", b"")
            else:
                assert bytes(buffer[:4]) == b"head"
                m.decode(bytes(buffer[4:]), list[N])
"""
    assert run(with_formats(program)) == ""


def test_a_buffer_that_is_decoded_while_a_hook_changes_it():
    program = """
from dataclasses import dataclass, field
from typing import Annotated, Any
import demat
from demat import Hook

def change(value):
    for what in (data.clear, lambda: data.extend(b"x" * 1000), lambda: data.__setitem__(slice(None), bytes(len(data)))):
        try:
            what()
        except BufferError:
            pass
    return value

@dataclass
class Plain:
    name: str
    size: int = 0
    words: list[str] = field(default_factory=list)

@dataclass
class Row:
    name: Annotated[str, Hook(wire=str, decode=change)]
    size: int = 0
    words: list[str] = field(default_factory=list)

@dataclass
class Flat:
    name: Annotated[str, Hook(wire=str, decode=change)]
    size: int = 0

for m in (ALL):
    is_nested, is_lazy = m in (NESTED), m in (LAZY)
    rows = [Plain("a" * 100, 1, ["b", "c" * 50]) if is_nested else {"name": "a" * 100, "size": 1}] * 50
    cls = Row if is_nested else Flat
    for read in (
        lambda: m.decode(data, list[cls]),
        lambda: list(m.read(data, cls)),
        lambda: m.Decoder(list[cls]).decode(data),
        lambda: m.decode(memoryview(data), list[cls]),
        *((lambda: [(row.name, row.size, list(row.words)) for row in m.decode(data, list[cls], lazy=True)],
           lambda: [(row.name, row.size, list(row.words)) for row in m.read(data, cls, lazy=True)])
          if is_lazy else ()),
    ):
        data = bytearray(m.encode(rows))
        try:
            found = read()
        except (demat.Error, BufferError) as error:
            continue
        first = found[0]
        name = first[0] if type(first) is tuple else first.name
        assert name == "a" * 100, name
"""
    assert run(with_formats(program)) == ""
