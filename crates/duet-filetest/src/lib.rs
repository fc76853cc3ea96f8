//! Tests as files, for every crate: a file holds an input and what is expected
//! of it, a test computes what the file *should* say, and the two texts must be
//! equal. `BLESS=1` writes the computed text back. A dev-dependency only; it
//! knows nothing of the IR or any stage.
//!
//! ```no_run
//! duet_filetest::run("tests/files/upper", "txt", |file| {
//!     let mut sections = file.sections();
//!     let upper = sections.input.to_uppercase();
//!     sections.set("upper", upper);
//!     Ok(sections.to_string())
//! });
//! ```
//!
//! Two ways to keep expectations in a file:
//!
//! * [`Sections`]: lines `==== name` divide the file into the input and what
//!   each stage makes of it;
//! * [`notes`]: comments at the end of a line say what is wrong with it.
//!
//! `FILETEST=part` runs only the files whose path contains `part`.

mod diff;
pub mod notes;
mod sections;

use std::path::{Path, PathBuf};
use std::{env, fs};

pub use sections::Sections;

/// A test file.
#[derive(Clone, Debug)]
pub struct TestFile {
    /// Where it is.
    pub path: PathBuf,
    /// What it says.
    pub text: String,
}

impl TestFile {
    /// The file, divided at its `==== name` lines.
    pub fn sections(&self) -> Sections {
        Sections::split(&self.text)
    }

    /// The comment lines at the top: those that start with `comment`, and blank
    /// ones between them. A test that prints the rest anew keeps them.
    pub fn leading_comments(&self, comment: &str) -> &str {
        let mut end = 0;
        let mut at = 0;
        for line in self.text.split_inclusive('\n') {
            at += line.len();
            if line.starts_with(comment) {
                end = at;
            } else if !line.trim().is_empty() {
                break;
            }
        }
        &self.text[..end]
    }
}

/// Runs `test` on every file of the extension below `dir`, in the order of their
/// paths. The test gives the text that the file should have, or says why there
/// is none.
///
/// # Panics
/// With the differences of all files that differ, unless `BLESS` is set; with
/// the messages of all tests that gave no text; and if there is no file at all.
pub fn run(
    dir: impl AsRef<Path>,
    extension: &str,
    test: impl Fn(&TestFile) -> Result<String, String>,
) {
    let files = find_files(dir.as_ref(), extension);
    assert!(!files.is_empty(), "no .{extension} file in {}", dir.as_ref().display());
    let filter = env::var("FILETEST").unwrap_or_default();
    let bless = env::var_os("BLESS").is_some();
    let failures: Vec<String> = files
        .into_iter()
        .filter(|file| file.path.to_string_lossy().contains(&filter))
        .filter_map(|file| check_file(&file, &test, bless).err())
        .collect();
    let count = failures.len();
    assert!(failures.is_empty(), "{count} file tests failed\n\n{}", failures.join("\n"));
}

/// Runs one test; the error says what is wrong with it.
fn check_file(
    file: &TestFile,
    test: impl Fn(&TestFile) -> Result<String, String>,
    bless: bool,
) -> Result<(), String> {
    let path = file.path.display();
    let wanted = test(file).map_err(|message| format!("{path}: {message}\n"))?;
    if wanted == file.text {
        return Ok(());
    }
    if bless {
        return fs::write(&file.path, wanted).map_err(|error| format!("{path}: {error}\n"));
    }
    let changes = diff::changes(&file.text, &wanted);
    Err(format!("{path} (- in the file, + computed; BLESS=1 accepts):\n{changes}"))
}

/// Every file of the extension below `dir`, by path.
///
/// # Panics
/// If a folder or file cannot be read.
pub fn find_files(dir: &Path, extension: &str) -> Vec<TestFile> {
    let mut found = Vec::new();
    let mut folders = vec![dir.to_path_buf()];
    while let Some(folder) = folders.pop() {
        let entries = fs::read_dir(&folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder entry").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|found| found == extension) {
                found.push(path);
            }
        }
    }
    found.sort();
    found.into_iter().map(read_file).collect()
}

fn read_file(path: PathBuf) -> TestFile {
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    TestFile { path, text }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(text: &str) -> TestFile {
        TestFile { path: PathBuf::from("x.txt"), text: text.to_string() }
    }

    #[test]
    fn a_file_that_says_what_is_computed_passes() {
        assert_eq!(check_file(&file("a\n"), |f| Ok(f.text.clone()), false), Ok(()));
    }

    #[test]
    fn a_difference_is_shown_with_its_line() {
        let error = check_file(&file("a\nb\nc\n"), |_| Ok("a\nB\nc\n".to_string()), false);
        let message = error.unwrap_err();
        assert!(message.contains("line 2\n- b\n+ B\n"), "{message}");
    }

    #[test]
    fn blessing_rewrites_a_difference_but_no_failure() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("x.txt");
        fs::write(&path, "old").unwrap();
        let file = TestFile { path: path.clone(), text: "old".to_string() };
        assert!(check_file(&file, |_| Err("cannot".to_string()), true).is_err());
        assert_eq!(fs::read_to_string(&path).unwrap(), "old");
        assert_eq!(check_file(&file, |_| Ok("new".to_string()), true), Ok(()));
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn files_are_found_in_folders_and_sorted() {
        let dir = tempfile::tempdir().unwrap();
        fs::create_dir(dir.path().join("b")).unwrap();
        for name in ["c.t", "b/a.t", "a.u"] {
            fs::write(dir.path().join(name), name).unwrap();
        }
        let texts: Vec<String> =
            find_files(dir.path(), "t").into_iter().map(|file| file.text).collect();
        assert_eq!(texts, ["b/a.t", "c.t"]);
    }

    #[test]
    fn leading_comments_end_at_the_first_other_line() {
        assert_eq!(file("; a\n\n; b\n\nx\n; c\n").leading_comments(";"), "; a\n\n; b\n");
        assert_eq!(file("x\n; c\n").leading_comments(";"), "");
    }
}
