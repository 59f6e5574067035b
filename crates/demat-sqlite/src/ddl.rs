//! Generates the SQL of tables.

use crate::name::{listed, quoted};
use crate::table::{Column, Index, Reference, Table};

impl Table {
    /// Returns the statements that create the table and its indexes.
    pub fn create(&self) -> Vec<String> {
        let mut statements = vec![self.create_table()];
        statements.extend(self.indexes.iter().filter_map(|index| self.create_index(index)));
        statements
    }

    fn create_table(&self) -> String {
        let mut lines: Vec<String> =
            self.columns.iter().enumerate().map(|(index, column)| self.column_line(index, column)).collect();
        if self.key.len() > 1 {
            lines.push(format!("PRIMARY KEY ({})", listed(self.key.iter().map(String::as_str))));
        }
        lines.extend(self.references.iter().filter(|reference| reference.columns.len() > 1).map(foreign_key));
        let options: Vec<&str> = [(self.strict, "STRICT"), (self.without_rowid, "WITHOUT ROWID")]
            .into_iter()
            .filter_map(|(wanted, option)| wanted.then_some(option))
            .collect();
        let options = if options.is_empty() { String::new() } else { format!(" {}", options.join(", ")) };
        format!("CREATE TABLE {} (\n  {}\n){options}", quoted(&self.name), lines.join(",\n  "))
    }

    /// Returns the line of a column.
    pub(crate) fn column_line(&self, index: usize, column: &Column) -> String {
        let mut line = quoted(&column.name);
        let mut say = |what: &str| {
            if !what.is_empty() {
                line.push(' ');
                line.push_str(what);
            }
        };
        say(&column.declared);
        if self.key.len() == 1 && self.is_key(index) {
            say("PRIMARY KEY");
        }
        if column.not_null {
            say("NOT NULL");
        }
        let own = |names: &[String]| matches!(names, [one] if one.eq_ignore_ascii_case(&column.name));
        if self.indexes.iter().any(|index| index.name.is_none() && index.unique && own(&index.columns)) {
            say("UNIQUE");
        }
        if let Some(default) = &column.default {
            say("DEFAULT");
            say(&default_of(default));
        }
        for check in &column.checks {
            say(&format!("CHECK ({check})"));
        }
        for reference in self.references.iter().filter(|reference| own(&reference.columns)) {
            say(&target(reference));
        }
        line
    }

    /// Returns the statement that creates an index; `None` if a constraint creates it.
    pub(crate) fn create_index(&self, index: &Index) -> Option<String> {
        let name = index.name.as_ref()?;
        let unique = if index.unique { "UNIQUE " } else { "" };
        let columns = listed(index.columns.iter().map(String::as_str));
        Some(format!("CREATE {unique}INDEX {} ON {} ({columns})", quoted(name), quoted(&self.name)))
    }
}

/// Returns the constraint of a foreign key.
pub(crate) fn foreign_key(reference: &Reference) -> String {
    format!("FOREIGN KEY ({}) {}", listed(reference.columns.iter().map(String::as_str)), target(reference))
}

/// Returns what a foreign key refers to.
pub(crate) fn target(reference: &Reference) -> String {
    let to = listed(reference.to.iter().map(String::as_str));
    let to = if to.is_empty() { to } else { format!(" ({to})") };
    format!("REFERENCES {}{to} {}", quoted(&reference.table), reference.actions).trim_end().to_string()
}

/// Returns a default as it stands in a definition: one that is no literal is an expression, which needs parentheses.
pub(crate) fn default_of(default: &str) -> String {
    let literal = default.starts_with(['\'', '(']) || default.parse::<f64>().is_ok();
    let named = ["NULL", "TRUE", "FALSE", "CURRENT_TIME", "CURRENT_DATE", "CURRENT_TIMESTAMP"]
        .iter()
        .any(|name| default.eq_ignore_ascii_case(name));
    let blob = default.starts_with("x'") || default.starts_with("X'");
    if literal || named || blob { default.to_string() } else { format!("({default})") }
}
