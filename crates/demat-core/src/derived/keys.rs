/// The keys of a record; as a tree, since a constant cannot join lists of which it does not know the lengths.
#[derive(Debug, Clone, Copy)]
pub enum Keys {
    /// One key.
    Key(&'static str),
    /// Those of a record that is flattened.
    All(&'static [Keys]),
}

/// Refuses records that are flattened into one another and have a key in common, before the program is built.
///
/// # Panics
/// Then: at compile time, since the derive calls it in constants only.
pub const fn distinct_keys(keys: &[Keys]) {
    each_is_single(keys, keys);
}

const fn each_is_single(some: &[Keys], all: &[Keys]) {
    let mut i = 0;
    while i < some.len() {
        match some[i] {
            Keys::Key(key) => {
                assert!(count(key, all) == 1, "a flattened record and the one around it have a key in common");
            }
            Keys::All(some) => each_is_single(some, all),
        }
        i += 1;
    }
}

const fn count(key: &str, all: &[Keys]) -> usize {
    let mut found = 0;
    let mut i = 0;
    while i < all.len() {
        found += match all[i] {
            Keys::Key(other) => equal(key.as_bytes(), other.as_bytes()) as usize,
            Keys::All(inner) => count(key, inner),
        };
        i += 1;
    }
    found
}

/// `==` is no constant function.
const fn equal(a: &[u8], b: &[u8]) -> bool {
    let mut i = 0;
    while a.len() == b.len() && i < a.len() && a[i] == b[i] {
        i += 1;
    }
    a.len() == b.len() && i == a.len()
}
