"""Places of schemes on the command line: files stand in for them while the command runs in a process of its own."""

from __future__ import annotations

import contextlib
import os
import re
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
        *("--to", "--to-delimiter", "--to-encoding", "--to-null", "--to-option", "--where", "--workers", "-n", "-o"),
    )
)
# Those whose value is a target.
_TARGETS = ("--also", "--output", "-o")
# Those whose value is text that may look like a place.
_TEXTS = ("--at", "--fields", "--from-option", "--key", "--null", "--rename", "--to-null", "--to-option", "--where")
# Options with which the command only says something.
_TELLING = ("--help", "--version", "-h", "-V")
# The longest name of a file that stands in for a value, in bytes, without its suffix.
_LONGEST = 100
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


class _Given(NamedTuple):
    """An argument, or a part of it, as the command understands it."""

    number: int
    option: str
    """The option, or nothing for a positional argument."""
    before: str
    """What stands before the text in the argument: `--also=`, `-qo`."""
    text: str | None
    """The value of the option, or the positional argument; None if there is none."""


def given(arguments: list[str]) -> Iterator[_Given]:
    """The options, each with its value, and the positional arguments. Of `-qo X`, `-oX` and `-o=X` the value is X."""
    only_places, option = False, ""
    for number, argument in enumerate(arguments):
        if option:
            yield _Given(number, option, "", argument)
            option = ""
        elif argument == "--" and not only_places:
            only_places = True
        elif only_places or argument == "-" or not argument.startswith("-"):
            yield _Given(number, "", "", argument)
        elif argument.startswith("--"):
            name, equals, value = argument.partition("=")
            if equals:
                yield _Given(number, name, f"{name}=", value)
            elif name in VALUED:
                option = name
            else:
                yield _Given(number, name, "", None)
        else:
            for at, letter in enumerate(argument[1:], 2):
                name, rest = f"-{letter}", argument[at:]
                if name in VALUED and rest:
                    value = rest.removeprefix("=")
                    yield _Given(number, name, argument[: len(argument) - len(value)], value)
                    break
                if name in VALUED:
                    option = name
                else:
                    yield _Given(number, name, "", None)


def found(all: list[_Given]) -> list[_Argument]:
    """The places of schemes among the arguments, which begin with the subcommand or global options."""
    positional = [one for one in all if not one.option]
    # The first is the subcommand. Of a copy, the last is the target, unless there is one as an option.
    is_copy = _subcommand(all) == "copy"
    has_output = any(one.option in ("-o", "--output") for one in all)
    target = positional[-1] if is_copy and not has_output and len(positional) > 2 else None
    places: list[_Argument] = []
    for one in all:
        if one.text is None or one.option in _TEXTS or not _is_of_scheme(one.text):
            continue
        role = one.option or "source"
        is_target = one is target or role in _TARGETS
        places.append(_Argument(one.number, one.text, one.before, "target" if is_target else role))
    return places


def _is_of_scheme(text: str) -> bool:
    if not may_be_of_scheme(text):
        return False
    if _stored.Stored.of(text) is None:
        return False
    try:
        text.encode()
    except UnicodeEncodeError:
        raise _UsageError(f"a place of a scheme is UTF-8: {text!r}") from None
    return True


def _subcommand(all: list[_Given]) -> str:
    return next((one.text or "" for one in all if not one.option), "")


def run(arguments: list[str]) -> int | None:
    """Runs the command with files in place of the places of schemes; returns the exit code. None if there is no such
    place."""
    try:
        all = list(given(arguments))
        places = found(all)
        return _run(arguments, all, places) if places else None
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


def _run(arguments: list[str], all: list[_Given], places: list[_Argument]) -> int:
    subcommand = _subcommand(all)
    for one in places:
        if subcommand not in READING:
            raise _UsageError(f"`demat {subcommand}` takes no place of a scheme: {one.place}")
        if one.role not in ("source", "target"):
            raise _UsageError(f"{one.role} takes no place of a scheme: {one.place}")
    if any(one.option == "--add-path" for one in all):
        raise _UsageError("--add-path names files, and a place of a scheme is none")
    with _Signals() as signals:
        try:
            with tempfile.TemporaryDirectory(prefix="demat-") as folder:
                return _in_folder(arguments, all, places, folder, signals)
        except _Ended as ended:
            number = ended.number
    # This process ends by the signal that ended the command, so that the shell sees how it ended.
    with contextlib.suppress(OSError):
        # One that can't be caught has its effect already.
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    return 128 + number


def _in_folder(arguments: list[str], all: list[_Given], places: list[_Argument], folder: str, signals: _Signals) -> int:
    arguments = list(arguments)
    written: list[tuple[_stored.Put, str]] = []
    for one in places:
        stored: Any = _stored.Stored.of(one.place)
        is_source = one.role == "source"
        format = _format_of(all, "--from" if is_source else "--to")
        _refuse_layout(all, format or _stored.KEPT, is_source)
        own = os.path.join(folder, str(one.number))
        os.mkdir(own)
        name = os.path.join(own, _file_name(stored.at))
        if is_source:
            data, format = stored.read(format)
            path = f"{name}.{format}"
            with open(path, "wb") as file:
                file.write(data)
        else:
            put = stored.put(format, None)
            path = f"{name}.{put.format}"
            written.append((put, path))
        arguments[one.number] = one.before + path
    code = signals.wait([sys.executable, "-P", "-m", "demat", *arguments])
    for put, path in written:
        # A file appears once it is whole: also where records were left out, which the exit code says; not for `--help`.
        if os.path.exists(path):
            with open(path, "rb") as file:
                put.write(file.read())
            put.finish()
        elif not code and not any(one.option in _TELLING for one in all):
            raise _errors.StoreError(f"{put.name}: the command has written nothing")
    return code


def _file_name(reference: str) -> str:
    """The name of a file for a value, from the reference's last name. It means a file and no part of a database."""
    name = re.sub(r"[#?\0]", "_", reference.rpartition("/")[2])
    # A name in a reference may be longer than one of a file.
    return name.encode()[:_LONGEST].decode(errors="ignore") or "value"


def _format_of(all: list[_Given], name: str) -> str | None:
    """The format that an option names."""
    said = [one.text for one in all if one.option == name and one.text is not None]
    try:
        return _native.format_name("-", said[-1]) if said else None
    except ValueError as error:
        raise _UsageError(str(error)) from None


def _refuse_layout(all: list[_Given], format: str, is_source: bool) -> None:
    """Raises `_UsageError` for options of another layout of the format than the store has."""
    layout = _stored.layout_of(format)
    own, encoding = ("--from-option", "--encoding") if is_source else ("--to-option", "--to-encoding")
    for one in all:
        name = one.option
        if name == own:
            option = (one.text or "").partition("=")[0]
        else:
            option = name.removeprefix("--").removeprefix("to-").removeprefix("no-").replace("-", "_")
        if name == encoding or (name and option in layout):
            raise _UsageError(f"a value of a store is {format} as it is by default: leave out {name}")


class _Signals:
    """Passes the signals that end a command on to its process, and raises `_Ended` without one."""

    _ENDING = ("SIGINT", "SIGTERM", "SIGHUP")

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._starts = False
        # One that came while the process was started.
        self._pending: int | None = None
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
            if not self._starts:
                raise _Ended(number)
            self._pending = number
            return
        # One from the terminal has reached it already, and does no harm again.
        self._process.send_signal(number)

    def wait(self, command: list[str]) -> int:
        """Runs a command; returns its exit code, or raises `_Ended` for the signal that has ended it."""
        self._starts = True
        self._process = process = subprocess.Popen(command)
        self._starts = False
        if self._pending is not None:
            process.send_signal(self._pending)
        code = process.wait()
        self._process = None
        if code < 0:
            raise _Ended(-code)
        return code
