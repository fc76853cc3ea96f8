//! Families of kernels with rewrites that are equal, and bugs seeded into them: no bug may be
//! called equal, and nearly all must be shown by runs.

use std::path::{Path, PathBuf};
use std::process::Command;

use duet_engine::check::{Session, SessionOptions};
use duet_engine::tools::preferred_solver;
use duet_equiv::pair::request::Request;
use duet_equiv::{Verdict, compare, engines_say};

#[path = "equiv/table.rs"]
mod table;

use table::{PAIRS, Pair};

fn file(name: &str) -> PathBuf {
    Pair::path(name)
}

fn run(words: &[&str]) -> (i32, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("equiv")
        .args(words)
        .output()
        .expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

/// The engines prove each pair of the table but for the known gaps.
#[test]
fn rewrites_are_equal() {
    let mut wrong = vec![];
    for pair in PAIRS {
        let files = [0, 1].map(|side: usize| pair.load(side, file(pair.files[side])));
        let kernels = pair.kernels(&files);
        // A proof that is not found takes the whole limit.
        let work = pair.is_gap.then_some(1_000_000);
        let said = engines_say(&kernels, &Request { work, ..pair.request() });
        if said.is_ok() == pair.is_gap {
            let what = format!("{:?} {:?} in {} s", pair.files, pair.words(), pair.most);
            wrong.push(format!("{what}: {:?}", said.err()));
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

/// No bug of the table is called equal by an engine, and nearly all are shown by runs.
#[test]
fn seeded_bugs_are_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let options = SessionOptions { solvers: vec![preferred_solver()], ..Default::default() };
    let mut session = Session::with_options(&options).expect("a solver");
    let (mut all, mut shown) = (0, 0);
    for pair in PAIRS {
        let right = std::fs::read_to_string(file(pair.files[1])).expect("a file");
        for (from, to) in pair.bugs {
            let wrong = right.replacen(from, to, 1);
            assert_ne!(right, wrong, "{}: {from}", pair.files[1]);
            let path = folder.path().join(pair.files[1]);
            std::fs::write(&path, wrong).expect("writes");
            let files = [pair.load(0, file(pair.files[0])), pair.load(1, path)];
            let report = compare(&mut session, &pair.kernels(&files), &pair.request());
            let report = report.expect("kernels that match");
            assert_ne!(report.verdict, Verdict::Equal, "{}: {from} -> {to}", pair.files[1]);
            all += 1;
            match report.verdict == Verdict::Different {
                true => shown += 1,
                false => eprintln!("not shown by a run: {}: {from} -> {to}", pair.files[1]),
            }
        }
    }
    assert!(100 * shown >= 95 * all, "{shown} of {all}");
}

/// A tree over a number of sums that is no power of two leaves some of them out.
#[test]
fn scalar_products() {
    let (a, b) = (file("dot-one.cu"), file("dot-block.cu"));
    let pair = [a.to_str().expect("a path"), b.to_str().expect("a path")];
    let said = |accn: u32, more: &[&str]| {
        let (size, define) = (format!("--block-dim={accn}"), format!("-DACCN={accn}"));
        let words = [&pair[..], &[&size, &define], more].concat();
        run(&words).0
    };
    let floats = ["-DT=float", "--float=reassoc"];
    for accn in [1, 64, 256] {
        assert_eq!(said(accn, &floats), 0, "{accn}");
    }
    assert_eq!(said(64, &[]), 0);
    for accn in [6, 12] {
        assert_eq!(said(accn, &floats), 1, "{accn}");
        assert_eq!(said(accn, &[]), 1, "{accn}");
    }
    // In exact arithmetic the order of the sum counts.
    assert_eq!(said(64, &["-DT=float"]), 1);
}

#[test]
fn a_difference_says_who_wrote_it() {
    let (a, b) = (file("transpose-naive.cu"), file("transpose-padded-bug.cu"));
    let (a, b) = (a.to_str().expect("a path"), b.to_str().expect("a path"));
    let (code, text) = run(&[a, b]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("written by thread (") && text.contains("of block ("), "{text}");
    let folder = tempfile::tempdir().expect("a folder");
    let repro = folder.path().join("repro");
    let (code, _) = run(&[a, b, "--emit-repro", repro.to_str().expect("a path")]);
    assert_eq!(code, 1);
    let program = std::fs::read_to_string(repro.join("repro.cu")).expect("a program");
    assert!(program.contains("side_a::transpose<<<") && program.contains("side_b::transpose<<<"));
    let (_, sarif) = run(&[a, b, "--format=sarif"]);
    assert!(sarif.contains("\"not-equivalent\"") && sarif.contains("2.1.0"), "{sarif}");
    let (_, html) = run(&[a, b, "--format=html"]);
    assert!(html.contains("<!doctype html>") && html.contains("extern __shared__"), "{html}");
}

fn git(folder: &Path, words: &[&str]) {
    let done = Command::new("git")
        .current_dir(folder)
        .args(["-c", "user.name=t", "-c", "user.email=t@example.org"])
        .args(words)
        .output()
        .expect("git runs");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
}

#[test]
fn an_earlier_commit_is_compared_kernel_by_kernel() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    let text = |first: &str| {
        format!(
            "__global__ void one(int *out, int n) {{ int i = blockIdx.x * blockDim.x + threadIdx.x; if ({first}) out[i] = i; }}\n\
             __global__ void two(int *out) {{ out[blockIdx.x * blockDim.x + threadIdx.x] = 2; }}\n"
        )
    };
    git(folder.path(), &["init", "-q"]);
    std::fs::write(&path, text("i < n")).expect("writes");
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "a"]);
    let k = path.to_str().expect("a path");
    std::fs::write(&path, text("n > i")).expect("writes");
    let (code, said) = run(&[k, "--against=HEAD"]);
    assert_eq!(code, 0, "{said}");
    assert_eq!(said.matches(": equal").count(), 2, "{said}");
    std::fs::write(&path, text("i < n - 1")).expect("writes");
    let (code, said) = run(&[k, "--against=HEAD"]);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains(": different") && said.contains(": equal"), "{said}");
    let (code, _) = run(&[k, "--against=nothing-like-this"]);
    assert_eq!(code, 3);
}

/// Condition 24. A kernel that did not change is not equal to itself if it depends on the order
/// of its threads.
#[test]
fn an_unchanged_kernel_may_differ_from_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("k.cu");
    let text =
        "__global__ void k(int *out) { int i = atomicAdd(out, 1); out[1 + i] = threadIdx.x; }\n";
    git(folder.path(), &["init", "-q"]);
    std::fs::write(&path, text).expect("writes");
    git(folder.path(), &["add", "."]);
    git(folder.path(), &["commit", "-q", "-m", "a"]);
    let (code, said) = run(&[path.to_str().expect("a path"), "--against=HEAD"]);
    assert_eq!(code, 2, "{said}");
}

#[test]
fn a_specification_is_a_kernel_for_one_thread() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("writes");
        path.display().to_string()
    };
    let k = write(
        "k.cu",
        "__global__ void k(int *out, const int *in, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) out[i] = in[i] + 1; }\n",
    );
    let wrong = write(
        "wrong.cu",
        "__global__ void k(int *out, const int *in, int n) { for (int i = 0; i < n; i++) out[i] = in[i] + 2; }\n",
    );
    let reads = write(
        "reads.cu",
        "__global__ void k(int *out, const int *in, int n) { for (int i = 0; i < n; i++) { out[i] = in[i]; out[i] = out[i] + 1; } }\n",
    );
    let given = "--given=gridDim_a.x * blockDim_a.x >= n";
    assert_eq!(run(&[&k, "--spec", &wrong, given]).0, 1);
    let (code, text) = run(&[&k, "--spec", &reads, given]);
    assert_eq!(code, 4, "{text}");
    let right = write(
        "right.cu",
        "__global__ void k(int *out, const int *in, int n) { for (int i = 0; i < n; i++) out[i] = in[i] + 1; }\n",
    );
    let (code, text) = run(&[&k, "--spec", &right, given]);
    assert_eq!(code, 0, "{text}");
}
