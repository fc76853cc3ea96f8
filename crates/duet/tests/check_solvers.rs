//! Solvers that are missing or misbehave: unproven or a clear error, never proved,
//! and the next kernel is unaffected.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

const PROVED: i32 = 0;
const UNPROVEN: i32 = 2;
const USAGE: i32 = 4;

/// Two kernels whose proofs need a solver: multiplying by an odd number is a
/// permutation modulo a power of two.
const KERNELS: &str = "__global__ void first(unsigned *a) {
  a[blockIdx.x * 64 + ((threadIdx.x * 5 + 3) ^ threadIdx.x * 8) % 64] = threadIdx.x;
}
__global__ void second(unsigned *a) {
  a[blockIdx.x * 64 + ((threadIdx.x * 5 + 7) ^ threadIdx.x * 8) % 64] = threadIdx.x;
}
";

/// A folder with the kernels and a solver.
struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    fn new() -> Sandbox {
        let folder = tempfile::tempdir().expect("a folder");
        std::fs::write(folder.path().join("k.cu"), KERNELS).expect("a file");
        Sandbox { folder }
    }

    /// A solver that is this shell script; it gives a version when asked.
    fn fake(&self, script: &str) -> PathBuf {
        let program = self.folder.path().join("fake-z3");
        let version = "[ \"$1\" = --version ] && echo 'fake 1.0' && exit\n";
        std::fs::write(&program, format!("#!/bin/sh\n{version}{script}\n")).expect("a file");
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("a program");
        program
    }

    fn command(&self, solver: &Path, options: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duet"));
        command
            .current_dir(self.folder.path())
            .args(["check", "k.cu", "--block-dim=64", "--grid-dim=2"])
            .args(options)
            .env("DUET_Z3", solver)
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
        command
    }

    fn check(&self, script: &str, options: &[&str]) -> Output {
        let solver = self.fake(script);
        self.command(&solver, options).output().expect("duet runs")
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Neither kernel is proved, and both have a verdict.
#[track_caller]
fn assert_unproven(output: &Output) {
    let text = stdout(output);
    let shown = format!("{text}{}", String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(UNPROVEN), "{shown}");
    assert!(text.contains("first: unproven") && text.contains("second: unproven"), "{shown}");
    assert!(!text.contains(": proved"), "{shown}");
}

/// The z3 program of this project, or the one on the path.
fn z3() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).map(|folder| folder.join("z3"));
    std::iter::once(root.join(".duet/z3/bin/z3"))
        .chain(places)
        .find(|program| program.is_file())
        .expect("z3 is installed")
}

#[test]
fn a_solver_that_works() {
    let sandbox = Sandbox::new();
    let output = sandbox.command(&z3(), &[]).output().expect("duet runs");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(PROVED), "{text}");
    assert!(text.contains("first: proved") && text.contains("second: proved"), "{text}");
}

#[test]
fn a_solver_that_is_not_installed() {
    let sandbox = Sandbox::new();
    let missing = Path::new("/nonexistent");
    let output = sandbox.command(missing, &[]).output().expect("duet runs");
    assert_eq!(output.status.code(), Some(USAGE));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("solver z3 is not installed"), "{message}");
    assert!(message.contains("/nonexistent"), "{message}");
    assert_eq!(stdout(&output), "");
}

/// Neither the variable nor the path nor a folder above names one.
#[test]
fn a_solver_that_is_nowhere() {
    let sandbox = Sandbox::new();
    // The program of a build finds the solvers of its project: use a copy elsewhere.
    let copy = sandbox.folder.path().join("duet");
    std::fs::copy(env!("CARGO_BIN_EXE_duet"), &copy).expect("a copy");
    let mut command = Command::new(copy);
    command.args(["check", "k.cu", "--block-dim=64", "--grid-dim=2", "--solver=bitwuzla"]);
    command.current_dir(sandbox.folder.path());
    command.env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    let clang = ["/usr/bin/clang-19", "/usr/lib/llvm-19/bin/clang"];
    let clang = clang.iter().find(|path| Path::new(path).is_file()).expect("clang");
    command.args(["--clang", clang]).env_remove("DUET_BITWUZLA").env("PATH", "");
    let output = command.output().expect("duet runs");
    assert_eq!(output.status.code(), Some(USAGE));
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("solver bitwuzla is not installed"), "{message}");
}

#[test]
fn a_solver_that_speaks_garbage() {
    let output = Sandbox::new().check("while read line; do echo '(garbage'; done", &[]);
    assert_unproven(&output);
}

#[test]
fn a_solver_that_dies() {
    assert_unproven(&Sandbox::new().check("exit 3", &[]));
    assert_unproven(&Sandbox::new().check("read line; kill -SEGV $$", &[]));
}

#[test]
fn a_solver_that_hangs() {
    let start = Instant::now();
    let output = Sandbox::new().check("sleep 1000", &["--timeout=1"]);
    assert_unproven(&output);
    let message = String::from_utf8_lossy(&output.stderr);
    assert!(message.contains("the time limit was reached"), "{message}");
    assert!(start.elapsed() < Duration::from_secs(60), "{:?}", start.elapsed());
}

/// It keeps to the protocol and says `unsat` to everything, but too late.
#[test]
fn a_solver_that_answers_late() {
    let script = r#"while read -r line; do
  case "$line" in
    '(echo "'*) line=${line#*\"}; echo "${line%\"*}";;
    '(check-sat'*) sleep 3; echo unsat;;
  esac
done"#;
    assert_unproven(&Sandbox::new().check(script, &["--timeout=1"]));
}

/// The first process dies at once; the others are z3.
#[test]
fn the_next_kernel_is_unaffected() {
    let sandbox = Sandbox::new();
    let mark = sandbox.folder.path().join("mark");
    // Only the questions after the first process was used up are answered.
    let script = format!(
        "count=$(cat '{mark}' 2>/dev/null || echo 0)\necho $((count + 1)) > '{mark}'\n\
         [ \"$count\" -lt 1 ] && exit 9\nexec '{}' \"$@\"",
        z3().display(),
        mark = mark.display()
    );
    let output = sandbox.check(&script, &[]);
    let text = stdout(&output);
    assert!(text.contains("second: proved"), "{text}");
    let starts = std::fs::read_to_string(&mark).expect("the solver was started");
    assert!(starts.trim().parse::<u32>().expect("a number") >= 2, "{starts}");
}
