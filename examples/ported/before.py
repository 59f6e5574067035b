"""Checks orders and writes receipts, with pydantic. `after.py` beside it is the same program with Demat.

    python examples/ported/before.py < orders.json

Standard input is a list of orders, and standard output a list of receipts. If an order is wrong, the program writes all
errors with their places to standard error, and exits with 1.
"""

import sys
from datetime import date
from decimal import Decimal
from typing import Annotated, Literal, Self
from uuid import UUID

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    TypeAdapter,
    ValidationError,
    model_validator,
)
from pydantic.alias_generators import to_camel

Sku = Annotated[str, Field(pattern="^[a-zA-Z]{2}[0-9]{3}$"), AfterValidator(str.upper)]


class Base(BaseModel):
    """The rules of all classes: names in camelCase, no unknown fields, no coercion."""

    model_config = ConfigDict(alias_generator=to_camel, validate_by_name=True, extra="forbid", strict=True)


class Card(Base):
    """Paid at once."""

    kind: Literal["card"]
    last_digits: Annotated[str, Field(pattern="^[0-9]{4}$")]


class Invoice(Base):
    """Paid later."""

    kind: Literal["invoice"]
    vat_id: str
    days: Annotated[int, Field(ge=7, le=60)] = 30


class Line(Base):
    """A number of equal articles."""

    sku: Sku
    quantity: Annotated[int, Field(ge=1)]
    price: Annotated[Decimal, Field(gt=0)]


class Order(Base):
    """An order."""

    order_id: UUID
    placed_at: AwareDatetime
    lines: Annotated[list[Line], Field(min_length=1)]
    payment: Annotated[Card | Invoice, Field(discriminator="kind")]
    deliver_on: date | None = None

    @model_validator(mode="after")
    def _comes_after(self) -> Self:
        if self.deliver_on is not None and self.deliver_on < self.placed_at.date():
            raise ValueError("an order can't be delivered before it is placed")
        return self


class Receipt(Base):
    """The receipt of an order."""

    order_id: UUID
    placed_at: AwareDatetime
    skus: list[str]
    total: Decimal
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
        orders = TypeAdapter(list[Order]).validate_json(sys.stdin.buffer.read())
    except ValidationError as error:
        for each in error.errors():
            print(".".join(map(str, each["loc"])), each["msg"], sep=": ", file=sys.stderr)
        return 1
    receipts = [receipt(order) for order in orders]
    sys.stdout.buffer.write(TypeAdapter(list[Receipt]).dump_json(receipts, by_alias=True))
    return 0


if __name__ == "__main__":
    sys.exit(main())
