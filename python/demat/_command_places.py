"""Places of schemes on the command line: files stand in for them while the command runs in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _errors, _native, _stored
from ._command import may_be_of_scheme

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

# Options that take another argument as their value, of all subcommands that take places.
VALUED = frozenset(
    (
        *("--also", "--at", "--class", "--color", "--delimiter", "--depth", "--encoding", "--fields", "--from"),
        *("--from-option", "--indent", "--key", "--limit", "--mapping", "--null", "--on-error", "--output"),
        *("--progress", "--quote", "--records", "--rejects", "--rename", "--repeated-keys", "--sample", "--shape"),
        *("--to", "--to-delimiter", "--to-encoding", "--to-null", "--to-option", "--where", "-n", "-o"),
    )
)
# Those whose value is a target.
_TARGETS = ("--also", "--output", "-o")
# Subcommands that read places of schemes. Only a copy writes to them.
READING = ("copy", "head", "schema", "check", "diff", "info")


class _Argument(NamedTuple):
    """An argument that is a place of a scheme."""

    number: int
    place: str
    # What stands before it in the argument: `--also=`.
    before: str
    role: str
    """`source`, `target`, or the option whose value it is."""


class _UsageError(Exception):
    """The command line is not valid. What a store raises by itself comes with its traceback."""


class _Ended(BaseException):
    """A signal that ends the process."""

    def __init__(self, number: int) -> None:
        self.number = number


def found(arguments: list[str]) -> list[_Argument]:
    """The places of schemes among the arguments, which begin with the subcommand or global options."""
    places: list[_Argument] = []
    positional: list[_Argument] = []
    others = 0
    only_places, option = False, ""
    for number, argument in enumerate(arguments):
        name, equals, value = argument.partition("=")
        if option:
            _add(places, number, argument, "", option)
            option = ""
        elif argument == "--" and not only_places:
            only_places = True
        elif argument.startswith("-") and argument != "-" and not only_places:
            if equals:
                _add(places, number, value, f"{name}=", name)
            elif name in VALUED:
                option = name
        else:
            others += 1
            _add(positional, number, argument, "", str(others))
    # The first is the subcommand. Of a copy, the last is the target, unless there is one as an option.
    is_copy = _first(arguments) == "copy"
    has_output = any(name in ("-o", "--output") for name in _options(arguments))
    for one in positional:
        is_target = is_copy and not has_output and int(one.role) == others and others > 2
        places.append(one._replace(role="target" if is_target else "source"))
    return sorted(places)


def _options(arguments: list[str]) -> Iterator[str]:
    return (argument.partition("=")[0] for argument in arguments)


def _first(arguments: list[str]) -> str:
    """The subcommand."""
    before = ""
    for argument in arguments:
        if not argument.startswith("-") and before not in VALUED:
            return argument
        before = argument
    return ""


def _add(places: list[_Argument], number: int, text: str, before: str, role: str) -> None:
    if may_be_of_scheme(text) and _stored.Stored.of(text) is not None:
        places.append(_Argument(number, text, before, "target" if role in _TARGETS else role))


def run(arguments: list[str]) -> int | None:
    """Runs the command with files in place of the places of schemes; returns the exit code. None if there is no such
    place."""
    try:
        places = found(arguments)
        return _run(arguments, places) if places else None
    except _errors.LimitError as error:
        return _failed(error, 4)
    except (OSError, _errors.StoreError) as error:
        return _failed(error, 3)
    except (_errors.DecodeError, _errors.EncodeError) as error:
        return _failed(error, 1)
    except _UsageError as error:
        return _failed(error, 2)


def _failed(error: Exception, code: int) -> int:
    sys.stderr.write(f"error: {error}\n")
    return code


def _run(arguments: list[str], places: list[_Argument]) -> int:
    subcommand = _first(arguments)
    for one in places:
        if subcommand not in READING:
            raise _UsageError(f"`demat {subcommand}` takes no place of a scheme: {one.place}")
        if one.role not in ("source", "target"):
            raise _UsageError(f"{one.role} takes no place of a scheme: {one.place}")
    if any(name == "--add-path" for name in _options(arguments)):
        raise _UsageError("--add-path names files, and a place of a scheme is none")
    with _Signals() as signals:
        try:
            with tempfile.TemporaryDirectory(prefix="demat-") as folder:
                return _in_folder(arguments, places, folder, signals)
        except _Ended as ended:
            number = ended.number
    # By the same signal, so that whoever has started the command sees it.
    signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


def _in_folder(arguments: list[str], places: list[_Argument], folder: str, signals: _Signals) -> int:
    arguments = list(arguments)
    written: list[tuple[_stored.Put, str]] = []
    for one in places:
        stored: Any = _stored.Stored.of(one.place)
        format = _format_of(arguments, "--from" if one.role == "source" else "--to")
        own = os.path.join(folder, str(one.number))
        os.mkdir(own)
        name = os.path.join(own, stored.at.rpartition("/")[2] or "value")
        if one.role == "source":
            data, format = stored.read(format)
            path = f"{name}.{format}"
            with open(path, "wb") as file:
                file.write(data)
        else:
            put = stored.put(format, None)
            path = f"{name}.{put.format}"
            written.append((put, path))
        arguments[one.number] = one.before + path
    code = signals.wait(subprocess.Popen([sys.executable, "-P", "-m", "demat", *arguments]))
    if code == 0:
        for put, path in written:
            with open(path, "rb") as file:
                put.write(file.read())
            put.finish()
    return code


def _format_of(arguments: list[str], name: str) -> str | None:
    """The format that an option names."""
    said = None
    for own, value in zip(arguments, [*arguments[1:], ""], strict=True):
        if own == name:
            said = value
        elif own.startswith(f"{name}="):
            said = own.partition("=")[2]
    try:
        return None if said is None else _native.format_name("-", said)
    except ValueError as error:
        raise _UsageError(str(error)) from None


class _Signals:
    """Passes the signals that end a command on to its process, and raises `_Ended` without one."""

    _ENDING = ("SIGINT", "SIGTERM", "SIGHUP")

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._before: dict[int, Any] = {}

    def __enter__(self) -> Self:
        for name in self._ENDING:
            number = getattr(signal, name, None)
            # A signal that the parent process ignores stays ignored.
            if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
                self._before[number] = signal.signal(number, self._end)
        return self

    def __exit__(self, *_: object) -> None:
        for number, before in self._before.items():
            signal.signal(number, before)

    def _end(self, number: int, _: object) -> None:
        if self._process is None:
            raise _Ended(number)
        # One from the terminal has reached it already, and does no harm again.
        self._process.send_signal(number)

    def wait(self, process: subprocess.Popen[bytes]) -> int:
        """Waits for the process; returns its exit code, or raises `_Ended` for the signal that has ended it."""
        self._process = process
        code = process.wait()
        self._process = None
        if code < 0:
            raise _Ended(-code)
        return code
