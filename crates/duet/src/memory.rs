//! Memory that runs out: a message and an exit code, in the place of a crash.

use std::alloc::{GlobalAlloc, Layout, System};
use std::io::Write;

use crate::exit::Exit;

/// The system's allocator; the program ends with a message if it yields nothing.
struct OrEnd;

#[global_allocator]
static ALLOCATOR: OrEnd = OrEnd;

// SAFETY: everything is the system allocator's; a null pointer is never returned.
unsafe impl GlobalAlloc for OrEnd {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promise is the system allocator's.
        or_end(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as above.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as above.
        or_end(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // SAFETY: as above.
        or_end(unsafe { System.realloc(pointer, layout, size) }, size)
    }
}

/// Nothing here allocates.
fn or_end(pointer: *mut u8, size: usize) -> *mut u8 {
    if pointer.is_null() && size > 0 {
        let text = b"error: out of memory: nothing is concluded; raise the limit (`ulimit -v`) \
                     or check fewer kernels at once (--jobs=1)\n";
        let _ = std::io::stderr().write_all(text);
        // SAFETY: ends the process; no destructor runs, as none could allocate.
        unsafe { libc::_exit(Exit::Internal as i32) }
    }
    pointer
}
