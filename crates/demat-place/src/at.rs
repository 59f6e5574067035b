//! The path of the records in a document of a format.

use crate::Format;
use demat_core::{Error, ErrorKind, Result};
use demat_formats::codec::Model;
use demat_formats::stream::RecordPath;

/// Parses the path of the records in documents of a format: `$.items[*]`, or `catalog/book` in XML. In NDJSON it is a
/// path in each line.
///
/// ```
/// use demat_place::{Format, record_path};
/// assert_eq!(record_path(Format::NDJSON, "$.tags[*]")?.to_string(), "$[*].tags[*]");
/// assert!(record_path(Format::CSV, "$[*]").is_err());
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// [`Syntax`](ErrorKind::Syntax) if it is no path; [`Constraint`](ErrorKind::Constraint) if documents of the format
/// have no paths.
pub fn record_path(format: Format, text: &str) -> Result<RecordPath> {
    match format.about().model {
        Model::Markup => RecordPath::of_elements(text),
        Model::JsonLines => text.parse::<RecordPath>().map(RecordPath::in_each),
        Model::Nested | Model::Json => text.parse(),
        _ => {
            let message = format!("a path leads to records within others, and the records of {format} are its items");
            Err(Error::new(ErrorKind::Constraint, message))
        }
    }
}
