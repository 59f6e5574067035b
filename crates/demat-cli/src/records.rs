//! What is copied of the records.

use crate::arguments::RecordArguments;
use crate::failure::Failure;
use crate::pointer::pointed;
use demat_place::{CopyJob, Where};

impl RecordArguments {
    /// Sets what the job copies of the records.
    pub(crate) fn apply<'j>(&self, mut job: CopyJob<'j>) -> Result<CopyJob<'j>, Failure> {
        if let Some(text) = &self.condition {
            job = job.matching(condition(text)?);
        }
        if let Some(fields) = &self.fields {
            job = job.fields(fields);
        }
        Ok(job.rename(self.rename.iter().cloned()))
    }
}

/// Parses a condition.
fn condition(text: &str) -> Result<Where, Failure> {
    text.parse::<Where>().map_err(|error| {
        let message = pointed(format!("--where: {}", error.reason()), &error, text);
        Failure::usage_with(message, "a condition is like `done = false and (title like '%x%' or n >= 3)`")
    })
}
