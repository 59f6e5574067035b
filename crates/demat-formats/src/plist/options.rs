use crate::json::RepeatedKeys;

/// How property lists are read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep arrays and dicts may nest; 512 by default.
    pub depth: u32,
    /// What becomes of a key that a dict has twice; the last one wins by default.
    pub repeated_keys: RepeatedKeys,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 512, repeated_keys: RepeatedKeys::LastWins }
    }
}

/// The forms that are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// XML.
    #[default]
    Xml,
    /// Binary, version 00. It is held in memory and written at the end.
    Binary,
}

/// How property lists are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// The form.
    pub variant: Variant,
    /// Writes a map with the one key `CF$UID` and an int as a UID, if the form is binary. False by default.
    pub uids: bool,
    /// How deep arrays and dicts may nest; 512 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { variant: Variant::Xml, uids: false, depth: 512 }
    }
}
