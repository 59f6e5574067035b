//! A format of your own, in one file and registered with one line.

pub mod rec;

use demat_place::{Format, TakenName};

/// Adds recfiles to the formats of this program.
///
/// # Errors
/// If another format has the name, the suffix or the media type.
pub fn register() -> Result<Format, TakenName> {
    Format::register(&rec::RecCodec)
}
