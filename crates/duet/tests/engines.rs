//! Engines that refute candidates for loop invariants change how long the search
//! takes, never what it finds.

mod common;

use std::collections::BTreeMap;
use std::process::Command;

use common::{KernelFile, assert_none, in_parallel, kernels};
use duet_engine::check::{
    AnnotationOptions, CheckOptions, Inference, Session, kernel_invariants, launch_spec,
    select_annotations,
};

/// Houdini alone, each engine before it, and several beside it.
const COMPOSITIONS: [&str; 6] =
    ["H", "SBASE;H", "SSTEP;H", "LU(1);H", "DYN;H", "DYN||SBASE||SSTEP||H"];

/// What each composition finds for the kernels of a file that have candidates.
fn search(file: &KernelFile) -> Vec<[Inference; COMPOSITIONS.len()]> {
    let Ok(loaded) = file.load() else { return vec![] };
    let module = select_annotations((*loaded.module).clone(), AnnotationOptions::default());
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

#[test]
fn every_composition_finds_the_same_invariants() {
    let files = kernels();
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
