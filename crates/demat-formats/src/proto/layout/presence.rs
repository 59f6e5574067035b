/// Whether a value of zero is the same as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is. The sink leaves a zero out, and the source reads an absent field as zero.
    Implicit,
    /// It is not. The sink writes every value, a zero too.
    Explicit,
    /// As explicit, and a reader takes an absent field for a default that is neither null nor empty. This format writes
    /// nothing for a null and for an empty list, so both would come back as that default.
    Defaulted,
}
