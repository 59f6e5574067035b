//! Populates fresh memory in advance, to avoid page faults.
//!
//! The kernel maps memory page by page, at the first access to each page. These page faults cost more than creating a
//! million objects. Populating many pages with one request takes two thirds of that time. The request changes no
//! contents, and does nothing if the kernel doesn't know it or the memory is not mapped.

/// Watches the addresses of new objects, to populate the interpreter's arenas in advance.
///
/// The allocator hands out the memory of its arenas in the order of addresses. So the memory behind an object in a new
/// part of an arena will be used next, and is populated. Active only when many objects are created.
#[derive(Debug)]
pub(crate) struct Fresh {
    /// The parts that were populated recently.
    parts: Option<Box<[usize; PARTS]>>,
    /// The number of objects so far.
    seen: usize,
}

/// The number of objects from which on populating pays off.
const MANY: usize = 4096;
/// The size of a part, as a power of two. Larger parts would waste memory at the ends of arenas, which are 1 MiB.
const PART: u32 = 18;
/// The maximum number of remembered parts. Reused memory comes in any order, and no part should be checked twice.
const PARTS: usize = 512;
const PAGE: usize = 4096;

impl Fresh {
    pub(crate) fn new() -> Self {
        Self { parts: None, seen: 0 }
    }

    /// Registers the address of a new object.
    #[inline(always)]
    pub(crate) fn made<T>(&mut self, object: *const T) {
        self.seen += 1;
        if self.seen > MANY {
            self.look(object as usize);
        }
    }

    #[inline]
    fn look(&mut self, address: usize) {
        let parts = self.parts.get_or_insert_with(|| Box::new([0; PARTS]));
        let part = address >> PART;
        if parts[part % PARTS] != part {
            parts[part % PARTS] = part;
            ask(address);
        }
    }
}

/// Populates the rest of the address's part if the part's last page is untouched: then most of the part is.
#[cold]
#[inline(never)]
fn ask(address: usize) {
    let end = ((address >> PART) + 1) << PART;
    if is_fresh(end - PAGE) {
        populate(address, end - address);
    }
}

/// Returns whether the page has no memory yet.
#[cfg(target_os = "linux")]
fn is_fresh(page: usize) -> bool {
    let mut there = 1u8;
    // SAFETY: the request writes only `there`, one byte for the one page. It fails for memory that is not mapped.
    let answer = unsafe { libc::mincore(page as *mut libc::c_void, PAGE, &raw mut there) };
    answer == 0 && there & 1 == 0
}

/// Populates memory before its first access, if its last page was never accessed.
pub(crate) fn populate_fresh(address: usize, len: usize) {
    let end = (address + len) & !(PAGE - 1);
    if end > address + PAGE && is_fresh(end - PAGE) {
        populate(address, len);
    }
}

/// Populates memory before its first access.
#[cfg(target_os = "linux")]
pub(crate) fn populate(address: usize, len: usize) {
    let start = address.next_multiple_of(PAGE);
    let end = (address + len) & !(PAGE - 1);
    if start < end {
        // SAFETY: the request only changes which pages are resident. It fails for memory that is not mapped.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_POPULATE_WRITE) };
    }
}

/// Requests huge pages for memory that is about to be filled. A huge page is mapped at once and is 512 times the size;
/// filling memory takes a third of the time.
#[cfg(target_os = "linux")]
pub(crate) fn in_large_pages(address: usize, len: usize) {
    let start = address.next_multiple_of(PAGE);
    let end = (address + len) & !(PAGE - 1);
    if start < end {
        // SAFETY: the request only changes the size of the pages. It fails for memory that is not mapped.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
}

/// Does nothing on other kernels.
#[cfg(not(target_os = "linux"))]
pub(crate) fn in_large_pages(_address: usize, _len: usize) {}

/// Always false on other kernels.
#[cfg(not(target_os = "linux"))]
fn is_fresh(_page: usize) -> bool {
    false
}

/// Does nothing on other kernels.
#[cfg(not(target_os = "linux"))]
pub(crate) fn populate(_address: usize, _len: usize) {}
