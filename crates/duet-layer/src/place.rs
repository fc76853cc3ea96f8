//! Where in the program a call comes from: the addresses that it will return to. They are
//! told as files and lines when the trace is read.

use std::cell::RefCell;
use std::ffi::{CStr, c_int, c_void};

use crate::record::Record;

/// Frames that are looked at: ours, the loader's, and some of the program's.
const MOST_FRAMES: usize = 8;

/// The addresses that the calls on the stack return to, the innermost first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    fn _Unwind_GetCFA(context: *mut c_void) -> usize;
}

/// A walk over the stack: the frames behind a place, and where the stack holds the address of
/// each. The others are those of the walk itself, as many as the compiler has not inlined.
#[derive(Clone, Copy)]
struct Walk {
    from: usize,
    frames: Frames,
    slots: [usize; MOST_FRAMES],
}

extern "C" fn note(context: *mut c_void, data: *mut c_void) -> c_int {
    // SAFETY: `data` is the `Walk` that `Walk::new` passes and borrows for the call, and
    // `context` is what the unwinder gives its callback.
    let (walk, address, end) =
        unsafe { (&mut *data.cast::<Walk>(), _Unwind_GetIP(context), _Unwind_GetCFA(context)) };
    // On x86-64 a call leaves the address right below where the frame ends.
    let slot = end.wrapping_sub(8);
    if slot < walk.from {
        return 0;
    }
    let count = walk.frames.count;
    // Behind the outermost frame there is an address of 0.
    if count == MOST_FRAMES || address == 0 {
        return 4; // _URC_END_OF_STACK ends the walk
    }
    walk.frames.addresses[count] = address as u64;
    walk.slots[count] = slot;
    walk.frames.count += 1;
    0
}

impl Walk {
    const NONE: Walk = Walk {
        from: 0,
        frames: Frames { addresses: [0; MOST_FRAMES], count: 0 },
        slots: [0; MOST_FRAMES],
    };

    /// The frames behind a place on the stack.
    fn new(from: usize) -> Walk {
        let mut walk = Walk { from, ..Walk::NONE };
        // SAFETY: the callback gets the pointer back while `walk` lives, and nothing else uses
        // `walk` meanwhile.
        unsafe { _Unwind_Backtrace(note, (&raw mut walk).cast()) };
        walk
    }

    /// The slots, each with the address that it held.
    fn slots(&self) -> impl Iterator<Item = (usize, u64)> {
        self.slots.iter().copied().zip(self.frames.addresses).take(self.frames.count)
    }

    /// Does the stack hold the addresses where they were?
    ///
    /// # Safety
    /// All slots are in memory that is mapped, and aligned.
    unsafe fn is_still_there(&self) -> bool {
        // SAFETY: the caller's promise.
        self.slots().all(|(slot, address)| unsafe { *(slot as *const u64) } == address)
    }
}

/// The last walk of a thread. Launches come from few places, and to compare some words of the
/// stack is much less work than to walk over it.
struct Kept {
    /// The place on the stack that the walk began at; 0 if none is kept.
    at: usize,
    walk: Walk,
    /// The stack of the thread: its first byte and the one behind its last.
    stack: Option<(usize, usize)>,
}

thread_local! {
    static KEPT: RefCell<Kept> =
        const { RefCell::new(Kept { at: 0, walk: Walk::NONE, stack: None }) };
}

impl Kept {
    /// The frames of a call whose own frame is here.
    fn frames(&mut self, at: usize) -> Frames {
        // SAFETY: the slots are on this thread's stack, between here and its end, because the
        // walk was kept for this place only if they are.
        if self.at == at && unsafe { self.walk.is_still_there() } {
            return self.walk.frames;
        }
        self.walk = Walk::new(at);
        self.at = if self.may_be_kept(at) { at } else { 0 };
        self.walk.frames
    }

    /// Is the walk one over the thread's own stack, and as we think that stacks are?
    fn may_be_kept(&mut self, at: usize) -> bool {
        let (start, end) = *self.stack.get_or_insert_with(stack);
        let is_inside = |slot: usize| slot < end && slot.is_multiple_of(8);
        cfg!(target_arch = "x86_64")
            && start <= at
            && self.walk.slots().count() > 1
            && self.walk.slots().all(|(slot, _)| is_inside(slot))
            // SAFETY: they are on the stack, which is mapped from here to its end.
            && unsafe { self.walk.is_still_there() }
    }
}

/// The stack of this thread; nothing if it is not known.
fn stack() -> (usize, usize) {
    // SAFETY: the attributes are initialised by the first call, if it succeeds.
    unsafe {
        let mut attributes: libc::pthread_attr_t = std::mem::zeroed();
        if libc::pthread_getattr_np(libc::pthread_self(), &mut attributes) != 0 {
            return (0, 0);
        }
        let (mut start, mut size) = (std::ptr::null_mut(), 0);
        let result = libc::pthread_attr_getstack(&attributes, &mut start, &mut size);
        libc::pthread_attr_destroy(&mut attributes);
        if result == 0 { (start as usize, start as usize + size) } else { (0, 0) }
    }
}

impl Frames {
    /// Those of the caller.
    #[inline(never)]
    pub fn here() -> Frames {
        let mark = std::hint::black_box(0u8);
        let at = (&raw const mark) as usize;
        let kept = KEPT.try_with(|kept| Some(kept.try_borrow_mut().ok()?.frames(at)));
        // A thread that ends keeps nothing any more.
        kept.ok().flatten().unwrap_or_else(|| Walk::new(at).frames)
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::hint::black_box;

    #[inline(never)]
    fn launch() -> Frames {
        black_box(Frames::here())
    }

    #[inline(never)]
    fn one() -> Frames {
        black_box(launch())
    }

    #[inline(never)]
    fn two() -> Frames {
        black_box(launch())
    }

    #[inline(never)]
    fn deep(depth: usize) -> Frames {
        black_box(if depth == 0 { launch() } else { deep(depth - 1) })
    }

    /// Two callers whose frames lie at the same place are told apart, however often the walk
    /// of one of them is found again.
    #[test]
    fn frames_that_are_kept_are_those_of_the_call() {
        // How many there are is hidden, so that the loop is one call.
        let callers: [fn() -> Frames; 6] = [one, one, two, two, one, two];
        let callers = black_box(callers.to_vec());
        let seen: Vec<Frames> = callers.iter().map(|call| black_box(call)()).collect();
        for (at, frames) in seen.iter().enumerate() {
            assert!(frames.count > 3, "{frames:?}");
            for (other, others) in seen.iter().enumerate() {
                let same = std::ptr::fn_addr_eq(callers[at], callers[other]);
                assert_eq!(frames == others, same, "{at} {other}");
            }
        }
        let depths = black_box(vec![0, 1, 2, 1, 0, 2]);
        let seen: Vec<Frames> = depths.iter().map(|&depth| deep(black_box(depth))).collect();
        for (at, frames) in seen.iter().enumerate() {
            for (other, others) in seen.iter().enumerate() {
                assert_eq!(frames == others, depths[at] == depths[other], "{at} {other}");
            }
        }
        assert!(KEPT.with(|kept| kept.borrow().at != 0), "nothing is kept");
    }
}
