//! The front end: from CUDA, OpenCL or bitcode to kernel IR.
//!
//! [`load`] compiles a source file with clang (our own headers instead of an SDK),
//! reads the bitcode, inlines and promotes variables ([`prepare`]) and translates
//! what is left ([`llvm_to_ir`]). Nothing is guessed: what Duet does not model is
//! a diagnostic with a source line, never dropped.
//!
//! This crate spawns a process and keeps a cache of precompiled headers; it
//! verifies nothing.

mod cleanup;
mod compiler;
mod granule;
mod kernel_header;
mod layout;
pub mod llvm;
mod llvm_to_ir;
mod mangled;
mod opencl_builtins;
mod options;
#[cfg(test)]
mod passes_keep_accesses;
mod prepare;
mod survey;

use std::path::Path;
use std::time::{Duration, Instant};

use duet_ir::{Diagnostic, Language, Loc, Module, Rule, Severity, SourceSpan, WellFormed};
use inkwell::context::Context;

use crate::compiler::repair::Repair;
use crate::compiler::{cache, clang, headers, repair, templates};

pub use kernel_header::{Expectation, Header, HeaderError};
pub use llvm_to_ir::intrinsic_names;
pub use options::Options;
pub use survey::{CacheState, Compiler, Survey, survey};

/// See [`duet_ir::Module::source_span`].
pub fn source_span(module: &Module, loc: Option<Loc>) -> Option<SourceSpan> {
    module.source_span(loc)
}

/// A source file that was read.
pub struct Loaded {
    /// The kernels, checked to be well formed.
    pub module: WellFormed,
    /// Kernels that could not be read, and warnings.
    pub diagnostics: Vec<Diagnostic>,
    /// How long each stage took.
    pub timings: Timings,
}

/// Time spent per stage.
#[derive(Clone, Copy, Debug, Default)]
pub struct Timings {
    /// In clang.
    pub clang: Duration,
    /// Reading bitcode and running passes.
    pub prepare: Duration,
    /// Translating and checking.
    pub translate: Duration,
}

/// Reads a file. An error means that nothing of it could be used; kernels that
/// alone could not be translated are in [`Loaded::diagnostics`].
pub fn load(path: &Path, options: &Options) -> Result<Loaded, Vec<Diagnostic>> {
    let mut timings = Timings::default();
    let start = Instant::now();
    let input = read_input(path).map_err(|diagnostic| vec![diagnostic])?;
    let compiled = match input {
        Input::Bitcode(bytes) => Compiled { bitcode: bytes, language: None, notes: vec![] },
        Input::Source(text) => compile(path, &text, options, &replaced(options))?,
    };
    timings.clang = start.elapsed();
    let is_source = compiled.language.is_some();
    let translated = translate(path, &compiled, options, &mut timings);
    let translated = match translated {
        Err(errors) if is_source && is_about_kernels(&errors) => {
            instantiate(path, options, &mut timings, errors)?
        }
        other => other?,
    };
    Ok(Loaded { timings, ..translated })
}

/// The files that are replaced from the start.
fn replaced(options: &Options) -> Repair {
    let files = options.replaced.iter().cloned().map(|(file, text)| (file, text.into_bytes()));
    Repair { files: files.collect(), ..Repair::default() }
}

fn is_about_kernels(errors: &[Diagnostic]) -> bool {
    errors.iter().any(|error| matches!(error.rule, Rule::NoKernel | Rule::NoSuchKernel))
}

/// Reads a file once more, with the templates instantiated that were asked for by name.
/// Where that does not help, the errors tell which templates there are.
fn instantiate(
    path: &Path,
    options: &Options,
    timings: &mut Timings,
    errors: Vec<Diagnostic>,
) -> Result<Loaded, Vec<Diagnostic>> {
    let text = std::fs::read(path).unwrap_or_default();
    let language = options.language.unwrap_or_else(|| guess_language(path, &text));
    let wanted: Vec<&str> =
        options.kernels.iter().map(String::as_str).filter(|name| name.contains('<')).collect();
    let copy = (!wanted.is_empty() && language == Language::Cuda)
        .then(|| repair::instantiating(path, &wanted))
        .flatten();
    if let Some(copy) = copy {
        let compiled = compile(path, &text, options, &copy)
            .map_err(|reasons| not_instantiated(&errors, &wanted, reasons))?;
        return translate(path, &compiled, options, timings);
    }
    Err(name_templates(path, options, language, errors))
}

/// A template that cannot be instantiated, in clang's words where they are about that.
fn not_instantiated(
    errors: &[Diagnostic],
    wanted: &[&str],
    reasons: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let is_ours = |reason: &Diagnostic| {
        reason.primary.as_ref().is_some_and(|at| at.file.to_string_lossy().contains("--kernel="))
    };
    match reasons.first() {
        Some(reason) if is_ours(reason) => {
            let mut error = errors[0].clone();
            error.rule = Rule::NoSuchKernel;
            error.headline = format!("cannot instantiate the kernel `{}`", wanted.join("`, `"));
            error.help = None;
            vec![error.note(format!("clang says: {}", reason.headline))]
        }
        _ => reasons,
    }
}

/// Adds the templates that a file has to the errors about missing kernels.
fn name_templates(
    path: &Path,
    options: &Options,
    language: Language,
    errors: Vec<Diagnostic>,
) -> Vec<Diagnostic> {
    let templates = match (language, cache::Cache::open(options.cache_dir.as_deref())) {
        (Language::Cuda, Ok(cache)) => {
            let pointer_width = options.pointer_width.unwrap_or(64);
            let clang = clang::Clang {
                side: clang::Side::Device,
                options,
                language,
                pointer_width,
                cache: &cache,
            };
            clang.kernel_templates(path)
        }
        _ => vec![],
    };
    let [first, ..] = &templates[..] else { return errors };
    let name = first.split('<').next().unwrap_or(first);
    let advice = format!("name an instance, such as `--kernel '{name}<...>'`, or launch it");
    errors
        .into_iter()
        .map(|error| {
            let note = format!("templates that nothing instantiates: {}", templates.join(", "));
            error.note(note).help(advice.clone())
        })
        .collect()
}

/// Contents of the input file.
enum Input {
    Source(Vec<u8>),
    Bitcode(Vec<u8>),
}

/// Bitcode and how it was made.
struct Compiled {
    bitcode: Vec<u8>,
    language: Option<Language>,
    notes: Vec<Diagnostic>,
}

fn read_input(path: &Path) -> Result<Input, Diagnostic> {
    let unreadable = |why: String| {
        Diagnostic::new(Rule::UnreadableInput, format!("cannot read {}: {why}", path.display()))
    };
    if path.is_dir() {
        return Err(unreadable("it is a directory".into())
            .help("name a .cu, .cl or .bc file; `duet bench` takes folders"));
    }
    let bytes = std::fs::read(path).map_err(|error| unreadable(error.to_string()))?;
    if bytes.starts_with(b"BC\xC0\xDE") {
        return Ok(Input::Bitcode(bytes));
    }
    if bytes.contains(&0) {
        return Err(unreadable("it is neither text nor LLVM bitcode".into()));
    }
    Ok(Input::Source(bytes))
}

/// Compiles source text; a file that compiles only with a 32-bit `size_t` is
/// read so, with a note, unless the user chose a width.
fn compile(
    path: &Path,
    text: &[u8],
    options: &Options,
    repair: &Repair,
) -> Result<Compiled, Vec<Diagnostic>> {
    let cache = cache::Cache::open(options.cache_dir.as_deref()).map_err(|error| {
        vec![Diagnostic::new(Rule::NoCache, format!("cannot make a folder for headers: {error}"))]
    })?;
    let language = options.language.unwrap_or_else(|| guess_language(path, text));
    let run = |pointer_width| {
        let side = clang::Side::Device;
        let clang = clang::Clang { side, options, language, pointer_width, cache: &cache };
        clang.compile(path, repair)
    };
    let done = |bitcode, notes| Compiled { bitcode, language: Some(language), notes };
    let first = run(options.pointer_width.unwrap_or(64));
    match first {
        Ok(output) => Ok(done(output.bitcode, output.notes)),
        Err(errors) if options.pointer_width.is_some() => Err(errors),
        Err(errors) => match run(32) {
            Ok(output) => {
                let mut notes = vec![narrow_warning(&errors, language)];
                notes.extend(output.notes);
                Ok(done(output.bitcode, notes))
            }
            Err(_) => Err(errors),
        },
    }
}

fn narrow_warning(errors: &[Diagnostic], language: Language) -> Diagnostic {
    let error = &errors[0];
    Diagnostic::usual(Rule::NarrowPointers, language)
        .at(error.primary.clone())
        .note(format!("with 64 bits it does not compile: {}", error.headline))
}

/// The language by the file's name, else by words in it.
fn guess_language(path: &Path, text: &[u8]) -> Language {
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension {
        Some("cl") => return Language::OpenCl,
        Some("cu" | "cuh") => return Language::Cuda,
        _ => {}
    }
    let text = String::from_utf8_lossy(text);
    let opencl = ["get_local_size", "get_global_size", "get_global_id", "__kernel"];
    match opencl.iter().any(|word| text.contains(word)) {
        true => Language::OpenCl,
        false => Language::Cuda,
    }
}

fn translate(
    path: &Path,
    compiled: &Compiled,
    options: &Options,
    timings: &mut Timings,
) -> Result<Loaded, Vec<Diagnostic>> {
    let start = Instant::now();
    let context = Context::create();
    let calls = match (options.inline, options.by_contract) {
        (false, _) => prepare::Calls::Kept,
        (true, false) => prepare::Calls::Inlined,
        (true, true) => prepare::Calls::ByContract,
    };
    let prepared = prepare::prepare(&context, &compiled.bitcode, calls).map_err(|error| {
        vec![Diagnostic::new(Rule::BadBitcode, format!("{}: {error}", path.display()))]
    })?;
    // SOUNDNESS: what assembly outside of functions defines is unknown (the test
    // `assembly_outside_of_functions`).
    if !llvm::module_assembly(prepared.raw()).trim().is_empty() {
        return Err(vec![
            Diagnostic::new(
                Rule::UnsupportedConstruct,
                format!("not supported: assembly outside of functions, in {}", path.display()),
            )
            .help("remove the `asm` declaration"),
        ]);
    }
    timings.prepare = start.elapsed();
    let start = Instant::now();
    let language = compiled.language.unwrap_or_else(|| prepare::language_of(&prepared));
    let directory = std::env::current_dir().unwrap_or_default();
    check_kernel_names(path, &prepared, language, options)?;
    let translation = llvm_to_ir::translate(&prepared, language, &directory, |name, symbol| {
        is_wanted(&options.kernels, name, symbol)
    });
    let module = duet_ir::check_well_formed(translation.module).map_err(|errors| {
        errors
            .into_iter()
            .map(|error| Diagnostic::new(Rule::InternalError, format!("malformed IR: {error}")))
            .collect::<Vec<_>>()
    })?;
    timings.translate = start.elapsed();
    let mut diagnostics = compiled.notes.clone();
    diagnostics.extend(translation.diagnostics);
    if module.kernels().next().is_none() && has_error(&diagnostics) {
        return Err(diagnostics);
    }
    Ok(Loaded { module, diagnostics, timings: Timings::default() })
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|diagnostic| diagnostic.severity == Severity::Error)
}

/// A file without kernels, or without one that was asked for, is an error.
fn check_kernel_names(
    path: &Path,
    prepared: &prepare::Prepared<'_>,
    language: Language,
    options: &Options,
) -> Result<(), Vec<Diagnostic>> {
    let names: Vec<(String, String)> = prepared
        .kernels
        .iter()
        .map(|kernel| (llvm_to_ir::function_name(*kernel), kernel.name()))
        .collect();
    if names.is_empty() {
        return Err(vec![
            Diagnostic::new(Rule::NoKernel, format!("{} has no kernel", path.display()))
                .usual_help(language),
        ]);
    }
    let missing: Vec<Diagnostic> = options
        .kernels
        .iter()
        .filter(|wanted| {
            !names.iter().any(|(name, symbol)| is_wanted(&[wanted.to_string()], name, symbol))
        })
        .map(|wanted| {
            let known: Vec<&str> = names.iter().map(|(name, _)| name.as_str()).collect();
            Diagnostic::new(
                Rule::NoSuchKernel,
                format!("{} has no kernel `{wanted}`", path.display()),
            )
            .note(format!("its kernels: {}", known.join(", ")))
        })
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(missing) }
}

/// Is the kernel asked for: by name, by name without template arguments, or by
/// symbol?
fn is_wanted(wanted: &[String], name: &str, symbol: &str) -> bool {
    let bare = name.split('<').next().unwrap_or(name);
    let is_it = |wanted: &String| {
        wanted == bare || wanted == symbol || templates::is_same_instance(wanted, name)
    };
    wanted.is_empty() || wanted.iter().any(is_it)
}

/// What `duet-host` needs of the front end: the host side of a file as bitcode, and the
/// few things about LLVM modules that both sides do alike.
pub mod host {
    use std::path::Path;

    use duet_ir::{Diagnostic, Language, Rule};

    use crate::cache::Cache;
    use crate::clang::{Clang, Side};
    use crate::options::Options;

    pub use crate::headers::{computes, mentions};
    pub use crate::prepare::{
        ESCAPE, UNINITIALISED, field_offset, initialise_variables, read, run_pass, size_of,
        target_machine,
    };

    /// Do these messages about the device side of a file say that a kernel there launches
    /// kernels?
    pub fn kernels_launch(messages: &[Diagnostic]) -> bool {
        messages.iter().any(|one| one.headline == crate::clang::LAUNCHES_KERNEL)
    }

    /// Does a function without a body stand for a launch in code of the device?
    pub fn is_device_launch(symbol: &str) -> bool {
        symbol.contains(crate::compiler::device_launch::LAUNCH)
    }

    fn open_cache(options: &Options) -> Result<Cache, Vec<Diagnostic>> {
        Cache::open(options.cache_dir.as_deref()).map_err(|error| {
            let text = format!("cannot make a folder for headers: {error}");
            vec![Diagnostic::new(Rule::NoCache, text)]
        })
    }

    /// The text of a CUDA file with what it includes, but for headers of the system.
    ///
    /// # Errors
    /// The compiler's own messages.
    pub fn preprocess(path: &Path, options: &Options) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let cache = open_cache(options)?;
        let (side, language, pointer_width) = (Side::Device, Language::Cuda, 64);
        Clang { side, options, language, pointer_width, cache: &cache }.preprocess(path)
    }

    /// Compiles the host side of a file to bitcode.
    ///
    /// # Errors
    /// The compiler's own messages.
    pub fn compile(path: &Path, options: &Options) -> Result<Vec<u8>, Vec<Diagnostic>> {
        let cache = open_cache(options)?;
        let (side, language, pointer_width) = (Side::Host, Language::Cuda, 64);
        Clang { side, options, language, pointer_width, cache: &cache }
            .compile(path, &crate::repair::Repair::default())
            .map(|output| output.bitcode)
    }
}
