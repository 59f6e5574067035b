//! The notes of fields: which part of an element a field is.

use super::XmlCodec;
use crate::codec::HasNotes;
use demat_core::{Argument, Field, Fit, Vocabulary, Word};

/// The part of an element that a field is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Role {
    /// Each value is a child element.
    #[default]
    Element,
    /// An attribute.
    Attribute,
    /// The text of the element.
    Text,
    /// The texts and elements in the element, in their order.
    Mixed,
    /// The elements in the element, in their order, whatever their names are.
    Choice,
    /// The name of the element.
    Name,
}

const ROLES: &[&str] = &["element", "attribute", "text", "mixed", "choice", "name"];

/// The notes.
pub(super) static VOCABULARY: Vocabulary = Vocabulary {
    joins: true,
    is_read: true,
    ..Vocabulary::new(
        "xml",
        &[
            Word::new("element").without(ROLES),
            Word::new("attribute").without(ROLES).on(Fit::SCALARS.or(Fit::LISTS, "single values and lists of words")),
            Word::new("text").without(ROLES),
            Word::new("mixed").without(ROLES).on(Fit::LISTS),
            Word::new("choice").without(ROLES).on(Fit::LISTS),
            Word::new("name").without(ROLES).on(Fit::SCALARS),
            Word::new("wrapped")
                .with(Argument::Optional("the name of an item"))
                .without(&["attribute", "text", "mixed", "choice", "name"])
                .on(Fit::LISTS),
            // A URI may hold commas.
            Word::new("namespace").with(Argument::Rest("a URI")).without(&["text", "mixed", "choice", "name"]),
        ],
    )
};

impl HasNotes for XmlCodec {
    const VOCABULARY: &'static Vocabulary = &VOCABULARY;
}

/// A field's note for the place `xml`.
///
/// ```
/// use demat_formats::xml::{FieldNote, Role};
/// let note: FieldNote = "attribute, namespace http://www.w3.org/1999/xlink".parse()?;
/// assert_eq!(note.role, Some(Role::Attribute));
/// assert_eq!(note.namespace.as_deref(), Some("http://www.w3.org/1999/xlink"));
/// let error = "wrap".parse::<FieldNote>().unwrap_err();
/// assert!(error.starts_with("`wrap` is no note for xml"));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct FieldNote {
    /// The part of the element, if the note names one.
    pub role: Option<Role>,
    /// The name of each item, where the items of a list stand in one element.
    pub wrapped: Option<Box<str>>,
    /// The namespace of its name.
    pub namespace: Option<Box<str>>,
}

impl core::str::FromStr for FieldNote {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match VOCABULARY.refusal(&[text]) {
            Some(refusal) => Err(refusal.to_string()),
            None => Ok(Self::of([text].into_iter())),
        }
    }
}

impl FieldNote {
    /// Returns what the notes of a field say. Ignores wrong ones, which the layout refuses.
    pub(super) fn of_field(field: &Field) -> Self {
        Self::of(field.notes_for(VOCABULARY.place))
    }

    fn of<'n>(notes: impl Iterator<Item = &'n str>) -> Self {
        let mut own = Self::default();
        for word in notes.flat_map(|note| VOCABULARY.words(note)) {
            let (word, rest) = word.split_once(char::is_whitespace).unwrap_or((word, ""));
            let role = match word {
                "element" => Role::Element,
                "attribute" => Role::Attribute,
                "text" => Role::Text,
                "mixed" => Role::Mixed,
                "choice" => Role::Choice,
                "name" => Role::Name,
                "wrapped" => {
                    own.wrapped = Some(Some(rest.trim()).filter(|item| !item.is_empty()).unwrap_or("item").into());
                    continue;
                }
                _ => {
                    own.namespace = Some(rest.trim().into());
                    continue;
                }
            };
            own.role = Some(role);
        }
        own
    }
}
