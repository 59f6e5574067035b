//! Generates `Shaped`, and the constants that decoding and encoding refer to.

use crate::attributes::SaidNote;
use crate::bounds::{Wanted, bounded};
use crate::input::{Body, Content, Field, Input, Missing, Style, Tagging, Variant};
use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::Path;
use syn::spanned::Spanned;

/// Generates `impl Shaped`, and `Recorded` for a record or `Variants` for a union.
pub(crate) fn expand(input: &Input) -> TokenStream {
    let Input { ident, krate, name, .. } = input;
    let wanted = Wanted { plain: quote!(#krate::Shaped), flat: quote!(#krate::Recorded), defaults: false };
    let generics = bounded(input, &wanted);
    let (impls, types, clause) = generics.split_for_impl();
    let mut more = TokenStream::new();
    let shape = match &input.body {
        Body::Struct(content) if content.style == Style::Record => {
            let record = record(input, name, content, true);
            let keys = keys_of(krate, content);
            let counts = content.moved().map(|(_, field)| {
                let ty = &field.ty;
                if field.flatten { quote!(<#ty as #krate::Recorded>::COUNT) } else { quote!(1) }
            });
            more = quote! {
                #[automatically_derived]
                impl #impls #krate::Recorded for #ident #types #clause {
                    const COUNT: usize = 0 #(+ #counts)*;
                    const KEYS: &'static [#krate::derived::Keys] = #keys;
                    #[inline]
                    fn record() -> &'static #krate::Record {
                        #record
                    }
                }
            };
            if content.flattens() && input.generics.params.is_empty() {
                // For generic types, this can only be checked where they are used.
                more.extend(quote! {
                    const _: () = #krate::derived::distinct_keys(<#ident as #krate::Recorded>::KEYS);
                });
            }
            quote!(&#krate::Shape::Record(#krate::RecordRef::Static(<Self as #krate::Recorded>::record)))
        }
        Body::Struct(content) => content_shape(krate, content),
        Body::Names(variants) => {
            let names = variants.iter().map(|(variant, number)| {
                let name = &variant.name;
                quote!((::std::borrow::Cow::Borrowed(#name), #number))
            });
            let names = quote!(#krate::derived::distinct(const { &[#(#names),*] }));
            quote!(&#krate::Shape::Enum(#krate::Ref::Static(const { &#krate::Enum::fixed(#name, #names) })))
        }
        Body::Union(tagging, variants) => {
            let union = union(input, tagging, variants);
            let records = variants.iter().enumerate().filter(|(_, variant)| variant.content.is_record());
            let records = records.map(|(index, variant)| {
                let record = record(input, &variant.name, &variant.content, false);
                quote!(#index => #record,)
            });
            more = quote! {
                #[automatically_derived]
                impl #impls #krate::derived::Variants for #ident #types #clause {
                    #[inline]
                    fn union() -> &'static #krate::Union {
                        const { &#union }
                    }
                    #[inline]
                    fn record<const INDEX: usize>() -> &'static #krate::Record {
                        match INDEX {
                            #(#records)*
                            _ => ::core::unreachable!("only variants that are records are asked for theirs"),
                        }
                    }
                }
            };
            quote!(&#krate::Shape::Union(#krate::UnionRef::Static(<Self as #krate::derived::Variants>::union)))
        }
    };
    quote! {
        #[automatically_derived]
        impl #impls #krate::Shaped for #ident #types #clause {
            const SHAPE: &'static #krate::Shape = #shape;
        }
        #more
    }
}

/// Generates the shape of fields that are no record.
fn content_shape(krate: &Path, content: &Content) -> TokenStream {
    match (content.style, content.only()) {
        (Style::Newtype, Some(field)) => field_shape(krate, field),
        (Style::Unit, _) => quote!(&#krate::Shape::Null),
        _ => {
            let items = content.moved().map(|(_, field)| field_shape(krate, field));
            let items = quote!(const { &[#(#krate::Ref::Static(#items)),*] });
            quote!(&#krate::Shape::Tuple(#krate::Ref::Static(#items)))
        }
    }
}

fn field_shape(krate: &Path, field: &Field) -> TokenStream {
    let Field { ty, .. } = field;
    match (&field.shape, &field.with) {
        (Some(shape), _) => quote!(const { &#shape }),
        (None, Some(module)) => quote!(const { &#module::SHAPE }),
        (None, None) => quote!(<#ty as #krate::Shaped>::SHAPE),
    }
}

fn union(input: &Input, tagging: &Tagging, variants: &[Variant]) -> TokenStream {
    let Input { krate, name, .. } = input;
    let all = variants.iter().enumerate().map(|(index, variant)| {
        let Variant { name, number, content, .. } = variant;
        let shape = if content.is_record() {
            let record = quote!(<Self as #krate::derived::Variants>::record::<#index>);
            quote!(const { &#krate::Shape::Record(#krate::RecordRef::Static(#record)) })
        } else {
            let shape = content_shape(krate, content);
            quote!(const { #shape })
        };
        quote!(#krate::Variant::fixed(#name, #number, #shape))
    });
    let tag = match tagging {
        Tagging::Key => quote!(#krate::Tag::Key),
        Tagging::None => quote!(#krate::Tag::None),
        Tagging::Field(tag) => quote!(#krate::Tag::Field(::std::borrow::Cow::Borrowed(#tag))),
        Tagging::Pair(tag, content) => {
            let fields = quote! {
                const { &[
                    #krate::Field::fixed(#tag, #tag, &[], 1, &#krate::Shape::Text, true),
                    #krate::Field::fixed(#content, #content, &[], 2, &#krate::Shape::Any, false),
                ] }
            };
            let record = quote!(#krate::Record::fixed("", #fields, &[], #krate::Unknown::Ignore));
            quote!(#krate::Tag::Pair(#krate::Ref::Static(const { &#record })))
        }
    };
    quote!(#krate::Union::fixed(#name, const { &[#(#all),*] }, #tag))
}

/// A run of consecutive fields of a record, or a flattened field.
enum Run<'i> {
    Own(Vec<TokenStream>),
    Flat(&'i Field),
}

/// Generates the record of named fields: a constant, or assembled at first use if it flattens others.
///
/// `recorded`: whether the type's `KEYS` are those of the record.
fn record(input: &Input, name: &str, content: &Content, recorded: bool) -> TokenStream {
    let krate = &input.krate;
    let mut runs = vec![Run::Own(Vec::new())];
    let mut in_order = Vec::new();
    if let Some(tag) = &content.tag {
        let names = quote!(const { &[(::std::borrow::Cow::Borrowed(#name), 1)] });
        let names = quote!(const { &#krate::Enum::fixed("", #names) });
        let shape = quote!(const { &#krate::Shape::Enum(#krate::Ref::Static(#names)) });
        in_order.push(tag.as_str());
        runs = vec![Run::Own(vec![quote!(#krate::Field::fixed(#tag, #tag, &[], 1, #shape, true))])];
    }
    for (_, field) in content.moved() {
        match runs.last_mut() {
            _ if field.flatten => runs.push(Run::Flat(field)),
            Some(Run::Own(fields)) => fields.push(fixed_field(krate, field)),
            _ => runs.push(Run::Own(vec![fixed_field(krate, field)])),
        }
        in_order.push(&field.key);
    }
    let unknown = if input.deny_unknown { quote!(Forbid) } else { quote!(Ignore) };
    let unknown = quote!(#krate::Unknown::#unknown);
    if let [Run::Own(fields)] = &runs[..] {
        let by_key = by_key(&in_order);
        let fields = quote!(const { &[#(#fields),*] });
        return quote!(const { &#krate::Record::fixed(#name, #fields, &[#(#by_key),*], #unknown) });
    }
    let pieces = runs.iter().map(|run| match run {
        Run::Own(fields) => quote!(#krate::derived::Piece::Own(const { &[#(#fields),*] })),
        Run::Flat(Field { name, ty, .. }) => {
            quote!(#krate::derived::Piece::Flat(#name, <#ty as #krate::Recorded>::record()))
        }
    });
    let keys = if recorded { quote!(<Self as #krate::Recorded>::KEYS) } else { keys_of(krate, content) };
    let check = quote!(const { #krate::derived::distinct_keys(#keys) });
    if input.is_generic() {
        return quote! {{
            #check;
            #krate::derived::assembled(#name, &[#(#pieces),*], #unknown)
        }};
    }
    quote! {{
        #check;
        static RECORD: ::std::sync::OnceLock<#krate::Record> = ::std::sync::OnceLock::new();
        RECORD.get_or_init(|| #krate::derived::assemble(#name, &[#(#pieces),*], #unknown))
    }}
}

/// Generates all names that are read as a field of the record.
fn keys_of(krate: &Path, content: &Content) -> TokenStream {
    let key = |key: &str| quote!(#krate::derived::Keys::Key(#key));
    let own = content.moved().flat_map(|(_, field)| {
        let ty = &field.ty;
        if field.flatten {
            return vec![quote!(#krate::derived::Keys::All(<#ty as #krate::Recorded>::KEYS))];
        }
        let aliases = field.aliases.iter().map(|(alias, _)| alias.as_str());
        std::iter::once(field.key.as_str()).chain(aliases).map(key).collect()
    });
    let all = content.tag.as_deref().map(key).into_iter().chain(own);
    quote!(const { &[#(#all),*] })
}

fn fixed_field(krate: &Path, field: &Field) -> TokenStream {
    let Field { name, key, aliases, number, .. } = field;
    let shape = field_shape(krate, field);
    let required = match (&field.missing, &field.with) {
        (Missing::Default | Missing::Value(_), _) => quote!(false),
        (Missing::Type, Some(_)) => quote!(true),
        (Missing::Type, None) => quote!(!#krate::derived::is_optional(#shape)),
    };
    let aliases = aliases.iter().map(|(alias, _)| alias);
    let aliases = quote!(const { &[#(::std::borrow::Cow::Borrowed(#aliases)),*] });
    if field.notes.is_empty() {
        return quote!(#krate::Field::fixed(#name, #key, #aliases, #number, #shape, #required));
    }
    let notes = notes(krate, &field.notes);
    quote!(#krate::Field::fixed_with(#name, #key, #aliases, (#number, #notes), #shape, #required))
}

/// Generates the notes of a field.
///
/// The derive knows no format. So the compiler evaluates which vocabulary an attribute names, whether it has the words,
/// and where one note ends and the next begins. There are at most as many as commas, and one for each text.
fn notes(krate: &Path, notes: &[SaidNote]) -> TokenStream {
    let said = notes.iter().map(|SaidNote { attribute, text }| {
        let vocabulary = if let Some(ident) = attribute.get_ident() {
            let name = ident.to_string();
            quote_spanned!(ident.span()=> #krate::derived::vocabulary(#name))
        } else {
            quote_spanned!(attribute.span()=> &#attribute)
        };
        quote!((#vocabulary, #text))
    });
    let most: usize = notes.iter().map(|note| note.text.value().matches(',').count() + 1).sum();
    let count = notes.first().map(|note| quote_spanned!(note.text.span()=> #krate::derived::noted(SAID)));
    let all = (0..most).map(|index| {
        quote! {{
            let (__place, __note) = #krate::derived::note(SAID, #index);
            (::std::borrow::Cow::Borrowed(__place), ::std::borrow::Cow::Borrowed(__note))
        }}
    });
    quote! {
        const {
            const SAID: &[(&'static #krate::Vocabulary, &'static str)] = &[#(#said),*];
            const COUNT: usize = #count;
            const ALL: &[#krate::Note] = &[#(#all),*];
            ALL.split_at(COUNT).0
        }
    }
}

/// Records with fewer fields are searched linearly, as `Record` documents.
const FEW: usize = 8;

/// Returns the indices of the fields sorted by key.
fn by_key(keys: &[&str]) -> Vec<u16> {
    let mut indices: Vec<u16> = (0..=u16::MAX).take(keys.len()).collect();
    indices.sort_by_key(|&index| keys[usize::from(index)]);
    if keys.len() <= FEW { Vec::new() } else { indices }
}
