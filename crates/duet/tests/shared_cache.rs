//! A folder of answers (`--query-cache`) and proofs (`--proof-cache`) that several machines
//! write at once, with writes that were torn: entries are whole or count as none, and nothing
//! is proved by an entry that lies.

#[path = "common/cached.rs"]
mod cached;

use std::path::{Path, PathBuf};
use std::process::Command;

use cached::KERNELS;
use serde_json::Value;
use tempfile::TempDir;

struct Place(TempDir);

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in KERNELS {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        Place(folder)
    }

    fn cache(&self) -> PathBuf {
        self.0.path().join("cache")
    }

    /// The verdicts on both kernels, without runs, so that solvers decide.
    fn verdicts(&self) -> Vec<String> {
        let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3");
        let output = Command::new(env!("CARGO_BIN_EXE_duet"))
            .current_dir(self.0.path())
            .args(["check", ".", "--format=json", "--no-refute"])
            .args(["--block-dim=64", "--grid-dim=2", "--without=algebra"])
            .arg(format!("--query-cache={}", self.cache().join("answers").display()))
            .arg(format!("--proof-cache={}", self.cache().join("proofs").display()))
            .env("DUET_Z3", z3)
            .output()
            .expect("duet");
        let json: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let files = json["files"].as_array().expect("files").iter();
        let verdict = |file: &Value| file["kernels"][0]["verdict"].as_str().map(str::to_string);
        files.map(|file| verdict(file).expect("a verdict")).collect()
    }

    /// All entries, below all folders.
    fn entries(&self) -> Vec<PathBuf> {
        let mut folders = vec![self.cache()];
        let mut found = vec![];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                if path.is_dir() { folders.push(path) } else { found.push(path) }
            }
        }
        found.sort();
        found
    }

    fn answers(&self) -> Vec<PathBuf> {
        let is_answer = |path: &PathBuf| path.starts_with(self.cache().join("answers"));
        self.entries().into_iter().filter(is_answer).collect()
    }
}

const RIGHT: [&str; 2] = ["unproven", "proved"];

#[test]
fn four_writers_leave_whole_entries() {
    let place = Place::new();
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(|| place.verdicts())).collect();
        all.into_iter().for_each(|one| assert_eq!(one.join().expect("ends"), RIGHT));
    });
    let alone = Place::new();
    assert_eq!(alone.verdicts(), RIGHT);
    // The same entries as one writer makes, and nothing that was written aside.
    let names = |place: &Place| -> Vec<PathBuf> {
        let relative = |path: PathBuf| path.strip_prefix(place.cache()).map(Path::to_path_buf);
        place.entries().into_iter().map(|path| relative(path).expect("below")).collect()
    };
    assert!(!alone.answers().is_empty(), "solvers are asked");
    assert_eq!(names(&place), names(&alone));
    for entry in place.answers() {
        let text = std::fs::read_to_string(&entry).expect("an entry");
        assert!(text.ends_with('\n') && text.lines().count() >= 5, "{text}");
    }
}

#[test]
fn a_torn_or_lying_entry_is_as_good_as_none() {
    let place = Place::new();
    assert_eq!(place.verdicts(), RIGHT);
    let answers = place.answers();
    let whole: Vec<Vec<u8>> =
        answers.iter().map(|path| std::fs::read(path).expect("an entry")).collect();
    let spoil = |how: &dyn Fn(usize, &[u8]) -> Vec<u8>| {
        for (number, (path, bytes)) in answers.iter().zip(&whole).enumerate() {
            std::fs::write(path, how(number, bytes)).expect("an entry");
        }
        assert_eq!(place.verdicts(), RIGHT);
        let written: Vec<Vec<u8>> =
            answers.iter().map(|path| std::fs::read(path).expect("an entry")).collect();
        // What was asked again was written again. Models may differ, so lengths do not count.
        assert!(written.iter().all(|bytes| bytes.ends_with(b"\n")), "not written anew");
    };
    // A write that was torn, at every kind of place.
    spoil(&|_, _| vec![]);
    spoil(&|_, bytes| bytes[..bytes.len() / 2].to_vec());
    spoil(&|_, bytes| bytes[..bytes.len() - 8].to_vec());
    spoil(&|_, bytes| [&bytes[..20], &vec![0; bytes.len() - 20]].concat());
    // An entry of another question, and one that was changed by hand: nobody is at fault by
    // the answer `unsat` of a lie.
    spoil(&|number, _| whole[(number + 1) % whole.len()].clone());
    spoil(&|_, bytes| {
        let text = String::from_utf8_lossy(bytes).into_owned();
        let lines: Vec<&str> = text.lines().collect();
        let head = [lines[0], lines[1], lines[2], "unsat", lines[lines.len() - 1]];
        (head.join("\n") + "\n").into_bytes()
    });
}
