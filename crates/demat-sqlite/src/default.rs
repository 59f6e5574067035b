//! Compares the defaults of columns, and reads those that are literals.

use crate::migrate::token::{Kind, Token, behind_group, tokens};
use rusqlite::types::Value;

/// Returns whether two defaults are the same: other parentheses around them, blanks, and the case of keywords and
/// numbers don't matter. SQLite reports a default without its outer parentheses.
pub(crate) fn same(one: &str, other: &str) -> bool {
    let words = |sql: &str| -> Vec<String> { bare(&tokens(sql)).iter().map(word).collect() };
    words(one) == words(other)
}

/// Returns the value of a default; `None` if it is an expression.
pub(crate) fn literal(default: &str) -> Option<Value> {
    let all = tokens(default);
    let (sign, one) = match bare(&all) {
        [one] => ("", one),
        [sign, one] if sign.is("-") || sign.is("+") => (sign.text, one),
        _ => return None,
    };
    if one.kind == Kind::Word && sign.is_empty() {
        return match &*one.text.to_ascii_uppercase() {
            "NULL" => Some(Value::Null),
            "TRUE" => Some(Value::Integer(1)),
            "FALSE" => Some(Value::Integer(0)),
            _ => None,
        };
    }
    if one.kind != Kind::Literal {
        return None;
    }
    match one.text.as_bytes() {
        [b'\'', ..] if sign.is_empty() => Some(Value::Text(one.name())),
        [b'x' | b'X', b'\'', digits @ .., b'\''] if sign.is_empty() => {
            let byte = |pair: &[u8]| u8::from_str_radix(core::str::from_utf8(pair).ok()?, 16).ok();
            digits.chunks(2).map(byte).collect::<Option<Vec<u8>>>().map(Value::Blob)
        }
        _ => {
            let number = format!("{sign}{}", one.text);
            let int = number.parse().ok().map(Value::Integer);
            int.or_else(|| number.parse().ok().map(Value::Real))
        }
    }
}

/// Returns an expression without the parentheses around all of it.
fn bare<'t, 's>(mut tokens: &'t [Token<'s>]) -> &'t [Token<'s>] {
    while tokens.first().is_some_and(|token| token.is("(")) && behind_group(tokens, 0) == tokens.len() {
        tokens = tokens.get(1..tokens.len() - 1).unwrap_or_default();
    }
    tokens
}

fn word(token: &Token<'_>) -> String {
    // The case within quotes is a part of the value.
    let is_exact = token.kind == Kind::Name || token.text.starts_with('\'');
    if is_exact { token.text.to_string() } else { token.text.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::{literal, same};
    use rusqlite::types::Value;

    #[test]
    fn defaults_are_compared_by_their_meaning() {
        for (one, other) in [
            ("(1 + 2)", "1 + 2"),
            ("((datetime('now')))", "DATETIME( 'now' )"),
            ("current_date", "CURRENT_DATE"),
            ("1E5", "1e5"),
            ("X'0A'", "x'0a'"),
        ] {
            assert!(same(one, other), "{one} {other}");
        }
        for (one, other) in [("'a'", "'A'"), ("(1) + (2)", "1) + (2"), ("'(a)'", "'a'"), ("1", "-1"), ("", "''")] {
            assert!(!same(one, other), "{one} {other}");
        }
    }

    #[test]
    fn literals_have_values() {
        assert_eq!(literal("('a''b')"), Some(Value::Text("a'b".into())));
        assert_eq!(literal("-5"), Some(Value::Integer(-5)));
        assert_eq!(literal("1.5"), Some(Value::Real(1.5)));
        assert_eq!(literal("x'00ff'"), Some(Value::Blob(vec![0, 255])));
        assert_eq!(literal("true"), Some(Value::Integer(1)));
        for sql in ["1 + 2", "CURRENT_DATE", "f('x')", "", "x'0g'", "()"] {
            assert_eq!(literal(sql), None, "{sql}");
        }
    }
}
