"""ijson, with yajl's C backend: a dict a record, as it streams."""

import ijson.backends.yajl2_c as ijson


def summed(path: str) -> int:
    """Record by record."""
    total = 0
    with open(path, "rb") as file:  # noqa: PTH123 - as in its documentation
        for record in ijson.items(file, "item", use_float=True):
            total += record["hi"]
    return total


def first(path: str) -> int:
    """The first record of a file."""
    with open(path, "rb") as file:  # noqa: PTH123
        return next(ijson.items(file, "item", use_float=True))["hi"]


ENGINES = {
    "ijson": {
        "json-read-sum": lambda job: (summed, None),
        "json-first": lambda job: (first, None),
    },
}
