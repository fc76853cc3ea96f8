//! Engines that refute candidates for loop invariants change how long the search
//! takes, never what it finds.

mod common;

use std::collections::BTreeMap;
use std::process::Command;

use common::{KernelFile, assert_none, in_parallel, kernel, kernels};
use duet_engine::check::{
    AnnotationOptions, CheckOptions, Inference, Session, Shortcuts, kernel_invariants, launch_spec,
    select_annotations,
};

/// Houdini alone, each engine before it, and several beside it.
const COMPOSITIONS: [&str; 6] =
    ["H", "SBASE;H", "SSTEP;H", "LU(1);H", "DYN;H", "DYN||SBASE||SSTEP||H"];

/// What each composition finds for the kernels of a file that have candidates.
fn search(file: &KernelFile) -> Vec<[Inference; COMPOSITIONS.len()]> {
    let Ok(loaded) = file.load() else { return vec![] };
    let module = select_annotations(loaded.module.clone(), AnnotationOptions::default());
    let sizes = file.sizes();
    let warp = file.header.values("--warp-sync").next();
    let mut session = Session::new().expect("a solver");
    let mut found = vec![];
    for (kernel, func) in module.kernels() {
        let options = CheckOptions {
            warp_sync: warp.and_then(|size| size.parse().ok()),
            ..CheckOptions::new(launch_spec(func, &sizes))
        };
        let all = COMPOSITIONS.map(|engines| {
            let engines = engines.parse().expect("a composition");
            let options = CheckOptions { engines, ..options.clone() };
            kernel_invariants(&mut session, &module, kernel, &options).expect("a solver")
        });
        if !all[0].engines.is_empty() {
            found.push(all);
        }
    }
    found
}

/// Folders whose kernels are about something else than loops, and whose questions are long.
const LEFT_OUT: [&str; 5] = ["claims/", "modular/", "order/", "programs/", "scans/"];

#[test]
fn every_composition_finds_the_same_invariants() {
    let mut files = kernels();
    files.retain(|file| !LEFT_OUT.iter().any(|folder| file.name.starts_with(folder)));
    let results = in_parallel(&files, search);
    let (mut problems, mut with_candidates) = (vec![], 0);
    let mut refuted: BTreeMap<String, usize> = BTreeMap::new();
    for (file, kernels) in files.iter().zip(&results) {
        for all in kernels {
            with_candidates += 1;
            for (engines, one) in COMPOSITIONS.iter().zip(all) {
                if one.kept != all[0].kept {
                    let name = &file.name;
                    let (here, there) = (one.kept.len(), all[0].kept.len());
                    problems.push(format!("{name}: {engines} keeps {here}, H keeps {there}"));
                }
                for work in &one.engines {
                    *refuted.entry(work.name.clone()).or_default() += work.refuted.len();
                }
            }
        }
    }
    println!("{with_candidates} kernels with candidates; refuted by {refuted:?}");
    assert_none(problems);
    assert!(with_candidates >= 120, "only {with_candidates} kernels have candidates");
    for engine in ["H", "SBASE", "SSTEP", "LU(1)", "DYN"] {
        let count = refuted.get(engine).copied().unwrap_or(0);
        assert!(count >= 50, "{engine} refutes {count} candidates");
    }
}

/// The candidates that an engine refutes before Houdini, by loop.
fn refuted_by(engine: &str, name: &str) -> BTreeMap<String, usize> {
    let file = kernel(name);
    let loaded = file.load().expect("a kernel of ours");
    let module = select_annotations(loaded.module.clone(), AnnotationOptions::default());
    let (kernel, func) = module.kernels().next().expect("a kernel");
    let engines = format!("{engine};H").parse().expect("a composition");
    let options = CheckOptions { engines, ..CheckOptions::new(launch_spec(func, &file.sizes())) };
    let mut session = Session::new().expect("a solver");
    let found = kernel_invariants(&mut session, &module, kernel, &options).expect("a solver");
    let work = found.engines.iter().find(|work| work.name == engine).expect("the engine worked");
    let mut by_loop = BTreeMap::new();
    for name in &work.refuted {
        let (id, _) = name.split_once('.').expect("a loop and a number");
        *by_loop.entry(id.to_string()).or_default() += 1;
    }
    by_loop
}

#[test]
fn a_long_loop_does_not_starve_the_next() {
    let refuted = refuted_by("DYN", "loops/dyn-late-loop.cu");
    let of = |id: &str| refuted.get(id).copied().unwrap_or(0);
    assert!(of("loop0") >= 1 && of("loop1") >= 1, "{refuted:?}");
}

#[test]
fn runs_with_a_race_refute_nothing() {
    assert_eq!(refuted_by("DYN", "loops/dyn-racy-run-bug.cu"), BTreeMap::new());
}

#[test]
fn selectors_change_how_long_it_takes_and_not_what_is_found() {
    let (mut compared, mut problems) = (0, vec![]);
    for file in kernels().iter().filter(|file| file.name.starts_with("loops/")) {
        let Ok(loaded) = file.load() else { continue };
        let module = select_annotations(loaded.module.clone(), AnnotationOptions::default());
        for (kernel, func) in module.kernels() {
            let usual = CheckOptions::new(launch_spec(func, &file.sizes()));
            let shortcuts = Shortcuts { selectors: false, ..usual.shortcuts };
            let without = CheckOptions { shortcuts, ..usual.clone() };
            let [one, other] = [&usual, &without].map(|options| {
                let mut session = Session::new().expect("a solver");
                kernel_invariants(&mut session, &module, kernel, options).expect("a solver").kept
            });
            compared += one.len();
            if one != other {
                problems.push(format!("{}: {} against {}", file.name, one.len(), other.len()));
            }
        }
    }
    assert_none(problems);
    assert!(compared >= 50, "only {compared} invariants");
}

#[test]
fn houdini_has_the_last_word() {
    for (engines, says) in [("DYN", "last stage"), ("DYN;HOUDINI", "no engine")] {
        let output = Command::new(env!("CARGO_BIN_EXE_duet"))
            .args(["check", "k.cu", &format!("--engines={engines}")])
            .output()
            .expect("duet runs");
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(4), "{message}");
        assert!(message.contains(says), "{message}");
    }
}
