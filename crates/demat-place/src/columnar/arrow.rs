//! Arrow: a file, or a stream of batches.

use super::codec::{Batches, Buffered, ColumnCodec};
use crate::{Input, Place};
use arrow_schema::SchemaRef;
use core::sync::atomic::AtomicU64;
use demat_arrow::{BatchDrain, ColumnsSink, IpcBatches, IpcDrain, IpcForm, Options};
use demat_core::{Result, Sink};
use std::io::BufReader;

/// Arrow as a format.
#[derive(Debug)]
pub(crate) struct Arrow;

/// The suffix of a stream.
const STREAM: &str = ".arrows";

/// The number of rows in the first batch of a stream: small, so that a concurrent reader gets them early.
pub(crate) const FIRST: usize = 1024;

impl ColumnCodec for Arrow {
    fn open<'i>(
        &self,
        input: Input<'i>,
        _: &Place,
        _: &AtomicU64,
        _: Option<&[String]>,
    ) -> Result<(Batches<'i>, SchemaRef)> {
        let batches = IpcBatches::new(BufReader::with_capacity(128 * 1024, input))?;
        let schema = batches.schema().clone();
        Ok((Box::new(batches), schema))
    }

    fn drain<'w>(&self, writer: Buffered<'w>, name: Option<&str>) -> Box<dyn BatchDrain + 'w> {
        Box::new(IpcDrain::new(writer, form(name)))
    }

    fn sink<'w>(&self, options: Options, writer: Buffered<'w>, name: Option<&str>) -> Box<dyn Sink + 'w> {
        let form = form(name);
        let sink = ColumnsSink::new(IpcDrain::new(writer, form)).with_options(options);
        Box::new(match form {
            IpcForm::File => sink,
            IpcForm::Stream => sink.with_first(FIRST),
        })
    }
}

/// Returns the form for a name: a stream for the suffix of streams and for places without a name, which may have a
/// concurrent reader.
pub(crate) fn form(name: Option<&str>) -> IpcForm {
    match name {
        Some(name) if !name.ends_with(STREAM) => IpcForm::File,
        _ => IpcForm::Stream,
    }
}
