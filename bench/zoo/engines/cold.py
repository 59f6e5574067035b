"""The peers of CBOR, property lists, NBT and XML: parsers and writers of dicts and lists, with code by hand around
them (zoo/hand.py, zoo/by_lxml.py), and the packages of XML that know classes.
"""

from collections.abc import Callable
from importlib import import_module
from typing import Any, get_args, get_origin

from zoo import by_lxml
from zoo.engines import Prepare
from zoo.hand import Hand, maker, teller, without_none
from zoo.inputs import Inputs, Work
from zoo.kind import Kind
from zoo.plain import hints
from zoo.references import MOMENTS, READ, REFERENCES, WRITE, Reference, within, wrapped


def jobs(name: str, reference: Callable[[Kind], Reference], *, small: bool = True) -> dict[str, Prepare]:
    """The jobs of a format by a package."""

    def decode(inputs: Inputs) -> Work:
        return Work(reference(inputs.kind).read, inputs.texts[name], None)

    def encode(inputs: Inputs) -> Work:
        return Work(reference(inputs.kind).write, inputs.objects)

    both = {f"{name}/decode": decode, f"{name}/encode": encode}
    return both | ({f"small/{name}-decode": decode, f"small/{name}-encode": encode} if small else {})


def of_cbor(name: str) -> Callable[[Kind], Reference]:
    """A package of CBOR that knows numbers, texts, lists and dicts, and no tags of other values."""

    def reference(kind: Kind) -> Reference:
        package, hand = import_module(name), Hand({}, {}, {})
        make, tell = maker(kind.root, hand), teller(kind.root, hand)
        return Reference(lambda data: make(package.loads(data)), lambda value: package.dumps(tell(value)))

    return reference


def rapidnbt(kind: Kind) -> Reference:
    """The package `rapidnbt`, in C++."""
    package = import_module("rapidnbt")
    io_, big, packed = package.nbtio, package.NbtFileFormat.BIG_ENDIAN, package.NbtCompressionType.NONE
    scalars = {int: "{}.value", float: "{}.value", str: "{}.get_string()", bool: "bool({}.value)"}
    texts = {wanted: made.format("{}.get_string()") for wanted, made in READ.items()}
    told = {int: "LongTag({})", float: "DoubleTag({})", str: "StringTag({})", bool: "ByteTag({})"}
    told |= {wanted: f"StringTag({made})" for wanted, made in WRITE.items()}
    tags = ("LongTag", "DoubleTag", "StringTag", "ByteTag", "ListTag", "CompoundTag")
    names = {name: getattr(package, name) for name in tags}
    hand = Hand(
        scalars | texts,
        told,
        MOMENTS | names,
        many="ListTag({})",
        keyed="CompoundTag({})",
        nulls=False,
        inside="{}.value",
    )
    make, tell = maker(wrapped(kind), hand), teller(wrapped(kind), hand)
    own = Reference(lambda data: make(io_.loads(data, big)), lambda value: io_.dumps(tell(value), big, packed))
    return within(own, kind)


# All values of `xmltodict` are texts.
TEXTS = Hand(by_lxml.READ, by_lxml.WRITE, by_lxml.NAMES, nulls=False)


def lists_of(wanted: Any, found: set[str]) -> set[str]:
    """The names of the fields that are lists."""
    for cls in by_lxml.members(wanted):
        for name, own in hints(cls).items() if by_lxml.record(cls) else ():
            bare, _ = without_none(own)
            if get_origin(bare) is list:
                found.add(name)
                bare = get_args(bare)[0]
            if bare is not cls:
                lists_of(bare, found)
    return found


def xmltodict(kind: Kind) -> Reference:
    """The package `xmltodict`, in Python around expat."""
    package, hand = import_module("xmltodict"), TEXTS
    make, tell = maker(kind.root, hand), teller(kind.root, hand)
    lists = (*lists_of(kind.record, set()), *([] if kind.single else ["item"]))

    def read(data: bytes) -> Any:
        root = package.parse(data, force_list=lists)["root"]
        return make(root if kind.single else root["item"])

    def write(value: Any) -> bytes:
        told = tell(value)
        return package.unparse({"root": told if kind.single else {"item": told}}).encode()

    return Reference(read, write)


def template(kind: Kind) -> Reference:
    """Only writes."""
    return Reference(lambda data: None, by_lxml.templates(kind))


ENGINES: dict[str, dict[str, Prepare]] = {
    "cbor2": jobs("cbor", REFERENCES["cbor"]),
    "cbor": jobs("cbor", of_cbor("cbor")),
    "cborx": jobs("cbor", of_cbor("cborx")),
    "plistlib": jobs("plist", REFERENCES["plist"]) | jobs("bplist", REFERENCES["bplist"]),
    "nbtlib": jobs("nbt", REFERENCES["nbt"]),
    "rapidnbt": jobs("nbt", rapidnbt),
    "lxml": jobs("xml", REFERENCES["xml"]),
    "xmltodict": jobs("xml", xmltodict),
    "template": {name: job for name, job in jobs("xml", template).items() if name.endswith("encode")},
}
