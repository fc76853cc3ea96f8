//! `duet cc COMPILER ARGUMENTS…`: runs a compiler of CUDA as it is told, and keeps what
//! `duet intercept` needs to know of the sources.
//!
//! For each CUDA source among the arguments, beside the object (or the program) that the
//! compiler writes: `NAME.duet.cu`, the preprocessed text, and `NAME.duet.kernels`, the
//! symbols of its kernels with the bytes of their parameters. A small header, included before
//! the source, puts the path of the text into a section of the object. nvcc is told to link
//! the shared runtime, since calls within a program cannot be seen.
//!
//! What cannot be kept is noted and changes nothing: the compiler's exit code is the command's.

use std::path::{Path, PathBuf};
use std::process::Command;

use duet_frontend::Options;
use duet_ir::{Function, Language, ParamKind};
use duet_layer::{KERNELS_SUFFIX, SECTION, TEXT_SUFFIX};

use crate::ending;
use crate::exit::Exit;

/// Options of `duet cc`.
#[derive(clap::Args)]
pub struct CcArgs {
    /// The compiler and its arguments
    #[arg(trailing_var_arg = true, allow_hyphen_values = true, required = true)]
    command: Vec<String>,
}

/// Runs `duet cc`.
pub fn cc(args: &CcArgs) -> Exit {
    let [compiler, words @ ..] = &args.command[..] else { return Exit::Usage };
    let build = Build::read(words);
    let mut command = Command::new(compiler);
    command.args(words);
    if is_nvcc(compiler) && !words.iter().any(|word| word.contains("cudart")) {
        command.arg("--cudart=shared");
    }
    let mut kept = vec![];
    for source in &build.sources {
        match build.keep(source) {
            Ok(text) => kept.push(text),
            Err(why) => eprintln!("duet cc: note: {} is not kept: {why}", source.display()),
        }
    }
    if let [text] = &kept[..] {
        command.arg("-include").arg(with_suffix(text, ".h"));
    }
    match ending::with_signals(&mut command).status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(1)),
        Err(error) => {
            eprintln!("duet cc: {compiler}: {error}");
            Exit::Usage
        }
    }
}

fn is_nvcc(compiler: &str) -> bool {
    let name = Path::new(compiler).file_name().unwrap_or_default();
    name.to_string_lossy().starts_with("nvcc")
}

fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_os_string();
    name.push(suffix);
    name.into()
}

/// What the arguments of a compiler say about the sources.
#[derive(Default)]
struct Build {
    sources: Vec<PathBuf>,
    output: Option<PathBuf>,
    options: Options,
}

impl Build {
    fn read(words: &[String]) -> Build {
        let mut build = Build::default();
        let mut is_cuda = false;
        let mut words = words.iter().map(String::as_str);
        while let Some(word) = words.next() {
            let mut value = |rest: &str| match rest {
                "" => words.next().unwrap_or_default().to_string(),
                rest => rest.trim_start_matches('=').to_string(),
            };
            if let Some(rest) = word.strip_prefix("-o") {
                build.output = Some(value(rest).into());
            } else if let Some(rest) = word.strip_prefix("-I") {
                build.options.include_dirs.push(value(rest).into());
            } else if let Some(rest) = word.strip_prefix("-D") {
                build.options.defines.push(value(rest));
            } else if let Some(rest) =
                word.strip_prefix("--std").or_else(|| word.strip_prefix("-std"))
            {
                build.options.standard = Some(value(rest));
            } else if let Some(rest) = word.strip_prefix("-x") {
                is_cuda = value(rest).starts_with("cu");
            } else if ["-Xclang", "-Xcompiler", "-Xlinker", "-Xptxas", "-include", "-isystem"]
                .contains(&word)
            {
                let _ = value("");
            } else if word.ends_with(".cu") || is_cuda && word.ends_with(".cpp") {
                build.sources.push(word.into());
            }
        }
        build.options.language = Some(Language::Cuda);
        build
    }

    /// Keeps a source. Returns the path of its text.
    fn keep(&self, source: &Path) -> Result<PathBuf, String> {
        if self.sources.len() > 1 {
            return Err("several sources are compiled at once".to_string());
        }
        let object = match &self.output {
            Some(output) => output.clone(),
            None => PathBuf::from(source.file_name().unwrap_or_default()).with_extension("o"),
        };
        let here = std::env::current_dir().map_err(|error| error.to_string())?;
        let text = with_suffix(&here.join(object), TEXT_SUFFIX);
        let messages = |errors: Vec<duet_ir::Diagnostic>| {
            errors.first().map_or(String::new(), |error| error.headline.clone())
        };
        let bytes = duet_frontend::host::preprocess(source, &self.options).map_err(messages)?;
        write(&text, &bytes)?;
        let options = Options { language: Some(Language::Cuda), ..Options::default() };
        let loaded = duet_frontend::load(&text, &options).map_err(messages)?;
        let lines: Vec<String> =
            loaded.module.kernels().map(|(_, func)| line_of(func) + "\n").collect();
        let name = text.to_string_lossy().into_owned();
        let list = name.strip_suffix(TEXT_SUFFIX).unwrap_or(&name).to_string() + KERNELS_SUFFIX;
        write(Path::new(&list), lines.concat().as_bytes())?;
        write(&with_suffix(&text, ".h"), header(&name).as_bytes())?;
        Ok(text)
    }
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The header that names a text in the object, on the side of the host.
fn header(text: &str) -> String {
    let quoted = text.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "#ifndef __CUDA_ARCH__\n__attribute__((section(\"{SECTION}\"), used)) \
         static const char duet_cc_source[] = \"{quoted}\";\n#endif\n"
    )
}

/// The symbol of a kernel and the bytes of its parameters.
fn line_of(func: &Function) -> String {
    let mut line = func.symbol.clone();
    for (_, members) in duet_engine::programs::parameters(func) {
        let first = &func.params[members[0]];
        // Where the parts of a struct lie is not known here.
        let is_struct = members.len() > 1 || first.name.contains('.');
        let bytes = match first.kind {
            _ if is_struct => None,
            ParamKind::Scalar(value) => func.type_of(value).bytes(),
            ParamKind::Array(_) | ParamKind::Pointer(..) => Some(8),
        };
        line += &bytes.map_or(" ?".to_string(), |bytes| format!(" {bytes}"));
    }
    line
}
