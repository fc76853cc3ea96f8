//! Runs clang: one process per source file, bitcode through a pipe.

use std::collections::BTreeSet;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use duet_ir::{Diagnostic, Language, Rule, SourceSpan};
use duet_tools::{Found, Missing, Origin, Tool};

use crate::cache::Cache;
use crate::compiler::{build_files, host_code, unknown};
use crate::headers;
use crate::options::Options;
use crate::repair::Repair;
use crate::templates;

/// The default compiler.
const CLANG: Tool = Tool { name: "clang-19", variable: "DUET_CLANG" };
/// The LLVM that Duet was built with, whose compiler will do as well.
const LLVM_PREFIX: Option<&str> = option_env!("LLVM_SYS_191_PREFIX");
/// Errors of one file that are reported.
const MAX_ERRORS: usize = 20;
/// Errors that a further attempt learns from: where a library is missing, hundreds of its
/// names may be, and each attempt takes a second.
const MAX_LEARNED: usize = 500;

/// Attempts to compile a file with further repairs.
const MAX_REPAIRS: usize = 24;
/// Name of the file with declarations of unknown names.
const DECLARATIONS: &str = "unknown_names.h";

/// Flags of both languages: no optimisation, debug locations, names, nothing
/// assumed about null, no fused arithmetic, and no files left behind.
const COMMON: &[&str] = &[
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-g",
    "-fno-discard-value-names",
    "-fno-delete-null-pointer-checks",
    "-ffp-contract=off",
    "-fno-crash-diagnostics",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
    "-Wno-everything",
];

const CUDA: &[&str] = &[
    "-x",
    "cuda",
    "--cuda-device-only",
    "-nocudainc",
    "-nocudalib",
    "--cuda-gpu-arch=sm_90",
    "-Wno-unknown-cuda-version",
];

const OPENCL: &[&str] =
    &["-x", "cl", "-Xclang", "-fdeclare-opencl-builtins", "-Xclang", "-finclude-default-header"];

/// Flags for the host side of a CUDA file: variables in memory as clang puts them there,
/// with their lifetimes, but no pass run; nothing that lets later passes assume more than
/// the machine does.
const HOST: &[&str] = &[
    "-x",
    "cuda",
    "--cuda-host-only",
    "-nocudainc",
    "-nocudalib",
    "--cuda-gpu-arch=sm_90",
    "-Wno-unknown-cuda-version",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-g",
    "-fno-discard-value-names",
    "-fno-strict-aliasing",
    "-fno-delete-null-pointer-checks",
    "-fno-strict-enums",
    "-fno-strict-return",
    "-fno-finite-loops",
    "-fno-crash-diagnostics",
    "-fno-caret-diagnostics",
    "-fno-color-diagnostics",
    "-Wno-everything",
    "-D__DUET_HOST__",
];

/// Which side of a program is compiled.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    /// The kernels.
    Device,
    /// The program that launches them.
    Host,
}

/// What the compiler made of a file.
#[derive(Debug)]
pub struct Bitcode {
    /// The bitcode.
    pub bitcode: Vec<u8>,
    /// What the file was read without.
    pub notes: Vec<Diagnostic>,
}

/// A compiler run for one file and one pointer width.
pub struct Clang<'a> {
    /// Which side.
    pub side: Side,
    /// What the user asked for.
    pub options: &'a Options,
    /// The language.
    pub language: Language,
    /// 32 or 64.
    pub pointer_width: u8,
    /// Headers and preludes.
    pub cache: &'a Cache,
}

impl Clang<'_> {
    /// Compiles `source` to bitcode; again if there are repairs for the errors. OpenCL
    /// without a standard is version 1.2, or 2.0 where only that compiles.
    pub fn compile(&self, source: &Path, first: &Repair) -> Result<Bitcode, Vec<Diagnostic>> {
        let result = self.compile_as_given(source, first);
        if result.is_ok() || self.language != Language::OpenCl || self.options.standard.is_some() {
            return result;
        }
        let options = Options { standard: Some("CL2.0".to_string()), ..self.options.clone() };
        let newer = Clang { options: &options, ..*self };
        newer.compile_as_given(source, first).or(result)
    }

    fn compile_as_given(&self, source: &Path, first: &Repair) -> Result<Bitcode, Vec<Diagnostic>> {
        let mut repair = first.clone();
        let mut result = self.compile_repaired(source, &repair);
        let mut original = None;
        for _ in 0..MAX_REPAIRS {
            let Err(errors) = result else { break };
            let further = repair
                .further(&errors, source, self.language)
                .or_else(|| self.without_bodies(source, &repair, &errors));
            let original = original.get_or_insert(errors);
            let Some(further) = further else { return Err(original.clone()) };
            result = self.compile_repaired(source, &further);
            repair = further;
        }
        match result {
            Ok(bitcode) if self.is_independent(source, &repair, &bitcode) => {
                Ok(Bitcode { bitcode, notes: repair.notes() })
            }
            Ok(_) => Err(original.unwrap_or_default()),
            Err(errors) => Err(original.unwrap_or(errors)),
        }
    }

    /// The device side without the bodies of host functions that have errors.
    fn without_bodies(
        &self,
        source: &Path,
        repair: &Repair,
        errors: &[Diagnostic],
    ) -> Option<Repair> {
        (self.side == Side::Device && self.language == Language::Cuda).then_some(())?;
        let marks = host_code::marks(&self.preprocessed(source, repair, &["-dD"])?);
        repair.without_bodies(errors, &marks)
    }

    /// Does nothing depend on the sizes of types of which nothing is known? The device side is
    /// compiled with two sizes; host code must not ask for one.
    ///
    /// SOUNDNESS: else a kernel is judged for a size that the type does not have (test
    /// `a_kernel_that_needs_an_unknown_type_is_not_read`).
    fn is_independent(&self, source: &Path, repair: &Repair, bitcode: &[u8]) -> bool {
        if !repair.unknown.has_types() {
            return true;
        }
        if self.side == Side::Host {
            let text = std::fs::read(source).unwrap_or_default();
            return !repair.unknown.is_measured(&String::from_utf8_lossy(&text));
        }
        let mut other = repair.clone();
        other.defines.push("__DUET_UNKNOWN_SIZE=61".to_string());
        self.compile_repaired(source, &other).is_ok_and(|other| other == bitcode)
    }

    /// The text of a file after the preprocessor.
    fn preprocessed(&self, source: &Path, repair: &Repair, more: &[&str]) -> Option<String> {
        let found = find_clang(self.options.clang.as_deref()).ok()?;
        let mut command = self.command(&found.program);
        let copies = remap(&mut command, repair).ok()?;
        command.arg("-include").arg(self.prelude());
        include_unknown(&mut command, copies.as_ref(), repair);
        command.args(self.user_args(source)).args(more).arg("-E").arg(source);
        let output = run(&mut command, self.options.compile_limit).ok()?;
        drop(copies);
        Some(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    /// The kernel templates that `source` and its headers declare.
    pub fn kernel_templates(&self, source: &Path) -> Vec<String> {
        let text = self.preprocessed(source, &Repair::default(), &[]);
        text.map(|text| templates::kernel_templates(&text)).unwrap_or_default()
    }

    /// The text of a CUDA file with what it includes, except for our own headers and those of
    /// the system, which it goes on including.
    pub fn preprocess(&self, source: &Path) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let program = match find_clang(self.options.clang.as_deref()) {
            Ok(found) => found.program,
            Err(missing) => return Err(vec![compiler_missing(&missing, self.language)]),
        };
        let mut command = self.command(&program);
        let names: BTreeSet<&str> = headers::cuda_names().collect();
        command.args(names.iter().map(|name| format!("--system-header-prefix={name}")));
        command.arg("-imacros").arg(self.prelude()).args(self.user_args(source));
        command.args(["-E", "-fkeep-system-includes"]).arg(source);
        match run(&mut command, self.options.compile_limit) {
            Ok(output) if output.success => Ok(with_plain_markers(&output.stdout)),
            Ok(output) => Err(read_errors(&output.stderr, source)),
            Err(diagnostic) => Err(vec![diagnostic]),
        }
    }

    fn compile_repaired(&self, source: &Path, repair: &Repair) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let program = match find_clang(self.options.clang.as_deref()) {
            Ok(found) => found.program,
            Err(missing) => return Err(vec![compiler_missing(&missing, self.language)]),
        };
        let mut command = self.command(&program);
        let copies = remap(&mut command, repair).map_err(|error| {
            let text = format!("cannot make a copy of {}: {error}", source.display());
            vec![Diagnostic::new(Rule::NoCache, text)]
        })?;
        command.args(repair.defines.iter().map(|define| format!("-D{define}")));
        match self.precompiled_prelude(&program) {
            Some(prelude) => {
                command.args(["-Xclang", "-include-pch", "-Xclang"]).arg(prelude);
            }
            None => {
                command.arg("-include").arg(self.prelude());
            }
        }
        include_unknown(&mut command, copies.as_ref(), repair);
        let most = if *repair == Repair::default() { MAX_ERRORS } else { MAX_LEARNED };
        command.arg(format!("-ferror-limit={most}"));
        command.args(self.user_args(source));
        command.args(["-emit-llvm", "-c", "-o", "-"]).arg(source);
        let result = run(&mut command, self.options.compile_limit);
        drop(copies);
        match result {
            Ok(output) if output.success => Ok(output.stdout),
            Ok(output) => {
                let mut errors = read_errors(&output.stderr, source);
                errors.truncate(most);
                Err(errors)
            }
            Err(diagnostic) => Err(vec![diagnostic]),
        }
    }

    /// clang with all flags that a precompiled prelude depends on.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.args(self.fixed_args());
        command
    }

    fn fixed_args(&self) -> Vec<String> {
        let headers = self.cache.headers();
        if self.side == Side::Host {
            let mut args: Vec<String> = HOST.iter().map(|arg| arg.to_string()).collect();
            args.push(format!("-I{}", headers.join("cuda").display()));
            args.extend(self.options.standard.iter().map(|name| format!("-std={name}")));
            return args;
        }
        let mut args: Vec<String> = COMMON.iter().map(|arg| arg.to_string()).collect();
        args.push(format!("-D__BUGLE_{}__", self.pointer_width));
        match self.language {
            Language::Cuda => {
                args.extend(CUDA.iter().map(|arg| arg.to_string()));
                args.push(format!("-I{}", headers.join("cuda").display()));
                if self.pointer_width == 32 {
                    args.push("--target=i386-unknown-linux-gnu".into());
                }
                args.extend(self.options.standard.iter().map(|name| format!("-std={name}")));
            }
            Language::OpenCl => {
                args.extend(OPENCL.iter().map(|arg| arg.to_string()));
                let target = if self.pointer_width == 32 { "spir" } else { "spir64" };
                args.extend(["-target".to_string(), target.to_string()]);
                let standard = self.options.standard.as_deref().unwrap_or("CL1.2");
                args.push(format!("-cl-std={standard}"));
            }
        }
        args
    }

    fn user_args(&self, source: &Path) -> Vec<String> {
        let options = self.options;
        let mut args = options.clang_args.clone();
        args.extend(options.defines.iter().map(|define| format!("-D{define}")));
        args.extend(options.include_dirs.iter().map(|dir| format!("-I{}", dir.display())));
        for include in &options.includes {
            args.extend(["-include".to_string(), include.display().to_string()]);
        }
        if let Some(path) = &options.cuda_path {
            args.push(format!("-I{}", path.join("include").display()));
        }
        for folder in build_files::include_folders(source) {
            args.extend(["-idirafter".to_string(), folder.display().to_string()]);
        }
        args
    }

    /// Our own header that is included first.
    fn prelude(&self) -> PathBuf {
        self.cache.headers().join(match self.language {
            Language::Cuda => "cuda/duet_cuda_prelude.h",
            Language::OpenCl => "opencl/duet_opencl_prelude.h",
        })
    }

    /// The prelude precompiled for exactly these flags and this compiler; made at
    /// first use. OpenCL's is small, and clang's built-ins are declared lazily
    /// anyway. A macro that the user defines may change what the prelude says, so
    /// that one that the prelude tests is compiled in.
    fn precompiled_prelude(&self, program: &Path) -> Option<PathBuf> {
        if self.language != Language::Cuda || !self.options.clang_args.is_empty() {
            return None;
        }
        let key = (self.fixed_args(), self.prelude(), identity(program));
        self.cache.file(&key, "pch", |target| {
            let mut command = self.command(program);
            command.args(["-fsyntax-only", "-Xclang", "-emit-pch", "-Xclang", "-o", "-Xclang"]);
            command.arg(target).arg(self.prelude());
            run(&mut command, self.options.compile_limit).is_ok_and(|output| output.success)
        })
    }
}

/// A preprocessed text with `#line` in the place of markers that say which file includes
/// which: where an include was kept, files seem to end that never began.
fn with_plain_markers(text: &[u8]) -> Vec<u8> {
    let mut plain = vec![];
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        let marker = std::str::from_utf8(line).ok().and_then(|line| line.strip_prefix("# "));
        let marker = marker.filter(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        match marker.map(|rest| rest.rsplit_once('"').map_or(rest, |(place, _)| place)) {
            Some(place) if place.contains("\"<") => {}
            Some(place) => plain.extend(format!("#line {place}\"\n").into_bytes()),
            None => plain.extend(line),
        }
    }
    plain
}

/// Tells clang to read copies in the place of files; they live as long as the result.
fn remap(command: &mut Command, repair: &Repair) -> std::io::Result<Option<tempfile::TempDir>> {
    if repair.files.is_empty() && repair.unknown.is_empty() {
        return Ok(None);
    }
    let folder = tempfile::tempdir()?;
    unknown::make_empty(folder.path(), &repair.unknown)?;
    std::fs::write(folder.path().join(DECLARATIONS), repair.unknown.declarations())?;
    for (number, (file, text)) in repair.files.iter().enumerate() {
        let copy = folder.path().join(number.to_string());
        std::fs::write(&copy, text)?;
        let pair = format!("{};{}", file.display(), copy.display());
        command.args(["-Xclang", "-remap-file", "-Xclang", &pair]);
    }
    Ok(Some(folder))
}

/// Tells clang where the headers are that stand for missing ones.
fn include_unknown(command: &mut Command, copies: Option<&tempfile::TempDir>, repair: &Repair) {
    if let Some(folder) = copies.filter(|_| !repair.unknown.is_empty()) {
        command.arg("-include").arg(folder.path().join(DECLARATIONS));
        command.arg("-idirafter").arg(folder.path().join(unknown::INNER));
    }
}

/// Finds the compiler in the order of `duet-tools`; the one beside the LLVM that Duet
/// was built with comes last.
pub fn find_clang(given: Option<&Path>) -> Result<Found, Missing> {
    duet_tools::find(CLANG, given).or_else(|mut missing| {
        let beside = LLVM_PREFIX.map(|prefix| Path::new(prefix).join("bin/clang"));
        match beside {
            Some(program) if !missing.named && program.is_file() => {
                Ok(Found { program, origin: Origin::Path })
            }
            beside => {
                missing.looked.extend(beside.filter(|_| !missing.named));
                Err(missing)
            }
        }
    })
}

fn compiler_missing(missing: &Missing, language: Language) -> Diagnostic {
    let text = match missing.looked.as_slice() {
        [place] if missing.named => {
            format!("cannot run {}: there is no such program", place.display())
        }
        _ if missing.named => "the compiler that was named is not on the path".to_string(),
        _ => "the compiler clang-19 is not installed".to_string(),
    };
    Diagnostic::new(Rule::CompilerMissing, text).usual_help(language)
}

/// What a compiler says its version is; `None` if it does not run.
pub fn clang_version(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    let output = run(command.arg("--version"), Duration::from_secs(10)).ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut words = text.split_whitespace().skip_while(|word| *word != "version");
    words.nth(1).filter(|_| output.success).map(str::to_string)
}

/// What tells one installation of a program from another.
fn identity(program: &Path) -> Option<(PathBuf, u64, Duration)> {
    let path = program.canonicalize().ok()?;
    let metadata = path.metadata().ok()?;
    let modified = metadata.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
    Some((path, metadata.len(), modified))
}

/// What a process left.
struct Output {
    success: bool,
    stdout: Vec<u8>,
    stderr: String,
}

/// Runs a process with a limit on its time.
fn run(command: &mut Command, limit: Duration) -> Result<Output, Diagnostic> {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| {
        Diagnostic::new(
            Rule::CompilerMissing,
            format!("cannot run {}: {error}", command.get_program().to_string_lossy()),
        )
    })?;
    let stdout = read_all(child.stdout.take());
    let stderr = read_all(child.stderr.take());
    let start = Instant::now();
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status,
            Ok(None) if start.elapsed() > limit => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(Diagnostic::new(
                    Rule::CompilerTimeout,
                    format!("clang did not finish in {} s", limit.as_secs()),
                ));
            }
            Ok(None) => std::thread::sleep(Duration::from_millis(1)),
            Err(error) => {
                return Err(Diagnostic::new(Rule::CompilerFailed, format!("clang: {error}")));
            }
        }
    };
    Ok(Output {
        success: status.success(),
        stdout: stdout.join().unwrap_or_default(),
        stderr: String::from_utf8_lossy(&stderr.join().unwrap_or_default()).into_owned(),
    })
}

/// Reads a pipe to its end on a thread of its own.
fn read_all(pipe: Option<impl Read + Send + 'static>) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = vec![];
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        bytes
    })
}

/// clang's messages as diagnostics: `file:line:column: error: text`, with the
/// notes that follow each.
fn read_errors(stderr: &str, source: &Path) -> Vec<Diagnostic> {
    let mut errors: Vec<Diagnostic> = vec![];
    for line in stderr.lines() {
        let Some((place, severity, text)) = split_message(line) else { continue };
        let span = place.map(|(file, line, column)| SourceSpan { file, line, column });
        match severity {
            "error" | "fatal error" if errors.len() < MAX_LEARNED => {
                errors.push(error(text).at(span));
            }
            "note" => {
                if let (Some(error), Some(span)) = (errors.last_mut(), span) {
                    error.secondary.push((span, text.to_string()));
                }
            }
            _ => {}
        }
    }
    if errors.is_empty() {
        let text = stderr.lines().next().unwrap_or("clang failed without a message");
        errors.push(Diagnostic::new(Rule::CompileError, format!("{}: {text}", source.display())));
    }
    errors
}

/// The headline of the message about a kernel that launches a kernel.
pub const LAUNCHES_KERNEL: &str = "not supported: a kernel that launches a kernel";

/// An error in clang's words, except where these don't tell what is the matter.
fn error(text: &str) -> Diagnostic {
    if text.starts_with("reference to __global__ function") {
        return Diagnostic::new(Rule::UnsupportedConstruct, LAUNCHES_KERNEL)
        .note(format!("clang says: {text}"))
        .help(
            "launch the inner kernel from the host, or make it a __device__ function and call it",
        );
    }
    Diagnostic::new(Rule::CompileError, text)
}

/// A place, as far as a message has one.
type MessagePlace = Option<(PathBuf, u32, u32)>;

/// Splits `[file:line:column: ]severity: text`.
fn split_message(line: &str) -> Option<(MessagePlace, &str, &str)> {
    for severity in ["fatal error", "error", "note"] {
        let mark = format!("{severity}: ");
        if let Some(text) = line.strip_prefix(&mark) {
            return Some((None, severity, text));
        }
        let Some((place, text)) = line.split_once(&format!(": {mark}")) else { continue };
        let mut parts = place.rsplitn(3, ':');
        let column = parts.next().and_then(|part| part.parse().ok());
        let line = parts.next().and_then(|part| part.parse().ok());
        let file = parts.next().map(PathBuf::from);
        if let (Some(file), Some(line), Some(column)) = (file, line, column) {
            return Some((Some((file, line, column)), severity, text));
        }
        return Some((None, severity, text));
    }
    None
}
