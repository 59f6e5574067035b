//! Dicts with the same keys in the same order as another one had.
//!
//! A dict that grows key by key looks for a place for each, and is laid out anew at 6 keys, 11, 22 and so on. Of maps that
//! are alike, the third one and all later begin as a copy of a form: that has their keys, and the places of the values are
//! known. They are only filled.

use super::cached::Guarded;
use super::form::Form;
use crate::object::Object;

/// The forms that were met lately. They last from one document to the next, for those who read many small ones.
static FORMS: Guarded<[Slot; SLOTS]> = Guarded::new([const { Slot { met: 0, form: None } }; SLOTS]);

struct Slot {
    /// A digest of the keys that were met here last: a form is made of keys that come twice.
    met: usize,
    form: Option<Form>,
}

const SLOTS: usize = 256;
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
    // The sum of their addresses: quick, and another where one key is another, or missing.
    let sum = entries.chunks_exact(2).fold(count, |sum, entry| sum.wrapping_add(entry[0].as_ptr() as usize));
    let digest = sum.wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let at = digest >> 32 & (SLOTS - 1);
    // SAFETY: the GIL is held; nothing is made or dropped while the slot is looked at.
    let slot = unsafe { &mut FORMS.get()[at] };
    if slot.met != digest {
        slot.met = digest;
        let old = slot.form.take();
        drop(old); // keys alone, whose end runs no code
        return None;
    }
    let Some(form) = &slot.form else {
        keep(at, Form::of(entries));
        return None;
    };
    let blank = form.is_of(entries).then(|| form.blank())?;
    // SAFETY: as the caller says; the blank is of a form of these keys.
    unsafe { blank.filled(entries, tracked) }
}

#[cold]
fn keep(at: usize, form: Option<Form>) {
    // SAFETY: the GIL is held; nothing is made or dropped while the slot is looked at.
    let old = unsafe { std::mem::replace(&mut FORMS.get()[at].form, form) };
    drop(old);
}
