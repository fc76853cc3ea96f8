//! Options that say how a source file is read, shared by all commands.

use std::path::PathBuf;

use duet_engine::load::{LoadError, LoadOptions, LoadedFile};
use duet_frontend::Options;
use duet_ir::{Diagnostic, Language, Rule, Severity};

use crate::exit::Exit;
use crate::input::sizes;
use crate::output;

/// The input file and how to read it.
#[derive(clap::Args, Clone, Debug)]
pub struct FrontendArgs {
    /// CUDA (.cu), OpenCL (.cl) or LLVM bitcode (.bc)
    pub file: PathBuf,
    /// Read the file as CUDA
    #[arg(long, conflicts_with = "opencl")]
    pub cuda: bool,
    /// Read the file as OpenCL
    #[arg(long)]
    pub opencl: bool,
    /// Look for includes in this folder
    #[arg(short = 'I', value_name = "DIR")]
    pub include_dirs: Vec<PathBuf>,
    /// Define a macro
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    pub defines: Vec<String>,
    /// Include a file before the source
    #[arg(long = "include", value_name = "FILE")]
    pub includes: Vec<PathBuf>,
    /// Language standard (c++17, CL2.0, ...)
    #[arg(long = "std", value_name = "STANDARD")]
    pub standard: Option<String>,
    /// A CUDA SDK, for headers that Duet does not ship
    #[arg(long, value_name = "DIR")]
    pub cuda_path: Option<PathBuf>,
    /// Width of pointers and size_t: 32 or 64 [default: 64]
    #[arg(long, alias = "pointer_bitwidth", value_name = "BITS", value_parser = pointer_width)]
    pub pointer_bitwidth: Option<u8>,
    /// Further argument for clang
    #[arg(long, value_name = "ARG", allow_hyphen_values = true)]
    pub clang_opt: Vec<String>,
    /// The compiler to run
    #[arg(long, value_name = "PROGRAM")]
    pub clang: Option<PathBuf>,
    /// Only this kernel (may be repeated)
    #[arg(long = "kernel", value_name = "NAME")]
    pub kernels: Vec<String>,
    /// Keep device functions as functions
    #[arg(long)]
    pub no_inline: bool,
    /// Where precompiled headers are kept
    #[arg(long, value_name = "DIR")]
    pub cache_dir: Option<PathBuf>,
}

fn pointer_width(text: &str) -> Result<u8, String> {
    match text {
        "32" => Ok(32),
        "64" => Ok(64),
        _ => Err("32 or 64".into()),
    }
}

impl FrontendArgs {
    /// The front end's options.
    pub fn options(&self) -> Options {
        Options {
            language: match (self.cuda, self.opencl) {
                (true, _) => Some(Language::Cuda),
                (_, true) => Some(Language::OpenCl),
                _ => None,
            },
            pointer_width: self.pointer_bitwidth,
            include_dirs: self.include_dirs.clone(),
            defines: self.defines.clone(),
            includes: self.includes.clone(),
            standard: self.standard.clone(),
            cuda_path: self.cuda_path.clone(),
            clang_args: self
                .clang_opt
                .iter()
                .flat_map(|arg| arg.split_whitespace().map(str::to_string))
                .collect(),
            kernels: self.kernels.clone(),
            inline: !self.no_inline,
            clang: self.clang.clone(),
            cache_dir: self.cache_dir.clone(),
            ..Options::default()
        }
    }

    /// The options as words of a command line, without the file and the kernels.
    pub fn words(&self) -> Vec<String> {
        let mut words = vec![];
        words.extend(self.cuda.then(|| "--cuda".to_string()));
        words.extend(self.opencl.then(|| "--opencl".to_string()));
        words.extend(self.include_dirs.iter().map(|folder| format!("-I{}", folder.display())));
        words.extend(self.defines.iter().map(|one| format!("-D{one}")));
        words.extend(self.includes.iter().map(|file| format!("--include={}", file.display())));
        words.extend(self.standard.iter().map(|standard| format!("--std={standard}")));
        words.extend(self.cuda_path.iter().map(|path| format!("--cuda-path={}", path.display())));
        words.extend(self.pointer_bitwidth.map(|bits| format!("--pointer-bitwidth={bits}")));
        words.extend(self.clang_opt.iter().map(|arg| format!("--clang-opt={arg}")));
        words.extend(self.clang.iter().map(|program| format!("--clang={}", program.display())));
        words
    }
}

/// Why a file was not loaded.
pub enum Failure {
    /// The command line is wrong.
    Usage(String),
    /// Nothing of the file could be used; what was printed about it.
    Unreadable(Vec<Diagnostic>),
}

/// Loads a file; prints what is wrong with it. An unreadable kernel that was not asked
/// for by name is only a message.
pub fn load(options: &LoadOptions) -> Result<LoadedFile, Failure> {
    load_unless(options, |_| false)
}

/// The same, but prints nothing if what is wrong is of no interest.
pub fn load_unless(
    options: &LoadOptions,
    is_silent: impl Fn(&[Diagnostic]) -> bool,
) -> Result<LoadedFile, Failure> {
    match duet_engine::load::load(options) {
        Ok(loaded) => {
            output::print_diagnostics(&loaded.diagnostics);
            Ok(loaded)
        }
        Err(LoadError::Sizes(error)) => Err(Failure::Usage(sizes::refusal(&error))),
        Err(LoadError::Unreadable(diagnostics)) => {
            if !is_silent(&diagnostics) {
                output::print_diagnostics(&diagnostics);
            }
            Err(Failure::Unreadable(diagnostics))
        }
    }
}

impl Failure {
    /// The exit code; prints what was not printed yet.
    pub fn exit(&self) -> Exit {
        match self {
            Failure::Usage(message) => {
                eprintln!("error: {message}");
                Exit::Usage
            }
            Failure::Unreadable(diagnostics) => exit_for(diagnostics),
        }
    }
}

impl From<String> for Failure {
    fn from(message: String) -> Failure {
        Failure::Usage(message)
    }
}

/// The exit code for what went wrong while reading.
pub fn exit_for(diagnostics: &[Diagnostic]) -> Exit {
    match diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        Some(error) if error.rule == Rule::InternalError => Exit::Internal,
        Some(_) => Exit::BadInput,
        None => Exit::Proved,
    }
}
