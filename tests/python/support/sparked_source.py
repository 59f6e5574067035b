"""The data source as Spark calls it, in this process."""

from __future__ import annotations

import json
import pickle
from pathlib import Path
from typing import Any


def source(path: Path | list[Path], **options: Any) -> Any:
    """The source with options, as Spark makes it."""
    from demat._spark.source import Source
    from pyspark.sql import datasource as api

    places = {"paths": json.dumps([str(one) for one in path])} if isinstance(path, list) else {"path": str(path)}
    return Source(
        api.CaseInsensitiveDict({**places, **{name.replace("__", "."): str(v) for name, v in options.items()}})
    )


def table(path: Path | list[Path], filters: Any = (), schema: Any = None, **options: Any) -> tuple[Any, list[Any], int]:
    """What is read, the filters that are left to Spark, and the number of partitions."""
    import pyarrow
    from demat._spark.types import declared

    own = source(path, **options)
    schema = own.schema() if schema is None else schema
    reader = own.reader(schema)
    left = list(reader.pushFilters(list(filters)))
    reader = pickle.loads(pickle.dumps(reader))
    partitions = pickle.loads(pickle.dumps(reader.partitions()))
    batches = [batch for partition in partitions for batch in reader.read(partition)]
    assert all(batch.schema.equals(declared(schema)) for batch in batches)
    return pyarrow.Table.from_batches(batches, declared(schema)), left, len(partitions)
