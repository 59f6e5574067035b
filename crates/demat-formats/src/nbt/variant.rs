//! The encodings of numbers and lengths. Besides text, only these differ between the variants of NBT.

use super::Tag;

/// A variant of NBT.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Variant {
    /// Java Edition: big-endian, text in modified UTF-8.
    #[default]
    Java,
    /// Bedrock Edition on disk: little-endian, text in UTF-8.
    Bedrock,
    /// Bedrock Edition over the network: ints, longs and lengths as variable-length numbers, the rest little-endian.
    BedrockNetwork,
}

/// Why a number can't be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NoNumber {
    /// The input ends before the number or inside it.
    End,
    /// The number has more bytes than its width allows.
    TooLong,
}

pub(super) type Read<T> = Result<(T, usize), NoNumber>;

fn array<const N: usize>(bytes: &[u8], at: usize) -> Result<[u8; N], NoNumber> {
    bytes.get(at..).and_then(<[u8]>::first_chunk).copied().ok_or(NoNumber::End)
}

/// Reads a variable-length number of at most `bits` bits, the lowest group first.
fn varint(bytes: &[u8], at: usize, bits: u32) -> Read<u64> {
    let (mut value, mut shift, mut at) = (0u64, 0, at);
    loop {
        let byte = *bytes.get(at).ok_or(NoNumber::End)?;
        at += 1;
        let seven = u64::from(byte & 0x7f);
        if shift >= bits || (shift > 0 && seven >> (bits - shift).min(7) != 0) {
            return Err(NoNumber::TooLong);
        }
        value |= seven << shift;
        shift += 7;
        if byte < 0x80 {
            return Ok((value, at));
        }
    }
}

fn write_varint(mut value: u64, buffer: &mut Vec<u8>) {
    while value >= 0x80 {
        buffer.push(value as u8 | 0x80);
        value >>= 7;
    }
    buffer.push(value as u8);
}

/// Decodes the zigzag form, in which small negative numbers have few bytes.
fn unzigzag(value: u64) -> i64 {
    (value >> 1).cast_signed() ^ -(value & 1).cast_signed()
}

fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63).cast_unsigned()
}

impl Variant {
    /// Returns the variant's name in options.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Java => "java",
            Self::Bedrock => "bedrock",
            Self::BedrockNetwork => "bedrock-network",
        }
    }

    /// Returns the variant with this name in options.
    ///
    /// ```
    /// use demat_formats::nbt::Variant;
    /// assert_eq!(Variant::named("bedrock"), Some(Variant::Bedrock));
    /// ```
    pub fn named(name: &str) -> Option<Self> {
        [Self::Java, Self::Bedrock, Self::BedrockNetwork].into_iter().find(|one| one.name() == name)
    }

    /// Returns whether text is in modified UTF-8.
    pub(super) fn has_modified_utf8(self) -> bool {
        self == Self::Java
    }

    /// Returns the maximum length of a text in bytes.
    pub(super) fn longest_text(self) -> usize {
        if self == Self::BedrockNetwork { i32::MAX as usize } else { usize::from(u16::MAX) }
    }

    /// Reads an int of the tag's width. `tag` is [an int](Tag::is_int).
    #[inline]
    pub(super) fn int(self, tag: Tag, bytes: &[u8], at: usize) -> Read<i64> {
        Ok(match (tag, self) {
            (Tag::Byte, _) => (i8::from_be_bytes(array(bytes, at)?).into(), at + 1),
            (Tag::Short, Self::Java) => (i16::from_be_bytes(array(bytes, at)?).into(), at + 2),
            (Tag::Short, _) => (i16::from_le_bytes(array(bytes, at)?).into(), at + 2),
            (Tag::Int, Self::Java) => (i32::from_be_bytes(array(bytes, at)?).into(), at + 4),
            (Tag::Int, Self::Bedrock) => (i32::from_le_bytes(array(bytes, at)?).into(), at + 4),
            (Tag::Int, Self::BedrockNetwork) => varint(bytes, at, 32).map(|(value, end)| (unzigzag(value), end))?,
            (_, Self::Java) => (i64::from_be_bytes(array(bytes, at)?), at + 8),
            (_, Self::Bedrock) => (i64::from_le_bytes(array(bytes, at)?), at + 8),
            (_, Self::BedrockNetwork) => varint(bytes, at, 64).map(|(value, end)| (unzigzag(value), end))?,
        })
    }

    /// Reads the length of a list or an array.
    pub(super) fn count(self, bytes: &[u8], at: usize) -> Read<i32> {
        self.int(Tag::Int, bytes, at).map(|(count, end)| (count as i32, end))
    }

    /// Reads the length of a text in bytes.
    #[inline]
    pub(super) fn text_len(self, bytes: &[u8], at: usize) -> Read<usize> {
        Ok(match self {
            Self::Java => (u16::from_be_bytes(array(bytes, at)?).into(), at + 2),
            Self::Bedrock => (u16::from_le_bytes(array(bytes, at)?).into(), at + 2),
            Self::BedrockNetwork => varint(bytes, at, 32).map(|(len, end)| (len as usize, end))?,
        })
    }

    pub(super) fn float(self, bytes: &[u8], at: usize) -> Read<f32> {
        let four = array(bytes, at)?;
        Ok((if self == Self::Java { f32::from_be_bytes(four) } else { f32::from_le_bytes(four) }, at + 4))
    }

    pub(super) fn double(self, bytes: &[u8], at: usize) -> Read<f64> {
        let eight = array(bytes, at)?;
        Ok((if self == Self::Java { f64::from_be_bytes(eight) } else { f64::from_le_bytes(eight) }, at + 8))
    }

    /// Returns the size of an int in bytes, or `None` if it varies.
    pub(super) fn width(self, tag: Tag) -> Option<usize> {
        match (tag, self) {
            (Tag::Byte, _) => Some(1),
            (Tag::Short, _) => Some(2),
            (_, Self::BedrockNetwork) => None,
            (Tag::Int, _) => Some(4),
            _ => Some(8),
        }
    }

    /// Appends an int, which must fit the tag.
    #[inline]
    pub(super) fn write_int(self, tag: Tag, value: i64, buffer: &mut Vec<u8>) {
        match (tag, self) {
            (Tag::Byte, _) => buffer.push((value as i8).cast_unsigned()),
            (Tag::Short, Self::Java) => buffer.extend_from_slice(&(value as i16).to_be_bytes()),
            (Tag::Short, _) => buffer.extend_from_slice(&(value as i16).to_le_bytes()),
            (_, Self::BedrockNetwork) => write_varint(zigzag(value), buffer),
            (Tag::Int, Self::Java) => buffer.extend_from_slice(&(value as i32).to_be_bytes()),
            (Tag::Int, Self::Bedrock) => buffer.extend_from_slice(&(value as i32).to_le_bytes()),
            (_, Self::Java) => buffer.extend_from_slice(&value.to_be_bytes()),
            (_, Self::Bedrock) => buffer.extend_from_slice(&value.to_le_bytes()),
        }
    }

    pub(super) fn write_text_len(self, len: usize, buffer: &mut Vec<u8>) {
        match self {
            Self::Java => buffer.extend_from_slice(&(len as u16).to_be_bytes()),
            Self::Bedrock => buffer.extend_from_slice(&(len as u16).to_le_bytes()),
            Self::BedrockNetwork => write_varint(len as u64, buffer),
        }
    }

    pub(super) fn write_float(self, value: f32, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(&if self == Self::Java { value.to_be_bytes() } else { value.to_le_bytes() });
    }

    pub(super) fn write_double(self, value: f64, buffer: &mut Vec<u8>) {
        buffer.extend_from_slice(&if self == Self::Java { value.to_be_bytes() } else { value.to_le_bytes() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back_in_every_variant() {
        let values = [0, 1, -1, 63, 64, -64, -65, 127, -128, 300, i64::from(i16::MIN), i64::from(i32::MAX), i64::MIN];
        for variant in [Variant::Java, Variant::Bedrock, Variant::BedrockNetwork] {
            for tag in [Tag::Byte, Tag::Short, Tag::Int, Tag::Long] {
                for value in values.into_iter().filter(|value| value >> (tag.bits() - 1) == value >> 63) {
                    let mut bytes = Vec::new();
                    variant.write_int(tag, value, &mut bytes);
                    assert_eq!(variant.int(tag, &bytes, 0), Ok((value, bytes.len())), "{variant:?} {tag:?}");
                    assert_eq!(variant.int(tag, &bytes[..bytes.len() - 1], 0), Err(NoNumber::End));
                }
            }
        }
    }

    #[test]
    fn variable_lengths_have_a_limit() {
        let longest = [0xff, 0xff, 0xff, 0xff, 0x0f];
        assert_eq!(Variant::BedrockNetwork.int(Tag::Int, &longest, 0), Ok((i64::from(i32::MIN), 5)));
        for bad in [&[0xff, 0xff, 0xff, 0xff, 0x1f][..], &[0x80, 0x80, 0x80, 0x80, 0x80, 0]] {
            assert_eq!(Variant::BedrockNetwork.int(Tag::Int, bad, 0), Err(NoNumber::TooLong));
        }
        let mut longest = [0xff; 10];
        longest[9] = 1;
        assert_eq!(Variant::BedrockNetwork.int(Tag::Long, &longest, 0), Ok((i64::MIN, 10)));
        longest[9] = 2;
        assert_eq!(Variant::BedrockNetwork.int(Tag::Long, &longest, 0), Err(NoNumber::TooLong));
    }
}
