//! The order of a document: the values of a table first, then the tables in it.

use super::part::{Part, Parts};
use crate::small_stack::SmallStack;
use crate::{Drain, Output};
use demat_core::Result;

/// An array that is longer than this has one item per line.
const WIDTH: usize = 100;

/// A table whose inner tables are being written, or an array of tables.
#[derive(Debug, Clone, Copy)]
struct Open {
    /// The index of the part to write next.
    next: usize,
    is_array: bool,
}

/// Writes a document.
pub(super) fn write<D: Drain>(parts: &Parts, output: &mut Output<D>) -> Result<()> {
    if parts.get(0).is_none() {
        return Ok(());
    }
    let mut layout = Layout { parts, path: Vec::new(), open: Vec::new(), begun: false };
    layout.values(&mut output.buffer, 0);
    layout.open.push(Open { next: 1, is_array: false });
    loop {
        layout.begun |= !output.buffer.is_empty();
        output.commit()?;
        if !layout.step(&mut output.buffer) {
            return Ok(());
        }
    }
}

struct Layout<'p> {
    parts: &'p Parts,
    /// The keys that lead to the innermost open table.
    path: Vec<&'p [u8]>,
    open: Vec<Open>,
    /// Whether the output has any text.
    begun: bool,
}

impl Layout<'_> {
    /// Writes the values of the map at `at`, but not its tables. Returns true if it wrote a value, or if there are no
    /// tables.
    fn values(&self, out: &mut Vec<u8>, at: usize) -> bool {
        let (mut any, mut tables) = (false, false);
        let mut next = at + 1;
        while let Some(Part::Key(from, to)) = self.parts.get(next) {
            let value = next + 1;
            next = self.parts.behind(value);
            if self.is_table(value) {
                tables = true;
                continue;
            }
            any = true;
            out.extend_from_slice(self.parts.text(from, to));
            out.extend_from_slice(b" = ");
            self.value(out, value, next);
            out.push(b'\n');
        }
        any || !tables
    }

    /// Returns whether a value of a table has a header.
    fn is_table(&self, at: usize) -> bool {
        matches!(self.parts.get(at), Some(Part::Map(_) | Part::List(_, true)))
    }

    /// Writes the value of a key. An array that is too long for one line has one item per line.
    fn value(&self, out: &mut Vec<u8>, at: usize, behind: usize) {
        let before = out.len();
        self.inline(out, at, behind);
        if !matches!(self.parts.get(at), Some(Part::List(..))) || out.len() - before <= WIDTH {
            return;
        }
        out.truncate(before);
        out.extend_from_slice(b"[\n");
        let mut item = at + 1;
        while !matches!(self.parts.get(item), Some(Part::End) | None) {
            let next = self.parts.behind(item);
            out.extend_from_slice(b"    ");
            self.inline(out, item, next);
            out.extend_from_slice(b",\n");
            item = next;
        }
        out.push(b']');
    }

    /// Writes a value on one line.
    fn inline(&self, out: &mut Vec<u8>, at: usize, behind: usize) {
        if let Some(Part::Scalar(from, to)) = self.parts.get(at) {
            out.extend_from_slice(self.parts.text(from, to));
            return;
        }
        // For each open container: whether it is a list, and whether it has children yet.
        let mut open: SmallStack<(bool, bool)> = SmallStack::new();
        let mut after_key = false;
        for part in (at..behind).filter_map(|index| self.parts.get(index)) {
            let ends = matches!(part, Part::End);
            if !after_key
                && !ends
                && let Some((is_list, follows)) = open.last_mut()
            {
                out.extend_from_slice(match (*is_list, *follows) {
                    (_, true) => b", ",
                    (true, false) => b"",
                    (false, false) => b" ",
                });
                *follows = true;
            }
            after_key = false;
            match part {
                Part::Key(from, to) => {
                    out.extend_from_slice(self.parts.text(from, to));
                    out.extend_from_slice(b" = ");
                    after_key = true;
                }
                Part::Scalar(from, to) => out.extend_from_slice(self.parts.text(from, to)),
                Part::List(..) | Part::Map(_) => {
                    let is_list = matches!(part, Part::List(..));
                    out.push(if is_list { b'[' } else { b'{' });
                    open.push((is_list, false));
                }
                Part::End => out.extend_from_slice(match open.pop() {
                    Some((false, true)) => b" }",
                    Some((false, false)) => b"}",
                    _ => b"]",
                }),
            }
        }
    }

    /// Writes a header.
    fn header(&self, out: &mut Vec<u8>, is_array: bool) {
        if self.begun {
            out.push(b'\n');
        }
        out.extend_from_slice(if is_array { b"[[" } else { b"[" });
        for (index, key) in self.path.iter().enumerate() {
            if index > 0 {
                out.push(b'.');
            }
            out.extend_from_slice(key);
        }
        out.extend_from_slice(if is_array { b"]]\n" } else { b"]\n" });
    }

    /// Writes the next table. Returns false if there is none.
    fn step(&mut self, out: &mut Vec<u8>) -> bool {
        let Some(open) = self.open.last_mut() else { return false };
        match (self.parts.get(open.next), open.is_array) {
            (Some(Part::Map(behind)), true) => {
                let at = open.next;
                open.next = behind;
                self.header(out, true);
                self.values(out, at);
                self.open.push(Open { next: at + 1, is_array: false });
            }
            (Some(Part::Key(from, to)), false) => {
                let value = open.next + 1;
                open.next = self.parts.behind(value);
                match self.parts.get(value) {
                    Some(Part::Map(_)) => {
                        self.path.push(self.parts.text(from, to));
                        self.table(out, value);
                        self.open.push(Open { next: value + 1, is_array: false });
                    }
                    Some(Part::List(_, true)) => {
                        self.path.push(self.parts.text(from, to));
                        self.open.push(Open { next: value + 1, is_array: true });
                    }
                    _ => {}
                }
            }
            _ => {
                // All items of an array have the array's path.
                self.open.pop();
                if !self.open.last().is_some_and(|outer| outer.is_array) {
                    self.path.pop();
                }
            }
        }
        true
    }

    /// Writes a table with its header. A table that has only tables needs no header.
    fn table(&self, out: &mut Vec<u8>, at: usize) {
        let before = out.len();
        self.header(out, false);
        if !self.values(out, at) {
            out.truncate(before);
        }
    }
}
