//! Dicts with the same keys in the same order as another one had.
//!
//! A dict that grows key by key looks for a place for each, and is laid out anew at 6 keys, 11, 22 and so on. Of maps that
//! are alike, the third one and all later begin as a copy of a form: that has their keys, and the places of the values are
//! known. They are only filled.

use super::cached::Guarded;
use super::form::Form;
use crate::object::Object;

/// What was met lately. It lasts from one document to the next, for those who read many small ones.
static FORMS: Guarded<Forms> =
    Guarded::new(Forms { sets: [const { Set { forms: [const { None }; WAYS], next: 0 } }; SETS], met: [0; MET] });

struct Forms {
    sets: [Set; SETS],
    /// Digests of keys that were met: a form is made of keys that come twice.
    met: [usize; MET],
}

/// Forms with the same key first and last.
struct Set {
    forms: [Option<Form>; WAYS],
    /// Which of them gives way to a new one.
    next: usize,
}

const SETS: usize = 64;
const WAYS: usize = 4;
const MET: usize = 256;
/// More are hardly those of a record.
const MANY: usize = 256;

/// A dict of these keys and values, by turns, which go over to it; none, and nothing is taken, where no form of it is
/// known. `tracked` is whether there are containers among the values.
///
/// # Safety
/// The GIL is held. `entries` are owned references to living objects, keys that are exact text and values by turns; if
/// a dict comes back, they are owned no more.
#[inline]
pub(super) unsafe fn dict(entries: &[Object], tracked: bool) -> Option<Object> {
    let count = entries.len() / 2;
    if !(2..=MANY).contains(&count) {
        return None;
    }
    let address = |index: usize| entries[index].as_ptr() as usize;
    let ends = address(0) ^ address(entries.len() - 2).rotate_left(24);
    let at = mixed(ends.wrapping_add(count)) % SETS;
    // SAFETY: the GIL is held; nothing is made or dropped while the forms are looked at.
    let forms = unsafe { FORMS.get() };
    let Some(form) = forms.sets[at].forms.iter().flatten().find(|form| form.is_of(entries)) else {
        // The sum of the keys' addresses is another where one is another, or missing.
        let sum = entries.chunks_exact(2).fold(count, |sum, entry| sum.wrapping_add(entry[0].as_ptr() as usize));
        let met = &mut forms.met[mixed(sum) % MET];
        if *met == sum {
            keep(at, entries);
        } else {
            *met = sum;
        }
        return None;
    };
    let blank = form.blank();
    // SAFETY: as the caller says; the blank is of a form of these keys.
    unsafe { blank.filled(entries, tracked) }
}

/// A number that is different in its low bits where another one is different anywhere.
#[inline(always)]
fn mixed(number: usize) -> usize {
    number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40
}

/// Makes a form of these keys.
#[cold]
#[inline(never)]
fn keep(at: usize, entries: &[Object]) {
    let form = Form::of(entries);
    // SAFETY: the GIL is held; nothing is made or dropped while the forms are looked at.
    let set = unsafe { &mut FORMS.get().sets[at] };
    let old = std::mem::replace(&mut set.forms[set.next], form);
    set.next = (set.next + 1) % WAYS;
    drop(old);
}
