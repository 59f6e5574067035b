"""Network addresses: entries like those of `demat.hook`, which are there from the start."""

from __future__ import annotations

import sys
from typing import Any

from .._hook import Hook
from .nodes import Node, bare


def hook(tp: Any) -> Hook | None:
    """The entry of a class; None for any other."""
    # Whoever has no such class has not imported their modules, and should not have to.
    if getattr(tp, "__module__", None) not in ("ipaddress", "demat.net") or not isinstance(tp, type):
        return None
    from ..net import ENTRIES

    return ENTRIES.get(tp)


def word(said: str, node: Node) -> str:
    """A word about the wire, as the native side has it: an address's text has its own for `fixed32`, `bytes`."""
    net = sys.modules.get("demat.net")
    if net is None:
        return said  # so there is no entry of its in the node
    node = bare(node)
    is_key = said.startswith("key ")
    while node[0] in ("list", "dict", "tuple"):
        inner = node[1][0] if node[0] == "tuple" and node[1] else node[2 if node[0] == "list" or is_key else 3]
        node = bare(inner)
    if node[0] != "hook" or node[3] is None:
        return said
    wire = said.removeprefix("key ")
    try:
        own = net.WIRES.get(node[3], {}).get(wire, wire)
    except TypeError:  # the user's function, which has no hash
        return said
    return f"key {own}" if is_key else own
