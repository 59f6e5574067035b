//! The bounds on a type's parameters that the generated code needs.

use crate::input::{Field, Input, Missing};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;
use syn::{GenericParam, Generics, Ident, Lifetime, parse_quote};

/// The traits that an implementation requires of its fields: of plain and of flattened ones.
pub(crate) struct Wanted {
    pub(crate) plain: TokenStream,
    pub(crate) flat: TokenStream,
    /// Whether it makes default values for missing fields.
    pub(crate) defaults: bool,
}

/// Returns the generics of an implementation: the type's own, with a bound on each parameter that a field's type
/// mentions.
///
/// The bound is on the parameter (`T`, `T::Item`) and not on the field's type (`Vec<T>`), which would be circular for a
/// recursive type.
pub(crate) fn bounded(input: &Input, wanted: &Wanted) -> Generics {
    let params: Vec<Ident> = input.generics.type_params().map(|param| param.ident.clone()).collect();
    let mut generics = input.generics.clone();
    if params.is_empty() {
        return generics;
    }
    let mut mentioned = BTreeMap::new();
    let clause = generics.make_where_clause();
    for field in input.fields() {
        let mut own = BTreeMap::new();
        let Field { ty, .. } = field;
        mentions(quote!(#ty), &input.ident, &params, &mut own);
        if own.is_empty() {
            continue;
        }
        if wanted.defaults && matches!(field.missing, Missing::Default) {
            clause.predicates.push(parse_quote!(#ty: ::core::default::Default));
        }
        if field.flatten {
            let flat = &wanted.flat;
            clause.predicates.push(parse_quote!(#ty: #flat));
        } else if !field.skip && field.with.is_none() {
            mentioned.extend(own);
        }
    }
    let plain = &wanted.plain;
    clause.predicates.extend(mentioned.into_values().map(|ty| -> syn::WherePredicate { parse_quote!(#ty: #plain) }));
    generics
}

/// Adds the lifetime of the input, which outlives everything that the type borrows.
pub(crate) fn with_input(mut generics: Generics) -> Generics {
    let lifetimes: Vec<Lifetime> = generics.lifetimes().map(|param| param.lifetime.clone()).collect();
    let input: GenericParam = parse_quote!('__de: #(#lifetimes)+*);
    generics.params.insert(0, input);
    generics
}

/// Finds the parameters and their associated types among the tokens of a type. Ignores the arguments of the type
/// itself, if it is recursive: they add no bounds.
fn mentions(tokens: TokenStream, itself: &Ident, params: &[Ident], found: &mut BTreeMap<String, TokenStream>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let colons = |at: usize| tokens.get(at..at + 2).is_some_and(|pair| pair.iter().all(|token| is(token, ':')));
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        match token {
            TokenTree::Group(group) => mentions(group.stream(), itself, params, found),
            TokenTree::Ident(ident) if ident == itself => at += arguments(&tokens[at + 1..]),
            TokenTree::Ident(ident) if params.contains(ident) && !(at >= 2 && colons(at - 2)) => {
                let ty = match tokens.get(at + 3) {
                    Some(TokenTree::Ident(part)) if colons(at + 1) => quote!(#ident::#part),
                    _ => quote!(#ident),
                };
                found.insert(ty.to_string(), ty);
            }
            _ => {}
        }
        at += 1;
    }
}

/// Returns the number of tokens in the `<…>` that begins here; zero if none does.
fn arguments(tokens: &[TokenTree]) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate() {
        depth += i32::from(is(token, '<')) - i32::from(is(token, '>'));
        if depth == 0 {
            return if at == 0 { 0 } else { at + 1 };
        }
    }
    0
}

fn is(token: &TokenTree, char: char) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == char)
}
