use super::notes::VOCABULARY;
use super::source::DEEPEST;
use super::{Doctype, Xml, XmlSink};
use crate::codec::{About, Codec, Model, ReadOptions, Reader, Setting, SettingValue, Values, WriteOptions};
use crate::json::codec::{DEPTH, INDENT};
use crate::{Drain, Output, Rewrite};
use demat_core::{Error, ErrorKind, Result, Sink};

/// XML as a [`Codec`].
#[derive(Debug, Clone, Copy)]
pub struct XmlCodec;

const READ_DEPTH: Setting = Setting::new("depth", Values::Count, "256", "the maximum depth of elements; at most 8,000");
const READ_ROOT: Setting =
    Setting::new("root", Values::OptionalText, "None", "the name that the root element must have; none: any");
const DOCTYPE: Setting = Setting::new(
    "doctype",
    Values::Choice(&["refuse", "skip", "expand"]),
    "\"refuse\"",
    "a document type declaration is refused, skipped, or read for the entities that it declares",
);
const NAMESPACES: Setting = Setting::new(
    "namespaces",
    Values::Flag,
    "True",
    "whether prefixes of names must be declared; otherwise a colon is part of the name",
);
const EMPTY: Setting = Setting::new(
    "empty",
    Values::Choice(&["text", "null"]),
    "\"text\"",
    "what an element or attribute without content is: empty text, or null",
);
const ROOT: Setting = Setting::new(
    "root",
    Values::OptionalText,
    "None",
    "the name of the root element; none: that of the record, or `root`",
);
const ITEM: Setting = Setting::new(
    "item",
    Values::OptionalText,
    "None",
    "the name of each item of the outermost list; none: that of the record, or `item`",
);
const NAMESPACE: Setting = Setting::new(
    "namespace",
    Values::OptionalText,
    "None",
    "the namespace of the root element and of all elements without their own; none: no namespace",
);
const DECLARATION: Setting =
    Setting::new("declaration", Values::Flag, "True", "whether an XML declaration is written at the beginning");
/// The description of the format.
pub static ABOUT: About = About {
    content_type: Some("application/xml; charset=utf-8"),
    model: Model::Markup,
    ending: "\n",
    notes: Some(&VOCABULARY),
    read: &[READ_DEPTH, READ_ROOT, DOCTYPE, NAMESPACES, EMPTY],
    write: &[INDENT, ROOT, ITEM, NAMESPACE, DECLARATION, DEPTH],
    ..About::new(
        "xml",
        &[".xml"],
        &["application/xml", "text/xml"],
        "one XML document (XML 1.0); the elements in the root are a list of records",
    )
};

impl Codec for XmlCodec {
    fn about(&self) -> &'static About {
        &ABOUT
    }

    fn read_options(&self) -> ReadOptions {
        ReadOptions { depth: super::ReadOptions::default().depth, ..ReadOptions::default() }
    }

    fn set_read(&self, options: &mut ReadOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        match value {
            SettingValue::Count(depth) if depth > DEEPEST => {
                Err(Error::new(ErrorKind::Constraint, format!("`depth` must be at most {DEEPEST}")))
            }
            SettingValue::Count(depth) => {
                options.depth = depth;
                Ok(())
            }
            value => {
                options.own.set(setting, value);
                Ok(())
            }
        }
    }

    fn set_write(&self, options: &mut WriteOptions, setting: &'static Setting, value: SettingValue) -> Result<()> {
        match &value {
            SettingValue::Count(depth) if *setting == DEPTH => {
                options.depth = *depth;
                return Ok(());
            }
            SettingValue::Count(spaces) if u8::try_from(*spaces).is_err() => {
                return Err(Error::new(ErrorKind::Constraint, "indent must be below 256"));
            }
            SettingValue::Text(name) if [ROOT, ITEM].contains(setting) && !super::is_name(name) => {
                let message = format!("`{}` must be the name of an element, not `{name}`", setting.name);
                return Err(Error::new(ErrorKind::Constraint, message));
            }
            _ => {}
        }
        options.own.set(setting, value);
        Ok(())
    }

    fn reader(&self, options: &ReadOptions) -> Result<Reader> {
        let (own, usual) = (&options.own, super::ReadOptions::default());
        Ok(Reader::other(Xml::new(super::ReadOptions {
            depth: options.depth.min(DEEPEST),
            root: own.text(&READ_ROOT).map(Into::into),
            doctype: match own.text(&DOCTYPE) {
                Some("skip") => Doctype::Skip,
                Some("expand") => Doctype::Expand,
                _ => Doctype::Refuse,
            },
            namespaces: own.flag(&NAMESPACES).unwrap_or(usual.namespaces),
            empty_null: own.text(&EMPTY) == Some("null"),
        })))
    }

    fn rewrites(&self) -> bool {
        true
    }

    fn rewrite(&self, _: &ReadOptions, record: &Rewrite<'_>) -> Result<Vec<u8>> {
        super::rewrite(record)
    }

    fn sink<'d>(&self, options: &WriteOptions, drain: Box<dyn Drain + Send + 'd>) -> Result<Box<dyn Sink + Send + 'd>> {
        let (own, usual) = (&options.own, super::WriteOptions::default());
        let options = super::WriteOptions {
            indent: own.count(&INDENT).map(|spaces| spaces.min(255) as u8),
            root: own.text(&ROOT).map(Into::into),
            item: own.text(&ITEM).map(Into::into),
            namespace: own.text(&NAMESPACE).map(Into::into),
            declaration: own.flag(&DECLARATION).unwrap_or(usual.declaration),
            depth: options.depth,
        };
        Ok(Box::new(XmlSink::new(Output::new(Vec::new(), drain), options)))
    }
}
