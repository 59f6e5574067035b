//! Generates the decoding of records: first in the predicted order of fields, then in any order.

use super::{ask_within, construct};
use crate::input::{Content, Field, Input, Missing};
use proc_macro2::{Group, TokenStream, TokenTree};
use quote::{format_ident, quote};
use syn::{Generics, Path};

/// Generates code that reads the fields of a record and builds the value.
pub(super) fn value(krate: &Path, constructor: &TokenStream, content: &Content, record: &TokenStream) -> TokenStream {
    let slots: Vec<_> = content.moved().map(|(index, _)| format_ident!("__f{index}")).collect();
    let types = content.moved().map(|(_, field)| slot_type(krate, field));
    let tag = content.tag.iter().map(|_| quote!(let mut __tag = ::core::option::Option::<()>::None;));
    let places: Vec<_> = slots.iter().map(|slot| quote!(#slot)).collect();
    let asked = if content.flattens() {
        let any = any(krate, content, &places, &quote!(__index));
        quote! {
            let mut __expected = 0;
            while let ::core::option::Option::Some(__index) = #krate::Source::field(__source, __record, __expected)? {
                __expected = __index + 1;
                #any
            }
        }
    } else {
        let steps = entries(content, &places).enumerate().map(|(index, entry)| {
            let next = index + 1;
            let taken = entry.take(krate);
            quote! {
                if __at == ::core::option::Option::Some(#index) {
                    #taken
                    __at = #krate::Source::field(__source, __record, #next)?;
                }
            }
        });
        let any = any(krate, content, &places, &quote!(__index));
        quote! {
            let mut __at = #krate::Source::field(__source, __record, 0)?;
            #(#steps)*
            while let ::core::option::Option::Some(__index) = __at {
                #any
                __at = #krate::Source::field(__source, __record, __index + 1)?;
            }
        }
    };
    let at = quote!(.map_err(|__error| __error.at(#krate::Source::position(__source))));
    let value = construct(constructor, content, |index, field| finished(krate, field, &places[index], &at));
    quote! {{
        let __record = #record;
        #(#tag)*
        #(let mut #slots: #types = ::core::default::Default::default();)*
        #krate::Source::record(__source, __record)?;
        #asked
        #value
    }}
}

/// Generates `impl DecodeFields`, and the type of its parts. `generics` are those of the implementation.
///
/// The parts are a type of their own, since a public trait can't show the types of private fields.
pub(super) fn fields(input: &Input, content: &Content, generics: &Generics) -> TokenStream {
    let Input { ident, krate, .. } = input;
    let (impls, de_types, clause) = generics.split_for_impl();
    let (_, own_types, _) = input.generics.split_for_impl();
    let types: Vec<_> = content.moved().map(|(_, field)| slot_type(krate, field)).collect();
    let (parts, paths) = nested(&types);
    let parts = without_self(parts, &quote!(#ident #own_types));
    let lifetimes = generics.lifetimes().map(|param| &param.lifetime);
    let params = generics.type_params().map(|param| &param.ident);
    let unused = quote! {
        ::core::marker::PhantomData<(#(&#lifetimes (),)* #(::core::marker::PhantomData<#params>,)*)>
    };
    let places: Vec<_> = paths.iter().map(|path| quote!(__parts.0 #path)).collect();
    let any = any(krate, content, &places, &quote!(__index));
    let value =
        construct(&quote!(Self), content, |index, field| finished(krate, field, &places[index], &TokenStream::new()));
    quote! {
        #[allow(unreachable_pub, private_bounds)]
        pub struct __Parts #impls (#parts, #unused) #clause;

        #[automatically_derived]
        impl #impls ::core::default::Default for __Parts #de_types #clause {
            #[inline]
            fn default() -> Self {
                Self(::core::default::Default::default(), ::core::marker::PhantomData)
            }
        }

        #[automatically_derived]
        impl #impls #krate::DecodeFields<'__de> for #ident #own_types #clause {
            type Parts = __Parts #de_types;

            fn decode_field<__Source: #krate::Source<'__de> + ?::core::marker::Sized>(
                __parts: &mut Self::Parts,
                __index: usize,
                __source: &mut __Source,
            ) -> #krate::Result<()> {
                #any
                ::core::result::Result::Ok(())
            }

            fn finish(__parts: Self::Parts) -> #krate::Result<Self> {
                ::core::result::Result::Ok(#value)
            }
        }
    }
}

/// Replaces `Self` in types, which would be the type of the parts in there.
fn without_self(tokens: TokenStream, itself: &TokenStream) -> TokenStream {
    let replaced = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => itself.clone(),
        TokenTree::Group(group) => {
            let mut new = Group::new(group.delimiter(), without_self(group.stream(), itself));
            new.set_span(group.span());
            TokenTree::Group(new).into()
        }
        other => other.into(),
    });
    replaced.collect()
}

/// Returns the type of the variable that holds a field until all are decoded.
fn slot_type(krate: &Path, field: &Field) -> TokenStream {
    let Field { ty, .. } = field;
    if field.flatten {
        quote!(<#ty as #krate::DecodeFields<'__de>>::Parts)
    } else {
        quote!(::core::option::Option<#ty>)
    }
}

/// The maximum length of a tuple that implements `Default`.
const MOST: usize = 12;

/// Returns types as nested tuples, with the path to each. Longer tuples do not implement `Default`, and a generated
/// struct would need the type's bounds.
fn nested(types: &[TokenStream]) -> (TokenStream, Vec<TokenStream>) {
    if types.len() <= MOST {
        let paths = (0..types.len()).map(syn::Index::from).map(|index| quote!(.#index)).collect();
        return (quote!((#(#types,)*)), paths);
    }
    let mut chunk = MOST;
    while types.len().div_ceil(chunk) > MOST {
        chunk *= MOST;
    }
    let mut parts = Vec::new();
    let mut paths = Vec::new();
    for (index, chunk) in types.chunks(chunk).enumerate() {
        let index = syn::Index::from(index);
        let (part, inner) = nested(chunk);
        parts.push(part);
        paths.extend(inner.into_iter().map(|path| quote!(.#index #path)));
    }
    (quote!((#(#parts,)*)), paths)
}

/// A field with its own index in the record: the tag, or a field that is not flattened.
enum Entry<'i> {
    Tag(&'i str),
    Own(&'i Field, &'i TokenStream),
}

fn entries<'i>(content: &'i Content, places: &'i [TokenStream]) -> impl Iterator<Item = Entry<'i>> {
    let own = content.moved().zip(places).filter(|((_, field), _)| !field.flatten);
    content.tag.as_deref().map(Entry::Tag).into_iter().chain(own.map(|((_, field), place)| Entry::Own(field, place)))
}

impl Entry<'_> {
    /// Generates code that decodes the value into its variable.
    fn take(&self, krate: &Path) -> TokenStream {
        match self {
            Self::Tag(tag) => quote! {
                __tag = ::core::option::Option::Some(
                    #krate::Source::variant(__source, #krate::derived::names(__record.fields()[0].shape()))
                        .map(::core::mem::drop)
                        .map_err(|__error| __error.within_field(#tag))?,
                );
            },
            Self::Own(field, place) => {
                let name = &field.name;
                let asked = ask_within(krate, field, &quote!(within_field(#name)));
                quote!(#place = ::core::option::Option::Some(#asked);)
            }
        }
    }

    /// As [`take`](Self::take), for a field that may have occurred before: the last one wins.
    fn take_again(&self, krate: &Path) -> TokenStream {
        let (place, key) = match self {
            Self::Tag(tag) => (quote!(__tag), *tag),
            Self::Own(field, place) => ((*place).clone(), field.key.as_str()),
        };
        let taken = self.take(krate);
        quote! {
            if #place.is_some() {
                #krate::Source::repeated(__source, #key)?;
            }
            #taken
        }
    }
}

/// Generates code that decodes the field with this index.
///
/// A flattened field has as many indices as its record has fields, which only its type knows. So the code compares the
/// index with one run of fields after the other.
fn any(krate: &Path, content: &Content, places: &[TokenStream], index: &TokenStream) -> TokenStream {
    let refuse = quote!(return ::core::result::Result::Err(#krate::derived::no_such_field(#index)));
    let arm = |(at, entry): (usize, Entry<'_>)| {
        let taken = entry.take_again(krate);
        quote!(#at => { #taken })
    };
    if !content.flattens() {
        let arms = entries(content, places).enumerate().map(arm);
        return quote!(match #index { #(#arms)* _ => #refuse, });
    }
    let close = |run: &mut Vec<Entry<'_>>| {
        let len = run.len();
        let arms = run.drain(..).enumerate().map(arm);
        quote! {
            match __left { #(#arms)* _ => {} }
            if __left < #len { break '__taken; }
            __left -= #len;
        }
    };
    let mut runs = TokenStream::new();
    let mut run: Vec<_> = content.tag.as_deref().map(Entry::Tag).into_iter().collect();
    for ((_, field), place) in content.moved().zip(places) {
        if !field.flatten {
            run.push(Entry::Own(field, place));
            continue;
        }
        let ty = &field.ty;
        runs.extend(close(&mut run));
        runs.extend(quote! {
            let __count = <#ty as #krate::Recorded>::COUNT;
            if __left < __count {
                <#ty as #krate::DecodeFields<'__de>>::decode_field(&mut #place, __left, __source)?;
                break '__taken;
            }
            __left -= __count;
        });
    }
    runs.extend(close(&mut run));
    quote! {
        '__taken: {
            let mut __left = #index;
            #runs
            #refuse;
        }
    }
}

/// Generates the final value of a field after all fields of the input. `at` adds the location to the error for a
/// missing field.
fn finished(krate: &Path, field: &Field, place: &TokenStream, at: &TokenStream) -> TokenStream {
    let Field { ty, key, .. } = field;
    if field.flatten {
        return quote!(<#ty as #krate::DecodeFields<'__de>>::finish(#place)#at?);
    }
    let missing = match (&field.missing, &field.with) {
        (Missing::Type, None) => quote!(<#ty as #krate::Decode<'__de>>::missing(#key)#at?),
        (Missing::Type, Some(_)) => quote! {
            return ::core::result::Result::Err(#krate::Error::missing(#key))#at
        },
        (missing, _) => missing.value(),
    };
    quote! {
        match #place {
            ::core::option::Option::Some(__value) => __value,
            ::core::option::Option::None => #missing,
        }
    }
}
