//! Collects the headers under `headers/` into a table that the program carries, and says how
//! LLVM is linked.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    link_llvm();
    collect_headers();
}

/// Links LLVM: its archives into optimised programs, its shared library into all others.
///
/// The shared library holds every target and needs two dozen more libraries; the loader spends
/// about 12 ms on it each time the program starts, which is as long as many a kernel takes to
/// check. From the archives the linker takes what is used, and starting takes 2 ms. The tests'
/// many programs would each carry that copy, so they share the library.
fn link_llvm() {
    println!("cargo:rerun-if-env-changed=LLVM_SYS_191_PREFIX");
    let prefix = std::env::var("LLVM_SYS_191_PREFIX").unwrap_or("/usr/lib/llvm-19".into());
    let folder = PathBuf::from(prefix).join("lib");
    println!("cargo:rustc-link-search=native={}", folder.display());
    let optimised = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    match archives(&folder) {
        Some(archives) if optimised => {
            for name in archives {
                println!("cargo:rustc-link-lib=static:-bundle={name}");
            }
            for name in ["stdc++", "z", "zstd"] {
                println!("cargo:rustc-link-lib=dylib={name}");
            }
        }
        Some(_) | None => println!("cargo:rustc-link-lib=dylib=LLVM"),
    }
}

/// LLVM's archives, each before those it depends on, where they and the two libraries for
/// compression that they call are installed.
fn archives(folder: &Path) -> Option<Vec<String>> {
    let config = folder.with_file_name("bin").join("llvm-config");
    let answer = Command::new(config).args(["--link-static", "--libs", "all"]).output().ok()?;
    let listed = String::from_utf8(answer.stdout).ok()?;
    let names = listed.split_whitespace().filter_map(|word| word.strip_prefix("-l"));
    // The list names parts that are packages of their own and that LLVM does without.
    let is_here = |name: &&str| folder.join(format!("lib{name}.a")).is_file();
    let here: Vec<String> = names.filter(is_here).map(String::from).collect();
    let whole = here.iter().any(|name| name == "LLVMCore");
    (whole && has_library("z") && has_library("zstd")).then_some(here)
}

/// Does the linker find a library of this name?
fn has_library(name: &str) -> bool {
    let file = format!("lib{name}.so");
    let answer = Command::new("cc").arg(format!("-print-file-name={file}")).output();
    // The compiler prints the bare name of a file that it does not find.
    answer.is_ok_and(|answer| answer.stdout.trim_ascii() != file.as_bytes())
}

fn collect_headers() {
    println!("cargo:rerun-if-changed=headers");
    let root = PathBuf::from(std::env::var("CARGO_MANIFEST_DIR").expect("set by cargo"));
    let headers = root.join("headers");
    let mut files = vec![];
    collect(&headers, &mut files);
    files.sort();
    let mut table = String::from("&[\n");
    for file in files {
        let name = file.strip_prefix(&headers).expect("below the folder");
        // Relative to the crate at the time it is compiled: a folder `target` that was
        // copied to another checkout must not bring the headers of the first one.
        let name = name.display().to_string();
        let place = format!("/headers/{name}");
        let _ = writeln!(
            table,
            "({name:?}, include_str!(concat!(env!(\"CARGO_MANIFEST_DIR\"), {place:?}))),"
        );
    }
    table.push_str("]\n");
    let out = PathBuf::from(std::env::var("OUT_DIR").expect("set by cargo"));
    std::fs::write(out.join("headers.rs"), table).expect("the output folder can be written");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder of headers") {
        let path = entry.expect("a readable entry").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_none_or(|extension| extension != "md") {
            files.push(path);
        }
    }
}
