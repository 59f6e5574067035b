/// How XML is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// The maximum depth of elements; 256 by default, at most 8,000.
    pub depth: u32,
    /// The name that the root element must have; `None` (default) takes any.
    pub root: Option<Box<str>>,
    /// What a document type declaration does; refused by default.
    pub doctype: Doctype,
    /// Whether prefixes of names must be declared; true by default. Otherwise a colon is part of the name.
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
    /// ignored. Only [`Xml`](super::Xml) expands; [`XmlSource`](super::XmlSource) over a slice refuses the references.
    Expand,
}

/// How XML is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteOptions {
    /// The number of spaces per level, with each element on its own line; `None` (default) writes no white space.
    pub indent: Option<u8>,
    /// The name of the root element; `None` (default): that of the record, or `root`.
    pub root: Option<Box<str>>,
    /// The name of each item of the outermost list; `None` (default): that of the record, or `item`.
    pub item: Option<Box<str>>,
    /// The namespace of the root element, and of all elements without their own.
    pub namespace: Option<Box<str>>,
    /// Writes the XML declaration; true by default.
    pub declaration: bool,
    /// The maximum depth of elements; 1,024 by default.
    pub depth: u32,
}

impl Default for WriteOptions {
    fn default() -> Self {
        Self { indent: None, root: None, item: None, namespace: None, declaration: true, depth: 1024 }
    }
}
