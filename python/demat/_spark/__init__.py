"""The data source of Apache Spark: options, types, what reads, streams and writes."""
