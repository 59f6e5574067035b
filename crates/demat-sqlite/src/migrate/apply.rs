//! Migrations as they are looked at and applied.

use super::plan::{Allow, Loss, Plan, Step};
use crate::database::Database;
use crate::failure::refused;
use crate::introspect::text;
use crate::name::quoted;
use crate::of_shape::TableOptions;
use crate::param::Param;
use crate::rows::{Class, Rows};
use crate::table::Table;
use core::fmt;
use core::hash::{Hash, Hasher};
use demat_core::{Record, Result};
use std::collections::BTreeMap;
use std::hash::DefaultHasher;

/// How a table becomes the one of a shape: [steps](Self::steps) to look at, and to [apply](Self::apply).
///
/// [`Database::migration`] returns it. Its text is the SQL of all steps.
///
/// ```
/// # fn main() -> demat_core::Result<()> {
/// use demat_core::Shape;
/// use demat_sqlite::{Allow, Database, TableOptions, row_of};
/// let database = Database::memory()?;
/// database.execute("CREATE TABLE tasks (id INTEGER PRIMARY KEY, name TEXT NOT NULL)")?;
/// let shape: Shape = r#"id: int #sql:key, title: text #sql:"was name", done: bool = false"#.parse()?;
/// let record = row_of(&shape).expect("a record").get().clone();
/// let migration = database.migration("tasks", &record, &TableOptions::default())?;
/// let steps: Vec<&str> = migration.steps().iter().map(|step| &*step.what).collect();
/// assert_eq!(steps, ["rename the column `name` to `title`", "add the column `done`"]);
/// assert!(migration.losses().is_empty());
/// migration.apply(Allow::default())?;
/// assert!(database.migration("tasks", &record, &TableOptions::default())?.is_empty());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Migration {
    database: Database,
    name: String,
    record: Record,
    options: TableOptions,
    plan: Plan,
}

impl Database {
    /// Plans how a table becomes the one of a shape, and changes nothing.
    ///
    /// A missing table is created. In an existing one, columns are added, dropped, renamed (by the note `was NAME` of a
    /// field) and changed, until [`Table::check`] accepts it. The CHECK rules of fields are brought about, too, and
    /// defaults. Indexes that Demat made and that the shape no longer has are dropped. What else the table has stays:
    /// further indexes and constraints, triggers, rowids, `STRICT`, `WITHOUT ROWID`.
    ///
    /// # Errors
    /// As [`Table::of`]; if rows don't fit, with the first of them; if views or triggers would fail afterwards; if a
    /// column is computed, or the table is a view or virtual.
    pub fn migration(&self, name: &str, record: &Record, options: &TableOptions) -> Result<Migration> {
        let plan = Plan::of(self, name, record, options).map_err(|error| error.in_place(self.name().to_string()))?;
        let (database, name, options) = (self.clone(), name.to_string(), options.clone());
        Ok(Migration { database, name, record: record.clone(), options, plan })
    }

    /// Returns the table for records of a shape, like [`table`](Self::table), but migrates an existing one that differs.
    ///
    /// # Errors
    /// As [`migration`](Self::migration) and [`Migration::apply`].
    pub fn migrated(&self, name: &str, record: &Record, options: &TableOptions, allow: Allow) -> Result<Table> {
        self.migration(name, record, options)?.apply(allow)?;
        self.table(name, record, options)
    }
}

impl Migration {
    /// Returns the steps, in order; none if the table is the one of the shape.
    pub fn steps(&self) -> &[Step] {
        &self.plan.steps
    }

    /// Returns what would be lost, and needs a permission.
    pub fn losses(&self) -> &[Loss] {
        &self.plan.losses
    }

    /// Returns whether nothing is to do.
    pub fn is_empty(&self) -> bool {
        self.plan.steps.is_empty()
    }

    /// Takes all steps in one transaction, or none.
    ///
    /// The plan is made again under the lock of the transaction, since others may have changed rows or the table.
    ///
    /// # Errors
    /// If something would be lost that is not allowed; if another one changed the table in the meantime, other than by
    /// the same migration; if a foreign key would refer to nothing; if a transaction is open and the table has to be
    /// rebuilt; errors of SQLite, such as a locked file.
    pub fn apply(&self, allow: Allow) -> Result<()> {
        self.applied(allow).map_err(|error| error.in_place(self.database.name().to_string()))
    }

    fn applied(&self, allow: Allow) -> Result<()> {
        permit(&self.name, &self.plan, allow)?;
        if self.is_empty() {
            return Ok(());
        }
        let database = &self.database;
        // The old table would take the rows that refer to it along.
        let keys = if self.plan.rebuilds() { Some(ForeignKeys::off(database, &self.name)?) } else { None };
        let transaction = database.transaction()?;
        let plan = Plan::of(database, &self.name, &self.record, &self.options)?;
        if plan.steps.is_empty() {
            return Ok(());
        }
        if plan.steps != self.plan.steps {
            let message =
                format!("the table `{}` was changed since its migration was planned: plan it again", self.name);
            return Err(refused(message));
        }
        permit(&self.name, &plan, allow)?;
        let is_checked = keys.as_ref().is_some_and(|keys| keys.were_on);
        let before = if is_checked { dangling(database, &self.name)? } else { Violations::new() };
        plan.steps.iter().try_for_each(|step| step.run(database))?;
        if is_checked {
            refuse_new(&before, &dangling(database, &self.name)?)?;
        }
        transaction.commit()
    }
}

impl fmt::Display for Migration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rebuilds = self.plan.rebuilds();
        if rebuilds {
            writeln!(f, "PRAGMA foreign_keys = OFF;\nPRAGMA legacy_alter_table = OFF;")?;
        }
        if !self.is_empty() {
            writeln!(f, "BEGIN IMMEDIATE;")?;
        }
        for step in self.steps() {
            writeln!(f, "-- {}", one_line(&step.what))?;
            if step.ends_rebuild() {
                writeln!(f, "PRAGMA legacy_alter_table = ON;\n{};\nPRAGMA legacy_alter_table = OFF;", step.sql)?;
            } else {
                writeln!(f, "{};", step.sql)?;
            }
        }
        if rebuilds {
            writeln!(f, "PRAGMA foreign_key_check;")?;
        }
        if !self.is_empty() {
            writeln!(f, "COMMIT;")?;
        }
        if rebuilds {
            writeln!(f, "PRAGMA foreign_keys = ON;")?;
        }
        self.losses()
            .iter()
            .try_for_each(|loss| writeln!(f, "-- loses {} (allow \"{}\")", one_line(&loss.what), loss.word()))
    }
}

/// Returns a text for a comment, which ends with its line.
fn one_line(text: &str) -> String {
    text.replace(['\n', '\r'], " ")
}

/// Refuses what would be lost without a permission.
fn permit(name: &str, plan: &Plan, allow: Allow) -> Result<()> {
    let lost = plan.losses.iter().filter(|loss| !loss.is_allowed(allow));
    let lost: Vec<String> = lost.map(|loss| format!("{} (allow \"{}\")", loss.what, loss.word())).collect();
    if lost.is_empty() {
        return Ok(());
    }
    Err(refused(format!("the migration of `{name}` would lose what is not allowed: {}", lost.join("; "))))
}

/// Switches foreign keys off, and back to what they were when it is dropped.
struct ForeignKeys<'d> {
    database: &'d Database,
    were_on: bool,
}

impl<'d> ForeignKeys<'d> {
    fn off(database: &'d Database, table: &str) -> Result<Self> {
        if !database.is_idle() {
            return Err(refused(format!(
                "the table `{table}` has to be rebuilt, which SQLite can't do safely within a transaction: \
                 end it first"
            )));
        }
        let temporary =
            "SELECT count(*) FROM temp.sqlite_schema WHERE type = 'trigger' AND lower(tbl_name) = lower(?1)";
        if database.number(temporary, &[Param::from(table)])? != 0 {
            let message = format!("a temporary trigger of this connection would be lost with the old table `{table}`");
            return Err(refused(message));
        }
        let were_on = database.number("PRAGMA foreign_keys", &[])? != 0;
        database.execute("PRAGMA foreign_keys = OFF")?;
        Ok(Self { database, were_on })
    }
}

impl Drop for ForeignKeys<'_> {
    fn drop(&mut self) {
        if self.were_on {
            // Only a transaction would hinder it, and that has ended.
            let _ = self.database.execute("PRAGMA foreign_keys = ON");
        }
    }
}

/// The rows that refer to nothing, by their table and the one that they refer to. Only what identifies them all is kept,
/// since there may be many.
type Violations = BTreeMap<(String, String), Dangling>;

#[derive(Debug, Default, PartialEq, Eq)]
struct Dangling {
    count: u64,
    /// The sum of the hashes of their rowids.
    hash: u64,
    /// The first of them, in words.
    first: String,
}

/// Returns the violations of the foreign keys of a table, and of those that refer to it.
fn dangling(database: &Database, name: &str) -> Result<Violations> {
    let sql = "SELECT DISTINCT list.name FROM pragma_table_list AS list JOIN pragma_foreign_key_list(list.name, 'main') \
               AS keys WHERE list.schema = 'main' AND (lower(keys.\"table\") = lower(?1) OR lower(list.name) = lower(?1))";
    let mut tables = database.statement(sql)?;
    tables.bind_all(&[Param::from(name)])?;
    let mut found = Violations::new();
    while tables.step()? {
        let table = text(&tables, 0);
        let mut wrong = database.statement(&format!("PRAGMA main.foreign_key_check({})", quoted(&table)))?;
        while wrong.step()? {
            let row = (wrong.class(1) != Class::Null).then(|| wrong.int(1));
            let to = text(&wrong, 2);
            let own = found.entry((table.clone(), to)).or_default();
            if own.count == 0 {
                own.first = row.map_or_else(String::new, |row| format!(" {row}"));
            }
            own.count += 1;
            let mut hasher = DefaultHasher::new();
            row.hash(&mut hasher);
            own.hash = own.hash.wrapping_add(hasher.finish());
        }
    }
    Ok(found)
}

/// Refuses violations of foreign keys that a migration made. Those that were there are none of its business.
fn refuse_new(before: &Violations, after: &Violations) -> Result<()> {
    for (pair, own) in after {
        let old = before.get(pair);
        if old.is_some_and(|old| (old.count, old.hash) == (own.count, own.hash)) {
            continue;
        }
        let (table, to) = pair;
        let row = &own.first;
        let also = if old.is_some() { ", and rows did so before the migration: mend these first" } else { "" };
        return Err(refused(format!("the row{row} of `{table}` refers to no row of `{to}`{also}")));
    }
    Ok(())
}
