//! A check in a process of its own: a fresh folder, limits on memory, time and files, a session
//! of its own. Whatever is left of the session when the check ends is ended too.

use std::io::Read;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::{Duration, Instant};

/// The most output of a check.
const MOST_OUTPUT: u64 = 8 << 20;
/// How long a check may take to print what it knows once it is told to end.
const LAST_WORDS: Duration = Duration::from_secs(3);
/// Time for reading a file and for starting programs, beyond the time of a check.
const EXTRA: Duration = Duration::from_secs(10);

/// What a check may use.
#[derive(Clone, Copy, Debug)]
pub struct Means {
    pub seconds: u64,
    pub memory: u64,
}

/// What is checked.
#[derive(Clone, Debug)]
pub struct Job {
    pub text: String,
    /// The file's name: its ending is the language.
    pub name: &'static str,
    /// Options of `duet check`.
    pub options: Vec<String>,
}

/// What came of it.
pub struct Finished {
    /// The exit code, if it ended by itself.
    pub code: Option<i32>,
    /// What it printed.
    pub output: String,
}

/// Checks something.
pub fn check(duet: &Path, job: &Job, means: Means) -> std::io::Result<Finished> {
    let folder = tempfile::Builder::new().prefix("duet-serve-").tempdir()?;
    std::fs::write(folder.path().join(job.name), &job.text)?;
    let mut command = Command::new(duet);
    command.current_dir(folder.path()).arg("check").arg(job.name).args(&job.options);
    command.arg(format!("--timeout={}", means.seconds));
    command.arg(format!("--file-timeout={}", means.seconds)).arg("--jobs=1");
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
    command.env_clear().env("HOME", folder.path()).env("TMPDIR", folder.path());
    for name in ["PATH", "DUET_Z3", "DUET_CVC5", "DUET_CLANG", "DUET_CACHE_DIR", "LD_LIBRARY_PATH"]
    {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    limit(&mut command, means);
    let mut child = command.spawn()?;
    let (send, printed) = channel();
    if let Some(pipe) = child.stdout.take() {
        std::thread::spawn(move || {
            let mut bytes = vec![];
            let _ = pipe.take(MOST_OUTPUT).read_to_end(&mut bytes);
            let _ = send.send(bytes);
        });
    }
    let end = Instant::now() + Duration::from_secs(means.seconds) + EXTRA;
    let status = loop {
        match child.try_wait()? {
            Some(status) => break Some(status),
            None if Instant::now() >= end => break None,
            None => std::thread::sleep(Duration::from_millis(10)),
        }
    };
    let session = child.id() as libc::pid_t;
    if status.is_none() {
        // SAFETY: the process has not been waited for, so the number is its own.
        unsafe { libc::kill(session, libc::SIGTERM) };
        std::thread::sleep(LAST_WORDS);
        let _ = child.kill();
        let _ = child.wait();
    }
    end_session(session);
    let output = printed.recv_timeout(LAST_WORDS).unwrap_or_default();
    let code = status.and_then(|status| status.code());
    Ok(Finished { code, output: String::from_utf8_lossy(&output).into_owned() })
}

/// Limits of the process and of all that it starts.
fn limit(command: &mut Command, means: Means) {
    let bytes = means.memory.saturating_mul(1 << 20);
    let seconds = means.seconds + EXTRA.as_secs();
    let limits = [
        (libc::RLIMIT_AS, bytes),
        (libc::RLIMIT_CPU, seconds),
        (libc::RLIMIT_FSIZE, 64 << 20),
        (libc::RLIMIT_NOFILE, 256),
        (libc::RLIMIT_CORE, 0),
    ];
    // SAFETY: these system calls may be made between fork and exec.
    unsafe {
        command.pre_exec(move || {
            for (what, most) in limits {
                let limit = libc::rlimit { rlim_cur: most, rlim_max: most };
                if libc::setrlimit(what, &limit) != 0 {
                    return Err(std::io::Error::last_os_error());
                }
            }
            let failed = libc::setsid() == -1
                || libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) != 0
                || libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0;
            if failed { Err(std::io::Error::last_os_error()) } else { Ok(()) }
        });
    }
}

/// Ends all processes of a session: a solver has a group of its own, but no session.
fn end_session(session: libc::pid_t) {
    let Ok(all) = std::fs::read_dir("/proc") else { return };
    for entry in all.filter_map(Result::ok) {
        let id = entry.file_name().to_str().and_then(|name| name.parse::<libc::pid_t>().ok());
        let Some(id) = id else { continue };
        if session_of(&entry.path()) == Some(session) {
            // SAFETY: only a signal is sent. A number that was used again meanwhile belongs to
            // another session.
            unsafe { libc::kill(id, libc::SIGKILL) };
        }
    }
}

fn session_of(process: &Path) -> Option<libc::pid_t> {
    let text = std::fs::read_to_string(process.join("stat")).ok()?;
    // The name stands in parentheses and may hold anything.
    let (_, rest) = text.rsplit_once(')')?;
    rest.split_whitespace().nth(3)?.parse().ok()
}

/// The name of the file for a language.
pub fn file_name(language: &str) -> Option<&'static str> {
    match language {
        "cuda" => Some("kernel.cu"),
        "opencl" => Some("kernel.cl"),
        _ => None,
    }
}

/// Where a program is, as a whole path: checks run in folders of their own.
pub fn whole(path: PathBuf) -> PathBuf {
    path.canonicalize().unwrap_or(path)
}
