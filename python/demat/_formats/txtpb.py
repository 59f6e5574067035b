"""The text format of Protocol Buffers: one message, by the names of its fields."""

from __future__ import annotations

from .format import Format
from .option import DEPTH, ON_ERROR, READING, STREAMING, WRITING, Option

INDENT = Option("indent", "int", "2", "the spaces of each level; 0: all on one line")

MESSAGES = Option(
    "messages",
    "TypeForm[Any] | str | None",
    "None",
    "the classes that a `google.protobuf.Any` is expanded to: a class, or a union of classes; None: it has its bytes",
)

FORMAT = Format(
    name="txtpb",
    title="Protocol Buffers' text format",
    summary="The text format of Protocol Buffers: one message, by the names of its fields.",
    doc="Classes are messages as in `proto`: a class that one of the two can write, the other can, too. The whole is "
    "one message, which is read and written whole. Each field goes by its name, so that numbers do not matter.",
    example="""\
>>> from dataclasses import dataclass, field
>>> from demat import txtpb
>>> @dataclass
... class Server:
...     host: str
...     ports: list[int] = field(default_factory=list)
...     backup: "Server | None" = None
>>> server = txtpb.decode("host: 'local' 'host'  ports: [80, 0x1bb]  # both", Server)
>>> server
Server(host='localhost', ports=[80, 443], backup=None)
>>> print(txtpb.encode(Server("b.example", backup=server)).decode(), end="")
host: "b.example"
backup {
  host: "localhost"
  ports: 80
  ports: 443
}""",
    untyped="nothing can be decoded, as a message does not say what its fields are",
    untyped_type="Never",
    reading=(
        *(option for option in READING if option.name not in ("strict", "times")),
        DEPTH._replace(default="100", doc="how deep messages may nest"),
        MESSAGES,
    ),
    # A document is one record.
    streaming=tuple(option for option in STREAMING if option not in ON_ERROR),
    records="the document, which is one record",
    writing=(*WRITING, INDENT, MESSAGES),
    typed=True,
    single="expected a record, which is one message, found `list`",
    layout=("messages",),
)
