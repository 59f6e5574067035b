"""A kind of data: the class of its records, and the function that makes the records from a seed."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from zoo.seeded import Seeded


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind; definitions/zoo.toml says how many records it has, and in which formats."""

    name: str
    record: Any
    """The type of a record."""
    make: Callable[[Seeded, int], Any]
    """Returns the record with this number."""
    spelling: str = "compact"
    """How its JSON is spelled: `compact`, `ascii` (escapes beyond ASCII), `pretty`, `shuffled` (keys in any order)
    or `sparse` (fields that are None are absent)."""
    single: bool = False
    """One record is one document, and a call is timed in a loop."""

    def values(self, count: int) -> list[Any]:
        """The first records."""
        seed = Seeded(self.name)
        return [self.make(seed, number) for number in range(count)]

    @property
    def root(self) -> Any:
        """The type of a document."""
        return self.record if self.single else list[self.record]


KINDS: dict[str, Kind] = {}


def kind(name: str, record: Any, **more: Any) -> Callable[[Callable[[Seeded, int], Any]], Callable[..., Any]]:
    """Registers the function below it as the maker of a kind."""

    def register(make: Callable[[Seeded, int], Any]) -> Callable[..., Any]:
        KINDS[name] = Kind(name, record, make, **more)
        return make

    return register
