//! Our own headers, carried inside the program and unpacked into the cache.

use std::path::Path;

/// The headers as (path, contents), collected by the build script.
pub const FILES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/headers.rs"));

/// Name of the folder that headers are unpacked into.
pub const FOLDER: &str = "duet-headers";

/// Is the file one of our headers?
pub fn is_ours(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().to_string_lossy().starts_with(FOLDER))
}
