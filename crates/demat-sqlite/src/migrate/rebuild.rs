//! Rebuilds a table where ALTER TABLE does not suffice: SQLite's procedure of a new table, a copy, and a rename.

use super::changes::{Changes, alter, same, unread};
use super::copy::Copy;
use super::definition::{ColumnDefinition, Constraint, Definition, Kind};
use super::plan::{Step, Steps};
use super::scratch::Scratch;
use crate::failure::refused;
use crate::format::sql::has_word;
use crate::name::{listed, quoted};
use crate::table::Table;
use demat_core::Result;

/// Adds the steps that rebuild a table, and takes them on the scratch database.
pub(super) fn rebuild(
    scratch: &Scratch,
    steps: &mut Steps,
    wanted: &Table,
    there: &Table,
    changes: &Changes,
    copy: &Copy,
) -> Result<()> {
    let database = &scratch.database;
    let Some(sql) = database.sql_of_table(&there.name)? else { return Err(unread(there)) };
    let Some(definition) = Definition::parse(&sql) else { return Err(unread(there)) };
    let counts_up = has_word(&sql, "AUTOINCREMENT");
    if counts_up && (changes.key || changes.rowids) {
        return Err(refused(format!(
            "the key of `{}` counts up (AUTOINCREMENT), so it can't become another one",
            there.name
        )));
    }
    let definition = changed(definition, wanted, there, changes);
    let name = database.free_name(&format!("demat_new_{}", there.name))?;
    let (new, old) = (quoted(&name), quoted(&there.name));
    let (indexes, triggers) =
        (database.objects_of("index", &there.name)?, database.objects_of("trigger", &there.name)?);
    let create = definition.create(&name, wanted.strict || there.strict, wanted.without_rowid);
    steps.take(
        scratch,
        Step::new(format!("rebuild the table: {}", reasons(wanted, there, changes).join("; ")), create),
    )?;
    if counts_up {
        let sql = format!(
            "INSERT INTO sqlite_sequence (name, seq) SELECT {}, seq FROM sqlite_sequence WHERE name = {}",
            crate::name::text_literal(&name),
            crate::name::text_literal(&there.name)
        );
        steps.take(scratch, Step::new("keep the counter of the key", sql))?;
    }
    let (targets, values) = copy.columns(wanted, there, &definition)?;
    let sql = format!("INSERT INTO {new} ({}) SELECT {} FROM {old}", targets.join(", "), values.join(", "));
    steps.take(scratch, Step::new("copy the rows", sql))?;
    steps.take(scratch, Step::new("drop the old table", format!("DROP TABLE {old}")))?;
    steps.take(scratch, Step::renaming("give the new one its name", format!("ALTER TABLE {new} RENAME TO {old}")))?;
    for index in indexes.into_iter().filter(|index| !changes.stale.contains(&index.name)) {
        let name = &index.name;
        let taken = steps.take(scratch, Step::new(format!("make the index `{name}` again"), index.sql));
        // An index over a dropped column goes with it.
        if let Err(error) = taken
            && changes.drop.is_empty()
        {
            return Err(refused(format!("the index `{name}` can't be made again: {}", error.reason())));
        }
    }
    for trigger in triggers {
        steps.take(scratch, Step::new(format!("make the trigger `{}` again", trigger.name), trigger.sql))?;
    }
    Ok(())
}

/// Returns the definition of the new table.
fn changed(mut definition: Definition, wanted: &Table, there: &Table, changes: &Changes) -> Definition {
    let is_gone = |name: &String| changes.drop.iter().any(|gone| gone.eq_ignore_ascii_case(name));
    definition.columns.retain(|column| !is_gone(&column.name));
    definition.constraints.retain(|own| matches!(own.kind, Kind::Check) || !own.columns.iter().any(is_gone));
    if changes.key {
        let is_key = |own: &Constraint| own.kind == Kind::PrimaryKey;
        definition.columns.iter_mut().for_each(|column| column.constraints.retain(|own| !is_key(own)));
        definition.constraints.retain(|own| !is_key(own));
    }
    for change in &changes.alter {
        let name = &there.columns[change.there].name;
        if let Some(at) = definition.column(name) {
            alter(&mut definition.columns[at], change, wanted);
        }
    }
    // Unique columns get an index with a name, as in a table that is altered.
    let bare = wanted.without_unnamed_indexes();
    for index in &changes.add {
        let column = &wanted.columns[*index];
        let line = bare.column_line(*index, column);
        let rest = line.strip_prefix(&quoted(&column.name)).unwrap_or(&line).trim_start().to_string();
        definition.columns.push(ColumnDefinition {
            name: column.name.clone(),
            declared: rest,
            constraints: Vec::new(),
        });
    }
    if changes.key {
        match &*wanted.key {
            [] => {}
            // The line of a new column says it already.
            [key] => {
                let is_new = changes.add.iter().any(|new| wanted.columns[*new].name == *key);
                if let Some(at) = definition.column(key)
                    && !is_new
                {
                    let own = &mut definition.columns[at];
                    own.add(Kind::PrimaryKey, "PRIMARY KEY".to_string());
                }
            }
            keys => definition.constraints.insert(
                0,
                table_constraint(
                    Kind::PrimaryKey,
                    format!("PRIMARY KEY ({})", listed(keys.iter().map(String::as_str))),
                ),
            ),
        }
    }
    for index in &changes.references {
        let reference = &wanted.references[*index];
        if let [column] = &*reference.columns
            && let Some(at) = definition.column(column)
        {
            let own = &mut definition.columns[at];
            own.constraints.retain(|own| own.kind != Kind::References || own.named);
            own.add(Kind::References, crate::ddl::target(reference));
        } else {
            let stays =
                |own: &Constraint| own.kind != Kind::References || own.named || !same(&own.columns, &reference.columns);
            definition.constraints.retain(stays);
            definition.constraints.push(table_constraint(Kind::References, crate::ddl::foreign_key(reference)));
        }
    }
    definition
}

fn table_constraint(kind: Kind, text: String) -> Constraint {
    Constraint { kind, text, named: false, columns: Vec::new(), rule: None }
}

/// Returns what a rebuild changes, in words.
fn reasons(wanted: &Table, there: &Table, changes: &Changes) -> Vec<String> {
    let mut reasons: Vec<String> = Vec::new();
    for change in &changes.alter {
        let (new, old) = (&wanted.columns[change.wanted], &there.columns[change.there]);
        let name = &old.name;
        if change.declared {
            let declared =
                |declared: &str| if declared.is_empty() { "of no type".into() } else { declared.to_string() };
            reasons.push(format!("`{name}` becomes {}, and was {}", declared(&new.declared), declared(&old.declared)));
        }
        match change.not_null {
            Some(true) => reasons.push(format!("`{name}` refuses NULL")),
            Some(false) => reasons.push(format!("`{name}` may be NULL")),
            None => {}
        }
        if let Some(default) = new.default.as_ref().filter(|_| change.default) {
            reasons.push(format!("`{name}` has the default {default}"));
        }
        if change.rules {
            reasons.push(format!("`{name}` has the rules of its field"));
        }
    }
    reasons.extend(changes.add.iter().map(|index| format!("`{}` is new", wanted.columns[*index].name)));
    reasons.extend(changes.drop.iter().map(|name| format!("`{name}` is dropped")));
    if changes.key {
        let key = wanted.key.join(", ");
        reasons.push(if key.is_empty() { "it has no key".to_string() } else { format!("its key is `{key}`") });
    }
    for index in &changes.references {
        let reference = &wanted.references[*index];
        reasons.push(format!("`{}` {}", reference.columns.join(", "), reference.note()));
    }
    if changes.strict {
        reasons.push("it is STRICT".to_string());
    }
    if changes.rowids {
        reasons.push(if wanted.without_rowid { "it has no rowids" } else { "it has rowids" }.to_string());
    }
    reasons
}
