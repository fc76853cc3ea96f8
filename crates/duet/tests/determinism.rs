//! The same verdict every time: what `duet check` says does not depend on how busy the
//! machine is, nor on how many kernels are checked at a time.
//!
//! Each kernel is checked three times, the last two beside threads that keep every core
//! busy, with one and with four jobs. Verdicts, findings, witnesses and commands must be
//! equal byte by byte; only times may differ. The budget of work is small, so that limits
//! are reached too: they count work and are reached at the same question.
//!
//! `make determinism` takes 200 kernels; the test takes fewer.

mod common;

use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};

use common::{KernelFile, assert_none, in_parallel, kernels};
use serde_json::Value;

/// Kernels that are checked, unless the variable `DUET_DETERMINISM` says how many.
const SAMPLE: usize = 40;
/// Work for a kernel, in millions; a few of the sample want more.
const WORK: &str = "--work=5";
/// Far beyond what that takes, on a busy machine too.
const FENCE: &str = "--timeout=900";

/// What must be the same.
#[derive(PartialEq, Eq)]
struct Said {
    exit: Option<i32>,
    json: String,
    messages: String,
}

fn check(file: &KernelFile, jobs: usize) -> Said {
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", "--format=json", WORK, FENCE, &format!("--jobs={jobs}")])
        .arg(&file.path)
        .args(&file.header.options)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let mut json: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
    remove_times(&mut json);
    Said {
        exit: output.status.code(),
        json: format!("{json:#}"),
        messages: String::from_utf8_lossy(&output.stderr).into_owned(),
    }
}

/// Times are members whose names say so.
fn remove_times(json: &mut Value) {
    match json {
        Value::Object(members) => {
            members.retain(|name, _| name != "ms" && !name.ends_with("_ms"));
            members.values_mut().for_each(remove_times);
        }
        Value::Array(items) => items.iter_mut().for_each(remove_times),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Kernels from all folders, and those files that hold several.
fn sample() -> Vec<KernelFile> {
    let wanted = std::env::var("DUET_DETERMINISM").ok();
    let wanted = wanted.map_or(SAMPLE, |number| number.parse().expect("a number of kernels"));
    let several = ["programs/reduce-templates-bug.cu", "programs/streams.cu"];
    let all = kernels();
    let step = all.len().div_ceil(wanted);
    let is_chosen = |(number, file): &(usize, KernelFile)| {
        number.is_multiple_of(step) || several.contains(&file.name.as_str())
    };
    all.into_iter().enumerate().filter(is_chosen).map(|(_, file)| file).collect()
}

/// Keeps every core busy while something is done.
fn under_load<T>(work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    let cores = std::thread::available_parallelism().map_or(2, |count| count.get());
    std::thread::scope(|scope| {
        for _ in 0..2 * cores {
            scope.spawn(|| {
                while !is_over.load(Ordering::Relaxed) {
                    std::hint::black_box((0..1000u32).fold(0, u32::wrapping_add));
                }
            });
        }
        let result = work();
        is_over.store(true, Ordering::Relaxed);
        result
    })
}

/// The first line in which two texts differ.
fn first_difference(one: &str, other: &str) -> String {
    let mut lines = one.lines().zip(other.lines()).filter(|(a, b)| a != b);
    let cut = || format!("{} lines against {}", one.lines().count(), other.lines().count());
    lines.next().map_or_else(cut, |(a, b)| format!("{} against {}", a.trim(), b.trim()))
}

#[test]
fn verdicts_do_not_depend_on_load_or_jobs() {
    let files = sample();
    let idle = in_parallel(&files, |file| check(file, 1));
    let (alone, beside) = under_load(|| {
        (in_parallel(&files, |file| check(file, 1)), in_parallel(&files, |file| check(file, 4)))
    });
    let mut problems = vec![];
    for (number, file) in files.iter().enumerate() {
        let first = &idle[number];
        for (how, other) in [("1 job, busy", &alone[number]), ("4 jobs, busy", &beside[number])] {
            if other != first {
                let of_json = first_difference(&first.json, &other.json);
                let codes = format!("exit {:?} and {:?}", first.exit, other.exit);
                problems.push(format!("{}: {how}: {codes}: {of_json}", file.name));
            }
        }
        if first.json.contains("time-limit") {
            problems.push(format!("{}: the fence fell, so nothing was compared", file.name));
        }
    }
    let limited = idle.iter().filter(|said| said.json.contains("work-limit")).count();
    println!("{} files, {limited} of them reach the limit of work", files.len());
    assert_none(problems);
}

/// The wall clock is a fence: when it falls the check ends at once, and a finding says so.
#[test]
fn the_fence_ends_a_check_at_once_and_is_named() {
    let file = common::kernel("papers/array-copy-any-size.cu");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", "--format=json", "--timeout=1"])
        .arg(&file.path)
        .args(&file.header.options)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let kernel = &json["kernels"][0];
    let took = kernel["timings"]["check_ms"].as_f64().expect("a time");
    assert!(took < 2000.0, "{took} ms");
    if kernel["verdict"] != "proved" {
        let findings = kernel["findings"].as_array().expect("findings");
        assert!(findings.iter().any(|one| one["rule"] == "time-limit"), "{kernel:#}");
        assert_eq!(output.status.code(), Some(2));
    }
}

/// A budget of work that is used up is a finding of its own, and no proof.
#[test]
fn a_budget_of_work_that_is_used_up_is_named() {
    let file = common::kernel("papers/array-copy-any-size.cu");
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", "--format=json", "--work=0", FENCE])
        .arg(&file.path)
        .args(&file.header.options)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let kernel = &json["kernels"][0];
    assert_eq!(kernel["verdict"], "unproven");
    let findings = kernel["findings"].as_array().expect("findings");
    assert!(findings.iter().any(|one| one["rule"] == "work-limit"), "{kernel:#}");
}
