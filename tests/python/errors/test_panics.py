"""Panics become exceptions of the `demat.Error` family, and print nothing."""

import os
import subprocess
import sys

import demat
import hostile
import pyarrow
import pytest
from pyarrow import parquet


def test_what_pyo3_raises_for_a_panic_is_an_error_of_the_family():
    demat.json.decode("1")  # loads the native module; others may define a `PanicException`, too
    classes = [one for one in BaseException.__subclasses__() if one.__name__ == "PanicException"]
    (made,) = (one for one in (panic("no such thing") for panic in classes) if isinstance(one, demat.Error))
    assert type(made) is demat.InternalError
    assert made.reason.startswith("this is a fault of Demat; please report it: no such thing")


# The Parquet library panics for a column of unions, among others.
UNION = """
    import pyarrow, demat, sys, io
    members = [pyarrow.array([1, 2]), pyarrow.array(["a", "b"])]
    union = pyarrow.UnionArray.from_sparse(pyarrow.array([0, 1], pyarrow.int8()), members)
    table = pyarrow.table({"id": [1, 2], "list": pyarrow.ListArray.from_arrays([0, 1, 2], union)})
    file = io.BytesIO()
    with pyarrow.ipc.new_stream(file, table.schema) as writer:
        writer.write_table(table)
    try:
        demat.copy(file.getvalue(), "/dev/null", from_="arrow", to="parquet")
    except demat.EncodeError as error:
        print(error.path, error.reason)
"""


def test_a_union_has_no_form_in_parquet_and_nothing_is_printed_of_it():
    said = hostile.run(UNION, megabytes=None, RUST_BACKTRACE="full")
    assert said.startswith("$.list.item Parquet has no form for a union"), said


@pytest.mark.parametrize("damage", ["union", "cut off", "mutated"])
def test_the_command_says_one_line_and_ends_with_a_code_of_its_help(damage, tmp_path):
    union = pyarrow.UnionArray.from_sparse(
        pyarrow.array([0, 1], pyarrow.int8()), [pyarrow.array([1, 2]), pyarrow.array(["a", "b"])]
    )
    source = tmp_path / ("in.arrow" if damage == "union" else "in.parquet")
    if damage == "union":
        table = pyarrow.table({"u": union})
        with pyarrow.OSFile(str(source), "wb") as file, pyarrow.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)
    else:
        parquet.write_table(pyarrow.table({"a": list(range(1000)), "b": ["x"] * 1000}), source)
        data = bytearray(source.read_bytes())
        data = data[: len(data) // 2] if damage == "cut off" else data
        for at in range(4, len(data) - 8, 3):
            data[at] ^= 0x5A
        source.write_bytes(data)
    run = [sys.executable, "-m", "demat", "copy", "-q", source, tmp_path / "out.parquet"]
    done = subprocess.run(
        run, capture_output=True, text=True, check=False, env={**os.environ, "RUST_BACKTRACE": "1"}, timeout=60
    )
    assert done.returncode == 1, done.stderr
    assert done.stderr.startswith("error: ")
    assert done.stderr.count("\n") == 1, done.stderr
    assert not (tmp_path / "out.parquet").exists()
