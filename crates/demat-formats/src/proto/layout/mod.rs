//! How the fields of a record and the variants of a union are encoded. A layout is compiled once per record or union.

mod cache;
mod cardinality;
mod form;
mod oneof;
mod presence;
mod record;
#[cfg(test)]
mod tests;
mod union;
mod wire;

pub(super) use cache::LayoutCache;
pub use cardinality::Cardinality;
pub use form::Form;
pub use oneof::oneof;
pub use presence::Presence;
pub(crate) use presence::is_null_if_absent;
pub(super) use record::FieldLayout;
pub use record::RecordLayout;
pub use union::UnionLayout;
pub use wire::Wire;
