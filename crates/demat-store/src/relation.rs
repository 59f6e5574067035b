//! How the records of one list lead to those of others.

/// A foreign key, seen from one of its two lists.
///
/// ```
/// use demat_store::Relation;
/// let author = Relation {
///     name: "authors".into(),
///     alias: "author_id:authors".into(),
///     fields: vec!["author_id".into()],
///     to: "/authors".parse()?,
///     to_fields: vec!["id".into()],
///     is_many: false,
/// };
/// assert!(author.is_called("authors") && author.is_called("author_id:authors"));
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Relation {
    /// The name of the other list, which several relations may have.
    pub name: String,
    /// A name that no other relation has: with the fields of the foreign key.
    pub alias: String,
    /// The fields of this list.
    pub fields: Vec<String>,
    /// The reference of the other list.
    pub to: crate::Reference,
    /// The fields of the other list that have the same values.
    pub to_fields: Vec<String>,
    /// Whether many records of the other list may belong to one of this.
    pub is_many: bool,
}

impl Relation {
    /// Whether a client may mean this relation by a name.
    pub fn is_called(&self, name: &str) -> bool {
        self.name == name || self.alias == name
    }
}
