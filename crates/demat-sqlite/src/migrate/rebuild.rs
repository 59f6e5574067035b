//! Rebuilds a table where ALTER TABLE does not suffice: SQLite's procedure of a new table, a copy, and a rename.

use super::changes::{Changes, alter, same, unread};
use super::copy::Copy;
use super::definition::{ColumnDefinition, Constraint, Definition, Kind};
use super::plan::{Loss, Step, Steps};
use super::scratch::Scratch;
use super::token::{Token, in_main, says_any, tokens};
use crate::failure::refused;
use crate::format::sql::has_word;
use crate::name::{listed, quoted};
use crate::table::{Reference, Table};
use demat_core::Result;

/// Adds the steps that rebuild a table, and takes them on the scratch database. Returns what is lost of its definition.
pub(super) fn rebuild(
    scratch: &Scratch,
    steps: &mut Steps,
    wanted: &Table,
    there: &Table,
    changes: &Changes,
    copy: &Copy,
) -> Result<Vec<Loss>> {
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
    let mut losses = Vec::new();
    let definition = changed(definition, wanted, there, changes, &mut losses);
    let name = scratch.free_name(&format!("demat_new_{}", there.name))?;
    let (new, old) = (format!("main.{}", quoted(&name)), format!("main.{}", quoted(&there.name)));
    let (indexes, triggers) =
        (database.objects_of("index", &there.name)?, database.objects_of("trigger", &there.name)?);
    let create = definition.create(&name, wanted.strict || there.strict, wanted.without_rowid);
    let what = format!("rebuild the table: {}", reasons(wanted, there, changes).join("; "));
    steps
        .take(scratch, Step::new(what, in_main(&create)))
        .map_err(|error| refused(format!("the table `{}` can't be rebuilt: {}", there.name, error.reason())))?;
    if counts_up {
        let sql = format!(
            "INSERT INTO main.sqlite_sequence (name, seq) SELECT {}, seq FROM main.sqlite_sequence WHERE name = {}",
            crate::name::text_literal(&name),
            crate::name::text_literal(&there.name)
        );
        steps.take(scratch, Step::new("keep the counter of the key", sql))?;
    }
    let (targets, values) = copy.columns(wanted, there, &definition)?;
    // A kept constraint may say that a row in conflict is ignored, or replaces another one.
    let sql = format!("INSERT OR ABORT INTO {new} ({}) SELECT {} FROM {old}", targets.join(", "), values.join(", "));
    steps.take(scratch, Step::new("copy the rows", sql))?;
    steps.take(scratch, Step::new("drop the old table", format!("DROP TABLE {old}")))?;
    let sql = format!("ALTER TABLE {new} RENAME TO {}", quoted(&there.name));
    steps.take(scratch, Step::renaming("give the new one its name", sql))?;
    for index in indexes.into_iter().filter(|index| !changes.stale.contains(&index.name)) {
        let name = &index.name;
        let taken = steps.take(scratch, Step::new(format!("make the index `{name}` again"), in_main(&index.sql)));
        let Err(error) = taken else { continue };
        // An index over a dropped column goes with it.
        if !says_any(&index.sql, &changes.drop) {
            return Err(refused(format!("the index `{name}` can't be made again: {}", error.reason())));
        }
        losses.push(Loss::drop(format!("the index `{name}`, which has a dropped column")));
    }
    for trigger in triggers {
        let what = format!("make the trigger `{}` again", trigger.name);
        steps.take(scratch, Step::new(what, in_main(&trigger.sql)))?;
    }
    Ok(losses)
}

/// Returns the definition of the new table.
fn changed(
    mut definition: Definition,
    wanted: &Table,
    there: &Table,
    changes: &Changes,
    losses: &mut Vec<Loss>,
) -> Definition {
    let is_gone = |name: &String| changes.drop.iter().any(|gone| gone.eq_ignore_ascii_case(name));
    definition.columns.retain(|column| !is_gone(&column.name));
    let is_kept = |own: &Constraint| matches!(own.kind, Kind::Check) || !own.columns.iter().any(is_gone);
    for own in definition.constraints.iter().filter(|own| !is_kept(own) && own.kind != Kind::PrimaryKey) {
        let text = own.text.trim_end();
        losses.push(Loss::drop(format!("the constraint `{text}`, which has a dropped column")));
    }
    definition.constraints.retain(is_kept);
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
            replaced(&mut definition, reference, wanted);
            definition.columns[at].add(Kind::References, crate::ddl::target(reference));
        } else {
            replaced(&mut definition, reference, wanted);
            definition.constraints.push(table_constraint(Kind::References, crate::ddl::foreign_key(reference)));
        }
    }
    definition
}

/// Removes the foreign keys that a changed one replaces, of a column or of the table: those of the same columns to the
/// same table, or else all of these columns. Those with a name, and other ones of the shape, stay.
fn replaced(definition: &mut Definition, reference: &Reference, wanted: &Table) {
    let is_of_columns = |columns: &[String]| same(columns, &reference.columns);
    let others: Vec<&Reference> =
        wanted.references.iter().filter(|own| *own != reference && is_of_columns(&own.columns)).collect();
    let goes = |own: &Constraint| {
        let to = target_of(own);
        own.kind == Kind::References && !own.named && !others.iter().any(|other| other.table.eq_ignore_ascii_case(&to))
    };
    let is_alike = |own: &Constraint| goes(own) && target_of(own).eq_ignore_ascii_case(&reference.table);
    let in_column = |column: &ColumnDefinition| is_of_columns(core::slice::from_ref(&column.name));
    let has_alike = definition.constraints.iter().any(|own| is_of_columns(&own.columns) && is_alike(own))
        || definition.columns.iter().any(|column| in_column(column) && column.constraints.iter().any(is_alike));
    let goes = |own: &Constraint| if has_alike { is_alike(own) } else { goes(own) };
    definition.constraints.retain(|own| !(is_of_columns(&own.columns) && goes(own)));
    for column in definition.columns.iter_mut().filter(|column| in_column(column)) {
        column.constraints.retain(|own| !goes(own));
    }
}

/// Returns the table that a foreign key refers to.
fn target_of(own: &Constraint) -> String {
    let tokens = tokens(&own.text);
    let at = tokens.iter().position(|token| token.is("REFERENCES"));
    at.and_then(|at| tokens.get(at + 1)).map(Token::name).unwrap_or_default()
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
        if change.stale_default {
            reasons.push(format!("`{name}` has no default"));
        }
        if change.rules {
            reasons.push(format!("`{name}` has the rules of its field"));
        }
    }
    reasons.extend(changes.add.iter().map(|index| format!("`{}` is new", wanted.columns[*index].name)));
    reasons.extend(changes.drop.iter().map(|name| format!("`{name}` is dropped")));
    reasons.extend(changes.stale.iter().map(|name| format!("the index `{name}` is dropped")));
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
