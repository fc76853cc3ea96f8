//! Small things that cost trust: output that cannot be written, arguments that are not
//! there, limits, signals, terminals without colour.

use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

fn duet(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duet"));
    command
        .args(args)
        .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
    command
}

fn said(output: &Output) -> String {
    let both = [output.stdout.as_slice(), output.stderr.as_slice()].concat();
    String::from_utf8_lossy(&both).into_owned()
}

fn file(folder: &Path, source: &str) -> String {
    let path = folder.join("k.cu");
    std::fs::write(&path, source).expect("a file");
    path.display().to_string()
}

const FINE: &str =
    "__global__ void k(int *a, int n) { if (threadIdx.x < n) a[threadIdx.x] = n; }\n";

#[test]
fn a_report_that_cannot_be_written_is_an_error() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), FINE);
    for format in ["human", "json", "sarif", "html"] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("the device");
        let format = format!("--format={format}");
        let output = duet(&["check", &path, "--blockDim=8", "--gridDim=1", &format])
            .stdout(Stdio::from(full))
            .output()
            .expect("duet runs");
        assert_eq!(output.status.code(), Some(4), "{format}");
        assert!(said(&output).contains("error: cannot write the output"), "{}", said(&output));
    }
}

#[test]
fn arguments_that_no_kernel_has() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), FINE);
    let run = |more: &[&str]| {
        let args = [&["run", &path, "--blockDim=8", "--gridDim=1"], more].concat();
        duet(&args).output().expect("duet runs")
    };
    let wrong = run(&["--arg", "m=3"]);
    assert_eq!(wrong.status.code(), Some(4));
    assert!(said(&wrong).contains("there is no parameter `m`"), "{}", said(&wrong));
    let array = run(&["--arg", "a=3"]);
    assert!(said(&array).contains("`a` is an array"), "{}", said(&array));
    let made_up = said(&run(&[]));
    assert!(made_up.contains("made up: n = 0, the contents of a"), "{made_up}");
    let given = run(&["--arg", "n=3", "--fill", "a=zero"]);
    assert!(!said(&given).contains("made up"), "{}", said(&given));
    let json: Value = serde_json::from_slice(&run(&["--json"]).stdout).expect("JSON");
    assert_eq!(json["kernels"][0]["not_given"][0], "n = 0");
}

#[test]
fn a_run_that_is_given_up_says_so_in_words() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "__global__ void k(int *a) { while (a[0] == 0) {} }\n";
    let path = file(folder.path(), source);
    let args = ["run", &path, "--blockDim=1", "--gridDim=1", "--fill=a=zero", "--max-steps=100"];
    let text = said(&duet(&args).output().expect("duet runs"));
    assert!(text.contains("not finished: the limit on instructions was reached"), "{text}");
    assert!(!text.contains("DidNotFinish"), "{text}");
}

#[test]
fn offsets_of_cuda_are_refused_by_run_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), FINE);
    let args = ["run", &path, "--blockDim=8", "--gridDim=1", "--global-offset=4"];
    let output = duet(&args).output().expect("duet runs");
    assert_eq!(output.status.code(), Some(4));
    assert!(said(&output).contains("only OpenCL has it"), "{}", said(&output));
}

#[test]
fn blocks_that_no_hardware_takes_are_noted() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), FINE);
    for command in ["check", "run"] {
        let text = |size: &str| {
            let args = [command, &path, size, "--gridDim=1"];
            said(&duet(&args).output().expect("duet runs"))
        };
        assert!(text("--blockDim=64,32").contains("note: a block of 2048 threads"));
        assert!(!text("--blockDim=1024").contains("note: a block"));
    }
}

#[test]
fn sizes_that_are_forgotten_are_forgotten_everywhere() {
    let folder = tempfile::tempdir().expect("a folder");
    // More threads than 64 race.
    let source = "__global__ void k(int *a) {\n  __requires(blockDim.x == 64);\n  \
                  a[threadIdx.x % 64] = threadIdx.x;\n  __syncthreads();\n}\n";
    let path = file(folder.path(), source);
    let lint = |more: &[&str]| {
        let args = [&["lint", &path, "--blockDim=64", "--gridDim=1"], more].concat();
        said(&duet(&args).output().expect("duet runs"))
    };
    assert!(lint(&[]).contains("1 redundant barrier"), "{}", lint(&[]));
    assert!(lint(&["--sizes-free"]).contains("not proved"), "{}", lint(&["--sizes-free"]));
    let emit = |stage: &str, more: &[&str]| {
        let args = [&["emit", &path, stage, "--blockDim=64", "--gridDim=1"], more].concat();
        said(&duet(&args).output().expect("duet runs"))
    };
    assert!(emit("--stage=ir", &[]).contains("annotation requires"));
    assert!(!emit("--stage=ir", &["--sizes-free"]).contains("annotation requires"));
    assert_ne!(emit("--stage=vc", &[]), emit("--stage=vc", &["--sizes-free"]));
}

#[test]
fn an_address_space_limit_ends_in_a_message() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), FINE);
    for kilobytes in [150_000, 250_000, 400_000] {
        let script = format!(
            "ulimit -v {kilobytes}; exec {} check {path} --blockDim=8 --gridDim=1",
            env!("CARGO_BIN_EXE_duet")
        );
        let mut command = Command::new("sh");
        command.args(["-c", &script]);
        command.env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"));
        let output = command.output().expect("a shell");
        let text = said(&output);
        let code = output.status.code();
        assert!(code.is_some(), "{kilobytes}: it was killed: {text}");
        assert!(code == Some(0) || text.contains("error"), "{kilobytes}: {code:?}: {text}");
    }
}

/// A solver that never answers.
fn silent_solver(folder: &Path) -> String {
    use std::os::unix::fs::PermissionsExt;
    let path = folder.join("solver");
    let script = "#!/bin/sh\ncase \"$1\" in -version|--version) echo 'Z3 version 4.13.0 - 64 bit'; exit;; esac\n\
                  trap '' TERM INT HUP\nwhile true; do sleep 1000; done\n";
    std::fs::write(&path, script).expect("a file");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("permissions");
    path.display().to_string()
}

/// Processes that run the program.
fn alive(program: &str) -> usize {
    let entries = std::fs::read_dir("/proc").expect("processes").filter_map(Result::ok);
    let lines = entries.filter_map(|entry| std::fs::read(entry.path().join("cmdline")).ok());
    lines.filter(|line| String::from_utf8_lossy(line).contains(program)).count()
}

fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(60);
    while !holds() {
        assert!(Instant::now() < end, "{what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn terminate(child: &Child) {
    let id = i32::try_from(child.id()).expect("an id");
    // SAFETY: a system call without memory effects, for a child that was not waited for.
    assert_eq!(unsafe { libc::kill(id, libc::SIGTERM) }, 0);
}

/// The first kernel needs no solver, the second one never gets an answer. Whoever ends the
/// program gets what was done, and no solver stays behind.
#[test]
fn an_end_by_a_signal_leaves_what_was_done_and_no_solver() {
    let folder = tempfile::tempdir().expect("a folder");
    let hard = "__global__ void easy(int *a) { a[blockIdx.x * blockDim.x + threadIdx.x] = 1; }\n\
                __global__ void hard(int *a, int n) { a[(threadIdx.x * threadIdx.x ^ n) % 61] = threadIdx.x; }\n";
    let path = file(folder.path(), hard);
    let solver = silent_solver(folder.path());
    let args = [
        "check",
        &path,
        "--blockDim=8",
        "--gridDim=1",
        "--format=json",
        "--jobs=1",
        "--timeout=100",
        "--no-refute",
    ];
    let mut child = duet(&args)
        .env("DUET_Z3", &solver)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("duet runs");
    wait_until("the solver is not asked", || {
        alive(&solver) > 0 || child.try_wait().is_ok_and(|end| end.is_some())
    });
    std::thread::sleep(Duration::from_millis(500));
    terminate(&child);
    let output = child.wait_with_output().expect("it ends");
    let text = said(&output);
    assert_eq!(output.status.code(), Some(143), "{text}");
    assert!(text.contains("ended by a signal: 1 of 2 kernels"), "{text}");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(json["kernels"].as_array().map(Vec::len), Some(1), "{json:#}");
    assert_eq!(json["kernels"][0]["name"], "easy");
    wait_until("the solver is still there", || alive(&solver) == 0);
}

/// `script` gives the program a terminal.
#[test]
fn a_dumb_terminal_gets_no_colours() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file(folder.path(), "__global__ void k(int *a) { a[0] = threadIdx.x; }\n");
    let on_terminal = |name: &str| {
        let line = format!("{} check {path} --blockDim=8 --gridDim=1", env!("CARGO_BIN_EXE_duet"));
        let output = Command::new("script")
            .args(["-qec", &line, "/dev/null"])
            .env("TERM", name)
            .env_remove("NO_COLOR")
            .env("DUET_Z3", concat!(env!("CARGO_MANIFEST_DIR"), "/../../.duet/z3/bin/z3"))
            .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
            .stdin(Stdio::null())
            .output();
        output.ok().map(|output| said(&output))
    };
    let (Some(dumb), Some(able)) = (on_terminal("dumb"), on_terminal("xterm")) else {
        eprintln!("there is no `script` program here: nothing was tested");
        return;
    };
    assert!(dumb.contains("write-write-race"), "{dumb}");
    assert!(!dumb.contains('\x1b'), "{dumb:?}");
    assert!(able.contains('\x1b'), "{able:?}");
}
