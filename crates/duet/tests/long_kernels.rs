//! Kernels of thousands of instructions: what no address depends on costs little, and no
//! more than in proportion to its length.

#[path = "common/long_kernel.rs"]
mod long_kernel;

use std::process::{Command, Stdio};

use long_kernel::unrolled_hash;
use serde_json::Value;

/// What a check of a kernel came to.
struct Checked {
    verdict: String,
    work: u64,
    /// Memory of the largest process, in kilobytes.
    peak: u64,
}

fn check(source: &str) -> Checked {
    let folder = tempfile::tempdir().expect("a folder");
    let (file, json) = (folder.path().join("hash.cu"), folder.path().join("out.json"));
    std::fs::write(&file, source).expect("the kernel is written");
    let output = std::fs::File::create(&json).expect("a file for the output");
    let child = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", "--format=json", "--blockDim=64", "--gridDim=1024", "--timeout=600"])
        .arg(&file)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .stdout(output)
        .stderr(Stdio::null())
        .spawn()
        .expect("duet runs");
    let peak = wait(child);
    let text = std::fs::read_to_string(&json).expect("the output is there");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    let kernel = &json["kernels"][0];
    Checked {
        verdict: kernel["verdict"].as_str().unwrap_or_default().to_string(),
        work: kernel["timings"]["work"].as_u64().expect("a count of work"),
        peak,
    }
}

/// Waits for a process; the memory of the largest one that it was or waited for.
#[expect(clippy::zombie_processes, reason = "`wait4` waits, and learns more than Rust's own")]
fn wait(child: std::process::Child) -> u64 {
    let mut status = 0;
    // SAFETY: `rusage` is plain data for which all zeros are valid, and both pointers are
    // valid for the call.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::wait4(child.id() as libc::pid_t, &mut status, 0, &mut usage);
        usage
    };
    usage.ru_maxrss as u64
}

#[test]
fn long_code_that_no_address_depends_on_is_cheap() {
    let [short, long] = [1000, 5000].map(|length| check(&unrolled_hash(length, "i")));
    for checked in [&short, &long] {
        assert_eq!(checked.verdict, "proved");
        assert!(checked.peak < 500 << 10, "{} kB", checked.peak);
    }
    println!("work {} and {}, memory {} and {} kB", short.work, long.work, short.peak, long.peak);
    assert!(long.work <= 6 * short.work, "{} against {}", long.work, short.work);
}

#[test]
fn a_race_at_the_end_of_long_code_is_refuted() {
    assert_eq!(check(&unrolled_hash(5000, "i / 2")).verdict, "refuted");
}
