"""Writing what comes from an asynchronous iterable."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import AsyncIterable

    from ._native import Writer
    from ._staged_writer import StagedWriter


async def written(writer: Writer | StagedWriter, values: AsyncIterable[Any]) -> int:
    """Tells the writer all values as they come; gives how many there were."""
    try:
        async for value in values:
            writer.write(value)
    except BaseException:
        # A task that was cancelled leaves no file either.
        writer.abort()
        raise
    return writer.close()
