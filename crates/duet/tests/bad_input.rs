//! Input that cannot be read: one clear message, the right exit code, and nothing
//! left behind, neither in the working directory nor in the cache.

use std::collections::BTreeSet;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const BAD_INPUT: i32 = 3;
const USAGE: i32 = 4;

const GOOD: &str = "__global__ void k(int *a) { a[threadIdx.x] = 1; }\n";

/// A working directory and a cache of its own.
struct Sandbox {
    folder: tempfile::TempDir,
}

impl Sandbox {
    fn new() -> Sandbox {
        let sandbox = Sandbox { folder: tempfile::tempdir().expect("a folder") };
        std::fs::create_dir(sandbox.work()).expect("a folder");
        sandbox
    }

    fn work(&self) -> PathBuf {
        self.folder.path().join("work")
    }

    fn cache(&self) -> PathBuf {
        self.folder.path().join("cache")
    }

    fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        std::fs::write(self.work().join(name), contents).expect("a file");
    }

    /// `duet` with these arguments, not yet started.
    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_duet"));
        command.current_dir(self.work()).args(args).env("DUET_CACHE_DIR", self.cache());
        command
    }

    /// Runs `duet`, and asserts that it leaves nothing behind.
    #[track_caller]
    fn run(&self, args: &[&str]) -> Output {
        let before = names(&self.work());
        let output = self.command(args).output().expect("duet runs");
        assert_eq!(names(&self.work()), before, "left in the working directory");
        self.assert_tidy_cache();
        output
    }

    /// Only finished entries are in the cache.
    #[track_caller]
    fn assert_tidy_cache(&self) {
        for name in names(&self.cache()) {
            let is_entry = name.ends_with(".pch") || name.starts_with("duet-headers-");
            assert!(is_entry, "left in the cache: {name}");
        }
    }

    /// Runs `duet emit` on bad input: exactly one error, with this text.
    #[track_caller]
    fn check(&self, args: &[&str], code: i32, text: &str) {
        let output = self.run(&[&["emit"], args].concat());
        let message = String::from_utf8(output.stderr).expect("UTF-8");
        assert_eq!(output.status.code(), Some(code), "{message}");
        let errors = message.lines().filter(|line| line.starts_with("error")).count();
        assert_eq!(errors, 1, "{message}");
        assert!(message.contains(text), "{message}");
        assert!(output.stdout.is_empty(), "something was printed");
    }
}

/// The names in a folder; none if there is no folder.
fn names(folder: &Path) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect()
}

#[test]
fn an_empty_file() {
    let sandbox = Sandbox::new();
    sandbox.write("k.cu", "");
    sandbox.check(&["k.cu"], BAD_INPUT, "k.cu has no kernel");
    sandbox.write("k.cl", "");
    sandbox.check(&["k.cl"], BAD_INPUT, "k.cl has no kernel");
}

#[test]
fn a_file_that_is_not_text() {
    let sandbox = Sandbox::new();
    let bytes: Vec<u8> =
        (0..100_000u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    sandbox.write("k.cu", bytes);
    sandbox.check(&["k.cu"], BAD_INPUT, "neither text nor LLVM bitcode");
    sandbox.write("k.bc", b"BC\xC0\xDE and then nothing of the sort");
    sandbox.check(&["k.bc"], BAD_INPUT, "k.bc");
    sandbox.write("l.cu", b"\xff\xfe__global__");
    sandbox.check(&["l.cu"], BAD_INPUT, "l.cu");
}

#[test]
fn ten_megabytes_of_braces() {
    let sandbox = Sandbox::new();
    sandbox.write("k.cl", "{".repeat(10_000_000));
    sandbox.check(&["k.cl"], BAD_INPUT, "k.cl:1:1");
    sandbox.write("k.cu", format!("__global__ void k() {}", "{".repeat(10_000_000)));
    sandbox.check(&["k.cu"], BAD_INPUT, "k.cu:1:");
}

#[test]
fn a_missing_include() {
    let sandbox = Sandbox::new();
    // Code of the device is not replaced by nothing, nor is what a kernel needs.
    sandbox.write("k.cu", format!("\n#include \"nowhere.cuh\"\n{GOOD}"));
    sandbox.check(&["k.cu"], BAD_INPUT, "'nowhere.cuh' file not found\n --> k.cu:2:10");
    let needs = "__global__ void needs(int *a) { a[threadIdx.x] = NOWHERE; }";
    sandbox.write("k.cu", format!("\n#include \"nowhere.h\"\n{needs}"));
    sandbox.check(&["k.cu"], BAD_INPUT, "'nowhere.h' file not found\n --> k.cu:2:10");
}

#[test]
fn a_syntax_error() {
    let sandbox = Sandbox::new();
    sandbox.write("k.cu", "__global__ void k(int *a) {\n  a[0] = ;\n}\n");
    sandbox.check(&["k.cu"], BAD_INPUT, "expected expression\n --> k.cu:2:10");
}

#[test]
fn a_kernel_that_does_not_exist() {
    let sandbox = Sandbox::new();
    sandbox.write("k.cu", GOOD);
    sandbox.check(&["k.cu", "--kernel", "other"], BAD_INPUT, "has no kernel `other`");
}

#[test]
fn what_is_no_readable_file() {
    let sandbox = Sandbox::new();
    sandbox.check(&["none.cu"], BAD_INPUT, "cannot read none.cu");
    std::fs::create_dir(sandbox.work().join("folder.cu")).expect("a folder");
    sandbox.check(&["folder.cu"], BAD_INPUT, "it is a directory");
    std::os::unix::fs::symlink("/nonexistent", sandbox.work().join("link.cu")).expect("a link");
    sandbox.check(&["link.cu"], BAD_INPUT, "cannot read link.cu");
    // Permissions don't stop root, but this file reads as an error for everybody.
    sandbox.check(&["/proc/self/mem"], BAD_INPUT, "cannot read /proc/self/mem");
}

#[test]
fn a_recursive_header() {
    let sandbox = Sandbox::new();
    sandbox.write("again.h", "#include \"again.h\"\n");
    sandbox.write("k.cu", format!("#include \"again.h\"\n{GOOD}"));
    sandbox.check(&["k.cu"], BAD_INPUT, "nested too deeply");
}

#[test]
fn a_compiler_that_is_missing_or_broken() {
    let sandbox = Sandbox::new();
    sandbox.write("k.cl", "__kernel void k(__global int *a) { *a = 1; }\n");
    sandbox.check(&["k.cl", "--clang", "/no/clang"], BAD_INPUT, "cannot run /no/clang");
    for (script, text) in [
        ("#!/bin/sh\nkill -SEGV $$\n", "clang"),
        ("#!/bin/sh\necho 'clang: all is lost' >&2\nexit 1\n", "all is lost"),
        ("#!/bin/sh\necho this is no bitcode\n", "k.cl"),
    ] {
        let program = sandbox.folder.path().join("broken");
        std::fs::write(&program, script).expect("a file");
        std::fs::set_permissions(&program, PermissionsExt::from_mode(0o755)).expect("a program");
        let program = program.display().to_string();
        sandbox.check(&["k.cl", "--clang", &program], BAD_INPUT, text);
    }
}

#[test]
fn wrong_usage() {
    let sandbox = Sandbox::new();
    sandbox.write("k.cu", GOOD);
    for args in [
        &["emit"][..],
        &["emit", "k.cu", "--pointer-bitwidth=16"],
        &["emit", "k.cu", "--stage=nonsense"],
        &["run", "k.cu", "--block-dim=[1"],
        &["run", "k.cu", "--block-dim=1"],
        &["run", "k.cu", "--block-dim=64", "--grid-dim=*"],
        &["run", "k.cu", "--block-dim=7", "--global-size=64"],
        &["run", "k.cu", "--block-dim=1", "--grid-dim=1", "--fill", "b=zero"],
        &["nonsense"],
    ] {
        let output = sandbox.run(args);
        assert_eq!(output.status.code(), Some(USAGE), "{args:?}");
        assert!(!output.stderr.is_empty(), "{args:?}");
    }
}

/// Eight processes find an empty cache and fill it at the same time.
#[test]
fn processes_that_fill_the_cache_at_once() {
    let sandbox = Sandbox::new();
    sandbox.write("k.cu", GOOD);
    let start = |_| {
        let mut command = sandbox.command(&["emit", "k.cu"]);
        command.stdout(std::process::Stdio::piped()).spawn().expect("duet runs")
    };
    let children: Vec<_> = (0..8).map(start).collect();
    let outputs: Vec<Output> =
        children.into_iter().map(|child| child.wait_with_output().expect("it ends")).collect();
    for output in &outputs {
        assert!(output.status.success());
        assert_eq!(output.stdout, outputs[0].stdout);
    }
    sandbox.assert_tidy_cache();
    let entries = names(&sandbox.cache());
    assert_eq!(entries.len(), 2, "the headers and one prelude: {entries:?}");
    let later = sandbox.run(&["emit", "k.cu"]);
    assert_eq!(later.stdout, outputs[0].stdout);
    assert_eq!(names(&sandbox.cache()), entries, "a warm cache is used as it is");
}

/// A cache that cannot be written does no harm.
#[test]
fn a_cache_that_cannot_be_made() {
    let sandbox = Sandbox::new();
    sandbox.write("k.cu", GOOD);
    std::fs::write(sandbox.cache(), "a file where a folder should be").expect("a file");
    let output = sandbox.command(&["emit", "k.cu"]).output().expect("duet runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_run_shows_a_race_and_says_so_by_its_exit_code() {
    let sandbox = Sandbox::new();
    sandbox.write(
        "k.cu",
        "__global__ void k(int *a, int n) {\n  a[threadIdx.x / n] = threadIdx.x;\n}\n",
    );
    let args = ["run", "k.cu", "--block-dim=4", "--grid-dim=1", "--json"];
    let racy = sandbox.run(&[&args[..], &["--arg", "n=2"]].concat());
    assert_eq!(racy.status.code(), Some(1));
    let json: serde_json::Value = serde_json::from_slice(&racy.stdout).expect("JSON");
    let rule = &json["kernels"][0]["findings"][0]["rule"];
    assert_eq!(rule, "write-write-race", "{json:#}");
    let clean = sandbox.run(&[&args[..], &["--arg", "n=1"]].concat());
    assert_eq!(clean.status.code(), Some(0));
}
