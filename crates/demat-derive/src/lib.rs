//! Derives Demat's `Encode` and `Decode` for structs and enums.
//!
//! Use it through the `demat` crate, whose tutorial shows how, and which has the examples; [`Decode`] lists all attributes.
#![forbid(unsafe_code)]

mod attributes;
mod bounds;
mod case;
mod decode;
mod encode;
mod input;
mod shape;

use input::Input;
use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_macro_input};

/// Derives `Decode`, the code that reads a value from a source, and `Shaped`, the type's shape.
///
/// # Shapes of types
///
/// | type | shape |
/// |---|---|
/// | `struct Point { x: f64, y: f64 }` | a record |
/// | `struct Metres(f64)` | the shape of its field |
/// | `struct Pair(f64, f64)` | a tuple |
/// | `struct Unit;` | null |
/// | `enum Colour { Red, Green }` | an enum: names, with the discriminants as numbers |
/// | `enum Figure { Circle { radius: f64 }, Empty }` | a union |
///
/// # Attributes of the type
///
/// | attribute | means |
/// |---|---|
/// | `rename = "Name"` | the name of the shape |
/// | `rename_all = "camelCase"` | the case of the fields' names (of an enum: the variants'); also `PascalCase`,
/// `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `lowercase`, `UPPERCASE` |
/// | `deny_unknown` | an unknown field is an error |
/// | `tag = "kind"` | of an enum: `{"kind": "Circle", "radius": 1}` instead of `{"Circle": {"radius": 1}}` |
/// | `tag = "kind", content = "value"` | of an enum: `{"kind": "Circle", "value": {"radius": 1}}` |
/// | `untagged` | of an enum: the first variant that fits |
/// | `crate = path` | the path of the `demat` crate |
///
/// # Attributes of a variant
///
/// | attribute | means |
/// |---|---|
/// | `rename = "name"` | its external name |
/// | `rename_all = "camelCase"` | the case of its fields' names |
/// | `number = 3` | its number; by default its position from 1 (in an enum without content, its discriminant) |
///
/// # Attributes of a field
///
/// | attribute | means |
/// |---|---|
/// | `rename = "name"` | its external name |
/// | `alias = "name"` | an additional name for reading; may be repeated |
/// | `number = 3` | its number; by default its position from 1 |
/// | `xml = "attribute"`, `wire = "sint32"`, … | [notes](#notes) for a format |
/// | `default` | optional; `Default::default()` if it is missing |
/// | `default = value` | optional, with this default: any expression; a path to a lower-case name is a function to call
/// |
/// | `skip` | neither encoded nor decoded; decoding sets its default |
/// | `skip_if = "Option::is_none"` | not encoded if the function returns true for a reference to it |
/// | `flatten` | replaced by the fields of the struct; a map from `String` keeps unknown fields |
/// | `with = "module"` | encoded by `module::encode(&T, sink)` and decoded by `module::decode(source)`, with the shape
/// `module::SHAPE` |
/// | `shape = Shape::Text` | together with `with`: the shape, in place of `module::SHAPE` |
///
/// # Notes
///
/// Notes say what only one format needs to know of a field, in the words of that format. Commas separate several; the
/// attribute may be repeated. A word that the format does not know is an error of the compiler.
///
/// | attribute | for | says |
/// |---|---|---|
/// | `wire = "…"` | Protocol Buffers, and their text format | the type, if the Rust type does not determine it: `sint32`,
/// `fixed64`, `bytes`, `key fixed32` for the keys of a map, `expanded` for a list that is not packed, `group`, `ipv4`,
/// `ip` and `ip_port` for network addresses, `oneof` for an enum whose variants are numbered like fields, `required` |
/// | `xml = "…"` | XML | the part of the element: `attribute`, `text`, `wrapped book` for a list in an element of its
/// own, `mixed`, `choice`, `name`; `namespace http://…`, as the last one |
/// | `nbt = "…"` | NBT, SNBT and region files | the tag of its numbers or arrays: `byte`, `long_array`, … |
/// | `msgpack = "ext"` | MessagePack | the field `code` of a record of `code` and `data`: an extension type |
/// | `sql = "…"` | tables of SQLite | `key`, `unique`, `index`, `references people(id)`, `type VARCHAR(9)`, … |
/// | `path::to::VOCABULARY = "…"` | a format of another crate, which has this constant `Vocabulary` | its words |
///
/// A field of type `Option` is optional. `PhantomData` is always skipped. The numbers of flattened fields follow the
/// largest of the struct's own.
#[proc_macro_derive(Decode, attributes(demat))]
pub fn derive_decode(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input), |input| {
        let (shape, decode) = (shape::expand(input), decode::expand(input));
        quote!(#shape #decode)
    })
}

/// Derives `Encode`, the code that writes a value to a sink. The attributes are those of [`Decode`].
///
/// The shape comes from `Decode`; a type that is only encoded derives [`Shaped`] instead.
#[proc_macro_derive(Encode, attributes(demat))]
pub fn derive_encode(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input), encode::expand)
}

/// Derives only `Shaped`, for types that are not decoded. The attributes are those of [`Decode`].
///
#[proc_macro_derive(Shaped, attributes(demat))]
pub fn derive_shaped(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input), shape::expand)
}

fn expand(input: DeriveInput, write: impl FnOnce(&Input) -> proc_macro2::TokenStream) -> TokenStream {
    let written = match Input::parse(input) {
        Ok(input) => write(&input),
        Err(error) => return error.into_compile_error().into(),
    };
    // These lints also apply to expansions, and find harmless code: records without fields, the last step of a count,
    // deprecated fields of the type's own crate.
    quote! {
        #[allow(unreachable_code, unused_assignments, deprecated, clippy::needless_question_mark)]
        const _: () = {
            #written
        };
    }
    .into()
}
