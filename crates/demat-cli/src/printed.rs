//! Values that a command prints as text in a format.

use crate::failure::Failure;
use demat_core::{Error, Result as Told, Sink};
use demat_formats::To;
use demat_formats::codec::SettingValue;
use demat_place::{Format, WriteOptions};

/// Returns what `tell` writes, in a format of text. `what`: its name, for errors.
pub(crate) fn printed(
    format: Format,
    what: &str,
    tell: impl FnOnce(&mut dyn Sink) -> Told<()>,
) -> Result<String, Failure> {
    let shown = || Failure::usage(format!("{what} can only be written as text, and {format} is not text"));
    let mut options = WriteOptions::of(format);
    if format.write_setting("indent").is_some() {
        format.set_write(&mut options, "indent", |_| Ok::<_, Error>(SettingValue::Count(2)))?;
    }
    let mut bytes = Vec::new();
    let Some(codec) = format.codec() else { return Err(shown()) };
    let mut sink = codec.sink(&options, Box::new(To(&mut bytes)))?;
    tell(&mut *sink)?;
    drop(sink);
    bytes.extend_from_slice(format.about().ending.as_bytes());
    String::from_utf8(bytes).map_err(|_| shown())
}
