/// Describes one option of a format. Faces list options and parse their values from it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Its name: a parameter in Python, and with hyphens an option of the command.
    pub name: &'static str,
    /// Which values it has.
    pub values: Values,
    /// Its default, as Python writes it.
    pub default: &'static str,
    /// What it does, in a line.
    pub help: &'static str,
}

/// The values that an option has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Values {
    /// True or false.
    Flag,
    /// A whole number from 0.
    Count,
    /// A whole number from 0, or none.
    OptionalCount,
    /// One ASCII character.
    Character,
    /// One ASCII character, or none.
    OptionalCharacter,
    /// Two whole numbers from 0, or none.
    OptionalPair,
    /// One of these texts.
    Choice(&'static [&'static str]),
}

impl Setting {
    /// An option with these values.
    pub const fn new(name: &'static str, values: Values, default: &'static str, help: &'static str) -> Self {
        Self { name, values, default, help }
    }
}
