//! Mutants: small changes at every place of a kernel, each compared with the kernel itself. No
//! engine may prove what a run shows to be different.
//!
//! Some of them are tried in each run of the tests; with `DUET_MUTANTS=N` every Nth is, so that 1
//! stands for all of them. What came of them is printed.

use std::path::Path;

use duet_engine::LaunchSizes;
use duet_engine::check::{Session, SessionOptions};
use duet_engine::load::{LoadOptions, load};
use duet_equiv::engines_say;
use duet_equiv::pair::request::{FloatModel, Kernel, Request};

/// Every how many mutants are tried.
const EVERY: usize = 97;

/// Kernels that are changed, with the sizes of their blocks.
const KERNELS: [(&str, Option<&str>); 24] = [
    ("bitonic-swap.cu", Some("8")),
    ("bitonic-least.cu", Some("8")),
    ("dot-block.cu", Some("8")),
    ("dot-one.cu", Some("8")),
    ("histogram-global.cu", None),
    ("histogram-over.cu", None),
    ("histogram-shared.cu", Some("8")),
    ("matmul-naive.cu", Some("[16,16]")),
    ("matmul-tiled.cu", Some("[16,16]")),
    ("reduce-modulo.cu", None),
    ("reduce-plain.cu", None),
    ("reduce-sequential.cu", None),
    ("reduce-strided.cu", None),
    ("rows.cu", None),
    ("rows-prefetched.cu", None),
    ("rows-unrolled.cu", None),
    ("scale-grid-stride.cu", None),
    ("scale-one.cu", None),
    ("scan-double.cu", Some("64")),
    ("scan-single.cu", Some("64")),
    ("stencil.cu", None),
    ("stencil-halo.cu", None),
    ("transpose-naive.cu", None),
    ("transpose-padded.cu", None),
];

/// What is changed to what.
const CHANGES: [(&str, &str); 22] = [
    (" < ", " <= "),
    (" < ", " > "),
    (" <= ", " < "),
    (" > ", " >= "),
    (" >= ", " > "),
    (" == ", " != "),
    (" && ", " || "),
    (" + ", " - "),
    (" - ", " + "),
    (" * ", " + "),
    (" / ", " * "),
    (" % ", " / "),
    (" += ", " -= "),
    (" = 0", " = 1"),
    (" = 1", " = 2"),
    ("threadIdx.x", "(threadIdx.x ^ 1)"),
    ("threadIdx.y", "threadIdx.x"),
    ("blockIdx.x", "(blockIdx.x + 1)"),
    ("blockDim.x", "(blockDim.x + 1)"),
    ("__syncthreads();", ""),
    ("[t]", "[t ^ 1]"),
    (" 2", " 3"),
];

/// All texts with one change.
fn mutants(text: &str) -> Vec<String> {
    let start = text.find("__global__").unwrap_or(0);
    let mut list = vec![];
    for (from, to) in CHANGES {
        for (at, _) in text.match_indices(from).filter(|(at, _)| *at > start) {
            list.push(format!("{}{to}{}", &text[..at], &text[at + from.len()..]));
        }
    }
    list
}

/// Is the pair proved equal, and does a run show that it is not? Nothing if a kernel is refused
/// by the compiler.
fn judge(sources: [&str; 2], block: Option<&str>, request: &Request) -> Option<(bool, bool)> {
    let folder = tempfile::tempdir().expect("a folder");
    let sizes = || LaunchSizes {
        block: block.map(|sizes| sizes.parse().expect("sizes")),
        ..LaunchSizes::default()
    };
    let mut files = vec![];
    for (name, source) in ["a.cu", "b.cu"].iter().zip(sources) {
        let path = folder.path().join(name);
        std::fs::write(&path, source).expect("writes");
        let options =
            LoadOptions { sizes: sizes(), ..LoadOptions::plain(path, Default::default()) };
        files.push(load(&options).ok()?);
    }
    let kernels = [0, 1].map(|side: usize| Kernel {
        file: folder.path().join(["a.cu", "b.cu"][side]),
        module: &files[side].module,
        func: files[side].module.kernels().next().expect("a kernel").0,
        sizes: sizes(),
        reading: vec![],
    });
    let options = SessionOptions {
        solvers: vec![duet_engine::tools::preferred_solver()],
        ..SessionOptions::default()
    };
    let mut session = Session::with_options(&options).expect("a solver");
    let runs = Request { fixed: true, ..request.clone() };
    let report = duet_equiv::compare(&mut session, &kernels, &runs).expect("kernels that match");
    let differs = report.verdict == duet_equiv::Verdict::Different;
    Some((engines_say(&kernels, request).is_ok(), differs))
}

#[test]
fn no_mutant_is_equal_where_runs_differ() {
    let every = std::env::var("DUET_MUTANTS").ok().and_then(|text| text.parse().ok());
    let every: usize = every.unwrap_or(EVERY);
    let (mut all, mut equal, mut shown, mut number) = (0, 0, 0, 0);
    for (name, block) in KERNELS {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/equiv").join(name);
        let text = std::fs::read_to_string(path).expect("a kernel");
        for mutant in mutants(&text) {
            number += 1;
            if number % every != 0 {
                continue;
            }
            let request = Request { float: FloatModel::Exact, ..Request::default() };
            let (proved, differs) = match judge([&text, &mutant], block, &request) {
                Some(judged) => judged,
                // The compiler refuses it.
                None => continue,
            };
            assert!(!(proved && differs), "{mutant}");
            all += 1;
            equal += usize::from(proved);
            shown += usize::from(differs);
        }
    }
    println!("{all} mutants: {equal} proved equal, {shown} shown to differ");
    assert!(all > 0 && shown > 0);
    assert!(10 * shown >= 9 * (all - equal) || all < 50, "{shown} of {} are shown", all - equal);
}
