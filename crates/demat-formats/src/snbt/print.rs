//! Writing SNBT: converts NBT to text.

use super::number::is_bare;
use crate::nbt::{NbtSource, Tag};
use demat_core::{Result, Source};
use std::fmt::Write;

/// Appends the source's current value.
///
/// # Errors
/// If the document is malformed.
pub(crate) fn print(source: &mut NbtSource<'_>, indent: Option<u32>, out: &mut String) -> Result<()> {
    // For each open container: whether it is a compound, and whether it has children.
    let mut open: Vec<(bool, bool)> = Vec::new();
    loop {
        let tag = source.tag_here()?;
        match tag {
            Tag::Compound => {
                source.map()?;
                out.push('{');
                open.push((true, false));
            }
            Tag::List | Tag::ByteArray | Tag::IntArray | Tag::LongArray => {
                source.list()?;
                out.push_str(match tag {
                    Tag::ByteArray => "[B;",
                    Tag::IntArray => "[I;",
                    Tag::LongArray => "[L;",
                    _ => "[",
                });
                open.push((false, false));
            }
            Tag::String => quote(&source.text()?, out),
            Tag::Float => float(&format!("{:?}", source.float32()?), 'f', out),
            Tag::Double => float(&format!("{:?}", source.float()?), 'd', out),
            int => {
                let value = source.i64()?;
                let letter = match int {
                    Tag::Byte => "b",
                    Tag::Short => "s",
                    Tag::Long => "L",
                    _ => "",
                };
                // Writing to a String can't fail.
                let _ = write!(out, "{value}{letter}");
            }
        }
        // Moves to the next child, and closes the containers that have ended.
        loop {
            let level = open.len();
            let Some((is_map, has_child)) = open.last_mut() else { return Ok(()) };
            let more = if *is_map { source.entry()? } else { source.item()? };
            if more {
                if *has_child {
                    out.push(',');
                }
                *has_child = true;
                line(indent, level, out);
                if *is_map {
                    key(&source.text()?, out);
                    out.push_str(if indent.is_some() { ": " } else { ":" });
                }
                break;
            }
            if *has_child {
                line(indent, level - 1, out);
            }
            out.push(if *is_map { '}' } else { ']' });
            open.pop();
        }
    }
}

/// Writes a line break and the indentation of a level.
fn line(indent: Option<u32>, level: usize, out: &mut String) {
    if let Some(spaces) = indent {
        out.push('\n');
        out.extend(core::iter::repeat_n(' ', level * spaces as usize));
    }
}

fn key(text: &str, out: &mut String) {
    if !text.is_empty() && text.bytes().all(is_bare) { out.push_str(text) } else { quote(text, out) }
}

fn quote(text: &str, out: &mut String) {
    out.push('"');
    for character in text.chars() {
        if matches!(character, '"' | '\\') {
            out.push('\\');
        }
        out.push(character);
    }
    out.push('"');
}

fn float(digits: &str, letter: char, out: &mut String) {
    out.push_str(match digits {
        "inf" => "Infinity",
        "-inf" => "-Infinity",
        digits => digits,
    });
    out.push(letter);
}
