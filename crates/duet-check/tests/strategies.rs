//! File tests: each file holds a kernel in the text form. The sections `fixed` (64 threads
//! in each of 4 blocks) and `free` (any number) say to which verdict a check comes, which
//! of the strategies decided, and by which findings. z3 is asked. `BLESS=1` rewrites the
//! sections.

mod common;

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use duet_ask::Session;
use duet_check::{CheckOptions, KernelReport, STRATEGIES, check_kernel};
use duet_smt::Fence;

fn summary(report: &KernelReport) -> String {
    let by = report.decided_by;
    let mut text = format!("{} by `{by}`\n", report.verdict.word());
    for rule in common::rules(report) {
        let _ = writeln!(text, "  {rule}");
    }
    for assumption in report.assumptions.iter().filter(|one| one.contains(" at line")) {
        let _ = writeln!(text, "  assuming that {assumption}");
    }
    text
}

fn folder() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files")
}

#[test]
fn strategies_decide_as_the_files_say() {
    duet_filetest::run(folder(), "duet", |file| {
        let mut sections = file.sections();
        let module = common::parse(&sections.input)?;
        let (kernel, _) = module.kernels().next().ok_or("no kernel")?;
        let mut session = Session::new().map_err(|error| error.to_string())?;
        let mut report = |options: &CheckOptions| {
            let report = check_kernel(&mut session, &module, kernel, options);
            report.map(|report| summary(&report)).map_err(|error| error.to_string())
        };
        let names: Vec<String> = sections.names().map(str::to_string).collect();
        for name in names {
            let options = match name.as_str() {
                "fixed" => common::fixed(),
                "free" => common::free(),
                _ => return Err(format!("no section `{name}`")),
            };
            sections.set(&name, report(&options)?);
        }
        Ok(sections.to_string())
    });
}

/// Each strategy decides one of the files; that of earlier proofs has a test of its own, and
/// the first runs decide nothing by themselves, nor does the search for what is missing.
#[test]
fn every_strategy_decides_a_file() {
    let mut seen = BTreeSet::from(["as before", "first runs", "mended order"].map(str::to_string));
    for file in duet_filetest::find_files(&folder(), "duet") {
        let by = |line: &str| Some(line.split_once(" by `")?.1.trim_end_matches('`').to_string());
        seen.extend(file.text.lines().filter_map(by));
    }
    let all: BTreeSet<String> = STRATEGIES.iter().map(|one| one.name.to_string()).collect();
    assert_eq!(seen, all);
}

/// A kernel that is proved at once is not, if its turn comes when the time is over.
#[test]
fn what_comes_too_late_is_not_proved() {
    let text = std::fs::read_to_string(folder().join("plain.duet")).expect("a file");
    let text = text.split("==== ").next().expect("a kernel");
    let mut session = Session::new().expect("a solver");
    let late = CheckOptions { fence: Fence::after(Some(Duration::ZERO)), ..common::fixed() };
    let mut check = |options: &CheckOptions| {
        let report = common::check(text, &mut session, options);
        (report.verdict.word(), common::rules(&report))
    };
    assert_eq!(check(&common::fixed()), ("proved", vec![]));
    assert_eq!(check(&late), ("unproven", vec!["time-limit".to_string()]));
}

/// What an earlier proof kept decides the second check; another kernel does not profit.
#[test]
fn an_earlier_proof_is_tried_first() {
    let folder = tempfile::tempdir().expect("a folder");
    let proof_cache = Some(folder.path().to_path_buf());
    let options = CheckOptions { proof_cache, ..common::fixed() };
    let text = std::fs::read_to_string(self::folder().join("at_length.duet")).expect("a file");
    let text = text.split("==== ").next().expect("a kernel");
    let mut session = Session::new().expect("a solver");
    let mut decided_by = |text: &str| {
        let report = common::check(text, &mut session, &options);
        (report.verdict.word(), report.decided_by)
    };
    assert_eq!(decided_by(text), ("proved", "at length"));
    assert_eq!(decided_by(text), ("proved", "as before"));
    // The place of the store does not depend on the thread any more, but its value does.
    let racing = text.replace("add i32 v20, v5", "add i32 v5, v5");
    let racing = racing.replace("@a[v9], v5", "@a[v9], v1");
    assert_ne!(racing, text);
    assert_eq!(decided_by(&racing).0, "refuted");
}
