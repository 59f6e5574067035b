//! Generates `Decode`: the code that reads a source.

mod record;

use crate::bounds::{Wanted, bounded, with_input};
use crate::input::{Body, Content, Field, Input, Style, Tagging, Variant};
use proc_macro2::TokenStream;
use quote::quote;
use syn::Path;

/// Generates `impl Decode`, and `DecodeFields` for a record.
pub(crate) fn expand(input: &Input) -> TokenStream {
    let Input { ident, krate, .. } = input;
    let wanted =
        Wanted { plain: quote!(#krate::Decode<'__de>), flat: quote!(#krate::DecodeFields<'__de>), defaults: true };
    let generics = with_input(bounded(input, &wanted));
    let (impls, _, clause) = generics.split_for_impl();
    let (_, types, _) = input.generics.split_for_impl();
    let mut missing = TokenStream::new();
    let mut more = TokenStream::new();
    let decoded = match &input.body {
        Body::Struct(content) => {
            if content.style == Style::Record {
                more = record::fields(input, content, &generics);
            }
            if let (Style::Newtype, Some(Field { ty, with: None, .. })) = (content.style, content.only()) {
                let value =
                    construct(&quote!(Self), content, |_, _| quote!(<#ty as #krate::Decode<'__de>>::missing(__key)?));
                missing = quote! {
                    fn missing(__key: &str) -> #krate::Result<Self> {
                        ::core::result::Result::Ok(#value)
                    }
                };
            }
            content_value(krate, &quote!(Self), content, &quote!(<Self as #krate::Recorded>::record()))
        }
        Body::Names(variants) => {
            let arms =
                variants.iter().enumerate().map(|(index, (Variant { ident, .. }, _))| quote!(#index => Self::#ident,));
            quote! {
                match #krate::Source::variant(
                    __source,
                    const { #krate::derived::names(<Self as #krate::Shaped>::SHAPE) },
                )? {
                    #(#arms)*
                    __other => return ::core::result::Result::Err(#krate::derived::no_such_variant(__other)),
                }
            }
        }
        Body::Union(tagging, variants) => union(krate, tagging, variants),
    };
    let inline = input.inline();
    quote! {
        #[automatically_derived]
        impl #impls #krate::Decode<'__de> for #ident #types #clause {
            #inline
            fn decode<__Source: #krate::Source<'__de> + ?::core::marker::Sized>(
                __source: &mut __Source,
            ) -> #krate::Result<Self> {
                ::core::result::Result::Ok(#decoded)
            }
            #missing
        }
        #more
    }
}

/// Generates the value of fields from a constructor. `record` is an expression for their record, if they are one.
fn content_value(krate: &Path, constructor: &TokenStream, content: &Content, record: &TokenStream) -> TokenStream {
    if content.is_record() {
        return record::value(krate, constructor, content, record);
    }
    match content.style {
        Style::Unit => quote! {{
            <() as #krate::Decode<'__de>>::decode(__source)?;
            #constructor
        }},
        Style::Newtype => construct(constructor, content, |_, field| {
            let asked = ask(krate, field);
            quote!(#asked?)
        }),
        _ => tuple(krate, constructor, content),
    }
}

fn tuple(krate: &Path, constructor: &TokenStream, content: &Content) -> TokenStream {
    let count = content.moved().count();
    let value = construct(constructor, content, |index, field| {
        let asked = ask_within(krate, field, &quote!(within_item(#index)));
        quote! {{
            if !#krate::Source::item(__source)? {
                return ::core::result::Result::Err(
                    #krate::derived::wrong_count(#count, #index).at(#krate::Source::position(__source)),
                );
            }
            #asked
        }}
    });
    quote! {{
        #krate::Source::list(__source)?;
        let __value = #value;
        if #krate::Source::item(__source)? {
            return ::core::result::Result::Err(
                #krate::derived::wrong_count(#count, #count + 1).at(#krate::Source::position(__source)),
            );
        }
        __value
    }}
}

/// Generates a constructor call with the fields in order. `value` generates those that are not skipped.
fn construct(
    constructor: &TokenStream,
    content: &Content,
    mut value: impl FnMut(usize, &Field) -> TokenStream,
) -> TokenStream {
    let mut moved = 0;
    let values = content.fields.iter().map(|field| {
        let member = &field.member;
        if field.skip {
            let value = field.missing.value();
            return quote!(#member: #value);
        }
        let value = value(moved, field);
        moved += 1;
        quote!(#member: #value)
    });
    quote!(#constructor { #(#values),* })
}

/// Generates the call that reads a field's value.
fn ask(krate: &Path, field: &Field) -> TokenStream {
    let ty = &field.ty;
    let decode = field.with.as_ref().map(|module| quote!(#module::decode));
    let decode = decode.unwrap_or_else(|| quote!(<#ty as #krate::Decode<'__de>>::decode));
    quote!(#decode(__source))
}

/// As [`ask`], but unwraps the value, and returns errors with a step added to their path.
fn ask_within(krate: &Path, field: &Field, step: &TokenStream) -> TokenStream {
    let asked = ask(krate, field);
    quote! {
        match #asked {
            ::core::result::Result::Ok(__value) => __value,
            ::core::result::Result::Err(__error) => {
                return ::core::result::Result::Err(__error.#step);
            }
        }
    }
}

fn union(krate: &Path, tagging: &Tagging, variants: &[Variant]) -> TokenStream {
    let tagged = !matches!(tagging, Tagging::None);
    let arms = variants.iter().enumerate().map(|(index, Variant { ident, content, .. })| {
        let constructor = quote!(Self::#ident);
        let record = quote!(<Self as #krate::derived::Variants>::record::<#index>());
        let value = match (content.style, content.only()) {
            // The source has identified the variant, and it has no content to read.
            (Style::Unit, _) if tagged && !content.is_record() => constructor,
            (Style::Newtype, Some(Field { with: None, ty, .. })) if tagged && !content.is_record() => {
                let value = content_value(krate, &constructor, content, &record);
                let nothing =
                    construct(&constructor, content, |_, _| quote!(#krate::derived::decode_nothing::<#ty>()?));
                quote!(if __union.variants()[#index].is_empty() { #nothing } else { #value })
            }
            _ => content_value(krate, &constructor, content, &record),
        };
        quote!(#index => #value,)
    });
    let matched = quote! {
        match __index {
            #(#arms)*
            __other => return ::core::result::Result::Err(#krate::derived::no_such_variant(__other)),
        }
    };
    let boxed = match tagging {
        Tagging::None => {
            return quote! {
                #krate::derived::decode_untagged(
                    __source,
                    <Self as #krate::derived::Variants>::union(),
                    |__source: &mut __Source, __index: usize| -> #krate::Result<Self> {
                        ::core::result::Result::Ok(#matched)
                    },
                )?
            };
        }
        Tagging::Key => quote!(#krate::Source::peek(__source)? == #krate::Kind::Map),
        Tagging::Field(_) | Tagging::Pair(..) => quote!(true),
    };
    quote! {{
        let __union = <Self as #krate::derived::Variants>::union();
        let __boxed = #boxed;
        let __index = #krate::Source::choose(__source, __union)?;
        let __value = #matched;
        #krate::Source::chosen(__source, __union, __index, __boxed)?;
        __value
    }}
}
