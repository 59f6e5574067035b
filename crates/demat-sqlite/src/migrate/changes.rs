//! What an existing table lacks to be the one of a shape, and has beyond it.

use super::definition::{ColumnDefinition, Definition, Kind};
use super::rule::Rule;
use crate::failure::refused;
use crate::stored::Stored;
use crate::table::{Index, Table};
use demat_core::Result;

/// The differences of an existing table that a migration removes. Columns are named as after the renames.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Changes {
    /// The wanted columns that are missing.
    pub(super) add: Vec<usize>,
    /// The names of columns that the shape does not have.
    pub(super) drop: Vec<String>,
    /// What changes of columns that stay.
    pub(super) alter: Vec<Alteration>,
    /// Whether another primary key is wanted.
    pub(super) key: bool,
    /// Whether the table becomes STRICT.
    pub(super) strict: bool,
    /// Whether the table gets or loses its rowids.
    pub(super) rowids: bool,
    /// The wanted foreign keys that are missing, other than those of single new columns.
    pub(super) references: Vec<usize>,
    /// The wanted indexes that are missing.
    pub(super) indexes: Vec<usize>,
    /// The names of indexes that Demat made, and that the shape no longer has.
    pub(super) stale: Vec<String>,
}

/// What changes of a column that stays.
#[derive(Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // each is a change of its own
pub(super) struct Alteration {
    /// The index of the wanted column.
    pub(super) wanted: usize,
    /// The index of the existing column.
    pub(super) there: usize,
    /// Whether the declared type changes.
    pub(super) declared: bool,
    /// Whether NULL is refused from now on, or allowed.
    pub(super) not_null: Option<bool>,
    /// Whether the default changes.
    pub(super) default: bool,
    /// Whether the field has no default, and that of the column is none of the new type.
    pub(super) stale_default: bool,
    /// Whether the CHECK rules change.
    pub(super) rules: bool,
}

impl Changes {
    pub(super) fn of(wanted: &Table, there: &Table, definition: &Definition) -> Result<Self> {
        let mut changes = Self {
            // `INTEGER PRIMARY KEY DESC` is a key with an index, and becomes the rowid.
            key: !same(&wanted.key, &there.key) || is_indexed_rowid(wanted, there),
            strict: wanted.strict && !there.strict,
            rowids: wanted.without_rowid != there.without_rowid,
            ..Self::default()
        };
        for index in 0..wanted.columns.len() {
            match there.column(&wanted.columns[index].name) {
                None => changes.add.push(index),
                Some(at) => {
                    let Some(own) = definition.column(&there.columns[at].name) else { return Err(unread(there)) };
                    let own = &definition.columns[own];
                    let altered = Alteration::of(wanted, index, there, at, own)?;
                    changes.alter.extend(altered);
                }
            }
        }
        let gone = there.columns.iter().filter(|column| wanted.column(&column.name).is_none());
        changes.drop = gone.map(|column| column.name.clone()).collect();
        let is_new = |name: &String| changes.add.iter().any(|new| wanted.columns[*new].name == *name);
        for (index, reference) in wanted.references.iter().enumerate() {
            let is_in_line = matches!(&*reference.columns, [one] if is_new(one));
            if !is_in_line && !there.references.iter().any(|own| own.is_like(reference)) {
                changes.references.push(index);
            }
        }
        let is_stale = |index: &&Index| {
            is_made(index, &there.name)
                && !wanted.indexes.iter().any(|own| same(&own.columns, &index.columns) && own.unique == index.unique)
        };
        changes.stale = there.indexes.iter().filter(is_stale).filter_map(|index| index.name.clone()).collect();
        for (index, own) in wanted.indexes.iter().enumerate() {
            let fits = |given: &&Index| same(&given.columns, &own.columns) && (given.unique || !own.unique);
            let mut kept = there.indexes.iter().filter(|given| !is_stale(given));
            // A primary key serves as a unique index.
            if !kept.any(|given| fits(&given)) && !same(&wanted.key, &own.columns) {
                changes.indexes.push(index);
            }
        }
        Ok(changes)
    }

    /// Returns whether nothing is to do.
    pub(super) fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// Returns whether SQLite's ALTER TABLE may suffice, in a table with rows or without.
    pub(super) fn may_be_altered(&self, wanted: &Table, has_rows: bool) -> bool {
        let is_plain = |column: &usize| {
            let own = &wanted.columns[*column];
            let refers = wanted.references.iter().any(|reference| reference.columns.contains(&own.name));
            let fits = match &own.default {
                Some(default) => is_constant(default) && !refers,
                None => !(has_rows && own.not_null),
            };
            fits && !wanted.is_key(*column)
        };
        self.alter.is_empty()
            && self.references.is_empty()
            && !(self.key || self.strict || self.rowids)
            && self.add.iter().all(is_plain)
    }
}

impl Alteration {
    fn of(wanted: &Table, index: usize, there: &Table, at: usize, own: &ColumnDefinition) -> Result<Option<Self>> {
        let (new, old) = (&wanted.columns[index], &there.columns[at]);
        if old.generated {
            return Err(refused(format!(
                "the column `{}` of `{}` is computed, which no field of a type is: it can only be dropped",
                old.name, there.name
            )));
        }
        let refuses = new.not_null || wanted.rowid() == Some(index);
        let has_text = own.constraints.iter().any(|own| own.kind == Kind::NotNull);
        // SQLite never has NULL there, without a word in the definition.
        let is_implied = wanted.rowid() == Some(index)
            || (wanted.without_rowid || wanted.strict) && wanted.is_key(index) && there.is_key(at);
        let not_null = match (refuses, has_text) {
            (true, false) if !is_implied => Some(true),
            (false, true) => Some(false),
            _ => None,
        };
        let differs = new
            .default
            .as_ref()
            .is_some_and(|default| old.default.as_ref().is_none_or(|given| !crate::default::same(given, default)));
        // A lone key of ints becomes the rowid only if it is declared so.
        let becomes_rowid = wanted.rowid() == Some(index) && there.rowid() != Some(at);
        let declared =
            (becomes_rowid || wanted.strict && !there.strict || !new.stored.keeps_in(old.affinity(there.strict)))
                && !new.declared.eq_ignore_ascii_case(&old.declared);
        let is_stale = |default: &String| new.default.is_none() && !suits(default, new.stored, wanted.strict);
        let altered = Self {
            wanted: index,
            there: at,
            declared,
            not_null,
            default: differs,
            stale_default: declared && old.default.as_ref().is_some_and(is_stale),
            rules: {
                let rules: Vec<Rule> = new.checks.iter().map(|check| Rule::of(check)).collect();
                rules.iter().any(|rule| !own.rules().any(|own| own == rule))
                    || own.rules().any(|own| own.is_of_class(&old.name) && !rules.contains(own))
            },
        };
        Ok(altered.is_any().then_some(altered))
    }

    fn is_any(&self) -> bool {
        self.declared || self.not_null.is_some() || self.default || self.rules
    }
}

/// Changes a column's definition.
pub(super) fn alter(definition: &mut ColumnDefinition, change: &Alteration, wanted: &Table) {
    let column = &wanted.columns[change.wanted];
    if change.declared {
        definition.declared.clone_from(&column.declared);
    }
    if change.not_null.is_some() {
        definition.constraints.retain(|own| !matches!(own.kind, Kind::NotNull | Kind::Null));
        if column.not_null {
            definition.add(Kind::NotNull, "NOT NULL".to_string());
        }
    }
    if change.default || change.stale_default {
        definition.constraints.retain(|own| own.kind != Kind::Default);
        definition.constraints.extend(column.default.as_deref().map(crate::ddl::default_of).map(|default| {
            let text = format!("DEFAULT {default}");
            super::definition::Constraint { kind: Kind::Default, text, named: false, columns: Vec::new(), rule: None }
        }));
    }
    if change.rules {
        let rules: Vec<Rule> = column.checks.iter().map(|check| Rule::of(check)).collect();
        definition.constraints.retain(|own| {
            let rule = own.rule.as_ref().filter(|_| !own.named);
            rule.is_none_or(|rule| !rule.is_of_class(&column.name) || rules.contains(rule))
        });
        for (check, rule) in column.checks.iter().zip(&rules) {
            if !definition.rules().any(|own| own == rule) {
                definition.add(Kind::Check, format!("CHECK ({check})"));
            }
        }
    }
}

/// Returns whether a key has to be written anew to be the rowid: its columns and types are right.
fn is_indexed_rowid(wanted: &Table, there: &Table) -> bool {
    let is_int =
        |key: &String| there.column(key).is_some_and(|at| there.columns[at].declared.eq_ignore_ascii_case("INTEGER"));
    wanted.rowid().is_some() && there.key_index && !there.without_rowid && there.key.iter().all(is_int)
}

/// Returns whether a default is a value of a kind, or an expression.
fn suits(default: &str, stored: Stored, strict: bool) -> bool {
    use rusqlite::types::{Value, ValueRef};
    let Some(value) = crate::default::literal(default) else { return true };
    let is_blob = matches!(value, Value::Blob(_));
    // SQLite converts a default to the affinity of its column, but not between text and bytes.
    let is_of_class = match stored {
        Stored::Any | Stored::Uuid => true,
        Stored::Blob => is_blob,
        _ => !is_blob,
    };
    matches!(value, Value::Null)
        || is_of_class && crate::fit::fits(crate::fit::class(stored, strict).as_bytes(), ValueRef::from(&value))
}

/// Returns whether values of one kind of column all have a place in one of another kind, and can be told from it.
pub(super) fn widens(from: Stored, to: Stored) -> bool {
    use Stored::{Any, Blob, Bool, Decimal, Digits, Int, Real, Text};
    match to {
        Any => true,
        Text => !matches!(from, Blob | Any),
        Blob => matches!(from, Text),
        Int => matches!(from, Bool | Int),
        Real => matches!(from, Bool | Int | Real),
        Digits => matches!(from, Bool | Int | Digits),
        Decimal => matches!(from, Bool | Int | Digits | Decimal),
        _ => from == to || from.is_moment() && to.is_moment(),
    }
}

/// Returns whether an index has the name that Demat gives it.
fn is_made(index: &Index, table: &str) -> bool {
    let end = if index.unique { "_unique" } else { "" };
    let made = format!("{table}_{}{end}", index.columns.join("_"));
    !index.columns.is_empty() && index.name.as_ref().is_some_and(|name| name.eq_ignore_ascii_case(&made))
}

/// Returns whether ALTER TABLE takes a default of a new column: it must be the same for all rows.
fn is_constant(default: &str) -> bool {
    let is_word = ["NULL", "TRUE", "FALSE"].iter().any(|word| default.eq_ignore_ascii_case(word));
    let is_quoted = default.starts_with('\'') || default.starts_with("x'");
    is_word || is_quoted || default.parse::<f64>().is_ok()
}

/// Returns the error of a table whose SQL was not understood.
pub(super) fn unread(table: &Table) -> demat_core::Error {
    refused(format!("the statement that made the table `{}` is not understood, so it can't be migrated", table.name))
}

pub(super) fn same(one: &[String], other: &[String]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|(one, other)| one.eq_ignore_ascii_case(other))
}
