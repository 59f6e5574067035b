//! The containers of a source that the tape alone does not show, and the rest of its state.

use crate::proto::Form;

/// An open container whose end is not that of one container of the tape.
#[derive(Debug, Clone)]
pub(super) enum Frame {
    /// The values of a list's or a map's field: the state at each item, and the current entry of the map.
    Values { state: State, entry: usize },
    /// A union within the values of a field.
    Bare,
    /// A union that is a message. The source continues at this node after it.
    Choice { after: usize },
    /// A list or map within a `google.protobuf.Value`. It ends at one node, and the source continues at another.
    Any { close: usize, after: usize, entry: usize },
    /// A `google.protobuf.Any` in its expanded form, at a node.
    Expanded { at: usize, url: String, bytes: Vec<u8> },
}

/// The part of an expanded `google.protobuf.Any` that is the next value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    None,
    Url,
    Bytes,
}

/// What a source knows about the next value besides its node. A mark holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // they are independent
pub(super) struct State {
    /// A map was entered, and no entry yet.
    pub(super) fresh: bool,
    /// The next value is absent: the zero or empty value.
    pub(super) absent: bool,
    /// The source is within an absent message.
    pub(super) hollow: bool,
    /// The next value is the key of a map.
    pub(super) in_key: bool,
    /// The next value's enum is closed.
    pub(super) closed: bool,
    /// The next value is a variant whose name is that of its field.
    pub(super) oneof: bool,
    pub(super) part: Part,
    pub(super) form: Form,
    pub(super) key: Form,
    /// The number of absent fields of the record, or of parts of an expanded `Any`, that were returned.
    pub(super) given: u16,
}

impl State {
    pub(super) const START: Self = Self {
        fresh: false,
        absent: false,
        hollow: false,
        in_key: false,
        closed: false,
        oneof: false,
        part: Part::None,
        form: Form::Message,
        key: Form::None,
        given: 0,
    };

    /// The form of the next value.
    pub(super) fn form(&self) -> Form {
        if self.in_key { self.key } else { self.form }
    }

    /// Returns the state as two words; the depth is part of the second.
    pub(super) fn packed(self, depth: usize) -> [u32; 2] {
        let flags = [self.fresh, self.absent, self.hollow, self.in_key, self.closed, self.oneof];
        let flags = flags.into_iter().enumerate().fold(0, |word, (bit, flag)| word | u32::from(flag) << bit);
        let word = flags | (self.part as u32) << 6 | (self.form as u32) << 8 | (self.key as u32) << 16;
        [word, u32::from(self.given) << 16 | (depth as u32 & 0xffff)]
    }

    /// Returns a state and a depth from two words.
    pub(super) fn unpacked([word, rest]: [u32; 2]) -> (Self, usize) {
        let flag = |bit: u32| word >> bit & 1 == 1;
        let form = |bit: u32| Form::ALL.get((word >> bit & 0xff) as usize).copied().unwrap_or(Form::None);
        let state = Self {
            fresh: flag(0),
            absent: flag(1),
            hollow: flag(2),
            in_key: flag(3),
            closed: flag(4),
            oneof: flag(5),
            part: match word >> 6 & 3 {
                1 => Part::Url,
                2 => Part::Bytes,
                _ => Part::None,
            },
            form: form(8),
            key: form(16),
            given: (rest >> 16) as u16,
        };
        (state, (rest & 0xffff) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_packed_and_unpacked() {
        for (index, form) in Form::ALL.into_iter().enumerate() {
            let key = Form::ALL[Form::ALL.len() - 1 - index];
            let state = State { form, key, absent: index % 2 == 0, given: 65_535, part: Part::Bytes, ..State::START };
            assert_eq!(State::unpacked(state.packed(index)), (state, index));
        }
    }
}
