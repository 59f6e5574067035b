//! Builds a dict by copying one with the same keys in the same order.
//!
//! A dict that is filled key by key looks up each key, and resizes at 6 keys, 11, 22 and so on. From the third map with
//! the same keys on, this module copies a template (a [`Form`]) with these keys. The positions of the values in its
//! memory are known, so they are written directly.

use super::cached::Guarded;
use super::form::Form;
use crate::object::Object;
use pyo3::ffi;

/// The cache of templates. It is kept from one document to the next, which helps when many small ones are decoded.
static FORMS: Guarded<Forms> = Guarded::new(Forms {
    sets: [const { Set { forms: [const { None }; WAYS], next: 0 } }; SETS],
    met: [0; MET],
    credit: ALL,
});

struct Forms {
    sets: [Set; SETS],
    /// Digests of keys that were seen: a template is created when keys come a second time.
    met: [usize; MET],
    /// What templates may still cost: each dict adds one, and a new template takes [`PRICE`].
    credit: u32,
}

/// Templates with the same first and last key.
struct Set {
    forms: [Option<Form>; WAYS],
    /// The index of the next one to be replaced.
    next: usize,
}

const SETS: usize = 64;
const WAYS: usize = 4;
const MET: usize = 256;
/// A template costs as much time as some thirty of its copies save. Where maps have many different sets of keys, most
/// templates would be replaced before they are copied.
const PRICE: u32 = 48;
/// The most that can be saved up: a document's first maps may have this many sets of keys.
const ALL: u32 = 64 * PRICE;
/// Larger dicts are rarely records.
const MANY: usize = 256;

/// Builds a dict of alternating keys and values, and takes over their references. Returns `None` and takes nothing if
/// no template has these keys. `tracked`: whether some values are containers.
///
/// # Safety
/// The GIL is held. `entries` are owned references to live objects, with alternating exact `str` keys and values. If a
/// dict is returned, the caller no longer owns them.
#[inline]
pub(super) unsafe fn dict(entries: &[Object], tracked: bool) -> Option<Object> {
    let count = entries.len() / 2;
    if !(2..=MANY).contains(&count) {
        return None;
    }
    let address = |index: usize| entries[index].as_ptr() as usize;
    let ends = address(0) ^ address(entries.len() - 2).rotate_left(24);
    let at = mixed(ends.wrapping_add(count)) % SETS;
    // SAFETY: the GIL is held; no object is created or dropped while the templates are accessed.
    let forms = unsafe { FORMS.get() };
    forms.credit = ALL.min(forms.credit + 1);
    let Some(form) = forms.sets[at].forms.iter().flatten().find(|form| form.is_of(entries)) else {
        // The sum of the keys' addresses differs if a key differs or is missing.
        let sum = entries.chunks_exact(2).fold(count, |sum, entry| sum.wrapping_add(entry[0].as_ptr() as usize));
        let met = &mut forms.met[mixed(sum) % MET];
        if *met != sum {
            *met = sum;
        } else if forms.credit >= PRICE && entries.chunks_exact(2).all(|entry| is_shared(&entry[0])) {
            forms.credit -= PRICE;
            keep(at, entries);
        }
        return None;
    };
    let blank = form.blank();
    // SAFETY: as the caller guarantees; the blank is of a template with these keys.
    unsafe { blank.filled(entries, tracked) }
}

/// Whether a key has another owner, which is the cache of short texts. Any other key is a new object in the next map, so
/// that a template of it would never be found again.
#[inline]
fn is_shared(key: &Object) -> bool {
    // SAFETY: the key is a live object, and the GIL is held.
    unsafe { ffi::Py_REFCNT(key.as_ptr()) > 1 }
}

/// A hash whose low bits depend on all bits of the number.
#[inline(always)]
fn mixed(number: usize) -> usize {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
}

/// Creates a template with these keys.
#[cold]
#[inline(never)]
fn keep(at: usize, entries: &[Object]) {
    let form = Form::of(entries);
    // SAFETY: the GIL is held; no object is created or dropped while the templates are accessed.
    let set = unsafe { &mut FORMS.get().sets[at] };
    let old = std::mem::replace(&mut set.forms[set.next], form);
    set.next = (set.next + 1) % WAYS;
    drop(old);
}
