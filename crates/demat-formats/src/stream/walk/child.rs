//! Steps into the containers on the way to records, and to their children.

use super::{Open, Phase, Walk};
use crate::lookup::read_key;
use crate::stream::record_paths::Node;
use demat_core::{Error, ErrorKind, Result, Source};
use std::collections::BTreeMap;

impl Walk {
    /// Enters a container on the way to records.
    pub(super) fn enter<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<()> {
        let mut open = Open { node: self.node, ..Open::default() };
        match &self.paths.nodes()[self.node] {
            Node::Keys(children) => {
                source.map()?;
                for child in children.values() {
                    self.found[*child] = false;
                }
            }
            Node::Indices(children) => {
                source.list()?;
                for child in children.values() {
                    self.found[*child] = false;
                }
            }
            Node::Values(_) => drop(source.map()?),
            Node::Each(child) => {
                source.list()?;
                if let Some(path) = self.record(*child) {
                    self.selected = path;
                    open.items = true;
                }
            }
            Node::Elements(_) => source.elements()?,
            Node::Record(_) => {}
        }
        if self.is_in_header(self.node) {
            let nodes = self.paths.nodes();
            let around =
                self.open.iter().rev().find(|open| matches!(nodes[open.node], Node::Keys(_) | Node::Values(_)));
            let alone = around.is_some_and(|open| matches!(nodes[open.node], Node::Values(_)));
            if let Some(header) = &mut self.header {
                header.enter(around.map_or("", |open| &open.key), alone);
            }
        }
        self.open.push(open);
        self.phase = Phase::Children;
        Ok(())
    }

    /// Returns whether a node is a map that is a part of the header.
    pub(super) fn is_in_header(&self, node: usize) -> bool {
        match &self.paths.nodes()[node] {
            Node::Keys(_) => true,
            Node::Values(child) => self.record(*child).is_none(),
            _ => false,
        }
    }

    /// Returns the key of the current child, if the container is a map.
    #[cold]
    pub(super) fn key_of<'o>(&'o self, open: &'o Open) -> Option<&'o str> {
        match &self.paths.nodes()[open.node] {
            Node::Keys(children) => {
                children.iter().find(|(_, child)| **child == open.child).map(|(key, _)| key.as_str())
            }
            Node::Values(_) => Some(&open.key),
            _ => None,
        }
    }

    /// Steps to the next child of the innermost container. Returns whether it is a record.
    pub(super) fn child<'a, S: Source<'a>>(&mut self, source: &mut S) -> Result<bool> {
        let level = self.open.len();
        let Some(open) = self.open.last_mut() else {
            self.phase = Phase::After;
            return Ok(false);
        };
        let child = match &self.paths.nodes()[open.node] {
            Node::Keys(children) => {
                if !source.entry()? {
                    if let Some((key, _)) = children.iter().find(|(_, child)| !self.found[**child]) {
                        return Err(Error::missing(key).at(source.position()));
                    }
                    self.close();
                    return Ok(false);
                }
                let key = source.text()?;
                let child = children.get(&*key).copied();
                if child.is_some_and(|child| self.found[child]) {
                    return Err(again(&key).at(source.position()));
                }
                let beside = child.is_none() && self.header.as_ref().is_some_and(|own| own.wanted(&key).is_some());
                if beside {
                    self.key.clear();
                    self.key.push_str(&key);
                }
                if self.header.is_some() && child.is_some() {
                    open.key.clear();
                    open.key.push_str(&key);
                }
                source.value()?;
                if beside {
                    self.phase = Phase::Beside;
                    return Ok(false);
                }
                child
            }
            Node::Indices(children) => {
                if !source.item()? {
                    if let Some((index, _)) = children.iter().find(|(_, child)| !self.found[**child]) {
                        let (expected, found) = (format!("item {index}"), format!("a list of {}", open.count));
                        return Err(Error::mismatch(ErrorKind::Constraint, expected, found).at(source.position()));
                    }
                    self.close();
                    return Ok(false);
                }
                children.get(&open.count).copied()
            }
            Node::Each(child) => {
                if !source.item()? {
                    self.close();
                    return Ok(false);
                }
                if open.items {
                    return Ok(true);
                }
                Some(*child)
            }
            Node::Values(child) => {
                if !source.entry()? {
                    self.close();
                    return Ok(false);
                }
                open.is_text = read_key(source, &mut open.key)?;
                source.value()?;
                if let Node::Record(path) = &self.paths.nodes()[*child] {
                    self.selected = *path;
                    return Ok(true);
                }
                Some(*child)
            }
            Node::Elements(names) => {
                if !source.item()? {
                    self.close();
                    return Ok(false);
                }
                let wanted = element(names, source)?;
                if wanted.is_none() && level == 1 {
                    let name = names.keys().next().map_or("", String::as_str);
                    let (expected, found) = (format!("the root element `{name}`"), "another one");
                    return Err(Error::mismatch(ErrorKind::Constraint, expected, found).at(source.position()));
                }
                if let Some(child) = wanted
                    && let Node::Record(path) = &self.paths.nodes()[child]
                {
                    (self.selected, open.child) = (*path, child);
                    return Ok(true);
                }
                wanted
            }
            Node::Record(_) => None,
        };
        let Some(child) = child else {
            self.phase = Phase::Passing(true);
            return Ok(false);
        };
        self.found[child] = true;
        open.child = child;
        (self.node, self.phase) = (child, Phase::Value);
        Ok(false)
    }
}

/// Returns the error for a key on the way to records that stands in a map again.
#[cold]
fn again(key: &str) -> Error {
    let message = format!("the key `{key}` stands here again, and what the first one has was given");
    Error::new(ErrorKind::Constraint, message)
}

/// Returns what the element that was stepped to is on the way to records, if it is.
fn element<'a, S: Source<'a>>(names: &BTreeMap<String, usize>, source: &mut S) -> Result<Option<usize>> {
    for (name, child) in names {
        if source.item_is(name)? {
            return Ok(Some(*child));
        }
    }
    Ok(None)
}
