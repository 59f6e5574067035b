use super::{check, plain};
use crate::attributes::{FieldAttributes, Said, SaidNote};
use crate::case::Case;
use proc_macro2::{Span, TokenStream};
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Fields, Lit, Member, Path, Type};

/// The fields of a struct or of one variant.
pub(crate) struct Content {
    pub(crate) style: Style,
    /// All fields, including skipped ones.
    pub(crate) fields: Vec<Field>,
    /// The key of the tag, which is a field before these.
    pub(crate) tag: Option<String>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Style {
    /// Neither fields nor braces.
    Unit,
    /// One field without a name: encoded as the field alone.
    Newtype,
    /// Fields without names.
    Tuple,
    /// Fields with names.
    Record,
}

pub(crate) struct Field {
    /// Its name or index in Rust.
    pub(crate) member: Member,
    pub(crate) ty: Type,
    /// Its name in paths.
    pub(crate) name: String,
    pub(crate) key: String,
    pub(crate) aliases: Vec<(String, Span)>,
    pub(crate) number: u32,
    /// Its notes for single formats.
    pub(crate) notes: Vec<SaidNote>,
    /// Its value if it is absent.
    pub(crate) missing: Missing,
    pub(crate) skip: bool,
    pub(crate) flatten: bool,
    pub(crate) with: Option<Path>,
    pub(crate) shape: Option<Expr>,
    pub(crate) skip_if: Option<Expr>,
    pub(crate) key_span: Span,
    pub(crate) number_span: Option<Span>,
}

pub(crate) enum Missing {
    /// Decided by the type; may be an error.
    Type,
    /// The type's default.
    Default,
    /// The value of this expression.
    Value(TokenStream),
}

impl Missing {
    /// Generates the value, if it is not decided by the type.
    pub(crate) fn value(&self) -> TokenStream {
        match self {
            Self::Type | Self::Default => quote!(::core::default::Default::default()),
            Self::Value(value) => value.clone(),
        }
    }
}

/// Attributes of the container that apply to all fields.
pub(super) struct Context {
    pub(super) rename_all: Option<Case>,
    /// The key of the tag, which is a field before them.
    pub(super) tag: Option<String>,
}

impl Content {
    pub(super) fn parse(fields: &Fields, context: &Context) -> syn::Result<Self> {
        let mut errors: Option<syn::Error> = None;
        let mut parsed = Vec::new();
        for (index, field) in fields.iter().enumerate() {
            match Field::parse(index, field, context) {
                Ok(field) => parsed.push(field),
                Err(error) => match &mut errors {
                    Some(errors) => errors.combine(error),
                    None => errors = Some(error),
                },
            }
        }
        if let Some(errors) = errors {
            return Err(errors);
        }
        let style = match fields {
            Fields::Unit => Style::Unit,
            Fields::Named(_) => Style::Record,
            Fields::Unnamed(_) if parsed.iter().filter(|field| !field.skip).count() == 1 => Style::Newtype,
            Fields::Unnamed(_) => Style::Tuple,
        };
        if style == Style::Record {
            number(&mut parsed, context.tag.is_some());
            check::record(&parsed, context.tag.as_deref())?;
        }
        if let (Style::Newtype, Some(_)) = (style, &context.tag) {
            // The content of a tagged variant is a record: its fields, preceded by the tag.
            for field in &mut parsed {
                field.flatten = !field.skip;
            }
        }
        Ok(Self { style, fields: parsed, tag: context.tag.clone() })
    }

    /// Returns the fields that are not skipped, with their index among these.
    pub(crate) fn moved(&self) -> impl Iterator<Item = (usize, &Field)> {
        self.fields.iter().filter(|field| !field.skip).enumerate()
    }

    /// Returns the only field of a newtype.
    pub(crate) fn only(&self) -> Option<&Field> {
        self.moved().next().map(|(_, field)| field)
    }

    /// Whether its record contains the fields of others.
    pub(crate) fn flattens(&self) -> bool {
        self.fields.iter().any(|field| field.flatten)
    }

    /// Whether it is a record: it has named fields or a tag.
    pub(crate) fn is_record(&self) -> bool {
        self.style == Style::Record || self.tag.is_some()
    }
}

impl Field {
    fn parse(index: usize, field: &syn::Field, context: &Context) -> syn::Result<Self> {
        let own = FieldAttributes::parse(&field.attrs)?;
        check::field(&own, field)?;
        let name = field.ident.as_ref().map_or_else(|| index.to_string(), plain);
        let key = match (&own.rename, context.rename_all) {
            (Some(rename), _) => rename.value.clone(),
            (None, Some(case)) => case.apply(&name),
            (None, None) => name.clone(),
        };
        let skip = own.skip.is_some() || is_phantom(&field.ty);
        Ok(Self {
            member: field.ident.clone().map_or_else(|| Member::from(index), Member::from),
            ty: field.ty.clone(),
            key_span: own.rename.as_ref().map_or_else(|| field.ident.span(), |said| said.span),
            number_span: own.number.as_ref().map(|said| said.span),
            number: own.number.as_ref().map_or(0, |said| said.value),
            notes: own.notes,
            name,
            key,
            aliases: own.aliases.into_iter().map(|said| (said.value, said.span)).collect(),
            missing: match own.default {
                Some(Said { value: Some(value), .. }) => Missing::Value(default_value(&value)),
                Some(_) => Missing::Default,
                None if skip => Missing::Default,
                None => Missing::Type,
            },
            skip,
            flatten: own.flatten.is_some(),
            with: own.with.map(|said| said.value),
            shape: own.shape.map(|said| said.value),
            skip_if: own.skip_if.map(|said| said.value),
        })
    }
}

/// Numbers the fields without an explicit number by position. A tag is the first; flattened fields have no number.
fn number(fields: &mut [Field], tagged: bool) {
    let moved = fields.iter_mut().filter(|field| !field.skip && !field.flatten);
    for (position, field) in (1 + u32::from(tagged)..).zip(moved) {
        if field.number_span.is_none() {
            field.number = position;
        }
    }
}

/// Generates a default value. A path to a lower-case name is a function to call, any other path a constant; text is
/// converted with `From`.
fn default_value(value: &Expr) -> TokenStream {
    match value {
        Expr::Path(path) => {
            let last = path.path.segments.last().map(|segment| plain(&segment.ident)).unwrap_or_default();
            let function = last.starts_with(|first: char| first.is_lowercase() || first == '_');
            if function { quote!(#path()) } else { quote!(#path) }
        }
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => quote!(::core::convert::From::from(#text)),
        other => quote!(#other),
    }
}

fn is_phantom(ty: &Type) -> bool {
    let Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|segment| segment.ident == "PhantomData")
}
