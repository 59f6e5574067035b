//! The paths of several kinds of records in one document.

use super::{RecordPath, Step};
use demat_core::{Error, ErrorKind, Result};
use std::collections::BTreeMap;

#[cfg(test)]
mod tests;

/// Several paths of records in a document, none of which selects what lies within a value of another.
///
/// ```
/// use demat_formats::stream::RecordPaths;
/// let paths = ["$.users[*]".parse()?, "$.orders[*]".parse()?];
/// assert_eq!(RecordPaths::new(&paths)?.len(), 2);
/// let error = RecordPaths::new(&["$.users[*]".parse()?, "$.users[*].tasks[*]".parse()?]).unwrap_err();
/// assert_eq!(error.to_string(), "`$.users[*].tasks[*]` lies within `$.users[*]`, whose values are records");
/// # Ok::<(), demat_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RecordPaths {
    /// The nodes of a tree; the first one is the document.
    nodes: Vec<Node>,
    paths: Vec<RecordPath>,
}

/// What a place in the document is on the way to the records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Node {
    /// A record of the path with this number.
    Record(usize),
    /// A map, and what the values of these keys are.
    Keys(BTreeMap<String, usize>),
    /// A list, and what the items with these indices are.
    Indices(BTreeMap<u64, usize>),
    /// A list, and what each item is.
    Each(usize),
    /// A map, and what each value is.
    Values(usize),
    /// An element, or the document, and what the elements of these names in it are.
    Elements(BTreeMap<String, usize>),
}

impl RecordPaths {
    /// Returns the paths as one.
    ///
    /// # Errors
    /// If there is none, if one lies within another, and if what stands at a place can't be what two of them say: a
    /// list and a map, or each value of a map and a certain one.
    pub fn new(paths: &[RecordPath]) -> Result<Self> {
        if paths.is_empty() {
            return Err(wrong("expected a path of records, found none".to_string()));
        }
        let mut tree = Self { nodes: Vec::new(), paths: paths.to_vec() };
        for (number, path) in paths.iter().enumerate() {
            tree.add(number, path)?;
        }
        Ok(tree)
    }

    /// Returns one path.
    pub fn one(path: &RecordPath) -> Self {
        let mut tree = Self { nodes: Vec::new(), paths: vec![path.clone()] };
        tree.grow(0, path.steps());
        tree
    }

    /// The number of paths.
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether there are none: never.
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The paths, in the order of their numbers.
    pub fn paths(&self) -> &[RecordPath] {
        &self.paths
    }

    pub(super) fn nodes(&self) -> &[Node] {
        &self.nodes
    }

    /// Adds what is new of a path.
    fn add(&mut self, number: usize, path: &RecordPath) -> Result<()> {
        if self.nodes.is_empty() {
            self.grow(number, path.steps());
            return Ok(());
        }
        let mut at = 0;
        for (level, step) in path.steps().iter().enumerate() {
            let next = match (&self.nodes[at], step) {
                (Node::Record(other), _) => return Err(overlap(path, &self.paths[*other])),
                (Node::Elements(children), Step::Elements(name)) if level == 0 && !children.contains_key(name) => {
                    let other = children.keys().next().map_or("", String::as_str);
                    return Err(wrong(format!("a document has one root element, and not both `{other}` and `{name}`")));
                }
                (Node::Keys(children), Step::Key(key)) | (Node::Elements(children), Step::Elements(key)) => {
                    children.get(key).copied()
                }
                (Node::Indices(children), Step::Index(index)) => children.get(index).copied(),
                (Node::Each(child), Step::Each) | (Node::Values(child), Step::Values) => Some(*child),
                (node, step) => return Err(clash(node, step, path, level)),
            };
            if let Some(child) = next {
                at = child;
                continue;
            }
            let child = self.grow(number, &path.steps()[level + 1..]);
            match (&mut self.nodes[at], step) {
                (Node::Keys(children) | Node::Elements(children), Step::Key(key) | Step::Elements(key)) => {
                    children.insert(key.clone(), child);
                }
                (Node::Indices(children), Step::Index(index)) => {
                    children.insert(*index, child);
                }
                _ => {}
            }
            return Ok(());
        }
        let other = self.path_below(at);
        Err(overlap(&self.paths[other], path))
    }

    /// Adds the nodes of these steps, and returns the first of them.
    fn grow(&mut self, number: usize, steps: &[Step]) -> usize {
        let first = self.nodes.len();
        for (index, step) in steps.iter().enumerate() {
            let child = first + index + 1;
            self.nodes.push(match step {
                Step::Key(key) => Node::Keys([(key.clone(), child)].into()),
                Step::Index(index) => Node::Indices([(*index, child)].into()),
                Step::Each => Node::Each(child),
                Step::Values => Node::Values(child),
                Step::Elements(name) => Node::Elements([(name.clone(), child)].into()),
            });
        }
        self.nodes.push(Node::Record(number));
        first
    }

    /// Returns the number of a path that goes through a node.
    #[cold]
    fn path_below(&self, mut at: usize) -> usize {
        loop {
            let child = match &self.nodes[at] {
                Node::Record(number) => return *number,
                Node::Keys(children) | Node::Elements(children) => children.values().next().copied(),
                Node::Indices(children) => children.values().next().copied(),
                Node::Each(child) | Node::Values(child) => Some(*child),
            };
            let Some(child) = child else { return 0 };
            at = child;
        }
    }
}

/// Returns the error for a path within the values of another.
#[cold]
fn overlap(inner: &RecordPath, outer: &RecordPath) -> Error {
    if inner == outer {
        return wrong(format!("the path `{outer}` is given twice"));
    }
    wrong(format!("`{inner}` lies within `{outer}`, whose values are records"))
}

/// Returns the error for two steps that exclude each other.
#[cold]
fn clash(node: &Node, step: &Step, path: &RecordPath, level: usize) -> Error {
    let place = RecordPath::of_steps(&path.steps()[..level]);
    let list = matches!(node, Node::Each(_) | Node::Indices(_));
    if list != matches!(step, Step::Each | Step::Index(_)) {
        return wrong(format!("`{place}` can't be both a list and a dict, as `{path}` and another path say"));
    }
    let child = if list { "item of the list" } else { "value of the dict" };
    wrong(format!("`{path}` and another path select each {child} `{place}` and a certain one: that one twice"))
}

#[cold]
fn wrong(message: String) -> Error {
    Error::new(ErrorKind::Constraint, message)
}
