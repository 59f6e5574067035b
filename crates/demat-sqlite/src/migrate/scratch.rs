//! A database in memory with the schema of another, in which a plan is tried before the file is touched.

use crate::database::Database;
use crate::introspect::text;
use crate::name::quoted;
use crate::param::Param;
use crate::rows::Rows;
use demat_core::Result;
use std::collections::BTreeMap;

/// A copy of a schema, without rows.
#[derive(Debug)]
pub(super) struct Scratch {
    pub(super) database: Database,
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
        Ok(Self { database: scratch })
    }

    /// Returns the views and triggers that fail, by what fails, with the error.
    pub(super) fn broken(&self) -> Result<BTreeMap<String, String>> {
        let mut broken = BTreeMap::new();
        for view in self.database.views()? {
            if let Err(error) = self.database.statement(&format!("SELECT * FROM {}", quoted(&view))) {
                broken.insert(format!("the view `{view}`"), error.reason());
            }
        }
        let mut list =
            self.database.statement("SELECT DISTINCT tbl_name FROM main.sqlite_schema WHERE type = 'trigger'")?;
        while list.step()? {
            let table = text(&list, 0);
            let mut columns =
                self.database.statement("SELECT name FROM pragma_table_xinfo(?1) WHERE hidden = 0 ORDER BY cid")?;
            columns.bind_all(&[Param::from(&*table)])?;
            let mut set = Vec::new();
            while columns.step()? {
                let column = quoted(&text(&columns, 0));
                set.push(format!("{column} = {column}"));
            }
            let name = quoted(&table);
            // Preparing a statement compiles the triggers that it fires.
            for (verb, sql) in [
                ("INSERT", format!("INSERT INTO {name} DEFAULT VALUES")),
                ("UPDATE", format!("UPDATE {name} SET {}", set.join(", "))),
                ("DELETE", format!("DELETE FROM {name}")),
            ] {
                if let Err(error) = self.database.statement(&sql) {
                    broken.insert(format!("a trigger on {verb} of `{table}`"), error.reason());
                }
            }
        }
        Ok(broken)
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

    /// Returns a name that no object of the schema has: this one, or with a number behind it.
    pub(super) fn free_name(&self, wanted: &str) -> Result<String> {
        let mut name = wanted.to_string();
        for number in 2.. {
            let sql = "SELECT count(*) FROM main.sqlite_schema WHERE lower(name) = lower(?1)";
            if self.number(sql, &[Param::from(&*name)])? == 0 {
                break;
            }
            name = format!("{wanted}_{number}");
        }
        Ok(name)
    }
}
