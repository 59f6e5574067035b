use super::Wire;
use demat_core::{Layout, Union, Variant};

/// How the variants of a union are encoded.
#[derive(Debug)]
pub struct UnionLayout(Box<[Wire]>);

impl Layout<Variant> for UnionLayout {
    fn compile(variants: &[Variant]) -> Self {
        Self(variants.iter().map(Wire::of_variant).collect())
    }
}

impl UnionLayout {
    /// Returns the layout that the union keeps.
    pub fn of(union: &Union) -> &Self {
        union.layout::<Self>()
    }

    /// Returns how the variant with this index is encoded.
    ///
    /// # Panics
    /// If the union has no such variant.
    pub fn wire(&self, index: usize) -> Wire {
        self.0[index]
    }
}
