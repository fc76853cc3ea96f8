//! `duet lint`: barriers that a proved kernel could do without.

use duet_engine::check::{CheckOptions, Session, Verdict, check_kernel};
use duet_engine::load::LoadedFile;
use duet_engine::mend::{RedundantBarrier, redundant_barriers};
use duet_ir::{Diagnostic, Func, Language, Rule};
use serde_json::{Value, json};

use crate::check;
use crate::exit::Exit;
use crate::input::frontend_args::{exit_for, load};
use crate::output;

/// Options of `duet lint`.
#[derive(clap::Args)]
pub struct Args {
    /// The launch, annotations and solvers, as for `duet check`
    #[command(flatten)]
    check: check::Args,
}

/// What came of a kernel: nothing if it is not proved.
struct Linted {
    kernel: String,
    language: Language,
    found: Option<Vec<RedundantBarrier>>,
}

/// Runs the command.
pub fn lint(args: &Args) -> Exit {
    match lint_kernels(&args.check) {
        Ok((linted, exit)) => {
            print(&args.check, &linted);
            let unproven = linted.iter().any(|one| one.found.is_none());
            let found = linted.iter().flat_map(|one| &one.found).any(|list| !list.is_empty());
            let own = match (found, unproven) {
                (true, _) => Exit::Refuted,
                (false, true) => Exit::Unproven,
                (false, false) => Exit::Proved,
            };
            own.worse(exit)
        }
        Err(exit) => exit,
    }
}

fn usage(message: &str) -> Exit {
    eprintln!("error: {message}");
    Exit::Usage
}

fn lint_kernels(args: &check::Args) -> Result<(Vec<Linted>, Exit), Exit> {
    let loaded = load(&args.loading()).map_err(|failure| failure.exit())?;
    if let Some(note) = args.solver_note() {
        eprintln!("note: {note}");
    }
    let session = Session::with_options(&args.session());
    let mut session = session.map_err(|error| usage(&error.to_string()))?;
    let mut list = vec![];
    for (kernel, func) in loaded.module.kernels() {
        let found = lint_kernel(args, &mut session, &loaded, kernel)?;
        let language = loaded.module.language;
        list.push(Linted { kernel: func.name.clone(), language, found });
    }
    Ok((list, exit_for(&loaded.diagnostics)))
}

/// The barriers that could go; `None` if the kernel is not proved as it is.
fn lint_kernel(
    args: &check::Args,
    session: &mut Session,
    loaded: &LoadedFile,
    kernel: Func,
) -> Result<Option<Vec<RedundantBarrier>>, Exit> {
    let module = &loaded.module;
    let options = args.options(module, kernel, &loaded.sizes).map_err(|why| usage(&why))?;
    let options = CheckOptions { refute: false, ..options };
    let broken = |error: duet_engine::check::SolverError| usage(&error.to_string());
    let report = check_kernel(session, module, kernel, &options).map_err(broken)?;
    if report.verdict != Verdict::Proved {
        return Ok(None);
    }
    redundant_barriers(session, module, kernel, &options, &report).map(Some).map_err(broken)
}

fn print(args: &check::Args, linted: &[Linted]) {
    if args.format == "json" {
        let kernels: Vec<Value> = linted.iter().map(kernel_json).collect();
        let file = args.frontend.file.display().to_string();
        let all = json!({ "version": 1, "file": file, "kernels": kernels });
        return output::print(&format!("{all:#}\n"));
    }
    for one in linted {
        match &one.found {
            None => output::print(&format!("{}: not proved, so nothing is known\n", one.kernel)),
            Some(found) => {
                let messages: Vec<Diagnostic> =
                    found.iter().map(|barrier| message(one, barrier)).collect();
                output::print_diagnostics(&messages);
                let count = found.len();
                let plural = if count == 1 { "" } else { "s" };
                output::print(&format!("{}: {count} redundant barrier{plural}\n", one.kernel));
            }
        }
    }
}

fn message(one: &Linted, barrier: &RedundantBarrier) -> Diagnostic {
    Diagnostic::usual(Rule::RedundantBarrier, one.language)
        .at(Some(barrier.span.clone()))
        .note(format!("in kernel `{}`", one.kernel))
}

fn kernel_json(one: &Linted) -> Value {
    let findings: Option<Vec<Value>> = one.found.as_ref().map(|found| {
        let messages = found.iter().map(|barrier| message(one, barrier));
        messages.map(|message| duet_report::diagnostic_to_json(&message)).collect()
    });
    json!({
        "name": one.kernel,
        "proved": findings.is_some(),
        "findings": findings.unwrap_or_default(),
    })
}
