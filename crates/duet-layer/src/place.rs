//! Where in the program a call comes from: the addresses that it will return to. They are
//! told as files and lines when the trace is read.

use std::ffi::{CStr, c_int, c_void};

use crate::record::Record;

/// Frames that are looked at: ours, the loader's, and some of the program's.
const MOST_FRAMES: usize = 8;

/// The addresses that the calls on the stack return to, the innermost first.
pub struct Frames {
    addresses: [u64; MOST_FRAMES],
    count: usize,
}

unsafe extern "C" {
    fn _Unwind_Backtrace(
        each: extern "C" fn(*mut c_void, *mut c_void) -> c_int,
        data: *mut c_void,
    ) -> c_int;
    fn _Unwind_GetIP(context: *mut c_void) -> usize;
}

extern "C" fn note(context: *mut c_void, data: *mut c_void) -> c_int {
    // SAFETY: `data` is the `Frames` that `Frames::here` passes and borrows for the call,
    // and `context` is what the unwinder gives its callback.
    let (frames, address) = unsafe { (&mut *data.cast::<Frames>(), _Unwind_GetIP(context)) };
    if frames.count == MOST_FRAMES {
        return 4; // _URC_END_OF_STACK ends the walk
    }
    frames.addresses[frames.count] = address as u64;
    frames.count += 1;
    0
}

impl Frames {
    /// Those of the caller.
    pub fn here() -> Frames {
        let mut frames = Frames { addresses: [0; MOST_FRAMES], count: 0 };
        // SAFETY: the callback gets the pointer back while `frames` lives, and nothing else
        // uses `frames` meanwhile.
        unsafe { _Unwind_Backtrace(note, (&raw mut frames).cast()) };
        frames
    }

    /// The addresses.
    pub fn addresses(&self) -> &[u64] {
        &self.addresses[..self.count]
    }
}

/// What is known about an address of code.
pub fn code(address: u64) -> Record {
    // SAFETY: all zeros is a valid `Dl_info`; `dladdr` takes any address and fills it.
    let info = unsafe {
        let mut info: libc::Dl_info = std::mem::zeroed();
        libc::dladdr(address as *const c_void, &mut info);
        info
    };
    let text = |pointer: *const libc::c_char| match pointer.is_null() {
        true => String::new(),
        // SAFETY: texts of loaded files, which end with NUL.
        false => unsafe { CStr::from_ptr(pointer) }.to_string_lossy().into_owned(),
    };
    Record::Code {
        address,
        file: text(info.dli_fname),
        base: info.dli_fbase as u64,
        function: text(info.dli_sname),
    }
}
