/// The keys of a record. A tree, since a constant can't concatenate lists of unknown length.
#[derive(Debug, Clone, Copy)]
pub enum Keys {
    /// One key.
    Key(&'static str),
    /// The keys of a flattened record.
    All(&'static [Keys]),
}

/// Refuses flattened records with a common key, at compile time.
///
/// # Panics
/// If two have a common key: at compile time, since the derive calls this in constants only.
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
            Keys::Key(other) => crate::shape::equal(key, other) as usize,
            Keys::All(inner) => count(key, inner),
        };
        i += 1;
    }
    found
}
