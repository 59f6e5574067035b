//! A description of stores as a tree, for display.

mod dot;
mod svg;
#[cfg(test)]
mod tests;

use core::fmt;

/// A node of the description: the kind of a store, details, and the stores that it consists of.
///
/// ```
/// use demat_store::Node;
/// let tree = Node::new("cache").over(Node::new("table").with("tasks.db#tasks"));
/// assert_eq!(tree.to_string(), "cache\n└─ table tasks.db#tasks\n");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Node {
    /// The kind of store.
    pub kind: String,
    /// Details, such as a path.
    pub detail: String,
    /// The parts of the store, with a label each.
    pub parts: Vec<(String, Self)>,
}

impl Node {
    /// Returns a node of this kind.
    pub fn new(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), ..Self::default() }
    }

    /// Sets the details.
    #[must_use]
    pub fn with(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Adds the store below, without a label.
    #[must_use]
    pub fn over(self, part: Self) -> Self {
        self.part("", part)
    }

    /// Adds a part with a label.
    #[must_use]
    pub fn part(mut self, label: impl Into<String>, part: Self) -> Self {
        self.parts.push((label.into(), part));
        self
    }

    /// Returns the node as one line.
    pub fn line(&self) -> String {
        if self.detail.is_empty() { self.kind.clone() } else { format!("{} {}", self.kind, self.detail) }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, label: &str, indent: &str) -> fmt::Result {
        let gap = if label.is_empty() { "" } else { ": " };
        writeln!(f, "{label}{gap}{}", self.line())?;
        for (index, (label, part)) in self.parts.iter().enumerate() {
            let last = index + 1 == self.parts.len();
            write!(f, "{indent}{}", if last { "└─ " } else { "├─ " })?;
            part.write(f, label, &format!("{indent}{}", if last { "   " } else { "│  " }))?;
        }
        Ok(())
    }
}

impl fmt::Display for Node {
    /// Writes the tree, with one line per node.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "", "")
    }
}
