//! The bounds that the generated code needs of a type's parameters.

use crate::input::{Field, Input, Missing};
use proc_macro2::{TokenStream, TokenTree};
use quote::quote;
use std::collections::BTreeMap;
use syn::{GenericParam, Generics, Ident, Lifetime, parse_quote};

/// What an implementation asks of the fields: which trait of plain ones, which of flattened ones.
pub(crate) struct Wanted {
    pub(crate) plain: TokenStream,
    pub(crate) flat: TokenStream,
    /// Whether it makes values that are missing.
    pub(crate) defaults: bool,
}

/// The generics of an implementation: the type's own, with a bound on each parameter that a field's type mentions.
///
/// The bound is on the parameter (`T`, `T::Item`) and not on the field's type (`Vec<T>`), since that would go round in
/// circles for a type that holds itself.
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

/// Adds the lifetime of the input, which outlives all that the type borrows.
pub(crate) fn with_input(mut generics: Generics) -> Generics {
    let lifetimes: Vec<Lifetime> = generics.lifetimes().map(|param| param.lifetime.clone()).collect();
    let input: GenericParam = parse_quote!('__de: #(#lifetimes)+*);
    generics.params.insert(0, input);
    generics
}

/// Finds the parameters, and the types that belong to them, among the tokens of a type. The parameters that the type
/// gives itself, where it holds itself, say nothing new.
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

/// How many tokens the `<…>` has that begins here; none where none does.
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
