//! The messages of the tests, and how they are copied.

use crate::request::{IGNORE_UNKNOWN, JSON, PROTOBUF, Request, Response, TEXT};
use demat_core::{Error, Result, Shape, Sink, copy};
use demat_formats::canonical::{CanonicalSink, CanonicalSource, Mapping, ReadOptions};
use demat_formats::json::{JsonSink, JsonSource, WriteOptions};
use demat_formats::proto::{ProtoSink, ProtoSource};
use demat_formats::txtpb::{self, Messages, TxtpbSink, TxtpbSource};
use demat_formats::{Keep, Output};
use demat_proto::Definitions;
use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

/// The files that define the messages.
const FILES: [&str; 5] = [
    "google/protobuf/test_messages_proto2.proto",
    "google/protobuf/test_messages_proto3.proto",
    "google/protobuf/test_messages_proto2_editions.proto",
    "google/protobuf/test_messages_proto3_editions.proto",
    "google/protobuf/test_messages_edition2023.proto",
];

/// Answers requests.
pub(crate) struct Testee {
    definitions: Vec<Definitions>,
    types: HashMap<String, Type>,
}

/// A message of the tests.
#[derive(Clone)]
struct Type {
    mapping: Arc<Mapping>,
    /// The messages that an `Any` in it may hold.
    messages: Messages,
}

impl Testee {
    /// Reads the definitions in a folder.
    pub(crate) fn new(folder: &Path) -> Result<Self> {
        let read = |file: &str| Definitions::read(folder.join(file), &[folder]);
        let definitions = FILES.iter().map(|file| read(file)).collect::<Result<_>>()?;
        Ok(Self { definitions, types: HashMap::new() })
    }

    fn message(&mut self, name: &str) -> Result<Type> {
        if let Some(found) = self.types.get(name) {
            return Ok(found.clone());
        }
        let own = self.definitions.iter().find(|definitions| definitions.messages().iter().any(|own| own == name));
        let Some(definitions) = own else {
            return Err(Error::new(demat_core::ErrorKind::Constraint, format!("there is no message `{name}`")));
        };
        let mapping = Mapping::new(&definitions.exact_shape(name)?)?.with_types(definitions.types());
        // An `Any` in the text format may hold a message of another file.
        let all: Vec<_> = self.definitions.iter().map(Definitions::types).collect();
        let messages = Messages::new(Arc::new(move |name: &str| all.iter().find_map(|types| types(name))));
        let made = Type { mapping: Arc::new(mapping), messages };
        self.types.insert(name.to_owned(), made.clone());
        Ok(made)
    }

    /// The answer to a request.
    pub(crate) fn answer(&mut self, request: &Request<'_>) -> Response {
        let Type { mapping, messages } = match self.message(request.message_type) {
            Ok(found) => found,
            Err(error) => return Response { runtime_error: Some(error.to_string()), ..Response::default() },
        };
        let ignore_unknown = request.test_category == IGNORE_UNKNOWN;
        let wire = match (request.protobuf_payload, request.json_payload, request.text_payload) {
            (Some(payload), ..) => from_wire(payload, mapping.shape()),
            (None, Some(payload), _) => from_json(payload.as_bytes(), &mapping, ReadOptions { ignore_unknown }),
            (None, None, Some(payload)) => from_text(payload, mapping.shape(), messages.clone()),
            (None, None, None) => {
                let skipped = Some("neither the wire format nor JSON nor the text format came in".to_owned());
                return Response { skipped, ..Response::default() };
            }
        };
        let wire = match wire {
            Ok(wire) => wire,
            Err(error) => return Response { parse_error: Some(error.to_string()), ..Response::default() },
        };
        let written = match request.requested_output_format {
            PROTOBUF => Ok(Response { protobuf_payload: Some(wire.into()), ..Response::default() }),
            JSON => to_json(&wire, &mapping).map(|json| Response { json_payload: Some(json), ..Response::default() }),
            TEXT => {
                let unknown_fields = request.print_unknown_fields;
                let options = txtpb::WriteOptions { unknown_fields, messages: Some(messages), ..Default::default() };
                to_text(&wire, mapping.shape(), options)
                    .map(|text| Response { text_payload: Some(text), ..Response::default() })
            }
            other => {
                let skipped = Some(format!("output format {other} is none of Demat's"));
                Ok(Response { skipped, ..Response::default() })
            }
        };
        written.unwrap_or_else(|error| Response { serialize_error: Some(error.to_string()), ..Response::default() })
    }
}

/// The wire format as it is read and written again.
fn from_wire(payload: &[u8], shape: &Shape) -> Result<Vec<u8>> {
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(&mut ProtoSource::new(payload), shape, &mut sink as &mut dyn Sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn from_json(payload: &[u8], mapping: &Arc<Mapping>, options: ReadOptions) -> Result<Vec<u8>> {
    let mut source = CanonicalSource::new(JsonSource::new(payload), Arc::clone(mapping), options);
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(&mut source, mapping.shape(), &mut sink as &mut dyn Sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn from_text(payload: &[u8], shape: &Shape, messages: Messages) -> Result<Vec<u8>> {
    let options = txtpb::ReadOptions { messages: Some(messages), ..txtpb::ReadOptions::default() };
    let mut sink = ProtoSink::new(Output::new(Vec::new(), Keep));
    copy(&mut TxtpbSource::new(payload, options), shape, &mut sink as &mut dyn Sink)?;
    Ok(sink.into_output().into_parts().0)
}

fn to_text(wire: &[u8], shape: &Shape, options: txtpb::WriteOptions) -> Result<String> {
    let mut sink = TxtpbSink::new(Output::new(Vec::new(), Keep), options);
    copy(&mut ProtoSource::new(wire), shape, &mut sink as &mut dyn Sink)?;
    utf8(sink.into_output().into_parts().0)
}

fn utf8(bytes: Vec<u8>) -> Result<String> {
    String::from_utf8(bytes).map_err(|_| Error::new(demat_core::ErrorKind::Encode, "no UTF-8"))
}

fn to_json(wire: &[u8], mapping: &Arc<Mapping>) -> Result<String> {
    let json = JsonSink::new(Output::new(Vec::new(), Keep), WriteOptions::default());
    let mut sink = CanonicalSink::new(json, Arc::clone(mapping));
    copy(&mut ProtoSource::new(wire), mapping.shape(), &mut sink as &mut dyn Sink)?;
    utf8(sink.into_inner().into_output().into_parts().0)
}
