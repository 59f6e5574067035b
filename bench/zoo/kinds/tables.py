"""Kinds that are tables above all."""

from dataclasses import dataclass, make_dataclass
from typing import Any

from zoo.kind import kind
from zoo.kinds.shapes import SCALARS, scalars
from zoo.seeded import Seeded

Columns120 = make_dataclass(
    "Columns120",
    [(f"column_{i:03}", SCALARS[i % 6]) for i in range(120)],
    slots=True,
    namespace={"__module__": __name__},
)
Columns120.__doc__ = "120 fields."


@kind("wide-table", Columns120)
def wide_table(seed: Seeded, number: int) -> Any:
    """120 columns."""
    return Columns120(*scalars(seed, 120))


@dataclass(slots=True)
class Quoted:
    """Texts that CSV has to quote."""

    id: int
    name: str
    note: str


@kind("quoted", Quoted)
def quoted(seed: Seeded, number: int) -> Quoted:
    """Commas, quotes and line breaks in the cells."""
    lines = [seed.text(seed.between(10, 30)) for _ in range(seed.between(2, 4))]
    return Quoted(number, f"{seed.text(6)}, {seed.text(8)}", f'"{lines[0]}"\n' + ",\n".join(lines[1:]))
