"""Checks orders and writes receipts, with Demat. `before.py` beside it is the same program with pydantic.

    python examples/ported/after.py < orders.json

Standard input is a list of orders, and standard output a list of receipts. If an order is wrong, the program writes all
errors with their places to standard error, and exits with 1.
"""

import sys
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Annotated, Literal
from uuid import UUID

import demat
from demat import Field, Hook, json

Sku = Annotated[str, Hook(wire=Annotated[str, Field(pattern="^[a-zA-Z]{2}[0-9]{3}$")], decode=str.upper)]
Instant = Annotated[datetime, Field(tz=True)]
# Pydantic writes decimals as text; the readers of the receipts expect that.
Money = Annotated[Decimal, Hook(wire=str, encode=str)]

wire = demat.configure(rename="camel", unknown="forbid")


@wire
@dataclass(slots=True)
class Card:
    """Paid at once."""

    kind: Literal["card"]
    last_digits: Annotated[str, Field(pattern="^[0-9]{4}$")]


@wire
@dataclass(slots=True)
class Invoice:
    """Paid later."""

    kind: Literal["invoice"]
    vat_id: str
    days: Annotated[int, Field(ge=7, le=60)] = 30


@wire
@dataclass(slots=True)
class Line:
    """A number of equal articles."""

    sku: Sku
    quantity: Annotated[int, Field(ge=1)]
    price: Annotated[Decimal, Field(gt=0)]


@wire
@dataclass(slots=True)
class Order:
    """An order."""

    order_id: UUID
    placed_at: Instant
    lines: Annotated[list[Line], Field(min_length=1)]
    payment: Annotated[Card | Invoice, Field(tag="kind")]
    deliver_on: date | None = None

    def __post_init__(self) -> None:
        if self.deliver_on is not None and self.deliver_on < self.placed_at.date():
            raise ValueError("an order can't be delivered before it is placed")


@wire
@dataclass(slots=True)
class Receipt:
    """The receipt of an order."""

    order_id: UUID
    placed_at: Instant
    skus: list[str]
    total: Money
    payment: Card | Invoice
    deliver_on: date | None


def receipt(order: Order) -> Receipt:
    """Returns the receipt of an order."""
    total = sum((line.quantity * line.price for line in order.lines), Decimal())
    skus = [line.sku for line in order.lines]
    return Receipt(
        order_id=order.order_id,
        placed_at=order.placed_at,
        skus=skus,
        total=total,
        payment=order.payment,
        deliver_on=order.deliver_on,
    )


def main() -> int:
    """Writes receipts or errors; returns the exit code."""
    try:
        orders = json.decode(sys.stdin.buffer.read(), list[Order], errors="all")
    except demat.ValidationError as error:
        for each in error.errors:
            print(each.path, each.reason, sep=": ", file=sys.stderr)
        return 1
    receipts = [receipt(order) for order in orders]
    sys.stdout.buffer.write(json.encode(receipts, type=list[Receipt]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
