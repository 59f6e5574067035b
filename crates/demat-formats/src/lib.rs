//! Demat's codecs: JSON, NDJSON and CSV as sources and sinks.
