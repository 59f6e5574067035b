//! Translates the features of editions to options of proto2.

use super::Overrides;
use crate::fault::refused;
use demat_core::Result;
use prost_reflect::prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage, Value};
use std::collections::HashSet;

/// The numbers of the editions 2023 and 2024 in descriptors.
const KNOWN: [i32; 2] = [1000, 1001];
const REQUIRED: i32 = 2;
const REPEATED: i32 = 3;
const GROUP: i32 = 10;
const MESSAGE: i32 = 11;

/// The effective features of a file, a message or a field, as numbers of the enums in `FeatureSet`.
#[derive(Debug, Clone, Copy)]
struct Features {
    presence: i32,
    enums: i32,
    repeated: i32,
    encoding: i32,
}

const EXPLICIT: i32 = 1;
const IMPLICIT: i32 = 2;
const LEGACY_REQUIRED: i32 = 3;
const OPEN: i32 = 1;
const PACKED: i32 = 1;
const DELIMITED: i32 = 2;

impl Features {
    const USUAL: Self = Self { presence: EXPLICIT, enums: OPEN, repeated: PACKED, encoding: 1 };

    /// Returns the features with the options of a part applied.
    fn within(mut self, part: &DynamicMessage) -> Self {
        let Some(options) = inner(part, "options") else { return self };
        let Some(said) = inner(&options, "features") else { return self };
        let own = [
            ("field_presence", &mut self.presence),
            ("enum_type", &mut self.enums),
            ("repeated_field_encoding", &mut self.repeated),
            ("message_encoding", &mut self.encoding),
        ];
        for (name, feature) in own {
            *feature = number(&said, name).filter(|number| *number != 0).unwrap_or(*feature);
        }
        self
    }
}

/// Translates the files of a descriptor set that use editions to proto2. `editions`: the names of such files whose
/// descriptors do not say so.
pub(crate) fn lower(set: &[u8], editions: &HashSet<String>) -> Result<(Vec<u8>, Overrides)> {
    let kind = DescriptorPool::global()
        .get_message_by_name("google.protobuf.FileDescriptorSet")
        .ok_or_else(|| refused("there is no description of descriptors"))?;
    let mut all = DynamicMessage::decode(kind, set).map_err(refused)?;
    let mut overrides = Overrides::default();
    let mut any = false;
    for file in list(&mut all, "file") {
        let name = text(file, "name");
        let says = text(file, "syntax") == "editions";
        if !says && !editions.contains(&name) {
            continue;
        }
        if says && !number(file, "edition").is_some_and(|edition| KNOWN.contains(&edition)) {
            return Err(refused(format!("`{name}` is of an edition that is not known; those of 2023 and 2024 are")));
        }
        any = true;
        file.clear_field_by_name("edition");
        file.clear_field_by_name("syntax");
        let features = Features::USUAL.within(file);
        let package = text(file, "package");
        enums(file, &package, features, &mut overrides);
        for message in list(file, "message_type") {
            self::message(message, &package, features, &mut overrides);
        }
        for field in list(file, "extension") {
            self::field(field, &package, features, &HashSet::new(), &mut overrides);
        }
    }
    Ok((if any { all.encode_to_vec() } else { set.to_vec() }, overrides))
}

fn enums(part: &mut DynamicMessage, scope: &str, features: Features, overrides: &mut Overrides) {
    for names in list(part, "enum_type") {
        if features.within(names).enums == OPEN {
            overrides.open.insert(full(scope, &text(names, "name")));
        }
    }
}

fn message(message: &mut DynamicMessage, scope: &str, features: Features, overrides: &mut Overrides) {
    let features = features.within(message);
    let scope = full(scope, &text(message, "name"));
    enums(message, &scope, features, overrides);
    let mut entries = HashSet::new();
    for nested in list(message, "nested_type") {
        if inner(nested, "options").is_some_and(|options| flag(&options, "map_entry")) {
            // Features do not apply to the fields of map entries.
            entries.insert(format!(".{}", full(&scope, &text(nested, "name"))));
        } else {
            self::message(nested, &scope, features, overrides);
        }
    }
    for field in list(message, "field") {
        self::field(field, &scope, features, &entries, overrides);
    }
    for field in list(message, "extension") {
        self::field(field, &scope, features, &entries, overrides);
    }
}

fn field(
    field: &mut DynamicMessage,
    scope: &str,
    features: Features,
    entries: &HashSet<String>,
    overrides: &mut Overrides,
) {
    let features = features.within(field);
    let repeated = number(field, "label") == Some(REPEATED);
    let is_message = number(field, "type") == Some(MESSAGE);
    if is_message && features.encoding == DELIMITED && !entries.contains(&text(field, "type_name")) {
        field.set_field_by_name("type", Value::EnumNumber(GROUP));
    }
    if repeated {
        let options = field.get_field_by_name_mut("options").and_then(Value::as_message_mut);
        if let (Some(options), false) = (options, is_message) {
            options.set_field_by_name("packed", Value::Bool(features.repeated == PACKED));
        }
        return;
    }
    match features.presence {
        LEGACY_REQUIRED => field.set_field_by_name("label", Value::EnumNumber(REQUIRED)),
        IMPLICIT if !is_message && !field.has_field_by_name("oneof_index") => {
            overrides.implicit.insert(full(scope, &text(field, "name")));
        }
        _ => {}
    }
}

fn full(scope: &str, name: &str) -> String {
    if scope.is_empty() { name.to_owned() } else { format!("{scope}.{name}") }
}

fn inner(part: &DynamicMessage, name: &str) -> Option<DynamicMessage> {
    if !part.has_field_by_name(name) {
        return None;
    }
    part.get_field_by_name(name)?.as_message().cloned()
}

fn number(part: &DynamicMessage, name: &str) -> Option<i32> {
    part.get_field_by_name(name)?.as_enum_number()
}

fn flag(part: &DynamicMessage, name: &str) -> bool {
    part.get_field_by_name(name).and_then(|value| value.as_bool()).unwrap_or(false)
}

fn text(part: &DynamicMessage, name: &str) -> String {
    part.get_field_by_name(name).and_then(|value| value.as_str().map(str::to_owned)).unwrap_or_default()
}

fn list<'m>(part: &'m mut DynamicMessage, name: &str) -> impl Iterator<Item = &'m mut DynamicMessage> {
    let values = part.get_field_by_name_mut(name).and_then(Value::as_list_mut);
    values.into_iter().flatten().filter_map(Value::as_message_mut)
}
