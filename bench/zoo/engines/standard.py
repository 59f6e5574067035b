"""The standard library: json without types, and csv with constructors by hand."""

import csv
import io
import json
from dataclasses import fields
from enum import IntEnum
from typing import Any

from zoo.columnar import bare
from zoo.engines import Prepare
from zoo.inputs import Inputs, Work
from zoo.plain import SCALARS, hints
from zoo.written import cell


def untyped(inputs: Inputs) -> Work:
    """Dicts and lists."""
    return Work(json.loads, inputs.texts["json"])


def encode_untyped(inputs: Inputs) -> Work:
    """Dicts and lists, as compact as everybody's, and as bytes."""
    encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
    return Work(lambda value: encode(value).encode(), inputs.plain)


def converted(name: str, wanted: Any) -> str:
    """The expression that makes a value of a cell."""
    own = bare(wanted)
    if own is str:
        made = name
    elif own is bool:
        made = f"{name} == 'true'"
    elif own in (int, float):
        made = f"{own.__name__}({name})"
    else:
        made = f"make[{own.__name__!r}]({name})" if own in SCALARS else f"types[{name!r}]({name})"
    return made if own is wanted else f"({made} if {name} else None)"


def member(wanted: Any) -> Any:
    """Makes a member of an enum, or passes on a literal."""
    if isinstance(wanted, type) and issubclass(wanted, IntEnum):
        return lambda value: wanted(int(value))
    return wanted if isinstance(wanted, type) else str


def decode(inputs: Inputs) -> Work:
    """Rows constructed by an expression such as a user writes for the class: `[Row(int(a), b) for a, b in reader]`."""
    cls = inputs.kind.record
    types = hints(cls)
    expressions = ", ".join(converted(name, own) for name, own in types.items())
    source = f"lambda rows: [cls({expressions}) for {', '.join(types)} in rows]"
    named = {own.__name__: made for own, made in SCALARS.items()}
    literals = {name: member(own) for name, own in types.items()}
    construct = eval(source, {"cls": cls, "make": named, "types": literals})

    def call(data: bytes) -> Any:
        reader = csv.reader(io.StringIO(data.decode(), newline=""), strict=True)
        next(reader)
        return construct(reader)

    return Work(call, inputs.texts["csv"], cls)


def encode(inputs: Inputs) -> Work:
    """A header, then the rows; of values that `csv` writes as everybody does nothing is converted."""
    names = [field.name for field in fields(inputs.kind.record)]
    direct = all(bare(own) in (int, float, str) for own in hints(inputs.kind.record).values())

    def call(rows: list[Any]) -> bytes:
        out = io.StringIO(newline="")
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(names)
        if direct:
            writer.writerows([[getattr(row, name) for name in names] for row in rows])
        else:
            writer.writerows([[cell(getattr(row, name)) for name in names] for row in rows])
        return out.getvalue().encode()

    return Work(call, inputs.objects)


ENGINES: dict[str, dict[str, Prepare]] = {
    "json": {
        "json/untyped": untyped,
        "json/encode-untyped": encode_untyped,
        "small/untyped": untyped,
        "small/encode-untyped": encode_untyped,
    },
    "csv": {"csv/decode": decode, "csv/encode": encode},
}
