//! Splits SQL into tokens.

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A keyword or a bare name.
    Word,
    /// A name in quotes, backticks or brackets.
    Name,
    /// A number, a text or bytes.
    Literal,
    /// An operator, a comma or a parenthesis.
    Symbol,
}

/// A token of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Token<'s> {
    pub(crate) kind: Kind,
    pub(crate) text: &'s str,
    /// Where it starts in the text.
    pub(crate) start: usize,
}

impl Token<'_> {
    /// Returns whether it is this keyword or symbol.
    pub(crate) fn is(&self, word: &str) -> bool {
        matches!(self.kind, Kind::Word | Kind::Symbol) && self.text.eq_ignore_ascii_case(word)
    }

    /// Returns where it ends in the text.
    pub(crate) fn end(&self) -> usize {
        self.start + self.text.len()
    }

    /// Returns the name that it denotes, without quotes. SQLite takes a text for a name where only a name can stand.
    pub(crate) fn name(&self) -> String {
        let inner = |quote: &str| self.text[1..self.text.len() - 1].replace(&quote.repeat(2), quote);
        match self.text.as_bytes() {
            [b'[', .., b']'] => self.text[1..self.text.len() - 1].to_string(),
            [first @ (b'"' | b'`' | b'\''), .., last] if first == last && self.text.len() > 1 => {
                inner(&char::from(*first).to_string())
            }
            _ => self.text.to_string(),
        }
    }
}

/// Splits a statement into tokens, without blanks and comments.
pub(crate) fn tokens(sql: &str) -> Vec<Token<'_>> {
    let bytes = sql.as_bytes();
    let mut found = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let start = at;
        let next = bytes.get(at + 1).copied().unwrap_or(0);
        let kind = match bytes[at] {
            blank if blank.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'-' if next == b'-' => {
                at = until(sql, at + 2, "\n");
                continue;
            }
            b'/' if next == b'*' => {
                at = until(sql, at + 2, "*/");
                continue;
            }
            b'\'' => {
                at = quoted(bytes, at);
                Kind::Literal
            }
            b'x' | b'X' if next == b'\'' => {
                at = quoted(bytes, at + 1);
                Kind::Literal
            }
            b'"' | b'`' => {
                at = quoted(bytes, at);
                Kind::Name
            }
            b'[' => {
                at = until(sql, at + 1, "]");
                Kind::Name
            }
            first if first.is_ascii_digit() || first == b'.' && next.is_ascii_digit() => {
                at = number(bytes, at);
                Kind::Literal
            }
            first if is_part(first) => {
                while at < bytes.len() && is_part(bytes[at]) {
                    at += 1;
                }
                Kind::Word
            }
            first => {
                let pairs: [&[u8]; 7] = [b"<=", b">=", b"<>", b"!=", b"==", b"||", b"->"];
                at += if pairs.contains(&[first, next].as_slice()) { 2 } else { 1 };
                Kind::Symbol
            }
        };
        found.push(Token { kind, text: &sql[start..at], start });
    }
    found
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'$' || byte >= 0x80
}

/// Returns the position behind the next terminator.
fn until(sql: &str, from: usize, end: &str) -> usize {
    sql[from..].find(end).map_or(sql.len(), |at| from + at + end.len())
}

/// Returns the position behind a quoted text, in which a doubled quote is one quote.
fn quoted(bytes: &[u8], start: usize) -> usize {
    let quote = bytes[start];
    let mut at = start + 1;
    while at < bytes.len() {
        if bytes[at] == quote {
            if bytes.get(at + 1) != Some(&quote) {
                return at + 1;
            }
            at += 1;
        }
        at += 1;
    }
    bytes.len()
}

fn number(bytes: &[u8], start: usize) -> usize {
    let is_hex = matches!(bytes.get(start + 1), Some(b'x' | b'X'));
    let mut at = start;
    while at < bytes.len() {
        let sign = matches!(bytes[at], b'+' | b'-') && !is_hex && matches!(bytes[at - 1], b'e' | b'E') && at > start;
        if !sign && bytes[at] != b'.' && !is_part(bytes[at]) {
            break;
        }
        at += 1;
    }
    at
}

/// Returns the statement that creates an object with its name in the main schema. A bare name in a statement of the
/// schema may denote an object of the temporary one.
pub(super) fn in_main(create: &str) -> String {
    let tokens = tokens(create);
    let kind = tokens.iter().position(|token| ["TABLE", "INDEX", "TRIGGER"].iter().any(|kind| token.is(kind)));
    match kind.and_then(|at| tokens.get(at + 1)) {
        Some(name) => format!("{}main.{}", &create[..name.start], &create[name.start..]),
        None => create.to_string(),
    }
}

/// Returns whether one of some names stands in a statement, in any spelling.
pub(super) fn says_any(sql: &str, names: &[String]) -> bool {
    let says = |token: &Token<'_>| {
        let is_name = token.kind != Kind::Symbol && !token.text.is_empty();
        is_name && names.iter().any(|name| token.name().eq_ignore_ascii_case(name))
    };
    tokens(sql).iter().any(says)
}

/// Returns whether one of some names stands in double quotes in a statement.
pub(super) fn quotes_any(sql: &str, names: &[String]) -> bool {
    let says = |token: &Token<'_>| names.iter().any(|name| token.name().eq_ignore_ascii_case(name));
    tokens(sql).iter().any(|token| token.text.starts_with('"') && says(token))
}

/// Returns the index behind the group that begins with the parenthesis at an index.
pub(crate) fn behind_group(tokens: &[Token<'_>], start: usize) -> usize {
    let mut depth = 0;
    for (index, token) in tokens.iter().enumerate().skip(start) {
        if token.is("(") {
            depth += 1;
        } else if token.is(")") {
            depth -= 1;
            if depth == 0 {
                return index + 1;
            }
        }
    }
    tokens.len()
}
