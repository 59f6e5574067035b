"""The native module. This is what formats have in common; what their verbs take stands in `json.pyi` and its like."""

from collections.abc import AsyncIterable, Coroutine, Iterable
from os import PathLike
from typing import Any, Generic, TypeAlias, TypeVar, final, overload

from _typeshed import SupportsWrite
from typing_extensions import Buffer, TypeForm, disjoint_base

_T = TypeVar("_T")
_T_co = TypeVar("_T_co", covariant=True)

__all__ = [
    "Decoder",
    "Encoder",
    "Format",
    "Plan",
    "Plans",
    "Raw",
    "Writer",
    "_rebuild",
    "command",
    "copy",
    "csv",
    "forget_plans",
    "infer_shape",
    "json",
    "ndjson",
    "parse_shape",
    "shape_text",
]

# A description, as docs/PYTHON.md has it: the root's node, and the records.
_Description: TypeAlias = tuple[tuple[Any, ...], list[dict[str, Any]]]

@final
class Format:
    @overload
    def decode(self, data: str | Buffer, /, **options: Any) -> Any: ...
    @overload
    def decode(self, data: str | Buffer, /, type: TypeForm[_T], **options: Any) -> _T: ...
    def encode(self, value: object, /, **options: Any) -> bytes: ...
    def encode_into(self, value: object, buffer: bytearray, offset: int = 0, /, **options: Any) -> None: ...
    @overload
    def write(
        self,
        place: str | PathLike[str] | SupportsWrite[bytes],
        values: Iterable[Any],
        /,
        type: TypeForm[Any] | None = None,
        **options: Any,
    ) -> int: ...
    @overload
    def write(
        self,
        place: str | PathLike[str] | SupportsWrite[bytes],
        values: AsyncIterable[Any],
        /,
        type: TypeForm[Any] | None = None,
        **options: Any,
    ) -> Coroutine[Any, Any, int]: ...
    @property
    def name(self) -> str: ...

# Each format has a subclass of its own, which is what makes these: `demat.json.Decoder`.
@disjoint_base
class Decoder(Generic[_T_co]):
    def decode(self, data: str | Buffer, /) -> _T_co: ...
    @property
    def type(self) -> TypeForm[_T_co]: ...

@disjoint_base
class Encoder:
    def encode(self, value: object, /) -> bytes: ...
    def encode_into(self, value: object, buffer: bytearray, offset: int = 0, /) -> None: ...

@final
class Writer:
    def tell(self, value: object, /) -> None: ...
    def finish(self) -> int: ...
    def abort(self) -> None: ...

json: Format
ndjson: Format
csv: Format

@final
class Raw:
    """A value kept as its bytes stand in a document, undecoded.

    As a field's type it defers decoding. It is written back as it was into the same format, and into another format as
    that has the value.

    >>> from demat import Raw, json
    >>> envelope = json.decode(b'{"kind": "task", "body": {"id": 1}}', dict[str, Raw])
    >>> envelope["body"]
    Raw(b'{"id": 1}')
    >>> envelope["body"].decode(dict[str, int])
    {'id': 1}
    """

    def __new__(cls, data: str | Buffer, format: str = "json") -> Raw: ...
    @overload
    def decode(self) -> Any: ...
    @overload
    def decode(self, type: TypeForm[_T]) -> _T: ...
    @property
    def format(self) -> str: ...
    def __bytes__(self) -> bytes: ...
    def __len__(self) -> int: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...

# Classes compiled, and where they are kept; nothing to be used from Python.
@final
class Plan: ...

@final
class Plans: ...

def forget_plans() -> None: ...
def shape_text(root: tuple[Any, ...], records: list[dict[str, Any]]) -> str: ...
def parse_shape(text: str) -> _Description: ...
def infer_shape(
    place: str | bytes | PathLike[str], format: str | None = None, limit: int | None = 1000
) -> _Description: ...
def command(arguments: list[str], /) -> int: ...
def _rebuild(class_: type[_T], type: Any, options: dict[str, Any]) -> _T: ...
def copy(
    src: str | PathLike[str] | Buffer, dst: str | PathLike[str] | SupportsWrite[bytes], settings: dict[str, Any]
) -> tuple[int, int, bool, int]: ...
