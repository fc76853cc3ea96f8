//! What the tests of the text form share.

#![allow(dead_code)] // each test file uses its part

use std::path::PathBuf;

use duet_ir::Module;

/// A folder of test files.
pub fn files(folder: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files").join(folder)
}

/// Reads a module; the errors as one text.
pub fn parse(text: &str) -> Result<Module, String> {
    Module::parse(text).map_err(|errors| {
        let lines: Vec<String> = errors.iter().map(ToString::to_string).collect();
        format!("{}\n{text}", lines.join("\n"))
    })
}
