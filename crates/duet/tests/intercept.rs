//! `duet intercept` and `duet check-trace`, with host programs of our own on PoCL
//! (tests/intercept), and with traces that are written here.

mod traces;

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;
use tempfile::TempDir;

/// A folder with a host program that was built in it.
struct Host {
    folder: TempDir,
    program: PathBuf,
}

impl Host {
    fn new(name: &str) -> Host {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join(name);
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/intercept");
        let mut compiler = Command::new("cc");
        compiler.args(["-g", "-w", "-o"]).arg(&program).arg(source.join(format!("{name}.c")));
        let built = compiler.args(["-lOpenCL", "-lpthread"]).output().expect("cc");
        assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
        Host { folder, program }
    }

    fn trace(&self) -> PathBuf {
        self.folder.path().join("trace")
    }

    fn intercept(&self, options: &[&str]) -> Output {
        let mut duet = Command::new(env!("CARGO_BIN_EXE_duet"));
        duet.arg("intercept").arg("--out").arg(self.trace()).args(options);
        duet.env("POCL_CACHE_DIR", self.folder.path().join("cache"));
        duet.arg("--").arg(&self.program).output().expect("duet")
    }
}

fn check_trace(folder: &Path, options: &[&str]) -> Output {
    let mut duet = Command::new(env!("CARGO_BIN_EXE_duet"));
    duet.arg("check-trace").arg(folder).args(options).output().expect("duet")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The kernels of a report: name and verdict.
fn verdicts(output: &Output) -> Vec<(String, String)> {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|error| {
        panic!("{error}: {}{}", text(&output.stdout), text(&output.stderr))
    });
    let files = json["files"].as_array().expect("files");
    let kernels = files.iter().flat_map(|file| file["kernels"].as_array().expect("kernels"));
    let word = |value: &Value| value.as_str().expect("a text").to_string();
    kernels.map(|kernel| (word(&kernel["name"]), word(&kernel["verdict"]))).collect()
}

#[test]
fn a_correct_program_is_proved() {
    let host = Host::new("correct");
    let output = host.intercept(&[]);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{out}{err}");
    // Ten launches are one, and the one that OpenCL refused is none.
    assert!(err.contains("13 launches were recorded, 4 of them different"), "{err}");
    for line in [
        "correct.c:36 scale (global 1024, local 64, by = 2, n = 1000): proved",
        "correct.c:37 scale (global 1024, local any, by = 2, n = 1000): proved",
        "correct.c:47 sums (global 512, local 64): proved",
        "correct.c:52 from (global 512, local 64, offset 64): proved",
        "4 kernels: 4 proved",
    ] {
        assert!(out.contains(line), "{line}: {out}");
    }
    // The program is not needed to see it again.
    std::fs::remove_file(&host.program).expect("removed");
    let again = check_trace(&host.trace(), &["--format=json"]);
    assert_eq!(verdicts(&again).len(), 4);
    assert!(verdicts(&again).iter().all(|(_, verdict)| verdict == "proved"));
}

#[test]
fn a_racy_launch_is_refuted_and_its_neighbour_is_not() {
    let host = Host::new("racy");
    let output = host.intercept(&["--format=json"]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let wanted = [
        ("racy.c:19 from racy.c:29 shift (global 128, local 32)", "proved"),
        ("racy.c:19 from racy.c:30 shift (global 128, local 32)", "refuted"),
        ("racy.c:37 fill (global 512, local 64, n = 257)", "refuted"),
        ("racy.c:44 fill (global 512, local 64, n = 129)", "refuted"),
    ];
    let wanted = wanted.map(|(name, verdict)| (name.to_string(), verdict.to_string()));
    assert_eq!(verdicts(&output), wanted);
    // What the program printed is not mixed with the report.
    let findings = text(&output.stdout);
    assert!(findings.contains("read-write-race") && findings.contains("out-of-bounds"));
}

/// Records of eight threads and sixteen queues: none is lost, none is mixed up.
#[test]
fn launches_of_many_threads_are_told_apart() {
    let host = Host::new("threads");
    let output = host.intercept(&["--format=json"]);
    let err = text(&output.stderr);
    assert!(err.contains("1600 launches were recorded, 8 of them different"), "{err}");
    let mut found = verdicts(&output);
    found.sort();
    assert_eq!(found.len(), 8);
    for (number, (name, verdict)) in found.iter().enumerate() {
        let last = number == 7;
        let n = (number + 1) * 64 + usize::from(last);
        assert!(name.ends_with(&format!("value = {number}, n = {n})")), "{name}");
        assert_eq!(verdict, if last { "refuted" } else { "proved" }, "{name}");
    }
}

/// The program kills itself: everything that it did until then is there.
#[test]
fn a_killed_program_leaves_its_launches() {
    let host = Host::new("killed");
    let output = host.intercept(&["--format=json"]);
    let err = text(&output.stderr);
    assert!(err.contains("did not end well (signal: 9"), "{err}");
    let found = verdicts(&output);
    assert_eq!(found.len(), 5, "{found:?}");
    assert!(found[4].0.contains("at = 5"), "{found:?}");
}

/// Where the loader knows no layers the library is preloaded, and records the same.
#[test]
fn a_preloaded_library_records_the_same() {
    let host = Host::new("killed");
    let output = host.intercept(&["--via=preload", "--format=json"]);
    assert_eq!(verdicts(&output).len(), 5, "{}", text(&output.stderr));
    let used = host.intercept(&[]);
    assert_eq!(used.status.code(), Some(4), "the folder is in use: {}", text(&used.stderr));
}

#[test]
fn a_program_without_launches_is_not_proved() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut duet = Command::new(env!("CARGO_BIN_EXE_duet"));
    duet.arg("intercept").arg("--out").arg(folder.path().join("trace")).args(["--", "true"]);
    let output = duet.output().expect("duet");
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("no launch was recorded"));
    let none = check_trace(&folder.path().join("none"), &[]);
    assert_eq!(none.status.code(), Some(3));
}

/// The kernel writes `out[id * at]`: any `at` but 0 will do.
#[test]
fn launches_are_generalised() {
    let host = Host::new("killed");
    let output = host.intercept(&["--generalise"]);
    let out = text(&output.stdout);
    assert!(out.contains("put: proved if"), "{out}");
    assert!(out.contains("that admits the 5 recorded launches"), "{out}");
}
