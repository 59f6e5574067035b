"""Types as schemas, and schemas as types: `demat.schema`, `demat.define`, `demat.source`."""

from __future__ import annotations

from .define import define
from .schema import schema
from .source import source

__all__ = ["define", "schema", "source"]
