//! What `duet-host` needs of the front end: the host side of a file as bitcode, and the
//! few things about LLVM modules that both sides do alike.

use std::path::Path;

use duet_ir::{Diagnostic, Language, Rule};

use crate::cache::Cache;
use crate::clang::{Clang, Side};
use crate::options::Options;
use crate::repair::Repair;

pub use crate::prepare::{
    ESCAPE, UNINITIALISED, field_offset, initialise_variables, read, run_pass, size_of,
    target_machine,
};

/// Compiles the host side of a file to bitcode.
///
/// # Errors
/// The compiler's own messages.
pub fn compile(path: &Path, options: &Options) -> Result<Vec<u8>, Vec<Diagnostic>> {
    let cache = Cache::open(options.cache_dir.as_deref()).map_err(|error| {
        vec![Diagnostic::new(Rule::NoCache, format!("cannot make a folder for headers: {error}"))]
    })?;
    let (side, language, pointer_width) = (Side::Host, Language::Cuda, 64);
    Clang { side, options, language, pointer_width, cache: &cache }
        .compile(path, &Repair::default())
}
