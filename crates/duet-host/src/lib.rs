//! Host programs: which kernels they launch, and how.
//!
//! [`read`] compiles the host side of CUDA files with our own headers, links what belongs
//! to one program, lets LLVM inline and promote, and yields for each launch a
//! [`Relation`]: sizes and arguments as terms over unknowns, with facts. A launch that the
//! program makes is always an instance of its relation; what cannot be followed is an
//! unknown, never a guess.
//!
//! | file | holds |
//! |---|---|
//! | `passes` | from bitcode to a module that can be followed |
//! | `calls` | what calls of known functions do |
//! | `cfg` | the shape of a function |
//! | `memory` | which store a load sees |
//! | `evaluate`, `loops`, `floats` | values as terms |
//! | `sites` | launches, arguments, allocations |
//! | `structs` | structs passed by value |
//! | `origins` | pointers that are one of several allocations |
//! | `found` | what a launch finds in memory that the host allocates |
//! | `tables` | tables of constants that the host fills |
//! | `relation` | the result, as plain data and in words; made smaller, put together |
//!
//! The crate verifies nothing and knows nothing of threads.

mod calls;
mod cfg;
pub mod contents;
mod evaluate;
mod floats;
mod found;
mod loops;
mod memory;
mod names;
mod origins;
mod passes;
mod relation;
mod sites;
mod structs;
mod tables;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use duet_frontend::Options;
use duet_ir::{Diagnostic, Rule};
use inkwell::context::Context;

pub use relation::{
    Argument, BaseData, Class, Classes, Example, HostPlace, Origin, Relation, Site, Table, Term,
    TermData, Terms, Unknown, UnknownData, WorkItems,
};

/// What a host program says.
#[derive(Clone, Debug)]
pub struct Host {
    /// The launches, in source order.
    pub sites: Vec<Site>,
    /// Symbols of kernels whose address goes where it is not followed: they may be
    /// launched in other ways too.
    pub escaped: BTreeSet<String>,
    /// Whether all of the program is seen.
    pub is_closed: bool,
    /// Whether every file that was given could be read.
    pub is_whole: bool,
    /// Whether the program launches kernels by the driver's interface, which names them by
    /// texts: any kernel may be meant.
    pub uses_driver: bool,
    /// Whether kernels of the program launch kernels. Such launches are not followed, and
    /// any kernel may be meant. The host side does not say so: whoever reads the kernels
    /// does.
    pub kernels_launch: bool,
    /// Symbols of kernels that are launched only where control never comes.
    pub dead: BTreeSet<String>,
    /// Symbols of variables that host code uses, if all of the program is seen and none is
    /// found by its name.
    pub used: Option<BTreeSet<String>>,
    /// What it calls that is neither there nor known.
    pub missing: BTreeSet<String>,
    /// The files that it was linked of, in order, if there are several.
    pub files: Vec<PathBuf>,
    /// Time spent in the compiler, and in the rest.
    pub timings: [Duration; 2],
}

/// Reads the host side of the files of one program.
///
/// # Errors
/// If a file does not compile for the host, with the compiler's messages.
pub fn read(files: &[PathBuf], options: &Options) -> Result<Host, Vec<Diagnostic>> {
    let start = Instant::now();
    let mut bitcode = vec![];
    for file in files {
        bitcode.push(duet_frontend::host::compile(file, options)?);
    }
    let compiled = start.elapsed();
    let failed = |error: String| vec![Diagnostic::new(Rule::BadBitcode, format!("host: {error}"))];
    let mut host = read_parts(&bitcode, true).map_err(failed)?;
    host.timings[0] = compiled;
    host.files = files.to_vec();
    Ok(host)
}

/// Compiles the host side of a file.
///
/// # Errors
/// The compiler's messages.
pub fn compile(file: &Path, options: &Options) -> Result<Vec<u8>, Vec<Diagnostic>> {
    duet_frontend::host::compile(file, options)
}

/// Reads the compiled host sides of the files of one program; `is_whole`: there are no
/// others.
///
/// # Errors
/// If they don't fit together.
pub fn read_parts(bitcode: &[Vec<u8>], is_whole: bool) -> Result<Host, String> {
    let start = Instant::now();
    let context = Context::create();
    let prepared = passes::prepare(&context, bitcode, is_whole)?;
    let raw = prepared.module.as_mut_ptr();
    let has_threads = duet_frontend::llvm::functions(raw)
        .iter()
        .filter(|function| function.is_declaration() || !calls::is_algorithm(&function.name()))
        .any(|function| calls::is_thread(&function.name()));
    let has_copies = duet_frontend::llvm::functions(raw)
        .iter()
        .any(|function| calls::is_asynchronous_copy(&function.name()));
    let uses_driver = duet_frontend::llvm::functions(raw).iter().any(|function| {
        calls::is_driver_launch(&function.name())
            && !duet_frontend::llvm::users(*function).is_empty()
    });
    let finds_variables = duet_frontend::llvm::functions(raw)
        .iter()
        .any(|function| calls::finds_variables(&function.name()));
    let used = (prepared.is_closed && !finds_variables).then(|| tables::used(raw));
    let world = memory::World {
        is_closed: prepared.is_closed,
        has_threads,
        has_copies,
        kept: Default::default(),
    };
    let (mut sites, lost) = sites::find(raw, &world);
    sites.sort_by(|a, b| (&a.place, &a.kernel, &a.through).cmp(&(&b.place, &b.kernel, &b.through)));
    let sites = relation::joined(sites);
    let mut escaped = sites::escaped_kernels(raw);
    escaped.extend(lost);
    let mut dead = dead(&prepared.launched, &sites);
    dead.retain(|kernel| !escaped.contains(kernel));
    Ok(Host {
        sites,
        dead,
        escaped,
        is_closed: prepared.is_closed,
        is_whole,
        uses_driver,
        kernels_launch: false,
        used,
        missing: prepared.missing,
        files: vec![],
        timings: [Duration::ZERO, start.elapsed()],
    })
}

impl Host {
    /// May any kernel be launched in a way that is not followed?
    pub fn launches_any(&self) -> bool {
        self.uses_driver || self.kernels_launch
    }

    /// Does a table of constants hold what the source initialises it with at every launch:
    /// can no host code have changed a variable of this name?
    ///
    /// SOUNDNESS: a variable that any host code uses may be changed by it
    /// (kernels/programs/untouched-table-bug.cu).
    pub fn keeps_initial(&self, name: &str) -> bool {
        let used = self.used.as_ref();
        used.is_some_and(|used| !used.iter().any(|symbol| tables::may_be(symbol, name)))
    }

    /// The name that launches give a kernel of this file. Where several files are linked, a
    /// kernel that only its own file sees is told apart by the file's number.
    ///
    /// SOUNDNESS: the launches of one must not be taken for those of another (test
    /// `static_kernels_of_two_files`).
    pub fn name_of(&self, symbol: &str, file: &Path) -> String {
        let number = self.files.iter().position(|other| other == file);
        let own = number.map(|number| format!("{symbol}.{number}"));
        let is_named = |name: &String| {
            self.sites.iter().any(|site| site.kernel == *name)
                || self.escaped.contains(name)
                || self.dead.contains(name)
        };
        own.filter(is_named).unwrap_or_else(|| symbol.to_string())
    }
}

impl Table {
    /// Is it the variable of this name that this line of this file declares?
    pub fn is(&self, name: &str, file: &str, line: u32) -> bool {
        let file_name = |path: &str| Path::new(path).file_name().map(ToOwned::to_owned);
        tables::may_be(&self.symbol, name)
            && self.line == line
            && file_name(&self.file) == file_name(file)
    }
}

/// The kernels that the source launches, and of which no launch is left.
fn dead(launched: &BTreeSet<String>, sites: &[Site]) -> BTreeSet<String> {
    let left: BTreeSet<&String> = sites.iter().map(|site| &site.kernel).collect();
    launched.iter().filter(|kernel| !left.contains(kernel)).cloned().collect()
}
