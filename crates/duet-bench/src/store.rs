//! Results on disk: a folder with one line of JSON for each result, added as they
//! come, and the whole result as one file at the end.
//!
//! A run that is interrupted, even in the middle of a line, loses at most the
//! results that were not there yet. A disk that is full is an error of the one call
//! that met it; the next call tries again.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::record::Record;

/// The file of lines in a folder of results.
const LINES: &str = "results.jsonl";

/// Why results could not be kept or read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {why}", path.display())]
pub struct StoreError {
    /// The file or folder.
    pub path: PathBuf,
    /// The reason.
    pub why: String,
}

impl StoreError {
    fn new(path: &Path, why: impl ToString) -> StoreError {
        StoreError { path: path.to_path_buf(), why: why.to_string() }
    }
}

/// Results that are kept as they come.
#[derive(Debug, Default)]
pub struct Store {
    file: Option<(PathBuf, File)>,
    known: HashMap<(String, String), Record>,
    /// The last line in the file is not complete.
    is_torn: bool,
}

impl Store {
    /// Keeps nothing.
    pub fn nowhere() -> Store {
        Store::default()
    }

    /// Opens a folder, which is made if need be, with the results that are in it.
    pub fn open(folder: &Path) -> Result<Store, StoreError> {
        let path = folder.join(LINES);
        let failed = |error: std::io::Error| StoreError::new(&path, error);
        std::fs::create_dir_all(folder).map_err(|error| StoreError::new(folder, error))?;
        let mut file =
            OpenOptions::new().read(true).append(true).create(true).open(&path).map_err(failed)?;
        let mut bytes = vec![];
        // A device or a pipe has no results of an earlier run.
        if file.metadata().map_err(failed)?.is_file() {
            file.seek(SeekFrom::Start(0)).map_err(failed)?;
            file.read_to_end(&mut bytes).map_err(failed)?;
        }
        let is_torn = !bytes.is_empty() && !bytes.ends_with(b"\n");
        let known = parse_lines(&bytes)
            .into_iter()
            .map(|record| ((record.file.clone(), record.configuration.clone()), record))
            .collect();
        Ok(Store { file: Some((path, file)), known, is_torn })
    }

    /// A result that is there already and rests on the same things.
    pub fn get(&self, file: &str, configuration: &str, key: &str) -> Option<Record> {
        let found = self.known.get(&(file.to_string(), configuration.to_string()));
        found.filter(|record| record.key == key).cloned()
    }

    /// Adds a result.
    pub fn add(&mut self, record: &Record) -> Result<(), StoreError> {
        let Some((path, file)) = &mut self.file else { return Ok(()) };
        let failed = |error: &dyn ToString| StoreError::new(path, error.to_string());
        let mut line = serde_json::to_string(record).map_err(|error| failed(&error))?;
        line.push('\n');
        if self.is_torn {
            line.insert(0, '\n');
        }
        // One write, so that lines of two runs into one folder do not mix.
        let written = file.write_all(line.as_bytes()).and_then(|()| file.flush());
        self.is_torn = written.is_err();
        written.map_err(|error| failed(&error))
    }
}

/// The lines that are whole records; of the last write of a run that was killed
/// there may be a part.
fn parse_lines(bytes: &[u8]) -> Vec<Record> {
    let text = String::from_utf8_lossy(bytes);
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// A whole run as one file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct ResultFile {
    /// Of this format.
    pub version: u32,
    /// The folder that was run.
    pub folder: String,
    /// The version of Duet.
    pub duet: String,
    /// Wall-clock time of the whole run; what was taken from an earlier one is not in it.
    pub seconds: f64,
    /// Processes at a time.
    pub jobs: usize,
    /// Folders that could not be listed and the like.
    pub problems: Vec<String>,
    /// The results.
    pub records: Vec<Record>,
}

/// Writes a whole run; the file appears in one step or not at all.
pub fn write_results(path: &Path, results: &ResultFile) -> Result<(), StoreError> {
    let text = serde_json::to_string_pretty(results).map_err(|e| StoreError::new(path, e))?;
    write_file(path, &(text + "\n"))
}

/// Writes a file in one step.
pub fn write_file(path: &Path, text: &str) -> Result<(), StoreError> {
    let failed = |error: std::io::Error| StoreError::new(path, error);
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let readable = std::fs::Permissions::from_mode(0o644);
    let mut file = tempfile::Builder::new()
        .permissions(readable)
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(failed)?;
    file.write_all(text.as_bytes()).and_then(|()| file.flush()).map_err(failed)?;
    file.persist(path).map_err(|error| StoreError::new(path, error.error))?;
    Ok(())
}

/// Reads the results of an earlier run: a whole run, the lines of one that was
/// interrupted, or a folder with either.
pub fn read_results(path: &Path) -> Result<Vec<Record>, StoreError> {
    let path = if path.is_dir() { path.join(LINES) } else { path.to_path_buf() };
    let bytes = std::fs::read(&path).map_err(|error| StoreError::new(&path, error))?;
    if let Ok(results) = serde_json::from_slice::<ResultFile>(&bytes) {
        return Ok(results.records);
    }
    match parse_lines(&bytes) {
        records if records.is_empty() => Err(StoreError::new(&path, "holds no results")),
        records => Ok(last_of_each(records)),
    }
}

/// The results of several runs as one: of shards, or of a run and its repetition. Of a file
/// that several have, the last counts.
pub fn merge(runs: Vec<Vec<Record>>) -> Vec<Record> {
    last_of_each(runs.into_iter().flatten().collect())
}

/// Of several results of a file under a configuration, the last.
fn last_of_each(records: Vec<Record>) -> Vec<Record> {
    let mut map = std::collections::BTreeMap::new();
    for record in records {
        map.insert((record.file.clone(), record.configuration.clone()), record);
    }
    map.into_values().collect()
}
