//! `--proof-cache`: what an earlier proof kept is tried first, and believed never.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

const PROVED: i32 = 0;

/// Each thread hops through its own elements; that it never gets below its first one is
/// what the proof needs.
const KERNEL: &str = "__global__ void hop(int *out) {
  int i = 64 * threadIdx.x;
  int end = i + 64;
  while (i < end) {
    out[i] = threadIdx.x;
    i += 1 + (out[i] & 1);
  }
}
";

/// A folder with a kernel and one for the cache.
struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new(source: &str) -> Place {
        let folder = tempfile::tempdir().expect("a folder");
        let place = Place { folder };
        place.edit(source);
        place
    }

    fn edit(&self, source: &str) {
        std::fs::write(self.folder.path().join("k.cu"), source).expect("a file");
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    /// The exit code, and what is said about the kernel.
    fn check(&self) -> (i32, Value) {
        let output = Command::new(env!("CARGO_BIN_EXE_duet"))
            .current_dir(self.folder.path())
            .args(["check", "k.cu", "--blockDim=64", "--gridDim=1", "--format=json"])
            .arg(format!("--proof-cache={}", self.cache().display()))
            .arg("--without=plain-first")
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .output()
            .expect("duet runs");
        let said: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        (output.status.code().expect("a code"), said["kernels"][0].clone())
    }

    fn entries(&self) -> Vec<PathBuf> {
        let files = std::fs::read_dir(self.cache()).into_iter().flatten();
        files.map(|entry| entry.expect("an entry").path()).collect()
    }
}

/// How many candidates were looked at.
fn candidates(kernel: &Value) -> u64 {
    let rules = kernel["inference"]["rules"].as_object().expect("rules");
    rules.values().map(|rule| rule["candidates"].as_u64().expect("a number")).sum()
}

fn replace(path: &Path, from: &str, to: &str) {
    let text = std::fs::read_to_string(path).expect("an entry");
    assert!(text.contains(from), "no `{from}` in {text}");
    std::fs::write(path, text.replace(from, to)).expect("an entry");
}

#[test]
fn an_edited_kernel_is_proved_with_what_was_kept() {
    let place = Place::new(KERNEL);
    let (code, first) = place.check();
    assert_eq!((code, place.entries().len()), (PROVED, 1), "{first}");
    place.edit(&format!(
        "\n// An edit.\n{}",
        KERNEL.replace("= threadIdx.x;\n    i", "= 7;\n    i")
    ));
    let (code, second) = place.check();
    assert_eq!((code, place.entries().len()), (PROVED, 1), "{second}");
    assert!(candidates(&second) < candidates(&first), "{first} {second}");
    assert_eq!(candidates(&second), second["invariants"].as_u64().expect("a number"));
}

#[test]
fn an_entry_never_proves_anything() {
    let place = Place::new(KERNEL);
    assert_eq!(place.check().0, PROVED);
    // The kernel is broken since: its entry says that it was proved.
    place.edit(&KERNEL.replace("i += 1 +", "i -= 1 +"));
    let (code, broken) = place.check();
    assert_ne!(code, PROVED, "{broken}");
    let rule = broken["findings"][0]["rule"].as_str().expect("a rule");
    assert!(rule.ends_with("-race"), "{broken}");
}

#[test]
fn entries_that_lie_or_are_garbage_do_no_harm() {
    let place = Place::new(KERNEL);
    assert_eq!(place.check().0, PROVED);
    let entry = place.entries().remove(0);
    let good = std::fs::read_to_string(&entry).expect("an entry");
    let no_loops: String = good
        .lines()
        .filter(|line| !line.starts_with("  "))
        .map(|line| format!("{line}\n"))
        .collect();
    let lie = format!("{no_loops}  loopBound d <= 1\n");
    for text in
        [no_loops.as_str(), lie.as_str(), "", "\u{fffd}\nloop", "duet-proof-cache 2\nsoon\nloop\n"]
    {
        std::fs::write(&entry, text).expect("an entry");
        let (code, kernel) = place.check();
        assert_eq!(code, PROVED, "{text}: {kernel}");
        assert!(std::fs::read_to_string(&entry).expect("an entry").contains("  "), "written anew");
    }
    replace(&entry, "duet-proof-cache 2", "duet-proof-cache 0");
    assert_eq!(place.check().0, PROVED, "of another version");
}

#[test]
fn several_at_once_leave_whole_entries() {
    let place = Place::new(KERNEL);
    std::thread::scope(|scope| {
        let all: Vec<_> = (0..4).map(|_| scope.spawn(|| place.check().0)).collect();
        all.into_iter().for_each(|one| assert_eq!(one.join().expect("ends"), PROVED));
    });
    let entries = place.entries();
    assert_eq!(entries.len(), 1, "nothing is left aside: {entries:?}");
    let text = std::fs::read_to_string(&entries[0]).expect("an entry");
    assert!(text.starts_with("duet-proof-cache 2\n") && text.contains("\nloop\n  "), "{text}");
}
