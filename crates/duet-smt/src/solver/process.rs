//! A live child process that is talked to in lines.
//!
//! Reading and writing happen on threads of their own, so neither a solver that
//! stops reading nor one that stops writing can block us: every wait has a
//! fence. The child leads a process group, which is killed as a whole.

use super::{CancelToken, Reason};
use crate::fence::Fence;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How often a wait looks at the cancel flag.
const POLL: Duration = Duration::from_millis(10);
/// A line longer than this is garbage.
const MAX_LINE: u64 = 64 << 20;

pub(super) struct Process {
    child: Child,
    to_child: Sender<String>,
    from_child: Receiver<String>,
    complaints: Arc<Mutex<String>>,
}

impl Process {
    /// Starts a program with a memory fence.
    pub fn start(mut command: Command, memory_mb: Option<u64>) -> std::io::Result<Self> {
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.process_group(0);
        if let Some(mb) = memory_mb {
            fence_memory(&mut command, mb);
        }
        let mut child = spawn(&mut command)?;
        let (to_child, text) = channel::<String>();
        let mut stdin = child.stdin.take().expect("stdin is piped");
        std::thread::spawn(move || {
            // An error means that the child is gone; the reader notices.
            while let Ok(text) = text.recv() {
                if stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    return;
                }
            }
        });
        let stdout = child.stdout.take().expect("stdout is piped");
        let (lines, from_child) = channel();
        std::thread::spawn(move || forward_lines(stdout, &lines));
        let complaints = Arc::new(Mutex::new(String::new()));
        let stderr = child.stderr.take().expect("stderr is piped");
        let heard = Arc::clone(&complaints);
        std::thread::spawn(move || collect(stderr, &heard));
        Ok(Process { child, to_child, from_child, complaints })
    }

    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Hands text to the child; never blocks.
    pub fn send(&self, text: String) {
        // A failed send means that the child is gone; the reader notices.
        let _ = self.to_child.send(text);
    }

    /// The next line of the child.
    pub fn line(&self, fence: Fence, cancel: &CancelToken) -> Result<String, Reason> {
        loop {
            if cancel.is_cancelled() {
                return Err(Reason::Cancelled);
            }
            // A line that is already there but late is still late.
            if fence.is_past() {
                return Err(Reason::Timeout);
            }
            match self.from_child.recv_timeout(POLL) {
                Ok(line) => return Ok(line),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.cause_of_death()),
            }
        }
    }

    fn cause_of_death(&self) -> Reason {
        // The last words may still be on their way.
        std::thread::sleep(POLL);
        let words = self.complaints();
        if mentions_memory(&words) { Reason::Memory } else { Reason::Crashed }
    }

    /// What the child wrote to its error output.
    pub fn complaints(&self) -> String {
        self.complaints.lock().map(|text| text.clone()).unwrap_or_default()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        kill_group(&mut self.child);
    }
}

/// The groups of all solvers that are alive.
static ALIVE: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

/// Starts a child and notes it. Ending all children waits until it is noted.
fn spawn(command: &mut Command) -> std::io::Result<Child> {
    let mut alive = ALIVE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    let child = command.spawn()?;
    alive.insert(child.id());
    Ok(child)
}

/// Kills all solvers, because the program ends. None is started afterwards.
pub fn end_all() {
    let alive = ALIVE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    for id in alive.iter().filter_map(|&id| i32::try_from(id).ok()) {
        // SAFETY: a system call without memory effects. Children are taken off the list
        // before they are waited for, so the id is still theirs.
        unsafe { libc::kill(-id, libc::SIGKILL) };
    }
    std::mem::forget(alive);
}

/// Kills the child and what it started.
fn kill_group(child: &mut Child) {
    ALIVE.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).remove(&child.id());
    if let Ok(id) = i32::try_from(child.id()) {
        // SAFETY: a system call without memory effects. The child has not been
        // waited for, so its id and group are still its own.
        unsafe { libc::kill(-id, libc::SIGKILL) };
    }
    let _ = child.kill();
    let _ = child.wait();
}

/// Whether a message is about memory that ran out.
pub(super) fn mentions_memory(text: &str) -> bool {
    let text = text.to_lowercase();
    ["out of memory", "bad_alloc", "memout", "cannot allocate", "max. memory"]
        .iter()
        .any(|sign| text.contains(sign))
}

/// Limits the address space of the child. A narrower limit that we ourselves run
/// under stays.
fn fence_memory(command: &mut Command, mb: u64) {
    let bytes = mb.saturating_mul(1 << 20).min(own_memory_limit());
    let limit = libc::rlimit { rlim_cur: bytes, rlim_max: bytes };
    // SAFETY: setrlimit is async-signal-safe and touches nothing of ours.
    unsafe {
        command.pre_exec(move || match libc::setrlimit(libc::RLIMIT_AS, &limit) {
            0 => Ok(()),
            _ => Err(std::io::Error::last_os_error()),
        });
    }
}

fn own_memory_limit() -> u64 {
    let mut own = libc::rlimit { rlim_cur: libc::RLIM_INFINITY, rlim_max: libc::RLIM_INFINITY };
    // SAFETY: writes to a variable of this function; on failure it stays as it is.
    unsafe { libc::getrlimit(libc::RLIMIT_AS, &mut own) };
    own.rlim_cur.min(own.rlim_max)
}

fn forward_lines(out: impl Read, lines: &Sender<String>) {
    let mut reader = BufReader::new(out);
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let line = String::from_utf8_lossy(&line).trim_end().to_string();
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// Keeps the first few kilobytes of the error output.
fn collect(err: impl Read, heard: &Mutex<String>) {
    for line in BufReader::new(err).lines().map_while(Result::ok) {
        if let Ok(mut heard) = heard.lock()
            && heard.len() < 4096
        {
            heard.push_str(&line);
            heard.push('\n');
        }
    }
}

/// The output of a command that ends within a time, else nothing.
pub(super) fn output_within(mut command: Command, wall: Duration) -> Option<Vec<u8>> {
    command.stdout(Stdio::piped()).process_group(0);
    let mut child = spawn(&mut command).ok()?;
    let mut stdout = child.stdout.take()?;
    let (done, output) = channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = stdout.read_to_end(&mut bytes);
        let _ = done.send(bytes);
    });
    let output = output.recv_timeout(wall).ok();
    kill_group(&mut child);
    output
}
