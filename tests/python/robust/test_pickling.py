"""Copies: of Decoders, Encoders, Raw, errors, and of classes that keep their plans; in this process and in others."""

import copy
import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from typing import Annotated, Any

import demat
import formats
import pytest
from demat import Field, Hook, Raw, csv, json, ndjson


@dataclass
class Row:
    a: int
    b: str = "x"


class Money:
    def __init__(self, cents: int) -> None:
        self.cents = cents

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and other.cents == self.cents

    def __hash__(self) -> int:
        return self.cents


def cents(money: Money) -> int:
    return money.cents


HOOKS = {Money: Hook(wire=int, decode=Money, encode=cents)}

DECODERS = {
    "untyped": (json.Decoder(), b"[1]"),
    "type": (json.Decoder(list[Row]), b'[{"a":1}]'),
    "options": (json.Decoder(Row, rename="upper", unknown="forbid", errors="all", strict=False), b'{"A":"1"}'),
    "hooks": (json.Decoder(list[Money], hooks=HOOKS), b"[5]"),
    "alias": (json.Decoder(Annotated[int, Field(ge=0)]), b"5"),
    "depth": (ndjson.Decoder(list[Row], depth=5), b'{"a":1}\n'),
    "cells": (csv.Decoder(list[Row], delimiter=";", header=False), b"1;y\n"),
    **{formats.name(one): (one.Decoder(list[Row]), one.encode([Row(1)])) for one in formats.modules()},
}
ENCODERS = {
    "plain": (json.Encoder(), [1, Row(1)]),
    "options": (json.Encoder(indent=2, sort_keys=True, ascii=True), {"b": "é", "a": 1}),
    "hooks": (json.Encoder(hooks=HOOKS), [Money(5)]),
    "type": (json.Encoder(type=list[Row], default=cents), [Row(1)]),
    "cells": (csv.Encoder(delimiter=";", header=False), [Row(1)]),
    **{formats.name(one): (one.Encoder(), [Row(1)]) for one in formats.modules()},
}


def copies(one: Any) -> list[Any]:
    pickled = [pickle.loads(pickle.dumps(one, protocol)) for protocol in range(2, pickle.HIGHEST_PROTOCOL + 1)]
    return [*pickled, copy.copy(one), copy.deepcopy(one)]


@pytest.mark.parametrize(("decoder", "data"), DECODERS.values(), ids=DECODERS)
def test_decoders(decoder, data):
    for again in copies(decoder):
        assert type(again) is type(decoder)
        assert again.type == decoder.type
        assert repr(again) == repr(decoder)
        assert again.decode(data) == decoder.decode(data)
        with pytest.raises(demat.Error):
            again.decode(b'"')


@pytest.mark.parametrize(("encoder", "value"), ENCODERS.values(), ids=ENCODERS)
def test_encoders(encoder, value):
    for again in copies(encoder):
        assert type(again) is type(encoder)
        assert repr(again) == repr(encoder)
        assert again.encode(value) == encoder.encode(value)


def test_what_can_not_be_pickled_says_so():
    decoder = json.Decoder(Money, hooks={Money: Hook(wire=int, decode=lambda cents: Money(cents))})
    with pytest.raises((pickle.PicklingError, AttributeError, TypeError)):
        pickle.dumps(decoder)
    assert decoder.decode(b"5") == Money(5)


def errors() -> list[demat.Error]:
    found = []
    for call in (
        lambda: json.decode('[{"a":"x"},{"a":null}]', list[Row], errors="all"),
        lambda: json.decode("[1,"),
        lambda: json.decode("[[1]]", depth=1),
        lambda: ndjson.decode('{"a":1}\n{"a":"x"}\n', list[Row]),
        lambda: csv.decode("a\nx\n", list[Row]),
        lambda: json.encode([object()]),
        lambda: json.decode("[1]", list[Annotated[int, Hook(decode=raising)]]),
    ):
        with pytest.raises(demat.Error) as raised:
            call()
        found.append(raised.value)
    return found


def raising(_: Any) -> None:
    raise ValueError("no good")


ATTRIBUTES = ("path", "offset", "line", "column", "record", "expected", "found", "reason")


def same_errors(one: demat.Error, other: demat.Error) -> bool:
    told = [(type(error), str(error), *(getattr(error, name) for name in ATTRIBUTES)) for error in (one, other)]
    if told[0] != told[1] or len(one.errors) != len(other.errors):
        return False
    if one.errors == (one,):
        return other.errors == (other,)
    return all(map(same_errors, one.errors, other.errors))


def test_errors():
    for error in errors():
        for again in copies(error):
            assert same_errors(error, again)


def test_raw():
    for raw in (Raw("[1]"), json.decode("[ 1 ]", Raw), Raw("a\n1\n", "csv")):
        for again in copies(raw):
            assert (again, again.format, bytes(again)) == (raw, raw.format, bytes(raw))


def test_hooks_and_fields():
    for one in (HOOKS[Money], Field(ge=0, name="x", default=None), Hook(encode=cents)):
        for again in copies(one):
            assert again == one


def test_what_a_class_keeps_is_no_obstacle():
    """Tools that send classes by value, as those for clusters do, pickle whatever stands in a class."""
    json.decode('[{"a":1}]', list[Row])
    json.encode(Row(1))
    kept = {name: value for name, value in vars(Row).items() if "demat" in name}
    assert kept
    again = pickle.loads(pickle.dumps(kept))
    copied = type(
        "Row",
        (),
        {**{name: value for name, value in vars(Row).items() if name not in ("__dict__", "__weakref__")}, **again},
    )
    assert json.decode('{"a":1}', copied).a == 1
    assert type(json.decode('[{"a":1}]', list[copied])[0]) is copied
    assert type(json.decode('[{"a":1}]', list[Row])[0]) is Row
    assert copy.deepcopy(kept).keys() == kept.keys()


def decoded(decoder: Any, data: bytes) -> Any:
    return decoder.decode(data)


def failed(decoder: Any, data: bytes) -> Any:
    return decoder.decode(data)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_in_another_process(method):
    if method == "fork":
        pytest.importorskip("os", reason="no fork here")
    decoder = json.Decoder(list[Row])
    context = multiprocessing.get_context(method)
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        assert pool.submit(decoded, decoder, b'[{"a":5}]').result(60) == [Row(5)]
        error = pool.submit(failed, decoder, b'[{"a":"5"}]').exception(60)
    assert isinstance(error, demat.ValidationError)
    assert (error.path, error.offset) == ("$[0].a", 6)
