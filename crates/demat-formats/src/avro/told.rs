//! Which variant of a union a branch stands for: told by the name of a record or an enum, or by the kind.

use super::schema::{CONTENT, Node, RecordNode, Schema, Unnamed};
use demat_core::{Kind, Shape, Tag, Union, Variant};

/// How the content of a variant was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As the value itself.
    Direct,
    /// As the only field of a record, or as a record without fields.
    Wrapped,
}

/// Returns the variant for a node that is no union; `None` if none fits, or several fit equally.
pub(super) fn variant_of(schema: &Schema, node: Node, union: &Union) -> Option<(usize, Form)> {
    match node {
        Node::Record(record) => of_record(schema, schema.record(record)?, union),
        _ if matches!(union.tag(), Tag::Field(_)) => None,
        Node::Enum(index) => {
            let own = schema.enums.get(index as usize)?;
            let is_enum = |shape: &Shape| matches!(shape.inner(), Shape::Enum(_));
            let named = named(union, &own.name, &|variant, is| match variant.shape().inner() {
                Shape::Enum(names) => is(names.name()),
                _ => false,
            });
            let found = named.or_else(|| only(union, is_enum)).or_else(|| of_kind(node, union, is_enum));
            found.map(|index| (index, Form::Direct))
        }
        _ => of_kind(node, union, |_| false).map(|index| (index, Form::Direct)),
    }
}

/// Returns the variant for a record.
fn of_record(schema: &Schema, own: &RecordNode, union: &Union) -> Option<(usize, Form)> {
    let variants = union.variants();
    let tagged = matches!(union.tag(), Tag::Key | Tag::Pair(_));
    let is_wrapper = own.fields.is_empty() || matches!(&*own.fields, [field] if field.key == CONTENT);
    if tagged && is_wrapper {
        let wrapped = named(union, &own.name, &|variant, is| {
            let has_content = *variant.shape() != Shape::Null;
            let fits = !matches!(variant.shape(), Shape::Record(_)) && has_content != own.fields.is_empty();
            fits && is(variant.name())
        });
        if let Some(index) = wrapped {
            return Some((index, Form::Wrapped));
        }
    }
    let of_class = named(union, &own.name, &|variant, is| match variant.shape().inner() {
        Shape::Record(record) => is(record.get().name()),
        _ => false,
    });
    let is_tuple = |shape: &Shape| match shape.inner() {
        Shape::Tuple(items) => own.is_tuple() && items.len() == own.fields.len(),
        // Hosts may tell a reader no more of a tuple.
        Shape::List(_) => own.is_tuple(),
        _ => false,
    };
    let holds_map = |shape: &Shape| shape.accepts(Kind::Map);
    // A field of one symbol is a tag.
    let by_tag = || {
        let symbols = own.fields.iter().filter_map(|field| match schema.node(field.node) {
            Node::Enum(names) => schema.names(names).filter(|names| names.len() == 1).map(|names| names.name_at(0)),
            _ => None,
        });
        symbols.filter_map(|symbol| union.index_of(symbol)).find(|index| holds_map(variants[*index].shape()))
    };
    let by_name = || named(union, &own.name, &|variant, is| holds_map(variant.shape()) && is(variant.name()));
    // A name says nothing if there is one variant that it can be.
    let single = || only(union, holds_map).filter(|_| !tagged && !matches!(union.tag(), Tag::Field(_)));
    let found = of_class.or_else(|| only(union, is_tuple)).or_else(by_tag).or_else(by_name).or_else(single);
    found.map(|index| (index, Form::Direct))
}

/// Returns the variant for a value that has no name: the first of its kind, or the first that accepts it.
fn of_kind(node: Node, union: &Union, is_exact: impl Fn(&Shape) -> bool) -> Option<usize> {
    let kind = node.kind()?;
    let find = |fits: &dyn Fn(&Shape) -> bool| union.variants().iter().position(|variant| fits(variant.shape()));
    if kind == Kind::Null {
        return find(&Shape::allows_null);
    }
    let is_any = |shape: &Shape| *shape.inner() == Shape::Any;
    find(&is_exact)
        .or_else(|| find(&|shape| is_of(shape.inner(), kind)))
        .or_else(|| find(&|shape| shape.accepts(kind) && !is_any(shape)))
        // Whatever was written as a string is text to others.
        .or_else(|| find(&|shape| matches!(node, Node::Text(_)) && shape.accepts(Kind::Text) && !is_any(shape)))
        .or_else(|| find(&is_any))
}

/// Whether a shape has values of this kind alone, which have no name.
fn is_of(shape: &Shape, kind: Kind) -> bool {
    match shape {
        Shape::Bool => kind == Kind::Bool,
        Shape::Int(_) => kind == Kind::Int,
        Shape::Float(_) => kind == Kind::Float,
        Shape::Text => kind == Kind::Text,
        Shape::Bytes => kind == Kind::Bytes,
        Shape::Decimal => kind == Kind::Decimal,
        Shape::Date => kind == Kind::Date,
        Shape::Time => kind == Kind::Time,
        Shape::DateTime => kind == Kind::DateTime,
        Shape::Instant => kind == Kind::Instant,
        Shape::Duration => kind == Kind::Duration,
        Shape::Uuid => kind == Kind::Uuid,
        Shape::List(_) => kind == Kind::List,
        Shape::Map(..) => kind == Kind::Map,
        _ => false,
    }
}

/// Returns the only variant whose shape fits.
fn only(union: &Union, fits: impl Fn(&Shape) -> bool) -> Option<usize> {
    single(union.variants().iter().map(|variant| fits(variant.shape())))
}

/// Returns the index of the only true item.
fn single(fits: impl Iterator<Item = bool>) -> Option<usize> {
    let mut fitting = fits.enumerate().filter(|(_, fits)| *fits);
    let first = fitting.next()?;
    fitting.next().is_none().then_some(first.0)
}

/// Calls a function with the name of a variant, if it may be meant.
type Asked<'n> = &'n dyn Fn(&Variant, &mut dyn FnMut(&str) -> bool) -> bool;

/// Returns the only variant that is meant by a name of Avro: exactly; or as a writer of these types names them; or but
/// for cases, for characters other than letters and digits, which Avro does not allow, and for a number, by which types
/// of one name differ.
fn named(union: &Union, own: &str, asked: Asked<'_>) -> Option<usize> {
    let are = |is: &mut dyn FnMut(&str) -> bool| single(union.variants().iter().map(|variant| asked(variant, is)));
    let mut unnamed = Unnamed::default();
    let exact = are(&mut |name| name == own).or_else(|| are(&mut |name| unnamed.unique(name, "") == own));
    if exact.is_some() || union.variants().iter().any(|variant| asked(variant, &mut |name| name == own)) {
        return exact;
    }
    let are_similar = |own: &str| are(&mut |name| is_similar(name, own));
    are_similar(own).or_else(|| {
        let is_number = |number: &str| number.bytes().all(|byte| byte.is_ascii_digit());
        are_similar(own.rsplit_once('_').filter(|(_, number)| is_number(number))?.0)
    })
}

/// Whether two names differ in cases alone, and in characters other than letters and digits.
fn is_similar(name: &str, own: &str) -> bool {
    let letters = |name: &str| -> Vec<u8> {
        name.bytes().filter(u8::is_ascii_alphanumeric).map(|letter| letter.to_ascii_lowercase()).collect()
    };
    !name.is_empty() && letters(name) == letters(own)
}
