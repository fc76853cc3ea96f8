//! Which solvers there are, and where: the order of places is that of `duet-tools`.

use super::SolverError;
use duet_tools::{Origin, Tool};
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
    /// All of them; the one that is preferred comes first.
    pub const ALL: [SolverKind; 3] = [SolverKind::Z3, SolverKind::Cvc5, SolverKind::Bitwuzla];

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
        SolverKind::ALL.into_iter().find(|kind| kind.name() == name)
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

    /// The environment variable that names the program.
    pub fn variable(self) -> &'static str {
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
    /// How it was found.
    pub origin: Origin,
}

impl Located {
    /// What it says its version is; "unknown" if it does not say. The program is asked
    /// for it, once, when it is needed, since that starts a process.
    pub fn version(&self) -> String {
        version(&self.program)
    }
}

/// Finds a solver. An explicit path or environment variable is taken as it is:
/// if it does not exist, that is an error, not a reason to look elsewhere.
pub fn locate(kind: SolverKind, explicit: Option<&Path>) -> Result<Located, SolverError> {
    let tool = Tool { name: kind.name(), variable: kind.variable() };
    match duet_tools::find(tool, explicit) {
        Ok(found) => Ok(Located { kind, program: found.program, origin: found.origin }),
        Err(missing) => Err(SolverError::NotInstalled {
            name: kind.name().into(),
            looked: missing.looked,
            named: missing.named,
        }),
    }
}

/// The solver that is asked when none was chosen: z3, or cvc5 where z3 is nowhere. A
/// variable that names a z3 that is not there is an error all the same.
pub fn preferred() -> SolverKind {
    match locate(SolverKind::Z3, None) {
        Err(SolverError::NotInstalled { named: false, .. })
            if locate(SolverKind::Cvc5, None).is_ok() =>
        {
            SolverKind::Cvc5
        }
        _ => SolverKind::Z3,
    }
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
