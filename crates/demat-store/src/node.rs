//! What stores are made of, to be looked at.

mod dot;
mod svg;
#[cfg(test)]
mod tests;

use core::fmt;

/// A store, as it is told of: what kind it is, what there is to say of it, and the stores that it is made of.
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
    /// What there is to say of it.
    pub detail: String,
    /// What it is made of, with what each is for.
    pub parts: Vec<(String, Self)>,
}

impl Node {
    /// A store of a kind.
    pub fn new(kind: impl Into<String>) -> Self {
        Self { kind: kind.into(), ..Self::default() }
    }

    /// With what there is to say of it.
    #[must_use]
    pub fn with(mut self, detail: impl Into<String>) -> Self {
        self.detail = detail.into();
        self
    }

    /// Over another.
    #[must_use]
    pub fn over(self, part: Self) -> Self {
        self.part("", part)
    }

    /// With a part that is there for something.
    #[must_use]
    pub fn part(mut self, label: impl Into<String>, part: Self) -> Self {
        self.parts.push((label.into(), part));
        self
    }

    /// What stands for it in a line.
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
    /// A line for each, as a tree.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, "", "")
    }
}
