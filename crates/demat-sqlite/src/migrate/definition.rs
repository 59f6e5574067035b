//! The parts of a CREATE TABLE statement, each with its own text, so that what does not change stays as it was written.

use super::rule::Rule;
use super::token::{Kind as TokenKind, Token, behind_group, tokens};
use crate::name::quoted;

/// What a constraint is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    PrimaryKey,
    NotNull,
    /// `NULL`, which says nothing.
    Null,
    Unique,
    Check,
    Default,
    Collate,
    References,
    Generated,
}

/// A constraint of a column, or of the table.
#[derive(Debug, Clone)]
pub(super) struct Constraint {
    pub(super) kind: Kind,
    pub(super) text: String,
    /// Whether it has a name: `CONSTRAINT name …`.
    pub(super) named: bool,
    /// The columns in its first parentheses, for a constraint of the table.
    pub(super) columns: Vec<String>,
    /// The rule of a CHECK.
    pub(super) rule: Option<Rule>,
}

/// A column.
#[derive(Debug, Clone)]
pub(super) struct ColumnDefinition {
    pub(super) name: String,
    pub(super) declared: String,
    pub(super) constraints: Vec<Constraint>,
}

/// A table.
#[derive(Debug, Clone)]
pub(super) struct Definition {
    pub(super) columns: Vec<ColumnDefinition>,
    pub(super) constraints: Vec<Constraint>,
}

impl Definition {
    /// Parses the SQL that SQLite stores for a table; `None` if it is no list of columns.
    pub(super) fn parse(sql: &str) -> Option<Self> {
        let tokens = tokens(sql);
        let open = tokens.iter().position(|token| token.is("("))?;
        let close = behind_group(&tokens, open);
        let mut definition = Self { columns: Vec::new(), constraints: Vec::new() };
        let mut rest = tokens.get(open + 1..close.checked_sub(1)?)?;
        while !rest.is_empty() {
            let end = item_end(rest);
            let item = &rest[..end];
            rest = rest.get(end + 1..).unwrap_or_default();
            if starts_table_constraint(item.first()?) {
                definition.constraints.extend(constraints(sql, item, starts_table_constraint)?);
            } else {
                definition.columns.push(column(sql, item)?);
            }
        }
        Some(definition)
    }

    /// Returns the index of a column, case-insensitively.
    pub(super) fn column(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column.name.eq_ignore_ascii_case(name))
    }

    /// Returns the statement that creates the table under a name.
    pub(super) fn create(&self, name: &str, strict: bool, without_rowid: bool) -> String {
        let columns = self.columns.iter().map(ColumnDefinition::line);
        let lines: Vec<String> = columns.chain(self.constraints.iter().map(|own| own.text.clone())).collect();
        let options: Vec<&str> = [(strict, "STRICT"), (without_rowid, "WITHOUT ROWID")]
            .into_iter()
            .filter_map(|(wanted, option)| wanted.then_some(option))
            .collect();
        let options = if options.is_empty() { String::new() } else { format!(" {}", options.join(", ")) };
        format!("CREATE TABLE {} (\n  {}\n){options}", quoted(name), lines.join(",\n  "))
    }
}

impl ColumnDefinition {
    /// Returns the column's line in the statement.
    pub(super) fn line(&self) -> String {
        let mut line = quoted(&self.name);
        let constraints = self.constraints.iter().map(|own| &*own.text);
        for part in core::iter::once(&*self.declared).chain(constraints).filter(|part| !part.is_empty()) {
            line.push(' ');
            line.push_str(part);
        }
        line
    }

    /// Returns the rules of its CHECK constraints without a name.
    pub(super) fn rules(&self) -> impl Iterator<Item = &Rule> {
        self.constraints.iter().filter(|own| !own.named).filter_map(|own| own.rule.as_ref())
    }

    /// Adds a constraint.
    pub(super) fn add(&mut self, kind: Kind, text: String) {
        self.constraints.push(Constraint { kind, text, named: false, columns: Vec::new(), rule: None });
    }
}

/// Returns the index of the comma that ends the first item.
fn item_end(tokens: &[Token<'_>]) -> usize {
    let mut at = 0;
    while at < tokens.len() && !tokens[at].is(",") {
        at = if tokens[at].is("(") { behind_group(tokens, at) } else { at + 1 };
    }
    at.min(tokens.len())
}

fn starts_table_constraint(token: &Token<'_>) -> bool {
    ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"].iter().any(|word| token.is(word))
}

fn starts_constraint(token: &Token<'_>) -> bool {
    ["PRIMARY", "NOT", "NULL", "UNIQUE", "CHECK", "DEFAULT", "COLLATE", "REFERENCES", "GENERATED", "AS", "CONSTRAINT"]
        .iter()
        .any(|word| token.is(word))
}

fn column(sql: &str, item: &[Token<'_>]) -> Option<ColumnDefinition> {
    let (name, rest) = item.split_first()?;
    let mut end = 0;
    while end < rest.len() && !starts_constraint(&rest[end]) {
        end = if rest[end].is("(") { behind_group(rest, end) } else { end + 1 };
    }
    let declared = text(sql, &rest[..end]).to_string();
    Some(ColumnDefinition {
        name: name.name(),
        declared,
        constraints: constraints(sql, &rest[end..], starts_constraint)?,
    })
}

fn text<'s>(sql: &'s str, tokens: &[Token<'s>]) -> &'s str {
    match tokens {
        [] => "",
        [first, .., last] => &sql[first.start..last.end()],
        [only] => only.text,
    }
}

fn constraints(sql: &str, mut tokens: &[Token<'_>], starts: fn(&Token<'_>) -> bool) -> Option<Vec<Constraint>> {
    let mut found = Vec::new();
    while !tokens.is_empty() {
        let named = tokens[0].is("CONSTRAINT");
        let at = if named { 2 } else { 0 };
        let kind = kind(tokens.get(at)?)?;
        let end = constraint_end(tokens, at, starts);
        let own = &tokens[..end];
        let columns = own.iter().position(|token| token.is("(")).map(|open| listed(own, open)).unwrap_or_default();
        let rule = (kind == Kind::Check).then(|| Rule::of_constraint(own)).flatten();
        let mut text = text(sql, own).to_string();
        // A comment in it may end with its line.
        if text.contains("--") {
            text.push('\n');
        }
        found.push(Constraint { kind, text, named, columns, rule });
        tokens = &tokens[end..];
    }
    Some(found)
}

fn kind(token: &Token<'_>) -> Option<Kind> {
    let kinds = [
        ("PRIMARY", Kind::PrimaryKey),
        ("NOT", Kind::NotNull),
        ("NULL", Kind::Null),
        ("UNIQUE", Kind::Unique),
        ("CHECK", Kind::Check),
        ("DEFAULT", Kind::Default),
        ("COLLATE", Kind::Collate),
        ("REFERENCES", Kind::References),
        ("FOREIGN", Kind::References),
        ("GENERATED", Kind::Generated),
        ("AS", Kind::Generated),
    ];
    kinds.iter().find(|(word, _)| token.is(word)).map(|(_, kind)| *kind)
}

/// Returns the index behind the constraint whose first keyword is at an index.
fn constraint_end(tokens: &[Token<'_>], first: usize, starts: fn(&Token<'_>) -> bool) -> usize {
    let is = |at: usize, word: &str| tokens.get(at).is_some_and(|token| token.is(word));
    let mut at = first + 1;
    if is(first, "NOT") {
        at += 1;
    } else if is(first, "GENERATED") {
        at += 2;
    } else if is(first, "DEFAULT") {
        at += usize::from(is(at, "+") || is(at, "-"));
        at = if is(at, "(") { behind_group(tokens, at) } else { at + 1 };
    }
    while at < tokens.len() {
        if is(at, "(") {
            at = behind_group(tokens, at);
        } else if is(at, "SET") || is(at, "NOT") && is(at + 1, "DEFERRABLE") {
            at += 2;
        } else if starts(&tokens[at]) {
            break;
        } else {
            at += 1;
        }
    }
    at.min(tokens.len())
}

/// Returns the names in parentheses: the first token of each item.
fn listed(tokens: &[Token<'_>], open: usize) -> Vec<String> {
    let close = behind_group(tokens, open);
    let mut rest = tokens.get(open + 1..close.saturating_sub(1)).unwrap_or_default();
    let mut names = Vec::new();
    while let Some(first) = rest.first() {
        if first.kind != TokenKind::Symbol {
            names.push(first.name());
        }
        rest = rest.get(item_end(rest) + 1..).unwrap_or_default();
    }
    names
}
