//! The size of a sample, as an option says it.

use demat_place::Sample;

/// Reads `all`, or how many records.
pub(crate) fn parse(text: &str) -> Result<Sample, String> {
    match text.replace(['_', ','], "").parse() {
        Ok(0) => Err("a sample needs at least one record".to_string()),
        Ok(records) => Ok(Sample::First(records)),
        Err(_) if text == "all" => Ok(Sample::All),
        Err(_) => Err("expected a number of records, or `all`".to_string()),
    }
}
