//! Triggers that send a notification with the keys of changed rows.

use crate::column_type::TypeClass;
use crate::connection::Connection;
use crate::failure::refused;
use crate::name::{bytes_literal, literal, quoted};
use crate::table::Table;
use demat_core::Result;

/// The channel on which changes are told.
pub(crate) const CHANNEL: &str = "demat_changes";

/// The name of the function, and the beginning of those of the triggers.
const NAME: &str = "demat_notify";

/// The statements that triggers follow, and the rows that their function sees.
const EVENTS: [(&str, &str); 4] = [
    ("INSERT", "REFERENCING NEW TABLE AS demat_new"),
    ("UPDATE", "REFERENCING OLD TABLE AS demat_old NEW TABLE AS demat_new"),
    ("DELETE", "REFERENCING OLD TABLE AS demat_old"),
    ("TRUNCATE", ""),
];

/// The function: it tells the keys of the rows, if they are not too many, and else that the table has changed.
///
/// The argument of a trigger is the list of keys in SQL; without one the keys are not told.
const BODY: &str = "
DECLARE
  puts jsonb := '[]';
  deletes jsonb := '[]';
  said jsonb := jsonb_build_object('at', jsonb_build_array(TG_TABLE_SCHEMA, TG_TABLE_NAME));
  whole jsonb;
  has_rows boolean := true;
BEGIN
  IF TG_OP = 'INSERT' OR TG_OP = 'UPDATE' THEN
    SELECT EXISTS (SELECT FROM demat_new) INTO has_rows;
  ELSIF TG_OP = 'DELETE' THEN
    SELECT EXISTS (SELECT FROM demat_old) INTO has_rows;
  END IF;
  IF NOT has_rows THEN
    RETURN NULL;
  END IF;
  IF TG_NARGS > 0 AND TG_OP <> 'TRUNCATE' THEN
    IF TG_OP <> 'DELETE' THEN
      EXECUTE format('SELECT coalesce(jsonb_agg(k), ''[]'') FROM (SELECT %s AS k FROM demat_new LIMIT 101) own', TG_ARGV[0]) INTO puts;
    END IF;
    IF TG_OP = 'DELETE' THEN
      EXECUTE format('SELECT coalesce(jsonb_agg(k), ''[]'') FROM (SELECT %s AS k FROM demat_old LIMIT 101) own', TG_ARGV[0]) INTO deletes;
    ELSIF TG_OP = 'UPDATE' AND jsonb_array_length(puts) <= 100 THEN
      EXECUTE format('SELECT coalesce(jsonb_agg(k), ''[]'') FROM (SELECT %1$s AS k FROM demat_old EXCEPT SELECT %1$s FROM demat_new) own', TG_ARGV[0]) INTO deletes;
    END IF;
    whole := said || jsonb_build_object('put', puts, 'delete', deletes);
    IF jsonb_array_length(puts) <= 100 AND jsonb_array_length(deletes) <= 100 AND octet_length(whole::text) < 7900 THEN
      said := whole;
    END IF;
  END IF;
  PERFORM pg_notify('demat_changes', said::text);
  RETURN NULL;
END
";

impl Table {
    /// Returns the list of a row's keys in SQL; `None` if JSON does not say them as they are.
    fn keys_told(&self) -> Option<String> {
        let is_told = |name: &String| {
            self.column(name).is_some_and(|column| {
                matches!(
                    self.columns[column].own.class,
                    TypeClass::Bool
                        | TypeClass::Int(_)
                        | TypeClass::Oid
                        | TypeClass::Text(_)
                        | TypeClass::Enum(_)
                        | TypeClass::Uuid
                )
            })
        };
        if self.key.is_empty() || !self.key.iter().all(is_told) {
            return None;
        }
        let names: Vec<_> = self.key.iter().map(|name| quoted(name)).collect();
        Some(format!("jsonb_build_array({})", names.join(", ")))
    }

    /// The argument of the triggers, as the catalogs keep it.
    fn argument(&self) -> String {
        self.keys_told().map(|keys| literal(&keys)).unwrap_or_default()
    }
}

impl Connection {
    /// Whether the triggers of a table are there, and tell its key as it is now.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn is_told(&self, table: &Table) -> Result<bool> {
        let argument = table.keys_told().map(|keys| keys + "\0").unwrap_or_default();
        let sql = format!(
            "SELECT pg_catalog.count(*)::bigint FROM pg_catalog.pg_trigger WHERE tgrelid = to_regclass({}) \
             AND pg_catalog.left(tgname::text, {}) = '{NAME}_' AND tgenabled <> 'D' AND tgargs = {}",
            literal(&table.quoted),
            NAME.len() + 1,
            bytes_literal(argument.as_bytes())
        );
        Ok(usize::try_from(self.number(&sql)?) == Ok(EVENTS.len()))
    }

    /// Makes triggers that tell of each change of a table: to every program that listens, with the keys of the rows if they
    /// are at most a hundred. Those that are there are made anew only if the key has changed.
    ///
    /// The function of the triggers is made in the schema of the table.
    ///
    /// # Errors
    /// If it is a view; errors of the server, such as a missing right.
    pub fn tell_changes(&self, table: &Table) -> Result<()> {
        if table.view {
            return Err(refused(format!("`{}` is a view, and no trigger tells of its changes", table.name)));
        }
        if self.is_told(table)? {
            return Ok(());
        }
        let schema = table.table_name()?.schema.unwrap_or_default();
        let function = format!("{}.{}", quoted(&schema), quoted(NAME));
        let transaction = self.transaction()?;
        self.drop_triggers(table)?;
        self.execute(&format!(
            "CREATE OR REPLACE FUNCTION {function}() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp \
             AS {}",
            literal(BODY)
        ))?;
        for (event, rows) in EVENTS {
            let name = quoted(&format!("{NAME}_{}", event.to_ascii_lowercase()));
            self.execute(&format!(
                "CREATE TRIGGER {name} AFTER {event} ON {} {rows} FOR EACH STATEMENT EXECUTE PROCEDURE {function}({})",
                table.quoted,
                table.argument()
            ))?;
        }
        transaction.commit()
    }

    /// Removes the triggers of a table. The function stays, for other tables of the schema.
    ///
    /// # Errors
    /// Errors of the server.
    pub fn tell_no_changes(&self, table: &Table) -> Result<()> {
        let transaction = self.transaction()?;
        self.drop_triggers(table)?;
        transaction.commit()
    }

    fn drop_triggers(&self, table: &Table) -> Result<()> {
        for (event, _) in EVENTS {
            let name = quoted(&format!("{NAME}_{}", event.to_ascii_lowercase()));
            self.execute(&format!("DROP TRIGGER IF EXISTS {name} ON {}", table.quoted))?;
        }
        Ok(())
    }
}
