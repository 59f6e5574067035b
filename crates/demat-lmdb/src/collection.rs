//! Collections: records of one shape, in the order of their keys.

use crate::appender::Appender;
use crate::definition::{By, DEFINITIONS, Definition, IndexDefinition, Key, check_name};
use crate::encoding::ReadRecord;
use crate::environment::{Environment, Table, locked};
use crate::failure::{failed, refused};
use crate::index::{Index, KeyFunction, Keys};
use crate::key::{Part, shown};
use crate::key_of::KeyOf;
use crate::packing::{self, MOST_DICTIONARIES, Packing, unpacked};
use crate::range::{Cursor, Range};
use crate::transaction::{Reads, Writing};
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use heed::PutFlags;
use std::borrow::Cow;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

/// A collection of records. Clones share it.
#[derive(Clone)]
pub struct Collection(Arc<Inner>);

struct Inner {
    environment: Environment,
    name: String,
    table: Table,
    definitions: Table,
    state: RwLock<Arc<State>>,
}

/// What may change while a collection is open.
pub(crate) struct State {
    pub(crate) definition: Definition,
    /// The definition as it is stored.
    stored: Vec<u8>,
    key_of: Option<KeyOf>,
    indexes: Vec<Arc<Index>>,
    splitter: Mutex<Box<dyn ReadRecord>>,
    /// The dictionaries that were loaded, the last of which packs. Empty without compression.
    pub(crate) packing: Vec<Arc<Packing>>,
}

/// How many bytes of the file a collection takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Those of the records.
    pub records: u64,
    /// Those of the indexes.
    pub indexes: u64,
}

/// What becomes of a record whose key is there, or is not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Put {
    /// It is added, or replaces the other one.
    Always,
    /// It is refused if its key is there.
    New,
    /// Nothing happens if its key is not there.
    There,
}

pub(crate) fn index_table(collection: &str, index: &str) -> String {
    format!("{collection}/{index}")
}

pub(crate) fn dictionary_key(name: &str, number: u8) -> Vec<u8> {
    [name.as_bytes(), b"\0dictionary", &[number]].concat()
}

fn next_key(name: &str) -> Vec<u8> {
    [name.as_bytes(), b"\0next"].concat()
}

impl State {
    /// `old`: indexes whose functions are kept.
    pub(crate) fn new(
        environment: &Environment,
        name: &str,
        definition: Definition,
        stored: Vec<u8>,
        old: &[Arc<Index>],
    ) -> Result<Self> {
        let record = definition.record()?;
        let key_of = match &definition.key {
            Key::Fields(names) => Some(KeyOf::new(definition.encoding, &record, names, false)?),
            Key::Given | Key::Auto => None,
        };
        let mut indexes = Vec::new();
        for own in &definition.indexes {
            if let Some(known) = old.iter().find(|known| known.definition == *own) {
                indexes.push(Arc::clone(known));
                continue;
            }
            let table = environment.table(&index_table(name, &own.name))?;
            let table = table.ok_or_else(|| refused(format!("the table of the index `{}` is missing", own.name)))?;
            let keys = match &own.by {
                By::Fields(names) => Keys::Fields(KeyOf::new(definition.encoding, &record, names, true)?),
                By::Function(_) => Keys::Function(None),
            };
            indexes.push(Arc::new(Index { definition: own.clone(), table, keys }));
        }
        let mut packing = Vec::new();
        if let Some(compression) = definition.compression {
            packing.push(Packing::new(compression, 0, Vec::new()));
            for number in 1..=definition.dictionaries {
                let definitions = environment.table(DEFINITIONS)?.ok_or_else(|| refused("there are no definitions"))?;
                let snapshot = environment.read()?;
                let found = definitions.get(snapshot.txn(), &dictionary_key(name, number)).map_err(failed)?;
                let dictionary = found.ok_or_else(|| refused(format!("the dictionary {number} is missing")))?;
                packing.push(Packing::new(compression, number, dictionary.to_vec()));
            }
        }
        let splitter = splitter(&definition)?;
        Ok(Self { definition, stored, key_of, indexes, splitter, packing })
    }
}

impl Collection {
    pub(crate) fn new(environment: &Environment, name: &str, table: Table, definitions: Table, state: State) -> Self {
        let (environment, name) = (environment.clone(), name.to_string());
        Self(Arc::new(Inner { environment, name, table, definitions, state: RwLock::new(Arc::new(state)) }))
    }

    /// The environment.
    pub fn environment(&self) -> &Environment {
        &self.0.environment
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// What is stored about it.
    pub fn definition(&self) -> Definition {
        self.state().definition.clone()
    }

    pub(crate) fn table(&self) -> Table {
        self.0.table
    }

    fn state(&self) -> Arc<State> {
        Arc::clone(&self.0.state.read().unwrap_or_else(PoisonError::into_inner))
    }

    fn set_state(&self, state: State) {
        *self.0.state.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(state);
    }

    /// The place, for errors.
    pub fn place(&self) -> String {
        format!("{}#{}", self.0.environment.path().display(), self.0.name)
    }

    /// Returns the state that a change goes by: read anew if another process has changed the definition.
    fn current(&self, writing: &Writing) -> Result<Arc<State>> {
        let state = self.state();
        let stored = self.0.definitions.get(writing.txn(), self.0.name.as_bytes()).map_err(failed)?;
        match stored {
            Some(stored) if stored == state.stored => Ok(state),
            Some(stored) => {
                let definition = Definition::decode(&self.0.name, stored)?;
                let fresh = State::new(&self.0.environment, &self.0.name, definition, stored.to_vec(), &state.indexes)?;
                self.set_state(fresh);
                Ok(self.state())
            }
            None => Err(refused(format!("the collection `{}` was removed", self.0.name))),
        }
    }

    /// Returns the key of a record, by its fields.
    ///
    /// # Errors
    /// [`Limit`](ErrorKind::Limit) if it is too long. [`Store`](ErrorKind::Store) if keys are not made of fields.
    pub fn key_of(&self, record: &[u8]) -> Result<Vec<u8>> {
        let mut key = Vec::new();
        self.append_key_of(record, &mut key)?;
        self.check_key(&key)?;
        Ok(key)
    }

    /// Appends the key of a record to a buffer, of any length.
    ///
    /// # Errors
    /// As [`key_of`](Self::key_of).
    pub fn append_key_of(&self, record: &[u8], key: &mut Vec<u8>) -> Result<()> {
        self.key_maker().append(record, key)
    }

    /// Returns what makes keys of the fields of many records.
    pub fn key_maker(&self) -> KeyMaker {
        KeyMaker(self.state())
    }

    /// Refuses keys that LMDB can't hold.
    pub(crate) fn check_key(&self, key: &[u8]) -> Result<()> {
        let most = self.0.environment.max_key();
        if key.len() > most {
            let message = format!("a key has at most {most} bytes, and {} has {}", short(key), key.len());
            return Err(Error::new(ErrorKind::Limit, message));
        }
        if key.is_empty() {
            return Err(refused("a key has at least one part"));
        }
        Ok(())
    }

    /// The number of records.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn len(&self, reads: &impl Reads) -> Result<u64> {
        self.0.table.len(reads.txn()).map_err(failed)
    }

    /// Returns the sizes of its tables, in pages of the file.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn sizes(&self, reads: &impl Reads) -> Result<Sizes> {
        let size = |table: Table| -> Result<u64> {
            let stat = table.stat(reads.txn()).map_err(failed)?;
            let pages = stat.branch_pages + stat.leaf_pages + stat.overflow_pages;
            Ok(pages as u64 * u64::from(stat.page_size))
        };
        let mut sizes = Sizes { records: size(self.0.table)?, indexes: 0 };
        for index in &self.state().indexes {
            sizes.indexes += size(index.table)?;
        }
        Ok(sizes)
    }

    /// Whether it has no record.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn is_empty(&self, reads: &impl Reads) -> Result<bool> {
        self.len(reads).map(|len| len == 0)
    }

    /// Returns the record of a key. It is borrowed from the page unless it is compressed.
    ///
    /// # Errors
    /// Errors of LMDB; [`Syntax`](ErrorKind::Syntax) if it can't be unpacked.
    pub fn get<'t>(&self, reads: &'t impl Reads, key: &[u8]) -> Result<Option<Cow<'t, [u8]>>> {
        if key.is_empty() || key.len() > self.0.environment.max_key() {
            return Ok(None);
        }
        let found = self.0.table.get(reads.txn(), key).map_err(failed)?;
        found.map(|stored| self.unpack(stored)).transpose()
    }

    /// Whether records are compressed, so that reading one makes a copy.
    pub fn is_packed(&self) -> bool {
        !self.state().packing.is_empty()
    }

    /// Returns the record in a stored value.
    #[inline]
    pub(crate) fn unpack<'t>(&self, stored: &'t [u8]) -> Result<Cow<'t, [u8]>> {
        let state = self.state();
        if state.packing.is_empty() {
            return Ok(Cow::Borrowed(stored));
        }
        unpacked(stored, |number| match state.packing.get(usize::from(number)) {
            Some(packing) => Ok(Arc::clone(packing)),
            None => self.load(number),
        })
    }

    /// Loads the dictionaries that another process has made.
    #[cold]
    fn load(&self, number: u8) -> Result<Arc<Packing>> {
        let state = self.state();
        let stored = self.0.environment.definition(&self.0.name)?.unwrap_or_default();
        let definition = Definition::decode(&self.0.name, &stored)?;
        let fresh = State::new(&self.0.environment, &self.0.name, definition, stored, &state.indexes)?;
        self.set_state(fresh);
        let missing =
            || Error::new(ErrorKind::Syntax, format!("the record needs the dictionary {number}, which is missing"));
        self.state().packing.get(usize::from(number)).cloned().ok_or_else(missing)
    }

    /// Gives the next number of a collection whose keys are [`Key::Auto`].
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn next_key(&self, writing: &mut Writing) -> Result<i64> {
        let key = next_key(&self.0.name);
        let there = self.0.definitions.get(writing.txn(), &key).map_err(failed)?;
        let mut next = there.and_then(|bytes| Some(i64::from_be_bytes(bytes.try_into().ok()?))).unwrap_or(1);
        // A program may have given a record the number: that record stays.
        while self.0.table.get(writing.txn(), &auto_key(next)?).map_err(failed)?.is_some() {
            next = next.checked_add(1).ok_or_else(|| Error::limit("the number of a record", i64::MAX))?;
        }
        let after = next.checked_add(1).ok_or_else(|| Error::limit("the number of a record", i64::MAX))?;
        self.0.definitions.put(writing.innermost()?, &key, &after.to_be_bytes()).map_err(failed)?;
        Ok(next)
    }

    /// Writes a record under a key. Returns whether the key was there.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if a key or the key of a unique index is taken; then nothing was changed.
    /// [`Limit`](ErrorKind::Limit) if a key is too long. Errors of LMDB; then the transaction can only be undone.
    pub fn put(&self, writing: &mut Writing, key: &[u8], record: &[u8], put: Put) -> Result<bool> {
        let state = self.current(writing)?;
        self.put_with(&state, writing, key, record, put)
    }

    fn put_with(&self, state: &State, writing: &mut Writing, key: &[u8], record: &[u8], put: Put) -> Result<bool> {
        self.check_key(key)?;
        let is_there = self.0.table.get(writing.txn(), key).map_err(failed)?.is_some();
        match put {
            Put::New if is_there => {
                return Err(refused(format!("a record with the key {} is there already", short(key))));
            }
            Put::There if !is_there => return Ok(false),
            _ => {}
        }
        if !state.indexes.is_empty() {
            self.change_entries(state, writing, key, Some(record))?;
        }
        let table = self.0.table;
        match state.packing.last() {
            Some(packing) => table.put(writing.innermost()?, key, &packing.pack(record)?),
            None => table.put(writing.innermost()?, key, record),
        }
        .map_err(failed)?;
        Ok(is_there)
    }

    /// Returns whether [`put`](Self::put) refuses a record because its key, or its key in a unique index, is taken.
    ///
    /// # Errors
    /// Errors of LMDB, and of an index.
    pub fn clashes(&self, writing: &Writing, key: &[u8], record: &[u8], put: Put) -> Result<bool> {
        if key.is_empty() || key.len() > self.0.environment.max_key() {
            return Ok(false);
        }
        if put == Put::New && self.0.table.get(writing.txn(), key).map_err(failed)?.is_some() {
            return Ok(true);
        }
        let state = self.state();
        for index in state.indexes.iter().filter(|index| index.definition.unique) {
            for entry in index.entries(key, record)? {
                if entry.is_empty() || entry.len() > self.0.environment.max_key() {
                    continue;
                }
                if index.table.get(writing.txn(), &entry).map_err(failed)?.is_some_and(|other| other != key) {
                    return Ok(true);
                }
            }
        }
        Ok(false)
    }

    /// Deletes the record of a key. Returns whether it was there.
    ///
    /// # Errors
    /// Errors of LMDB, and of an index.
    pub fn delete(&self, writing: &mut Writing, key: &[u8]) -> Result<bool> {
        if key.is_empty() || key.len() > self.0.environment.max_key() {
            return Ok(false);
        }
        let state = self.current(writing)?;
        if !state.indexes.is_empty() {
            self.change_entries(&state, writing, key, None)?;
        }
        self.0.table.delete(writing.innermost()?, key).map_err(failed)
    }

    /// Deletes all records.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn clear(&self, writing: &mut Writing) -> Result<()> {
        let state = self.current(writing)?;
        for index in &state.indexes {
            index.table.clear(writing.innermost()?).map_err(failed)?;
        }
        self.0.table.clear(writing.innermost()?).map_err(failed)
    }

    /// Replaces the entries of a record. All are checked before any is changed.
    fn change_entries(&self, state: &State, writing: &mut Writing, key: &[u8], new: Option<&[u8]>) -> Result<()> {
        let mut changes = Vec::new();
        let old = self.get(writing, key)?;
        for index in &state.indexes {
            let old = old.as_deref().map(|record| index.entries(key, record)).transpose()?.unwrap_or_default();
            let new = new.map(|record| index.entries(key, record)).transpose()?.unwrap_or_default();
            let gone: Vec<_> = old.iter().filter(|entry| new.binary_search(entry).is_err()).cloned().collect();
            let come: Vec<_> = new.into_iter().filter(|entry| old.binary_search(entry).is_err()).collect();
            for entry in &come {
                self.check_entry(index, entry)?;
                if index.definition.unique
                    && let Some(other) = index.table.get(writing.txn(), entry).map_err(failed)?
                    && other != key
                {
                    return Err(clash(index, entry, key, other));
                }
            }
            changes.push((Arc::clone(index), gone, come));
        }
        for (index, gone, come) in changes {
            for entry in gone {
                index.table.delete(writing.innermost()?, &entry).map_err(failed)?;
            }
            for entry in come {
                index.table.put(writing.innermost()?, &entry, key).map_err(failed)?;
            }
        }
        Ok(())
    }

    fn check_entry(&self, index: &Index, entry: &[u8]) -> Result<()> {
        let most = self.0.environment.max_key();
        if entry.is_empty() || entry.len() > most {
            let name = &index.definition.name;
            let with = if index.definition.unique { "" } else { " with the record's key" };
            let message = format!(
                "a key of the index `{name}` has{with} 1 to {most} bytes, and {} has {}",
                short(entry),
                entry.len()
            );
            return Err(Error::new(ErrorKind::Limit, message));
        }
        Ok(())
    }

    /// Writes many records. `next` appends the key and the record to two empty buffers, and returns whether there was
    /// one. Records whose keys ascend, behind all that are there, are appended to the table. Returns their number.
    ///
    /// # Errors
    /// As [`put`](Self::put). The records before the bad one are written: [`Writing::whole`] undoes them, too.
    pub fn put_all(
        &self,
        writing: &mut Writing,
        put: Put,
        mut next: impl FnMut(&mut Vec<u8>, &mut Vec<u8>) -> Result<bool>,
    ) -> Result<u64> {
        let state = self.current(writing)?;
        let (mut key, mut record, mut count) = (Vec::new(), Vec::new(), 0);
        if state.indexes.is_empty() && put == Put::Always {
            let mut appender = Appender::new(self, &state, writing)?;
            loop {
                key.clear();
                record.clear();
                if !next(&mut key, &mut record)? {
                    return Ok(count);
                }
                appender.put(&key, &record).map_err(|error| error.in_record(count + 1))?;
                count += 1;
            }
        }
        loop {
            key.clear();
            record.clear();
            if !next(&mut key, &mut record)? {
                return Ok(count);
            }
            self.put_with(&state, writing, &key, &record, put).map_err(|error| error.in_record(count + 1))?;
            count += 1;
        }
    }

    /// Returns the bytes of each record in a document with a list of them, in the collection's encoding.
    ///
    /// # Errors
    /// If it is no such document.
    pub fn split<'b>(&self, list: &'b [u8]) -> Result<Vec<Cow<'b, [u8]>>> {
        let state = self.state();
        let mut splitter = locked(&state.splitter);
        splitter.items(list)
    }

    /// Returns a document with a list of records in the collection's encoding.
    ///
    /// # Errors
    /// If they are too many.
    pub fn join<'b>(&self, records: impl ExactSizeIterator<Item = &'b [u8]>) -> Result<Vec<u8>> {
        let encoding = self.state().definition.encoding;
        let mut list = Vec::new();
        encoding.begin_list(records.len() as u64, &mut list)?;
        for (index, record) in records.enumerate() {
            encoding.begin_item(index == 0, record.len(), &mut list);
            list.extend_from_slice(record);
        }
        encoding.end_list(&mut list);
        Ok(list)
    }

    /// Makes a dictionary from records that are there, for those that are written later. Returns its size.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) without compression, if the records are too few, or there are too many dictionaries.
    pub fn train(&self, writing: &mut Writing) -> Result<usize> {
        let state = self.current(writing)?;
        let compression =
            state.definition.compression.ok_or_else(|| refused("the records of this collection are not compressed"))?;
        if state.definition.dictionaries == MOST_DICTIONARIES {
            return Err(refused(format!("there are {MOST_DICTIONARIES} dictionaries already")));
        }
        let samples = self.samples(writing)?;
        let dictionary = packing::train(compression, &samples)?;
        let mut definition = state.definition.clone();
        definition.dictionaries += 1;
        let key = dictionary_key(&self.0.name, definition.dictionaries);
        self.0.definitions.put(writing.innermost()?, &key, &dictionary).map_err(failed)?;
        let stored = definition.encode()?;
        self.0.definitions.put(writing.innermost()?, self.0.name.as_bytes(), &stored).map_err(failed)?;
        let mut packing = state.packing.clone();
        packing.push(Packing::new(compression, definition.dictionaries, dictionary.clone()));
        // If the transaction is undone, the next change finds the old definition, and reads it again.
        let fresh = State::new_with(definition, stored, &state, packing)?;
        self.set_state(fresh);
        Ok(dictionary.len())
    }

    /// Returns records from all over the collection, a hundred times as much as a dictionary holds at most.
    fn samples(&self, reads: &impl Reads) -> Result<Vec<Vec<u8>>> {
        const BYTES: usize = 6 << 20;
        let every = (self.len(reads)? / 10_000).max(1);
        let mut cursor = Cursor::new(reads, self.0.table, Range::ALL)?;
        let (mut samples, mut bytes, mut at) = (Vec::new(), 0, 0);
        while let Some((_, stored)) = cursor.next()? {
            if at % every == 0 {
                let record = self.unpack(stored)?.into_owned();
                bytes += record.len();
                samples.push(record);
            }
            at += 1;
            if bytes > BYTES {
                break;
            }
        }
        Ok(samples)
    }

    /// The names of the indexes.
    pub fn indexes(&self) -> Vec<String> {
        self.state().indexes.iter().map(|index| index.definition.name.clone()).collect()
    }

    pub(crate) fn index_table(&self, name: &str) -> Result<(Table, bool)> {
        let state = self.state();
        if let Some(index) = state.indexes.iter().find(|index| index.definition.name == name) {
            return Ok((index.table, index.definition.unique));
        }
        let names: Vec<_> = state.indexes.iter().map(|index| &*index.definition.name).collect();
        let there = if names.is_empty() { "none".to_string() } else { names.join(", ") };
        Err(refused(format!("there is no index `{name}`; there are {there}")))
    }

    /// Opens an index, or makes it of the records that are there, in a transaction of its own. `function` makes its
    /// keys, unless they are made of fields. With `rebuild`, an existing index is made anew.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if the stored one differs, or two records have the same key in a unique index.
    pub fn index(&self, wanted: &IndexDefinition, function: Option<KeyFunction>, rebuild: bool) -> Result<()> {
        check_name(&wanted.name)?;
        let state = self.state();
        let there = state.indexes.iter().find(|index| index.definition.name == wanted.name);
        let keys = match &wanted.by {
            By::Fields(names) => {
                let record = state.definition.record()?;
                Keys::Fields(KeyOf::new(state.definition.encoding, &record, names, true)?)
            }
            By::Function(_) => Keys::Function(function),
        };
        if let Some(there) = there
            && !rebuild
        {
            if there.definition != *wanted {
                return Err(other_index(&there.definition, wanted));
            }
            let index = Arc::new(Index { definition: wanted.clone(), table: there.table, keys });
            return self.with_index(&state, &index);
        }
        let table = self.0.environment.make_table(&index_table(&self.0.name, &wanted.name))?;
        let mut writing = self.0.environment.write()?;
        let index = Arc::new(Index { definition: wanted.clone(), table, keys });
        let state = self.current(&writing)?;
        self.build(&index, &mut writing)?;
        let mut definition = state.definition.clone();
        definition.indexes.retain(|other| other.name != wanted.name);
        definition.indexes.push(wanted.clone());
        let stored = definition.encode()?;
        self.0.definitions.put(writing.innermost()?, self.0.name.as_bytes(), &stored).map_err(failed)?;
        writing.commit()?;
        let mut fresh = State::new_with(definition, stored, &state, state.packing.clone())?;
        fresh.indexes.retain(|other| other.definition.name != wanted.name);
        fresh.indexes.push(index);
        self.set_state(fresh);
        Ok(())
    }

    fn with_index(&self, state: &State, index: &Arc<Index>) -> Result<()> {
        let mut fresh = State::new_with(state.definition.clone(), state.stored.clone(), state, state.packing.clone())?;
        for own in &mut fresh.indexes {
            if own.definition.name == index.definition.name {
                *own = Arc::clone(index);
            }
        }
        self.set_state(fresh);
        Ok(())
    }

    /// Fills an index with the entries of all records: sorted first, so that they are appended.
    fn build(&self, index: &Index, writing: &mut Writing) -> Result<()> {
        let mut entries: Vec<(Vec<u8>, Vec<u8>)> = Vec::new();
        let mut cursor = Cursor::new(writing, self.0.table, Range::ALL)?;
        while let Some((key, stored)) = cursor.next()? {
            for entry in index.entries(key, &self.unpack(stored)?)? {
                self.check_entry(index, &entry)?;
                entries.push((entry, key.to_vec()));
            }
        }
        drop(cursor);
        entries.sort_unstable();
        if let Some([one, other]) = entries.windows(2).find_map(|pair| match pair {
            [one, other] if one.0 == other.0 => Some([one, other]),
            _ => None,
        }) {
            return Err(clash(index, &one.0, &other.1, &one.1));
        }
        index.table.clear(writing.innermost()?).map_err(failed)?;
        for (entry, key) in &entries {
            index.table.put_with_flags(writing.innermost()?, PutFlags::APPEND, entry, key).map_err(failed)?;
        }
        Ok(())
    }

    /// Removes an index. Returns whether it existed.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn drop_index(&self, name: &str) -> Result<bool> {
        let mut writing = self.0.environment.write()?;
        let state = self.current(&writing)?;
        let Some(index) = state.indexes.iter().find(|index| index.definition.name == name) else { return Ok(false) };
        index.table.clear(writing.innermost()?).map_err(failed)?;
        let mut definition = state.definition.clone();
        definition.indexes.retain(|other| other.name != name);
        let stored = definition.encode()?;
        self.0.definitions.put(writing.innermost()?, self.0.name.as_bytes(), &stored).map_err(failed)?;
        writing.commit()?;
        let mut fresh = State::new_with(definition, stored, &state, state.packing.clone())?;
        fresh.indexes.retain(|other| other.definition.name != name);
        self.set_state(fresh);
        Ok(true)
    }

    /// Checks that each index has the entries of the records, and no others. Returns what is wrong.
    ///
    /// # Errors
    /// Errors of LMDB, and of a record that can't be read.
    pub fn check(&self, reads: &impl Reads) -> Result<Vec<String>> {
        let state = self.state();
        let mut wrong = Vec::new();
        for index in &state.indexes {
            let mut count = 0;
            let mut cursor = Cursor::new(reads, self.0.table, Range::ALL)?;
            while let Some((key, stored)) = cursor.next()? {
                for entry in index.entries(key, &self.unpack(stored)?)? {
                    count += 1;
                    if index.table.get(reads.txn(), &entry).map_err(failed)? != Some(key) {
                        wrong.push(format!("the index `{}` lacks the record {}", index.definition.name, short(key)));
                    }
                }
            }
            let there = index.table.len(reads.txn()).map_err(failed)?;
            if there != count {
                wrong.push(format!(
                    "the index `{}` has {there} entries, and the records {count}",
                    index.definition.name
                ));
            }
        }
        Ok(wrong)
    }
}

impl State {
    /// Returns a state with another definition, the same indexes, and other dictionaries.
    fn new_with(definition: Definition, stored: Vec<u8>, old: &Self, packing: Vec<Arc<Packing>>) -> Result<Self> {
        let key_of = match &definition.key {
            Key::Fields(names) => Some(KeyOf::new(definition.encoding, &definition.record()?, names, false)?),
            Key::Given | Key::Auto => None,
        };
        let splitter = splitter(&definition)?;
        Ok(Self { definition, stored, key_of, indexes: old.indexes.clone(), splitter, packing })
    }
}

fn splitter(definition: &Definition) -> Result<Mutex<Box<dyn ReadRecord>>> {
    definition.encoding.reader(&definition.shape.clone().list()).map(Mutex::new)
}

#[cold]
fn other_index(there: &IndexDefinition, wanted: &IndexDefinition) -> Error {
    let unique = |unique| if unique { "unique, " } else { "" };
    refused(format!(
        "the index `{}` is {}{} in the collection, and {}{} in the program; `rebuild=True` makes it anew",
        there.name,
        unique(there.unique),
        there.by,
        unique(wanted.unique),
        wanted.by
    ))
}

/// Returns the error for two records with one key in a unique index.
#[cold]
fn clash(index: &Index, entry: &[u8], key: &[u8], other: &[u8]) -> Error {
    refused(format!(
        "the records {} and {} have the same key {} in the unique index `{}`",
        short(other),
        short(key),
        short(entry),
        index.definition.name
    ))
}

/// Returns the readable form of a key, shortened for a message.
fn short(key: &[u8]) -> String {
    const MOST: usize = 80;
    let shown = shown(key);
    if shown.chars().count() <= MOST {
        return shown;
    }
    let head: String = shown.chars().take(MOST).collect();
    format!("{head}…")
}

/// Makes keys of the fields of records.
pub struct KeyMaker(Arc<State>);

impl KeyMaker {
    /// Appends the key of a record to a buffer, of any length.
    ///
    /// # Errors
    /// As [`Collection::key_of`].
    pub fn append(&self, record: &[u8], key: &mut Vec<u8>) -> Result<()> {
        match &self.0.key_of {
            Some(key_of) => key_of.append(record, key),
            None => Err(refused("the keys of this collection are not made of fields, so the caller must give them")),
        }
    }
}

impl fmt::Debug for KeyMaker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("KeyMaker").field(&self.0.key_of).finish()
    }
}

/// Returns the key of a number that a collection gave.
///
/// # Errors
/// Never for these.
pub fn auto_key(number: i64) -> Result<Vec<u8>> {
    let mut key = Vec::new();
    Part::from(number).append(&mut key)?;
    Ok(key)
}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Collection").field(&self.place()).finish()
    }
}
