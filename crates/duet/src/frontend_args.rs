//! Options that say how a source file is read, shared by all commands.

use std::path::PathBuf;

use duet_frontend::{Loaded, Options};
use duet_ir::{Diagnostic, Language, Severity};

use crate::exit::Exit;
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
    /// The front end's options, with further macros.
    pub fn options(&self, macros: Vec<String>) -> Options {
        Options {
            language: match (self.cuda, self.opencl) {
                (true, _) => Some(Language::Cuda),
                (_, true) => Some(Language::OpenCl),
                _ => None,
            },
            pointer_width: self.pointer_bitwidth,
            include_dirs: self.include_dirs.clone(),
            defines: macros.into_iter().chain(self.defines.iter().cloned()).collect(),
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

    /// The language of the file, as far as its name and the options tell.
    pub fn guess_language(&self) -> Language {
        let is_opencl = self.file.extension().is_some_and(|extension| extension == "cl");
        match self.opencl || (is_opencl && !self.cuda) {
            true => Language::OpenCl,
            false => Language::Cuda,
        }
    }

    /// Reads the file; prints what is wrong with it. An unreadable kernel that
    /// was not asked for by name is only a message.
    pub fn load(&self, macros: Vec<String>) -> Result<Loaded, Exit> {
        self.load_or_say_why(macros).map_err(|diagnostics| exit_for(&diagnostics))
    }

    /// The same; also gives what was printed if nothing could be read.
    pub fn load_or_say_why(&self, macros: Vec<String>) -> Result<Loaded, Vec<Diagnostic>> {
        let loaded = duet_frontend::load(&self.file, &self.options(macros));
        output::print_diagnostics(match &loaded {
            Ok(loaded) => &loaded.diagnostics,
            Err(diagnostics) => diagnostics,
        });
        loaded
    }
}

/// The exit code for what went wrong while reading.
pub fn exit_for(diagnostics: &[Diagnostic]) -> Exit {
    match diagnostics.iter().find(|diagnostic| diagnostic.severity == Severity::Error) {
        Some(error) if error.rule == "internal-error" => Exit::Internal,
        Some(_) => Exit::BadInput,
        None => Exit::Proved,
    }
}
