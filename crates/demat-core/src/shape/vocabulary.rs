use super::{Fit, Shape};
use core::fmt;

/// The words of a place's [notes](super::Field::notes): a table that the compiler can evaluate as well.
///
/// A note is one word, with what follows it, or several words with commas between them.
///
/// ```
/// use demat_core::{Argument, Fit, Vocabulary, Word};
/// const TAPE: Vocabulary = Vocabulary::new("tape", &[
///     Word::new("left").without(&["right"]),
///     Word::new("right"),
///     Word::new("width").with(Argument::Rest("a number")).on(Fit::INTS),
/// ]);
/// assert!(TAPE.refusal(&["left", "width 3"]).is_none());
/// let refusal = TAPE.refusal(&["left, right"]).map(|refusal| refusal.to_string());
/// assert_eq!(refusal.as_deref(), Some("`right` and `left` exclude each other as notes for tape"));
/// let refusal = TAPE.refusal(&["up"]).map(|refusal| refusal.to_string());
/// assert_eq!(refusal.as_deref(), Some("`up` is no note for tape; its notes are left, right, width with a number"));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vocabulary {
    /// The place that the notes are for.
    pub place: &'static str,
    /// The attribute of fields by which hosts take these notes; usually the name of the place.
    pub attribute: &'static str,
    /// The words.
    pub words: &'static [Word],
    /// Whether a note in a shape may hold several words. Otherwise hosts note each word by itself.
    pub joins: bool,
    /// Whether sources need the notes. Otherwise only sinks do, and hosts may read without them.
    pub is_read: bool,
}

/// A word of a [`Vocabulary`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Word {
    /// The word.
    pub name: &'static str,
    /// What follows it.
    pub argument: Argument,
    /// The words that can't be noted together with this one.
    pub excludes: &'static [&'static str],
    /// The values that the word is for.
    pub fit: Fit,
    /// Whether it may be noted several times, with something else behind it.
    pub repeats: bool,
}

/// What follows a word of a note.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Argument {
    /// Nothing.
    Nothing,
    /// Nothing, or one word.
    Optional(&'static str),
    /// One of these words.
    OneOf(&'static [&'static str]),
    /// The rest of the note, which may hold commas.
    Rest(&'static str),
    /// Nothing, or the rest of the note.
    OptionalRest(&'static str),
}

impl Word {
    /// Returns a word for values of any shape that excludes no other one.
    pub const fn new(name: &'static str) -> Self {
        Self { name, argument: Argument::Nothing, excludes: &[], fit: Fit::ANY, repeats: false }
    }

    /// Sets what follows the word.
    #[must_use]
    pub const fn with(self, argument: Argument) -> Self {
        Self { argument, ..self }
    }

    /// Sets the words that can't be noted together with this one. A list that all of them share may include it.
    #[must_use]
    pub const fn without(self, excludes: &'static [&'static str]) -> Self {
        Self { excludes, ..self }
    }

    /// Sets the values that the word is for.
    #[must_use]
    pub const fn on(self, fit: Fit) -> Self {
        Self { fit, ..self }
    }

    /// Lets it be noted several times, with something else behind it.
    #[must_use]
    pub const fn repeated(self) -> Self {
        Self { repeats: true, ..self }
    }

    const fn excludes(&self, other: &Self) -> bool {
        let mut index = 0;
        while index < self.excludes.len() {
            if equal(self.excludes[index], other.name) && !equal(self.name, other.name) {
                return true;
            }
            index += 1;
        }
        false
    }
}

/// More words than a field can have.
const MOST: usize = 16;

/// A word in a note, and what follows it.
#[derive(Debug, Clone, Copy)]
struct Said<'n> {
    word: &'static Word,
    argument: &'n str,
}

impl Vocabulary {
    /// Returns the vocabulary of a place.
    pub const fn new(place: &'static str, words: &'static [Word]) -> Self {
        Self { place, attribute: place, words, joins: false, is_read: false }
    }

    /// Returns the reason to refuse notes, in the shape's order, if there is one: a word that the place does not know,
    /// something wrong behind a word, or words that exclude each other.
    pub const fn refusal<'n>(&'n self, notes: &[&'n str]) -> Option<Refusal<'n>> {
        let mut said: [Option<Said<'n>>; MOST] = [None; MOST];
        let (mut count, mut index) = (0, 0);
        while index < notes.len() {
            let mut rest = notes[index];
            loop {
                let (one, after) = match self.next(rest) {
                    Ok(next) => next,
                    Err(refusal) => return Some(refusal),
                };
                let mut other = 0;
                while other < count {
                    if let Some(before) = &said[other]
                        && let Some(refusal) = self.contradiction(&one, before)
                    {
                        return Some(refusal);
                    }
                    other += 1;
                }
                if count == MOST {
                    return Some(Refusal::of(&["more notes for ", self.place, " than a field can have"]));
                }
                said[count] = Some(one);
                count += 1;
                match after {
                    Some(after) => rest = after,
                    None => break,
                }
            }
            index += 1;
        }
        None
    }

    /// Returns the reason to refuse the notes of a value of this shape, if there is one: as [`refusal`](Self::refusal),
    /// or that a word is for other values, or that a note holds several words where each is a note by itself.
    pub fn refusal_for<'n>(&'n self, notes: &[&'n str], shape: &Shape) -> Option<Refusal<'n>> {
        if !self.joins
            && let Some(several) = notes.iter().find(|note| self.count(note) > 1)
        {
            return Some(Refusal::of(&[
                "`",
                several,
                "` is several notes for ",
                self.place,
                "; each is a note by itself",
            ]));
        }
        let unfit = || {
            let words = notes.iter().flat_map(|note| self.words(note));
            let word = words.filter_map(|word| self.next(word).ok()).find(|(said, _)| !said.word.fit.takes(shape));
            word.map(|(said, _)| {
                Refusal::of(&["`", said.word.name, "` is for ", said.word.fit.says(), ", not for ", shape.name()])
            })
        };
        self.refusal(notes).or_else(unfit)
    }

    /// Returns each word of a note with what follows it.
    ///
    /// ```
    /// use demat_core::{Argument, Vocabulary, Word};
    /// const TAPE: Vocabulary = Vocabulary::new("tape", &[
    ///     Word::new("left"),
    ///     Word::new("label").with(Argument::Rest("a text")),
    /// ]);
    /// assert!(TAPE.words("left, label a, b").eq(["left", "label a, b"]));
    /// ```
    pub fn words<'n>(&'n self, note: &'n str) -> impl Iterator<Item = &'n str> {
        let mut index = 0;
        core::iter::from_fn(move || {
            let word = self.word(note, index);
            index += 1;
            word
        })
    }

    /// Returns the number of words of a note.
    pub const fn count(&self, note: &str) -> usize {
        let mut index = 0;
        while self.word(note, index).is_some() {
            index += 1;
        }
        index
    }

    /// Returns the word of a note at this index, with what follows it.
    pub const fn word<'n>(&self, note: &'n str, index: usize) -> Option<&'n str> {
        let (mut rest, mut left) = (note, index);
        loop {
            let (part, after) = self.part(rest);
            match after {
                _ if left == 0 => return Some(part),
                None => return None,
                Some(after) => rest = after,
            }
            left -= 1;
        }
    }

    /// Returns the first word with what follows it, and the text behind the comma.
    const fn part<'n>(&self, text: &'n str) -> (&'n str, Option<&'n str>) {
        let text = text.trim_ascii();
        let takes_rest = match self.find(text.split_at(word_end(text)).0) {
            Some(word) => matches!(word.argument, Argument::Rest(_) | Argument::OptionalRest(_)),
            None => false,
        };
        let mut end = 0;
        while !takes_rest && end < text.len() {
            if text.as_bytes()[end] == b',' {
                let (part, after) = text.split_at(end);
                return (part.trim_ascii(), Some(after.split_at(1).1));
            }
            end += 1;
        }
        (text, None)
    }

    /// Parses the first word of a note. Returns the text behind its comma, too.
    #[allow(clippy::result_large_err)] // constants can't box it, and it is made once
    const fn next<'n>(&'n self, text: &'n str) -> Result<(Said<'n>, Option<&'n str>), Refusal<'n>> {
        let (part, after) = self.part(text);
        let (name, argument) = part.split_at(word_end(part));
        let argument = argument.trim_ascii();
        let Some(word) = self.find(name) else { return Err(self.unknown(part)) };
        let is_valid = match word.argument {
            Argument::Nothing => argument.is_empty(),
            Argument::Optional(_) => word_end(argument) == argument.len(),
            Argument::OneOf(words) => has(words, argument),
            Argument::Rest(_) => !argument.is_empty(),
            Argument::OptionalRest(_) => true,
        };
        if is_valid { Ok((Said { word, argument }, after)) } else { Err(self.unknown(part)) }
    }

    const fn find(&self, name: &str) -> Option<&'static Word> {
        let mut index = 0;
        while index < self.words.len() {
            if equal(self.words[index].name, name) {
                return Some(&self.words[index]);
            }
            index += 1;
        }
        None
    }

    const fn contradiction<'n>(&'n self, one: &Said<'n>, before: &Said<'n>) -> Option<Refusal<'n>> {
        let (word, other) = (one.word, before.word);
        if equal(word.name, other.name) && !word.repeats && !equal(one.argument, before.argument) {
            return Some(Refusal::of(&["two different notes `", word.name, "` for ", self.place]));
        }
        if word.excludes(other) || other.excludes(word) {
            let (place, and) = (self.place, "` and `");
            return Some(Refusal::of(&["`", word.name, and, other.name, "` exclude each other as notes for ", place]));
        }
        None
    }

    const fn unknown<'n>(&'n self, part: &'n str) -> Refusal<'n> {
        let mut refusal = Refusal::of(&["`", part, "` is no note for ", self.place, "; its notes are "]);
        let mut index = 0;
        while index < self.words.len() {
            if index > 0 {
                refusal.push(", ");
            }
            refusal.push(self.words[index].name);
            match self.words[index].argument {
                Argument::Nothing => {}
                Argument::Rest(what) => {
                    refusal.push(" with ");
                    refusal.push(what);
                }
                Argument::Optional(what) | Argument::OptionalRest(what) => {
                    refusal.push(" (or with ");
                    refusal.push(what);
                    refusal.push(")");
                }
                Argument::OneOf(words) => {
                    refusal.push(" with one of ");
                    let mut at = 0;
                    while at < words.len() {
                        if at > 0 {
                            refusal.push(" ");
                        }
                        refusal.push(words[at]);
                        at += 1;
                    }
                }
            }
            index += 1;
        }
        refusal
    }
}

/// Returns where the first word of a text ends.
const fn word_end(text: &str) -> usize {
    let mut end = 0;
    while end < text.len() && !text.as_bytes()[end].is_ascii_whitespace() && text.as_bytes()[end] != b',' {
        end += 1;
    }
    end
}

const fn has(words: &[&str], word: &str) -> bool {
    let mut index = 0;
    while index < words.len() {
        if equal(words[index], word) {
            return true;
        }
        index += 1;
    }
    false
}

/// Compares texts in a constant, where `==` is not available.
pub(crate) const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut index = 0;
    while a.len() == b.len() && index < a.len() && a[index] == b[index] {
        index += 1;
    }
    a.len() == b.len() && index == a.len()
}

/// The reason to refuse a note: a text in pieces, since constants can't format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Refusal<'n> {
    pieces: [&'n str; PIECES],
    len: usize,
}

const PIECES: usize = 192;
/// The most bytes of a message of the compiler.
const BYTES: usize = 1024;

impl<'n> Refusal<'n> {
    /// Returns the reason in these pieces.
    pub const fn of(pieces: &[&'n str]) -> Self {
        let mut own = Self { pieces: [""; PIECES], len: 0 };
        let mut index = 0;
        while index < pieces.len() {
            own.push(pieces[index]);
            index += 1;
        }
        own
    }

    /// Adds a piece. Reasons beyond the longest one end there.
    pub const fn push(&mut self, piece: &'n str) {
        if self.len < PIECES {
            self.pieces[self.len] = piece;
            self.len += 1;
        }
    }

    /// Refuses, at compile time.
    ///
    /// # Panics
    /// Always: at compile time, since the derive calls this in constants only.
    #[track_caller]
    pub const fn panic(&self) -> ! {
        let mut bytes = [b' '; BYTES];
        let (mut len, mut index) = (0, 0);
        while index < self.len {
            let piece = self.pieces[index].as_bytes();
            let mut at = 0;
            while at < piece.len() && len < BYTES {
                // A character beyond ASCII could be cut in two.
                bytes[len] = if piece[at].is_ascii() { piece[at] } else { b'?' };
                (len, at) = (len + 1, at + 1);
            }
            index += 1;
        }
        match core::str::from_utf8(bytes.split_at(len).0) {
            Ok(text) => panic!("{}", text),
            Err(_) => panic!("a note is refused"),
        }
    }
}

impl fmt::Display for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.pieces[..self.len].iter().try_for_each(|piece| f.write_str(piece))
    }
}

impl fmt::Debug for Refusal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Refusal({self})")
    }
}

#[cfg(test)]
mod tests;
