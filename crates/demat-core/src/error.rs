use crate::{Position, excerpt};
use core::fmt;
use std::borrow::Cow;

/// The error type of all of Demat.
///
/// It has what was expected and what was found, and the location: path (`$.tasks[3].title`), byte offset, line and
/// column, and the number of the record. It is boxed so that `Result<i64>` stays two registers wide, and nothing of it
/// is computed unless something failed.
///
/// ```
/// use demat_core::{Error, ErrorKind};
/// let error = Error::expected("int", "text").within_field("id").within_item(3);
/// assert_eq!(error.kind(), ErrorKind::Type);
/// assert_eq!(error.path(), "$[3].id");
/// assert_eq!(error.to_string(), "expected `int`, found `text` at `$[3].id`");
/// ```
pub struct Error(Box<Inner>);

struct Inner {
    kind: ErrorKind,
    signal: Option<Signal>,
    message: Option<Cow<'static, str>>,
    expected: Option<Cow<'static, str>>,
    found: Option<Cow<'static, str>>,
    /// The excerpt of the value that was found.
    value: Option<String>,
    /// Innermost first: segments are added while the call stack unwinds.
    path: Vec<Segment>,
    position: Position,
    place: Option<String>,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// The categories of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input violates the syntax of its format.
    Syntax,
    /// A value has another kind than its shape.
    Type,
    /// A value has the right kind but violates a rule: a missing or unknown field, a number out of range.
    Constraint,
    /// The format can't represent a value.
    Encode,
    /// The input exceeds a limit.
    Limit,
    /// Reading or writing failed.
    Io,
    /// A store refused the request.
    Store,
    /// A bug in Demat: it panicked.
    Internal,
}

impl ErrorKind {
    /// The lower-case name of the category.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Syntax => "syntax",
            Self::Type => "type",
            Self::Constraint => "constraint",
            Self::Encode => "encode",
            Self::Limit => "limit",
            Self::Io => "io",
            Self::Store => "store",
            Self::Internal => "internal",
        }
    }
}

/// A request to the driver of the source. Drivers handle it; users do not see it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// The window ended inside a value: fill it and continue from the last mark.
    Incomplete,
    /// A record repeats a field or a map a key: start again, in two passes that keep only the last occurrence of each.
    Repeated,
}

/// One step of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Segment {
    /// A field of a record or a text key of a map.
    Field(Cow<'static, str>),
    /// An item of a list, from 0.
    Item(usize),
}

impl Error {
    /// Returns an error of this kind with a message.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        let mut error = Self::bare(kind);
        error.0.message = Some(message.into());
        error
    }

    /// Returns a [`Type`](ErrorKind::Type) error: a value of another kind than expected.
    #[cold]
    pub fn expected(expected: impl Into<Cow<'static, str>>, found: impl Into<Cow<'static, str>>) -> Self {
        Self::mismatch(ErrorKind::Type, expected, found)
    }

    /// Returns a [`Constraint`](ErrorKind::Constraint) error: a list has more than its most items.
    ///
    /// ```
    /// let error = demat_core::Error::too_many_items(2);
    /// assert_eq!(error.reason(), "expected a `list` of 2, found more items");
    /// ```
    #[cold]
    pub fn too_many_items(most: usize) -> Self {
        Self::mismatch(ErrorKind::Constraint, format!("a `list` of {most}"), "more items")
    }

    /// Returns a [`Type`](ErrorKind::Type) error: a text that is not the text of what was expected.
    ///
    /// ```
    /// let error = demat_core::Error::other_text("uuid", "12a");
    /// assert_eq!(error.reason(), "expected `uuid`, found `text` \"12a\"");
    /// ```
    #[cold]
    pub fn other_text(expected: impl Into<Cow<'static, str>>, text: &str) -> Self {
        Self::expected(expected, "text").showing(excerpt::text(text))
    }

    /// Returns the error for text that is no [date and time without an offset](crate::scalar::DateTime). It says so if
    /// the text has an offset.
    #[cold]
    pub fn no_date_time(text: &str) -> Self {
        let expected = "`datetime` as YYYY-MM-DDTHH:MM:SS";
        match crate::scalar::Instant::parse(text) {
            Some(_) => Self::expected(expected, format!("`{text}`, which has an offset")),
            None => Self::other_text(expected, text),
        }
    }

    /// Returns an error of any kind with an expectation and a finding.
    #[cold]
    pub fn mismatch(
        kind: ErrorKind,
        expected: impl Into<Cow<'static, str>>,
        found: impl Into<Cow<'static, str>>,
    ) -> Self {
        let mut error = Self::bare(kind);
        error.0.expected = Some(expected.into());
        error.0.found = Some(found.into());
        error
    }

    /// Adds the value that was found, as the message shows it: one of the [excerpts](excerpt).
    ///
    /// ```
    /// use demat_core::{Error, excerpt};
    /// let error = Error::expected("int", "text").showing(excerpt::text("12a"));
    /// assert_eq!(error.reason(), "expected `int`, found `text` \"12a\"");
    /// assert_eq!(error.value(), Some("\"12a\""));
    /// ```
    #[cold]
    #[must_use]
    pub fn showing(mut self, value: impl Into<Option<String>>) -> Self {
        self.0.value = value.into();
        self
    }

    /// Replaces what was expected.
    ///
    /// ```
    /// let error = demat_core::Error::expected("text", "int").expecting("date");
    /// assert_eq!(error.reason(), "expected `date`, found `int`");
    /// ```
    #[cold]
    #[must_use]
    pub fn expecting(mut self, expected: impl Into<Cow<'static, str>>) -> Self {
        self.0.expected = Some(expected.into());
        self
    }

    /// Replaces what was expected if that was text: the caller reads another kind from it.
    #[cold]
    #[must_use]
    pub(crate) fn not_of_text(self, expected: &'static str) -> Self {
        if self.0.kind == ErrorKind::Type && self.expectation() == Some("text") {
            return self.expecting(expected);
        }
        self
    }

    /// Changes the kind of the error.
    #[must_use]
    pub fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// Returns the error for a missing required field.
    #[cold]
    pub fn missing(field: &str) -> Self {
        Self::mismatch(ErrorKind::Constraint, format!("field `{field}`"), "nothing")
    }

    /// Returns the error for an exceeded limit.
    #[cold]
    pub fn limit(what: &str, limit: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Limit, format!("{what} exceeds the limit of {limit}"))
    }

    /// Returns a signal to the driver of the source. Without a driver it is an [`ErrorKind::Syntax`] error (or
    /// [`Constraint`](ErrorKind::Constraint), for a repeated key).
    #[cold]
    pub fn signalled(signal: Signal) -> Self {
        let mut error = match signal {
            Signal::Incomplete => Self::mismatch(ErrorKind::Syntax, "more input", "end of input"),
            Signal::Repeated => Self::new(ErrorKind::Constraint, "repeated key"),
        };
        error.0.signal = Some(signal);
        error
    }

    #[cold]
    fn bare(kind: ErrorKind) -> Self {
        Self(Box::new(Inner {
            kind,
            signal: None,
            message: None,
            expected: None,
            found: None,
            value: None,
            path: Vec::new(),
            position: Position::default(),
            place: None,
            cause: None,
        }))
    }

    /// Adds the step from a record to this field. Call it while unwinding, innermost first.
    #[cold]
    #[must_use]
    pub fn within_field(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.0.path.push(Segment::Field(name.into()));
        self
    }

    /// Adds the step from a list to this item (from 0). Call it while unwinding, innermost first.
    #[cold]
    #[must_use]
    pub fn within_item(mut self, index: usize) -> Self {
        self.0.path.push(Segment::Item(index));
        self
    }

    /// Counts on from `first` items before: the outermost step of the path is an item of a part of a longer list.
    #[cold]
    #[must_use]
    pub fn behind_items(mut self, first: usize) -> Self {
        if let Some(Segment::Item(index)) = self.0.path.last_mut() {
            *index += first;
        }
        self.0.position.record = self.0.position.record.map(|record| record + first as u64);
        self
    }

    /// Adds the position in the place, unless it is already known.
    #[cold]
    #[must_use]
    pub fn at(mut self, position: Position) -> Self {
        let own = &mut self.0.position;
        own.offset = own.offset.or(position.offset);
        own.line = own.line.or(position.line);
        own.column = own.column.or(position.column);
        own.record = own.record.or(position.record);
        self
    }

    /// Shifts the position: the input of this error begins in a larger place, behind `offset` bytes and `lines` line
    /// breaks, and `columns` characters after the last of these.
    #[cold]
    #[must_use]
    pub fn moved(mut self, offset: u64, lines: u64, columns: u64) -> Self {
        let own = &mut self.0.position;
        own.offset = own.offset.map(|own| own + offset);
        if own.line == Some(1) {
            own.column = own.column.map(|own| own + columns);
        }
        own.line = own.line.map(|own| own + lines);
        self
    }

    /// Adds the number of the record, from 1.
    #[cold]
    #[must_use]
    pub fn in_record(mut self, record: u64) -> Self {
        self.0.position.record = Some(record);
        self
    }

    /// Adds the name of the place (a file, a URL), unless it has one already.
    #[cold]
    #[must_use]
    pub fn in_place(mut self, place: impl Into<String>) -> Self {
        self.0.place.get_or_insert_with(|| place.into());
        self
    }

    /// Adds the underlying cause.
    #[cold]
    #[must_use]
    pub fn because(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// Returns the cause, if there is one.
    ///
    /// ```
    /// use std::io;
    /// let error = demat_core::Error::from(io::Error::from(io::ErrorKind::BrokenPipe));
    /// let cause = error.into_cause().and_then(|cause| cause.downcast::<io::Error>().ok());
    /// assert_eq!(cause.map(|cause| cause.kind()), Some(io::ErrorKind::BrokenPipe));
    /// ```
    #[cold]
    pub fn into_cause(self) -> Option<Box<dyn std::error::Error + Send + Sync>> {
        self.0.cause
    }

    /// Returns a copy, whose cause is only text of its [reason](Self::reason).
    ///
    /// ```
    /// let error = demat_core::Error::from(std::io::Error::other("no"));
    /// assert_eq!(error.copied().to_string(), error.to_string());
    /// ```
    #[cold]
    #[must_use]
    pub fn copied(&self) -> Self {
        let inner = &self.0;
        Self(Box::new(Inner {
            kind: inner.kind,
            signal: inner.signal,
            message: if inner.cause.is_some() { Some(self.reason().into()) } else { inner.message.clone() },
            expected: inner.expected.clone(),
            found: inner.found.clone(),
            value: inner.value.clone(),
            path: inner.path.clone(),
            position: inner.position,
            place: inner.place.clone(),
            cause: None,
        }))
    }

    /// The category of the error.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// The request to the driver, if there is one.
    pub fn signal(&self) -> Option<Signal> {
        self.0.signal
    }

    /// What was expected.
    pub fn expectation(&self) -> Option<&str> {
        self.0.expected.as_deref()
    }

    /// What was found.
    pub fn found(&self) -> Option<&str> {
        self.0.found.as_deref()
    }

    /// The value that was found, cut to [`SHOWN`](excerpt::SHOWN) characters, as the message shows it.
    pub fn value(&self) -> Option<&str> {
        self.0.value.as_deref()
    }

    /// The position in the place.
    pub fn position(&self) -> Position {
        self.0.position
    }

    /// The file or other place, if known.
    pub fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }

    /// The path to the value in `JSONPath` syntax (RFC 9535); `$` is the whole.
    pub fn path(&self) -> String {
        let mut path = String::from("$");
        for segment in self.0.path.iter().rev() {
            segment.write(&mut path);
        }
        path
    }

    /// The message without the location.
    ///
    /// ```
    /// let error = demat_core::Error::expected("int", "text").within_item(3);
    /// assert_eq!(error.reason(), "expected `int`, found `text`");
    /// ```
    pub fn reason(&self) -> String {
        let inner = &self.0;
        let mut reason = match (&inner.message, &inner.expected, &inner.found) {
            (Some(message), _, _) => message.to_string(),
            (None, Some(expected), Some(found)) => format!("expected {}, found {}", Quoted(expected), Quoted(found)),
            _ => inner.kind.name().to_string(),
        };
        if let (None, Some(value)) = (&inner.message, &inner.value) {
            reason.push(' ');
            reason.push_str(value);
        }
        if let Some(cause) = &inner.cause {
            reason.push_str(": ");
            reason.push_str(&cause.to_string());
        }
        reason
    }
}

/// Puts names of kinds and literal text in backticks. Descriptions of several words (`end of input`, ``field `id` ``)
/// stay unchanged.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.contains([' ', '`']) || self.0 == "nothing" { f.write_str(self.0) } else { write!(f, "`{}`", self.0) }
    }
}

impl Segment {
    fn write(&self, path: &mut String) {
        use fmt::Write as _;
        match self {
            Self::Item(index) => {
                let _ = write!(path, "[{index}]"); // writing to a String cannot fail
            }
            Self::Field(name) => {
                let mut chars = name.chars();
                let head = chars.next().is_some_and(|c| c.is_alphabetic() || c == '_');
                if head && chars.all(|c| c.is_alphanumeric() || c == '_') {
                    path.push('.');
                    path.push_str(name);
                } else {
                    let _ = write!(path, "[{name:?}]");
                }
            }
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason())?;
        if !self.0.path.is_empty() {
            write!(f, " at `{}`", self.path())?;
        }
        let Position { offset, line, column, record } = self.0.position;
        let mut parts = Vec::new();
        if let Some(place) = &self.0.place {
            parts.push(place.clone());
        }
        if let Some(record) = record {
            parts.push(format!("record {record}"));
        }
        match (line, column, offset) {
            (Some(line), Some(column), _) => parts.push(format!("line {line}, column {column}")),
            (Some(line), None, _) => parts.push(format!("line {line}")),
            (None, _, Some(offset)) => parts.push(format!("byte {offset}")),
            (None, ..) => {}
        }
        if !parts.is_empty() {
            write!(f, " ({})", parts.join(", "))?;
        }
        Ok(())
    }
}

/// The same as `Display`, because `unwrap()` shows this form to users.
impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} error: {self}", self.0.kind.name())
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.0.cause.as_deref().map(|cause| cause as _)
    }
}

impl From<std::io::Error> for Error {
    #[cold]
    fn from(cause: std::io::Error) -> Self {
        let mut error = Self::bare(ErrorKind::Io);
        error.0.message = Some(Cow::Borrowed("reading or writing failed"));
        error.because(cause)
    }
}
