/// Whether a value of zero is the same as none.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Presence {
    /// It is: zero is not written, and what did not come is zero.
    Implicit,
    /// It is not: what there is is written.
    Explicit,
    /// As explicit. And a reader takes an absent field for a default that is neither null nor empty, so a null or an
    /// empty list, which this format writes as nothing, would come back as that default.
    Defaulted,
}
