use super::notes::VOCABULARY;
use super::options::{DEPTH as DEEPEST, Packing, Root};
use super::packing::Packed;
use super::{Nbt, NbtSink, Variant, WriteOptions};
use crate::codec::{self, About, Codec, Reader, Records, Setting, Values};
use crate::json::RepeatedKeys;
use crate::json::codec::REPEATED_KEYS;
use crate::{Drain, Output};
use demat_core::{Result, Sink};

/// NBT as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct NbtCodec;

const READ_VARIANT: Setting = Setting::new(
    "variant",
    Values::Choice(&["auto", "java", "bedrock", "bedrock-network"]),
    "\"auto\"",
    "which variant it is; auto: found out from the first 64 KiB",
);
const WRITE_VARIANT: Setting = Setting::new(
    "variant",
    Values::Choice(&["java", "bedrock", "bedrock-network"]),
    "\"java\"",
    "which variant is written: big-endian, little-endian, or with variable-length numbers",
);
pub(crate) const ROOT: Setting = Setting::new(
    "root",
    Values::Choice(&["named", "nameless", "entry"]),
    "\"named\"",
    "what is before the outermost value: a name, none, or a name by which it is the only entry of a record",
);
/// How deep values may nest.
pub(crate) const DEPTH: Setting =
    Setting::new("depth", Values::Count, "512", "how deep lists and compounds may nest before it is an error");
const NAME: Setting = Setting::new("name", Values::Text, "\"\"", "the name of the outermost value");
const HEADER: Setting = Setting::new(
    "header",
    Values::OptionalCount,
    "None",
    "the version in the header of a Bedrock `level.dat`; none: no header",
);
const PACKED: Setting = Setting::new(
    "packed",
    Values::Choice(&["no", "gzip", "zlib"]),
    "\"no\"",
    "how the document itself is packed, whatever the name of its file",
);
pub(crate) const UUIDS: Setting = Setting::new(
    "uuids",
    Values::Choice(&["text", "ints"]),
    "\"text\"",
    "whether a UUID is text or an array of four ints",
);
const SEQUENCE: Setting = Setting::new(
    "sequence",
    Values::Flag,
    "False",
    "whether records are written one behind the other, as they come, instead of in one list",
);

/// Names, options and properties of the format.
pub static ABOUT: About = About {
    // A list begins with its count, which a sink may learn only at the end.
    is_late: true,
    // NBT has no null.
    records: Records::Limited,
    notes: Some(&VOCABULARY),
    read: &[READ_VARIANT, ROOT, DEPTH, REPEATED_KEYS],
    write: &[WRITE_VARIANT, ROOT, NAME, HEADER, PACKED, UUIDS, SEQUENCE, DEPTH],
    ..About::new(
        "nbt",
        &[".nbt", ".dat"],
        &["application/x-minecraft-nbt", "application/x-nbt"],
        "NBT (Minecraft's Named Binary Tag): one value, or compounds one behind the other",
    )
};

fn root_of(own: &codec::OwnOptions) -> Root {
    match own.text(&ROOT) {
        Some("nameless") => Root::Nameless,
        Some("entry") => Root::Entry,
        _ => Root::Named,
    }
}

/// Converts the generic options to those of this format.
pub(crate) fn read_options(options: &codec::ReadOptions) -> super::ReadOptions {
    let own = &options.own;
    super::ReadOptions {
        variant: own.text(&READ_VARIANT).and_then(Variant::named),
        root: root_of(own),
        depth: own.count(&DEPTH).unwrap_or(DEEPEST),
        repeated_keys: match own.text(&REPEATED_KEYS) {
            Some("refuse") => RepeatedKeys::Refuse,
            _ => RepeatedKeys::LastWins,
        },
        unpacked: options.window,
    }
}

/// Converts the generic options, as [`read_options`] does.
pub(crate) fn write_options(own: &codec::OwnOptions) -> WriteOptions {
    WriteOptions {
        variant: own.text(&WRITE_VARIANT).and_then(Variant::named).unwrap_or_default(),
        root: root_of(own),
        name: own.text(&NAME).unwrap_or_default().to_string(),
        header: own.count(&HEADER),
        packing: match own.text(&PACKED) {
            Some("gzip") => Some(Packing::Gzip),
            Some("zlib") => Some(Packing::Zlib),
            _ => None,
        },
        uuid_ints: own.text(&UUIDS) == Some("ints"),
        sequence: own.flag(&SEQUENCE).unwrap_or_default(),
        depth: own.count(&DEPTH).unwrap_or(DEEPEST),
    }
}

impl Codec for NbtCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn reader(&self, options: &codec::ReadOptions) -> Result<Reader> {
        Ok(Reader::other(Nbt::new(read_options(options))))
    }

    fn sink<'d>(
        &self,
        options: &codec::WriteOptions,
        drain: Box<dyn Drain + Send + 'd>,
    ) -> Result<Box<dyn Sink + Send + 'd>> {
        let options = write_options(&options.own);
        let drain = match options.packing {
            Some(packing) => Box::new(Packed::new(packing, drain)),
            None => drain,
        };
        Ok(Box::new(NbtSink::new(Output::new(Vec::new(), drain), options)))
    }
}
