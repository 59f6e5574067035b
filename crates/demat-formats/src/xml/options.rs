/// How XML is read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReadOptions {
    /// How deep elements may nest; 256 by default, at most 8,000.
    pub depth: u32,
    /// The name that the root element must have; `None` (default) takes any.
    pub root: Option<Box<str>>,
    /// Passes over a document type declaration, whose syntax is checked and of which nothing is obeyed. It is refused
    /// otherwise.
    pub doctype: bool,
    /// Reads prefixes as prefixes, which must be declared; true by default. Otherwise a colon is a character of a name.
    pub namespaces: bool,
    /// Reads an element or attribute without content as null instead of empty text.
    pub empty_null: bool,
}

impl Default for ReadOptions {
    fn default() -> Self {
        Self { depth: 256, root: None, doctype: false, namespaces: true, empty_null: false }
    }
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
