//! How the values of the rows get into the new table, and whether they fit.

use super::changes::{Changes, same, widens};
use super::definition::Definition;
use super::plan::Loss;
use crate::affinity::Affinity;
use crate::database::Database;
use crate::failure::refused;
use crate::introspect::text;
use crate::name::quoted;
use crate::rows::Rows;
use crate::stored::Stored;
use crate::table::Table;
use demat_core::Result;

/// What becomes of each wanted column's values.
pub(super) struct Copy {
    sources: Vec<Source>,
    /// The SQL name of the old table's rowid, if it has one that no column hides.
    rowid: Option<&'static str>,
}

/// Where the values of a column come from.
struct Source {
    /// The index of the existing column, if there is one.
    there: Option<usize>,
    /// The kind of values that they are turned into, if they have to be.
    becomes: Option<Stored>,
    /// Whether integers stay integers, and are not turned into text.
    keeps_ints: bool,
    /// The default that replaces NULL, if NULL is refused from now on.
    fills: Option<String>,
}

impl Copy {
    /// Decides how the values are copied. `renamed` is the existing table, with the names after the renames.
    pub(super) fn of(wanted: &Table, renamed: &Table, changes: &Changes) -> Self {
        let sources = (0..wanted.columns.len()).map(|index| {
            let column = &wanted.columns[index];
            let there = renamed.column(&column.name);
            let change = changes.alter.iter().find(|change| change.wanted == index);
            let becomes = (changes.strict || change.is_some_and(|change| change.declared)).then_some(column.stored);
            // Only an int can be a rowid, whatever a key of the same declared type had.
            let is_new_rowid = wanted.rowid() == Some(index) && there.is_some() && renamed.rowid() != there;
            let becomes = becomes.or_else(|| is_new_rowid.then_some(column.stored));
            let fills = change.and_then(|change| change.not_null).filter(|refused| *refused);
            Source {
                there,
                becomes: becomes.filter(|_| there.is_some()),
                keeps_ints: column.affinity(wanted.strict) != Affinity::Text,
                fills: fills.and_then(|_| column.default.as_deref().map(crate::ddl::default_of)),
            }
        });
        let hides = |name: &&str| {
            [wanted, renamed].iter().any(|table| table.column(name).is_some_and(|at| table.rowid() != Some(at)))
        };
        let rowid = ["rowid", "_rowid_", "oid"].into_iter().find(|name| !hides(name));
        Self { sources: sources.collect(), rowid: rowid.filter(|_| !renamed.without_rowid) }
    }

    /// Returns the columns that are copied, and their values.
    pub(super) fn columns(
        &self,
        wanted: &Table,
        there: &Table,
        definition: &Definition,
    ) -> Result<(Vec<String>, Vec<String>)> {
        let (mut targets, mut values) = (Vec::new(), Vec::new());
        // The order of the new table is that in which values lie in its rows.
        for own in &definition.columns {
            let Some(index) = wanted.column(&own.name) else { continue };
            if let Some(value) = self.value(index, there) {
                targets.push(quoted(&own.name));
                values.push(value);
            } else if wanted.rowid() == Some(index)
                && let Some(rowid) = self.rowid
            {
                targets.push(quoted(&own.name));
                values.push(rowid.to_string());
            }
        }
        if !wanted.without_rowid && wanted.rowid().is_none() && !there.without_rowid {
            let Some(rowid) = self.rowid else {
                let message =
                    format!("columns of `{}` hide the rowid by all its names, so it can't be kept", there.name);
                return Err(refused(message));
            };
            targets.insert(0, rowid.to_string());
            values.insert(0, rowid.to_string());
        }
        Ok((targets, values))
    }

    /// Returns the new value of a column that exists, in SQL.
    fn value(&self, index: usize, there: &Table) -> Option<String> {
        let source = &self.sources[index];
        let column = quoted(&there.columns[source.there?].name);
        let value = match source.becomes {
            Some(Stored::Int | Stored::Bool) => format!("CAST({column} AS INTEGER)"),
            Some(Stored::Real) => format!("CAST({column} AS REAL)"),
            // An int has one form: an integer if 64 bits are enough and the column takes them, else its digits.
            Some(Stored::Digits) if source.keeps_ints => format!(
                "CASE CAST(CAST({column} AS INTEGER) AS TEXT) WHEN {column} THEN CAST({column} AS INTEGER) ELSE \
                 CAST({column} AS TEXT) END"
            ),
            Some(Stored::Text | Stored::Digits | Stored::Decimal | Stored::Json) => format!("CAST({column} AS TEXT)"),
            Some(Stored::Blob) => format!("CAST({column} AS BLOB)"),
            _ => column,
        };
        Some(match &source.fills {
            Some(default) => format!("coalesce({value}, {default})"),
            None => value,
        })
    }

    /// Checks the rows that are there, and returns what they would lose. `there` has the names before the renames, in
    /// the same order as `renamed`.
    pub(super) fn check(
        &self,
        database: &Database,
        wanted: &Table,
        (there, renamed): (&Table, &Table),
        changes: &Changes,
    ) -> Result<Vec<Loss>> {
        let rows = Checked { database, copy: self, wanted, there, renamed };
        let (mut losses, mut wrong) = (Vec::new(), Vec::new());
        let is_utf8 = database.number("SELECT encoding = 'UTF-8' FROM pragma_encoding", &[])? != 0;
        for name in &changes.drop {
            let Some(at) = renamed.column(name) else { continue };
            let count = rows.count(&format!("{} IS NOT NULL", quoted(&there.columns[at].name)))?;
            losses.push(Loss::drop(format!("the column `{}` with its {}", there.columns[at].name, values(count))));
        }
        let has_rows =
            database.number(&format!("SELECT EXISTS (SELECT 1 FROM main.{})", quoted(&there.name)), &[])? != 0;
        for index in &changes.add {
            let column = &wanted.columns[*index];
            if has_rows && column.not_null && column.default.is_none() {
                wrong.push(format!(
                    "the column `{}` is new and required, and the rows that are there have no value for it: give its \
                     field a default",
                    column.name
                ));
            }
        }
        for (index, column) in wanted.columns.iter().enumerate() {
            let source = &self.sources[index];
            let Some(at) = source.there else { continue };
            let old = &there.columns[at];
            let name = quoted(&old.name);
            if let Some(stored) = source.becomes {
                // A cast between text and bytes gives the bytes of the encoding of the file.
                let recodes = match stored {
                    Stored::Blob => "text",
                    _ => "blob",
                };
                if !is_utf8
                    && matches!(stored, Stored::Blob | Stored::Text | Stored::Digits | Stored::Decimal | Stored::Json)
                    && let Some((row, _)) = rows.first(&format!("typeof({name}) = '{recodes}'"), &name)?
                {
                    wrong.push(format!(
                        "the column `{}` has {recodes} in the row {row}, which becomes {} only in a database in UTF-8",
                        old.name,
                        stored.name()
                    ));
                    continue;
                }
                let class = crate::fit::class(stored, wanted.strict);
                let misfit = format!("{name} IS NOT NULL AND NOT demat_fits('{class}', {name})");
                if let Some((row, value)) = rows.first(&misfit, &name)? {
                    wrong.push(format!(
                        "the column `{}` has {value} in the row {row}, which is no {}",
                        old.name,
                        stored.name()
                    ));
                } else if !widens(old.stored, stored) {
                    let count = rows.count(&format!("{name} IS NOT NULL"))?;
                    let what = format!("how the column `{}` keeps its {}", old.name, values(count));
                    losses.push(Loss::narrow(format!(
                        "{what}: as {}, no more as {}",
                        stored.name(),
                        declared(&old.declared)
                    )));
                }
            }
            if let Some(change) = changes.alter.iter().find(|change| change.wanted == index && change.stale_default) {
                let default = old.default.as_deref().unwrap_or_default();
                let stored = wanted.columns[change.wanted].stored.name();
                losses.push(Loss::narrow(format!(
                    "the default {default} of the column `{}`, which is no {stored}",
                    old.name
                )));
            }
            let refuses = column.not_null || wanted.rowid() == Some(index);
            if refuses && !old.not_null && there.rowid() != Some(at) {
                let missing = format!("{name} IS NULL");
                if let Some((row, _)) = rows.first(&missing, &name)? {
                    match &source.fills {
                        None => wrong.push(format!(
                            "the column `{}` is required, and the row {row} has NULL there: give its field a default",
                            old.name
                        )),
                        Some(default) => {
                            let count = rows.count(&missing)?;
                            let what = format!("that the column `{}` has NULL in {}", old.name, counted(count));
                            losses.push(Loss::narrow(format!("{what}, which become {default}")));
                        }
                    }
                }
            }
        }
        // Values of a wrong kind or NULL would only be reported again.
        if wrong.is_empty() {
            rows.rules(changes, &mut wrong)?;
            rows.unique(changes, &mut wrong)?;
        }
        if wrong.is_empty() {
            return Ok(losses);
        }
        Err(refused(format!("the table `{}` can't become the one of the type: {}", there.name, wrong.join("; "))))
    }
}

/// The rows that are checked.
struct Checked<'a> {
    database: &'a Database,
    copy: &'a Copy,
    wanted: &'a Table,
    there: &'a Table,
    /// The same with the names after the renames.
    renamed: &'a Table,
}

impl Checked<'_> {
    /// Counts the rows of a condition.
    fn count(&self, condition: &str) -> Result<i64> {
        let sql = format!("SELECT count(*) FROM main.{} WHERE {condition}", quoted(&self.there.name));
        self.database.number(&sql, &[])
    }

    /// Returns the first row of a condition, by its key, and a value of it.
    fn first(&self, condition: &str, value: &str) -> Result<Option<(String, String)>> {
        let table = quoted(&self.there.name);
        self.one(&format!("SELECT {}, {} FROM main.{table} WHERE {condition} LIMIT 1", self.label(), shown(value)))
    }

    fn one(&self, sql: &str) -> Result<Option<(String, String)>> {
        let mut found = self.database.statement(sql)?;
        Ok(if found.step()? { Some((text(&found, 0), text(&found, 1))) } else { None })
    }

    /// Returns SQL that names a row: by its key, or its rowid.
    fn label(&self) -> String {
        let keys: Vec<String> = if self.there.key.is_empty() {
            self.copy.rowid.map(|rowid| format!("'rowid = ' || {rowid}")).into_iter().collect()
        } else {
            let part = |key: &String| {
                let says = crate::name::text_literal(&format!("{key} = "));
                format!("{says} || {}", shown(&quoted(key)))
            };
            self.there.key.iter().map(part).collect()
        };
        if keys.is_empty() { "''".to_string() } else { keys.join(" || ', ' || ") }
    }

    /// Returns SQL for the rows as they will be, with the label as `demat_row`.
    fn changed(&self) -> String {
        let values = self.wanted.columns.iter().enumerate().map(|(index, column)| {
            let value = self.copy.value(index, self.there);
            let default = || column.default.as_deref().map_or("NULL".to_string(), crate::ddl::default_of);
            format!("{} AS {}", value.unwrap_or_else(default), quoted(&column.name))
        });
        let values: Vec<String> = values.collect();
        format!("(SELECT {} AS demat_row, {} FROM main.{})", self.label(), values.join(", "), quoted(&self.there.name))
    }

    /// Checks the rules that columns get.
    fn rules(&self, changes: &Changes, wrong: &mut Vec<String>) -> Result<()> {
        for change in changes.alter.iter().filter(|change| change.rules) {
            let column = &self.wanted.columns[change.wanted];
            for check in &column.checks {
                let value = shown(&quoted(&column.name));
                let sql = format!("SELECT demat_row, {value} FROM {} WHERE NOT ({check}) LIMIT 1", self.changed());
                if let Some((row, value)) = self.one(&sql)? {
                    wrong.push(format!(
                        "the column `{}` has {value} in the row {row}, which breaks the rule {check}",
                        column.name
                    ));
                }
            }
        }
        Ok(())
    }

    /// Checks what gets unique: columns of indexes, and a key. What is unique already is checked if values change.
    fn unique(&self, changes: &Changes, wrong: &mut Vec<String>) -> Result<()> {
        let indexes = changes.indexes.iter().map(|index| &self.wanted.indexes[*index]).filter(|index| index.unique);
        let mut all: Vec<&[String]> = indexes.map(|index| &*index.columns).collect();
        // The rowids that new keys take are unique.
        let is_there = |key: &String| self.wanted.column(key).is_some_and(|at| self.copy.sources[at].there.is_some());
        if changes.key && !self.wanted.key.is_empty() && self.wanted.key.iter().any(is_there) {
            all.push(&self.wanted.key);
        }
        let is_changed = |name: &String| {
            let source = self.wanted.column(name).map(|at| &self.copy.sources[at]);
            source.is_some_and(|source| source.becomes.is_some() || source.fills.is_some())
        };
        let is_there = |name: &String| self.wanted.column(name).is_some();
        let kept = self.renamed.indexes.iter().filter(|index| index.unique).map(|index| &*index.columns);
        let key = (!changes.key).then_some(&*self.renamed.key);
        let kept = kept.chain(key).filter(|columns| columns.iter().all(is_there) && columns.iter().any(is_changed));
        all.extend(kept.filter(|columns| !all.iter().any(|own| same(own, columns))).collect::<Vec<_>>());
        for columns in all {
            let names: Vec<String> = columns.iter().map(|name| quoted(name)).collect();
            let present: Vec<String> = names.iter().map(|name| format!("{name} IS NOT NULL")).collect();
            let shown: Vec<String> = names.iter().map(|name| shown(name)).collect();
            let sql = format!(
                "SELECT max(demat_row), {} FROM {} WHERE {} GROUP BY {} HAVING count(*) > 1 LIMIT 1",
                shown.join(" || ', ' || "),
                self.changed(),
                present.join(" AND "),
                names.join(", ")
            );
            if let Some((row, value)) = self.one(&sql)? {
                let columns = columns.join(", ");
                wrong.push(format!("`{columns}` is unique, and several rows have {value} there, such as {row}"));
            }
        }
        Ok(())
    }
}

/// Returns SQL that shows a value, not all of a long one.
fn shown(value: &str) -> String {
    format!("CASE WHEN length({value}) > 60 THEN substr(quote({value}), 1, 60) || '…' ELSE quote({value}) END")
}

fn values(count: i64) -> String {
    if count == 1 { "1 value".to_string() } else { format!("{count} values") }
}

fn counted(count: i64) -> String {
    if count == 1 { "1 row".to_string() } else { format!("{count} rows") }
}

fn declared(declared: &str) -> &str {
    if declared.is_empty() { "any" } else { declared }
}
