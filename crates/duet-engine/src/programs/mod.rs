//! Whole programs: the kernels of a file as the host code launches them.
//!
//! [`bind()`] takes the kernels and what `duet-host` found, and makes a copy of a kernel for
//! each launch ([`duet_transform::add_launch`]). What is proved of a copy is proved of
//! the kernel for that launch. Kernels without a launch, and those that may be launched in
//! ways that are not seen, are judged for any launch.
//!
//! | file | holds |
//! |---|---|
//! | `bind` | from a relation to a copy of the kernel |
//! | `check` | the check of a copy |
//! | `recorded` | launches that a program made, as the host code would say them |
//! | `original` | runs of a copy as runs of the kernel |
//! | `sites` | which launches are judged together, and what is said of them |

mod bind;
mod check;
mod original;
mod recorded;
mod sites;

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use duet_ask::Likely;
use duet_check::KernelReport;
use duet_frontend::Options;
use duet_ir::{Diagnostic, Func, WellFormed};
use duet_vc::LaunchSpec;

pub use bind::groups as parameters;
pub use check::check_site;
pub use duet_check::{Checked, HostLaunch};
pub use duet_host::{Host, HostPlace};
pub use duet_transform::Copies;
pub use original::Original;
pub use recorded::{
    Memory, RecordedArgument, RecordedLaunch, host_of_launches, is_judged as is_judged_as_recorded,
};
pub use sites::bind;

/// A kernel as one launch runs it.
#[derive(Clone, Debug)]
pub struct SiteKernel {
    /// The copies.
    pub copies: SiteCopies,
    /// The kernel that it is a copy of.
    pub kernel: Func,
    /// The sizes that are numbers.
    pub launch: LaunchSpec,
    /// Work-items along each dimension, where the sizes of groups are open.
    pub global_size: [Option<u32>; 3],
    /// What the check has to know about the host.
    pub host: HostLaunch,
    /// What is said about it.
    pub site: SiteReport,
}

/// The copies of a kernel for a launch.
#[derive(Clone, Debug)]
pub struct SiteCopies {
    /// With all that is known.
    pub copies: Copies,
    /// With constant sizes and arguments only, if there is more.
    pub light: Option<Light>,
    /// A launch that meets what is known.
    pub likely: Option<Likely>,
    /// The host passes the same memory for several pointers.
    pub is_shared: bool,
    /// What the copies were made of.
    pub original: Arc<Original>,
    /// What came of the check of copies that are the same.
    pub checked: Checked,
}

/// A copy of a kernel with constant sizes and arguments only. Launches that are alike but for
/// the rest have it in common, and what came of its check.
#[derive(Clone, Debug)]
pub struct Light {
    /// The copy.
    pub copy: Func,
    /// The sizes that are numbers.
    pub launch: LaunchSpec,
    /// What came of it.
    pub checked: Arc<Mutex<LightCheck>>,
}

/// How far the check of a copy is that several launches have in common.
#[derive(Debug, Default)]
pub enum LightCheck {
    /// It was not begun.
    #[default]
    Untried,
    /// It did not come to an end in so much time.
    CutShort(Duration),
    /// A report that all such launches may have, if there is one.
    Done(Option<Box<KernelReport>>),
}

/// What is said about a launch.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SiteReport {
    /// The kernel's name.
    pub kernel: String,
    /// `main.cu:412`.
    pub places: Vec<String>,
    /// `<<<(n + 255) / 256, 256>>>`.
    pub sizes: String,
    /// The unknowns of the host that the verdict is for every value of.
    pub for_every: Vec<String>,
    /// What is known about them.
    pub facts: Vec<String>,
    /// What could not be followed.
    pub missing: Vec<String>,
    /// The pointers are known to point to distinct allocations.
    pub is_distinct: bool,
}

/// A program: kernels with their launches, and kernels without.
pub struct Program {
    /// The kernels, with copies.
    pub module: WellFormed,
    /// The copies.
    pub sites: Vec<SiteKernel>,
    /// The kernels that are judged for any launch.
    pub any_launch: Vec<Func>,
    /// Those among them that the host code launches in a way that is not followed.
    pub not_followed: Vec<Func>,
    /// What is to be said about the program.
    pub notes: Vec<String>,
}

/// What the check has to know about a launch that is not followed: a run that shows a defect
/// makes it up, so it refutes nothing.
pub fn launch_not_followed() -> HostLaunch {
    let hypothetical = vec!["a launch that is not followed".to_string()];
    HostLaunch { hypothetical, ..HostLaunch::default() }
}

/// Do these messages about a file's kernels say that one of them launches kernels?
pub fn kernels_launch(messages: &[Diagnostic]) -> bool {
    duet_frontend::host::kernels_launch(messages)
}

/// Might kernels of a file launch kernels? The text of what it includes is not looked at.
pub fn may_have_kernels_that_launch(path: &Path) -> bool {
    let is_cuda = path.extension().is_some_and(|extension| extension == "cu");
    let Ok(text) = std::fs::read_to_string(path) else { return is_cuda };
    is_cuda
        && ["__global__", "__device__", "#include \""].iter().any(|word| text.contains(word))
        && ["<<<", "#include \""].iter().any(|word| text.contains(word))
}

/// Might a file launch kernels? Others need not be compiled for the host.
pub fn may_launch(path: &Path) -> bool {
    let is_cuda = path.extension().is_some_and(|extension| extension == "cu" || extension == "cuh");
    let Ok(text) = std::fs::read_to_string(path) else { return false };
    is_cuda
        && ["<<<", "cudaLaunch", "cudaGraph", "cuLaunch", "cuGraph", "#include \""]
            .iter()
            .any(|word| text.contains(word))
}

/// Reads the host side of the files of one program.
///
/// # Errors
/// The compiler's messages.
pub fn read_host(files: &[PathBuf], options: &Options) -> Result<Host, Vec<Diagnostic>> {
    duet_host::read(files, options)
}

/// Reads the host side of a program of several files. Files that cannot be read are left
/// out, and named with the reason; so is a program that cannot be put together.
pub fn read_program(files: &[(PathBuf, Options)]) -> (Option<Host>, Vec<(PathBuf, String)>) {
    let mut problems = vec![];
    let mut parts = vec![];
    let mut read = vec![];
    for (file, options) in files {
        let mut own = options.clone();
        // A file of the current folder has no folder in its name, and an empty option would
        // swallow the next one.
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        own.include_dirs.extend(folder.map(Path::to_path_buf));
        match duet_host::compile(file, &own) {
            Ok(part) => {
                parts.push(part);
                read.push(file.clone());
            }
            Err(errors) => {
                let why = errors.first().map_or(String::new(), |error| error.headline.clone());
                problems.push((file.clone(), why));
            }
        }
    }
    let is_whole = problems.is_empty();
    match duet_host::read_parts(&parts, is_whole) {
        Ok(host) => (Some(Host { files: read, ..host }), problems),
        Err(why) => {
            problems.extend(files.first().map(|(file, _)| (file.clone(), why)));
            (None, problems)
        }
    }
}
