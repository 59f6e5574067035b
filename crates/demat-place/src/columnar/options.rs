//! The options for writing columns.

use crate::{Format, WriteOptions};
use demat_arrow::{Dictionaries, Options};
use demat_core::Result;
use demat_formats::codec::SettingValue;

/// Converts the options of a columnar format.
///
/// # Errors
/// If the precision or the scale of decimals is invalid.
pub(super) fn of(format: Format, write: &WriteOptions) -> Result<Options> {
    let mut options = Options::default();
    for setting in format.about().write {
        match (setting.name, write.own.get(setting)) {
            ("narrow", Some(SettingValue::Flag(narrow))) => options.narrow = *narrow,
            ("dictionary", Some(SettingValue::Flag(true))) => options.dictionary = Dictionaries::All,
            ("dictionary", Some(SettingValue::Names(names))) => {
                options.dictionary = Dictionaries::of(names.iter().map(|name| &**name));
            }
            ("naive", Some(SettingValue::Flag(naive))) => options.naive = *naive,
            ("decimals", Some(SettingValue::Pair(digits, behind))) => {
                let pair = u8::try_from(*digits).ok().zip(i8::try_from(*behind).ok());
                options.decimals = Some(pair.ok_or_else(|| setting.refused(&format!("({digits}, {behind})")))?);
            }
            _ => {}
        }
    }
    Ok(options)
}
