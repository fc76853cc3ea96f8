//! `duet check`: is the kernel free of races, divergence and failed assertions?
//!
//! | file | holds |
//! |---|---|
//! | this one | the command: kernels are checked, what came of it is printed |
//! | `args` | the options |
//! | `changed` | the files that changed, or a part of them |
//! | `disagreement` | what is kept when the two ways of `--cross-check` disagree |
//! | `files`, `database`, `project` | which files, where there are several, and how a build and the project read them |
//! | `launches` | launches that are given |
//! | `merged` | one report for several files |
//! | `peer_options` | options of another verifier |
//! | `preconditions` | preconditions that the project file gives |
//! | `program` | the launches of the file's host code |
//! | `repro` | host programs that show a defect |
//! | `rounds` | how the kernels of a file share its time |

mod args;
mod changed;
mod database;
mod disagreement;
mod files;
mod launches;
mod merged;
mod peer_options;
mod preconditions;
mod program;
mod project;
mod repro;
mod rounds;

use std::panic::AssertUnwindSafe;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use duet_engine::Report;
use duet_engine::check::{
    CheckOptions, Fence, KernelReport, Session, SolverError, Verdict, check_kernel,
};
use duet_engine::load::{LoadError, LoadedFile, load};
use duet_engine::mend::{Checked, Confirm, Suggestion, is_mended, suggest_barriers};
use duet_engine::programs::{check_site, kernels_launch};
use duet_engine::requires::{check_admitting, check_with_precondition};
use duet_ir::{Diagnostic, Func, Module, Rule, WellFormed};
use duet_report::check::findings::{self, Findings};
use duet_report::check::{self as check_report, explain, fixes, order_fixes};
use duet_report::{Baseline, KernelResult, Run};

pub use args::Args;
use database::Database;
use files::Program;
pub use merged::Merged;
use program::Subject;
pub use program::{HostSide, Recorded};
use rounds::{Rounds, Tried};

use crate::ending;
use crate::exit::Exit;
use crate::input::frontend_args::{Failure, exit_for, load_unless};
use crate::input::sizes;
use crate::output;

/// Runs the command.
pub fn check(args: &'static Args) -> Exit {
    let mut own = args.clone();
    if let Err(message) = project::apply(&mut own) {
        return usage(&message);
    }
    let args: &'static Args = Box::leak(Box::new(own));
    let mut done = Merged::default();
    let prepared = files::files(args).and_then(|files| Ok((files, args.database()?)));
    let (files, database) = match prepared {
        Ok(prepared) => prepared,
        Err(message) => return usage(&message),
    };
    let database = database.as_ref();
    let mut files = files;
    match changed::keep(args, &mut files) {
        Ok(true) => {}
        // A part may be empty, and a change may concern no kernel: then there is nothing to say.
        Ok(false) => {
            done.print(args, false, Exit::Proved);
            return Exit::Proved;
        }
        Err(message) => return usage(&message),
    }
    let exit = match files.is_alone {
        true => {
            let one: &'static Args =
                Box::leak(Box::new(args.for_file(&args.frontend.file, database)));
            check_file(one, HostSide::of_file(one), &mut done)
        }
        false => {
            let programs = files.programs.iter();
            programs.fold(Exit::Proved, |exit, program| {
                exit.worse(check_program(args, program, database, &mut done))
            })
        }
    };
    // SOUNDNESS: where no kernel was judged nothing is proved (test
    // `nothing_checked_is_not_proved`).
    let says = if done.any { exit } else { exit.worse(Exit::Unproven) };
    done.print(args, files.is_alone, says);
    if done.any
        && let Err(message) = args.keep_baseline(&done.as_one(args, says))
    {
        return usage(&message);
    }
    if exit == Exit::Proved && !done.any {
        eprintln!("error: no kernel was checked");
        return Exit::Unproven;
    }
    exit
}

/// Checks the kernels of each file for the launches of all.
fn check_program(
    args: &Args,
    program: &Program,
    database: Option<&Database>,
    done: &mut Merged,
) -> Exit {
    let host = HostSide::of_files(args, &program.with_host, database);
    let mut opened = vec![];
    for file in &program.with_kernels {
        // What was done so far is printed from anywhere if the check is ended.
        let mut one = args.for_file(file, database);
        one.is_one_of_many = true;
        let one: &'static Args = Box::leak(Box::new(one));
        opened.push((one, open_file(one)));
    }
    // SOUNDNESS: what the host code launches is not all if a kernel of any file launches
    // kernels, so all files are read before the first is judged (test
    // `a_kernel_that_a_kernel_launches_is_judged_for_any_launch`).
    let kernels_launch = opened.iter().any(|(_, file)| file.kernels_launch())
        || program.not_asked_for().any(|file| {
            let loading = args.for_file(file, database).loading();
            match load(&loading) {
                Ok(loaded) => kernels_launch(&loaded.diagnostics),
                Err(LoadError::Unreadable(why)) => kernels_launch(&why),
                Err(_) => false,
            }
        });
    let host = if kernels_launch { host.with_kernels_that_launch() } else { host };
    opened.into_iter().fold(Exit::Proved, |exit, (one, file)| {
        exit.worse(match file {
            Opened::Read(file) => check_opened(one, *file, host.clone(), done),
            Opened::Unreadable(diagnostics) => unreadable(one, diagnostics, done),
            Opened::Ended(exit) => exit,
        })
    })
}

/// A file whose kernels were read, or were not.
enum Opened {
    /// It can be checked.
    Read(Box<OpenedFile>),
    /// It has errors, which are said in its turn.
    Unreadable(Vec<Diagnostic>),
    /// There is nothing to check, or an option is wrong.
    Ended(Exit),
}

struct OpenedFile {
    loaded: LoadedFile,
    baseline: Option<Baseline>,
}

impl Opened {
    fn kernels_launch(&self) -> bool {
        match self {
            Opened::Read(file) => kernels_launch(&file.loaded.diagnostics),
            Opened::Unreadable(diagnostics) => kernels_launch(diagnostics),
            Opened::Ended(_) => false,
        }
    }
}

/// Checks the kernels of one file.
pub fn check_file(args: &'static Args, host: HostSide, done: &mut Merged) -> Exit {
    match open_file(args) {
        Opened::Read(file) => check_opened(args, *file, host, done),
        Opened::Unreadable(diagnostics) => unreadable(args, diagnostics, done),
        Opened::Ended(exit) => exit,
    }
}

/// Reads the kernels of one file.
fn open_file(args: &'static Args) -> Opened {
    let loading = args.loading();
    // Wrong sizes are said before anything else is.
    if let Err(error) = loading.settled_sizes() {
        return Opened::Ended(usage(&sizes::refusal(&error)));
    }
    if let Some(message) = args.peer_options().refused() {
        return Opened::Ended(usage(&message));
    }
    if let Some(message) = args.missing_precondition() {
        return Opened::Ended(usage(&message));
    }
    let baseline = match args.baseline() {
        Ok(baseline) => baseline,
        Err(message) => return Opened::Ended(usage(&message)),
    };
    if !args.quiet {
        for note in args.notes() {
            eprintln!("note: {note}");
        }
    }
    // One file among many may have host code only.
    let is_host_only = |diagnostics: &[Diagnostic]| {
        args.is_one_of_many && diagnostics.iter().all(|one| one.rule == Rule::NoKernel)
    };
    let loaded = match load_unless(&loading, is_host_only) {
        Ok(loaded) => loaded,
        Err(Failure::Unreadable(diagnostics)) if is_host_only(&diagnostics) => {
            return Opened::Ended(Exit::Proved);
        }
        Err(Failure::Unreadable(diagnostics)) => return Opened::Unreadable(diagnostics),
        Err(failure @ Failure::Usage(_)) => return Opened::Ended(failure.exit()),
    };
    Opened::Read(Box::new(OpenedFile { loaded, baseline }))
}

/// Checks the kernels of a file that was read.
fn check_opened(args: &'static Args, file: OpenedFile, host: HostSide, done: &mut Merged) -> Exit {
    let OpenedFile { mut loaded, baseline } = file;
    let subjects = match program::subjects(args, &mut loaded, host) {
        Ok(subjects) => subjects,
        Err(message) => return usage(&message),
    };
    let loaded: &'static LoadedFile = Box::leak(Box::new(loaded));
    let module = &loaded.module;
    match check_kernels(args, loaded, &subjects) {
        Ok(reports) => {
            let (asides, reports) = without_asides(&subjects, reports);
            let file = &args.frontend.file;
            let replay = args.replay();
            let mut findings =
                findings::collect(file, loaded, &reports, &replay, baseline.as_ref());
            // A kernel that could not be read is not proved: the worst counts.
            let exit = reports
                .iter()
                .zip(&findings.run.kernels)
                .map(|((_, one), shown)| exit_of_shown(one, shown))
                .fold(exit_for(&loaded.diagnostics), Exit::worse);
            let says = if reports.is_empty() { exit.worse(Exit::Unproven) } else { exit };
            findings.run.exit_code = says as u8;
            done.any |= !reports.is_empty();
            print(args, loaded, &reports, &findings, done);
            let admitted = subjects.iter().filter(|one| one.is_aside).map(|one| &one.admitted);
            let counts: Vec<_> = admitted.map(|one| one.as_ref().map(|(_, n)| *n)).collect();
            print_asides(args, &asides, &counts);
            done.runs.push(findings.run.clone());
            match disagreement::compare_ways(args, &reports) {
                Ok(notes) => notes.iter().for_each(|note| eprintln!("note: {note}")),
                Err(message) => return usage(&message),
            }
            if let Some(folder) = &args.emit_repro {
                match repro::write(folder, &args.frontend, &loaded.macros, module, &reports) {
                    Ok(notes) => notes.iter().for_each(|note| eprintln!("note: {note}")),
                    Err(message) => return usage(&message),
                }
            }
            exit
        }
        Err(message) => usage(&message),
    }
}

/// Programs that read the output get it in their format too.
fn unreadable(args: &Args, diagnostics: Vec<Diagnostic>, done: &mut Merged) -> Exit {
    let exit = exit_for(&diagnostics);
    let run = Run {
        file: args.frontend.file.clone(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        exit_code: exit as u8,
        kernels: vec![],
        messages: diagnostics,
    };
    match args.format.as_str() {
        "json" if args.is_one_of_many => done.json.push(check_report::unreadable_json(&run)),
        "json" => output::print(&format!("{:#}\n", check_report::unreadable_json(&run))),
        "sarif" | "gitlab" if args.is_one_of_many => {}
        "human" | "html" => {}
        format => output::print(&rendered(args, format, &run)),
    }
    done.runs.push(run);
    exit
}

/// Reports, each of the kernel or the copy that it is about.
type Reports = Vec<(Func, Report)>;

/// The questions that were asked beside, and the others.
fn without_asides(subjects: &[Subject], reports: Reports) -> (Reports, Reports) {
    let marked: Vec<(bool, (Func, Report))> =
        subjects.iter().map(|subject| subject.is_aside).zip(reports).collect();
    let (asides, others): (Vec<_>, Vec<_>) = marked.into_iter().partition(|(aside, _)| *aside);
    let plain = |list: Vec<(bool, (Func, Report))>| list.into_iter().map(|(_, one)| one).collect();
    (plain(asides), plain(others))
}

/// A line for each kernel that was also judged for any launch, or under a precondition that
/// admits so many recorded ones.
fn print_asides(args: &Args, asides: &Reports, admitted: &[Option<usize>]) {
    if args.silent || args.quiet || args.format != "human" {
        return;
    }
    for ((_, report), count) in asides.iter().zip(admitted) {
        output::print(&match count {
            Some(count) => check_report::generalised(report, *count),
            None => check_report::aside(report),
        });
    }
}

/// A run in a format that `duet-report` renders.
fn rendered(args: &Args, format: &str, run: &Run) -> String {
    let mut sources = duet_report::Sources::default();
    match format {
        "sarif" => {
            let mut log = duet_report::render_sarif(run, &mut sources);
            if let Some(prefix) = &args.help_uri {
                duet_report::add_help_uris(&mut log, prefix);
            }
            format!("{log:#}\n")
        }
        "gitlab" => format!("{:#}\n", duet_report::render_gitlab(run, &mut sources)),
        _ => duet_report::render_github(run),
    }
}

fn usage(message: &str) -> Exit {
    eprintln!("error: {message}");
    Exit::Usage
}

/// Findings that the user accepts, all of them and with a reason, don't count.
fn exit_of_shown(report: &Report, shown: &KernelResult) -> Exit {
    if shown.is_accepted() { Exit::Proved } else { exit_of(report) }
}

fn exit_of(report: &Report) -> Exit {
    let is_internal = report.findings.iter().any(|finding| finding.rule == Rule::InternalError);
    match report.verdict {
        Verdict::Proved => Exit::Proved,
        _ if is_internal => Exit::Internal,
        Verdict::Refuted => Exit::Refuted,
        Verdict::Unproven | Verdict::Vacuous => Exit::Unproven,
    }
}

/// Checks all kernels, in source order. An error is one of usage.
fn check_kernels(
    args: &'static Args,
    loaded: &'static LoadedFile,
    subjects: &[Subject],
) -> Result<Vec<(Func, Report)>, String> {
    let module = &loaded.module;
    let kernels: Vec<Func> = subjects.iter().map(|subject| subject.kernel).collect();
    let progress = output::Progress::new(kernels.len());
    let slots: Slots = Arc::new(kernels.iter().map(|_| OnceLock::new()).collect());
    let done = Arc::clone(&slots);
    let all = kernels.clone();
    ending::set_last_deed(Some(Box::new(move || print_done(args, loaded, &all, &done))));
    // Kernels of a program whose launches are not followed take part in its time, too.
    let is_launched = |subject: &Subject| subject.site.is_some() || subject.options.host.is_some();
    let fence = args.file_fence(subjects.iter().any(is_launched));
    let workers = args.jobs().min(kernels.len());
    // Each worker has a solver of its own.
    let attempt = |session: &mut Option<Session>, number: usize, share: Fence| {
        progress.show(&module.functions[kernels[number]].name);
        let mut own = session.take().map_or_else(|| open_session(args), Ok)?;
        let subject = &subjects[number];
        let (mut report, is_usable) = check_one(&mut own, module, subject, share, args);
        report.assumptions.extend(loaded.beliefs());
        report.site = subject.site.as_ref().map(|(site, _)| site.clone());
        report.original = subject.site.as_ref().map(|(_, copies)| copies.original.clone());
        *session = is_usable.then_some(own);
        Ok::<_, String>(Tried { is_cut_short: is_cut_short(&report), result: report })
    };
    let shared: Vec<Func> = subjects.iter().map(Subject::what_is_shared).collect();
    let (order, fresh) = rounds::in_ranks(&shared);
    let rounds = Rounds { workers, order, fresh, fence };
    rounds.run(attempt, |number, report| {
        let _ = slots[number].set(report);
    })?;
    ending::set_last_deed(None);
    let reports = slots.iter().filter_map(|slot| slot.get().cloned());
    Ok(kernels.into_iter().zip(reports).collect())
}

/// Might the kernel have been decided with more time?
fn is_cut_short(report: &Report) -> bool {
    report.verdict == Verdict::Unproven
        && report.findings.iter().any(|finding| finding.rule == Rule::TimeLimit)
}

/// The reports of the kernels, as they come.
type Slots = Arc<Vec<OnceLock<Report>>>;

/// Prints what was found out before the program was ended.
fn print_done(args: &Args, loaded: &LoadedFile, kernels: &[Func], slots: &Slots) {
    let all = slots.len();
    let done = |(kernel, slot): (&Func, &OnceLock<Report>)| Some((*kernel, slot.get()?.clone()));
    let reports: Vec<(Func, Report)> = kernels.iter().zip(slots.iter()).filter_map(done).collect();
    eprintln!("error: ended by a signal: {} of {all} kernels were checked", reports.len());
    let findings = findings::collect(&args.frontend.file, loaded, &reports, &args.replay(), None);
    let mut done = Merged { runs: vec![findings.run.clone()], ..Merged::default() };
    print(args, loaded, &reports, &findings, &mut done);
    done.print(args, !args.is_one_of_many, Exit::Unproven);
}

fn open_session(args: &Args) -> Result<Session, String> {
    Session::with_options(&args.session())
        .map_err(|error| format!("{error}\nhelp: `duet doctor` says what is installed, and where"))
}

/// Checks one kernel; whatever goes wrong concerns this kernel alone. Also says
/// whether the session may be used again.
fn check_one(
    session: &mut Session,
    module: &WellFormed,
    subject: &Subject,
    fence: Fence,
    args: &Args,
) -> (Report, bool) {
    let (kernel, options) = (subject.kernel, &subject.options);
    let name = &module.functions[kernel].name;
    let launch = options.launch.clone();
    // All that is done for this kernel keeps to one fence, and all kernels to the file's.
    let begun = options.begun();
    let options = &CheckOptions { fence: begun.fence.nearer(fence), ..begun };
    let work = AssertUnwindSafe(|| {
        let mut report = match &subject.site {
            Some((_, copies)) => check_site(session, module, copies, options)?.into(),
            None if let Some((wanted, _)) = &subject.admitted => {
                check_admitting(session, module, kernel, options, wanted)?
            }
            None if args.infer_requires => {
                check_with_precondition(session, module, kernel, options)?
            }
            None => check_kernel(session, module, kernel, options)?.into(),
        };
        // An edit is checked for the launch that was given, not for those of the host code.
        if args.suggest_fixes && subject.site.is_none() {
            let is_confirmed = |session: &mut Session, one: &Suggestion| {
                is_confirmed(
                    session,
                    args,
                    Checked { module, kernel, report: &report },
                    options,
                    one,
                )
            };
            let may_stand = &fixes::may_stand;
            let found = suggest_barriers(
                session,
                module,
                kernel,
                options,
                &report,
                may_stand,
                &is_confirmed,
            )?;
            let order = order_fixes(module, kernel, &report, &fixes::source);
            let order = first_confirmed(session, options, order, &is_confirmed)?;
            report.suggestions = found.into_iter().chain(order).collect();
        }
        Ok(report)
    });
    match std::panic::catch_unwind(work) {
        Ok(Ok(report)) => (report, true),
        Ok(Err(error)) => (Report::from(KernelReport::broken_off(name, launch, &error)), false),
        Err(_) => {
            let what = "it panicked; the message is above".to_string();
            (Report::from(KernelReport::internal_error(name, launch, what)), false)
        }
    }
}

/// Of the suggestions for each finding, the first that is confirmed.
fn first_confirmed(
    session: &mut Session,
    options: &CheckOptions,
    findings: Vec<Vec<Suggestion>>,
    is_confirmed: Confirm<'_>,
) -> Result<Vec<Suggestion>, SolverError> {
    let mut confirmed = vec![];
    for suggestions in findings {
        for one in suggestions {
            if !options.fence.is_past() && is_confirmed(session, &one)? {
                confirmed.push(one);
                break;
            }
        }
    }
    Ok(confirmed)
}

/// Applies a suggested edit to a copy of the source and checks that.
fn is_confirmed(
    session: &mut Session,
    args: &Args,
    before: Checked<'_>,
    options: &CheckOptions,
    one: &Suggestion,
) -> Result<bool, SolverError> {
    let Some((file, fix, text)) = fixes::edited(one) else { return Ok(false) };
    let mut loading = args.loading();
    loading.reading.replaced.push((file, text));
    let Ok(loaded) = duet_engine::load::load(&loading) else { return Ok(false) };
    let symbol = &before.module.functions[before.kernel].symbol;
    let mut kernels = loaded.kernels().into_iter();
    let kernel = kernels.find(|&kernel| loaded.module.functions[kernel].symbol == *symbol);
    let Some(kernel) = kernel else { return Ok(false) };
    let options = CheckOptions { refute: false, explain: false, ..options.clone() };
    let report = check_kernel(session, &loaded.module, kernel, &options)?;
    let after = Checked { module: &loaded.module, kernel, report: &report };
    Ok(is_mended(before, after, one, fix.line))
}

fn print(
    args: &Args,
    loaded: &LoadedFile,
    reports: &[(Func, Report)],
    findings: &Findings,
    done: &mut Merged,
) {
    let run = &findings.run;
    let module = &loaded.module;
    if !args.silent {
        for note in findings.notes.iter().filter(|_| !args.quiet) {
            eprintln!("note: {note}");
        }
        match args.format.as_str() {
            "json" => {
                let json = check_report::json(&args.replay(), loaded, reports, run);
                match args.is_one_of_many {
                    true => done.json.push(json),
                    false => output::print(&format!("{json:#}\n")),
                }
            }
            "human" => print_kernels(args, module, reports, run),
            "html" => {}
            "sarif" | "gitlab" if args.is_one_of_many => {}
            format => output::print(&rendered(args, format, &run.without_repeats())),
        }
    }
    if args.timings {
        for (_, report) in reports {
            eprintln!("{}", check_report::timings(report, loaded.timings.clang));
        }
    }
    if let Some(label) = &args.time_as_csv {
        output::print(&csv(label, loaded, reports));
    }
}

fn print_kernels(args: &Args, module: &Module, reports: &[(Func, Report)], run: &Run) {
    let brief = run.without_repeats();
    let kernels = run.kernels.iter().zip(&brief.kernels);
    for ((kernel, report), (shown, brief)) in reports.iter().zip(kernels) {
        // What is proved is no news.
        if !args.quiet || exit_of_shown(report, shown) != Exit::Proved {
            print_kernel(args, module, *kernel, report, brief);
        }
    }
    if reports.len() > 1 && !args.quiet {
        output::print(&check_report::total(reports));
    }
}

fn print_kernel(args: &Args, module: &Module, kernel: Func, report: &Report, shown: &KernelResult) {
    let limit = args.error_limit;
    output::print_diagnostics(&check_report::diagnostics(shown, limit));
    output::print(&check_report::summary(module, report, limit));
    output::print(&findings::accepted(shown));
    if args.verbose {
        output::print(&check_report::details(module, kernel, report));
    }
    if args.infer_info {
        output::print(&check_report::invariants(report));
    }
    if args.explain {
        output::print(&explain::explanation(module, kernel, &report.asked));
    }
}

/// `LABEL,proved,0.051,0.214`.
fn csv(label: &str, loaded: &LoadedFile, reports: &[(Func, Report)]) -> String {
    let exit = reports.iter().map(|(_, one)| exit_of(one)).fold(Exit::Proved, Exit::worse);
    let verdict = match exit {
        Exit::Proved => "proved",
        Exit::Refuted => "refuted",
        _ => "unproven",
    };
    let check: Duration = reports.iter().map(|(_, report)| report.took).sum();
    let clang = loaded.timings.clang.as_secs_f64();
    format!("{label},{verdict},{clang:.3},{:.3}\n", check.as_secs_f64())
}
