"""`bytes` of pydantic's models, which its JSON has as text: UTF-8, unless the configuration says otherwise.

Demat writes such a field as the same text in every format. With `ser_json_bytes="base64"` and `val_json_bytes="base64"`
the field holds bytes as anywhere in Demat: base64 in text formats, and the bytes themselves in the others.
"""

from __future__ import annotations

import binascii
from typing import Any

from .nodes import Node, children, replaced_children

_TEXT: Node = ("str",)
_BYTES: Node = ("bytes",)
_READ: dict[str, tuple[Node, Any]] = {
    "utf8": (_TEXT, str.encode),
    "hex": (_TEXT, binascii.unhexlify),
    "base64": (_BYTES, None),
}
_WRITTEN: dict[str, tuple[Node, Any]] = {
    "utf8": (_TEXT, bytes.decode),
    "hex": (_TEXT, bytes.hex),
    "base64": (_BYTES, None),
}


def as_configured(node: Node, config: Any) -> Node:
    """The node with all `bytes` in it as the model's configuration says. Hooks of the user's stay as they are."""
    read, decode = _READ[config.get("val_json_bytes", "utf8")]
    written, encode = _WRITTEN[config.get("ser_json_bytes", "utf8")]
    if decode is None and encode is None:
        return node
    return _replaced(node, ("hook", read, bytes, decode, encode, written))


def _replaced(node: Node, hook: Node) -> Node:
    if node == _BYTES:
        return hook
    if node[0] == "hook" or not children(node):
        return node
    return replaced_children(node, lambda child: _replaced(child, hook))
