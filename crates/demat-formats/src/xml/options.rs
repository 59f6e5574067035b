/// How XML is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep elements may nest; 256 by default, at most 8,000.
    pub depth: u32,
    /// The name that the root element must have; `None` (default) takes any.
    pub root: Option<Box<str>>,
    /// What a document type declaration does; refused by default.
    pub doctype: Doctype,
    /// Reads prefixes as prefixes, which must be declared; true by default. Otherwise a colon is a character of a name.
    pub namespaces: bool,
    /// Reads an element or attribute without content as null instead of empty text.
    pub empty_null: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 256, root: None, doctype: Doctype::Refuse, namespaces: true, empty_null: false }
    }
}

/// What a document type declaration does. External entities are never read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Doctype {
    /// It is an error.
    #[default]
    Refuse,
    /// Its syntax is checked, and its declarations are ignored.
    Skip,
    /// References to entities that it declares with their texts are expanded, up to limits: 32 entities within each
    /// other, 1 MiB for a reference, and 1 MiB plus ten times the input before for all of them. Other declarations are
    /// ignored. Only [`Xml`](super::Xml) expands; an [`XmlSource`](super::XmlSource) over a slice refuses the references.
    Expand,
}

/// How XML is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// So many spaces for each level, every element on a line of its own; `None` (default) writes no space.
    pub indent: Option<u8>,
    /// The name of the root element; `None` (default): that of the record, or `root`.
    pub root: Option<Box<str>>,
    /// The name of each item of the outermost list; `None` (default): that of the record, or `item`.
    pub item: Option<Box<str>>,
    /// The namespace of the root element, and of all in it that say none.
    pub namespace: Option<Box<str>>,
    /// Writes the XML declaration; true by default.
    pub declaration: bool,
    /// How deep elements may nest; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { indent: None, root: None, item: None, namespace: None, declaration: true, depth: 1024 }
    }
}
