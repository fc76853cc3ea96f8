//! Finding solvers: an explicit path, an environment variable, `.duet/` upwards
//! from the current folder, then `PATH`.

use super::SolverError;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;

/// A solver we know how to talk to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SolverKind {
    /// Everything; the default.
    Z3,
    /// Everything.
    Cvc5,
    /// Bit-vectors, arrays, functions; no integers.
    Bitwuzla,
}

impl SolverKind {
    /// The program's name.
    pub fn name(self) -> &'static str {
        match self {
            SolverKind::Z3 => "z3",
            SolverKind::Cvc5 => "cvc5",
            SolverKind::Bitwuzla => "bitwuzla",
        }
    }

    /// The kind of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [SolverKind::Z3, SolverKind::Cvc5, SolverKind::Bitwuzla]
            .into_iter()
            .find(|kind| kind.name() == name)
    }

    /// Whether it decides anything about integers.
    pub fn has_integers(self) -> bool {
        self != SolverKind::Bitwuzla
    }

    pub(super) fn arguments(self) -> &'static [&'static str] {
        match self {
            SolverKind::Z3 => &["-in", "-smt2"],
            SolverKind::Cvc5 => &["--incremental", "--lang=smt2", "-q"],
            SolverKind::Bitwuzla => &["--lang", "smt2"],
        }
    }

    fn variable(self) -> &'static str {
        match self {
            SolverKind::Z3 => "DUET_Z3",
            SolverKind::Cvc5 => "DUET_CVC5",
            SolverKind::Bitwuzla => "DUET_BITWUZLA",
        }
    }
}

/// An installed solver.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Located {
    /// How to talk to it.
    pub kind: SolverKind,
    /// The program.
    pub program: PathBuf,
    /// What it says its version is; "unknown" if it does not say.
    pub version: String,
}

/// Finds a solver. An explicit path or environment variable is taken as it is:
/// if it does not exist, that is an error, not a reason to look elsewhere.
pub fn locate(kind: SolverKind, explicit: Option<&Path>) -> Result<Located, SolverError> {
    let chosen = explicit
        .map(Path::to_path_buf)
        .or_else(|| std::env::var_os(kind.variable()).map(PathBuf::from));
    let places = match chosen {
        Some(path) => vec![path],
        None => usual_places(kind),
    };
    match places.iter().find(|p| p.is_file()) {
        Some(program) => {
            let version = version(program);
            Ok(Located { kind, program: program.clone(), version })
        }
        None => Err(SolverError::NotInstalled { name: kind.name().into(), looked: places }),
    }
}

fn usual_places(kind: SolverKind) -> Vec<PathBuf> {
    let name = kind.name();
    let here = std::env::current_dir().unwrap_or_default();
    let mut places: Vec<PathBuf> =
        here.ancestors().map(|dir| dir.join(".duet").join(name).join("bin").join(name)).collect();
    let path = std::env::var_os("PATH").unwrap_or_default();
    places.extend(std::env::split_paths(&path).map(|dir| dir.join(name)));
    places
}

/// The first number-like word of `--version`; asked once per program.
fn version(program: &Path) -> String {
    static KNOWN: Mutex<Vec<(PathBuf, String)>> = Mutex::new(Vec::new());
    let mut known = KNOWN.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
    if let Some((_, version)) = known.iter().find(|(p, _)| p == program) {
        return version.clone();
    }
    let version = ask_version(program).unwrap_or_else(|| "unknown".to_string());
    known.push((program.to_path_buf(), version.clone()));
    version
}

fn ask_version(program: &Path) -> Option<String> {
    let mut command = Command::new(program);
    command.arg("--version").stdin(Stdio::null()).stderr(Stdio::null());
    let output = super::process::output_within(command, std::time::Duration::from_secs(5))?;
    let text = String::from_utf8_lossy(&output).into_owned();
    let numeric =
        |word: &&str| word.contains('.') && word.starts_with(|c: char| c.is_ascii_digit());
    text.split_whitespace().find(numeric).map(str::to_string)
}
