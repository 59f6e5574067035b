//! The target of a copy.

use crate::collection::CollectionTarget;
use crate::database::{Database, DatabaseTarget};
use crate::server::ServerTarget;
use crate::{Compression, Encoding, Format, OnError, Place, Target, WriteOptions, sinks};
use core::fmt;
use demat_core::{Result, Shape, Sink};
use demat_formats::canonical::Mapping;
use std::path::PathBuf;
use std::sync::Arc;

/// A target of any format.
pub(crate) enum Out {
    /// A sink of the program.
    Own(Box<dyn Sink>),
    Stream(Target),
    Rows(Box<DatabaseTarget>),
    Records(Box<CollectionTarget>),
    Server(Box<ServerTarget>),
}

impl Out {
    /// Opens a target, for data from another place. `one`: whether a database gets one table only, and all of its rows or
    /// none.
    pub(crate) fn create(
        to: &Place,
        format: Format,
        from: &Place,
        packed: Option<Compression>,
        (on_error, one): (OnError, bool),
    ) -> Result<Self> {
        match to {
            Place::Database(database) => Ok(Self::Rows(Box::new(DatabaseTarget::create(database, from, one)?))),
            Place::Collection(collection) => {
                Ok(Self::Records(Box::new(CollectionTarget::create(collection, from, format)?)))
            }
            Place::Server(server) => Ok(Self::Server(Box::new(ServerTarget::create(server, from)?))),
            _ if !format.is_streamed() => Err(crate::database::no_stream().in_place(to.name_as_target())),
            _ => Target::open(to, packed, on_error == OnError::All).map(Self::Stream),
        }
    }

    /// The connection to read the source through, if both are in one database.
    pub(crate) fn database(&self) -> Option<&Database> {
        match self {
            Self::Own(_) | Self::Stream(_) | Self::Records(_) | Self::Server(_) => None,
            Self::Rows(target) => target.shared(),
        }
    }

    /// The connection to the target's database, and its path.
    pub(crate) fn place(&self, place: &Place) -> Option<(PathBuf, Database)> {
        match (self, place) {
            (Self::Rows(target), Place::Database(place)) => Some((place.path.clone(), target.connection().clone())),
            _ => None,
        }
    }

    /// The shape of the records that it accepts, if it exists and has one.
    pub(crate) fn shape(&self) -> Option<Shape> {
        match self {
            Self::Own(_) | Self::Stream(_) => None,
            Self::Rows(target) => target.shape(),
            Self::Records(target) => target.shape(),
            Self::Server(target) => target.shape(),
        }
    }

    /// Returns the sink for values of this shape.
    pub(crate) fn sink<'o>(
        &'o mut self,
        (place, format, options): (&Place, Format, &WriteOptions),
        shape: &Shape,
        on_error: OnError,
        how: (Option<&Arc<Mapping>>, Option<Encoding>),
    ) -> Result<Box<dyn Sink + 'o>> {
        match self {
            Self::Own(sink) => Ok(Box::new(&mut **sink)),
            Self::Stream(target) => sinks::open(place, format, options, target, how),
            Self::Rows(target) => {
                if on_error != OnError::Stop {
                    target.report_at_once();
                }
                target.sink(shape)
            }
            Self::Records(target) => target.sink(shape),
            Self::Server(target) => target.sink(shape),
        }
    }

    /// Says that the shape is the caller's own, and so what its notes say in SQL.
    pub(crate) fn trust(&mut self) {
        match self {
            Self::Own(_) | Self::Stream(_) | Self::Records(_) => {}
            Self::Rows(target) => target.trust(),
            Self::Server(target) => target.trust(),
        }
    }

    /// Says what the records' shape in a collection of messages is.
    pub(crate) fn collect(&mut self, shape: &Shape) {
        if let Self::Records(target) = self {
            target.define(shape);
        }
    }

    /// Prepares a target that is one of several.
    pub(crate) fn share(&mut self) {
        if let Self::Rows(target) = self {
            target.undo_units();
        }
    }

    /// Writes all that is left, but does not let the target appear yet.
    pub(crate) fn complete(&mut self, format: Format) -> Result<()> {
        match self {
            Self::Own(_) | Self::Records(_) | Self::Server(_) => Ok(()),
            Self::Stream(target) => {
                target.write(format.about().ending.as_bytes())?;
                target.complete()
            }
            Self::Rows(target) => target.complete(),
        }
    }

    /// Lets a [complete](Self::complete) target appear.
    pub(crate) fn finish(self) -> Result<()> {
        match self {
            Self::Own(_) => Ok(()),
            Self::Stream(target) => target.finish(),
            Self::Rows(target) => target.finish(),
            Self::Records(target) => target.finish(),
            Self::Server(target) => target.finish(),
        }
    }

    /// When the target has to appear, of several ones: what can still be refused comes first, what is seen at once last.
    pub(crate) fn rank(&self) -> u8 {
        match self {
            Self::Rows(target) if !target.is_new() => 0,
            Self::Records(_) | Self::Server(_) => 0,
            Self::Rows(_) => 1,
            Self::Stream(target) if target.can_be_undone() => 1,
            Self::Own(_) | Self::Stream(_) => 2,
        }
    }
}

impl fmt::Debug for Out {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Own(_) => f.write_str("Own"),
            Self::Stream(target) => target.fmt(f),
            Self::Rows(target) => target.fmt(f),
            Self::Records(target) => target.fmt(f),
            Self::Server(target) => target.fmt(f),
        }
    }
}
