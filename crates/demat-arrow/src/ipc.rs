//! Arrow's IPC format: a stream or a file of batches.

use crate::BatchDrain;
use crate::fault::{damaged, guarded, guarded_writing, unwritable};
use crate::ipc_check::{Checked, has_sizes};
use crate::ipc_dictionaries::{self, Waiting};
use arrow_array::RecordBatch;
use arrow_ipc::reader::StreamReader;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::{ArrowError, SchemaRef};
use core::fmt;
use demat_core::{Error, ErrorKind, Result};
use std::io::{self, Chain, Cursor, Read, Write};

/// The magic number at both ends of a file.
const FILE: &[u8; 6] = b"ARROW1";
/// The magic number of the older Feather format.
const FEATHER: &[u8; 4] = b"FEA1";

/// An iterator over the batches of an Arrow stream or file.
///
/// Reads a file as the stream inside it, so the file may come through a pipe.
///
/// ```
/// use demat_arrow::{BatchDrain, Columns, IpcBatches, IpcDrain, IpcForm};
/// use demat_core::Source;
///
/// let mut columns = Columns::new(&"id:int64".parse()?)?;
/// let mut source = demat_formats::json::JsonSource::new(br#"[{"id": 1}, {"id": 2}]"#);
/// source.list()?;
/// columns.records(&mut source, usize::MAX)?;
/// let mut drain = IpcDrain::new(Vec::new(), IpcForm::Stream);
/// drain.begin(columns.schema())?;
/// drain.batch(columns.finish()?)?;
/// drain.finish()?;
///
/// let bytes = drain.into_writer()?;
/// let mut batches = IpcBatches::new(&bytes[..])?;
/// assert_eq!(batches.schema(), columns.schema());
/// assert_eq!(batches.next().transpose()?.map(|batch| batch.num_rows()), Some(2));
/// # Ok::<(), demat_core::Error>(())
/// ```
pub struct IpcBatches<R: Read> {
    reader: StreamReader<Checked<Chain<Cursor<Vec<u8>>, R>>>,
    schema: SchemaRef,
    /// Whether the input is a file, which has a footer.
    file: bool,
    ended: bool,
}

impl<R: Read> IpcBatches<R> {
    /// Reads the schema.
    ///
    /// # Errors
    /// [`Syntax`](ErrorKind::Syntax) if the bytes are neither form; what the reader reports.
    pub fn new(mut reader: R) -> Result<Self> {
        let mut head = Vec::with_capacity(8);
        reader.by_ref().take(8).read_to_end(&mut head)?;
        if head.starts_with(FEATHER) {
            let message = "this is a Feather file of version 1, which is not Arrow's format; write it as version 2";
            return Err(Error::new(ErrorKind::Syntax, message));
        }
        let file = head.starts_with(FILE);
        if head.len() < 8 || !(file || looks_like_stream(&head)) {
            return Err(Error::mismatch(ErrorKind::Syntax, "an Arrow file or stream", "other bytes"));
        }
        if file {
            pass_padding(&mut reader, &mut head)?;
        }
        let rest = Checked::new(Cursor::new(head).chain(reader));
        let reader = guarded(ARROW, || StreamReader::try_new(rest, None).map_err(|error| damaged(ARROW, error)))?;
        if reader.get_ref().is_big_endian() {
            let message =
                "the Arrow data is big-endian, which is not read; write it on a machine of the usual byte order";
            return Err(Error::new(ErrorKind::Syntax, message));
        }
        if !reader.schema().fields().iter().all(|field| has_sizes(field.data_type())) {
            return Err(Error::new(ErrorKind::Syntax, "the Arrow data is damaged: a type has a size below zero"));
        }
        Ok(Self { schema: reader.schema(), reader, file, ended: false })
    }

    /// Returns the schema of the batches.
    pub fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    /// Checks that a file has its footer, and was not cut off.
    fn check_end(&mut self) -> Result<()> {
        if !self.file {
            return Ok(());
        }
        let (mut last, mut buffer) = (Vec::new(), vec![0; 64 * 1024]);
        loop {
            match self.reader.get_mut().read(&mut buffer) {
                Ok(0) => break,
                Ok(read) => {
                    last.extend_from_slice(&buffer[..read]);
                    last.drain(..last.len().saturating_sub(FILE.len()));
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
        if last == FILE {
            return Ok(());
        }
        Err(Error::mismatch(ErrorKind::Syntax, "the end of an Arrow file", "end of input"))
    }
}

const ARROW: &str = "Arrow";
/// The alignment of the first message in a file, behind padding zeros.
const ALIGNED: usize = 64;

/// Skips the padding, and puts the bytes after it into `head`.
fn pass_padding<R: Read>(reader: &mut R, head: &mut Vec<u8>) -> Result<()> {
    for _ in 0..ALIGNED / 8 {
        head.clear();
        reader.by_ref().take(8).read_to_end(head)?;
        if head.iter().any(|byte| *byte != 0) {
            break;
        }
    }
    Ok(())
}

/// Returns whether the bytes begin a stream: with a marker and the length of a message, or only the length in old
/// files.
fn looks_like_stream(head: &[u8]) -> bool {
    let word = |at: usize| head.get(at..at + 4).and_then(|word| word.try_into().ok()).map_or(0, u32::from_le_bytes);
    let len = if word(0) == u32::MAX { word(4) } else { word(0) };
    // No schema is that large.
    (8..=1 << 28).contains(&len)
}

impl<R: Read> Iterator for IpcBatches<R> {
    type Item = Result<RecordBatch>;

    fn next(&mut self) -> Option<Result<RecordBatch>> {
        if self.ended {
            return None;
        }
        let reader = &mut self.reader;
        let next = guarded(ARROW, || reader.next().transpose().map_err(|error| damaged(ARROW, error))).transpose();
        self.ended = !matches!(next, Some(Ok(_)));
        match next {
            None => self.check_end().err().map(Err),
            other => other,
        }
    }
}

impl<R: Read> fmt::Debug for IpcBatches<R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IpcBatches").field("schema", &self.schema).finish_non_exhaustive()
    }
}

/// The form in which to write batches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum IpcForm {
    /// A file with random access to its batches: `.arrow`, also called Feather.
    File,
    /// A stream, read from its start: `.arrows`.
    Stream,
}

/// Writes batches in Arrow's IPC format.
///
/// A file has one dictionary for all batches of a column. So its first batches wait, up to 64 MiB, and get one dictionary
/// if theirs differ. Columns of dictionaries in larger files become columns of their values, except for enums.
pub struct IpcDrain<W: Write> {
    form: IpcForm,
    state: WriterState<W>,
}

enum WriterState<W: Write> {
    Waiting(W),
    /// The first batches of a file, of a schema with dictionaries.
    Undecided(W, Waiting),
    /// The writer, and the schema to convert batches to, if it is another one.
    File(FileWriter<W>, Option<SchemaRef>),
    Stream(StreamWriter<W>),
    /// The schema was refused.
    Failed,
}

impl<W: Write> IpcDrain<W> {
    /// Writes to a writer. Use a buffered one if its calls are slow.
    pub fn new(writer: W, form: IpcForm) -> Self {
        Self { form, state: WriterState::Waiting(writer) }
    }

    /// Returns the writer; call it after [`finish`](BatchDrain::finish).
    ///
    /// # Errors
    /// What the writer reports, or if the schema was refused.
    pub fn into_writer(self) -> Result<W> {
        match self.state {
            WriterState::Waiting(writer) | WriterState::Undecided(writer, _) => Ok(writer),
            WriterState::File(writer, _) => writer.into_inner().map_err(|error| unwritable(ARROW, error)),
            WriterState::Stream(writer) => writer.into_inner().map_err(|error| unwritable(ARROW, error)),
            WriterState::Failed => Err(Error::new(ErrorKind::Encode, "the schema was refused")),
        }
    }

    /// Writes the batches that waited for their dictionaries. `whole`: whether no batch follows.
    fn decide(&mut self, whole: bool) -> Result<()> {
        if !matches!(self.state, WriterState::Undecided(..)) {
            return Ok(());
        }
        let WriterState::Undecided(writer, waiting) = core::mem::replace(&mut self.state, WriterState::Failed) else {
            return Ok(());
        };
        self.state = guarded_writing(ARROW, || {
            let written = waiting.decide(whole).and_then(|(schema, batches)| {
                let mut writer = FileWriter::try_new(writer, &schema)?;
                batches.iter().try_for_each(|batch| writer.write(batch))?;
                Ok(WriterState::File(writer, Some(schema)))
            });
            written.map_err(|error| unwritable(ARROW, error))
        })?;
        Ok(())
    }
}

impl<W: Write> BatchDrain for IpcDrain<W> {
    fn begin(&mut self, schema: &SchemaRef) -> Result<()> {
        let WriterState::Waiting(writer) = core::mem::replace(&mut self.state, WriterState::Failed) else {
            return Ok(());
        };
        if self.form == IpcForm::File
            && let Some(waiting) = Waiting::new(schema)
        {
            self.state = WriterState::Undecided(writer, waiting);
            return Ok(());
        }
        self.state = guarded_writing(ARROW, || {
            let begun = match self.form {
                IpcForm::File => FileWriter::try_new(writer, schema).map(|writer| WriterState::File(writer, None)),
                IpcForm::Stream => StreamWriter::try_new(writer, schema).map(WriterState::Stream),
            };
            begun.map_err(|error| unwritable(ARROW, error))
        })?;
        Ok(())
    }

    fn batch(&mut self, batch: RecordBatch) -> Result<()> {
        if let WriterState::Undecided(_, waiting) = &mut self.state {
            return if waiting.push(batch) { self.decide(false) } else { Ok(()) };
        }
        let state = &mut self.state;
        guarded_writing(ARROW, || {
            let written: Result<(), ArrowError> = match state {
                WriterState::File(writer, None) => writer.write(&batch),
                WriterState::File(writer, Some(schema)) => {
                    ipc_dictionaries::in_schema(&batch, schema).and_then(|batch| writer.write(&batch))
                }
                WriterState::Stream(writer) => writer.write(&batch),
                _ => return Err(Error::new(ErrorKind::Encode, "a batch came before its schema")),
            };
            written.map_err(|error| unwritable(ARROW, error))
        })
    }

    fn finish(&mut self) -> Result<()> {
        self.decide(true)?;
        let finished = match &mut self.state {
            WriterState::File(writer, _) => writer.finish().and_then(|()| Ok(writer.get_mut().flush()?)),
            WriterState::Stream(writer) => writer.finish().and_then(|()| Ok(writer.get_mut().flush()?)),
            _ => Ok(()),
        };
        finished.map_err(|error| unwritable(ARROW, error))
    }
}

impl<W: Write> fmt::Debug for IpcDrain<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("IpcDrain").field("form", &self.form).finish_non_exhaustive()
    }
}
