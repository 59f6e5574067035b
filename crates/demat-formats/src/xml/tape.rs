//! The index of one element: the offsets of all its parts. Values stay in the window. One pass builds the index, checks
//! that the element is well-formed, and links elements of the same name.

use super::scan::{Attribute, Scanner, Token, chars};
use super::scope::{DEMAT, Scope, XSI, declared};
use crate::keyed_hash::KeyedHash;
use crate::scan::xml_special;
use core::ops::Range;
use demat_core::{Error, ErrorKind, Result, Signal};
use std::collections::HashMap;
use std::sync::Arc;

/// The kind of a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NodeKind {
    Element,
    Attribute,
    /// Text between two parts of markup.
    Text,
    Cdata,
}

/// A part of the element. Offsets count from the element's first byte.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// Whether the text needs no unescaping.
    pub(super) plain: bool,
    pub(super) flags: Flags,
    name: (u32, u32),
    /// A hash of an element's name: other hashes mean other names.
    hash: u32,
    /// The range of the whole element, of the attribute's value, or of the text.
    begin: u32,
    end: u32,
    /// The next node after this one and all nodes in it.
    pub(super) next: u32,
    /// The next sibling of the same name, or 0.
    pub(super) again: u32,
    /// The namespace of the name: one more than its index in the tape's list; 0 if there is none.
    space: u32,
}

impl Node {
    /// The range of the name.
    pub(super) fn name(&self) -> Range<usize> {
        self.name.0 as usize..self.name.1 as usize
    }

    /// The range of the whole element, of the attribute's value, or of the text.
    pub(super) fn range(&self) -> Range<usize> {
        self.begin as usize..self.end as usize
    }

    /// The begin of that range.
    pub(super) fn begin(&self) -> usize {
        self.begin as usize
    }

    /// The end of that range.
    pub(super) fn end(&self) -> usize {
        self.end as usize
    }
}

/// Properties of an element or attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Flags(u16);

impl Flags {
    /// It is the first of its name among its siblings.
    pub(super) const FIRST: Self = Self(1);
    /// It has child elements.
    pub(super) const CHILDREN: Self = Self(2);
    /// It has attributes.
    pub(super) const ATTRIBUTES: Self = Self(4);
    /// It has attributes other than declarations of namespaces and `xsi:nil`.
    pub(super) const OTHERS: Self = Self(8);
    /// It has text other than white space.
    pub(super) const SOLID: Self = Self(16);
    /// It has any text.
    pub(super) const TEXT: Self = Self(32);
    /// `xsi:nil` is true.
    pub(super) const NIL: Self = Self(64);
    /// It represents an empty list.
    pub(super) const NO_ITEMS: Self = Self(128);
    /// It is the only item of a list.
    pub(super) const ITEM: Self = Self(256);
    /// The attribute describes the document: a record need not have a field for it.
    pub(super) const ASIDE: Self = Self(512);
    /// The attribute is only for Demat.
    pub(super) const HIDDEN: Self = Self(1024);

    pub(super) fn has(self, flag: Self) -> bool {
        self.0 & flag.0 != 0
    }

    fn add(&mut self, flag: Self) {
        self.0 |= flag.0;
    }
}

/// The index of one element.
#[derive(Debug, Default)]
pub(super) struct Tape {
    /// The element, then its parts in the order of the document, attributes first.
    pub(super) nodes: Vec<Node>,
    /// The namespaces of names.
    spaces: Vec<Arc<str>>,
    attributes: Vec<Attribute>,
    /// The last child element of each name, while children are linked.
    names: Vec<u32>,
    /// The open elements, and how many namespaces were in scope before each.
    open: Vec<(u32, usize)>,
    /// The key of the hashes of names; made when it is needed first.
    key: Option<KeyedHash>,
    /// The progress of an element that the last window ended in.
    partial: Option<Partial>,
}

/// The progress of an element whose end is not in the window yet. Indexing continues there in the next window, so that
/// an element in many small windows takes linear time.
#[derive(Debug)]
struct Partial {
    /// The offset of the element in the place.
    unit: u64,
    /// The bytes that are indexed.
    done: usize,
    /// The declarations in scope behind those bytes, without those around the element.
    scope: Scope,
}

/// Up to this number, names are compared one by one; further names use a table.
const FEW: usize = 16;

impl Tape {
    /// Removes the nodes, and what is known of an element that is not whole.
    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.spaces.clear();
        self.open.clear();
        self.partial = None;
    }

    /// Whether an element is indexed, from its begin to its end.
    pub(super) fn is_built(&self) -> bool {
        !self.nodes.is_empty() && self.partial.is_none()
    }

    /// The namespace of a node's name.
    pub(super) fn space_of(&self, node: &Node) -> Option<&str> {
        self.spaces.get((node.space as usize).checked_sub(1)?).map(|space| &**space)
    }

    /// Indexes the element that begins at `at`, which is offset `unit` of the place. `levels` is the maximum depth of
    /// elements in it, itself included.
    ///
    /// # Errors
    /// If the element is not well-formed. If the window ends in it, the next call for the same `unit` continues.
    pub(super) fn build(
        &mut self,
        scanner: Scanner<'_>,
        (at, unit): (usize, u64),
        scope: &mut Scope,
        levels: usize,
    ) -> Result<()> {
        let outside = scope.len();
        let mut done = 0;
        match self.partial.take().filter(|partial| partial.unit == unit) {
            Some(partial) => {
                done = partial.done;
                scope.append(partial.scope);
            }
            None => self.clear(),
        }
        let built = self.index(scanner, at, &mut done, scope, levels);
        match &built {
            Ok(()) => scope.truncate(outside),
            Err(error) if error.signal() == Some(Signal::Incomplete) => {
                self.partial = Some(Partial { unit, done, scope: scope.split_off(outside) });
            }
            Err(_) => {
                scope.truncate(outside);
                self.clear();
            }
        }
        built
    }

    /// Indexes from `done` bytes behind `from`. Counts the bytes of whole tokens in `done`.
    fn index(
        &mut self,
        scanner: Scanner<'_>,
        from: usize,
        done: &mut usize,
        scope: &mut Scope,
        levels: usize,
    ) -> Result<()> {
        loop {
            let mut at = from + *done;
            if let Some(end) = self.plain_element(scanner, at, from, scope, levels) {
                at = end;
            } else if let Some(end) = self.matching_end(scanner, at, from) {
                at = end;
                self.close(at - from, scanner, from, scope)?;
            } else {
                match scanner.token(at)? {
                    Token::Start => {
                        if self.open.len() >= levels {
                            return Err(Error::limit("the depth of nesting", levels).at(scanner.position(at)));
                        }
                        at = self.start(scanner, at, from, scope)?;
                    }
                    Token::End(begin, end, after) => {
                        self.end(scanner, (begin, end), from)?;
                        at = after;
                        self.close(at - from, scanner, from, scope)?;
                    }
                    Token::Text(end, plain) => {
                        self.text(NodeKind::Text, plain, at..end, scanner, from);
                        at = end;
                    }
                    Token::Cdata(begin, end, after, plain) => {
                        self.text(NodeKind::Cdata, plain, begin..end, scanner, from);
                        at = after;
                    }
                    Token::Passed(end) => at = end,
                }
            }
            if u32::try_from(at - from).is_err() {
                return Err(Error::limit("the number of bytes of a record", u32::MAX));
            }
            *done = at - from;
            if self.open.is_empty() {
                return Ok(());
            }
        }
    }

    /// Adds an element whose start tag is only a name in ASCII without a prefix, and its content and its end tag if the
    /// content is only plain text. Returns the end of what was added; `None` for any other element, without a change.
    fn plain_element(
        &mut self,
        scanner: Scanner<'_>,
        at: usize,
        from: usize,
        scope: &Scope,
        levels: usize,
    ) -> Option<usize> {
        let bytes = scanner.bytes();
        let rest = bytes.get(at..)?.strip_prefix(b"<")?;
        let len = chars::plain_name_len(rest);
        // The document's last bytes are left to the other functions, which know whether more follows.
        if len == 0 || rest.get(len) != Some(&b'>') || self.open.len() >= levels {
            return None;
        }
        let name = &rest[..len];
        let begin = at + len + 2;
        let own = self.nodes.len() as u32;
        if let Some((parent, _)) = self.open.last() {
            self.nodes[*parent as usize].flags.add(Flags::CHILDREN);
        }
        let space = if scope.len() == 0 { 0 } else { self.space(scope.of_elements()) };
        let mut element = Node {
            kind: NodeKind::Element,
            plain: true,
            flags: Flags::default(),
            name: range(at + 1 - from..begin - 1 - from),
            hash: hash(name),
            begin: (at - from) as u32,
            end: (begin - from) as u32,
            next: 0,
            again: 0,
            space,
        };
        let end = xml_special(bytes, begin);
        let after = bytes[end..].strip_prefix(b"</").and_then(|rest| rest.strip_prefix(name));
        if end == begin || self.open.is_empty() || after.and_then(<[u8]>::first) != Some(&b'>') {
            self.nodes.push(element);
            self.open.push((own, scope.len()));
            return Some(begin);
        }
        element.flags.add(Flags::TEXT);
        if !bytes[begin..end].iter().all(|byte| chars::is_space(*byte)) {
            element.flags.add(Flags::SOLID);
        }
        let close = end + len + 3;
        (element.end, element.next) = ((close - from) as u32, own + 2);
        self.nodes.push(element);
        self.nodes.push(text_node(NodeKind::Text, true, begin - from..end - from, own + 2));
        Some(close)
    }

    /// Returns the end of the end tag at an offset if it is that of the innermost element, without white space.
    fn matching_end(&self, scanner: Scanner<'_>, at: usize, from: usize) -> Option<usize> {
        let rest = scanner.rest(at).strip_prefix(b"</")?;
        let node = self.nodes.get(self.open.last()?.0 as usize)?;
        let name = scanner.slice(from + node.name.0 as usize, from + node.name.1 as usize);
        let is_own = rest.get(name.len()) == Some(&b'>') && rest.starts_with(name);
        is_own.then_some(at + 2 + name.len() + 1)
    }

    /// Returns the index of a namespace for a node.
    fn space(&mut self, space: Option<&Arc<str>>) -> u32 {
        let Some(space) = space else { return 0 };
        // Neighbours mostly have the same one.
        let is_own = |known: &Arc<str>| Arc::ptr_eq(known, space);
        if let Some(index) = self.spaces.iter().rev().take(4).position(is_own) {
            return (self.spaces.len() - index) as u32;
        }
        self.spaces.push(space.clone());
        self.spaces.len() as u32
    }

    /// Adds an element and its attributes.
    fn start(&mut self, scanner: Scanner<'_>, at: usize, from: usize, scope: &mut Scope) -> Result<usize> {
        let mut attributes = core::mem::take(&mut self.attributes);
        let outside = scope.len();
        let read = scanner.start_tag(at, &mut attributes);
        let named = read.and_then(|tag| scope.enter(scanner, at, tag, &attributes).map(|named| (tag, named)));
        self.attributes = attributes;
        let (tag, named) = named.inspect_err(|_| scope.truncate(outside))?;
        if let Some((parent, _)) = self.open.last() {
            self.nodes[*parent as usize].flags.add(Flags::CHILDREN);
        }
        let own = self.nodes.len();
        let space = self.space(named.element.as_ref());
        self.nodes.push(Node {
            kind: NodeKind::Element,
            plain: true,
            flags: Flags::default(),
            name: range(at + 1 - from..tag.name - from),
            hash: hash(scanner.slice(at + 1, tag.name)),
            begin: (at - from) as u32,
            end: (tag.end - from) as u32,
            next: 0,
            again: 0,
            space,
        });
        for index in 0..self.attributes.len() {
            let attribute = self.attributes[index];
            let space = named.attributes.get(index).cloned().flatten();
            let name = scanner.slice(attribute.name.0, attribute.name.1);
            let value = scanner.slice(attribute.value.0, attribute.value.1);
            let mut flags = Flags::default();
            let element = &mut self.nodes[own].flags;
            let local = name.iter().rposition(|byte| *byte == b':').map_or(name, |colon| &name[colon + 1..]);
            match space.as_deref() {
                _ if declared(name).is_some() => {
                    flags.add(Flags::ASIDE);
                    if value == DEMAT.as_bytes() {
                        flags.add(Flags::HIDDEN);
                    }
                }
                Some(XSI) => {
                    flags.add(Flags::ASIDE);
                    if local != b"nil" {
                        element.add(Flags::OTHERS);
                    } else if matches!(value.trim_ascii(), b"true" | b"1") {
                        element.add(Flags::NIL);
                    }
                }
                Some(DEMAT) => {
                    flags.add(Flags::ASIDE);
                    flags.add(Flags::HIDDEN);
                    match (local, value) {
                        (b"list", b"empty") => element.add(Flags::NO_ITEMS),
                        (b"list", b"item") => element.add(Flags::ITEM),
                        _ => {}
                    }
                }
                _ => element.add(Flags::OTHERS),
            }
            if !flags.has(Flags::HIDDEN) {
                element.add(Flags::ATTRIBUTES);
            }
            let (begin, end) = range(attribute.value.0 - from..attribute.value.1 - from);
            let node = Node {
                kind: NodeKind::Attribute,
                plain: attribute.plain,
                flags,
                name: range(attribute.name.0 - from..attribute.name.1 - from),
                hash: 0,
                begin,
                end,
                next: self.nodes.len() as u32 + 1,
                again: 0,
                space: self.space(space.as_ref()),
            };
            self.nodes.push(node);
        }
        self.open.push((own as u32, outside));
        if tag.empty {
            self.close(tag.end - from, scanner, from, scope)?;
        }
        Ok(tag.end)
    }

    fn text(&mut self, kind: NodeKind, plain: bool, text: Range<usize>, scanner: Scanner<'_>, from: usize) {
        if let Some((parent, _)) = self.open.last() {
            let solid = !scanner.slice(text.start, text.end).iter().all(|byte| chars::is_space(*byte));
            let flags = &mut self.nodes[*parent as usize].flags;
            flags.add(Flags::TEXT);
            if solid || kind == NodeKind::Cdata {
                flags.add(Flags::SOLID);
            }
        }
        let next = self.nodes.len() as u32 + 1;
        self.nodes.push(text_node(kind, plain, text.start - from..text.end - from, next));
    }

    /// Checks that an end tag has the name of the innermost element.
    fn end(&self, scanner: Scanner<'_>, (begin, end): (usize, usize), from: usize) -> Result<()> {
        let open = self.open.last().and_then(|(own, _)| self.nodes.get(*own as usize));
        let own = open.map_or(&[][..], |node| name_of(scanner, from, node));
        if own == scanner.slice(begin, end) { Ok(()) } else { Err(other_end(scanner, (begin, end), own)) }
    }

    /// Closes the innermost element at its end.
    fn close(&mut self, end: usize, scanner: Scanner<'_>, from: usize, scope: &mut Scope) -> Result<()> {
        let Some((own, outside)) = self.open.pop() else { return Ok(()) };
        scope.truncate(outside);
        let Ok(next) = u32::try_from(self.nodes.len()) else {
            return Err(Error::limit("the number of parts of a record", u32::MAX));
        };
        let node = &mut self.nodes[own as usize];
        (node.end, node.next) = (end as u32, next);
        if node.flags.has(Flags::CHILDREN) {
            self.link(own, scanner, from);
        }
        Ok(())
    }

    /// Links the child elements of the same name.
    fn link(&mut self, parent: u32, scanner: Scanner<'_>, from: usize) {
        let end = self.nodes[parent as usize].next;
        let mut few = core::mem::take(&mut self.names);
        few.clear();
        let mut many: HashMap<&[u8], u32, KeyedHash> =
            HashMap::with_hasher(*self.key.get_or_insert_with(KeyedHash::new));
        let mut at = parent + 1;
        let mut previous: Option<usize> = None;
        while at < end {
            let node = self.nodes[at as usize];
            let next = node.next;
            if node.kind != NodeKind::Element {
                at = next;
                continue;
            }
            let name = name_of(scanner, from, &node);
            let is_own = |last: &u32| {
                let other = &self.nodes[*last as usize];
                other.hash == node.hash && name_of(scanner, from, other) == name
            };
            // `few` holds the last element of each name.
            let known = previous.filter(|index| few.get(*index).is_some_and(is_own));
            let known = known.or_else(|| few.iter().position(is_own));
            let mut last = None;
            if let Some(index) = known {
                last = Some(core::mem::replace(&mut few[index], at));
                previous = Some(index);
            } else if few.len() < FEW {
                few.push(at);
                previous = Some(few.len() - 1);
            } else {
                last = many.insert(name, at);
            }
            match last {
                Some(last) => self.nodes[last as usize].again = at,
                None => self.nodes[at as usize].flags.add(Flags::FIRST),
            }
            at = next;
        }
        self.names = few;
    }
}

fn text_node(kind: NodeKind, plain: bool, text: Range<usize>, next: u32) -> Node {
    let (begin, end) = range(text);
    Node { kind, plain, flags: Flags::default(), name: (0, 0), hash: 0, begin, end, next, again: 0, space: 0 }
}

/// The name of a node.
fn name_of<'a>(scanner: Scanner<'a>, from: usize, node: &Node) -> &'a [u8] {
    scanner.slice(from + node.name.0 as usize, from + node.name.1 as usize)
}

/// A range as a node has it. It is at most 4 GiB, which `index` checks before the index is used.
fn range(range: Range<usize>) -> (u32, u32) {
    (range.start as u32, range.end as u32)
}

/// Hashes a name by its length and the bytes at its ends. Names with equal hashes are compared.
fn hash(name: &[u8]) -> u32 {
    let (head, tail) = match name {
        [a, b, c, d, ..] => (u32::from_le_bytes([*a, *b, *c, *d]), &name[name.len() - 4..]),
        _ => (0, name),
    };
    let tail = tail.iter().fold(0, |hash, byte| hash << 8 | u32::from(*byte));
    head.wrapping_mul(0x9E37_79B1) ^ tail.rotate_left(11).wrapping_mul(0x85EB_CA77) ^ name.len() as u32
}

#[cold]
pub(super) fn other_end(scanner: Scanner<'_>, (begin, end): (usize, usize), own: &[u8]) -> Error {
    let tag = |name| format!("`</{}>`", String::from_utf8_lossy(name));
    let error = Error::mismatch(ErrorKind::Syntax, tag(own), tag(scanner.slice(begin, end)));
    error.at(scanner.position(begin))
}
