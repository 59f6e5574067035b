//! Compares CHECK rules.

use super::token::{Kind, Token, behind_group, tokens};

/// A rule as its tokens: names without quotes and in lowercase, so that other ways to write the same are equal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Rule(Vec<String>);

impl Rule {
    /// Returns the rule of an expression.
    pub(super) fn of(sql: &str) -> Self {
        Self::of_tokens(&tokens(sql))
    }

    /// Returns the rule in the first parentheses of a constraint.
    pub(super) fn of_constraint(constraint: &[Token<'_>]) -> Option<Self> {
        let open = constraint.iter().position(|token| token.is("("))?;
        let close = behind_group(constraint, open).checked_sub(1)?;
        Some(Self::of_tokens(constraint.get(open + 1..close)?))
    }

    fn of_tokens(mut tokens: &[Token<'_>]) -> Self {
        while tokens.first().is_some_and(|token| token.is("(")) && behind_group(tokens, 0) == tokens.len() {
            tokens = tokens.get(1..tokens.len() - 1).unwrap_or_default();
        }
        let word = |token: &Token<'_>| match (token.kind, token.text) {
            (Kind::Word | Kind::Name, _) => token.name().to_lowercase(),
            (_, "==") => "=".to_string(),
            (_, "!=") => "<>".to_string(),
            (_, text) => text.to_string(),
        };
        Self(tokens.iter().map(word).collect())
    }

    /// Returns whether it has one of the forms that Demat writes for a column: such a rule follows the class.
    pub(super) fn is_of_class(&self, column: &str) -> bool {
        let column = column.to_lowercase();
        let words: Vec<&str> = self.0.iter().map(String::as_str).collect();
        let is_literal = |words: &[&str]| {
            let number = words.strip_prefix(&["-"]).unwrap_or(words);
            matches!(number, [one] if one.starts_with(|c: char| c.is_ascii_digit() || c == '.'))
                || matches!(words, [text] if text.starts_with('\''))
        };
        match &*words {
            ["length", "(", own, ")", ">=" | "<=", bound @ ..]
            | [own, "%", bound @ .., "=", "0"]
            | [own, ">=" | ">" | "<=" | "<", bound @ ..] => *own == column && is_literal(bound),
            [own, "in", "(", values @ .., ")"] => *own == column && values.split(|word| *word == ",").all(is_literal),
            _ => false,
        }
    }
}
