"""Changes of a place, as they are made: `Table.changes` and `Store.watch`."""

from __future__ import annotations

from .change import Change
from .changes import Changes

__all__ = ["Change", "Changes"]
