//! Skips values: as strict as decoding, without recursion.

use super::super::schema::Node;
use super::fault::astray;
use super::frame::{Frame, Stand, Within};
use super::{AvroSource, Found};
use demat_core::Result;

impl AvroSource<'_, '_> {
    /// Skips the value or key at the current position.
    pub(super) fn pass(&mut self) -> Result<()> {
        let base = self.depth;
        self.pass_one()?;
        while self.depth > base {
            let within = self.top().ok_or_else(astray)?.within;
            let more = match within {
                Within::File | Within::Array | Within::Fields => self.next_item()?,
                Within::Map | Within::Record => self.next_entry()?,
                Within::Variant => return Err(astray()),
            };
            if more {
                if matches!(self.stand, Stand::MapKey) {
                    self.pass_one()?;
                }
                if matches!(within, Within::Map | Within::Record) {
                    self.step_to_value()?;
                }
                self.pass_one()?;
            }
        }
        Ok(())
    }

    /// Skips a scalar, or steps into a container.
    fn pass_one(&mut self) -> Result<()> {
        if self.is_at_list()? {
            return self.begin();
        }
        let node = match self.found()? {
            // The value of the field is next.
            Found::Key(_) => return Ok(()),
            Found::Node(node) => node,
        };
        let end = match node {
            Node::Null => self.at,
            Node::Bool => self.flag().map(|_| self.at + 1)?,
            Node::Int | Node::Long => self.number(node)?.1,
            Node::Float => self.array::<4>("a float of 4 bytes").map(|_| self.at + 4)?,
            Node::Double => self.array::<8>("a float of 8 bytes").map(|_| self.at + 8)?,
            Node::Uuid => self.array::<16>("a uuid of 16 bytes").map(|_| self.at + 16)?,
            Node::Bytes => self.sized("bytes")?.1,
            Node::Fixed(len, _) => self.bytes_end(self.at, len as u64, "bytes")?,
            Node::Enum(names) => self.symbol(names)?.1,
            Node::Text(_) => {
                let range = self.sized("text")?;
                self.utf8(range)?;
                range.1
            }
            Node::Array(item) => return self.enter(Frame { within: Within::Array, node: item, cursor: 0 }),
            Node::Map(value) => return self.enter(Frame { within: Within::Map, node: value, cursor: 0 }),
            Node::Record(record) => return self.enter_record(Within::Record, record).map(drop),
            Node::Decimal(digits) => return self.decimal_of(digits).map(drop),
            Node::Date => return self.date_of().map(drop),
            Node::Time(unit) => return self.time_of(unit).map(drop),
            Node::Timestamp(unit) => return self.instant_of(unit).map(drop),
            Node::Local(unit) => return self.local_of(unit).map(drop),
            Node::Duration => return self.duration_of().map(drop),
            Node::Union(_) => return Err(astray()),
        };
        self.done(end);
        Ok(())
    }
}
