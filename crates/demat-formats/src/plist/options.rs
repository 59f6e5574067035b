use crate::json::RepeatedKeys;

/// Options for reading property lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The maximum depth of arrays and dicts; 512 by default.
    pub depth: u32,
    /// What to do if a dict repeats a key. By default, the last one wins.
    pub repeated_keys: RepeatedKeys,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 512, repeated_keys: RepeatedKeys::LastWins }
    }
}

/// The forms that the sink can write.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Variant {
    /// XML.
    #[default]
    Xml,
    /// Binary, version 00. The sink holds it in memory and writes it when the document ends.
    Binary,
}

/// Options for writing property lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WriteOptions {
    /// The form.
    pub variant: Variant,
    /// Whether the binary form has a UID for each map whose only entry is `CF$UID` with an int. False by default.
    pub uids: bool,
    /// The maximum depth of arrays and dicts; 512 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { variant: Variant::Xml, uids: false, depth: 512 }
    }
}
