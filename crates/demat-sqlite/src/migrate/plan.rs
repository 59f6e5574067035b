//! The plan of a migration: its steps, and what would be lost.

use super::changes::{Changes, unread};
use super::copy::Copy;
use super::definition::Definition;
use super::rebuild::rebuild;
use super::rename::renames;
use super::scratch::Scratch;
use super::token::{in_main, quotes_any};
use crate::database::Database;
use crate::failure::refused;
use crate::name::quoted;
use crate::of_shape::TableOptions;
use crate::table::Table;
use demat_core::{Record, Result};

/// A step of a migration: one statement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Step {
    /// What it does, in words.
    pub what: String,
    /// The statement.
    pub sql: String,
    /// Whether it renames a table, and what refers to that name shall not follow.
    renames: bool,
}

/// What a migration would lose of the rows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Loss {
    /// What is lost, in words.
    pub what: String,
    /// The permission that it needs.
    pub needs: Allow,
}

/// What a migration may lose.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Allow {
    /// Columns that the shape does not have.
    pub drop: bool,
    /// How values are kept, where a column gets a type that keeps less; NULL where a default replaces it.
    pub narrow: bool,
}

impl Step {
    pub(super) fn new(what: impl Into<String>, sql: String) -> Self {
        Self { what: what.into(), sql, renames: false }
    }

    /// A step that renames a table to a name that others refer to already.
    pub(super) fn renaming(what: &str, sql: String) -> Self {
        Self { what: what.to_string(), sql, renames: true }
    }

    /// Takes the step.
    pub(super) fn run(&self, database: &Database) -> Result<()> {
        if !self.renames {
            return database.execute(&self.sql);
        }
        // Otherwise SQLite would look for the old table, which views and triggers refer to and which is gone.
        let before = database.number("PRAGMA legacy_alter_table", &[])?;
        database.execute("PRAGMA legacy_alter_table = ON")?;
        let ran = database.execute(&self.sql);
        database.execute(&format!("PRAGMA legacy_alter_table = {before}"))?;
        ran
    }

    /// Returns whether it gives the rebuilt table its name.
    pub(super) fn ends_rebuild(&self) -> bool {
        self.renames
    }
}

impl Loss {
    pub(super) fn drop(what: String) -> Self {
        Self { what, needs: Allow { drop: true, narrow: false } }
    }

    pub(super) fn narrow(what: String) -> Self {
        Self { what, needs: Allow { drop: false, narrow: true } }
    }

    /// Returns the word for the permission: `drop` or `narrow`.
    pub fn word(&self) -> &'static str {
        if self.needs.drop { "drop" } else { "narrow" }
    }

    /// Returns whether it is permitted.
    pub fn is_allowed(&self, allow: Allow) -> bool {
        (allow.drop || !self.needs.drop) && (allow.narrow || !self.needs.narrow)
    }
}

/// Steps that have been taken on a scratch database.
#[derive(Debug, Default)]
pub(super) struct Steps(pub(super) Vec<Step>);

impl Steps {
    /// Takes a step, and adds it if it succeeds.
    pub(super) fn take(&mut self, scratch: &Scratch, step: Step) -> Result<()> {
        if step.sql.starts_with("ALTER TABLE ") {
            scratch.alter(|database| step.run(database))?;
        } else {
            step.run(&scratch.database)?;
        }
        self.0.push(step);
        Ok(())
    }
}

/// What a migration does and loses.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Plan {
    pub(super) steps: Vec<Step>,
    pub(super) losses: Vec<Loss>,
}

impl Plan {
    /// Returns whether a table is rebuilt.
    pub(super) fn rebuilds(&self) -> bool {
        self.steps.iter().any(Step::ends_rebuild)
    }

    /// Plans how an existing table becomes the one of a record, or how it is created.
    pub(super) fn of(database: &Database, name: &str, record: &Record, options: &TableOptions) -> Result<Self> {
        let Some(there) = database.find(name)? else {
            let create = Table::of(name, record, options)?.create();
            let steps = create.into_iter().enumerate().map(|(index, sql)| {
                let what = if index == 0 { format!("create the table `{name}`") } else { "create an index".into() };
                Step::new(what, in_main(&sql))
            });
            return Ok(Self { steps: steps.collect(), losses: Vec::new() });
        };
        let wanted = wanted(&there, record, options)?;
        let sql = database.sql_of_table(&there.name)?;
        let is_plain = |sql: &String| sql.get(..13).is_none_or(|head| !head.eq_ignore_ascii_case("CREATE VIRTUA"));
        let Some(sql) = sql.filter(is_plain) else {
            if wanted.check(&there).is_ok() {
                return Ok(Self::default());
            }
            let kind = if there.view { "a view" } else { "a virtual table" };
            return Err(refused(format!("`{}` is {kind}, which can't be migrated", there.name)));
        };
        let renames = renames(&wanted, &there)?;
        if renames.is_empty() {
            let definition = Definition::parse(&sql).ok_or_else(|| unread(&there))?;
            if Changes::of(&wanted, &there, &definition)?.is_empty() {
                return Ok(Self::default());
            }
        }
        let scratch = Scratch::of(database)?;
        let broken = scratch.broken()?;
        let mut steps = Steps::default();
        let table = format!("main.{}", quoted(&there.name));
        for (old, new) in renames {
            let sql = format!("ALTER TABLE {table} RENAME COLUMN {} TO {}", quoted(&old), quoted(&new));
            steps.take(&scratch, Step::new(format!("rename the column `{old}` to `{new}`"), sql))?;
        }
        let (renamed, changes) = state(&scratch, &wanted, &there.name)?;
        let copy = Copy::of(&wanted, &renamed, &changes);
        let mut losses = copy.check(database, &wanted, (&there, &renamed), &changes)?;
        let has_rows = database.number(&format!("SELECT EXISTS (SELECT 1 FROM {table})"), &[])? != 0;
        let taken = steps.0.len();
        let mut is_done = false;
        let new: Vec<String> = changes.add.iter().map(|index| wanted.columns[*index].name.clone()).collect();
        if changes.may_be_altered(&wanted, has_rows) {
            scratch.refuse_quoted_texts(&renamed, &new, false)?;
            // Some columns can't be dropped by ALTER TABLE: then the table is rebuilt.
            let attempt = scratch.database.transaction()?;
            if altered(&scratch, &mut steps, &wanted, &renamed, &changes).is_ok() {
                attempt.commit()?;
                is_done = true;
            } else {
                steps.0.truncate(taken);
            }
        }
        if !is_done {
            scratch.refuse_quoted_texts(&renamed, &new, true)?;
            losses.extend(rebuild(&scratch, &mut steps, &wanted, &renamed, &changes, &copy)?);
            indexed(&scratch, &mut steps, &wanted, &renamed, &changes)?;
        }
        // What quotes a text like a name would say something else, if that becomes or ceases to be a column.
        let changed = [&*new, &*changes.drop].concat();
        for (what, after) in scratch.broken()? {
            let is_same =
                |before: &super::scratch::Broken| before.error == after.error && !quotes_any(&before.sql, &changed);
            if !broken.get(&what).is_some_and(is_same) {
                let error = after.error;
                return Err(refused(format!("after the migration of `{}`, {what} would fail: {error}", there.name)));
            }
        }
        for (what, before) in &broken {
            if quotes_any(&before.sql, &new) {
                let message =
                    format!("{what} has a text in double quotes, which would become a column: {}", before.error);
                return Err(refused(message));
            }
        }
        let (after, rest) = state(&scratch, &wanted, &there.name)?;
        wanted.check(&after)?;
        if !rest.is_empty() {
            return Err(refused(format!("the table `{}` can't be made the one of the type", there.name)));
        }
        Ok(Self { steps: steps.0, losses })
    }
}

/// Returns the table that an existing one becomes: STRICT tables stay so, and tables without rowids if they have a key.
fn wanted(there: &Table, record: &Record, options: &TableOptions) -> Result<Table> {
    let mut options = TableOptions { strict: options.strict || there.strict, ..options.clone() };
    let wanted = Table::of(&there.name, record, &options)?;
    if !there.without_rowid || options.without_rowid || wanted.key.is_empty() {
        return Ok(wanted);
    }
    options.without_rowid = true;
    Table::of(&there.name, record, &options)
}

/// Returns the table as it is on the scratch database, and what is still to change.
fn state(scratch: &Scratch, wanted: &Table, name: &str) -> Result<(Table, Changes)> {
    let table = scratch.database.existing(name)?;
    let sql = scratch.database.sql_of_table(name)?;
    let definition = sql.as_deref().and_then(Definition::parse).ok_or_else(|| unread(&table))?;
    let changes = Changes::of(wanted, &table, &definition)?;
    Ok((table, changes))
}

/// Adds the steps of ALTER TABLE.
fn altered(scratch: &Scratch, steps: &mut Steps, wanted: &Table, there: &Table, changes: &Changes) -> Result<()> {
    let table = format!("main.{}", quoted(&there.name));
    for index in &changes.stale {
        let sql = format!("DROP INDEX main.{}", quoted(index));
        steps.take(scratch, Step::new(format!("drop the index `{index}`"), sql))?;
    }
    for column in &changes.drop {
        let sql = format!("ALTER TABLE {table} DROP COLUMN {}", quoted(column));
        steps.take(scratch, Step::new(format!("drop the column `{column}`"), sql))?;
    }
    let bare = wanted.without_unnamed_indexes();
    for index in &changes.add {
        let column = &wanted.columns[*index];
        let sql = format!("ALTER TABLE {table} ADD COLUMN {}", bare.column_line(*index, column));
        steps.take(scratch, Step::new(format!("add the column `{}`", column.name), sql))?;
    }
    indexed(scratch, steps, wanted, there, changes)
}

/// Adds the steps that make the missing indexes.
fn indexed(scratch: &Scratch, steps: &mut Steps, wanted: &Table, there: &Table, changes: &Changes) -> Result<()> {
    for index in &changes.indexes {
        let mut index = wanted.indexes[*index].clone();
        let end = if index.unique { "_unique" } else { "" };
        let name = format!("{}_{}{end}", there.name, index.columns.join("_"));
        index.name = Some(scratch.free_name(&name)?);
        let columns = index.columns.join(", ");
        let what = format!("index by `{columns}`{}", if index.unique { ", which is unique" } else { "" });
        let Some(sql) = wanted.create_index(&index) else { continue };
        steps.take(scratch, Step::new(what, in_main(&sql)))?;
    }
    Ok(())
}
