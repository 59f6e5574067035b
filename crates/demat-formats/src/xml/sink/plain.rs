//! Writes the elements and attributes that most values are: with a name that is known and needs no namespace, in an
//! element whose start tag was begun, without indentation. The other functions of the sink write the same in more steps.

use super::super::Role;
use super::XmlSink;
use super::escape::{self, Place};
use super::frame::{Frame, FrameKind, Slot, Tag};
use crate::Drain;
use demat_core::Result;

impl<D: Drain> XmlSink<D> {
    /// Writes a scalar in its text form. Returns false, with nothing written, for values that are not as simple.
    ///
    /// # Errors
    /// If XML has no form for a character.
    pub(super) fn write_plain(&mut self, text: &str) -> Result<bool> {
        let frames = &mut self.state.frames;
        // There are at least as many frames as elements.
        if text.is_empty() || self.options.indent.is_some() || frames.len() >= self.options.depth as usize {
            return Ok(false);
        }
        let out = &mut self.output.buffer;
        match (self.state.slot, frames.as_mut_slice()) {
            (Slot::Field(index), [.., frame]) if is_begun(frame) => {
                let Frame { layout: Some(layout), tag, elements, .. } = frame else { return Ok(false) };
                let Some(field) = layout.fields.get(index).filter(|field| field.is_plain) else { return Ok(false) };
                match field.role {
                    Role::Element => {
                        end_start_tag(out, tag);
                        *elements = true;
                        write_element(out, field.name(), text)?;
                    }
                    Role::Attribute if *tag == Tag::Open => {
                        out.push(b' ');
                        out.extend_from_slice(field.name().as_bytes());
                        out.extend_from_slice(b"=\"");
                        escape::write(out, text, Place::Attribute)?;
                        out.push(b'"');
                    }
                    _ => return Ok(false),
                }
            }
            (Slot::Item, [.., around, list]) if list.kind == FrameKind::Repeated && is_begun(around) => {
                let Frame { item: Some(name), space: None, .. } = list else { return Ok(false) };
                if (list.count == 0 && list.marks.first) || name.contains(':') {
                    return Ok(false);
                }
                end_start_tag(out, &mut around.tag);
                around.elements = true;
                list.count += 1;
                write_element(out, name, text)?;
            }
            _ => return Ok(false),
        }
        self.state.slot = Slot::Nothing;
        Ok(true)
    }
}

/// Whether the frame has an element whose start tag was begun.
fn is_begun(frame: &Frame) -> bool {
    frame.is_element() && matches!(frame.tag, Tag::Open | Tag::Closed(_) | Tag::Gone)
}

fn end_start_tag(out: &mut Vec<u8>, tag: &mut Tag) {
    if *tag == Tag::Open {
        *tag = Tag::Closed(out.len());
        out.push(b'>');
    }
}

fn write_element(out: &mut Vec<u8>, name: &str, text: &str) -> Result<()> {
    out.reserve(text.len() + 2 * name.len() + 5);
    out.push(b'<');
    out.extend_from_slice(name.as_bytes());
    out.push(b'>');
    escape::write(out, text, Place::Text)?;
    out.extend_from_slice(b"</");
    out.extend_from_slice(name.as_bytes());
    out.push(b'>');
    Ok(())
}
