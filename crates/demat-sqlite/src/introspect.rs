//! Reads the definitions of existing tables.

use crate::database::Database;
use crate::declared::shape_of_declared;
use crate::failure::refused;
use crate::name::quoted;
use crate::param::Param;
use crate::rows::{Class, Rows};
use crate::statement::Statement;
use crate::stored::Stored;
use crate::table::{Column, Index, Reference, Table};
use demat_core::Result;

impl Database {
    /// Returns the names of the tables, in alphabetical order. Leaves out views, SQLite's own tables, and those that a
    /// module (such as full-text search) keeps for itself.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn tables(&self) -> Result<Vec<String>> {
        self.names(
            "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type IN ('table', 'virtual') \
             AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY name",
        )
    }

    /// Returns the names of the views, in alphabetical order.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn views(&self) -> Result<Vec<String>> {
        self.names("SELECT name FROM main.sqlite_schema WHERE type = 'view' ORDER BY name")
    }

    fn names(&self, sql: &str) -> Result<Vec<String>> {
        let mut names = self.statement(sql)?;
        let mut found = Vec::new();
        while names.step()? {
            found.push(text(&names, 0));
        }
        Ok(found)
    }

    /// Returns an existing table or view; `None` if there is none with this name.
    ///
    /// # Errors
    /// Errors of SQLite.
    pub fn find(&self, name: &str) -> Result<Option<Table>> {
        let sql = "SELECT name, type, wr, strict, (SELECT count(*) FROM temp.sqlite_schema AS own WHERE type IN ('table', \
                   'view') AND lower(own.name) = lower(?1)) FROM pragma_table_list(?1) WHERE schema = 'main'";
        let mut list = self.statement(sql)?;
        list.bind_all(&[Param::from(name)])?;
        if !list.step()? {
            return Ok(None);
        }
        if list.int(4) != 0 {
            let message = format!("a temporary table of this connection hides the table `{name}`");
            return Err(refused(message).in_place(self.name().to_string()));
        }
        let kind = text(&list, 1);
        let mut table = Table {
            name: text(&list, 0),
            columns: Vec::new(),
            key: Vec::new(),
            indexes: Vec::new(),
            references: Vec::new(),
            strict: list.int(3) != 0,
            without_rowid: list.int(2) != 0,
            key_index: false,
            view: kind == "view",
            readonly: kind == "view",
        };
        drop(list);
        if kind == "virtual" {
            // Preparing a write fails if the module supports none.
            table.readonly = self.statement(&format!("DELETE FROM main.{} WHERE 0", quoted(&table.name))).is_err();
        }
        self.read_columns(&mut table)?;
        self.read_indexes(&mut table)?;
        self.read_references(&mut table)?;
        Ok(Some(table))
    }

    /// Returns an existing table or view.
    ///
    /// # Errors
    /// If there is none with this name; the error lists the existing tables.
    pub fn existing(&self, name: &str) -> Result<Table> {
        if let Some(table) = self.find(name)? {
            return Ok(table);
        }
        let tables = self.tables()?;
        let there = if tables.is_empty() { "none".to_string() } else { tables.join(", ") };
        Err(refused(format!("there is no table `{name}`; there are {there}")).in_place(self.name().to_string()))
    }

    fn read_columns(&self, table: &mut Table) -> Result<()> {
        let sql =
            "SELECT name, type, \"notnull\", dflt_value, pk, hidden FROM pragma_table_xinfo(?1, 'main') ORDER BY cid";
        let mut columns = self.statement(sql)?;
        columns.bind_all(&[Param::from(&*table.name)])?;
        let mut key = Vec::new();
        while columns.step()? {
            // 1 means hidden, such as columns of virtual tables; 2 and 3 mean generated.
            let hidden = columns.int(5);
            if hidden == 1 {
                continue;
            }
            let (name, declared) = (text(&columns, 0), text(&columns, 1));
            // SQLite appends this to the declared type of a generated column.
            let declared = declared.trim_end_matches(" GENERATED ALWAYS").to_string();
            let shape = if table.strict && declared.eq_ignore_ascii_case("ANY") {
                demat_core::Shape::Any
            } else {
                shape_of_declared(&declared)
            };
            let default = (columns.class(3) != Class::Null).then(|| text(&columns, 3));
            if columns.int(4) > 0 {
                key.push((columns.int(4), name.clone()));
            }
            table.columns.push(Column {
                stored: Stored::of(&shape, Some(&declared)),
                name,
                declared,
                shape,
                not_null: columns.int(2) != 0,
                default,
                checks: Vec::new(),
                generated: hidden > 1,
                was: Vec::new(),
            });
        }
        key.sort();
        table.key = key.into_iter().map(|(_, name)| name).collect();
        Ok(())
    }

    fn read_indexes(&self, table: &mut Table) -> Result<()> {
        let mut list = self.statement(
            "SELECT name, \"unique\", origin, partial FROM pragma_index_list(?1, 'main') ORDER BY seq DESC",
        )?;
        list.bind_all(&[Param::from(&*table.name)])?;
        while list.step()? {
            let (name, origin) = (text(&list, 0), text(&list, 2));
            table.key_index |= origin == "pk";
            // The index of the primary key is represented by the key; a partial index does not cover all rows.
            if origin == "pk" || list.int(3) != 0 {
                continue;
            }
            let mut of = self.statement("SELECT name FROM pragma_index_info(?1, 'main') ORDER BY seqno")?;
            of.bind_all(&[Param::from(&*name)])?;
            let mut columns = Vec::new();
            while of.step()? {
                // An expression has no name; such an index is not represented by columns.
                columns.push(text(&of, 0));
            }
            if columns.iter().any(String::is_empty) {
                columns.clear();
            }
            let name = (origin == "c").then_some(name);
            table.indexes.push(Index { name, columns, unique: list.int(1) != 0 });
        }
        Ok(())
    }

    fn read_references(&self, table: &mut Table) -> Result<()> {
        let sql = "SELECT id, \"table\", \"from\", \"to\", on_update, on_delete FROM pragma_foreign_key_list(?1, 'main') \
                   ORDER BY id DESC, seq";
        let mut list = self.statement(sql)?;
        list.bind_all(&[Param::from(&*table.name)])?;
        let mut last = None;
        while list.step()? {
            let id = list.int(0);
            if last != Some(id) {
                let mut actions = Vec::new();
                for (on, action) in [("ON UPDATE", text(&list, 4)), ("ON DELETE", text(&list, 5))] {
                    if action != "NO ACTION" {
                        actions.push(format!("{on} {action}"));
                    }
                }
                let (columns, to) = (Vec::new(), Vec::new());
                table.references.push(Reference { columns, table: text(&list, 1), to, actions: actions.join(" ") });
                last = Some(id);
            }
            if let Some(reference) = table.references.last_mut() {
                reference.columns.push(text(&list, 2));
                if list.class(3) != Class::Null {
                    reference.to.push(text(&list, 3));
                }
            }
        }
        Ok(())
    }
}

/// Returns the text of a row's column.
pub(crate) fn text(rows: &Statement, column: usize) -> String {
    String::from_utf8_lossy(rows.bytes(column)).into_owned()
}
