//! Memory that nobody has touched yet, and what it costs.
//!
//! The kernel gives memory page by page, at the first touch of each: an interrupt, and for a million objects more time than
//! making them. Asked beforehand it gives many pages at once for two thirds of that. Nothing of the memory changes by it,
//! and where the kernel doesn't know the request, or the memory is not there, nothing happens.

/// The interpreter's allocator, watched while it gives objects one after the other.
///
/// It takes memory from its arenas in the order of the addresses; so behind an object in a part that was not seen before
/// lies what it will give out next, and that is what the kernel is asked for. Only where many objects are made.
#[derive(Debug)]
pub(crate) struct Fresh {
    /// The parts that were asked for lately.
    parts: Option<Box<[usize; PARTS]>>,
    /// How many objects were seen.
    seen: usize,
}

/// So many objects are made before it is worth a thought.
const MANY: usize = 4096;
/// The size of a part, as a power of two: more at once would be wasted at the ends of arenas, which are 1 MiB.
const PART: u32 = 18;
/// So many parts are remembered. Memory that was used before comes in any order, and none of it should be looked at twice.
const PARTS: usize = 512;
const PAGE: usize = 4096;

impl Fresh {
    pub(crate) fn new() -> Self {
        Self { parts: None, seen: 0 }
    }

    /// An object was made at this address.
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

/// Asks for the rest of the part that an address is in, if its end was not touched yet: then most of it was not.
#[cold]
#[inline(never)]
fn ask(address: usize) {
    let end = ((address >> PART) + 1) << PART;
    if is_fresh(end - PAGE) {
        populate(address, end - address);
    }
}

/// Whether the kernel has yet to give memory for a page.
#[cfg(target_os = "linux")]
fn is_fresh(page: usize) -> bool {
    let mut there = 1u8;
    // SAFETY: the request changes nothing but `there`, of which there is a byte for the one page that is asked about; of
    // memory that is not mapped it is refused.
    let answer = unsafe { libc::mincore(page as *mut libc::c_void, PAGE, &raw mut there) };
    answer == 0 && there & 1 == 0
}

/// Asks the kernel for memory before it is touched, if the last page of it was never touched.
pub(crate) fn populate_fresh(address: usize, len: usize) {
    let end = (address + len) & !(PAGE - 1);
    if end > address + PAGE && is_fresh(end - PAGE) {
        populate(address, len);
    }
}

/// Asks the kernel for memory before it is touched.
#[cfg(target_os = "linux")]
pub(crate) fn populate(address: usize, len: usize) {
    let start = address.next_multiple_of(PAGE);
    let end = (address + len) & !(PAGE - 1);
    if start < end {
        // SAFETY: the request changes nothing but which pages are there; of memory that is not mapped it is refused.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_POPULATE_WRITE) };
    }
}

/// Asks for large pages where memory is about to be filled: a page is given in one go then that has five hundred times
/// the size, and that takes a third of the time.
#[cfg(target_os = "linux")]
pub(crate) fn in_large_pages(address: usize, len: usize) {
    let start = address.next_multiple_of(PAGE);
    let end = (address + len) & !(PAGE - 1);
    if start < end {
        // SAFETY: the request changes nothing but the size of the pages; of memory that is not mapped it is refused.
        unsafe { libc::madvise(start as *mut libc::c_void, end - start, libc::MADV_HUGEPAGE) };
    }
}

/// Other kernels are not asked.
#[cfg(not(target_os = "linux"))]
pub(crate) fn in_large_pages(_address: usize, _len: usize) {}

/// Other kernels are not asked.
#[cfg(not(target_os = "linux"))]
fn is_fresh(_page: usize) -> bool {
    false
}

/// Other kernels are not asked.
#[cfg(not(target_os = "linux"))]
pub(crate) fn populate(_address: usize, _len: usize) {}
