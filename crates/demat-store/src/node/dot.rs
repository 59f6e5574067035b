//! A tree of stores in the language of Graphviz.

use super::Node;
use core::fmt::Write as _;

impl Node {
    /// Returns the tree in Graphviz's language (DOT), from left to right.
    ///
    /// ```
    /// use demat_store::Node;
    /// let dot = Node::new("cache").over(Node::new("memory")).to_dot();
    /// assert!(dot.starts_with("digraph stores {") && dot.contains("n0 -> n1;"));
    /// ```
    pub fn to_dot(&self) -> String {
        let mut dot = String::from(
            "digraph stores {\n  rankdir=LR;\n  node [shape=box, style=rounded, fontname=\"sans-serif\"];\n",
        );
        let mut count = 0;
        let mut open = vec![(self, "", None)];
        while let Some((node, label, above)) = open.pop() {
            let own = count;
            count += 1;
            // Writing to a String can't fail.
            let _ = writeln!(dot, "  n{own} [label={}];", Quoted(&node.line()));
            if let Some(above) = above {
                let label = if label.is_empty() { String::new() } else { format!(" [label={}]", Quoted(label)) };
                let _ = writeln!(dot, "  n{above} -> n{own}{label};");
            }
            open.extend(node.parts.iter().rev().map(|(label, part)| (part, &**label, Some(own))));
        }
        dot + "}\n"
    }
}

/// A quoted text, with backslashes and HTML entities escaped.
struct Quoted<'t>(&'t str);

impl core::fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_char('"')?;
        for letter in self.0.chars() {
            match letter {
                '"' => f.write_str("\\\"")?,
                '\\' => f.write_str("\\\\")?,
                '&' => f.write_str("&amp;")?,
                '\n' => f.write_str("\\n")?,
                letter if letter.is_control() => f.write_char('\u{FFFD}')?,
                letter => f.write_char(letter)?,
            }
        }
        f.write_char('"')
    }
}
