//! What the front end needs and what of it is there, for `duet doctor`.
//!
//! Nothing is compiled; the compiler is only asked for its version.

use std::path::PathBuf;

use duet_tools::Origin;

use crate::cache::Cache;
use crate::{clang, headers};

/// What there is of the front end's needs.
#[derive(Clone, Debug)]
pub struct Survey {
    /// The compiler, if there is one.
    pub clang: Option<Compiler>,
    /// The version of the LLVM library that this program is linked to.
    pub llvm_version: String,
    /// The file of that library, where the system tells.
    pub llvm_file: Option<PathBuf>,
    /// How many headers the program carries inside.
    pub headers: usize,
    /// Where headers are unpacked and preludes kept.
    pub cache: CacheState,
}

/// A compiler that is there.
#[derive(Clone, Debug)]
pub struct Compiler {
    /// The program.
    pub program: PathBuf,
    /// How it was found.
    pub origin: Origin,
    /// What it says its version is; `None` if it does not run.
    pub version: Option<String>,
}

impl Compiler {
    /// Can the library read what this compiler writes? Bitcode of another release may
    /// mean something else.
    pub fn fits(&self, llvm_version: &str) -> bool {
        let major = |version: &str| version.split('.').next().map(str::to_string);
        self.version.as_deref().is_some_and(|version| major(version) == major(llvm_version))
    }
}

/// The state of the cache folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CacheState {
    /// It can be used.
    Folder(PathBuf),
    /// No folder of the user's can be written: each run has one of its own and throws it
    /// away, which takes longer.
    Temporary,
    /// Not even a temporary folder can be made, so nothing can be compiled.
    Unusable(String),
}

/// Looks at everything.
pub fn survey() -> Survey {
    let clang = clang::find_clang(None).ok().map(|found| Compiler {
        version: clang::clang_version(&found.program),
        program: found.program,
        origin: found.origin,
    });
    let (major, minor, patch) = inkwell::support::get_llvm_version();
    Survey {
        clang,
        llvm_version: format!("{major}.{minor}.{patch}"),
        llvm_file: loaded_llvm(),
        headers: headers::FILES.len(),
        cache: cache_state(),
    }
}

fn cache_state() -> CacheState {
    match Cache::open(None) {
        Ok(cache) if cache.is_temporary() => CacheState::Temporary,
        Ok(cache) => CacheState::Folder(cache.root().to_path_buf()),
        Err(error) => CacheState::Unusable(error.to_string()),
    }
}

/// The LLVM library among the files that this process has mapped.
fn loaded_llvm() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let files = maps.lines().filter_map(|line| line.find('/').map(|at| &line[at..]));
    let is_llvm = |file: &&str| file.rsplit('/').next().is_some_and(|n| n.starts_with("libLLVM"));
    files.into_iter().find(is_llvm).map(PathBuf::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_release_of_clang_fits() {
        let compiler = |version: Option<&str>| Compiler {
            program: "clang".into(),
            origin: Origin::Path,
            version: version.map(str::to_string),
        };
        assert!(compiler(Some("19.1.7")).fits("19.1.0"));
        assert!(!compiler(Some("20.1.0")).fits("19.1.0"));
        assert!(!compiler(Some("1.9")).fits("19.1.0"));
        assert!(!compiler(None).fits("19.1.0"));
    }

    #[test]
    fn this_machine_has_a_front_end() {
        let survey = survey();
        assert!(survey.headers > 5);
        let clang = survey.clang.expect("clang-19 is installed");
        assert!(clang.fits(&survey.llvm_version), "{:?} {}", clang, survey.llvm_version);
        // An optimised program contains LLVM.
        let file = survey.llvm_file;
        assert!(file.is_none_or(|file| file.is_file()));
    }
}
