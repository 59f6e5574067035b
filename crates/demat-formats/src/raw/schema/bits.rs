/// The bits of a record that say which fields are there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) enum Bits {
    Few(u64),
    Many(Vec<u8>),
}

impl Default for Bits {
    fn default() -> Self {
        Self::Few(0)
    }
}

impl Bits {
    /// Returns `bits` bits, all 0.
    pub(in super::super) fn new(count: usize) -> Self {
        if count <= 64 { Self::Few(0) } else { Self::Many(vec![0; count.div_ceil(8)]) }
    }

    /// Reads `bits` bits. Returns `None` if one of the spare bits after them is set.
    pub(in super::super) fn read(bytes: &[u8], count: usize) -> Option<Self> {
        let spare = count.next_multiple_of(8) - count;
        if bytes.last().is_some_and(|last| spare > 0 && last >> (8 - spare) != 0) {
            return None;
        }
        Some(match bytes {
            few if few.len() <= 8 => Self::Few(few.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))),
            many => Self::Many(many.to_vec()),
        })
    }

    #[inline]
    pub(in super::super) fn get(&self, bit: usize) -> bool {
        match self {
            Self::Few(bits) => bit < 64 && bits >> bit & 1 == 1,
            Self::Many(bytes) => bytes.get(bit / 8).is_some_and(|byte| byte >> (bit % 8) & 1 == 1),
        }
    }

    #[inline]
    pub(in super::super) fn set(&mut self, bit: usize) {
        match self {
            Self::Few(bits) => *bits |= 1_u64.checked_shl(bit as u32).unwrap_or(0),
            Self::Many(bytes) => {
                if let Some(byte) = bytes.get_mut(bit / 8) {
                    *byte |= 1 << (bit % 8);
                }
            }
        }
    }

    /// Writes the bits to the bytes reserved for them.
    pub(in super::super) fn write(&self, to: &mut [u8]) {
        match self {
            Self::Few(bits) => {
                for (byte, own) in to.iter_mut().zip(bits.to_le_bytes()) {
                    *byte = own;
                }
            }
            Self::Many(bytes) => {
                for (byte, own) in to.iter_mut().zip(bytes) {
                    *byte = *own;
                }
            }
        }
    }
}
