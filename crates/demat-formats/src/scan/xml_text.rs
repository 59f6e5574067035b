//! The bytes of character data in XML that need attention.

use super::class::Class;
use super::find::find;
use super::vector::Vector;

/// `<`, `&`, `]`, control characters, and all bytes beyond ASCII.
#[derive(Clone, Copy)]
pub(super) struct XmlSpecial;

impl Class for XmlSpecial {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // As signed numbers, the control characters and all bytes from 0x80 on are those below 0x20. SAFETY: the caller
        // guarantees that the machine has these vectors.
        unsafe {
            let marks = bytes.eq(V::splat(b'<')).or(bytes.eq(V::splat(b'&'))).or(bytes.eq(V::splat(b']')));
            marks.or(bytes.less_signed(V::splat(0x20)))
        }
    }
}

/// `<`, `>`, `&`, `"`, control characters, and the first byte of U+FFFE and U+FFFF in UTF-8.
#[derive(Clone, Copy)]
pub(super) struct XmlEscape;

impl Class for XmlEscape {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // SAFETY: the caller guarantees that the machine has these vectors.
        unsafe {
            let tags = bytes.eq(V::splat(b'<')).or(bytes.eq(V::splat(b'>')));
            let others = bytes.eq(V::splat(b'&')).or(bytes.eq(V::splat(b'"')));
            tags.or(others).or(XmlControl.test(bytes))
        }
    }
}

/// Control characters, and the first byte of U+FFFE and U+FFFF in UTF-8.
#[derive(Clone, Copy)]
pub(super) struct XmlControl;

impl Class for XmlControl {
    #[inline(always)]
    unsafe fn test<V: Vector>(self, bytes: V) -> V {
        // SAFETY: the caller guarantees that the machine has these vectors.
        unsafe { bytes.at_most(V::splat(0x1f)).or(bytes.eq(V::splat(0xef))) }
    }
}

/// Returns the position of the first byte at or after `from` that is `<`, `&`, `]`, below 0x20, or from 0x80 on. The
/// bytes before it are character data and valid in attributes as they are.
///
/// ```
/// use demat_formats::scan::xml_special;
/// assert_eq!(xml_special(b"a > b</x>", 0), 5);
/// assert_eq!(xml_special("é".as_bytes(), 0), 0);
/// ```
#[inline]
pub fn xml_special(bytes: &[u8], from: usize) -> usize {
    find(XmlSpecial, bytes, from)
}

/// Returns the position of the first byte at or after `from` that is below 0x20, or 0xEF: of those, XML allows some.
///
/// ```
/// use demat_formats::scan::xml_control;
/// assert_eq!(xml_control("é\n".as_bytes(), 0), 2);
/// assert_eq!(xml_control("\u{ffff}".as_bytes(), 0), 0);
/// ```
#[inline]
pub fn xml_control(bytes: &[u8], from: usize) -> usize {
    find(XmlControl, bytes, from)
}

/// Returns the position of the first byte at or after `from` that a writer may have to escape or refuse: `<`, `>`, `&`,
/// `"`, below 0x20, or 0xEF.
///
/// ```
/// use demat_formats::scan::xml_escape;
/// assert_eq!(xml_escape("é > b".as_bytes(), 0), 3);
/// ```
#[inline]
pub fn xml_escape(bytes: &[u8], from: usize) -> usize {
    find(XmlEscape, bytes, from)
}
