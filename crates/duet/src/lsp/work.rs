//! Checks in processes that can be ended: `duet check` on a copy of the text.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex};

use serde_json::Value;

/// What a check looks for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Verdicts and findings.
    Plain,
    /// Also barriers and preconditions that would help.
    WithEdits,
}

/// What came of a check.
pub struct Done {
    pub uri: String,
    pub version: i64,
    pub stage: Stage,
    /// The report as JSON; none if there is none.
    pub report: Option<Value>,
    /// What was said instead.
    pub message: String,
}

/// A check that is under way. It ends with this value.
pub struct Work {
    /// The process, until it has ended.
    process: Arc<Mutex<Option<u32>>>,
}

impl Drop for Work {
    fn drop(&mut self) {
        let Ok(process) = self.process.lock() else { return };
        if let Some(id) = *process {
            // The signal that `duet check` takes as an order to end its solvers too.
            // SAFETY: the process has not been waited for, so the number is its own.
            unsafe { libc::kill(id as libc::pid_t, libc::SIGTERM) };
        }
    }
}

impl Work {
    /// Begins to check a version of a document.
    pub fn begin(
        (uri, version): (&str, i64),
        (path, text): (&Path, &str),
        stage: Stage,
        options: &[String],
        done: Sender<Done>,
    ) -> std::io::Result<Work> {
        let folder = Folder::new()?;
        let name = path.file_name().unwrap_or_else(|| "kernel.cu".as_ref());
        let copy = folder.0.join(name);
        std::fs::write(&copy, text)?;
        let mut command = Command::new(std::env::current_exe()?);
        command.arg("check").arg(&copy).arg("--format=json").arg("--stands-for").arg(path);
        command.args(caches());
        if stage == Stage::WithEdits {
            command.args(["--suggest-fixes", "--infer-requires"]);
        }
        command.args(options);
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let process = Arc::new(Mutex::new(Some(child.id())));
        let own = Arc::clone(&process);
        let (uri, path) = (uri.to_string(), path.to_path_buf());
        std::thread::spawn(move || {
            let (output, errors) = read(&mut child);
            if let Ok(mut process) = own.lock() {
                *process = None;
            }
            let _ = child.wait();
            // Places are told in the copy; the editor knows the document.
            let output = output.replace(&in_json(&copy), &in_json(&path));
            let report = serde_json::from_str(&output).ok();
            drop(folder);
            let _ = done.send(Done { uri, version, stage, report, message: errors });
        });
        Ok(Work { process })
    }
}

/// A path as it stands in a text of JSON.
fn in_json(path: &Path) -> String {
    let quoted = Value::from(path.display().to_string()).to_string();
    quoted.trim_matches('"').to_string()
}

/// All that a process prints.
fn read(child: &mut Child) -> (String, String) {
    let errors = child.stderr.take().map(|mut pipe| {
        std::thread::spawn(move || {
            let mut bytes = vec![];
            let _ = pipe.read_to_end(&mut bytes);
            bytes
        })
    });
    let mut bytes = vec![];
    if let Some(mut pipe) = child.stdout.take() {
        let _ = pipe.read_to_end(&mut bytes);
    }
    let errors = errors.and_then(|thread| thread.join().ok()).unwrap_or_default();
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    (text(bytes), text(errors))
}

/// What earlier checks found out: most of a file is as it was before the last change.
fn caches() -> Vec<String> {
    let home = || Some(PathBuf::from(std::env::var_os("HOME")?).join(".cache"));
    let folder = std::env::var_os("XDG_CACHE_HOME").map(PathBuf::from).or_else(home);
    let Some(folder) = folder.filter(|folder| folder.is_absolute()) else { return vec![] };
    let folder = folder.join("duet/lsp");
    ["proof", "query"]
        .map(|kind| format!("--{kind}-cache={}", folder.join(kind).display()))
        .to_vec()
}

/// A folder that vanishes.
struct Folder(PathBuf);

impl Folder {
    fn new() -> std::io::Result<Folder> {
        use std::os::unix::fs::DirBuilderExt;
        use std::sync::atomic::{AtomicUsize, Ordering};
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let name = format!("duet-lsp-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // It must be new: in a folder for all, somebody else's is not to be used.
        std::fs::DirBuilder::new().mode(0o700).create(&path)?;
        Ok(Folder(path))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
