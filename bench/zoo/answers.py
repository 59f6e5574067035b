"""Whether an engine's answer is the one expected: equal in value and in type, field by field.

In the first round of a run every record is compared; later rounds compare the count and a 37th of the records.
"""

import csv
import io
import json
import zlib
from datetime import datetime
from typing import Any

from fingerprints import value
from zoo.columnar import bare
from zoo.inputs import Inputs, Work, unpacked
from zoo.plain import hints, when
from zoo.portrait import leaf, portrait
from zoo.references import REFERENCES
from zoo.wire import messages, read
from zoo.written import FORMATS

SAMPLE = 37


class AnswerError(Exception):
    """An answer that is not the one expected."""


def same(found: Any, wanted: Any) -> None:
    """Raises AnswerError, with the first difference, where two portraits differ."""
    if found == wanted:
        return
    if isinstance(found, list) and isinstance(wanted, list) and len(found) == len(wanted):
        at = next(at for at, pair in enumerate(zip(found, wanted, strict=True)) if pair[0] != pair[1])
        raise AnswerError(f"record {at}: found {found[at]!r:.200}, expected {wanted[at]!r:.200}")
    raise AnswerError(f"found {found!r:.200}, expected {wanted!r:.200}")


def typed(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """Records, each of the class that was asked for."""
    if inputs.kind.single:
        same([portrait(inputs.kind.record)(result)], [inputs.portrait])
        return
    if len(result) != inputs.count:
        raise AnswerError(f"found {len(result)} records, expected {inputs.count}")
    if work.cls is not None and isinstance(work.cls, type) and type(result[0]) not in (work.cls, dict):
        raise AnswerError(f"found {type(result[0])}, expected {work.cls}")
    step = 1 if full else SAMPLE
    same(portrait(inputs.kind.root)(result[::step]), inputs.portrait[::step])


def iterated(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """Records one by one, each let go of before the next."""
    view, count = portrait(inputs.kind.record), 0
    for record in result:
        if full or count % SAMPLE == 0:
            same([view(record)], [inputs.portrait[count]])
        del record
        count += 1
    if count != inputs.count:
        raise AnswerError(f"found {count} records, expected {inputs.count}")


def untyped(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """Dicts and lists."""
    if value(result) != value(inputs.plain):
        same(
            result if isinstance(result, list) else [result],
            inputs.plain if isinstance(result, list) else [inputs.plain],
        )
        raise AnswerError("equal, but of other types or with keys in another order")


def untyped_packed(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """Dicts and lists of MessagePack; they are compared as Python shows them, since 1, 1.0 and True are equal."""
    if repr(result) != repr(inputs.plain_packed):
        single = inputs.kind.single
        same([result] if single else result, [inputs.plain_packed] if single else inputs.plain_packed)
        raise AnswerError("equal, but of other types or with keys in another order")


def columns(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """Columns, as pyarrow shows those of anybody."""
    import pyarrow

    table = pyarrow.table(result)
    if len(table) != inputs.count:
        raise AnswerError(f"found {len(table)} rows, expected {inputs.count}")
    rows = inputs.count if full else inputs.count // SAMPLE + 1
    for column, wanted in zip(table.columns, inputs.columns, strict=True):
        same([*map(leaf, column.slice(0, rows).to_pylist())], [*map(leaf, wanted[:rows])])


def encoded(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """JSON with the same records in it."""
    if full:
        same(portrait(inputs.kind.root)(inputs.read(bytes(result))), inputs.portrait)


def encoded_lines(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """The same, one a line."""
    if full:
        text = bytes(result).decode()
        lines = text.removesuffix("\n").split("\n")
        encoded(f"[{','.join(lines)}]".encode(), inputs, work, full=full)


def encoded_untyped(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """JSON with the same dicts and lists in it."""
    if full:
        untyped(json.loads(bytes(result)), inputs, work, full=full)


def encoded_csv(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """A table with the same cells; floats and instants may be spelled in several ways."""
    if full:
        types = hints(inputs.kind.record)

        def cells(data: bytes) -> list[list[Any]]:
            header, *rows = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
            if header != [*types]:
                raise AnswerError(f"found the columns {header}")
            several = {float: lambda text: repr(float(text)), datetime: when}
            spelled = {at: several[bare(own)] for at, own in enumerate(types.values()) if bare(own) in several}
            for row in rows:
                for at, value in spelled.items():
                    row[at] = row[at] and value(row[at])
            return rows

        same(cells(bytes(result)), cells(inputs.texts["csv"]))


def encoded_proto(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """Messages with the same records in them."""
    if full:
        record = inputs.kind.record
        found = [read(record, bytes(result))] if inputs.kind.single else [read(record, one) for one in messages(result)]
        same([*map(portrait(record), found)], [inputs.portrait] if inputs.kind.single else inputs.portrait)


def encoded_packed(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """MessagePack with the same records in it."""
    if full:
        same(portrait(inputs.kind.root)(inputs.read_packed(bytes(result))), inputs.portrait)


def encoded_by_reference(name: str) -> Any:
    """The check of a format whose reference package must read the same records."""

    def encoded(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
        if full:
            found = REFERENCES[name](inputs.kind).read(bytes(result))
            same(portrait(inputs.kind.root)(found), inputs.portrait)

    return encoded


def encoded_untyped_packed(result: Any, inputs: Inputs, work: Work, *, full: bool) -> None:
    """MessagePack with the same dicts and lists in it."""
    if full:
        untyped_packed(unpacked(bytes(result)), inputs, work, full=full)


CHECKS = {
    "decode": typed,
    "untyped": untyped,
    "read": iterated,
    "columns": columns,
    "encode": encoded,
    "encode-untyped": encoded_untyped,
}
# Of formats that are not JSON.
OWN = {
    ("ndjson", "encode"): encoded_lines,
    ("csv", "encode"): encoded_csv,
    ("proto", "encode"): encoded_proto,
    ("msgpack", "untyped"): untyped_packed,
    ("msgpack", "encode"): encoded_packed,
    ("msgpack", "encode-untyped"): encoded_untyped_packed,
    **{(name, "encode"): encoded_by_reference(name) for name in REFERENCES},
}


def named(job: str) -> tuple[str, str]:
    """The format and the verb; small jobs that begin with no format's name are JSON's."""
    form, verb = job.split("/")
    own, _, rest = verb.partition("-")
    return (own, rest) if form == "small" and own in FORMATS else (form, verb)


def check(job: str, result: Any, inputs: Inputs, work: Work, *, full: bool) -> str | None:
    """Raises AnswerError where the answer is; gives the fingerprint of an output in bytes."""
    form, verb = named(job)
    of = OWN.get((form, verb)) or CHECKS[verb]
    of(result, inputs, work, full=full)
    if isinstance(result, bytes | bytearray):
        return f"{len(result)} bytes, CRC {zlib.crc32(result):08x}"
    return None
