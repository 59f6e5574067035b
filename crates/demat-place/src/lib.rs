//! Files, streams and compression as places that Demat copies between.
