"""All kinds: each module registers its own."""

from zoo.kind import KINDS, Kind
from zoo.kinds import messages, moments, numbers, shapes, tables, texts

__all__ = ["KINDS", "Kind", "messages", "moments", "numbers", "shapes", "tables", "texts"]
