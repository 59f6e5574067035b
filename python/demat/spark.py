"""Apache Spark: files of any format as a data source, with the class that describes their records.

>>> from demat import spark
>>> spark.FORMAT
'demat'

`spark.register(session)` makes the format known to a session of Spark 4.2 or later. Then

    session.read.format("demat").option("type", "tasks:Task").load("tasks/*.ndjson")

is a data frame whose columns are the fields of `tasks.Task`, and `frame.write.format("demat")` writes files. See
docs/python/spark.md for all options. Needs `pip install demat[spark]`.
"""

from __future__ import annotations

from typing import Any

__all__ = ["FORMAT", "register"]

FORMAT = "demat"
"""The name of the format in `read.format(…)` and `write.format(…)`."""


def register(session: Any) -> None:
    """Makes `format("demat")` known to a `SparkSession`, and allows filters to reach it.

    Sets `spark.sql.python.filterPushdown.enabled` for the session, as Spark otherwise refuses sources that take
    filters. Raises ImportError if pyspark 4.2 or pyarrow are not there.
    """
    try:
        from ._spark.source import Source
    except ImportError as error:
        raise ImportError(
            f"demat.spark needs pyspark 4.2 or later, and pyarrow: pip install 'demat[spark]' ({error})"
        ) from error
    session.conf.set("spark.sql.python.filterPushdown.enabled", "true")
    session.dataSource.register(Source)
