//! Running a program with a limit on time and memory.
//!
//! The child leads a process group of its own, which is ended as a whole when the
//! time is over, and dies with us if we are killed. Its output is read by threads,
//! and no more of it is kept than anybody could want, so a child that prints
//! without end costs neither memory nor a block.

use std::io::Read;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::limits::Limits;

/// Output beyond this is dropped.
const MOST_OUTPUT: usize = 64 << 20;

/// How long output may still arrive after the process has ended: something that
/// it started and that outlives it may hold the pipe.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How a process ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ended {
    /// By itself, with this code.
    Code(i32),
    /// By this signal.
    Signal(i32),
    /// We ended it: its time was over.
    TimedOut,
}

/// A process that has ended.
#[derive(Clone, Debug)]
pub struct Finished {
    /// How.
    pub ended: Ended,
    /// What it printed.
    pub stdout: Vec<u8>,
    /// What it complained about.
    pub stderr: Vec<u8>,
    /// How long it ran.
    pub took: Duration,
    /// The most memory that it or a process that it waited for held, in megabytes.
    pub peak_mb: f64,
}

/// Runs a program to its end, or to the limit.
pub fn run_limited(mut command: Command, limits: &Limits) -> std::io::Result<Finished> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command.process_group(0);
    restrain(&mut command, limits.memory_mb);
    let start = Instant::now();
    let mut child = command.spawn()?;
    let stdout = read_all(child.stdout.take().expect("stdout is piped"));
    let stderr = read_all(child.stderr.take().expect("stderr is piped"));
    let timed_out = wait_or_kill(&child, limits.wall);
    let took = start.elapsed();
    let (status, peak_mb) = reap(&mut child)?;
    let ended = match (timed_out, status.code(), status.signal()) {
        (true, _, _) => Ended::TimedOut,
        (_, Some(code), _) => Ended::Code(code),
        (_, _, signal) => Ended::Signal(signal.unwrap_or(0)),
    };
    let collect = |pipe: Receiver<Vec<u8>>| pipe.recv_timeout(LAST_WORDS).unwrap_or_default();
    Ok(Finished { ended, stdout: collect(stdout), stderr: collect(stderr), took, peak_mb })
}

/// Limits the address space, and has the child end when we do. Only the soft limit
/// is set: a solver that the child starts may lower its own further.
fn restrain(command: &mut Command, memory_mb: u64) {
    let bytes = memory_mb.saturating_mul(1 << 20);
    // SAFETY: these system calls may be made between fork and exec, and touch
    // nothing but the limit.
    unsafe {
        command.pre_exec(move || {
            let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
            if libc::getrlimit(libc::RLIMIT_AS, &mut limit) != 0 {
                return Err(std::io::Error::last_os_error());
            }
            limit.rlim_cur = bytes.min(limit.rlim_max);
            let failed = libc::setrlimit(libc::RLIMIT_AS, &limit) != 0
                || libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0;
            if failed { Err(std::io::Error::last_os_error()) } else { Ok(()) }
        });
    }
}

fn read_all(mut pipe: impl Read + Send + 'static) -> Receiver<Vec<u8>> {
    let (done, output) = channel();
    std::thread::spawn(move || {
        let mut kept = vec![];
        let mut chunk = vec![0; 64 << 10];
        while let Ok(count @ 1..) = pipe.read(&mut chunk) {
            let room = MOST_OUTPUT - kept.len();
            kept.extend_from_slice(&chunk[..count.min(room)]);
        }
        let _ = done.send(kept);
    });
    output
}

/// Waits until the child has ended, without taking note of it yet, so that its id
/// stays its own; ends its group when the time is over. Says whether it did.
fn wait_or_kill(child: &Child, wall: Duration) -> bool {
    let id = child.id();
    let (stop, stopped) = channel::<()>();
    let watch = std::thread::spawn(move || match stopped.recv_timeout(wall) {
        Err(RecvTimeoutError::Timeout) => {
            // SAFETY: a system call without memory effects. The child has not been
            // waited for, so the group is still its own.
            unsafe { libc::kill(-(id as i32), libc::SIGKILL) };
            true
        }
        _ => false,
    });
    // SAFETY: `info` is only written to, and is not read.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    loop {
        let options = libc::WEXITED | libc::WNOWAIT;
        // SAFETY: as above.
        let result = unsafe { libc::waitid(libc::P_PID, id, &mut info, options) };
        let interrupted = std::io::Error::last_os_error().raw_os_error() == Some(libc::EINTR);
        if result == 0 || !interrupted {
            break;
        }
    }
    drop(stop);
    let timed_out = watch.join().unwrap_or(false);
    // What it started may still run.
    // SAFETY: as above: it has not been waited for.
    unsafe { libc::kill(-(id as i32), libc::SIGKILL) };
    timed_out
}

/// Takes note of the child's end: its status, and the memory it took.
fn reap(child: &mut Child) -> std::io::Result<(ExitStatus, f64)> {
    let mut status = 0;
    // SAFETY: plain data, for which all zeros is a value.
    let mut usage: libc::rusage = unsafe { std::mem::zeroed() };
    // SAFETY: both pointers are to variables of this function.
    let waited = unsafe { libc::wait4(child.id() as i32, &mut status, 0, &mut usage) };
    if waited < 0 {
        return Err(std::io::Error::last_os_error());
    }
    // Linux counts in kilobytes.
    Ok((ExitStatus::from_raw(status), usage.ru_maxrss as f64 / 1024.0))
}
