use super::layout::Layout;
use crate::build::{Builders, Values};
use demat_core::Unknown;
use demat_formats::proto::{Cardinality, Form, RecordLayout, oneof, read_varint};

/// A wanted field, and its column.
#[derive(Debug)]
pub(super) struct Target {
    pub(super) number: u32,
    /// The wire type.
    pub(super) wire: u64,
    form: Form,
    node: usize,
}

impl Target {
    /// Returns the targets of all columns. Returns `None` if a column needs the source.
    pub(super) fn all(builders: &Builders) -> Option<Vec<Self>> {
        let Values::Struct { plan, .. } = builders.nodes.nodes[builders.root].values else { return None };
        let plan = &builders.plans[plan];
        let record = &plan.record;
        if record.unknown() != Unknown::Ignore || plan.rest.is_some() || plan.children.is_empty() {
            return None;
        }
        let wires = RecordLayout::of(record).wires();
        let fields = record.fields().iter().zip(wires).zip(&plan.children);
        let targets = fields.map(|((field, own), node)| {
            let form = own.form;
            let wire = match (form, &builders.nodes.nodes[*node].values) {
                (Form::Text, Values::Text(_)) | (Form::Bytes, Values::Bytes(_)) => 2,
                (Form::Int64 | Form::Int32 | Form::Sint64 | Form::Sint32 | Form::Uint32, Values::I64(_)) => 0,
                (Form::Sfixed64, Values::I64(_)) | (Form::Double, Values::F64(_)) => 1,
                (Form::Sfixed32 | Form::Fixed32, Values::I64(_)) | (Form::Float, Values::F32(_)) => 5,
                _ => return None,
            };
            let is_one = own.cardinality == Cardinality::Value && oneof(field).is_none();
            is_one.then_some(Self { number: field.number(), wire, form, node: *node })
        });
        targets.collect()
    }
}

/// Appends the values of the messages that begin at these offsets, column by column. Returns the number of messages
/// that were appended to all columns.
pub(super) fn append(
    builders: &mut Builders,
    targets: &[Target],
    layout: &Layout,
    bytes: &[u8],
    begins: &[usize],
) -> usize {
    let mut done = begins.len();
    for (target, (begin, end)) in targets.iter().zip(&layout.places) {
        let begins = &begins[..done];
        let (begin, end) = (*begin, *end);
        let spans = begins.iter().map(|at| at + begin..at + end);
        let numbers = begins.iter().map(|at| number(&bytes[at + begin..at + end], target.form));
        done = match &mut builders.nodes.nodes[target.node].values {
            Values::Text(texts) => {
                let room = room(texts.data.len(), end - begin);
                let mut count = 0;
                for span in spans.take(room) {
                    if !is_text(bytes, span.start, span.len()) {
                        break;
                    }
                    put(&mut texts.data, bytes, span.start, span.len());
                    texts.push_end();
                    count += 1;
                }
                count
            }
            Values::Bytes(texts) => {
                let room = room(texts.data.len(), end - begin).min(done);
                for span in spans.take(room) {
                    put(&mut texts.data, bytes, span.start, span.len());
                    texts.push_end();
                }
                room
            }
            Values::I64(values) => {
                values.extend(numbers.map(u64::cast_signed));
                done
            }
            Values::F64(values) => {
                values.extend(numbers.map(f64::from_bits));
                done
            }
            Values::F32(values) => {
                values.extend(numbers.map(|bits| f32::from_bits(bits as u32)));
                done
            }
            // There are no other types.
            _ => 0,
        };
    }
    if done < begins.len() {
        // Columns before the one that failed have more rows.
        let first = match builders.nodes.nodes[builders.root].values {
            Values::Struct { len, .. } => len,
            _ => 0,
        };
        for target in targets {
            builders.nodes.truncate(&builders.plans, target.node, first + done);
        }
    }
    count(builders, done);
    done
}

/// Counts rows whose values were appended.
fn count(builders: &mut Builders, rows: usize) {
    if let Values::Struct { len, .. } = &mut builders.nodes.nodes[builders.root].values {
        *len += rows;
    }
}

/// Returns the number of values of `size` bytes that fit a column with `held` bytes.
fn room(held: usize, size: usize) -> usize {
    (i32::MAX as usize - held).checked_div(size).unwrap_or(usize::MAX)
}

/// Values up to this size are copied as if they had this size, which is a single instruction.
const SHORT: usize = 16;

#[inline(always)]
fn put(data: &mut Vec<u8>, bytes: &[u8], at: usize, len: usize) {
    match bytes.get(at..).and_then(<[u8]>::first_chunk::<SHORT>) {
        Some(short) if len <= SHORT => {
            let end = data.len() + len;
            data.extend_from_slice(short);
            data.truncate(end);
        }
        _ => data.extend_from_slice(&bytes[at..at + len]),
    }
}

/// Whether the bytes are UTF-8.
#[inline(always)]
fn is_text(bytes: &[u8], at: usize, len: usize) -> bool {
    if let Some(short) = bytes.get(at..).and_then(<[u8]>::first_chunk::<SHORT>)
        && (1..=SHORT).contains(&len)
    {
        const TOP: u128 = u128::from_ne_bytes([0x80; SHORT]);
        if (u128::from_le_bytes(*short) << (8 * (SHORT - len))) & TOP == 0 {
            return true;
        }
    }
    core::str::from_utf8(&bytes[at..at + len]).is_ok()
}

/// Reads a number, as the 64 bits of its column.
#[inline(always)]
fn number(bytes: &[u8], form: Form) -> u64 {
    let varint = || read_varint(bytes).map_or(0, |(value, _)| value);
    let four = || bytes.first_chunk().map_or(0, |four| u32::from_le_bytes(*four));
    let unzigzag = |value: u64| (value >> 1).cast_signed() ^ -(value & 1).cast_signed();
    match form {
        Form::Int64 => varint(),
        Form::Int32 => i64::from(varint() as i32).cast_unsigned(),
        Form::Uint32 => u64::from(varint() as u32),
        Form::Sint64 => unzigzag(varint()).cast_unsigned(),
        Form::Sint32 => unzigzag(u64::from(varint() as u32)).cast_unsigned(),
        Form::Sfixed32 => i64::from(four().cast_signed()).cast_unsigned(),
        Form::Fixed32 | Form::Float => u64::from(four()),
        _ => bytes.first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight)),
    }
}
