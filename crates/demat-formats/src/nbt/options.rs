use super::Variant;
use crate::json::RepeatedKeys;

/// What stands before the outermost value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Root {
    /// Its tag and a name. The name is passed over when read.
    #[default]
    Named,
    /// Its tag only, as Java Edition sends it over the network from 1.20.2 on.
    Nameless,
    /// Its tag and a name. The outermost value is the only entry of a record, under that name, so that it is kept.
    Entry,
}

/// How bytes are packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Packing {
    /// gzip (RFC 1952).
    Gzip,
    /// zlib (RFC 1950).
    Zlib,
}

/// How NBT is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The variant; `None`, the default, finds it out from the first 64 KiB.
    pub variant: Option<Variant>,
    /// What stands before the outermost value.
    pub root: Root,
    /// How deep lists and compounds may nest; 512 by default, as in Minecraft.
    pub depth: u32,
    /// What happens to a name that a compound repeats; the last one wins by default.
    pub repeated_keys: RepeatedKeys,
    /// How many bytes a packed document may have when it is unpacked; 1 GiB by default.
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

/// How NBT is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// The variant.
    pub variant: Variant,
    /// What stands before the outermost value.
    pub root: Root,
    /// The name of the outermost value, where it has one; empty by default.
    pub name: String,
    /// The version in the header of a Bedrock `level.dat`; `None`, the default, writes no header.
    pub header: Option<u32>,
    /// How the whole is packed; `None`, the default, does not pack it.
    pub packing: Option<Packing>,
    /// Whether a UUID is an int array of four, as Minecraft has it from 1.16 on; text otherwise.
    pub uuid_ints: bool,
    /// Writes the outermost list as compounds one behind the other. Other items are refused.
    pub sequence: bool,
    /// How deep lists and compounds may nest; 512 by default.
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
