"""The data source that `demat.spark.register` makes known."""

# pyright: reportMissingImports=false

from __future__ import annotations

from typing import Any

from pyspark.sql.datasource import DataSource

from .options import Options
from .read import Reader
from .stream import StreamReader
from .types import spark_schema
from .write import Writer


class Source(DataSource):
    """Files whose records a class describes."""

    @classmethod
    def name(cls) -> str:
        """The name in `format(…)`."""
        return "demat"

    def schema(self) -> Any:
        """The columns of the class; no record is looked at."""
        return spark_schema(Options(self.options, writes=False))

    def reader(self, schema: Any) -> Reader:
        """What reads a schema, or some of its columns."""
        options = Options(self.options, writes=False)
        if options.files is not None:
            raise ValueError("option maxFilesPerTrigger is for streams")
        return Reader(options, schema)

    def streamReader(self, schema: Any) -> StreamReader:  # noqa: N802 - Spark's name
        """What reads files as they come to be in a folder."""
        return StreamReader(Options(self.options, writes=False), schema)

    def writer(self, schema: Any, overwrite: bool) -> Writer:
        """What writes a file for each partition."""
        return Writer(Options(self.options, writes=True), overwrite)
