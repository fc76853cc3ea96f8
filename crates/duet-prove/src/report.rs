//! What was found out about a kernel's contract: plain data, and the words for it.

use std::time::Duration;

use duet_check::{KernelReport, Verdict};
use duet_interp::ThreadPos;
use duet_ir::{Diagnostic, Func, Inst, Module, Rule, SourceSpan};
use duet_spec::Span;

use crate::contract::BadContract;
use crate::replay::Broken;

/// What was found out about the contract of one kernel.
#[derive(Clone, Debug)]
pub struct ContractReport {
    /// The kernel's name.
    pub name: String,
    /// The kernel.
    pub kernel: Func,
    /// The verdict over all clauses.
    pub verdict: Verdict,
    /// The check of the kernel under the contract; none if a run broke the contract first.
    pub check: Option<KernelReport>,
    /// Each clause that promises something.
    pub clauses: Vec<ClauseReport>,
    /// What the verdict takes for granted, beside what the check does.
    pub assumptions: Vec<String>,
    /// Runs that met the contract and were looked at.
    pub runs: u32,
    /// Questions of the proof: asked, and answered so that they prove something.
    pub questions: (u32, u32),
    /// Time spent, without the check.
    pub took: Duration,
}

/// A clause and what became of it.
#[derive(Clone, Debug)]
pub struct ClauseReport {
    /// Where it stands in the contract's text.
    pub span: Span,
    /// The clause, as text.
    pub text: String,
    /// What became of it.
    pub status: ClauseStatus,
}

/// What became of a clause.
#[derive(Clone, Debug)]
pub enum ClauseStatus {
    /// It holds; who writes the cells that it speaks of.
    Proved(Vec<String>),
    /// A run breaks it.
    Refuted(Box<Broken>),
    /// It was not shown: why, where, and what would help.
    Unproven {
        /// Why not.
        why: String,
        /// The place in the kernel that stood in the way.
        place: Option<Inst>,
        /// What to add.
        help: Option<String>,
    },
    /// No run was found that it says something about.
    Vacuous,
}

impl ClauseStatus {
    /// Not shown, for this reason.
    pub fn unproven(why: impl Into<String>) -> ClauseStatus {
        ClauseStatus::Unproven { why: why.into(), place: None, help: None }
    }

    /// The verdict on this clause alone.
    pub fn verdict(&self) -> Verdict {
        match self {
            ClauseStatus::Proved(_) => Verdict::Proved,
            ClauseStatus::Refuted(_) => Verdict::Refuted,
            ClauseStatus::Unproven { .. } => Verdict::Unproven,
            ClauseStatus::Vacuous => Verdict::Vacuous,
        }
    }
}

/// A clause that is not proved, in words; `command` repeats the run that breaks it.
pub fn describe_clause(
    module: &Module,
    report: &ContractReport,
    clause: &ClauseReport,
    place: Option<SourceSpan>,
    command: &dyn Fn(&Broken) -> String,
) -> Option<Diagnostic> {
    match &clause.status {
        ClauseStatus::Proved(_) => None,
        ClauseStatus::Refuted(broken) => {
            Some(describe_broken(module, report, broken, place, command(broken)))
        }
        ClauseStatus::Unproven { why, place: at, help } => {
            let headline = format!("`{}` may not keep its contract: {why}", report.name);
            let mut diagnostic = Diagnostic::new(Rule::ContractUnproven, headline).at(place);
            let func = &module.functions[report.kernel];
            if let Some(span) = at.and_then(|inst| module.span_of_inst(func, inst)) {
                diagnostic.secondary.push((span, "this is in the way".to_string()));
            }
            diagnostic.help = help.clone();
            Some(diagnostic)
        }
        ClauseStatus::Vacuous => {
            let headline = "no run was found that this clause says something about";
            Some(
                Diagnostic::new(Rule::Vacuous, headline)
                    .at(place)
                    .help("see whether `requires` and the guard can be met together"),
            )
        }
    }
}

fn describe_broken(
    module: &Module,
    report: &ContractReport,
    broken: &Broken,
    place: Option<SourceSpan>,
    command: String,
) -> Diagnostic {
    let headline = match &broken.instance.compared {
        Some((left, value, right, other)) => {
            format!("`{}` breaks its contract: {left} is {value}, {right} is {other}", report.name)
        }
        None => format!("`{}` breaks its contract", report.name),
    };
    let mut diagnostic = Diagnostic::new(Rule::ContractViolated, headline).at(place);
    diagnostic.notes.push(describe_launch(broken));
    let instance: Vec<String> = broken
        .instance
        .variables
        .iter()
        .map(|(name, value)| format!("{name} = {value}"))
        .chain(broken.ghosts.iter().map(|(name, value)| format!("{name} = {value}")))
        .collect();
    if !instance.is_empty() {
        diagnostic.notes.push(format!("the clause is false for {}", instance.join(", ")));
    }
    if let Some((array, index)) = &broken.cell {
        let who = match broken.writer {
            Some((thread, site)) => {
                let func = &module.functions[site.func];
                let line = module.span_of_inst(func, site.inst).map(|span| span.line);
                let line = line.map_or(String::new(), |line| format!(", line {line}"));
                format!("was written last by {}{line}", describe_thread(thread))
            }
            None => "was written by no thread".to_string(),
        };
        diagnostic.notes.push(format!("{array}[{index}] {who}"));
    }
    diagnostic.notes.push(format!("to see the run again:\n{command}"));
    diagnostic.help = Rule::ContractViolated.help(module.language).map(str::to_string);
    diagnostic
}

fn describe_thread(thread: ThreadPos) -> String {
    let show = |ids: [u32; 3]| match ids {
        [x, 0, 0] => x.to_string(),
        [x, y, 0] => format!("({x}, {y})"),
        [x, y, z] => format!("({x}, {y}, {z})"),
    };
    format!("thread {} of block {}", show(thread.thread), show(thread.block))
}

fn describe_launch(broken: &Broken) -> String {
    let launch = &broken.run.launch;
    let show = |sizes: [u32; 3]| match sizes {
        [x, 1, 1] => x.to_string(),
        [x, y, 1] => format!("{x} x {y}"),
        [x, y, z] => format!("{x} x {y} x {z}"),
    };
    format!("with {} blocks of {} threads", show(launch.grid), show(launch.block))
}

/// What is wrong with a contract at this place, in words.
pub fn describe_bad_contract(bad: &BadContract, at: SourceSpan) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(Rule::BadContract, bad.error.message.clone()).at(Some(at));
    diagnostic.help = bad.error.help.clone();
    diagnostic
}
