//! Refutation: a finding is called refuted only if a run of the interpreter shows
//! the defect.
//!
//! Input: the findings of a check, with the states that the solver gave for them.
//! Output: the same findings, those that a run showed with that run
//! ([`Why::Run`]), and defects that runs showed beside them. Runs are looked for
//! by [`search`], judged by [`evidence`], made small by [`shrink`]; [`path`] tells
//! how the threads got there, [`command`] how to repeat it.
//!
//! A run executes the kernel, so this can only ever confirm: it is an
//! under-approximation, and says nothing about what it does not find. It costs
//! nothing for a kernel without findings.

mod aliases;
mod arguments;
mod command;
mod contents;
mod evidence;
mod launches;
mod met;
mod path;
mod repro;
mod run;
mod sample;
mod search;
mod shrink;
mod small_runs;
mod unless;

use duet_analysis::Uniformity;
use duet_ir::{BarrierScope, Block, Func, Function, InstData, Language, Severity, WellFormed};

pub use command::{command_line, fill_text, own_name};
pub use evidence::Defect;
pub use path::Path;
pub use repro::{Compiling, Repro, reproduction};
pub use run::Run;
pub(crate) use sample::Judgement;

use crate::check::{CheckOptions, Finding, Why, Witness};
use arguments::Comparison;
use duet_interp::{FindingKind, Outcome};
use search::{Search, Shown};

/// A run that shows a defect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The run.
    pub run: Run,
    /// What it shows.
    pub defect: Defect,
    /// How each thread got there, in the order of [`Defect::threads`].
    pub paths: Vec<Path>,
    /// A condition on free sizes under which no run showed it.
    pub not_seen_if: Option<String>,
    /// The weight of the run before it was made smaller.
    pub first_weight: (u64, u128, u64),
}

/// A kernel whose findings are looked at.
pub(crate) struct Subject<'a> {
    pub(crate) module: &'a WellFormed,
    pub(crate) kernel: Func,
    pub(crate) func: &'a Function,
    pub(crate) options: &'a CheckOptions,
    /// What preconditions compare with constants.
    comparisons: Vec<Comparison>,
    /// Numbers in the kernel.
    constants: Vec<u32>,
    /// Are there preconditions or assumptions?
    has_assumptions: bool,
    /// Are they all in the kernel's first block, and the same for all threads? Then
    /// they hold once a thread has passed them.
    assumptions_come_first: bool,
    /// Can a thread run by itself, as nobody waits for others?
    may_run_some_threads: bool,
    /// May only some blocks be run?
    may_run_some_blocks: bool,
    /// Is a run without findings the same in every order of threads? Only what
    /// atomics yield, and when copies are done, depends on it.
    is_deterministic: bool,
}

impl<'a> Subject<'a> {
    /// A kernel, with what a search for runs wants to know of it.
    pub(crate) fn new(
        module: &'a WellFormed,
        kernel: Func,
        options: &'a CheckOptions,
        uniformity: &Uniformity,
    ) -> Subject<'a> {
        let func = &module.functions[kernel];
        let any = |is: fn(&InstData) -> bool| func.insts_in_order().any(|i| is(&func.insts[i]));
        let has_assumptions = any(evidence::is_assumption);
        Subject {
            module,
            kernel,
            func,
            options,
            comparisons: arguments::comparisons(func),
            constants: arguments::constants(func),
            has_assumptions,
            assumptions_come_first: assumptions_are_uniform(func, uniformity)
                && assumptions_are_in(func, func.entry()),
            may_run_some_threads: assumptions_are_uniform(func, uniformity)
                && !any(InstData::involves_other_threads),
            is_deterministic: !any(depends_on_order),
            may_run_some_blocks: !has_grid_barrier(func)
                && assumptions_are_uniform(func, uniformity),
        }
    }

    /// Does a run of the interpreter show what the kernel does?
    ///
    /// SOUNDNESS: a run that makes up what an unknown function yields shows nothing of
    /// the function that will be linked (kernels/soundness/42-unknown-function-fine).
    fn can_be_judged_by_runs(&self) -> bool {
        !duet_interp::skips_assumptions(self.module, self.kernel)
            && !duet_interp::makes_up_results(self.module, self.kernel)
    }

    /// Do a few small runs show an error?
    pub(crate) fn fails_soon(&self, findings: &[Finding], example: Option<&Witness>) -> bool {
        if !self.can_be_judged_by_runs() {
            return false;
        }
        let shown = Search::new(self, findings, models_of(findings, example)).run_briefly();
        let is_error = |defect: &Defect| self.severity(defect) == Severity::Error;
        shown.iter().any(|one| {
            one.findings.iter().map(|(_, defect)| defect).chain(&one.further).any(is_error)
        })
    }

    /// The size of warps that are assumed to run in lock step: runs do so too.
    fn lock_step(&self) -> Option<u32> {
        self.options.warp_sync.filter(|size| *size > 1)
    }

    /// Are defects that no finding is about worth findings of their own?
    fn adds_defects(&self, outcome: &Outcome) -> bool {
        // Threads that returned early take part in no barrier: whether their
        // accesses are ordered is a matter of that rule, not of another race.
        let left = |kind: &FindingKind| matches!(kind, FindingKind::ExitBeforeBarrier { .. });
        let any_left = outcome.findings.iter().any(|finding| left(&finding.kind));
        !any_left || self.options.strict || self.module.language == Language::OpenCl
    }
}

/// May what the instruction yields or does depend on the order of threads, in runs
/// without races?
fn depends_on_order(data: &InstData) -> bool {
    data.accesses().iter().any(|(mode, _)| mode.is_atomic() || mode.is_copy())
}

/// Are all preconditions and assumptions in this block?
fn assumptions_are_in(func: &Function, block: Block) -> bool {
    let elsewhere = func.layout.iter().filter(|&&other| other != block);
    elsewhere
        .flat_map(|&other| &func.blocks[other].insts)
        .all(|&inst| !evidence::is_assumption(&func.insts[inst]))
}

fn has_grid_barrier(func: &Function) -> bool {
    func.insts.values().any(|data| data.barrier_scope() == Some(BarrierScope::Grid))
}

/// Does each precondition and assumption hold for all threads or for none? Then it
/// is enough that the threads of some blocks meet it.
fn assumptions_are_uniform(func: &Function, uniformity: &Uniformity) -> bool {
    func.layout.iter().all(|&block| {
        func.blocks[block].insts.iter().all(|&inst| {
            let data = &func.insts[inst];
            !evidence::is_assumption(data)
                || (!uniformity.may_be_divergent_block(block, BarrierScope::Grid)
                    && data
                        .values()
                        .iter()
                        .all(|&value| !uniformity.may_be_divergent(value, BarrierScope::Grid)))
        })
    })
}

/// Looks for runs that show the findings, and puts them into the findings.
pub(crate) fn refute(
    subject: &Subject<'_>,
    example: Option<&Witness>,
    findings: &mut Vec<Finding>,
) {
    if !subject.can_be_judged_by_runs() {
        return;
    }
    let models = models_of(findings, example);
    let all = Search::new(subject, findings, models.clone()).run();
    let made_small: Vec<Small> = all
        .into_iter()
        .map(|shown| {
            let first_weight = shown.run.weight();
            let shown = shrink::shrink(subject, shown);
            let not_seen_if = subject.not_seen_if(&shown, findings, &models);
            Small { shown, first_weight, not_seen_if }
        })
        .collect();
    for small in made_small {
        confirm(subject, small, findings);
    }
}

/// The states of findings and of an example, each once, not too many.
fn models_of<'a>(findings: &'a [Finding], example: Option<&'a Witness>) -> Vec<&'a Witness> {
    let mut models: Vec<&Witness> = vec![];
    let of_findings = findings.iter().filter_map(|finding| match &finding.why {
        Why::Model(witness) => Some(&**witness),
        _ => None,
    });
    for model in of_findings.chain(example) {
        if !models.contains(&model) && models.len() < 8 {
            models.push(model);
        }
    }
    models
}

/// A run that was made small.
struct Small {
    shown: Shown,
    first_weight: (u64, u128, u64),
    not_seen_if: Option<String>,
}

/// Puts what a run showed into the findings.
fn confirm(subject: &Subject<'_>, small: Small, findings: &mut Vec<Finding>) {
    let Small { shown, first_weight, not_seen_if } = small;
    let run = shown.run;
    let evidence = |defect: Defect| {
        let paths = path::paths(subject, &run, &defect);
        let (run, not_seen_if) = (run.clone(), not_seen_if.clone());
        Why::Run(Box::new(Evidence { run, defect, paths, not_seen_if, first_weight }))
    };
    for (number, defect) in shown.findings {
        let defect = defect.towards(&findings[number]);
        findings[number].why = evidence(defect);
    }
    for defect in shown.further {
        findings.push(Finding {
            rule: defect.rule,
            severity: subject.severity(&defect),
            primary: Some(defect.primary),
            secondary: defect.secondary,
            why: evidence(defect),
            obstacles: vec![],
        });
    }
}

impl Subject<'_> {
    /// As for findings of proofs: leaving before a barrier is tolerated in CUDA.
    fn severity(&self, defect: &Defect) -> Severity {
        let barrier = self.func.insts[defect.primary].barrier_scope();
        let of_grid = barrier == Some(BarrierScope::Grid);
        let tolerated = self.module.language == Language::Cuda && !of_grid && !self.options.strict;
        match defect.rule {
            "exit-before-barrier" if tolerated => Severity::Warning,
            _ => Severity::Error,
        }
    }
}
