//! The namespaces that are in scope.

use super::scan::{Attribute, Content, Scanner, StartTag, unescape};
use demat_core::{Error, Result};
use std::collections::HashSet;
use std::sync::Arc;

/// The namespace of attributes such as `xsi:nil`.
pub(super) const XSI: &str = "http://www.w3.org/2001/XMLSchema-instance";
/// The namespace of `demat:list`, which marks empty lists and lists of one item.
pub(super) const DEMAT: &str = "urn:demat:xml";
const XML: &str = "http://www.w3.org/XML/1998/namespace";
const XMLNS: &str = "http://www.w3.org/2000/xmlns/";

/// The maximum number of declarations in scope. Each name with a prefix is looked up among them.
const MOST: usize = 256;

/// The declarations in scope, the innermost last.
#[derive(Debug, Clone, Default)]
pub(super) struct Scope(Vec<(Box<str>, Arc<str>)>);

/// The parts of a start tag: the namespace of its name, and of each attribute.
#[derive(Debug)]
pub(super) struct Named {
    pub(super) element: Option<Arc<str>>,
    pub(super) attributes: Vec<Option<Arc<str>>>,
}

impl Scope {
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    pub(super) fn truncate(&mut self, len: usize) {
        self.0.truncate(len);
    }

    /// Removes the declarations behind the first `len`, and returns them.
    pub(super) fn split_off(&mut self, len: usize) -> Self {
        Self(self.0.split_off(len.min(self.0.len())))
    }

    /// Adds declarations as the innermost.
    pub(super) fn append(&mut self, mut inner: Self) {
        self.0.append(&mut inner.0);
    }

    /// The namespace of a prefix; the empty one is that of names without one.
    pub(super) fn find(&self, prefix: &str) -> Option<&Arc<str>> {
        self.0.iter().rev().find(|(own, _)| **own == *prefix).map(|(_, uri)| uri)
    }

    /// The namespace of elements without a prefix.
    pub(super) fn of_elements(&self) -> Option<&Arc<str>> {
        self.find("").filter(|uri| !uri.is_empty())
    }

    /// A prefix of a namespace.
    pub(super) fn prefix_of(&self, uri: &str) -> Option<String> {
        let own = self.0.iter().rev().find(|(prefix, own)| {
            **own == *uri && !prefix.is_empty() && self.find(prefix).is_some_and(|found| found == own)
        });
        own.map(|(prefix, _)| prefix.to_string())
    }

    /// Whether a prefix was declared after the first `len` declarations.
    pub(super) fn has_since(&self, len: usize, prefix: &str) -> bool {
        self.0.iter().skip(len).any(|(own, _)| **own == *prefix)
    }

    pub(super) fn declare(&mut self, prefix: &str, uri: &str) {
        self.0.push((prefix.into(), uri.into()));
    }

    /// Adds the declarations of a start tag, and resolves the namespaces of its names.
    pub(super) fn enter(
        &mut self,
        scanner: Scanner<'_>,
        at: usize,
        tag: StartTag,
        attributes: &[Attribute],
    ) -> Result<Named> {
        if !scanner.namespaces {
            return Ok(Named { element: None, attributes: Vec::new() });
        }
        for attribute in attributes {
            if let Some(prefix) = declared(scanner.slice(attribute.name.0, attribute.name.1)) {
                self.declare_checked(scanner, attribute, prefix)?;
            }
        }
        let (_, element) = self.resolve(scanner, (at + 1, tag.name), true)?;
        // An attribute without a prefix has no namespace.
        if !attributes.iter().any(|one| has_colon(scanner, one)) {
            return Ok(Named { element, attributes: Vec::new() });
        }
        let mut spaces = Vec::with_capacity(attributes.len());
        let mut seen: HashSet<(Arc<str>, &[u8])> = HashSet::new();
        for attribute in attributes {
            let (colon, space) = self.resolve(scanner, attribute.name, false)?;
            if let Some(space) = &space {
                let local = scanner.slice(attribute.name.0 + colon, attribute.name.1);
                if attributes.len() > 1 && !seen.insert((space.clone(), local)) {
                    let message = "the attribute is repeated under another prefix";
                    return Err(scanner.wrong(attribute.name.0, message));
                }
            }
            spaces.push(space);
        }
        Ok(Named { element, attributes: spaces })
    }

    fn declare_checked(&mut self, scanner: Scanner<'_>, attribute: &Attribute, prefix: &[u8]) -> Result<()> {
        if self.0.len() >= MOST {
            let error = Error::limit("the number of namespace declarations in scope", MOST);
            return Err(error.at(scanner.position(attribute.name.0)));
        }
        let prefix = String::from_utf8_lossy(prefix);
        let raw = scanner.slice(attribute.value.0, attribute.value.1);
        let mut uri = String::new();
        unescape(core::str::from_utf8(raw).unwrap_or_default(), Content::Attribute, &mut uri);
        let refused = match (&*prefix, &*uri) {
            ("xml", XML) => None,
            ("xml", _) | (_, XML) => Some("only the prefix `xml` has its namespace, and no other one"),
            ("xmlns", _) | (_, XMLNS) => Some("`xmlns` and its namespace can't be declared"),
            ("", "") => None,
            (_, "") => Some("a prefix can't be declared to have no namespace"),
            _ => None,
        };
        if let Some(message) = refused {
            return Err(scanner.wrong(attribute.name.0, message));
        }
        self.0.push((prefix.into(), uri.into()));
        Ok(())
    }

    /// The length of a prefix with its colon, and the namespace of a name.
    fn resolve(
        &self,
        scanner: Scanner<'_>,
        (begin, end): (usize, usize),
        element: bool,
    ) -> Result<(usize, Option<Arc<str>>)> {
        let name = scanner.slice(begin, end);
        let Some(colon) = memchr::memchr(b':', name) else {
            let own = if element { self.of_elements() } else { None };
            return Ok((0, own.cloned()));
        };
        let prefix = String::from_utf8_lossy(&name[..colon]);
        let space = match &*prefix {
            "xml" => Some(Arc::from(XML)),
            "xmlns" if !element => Some(Arc::from(XMLNS)),
            prefix => self.find(prefix).cloned(),
        };
        match space {
            Some(space) => Ok((colon + 1, Some(space))),
            None => Err(scanner.wrong(begin, format!("the prefix `{prefix}` is not declared"))),
        }
    }
}

/// The prefix that an attribute of this name declares, which may be empty.
pub(super) fn declared(name: &[u8]) -> Option<&[u8]> {
    match name.strip_prefix(b"xmlns")? {
        [] => Some(&[]),
        [b':', prefix @ ..] => Some(prefix),
        _ => None,
    }
}

fn has_colon(scanner: Scanner<'_>, attribute: &Attribute) -> bool {
    scanner.slice(attribute.name.0, attribute.name.1).contains(&b':')
}
