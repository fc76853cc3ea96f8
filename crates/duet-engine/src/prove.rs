//! Contracts of a file: read with it, with what is wrong with them in the user's words.

use std::path::{Path, PathBuf};

use duet_ir::{Diagnostic, Rule, SourceSpan};
use duet_spec::{SpecError, SpecText, beside, scan, with_captures};

pub use duet_prove::{
    BadContract, Bound, Broken, ClauseReport, ClauseStatus, ContractReport, Steps,
    describe_bad_contract, describe_clause, proofs_say, prove_kernel, runs_say,
};

use crate::load::{LoadError, LoadOptions, LoadedFile, load};

/// A file with its contracts.
pub struct LoadedContracts {
    /// The file.
    pub file: LoadedFile,
    /// Its contracts; captures name them by their numbers.
    pub specs: Vec<SpecText>,
    texts: Texts,
}

/// What contracts stand in.
struct Texts {
    source: (PathBuf, String),
    /// A file of contracts.
    beside: Option<(PathBuf, String)>,
}

impl LoadedContracts {
    /// The place of a byte of a contract's text.
    pub fn place(&self, spec: usize, at: usize) -> SourceSpan {
        match self.specs.get(spec) {
            Some(spec) => self.texts.place(spec, at),
            None => place_in(&self.texts.source, at),
        }
    }
}

impl Texts {
    fn place(&self, spec: &SpecText, at: usize) -> SourceSpan {
        let own = if spec.is_beside { self.beside.as_ref() } else { None };
        place_in(own.unwrap_or(&self.source), spec.start + at)
    }
}

/// Loads a file with its contracts, those in its comments and those in a file of contracts.
///
/// # Errors
/// Those of [`load`], and contracts that cannot be read.
pub fn load_contracts(
    options: &LoadOptions,
    contracts: Option<&Path>,
) -> Result<LoadedContracts, LoadError> {
    let mut texts = Texts { source: (options.file.clone(), String::new()), beside: None };
    match std::fs::read_to_string(&options.file) {
        Ok(source) => texts.source.1 = source,
        // The usual way says what is wrong with the file.
        Err(_) => return Ok(LoadedContracts { file: load(options)?, specs: vec![], texts }),
    }
    let scanned = scan(&texts.source.1);
    if !scanned.errors.is_empty() {
        return Err(bad(&texts.source, &scanned.errors));
    }
    let mut specs = scanned.specs;
    if let Some(path) = contracts {
        let text = std::fs::read_to_string(path).map_err(|error| unreadable(path, &error))?;
        let own = texts.beside.insert((path.to_path_buf(), text));
        specs.extend(beside(&own.1, &texts.source.1).map_err(|errors| bad(own, &errors))?);
    }
    let mut options = options.clone();
    let text = with_captures(&texts.source.1, &specs);
    options.reading.replaced.push((options.file.clone(), text));
    let file = load(&options).map_err(|error| match error {
        LoadError::Unreadable(all) => {
            LoadError::Unreadable(all.into_iter().map(|one| moved(&texts, &specs, one)).collect())
        }
        LoadError::Sizes(_) => error,
    })?;
    Ok(LoadedContracts { file, specs, texts })
}

fn unreadable(path: &Path, error: &std::io::Error) -> LoadError {
    let message = format!("{}: {error}", path.display());
    LoadError::Unreadable(vec![Diagnostic::new(Rule::UnreadableInput, message)])
}

fn bad(text: &(PathBuf, String), errors: &[SpecError]) -> LoadError {
    let all = errors.iter().map(|error| {
        let at = place_in(text, error.span.start);
        let mut diagnostic = Diagnostic::new(Rule::BadContract, error.message.clone()).at(Some(at));
        diagnostic.help = error.help.clone();
        diagnostic
    });
    LoadError::Unreadable(all.collect())
}

fn place_in((file, text): &(PathBuf, String), at: usize) -> SourceSpan {
    let before = &text.as_bytes()[..at.min(text.len())];
    let line = 1 + before.iter().filter(|byte| **byte == b'\n').count();
    let column = 1 + before.iter().rev().take_while(|byte| **byte != b'\n').count();
    SourceSpan { file: file.clone(), line: line as u32, column: column as u32 }
}

/// An error of the compiler about a captured name is one about the contract.
fn moved(texts: &Texts, specs: &[SpecText], diagnostic: Diagnostic) -> Diagnostic {
    let line = diagnostic.primary.as_ref().map(|span| span.line);
    for spec in specs {
        let body = place_in(&texts.source, spec.body);
        let about = spec.captures.iter().find(|capture| {
            let root = capture.name.split(['.', '(']).next().unwrap_or_default();
            diagnostic.headline.contains(&format!("'{root}'"))
        });
        if let (Some(capture), true) = (about, line == Some(body.line)) {
            let message = format!("`{}` is unknown", capture.name);
            let at = texts.place(spec, capture.span.start);
            return Diagnostic::new(Rule::BadContract, message)
                .at(Some(at))
                .note(format!("clang says: {}", diagnostic.headline));
        }
    }
    diagnostic
}
