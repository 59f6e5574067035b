//! Parses the deriving type into the form that the generators need.

mod check;
mod fields;

pub(crate) use fields::{Content, Field, Missing, Style};

use crate::attributes::{ContainerAttributes, VariantAttributes};
use fields::Context;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DataEnum, DeriveInput, Generics, Ident, Path, parse_quote};

/// A struct or enum.
pub(crate) struct Input {
    pub(crate) ident: Ident,
    pub(crate) generics: Generics,
    /// The path of the `demat` crate.
    pub(crate) krate: Path,
    /// The name of its shape.
    pub(crate) name: String,
    pub(crate) deny_unknown: bool,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Struct(Content),
    /// Variants without content, and their numbers.
    Names(Vec<(Variant, TokenStream)>),
    Union(Tagging, Vec<Variant>),
}

pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) number: u32,
    pub(crate) content: Content,
}

/// How a value shows which variant it is.
#[derive(Clone)]
pub(crate) enum Tagging {
    Key,
    Field(String),
    Pair(String, String),
    None,
}

impl Input {
    pub(crate) fn parse(input: DeriveInput) -> syn::Result<Self> {
        let attributes = ContainerAttributes::parse(&input.attrs)?;
        check::container(&attributes, &input.data)?;
        let context = Context { rename_all: attributes.rename_all.as_ref().map(|said| said.value), tag: None };
        let body = match input.data {
            Data::Struct(data) => Body::Struct(Content::parse(&data.fields, &context)?),
            Data::Enum(data) if data.variants.is_empty() => {
                let message = "an enum without variants has no values that could be moved";
                return Err(syn::Error::new(input.ident.span(), message));
            }
            Data::Enum(data) => enumeration(&data, &attributes, &context)?,
            Data::Union(data) => {
                let message = "a union does not say which of its fields is the one; make it an enum";
                return Err(syn::Error::new(data.union_token.span, message));
            }
        };
        Ok(Self {
            name: attributes.rename.map_or_else(|| plain(&input.ident), |said| said.value),
            deny_unknown: attributes.deny_unknown.is_some(),
            krate: attributes.krate.map_or_else(|| parse_quote!(::demat), |said| said.value),
            ident: input.ident,
            generics: input.generics,
            body,
        })
    }

    /// Returns all fields, of all variants.
    pub(crate) fn fields(&self) -> impl Iterator<Item = &Field> {
        let contents: Vec<_> = match &self.body {
            Body::Struct(content) => vec![content],
            Body::Names(_) => Vec::new(),
            Body::Union(_, variants) => variants.iter().map(|variant| &variant.content).collect(),
        };
        contents.into_iter().flat_map(|content| &content.fields)
    }

    /// Returns the inlining attribute of the methods. For a record with few fields, the code around the fields costs as
    /// much as the fields; most of it is optimised away if it is inlined into known code.
    pub(crate) fn inline(&self) -> TokenStream {
        match &self.body {
            Body::Struct(content) if content.moved().count() <= FEW && !content.flattens() => quote!(#[inline(always)]),
            _ => quote!(#[inline]),
        }
    }

    /// Whether it has parameters that a static can't have.
    pub(crate) fn is_generic(&self) -> bool {
        self.generics.type_params().next().is_some() || self.generics.const_params().next().is_some()
    }
}

/// The maximum number of fields of a small record.
const FEW: usize = 3;

/// Returns an identifier without its `r#`.
fn plain(ident: &Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_string()
}

fn enumeration(data: &DataEnum, attributes: &ContainerAttributes, context: &Context) -> syn::Result<Body> {
    let tag = |said: &Option<crate::attributes::Said<String>>| said.as_ref().map(|said| said.value.clone());
    let tagging = match (tag(&attributes.tag), tag(&attributes.content), attributes.untagged.is_some()) {
        (Some(tag), Some(content), _) => Tagging::Pair(tag, content),
        (Some(tag), None, _) => Tagging::Field(tag),
        (None, _, true) => Tagging::None,
        (None, _, false) => Tagging::Key,
    };
    let mut variants = Vec::new();
    let mut numbers = Vec::new();
    for (index, variant) in data.variants.iter().enumerate() {
        let own = VariantAttributes::parse(&variant.attrs)?;
        let name = match (&own.rename, context.rename_all) {
            (Some(rename), _) => rename.value.clone(),
            (None, Some(case)) => case.apply(&plain(&variant.ident)),
            (None, None) => plain(&variant.ident),
        };
        let inner = Context {
            rename_all: own.rename_all.as_ref().map(|said| said.value),
            tag: if let Tagging::Field(tag) = &tagging { Some(tag.clone()) } else { None },
        };
        let content = Content::parse(&variant.fields, &inner)?;
        check::variant(&content, &variant.ident, &tagging)?;
        let position = u32::try_from(index + 1).unwrap_or(u32::MAX);
        let number = own.number.as_ref().map_or(position, |said| said.value);
        let ident = &variant.ident;
        // The number of a plain variant is its discriminant, explicit or not, unless an attribute sets it.
        let spoken = own.number.as_ref().map(|said| said.value);
        numbers.push(spoken.map_or_else(|| quote!(Self::#ident as i64), |number| quote!(#number as i64)));
        variants.push((Variant { ident: variant.ident.clone(), name, number, content }, own));
    }
    let units = variants.iter().all(|(variant, _)| variant.content.style == Style::Unit);
    let plain = units && matches!(tagging, Tagging::Key);
    check::variants(&variants, plain)?;
    let variants: Vec<_> = variants.into_iter().map(|(variant, _)| variant).collect();
    if plain {
        return Ok(Body::Names(variants.into_iter().zip(numbers).collect()));
    }
    Ok(Body::Union(tagging, variants))
}
