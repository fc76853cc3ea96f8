//! Our own headers, carried inside the program and unpacked into the cache.

use std::collections::HashSet;
use std::path::Path;
use std::sync::OnceLock;

/// The headers as (path, contents), collected by the build script.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/headers.rs"));

/// Name of the folder that headers are unpacked into.
pub const FOLDER: &str = "duet-headers";

/// Is the file one of our headers?
pub fn is_ours(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_string_lossy().starts_with(FOLDER))
}

/// What the names of our headers for CUDA begin with, as a source includes them.
pub fn cuda_names() -> impl Iterator<Item = &'static str> {
    let own = FILES.iter().filter_map(|(path, _)| path.strip_prefix("cuda/"));
    own.map(|path| path.split_inclusive('/').next().unwrap_or(path))
}

/// Headers that hold functions which only compute.
const COMPUTING: &[&str] = &[
    "cuda/duet/math_",
    "cuda/duet/convert.h",
    "cuda/duet/simd_in_word.h",
    "cuda/duet/vector_",
    "cuda/duet/bits.h",
];

/// Does a header of ours for CUDA mention this name outside of its comments?
pub fn mentions(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| names_in(&["cuda/"])).contains(name)
}

/// Does a header of functions that only compute mention this name?
pub fn computes(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    NAMES.get_or_init(|| names_in(COMPUTING)).contains(name)
}

/// The names in headers whose paths begin like this.
fn names_in(starts: &[&str]) -> HashSet<&'static str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let wanted = |path: &str| starts.iter().any(|start| path.starts_with(start));
    let texts = FILES.iter().filter(|(path, _)| wanted(path)).map(|(_, text)| text);
    let lines = texts.flat_map(|text| text.lines());
    let code = lines.map(|line| line.split("//").next().unwrap_or(""));
    let names = code.flat_map(|line| line.split(move |c: char| !is_part(c)));
    names.filter(|name| !name.is_empty()).collect()
}
