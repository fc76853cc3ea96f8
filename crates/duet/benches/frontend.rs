//! How long a file takes on its way to kernel IR, how much memory that needs, and
//! how fast the interpreter is. Prints a table; passes and fails nothing.
//!
//! `cargo bench -p duet --bench frontend -- [FOLDER]` (our own kernels by default)
//!
//! Every file is read twice: by the `duet` program, which is what a user waits
//! for, and in this process, which tells the stages apart. The prelude is in the
//! cache before the first measurement.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use duet_engine::{Header, LaunchSizes};
use duet_frontend::{Options, Timings};
use duet_interp::{Fill, Inputs, Launch, RunOptions};
use duet_ir::Language;

fn main() {
    let folder = std::env::args().skip(1).find(|arg| !arg.starts_with("--"));
    let folder = folder.map_or_else(own_kernels, PathBuf::from);
    let cache = tempfile::tempdir().expect("a folder for the cache");
    let mut files = vec![];
    collect(&folder, &mut files);
    files.sort();
    measure_reading(&folder, &files, cache.path());
    measure_interpreter(cache.path());
}

fn own_kernels() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    folder.canonicalize().expect("the folder of kernels")
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    let Ok(entries) = std::fs::read_dir(folder) else { return };
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            collect(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "cu" || extension == "cl") {
            found.push(path);
        }
    }
}

/// What a process and its children used.
struct Usage {
    processor: Duration,
    /// Peak memory of the largest one.
    peak_kib: u64,
}

/// What was measured of one file.
struct Sample {
    command: Duration,
    usage: Usage,
    stages: Option<Timings>,
}

fn measure_reading(folder: &Path, files: &[PathBuf], cache: &Path) {
    println!("from file to IR: {} files of {}", files.len(), folder.display());
    // Both widths of both languages once, so that every prelude is cached.
    files.iter().take(200).for_each(|file| drop(duet_frontend::load(file, &options(file, cache))));
    let samples: Vec<Sample> = files.iter().map(|file| sample(file, cache)).collect();
    let stages: Vec<Timings> = samples.iter().filter_map(|sample| sample.stages).collect();
    println!("  read without an error: {} of {}", stages.len(), files.len());
    println!("  {:<28}{:>10}{:>10}{:>10}", "", "median", "p95", "max");
    let row = |name: &str, times: Vec<Duration>| {
        print_row(name, times.iter().map(|time| time.as_secs_f64() * 1e3).collect(), "ms");
    };
    row("duet emit, whole command", samples.iter().map(|sample| sample.command).collect());
    row("  its processor time", samples.iter().map(|sample| sample.usage.processor).collect());
    row("in process", stages.iter().map(|s| s.clang + s.prepare + s.translate).collect());
    row("  clang", stages.iter().map(|s| s.clang).collect());
    row("  prepare", stages.iter().map(|s| s.prepare).collect());
    row("  translate and check", stages.iter().map(|s| s.translate).collect());
    print_row(
        "peak memory (duet or clang)",
        samples.iter().map(|sample| sample.usage.peak_kib as f64 / 1024.0).collect(),
        "MB",
    );
}

fn print_row(name: &str, mut values: Vec<f64>, unit: &str) {
    values.sort_by(f64::total_cmp);
    let at = |part: f64| {
        let index = (values.len().saturating_sub(1) as f64 * part).round() as usize;
        values.get(index).copied().unwrap_or(f64::NAN)
    };
    let shown = [at(0.5), at(0.95), at(1.0)].map(|value| format!("{value:.1} {unit}"));
    println!("  {name:<28}{:>10}{:>10}{:>10}", shown[0], shown[1], shown[2]);
}

fn sample(file: &Path, cache: &Path) -> Sample {
    let options = options(file, cache);
    let (command, usage) = run_command(file, &options, cache);
    let loaded = duet_frontend::load(file, &options).ok();
    let is_whole = |loaded: &duet_frontend::Loaded| {
        loaded.diagnostics.iter().all(|one| one.severity != duet_ir::Severity::Error)
    };
    let stages = loaded.filter(is_whole).map(|loaded| loaded.timings);
    Sample { command, usage, stages }
}

/// How the header wants a file to be read.
fn options(file: &Path, cache: &Path) -> Options {
    let text = std::fs::read(file).unwrap_or_default();
    let folder = file.parent().unwrap_or(Path::new("."));
    let header = Header::parse(&String::from_utf8_lossy(&text), folder).ok();
    let mut options = Options { cache_dir: Some(cache.to_owned()), ..Options::default() };
    let Some(header) = header else { return options };
    let language = match file.extension().is_some_and(|extension| extension == "cl") {
        true => Language::OpenCl,
        false => Language::Cuda,
    };
    let sizes = LaunchSizes::from_options(&header.options).unwrap_or_default();
    options.defines = sizes.macros(language);
    options.defines.extend(header.flag("-D").map(str::to_string));
    options.include_dirs = header.flag("-I").map(PathBuf::from).collect();
    options.pointer_width =
        header.values("--pointer-bitwidth").next().and_then(|width| width.parse().ok());
    options
}

/// Runs `duet emit`; how long it took, and what it and clang used.
#[expect(clippy::zombie_processes, reason = "`wait` waits, and learns more than Rust's own")]
fn run_command(file: &Path, options: &Options, cache: &Path) -> (Duration, Usage) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_duet"));
    command.arg("emit").arg(file).arg("--cache-dir").arg(cache);
    command.args(options.defines.iter().map(|define| format!("-D{define}")));
    command.args(options.include_dirs.iter().map(|dir| format!("-I{}", dir.display())));
    command.args(options.pointer_width.map(|width| format!("--pointer-bitwidth={width}")));
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    let child = command.spawn().expect("duet runs");
    let usage = wait(child.id());
    (start.elapsed(), usage)
}

/// Waits for a process.
fn wait(process: u32) -> Usage {
    let mut status = 0;
    // SAFETY: `rusage` is plain data for which all zeros are valid, and both
    // pointers are valid for the call.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::wait4(process as libc::pid_t, &mut status, 0, &mut usage);
        usage
    };
    let duration = |time: libc::timeval| {
        Duration::from_secs(time.tv_sec as u64) + Duration::from_micros(time.tv_usec as u64)
    };
    Usage {
        processor: duration(usage.ru_utime) + duration(usage.ru_stime),
        peak_kib: usage.ru_maxrss as u64,
    }
}

/// A kernel to measure the interpreter with, and its sizes.
struct Work {
    name: &'static str,
    source: &'static str,
    launch: Launch,
    inputs: Inputs,
}

fn work() -> Vec<Work> {
    let bytes = 1 << 20;
    vec![
        Work {
            name: "arithmetic",
            source: "__kernel void k(__global uint *out, int n) {
                uint x = get_global_id(0);
                for (int i = 0; i < n; i++) x = (x * 1664525u + 1013904223u) ^ (x >> 7);
                out[get_global_id(0)] = x; }",
            launch: Launch::linear(64, 64),
            inputs: Inputs::new().scalar("n", 500).array("out", Fill::Zero, bytes),
        },
        Work {
            name: "tiled matrix product",
            source: "__kernel void k(__global float *c, __global const float *a,
                                     __global const float *b, int n) {
                __local float s[16][16], t[16][16];
                int x = get_local_id(0), y = get_local_id(1);
                int row = get_global_id(1), column = get_global_id(0);
                float sum = 0;
                for (int k = 0; k < n; k += 16) {
                  s[y][x] = a[row * n + k + x];
                  t[y][x] = b[(k + y) * n + column];
                  barrier(CLK_LOCAL_MEM_FENCE);
                  for (int j = 0; j < 16; j++) sum += s[y][j] * t[j][x];
                  barrier(CLK_LOCAL_MEM_FENCE);
                }
                c[row * n + column] = sum; }",
            launch: Launch::new([8, 8, 1], [16, 16, 1]),
            inputs: Inputs::new()
                .scalar("n", 128)
                .array("a", Fill::Iota, bytes)
                .array("b", Fill::Iota, bytes)
                .array("c", Fill::Zero, bytes),
        },
        Work {
            name: "histogram by atomics",
            source: "__kernel void k(__global uint *bins, __global const uchar *a, uint n) {
                __local uint s[256];
                s[get_local_id(0)] = 0;
                barrier(CLK_LOCAL_MEM_FENCE);
                for (uint i = get_global_id(0); i < n; i += get_global_size(0))
                  atomic_inc(&s[a[i]]);
                barrier(CLK_LOCAL_MEM_FENCE);
                atomic_add(&bins[get_local_id(0)], s[get_local_id(0)]); }",
            launch: Launch::linear(16, 256),
            inputs: Inputs::new().scalar("n", 1 << 20).array("a", Fill::Random(1), bytes).array(
                "bins",
                Fill::Zero,
                1024,
            ),
        },
    ]
}

fn measure_interpreter(cache: &Path) {
    println!("\ninterpreter, one core, million IR instructions per second");
    println!("  {:<28}{:>10}{:>12}{:>12}", "", "executed", "races", "no races");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("k.cl");
    for Work { name, source, launch, inputs } in work() {
        std::fs::write(&file, source).expect("a file");
        let options = Options { cache_dir: Some(cache.to_owned()), ..Options::default() };
        let loaded = match duet_frontend::load(&file, &options) {
            Ok(loaded) => loaded,
            Err(errors) => panic!("{name}: {}", errors[0].headline),
        };
        let (kernel, _) = loaded.module.kernels().next().expect("a kernel");
        let mut executed = 0;
        let rates = [true, false].map(|races| {
            let options = RunOptions { races, ..RunOptions::default() };
            let start = Instant::now();
            let outcome = duet_interp::run(&loaded.module, kernel, &launch, &inputs, &options);
            let seconds = start.elapsed().as_secs_f64();
            executed = outcome.expect("a run").instructions;
            executed as f64 / seconds / 1e6
        });
        println!(
            "  {name:<28}{:>8.1} M{:>12.1}{:>12.1}",
            executed as f64 / 1e6,
            rates[0],
            rates[1]
        );
    }
}
