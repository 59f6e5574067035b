//! A database in memory with the schema of another, in which a plan is tried before the file is touched.

use super::token::{in_main, quotes_any};
use crate::database::Database;
use crate::failure::{failed, refused};
use crate::introspect::text;
use crate::name::quoted;
use crate::param::Param;
use crate::rows::Rows;
use crate::table::Table;
use demat_core::Result;
use rusqlite::config::DbConfig;
use rusqlite::ffi;
use std::collections::BTreeMap;

/// A copy of a schema, without rows.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) database: Database,
    /// The database whose schema it is.
    original: Database,
}

/// What fails in a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Broken {
    pub(super) error: String,
    /// The statements of the view or the triggers.
    pub(super) sql: String,
}

/// An object of a schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Object {
    pub(super) name: String,
    pub(super) sql: String,
}

impl Scratch {
    /// Copies the schema of a database. What this connection can't create, such as tables of modules that it does not
    /// have, is left out.
    pub(super) fn of(database: &Database) -> Result<Self> {
        let scratch = Database::memory()?;
        scratch.execute("PRAGMA foreign_keys = OFF")?;
        let mut objects = database.statement(
            "SELECT sql FROM main.sqlite_schema AS own WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' \
             AND NOT EXISTS (SELECT 1 FROM pragma_table_list AS list WHERE list.schema = 'main' AND \
             list.name = own.name AND list.type = 'shadow') ORDER BY rowid",
        )?;
        while objects.step()? {
            let sql = text(&objects, 0);
            if sql.get(..7).is_some_and(|head| head.eq_ignore_ascii_case("CREATE ")) {
                let _ = scratch.execute(&sql);
            }
        }
        let scratch = Self { database: scratch, original: database.clone() };
        scratch.take_quoted_for_text(false)?;
        Ok(scratch)
    }

    /// Sets whether SQLite takes a name in double quotes that denotes nothing for a text, as it does by default. On the
    /// scratch it must not: what says "a" of a dropped column would silently get the text 'a'.
    fn take_quoted_for_text(&self, on: bool) -> Result<()> {
        self.database.with_connection(|connection| {
            [DbConfig::SQLITE_DBCONFIG_DQS_DML, DbConfig::SQLITE_DBCONFIG_DQS_DDL]
                .into_iter()
                .try_for_each(|config| connection.set_db_config(config, on).map(drop))
                .map_err(|_| failed(ffi::SQLITE_ERROR, None))
        })
    }

    /// Executes an ALTER TABLE. SQLite itself looks after the quotes there, and would refuse texts that other objects
    /// write in double quotes.
    pub(super) fn alter(&self, run: impl FnOnce(&Database) -> Result<()>) -> Result<()> {
        self.take_quoted_for_text(true)?;
        let ran = run(&self.database);
        self.take_quoted_for_text(false)?;
        ran
    }

    /// Refuses a table if its own statements have texts in double quotes, which the migration would take for names: all
    /// of them if it is rebuilt, or else those that new columns have as a name.
    pub(super) fn refuse_quoted_texts(&self, table: &Table, new: &[String], is_rebuilt: bool) -> Result<()> {
        let database = &self.database;
        let sql = database.sql_of_table(&table.name)?.unwrap_or_default();
        let indexes = database.objects_of("index", &table.name)?;
        let mut all = core::iter::once(&sql).chain(indexes.iter().map(|index| &index.sql));
        if !is_rebuilt && !all.any(|sql| quotes_any(sql, new)) {
            return Ok(());
        }
        let attempt = database.transaction()?;
        database.execute(&format!("DROP TABLE main.{}", quoted(&table.name)))?;
        let made = database
            .execute(&in_main(&sql))
            .and_then(|()| indexes.iter().try_for_each(|index| database.execute(&in_main(&index.sql))));
        drop(attempt);
        made.map_err(|error| {
            refused(format!("the statements of `{}` can't be migrated as they are: {}", table.name, error.reason()))
        })
    }

    /// Returns the views, triggers and foreign keys that fail, by what fails.
    pub(super) fn broken(&self) -> Result<BTreeMap<String, Broken>> {
        let mut broken = BTreeMap::new();
        for view in self.database.views()? {
            if let Err(error) = self.database.statement(&format!("SELECT * FROM main.{}", quoted(&view))) {
                let sql = self.database.objects("type = 'view' AND name = ?1", &view)?;
                let sql = sql.into_iter().map(|object| object.sql).collect();
                broken.insert(format!("the view `{view}`"), Broken { error: error.reason(), sql });
            }
        }
        // Preparing the check looks for the unique index that a foreign key needs.
        let mut list = self.database.statement(
            "SELECT name FROM pragma_table_list AS list WHERE schema = 'main' AND type = 'table' \
             AND EXISTS (SELECT 1 FROM pragma_foreign_key_list(list.name, 'main'))",
        )?;
        while list.step()? {
            let table = text(&list, 0);
            if let Err(error) = self.database.statement(&format!("PRAGMA main.foreign_key_check({})", quoted(&table))) {
                let broken_by = Broken { error: error.reason(), sql: String::new() };
                broken.insert(format!("a foreign key of `{table}`"), broken_by);
            }
        }
        let mut list =
            self.database.statement("SELECT DISTINCT tbl_name FROM main.sqlite_schema WHERE type = 'trigger'")?;
        while list.step()? {
            let table = text(&list, 0);
            let mut columns = self
                .database
                .statement("SELECT name FROM pragma_table_xinfo(?1, 'main') WHERE hidden = 0 ORDER BY cid")?;
            columns.bind_all(&[Param::from(&*table)])?;
            let mut set = Vec::new();
            while columns.step()? {
                let column = quoted(&text(&columns, 0));
                set.push(format!("{column} = {column}"));
            }
            let name = format!("main.{}", quoted(&table));
            // Preparing a statement compiles the triggers that it fires.
            for (verb, sql) in [
                ("INSERT", format!("INSERT INTO {name} DEFAULT VALUES")),
                ("UPDATE", format!("UPDATE {name} SET {}", set.join(", "))),
                ("DELETE", format!("DELETE FROM {name}")),
            ] {
                if let Err(error) = self.database.statement(&sql) {
                    let sql = self.database.objects_of("trigger", &table)?;
                    let sql: Vec<String> = sql.into_iter().map(|object| object.sql).collect();
                    let broken_by = Broken { error: error.reason(), sql: sql.join(";\n") };
                    broken.insert(format!("a trigger on {verb} of `{table}`"), broken_by);
                }
            }
        }
        Ok(broken)
    }

    /// Returns a name that no object of the schema or of the temporary one has: this one, or with a number behind it.
    pub(super) fn free_name(&self, wanted: &str) -> Result<String> {
        let mut name = wanted.to_string();
        for number in 2.. {
            let counted = |database: &Database, schema: &str| {
                let sql = format!("SELECT count(*) FROM {schema}.sqlite_schema WHERE lower(name) = lower(?1)");
                database.number(&sql, &[Param::from(&*name)])
            };
            if counted(&self.database, "main")? == 0 && counted(&self.original, "temp")? == 0 {
                break;
            }
            name = format!("{wanted}_{number}");
        }
        Ok(name)
    }
}

impl Database {
    /// Returns the SQL of a table in the main schema; `None` for a view.
    pub(super) fn sql_of_table(&self, name: &str) -> Result<Option<String>> {
        Ok(self.objects("type = 'table' AND lower(name) = lower(?1)", name)?.pop().map(|object| object.sql))
    }

    /// Returns the indexes or triggers of a table that have SQL of their own, in the order of their creation.
    pub(super) fn objects_of(&self, kind: &str, table: &str) -> Result<Vec<Object>> {
        self.objects(&format!("type = '{kind}' AND lower(tbl_name) = lower(?1)"), table)
    }

    fn objects(&self, filter: &str, name: &str) -> Result<Vec<Object>> {
        let sql = format!("SELECT name, sql FROM main.sqlite_schema WHERE sql IS NOT NULL AND {filter} ORDER BY rowid");
        let mut list = self.statement(&sql)?;
        list.bind_all(&[Param::from(name)])?;
        let mut found = Vec::new();
        while list.step()? {
            found.push(Object { name: text(&list, 0), sql: text(&list, 1) });
        }
        Ok(found)
    }
}
