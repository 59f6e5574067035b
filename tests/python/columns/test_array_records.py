"""Copies whose records are arrays: wherever they stand, and whatever says which type they are of."""

import io
from dataclasses import dataclass, field

import demat
import msgspec
import pytest
from demat import configure, json, ndjson


@configure(array_like=True)
@dataclass
class In:
    a: int
    b: str = "bb"


@configure(array_like=True, tag="kind")
@dataclass
class Cat:
    lives: int


@configure(array_like=True, tag="kind")
@dataclass
class Dog:
    good: bool = True


@dataclass
class Named:
    name: str
    i: In


def copied(data, type, to, from_="json", **options):
    out = io.BytesIO()
    demat.copy(io.BytesIO(data), out, type, from_=from_, to=to, **options)
    return out.getvalue()


@pytest.mark.parametrize("to", ["json", "ndjson", "msgpack", "csv"])
@pytest.mark.parametrize("tp", [In, list[In], In | None, tuple[int, str]])
def test_what_a_path_selects_is_checked(tp, to, tmp_path):
    if to == "csv" and tp not in (In, list[In]):
        pytest.skip("no rows")
    for bad in (b'{"r":[["bad"]]}', b'{"r":[[1,"a"],{"q":1}]}', b'{"r":[7]}'):
        with pytest.raises(demat.ValidationError) as caught:
            copied(bad, tp, to, at="$.r[*]")
        assert caught.value.path.startswith("$.r[")
    if to == "ndjson":
        (tmp_path / "in.json").write_bytes(b'{"r":[["bad"]]}')
        with pytest.raises(demat.ValidationError):
            demat.copy(tmp_path / "in.json", tmp_path / "out", tp, to=to, at="$.r[*]", workers=2)


def test_records_at_a_path_are_what_they_are_elsewhere():
    data = b'{"r":[[1],[2,"c"],["bad"]]}'
    good = {"at": "$.r[*]", "on_error": "skip"}
    assert copied(data, In, "ndjson", **good) == b'[1,"bb"]\n[2,"c"]\n'
    assert copied(data, In, "csv", **good) == b"a,b\n1,bb\n2,c\n"
    assert copied(data, In, "csv", rename={"a": "z"}, **good) == b"z,b\n1,bb\n2,c\n"
    assert copied(data, In, "ndjson", where="a > 1", **good) == b'[2,"c"]\n'
    assert copied(b'{"r":[["Dog"],["Cat",9]]}', Cat | Dog, "ndjson", at="$.r[*]") == b'["Dog",true]\n["Cat",9]\n'


@pytest.mark.parametrize("from_", ["json", "ndjson"])
def test_a_union_or_an_optional_is_the_type_of_a_record(from_):
    def data(*rows):
        return json.encode(rows) if from_ == "json" else ndjson.encode(rows)

    assert copied(data(["Cat", 9], ["Dog"]), Cat | Dog, "ndjson", from_) == b'["Cat",9]\n["Dog",true]\n'
    assert copied(data([1], [2, "c"]), In | None, "ndjson", from_) == b'[1,"bb"]\n[2,"c"]\n'
    assert copied(data([1], None), In | None, "ndjson", from_) == b'[1,"bb"]\nnull\n'
    with pytest.raises(demat.ValidationError):
        copied(data(["Cow", 9]), Cat | Dog, "ndjson", from_)


def test_arrays_have_no_names_to_change():
    for tp, data, rename in (
        (In, b"[[1]]", {"a": "z"}),
        (Named, b'[{"name":"n","i":[1]}]', {"i.a": "z"}),
    ):
        with pytest.raises(demat.ValidationError, match="is written as a list"):
            copied(data, tp, "json", rename=rename)
    assert copied(b'[{"name":"n","i":[1]}]', Named, "json", rename={"i": "j"}) == b'[{"name":"n","j":[1,"bb"]}]\n'


def test_a_tag_has_its_place():
    for tp in (Dog, Cat | Dog):
        with pytest.raises(demat.ValidationError):
            json.decode("[]", tp)
        with pytest.raises(demat.ValidationError):
            demat.convert([], tp)
    with pytest.raises(demat.ValidationError, match="expected field `kind`, found nothing"):
        json.decode("[]", Dog)
    for to in ("json", "csv"):
        with pytest.raises(demat.ValidationError, match="expected field `kind`, found nothing"):
            copied(b"[[]]", list[Dog], to)
    with pytest.raises(demat.ValidationError, match="expected field `kind`, found nothing"):
        ndjson.columns(b"[]\n", Dog)

    class Struct(msgspec.Struct, array_like=True, tag=True):
        a: int = 1

    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b"[]", type=Struct)
    with pytest.raises(demat.ValidationError):
        json.decode(b"[]", Struct)


def test_arrays_within_rows_have_all_their_items():
    assert copied(b'[{"name":"n","i":[1]}]', Named, "json") == b'[{"name":"n","i":[1,"bb"]}]\n'
    assert json.columns(b'[{"name":"n","i":[1,"x"]}]', Named).records() == [{"name": "n", "i": [1, "x"]}]
    with pytest.raises(demat.ValidationError, match="expected a `tuple` of 2"):
        json.columns(b'[{"name":"n","i":[1]}]', Named)


def test_what_is_refused_says_what_to_write_instead():
    with pytest.raises(
        TypeError, match=r"`In` is not copied: .* `demat.proto.write\(dst, demat.json.read\(src, In\)\)`"
    ):
        copied(b"[[1]]", list[In], "proto")

    @configure(array_like=True)
    @dataclass
    class Made:
        a: int
        b: list[int] = field(default_factory=lambda: [1])

    with pytest.raises(TypeError, match="its own code, which judges them or makes defaults"):
        copied(b"[[1]]", list[Made], "json")
