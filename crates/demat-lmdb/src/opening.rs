//! Finds collections, makes them, and compares them with what a program expects.

use crate::collection::{Collection, State, index_table};
use crate::definition::{DEFINITIONS, Definition, Key, check_name};
use crate::drift;
use crate::encoding::Encoding;
use crate::environment::{Environment, Table};
use crate::failure::{failed, refused};
use crate::key_of::KeyOf;
use crate::packing::Compression;
use crate::range::{Cursor, Range};
use crate::transaction::{Reads, Writing};
use demat_core::{Error, ErrorKind, Record, Result, Shape};

/// What a program expects of a collection, and makes it with.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    /// The shape of a record. `None`: the stored one.
    pub shape: Option<Shape>,
    /// What keys are made of. `None`: what they are, and for a new collection its fields that are noted as a key, or
    /// else [`Key::Auto`].
    pub key: Option<Key>,
    /// How records are encoded. `None`: as they are, and Protocol Buffers for a new collection.
    pub encoding: Option<Encoding>,
    /// How records are compressed. `None`: as they are, and not for a new collection.
    pub compression: Option<Option<Compression>>,
}

impl Environment {
    /// Returns the names of the collections.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn collections(&self, reads: &impl Reads) -> Result<Vec<String>> {
        let Some(definitions) = self.table(DEFINITIONS)? else { return Ok(Vec::new()) };
        let mut cursor = match Cursor::new(reads, definitions, Range::ALL) {
            // The table was made after the transaction began, which therefore sees no collection.
            Err(error) if error.kind() == ErrorKind::Store => return Ok(Vec::new()),
            cursor => cursor?,
        };
        let mut names = Vec::new();
        while let Some((name, _)) = cursor.next()? {
            if let Ok(name) = core::str::from_utf8(name)
                && !name.contains('\0')
            {
                names.push(name.to_string());
            }
        }
        Ok(names)
    }

    /// Opens a collection; makes it, in a transaction of its own, if it does not exist and the shape is known.
    ///
    /// # Errors
    /// [`Store`](ErrorKind::Store) if what is wanted differs from what is stored, with all differences.
    pub fn collection(&self, name: &str, wanted: &Wanted) -> Result<Collection> {
        let located = |error: Error| error.in_place(format!("{}#{name}", self.path().display()));
        self.open_collection(name, wanted).map_err(located)
    }

    /// Opens the tables of all collections.
    pub(crate) fn open_tables(&self) -> Result<()> {
        let Some(definitions) = self.table(DEFINITIONS)? else { return Ok(()) };
        let names = self.collections(&self.read()?)?;
        for name in names {
            self.table(&name)?;
            let snapshot = self.read()?;
            let stored = definitions.get(snapshot.txn(), name.as_bytes()).map_err(failed)?.map(<[u8]>::to_vec);
            drop(snapshot);
            // Opening a damaged one fails.
            let Some(Ok(definition)) = stored.map(|stored| Definition::decode(&name, &stored)) else { continue };
            for index in &definition.indexes {
                self.table(&index_table(&name, &index.name))?;
            }
        }
        Ok(())
    }

    fn open_collection(&self, name: &str, wanted: &Wanted) -> Result<Collection> {
        check_name(name)?;
        let stored = self.definition(name)?;
        if let Some(stored) = &stored {
            let definition = Definition::decode(name, stored)?;
            let agreed = agreed(name, &definition, wanted)?;
            if agreed == definition || self.is_readonly() {
                return self.opened(name, definition);
            }
            let mut writing = self.write()?;
            return self.store(name, &agreed, Some(stored), &mut writing).and_then(|()| {
                writing.commit()?;
                self.opened(name, agreed)
            });
        }
        let Some(shape) = &wanted.shape else {
            let snapshot = self.read()?;
            let names = self.collections(&snapshot)?;
            let there = if names.is_empty() { "none".to_string() } else { names.join(", ") };
            return Err(refused(format!("there is no collection `{name}`; there are {there}")));
        };
        let definition = new_definition(shape, wanted)?;
        self.make_table(DEFINITIONS)?;
        self.make_table(name)?;
        let mut writing = self.write()?;
        match self.store(name, &definition, None, &mut writing) {
            Ok(()) => writing.commit()?,
            // Another process was faster: what it made is checked like any other.
            Err(_) if self.definition(name)?.is_some() => {
                drop(writing);
                return self.open_collection(name, wanted);
            }
            Err(error) => return Err(error),
        }
        self.opened(name, definition)
    }

    /// Returns the stored definition.
    pub(crate) fn definition(&self, name: &str) -> Result<Option<Vec<u8>>> {
        let Some(definitions) = self.table(DEFINITIONS)? else { return Ok(None) };
        let snapshot = self.read()?;
        Ok(definitions.get(snapshot.txn(), name.as_bytes()).map_err(failed)?.map(<[u8]>::to_vec))
    }

    /// Stores a definition, if the stored one is still as expected.
    fn store(
        &self,
        name: &str,
        definition: &Definition,
        expected: Option<&Vec<u8>>,
        writing: &mut Writing,
    ) -> Result<()> {
        let definitions = self.table(DEFINITIONS)?.ok_or_else(|| refused("there are no definitions"))?;
        let there = definitions.get(writing.txn(), name.as_bytes()).map_err(failed)?;
        if there != expected.map(Vec::as_slice) {
            return Err(refused("another process has changed the collection just now; open it again"));
        }
        let encoded = definition.encode()?;
        definitions.put(writing.innermost()?, name.as_bytes(), &encoded).map_err(failed)
    }

    fn opened(&self, name: &str, definition: Definition) -> Result<Collection> {
        let gone = || refused("a table of the collection is missing");
        let table = self.table(name)?.ok_or_else(gone)?;
        let definitions = self.table(DEFINITIONS)?.ok_or_else(gone)?;
        let stored = definition.encode()?;
        let state = State::new(self, name, definition, stored, &[])?;
        Ok(Collection::new(self, name, table, definitions, state))
    }

    /// Removes a collection with its indexes. Returns whether it existed.
    ///
    /// # Errors
    /// Errors of LMDB.
    pub fn drop_collection(&self, name: &str) -> Result<bool> {
        check_name(name)?;
        let Some(stored) = self.definition(name)? else { return Ok(false) };
        let definition = Definition::decode(name, &stored)?;
        let tables = definition.indexes.iter().map(|index| index_table(name, &index.name)).chain([name.to_string()]);
        let tables = tables.map(|name| self.table(&name)).collect::<Result<Vec<_>>>()?;
        let definitions = self.table(DEFINITIONS)?.ok_or_else(|| refused("there are no definitions"))?;
        let mut writing = self.write()?;
        for table in tables.into_iter().flatten() {
            table.clear(writing.innermost()?).map_err(failed)?;
        }
        let own = Range::prefix(format!("{name}\0").as_bytes());
        for key in keys(&writing, definitions, own)?.into_iter().chain([name.as_bytes().to_vec()]) {
            definitions.delete(writing.innermost()?, &key).map_err(failed)?;
        }
        writing.commit().map(|()| true)
    }
}

fn keys(reads: &impl Reads, table: Table, range: Range) -> Result<Vec<Vec<u8>>> {
    let mut cursor = Cursor::new(reads, table, range)?;
    let mut keys = Vec::new();
    while let Some((key, _)) = cursor.next()? {
        keys.push(key.to_vec());
    }
    Ok(keys)
}

/// Returns the definition of a new collection.
fn new_definition(shape: &Shape, wanted: &Wanted) -> Result<Definition> {
    let mut definition = Definition {
        key: Key::Auto,
        encoding: wanted.encoding.unwrap_or_default(),
        compression: wanted.compression.flatten(),
        shape: shape.clone(),
        indexes: Vec::new(),
        dictionaries: 0,
    };
    let record = definition.record()?;
    let noted = record.fields().iter().filter(|field| field.notes_for("sql").any(|note| note == "key"));
    let noted: Vec<_> = noted.map(|field| field.key().to_string()).collect();
    definition.key = match &wanted.key {
        Some(key) => key.clone(),
        None if noted.is_empty() => Key::Auto,
        None => Key::Fields(noted),
    };
    if let Key::Fields(names) = &definition.key {
        KeyOf::new(definition.encoding, &record, names, false)?;
    }
    // What is stored as text must come back.
    let text = shape.to_string();
    text.parse::<Shape>().map_err(|error| refused("the shape can't be stored").because(error))?;
    Ok(definition)
}

/// Whether a record has each field of another one, with the same shape.
fn tells_all(record: &Record, other: &Record) -> bool {
    other.fields().iter().all(|field| {
        let own = record.index_of(field.key()).map(|index| &record.fields()[index]);
        own.is_some_and(|own| own.shape().to_string() == field.shape().to_string())
    })
}

/// Returns the definition that what is stored and what is wanted have in common.
fn agreed(name: &str, stored: &Definition, wanted: &Wanted) -> Result<Definition> {
    let mut agreed = stored.clone();
    let mut differences = Vec::new();
    if let Some(key) = wanted.key.as_ref().filter(|key| **key != stored.key) {
        differences.push(format!("the key is {key} in the program, and {} in the collection", stored.key));
    }
    if let Some(encoding) = wanted.encoding.filter(|encoding| *encoding != stored.encoding) {
        differences
            .push(format!("the encoding is {encoding} in the program, and {} in the collection", stored.encoding));
    }
    if let Some(compression) = wanted.compression.filter(|compression| *compression != stored.compression) {
        let shown = |compression: Option<Compression>| compression.map_or("none", Compression::name);
        differences.push(format!(
            "the compression is {} in the program, and {} in the collection",
            shown(compression),
            shown(stored.compression)
        ));
    }
    if let Some(shape) = &wanted.shape {
        let wanted = Definition { shape: shape.clone(), ..stored.clone() }.record()?;
        match drift::merged(stored.encoding, &stored.record()?, &wanted) {
            Ok(record) => agreed.shape = Shape::record(record),
            Err(found) => differences.extend(found),
        }
        // Only what the text tells is stored; and a class that lacks fields, or has them in another order, is no news.
        if tells_all(&stored.record()?, &wanted) || agreed.shape.to_string() == stored.shape.to_string() {
            agreed.shape = stored.shape.clone();
        }
    }
    if differences.is_empty() {
        return Ok(agreed);
    }
    let count = differences.len();
    let plural = if count == 1 { "" } else { "s" };
    Err(refused(format!(
        "the collection `{name}` is not the one that the program expects, by {count} difference{plural}: {}",
        differences.join("; ")
    )))
}
