//! `duet check`: is the kernel free of races, divergence and failed assertions?

use std::time::Duration;

use duet_engine::check::{
    CheckOptions, Finding, KernelReport, Session, Verdict, Why, check_kernel, launch_spec,
};
use duet_ir::{Diagnostic, Func, Module, Severity};
use serde_json::{Value, json};

use crate::exit::Exit;
use crate::frontend_args::{FrontendArgs, exit_for};
use crate::output;
use crate::sizes::SizeArgs;

/// Options of `duet check`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    frontend: FrontendArgs,
    #[command(flatten)]
    sizes: SizeArgs,
    /// Two writes of the same value are a race too
    #[arg(long)]
    no_benign_tolerance: bool,
    /// Check only pairs of threads within a block
    #[arg(long)]
    only_intra_group: bool,
    /// How to print: human or json
    #[arg(long, value_name = "FORMAT", default_value = "human", value_parser = ["human", "json"])]
    format: String,
    /// Show the time spent in each stage
    #[arg(long)]
    timings: bool,
}

/// Runs the command.
pub fn check(args: &Args) -> Exit {
    let language = args.frontend.guess_language();
    let sizes = args.sizes.sizes();
    let loaded = match args.frontend.load(sizes.macros(language)) {
        Ok(loaded) => loaded,
        Err(exit) => return exit,
    };
    let mut session = match Session::new() {
        Ok(session) => session,
        Err(error) => {
            eprintln!("error: {error}");
            return Exit::BadInput;
        }
    };
    let module: &Module = &loaded.module;
    let kernels: Vec<Func> = module.kernels().map(|(id, _)| id).collect();
    let mut exit = exit_for(&loaded.diagnostics);
    let mut reports = vec![];
    for kernel in kernels {
        let options = CheckOptions {
            launch: launch_spec(&module.functions[kernel], &sizes),
            tolerate_benign: !args.no_benign_tolerance,
            only_intra_group: args.only_intra_group,
            scalar_args: vec![],
        };
        match check_kernel(&mut session, module, kernel, &options) {
            Ok(report) => {
                if report.verdict != Verdict::Proved {
                    exit = exit.max(Exit::Unproven);
                }
                reports.push((kernel, report));
            }
            Err(error) => {
                eprintln!("error: {error}");
                return Exit::Internal;
            }
        }
    }
    match args.format.as_str() {
        "json" => output::print(&format!("{:#}\n", json_report(args, module, &reports))),
        _ => print_human(args, module, &reports, loaded.timings.clang),
    }
    exit
}

fn print_human(args: &Args, module: &Module, reports: &[(Func, KernelReport)], clang: Duration) {
    for (kernel, report) in reports {
        let diagnostics: Vec<Diagnostic> =
            report.findings.iter().map(|finding| diagnostic(module, *kernel, finding)).collect();
        output::print_diagnostics(&diagnostics);
        output::print(&summary(report));
        if args.timings {
            let decided: Vec<String> =
                report.decided.iter().map(|(who, count)| format!("{who} {count}")).collect();
            eprintln!(
                "clang {clang:?}, check {:?}, {} invariants, decided by: {}",
                report.took,
                report.invariants,
                decided.join(", ")
            );
        }
    }
}

fn summary(report: &KernelReport) -> String {
    let verdict = verdict_word(report.verdict);
    let mut text = format!("{}: {verdict}\n", report.name);
    if report.verdict == Verdict::Proved {
        for assumption in &report.assumptions {
            text.push_str(&format!("  assuming that {assumption}\n"));
        }
    }
    text
}

fn verdict_word(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Proved => "proved",
        Verdict::Unproven => "unproven",
        Verdict::Vacuous => "vacuous: the launch and the preconditions contradict each other",
    }
}

fn diagnostic(module: &Module, kernel: Func, finding: &Finding) -> Diagnostic {
    let func = &module.functions[kernel];
    let span = |inst| duet_frontend::source_span(module, func.inst_locs[inst]);
    let mut diagnostic = Diagnostic::error(finding.rule, headline(finding.rule));
    diagnostic.severity = Severity::Warning;
    diagnostic.primary = span(finding.primary);
    if let Some(second) = finding.secondary.and_then(span) {
        diagnostic.secondary.push((second, "the other thread is here".to_string()));
    }
    match &finding.why {
        Why::Model(values) => {
            let values: Vec<String> =
                values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            diagnostic.note(format!("not proved: a state that breaks it: {}", values.join(", ")))
        }
        Why::Solver(reason) => {
            diagnostic.note(format!("not proved: the solver gave up ({reason})"))
        }
        Why::NotModelled(what) => {
            diagnostic.note(format!("not proved: Duet does not model {what}"))
        }
    }
}

fn headline(rule: &str) -> &'static str {
    match rule {
        "write-write-race" => "two threads may write the same element",
        "read-write-race" => "a thread may read what another writes",
        "atomic-race" => "a plain access may conflict with an atomic one",
        "barrier-divergence" => "threads may wait at different barriers",
        "exit-before-barrier" => "a thread may return before a barrier others wait at",
        "assertion-failed" => "an assertion may fail",
        "invalid-pointer" => "a pointer may be null or point nowhere",
        "constant-write" => "constant memory may be written",
        "division-by-zero" => "a divisor may be zero",
        _ => "this is not covered",
    }
}

fn json_report(args: &Args, module: &Module, reports: &[(Func, KernelReport)]) -> Value {
    let kernels: Vec<Value> = reports
        .iter()
        .map(|(kernel, report)| {
            let findings: Vec<Value> = report
                .findings
                .iter()
                .map(|finding| {
                    let mut value =
                        duet_report::diagnostic_to_json(&diagnostic(module, *kernel, finding));
                    value["status"] = json!("unproven");
                    value
                })
                .collect();
            json!({
                "name": report.name,
                "verdict": verdict_word(report.verdict),
                "assumptions": report.assumptions,
                "findings": findings,
                "timings": { "check_ms": report.took.as_secs_f64() * 1000.0 },
            })
        })
        .collect();
    json!({ "version": 1, "file": args.frontend.file.display().to_string(), "kernels": kernels })
}
