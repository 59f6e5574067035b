//! Records from dicts.

use super::Straight;
use super::dict::{Entries, found, is_key};
use super::scalar::{is_ignored, text_of};
use crate::decode::record::untrack;
use crate::decode::seen::Seen;
use crate::encode::{ObjectRef, dict_class, text_class};
use crate::object::{self, Object};
use crate::plan::{Make, Node, Read, RecordPlan, Role, Store, TagValue, UnionNode, is_same};
use pyo3::ffi;

/// What an entry of a dict is for a record.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    /// The field with this index.
    Field(usize),
    /// No field.
    Ignored,
}

/// The number of keys of a record whose order is remembered.
const PLACES: usize = 64;

impl<'e> Straight<'e, '_, '_> {
    #[inline(never)]
    pub(super) fn record(&mut self, index: usize, value: ObjectRef) -> Option<Object> {
        let program = self.engine.program;
        let plan = &program.records[index];
        if !value.is_exactly(dict_class()) {
            return None;
        }
        self.engine.descend().ok()?;
        let object = self.empty(plan)?;
        let mut entries = Entries::of(value)?;
        let (mut expected, mut place, mut count) = (0, 0, 0);
        let mut seen = Seen::default();
        while let Some((key, found)) = entries.next() {
            let is_next = plan.keys.get(expected).is_some_and(|next| is_key(key, next.as_ptr()));
            let entry = if is_next { Entry::Field(expected) } else { self.entry(index, place, key)? };
            place += 1;
            let Entry::Field(at) = entry else {
                is_ignored(found).then_some(())?;
                continue;
            };
            seen.insert(at);
            expected = at + 1;
            count += 1;
            let field = plan.reads.get(at)?;
            match field.role {
                Role::Value => {
                    let made = self.value(&field.node, found)?;
                    self.put(plan, &object, field, made)?;
                }
                Role::Tag => has_tag(plan, found).then_some(())?,
                // No program with such fields is converted here.
                Role::Rest | Role::Unread => return None,
            }
        }
        if count < plan.reads.len() {
            let absent = plan.reads.iter().enumerate().filter(|(at, _)| !seen.has(*at));
            for (_, field) in absent {
                self.absent(plan, &object, field)?;
            }
        }
        if !plan.tracked || !self.engine.manner.tracked {
            untrack(&object);
        }
        Some(object)
    }

    /// Returns what the entry with a key is that is not the expected one.
    ///
    /// Dicts that were read from one document share their keys, and mostly have them in the same order. So the key at
    /// each place is remembered.
    #[inline(never)]
    fn entry(&mut self, index: usize, place: usize, key: ObjectRef) -> Option<Entry> {
        if let Some((known, entry)) = self.habits.get(index).and_then(|habit| habit.get(place))
            && known.as_ptr() == key.as_ptr()
        {
            return Some(*entry);
        }
        let plan = &self.engine.program.records[index];
        let name = text_of(&key)?;
        let entry = match plan.read.index_of(name) {
            // Under another of its names, a field may come twice.
            Some(field) if plan.read.fields()[field].key() == name => Entry::Field(field),
            Some(_) => return None,
            None => match plan.read.unknown_key(name) {
                Ok(None) => Entry::Ignored,
                _ => return None,
            },
        };
        self.learn(index, place, key, entry);
        Some(entry)
    }

    fn learn(&mut self, index: usize, place: usize, key: ObjectRef, entry: Entry) {
        if place >= PLACES {
            return;
        }
        if self.habits.len() <= index {
            self.habits.resize_with(index + 1, Vec::new);
        }
        let habit = &mut self.habits[index];
        while habit.len() <= place {
            habit.push((Object::none(), Entry::Ignored));
        }
        habit[place] = (key.hold(), entry);
    }

    /// Returns an instance without values.
    #[inline(always)]
    fn empty(&mut self, plan: &'e RecordPlan) -> Option<Object> {
        let class = plan.class_ptr();
        // SAFETY: a live class. If it has a finalizer, that must not see the instances of a pass that gives up.
        if unsafe { (*class).tp_finalize.is_some() } {
            return None;
        }
        let object = if plan.make == Make::Dict {
            // SAFETY: the GIL is held.
            let dict = unsafe { ffi::PyDict_New() };
            self.engine.made(dict)
        } else if plan.slotted {
            // SAFETY: a heap type with slots only, as `compile` found; its allocator returns zeroed memory.
            let object = unsafe { (*class).tp_alloc.map_or(std::ptr::null_mut(), |alloc| alloc(class, 0)) };
            self.engine.made(object)
        } else {
            self.engine.blank(plan)
        };
        let object = object.ok()?;
        self.engine.fresh.made(object.as_ptr());
        Some(object)
    }

    /// Sets a field. For a dict this is the last field of that name.
    #[inline(always)]
    fn put(&mut self, plan: &'e RecordPlan, object: &Object, field: &'e Read, value: Object) -> Option<()> {
        match (plan.make, field.store) {
            (Make::Dict, _) => {
                // SAFETY: a dict of our own, and live objects; the key is an exact `str`.
                let done = unsafe { ffi::PyDict_SetItem(object.as_ptr(), field.name.as_ptr(), value.as_ptr()) };
                if done < 0 {
                    drop(object::fetch());
                    return None;
                }
                Some(())
            }
            (_, Store::Offset(_) | Store::Attribute) => self.engine.put(plan, object, field, value).ok(),
        }
    }

    /// Sets the default of an absent field. Gives up if it has none.
    #[inline(never)]
    fn absent(&mut self, plan: &'e RecordPlan, object: &Object, field: &'e Read) -> Option<()> {
        if matches!(field.role, Role::Tag | Role::Unread) {
            return (!field.required).then_some(());
        }
        match self.engine.absent(field).ok()? {
            Some(value) => self.put(plan, object, field, value),
            None => Some(()),
        }
    }

    /// Converts a dict to the variant that its tag names.
    pub(super) fn tagged(&mut self, union: &'e UnionNode, tag: &'e str, value: ObjectRef) -> Option<Object> {
        if !value.is_exactly(dict_class()) {
            return None;
        }
        let key = self.engine.made(crate::decode::text::key_object(tag)).ok()?;
        let texts = Entries::of(value).is_some();
        let found = found(value, &key).filter(|_| texts)?;
        let named = |name: &TagValue| match name {
            TagValue::Text(name) => {
                found.is_exactly(text_class()) && text_of(&found).is_some_and(|found| is_same(name, found))
            }
            TagValue::Int(_) => false,
        };
        let variant = union.variants.iter().find(|variant| variant.name.as_ref().is_some_and(named))?;
        match &variant.node {
            Node::Record(index) => self.record(*index, value),
            _ => None,
        }
    }
}

/// Whether the tag in a record is that of its class.
fn has_tag(plan: &RecordPlan, found: ObjectRef) -> bool {
    match &plan.tag {
        Some(TagValue::Text(tag)) => {
            found.is_exactly(text_class()) && text_of(&found).is_some_and(|found| found == tag)
        }
        _ => false,
    }
}
