"""The value that stands for "nothing was given" where None would mean something."""


class Unset:
    """The type of `UNSET`, which is its only instance."""

    __slots__ = ()

    def __repr__(self) -> str:
        return "UNSET"

    def __bool__(self) -> bool:
        return False

    def __reduce__(self) -> str:
        # By name, so that copies and pickles are the very same object and `is UNSET` stays true of them.
        return "UNSET"


UNSET = Unset()
