//! Replaces the parts of an element that have changed.

mod element;
#[cfg(test)]
mod tests;

use crate::Rewrite;
use demat_core::{Error, ErrorKind, Result};
use element::{Attribute, Element};
use std::borrow::Cow;
use std::ops::Range;

/// Returns an element with the attributes, texts and child elements that have changed, and all other bytes as they are:
/// comments, white space, quotes, the order of attributes and children, and what the record does not know.
///
/// Children of one name are matched in their order; of a list that has grown or shrunk, the items that stay at its start
/// and its end keep their bytes. The prefixes of names do not count. A new child stands behind the one that it follows in
/// the document after the change, with the same white space before it.
///
/// ```
/// use demat_formats::{Rewrite, xml};
/// let old = b"<user id='7'>\n  <!-- first -->\n  <name>Ada</name><x/>\n</user>";
/// let before = b"<user id=\"7\"><name>Ada</name></user>";
/// let after = b"<user id=\"8\"><name>A&amp;B</name></user>";
/// let new = xml::rewrite(&Rewrite { old, columns: &[], before, after })?;
/// assert_eq!(new, b"<user id='8'>\n  <!-- first -->\n  <name>A&amp;B</name><x/>\n</user>");
/// # Ok::<(), demat_core::Error>(())
/// ```
///
/// # Errors
/// If the parts of the element do not correspond to those of the record, such as for an attribute that the record writes
/// as an element; if a changed text stands around elements in several pieces; or if a new part has a namespace.
pub fn rewrite(record: &Rewrite<'_>) -> Result<Vec<u8>> {
    let old = Element::parse(record.old)?;
    let (before, after) = (Element::parse(record.before)?, Element::parse(record.after)?);
    let mut edits = Edits { old: record.old, patches: Vec::new() };
    edits.element(&old, &before, &after)?;
    Ok(edits.applied())
}

/// The changes of an element's bytes.
struct Edits<'r> {
    old: &'r [u8],
    /// Ranges of the old bytes, and what stands in their place.
    patches: Vec<(Range<usize>, Vec<u8>)>,
}

impl Edits<'_> {
    fn put(&mut self, range: Range<usize>, new: impl Into<Vec<u8>>) {
        self.patches.push((range, new.into()));
    }

    fn applied(mut self) -> Vec<u8> {
        // Those at one place stay in the order in which they were made.
        self.patches.sort_by_key(|(range, _)| (range.start, range.end));
        let (mut out, mut at) = (Vec::with_capacity(self.old.len() + 64), 0);
        for (range, new) in self.patches {
            out.extend_from_slice(self.old.get(at..range.start).unwrap_or_default());
            out.extend_from_slice(&new);
            at = at.max(range.end);
        }
        out.extend_from_slice(&self.old[at..]);
        out
    }

    fn element(&mut self, old: &Element<'_>, before: &Element<'_>, after: &Element<'_>) -> Result<()> {
        if before.is_like(after) {
            return Ok(());
        }
        self.attributes(old, before, after)?;
        let mut inserted = Vec::new();
        if before.children.is_empty() && after.children.is_empty() {
            self.whole_text(old, before, after, &mut inserted)?;
        } else {
            self.children(old, before, after, &mut inserted)?;
            self.text_beside(old, before, after, &mut inserted)?;
        }
        if !inserted.is_empty() {
            self.opened(old, inserted);
        }
        Ok(())
    }

    /// Puts something at the start of the content.
    fn opened(&mut self, old: &Element<'_>, content: Vec<u8>) {
        if old.has_end {
            self.put(old.content.start..old.content.start, content);
        } else {
            // `<a/>`
            let new = [b">", &content[..], b"</", old.name, b">"].concat();
            self.put(old.content.start..old.range.end, new);
        }
    }

    fn attributes(&mut self, old: &Element<'_>, before: &Element<'_>, after: &Element<'_>) -> Result<()> {
        for was in &before.attributes {
            if after.attribute(was.name).is_none()
                && let Some(own) = old.attribute(was.name)
            {
                self.put(own.range.clone(), []);
            }
        }
        for is in &after.attributes {
            let was = before.attribute(is.name);
            if was.is_some_and(|was| was.value == is.value) {
                continue;
            }
            match (old.attribute(is.name), was) {
                (Some(own), _) => self.put(own.inside.clone(), within(is, own.quote)),
                (None, Some(_)) => return Err(apart(is.name)),
                (None, None) if is.name.contains(&b':') => return Err(namespaced(is.name)),
                (None, None) => {
                    let at = old.attributes.last().map_or(old.name_end, |last| last.range.end);
                    self.put(at..at, [b" ", is.name, b"=\"", is.value, b"\""].concat());
                }
            }
        }
        Ok(())
    }

    /// Replaces the text of an element without children.
    fn whole_text(
        &mut self,
        old: &Element<'_>,
        before: &Element<'_>,
        after: &Element<'_>,
        inserted: &mut Vec<u8>,
    ) -> Result<()> {
        let (was, is) = (before.text(), after.text());
        if was == is {
            return Ok(());
        }
        if old.children.is_empty() && old.has_end {
            let content = &self.old[old.content.clone()];
            let blank = |bytes: &[u8]| bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
            // White space around a number is none of its value.
            let is_trimmed = was == was.trim_ascii() && !was.is_empty() && content != content.trim_ascii();
            let start = if is_trimmed { old.content.start + blank(content) } else { old.content.start };
            let end = old.content.start + if is_trimmed { content.trim_ascii_end().len() } else { content.len() };
            self.put(start..end, is);
            return Ok(());
        }
        self.text_beside(old, before, after, inserted)
    }

    /// Replaces the text beside child elements.
    fn text_beside(
        &mut self,
        old: &Element<'_>,
        before: &Element<'_>,
        after: &Element<'_>,
        inserted: &mut Vec<u8>,
    ) -> Result<()> {
        let (was, is) = (before.text(), after.text());
        let (was, is) = (was.trim_ascii(), is.trim_ascii());
        if was == is {
            return Ok(());
        }
        match &old.texts[..] {
            [] => inserted.splice(0..0, is.iter().copied()).for_each(drop),
            [text] => {
                let bytes = &self.old[text.clone()];
                let start = text.start + bytes.len() - bytes.trim_ascii_start().len();
                self.put(start..start + bytes.trim_ascii().len(), is);
            }
            _ => return Err(Error::new(ErrorKind::Constraint, "the text that changes stands in several pieces")),
        }
        Ok(())
    }

    fn children(
        &mut self,
        old: &Element<'_>,
        before: &Element<'_>,
        after: &Element<'_>,
        inserted: &mut Vec<u8>,
    ) -> Result<()> {
        let mut names: Vec<&[u8]> = Vec::new();
        for child in before.children.iter().chain(&after.children) {
            if !names.contains(&child.local()) {
                names.push(child.local());
            }
        }
        for name in names {
            let (own, was, is) = (old.named(name), before.named(name), after.named(name));
            if was.len() == is.len() && was.iter().zip(&is).all(|(was, is)| was.is_like(is)) {
                continue;
            }
            if own.len() != was.len() && !own.is_empty() {
                return Err(apart(name));
            }
            if own.is_empty() && !was.is_empty() && old.attribute(name).is_some() {
                return Err(apart(name));
            }
            self.items(old, (&own, &was, &is), after, inserted)?;
        }
        Ok(())
    }

    /// Changes the children of one name.
    fn items(
        &mut self,
        old: &Element<'_>,
        (own, was, is): (&[&Element<'_>], &[&Element<'_>], &[&Element<'_>]),
        after: &Element<'_>,
        inserted: &mut Vec<u8>,
    ) -> Result<()> {
        // Those that the file leaves out, since they have their default, are new.
        let was = if own.is_empty() { &[] } else { was };
        let alike = |(was, is): &(&&Element<'_>, &&Element<'_>)| was.is_like(is);
        let first = was.iter().zip(is).take_while(alike).count();
        let most = was.len().min(is.len()) - first;
        let last = was.iter().rev().zip(is.iter().rev()).take_while(alike).count().min(most);
        // Where the numbers are the same, each is changed in its place.
        let changed = most - last;
        for index in first..first + changed {
            self.element(own[index], was[index], is[index])?;
        }
        for gone in &own[first + changed..own.len() - last] {
            let start = gone.range.start - self.blanks(gone.range.start, old.content.start);
            self.put(start..gone.range.end, []);
        }
        for new in &is[first + changed..is.len() - last] {
            if new.has_namespace() {
                return Err(namespaced(new.name));
            }
            // Behind the item before it, or before those that stay behind it.
            let before = (first + changed).checked_sub(1).and_then(|last| own.get(last));
            let Some(beside) = before.or_else(|| own.first()) else {
                self.insert(old, new, after, inserted);
                continue;
            };
            let start = beside.range.start - self.blanks(beside.range.start, old.content.start);
            let space = self.old[start..beside.range.start].to_vec();
            let at = if before.is_some() { beside.range.end } else { start };
            self.put(at..at, [&space, new.bytes].concat());
        }
        Ok(())
    }

    /// The number of bytes of white space before an offset, down to another one.
    fn blanks(&self, before: usize, from: usize) -> usize {
        let bytes = self.old.get(from..before).unwrap_or_default();
        bytes.len() - bytes.trim_ascii_end().len()
    }

    /// Inserts a child behind the last one in the old element of what stands before it after the change.
    fn insert(&mut self, old: &Element<'_>, new: &Element<'_>, after: &Element<'_>, inserted: &mut Vec<u8>) {
        let at = after.children.iter().position(|child| core::ptr::eq(child, new)).unwrap_or_default();
        let place = after.children[..at].iter().rev().find_map(|before| {
            let nth = after.children[..at].iter().filter(|child| child.local() == before.local()).count();
            let own = old.named(before.local());
            own.get(nth.min(own.len()).wrapping_sub(1)).copied()
        });
        if let Some(place) = place {
            let space = self.blanks(place.range.start, old.content.start);
            let space = self.old[place.range.start - space..place.range.start].to_vec();
            self.put(place.range.end..place.range.end, [&space, new.bytes].concat());
        } else {
            let first = old.children.first().map(|first| first.range.start);
            let space = first.map_or(0, |first| self.blanks(first, old.content.start));
            let space = first.map_or(&b""[..], |first| &self.old[first - space..first]);
            inserted.extend_from_slice(space);
            inserted.extend_from_slice(new.bytes);
        }
    }
}

/// Returns the value of an attribute for other quotes.
fn within<'a>(attribute: &Attribute<'a>, quote: u8) -> Cow<'a, [u8]> {
    if quote == b'"' || !attribute.value.contains(&quote) {
        return Cow::Borrowed(attribute.value);
    }
    let value = attribute.value.split(|byte| *byte == quote);
    Cow::Owned(value.collect::<Vec<_>>().join(&b"&apos;"[..]))
}

#[cold]
fn apart(name: &[u8]) -> Error {
    let name = String::from_utf8_lossy(name);
    let message = format!("`{name}` has changed, and does not stand in the element as it is written");
    Error::new(ErrorKind::Constraint, message)
}

#[cold]
fn namespaced(name: &[u8]) -> Error {
    let name = String::from_utf8_lossy(name);
    Error::new(ErrorKind::Constraint, format!("`{name}` is new and has a namespace, which can't be added in place"))
}
