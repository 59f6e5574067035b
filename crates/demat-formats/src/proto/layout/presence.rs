/// Whether a zero value equals an absent field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// Yes. The sink leaves a zero out, and the source reads an absent field as zero.
    Implicit,
    /// No. The sink writes every value, including zero.
    Explicit,
    /// As explicit, and a reader gives an absent field a default that is neither null nor empty. This format writes
    /// nothing for null or an empty list, so both would be read as that default.
    Defaulted,
}
