//! Parses the attributes in `#[demat(…)]`, and refuses invalid ones.

use crate::case::Case;
use proc_macro2::Span;
use syn::meta::ParseNestedMeta;
use syn::parse::Parse;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprLit, ExprPath, Lit, LitInt, LitStr, Path, Token};

/// The value of an attribute, and its position.
pub(crate) struct Said<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

/// Notes for a format: an attribute that the derive does not know.
pub(crate) struct SaidNote {
    /// The name of the attribute, or the path of the vocabulary of a format that another crate has.
    pub(crate) attribute: Path,
    pub(crate) text: LitStr,
}

/// An attribute that may occur once.
type Once<T> = Option<Said<T>>;

#[derive(Default)]
pub(crate) struct ContainerAttributes {
    pub(crate) rename: Once<String>,
    pub(crate) rename_all: Once<Case>,
    pub(crate) deny_unknown: Once<()>,
    pub(crate) krate: Once<Path>,
    pub(crate) tag: Once<String>,
    pub(crate) content: Once<String>,
    pub(crate) untagged: Once<()>,
}

#[derive(Default)]
pub(crate) struct VariantAttributes {
    pub(crate) rename: Once<String>,
    pub(crate) rename_all: Once<Case>,
    pub(crate) number: Once<u32>,
}

#[derive(Default)]
pub(crate) struct FieldAttributes {
    pub(crate) rename: Once<String>,
    pub(crate) aliases: Vec<Said<String>>,
    pub(crate) number: Once<u32>,
    /// Its notes for single formats.
    pub(crate) notes: Vec<SaidNote>,
    /// `None` inside means the type's own default.
    pub(crate) default: Once<Option<Expr>>,
    pub(crate) skip: Once<()>,
    pub(crate) flatten: Once<()>,
    pub(crate) with: Once<Path>,
    pub(crate) shape: Once<Expr>,
    pub(crate) skip_if: Once<Expr>,
}

const CONTAINER: &str = "here goes `rename = \"Name\"`, `rename_all = \"camelCase\"`, `deny_unknown`, \
    `tag = \"kind\"`, `tag = \"kind\", content = \"value\"`, `untagged` or `crate = path`";
const VARIANT: &str =
    "a variant takes `rename = \"name\"`, `rename_all = \"camelCase\"` (for its fields) or `number = 3`";
const FIELD: &str = "a field takes `rename = \"name\"`, `alias = \"name\"`, `number = 3`, `default`, `default = value`, \
    `skip`, `skip_if = \"path\"`, `flatten`, `with = \"module\"` and `shape = Shape::Text`, or notes for a format: \
    xml = \"attribute\"";

impl ContainerAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut own = Self::default();
        each(attributes, |meta| match name(meta).as_str() {
            "rename" => set(&mut own.rename, meta, text(meta)?),
            "rename_all" => set(&mut own.rename_all, meta, Case::parse(&value(meta)?)?),
            "deny_unknown" => set(&mut own.deny_unknown, meta, ()),
            "crate" => set(&mut own.krate, meta, path(meta)?),
            "tag" => set(&mut own.tag, meta, text(meta)?),
            "content" => set(&mut own.content, meta, text(meta)?),
            "untagged" => set(&mut own.untagged, meta, ()),
            other => Err(unknown(meta, other, CONTAINER)),
        })?;
        Ok(own)
    }
}

impl VariantAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut own = Self::default();
        each(attributes, |meta| match name(meta).as_str() {
            "rename" => set(&mut own.rename, meta, text(meta)?),
            "rename_all" => set(&mut own.rename_all, meta, Case::parse(&value(meta)?)?),
            "number" => set(&mut own.number, meta, number(meta)?),
            other => Err(unknown(meta, other, VARIANT)),
        })?;
        Ok(own)
    }
}

impl FieldAttributes {
    pub(crate) fn parse(attributes: &[Attribute]) -> syn::Result<Self> {
        let mut own = Self::default();
        each(attributes, |meta| match name(meta).as_str() {
            "rename" => set(&mut own.rename, meta, text(meta)?),
            "alias" => {
                own.aliases.push(Said { value: text(meta)?, span: meta.path.span() });
                Ok(())
            }
            "number" => set(&mut own.number, meta, number(meta)?),
            "default" if meta.input.peek(Token![=]) => set(&mut own.default, meta, Some(value(meta)?)),
            "default" => set(&mut own.default, meta, None),
            "skip" => set(&mut own.skip, meta, ()),
            "flatten" => set(&mut own.flatten, meta, ()),
            "with" => set(&mut own.with, meta, path(meta)?),
            "shape" => set(&mut own.shape, meta, value(meta)?),
            "skip_if" => set(&mut own.skip_if, meta, function(meta)?),
            // The compiler looks for a format of this name.
            _ if meta.input.peek(Token![=]) && meta.input.peek2(LitStr) => {
                own.notes.push(SaidNote { attribute: meta.path.clone(), text: value(meta)? });
                Ok(())
            }
            other => Err(unknown(meta, other, FIELD)),
        })?;
        Ok(own)
    }

    /// Returns the first attribute that is not allowed here: on a skipped, flattened or unnamed field.
    pub(crate) fn first_but(&self, allowed: &[&str]) -> Option<(String, Span)> {
        let said = [
            ("rename", self.rename.as_ref().map(|said| said.span)),
            ("alias", self.aliases.first().map(|said| said.span)),
            ("number", self.number.as_ref().map(|said| said.span)),
            ("default", self.default.as_ref().map(|said| said.span)),
            ("skip", self.skip.as_ref().map(|said| said.span)),
            ("flatten", self.flatten.as_ref().map(|said| said.span)),
            ("with", self.with.as_ref().map(|said| said.span)),
            ("shape", self.shape.as_ref().map(|said| said.span)),
            ("skip_if", self.skip_if.as_ref().map(|said| said.span)),
        ];
        let noted = self.notes.first().filter(|_| !allowed.contains(&NOTES)).map(|note| &note.attribute);
        let own = |(name, span): (&str, Option<Span>)| {
            span.filter(|_| !allowed.contains(&name)).map(|span| (name.to_owned(), span))
        };
        said.into_iter().find_map(own).or_else(|| {
            noted.map(|path| {
                let name = path.segments.last().map(|segment| segment.ident.to_string());
                (name.unwrap_or_default(), path.span())
            })
        })
    }
}

/// Notes for formats, among the names of attributes.
pub(crate) const NOTES: &str = "xml = …";

fn each(attributes: &[Attribute], mut take: impl FnMut(&ParseNestedMeta<'_>) -> syn::Result<()>) -> syn::Result<()> {
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("demat")) {
        attribute.parse_nested_meta(|meta| take(&meta))?;
    }
    Ok(())
}

fn name(meta: &ParseNestedMeta<'_>) -> String {
    meta.path.get_ident().map(ToString::to_string).unwrap_or_default()
}

fn set<T>(own: &mut Once<T>, meta: &ParseNestedMeta<'_>, value: T) -> syn::Result<()> {
    if own.is_some() {
        return Err(meta.error(format!("`{}` stands here twice", name(meta))));
    }
    *own = Some(Said { value, span: meta.path.span() });
    Ok(())
}

fn unknown(meta: &ParseNestedMeta<'_>, name: &str, known: &str) -> syn::Error {
    meta.error(format!("`{name}` means nothing here; {known}"))
}

fn value<T: Parse>(meta: &ParseNestedMeta<'_>) -> syn::Result<T> {
    meta.value()?.parse()
}

fn text(meta: &ParseNestedMeta<'_>) -> syn::Result<String> {
    let name = name(meta);
    if !meta.input.peek(Token![=]) {
        return Err(meta.error(format!("`{name}` wants a text: {name} = \"text\"")));
    }
    match value(meta)? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Ok(text.value()),
        other => Err(syn::Error::new(other.span(), format!("`{name}` wants a text: {name} = \"text\""))),
    }
}

fn number(meta: &ParseNestedMeta<'_>) -> syn::Result<u32> {
    let number: LitInt = value(meta)?;
    match number.base10_parse() {
        Ok(0) | Err(_) => Err(syn::Error::new(number.span(), "a number is from 1 to 4294967295: number = 3")),
        Ok(number) => Ok(number),
    }
}

/// Parses a path, quoted or not.
fn path(meta: &ParseNestedMeta<'_>) -> syn::Result<Path> {
    let stream = meta.value()?;
    if stream.peek(LitStr) { stream.parse::<LitStr>()?.parse() } else { stream.parse() }
}

/// Parses a function: a path, quoted or not, or a closure.
fn function(meta: &ParseNestedMeta<'_>) -> syn::Result<Expr> {
    match value(meta)? {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => {
            Ok(Expr::Path(ExprPath { attrs: Vec::new(), qself: None, path: text.parse()? }))
        }
        function @ (Expr::Path(_) | Expr::Closure(_)) => Ok(function),
        other => Err(syn::Error::new(other.span(), "`skip_if` wants a function: skip_if = \"Option::is_none\"")),
    }
}
