use super::KeyPattern;

/// A whole key as every text format quotes it: `"key":`.
///
/// A sink that writes the same keys often copies the whole block and cuts the padding. A source uses a [`KeyPattern`]
/// for the same purpose; this block holds longer keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotedKey {
    /// The quoted key, padded with zeros.
    pub block: [u8; 32],
    /// Its length.
    pub len: usize,
}

impl QuotedKey {
    /// A block without a key.
    pub const NONE: Self = Self { block: [0; 32], len: 0 };

    /// The maximum length of a key in bytes.
    pub const LONGEST: usize = 29;

    /// Returns the quoted key, if it needs no escapes and fits.
    ///
    /// ```
    /// use demat_core::QuotedKey;
    /// let quoted = QuotedKey::new("id").unwrap();
    /// assert_eq!(&quoted.block[..quoted.len], br#""id":"#);
    /// assert_eq!(QuotedKey::new("a \"quoted\" key"), None);
    /// ```
    pub fn new(key: &str) -> Option<Self> {
        if key.len() > Self::LONGEST || !KeyPattern::new(key).plain {
            return None;
        }
        let mut quoted = Self { block: [0; 32], len: key.len() + 3 };
        for (to, from) in quoted.block.iter_mut().zip([b"\"", key.as_bytes(), b"\":"].concat()) {
            *to = from;
        }
        Some(quoted)
    }
}
