"""`examples/ported`: the program with pydantic and the one with Demat do the same."""

from __future__ import annotations

import json
import random
import re
import uuid
from datetime import datetime
from decimal import Decimal
from typing import Any

import pytest
from programs import EXAMPLES, ended

BEFORE, AFTER = "ported/before.py", "ported/after.py"


def order(seed: int) -> dict[str, Any]:
    chosen = random.Random(seed)
    card = {"kind": "card", "lastDigits": f"{chosen.randrange(10_000):04}"}
    invoice: dict[str, Any] = {"vatId": f"DE{seed}", "kind": "invoice"}
    if chosen.random() < 0.5:
        invoice["days"] = chosen.randint(7, 60)
    return {
        "orderId": str(uuid.UUID(int=chosen.getrandbits(128))),
        "placedAt": chosen.choice(["2026-03-01T12:00:00Z", "2026-03-01T23:30:00.25+02:00"]),
        "lines": [
            {
                "sku": chosen.choice(["ab", "AB", "Ab"]) + f"{chosen.randrange(1000):03}",
                "quantity": chosen.randint(1, 9),
                "price": chosen.choice([f"{chosen.randint(1, 9999) / 100:.2f}", chosen.randint(1, 50)]),
            }
            for _ in range(chosen.randint(1, 4))
        ],
        "payment": chosen.choice([card, invoice]),
        **({"deliverOn": "2026-03-05"} if chosen.random() < 0.5 else {}),
    }


def test_both_write_the_same_receipts() -> None:
    orders = [order(seed) for seed in range(200)]
    runs = [ended(program, given=json.dumps(orders).encode()) for program in (BEFORE, AFTER)]
    assert [run.returncode for run in runs] == [0, 0], runs[1].stderr.decode()
    before, after = (json.loads(run.stdout) for run in runs)
    for receipt in (*before, *after):
        # The same instant: of a fraction that three digits hold, pydantic writes six.
        receipt["placedAt"] = datetime.fromisoformat(receipt["placedAt"])
    assert after == before
    assert [list(receipt) for receipt in after] == [list(receipt) for receipt in before]
    for given, receipt in zip(orders, after, strict=True):
        assert receipt["orderId"] == given["orderId"]
        assert receipt["placedAt"] == datetime.fromisoformat(given["placedAt"])
        assert receipt["skus"] == [line["sku"].upper() for line in given["lines"]]
        total = sum(line["quantity"] * Decimal(line["price"]) for line in given["lines"])
        assert Decimal(receipt["total"]) == total
        assert receipt["payment"] == ({"days": 30} if given["payment"]["kind"] == "invoice" else {}) | given["payment"]
        assert receipt["deliverOn"] == given.get("deliverOn")


# What is changed in an order that is right, and where both programs then say that it is wrong.
WRONG: dict[str, tuple[list[tuple[list[Any], Any]], list[str]]] = {
    "bounds": ([(["lines", 0, "quantity"], 0), (["lines", 0, "price"], 0)], ["lines.0.quantity", "lines.0.price"]),
    "kinds": ([(["lines", 0, "quantity"], "1"), (["orderId"], "x")], ["orderId", "lines.0.quantity"]),
    "pattern": ([(["lines", 0, "sku"], "abc1")], ["lines.0.sku"]),
    "no lines": ([(["lines"], [])], ["lines"]),
    "unknown field": ([(["payment", "gift"], True)], ["payment"]),
    "tag": ([(["payment"], {"kind": "cash"})], ["payment"]),
    "naive": ([(["placedAt"], "2026-03-01T12:00:00")], ["placedAt"]),
    "variant": ([(["payment"], {"kind": "invoice", "vatId": "DE1", "days": 61})], ["payment.days"]),
    "rule": ([(["deliverOn"], "2026-02-28")], [""]),
}


@pytest.mark.parametrize("name", WRONG)
def test_both_refuse_the_same(name: str) -> None:
    changes, places = WRONG[name]
    given = [order(1), order(2)]
    for path, value in changes:
        at: Any = given[1]
        for step in path[:-1]:
            at = at[step]
        at[path[-1]] = value
    for program in (BEFORE, AFTER):
        run = ended(program, given=json.dumps(given).encode())
        assert (run.returncode, run.stdout) == (1, b"")
        assert sorted(map(place, run.stderr.decode().splitlines())) == sorted(f"1.{each}".strip(".") for each in places)


def place(told: str) -> str:
    """Where an error is, in one notation for both."""
    found = told.partition(": ")[0]
    if found.startswith("$"):
        found = ".".join(re.findall(r"\w+", found))
    # Pydantic says which variant it was and which field is unknown; Demat where the tag stands, and names that field.
    return re.sub(r"\.(card|invoice|kind|gift)(?=\.|$)", "", found)


def test_the_programs_stand_side_by_side() -> None:
    before, after = ((EXAMPLES / program).read_text() for program in (BEFORE, AFTER))
    functions = [re.search(r"^def receipt.*?^def main", text, re.MULTILINE | re.DOTALL) for text in (before, after)]
    assert functions[0] is not None
    assert functions[1] is not None
    assert functions[0][0] == functions[1][0]
    assert [len(text.splitlines()) for text in (before, after)][1] <= len(before.splitlines()) + 5
