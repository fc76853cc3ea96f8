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

/// Does a header of ours for CUDA mention this name?
pub fn mentions(name: &str) -> bool {
    static NAMES: OnceLock<HashSet<&'static str>> = OnceLock::new();
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let names = NAMES.get_or_init(|| {
        let texts = FILES.iter().filter(|(path, _)| path.starts_with("cuda/"));
        texts.flat_map(|(_, text)| text.split(move |c: char| !is_part(c))).collect()
    });
    !name.is_empty() && names.contains(name)
}
