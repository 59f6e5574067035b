//! Bulk changes to the rows that match a query, in one transaction.

#[cfg(test)]
mod tests;

use super::Table;
use demat_core::Result;
use demat_sqlite::{Database, Param, Rows as _, quoted};
use demat_store::{BulkChange, Fault, Query, When};

impl Table {
    /// Deletes or patches the rows that match the query's conditions; returns their number.
    pub(super) fn change_rows(&self, query: &Query, each: BulkChange<'_>, when: &When) -> Result<u64> {
        if !query.is_filter() {
            return Err(Fault::BadQuery.because("what is changed is chosen by conditions and nothing else"));
        }
        let select = self.select(query)?;
        let filter = select.filter.as_ref().map(|filter| format!(" WHERE {filter}")).unwrap_or_default();
        let table = quoted(&self.about.name);
        match each {
            BulkChange::Delete => self.change(None, when, |database, _| {
                database.change(&format!("DELETE FROM {table}{filter}"), &select.values)
            }),
            BulkChange::Patch(value) => {
                let part = self.held_part(value)?;
                self.change(None, when, |database, _| {
                    let rows = self.names(database, &filter, &select.values)?;
                    for row in &rows {
                        let part = self.keyed(row, part.clone())?;
                        self.update(database, row, &self.patched(database, row, part)?)?;
                    }
                    Ok(rows.len() as u64)
                })
            }
        }
    }

    /// Returns the names of the rows that match a condition.
    fn names(&self, database: &Database, filter: &str, values: &[Param]) -> Result<Vec<String>> {
        let columns = self.key.names(&self.about).join(", ");
        let sql = format!("SELECT {columns} FROM {}{filter}", quoted(&self.about.name));
        let mut statement = database.statement(&sql)?;
        statement.bind_all(values)?;
        let mut names = Vec::new();
        while statement.step()? {
            let name = self.key.name(&self.about, &self.stored, &statement);
            names.push(name.ok_or_else(|| Fault::Conflict.because("a row has a key that no reference can name"))?);
        }
        Ok(names)
    }
}
