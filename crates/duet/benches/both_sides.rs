//! What it costs to read the host side of a program beside its kernels: the device side
//! alone, the host side alone, one after the other, and both at once. Prints a table of
//! medians and ratios; passes and fails nothing.
//!
//! `cargo bench -p duet --bench both_sides -- [FOLDER]` (our own whole programs by default)

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use duet_engine::programs;
use duet_frontend::Options;

/// What is wanted of both sides and the passes, in times of the device side alone.
const ONE_CORE: f64 = 2.2;
const TWO_CORES: f64 = 1.3;

fn main() {
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let folder = folder.map_or_else(own_programs, PathBuf::from);
    let cache = tempfile::tempdir().expect("a folder for the cache");
    let options =
        Options { cache_dir: Some(cache.path().to_path_buf()), inline: true, ..Options::default() };
    let mut files: Vec<PathBuf> = std::fs::read_dir(&folder)
        .expect("a folder of programs")
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| programs::may_launch(path))
        .collect();
    files.sort();
    // The preludes are in the cache before the first measurement.
    if let Some(first) = files.first() {
        let _ = (device(first, &options), host(first, &options));
    }
    let rows: Vec<[Duration; 3]> = files.iter().map(|file| best(file, &options)).collect();
    let medians: [f64; 3] = std::array::from_fn(|at| median(rows.iter().map(|row| row[at])));
    let [device, host, both] = medians;
    println!("{} programs, median seconds", rows.len());
    println!("device side alone    {device:.3}");
    println!("host side alone      {host:.3}");
    println!(
        "one after the other  {:.3}  {:.2} times (at most {ONE_CORE} on one core)",
        device + host,
        1.0 + host / device
    );
    println!(
        "both at once         {both:.3}  {:.2} times (at most {TWO_CORES} on two idle cores)",
        both / device
    );
}

fn own_programs() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels/programs");
    folder.canonicalize().expect("the folder of programs")
}

/// The best of three measurements: what other programs do meanwhile is no part of it.
fn best(file: &Path, options: &Options) -> [Duration; 3] {
    let all: [[Duration; 3]; 3] = std::array::from_fn(|_| measure(file, options));
    std::array::from_fn(|at| all.iter().map(|row| row[at]).min().unwrap_or_default())
}

/// The device side, the host side, and both at once.
fn measure(file: &Path, options: &Options) -> [Duration; 3] {
    let alone = [device(file, options), host(file, options)];
    let start = Instant::now();
    std::thread::scope(|scope| {
        let other = scope.spawn(|| host(file, options));
        device(file, options);
        let _ = other.join();
    });
    [alone[0], alone[1], start.elapsed()]
}

fn device(file: &Path, options: &Options) -> Duration {
    let start = Instant::now();
    let _ = duet_frontend::load(file, options);
    start.elapsed()
}

fn host(file: &Path, options: &Options) -> Duration {
    let start = Instant::now();
    let _ = programs::read_host(&[file.to_path_buf()], options);
    start.elapsed()
}

fn median(times: impl Iterator<Item = Duration>) -> f64 {
    let mut times: Vec<f64> = times.map(|time| time.as_secs_f64()).collect();
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(0.0)
}
