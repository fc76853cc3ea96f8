//! What a check of a long kernel costs: a generated series of unrolled hashes, in
//! straight-line code that no address depends on. Time and work should grow in proportion
//! to the length. Prints a table; passes and fails nothing.
//!
//! `cargo bench -p duet --bench long_kernels`

#[path = "../tests/common/long_kernel.rs"]
mod long_kernel;

use std::process::Command;
use std::time::Instant;

use serde_json::Value;

/// Instructions of the kernels.
const LENGTHS: [usize; 5] = [500, 1000, 2000, 4000, 8000];

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    println!("instructions   verdict   seconds   check ms       work   ms per 1000");
    for length in LENGTHS {
        let file = folder.path().join(format!("hash{length}.cu"));
        std::fs::write(&file, long_kernel::unrolled_hash(length, "i")).expect("written");
        let start = Instant::now();
        let output = Command::new(env!("CARGO_BIN_EXE_duet"))
            .args(["check", "--format=json", "--blockDim=64", "--gridDim=1024", "--cache-dir"])
            .args([folder.path(), &file])
            .output()
            .expect("duet runs");
        let seconds = start.elapsed().as_secs_f64();
        let json: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
        let kernel = &json["kernels"][0];
        let ms = kernel["timings"]["check_ms"].as_f64().unwrap_or(f64::NAN);
        println!(
            "{length:12}   {:>7}   {seconds:7.2}   {ms:8.1}   {:8}   {:11.1}",
            kernel["verdict"].as_str().unwrap_or("?"),
            kernel["timings"]["work"].as_u64().unwrap_or(0),
            ms * 1000.0 / length as f64,
        );
    }
}
