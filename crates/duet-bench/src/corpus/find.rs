//! Finding kernel files below a folder, and reading their headers.
//!
//! A file that cannot be read is found all the same: what is wrong with it becomes
//! its result, so that the summary counts it.

use std::path::{Path, PathBuf};

use duet_engine::{Expectation, Header};
use sha2::{Digest, Sha256};

use crate::record::Expected;

/// A kernel file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KernelFile {
    /// The path below the folder, with `/` between its parts.
    pub name: String,
    /// The path to open.
    pub path: PathBuf,
    /// What its header expects.
    pub expected: Expected,
    /// The options in its header; none if it has no header.
    pub options: Vec<String>,
    /// A fingerprint of its contents.
    pub fingerprint: String,
    /// Why it cannot be read, if so.
    pub unreadable: Option<String>,
}

/// What was found below a folder.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Search {
    /// The kernel files, by name.
    pub files: Vec<KernelFile>,
    /// Folders that could not be listed, each with the reason.
    pub problems: Vec<String>,
}

/// Finds every `.cu` and `.cl` file below a folder (or the one file that is given).
/// Links to folders are not followed, so a link upwards does no harm.
pub fn find_kernels(root: &Path) -> Search {
    let mut search = Search::default();
    match root.is_dir() {
        true => visit(root, root, &mut search),
        false => search.files.push(read(root.parent().unwrap_or(root), root.to_path_buf())),
    }
    search.files.sort_by(|a, b| a.name.cmp(&b.name));
    search.problems.sort();
    search
}

fn visit(root: &Path, folder: &Path, search: &mut Search) {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) => return search.problems.push(format!("{}: {error}", folder.display())),
    };
    for entry in entries {
        match entry {
            Ok(entry) => visit_entry(root, &entry, search),
            Err(error) => search.problems.push(format!("{}: {error}", folder.display())),
        }
    }
}

fn visit_entry(root: &Path, entry: &std::fs::DirEntry, search: &mut Search) {
    let path = entry.path();
    let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
    if is_folder {
        visit(root, &path, search);
    } else if is_kernel(&path) && !path.is_dir() {
        search.files.push(read(root, path));
    }
}

fn is_kernel(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "cu" || extension == "cl")
}

fn read(root: &Path, path: PathBuf) -> KernelFile {
    let name = path.strip_prefix(root).unwrap_or(&path).to_string_lossy().into_owned();
    let mut file = KernelFile {
        name,
        expected: Expected::Nothing,
        options: vec![],
        fingerprint: String::new(),
        unreadable: None,
        path,
    };
    match std::fs::read(&file.path) {
        Ok(bytes) => {
            file.fingerprint = fingerprint(&[&bytes]);
            let text = String::from_utf8_lossy(&bytes);
            let folder = file.path.parent().unwrap_or(Path::new("."));
            if let Ok(header) = Header::parse(&text, folder) {
                file.expected = match header.expectation {
                    Expectation::Pass => Expected::Pass,
                    Expectation::Fail(_) => Expected::Fail,
                };
                file.options = header.options;
            }
        }
        Err(error) => file.unreadable = Some(error.to_string()),
    }
    file
}

/// A short name for some data.
pub(crate) fn fingerprint(parts: &[&[u8]]) -> String {
    let mut hash = Sha256::new();
    for part in parts {
        // The lengths keep ("ab", "c") and ("a", "bc") apart.
        hash.update((part.len() as u64).to_le_bytes());
        hash.update(part);
    }
    hash.finalize().iter().take(12).map(|byte| format!("{byte:02x}")).collect()
}
