//! The text form of conditions on records.
//!
//! ```text
//! condition = all { "or" all }
//! all       = part { "and" part }
//! part      = "not" part | "(" condition ")" | path [ test ]
//! test      = ( "=" | "==" | "<>" | "!=" | "<" | "<=" | ">" | ">=" ) value
//!           | [ "not" ] ( "like" | "contains" ) value
//!           | [ "not" ] "in" "(" value { "," value } ")"
//!           | [ "not" ] "between" value "and" value
//!           | "is" [ "not" ] "null"
//! path      = name { "." name }
//! ```

use super::whole::{Node, Term};
use super::{Condition, Test, Where, ends_escaping};
use demat_core::{Error, ErrorKind, Position, Result};

/// The maximum number of comparisons, and of values in them.
const MOST: usize = 256;
/// The maximum depth of brackets and `not`.
const DEEPEST: usize = 64;

/// Words that are no names.
const WORDS: [&str; 11] = ["and", "or", "not", "in", "is", "null", "like", "contains", "between", "true", "false"];

/// Parses a condition.
pub(super) fn parsed(text: &str) -> Result<Where> {
    let mut parser = Parser { text, at: 0, token: Token::End, begin: 0, terms: Vec::new(), values: 0 };
    parser.step()?;
    let root = parser.any(0)?;
    if parser.token != Token::End {
        return Err(parser.expected("`and`, `or` or the end of the condition"));
    }
    Ok(Where::new(root, parser.terms, text))
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Token<'t> {
    /// A name without quotes, or a word.
    Word(&'t str),
    /// A name in backticks.
    Name(String),
    /// Text in quotes.
    Text(String),
    /// A number, a date: anything that begins with a digit, a sign or a point.
    Bare(&'t str),
    /// An operator or a bracket.
    Sign(&'static str),
    End,
}

/// Operators and brackets, longer ones first.
const SIGNS: [&str; 12] = ["<=", ">=", "<>", "!=", "==", "=", "<", ">", "(", ")", ",", "."];

struct Parser<'t> {
    text: &'t str,
    /// The offset behind the current token.
    at: usize,
    token: Token<'t>,
    /// The offset of the current token.
    begin: usize,
    terms: Vec<Term>,
    values: usize,
}

impl Parser<'_> {
    /// Reads the next token.
    fn step(&mut self) -> Result<()> {
        let rest = self.text[self.at..].trim_start();
        self.begin = self.text.len() - rest.len();
        self.at = self.begin;
        let Some(first) = rest.chars().next() else {
            self.token = Token::End;
            return Ok(());
        };
        let (token, len) = match first {
            '\'' | '"' | '`' => {
                let (text, len) = quoted(rest, first).ok_or_else(|| {
                    self.failed(Error::mismatch(
                        ErrorKind::Syntax,
                        format!("another `{first}`"),
                        "end of the condition",
                    ))
                })?;
                (if first == '`' { Token::Name(text) } else { Token::Text(text) }, len)
            }
            first if is_bare(first, rest.chars().nth(1)) => {
                let len = rest.find(|c: char| !(c.is_alphanumeric() || "+-.:_".contains(c))).unwrap_or(rest.len());
                (Token::Bare(&rest[..len]), len)
            }
            first if first.is_alphabetic() || first == '_' => {
                let len = rest.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).unwrap_or(rest.len());
                (Token::Word(&rest[..len]), len)
            }
            _ => {
                let sign = SIGNS.into_iter().find(|sign| rest.starts_with(*sign)).ok_or_else(|| {
                    let found = format!("`{first}`");
                    self.failed(Error::mismatch(ErrorKind::Syntax, "a name, a value or an operator", found))
                })?;
                (Token::Sign(sign), sign.len())
            }
        };
        self.at = self.begin + len;
        self.token = token;
        Ok(())
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.token, Token::Word(own) if own.eq_ignore_ascii_case(word))
    }

    /// Steps over a word, if it is next.
    fn word(&mut self, word: &str) -> Result<bool> {
        let is = self.is_word(word);
        if is {
            self.step()?;
        }
        Ok(is)
    }

    /// Steps over a sign, if it is next.
    fn sign(&mut self, sign: &'static str) -> Result<bool> {
        let is = self.token == Token::Sign(sign);
        if is {
            self.step()?;
        }
        Ok(is)
    }

    fn any(&mut self, depth: usize) -> Result<Node> {
        let mut parts = vec![self.all(depth)?];
        while self.word("or")? {
            parts.push(self.all(depth)?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Node::Any(parts) })
    }

    fn all(&mut self, depth: usize) -> Result<Node> {
        let mut parts = vec![self.part(depth)?];
        while self.word("and")? {
            parts.push(self.part(depth)?);
        }
        Ok(if parts.len() == 1 { parts.swap_remove(0) } else { Node::All(parts) })
    }

    fn part(&mut self, depth: usize) -> Result<Node> {
        if depth > DEEPEST {
            return Err(self.failed(Error::limit("the depth of the condition", DEEPEST)));
        }
        if self.word("not")? {
            return Ok(Node::Not(Box::new(self.part(depth + 1)?)));
        }
        if self.sign("(")? {
            let inner = self.any(depth + 1)?;
            return if self.sign(")")? { Ok(inner) } else { Err(self.expected("`and`, `or` or `)`")) };
        }
        let path = self.path()?;
        self.test(&path)
    }

    fn path(&mut self) -> Result<Vec<String>> {
        let mut path = Vec::new();
        loop {
            match &mut self.token {
                Token::Name(name) => path.push(core::mem::take(name)),
                Token::Word(name) if !WORDS.iter().any(|word| word.eq_ignore_ascii_case(name)) => {
                    path.push((*name).to_string());
                }
                _ => return Err(self.expected("the name of a field")),
            }
            // A search for the field takes all prefixes of the path.
            if path.len() > DEEPEST {
                return Err(self.failed(Error::limit("the number of names that lead to a field", DEEPEST)));
            }
            self.step()?;
            if !self.sign(".")? {
                return Ok(path);
            }
        }
    }

    fn test(&mut self, path: &[String]) -> Result<Node> {
        let compared = [
            ("=", Test::Eq),
            ("==", Test::Eq),
            ("<>", Test::Ne),
            ("!=", Test::Ne),
            ("<", Test::Lt),
            ("<=", Test::Le),
            (">", Test::Gt),
            (">=", Test::Ge),
        ];
        for (sign, test) in compared {
            if self.sign(sign)? {
                let value = self.value()?;
                return self.term(path, test, vec![value]);
            }
        }
        if self.word("is")? {
            let isnt = self.word("not")?;
            if !self.word("null")? {
                return Err(self.expected(if isnt { "`null`" } else { "`null` or `not null`" }));
            }
            return self.term(path, Test::Null, vec![((!isnt).to_string(), false)]);
        }
        let not = self.word("not")?;
        let node = if self.word("like")? {
            let begin = self.begin;
            let value = self.value()?;
            if ends_escaping(&value.0) {
                let message = "the pattern ends with a backslash that stands before nothing";
                return Err(Error::new(ErrorKind::Syntax, message).at(self.position(begin)));
            }
            self.term(path, Test::Like, vec![value])?
        } else if self.word("contains")? {
            let value = self.value()?;
            self.term(path, Test::Contains, vec![value])?
        } else if self.word("in")? {
            if !self.sign("(")? {
                return Err(self.expected("`(`"));
            }
            let mut values = vec![self.value()?];
            while self.sign(",")? {
                values.push(self.value()?);
            }
            if !self.sign(")")? {
                return Err(self.expected("`,` or `)`"));
            }
            self.term(path, Test::In, values)?
        } else if self.word("between")? {
            let least = self.value()?;
            if !self.word("and")? {
                return Err(self.expected("`and`"));
            }
            let greatest = self.value()?;
            let least = self.term(path, Test::Ge, vec![least])?;
            Node::All(vec![least, self.term(path, Test::Le, vec![greatest])?])
        } else if not {
            return Err(self.expected("`like`, `contains`, `in` or `between`"));
        } else if matches!(self.token, Token::End | Token::Sign(")")) || self.is_word("and") || self.is_word("or") {
            self.term(path, Test::Eq, vec![("true".to_string(), false)])?
        } else {
            return Err(self.expected("a comparison, `and`, `or` or the end of the condition"));
        };
        Ok(if not { Node::Not(Box::new(node)) } else { node })
    }

    /// Parses a value. Returns it, and whether it is text in quotes.
    fn value(&mut self) -> Result<(String, bool)> {
        let value = match &mut self.token {
            Token::Text(text) => (core::mem::take(text), true),
            Token::Bare(text) => ((*text).to_string(), false),
            Token::Word(word) if word.eq_ignore_ascii_case("true") || word.eq_ignore_ascii_case("false") => {
                (word.to_ascii_lowercase(), false)
            }
            Token::Word(word) if word.eq_ignore_ascii_case("null") => {
                return Err(self.expected("a value (`is null` compares with null)"));
            }
            Token::Word(_) => return Err(self.expected("a value; text stands in quotes")),
            _ => return Err(self.expected("a value")),
        };
        self.values += 1;
        if self.values > MOST {
            return Err(self.failed(Error::limit("the number of values in the condition", MOST)));
        }
        self.step()?;
        Ok(value)
    }

    fn term(&mut self, path: &[String], test: Test, values: Vec<(String, bool)>) -> Result<Node> {
        if self.terms.len() == MOST {
            return Err(self.failed(Error::limit("the number of comparisons in the condition", MOST)));
        }
        let (values, quoted) = values.into_iter().unzip();
        let condition = Condition { field: path.join("."), test, values };
        self.terms.push(Term { path: path.to_vec(), condition, quoted });
        Ok(Node::Term(self.terms.len() - 1))
    }

    #[cold]
    fn expected(&self, expected: &'static str) -> Error {
        let found = match &self.token {
            Token::End => "end of the condition".to_string(),
            _ => format!("`{}`", &self.text[self.begin..self.at]),
        };
        self.failed(Error::mismatch(ErrorKind::Syntax, expected, found))
    }

    /// Adds the position of the current token.
    #[cold]
    fn failed(&self, error: Error) -> Error {
        error.at(self.position(self.begin))
    }

    fn position(&self, offset: usize) -> Position {
        let before = &self.text[..offset];
        let line = before.matches('\n').count() as u64 + 1;
        let column = before.rsplit('\n').next().unwrap_or_default().chars().count() as u64 + 1;
        Position { line: Some(line), column: Some(column), ..Position::default() }
    }
}

/// Whether a value without quotes begins with these characters.
fn is_bare(first: char, second: Option<char>) -> bool {
    let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
    first.is_ascii_digit()
        || "+-".contains(first) && (digit(second) || second == Some('.'))
        || first == '.' && digit(second)
}

/// Parses text in quotes. Returns it and its length with the quotes; `None` if it does not end.
fn quoted(rest: &str, quote: char) -> Option<(String, usize)> {
    let mut text = String::new();
    let mut at = 1;
    loop {
        let end = at + rest[at..].find(quote)?;
        text.push_str(&rest[at..end]);
        at = end + 1;
        if !rest[at..].starts_with(quote) {
            return Some((text, at));
        }
        text.push(quote);
        at += 1;
    }
}
