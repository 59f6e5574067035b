//! Records from dicts.

use super::Straight;
use super::dict::{Entries, found, is_key};
use super::scalar::{is_ignored, text_of};
use crate::decode::record::untrack;
use crate::decode::seen::Seen;
use crate::encode::{ObjectRef, dict_class, text_class};
use crate::object::{self, Object};
use crate::plan::{Default, Make, Node, Read, RecordPlan, Role, Store, TagValue, UnionNode, is_same};
use pyo3::{Py, ffi};

/// What an entry of a dict is for a record.
#[derive(Debug, Clone, Copy)]
pub(super) enum Entry {
    /// The field with this index.
    Field(usize),
    /// No field.
    Ignored,
}

/// The keys of a record that were met, by their address.
///
/// Dicts that were read from one document share their keys. So the text of a key is mostly looked at once.
#[derive(Default)]
pub(super) struct Keys {
    /// Empty until there were some: of one dict, each key is met once.
    known: Vec<(Object, Entry)>,
    misses: usize,
}

impl Keys {
    /// How many keys are remembered.
    const LEN: usize = 128;
    /// From how many keys on they are.
    const ENOUGH: usize = 32;

    /// Returns the place of a key. Addresses of objects are multiples of 16.
    #[inline(always)]
    fn place(key: ObjectRef) -> usize {
        let hash = (key.as_ptr().addr() as u64 >> 4).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (hash >> (64 - Self::LEN.trailing_zeros())) as usize
    }

    #[inline(always)]
    fn get(&self, key: ObjectRef) -> Option<Entry> {
        let (known, entry) = self.known.get(Self::place(key))?;
        (known.as_ptr() == key.as_ptr()).then_some(*entry)
    }

    #[inline(never)]
    fn learn(&mut self, key: ObjectRef, entry: Entry) {
        self.misses += 1;
        if self.misses < Self::ENOUGH {
            return;
        }
        if self.known.is_empty() {
            self.known.resize_with(Self::LEN, || (Object::none(), Entry::Ignored));
        }
        self.known[Self::place(key)] = (key.hold(), entry);
    }
}

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
        let (mut expected, mut count) = (0, 0);
        let mut seen = Seen::default();
        while let Some((key, found)) = entries.next() {
            let next = plan.keys.get(expected).map(Py::as_ptr);
            let entry = if next == Some(key.as_ptr()) {
                Entry::Field(expected)
            } else if let Some(entry) = self.keys.get(index).and_then(|keys| keys.get(key)) {
                entry
            } else {
                let is_next = next.is_some_and(|next| is_key(key, next));
                self.entry(index, key, is_next.then_some(expected))?
            };
            let Entry::Field(at) = entry else {
                is_ignored(self.engine.py, found).then_some(())?;
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
            for (at, field) in plan.reads.iter().enumerate() {
                if seen.has(at) {
                    continue;
                }
                match (&field.default, field.store) {
                    (Default::Value(value), Store::Offset(_)) if field.role == Role::Value => {
                        // SAFETY: the plan owns the default.
                        let value = unsafe { Object::shared(value.as_ptr()) };
                        self.engine.put(plan, &object, field, value).ok()?;
                    }
                    _ => self.absent(plan, &object, field)?,
                }
            }
        }
        if !plan.tracked || !self.engine.manner.tracked {
            untrack(&object);
        }
        Some(object)
    }

    /// Returns what the entry with a key is that was not met before. `next`: it is that field.
    #[inline(never)]
    fn entry(&mut self, index: usize, key: ObjectRef, next: Option<usize>) -> Option<Entry> {
        let entry = match next {
            Some(field) => Entry::Field(field),
            None => self.field_of(index, key)?,
        };
        if self.keys.len() <= index {
            self.keys.resize_with(index + 1, Keys::default);
        }
        self.keys[index].learn(key, entry);
        Some(entry)
    }

    fn field_of(&self, index: usize, key: ObjectRef) -> Option<Entry> {
        let plan = &self.engine.program.records[index];
        let name = text_of(&key)?;
        match plan.read.index_of(name) {
            // Under another of its names, a field may come twice.
            Some(field) if plan.read.fields()[field].key() == name => Some(Entry::Field(field)),
            Some(_) => None,
            None => match plan.read.unknown_key(name) {
                Ok(None) => Some(Entry::Ignored),
                _ => None,
            },
        }
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
