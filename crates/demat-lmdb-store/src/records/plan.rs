//! How a query is answered: by a range of keys or of an index, and in which order.

use super::Records;
use super::name::part;
use crate::predicate;
use demat_core::{Result, Shape, Value};
use demat_lmdb::{By, Key, Range, RecordReader, Snapshot, keys};
use demat_place::projected;
use demat_store::{Condition, Fault, Query, Test};

/// How a query is answered.
#[derive(Debug)]
pub(super) struct Plan {
    /// The range, and all conditions of the query. Its limit is set if the order is that of the range.
    pub(super) scan: demat_lmdb::Query,
    /// The records to skip.
    pub(super) skipped: u64,
    /// How the records are brought into order.
    pub(super) sorted: Sorted,
}

/// How records are brought into order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sorted {
    /// They come so.
    Already,
    /// By their keys: they come in the order of an index.
    ByKey,
    /// By the fields that the query names.
    ByFields,
}

impl Records {
    /// Plans a query on the records. An index or the key narrows the range; all conditions are checked for each record.
    pub(super) fn plan(&self, query: &Query) -> Result<Plan> {
        query.refuse_cursor()?;
        query.refuse_search()?;
        for order in &query.order {
            self.sortable(&order.field)?;
        }
        let filter = predicate(&self.collection, query)?;
        let definition = self.collection.definition();
        let key_fields = if let Key::Fields(names) = &definition.key { &**names } else { &[] };
        let mut range = self.range(key_fields, query)?;
        let mut index = None;
        if range.is_all() {
            for own in &definition.indexes {
                let By::Fields(names) = &own.by else { continue };
                // A list has several entries, and a record with an absent field may have none.
                let [name] = &**names else { continue };
                let narrowed = self.range(core::slice::from_ref(name), query)?;
                if !narrowed.is_all() {
                    (range, index) = (narrowed, Some(own.name.clone()));
                    break;
                }
            }
        }
        let sorted = if query.order.is_empty() {
            if index.is_some() { Sorted::ByKey } else { Sorted::Already }
        } else if index.is_none() && self.comes_in_order(key_fields, query) {
            range = range.reversed(query.order[0].descends);
            Sorted::Already
        } else {
            Sorted::ByFields
        };
        let limit = if sorted == Sorted::Already { query.limit } else { None };
        let scan = demat_lmdb::Query { index, range, filter, limit };
        Ok(Plan { scan, skipped: query.offset.unwrap_or(0), sorted })
    }

    /// Refuses to sort by what can't be compared.
    fn sortable(&self, field: &str) -> Result<()> {
        let record = self.record();
        let Some(index) = record.index_of(field) else {
            let names: Vec<_> = record.fields().iter().map(|field| format!("`{}`", field.key())).collect();
            return Err(Fault::BadQuery.because(format!("there is no field `{field}`; there are {}", names.join(", "))));
        };
        let shape = record.fields()[index].shape().inner().clone();
        if shape.is_scalar() || matches!(shape, Shape::Any | Shape::Union(_)) {
            return Ok(());
        }
        Err(Fault::BadQuery.because(format!("`{field}` is a {}, which has no order", shape.name())))
    }

    /// Whether the keys have the query's order.
    fn comes_in_order(&self, key: &[String], query: &Query) -> bool {
        let descends = query.order[0].descends;
        // Records that the order does not tell apart come by their keys, the least first.
        (query.order.len() == key.len() || (query.order.len() < key.len() && !descends))
            && query.order.iter().zip(key).all(|(order, own)| {
                order.field == *own
                    && order.descends == descends
                    && self.shape_of(own).is_some_and(|shape| is_ordered(&shape))
            })
    }

    /// Returns the range of the keys that begin with the values of these fields which the conditions leave. It may have
    /// more keys than records that meet all conditions.
    fn range(&self, fields: &[String], query: &Query) -> Result<Range> {
        let mut prefix = Vec::new();
        for field in fields {
            let Some(shape) = self.shape_of(field).filter(is_ordered) else { break };
            let on: Vec<_> = query.filter.iter().filter(|condition| condition.field == *field).collect();
            let bound = |condition: &Condition| self.bound(&prefix, &shape, &condition.values[0]);
            if let Some(equal) = on.iter().find(|condition| condition.test == Test::Eq) {
                match bound(equal)? {
                    Some(longer) => prefix = longer,
                    None => break,
                }
                continue;
            }
            let mut range = if prefix.is_empty() { Range::ALL } else { Range::prefix(&prefix) };
            for condition in on {
                let (lower, include) = match condition.test {
                    Test::Gt => (true, false),
                    Test::Ge => (true, true),
                    Test::Lt => (false, false),
                    Test::Le => (false, true),
                    _ => continue,
                };
                let Some(key) = bound(condition)? else { continue };
                let (lo, hi) = if lower { (Some(&*key), None) } else { (None, Some(&*key)) };
                range = range.and(Range::between(lo, hi, (include, include)));
            }
            return Ok(range);
        }
        Ok(if prefix.is_empty() { Range::ALL } else { Range::prefix(&prefix) })
    }

    /// Returns the bytes of a key's first parts: a prefix, and a value that a field is compared with. `None` if the value
    /// is none of the field's kind, such as 1.5 for an int, or is longer than a key.
    fn bound(&self, prefix: &[u8], shape: &Shape, given: &str) -> Result<Option<Vec<u8>>> {
        let Some(part) = part(shape, given) else { return Ok(None) };
        let mut key = prefix.to_vec();
        part.append(&mut key)?;
        Ok((key.len() <= self.base.environment.max_key()).then_some(key))
    }

    /// Returns the keys of the records of a plan, in order, for those that do not come so.
    pub(super) fn sorted_keys(&self, snapshot: &Snapshot, plan: &Plan, query: &Query) -> Result<Vec<Vec<u8>>> {
        let mut found = keys(snapshot, &self.collection, &plan.scan)?;
        // The order of keys decides between records that the query's order does not tell apart.
        if plan.scan.index.is_some() {
            found.sort_unstable();
        }
        if plan.sorted == Sorted::ByFields {
            let names: Vec<_> = query.order.iter().map(|order| order.field.clone()).collect();
            let shape = projected(&Shape::record(self.record()), &names)?;
            let mut reader = RecordReader::new(self.collection.definition().encoding, &shape)?;
            let mut rows = Vec::with_capacity(found.len());
            for key in found {
                let record = self.collection.get(snapshot, &key)?.unwrap_or_default();
                rows.push((Value::build(|sink| reader.copy(&record, sink))?, key));
            }
            rows.sort_by(|(one, _), (other, _)| query.compare(one, other));
            found = rows.into_iter().map(|(_, key)| key).collect();
        }
        let first = usize::try_from(plan.skipped).unwrap_or(usize::MAX).min(found.len());
        found.drain(..first);
        found.truncate(query.limit.map_or(usize::MAX, |limit| usize::try_from(limit).unwrap_or(usize::MAX)));
        Ok(found)
    }
}

/// Whether the bytes of keys have the order of such values.
fn is_ordered(shape: &Shape) -> bool {
    matches!(
        shape.inner(),
        Shape::Bool
            | Shape::Int(_)
            | Shape::Text
            | Shape::Bytes
            | Shape::Uuid
            | Shape::Date
            | Shape::DateTime
            | Shape::Instant
    )
}
