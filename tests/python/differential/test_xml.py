"""Against lxml and xmltodict: what a document is, what is well-formed, and that others read what Demat writes."""

import io
import random
from typing import Any

import pytest
import xmltodict
from demat import Error, xml
from lxml import etree

DOCUMENTS = [
    "<a/>",
    "<a>x</a>",
    "<a b='1' c='&lt;&#10;'/>",
    "<a><b>1</b><c/><b>2</b></a>",
    "<a>x<b>y</b>z<!-- c -->w<![CDATA[<&]]></a>",
    "<a xmlns='u' xmlns:p='v'><p:b p:c='1'>t</p:b><b xmlns=''/></a>",
    "<?xml version='1.0' encoding='UTF-8'?>\n<!-- c -->\n<ä é='ü'>ß\r\n€\U0001f600</ä>\n<?p q?>",
    "<a><b><c><d><e f='g'>h</e></d></c></b><b/></a>",
    "<a>&amp;&lt;&gt;&quot;&apos;&#x41;&#66;</a>",
]
MALFORMED = [
    "",
    "x",
    "<a>",
    "<a></b>",
    "<a/><a/>",
    "<a b='1' b='2'/>",
    "<a b=1/>",
    "<a b='<'/>",
    "<a>]]></a>",
    "<a><!-- -- --></a>",
    "<a>&b;</a>",
    "<a>&#0;</a>",
    "<a>\x01</a>",
    " <?xml version='1.0'?><a/>",
    "<p:a/>",
    "<1/>",
    "<a b='1'c='2'/>",
    "<a><?xml version='1.0'?></a>",
    "<a>&</a>",
]


def texts(value: Any) -> Any:
    """What `xmltodict` makes of a document, with None for empty text as it has; it trims text, so that is done here."""
    if isinstance(value, str):
        return value.strip() or None
    if isinstance(value, list):
        return [texts(item) for item in value]
    if isinstance(value, dict):
        return {key: (item if key.startswith("@") else texts(item)) for key, item in value.items()}
    return value


@pytest.mark.parametrize("text", DOCUMENTS)
def test_untyped_as_xmltodict(text: str):
    (expected,) = xmltodict.parse(text.encode()).values()
    assert texts(xml.decode(text)) == expected


@pytest.mark.parametrize("text", MALFORMED)
def test_malformed_as_lxml(text: str):
    with pytest.raises(etree.XMLSyntaxError):
        etree.fromstring(text.encode())
    with pytest.raises(Error):
        xml.decode(text.encode())


def same_as_element(value: Any, element: Any) -> bool:
    """Whether an untyped value is this element of lxml, which has no namespaces."""
    if isinstance(value, str):
        return len(element) == 0 and not element.attrib and value == (element.text or "")
    attributes = {key[1:]: text for key, text in value.items() if key.startswith("@")}
    if attributes != dict(element.attrib):
        return False
    children = {key: item for key, item in value.items() if key[0] not in "@#"}
    names = [child.tag for child in element]
    if set(children) != set(names):
        return False
    for name, item in children.items():
        own = [child for child in element if child.tag == name]
        items = item if isinstance(item, list) else [item]
        if len(own) != len(items) or not all(map(same_as_element, items, own)):
            return False
    return True


def random_element(choices: random.Random, depth: int = 0) -> Any:
    element = etree.Element(choices.choice("abc"))
    for name in choices.sample("xyz", choices.randrange(3)):
        element.set(name, "".join(choices.choices("a<&\"'\n\té€", k=choices.randrange(4))))
    for _ in range(choices.randrange(4) if depth < 4 else 0):
        element.append(random_element(choices, depth + 1))
    if len(element) == 0:
        element.text = "".join(choices.choices("a<&>]\"' \n\té€", k=choices.randrange(5)))
    return element


@pytest.mark.parametrize("seed", range(50))
def test_random_documents_as_lxml(seed: int):
    element = random_element(random.Random(seed))
    data = etree.tostring(element)
    value = xml.decode(data)
    assert same_as_element(value, element)
    written = xml.encode(value, root=element.tag)
    assert same_as_element(value, etree.fromstring(written))
    assert xml.decode(written) == value
    indented = xml.encode(value, indent=2)
    assert xml.decode(indented) == value
    assert same_as_element(value, etree.fromstring(indented, etree.XMLParser(remove_blank_text=True)))
    if isinstance(value, dict):
        assert texts(value) == xmltodict.parse(written)[element.tag]


def test_records_of_a_large_file_as_iterparse():
    data = b"<c><h><n>0</n></h>" + b"".join(b"<r i='%d'><n>%d</n></r>\n" % (i, i * i) for i in range(5000)) + b"</c>"
    expected = [(e.get("i"), e.findtext("n")) for _, e in etree.iterparse(io.BytesIO(data), tag="r")]
    assert [(r["@i"], r["n"]) for r in xml.read(io.BytesIO(data), at="c/r")] == expected
