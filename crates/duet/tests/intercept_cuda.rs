//! `duet cc` and `duet intercept` with programs of CUDA. clang makes the programs, and a
//! small runtime of our own (tests/intercept/cuda/standin.c) stands in for CUDA's: it
//! launches nothing and counts calls.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tempfile::TempDir;

fn sources() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/intercept/cuda")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("the command runs");
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{command:?}\n{out}{err}");
    output
}

/// A folder with the stand-in as `libcudart.so` in it.
fn folder() -> TempDir {
    folder_of("13000")
}

/// The same, with the functions of one version of CUDA.
fn folder_of(version: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let library = folder.path().join("libcudart.so");
    let mut compiler = Command::new("cc");
    compiler.args(["-shared", "-fPIC", "-w", "-Wl,-soname,libcudart.so", "-o"]).arg(library);
    compiler.arg(format!("-DCUDART_VERSION={version}"));
    succeed(compiler.arg(sources().join("standin.c")));
    folder
}

/// Builds a program as clang builds CUDA, through `duet cc` or not.
fn build(folder: &Path, name: &str, through_duet: bool) -> PathBuf {
    build_with(folder, name, through_duet, "-DCUDART_VERSION=13000")
}

fn build_with(folder: &Path, name: &str, through_duet: bool, option: &str) -> PathBuf {
    let (program, binary) = (folder.join(name), folder.join("empty.fatbin"));
    std::fs::write(&binary, b"none").expect("a file");
    let clang = std::env::var("DUET_CLANG").unwrap_or("clang++-19".to_string());
    let mut compiler = match through_duet {
        true => {
            let mut duet = Command::new(env!("CARGO_BIN_EXE_duet"));
            duet.args(["cc", &clang]);
            duet
        }
        false => Command::new(clang),
    };
    compiler.args(["-x", "cuda", "--cuda-host-only", "-nocudainc", "-nocudalib", "-g", "-w"]);
    // The functions that today's CUDA has for launches.
    compiler.args(["-Xclang", "-target-sdk-version=12.3"]);
    compiler.args(["-Xclang", "-fcuda-include-gpubinary", "-Xclang"]).arg(binary);
    compiler.arg(option).arg("-I").arg(sources()).arg(sources().join(format!("{name}.cu")));
    compiler.arg("-o").arg(&program).arg("-L").arg(folder).arg("-lcudart");
    compiler.arg(format!("-Wl,-rpath,{}", folder.display()));
    succeed(&mut compiler);
    program
}

fn intercept(folder: &Path, program: &Path) -> Output {
    let mut duet = Command::new(env!("CARGO_BIN_EXE_duet"));
    duet.arg("intercept").arg("--out").arg(folder.join("trace")).arg("--").arg(program);
    duet.output().expect("duet")
}

#[test]
fn launches_of_the_runtime_are_checked() {
    let folder = folder();
    let program = build(folder.path(), "launches", true);
    // What a program does is the same with and without the library.
    let alone = succeed(&mut Command::new(&program));
    assert_eq!(text(&alone.stdout), "16 launches\n");
    let output = intercept(folder.path(), &program);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(out.starts_with("16 launches\n"), "{out}{err}");
    // Ten are one, and the one that the runtime refused is none.
    assert!(err.contains("15 launches were recorded, 6 of them different"), "{out}{err}");
    for line in [
        "launches.cu:21 scale<<<4, 256>>>: proved",
        "launches.cu:23 shift<<<2, 128>>>: proved",
        "launches.cu:30 scale<<<2, 256>>>: proved",
        "launches.cu:33 scale<<<2, 128>>>: proved",
    ] {
        assert!(out.contains(line), "{line}\n{out}{err}");
    }
    // One element past the end, and a thread that reads what another writes.
    assert!(!out.contains("launches.cu:22 scale<<<4, 256>>>: proved"), "{out}");
    assert!(out.contains("launches.cu:24 shift<<<2, 128>>>: refuted"), "{out}{err}");
    assert_ne!(output.status.code(), Some(0));
}

/// What is captured is judged once, however often the graph is launched.
#[test]
fn kernels_of_a_captured_stream_are_checked() {
    let folder = folder();
    let program = build(folder.path(), "captured", true);
    let output = intercept(folder.path(), &program);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(out.starts_with("6 launches\n"), "{out}{err}");
    assert!(err.contains("3 launches were recorded, 3 of them different"), "{out}{err}");
    assert!(out.contains("captured.cu:22 scale<<<4, 256>>>: proved"), "{out}{err}");
    assert!(out.contains("captured.cu:23 shift<<<2, 128>>>: refuted"), "{out}{err}");
    // The node as it was changed: one element past the end.
    assert!(out.contains("captured.cu:32 scale<<<4, 256>>>"), "{out}{err}");
    assert!(!out.contains("captured.cu:32 scale<<<4, 256>>>: proved"), "{out}{err}");
}

/// `cudaGraphAddNode` has another form since CUDA 13.
#[test]
fn nodes_of_any_kind_are_checked_if_they_are_kernels() {
    for version in ["12000", "13000"] {
        let folder = folder_of(version);
        let option = format!("-DCUDART_VERSION={version}");
        let program = build_with(folder.path(), "nodes", true, &option);
        let output = intercept(folder.path(), &program);
        let (out, err) = (text(&output.stdout), text(&output.stderr));
        assert!(out.starts_with("2 launches\n"), "{version}: {out}{err}");
        // A node that is no kernel is no launch; a change of a node is one.
        assert!(err.contains("4 launches were recorded, 4 of them different"), "{out}{err}");
        assert!(out.contains(" scale<<<4, 256>>>: proved"), "{out}{err}");
        assert!(out.contains(" shift<<<2, 128>>>: refuted"), "{out}{err}");
        assert!(out.contains("nodes.cu:46 scale<<<4, 256>>>"), "{out}{err}");
        assert!(!out.contains("nodes.cu:46 scale<<<4, 256>>>: proved"), "{out}{err}");
        assert!(out.contains("nodes.cu:49 scale<<<2, 256>>>: proved"), "{out}{err}");
    }
}

#[test]
fn a_kernel_without_a_source_is_not_judged() {
    let folder = folder();
    let program = build(folder.path(), "launches", false);
    let output = intercept(folder.path(), &program);
    let err = text(&output.stderr);
    assert!(err.contains("its source is not known; build the program with `duet cc`"), "{err}");
    assert_ne!(output.status.code(), Some(0));
}

#[test]
fn a_text_of_nvrtc_is_checked() {
    let folder = folder();
    let program = folder.path().join("driver");
    let mut compiler = Command::new("cc");
    compiler.args(["-g", "-w", "-o"]).arg(&program).arg(sources().join("driver.c"));
    compiler.arg("-L").arg(folder.path()).arg("-lcudart");
    succeed(compiler.arg(format!("-Wl,-rpath,{}", folder.path().display())));
    let output = intercept(folder.path(), &program);
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert!(out.contains("driver.c:27 shift<<<2, 64>>>: proved"), "{out}{err}");
    assert!(!out.contains("driver.c:29 shift<<<2, 64>>>: proved"), "{out}");
    assert!(out.contains("driver.c:29 shift<<<2, 64>>>"), "{out}");
    // Arguments that are packed into a buffer are the same arguments.
    assert!(out.contains("driver.c:34 shift<<<4, 64>>>: proved"), "{out}{err}");
    assert!(out.contains("driver.c:36 shift<<<4, 64>>>"), "{out}{err}");
    assert!(!out.contains("driver.c:36 shift<<<4, 64>>>: proved"), "{out}{err}");
    // So are those of a node of a graph.
    assert!(out.contains("driver.c:47 shift<<<5, 64>>>: proved"), "{out}{err}");
    assert!(out.contains("driver.c:49 shift<<<5, 64>>>"), "{out}{err}");
    assert!(!out.contains("driver.c:49 shift<<<5, 64>>>: proved"), "{out}{err}");
}

/// A program that we start ends when it is told to, as without us.
#[test]
fn programs_have_their_signals() {
    let folder = tempfile::tempdir().expect("a folder");
    let trace = folder.path().join("trace").display().to_string();
    let blocked = ["grep", "SigBlk", "/proc/self/status"];
    let intercept = ["intercept", "--no-check", "--out", &trace, "--"];
    for words in [&intercept[..], &["cc"]] {
        let mut duet = Command::new(env!("CARGO_BIN_EXE_duet"));
        let output = duet.args(words).args(blocked).output().expect("duet");
        let said = text(&output.stdout);
        assert_eq!(said.trim(), "SigBlk:\t0000000000000000", "{words:?}: {output:?}");
    }
}
