"""`Change`: what has changed."""

from dataclasses import dataclass
from typing import Any, Literal


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a place.

    - `kind`: `"put"`: there is a value that is new, or not as it was; `"delete"`: there is none any more; `"reset"`:
      anything at the key, or below it, may have changed: read it again
    - `key`: what has changed. Of a table the key of a row: its value, a tuple of the values of several columns, or the
      row's number if the table has no key; None for the whole table. Of a store its reference: `"/tasks/3"`
    - `value`: the value that there is after a put, as far as it is asked for; None after all others
    - `revision`: what differs between two versions of the value, where the place keeps versions: the `ETag` that the
      value has over HTTP; else None

    >>> Change("put", "/tasks/3", {"title": "rest"})
    Change(kind='put', key='/tasks/3', value={'title': 'rest'}, revision=None)
    """

    kind: Literal["put", "delete", "reset"]
    key: Any
    value: Any = None
    revision: str | None = None


Change.__module__ = "demat"
