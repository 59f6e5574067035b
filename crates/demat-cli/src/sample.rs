//! Parses the size of a sample in an option.

use demat_place::Sample;

/// Parses `all`, or a number of records.
pub(crate) fn parse(text: &str) -> Result<Sample, String> {
    match text.replace(['_', ','], "").parse() {
        Ok(0) => Err("a sample needs at least one record".to_string()),
        Ok(records) => Ok(Sample::First(records)),
        Err(_) if text == "all" => Ok(Sample::All),
        Err(_) => Err("expected a number of records, or `all`".to_string()),
    }
}
