//! Refuses invalid combinations of attributes, with a suggestion.

use super::{Content, Field, Style, Tagging, Variant};
use crate::attributes::{ContainerAttributes, FieldAttributes, NOTES, VariantAttributes};
use proc_macro2::Span;
use std::collections::HashMap;
use syn::{Data, Ident};

fn refuse<T>(span: Span, message: impl std::fmt::Display) -> syn::Result<T> {
    Err(syn::Error::new(span, message))
}

pub(super) fn container(attributes: &ContainerAttributes, data: &Data) -> syn::Result<()> {
    let ContainerAttributes { tag, content, untagged, .. } = attributes;
    if let (Some(untagged), Some(_)) = (untagged, tag) {
        return refuse(untagged.span, "`untagged` and `tag` exclude each other; keep one of them");
    }
    if let (Some(content), None) = (content, tag) {
        return refuse(content.span, "`content` goes with a tag: tag = \"kind\", content = \"value\"");
    }
    if let (Some(tag), Some(content)) = (tag, content)
        && tag.value == content.value
    {
        return refuse(content.span, "tag and content are two fields: tag = \"kind\", content = \"value\"");
    }
    let spans = [tag.as_ref().map(|said| said.span), untagged.as_ref().map(|said| said.span)];
    if let (Data::Struct(_), Some(span)) = (data, spans.into_iter().flatten().next()) {
        return refuse(span, "a struct is not told from others; `tag`, `content` and `untagged` are for enums");
    }
    Ok(())
}

pub(super) fn field(own: &FieldAttributes, field: &syn::Field) -> syn::Result<()> {
    let (allowed, what): (&[&str], _) = if own.skip.is_some() {
        (&["skip", "default"], "a field that is skipped has no name, number or shape")
    } else if own.flatten.is_some() {
        (&["flatten"], "the fields of a flattened field have their own attributes")
    } else if field.ident.is_none() {
        (&["with", "shape", "skip"], "a field without a name takes `with`, `shape` and `skip` only")
    } else {
        (
            &["rename", "alias", "number", NOTES, "default", "with", "shape", "skip_if"],
            "this never happens: a field with a name takes all of them",
        )
    };
    if let Some((name, span)) = own.first_but(allowed) {
        return refuse(span, format!("{what}; take `{name}` away"));
    }
    if let (Some(shape), None) = (&own.shape, &own.with) {
        let message = "`shape` goes with a module that encodes and decodes: with = \"module\", shape = Shape::Text";
        return refuse(shape.span, message);
    }
    Ok(())
}

/// Checks that no two fields have a key or a number in common.
pub(super) fn record(fields: &[Field], tag: Option<&str>) -> syn::Result<()> {
    let told = |field: &Field| format!("`{}`", field.name);
    let mut keys: HashMap<&str, String> = tag.map(|tag| (tag, "the tag".to_string())).into_iter().collect();
    let mut numbers: HashMap<u32, String> = tag.map(|_| (1, "the tag".to_string())).into_iter().collect();
    let moved = || fields.iter().filter(|field| !field.skip && !field.flatten);
    for field in moved() {
        let aliases = field.aliases.iter().map(|(alias, span)| (alias, *span));
        for (key, span) in std::iter::once((&field.key, field.key_span)).chain(aliases) {
            if let Some(other) = keys.insert(key, told(field)) {
                let message = format!("`{key}` is a name of {other}, too; give one of them another: rename = \"…\"");
                return refuse(span, message);
            }
        }
    }
    // Explicit numbers are checked last, so that the error points to one of them.
    let (given, positions): (Vec<_>, Vec<_>) = moved().partition(|field| field.number_span.is_some());
    for field in positions.into_iter().chain(given) {
        if let Some(other) = numbers.insert(field.number, told(field)) {
            let message = format!(
                "the number {} is that of {other}, too; fields without `number` have their position, from 1",
                field.number
            );
            return refuse(field.number_span.unwrap_or(field.key_span), message);
        }
    }
    Ok(())
}

pub(super) fn variant(content: &Content, ident: &Ident, tagging: &Tagging) -> syn::Result<()> {
    if let (Tagging::Field(tag), Style::Tuple) = (tagging, content.style) {
        let message = format!(
            "a tag stands among the fields of a record, and a tuple has none; name the fields, or write \
             tag = \"{tag}\", content = \"value\""
        );
        return refuse(ident.span(), message);
    }
    let with = content.only().filter(|field| field.with.is_some());
    if let (Tagging::Field(tag), Style::Newtype, Some(_)) = (tagging, content.style, with) {
        let message = format!(
            "`with` makes one value, and a tag stands among the fields of a record; write \
             tag = \"{tag}\", content = \"value\""
        );
        return refuse(ident.span(), message);
    }
    Ok(())
}

/// Checks that no two variants have a name or a number in common. The numbers of a plain enum are discriminants, which
/// only a constant in the generated code can compare.
pub(super) fn variants(variants: &[(Variant, VariantAttributes)], plain: bool) -> syn::Result<()> {
    let mut names = HashMap::new();
    let mut numbers = HashMap::new();
    for (variant, own) in variants {
        if let Some(other) = names.insert(&variant.name, &variant.ident) {
            let span = own.rename.as_ref().map_or_else(|| variant.ident.span(), |said| said.span);
            return refuse(span, format!("`{}` is the name of `{other}`, too; give one of them another", variant.name));
        }
    }
    if plain {
        return Ok(());
    }
    let (given, positions): (Vec<_>, Vec<_>) = variants.iter().partition(|(_, own)| own.number.is_some());
    for (variant, own) in positions.into_iter().chain(given) {
        if let Some(other) = numbers.insert(variant.number, &variant.ident) {
            let span = own.number.as_ref().map_or_else(|| variant.ident.span(), |said| said.span);
            let message = format!(
                "the number {} is that of `{other}`, too; variants without `number` have their position, from 1",
                variant.number
            );
            return refuse(span, message);
        }
    }
    Ok(())
}
