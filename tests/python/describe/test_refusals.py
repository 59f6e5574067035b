"""Types that no data can have: what is refused, where, and with which advice."""

# What is tested is each way that a type can be written in.
# ruff: noqa: UP006

import abc
import collections.abc
import typing
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Never, Protocol, TypedDict

import pytest
from asked import node


class Named(Protocol):
    name: str


class Abstract(abc.ABC):
    @abc.abstractmethod
    def f(self) -> None: ...


class Unknown:
    pass


@pytest.mark.parametrize(
    ("tp", "message"),
    [
        (Unknown, "`Unknown` can't be described: nothing says what its data is; make it a dataclass, or"),
        (Named, "it is a Protocol, which many classes can be; name one of them, or say how with demat.hook(Named"),
        (Abstract, "it is abstract, and has no instances of its own; name a class that has, or say how"),
        (Callable[[int], str], "`Callable[[int], str]` can't be described: functions are no data"),
        (Callable, "`Callable` can't be described: functions are no data"),
        (typing.Callable, "functions are no data"),
        (type[int], "`type[int]` can't be described: classes are no data"),
        (typing.Type, "classes are no data"),
        (Never, "no value has it"),
        (typing.NoReturn, "no value has it"),
        (typing.Self, "it stands in no class"),
        (Literal, "it says no values"),
        (typing.Optional, "it says no type"),
        (ClassVar[int], "`ClassVar` says something about a field of a class"),
        (typing.Generic, "it is what other classes are made with"),
        (Protocol, "it is what other classes are made with"),
        (collections.abc.AsyncIterator, "it can be gone through only once"),
        (TypedDict, "it is no type that a value can have"),
        (typing.NamedTuple, "it is no type that a value can have"),
        (3, "`3` can't be described: it is no type that a value can have"),
        ([int], "`[<class 'int'>]` can't be described: it is no type that a value can have"),
        (typing.ParamSpec("P"), "it is no type that a value can have"),
        (Ellipsis, "it is no type that a value can have"),
    ],
)
def test_the_reason_is_said(tp, message):
    with pytest.raises(TypeError) as refused:
        node(tp)
    assert message in str(refused.value)


@dataclass
class Inner:
    callback: list[dict[str, Callable[[], None]]]


@dataclass
class Outer:
    inner: tuple[int, Inner]


@pytest.mark.parametrize(
    ("tp", "place"),
    [
        (Outer, "`Callable[[], None]` at `Inner.callback[][]` can't"),
        (list[Unknown], "`Unknown` at `list[Unknown][]` can't"),
        (dict[Unknown, int], "at `dict[Unknown, int][key]`"),
        (tuple[int, Unknown], "at `tuple[int, Unknown][1]`"),
    ],
)
def test_the_place_is_said(tp, place):
    with pytest.raises(TypeError) as refused:
        node(tp)
    assert place in str(refused.value)


def test_types_that_nest_too_deeply():
    tp: Any = int
    for _ in range(5_000):
        tp = list[tp]
    with pytest.raises(TypeError, match="its types nest too deeply"):
        node(tp)


def test_options_that_there_are_none_of():
    with pytest.raises(TypeError, match="'renam' is none of the options hooks, rename, unknown"):
        node(int, renam="camel")
