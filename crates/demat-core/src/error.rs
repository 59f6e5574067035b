use crate::Position;
use core::fmt;
use std::borrow::Cow;

/// The one error of the house.
///
/// It says what was expected and what was found, where by path (`$.tasks[3].title`), byte offset, line and column,
/// and the number of the record. It is boxed so that `Result<i64>` stays two registers wide, and nothing of it is
/// computed unless something failed.
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
    /// Innermost first: segments are added while the call stack unwinds.
    path: Vec<Segment>,
    position: Position,
    place: Option<String>,
    cause: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What kind of thing went wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ErrorKind {
    /// The input is not of its format.
    Syntax,
    /// A value is of another kind than the shape says.
    Type,
    /// A value is of the right kind but breaks a rule: a missing or unknown field, a number out of range.
    Constraint,
    /// A value cannot be written in the format.
    Encode,
    /// The input asks for more than the limits allow.
    Limit,
    /// Reading or writing failed.
    Io,
    /// A store refused.
    Store,
    /// A bug in Demat: it panicked.
    Internal,
}

impl ErrorKind {
    /// The lower-case name of the kind.
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

/// What an error asks of whoever drives the source. A driver answers it; users do not meet it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// The window ended inside a value: read on and go again from the last mark.
    Incomplete,
    /// A record repeats a field or a map a key: go again, keeping each one's last occurrence only.
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
    /// An error of this kind with a message.
    #[cold]
    pub fn new(kind: ErrorKind, message: impl Into<Cow<'static, str>>) -> Self {
        let mut error = Self::bare(kind);
        error.0.message = Some(message.into());
        error
    }

    /// A [`Type`](ErrorKind::Type) error: a value of one kind stood where another was expected.
    #[cold]
    pub fn expected(expected: impl Into<Cow<'static, str>>, found: impl Into<Cow<'static, str>>) -> Self {
        Self::mismatch(ErrorKind::Type, expected, found)
    }

    /// The error for text that is no [date and time without an offset](crate::scalar::DateTime). It says so if the text
    /// has an offset.
    #[cold]
    pub fn no_date_time(text: &str) -> Self {
        let found = match crate::scalar::Instant::parse(text) {
            Some(_) => Cow::Owned(format!("`{text}`, which has an offset")),
            None => Cow::Borrowed("other text"),
        };
        Self::expected("`datetime` as YYYY-MM-DDTHH:MM:SS", found)
    }

    /// An error of any kind that has an expectation and a finding.
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

    /// The same error as one of another kind.
    #[must_use]
    pub fn with_kind(mut self, kind: ErrorKind) -> Self {
        self.0.kind = kind;
        self
    }

    /// A required field that was not there.
    #[cold]
    pub fn missing(field: &str) -> Self {
        Self::mismatch(ErrorKind::Constraint, format!("field `{field}`"), "nothing")
    }

    /// A limit that the input went past.
    #[cold]
    pub fn limit(what: &str, limit: impl fmt::Display) -> Self {
        Self::new(ErrorKind::Limit, format!("{what} exceeds the limit of {limit}"))
    }

    /// The signal to whoever drives the source; [`ErrorKind::Syntax`] if nobody answers it.
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
            path: Vec::new(),
            position: Position::default(),
            place: None,
            cause: None,
        }))
    }

    /// Adds the step from a record to this field; called while unwinding, innermost first.
    #[cold]
    #[must_use]
    pub fn within_field(mut self, name: impl Into<Cow<'static, str>>) -> Self {
        self.0.path.push(Segment::Field(name.into()));
        self
    }

    /// Adds the step from a list to this item (from 0).
    #[cold]
    #[must_use]
    pub fn within_item(mut self, index: usize) -> Self {
        self.0.path.push(Segment::Item(index));
        self
    }

    /// Says where in the place the error is, unless that is already known.
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

    /// The same error as one of a place in which what it was found in begins behind so many bytes and line breaks, and so
    /// many characters after the last of these.
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

    /// Says in which record (from 1) the error is.
    #[cold]
    #[must_use]
    pub fn in_record(mut self, record: u64) -> Self {
        self.0.position.record = Some(record);
        self
    }

    /// Names the place (a file, a URL) that the error is in, unless one is named already.
    #[cold]
    #[must_use]
    pub fn in_place(mut self, place: impl Into<String>) -> Self {
        self.0.place.get_or_insert_with(|| place.into());
        self
    }

    /// Adds what underlies this error.
    #[cold]
    #[must_use]
    pub fn because(mut self, cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.0.cause = Some(cause.into());
        self
    }

    /// What kind of thing went wrong.
    pub fn kind(&self) -> ErrorKind {
        self.0.kind
    }

    /// What the error asks of the driver, if anything.
    pub fn signal(&self) -> Option<Signal> {
        self.0.signal
    }

    /// What should have stood there.
    pub fn expectation(&self) -> Option<&str> {
        self.0.expected.as_deref()
    }

    /// What stood there.
    pub fn found(&self) -> Option<&str> {
        self.0.found.as_deref()
    }

    /// Where in the place.
    pub fn position(&self) -> Position {
        self.0.position
    }

    /// The file or other place, where it is known.
    pub fn place(&self) -> Option<&str> {
        self.0.place.as_deref()
    }

    /// The path to the value, as `JSONPath` (RFC 9535) writes it; `$` is the whole.
    pub fn path(&self) -> String {
        let mut path = String::from("$");
        for segment in self.0.path.iter().rev() {
            segment.write(&mut path);
        }
        path
    }

    /// What went wrong, without the where.
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
        if let Some(cause) = &inner.cause {
            reason.push_str(": ");
            reason.push_str(&cause.to_string());
        }
        reason
    }
}

/// Names of kinds and literal text stand in backticks; descriptions (`end of input`, ``field `id` ``) that have their own
/// words stay as they are.
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

/// The same as `Display`, because `unwrap()` shows this form to people.
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
