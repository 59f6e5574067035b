//! Records of other lists within a record, by foreign keys.

#[cfg(test)]
mod tests;
mod text;

pub(crate) use text::parsed;

use crate::told::text_of;
use demat_core::{Error, Field, Record, Result, Shape, Value};
use demat_place::projected;
use demat_store::{Condition, Fault, Query, Reference, Relation, Store, Test, collected};
use std::collections::{HashMap, HashSet};

/// The maximum depth of records within records.
pub(crate) const DEEPEST: usize = 3;
/// The maximum number of records of one list, since they are held in memory.
const MOST: usize = 10_000;
/// As many bytes of embedded records, about, are held for the records of one list.
const HEAVIEST: usize = 64 << 20;
/// As many keys are asked for at once.
const BATCH: usize = 200;

/// A list whose records are embedded.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub(crate) struct Embed {
    /// Its name, or the relation's alias: the name of the field, too.
    name: String,
    /// The fields of its records; `None` for all.
    fields: Option<Vec<String>>,
    /// What is embedded in them.
    within: Vec<Embed>,
}

/// Returns a value with the records that are embedded in it, and its shape.
pub(crate) fn embedded(store: &dyn Store, at: &[String], query: &Query, embeds: &[Embed]) -> Result<(Value, Shape)> {
    let whole = store.shape(at)?;
    // A record has the relations of its list.
    let list = match (&whole, at) {
        (Shape::List(_), _) => at,
        (Shape::Record(_), [list @ .., _]) => list,
        _ => return Err(bad("records are embedded in records, and this is none")),
    };
    let mut asked = query.clone();
    let relations = resolved(store, list, embeds)?;
    with_keys(&mut asked, &relations);
    let is_list = matches!(whole, Shape::List(_));
    if is_list {
        asked.limit = Some(asked.limit.unwrap_or(u64::MAX).min(MOST as u64 + 1));
    }
    let value = collected(store, at, &asked)?;
    let mut records = match value {
        Value::List(records) => records,
        record => vec![record],
    };
    refuse_more(records.len())?;
    attach(store, &mut records, embeds, &relations)?;
    if let Some(fields) = wanted_fields(query.fields.as_deref(), embeds) {
        records = records.into_iter().map(|record| chosen(record, &fields)).collect();
    }
    let shape = shape_of(store, at, query, embeds)?;
    let value = if is_list { Value::List(records) } else { records.pop().unwrap_or(Value::Null) };
    Ok((value, shape))
}

/// Returns the shape of what [`embedded`] returns.
pub(crate) fn shape_of(store: &dyn Store, at: &[String], query: &Query, embeds: &[Embed]) -> Result<Shape> {
    let whole = store.shape(at)?;
    let list = if matches!(whole, Shape::List(_)) { at } else { &at[..at.len().saturating_sub(1)] };
    let relations = resolved(store, list, embeds)?;
    let mut asked = query.clone();
    with_keys(&mut asked, &relations);
    let shape = shape(store, &asked.shape(&whole)?, embeds, &relations)?;
    match wanted_fields(query.fields.as_deref(), embeds) {
        Some(fields) => projected(&shape, &fields).map_err(|error| bad(error.reason())),
        None => Ok(shape),
    }
}

/// Returns the lists that the embeds of a value read.
pub(crate) fn lists(store: &dyn Store, at: &[String], embeds: &[Embed]) -> Result<Vec<Reference>> {
    let whole = store.shape(at)?;
    let list = match (&whole, at) {
        (Shape::List(_), _) => at,
        (Shape::Record(_), [list @ .., _]) => list,
        _ => return Err(bad("records are embedded in records, and this is none")),
    };
    let mut lists = Vec::new();
    for (embed, relation) in embeds.iter().zip(resolved(store, list, embeds)?) {
        lists.extend(self::lists(store, &relation.to, &embed.within)?);
        lists.push(relation.to);
    }
    Ok(lists)
}

/// Finds the relations that are meant.
fn resolved(store: &dyn Store, list: &[String], embeds: &[Embed]) -> Result<Vec<Relation>> {
    let all = store.relations(list);
    let shape = store.shape(list)?;
    embeds
        .iter()
        .map(|embed| {
            let mut meant = all.iter().filter(|relation| relation.is_called(&embed.name));
            let (first, second) = (meant.next(), meant.next());
            let names = |which: &dyn Fn(&&Relation) -> bool| {
                let names: Vec<_> = all.iter().filter(which).map(|own| format!("`{}`", own.alias)).collect();
                if names.is_empty() { "there are none".to_string() } else { format!("there are {}", names.join(", ")) }
            };
            let relation = match (first, second) {
                (Some(relation), None) => relation,
                (None, _) => {
                    return Err(bad(format!("no foreign key is called `{}`; {}", embed.name, names(&|_| true))));
                }
                (Some(_), Some(_)) => {
                    let choices = names(&|relation| relation.is_called(&embed.name));
                    return Err(bad(format!("`{}` may mean several foreign keys; {choices}", embed.name)));
                }
            };
            if shape.row().is_some_and(|row| row.get().index_of(&embed.name).is_some()) {
                let said = format!("`{}` is a field already; say `{}`", embed.name, relation.alias);
                return Err(bad(said));
            }
            Ok(relation.clone())
        })
        .collect()
}

/// Adds the fields of the keys to those that are read.
fn with_keys(query: &mut Query, relations: &[Relation]) {
    if let Some(fields) = &mut query.fields {
        for field in relations.iter().flat_map(|relation| &relation.fields) {
            if !fields.contains(field) {
                fields.push(field.clone());
            }
        }
    }
}

/// Returns the fields of a record with those that are embedded.
fn wanted_fields(fields: Option<&[String]>, embeds: &[Embed]) -> Option<Vec<String>> {
    let names = embeds.iter().map(|embed| embed.name.clone());
    fields.map(|fields| fields.iter().cloned().chain(names).collect())
}

fn chosen(record: Value, fields: &[String]) -> Value {
    let Value::Map(mut entries) = record else { return record };
    let mut all = Vec::with_capacity(fields.len());
    for field in fields {
        if let Some(index) = entries.iter().position(|(key, _)| matches!(key, Value::Text(key) if key == field)) {
            all.push(entries.swap_remove(index));
        }
    }
    Value::Map(all)
}

/// Adds to each record those that belong to it.
fn attach(store: &dyn Store, records: &mut [Value], embeds: &[Embed], relations: &[Relation]) -> Result<()> {
    let mut copied = 0;
    for (embed, relation) in embeds.iter().zip(relations) {
        let by_key: HashMap<_, _> = others(store, records, embed, relation)?
            .into_iter()
            .map(|(key, found)| (key, (found.iter().map(weight).sum::<usize>(), found)))
            .collect();
        // Several records may share one, so each gets a copy.
        for record in records.iter_mut() {
            let found = key(record, &relation.fields).and_then(|key| by_key.get(&key));
            copied += found.map_or(0, |(weight, _)| *weight);
            if copied > HEAVIEST {
                return Err(bad(
                    "what is embedded is too much to be held in memory; ask for less by `limit`, conditions or fields",
                ));
            }
            let found = found.map(|(_, found)| found);
            let value = match (found, relation.is_many) {
                (Some(found), true) => Value::List(found.clone()),
                (None, true) => Value::List(Vec::new()),
                (Some(found), false) => found.first().cloned().unwrap_or(Value::Null),
                (None, false) => Value::Null,
            };
            if let Value::Map(entries) = record {
                entries.push((Value::Text(embed.name.clone().into()), value));
            }
        }
    }
    Ok(())
}

/// Returns about how many bytes a value takes.
fn weight(value: &Value) -> usize {
    32 + match value {
        Value::Text(text) => text.len(),
        Value::Bytes(bytes) => bytes.len(),
        Value::List(items) => items.iter().map(weight).sum(),
        Value::Map(entries) => entries.iter().map(|(key, value)| weight(key) + weight(value)).sum(),
        _ => 0,
    }
}

/// Reads the records that belong to others, by their keys.
fn others(
    store: &dyn Store,
    records: &[Value],
    embed: &Embed,
    relation: &Relation,
) -> Result<HashMap<Vec<String>, Vec<Value>>> {
    let mut seen = HashSet::new();
    let keys = records.iter().filter_map(|record| key(record, &relation.fields));
    let keys: Vec<_> = keys.filter(|key| seen.insert(key.clone())).collect();
    let within = resolved(store, &relation.to, &embed.within)?;
    let mut asked = Query { fields: embed.fields.clone(), ..Query::default() };
    with_keys(&mut asked, core::slice::from_ref(&turned(relation)));
    with_keys(&mut asked, &within);
    let mut found = Vec::new();
    let of = |field: &String, test, values| Condition { field: field.clone(), test, values };
    let conditions: Vec<Vec<Condition>> = match &relation.to_fields[..] {
        [field] => keys.chunks(BATCH).map(|keys| vec![of(field, Test::In, keys.concat())]).collect(),
        fields => {
            let each = |key: &Vec<String>| {
                fields.iter().zip(key).map(|(field, value)| of(field, Test::Eq, vec![value.clone()])).collect()
            };
            keys.iter().map(each).collect()
        }
    };
    for filter in conditions {
        let query = Query { filter, limit: Some((MOST + 1 - found.len()) as u64), ..asked.clone() };
        if let Value::List(more) = collected(store, &relation.to, &query)? {
            found.extend(more);
        }
        refuse_more(found.len())?;
    }
    attach(store, &mut found, &embed.within, &within)?;
    let fields = wanted_fields(embed.fields.as_deref(), &embed.within);
    let mut by_key: HashMap<_, Vec<Value>> = HashMap::new();
    for record in found {
        let Some(key) = key(&record, &relation.to_fields) else { continue };
        let record = match &fields {
            Some(fields) => chosen(record, fields),
            None => record,
        };
        by_key.entry(key).or_default().push(record);
    }
    Ok(by_key)
}

/// Returns the relation as its other list sees it.
fn turned(relation: &Relation) -> Relation {
    Relation { fields: relation.to_fields.clone(), to_fields: relation.fields.clone(), ..relation.clone() }
}

/// Returns the texts of a record's key; `None` if a part is null.
fn key(record: &Value, fields: &[String]) -> Option<Vec<String>> {
    fields.iter().map(|field| record.get(field).and_then(text_of)).collect()
}

/// Returns the shape of a value with what is embedded in its records.
fn shape(store: &dyn Store, shape: &Shape, embeds: &[Embed], relations: &[Relation]) -> Result<Shape> {
    Ok(match shape {
        Shape::List(item) => self::shape(store, item, embeds, relations)?.list(),
        Shape::Option(inner) => self::shape(store, inner, embeds, relations)?.optional(),
        Shape::Record(record) => {
            let record = record.get();
            let mut fields = record.fields().to_vec();
            let mut number = fields.iter().map(Field::number).max().unwrap_or(0);
            for (embed, relation) in embeds.iter().zip(relations) {
                let within = resolved(store, &relation.to, &embed.within)?;
                let other = store.shape(&relation.to)?;
                let Shape::List(other) = other else { return Err(bad("records are embedded from lists")) };
                let mut other = self::shape(store, &other, &embed.within, &within)?;
                if let Some(fields) = wanted_fields(embed.fields.as_deref(), &embed.within) {
                    other = projected(&other, &fields).map_err(|error| bad(error.reason()))?;
                }
                number += 1;
                let other = if relation.is_many { other.list() } else { other.optional() };
                fields.push(Field::new(embed.name.clone(), number, other));
            }
            Shape::record(Record::new(record.name().to_string(), fields)?.with_unknown(record.unknown()))
        }
        other => other.clone(),
    })
}

fn refuse_more(count: usize) -> Result<()> {
    if count <= MOST {
        return Ok(());
    }
    Err(bad(format!(
        "more than {MOST} records would be held in memory to embed others; ask for less by `limit` or conditions"
    )))
}

#[cold]
fn bad(message: impl Into<std::borrow::Cow<'static, str>>) -> Error {
    Fault::BadQuery.because(message)
}
