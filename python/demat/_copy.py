"""`copy`: from any place to any other, with no object in between."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any, NamedTuple

from . import _native, _stored
from ._async_writer import refusing_awaitables
from ._objects import copied, objects_of
from ._own_places import SinkTarget, is_sink, source_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Literal, TypeAlias

    from typing_extensions import TypeForm

    from ._errors import Error
    from ._formats import CopiedName
    from ._places import Objects, Place, Target
    from ._schema.arrow import Arrow

    Packing: TypeAlias = Literal["auto", "gzip", "zstd"] | None


_DEFAULTS: dict[str, Any] = {
    "type": None,
    "from_": None,
    "to": None,
    "fields": None,
    "where": None,
    "rename": None,
    "at": None,
    "lax": False,
    "encoding": None,
    "to_encoding": None,
    "infer": False,
    "flatten": False,
    "sample": 1000,
    "first": None,
    "on_error": "stop",
    "rejects": None,
    "progress": None,
    "compression": "auto",
    "read": None,
    "write": None,
    "mapping": "plain",
    "ignore_unknown": False,
    "strict": False,
    "others": [],
    # Of a part of a table: the number of cells of the rows in front of what is read, and whether there are any in
    # front of what is written.
    "behind": None,
}


class Copied(NamedTuple):
    """What a copy came to.

    >>> Copied(records=3, rejected=0, read=120)
    Copied(records=3, rejected=0, read=120)
    """

    records: int
    """Records that were written; 1 for a document that is no list."""
    rejected: int
    """Records that were left out."""
    read: int
    """Bytes that were read, packed ones where the source is packed."""


def copy(
    src: Place | Arrow | Objects,
    dst: Target | list[Target] | tuple[Target, ...],
    type: TypeForm[Any] | str | None = None,
    *,
    from_: CopiedName | None = None,
    to: CopiedName | Sequence[CopiedName | None] | None = None,
    fields: Iterable[str] | None = None,
    where: str | None = None,
    rename: Mapping[str, str] | None = None,
    at: str | None = None,
    lax: bool = False,
    encoding: str | None = None,
    to_encoding: str | None = None,
    infer: bool = False,
    flatten: bool = False,
    sample: int | None = 1000,
    first: int | None = None,
    on_error: Literal["stop", "skip", "collect", "all"] = "stop",
    rejects: str | PathLike[str] | list[tuple[Error, bytes]] | Callable[[Error, bytes], object] | None = None,
    progress: bool | Callable[[int, int | None], object] | None = None,
    compression: Packing | Sequence[Packing] = "auto",
    read: Mapping[str, Any] | None = None,
    write: Mapping[str, Any] | Sequence[Mapping[str, Any] | None] | None = None,
    mapping: Literal["plain", "canonical"] = "plain",
    ignore_unknown: bool = False,
    workers: int | None = None,
) -> Copied:
    """Copies records from a place to another without making objects. The longest record bounds the memory.

    `src` is a path (`-` is standard input), a table or query of a database (`app.db#tasks`, `app.db?select …`), the
    data itself in any buffer, an open file, a socket or an iterable of chunks; or an iterable of objects, which are the
    records, a `demat.Source`, a function that returns records, or columns of any library that speaks Arrow's PyCapsule
    interface. `dst` is a path (`-` is standard output), a table (`app.db#tasks`), an open file, a `StringIO`, a socket,
    a callable that gets bytes, or a `demat.Sink`, which gets the records. Both may be
    a store, of which it is the whole value, or a place of a `demat.scheme` (`todo:/tasks`): what is copied there
    replaces the value. Other threads run meanwhile. A file is replaced when all is written; an error leaves it
    unchanged. Compression (gzip, zstd) is detected from the first bytes when reading, and from the suffix when writing.

    `dst` may be a list of targets: the source is read once, and each gets the same records. A record that one of them
    refuses is refused for all. All are completed before the first appears, so that an error until then leaves nothing
    in any of them; only file objects, sockets, pipes and callables get records as they come. Values of stores are
    replaced last, one after the other, and sinks commit then. `to`, `compression` and `write` are then those of all
    targets, or lists with one for each.

    - `type`: the records' type: a class, or the text of a Shape. Values are checked against the class. Without a type,
      JSON, whole or in lines, passes unchanged, and cells of a table are text; for a table, or with `fields`, Demat
      infers the shape from the first records. Protocol Buffers require a type: a class is one message, a list of it
      length-delimited messages, which Demat also writes if the source has many records.
      `"tasks.proto:pkg.Task"` is a message of a `.proto` file or a descriptor set, `"[tasks.proto:pkg.Task]"` a list.
    - `from_`, `to`: the formats, where the suffixes don't say
    - `fields`: copy these fields only, in this order
    - `where`: copy only the records for which a condition is true, such as `"done and n > 3"` or `"by.name = 'Ada'"`:
      `demat copy --where` has the same language. It sees all fields of the source, by its names
    - `rename`: new names of fields by their names in the source, which may lead into a record (`"by.name"`)
    - `at`: the path of the records in a document: `"$.items[*]"`; of XML `"catalog/book"`
    - `lax`: convert text to numbers and bools, whole floats to ints, and numbers to times (seconds since 1970), where
      the type has these
    - `encoding`, `to_encoding`: the encodings of the texts of source and target, by their names on the web
      (`"windows-1252"`, `"shift_jis"`), if they are not UTF-8; UTF-16 can be read, and not written
    - `infer`: cells of a table are what they look like
    - `flatten`: for tables: records within records become columns `outer.inner`, lists and maps their JSON text
    - `sample`: how many records a shape is learnt from; None: all
    - `first`: the maximum number of records; the rest is not read
    - `on_error`: where a record is refused: `stop` there, `skip` it, `collect` it in `rejects`, or read `all` and raise
      an error that has them all (1,000 at most) in `errors`, with nothing written
    - `rejects`: what becomes of refused records: a path, for a file of JSON lines with the reasons; a list that gets
      the error and the bytes of each; or a callable that is called with them
    - `progress`: True for a bar on standard error; or what is called with how many bytes were read, and how many there
      are, None where nobody knows
    - `compression`: how the target is packed; `auto`: as its suffix says
    - `read`: options of the source's format: `depth`, `repeated_keys`, `nonfinite`, `delimiter`, `quote`,
      `header`, `ragged`, `null`, and others: `demat formats` lists them
    - `write`: options of the target's: `depth`, `indent`, `sort_keys`, `ascii`, `nonfinite`, `decimals`, `uuids`,
      `delimiter`, `quote`, `header`, `line_ending`, `escape_formulas`, `null`; of Arrow and Parquet `naive`,
      `decimals`, `narrow` and `dictionary`, as for `columns`; of Protocol Buffers `depth` where they are read;
      databases have none
    - `mapping`: `canonical`: JSON, whole or in lines, as the specification of Protocol Buffers maps messages to it:
      names in camelCase, 64-bit numbers as text, and Google's own types; `type` says the message. `plain`: as
      everywhere
    - `ignore_unknown`: ignore fields of canonical JSON that the message does not have, instead of raising an error
    - `workers`: how many processes read the source, with the result that one has; None: this one. `src` may then also
      be a pattern (`"logs/*.ndjson"`), a folder, or a list of `Path`s. Large files of lines and of rows are divided,
      all others go to one process each. What can't be done in parts is refused: see docs/python/workers.md

    Raises `DecodeError`, `EncodeError` and `LimitError` with the record's number, path and position; `StoreError`,
    which is the OSError, too, where a place can't be opened; ValueError and TypeError for arguments that say nothing.

    >>> import io
    >>> file = io.BytesIO()
    >>> copy(b"id,title\\n1,Clean room\\n", file, "id: int, title: text", from_="csv", to="json")
    Copied(records=1, rejected=0, read=22)
    >>> file.getvalue()
    b'[{"id":1,"title":"Clean room"}]\\n'
    """
    # Records that have other fields than the class are of none.
    is_plain = fields is None and rename is None and not flatten and not isinstance(type, str)
    targets = _targets(dst, type if is_plain else None, to, compression, write)
    if workers is not None and any(isinstance(own, (_stored.Put, SinkTarget)) for own, *_ in targets):
        raise ValueError("workers= needs files: a value of a store, or a sink, is written by one process")
    if to_encoding is not None and any(isinstance(own, (_stored.Put, SinkTarget)) for own, *_ in targets):
        raise ValueError("a value of a store, or a sink, has no encoding")
    (target, own, packing, writing), *others = targets
    src = source_of(src)
    stored = _stored.Stored.of(src)
    if stored is not None:
        if workers is not None:
            raise ValueError("workers= needs files: a value of a store is read by one process")
        if encoding is not None:
            raise ValueError("a value of a store has no encoding")
        src, from_ = stored.read(from_, read or ())
    settings = {
        "type": type,
        "from_": from_,
        "to": own,
        "fields": None if fields is None else [fields] if isinstance(fields, str) else list(fields),
        "where": where,
        "rename": None if rename is None else list(rename.items()),
        "at": at,
        "lax": lax,
        "encoding": encoding,
        "to_encoding": to_encoding,
        "infer": infer,
        "flatten": flatten,
        "sample": sample,
        "first": first,
        "on_error": on_error,
        "rejects": rejects,
        "progress": progress,
        "compression": packing,
        "read": None if read is None else dict(read),
        "write": writing,
        "mapping": mapping,
        "ignore_unknown": ignore_unknown,
        # Bytes that a writer has staged are objects of the program.
        "strict": getattr(src, "_is_of_objects", False) is True,
        "others": others,
        "behind": None,
    }
    if isinstance(rejects, (str, PathLike)):
        _stored.refuse_stored(rejects, "rejects= is written to a file")
    if workers is not None:
        from ._parallel.copy import copy as copy_by_several

        return Copied(*copy_by_several(src, target, settings, workers))
    try:
        # What has a format consists of bytes.
        objects, src = (None, src) if from_ is not None else objects_of(src)
        if objects is not None:
            changed = {name for name, value in settings.items() if value != _DEFAULTS[name]}
            if (
                isinstance(target, SinkTarget)
                and changed <= {"type", "to", "compression"}
                and not isinstance(type, str)
            ):
                done = Copied(target.give(objects, type), 0, 0)
            else:
                done = Copied(*copied(objects, target, settings, changed))
        else:
            records, rejected, _, count = _native.copy(src, target, settings)
            done = Copied(records, rejected, count)
        for own_target, *_ in targets:
            if isinstance(own_target, (_stored.Put, SinkTarget)):
                own_target.finish()
    except BaseException:
        for own_target, *_ in targets:
            if isinstance(own_target, SinkTarget):
                own_target.abort()
        raise
    return done


def _targets(dst: Any, type: Any, *options: Any) -> list[tuple[Any, ...]]:
    """Each target with its `to`, `compression` and `write`. Sinks get records of the type."""
    targets = list(dst) if isinstance(dst, (list, tuple)) else [dst]
    if not targets:
        raise ValueError("there is no target to copy to")
    for at, target in enumerate(targets):
        if not isinstance(target, (str, PathLike)) and any(target is other for other in targets[:at]):
            raise ValueError("a place can't be two targets of one copy")
    each: list[list[Any]] = []
    for name, value in zip(("to", "compression", "write"), options, strict=True):
        many = isinstance(value, (list, tuple))
        if many and len(value) != len(targets):
            raise ValueError(f"{name}= has {len(value)} values for {len(targets)} targets")
        each.append(list(value) if many else [value] * len(targets))
    _stored.refuse_twice(targets)
    targets = [refusing_awaitables(target) for target in targets]
    each[-1] = [None if own is None else dict(own) for own in each[-1]]
    made: list[tuple[Any, ...]] = []
    for target, own, packing, writing in zip(targets, *each, strict=True):
        if not is_sink(target):
            made.append((*_stored.put(target, own, packing, writing or ()), writing))
            continue
        if own is not None or packing not in ("auto", None) or writing:
            raise ValueError("a sink gets records, which have no format, no compression and no options")
        taken = SinkTarget(target, type)
        made.append((taken, taken.format, None, None))
    return made
