"""The exception family."""

import copy
import pickle

import demat
import pytest

ALL = [demat.DecodeError, demat.ValidationError, demat.EncodeError, demat.LimitError, demat.StoreError]
GIVEN = {
    "path": "$.tasks[3].id",
    "offset": 71,
    "line": 5,
    "column": 17,
    "record": 4,
    "expected": "int",
    "found": "str",
    "reason": "because",
}


def test_the_family():
    assert all(issubclass(cls, demat.Error) for cls in ALL)
    assert issubclass(demat.Error, ValueError)
    assert issubclass(demat.ValidationError, demat.DecodeError)
    assert not issubclass(demat.LimitError, demat.DecodeError)


@pytest.mark.parametrize("cls", [demat.Error, *ALL])
def test_attributes(cls):
    error = cls("the message", **GIVEN)
    assert str(error) == "the message"
    assert error.args == ("the message",)
    assert {name: getattr(error, name) for name in GIVEN} == GIVEN
    empty = cls("m")
    assert {name: getattr(empty, name) for name in GIVEN} == {**dict.fromkeys(GIVEN), "reason": "m"}
    assert empty.errors == (empty,)


@pytest.mark.parametrize("cls", [demat.Error, *ALL])
@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda error: pickle.loads(pickle.dumps(error))])
def test_copies_and_pickles_are_whole(cls, copied):
    first = cls("first", **GIVEN)
    first.add_note("a note")
    error = cls("both", errors=[first, demat.LimitError("second", record=2)])
    made = copied(error)
    assert type(made) is cls
    assert str(made) == "both"
    assert [type(one) for one in made.errors] == [cls, demat.LimitError]
    assert {name: getattr(made.errors[0], name) for name in GIVEN} == GIVEN
    assert made.errors[1].record == 2
    assert made.errors[0].__notes__ == ["a note"]


def test_an_error_that_is_the_first_of_several():
    error = demat.ValidationError("first")
    error._errors = (error, demat.ValidationError("second"))
    made = pickle.loads(pickle.dumps(error))
    assert made.errors[0] is made


def test_an_error_is_freed_without_the_collector():
    import gc
    import weakref

    gc.disable()
    try:
        error = demat.Error("gone")
        gone = weakref.ref(error)
        assert error.errors == (error,)
        del error
        assert gone() is None
    finally:
        gc.enable()
