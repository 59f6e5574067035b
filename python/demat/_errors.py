"""The exception family: whatever goes wrong with data is a `demat.Error`."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable


class Error(ValueError):
    """Something is wrong with data, a place, or a limit that was set. The base class of all others here.

    `str()` of it is the message, which says all that the attributes say. Each attribute is None where it is not known:

    - `path`: where in the value, as JSONPath writes it: `$.tasks[3].id`
    - `offset`: where in the input, in bytes from its start, from 0
    - `line`, `column`: the same for text, in lines and characters, from 1
    - `record`: the number of the record, from 1, where the input is a series of them
    - `expected`, `found`: what should have stood there and what did, as short texts
    - `value`: the value that stood there, if it is no list or record, as the message shows it: at most 60 characters
    - `reason`: the message without the place; never None
    - `errors`: all errors, in the order of the input, where more than one was asked for; else this one alone

    >>> error = DecodeError("expected `int`, found `str` at `$.id`", path="$.id", expected="int", found="str")
    >>> error.path, error.offset, str(error)
    ('$.id', None, 'expected `int`, found `str` at `$.id`')
    >>> error.errors == (error,)
    True
    """

    path: str | None
    offset: int | None
    line: int | None
    column: int | None
    record: int | None
    expected: str | None
    found: str | None
    value: str | None
    reason: str

    def __init__(
        self,
        message: str,
        *,
        path: str | None = None,
        offset: int | None = None,
        line: int | None = None,
        column: int | None = None,
        record: int | None = None,
        expected: str | None = None,
        found: str | None = None,
        value: str | None = None,
        reason: str | None = None,
        errors: Iterable[Error] | None = None,
    ) -> None:
        # `args` is the message alone and the rest stands in `__dict__`: that is what the exceptions' own `__reduce__`
        # carries over, so copies and pickles are whole.
        super().__init__(message)
        self.path = path
        self.offset = offset
        self.line = line
        self.column = column
        self.record = record
        self.expected = expected
        self.found = found
        self.value = value
        self.reason = message if reason is None else reason
        self._errors = None if errors is None else tuple(errors)

    @property
    def errors(self) -> tuple[Error, ...]:
        """All errors where more than one was asked for, this one alone otherwise."""
        # Not stored, as an exception that holds itself is garbage that only the collector can free.
        return (self,) if self._errors is None else self._errors


class DecodeError(Error):
    """The input is not what its format, or the type that was asked for, says it should be.

    >>> from demat import json
    >>> try:
    ...     json.decode('{"id": 1,}')
    ... except DecodeError as error:
    ...     print(error)
    expected a key in quotes, found `}` (line 1, column 10)
    """


class ValidationError(DecodeError):
    """The input is well-formed, and still not a value of the type: a wrong kind, a bound exceeded, a field missing.

    >>> from demat import json
    >>> try:
    ...     json.decode('{"a": [1, "2"]}', dict[str, list[int]])
    ... except ValidationError as error:
    ...     print(error)
    expected `int`, found `str` "2" at `$.a[1]` (line 1, column 11)
    """


class MissingError(ValidationError, KeyError, IndexError):
    """A `LazyValue` has no value under this key or index. It is a KeyError and an IndexError, too.

    >>> from demat import json
    >>> try:
    ...     json.lazy('{"a": [1]}')["b"]
    ... except KeyError as error:
    ...     print(error)
    expected the key `b`, found a dict without it (line 1, column 1)
    """

    def __str__(self) -> str:
        # A KeyError would show the message as a literal.
        return str(self.args[0])


class EncodeError(Error):
    """The value can't be written: it is of no type that is known, or none that the format has.

    >>> from demat import json
    >>> try:
    ...     json.encode({"ratio": float("inf")})
    ... except EncodeError as error:
    ...     print(error.path)
    $.ratio
    """


class LimitError(Error):
    """A limit was reached: depth, size, or a count.

    >>> from demat import json
    >>> try:
    ...     json.decode("[[1]]", depth=1)
    ... except LimitError as error:
    ...     print(error.reason)
    the depth of nesting exceeds the limit of 1
    """


class StoreError(Error):
    """A store refused, or failed: a table that is not there, a file that can't be written.

    Where SQLite has refused, `sqlite_code` and `sqlite_name` are its code and the name of that: 2067 and
    `"SQLITE_CONSTRAINT_UNIQUE"`; else they are None. Where a PostgreSQL server refused, `sqlstate` is its code, such
    as `"23505"`, and `constraint` the constraint that was violated, if it was one. Where the system has refused, it is
    the OSError, too, with its `errno`, `strerror` and `filename`.

    >>> from demat import json
    >>> try:
    ...     json.write("/no/such/folder/tasks.json", [])
    ... except FileNotFoundError as error:
    ...     print(isinstance(error, StoreError), error.filename)
    True /no/such/folder/tasks.json
    """

    sqlite_code: int | None = None
    sqlite_name: str | None = None
    sqlstate: str | None = None
    constraint: str | None = None
    # The fault code that the native module uses (see `FAULTS` there).
    _fault: str | None = None


class NotFound(StoreError):  # noqa: N818 - what it is called in HTTP
    """No row has the key, or nothing exists at the reference.

    Raise it in a function that `demat.serve` calls to answer `404 Not Found` with the message.

    >>> import demat
    >>> try:
    ...     demat.store.memory({}).get("/nothing")
    ... except demat.NotFound as error:
    ...     print(error)
    `/nothing`: not found
    """

    _fault = "not_found"


class InternalError(Error):
    """A bug in Demat or in a library that it uses: please report the message.

    >>> issubclass(InternalError, Error)
    True
    """


_REFUSALS: dict[type[OSError], type[StoreError]] = {}


def refusal(code: int) -> type[StoreError]:
    """The StoreError for what the system refuses with this number: one that is the OSError of that number, too.

    >>> issubclass(refusal(2), FileNotFoundError)
    True
    """
    kind = type(OSError(code, ""))
    made = _REFUSALS.get(kind)
    if made is None:
        made = _REFUSALS[kind] = _refusal(kind)
    return made


def _refusal(kind: type[OSError]) -> type[StoreError]:
    class RefusalError(StoreError, kind):  # type: ignore[misc, valid-type]
        def __str__(self) -> str:
            # An OSError would say its number and text alone.
            return str(self.args[0])

        def __reduce__(self) -> tuple[object, ...]:
            # There is no name to find the class by, and an OSError keeps these three out of its `__dict__`.
            own = {"errno": self.errno, "strerror": self.strerror, "filename": self.filename}
            return _restored, (self.errno, *self.args), {**self.__dict__, **own}

    # Which one of them it is says what it stands on.
    RefusalError.__name__ = RefusalError.__qualname__ = "StoreError"
    RefusalError.__module__ = "demat"
    return RefusalError


def _restored(code: int, message: str) -> StoreError:
    """A refusal that was pickled, before it gets its attributes back."""
    return refusal(code)(message)


# Where people find them, and what tracebacks say.
for _one in (Error, DecodeError, ValidationError, MissingError, EncodeError, LimitError, StoreError, InternalError):
    _one.__module__ = "demat"
