//! Every question as a file that stands alone, and a transcript of the answers.

use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A folder of questions. Clones share the folder and its numbering.
#[derive(Clone, Debug)]
pub struct QueryLog {
    folder: PathBuf,
    next: Arc<AtomicU64>,
    transcript: Arc<Mutex<File>>,
}

impl QueryLog {
    /// Opens a folder, made if need be. Numbering starts at 1.
    pub fn open(folder: &Path) -> std::io::Result<Self> {
        std::fs::create_dir_all(folder)?;
        let file =
            OpenOptions::new().create(true).append(true).open(folder.join("transcript.txt"))?;
        let folder = folder.to_path_buf();
        Ok(QueryLog {
            folder,
            next: Arc::new(AtomicU64::new(1)),
            transcript: Arc::new(Mutex::new(file)),
        })
    }

    /// Writes a question; returns its name.
    pub fn question(&self, script: &str) -> std::io::Result<String> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let name = format!("q{number:05}.smt2");
        std::fs::write(self.folder.join(&name), script)?;
        Ok(name)
    }

    /// Notes an answer in the transcript.
    pub fn answer(&self, name: &str, about: &str, by: &str, word: &str, took: Duration) {
        let about = about.lines().next().unwrap_or_default();
        let line = format!("{name}\t{word}\t{by}\t{:.1} ms\t{about}\n", took.as_secs_f64() * 1e3);
        if let Ok(mut file) = self.transcript.lock() {
            // The transcript is a help for people; without it the answer stands.
            let _ = file.write_all(line.as_bytes());
        }
    }
}
