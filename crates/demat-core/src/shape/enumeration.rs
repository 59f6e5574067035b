use std::borrow::Cow;

/// A set of names, each with a number.
#[derive(Debug, Clone, PartialEq)]
pub struct Enum {
    name: Cow<'static, str>,
    variants: Cow<'static, [(Cow<'static, str>, i64)]>,
}

impl Enum {
    /// Returns an enum in a constant.
    pub const fn fixed(name: &'static str, variants: &'static [(Cow<'static, str>, i64)]) -> Self {
        Self { name: Cow::Borrowed(name), variants: Cow::Borrowed(variants) }
    }

    /// Returns an enum made at run time.
    pub fn new(name: impl Into<Cow<'static, str>>, variants: Vec<(Cow<'static, str>, i64)>) -> Self {
        Self { name: name.into(), variants: Cow::Owned(variants) }
    }

    /// Its own name; empty if it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The number of names.
    pub fn len(&self) -> usize {
        self.variants.len()
    }

    /// Whether it has no names.
    pub fn is_empty(&self) -> bool {
        self.variants.is_empty()
    }

    /// The name at an index.
    pub fn name_at(&self, index: usize) -> &str {
        &self.variants[index].0
    }

    /// The number at an index.
    pub fn number_at(&self, index: usize) -> i64 {
        self.variants[index].1
    }

    /// Returns the index of a name.
    pub fn index_of(&self, name: &str) -> Option<usize> {
        self.variants.iter().position(|(own, _)| own == name)
    }

    /// Returns the index of a number.
    pub fn index_of_number(&self, number: i64) -> Option<usize> {
        self.variants.iter().position(|(_, own)| *own == number)
    }

    /// Lists all names for an error.
    pub fn names(&self) -> String {
        let names: Vec<_> = self.variants.iter().map(|(name, _)| format!("`{name}`")).collect();
        names.join(" or ")
    }
}
