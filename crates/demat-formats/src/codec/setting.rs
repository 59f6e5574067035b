use core::fmt;
use demat_core::{Error, ErrorKind, Result};

/// Describes one option of a format. Faces list options and parse their values from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// The name: a parameter in Python, and the part before `=` on the command line.
    pub name: &'static str,
    /// The valid values.
    pub values: Values,
    /// The default, in Python's syntax.
    pub default: &'static str,
    /// A description in one line.
    pub help: &'static str,
}

/// The valid values of an option.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// True or false.
    Flag,
    /// A whole number from 0 to 4,294,967,295.
    Count,
    /// Such a number, or none.
    OptionalCount,
    /// One ASCII character.
    Character,
    /// One ASCII character, or none.
    OptionalCharacter,
    /// Two whole numbers from 0, or none.
    OptionalPair,
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A text.
    Text,
    /// A text, or none.
    OptionalText,
    /// A type, as the text of its shape, or none.
    OptionalType,
    /// True for all of something, false for none, or the names of some.
    Names,
}

/// The value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SettingValue {
    /// None, for an option that may be none.
    None,
    /// True or false.
    Flag(bool),
    /// A whole number.
    Count(u32),
    /// Two whole numbers.
    Pair(u32, u32),
    /// An ASCII character.
    Character(u8),
    /// A text or a choice.
    Text(Box<str>),
    /// Names.
    Names(Box<[Box<str>]>),
}

impl Setting {
    /// Returns an option with these values.
    pub const fn new(name: &'static str, values: Values, default: &'static str, help: &'static str) -> Self {
        Self { name, values, default, help }
    }

    /// Returns whether the value is valid.
    pub fn has(&self, value: &SettingValue) -> bool {
        match (self.values, value) {
            (Values::Flag | Values::Names, SettingValue::Flag(_))
            | (Values::Names, SettingValue::Names(_))
            | (Values::Count | Values::OptionalCount, SettingValue::Count(_))
            | (
                Values::OptionalCount
                | Values::OptionalCharacter
                | Values::OptionalPair
                | Values::OptionalText
                | Values::OptionalType,
                SettingValue::None,
            )
            | (Values::OptionalPair, SettingValue::Pair(..))
            | (Values::Text | Values::OptionalText | Values::OptionalType, SettingValue::Text(_)) => true,
            (Values::Character | Values::OptionalCharacter, SettingValue::Character(byte)) => byte.is_ascii(),
            (Values::Choice(choices), SettingValue::Text(text)) => choices.contains(&&**text),
            _ => false,
        }
    }

    /// Parses a value from the text on a command line: `true` and `false`, `none`, `\t`, `one,another`.
    ///
    /// # Errors
    /// If the text is not a valid value.
    ///
    /// ```
    /// use demat_formats::codec::{Setting, SettingValue, Values};
    /// let depth = Setting::new("depth", Values::Count, "1024", "how deep lists may nest");
    /// assert_eq!(depth.parse("12")?, SettingValue::Count(12));
    /// let error = depth.parse("deep").unwrap_err();
    /// assert_eq!(error.to_string(), "`depth` must be an int from 0 to 4294967295, not `deep`");
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn parse(&self, text: &str) -> Result<SettingValue> {
        let none = text == "none";
        let parsed = match self.values {
            Values::Flag => text.parse().ok().map(SettingValue::Flag),
            Values::OptionalCount
            | Values::OptionalCharacter
            | Values::OptionalPair
            | Values::OptionalText
            | Values::OptionalType
                if none =>
            {
                Some(SettingValue::None)
            }
            Values::Count | Values::OptionalCount => text.parse().ok().map(SettingValue::Count),
            Values::Character | Values::OptionalCharacter => match text.as_bytes() {
                [byte] => Some(SettingValue::Character(*byte)),
                b"\\t" => Some(SettingValue::Character(b'\t')),
                _ => None,
            },
            Values::OptionalPair => {
                let pair = text.split_once(',').and_then(|(one, two)| Some((one.parse().ok()?, two.parse().ok()?)));
                pair.map(|(one, two)| SettingValue::Pair(one, two))
            }
            Values::Names => Some(match text.parse() {
                Ok(flag) => SettingValue::Flag(flag),
                Err(_) => SettingValue::Names(text.split(',').map(Into::into).collect()),
            }),
            Values::Choice(_) => Some(SettingValue::Text(text.replace("\\r", "\r").replace("\\n", "\n").into())),
            Values::Text | Values::OptionalText | Values::OptionalType => Some(SettingValue::Text(text.into())),
        };
        parsed.filter(|value| self.has(value)).ok_or_else(|| self.refused(&format!("`{text}`")))
    }

    /// Returns the error for an invalid value.
    #[cold]
    pub fn refused(&self, found: &str) -> Error {
        Error::new(ErrorKind::Constraint, format!("`{}` must be {}, not {found}", self.name, self.values))
    }
}

impl fmt::Display for Values {
    /// Describes the valid values, for errors.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => f.write_str("True or False"),
            Self::Count => write!(f, "an int from 0 to {}", u32::MAX),
            Self::OptionalCount => write!(f, "an int from 0 to {}, or None", u32::MAX),
            Self::Character => f.write_str("a str of one ASCII character"),
            Self::OptionalCharacter => f.write_str("a str of one ASCII character, or None"),
            Self::OptionalPair => f.write_str("two ints from 0, or None"),
            Self::Choice(choices) => {
                for (index, choice) in choices.iter().enumerate() {
                    let or = if index == 0 { "" } else { " or " };
                    write!(f, "{or}{choice:?}")?;
                }
                Ok(())
            }
            Self::Text => f.write_str("a str"),
            Self::OptionalText => f.write_str("a str, or None"),
            Self::OptionalType => f.write_str("a type, or None"),
            Self::Names => f.write_str("True, False or a list of names"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_read_or_refused() {
        let flag = Setting::new("f", Values::Flag, "False", "");
        assert_eq!(flag.parse("true").unwrap(), SettingValue::Flag(true));
        assert_eq!(flag.parse("yes").unwrap_err().to_string(), "`f` must be True or False, not `yes`");
        let character = Setting::new("c", Values::OptionalCharacter, "None", "");
        assert_eq!(character.parse("\\t").unwrap(), SettingValue::Character(b'\t'));
        assert_eq!(character.parse("none").unwrap(), SettingValue::None);
        assert!(character.parse("é").is_err() && character.parse("").is_err());
        let choice = Setting::new("w", Values::Choice(&["\n", "\r\n"]), "\"\\n\"", "");
        assert_eq!(choice.parse("\\r\\n").unwrap(), SettingValue::Text("\r\n".into()));
        assert_eq!(choice.parse("x").unwrap_err().to_string(), "`w` must be \"\\n\" or \"\\r\\n\", not `x`");
        let pair = Setting::new("p", Values::OptionalPair, "None", "");
        assert_eq!(pair.parse("10,2").unwrap(), SettingValue::Pair(10, 2));
        assert!(pair.parse("10").is_err());
        let names = Setting::new("d", Values::Names, "False", "");
        assert_eq!(names.parse("true").unwrap(), SettingValue::Flag(true));
        assert_eq!(names.parse("a,b c").unwrap(), SettingValue::Names(["a".into(), "b c".into()].into()));
        let count = Setting::new("n", Values::Count, "1", "");
        assert!(count.parse("none").is_err() && count.parse("-1").is_err() && count.parse("4294967296").is_err());
    }
}
