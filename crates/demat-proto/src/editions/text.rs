//! Parses the text of an edition.

use prost_types::field_descriptor_proto::Type;
use prost_types::{DescriptorProto, FieldDescriptorProto, UninterpretedOption};
use protox::file::File;

/// The option that holds a default value, which proto3 does not support.
const DEFAULT: &str = "demat_default";

/// Parses a text if it uses a known edition; otherwise returns `None`.
pub(crate) fn edition_file(name: &str, text: &str) -> Option<std::result::Result<File, protox::Error>> {
    let words = words(text);
    let [(at, "edition"), (_, "="), (last, edition), ..] = words.as_slice() else { return None };
    if !matches!(edition.trim_matches(['"', '\'']), "2023" | "2024") {
        return None;
    }
    // Proto3 is the only syntax whose fields need no label.
    let mut out = text[..*at].to_owned();
    out.push_str("syntax=\"proto3\"");
    let mut from = last + edition.len();
    for (at, word, instead) in edits(&words) {
        out.push_str(&text[from..at]);
        out.push_str(&instead);
        from = at + word.len();
    }
    out.push_str(&text[from..]);
    Some(protox_parse::parse(name, &out).map_err(protox::Error::from).map(|mut file| {
        file.syntax = None;
        file.message_type.iter_mut().for_each(message);
        file.extension.iter_mut().for_each(field);
        File::from_file_descriptor_proto(file)
    }))
}

/// Returns the words to replace for proto3: their offset, the word, and its replacement.
fn edits<'t>(words: &[(usize, &'t str)]) -> Vec<(usize, &'t str, String)> {
    let mut edits = Vec::new();
    let mut reserved = false;
    for (index, three) in words.windows(3).enumerate() {
        let [(_, before), (at, word), (_, behind)] = *three else { continue };
        let is_name = word.starts_with(|first: char| first.is_alphabetic() || first == '_');
        if matches!(before, "[" | ",") && word == "default" && behind == "=" {
            edits.push((at, word, format!("({DEFAULT})")));
            // An option can't be a negative identifier, so `-inf` is passed as text. `literal` turns it back.
            if let Some(&[(sign, "-"), (name, value @ ("inf" | "nan"))]) = words.get(index + 3..index + 5) {
                edits.push((sign, "-", String::new()));
                edits.push((name, value, format!("\"-{value}\"")));
            }
        } else if before == "reserved" && is_name && matches!(behind, "," | ";") || reserved && is_name {
            // Editions have reserved names without quotes.
            edits.push((at, word, format!("\"{word}\"")));
            reserved = behind == ",";
        } else if word != "," {
            reserved = false;
        }
    }
    edits
}

fn message(message: &mut DescriptorProto) {
    message.nested_type.iter_mut().for_each(self::message);
    message.field.iter_mut().chain(&mut message.extension).for_each(field);
}

/// Moves the default value from the option to the field.
fn field(field: &mut FieldDescriptorProto) {
    let bytes = field.r#type() == Type::Bytes;
    let Some(options) = &mut field.options else { return };
    options.uninterpreted_option.retain(|option| {
        let is_default = matches!(option.name.as_slice(), [part] if part.name_part == DEFAULT && part.is_extension);
        if is_default {
            field.default_value = Some(literal(option, bytes));
        }
        !is_default
    });
    if *options == prost_types::FieldOptions::default() {
        field.options = None;
    }
}

fn literal(option: &UninterpretedOption, bytes: bool) -> String {
    match option {
        UninterpretedOption { identifier_value: Some(name), .. } => name.clone(),
        UninterpretedOption { positive_int_value: Some(value), .. } => value.to_string(),
        UninterpretedOption { negative_int_value: Some(value), .. } => value.to_string(),
        UninterpretedOption { double_value: Some(value), .. } if value.is_infinite() => {
            if *value > 0.0 {
                "inf".to_owned()
            } else {
                "-inf".to_owned()
            }
        }
        UninterpretedOption { double_value: Some(value), .. } if value.is_nan() => "nan".to_owned(),
        UninterpretedOption { double_value: Some(value), .. } => value.to_string(),
        UninterpretedOption { string_value: Some(text), .. } if bytes => text.escape_ascii().to_string(),
        UninterpretedOption { string_value: Some(text), .. } => String::from_utf8_lossy(text).into_owned(),
        _ => String::new(),
    }
}

/// Splits a text into words and signs with their offsets, without comments.
fn words(text: &str) -> Vec<(usize, &str)> {
    let bytes = text.as_bytes();
    let (mut words, mut at) = (Vec::new(), 0);
    let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'.' || byte >= 0x80;
    while at < bytes.len() {
        let start = at;
        match bytes[at] {
            b' ' | b'\t' | b'\r' | b'\n' => at += 1,
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += text[at..].find('\n').unwrap_or(text.len() - at);
            }
            b'/' if bytes.get(at + 1) == Some(&b'*') => {
                at += text[at..].find("*/").map_or(text.len() - at, |end| end + 2);
            }
            quote @ (b'"' | b'\'') => {
                at += 1;
                while at < bytes.len() && bytes[at] != quote {
                    at += if bytes[at] == b'\\' { 2 } else { 1 };
                }
                at = (at + 1).min(bytes.len());
                words.push((start, text.get(start..at).unwrap_or("")));
            }
            byte if is_word(byte) => {
                while at < bytes.len() && is_word(bytes[at]) {
                    at += 1;
                }
                words.push((start, &text[start..at]));
            }
            _ => {
                at += 1;
                words.push((start, &text[start..at]));
            }
        }
    }
    words
}
