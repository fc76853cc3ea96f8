//! What the tests over whole folders of kernels share: finding the kernels,
//! reading them, and using both cores.

#![allow(dead_code)] // each test program uses a part

pub mod trial;
pub mod verdicts;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use duet_engine::{Expectation, Header, LaunchSizes};
use duet_frontend::{Loaded, Options};
use duet_ir::{Diagnostic, Language};

/// Kernels whose verdict no run of a few small launches can show, with the reason.
pub const NOT_SHOWN_BY_RUNS: &[(&str, &str)] = &[
    ("loops/late-iteration.cu", "it takes more steps than a trial has"),
    ("warp/tile-store.cu", "it takes more steps than a trial has"),
    ("contracts/axiom.cu", "runs do not know what a function without a body yields"),
    ("scans/blelloch-clear-bug.cu", "trials make up no contents in which the sum is not 0"),
    ("scans/blelloch-strong-bug.cu", "trials make up no contents in which the sum is not 0"),
    ("atomics/frontier-bug.cu", "trials make up no graph with two edges to new vertices"),
    ("contracts/log-function-wide.cu", "trials make up no number of rows that is small enough"),
    ("matmul/any-size.cu", "trials make up no width that is small enough"),
    ("matmul/free-width.cu", "trials don't take launches from preconditions"),
    ("matmul/free-width-bug.cu", "trials don't take launches from preconditions"),
    ("order/relay.cu", "trials give an array the one element that a precondition names"),
    ("order/relay-blind-bug.cu", "trials give an array the one element that a precondition names"),
    ("order/relay-long.cu", "trials give an array the one element that a precondition names"),
    (
        "order/relay-other-flag-bug.cu",
        "trials give an array the one element that a precondition names",
    ),
    ("order/gate-other-count-bug.cu", "it takes an order of threads that trials do not have"),
    ("order/lock-second-round-bug.cu", "it takes an order of threads that trials do not have"),
    ("order/lock-swap-back-bug.cu", "it takes an order of threads that trials do not have"),
    ("order/lock-test-and-set-bug.cu", "it takes an order of threads that trials do not have"),
    ("order/flags-of-blocks-read.cu", "threads that wait take all steps of a trial"),
    ("pointers/function-beyond-bug.cu", "trials don't know the addresses of functions"),
    ("soundness/112-fraction-of-infinity.cl", "runs fill arrays with no infinity"),
    ("soundness/114-rest-of-infinity.cu", "runs fill arrays with no infinity"),
    ("soundness/95-carry-alias.cu", "runs give every pointer parameter an array of its own"),
    ("papers/aliasing-bug.cu", "runs give every pointer parameter an array of its own"),
    ("pointers/alias-atomic-bug.cu", "runs give every pointer parameter an array of its own"),
    ("contracts/vacuity-bug.cu", "a run that breaks an assumption shows nothing"),
    ("contracts/log-function-wide-bug.cu", "runs keep no log of accesses"),
    ("contracts/uniform-bug.cu", "runs leave out what is said of the other thread"),
    ("contracts/uniform-block-bug.cu", "runs leave out what is said of the other thread"),
    ("contracts/uniform-in-loop-bug.cu", "runs leave out what is said of the other thread"),
    ("contracts/assumed-of-other.cu", "runs leave out what is said of the other thread"),
    ("contracts/assumed-of-three-bug.cu", "runs leave out what is said of the other thread"),
    ("pointers/alias-constant-bug.cu", "runs give every pointer parameter an array of its own"),
    ("pointers/function-table.cu", "trials don't know the addresses of functions"),
    ("pointers/function-table-bug.cu", "trials don't know the addresses of functions"),
    ("pointers/alias-offset-bug.cu", "runs give every pointer parameter an array of its own"),
    ("pointers/alias-stale-bug.cu", "runs give every pointer parameter an array of its own"),
    ("papers/rule-same-warp-assumed.cu", "runs never assume lock step"),
    ("papers/rule-same-warp-loop.cu", "runs never assume lock step"),
    ("reduction/last-warp-volatile-lockstep.cu", "runs never assume lock step"),
    ("soundness/05-never-written-shared.cu", "runs fill shared memory alike in all blocks"),
    (
        "soundness/11-exit-before-grid-barrier.cu",
        "trials tolerate leaving before a barrier in CUDA",
    ),
    ("soundness/53-assumed-in-a-loop.cu", "what nobody reaches shows nothing"),
    ("soundness/54-fetched-again.cu", "runs have no host that writes beside them"),
    ("soundness/32-pointer-equal.cu", "runs give each name an array of its own"),
    ("soundness/45-heap-fine.cu", "runs have no heap"),
    ("traps/08-many-threads.cu", "2^31 threads are too many to run"),
    ("warp/lockstep-branch.cu", "runs never assume lock step"),
    ("warp/lockstep-continue.cu", "runs never assume lock step"),
    ("warp/lockstep-loop.cu", "runs never assume lock step"),
    ("warp/lockstep-reduce.cu", "runs never assume lock step"),
    ("warp/lockstep-size.cu", "runs never assume lock step"),
    ("warp/lockstep-stale-index.cu", "runs never assume lock step"),
];

/// A kernel file with its header.
pub struct KernelFile {
    /// The path below `kernels/`.
    pub name: String,
    /// The whole path.
    pub path: PathBuf,
    /// The header.
    pub header: Header,
}

impl KernelFile {
    /// Could a run show the bug? One of a kernel for warps in lock step can't: runs
    /// know no lock step.
    pub fn may_show(&self) -> bool {
        let in_lock_step = |option: &String| option.starts_with("--warp-sync");
        !self.header.options.iter().any(in_lock_step)
            && !self.is_unproven()
            && !NOT_SHOWN_BY_RUNS.iter().any(|(name, _)| *name == self.name)
    }

    /// The source language, which the file's name tells.
    pub fn language(&self) -> Language {
        match self.path.extension().is_some_and(|extension| extension == "cl") {
            true => Language::OpenCl,
            false => Language::Cuda,
        }
    }

    /// Is it expected to be proved?
    pub fn passes(&self) -> bool {
        self.header.expectation == Expectation::Pass
    }

    /// Must it not be proved, although no run can show why?
    pub fn is_unproven(&self) -> bool {
        self.header.expectation == Expectation::Fail("UNPROVEN".to_string())
    }

    /// The launch sizes in the header.
    pub fn sizes(&self) -> LaunchSizes {
        LaunchSizes::from_options(&self.header.options)
            .unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    /// How the header wants the file to be read.
    pub fn options(&self) -> Options {
        let mut defines = self.sizes().macros(self.language());
        defines.extend(self.header.flag("-D").map(str::to_string));
        let width = self.header.values("--pointer-bitwidth").next();
        Options {
            defines,
            include_dirs: self.header.flag("-I").map(PathBuf::from).collect(),
            pointer_width: width.and_then(|width| width.parse().ok()),
            ..reading()
        }
    }

    /// Reads the file as its header wants.
    pub fn load(&self) -> Result<Loaded, String> {
        duet_frontend::load(&self.path, &self.options())
            .map_err(|diagnostics| format!("{}: {}", self.name, headlines(&diagnostics)))
    }
}

/// Default options, with a cache of the tests' own.
pub fn reading() -> Options {
    let cache = Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache");
    Options { cache_dir: Some(cache), ..Options::default() }
}

/// The messages in one line.
pub fn headlines(diagnostics: &[Diagnostic]) -> String {
    let texts: Vec<&str> = diagnostics.iter().map(|one| one.headline.as_str()).collect();
    texts.join("; ")
}

/// The folder of our kernels.
pub fn kernel_folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    folder.canonicalize().expect("the folder of kernels")
}

/// All our kernels, in the order of their names.
pub fn kernels() -> Vec<KernelFile> {
    let root = kernel_folder();
    let mut paths = vec![];
    collect(&root, &mut paths);
    paths.sort();
    assert!(paths.len() >= 120, "only {} kernels", paths.len());
    paths.into_iter().map(|path| read_header(&root, path)).collect()
}

/// The kernel of this name.
pub fn kernel(name: &str) -> KernelFile {
    let root = kernel_folder();
    read_header(&root, root.join(name))
}

fn read_header(root: &Path, path: PathBuf) -> KernelFile {
    let name = path.strip_prefix(root).expect("below the folder").display().to_string();
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{name}: {error}"));
    let folder = path.parent().expect("a file is in a folder");
    let header = Header::parse(&text, folder).unwrap_or_else(|error| panic!("{name}: {error}"));
    KernelFile { name, path, header }
}

fn collect(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            // Kernels with contracts are judged by `duet prove` (prove_kernels.rs), functions
            // that are known by theirs have no runs (modular.rs).
            if path.file_name().is_none_or(|name| name != "prove" && name != "modular") {
                collect(&path, found);
            }
        } else if path.extension().is_some_and(|extension| extension == "cu" || extension == "cl") {
            found.push(path);
        }
    }
}

/// Applies `work` to all items, on all cores; results in the order of the items.
pub fn in_parallel<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::with_capacity(items.len()));
    std::thread::scope(|scope| {
        for _ in 0..cores {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { break };
                    let result = work(item);
                    results.lock().expect("no thread panicked").push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panicked");
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// Fails if there are problems, and lists them.
pub fn assert_none(problems: impl IntoIterator<Item = String>) {
    let problems: Vec<String> = problems.into_iter().collect();
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}
