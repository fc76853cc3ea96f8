//! Functions that are known by their contracts, and scans of every size: `kernels/modular`.
//!
//! Runs make up what such functions do, so these files are left out of the tests that run
//! kernels. Here each is checked with the options of its header: one that passes is proved in
//! all its kernels and functions, any other is not.

use std::path::{Path, PathBuf};
use std::process::Command;

/// All is proved.
const PROVED: i32 = 0;
/// Something is refuted, or unproven.
const NOT_PROVED: [i32; 2] = [1, 2];

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/modular")
}

/// The exit code of a check with the options of the header, and what it printed.
fn check(file: &Path) -> (Option<i32>, String) {
    let text = std::fs::read_to_string(file).expect("a kernel");
    let options = text.lines().nth(1).and_then(|line| line.strip_prefix("//")).unwrap_or_default();
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("check")
        .arg(file)
        .args(options.split_whitespace())
        .arg("--timeout=300")
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned())
}

#[test]
fn contracts_stand_for_functions() {
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder())
        .expect("the folder")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|one| one == "cu" || one == "cl"))
        .collect();
    files.sort();
    assert!(files.len() >= 36, "only {} kernels", files.len());
    for file in files {
        let name = file.file_name().expect("a name").to_string_lossy().into_owned();
        let passes = std::fs::read_to_string(&file).expect("a kernel").starts_with("//pass");
        let (exit, text) = check(&file);
        match passes {
            true => assert_eq!(exit, Some(PROVED), "{name}\n{text}"),
            false => {
                let is_expected = exit.is_some_and(|exit| NOT_PROVED.contains(&exit));
                assert!(is_expected, "{name}: {exit:?}\n{text}");
            }
        }
    }
}
