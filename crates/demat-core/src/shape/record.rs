use super::key_table::KeyTable;
use super::layout::{Layout, Layouts};
use super::{Field, Items, Named, Reference};
use crate::{Error, ErrorKind, Result, Source};
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Named and numbered fields, in the order in which they are written and expected.
#[derive(Debug, Clone)]
pub struct Record {
    /// 0 for constants, which the address of their fields identifies.
    id: u64,
    name: Cow<'static, str>,
    fields: Cow<'static, [Field]>,
    /// Indices of the fields sorted by key; empty if there are too few for that to pay off.
    by_key: Cow<'static, [u16]>,
    /// A faster way to the field of a key. Constants have none; nor have records with few fields, or with keys that are
    /// too alike.
    table: Option<Arc<KeyTable>>,
    unknown: Unknown,
    /// The lists that its values stand as; `None` for names. The text of a shape does not have it.
    items: Option<Arc<Items>>,
    /// Whether a field has notes.
    noted: bool,
    /// Layouts that codecs compiled from the fields. Clones share them. Constants can't change, so theirs are
    /// elsewhere.
    layouts: Option<Arc<Layouts>>,
}

/// A record within a shape.
pub type RecordRef = Reference<Record>;

impl Named for Record {
    const KIND: &'static str = "Record";

    fn name(&self) -> &str {
        &self.name
    }
}

/// The treatment of fields that the record does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unknown {
    /// They are skipped, not decoded.
    Ignore,
    /// They are an error.
    Forbid,
    /// They go into the map in the field with this index.
    Keep(usize),
}

/// Below this number of fields, a linear search is as fast as a binary search.
const FEW: usize = 8;
/// Up to this number of fields, a linear search is as fast as a hash table.
const VERY_FEW: usize = 4;

impl Record {
    /// Returns a record in a constant. `by_key` holds the indices of the fields sorted by key, or nothing.
    pub const fn fixed(name: &'static str, fields: &'static [Field], by_key: &'static [u16], unknown: Unknown) -> Self {
        let (mut noted, mut index) = (false, 0);
        while index < fields.len() {
            noted |= fields[index].has_notes();
            index += 1;
        }
        Self {
            id: 0,
            name: Cow::Borrowed(name),
            fields: Cow::Borrowed(fields),
            by_key: Cow::Borrowed(by_key),
            table: None,
            unknown,
            items: None,
            noted,
            layouts: None,
        }
    }

    /// Returns a record made at run time.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if two fields have the same key (or alias) or number, or there are more
    /// than 65,535.
    ///
    /// ```
    /// use demat_core::{Field, Record, Shape};
    /// let record = Record::new("Task", vec![Field::new("title", 1, Shape::Text), Field::new("done", 2, Shape::Bool)])?;
    /// assert_eq!(record.index_of("done"), Some(1));
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn new(name: impl Into<Cow<'static, str>>, fields: Vec<Field>) -> Result<Self> {
        if fields.len() > usize::from(u16::MAX) {
            return Err(Error::limit("the number of fields", u16::MAX));
        }
        let mut by_key: Vec<u16> = (0..fields.len() as u16).collect();
        by_key.sort_by_key(|&i| fields[usize::from(i)].key());
        let mut names: Vec<&str> =
            fields.iter().flat_map(|f| f.aliases().iter().map(AsRef::as_ref).chain([f.key()])).collect();
        names.sort_unstable();
        if let Some(name) = twice(&names) {
            return Err(Error::new(ErrorKind::Constraint, format!("two fields have the name `{name}`")));
        }
        let mut numbers: Vec<u32> = fields.iter().map(Field::number).collect();
        numbers.sort_unstable();
        if let Some(number) = twice(&numbers) {
            return Err(Error::new(ErrorKind::Constraint, format!("two fields have the number {number}")));
        }
        if fields.len() <= FEW {
            by_key.clear();
        }
        let table = if fields.len() > VERY_FEW { KeyTable::new(&fields) } else { None };
        Ok(Self {
            id: next_id(),
            name: name.into(),
            noted: fields.iter().any(Field::has_notes),
            fields: Cow::Owned(fields),
            by_key: Cow::Owned(by_key),
            table: table.map(Arc::new),
            unknown: Unknown::Ignore,
            items: None,
            layouts: Some(Arc::default()),
        })
    }

    /// Sets the treatment of fields that it does not have.
    #[must_use]
    pub fn with_unknown(mut self, unknown: Unknown) -> Self {
        self.unknown = unknown;
        if let Unknown::Keep(index) = unknown
            && let Some(field) = self.fields.to_mut().get_mut(index)
        {
            // A key with the field's own name is unknown, too, and must not be predicted.
            field.forget_token();
        }
        self.id = next_id();
        self.layouts = Some(Arc::default());
        self
    }

    /// Sets the lists that its values stand as: which field each item is. `None`: its fields have names.
    #[must_use]
    pub fn with_items(mut self, items: impl Into<Option<Items>>) -> Self {
        self.items = items.into().map(Arc::new);
        self.id = next_id();
        self.layouts = Some(Arc::default());
        self
    }

    /// Returns a codec's layout of the fields. The first call compiles it; later calls find it again.
    ///
    /// Finding it takes a few comparisons. A source that enters a record should keep a clone, rather than calling this
    /// for every field.
    ///
    /// ```
    /// use demat_core::{Field, Layout, Record, Shape};
    /// struct Widths(Vec<usize>);
    /// impl Layout<Field> for Widths {
    ///     fn compile(fields: &[Field]) -> Self {
    ///         Widths(fields.iter().map(|field| field.key().len()).collect())
    ///     }
    /// }
    /// let record = Record::new("Task", vec![Field::new("title", 1, Shape::Text)])?;
    /// assert_eq!(record.layout::<Widths>().0, [5]);
    /// # Ok::<(), demat_core::Error>(())
    /// ```
    pub fn layout<L: Layout<Field>>(&self) -> &Arc<L> {
        Layouts::find(self.layouts.as_deref(), &self.fields)
    }

    /// Identifies this record among all others, past and present, in the program; clones have the same identity.
    /// Sources use it for caches per record.
    #[inline]
    pub fn identity(&self) -> u64 {
        if self.id == 0 { self.fields.as_ptr().addr() as u64 } else { self.id }
    }

    /// Returns whether it is a constant, as [`fixed`](Self::fixed) makes it.
    #[inline]
    pub fn is_constant(&self) -> bool {
        self.id == 0
    }

    /// Returns whether one of its fields has [notes](Field::notes): most records have none, and no place need look
    /// for its own in them.
    #[inline]
    pub fn has_notes(&self) -> bool {
        self.noted
    }

    /// Its name; empty if it has none.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its fields in order.
    #[inline]
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// The treatment of fields that it does not have.
    #[inline]
    pub fn unknown(&self) -> Unknown {
        self.unknown
    }

    /// The items of the lists that its values stand as; `None` if its fields have names.
    #[inline]
    pub fn items(&self) -> Option<&Items> {
        self.items.as_deref()
    }

    /// Skips an item of the list that it stands as, which is none of its fields.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if the item is behind those that it knows, and unknown ones are forbidden.
    pub fn skip_item<'a, S: Source<'a> + ?Sized>(&self, place: usize, source: &mut S) -> Result<()> {
        let known = self.items.as_ref().map_or(0, |items| items.count());
        if place >= known && self.unknown == Unknown::Forbid {
            source.peek()?; // the position is that of the item too many
            return Err(Error::too_many_items(known).at(source.position()));
        }
        source.skip()
    }

    /// Returns the index of the field with this external name.
    #[inline]
    pub fn index_of(&self, key: &str) -> Option<usize> {
        if let Some(table) = &self.table
            && let Some(found) = table.find(&self.fields, key)
            && self.unknown != Unknown::Keep(found)
        {
            return Some(found);
        }
        self.searched(key)
    }

    /// Returns the index of a field that no table led to.
    fn searched(&self, key: &str) -> Option<usize> {
        let found = if self.table.is_some() {
            None
        } else if self.by_key.is_empty() {
            self.fields.iter().position(|field| field.key() == key)
        } else {
            let at = self.by_key.binary_search_by_key(&key, |&i| self.fields[usize::from(i)].key());
            at.ok().map(|at| usize::from(self.by_key[at]))
        };
        found.filter(|&i| self.unknown != Unknown::Keep(i)).or_else(|| self.index_of_alias(key))
    }

    #[cold]
    fn index_of_alias(&self, key: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.aliases().iter().any(|alias| alias == key))
    }

    /// Returns the index of the field with this number.
    pub fn index_of_number(&self, number: u32) -> Option<usize> {
        // Numbers usually equal positions.
        let guess = (number as usize).wrapping_sub(1);
        match self.fields.get(guess) {
            Some(field) if field.number() == number => Some(guess),
            _ => self.fields.iter().position(|field| field.number() == number),
        }
    }

    /// Decides about a key that no field has. Returns the index of the field that keeps it, or `None` to skip it.
    ///
    /// # Errors
    /// [`Constraint`](ErrorKind::Constraint) if unknown fields are forbidden.
    pub fn unknown_key(&self, key: &str) -> Result<Option<usize>> {
        match self.unknown {
            Unknown::Ignore => Ok(None),
            Unknown::Keep(index) => Ok(Some(index)),
            Unknown::Forbid => Err(self.forbidden(key)),
        }
    }

    #[cold]
    fn forbidden(&self, key: &str) -> Error {
        let names: Vec<_> = self.fields.iter().map(|field| format!("`{}`", field.key())).collect();
        let message = format!("unknown field `{key}`; the fields are {}", names.join(", "));
        Error::new(ErrorKind::Constraint, message)
    }
}

/// Returns the first element that a sorted list has twice.
fn twice<T: PartialEq>(sorted: &[T]) -> Option<&T> {
    sorted.iter().zip(sorted.iter().skip(1)).find(|(one, other)| one == other).map(|(one, _)| one)
}

impl PartialEq for Record {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.unknown == other.unknown
            && self.items == other.items
            && self.fields == other.fields
    }
}

/// Returns a new identity. They start in the upper half, where no address of a constant is.
fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1 << 63);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
