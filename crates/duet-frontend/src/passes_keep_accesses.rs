//! A test over all kernels: LLVM's passes leave the accesses to memory that is
//! not private as they were. None is lost, none is merged, none is added.
//!
//! Before the passes every access gets a number, as metadata. Afterwards each
//! number must still be there once, except those of accesses to private
//! variables, which the passes are for. A structure's copy may become several
//! accesses, which together must touch as many bytes at the same place of the
//! source. Calls count as accesses too, so no assumption can creep in.
//!
//! What is private is decided here and not taken from the passes: in OpenCL by
//! the address space; in CUDA, whose pointers don't tell, by following a pointer
//! back to the variables it can come from.

mod census;
mod places;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use inkwell::context::Context;
use inkwell::llvm_sys::core::{LLVMGetEnumAttributeKindForName, LLVMRemoveEnumAttributeAtIndex};

use self::census::Census;
use crate::Options;
use crate::prepare::{Calls, Moment, Prepared, prepare, prepare_watched, run_pass, target_machine};

fn kernels(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            kernels(&path, found);
        } else if path.extension().is_some_and(|name| name == "cu" || name == "cl") {
            found.push(path);
        }
    }
}

/// A cache of the tests' own, beside the test program.
fn options() -> Options {
    let program = std::env::current_exe().expect("this program");
    let cache = program.ancestors().nth(3).expect("the target folder").join("tmp/cache");
    Options { cache_dir: Some(cache), ..Options::default() }
}

#[test]
fn passes_keep_accesses() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels");
    let mut files = vec![];
    kernels(&root, &mut files);
    files.sort();
    assert!(files.len() >= 120, "only {} kernels", files.len());
    let (next, total) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let problems = Mutex::new(vec![]);
    let work = || {
        while let Some(file) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let found = check_file(file, &total);
            problems.lock().expect("no thread panicked").extend(found);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let problems = problems.into_inner().expect("no thread panicked");
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
    assert!(total.into_inner() > 4 * files.len(), "hardly any accesses were compared");
}

/// What the passes did to a file's accesses; adds the number of those compared.
fn check_file(file: &Path, total: &AtomicUsize) -> Vec<String> {
    let bitcode = compile(file);
    let context = Context::create();
    let mut before = None;
    let mut problems = vec![];
    let watch = &mut |moment, module| match moment {
        Moment::Before => before = Some(Census::number(module)),
        Moment::After => {
            let census: Census = before.take().expect("a census before the passes");
            total.fetch_add(census.len(), Ordering::Relaxed);
            problems.extend(census.compare(module));
        }
    };
    prepare_watched(&context, &bitcode, Calls::Inlined, watch).expect("bitcode that can be read");
    problems.iter().map(|problem| format!("{}: {problem}", file.display())).collect()
}

fn compile(file: &Path) -> Vec<u8> {
    let text = std::fs::read(file).expect("a readable kernel");
    let compiled = crate::compile(file, &text, &options(), &crate::repair::Repair::default());
    compiled.unwrap_or_else(|errors| panic!("{}: {}", file.display(), errors[0].headline)).bitcode
}

/// A file with this text, and the folder that goes with it.
fn source(text: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("k.cu");
    std::fs::write(&file, text).expect("a file");
    (folder, file)
}

/// Copies whose parts are not all used, and pointers to a variable or elsewhere,
/// are where promotion to registers is most tempted.
#[test]
fn tempting_kernels_keep_their_accesses() {
    for text in [
        "struct S { int x; float y; long long z[3]; };
         __global__ void k(S *g, int *out) { S s = g[threadIdx.x]; out[threadIdx.x] = s.x; }",
        "struct S { int x, y; };
         __global__ void k(S *g) { S s = g[0]; S t = s; (void)t; }",
        "__shared__ int s;
         __global__ void k(int *out, int c) { int l = 1; int *p = c ? &s : &l; *out = *p; }",
        "__global__ void k(int *out, int c) { int l; int *p = c ? out : &l; *p = 1; }",
        "__global__ void k(int *a) { int x = a[0]; int y = a[0]; a[0] = 1; a[0] = 2; (void)(x + y); }",
        "__global__ void k(int *a) { int *p = 0; if (threadIdx.x == 3) *p = 1; a[threadIdx.x] = 1; }",
    ] {
        let (_folder, file) = source(text);
        let total = AtomicUsize::new(0);
        assert_eq!(check_file(&file, &total), Vec::<String>::new(), "{text}");
        assert!(total.into_inner() > 0, "{text}");
    }
}

/// The comparison is worth nothing if it does not notice a pass that removes or
/// adds accesses.
#[test]
fn a_pass_that_changes_accesses_is_noticed() {
    for (passes, text) in [
        ("early-cse", "__global__ void k(int *a) { int x = a[0]; a[1] = x + a[0]; }"),
        ("dse", "__global__ void k(int *a) { a[0] = 1; a[0] = 2; }"),
        (
            "simplifycfg",
            "__global__ void k(int *a, int c) { int *p = 0; if (c) *p = 1; a[0] = c; }",
        ),
        ("loop-unroll-full", "__global__ void k(int *a) { for (int i = 0; i < 2; i++) a[i] = 1; }"),
    ] {
        let (_folder, file) = source(text);
        let context = Context::create();
        let prepared =
            prepare(&context, &compile(&file), Calls::Inlined).expect("bitcode that can be read");
        assume_no_null(&prepared);
        let census = Census::number(prepared.raw());
        let pipeline = match passes {
            "loop-unroll-full" => {
                "function(loop-simplify,lcssa,loop-rotate,loop(indvars,loop-unroll-full))"
            }
            "simplifycfg" => "function(instcombine,simplifycfg)",
            _ => &format!("function({passes})"),
        };
        run_pass(&prepared.module, pipeline, &target_machine().expect("a target"))
            .expect("passes that exist");
        assert!(!census.compare(prepared.raw()).is_empty(), "{passes} was not noticed");
    }
}

/// Lets passes assume that null is never dereferenced, as compilers usually do.
fn assume_no_null(prepared: &Prepared<'_>) {
    for kernel in &prepared.kernels {
        // SAFETY: the kernel is a function of a module that is alive.
        unsafe {
            let name = "null_pointer_is_valid";
            let kind = LLVMGetEnumAttributeKindForName(name.as_ptr().cast(), name.len());
            LLVMRemoveEnumAttributeAtIndex(kernel.0, u32::MAX, kind);
        }
    }
}
