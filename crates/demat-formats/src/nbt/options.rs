use super::Variant;
use crate::json::RepeatedKeys;

/// What precedes the outermost value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Root {
    /// Its tag and a name. The reader ignores the name.
    #[default]
    Named,
    /// Its tag only. Java Edition sends this over the network from version 1.20.2.
    Nameless,
    /// Its tag and a name. The document is a record with one entry: the outermost value under its name.
    Entry,
}

/// How a document is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// gzip (RFC 1952).
    Gzip,
    /// zlib (RFC 1950).
    Zlib,
}

/// Options for reading NBT.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The variant. With `None`, the default, the reader detects it from the first 64 KiB.
    pub variant: Option<Variant>,
    /// What precedes the outermost value.
    pub root: Root,
    /// The maximum depth of lists and compounds; 512 by default, as in Minecraft.
    pub depth: u32,
    /// What to do if a compound repeats a name. By default, the last one wins.
    pub repeated_keys: RepeatedKeys,
    /// The maximum size of a packed document in bytes when unpacked; 1 GiB by default.
    pub unpacked: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self {
            variant: None,
            root: Root::Named,
            depth: DEPTH,
            repeated_keys: RepeatedKeys::LastWins,
            unpacked: 1 << 30,
        }
    }
}

/// Options for writing NBT.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// The variant.
    pub variant: Variant,
    /// What precedes the outermost value.
    pub root: Root,
    /// The name of the outermost value, if it has one; empty by default.
    pub name: String,
    /// The version in the header of a Bedrock `level.dat`. With `None`, the default, no header is written.
    pub header: Option<u32>,
    /// How to pack the document. With `None`, the default, it is not packed.
    pub packing: Option<Packing>,
    /// Whether a UUID is an int array of four, as in Minecraft from version 1.16. Otherwise it is text.
    pub uuid_ints: bool,
    /// Whether the outermost list is written as a sequence of compounds. Other items are refused.
    pub sequence: bool,
    /// The maximum depth of lists and compounds; 512 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self {
            variant: Variant::Java,
            root: Root::Named,
            name: String::new(),
            header: None,
            packing: None,
            uuid_ints: false,
            sequence: false,
            depth: DEPTH,
        }
    }
}

/// Minecraft's limit.
pub(super) const DEPTH: u32 = 512;
