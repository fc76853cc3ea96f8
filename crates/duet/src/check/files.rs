//! The files that are checked together: those named, those in folders that are named, and
//! those in lists.

use std::path::{Path, PathBuf};

use super::Args;
use super::database::{self, Database};

/// The files that are checked.
pub struct Files {
    /// There is one, and it was named itself.
    pub is_alone: bool,
    /// The programs that they are parts of.
    pub programs: Vec<Program>,
}

/// The files of a program.
pub struct Program {
    /// Those that may hold kernels.
    pub with_kernels: Vec<PathBuf>,
    /// Those whose host code may launch kernels.
    pub with_host: Vec<PathBuf>,
}

impl Program {
    /// Files whose kernels are not to be checked this time, but may launch those that are.
    pub fn not_asked_for(&self) -> impl Iterator<Item = &PathBuf> {
        let left_out = self.with_host.iter().filter(|file| !self.with_kernels.contains(file));
        left_out.filter(|file| duet_engine::programs::may_have_kernels_that_launch(file))
    }
}

/// Endings of files that may hold kernels, and of those that hold host code only.
const KERNELS: &[&str] = &["cu", "cl", "bc"];
const HOST: &[&str] = &["cpp", "cc", "cxx", "c++"];

/// Finds the files.
pub fn files(args: &Args) -> Result<Files, String> {
    let named: Vec<&PathBuf> = std::iter::once(&args.frontend.file).chain(&args.more).collect();
    let is_plain = |path: &Path| {
        !path.is_dir() && !path.to_string_lossy().starts_with('@') && !is_database(path)
    };
    if let [one] = named.as_slice()
        && is_plain(one)
    {
        let program = Program { with_kernels: vec![(*one).clone()], with_host: vec![] };
        return Ok(Files { is_alone: true, programs: vec![program] });
    }
    let mut all = vec![];
    let mut programs = vec![];
    for name in named {
        match is_database(name) {
            true => programs.extend(Database::read(name)?.programs()),
            false => collect(name, &mut all)?,
        }
    }
    programs.extend((!all.is_empty()).then_some(all));
    let programs: Vec<Program> = programs.into_iter().map(program).collect();
    if programs.iter().all(|program| program.with_kernels.is_empty()) {
        return Err("no file that may hold kernels was named (.cu, .cl or .bc)".to_string());
    }
    Ok(Files { is_alone: false, programs })
}

/// Is it the database of a build, which names all its files?
fn is_database(path: &Path) -> bool {
    path.file_name().is_some_and(|name| name == database::NAME)
}

/// The files of a program by what they may hold.
fn program(all: Vec<PathBuf>) -> Program {
    let ends = |path: &PathBuf, endings: &[&str]| {
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
        ending.is_some_and(|ending| endings.contains(&ending.as_str()))
    };
    let with_kernels = all.iter().filter(|path| !ends(path, HOST)).cloned().collect();
    let with_host =
        all.iter().filter(|path| ends(path, HOST) || ends(path, &["cu"])).cloned().collect();
    Program { with_kernels, with_host }
}

fn collect(name: &Path, all: &mut Vec<PathBuf>) -> Result<(), String> {
    if let Some(list) = name.to_string_lossy().strip_prefix('@') {
        let text = std::fs::read_to_string(list).map_err(|error| format!("{list}: {error}"))?;
        let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
        return lines.map(Path::new).try_for_each(|name| collect(name, all));
    }
    if !name.is_dir() {
        all.push(name.to_path_buf());
        return Ok(());
    }
    let entries =
        std::fs::read_dir(name).map_err(|error| format!("{}: {error}", name.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    for path in paths {
        let ending = path.extension().map(|ending| ending.to_string_lossy().into_owned());
        let is_source = ending.is_some_and(|ending| {
            KERNELS.contains(&ending.as_str()) || HOST.contains(&ending.as_str())
        });
        if path.is_dir() || is_source {
            collect(&path, all)?;
        }
    }
    Ok(())
}
