use super::super::ReadOptions;
use super::key::Key;
use super::scalar::{Type, content, type_of};
use crate::whole::{Content, Node, Tape, at_byte};
use demat_core::{Error, ErrorKind, Result};
use granit_parser::{Event, ScalarStyle, Span, Tag};
use std::collections::{HashMap, HashSet};

/// Builds a tape from the parser's events. It replaces aliases by copies of their values, and merge keys by entries.
#[derive(Debug)]
pub(super) struct Builder<'i> {
    input: &'i str,
    options: ReadOptions,
    tape: Tape,
    documents: u32,
    open: Vec<Open<'i>>,
    /// The index of each node that has an anchor. The node's length is known when the node ends.
    anchors: HashMap<usize, usize>,
    /// The size that aliases have added.
    added: u64,
    /// The end of the last scalar, alias or bracket.
    end: usize,
}

/// An open list or map.
#[derive(Debug)]
struct Open<'i> {
    at: usize,
    map: Option<OpenMap<'i>>,
}

#[derive(Debug, Default)]
struct OpenMap<'i> {
    keys: HashSet<Key<'i>>,
    /// The key before the next value, and whether it is a merge key.
    key: Option<(usize, bool)>,
    /// The values of merge keys.
    merged: Vec<usize>,
}

/// The size of each value that an alias adds, besides its text.
const VALUE: u64 = 32;

/// The offset of an error in the input, and the error.
type Fault = (usize, Error);

impl<'i> Builder<'i> {
    pub(super) fn new(input: &'i str, options: ReadOptions) -> Result<Self> {
        let mut tape = Tape::new();
        tape.push(Content::Documents(0), 0, 0)?;
        let (open, anchors) = (Vec::new(), HashMap::new());
        Ok(Self { input, options, tape, documents: 0, open, anchors, added: 0, end: 0 })
    }

    /// Returns the tape of the whole stream.
    pub(super) fn finish(mut self) -> Result<Tape> {
        self.tape.close(0, self.input.len())?;
        self.tape.nodes[0].content = Content::Documents(self.documents);
        Ok(self.tape)
    }

    /// Processes an event.
    pub(super) fn event(&mut self, event: Event<'i>, span: &Span) -> Result<()> {
        let offset = |at: Option<usize>| at.unwrap_or(self.input.len());
        let (begin, end) = (offset(span.start.byte_offset()), offset(span.end.byte_offset()));
        let tagged = offset(span.tag_start.and_then(|tag| tag.byte_offset()));
        let tag_type = |tag: Option<&Tag>| type_of(tag).map_err(|error| (tagged, error));
        let is_block_end = matches!(event, Event::SequenceEnd | Event::MappingEnd) && begin == end;
        if !is_block_end && !matches!(event, Event::StreamEnd | Event::DocumentEnd) {
            self.end = end;
        }
        let taken = match event {
            Event::DocumentStart(..) => {
                self.anchors.clear();
                self.documents = self.documents.saturating_add(1);
                Ok(())
            }
            Event::Scalar(text, style, anchor, tag) => tag_type(tag.as_deref()).and_then(|of| {
                let plain = style == ScalarStyle::Plain;
                let text = if is_added_break(&text, style, self.input, end) { &text[..text.len() - 1] } else { &*text };
                let content = content(&mut self.tape, self.input, text, plain, of).map_err(|error| (begin, error))?;
                let at = self.tape.push(content, begin, end).map_err(|error| (begin, error))?;
                self.anchored(anchor, at);
                let merges = plain && of == Type::Untagged && text == "<<";
                self.placed(at, merges)
            }),
            Event::SequenceStart(_, anchor, tag) => {
                tag_type(tag.as_deref()).and_then(|of| self.begins(Content::List, of, anchor, begin))
            }
            Event::MappingStart(_, anchor, tag) => {
                tag_type(tag.as_deref()).and_then(|of| self.begins(Content::Map, of, anchor, begin))
            }
            Event::SequenceEnd | Event::MappingEnd => self.ends(begin),
            Event::Alias(anchor) => self.alias(anchor, begin),
            _ => Ok(()),
        };
        taken.map_err(|(at, error)| error.at(at_byte(self.input.as_bytes(), at)))
    }

    fn anchored(&mut self, anchor: usize, at: usize) {
        if anchor != 0 {
            self.anchors.insert(anchor, at);
        }
    }

    fn begins(&mut self, content: Content, of: Type, anchor: usize, begin: usize) -> Result<(), Fault> {
        let fits = match content {
            Content::List => matches!(of, Type::Untagged | Type::List),
            _ => matches!(of, Type::Untagged | Type::Map),
        };
        // On a list or a map, the tag `!` has no effect.
        if !fits && of != Type::Text {
            let message = "a tag that fits the list or map behind it";
            return Err((begin, Error::mismatch(ErrorKind::Constraint, message, "another one")));
        }
        if self.open.len() >= self.options.depth as usize {
            return Err((begin, Error::limit("the depth of nesting", self.options.depth)));
        }
        let at = self.tape.push(content, begin, begin).map_err(|error| (begin, error))?;
        self.anchored(anchor, at);
        let map = matches!(content, Content::Map).then(OpenMap::default);
        self.open.push(Open { at, map });
        Ok(())
    }

    /// Ends the innermost container. The parser reports the end of a block after blanks and comments, at the next
    /// token.
    fn ends(&mut self, begin: usize) -> Result<(), Fault> {
        let Some(Open { at, map }) = self.open.pop() else { return Ok(()) };
        if let Some(map) = map {
            self.merge(map).map_err(|error| (begin, error))?;
        }
        let from = self.tape.nodes.get(at).map_or(0, |node| node.begin as usize);
        let text = self.input.get(from..self.end).unwrap_or_default();
        self.tape.close(at, from + text.trim_end().len()).map_err(|error| (begin, error))?;
        self.placed(at, false)
    }

    /// Registers a complete node as a key, or as the value of one.
    fn placed(&mut self, at: usize, merges: bool) -> Result<(), Fault> {
        let Some(node) = self.tape.nodes.get(at).copied() else { return Ok(()) };
        let Some(map) = self.open.last_mut().and_then(|open| open.map.as_mut()) else { return Ok(()) };
        let begin = node.begin as usize;
        let Some((key, is_merge)) = map.key.take() else {
            map.key = Some((at, merges && self.options.merge_keys));
            if let Some(key) = Key::of(node, &self.tape, self.input)
                && let Some(key) = repeated(&mut map.keys, key)
            {
                return Err((begin, Error::new(ErrorKind::Constraint, format!("the key `{key}` stands here again"))));
            }
            return Ok(());
        };
        if is_merge {
            let list = matches!(node.content, Content::List);
            let mut maps = if list { children(&self.tape, at) } else { vec![at] };
            let is_map = |at: &usize| matches!(self.tape.nodes.get(*at).map(|node| node.content), Some(Content::Map));
            if !maps.iter().all(is_map) {
                let error =
                    Error::mismatch(ErrorKind::Constraint, "a map, or a list of maps, to be merged", "another value");
                return Err((begin, error));
            }
            map.merged.append(&mut maps);
            // The entry stays, since an alias may refer to an anchor inside it. Readers skip it.
            if let Some(hidden) = self.tape.nodes.get_mut(key) {
                hidden.content = Content::Hidden;
                hidden.len = node.len + 1;
            }
        }
        Ok(())
    }

    /// Copies the entries of merged maps, except those whose keys the map has.
    fn merge(&mut self, mut map: OpenMap<'i>) -> Result<()> {
        for merged in core::mem::take(&mut map.merged) {
            for entry in children(&self.tape, merged) {
                let Some(node) = self.tape.nodes.get(entry).copied() else { continue };
                let value = entry + node.len as usize;
                let len = node.len as usize + self.tape.nodes.get(value).map_or(0, |value| value.len as usize);
                let is_new = Key::of(node, &self.tape, self.input).is_none_or(|key| map.keys.insert(key));
                if is_new {
                    self.copy(entry, len)?;
                }
            }
        }
        Ok(())
    }

    /// Replaces an alias by a copy of its value.
    fn alias(&mut self, anchor: usize, begin: usize) -> Result<(), Fault> {
        let target = self.anchors.get(&anchor).copied();
        let node = target.and_then(|at| self.tape.nodes.get(at).copied());
        let (Some(target), Some(node)) = (target, node) else {
            return Err((begin, Error::mismatch(ErrorKind::Syntax, "an alias of an anchor before it", "another one")));
        };
        if self.open.iter().any(|open| open.at == target) {
            return Err((
                begin,
                Error::new(ErrorKind::Constraint, "an alias stands inside the value that it is an alias of"),
            ));
        }
        let at = self.tape.nodes.len();
        self.copy(target, node.len as usize).map_err(|error| (begin, error))?;
        self.deep_enough(at).map_err(|error| (begin, error))?;
        self.placed(at, false)
    }

    /// Checks the depth of the nodes that an alias added.
    fn deep_enough(&self, at: usize) -> Result<()> {
        let mut depth = self.open.len();
        for node in self.tape.nodes.get(at..).unwrap_or_default() {
            match node.content {
                Content::List | Content::Map => depth += 1,
                Content::End => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth > self.options.depth as usize {
                return Err(Error::limit("the depth of nesting", self.options.depth));
            }
        }
        Ok(())
    }

    /// Appends a copy of nodes, up to the limit of aliases.
    fn copy(&mut self, at: usize, len: usize) -> Result<()> {
        let limit = self.options.alias_limit;
        let too_much = || Error::limit("what aliases add", format_args!("{limit} bytes"));
        self.added = self.added.saturating_add(VALUE.saturating_mul(len as u64));
        if self.added > limit.into() {
            return Err(too_much());
        }
        let texts = self.tape.nodes.get(at..at + len).unwrap_or_default().iter().map(text_len);
        self.added = self.added.saturating_add(texts.sum());
        if self.added > limit.into() {
            return Err(too_much());
        }
        self.tape.repeat(at, len)
    }
}

/// Adds a key. Returns its name if the map has it already.
fn repeated<'i>(keys: &mut HashSet<Key<'i>>, key: Key<'i>) -> Option<String> {
    if keys.contains(&key) {
        return Some(key.name());
    }
    keys.insert(key);
    None
}

fn text_len(node: &Node) -> u64 {
    match node.content {
        Content::Int(slice) | Content::Float(slice) | Content::Text(slice) | Content::Bytes(slice) => {
            slice.len().into()
        }
        _ => 0,
    }
}

/// Returns the indices of a list's items, or of a map's keys without the hidden entries.
fn children(tape: &Tape, at: usize) -> Vec<usize> {
    let Some(parent) = tape.nodes.get(at) else { return Vec::new() };
    let is_map = matches!(parent.content, Content::Map);
    let end = at + parent.len as usize - 1;
    let (mut found, mut next) = (Vec::new(), at + 1);
    while next < end {
        let Some(node) = tape.nodes.get(next) else { break };
        let is_hidden = matches!(node.content, Content::Hidden);
        if !is_hidden {
            found.push(next);
        }
        next += node.len as usize;
        if is_map && !is_hidden {
            next += tape.nodes.get(next).map_or(1, |value| value.len as usize);
        }
    }
    found
}

/// Whether the line break at the end of a block scalar is one that the parser has added: the input ends within its last
/// line. By the specification such a line has no break to keep. The official suite has one behind a last line of spaces
/// alone (case L24T), so that is left.
fn is_added_break(text: &str, style: ScalarStyle, input: &str, end: usize) -> bool {
    let is_block = matches!(style, ScalarStyle::Literal | ScalarStyle::Folded);
    let (true, true, Some(text)) = (is_block, end >= input.len(), text.strip_suffix('\n')) else { return false };
    let content = input.rsplit(['\n', '\r']).next().unwrap_or_default().trim_start_matches(' ');
    !content.is_empty() && text.ends_with(content)
}
