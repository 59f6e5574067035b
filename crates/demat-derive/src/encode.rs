//! Generates `Encode`: the code that writes to a sink.

use crate::bounds::{Wanted, bounded};
use crate::input::{Body, Content, Field, Input, Style, Tagging, Variant};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Path;

/// Generates `impl Encode`, and `EncodeFields` for a record.
pub(crate) fn expand(input: &Input) -> TokenStream {
    let Input { ident, krate, .. } = input;
    let wanted = Wanted { plain: quote!(#krate::Encode), flat: quote!(#krate::EncodeFields), defaults: false };
    let generics = bounded(input, &wanted);
    let (impls, types, clause) = generics.split_for_impl();
    let mut more = TokenStream::new();
    let told = match &input.body {
        Body::Struct(content) => {
            let values: Vec<_> = content.moved().map(|(_, Field { member, .. })| quote!(&self.#member)).collect();
            if content.style == Style::Record {
                let fields = fields(krate, content, &values, Some(&quote!(__first)));
                more = quote! {
                    #[automatically_derived]
                    impl #impls #krate::EncodeFields for #ident #types #clause {
                        fn encode_fields<__Sink: #krate::Sink + ?::core::marker::Sized>(
                            &self,
                            __record: &#krate::Record,
                            __first: usize,
                            __sink: &mut __Sink,
                        ) -> #krate::Result<()> {
                            #fields
                            ::core::result::Result::Ok(())
                        }
                    }
                };
            }
            content_told(krate, content, &values, &quote!(<Self as #krate::Recorded>::record()))
        }
        Body::Names(variants) => {
            let arms =
                variants.iter().enumerate().map(|(index, (Variant { ident, .. }, _))| quote!(Self::#ident => #index,));
            quote! {
                let __index = match self { #(#arms)* };
                #krate::Sink::variant(
                    __sink,
                    const { #krate::derived::names(<Self as #krate::Shaped>::SHAPE) },
                    __index,
                )?;
            }
        }
        Body::Union(tagging, variants) => union(krate, tagging, variants),
    };
    let inline = input.inline();
    quote! {
        #[automatically_derived]
        impl #impls #krate::Encode for #ident #types #clause {
            #inline
            fn encode<__Sink: #krate::Sink + ?::core::marker::Sized>(
                &self,
                __sink: &mut __Sink,
            ) -> #krate::Result<()> {
                #told
                ::core::result::Result::Ok(())
            }
        }
        #more
    }
}

/// Generates code that writes fields. `values` are references to those that are not skipped.
fn content_told(krate: &Path, content: &Content, values: &[TokenStream], record: &TokenStream) -> TokenStream {
    if content.is_record() {
        let fields = fields(krate, content, values, None);
        return quote! {
            let __record = #record;
            #krate::Sink::begin_record(__sink, __record)?;
            #fields
            #krate::Sink::end_record(__sink, __record)?;
        };
    }
    match (content.style, content.only()) {
        (Style::Unit, _) => quote!(#krate::Sink::null(__sink)?;),
        (Style::Newtype, Some(field)) => {
            let told = told(krate, field, &values[0]);
            quote!(#told?;)
        }
        _ => {
            let count = values.len();
            let items = content.moved().map(|(index, field)| {
                let told = told(krate, field, &values[index]);
                quote! {
                    #krate::Sink::item(__sink)?;
                    #told.map_err(|__error| __error.within_item(#index))?;
                }
            });
            quote! {
                #krate::Sink::begin_list(__sink, ::core::option::Option::Some(#count))?;
                #(#items)*
                #krate::Sink::end_list(__sink)?;
            }
        }
    }
}

fn told(krate: &Path, field: &Field, value: &TokenStream) -> TokenStream {
    let encode = field.with.as_ref().map(|module| quote!(#module::encode));
    let encode = encode.unwrap_or_else(|| quote!(#krate::Encode::encode));
    quote!(#encode(#value, __sink))
}

/// Generates code that writes the fields of a record; from index `first` on, if they are part of another record.
///
/// Only its type knows how many fields a flattened field stands for, so the code adds up the index. It is still a
/// constant.
fn fields(krate: &Path, content: &Content, values: &[TokenStream], first: Option<&TokenStream>) -> TokenStream {
    let counts = content.flattens();
    let start = first.map_or_else(|| quote!(0usize), Clone::clone);
    let mut own = 0usize;
    let mut told_all = if counts { quote!(let mut __at = #start;) } else { TokenStream::new() };
    let index = |own: &mut usize| {
        let here = *own;
        *own += 1;
        match (counts, first) {
            (true, _) => quote!(__at),
            (false, Some(first)) => quote!(#first + #here),
            (false, None) => quote!(#here),
        }
    };
    let step = |count: TokenStream| if counts { quote!(__at += #count;) } else { TokenStream::new() };
    if let Some(tag) = &content.tag {
        let index = index(&mut own);
        let step = step(quote!(1));
        told_all.extend(quote! {
            #krate::Sink::field(__sink, __record, #index)?;
            #krate::Sink::variant(__sink, #krate::derived::names(__record.fields()[0].shape()), 0)
                .map_err(|__error| __error.within_field(#tag))?;
            #step
        });
    }
    for (at, field) in content.moved() {
        let value = &values[at];
        let Field { ty, name, .. } = field;
        if field.flatten {
            let step = step(quote!(<#ty as #krate::Recorded>::COUNT));
            told_all.extend(quote! {
                #krate::EncodeFields::encode_fields(#value, __record, __at, __sink)?;
                #step
            });
            continue;
        }
        let index = index(&mut own);
        let told = told(krate, field, value);
        let mut one = quote! {
            #krate::Sink::field(__sink, __record, #index)?;
            #told.map_err(|__error| __error.within_field(#name))?;
        };
        if let Some(skip_if) = &field.skip_if {
            one = quote!(if !(#skip_if)(#value) { #one });
        }
        let step = step(quote!(1));
        told_all.extend(quote!(#one #step));
    }
    told_all
}

fn union(krate: &Path, tagging: &Tagging, variants: &[Variant]) -> TokenStream {
    let tagged = !matches!(tagging, Tagging::None);
    let arms = variants.iter().enumerate().map(|(index, Variant { ident, content, .. })| {
        let bindings: Vec<_> = content.moved().map(|(index, _)| format_ident!("__b{index}")).collect();
        let values: Vec<_> = bindings.iter().map(|binding| quote!(#binding)).collect();
        let members = content.moved().map(|(_, field)| &field.member);
        let record = quote!(<Self as #krate::derived::Variants>::record::<#index>());
        let content = match content.style {
            Style::Unit if tagged && !content.is_record() => TokenStream::new(),
            Style::Newtype if tagged && !content.is_record() => {
                let told = content_told(krate, content, &values, &record);
                quote!(if !__union.variants()[#index].is_empty() { #told })
            }
            _ => content_told(krate, content, &values, &record),
        };
        quote! {
            Self::#ident { #(#members: #bindings,)* .. } => {
                #krate::Sink::begin_variant(__sink, __union, #index)?;
                #content
                #krate::Sink::end_variant(__sink, __union, #index)?;
            }
        }
    });
    quote! {
        let __union = <Self as #krate::derived::Variants>::union();
        match self {
            #(#arms)*
        }
    }
}
