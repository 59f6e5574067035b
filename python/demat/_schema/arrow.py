"""What speaks Arrow's PyCapsule interface, as far as it is asked for a schema."""

from __future__ import annotations

from typing import Any, Protocol, TypeAlias


class _Schema(Protocol):
    def __arrow_c_schema__(self) -> object: ...


class _Stream(Protocol):
    def __arrow_c_stream__(self, requested_schema: Any = None) -> object: ...


class _Array(Protocol):
    def __arrow_c_array__(self, requested_schema: Any = None) -> object: ...


Arrow: TypeAlias = _Schema | _Stream | _Array


def is_arrow(object: Any) -> bool:
    """Whether it has a schema of Arrow's to hand out."""
    return any(hasattr(object, f"__arrow_c_{what}__") for what in ("schema", "stream", "array"))
