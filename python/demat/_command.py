"""The `demat` command, as the console script of the package starts it: all that the binary does, in this process."""

import os
import signal
import sys
from importlib import import_module
from typing import Any

from demat import _native


def main() -> int:
    """Runs the command with the arguments of this process, and gives the code to exit with.

    The process is the command's from here on: it ends by the signals that the binary ends by (see `demat --help`),
    also while it works, and does not come back to Python for them. With places of schemes (`todo:/tasks`) the command
    runs in another process, and files stand in for them.

    >>> import subprocess, sys
    >>> run = [sys.executable, "-m", "demat", "formats", "--to", "csv"]
    >>> subprocess.run(run, capture_output=True).stdout.splitlines()[0]
    b'name,suffixes,media_type,description'
    """
    if any(may_be_of_scheme(argument) for argument in sys.argv[1:]):
        from demat import _command_places

        code = _command_places.run(sys.argv[1:])
        if code is not None:
            return code
    # By default, Python raises KeyboardInterrupt on Ctrl-C when the interpreter runs next, which would be after all the
    # work. A signal that the parent process ignores stays ignored.
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    _fill_standard_streams()
    return _native.command(sys.argv)


def may_be_of_scheme(argument: str) -> bool:
    """Whether an argument may be a place of a scheme, such as `todo:/tasks`; most commands load no more to know."""
    text = argument.partition("=")[2] if argument.startswith("-") else argument
    _, colon, path = text.partition(":")
    return bool(colon) and path.startswith("/") and not path.startswith("//")


def class_of(name: str) -> Any:
    """The class, or any other type, that `module:Class` names; modules are also looked for in the current folder.

    >>> class_of("fractions:Fraction")
    <class 'fractions.Fraction'>
    """
    module, colon, path = name.partition(":")
    if not (module and colon and path):
        raise ValueError(f"expected module:Class, found {name!r}")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    found: Any = import_module(module)
    for part in path.split("."):
        found = getattr(found, part)
    return found


def _fill_standard_streams() -> None:
    """Opens the null device where a standard stream is closed, as Rust's own programs do.

    Otherwise the first file that is opened would take its number, and messages could be written into data.
    """
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            # The lowest number that is free, and so this one.
            os.open(os.devnull, os.O_RDWR)
