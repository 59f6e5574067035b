"""What holds for all tests of the Python package."""

import atexit
import gc
import weakref
from collections.abc import Generator, Iterator

import pytest
from demat import _declared
from hypothesis import settings

# The same examples each time: what passed here passes there. More of them, and others: `--hypothesis-profile=explore`.
settings.register_profile("steady", derandomize=True, deadline=None, max_examples=200)
settings.register_profile("explore", deadline=None, max_examples=5000)
settings.load_profile("steady")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Leaves modules and collected tests out of all garbage collections.

    They are hundreds of thousands of objects that stay to the end: visiting them takes longer than most tests, and some
    tests collect often. The interpreter frees what can be freed as it ends.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()
        gc.collect()
        gc.freeze()
        atexit.register(gc.unfreeze)


@pytest.fixture(autouse=True)
def undone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What a test declares of classes (`hook`, `configure`) ends with it, and changes no other test."""
    before: list[tuple[weakref.ref[type], dict[str, object]]] = []
    declare = _declared.declare

    def noted(cls: type, entries: dict[str, object]) -> None:
        before.append((weakref.ref(cls), _declared.own(cls)))
        declare(cls, entries)

    monkeypatch.setattr(_declared, "declare", noted)
    yield
    for ref, entries in reversed(before):
        cls = ref()
        if cls is not None:
            forget(cls, entries)


def forget(cls: type, entries: dict[str, object]) -> None:
    """Sets back what is declared of a class."""
    others = _declared._others
    if others is not None and cls in others:
        if entries:
            others[cls] = entries
        else:
            del others[cls]
    elif entries:
        cls.__demat__ = entries  # type: ignore[attr-defined]
    elif "__demat__" in cls.__dict__:
        del cls.__demat__  # type: ignore[attr-defined]
    # Without any left, conversions take the fast way again.
    if not _declared._others:
        _declared._others = None
    # Plans that were made meanwhile are forgotten.
    _declared.declare(type("Nothing", (), {}), {})
