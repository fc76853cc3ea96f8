//! `duet prove`: do kernels compute what their contracts say?

use std::panic::AssertUnwindSafe;
use std::path::{Path, PathBuf};
use std::time::Duration;

use duet_engine::check::{Session, Verdict};
use duet_engine::load::{LoadError, LoadOptions};
use duet_engine::prove::{
    Bound, ContractReport, LoadedContracts, Steps, describe_bad_contract, load_contracts,
    prove_kernel,
};
use duet_ir::{Diagnostic, Func};
use duet_report::prove as prove_report;

use crate::check;
use crate::exit::Exit;
use crate::input::frontend_args::{Failure, exit_for};
use crate::input::sizes;
use crate::output;

/// For each kernel, its check included, unless the user says otherwise: a fence for slow
/// machines, behind the limit of the work.
const TIME_LIMIT: Duration = Duration::from_secs(60);
/// Work of the check, and of each attempt at the proof: about ten seconds. What is not shown
/// by then rarely is.
const WORK: u64 = 100_000_000;

/// Options of `duet prove`.
#[derive(clap::Args)]
pub struct Args {
    /// The launch, annotations and solvers, as for `duet check`
    #[command(flatten)]
    check: check::Args,
    /// A file of contracts, for kernels whose source has none
    #[arg(long, value_name = "FILE")]
    contract: Option<PathBuf>,
    /// Leave out steps of the proof, for studies: inversion, digits, leaves, splitting, rounds
    #[arg(long, value_name = "NAME", value_delimiter = ',', value_parser = ["inversion", "digits", "leaves", "splitting", "rounds"])]
    without_steps: Vec<String>,
}

impl Args {
    fn steps(&self) -> Steps {
        let takes = |name: &str| !self.without_steps.iter().any(|one| one == name);
        Steps {
            inversion: takes("inversion"),
            digits: takes("digits"),
            leaves: takes("leaves"),
            splitting: takes("splitting"),
            rounds: takes("rounds"),
        }
    }
}

/// Runs the command.
pub fn prove(args: &Args) -> Exit {
    match prove_file(args) {
        Ok(exit) => exit,
        Err(failure) => failure.exit(),
    }
}

fn prove_file(given: &Args) -> Result<Exit, Failure> {
    let args = &given.check;
    let loaded = load(&args.loading(), given.contract.as_deref())?;
    let contracts = bound(&loaded)?;
    let mut session = Session::with_options(&args.session()).map_err(|error| error.to_string())?;
    let steps = given.steps();
    let mut reports = vec![];
    for (number, contract) in &contracts {
        let mut options = args.options(&loaded.file.module, contract.kernel, &loaded.file.sizes)?;
        if args.timeout.is_none() {
            options.time_limit = Some(TIME_LIMIT);
            options.work = options.work.min(WORK);
        }
        let work = AssertUnwindSafe(|| {
            prove_kernel(&mut session, &loaded.file.module, contract, &options.begun(), steps)
        });
        match std::panic::catch_unwind(work) {
            Ok(Ok(mut report)) => {
                report.assumptions.extend(loaded.file.beliefs());
                reports.push((*number, report));
            }
            Ok(Err(error)) => return Err(Failure::Usage(error.to_string())),
            Err(_) => return Ok(Exit::Internal),
        }
    }
    let exit = exit_of(&reports).worse(exit_for(&loaded.file.diagnostics));
    print(args, &loaded, &reports, exit);
    // SOUNDNESS: where no contract was judged nothing is proved (test
    // `nothing_to_prove_is_not_proved`).
    if reports.is_empty() {
        eprintln!("error: no kernel has a contract");
        return Ok(exit.worse(Exit::Unproven));
    }
    Ok(exit)
}

/// The contracts of the file's kernels, with the number of each.
fn bound<'l>(loaded: &'l LoadedContracts) -> Result<Vec<(usize, Bound<'l>)>, Failure> {
    let (mut found, mut errors) = (vec![], vec![]);
    for kernel in loaded.file.kernels() {
        match Bound::new(&loaded.file.module, kernel, &loaded.specs) {
            Ok(Some(contract)) => {
                let number = loaded.specs.iter().position(|one| std::ptr::eq(one, contract.spec));
                found.push((number.unwrap_or(0), contract));
            }
            Ok(None) => {}
            Err(bad) => errors.extend(bad.iter().map(|bad| {
                describe_bad_contract(bad, loaded.place(bad.spec, bad.error.span.start))
            })),
        }
    }
    errors.dedup();
    match errors.is_empty() {
        true => Ok(found),
        false => Err(unreadable(errors)),
    }
}

fn load(options: &LoadOptions, contracts: Option<&Path>) -> Result<LoadedContracts, Failure> {
    match load_contracts(options, contracts) {
        Ok(loaded) => {
            output::print_diagnostics(&loaded.file.diagnostics);
            Ok(loaded)
        }
        Err(LoadError::Sizes(error)) => Err(Failure::Usage(sizes::refusal(&error))),
        Err(LoadError::Unreadable(errors)) => Err(unreadable(errors)),
    }
}

fn unreadable(errors: Vec<Diagnostic>) -> Failure {
    output::print_diagnostics(&errors);
    Failure::Unreadable(errors)
}

fn exit_of(reports: &[(usize, ContractReport)]) -> Exit {
    let all = reports.iter().map(|(_, report)| match report.verdict {
        Verdict::Proved => Exit::Proved,
        Verdict::Refuted => Exit::Refuted,
        Verdict::Unproven | Verdict::Vacuous => Exit::Unproven,
    });
    all.fold(Exit::Proved, Exit::worse)
}

fn print(
    args: &check::Args,
    loaded: &LoadedContracts,
    reports: &[(usize, ContractReport)],
    exit: Exit,
) {
    let replay = args.replay();
    let run = prove_report::run(loaded, reports, &replay, exit as u8);
    match args.format.as_str() {
        "json" => {
            output::print(&format!("{:#}\n", prove_report::json(loaded, reports, &replay, &run)));
        }
        "human" => {
            for ((_, report), shown) in reports.iter().zip(&run.kernels) {
                let findings: Vec<Diagnostic> =
                    shown.findings.iter().map(|one| one.diagnostic.clone()).collect();
                output::print_diagnostics(&findings);
                output::print(&prove_report::summary(report, args.explain));
                if args.timings {
                    let check = report.check.as_ref().map_or(0, |check| check.took.as_millis());
                    eprintln!("check {check} ms, prove {} ms", report.took.as_millis());
                }
            }
        }
        format => {
            let mut sources = duet_report::Sources::default();
            output::print(&match format {
                "sarif" => format!("{:#}\n", duet_report::render_sarif(&run, &mut sources)),
                "html" => duet_report::render_html(&[run], &mut sources),
                _ => duet_report::render_github(&run),
            });
        }
    }
}

/// Prints the contracts of a file, with what their names are.
pub fn emit_contracts(args: &check::Args) -> Result<Exit, Failure> {
    let plain = LoadOptions::plain(args.frontend.file.clone(), args.frontend.options());
    let loaded = load(&plain, None)?;
    for (_, contract) in bound(&loaded)? {
        output::print(&describe(&loaded, contract.kernel, &contract));
    }
    Ok(exit_for(&loaded.file.diagnostics))
}

fn describe(loaded: &LoadedContracts, kernel: Func, contract: &Bound<'_>) -> String {
    let mut text = format!("kernel {}\n", loaded.file.module.functions[kernel].name);
    for (name, named) in &contract.names {
        text.push_str(&format!("  name {name}: {}\n", named.describe()));
    }
    for clause in &contract.contract().clauses {
        text.push_str(&format!("  {clause};\n"));
    }
    text
}
