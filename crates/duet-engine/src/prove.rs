//! Contracts of a file: read with it, with what is wrong with them in the user's words.

use duet_ir::{Diagnostic, Rule};
use duet_spec::{SpecError, SpecText, scan, with_captures};

pub use duet_prove::{
    BadContract, Bound, Broken, ClauseReport, ClauseStatus, ContractReport, describe_bad_contract,
    describe_clause, place_in, proofs_say, prove_kernel, runs_say,
};

use crate::load::{LoadError, LoadOptions, LoadedFile, load};

/// A file with its contracts.
pub struct LoadedContracts {
    /// The file.
    pub file: LoadedFile,
    /// Its text.
    pub source: String,
    /// Its contracts; captures name them by their numbers.
    pub specs: Vec<SpecText>,
}

/// Loads a file with its contracts.
///
/// # Errors
/// Those of [`load`], and contracts that cannot be read.
pub fn load_contracts(options: &LoadOptions) -> Result<LoadedContracts, LoadError> {
    let source = match std::fs::read_to_string(&options.file) {
        Ok(source) => source,
        // The usual way says what is wrong with the file.
        Err(_) => {
            let file = load(options)?;
            return Ok(LoadedContracts { file, source: String::new(), specs: vec![] });
        }
    };
    let scanned = scan(&source);
    if !scanned.errors.is_empty() {
        let all = scanned.errors.iter().map(|error| bad(options, &source, error));
        return Err(LoadError::Unreadable(all.collect()));
    }
    let mut options = options.clone();
    let text = with_captures(&source, &scanned.specs);
    options.reading.replaced.push((options.file.clone(), text));
    let file = load(&options).map_err(|error| match error {
        LoadError::Unreadable(all) => LoadError::Unreadable(
            all.into_iter().map(|one| moved(&options, &source, &scanned.specs, one)).collect(),
        ),
        LoadError::Sizes(_) => error,
    })?;
    Ok(LoadedContracts { file, source, specs: scanned.specs })
}

fn bad(options: &LoadOptions, source: &str, error: &SpecError) -> Diagnostic {
    let at = place_in(&options.file, source, error.span.start);
    let mut diagnostic = Diagnostic::new(Rule::BadContract, error.message.clone()).at(Some(at));
    diagnostic.help = error.help.clone();
    diagnostic
}

/// An error of the compiler about a captured name is one about the contract.
fn moved(
    options: &LoadOptions,
    source: &str,
    specs: &[SpecText],
    diagnostic: Diagnostic,
) -> Diagnostic {
    let line = diagnostic.primary.as_ref().map(|span| span.line);
    for spec in specs {
        let body = place_in(&options.file, source, spec.body);
        let about = spec.captures.iter().find(|capture| {
            let root = capture.name.split(['.', '(']).next().unwrap_or_default();
            diagnostic.headline.contains(&format!("'{root}'"))
        });
        if let (Some(capture), true) = (about, line == Some(body.line)) {
            let message = format!("`{}` is unknown", capture.name);
            let at = place_in(&options.file, source, spec.start + capture.span.start);
            return Diagnostic::new(Rule::BadContract, message)
                .at(Some(at))
                .note(format!("clang says: {}", diagnostic.headline));
        }
    }
    diagnostic
}
