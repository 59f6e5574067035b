//! Derives Demat's `Encode` and `Decode` for structs and enums.
//!
//! Use it through the `demat` crate, whose tutorial shows how; [`Decode`] lists all attributes.
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

/// Derives `Decode`: the code that asks a source for a value. It gives the type its shape, too.
///
/// ```
/// use demat::{Decode, Encode, Value};
///
/// #[derive(Debug, PartialEq, Encode, Decode)]
/// #[demat(rename_all = "camelCase")]
/// struct Task {
///     title: String,
///     #[demat(default)]
///     is_done: bool,
///     due: Option<u64>,
/// }
///
/// let value = Value::Map(vec![(Value::Text("title".into()), Value::Text("sleep".into()))]);
/// let task: Task = value.to()?;
/// assert_eq!(task, Task { title: "sleep".to_string(), is_done: false, due: None });
/// assert_eq!(Value::of(&task)?.get("isDone"), Some(&Value::Bool(false)));
/// # Ok::<(), demat::Error>(())
/// ```
///
/// # What becomes what
///
/// | type | shape |
/// |---|---|
/// | `struct Point { x: f64, y: f64 }` | a record |
/// | `struct Metres(f64)` | that of its field |
/// | `struct Pair(f64, f64)` | a tuple |
/// | `struct Unit;` | null |
/// | `enum Colour { Red, Green }` | an enum: names, and as numbers the discriminants |
/// | `enum Figure { Circle { radius: f64 }, Empty }` | a union |
///
/// # On the type
///
/// | attribute | means |
/// |---|---|
/// | `rename = "Name"` | the name of the shape |
/// | `rename_all = "camelCase"` | how fields (of an enum: variants) are written; also `PascalCase`, `snake_case`, `SCREAMING_SNAKE_CASE`, `kebab-case`, `lowercase`, `UPPERCASE` |
/// | `deny_unknown` | a field that the record does not have is an error |
/// | `tag = "kind"` | of an enum: `{"kind": "Circle", "radius": 1}` instead of `{"Circle": {"radius": 1}}` |
/// | `tag = "kind", content = "value"` | of an enum: `{"kind": "Circle", "value": {"radius": 1}}` |
/// | `untagged` | of an enum: the first variant that fits |
/// | `crate = path` | where the `demat` crate is |
///
/// # On a variant
///
/// | attribute | means |
/// |---|---|
/// | `rename = "name"` | its name outside |
/// | `rename_all = "camelCase"` | how its fields are written |
/// | `number = 3` | its number; its position from 1 (of an enum without content: its discriminant) if it is not given |
///
/// # On a field
///
/// | attribute | means |
/// |---|---|
/// | `rename = "name"` | its name outside |
/// | `alias = "name"` | a further name that is read; there may be several |
/// | `number = 3` | its number; its position from 1 if it is not given |
/// | `wire = "sint32"` | what it is in Protocol Buffers, where the type alone does not say: `sint32`, `fixed64`, `bytes`, `key fixed32` for the keys of a map, `expanded` for a list that is not packed, `group`, `ipv4`, `ip` and `ip_port` for network addresses, `oneof` for an enum whose variants are numbered as the fields are, `required`; there may be several |
/// | `default` | it may be missing and is `Default::default()` then |
/// | `default = value` | the same with a value: any expression; a path to a name in lower case is a function that is called |
/// | `skip` | it is not moved; decoded it has its default |
/// | `skip_if = "Option::is_none"` | it is not encoded if the function says so of a reference to it |
/// | `flatten` | the fields of a struct stand in place of it; a map from `String` keeps the fields that are unknown |
/// | `with = "module"` | `module::encode(&T, sink)` and `module::decode(source)` do it, and `module::SHAPE` is its shape |
/// | `shape = Shape::Text` | beside `with`: the shape, in place of `module::SHAPE` |
///
/// A field of type `Option` may be missing. `PhantomData` is always skipped. Flattened fields have the numbers that
/// follow on the largest of the struct's own.
#[proc_macro_derive(Decode, attributes(demat))]
pub fn derive_decode(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input), |input| {
        let (shape, decode) = (shape::expand(input), decode::expand(input));
        quote!(#shape #decode)
    })
}

/// Derives `Encode`: the code that tells a value to a sink. The attributes are those of [`Decode`].
///
/// The shape comes from `Decode`; a type that is only ever encoded derives [`Shaped`] instead:
///
/// ```
/// use demat::{Encode, Shaped, Value};
///
/// #[derive(Shaped, Encode)]
/// struct Answer<'a> {
///     text: &'a str,
/// }
///
/// assert_eq!(Value::of(&Answer { text: "42" })?.get("text"), Some(&Value::Text("42".into())));
/// # Ok::<(), demat::Error>(())
/// ```
#[proc_macro_derive(Encode, attributes(demat))]
pub fn derive_encode(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input), encode::expand)
}

/// Derives `Shaped` alone, for types that are not decoded. The attributes are those of [`Decode`].
///
/// ```
/// use demat::{Shape, Shaped};
///
/// #[derive(Shaped)]
/// struct Metres(f64);
///
/// assert_eq!(Metres::SHAPE, f64::SHAPE);
/// ```
#[proc_macro_derive(Shaped, attributes(demat))]
pub fn derive_shaped(input: TokenStream) -> TokenStream {
    expand(parse_macro_input!(input), shape::expand)
}

fn expand(input: DeriveInput, write: impl FnOnce(&Input) -> proc_macro2::TokenStream) -> TokenStream {
    let written = match Input::parse(input) {
        Ok(input) => write(&input),
        Err(error) => return error.into_compile_error().into(),
    };
    // Few lints look into expansions, and what these find is no fault: fields of a record that has none, the last step
    // of a count, a field that its own crate has deprecated.
    quote! {
        #[allow(unreachable_code, unused_assignments, deprecated, clippy::needless_question_mark)]
        const _: () = {
            #written
        };
    }
    .into()
}
