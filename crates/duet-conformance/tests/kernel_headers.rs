//! Every OpenCL kernel of the collection has a header that its readers understand:
//! a verdict, a launch, at most a pattern per line, and an empty line after them. Kernels with
//! contracts have headers of their own.

use std::fs;
use std::path::{Path, PathBuf};

fn opencl_files(folder: &Path, found: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).unwrap_or_else(|e| panic!("{}: {e}", folder.display()));
    for entry in entries {
        let path = entry.expect("a folder entry").path();
        if path.ends_with("kernels/prove") {
            continue;
        }
        if path.is_dir() {
            opencl_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "cl") {
            found.push(path);
        }
    }
}

/// What is wrong with the header of this file.
fn header_problem(path: &Path, text: &str) -> Option<&'static str> {
    let mut lines = text.lines();
    let verdict = lines.next().unwrap_or_default();
    let launch = lines.next().unwrap_or_default();
    let planted_bug = path.file_stem().is_some_and(|stem| stem.to_string_lossy().ends_with("-bug"));
    if !["//pass", "//xfail:NOT_ALL_VERIFIED", "//xfail:UNPROVEN"].contains(&verdict) {
        return Some("line 1 is no verdict");
    }
    if planted_bug && verdict == "//pass" {
        return Some("a kernel with a planted bug cannot pass");
    }
    if !launch.starts_with("//--local_size=") || !launch.contains(" --num_groups=") {
        return Some("line 2 is no launch");
    }
    let after = lines.find(|line| line.starts_with("// ") || !line.starts_with("//"));
    (after != Some("")).then_some("there is no empty line before the comment")
}

#[test]
fn headers_are_in_the_format() {
    let mut files = Vec::new();
    opencl_files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../kernels"), &mut files);
    assert!(files.len() > 100, "only {} kernels", files.len());
    let problems: Vec<String> = files
        .iter()
        .filter_map(|path| {
            let text = fs::read_to_string(path).expect("a readable kernel");
            header_problem(path, &text).map(|problem| format!("{}: {problem}", path.display()))
        })
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}
