//! Names of Avro: letters, digits and `_`, and no digit first.

use std::collections::HashSet;

/// Whether Avro allows the name.
pub(super) fn is_name(name: &str) -> bool {
    !name.starts_with(|first: char| first.is_ascii_digit())
        && !name.is_empty()
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
}

/// The types that have a name in Avro's specification. A type of a schema can't be called so.
const KNOWN: [&str; 15] = [
    "null", "boolean", "int", "long", "float", "double", "bytes", "string", "record", "error", "enum", "array", "map",
    "union", "fixed",
];

/// The names that are left for types.
#[derive(Debug, Default)]
pub(in super::super) struct Unnamed {
    taken: HashSet<String>,
}

impl Unnamed {
    /// Returns a name of its own for a type: the wanted one, with `_` for characters that Avro does not allow, and with
    /// a number if another type has it.
    pub(in super::super) fn unique(&mut self, wanted: &str, usual: &str) -> String {
        let wanted = if wanted.is_empty() { usual } else { wanted };
        let mut name: String =
            wanted.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '_' }).collect();
        if !is_name(&name) {
            name.insert(0, '_');
        }
        let mut number = 2_u64;
        let mut own = name.clone();
        while KNOWN.contains(&&*own) || !self.taken.insert(own.clone()) {
            own = format!("{name}_{number}");
            number += 1;
        }
        own
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_allowed_and_different() {
        let mut names = Unnamed::default();
        for (wanted, name) in [
            ("Task", "Task"),
            ("Task", "Task_2"),
            ("", "Record"),
            ("Box[int]", "Box_int_"),
            ("1", "_1"),
            ("ä", "_"),
            ("string", "string_2"),
            ("enum", "enum_2"),
        ] {
            assert_eq!(names.unique(wanted, "Record"), name);
            assert!(is_name(name));
        }
        assert!(!is_name("") && !is_name("a-b") && !is_name("ä") && !is_name("1a"));
    }
}
