//! The end by a signal: solvers are ended too, and what was done is printed.
//!
//! One thread waits for the signals that end a program, which all others block. Programs that
//! we start block them too, unless [`with_signals`] says otherwise: the standard library leaves
//! the mask as it is.

use std::os::unix::process::CommandExt;
use std::process::Command;
use std::sync::Mutex;

/// What is to be done before the end.
type LastDeed = Box<dyn FnOnce() + Send>;

static LAST_DEED: Mutex<Option<LastDeed>> = Mutex::new(None);

/// Waits for signals from now on. Call it before other threads are started.
pub fn watch() {
    let signals = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP];
    // SAFETY: the set is initialised before it is used, and lives as long as the calls.
    let set = unsafe {
        let mut set: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        signals.iter().for_each(|&signal| {
            libc::sigaddset(&mut set, signal);
        });
        libc::pthread_sigmask(libc::SIG_BLOCK, &set, std::ptr::null_mut());
        set
    };
    let _ = std::thread::Builder::new().name("signals".to_string()).spawn(move || {
        let mut signal = 0;
        // SAFETY: both are of this thread.
        if unsafe { libc::sigwait(&set, &mut signal) } == 0 {
            end(signal);
        }
    });
}

/// Gives a program of the user's the signals that this one blocks: it must end when it is told
/// to, as without us.
pub fn with_signals(command: &mut Command) -> &mut Command {
    // SAFETY: these system calls may be made between fork and exec.
    unsafe {
        command.pre_exec(|| {
            let mut none: libc::sigset_t = std::mem::zeroed();
            libc::sigemptyset(&mut none);
            match libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut()) {
                0 => Ok(()),
                _ => Err(std::io::Error::last_os_error()),
            }
        })
    }
}

/// What is to be done if the program is ended from now on; nothing if `None`.
pub fn set_last_deed(deed: Option<LastDeed>) {
    if let Ok(mut slot) = LAST_DEED.lock() {
        *slot = deed;
    }
}

fn end(signal: i32) -> ! {
    duet_engine::tools::end_solvers();
    let deed = LAST_DEED.lock().ok().and_then(|mut slot| slot.take());
    if let Some(deed) = deed {
        // A failure here must not keep the program alive.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(deed));
    }
    std::process::exit(128 + signal)
}
