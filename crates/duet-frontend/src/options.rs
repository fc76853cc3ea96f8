//! What the front end is told.

use std::path::PathBuf;
use std::time::Duration;

use duet_ir::Language;

/// How to read a source file.
#[derive(Clone, Debug)]
pub struct Options {
    /// The language; by the file's name and contents if not given.
    pub language: Option<Language>,
    /// 32 or 64; if not given, 64, or 32 for a file that compiles only so.
    pub pointer_width: Option<u8>,
    /// `-I`.
    pub include_dirs: Vec<PathBuf>,
    /// `-D`, without the flag.
    pub defines: Vec<String>,
    /// `-include`.
    pub includes: Vec<PathBuf>,
    /// `-std`, or `-cl-std`.
    pub standard: Option<String>,
    /// A CUDA SDK, whose headers then come after ours.
    pub cuda_path: Option<PathBuf>,
    /// Further arguments for clang.
    pub clang_args: Vec<String>,
    /// Only kernels of these names (as in the source, with or without template
    /// arguments, or as symbols); all if empty.
    pub kernels: Vec<String>,
    /// Texts that are read in the place of files: edits that are tried.
    pub replaced: Vec<(PathBuf, String)>,
    /// Inline every call. Without it device functions stay functions.
    pub inline: bool,
    /// Where calls are inlined: not those of functions with contracts, which are verified by
    /// themselves, and their contracts stand for them.
    pub by_contract: bool,
    /// The compiler; `clang-19`, wherever it is found, if not given.
    pub clang: Option<PathBuf>,
    /// Where precompiled preludes are kept; a folder of the user's if not given.
    pub cache_dir: Option<PathBuf>,
    /// The longest that clang may take.
    pub compile_limit: Duration,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            language: None,
            pointer_width: None,
            include_dirs: vec![],
            defines: vec![],
            includes: vec![],
            standard: None,
            cuda_path: None,
            clang_args: vec![],
            kernels: vec![],
            replaced: vec![],
            inline: true,
            by_contract: false,
            clang: None,
            cache_dir: None,
            compile_limit: Duration::from_secs(120),
        }
    }
}
