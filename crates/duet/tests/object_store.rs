//! `duet cache push` and `pull` with a store of the test's own: four that write at once, uploads
//! that are torn, a server that lies, one that is away. Nothing of this changes a verdict.

mod bucket;
#[path = "common/cached.rs"]
mod cached;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use bucket::{Bucket, Manner};
use cached::KERNELS;
use serde_json::Value;
use tempfile::TempDir;

const RIGHT: [&str; 2] = ["unproven", "proved"];

/// A machine: a folder with the kernels and a cache.
struct Machine(TempDir);

impl Machine {
    fn new() -> Machine {
        let folder = tempfile::tempdir().expect("a folder");
        for (name, text) in KERNELS {
            std::fs::write(folder.path().join(name), text).expect("a file");
        }
        std::fs::write(folder.path().join("key"), "a secret of this project\n").expect("a file");
        Machine(folder)
    }

    fn duet(&self) -> Command {
        let z3 = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.duet/z3/bin/z3");
        let mut duet = Command::new(env!("CARGO_BIN_EXE_duet"));
        duet.current_dir(self.0.path()).env("DUET_Z3", z3);
        duet
    }

    /// The verdicts on both kernels, without runs, so that solvers decide.
    fn verdicts(&self) -> Vec<String> {
        let output = self
            .duet()
            .args(["check", "bad.cu", "good.cu", "--format=json", "--no-refute"])
            .args(["--block-dim=64", "--grid-dim=2", "--without=algebra"])
            .args(["--query-cache=cache/answers", "--proof-cache=cache/proofs"])
            .output()
            .expect("duet");
        let json: Value = serde_json::from_slice(&output.stdout)
            .unwrap_or_else(|error| panic!("{error}: {output:?}"));
        let files = json["files"].as_array().expect("files").iter();
        let verdict = |file: &Value| file["kernels"][0]["verdict"].as_str().map(str::to_string);
        files.map(|file| verdict(file).expect("a verdict")).collect()
    }

    fn cache(&self, command: &str, store: &str, options: &[&str]) -> Output {
        let mut duet = self.duet();
        duet.args(["cache", command, "cache", store, "--prefix=duet/"]).args(options);
        duet.output().expect("duet")
    }

    /// Fetches or sends; what it says.
    fn cached(&self, command: &str, store: &str, options: &[&str]) -> String {
        let output = self.cache(command, store, options);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        said
    }

    /// The entries with their contents.
    fn entries(&self) -> BTreeMap<PathBuf, Vec<u8>> {
        let mut folders = vec![self.0.path().join("cache")];
        let mut found = BTreeMap::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten() {
                let path = entry.expect("an entry").path();
                match path.is_dir() {
                    true => folders.push(path),
                    false => {
                        let name = path.strip_prefix(self.0.path()).expect("below").to_path_buf();
                        found.insert(name, std::fs::read(path).expect("an entry"));
                    }
                }
            }
        }
        found
    }
}

/// The first word of what is said, behind `note:`.
fn count(said: &str) -> usize {
    let number = said.rsplit("note: ").next().and_then(|rest| rest.split(' ').next());
    number.and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{said}"))
}

#[test]
fn four_machines_share_a_store() {
    let bucket = Bucket::start();
    let machines: Vec<Machine> = (0..4).map(|_| Machine::new()).collect();
    std::thread::scope(|scope| {
        for machine in &machines {
            let work = || {
                machine.cached("pull", &bucket.address, &[]);
                assert_eq!(machine.verdicts(), RIGHT);
                machine.cached("push", &bucket.address, &[]);
            };
            scope.spawn(work);
        }
    });
    let entries = machines[0].entries();
    assert!(!entries.is_empty(), "solvers are asked");
    let names: Vec<PathBuf> = entries.keys().cloned().collect();
    let fifth = Machine::new();
    let said = fifth.cached("pull", &bucket.address, &[]);
    assert_eq!(count(&said), names.len(), "{said}");
    assert_eq!(fifth.entries().into_keys().collect::<Vec<_>>(), names);
    // Nothing is left to be asked: what is there stays as it is.
    let before = fifth.entries();
    assert_eq!(fifth.verdicts(), RIGHT);
    assert_eq!(fifth.entries(), before);
    assert_eq!(count(&fifth.cached("push", &bucket.address, &[])), 0);
    assert_eq!(count(&fifth.cached("pull", &bucket.address, &[])), 0);
}

#[test]
fn a_torn_upload_is_ignored_and_mended() {
    let bucket = Bucket::start();
    let writer = Machine::new();
    assert_eq!(writer.verdicts(), RIGHT);
    bucket.behave(Manner::TearsUploads);
    writer.cache("push", &bucket.address, &[]);
    bucket.behave(Manner::Honest);
    assert_eq!(bucket.objects().len(), writer.entries().len(), "each is there in part");
    let reader = Machine::new();
    let said = reader.cached("pull", &bucket.address, &[]);
    assert_eq!(count(&said), 0, "{said}");
    assert!(reader.entries().is_empty(), "{said}");
    assert_eq!(reader.verdicts(), RIGHT);
    // The next one who sends sees the wrong lengths, and the next who fetches has them all.
    assert_eq!(count(&writer.cached("push", &bucket.address, &[])), writer.entries().len());
    let other = Machine::new();
    assert_eq!(count(&other.cached("pull", &bucket.address, &[])), writer.entries().len());
    // Downloads that break off are no entries either.
    bucket.behave(Manner::TearsDownloads);
    let third = Machine::new();
    third.cache("pull", &bucket.address, &[]);
    assert!(third.entries().is_empty());
    assert_eq!(third.verdicts(), RIGHT);
}

#[test]
fn a_store_that_lies_proves_nothing() {
    let bucket = Bucket::start();
    let writer = Machine::new();
    assert_eq!(writer.verdicts(), RIGHT);
    writer.cached("push", &bucket.address, &[]);
    let honest = bucket.objects();
    let spoiled = |how: &dyn Fn(usize, &[u8]) -> Vec<u8>, options: &[&str]| {
        let all = honest.iter().enumerate();
        bucket.replace(all.map(|(at, (name, bytes))| (name.clone(), how(at, bytes))).collect());
        let reader = Machine::new();
        let said = reader.cached("pull", &bucket.address, options);
        assert_eq!(count(&said), 0, "{said}");
        assert!(reader.entries().is_empty(), "{said}");
    };
    let values: Vec<Vec<u8>> = honest.values().cloned().collect();
    // Objects of other names, one changed word, pages of a portal, nothing.
    spoiled(&|at, _| values[(at + 1) % values.len()].clone(), &[]);
    spoiled(&|_, bytes| String::from_utf8_lossy(bytes).replace("sat", "unsat").into_bytes(), &[]);
    spoiled(&|_, _| b"<html>log in first</html>".to_vec(), &[]);
    spoiled(&|_, _| vec![], &[]);
    // Whoever does not have the key cannot seal: these are right but for that.
    spoiled(&|_, bytes| bytes.to_vec(), &["--key=key"]);
    // Names that lead elsewhere are not taken.
    let some = values[0].clone();
    let names = ["duet/../../escaped.proof", "duet//tmp/escaped.proof", "duet/.x.proof"];
    bucket.replace(names.iter().map(|name| (name.to_string(), some.clone())).collect());
    let reader = Machine::new();
    assert_eq!(count(&reader.cached("pull", &bucket.address, &[])), 0);
    assert!(reader.entries().is_empty());
    assert_eq!(reader.verdicts(), RIGHT);
    // With the key on both sides all goes well.
    writer.cached("push", &bucket.address, &["--key=key"]);
    let other = Machine::new();
    let said = other.cached("pull", &bucket.address, &["--key=key"]);
    assert_eq!(count(&said), writer.entries().len(), "{said}");
}

#[test]
fn a_store_that_is_away_is_an_error_and_no_verdict() {
    let machine = Machine::new();
    assert_eq!(machine.verdicts(), RIGHT);
    let before = machine.entries();
    for store in ["http://127.0.0.1:9/bucket", "file:///tmp", "http://127.0.0.1:9/a\"b"] {
        for command in ["pull", "push"] {
            assert_eq!(machine.cache(command, store, &[]).status.code(), Some(4), "{store}");
        }
    }
    let bucket = Bucket::start();
    bucket.behave(Manner::Fails);
    for command in ["pull", "push"] {
        assert_eq!(machine.cache(command, &bucket.address, &[]).status.code(), Some(4));
    }
    assert_eq!(machine.entries(), before);
    assert_eq!(machine.verdicts(), RIGHT);
}
