"""Your own class, at native speed: what `make demo` shows of the Python package.

    demo.py RECORDS.json

Every line of code that it shows is the one that it runs.
"""

import os
import sys
import time
from dataclasses import dataclass
from inspect import getsource
from pathlib import Path

import demat


@dataclass(slots=True)
class Record:
    """A record of the demo's file."""

    hi: int
    there: int
    comment: str


STEPS = (
    "records = demat.json.decode(data, list[Record])",
    "text = demat.json.encode(records)",
    "table = demat.csv.encode(records)",
    "again = demat.csv.decode(table, list[Record])",
)

WRONG = """demat.json.decode('[{"hi": 1, "there": "two", "comment": ""}]', list[Record])"""

COLOURED = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def bold(text: str) -> str:
    """The text as it stands out on a terminal."""
    return f"\x1b[1m{text}\x1b[0m" if COLOURED else text


def step(code: str, names: dict[str, object]) -> None:
    """Runs a line that makes objects of bytes or bytes of objects, and says how many, how much and how fast."""
    begun = time.perf_counter()
    exec(code, names)
    seconds = time.perf_counter() - begun
    result, source = code.partition(" = ")[0], code.partition("(")[2].partition(",")[0].rstrip(")")
    text = names[result] if isinstance(names[result], bytes) else names[source]
    objects = names["records"]
    megabytes = len(text) / 1e6
    print(
        f"  {bold(f'{code:<49}')}{len(objects):>9,} objects {seconds * 1e3:>6,.0f} ms {megabytes / seconds:>6,.0f} MB/s"
    )


def main(path: Path) -> None:
    """Shows it with the records of a JSON file."""
    print("\nAnd in Python, where they are objects of your own class:\n")
    definition = "".join(line for line in getsource(Record).splitlines(keepends=True) if '"""' not in line)
    print("".join(f"  {bold(line)}\n" for line in definition.splitlines() if line))
    names: dict[str, object] = {"demat": demat, "Record": Record, "data": path.read_bytes()}
    for code in STEPS:
        step(code, names)
    assert names["again"] == names["records"]
    assert names["text"] == names["data"].rstrip()
    print(f"  records[-1] is {names['records'][-1]!r}; what came back of JSON and CSV is the same.")

    print("\nWhat is not of the class is told with its place:\n")
    print(f"  {bold(WRONG)}")
    try:
        exec(WRONG, names)
    except demat.ValidationError as error:
        print(f"  demat.ValidationError: {error}")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
