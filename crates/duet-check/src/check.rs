//! The state of checking one kernel: its walks, the questions asked, what was found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use duet_ask::{Asker, End, Open, Patience, Question, Runs, Session};
use duet_infer::{Found, Search};
use duet_ir::{
    Array, BarrierScope, Func, GhostKind, Inst, InstData, Language, Rule, Severity, WellFormed,
};
use duet_product::KernelFacts;
use duet_refute::{Failures, Subject, Suspicion};
use duet_smt::solver::SolverError;
use duet_vc::{InRange, Invariants, Walker, Witness, laws_of_folds};

use crate::claims::{adds_cells, put_in_force};
use crate::contents;
use crate::options::CheckOptions;
use crate::properties::{Order, Told};
use crate::report::{Finding, Why};

/// The state of checking one kernel.
pub(crate) struct Check<'s, 'f> {
    pub(crate) facts: &'f KernelFacts<'f>,
    pub(crate) met: &'f Met,
    /// What runs have shown already: it need not be asked about.
    shown: Option<&'f Failures>,
    pub(crate) options: &'f CheckOptions,
    pub(crate) walker: Walker<'f>,
    pub(crate) asker: Asker<'s>,
    /// How loop invariants were found.
    pub(crate) found: Found,
    pub(crate) findings: Vec<Finding>,
    /// The protocols by which threads hand over arrays, if some may be handed over.
    pub(crate) order: Option<Order<'f>>,
    /// Numbers that blocks draw from counters.
    pub(crate) told: Told,
    /// How many candidates of each rule held, and how long it took to find them, if accesses
    /// were logged.
    pub(crate) by_logs: Option<(BTreeMap<&'static str, usize>, Duration)>,
    /// An invariant about logged accesses was not shown.
    pub(crate) is_left_to_logs: bool,
    /// The kernel's annotations fold arrays: what that means is added to questions.
    has_folds: bool,
    /// Which part of a check in stages it is.
    pub(crate) stage: Stage,
}

impl<'s, 'f> Check<'s, 'f> {
    /// Nothing checked yet.
    pub(crate) fn new(
        session: &'s mut Session,
        case: &'f Case<'f>,
        options: &'f CheckOptions,
        in_range: InRange,
    ) -> Check<'s, 'f> {
        let facts = &case.facts;
        let mut ask = options.ask_options();
        // Products that do not wrap are products of integers, as with free sizes.
        ask.is_size_free |= !in_range.is_empty();
        ask.adds_cells = adds_cells(facts);
        let mut walker = Walker::new(facts, options.premises(), in_range);
        walker.pool.work.set_fence(options.fence);
        Check {
            facts,
            met: &case.met,
            shown: case.failures.get().filter(|_| options.believes_runs() || options.launch_fails),
            options,
            walker,
            asker: Asker::new(session, ask),
            found: Found::default(),
            findings: vec![],
            order: None,
            told: Told::default(),
            by_logs: None,
            is_left_to_logs: false,
            has_folds: facts.func.insts_in_order().any(|inst| is_fold(&facts.func.insts[inst])),
            stage: case.stage,
        }
    }

    /// Finds loop invariants, among these only if they are given.
    pub(crate) fn infer_invariants(
        &mut self,
        among: Option<&Invariants>,
    ) -> Result<(), SolverError> {
        let options = self.options.infer_options();
        let search = Search::new(&mut self.walker, &mut self.asker, &options);
        self.found = match among {
            None => search.find()?,
            Some(among) => search.find_among(among.clone())?,
        };
        Ok(())
    }

    /// Asks a question; `None` if it is proved.
    pub(crate) fn ask(&mut self, question: &Question<'_>) -> Result<Option<Open>, SolverError> {
        if contents::is_shown_without(self, question)? {
            return Ok(None);
        }
        if !self.has_folds {
            return Ok(self.asker.ask(&mut self.walker, question)?.open());
        }
        let Walker { pool, symbols, geometry, .. } = &mut self.walker;
        let literals = question.literals();
        let laws = laws_of_folds(pool, symbols, self.facts, geometry, &literals, &question.goal);
        let mut question = question.clone();
        question.given.extend(laws);
        Ok(self.asker.ask(&mut self.walker, &question)?.open())
    }

    /// Do the simplifier and a short look of the algebra prove it?
    pub(crate) fn is_excluded_soon(
        &mut self,
        question: &Question<'_>,
    ) -> Result<bool, SolverError> {
        let literals = question.literals();
        let (about, places) = (question.about, &question.places);
        self.asker.is_excluded_soon(&mut self.walker.pool, &literals, about, places)
    }

    /// Is there no point in asking more: the verdict is clear, or a limit is reached? The
    /// latter is a finding.
    ///
    /// SOUNDNESS: code that stops because of this leaves a finding behind, or knows of one
    /// (test `time_limit_is_a_finding`).
    pub(crate) fn is_over(&mut self) -> bool {
        if self.asker.trace.only_written || self.asker.is_settled() {
            return self.asker.is_settled();
        }
        let end = self.asker.end();
        match end {
            Some(End::Time) => self.report_limit(Rule::TimeLimit),
            Some(End::Work) => self.report_limit(Rule::WorkLimit),
            Some(End::Settled) | None => {}
        }
        end.is_some()
    }

    /// Some questions were not answered because of a limit: one finding says so.
    pub(crate) fn report_limit(&mut self, rule: Rule) {
        if self.findings.iter().all(|finding| finding.rule != rule) {
            let why = "what was not looked at by then is open";
            self.report_kernel(rule, Why::Stated(why.to_string()));
        }
    }

    /// Adds a finding about a question that is open.
    pub(crate) fn report_open(
        &mut self,
        rule: Rule,
        primary: Inst,
        secondary: Option<Inst>,
        open: Open,
    ) {
        let Open { doubt, obstacles } = open;
        let severity = self.severity(rule, primary);
        let primary = Some(primary);
        self.add(Finding { rule, severity, primary, secondary, why: doubt.into(), obstacles });
    }

    /// Adds a finding if a run has shown the defect. The run takes the place of the reason
    /// when runs are looked for.
    pub(crate) fn report_if_shown(
        &mut self,
        rule: Rule,
        primary: Inst,
        secondary: Option<Inst>,
    ) -> bool {
        let suspicion = Suspicion { rule, primary: Some(primary), secondary, witness: None };
        let is_shown = self.shown.is_some_and(|shown| shown.show(&suspicion));
        if is_shown {
            let why = Why::Stated("a run shows it".to_string());
            self.report(rule, primary, secondary, why);
        }
        is_shown
    }

    /// Adds a finding for another reason.
    pub(crate) fn report(&mut self, rule: Rule, primary: Inst, secondary: Option<Inst>, why: Why) {
        let severity = self.severity(rule, primary);
        let (primary, obstacles) = (Some(primary), vec![]);
        self.add(Finding { rule, severity, primary, secondary, why, obstacles });
    }

    /// Adds a finding about the kernel as a whole.
    pub(crate) fn report_kernel(&mut self, rule: Rule, why: Why) {
        let (severity, primary, secondary) = (Severity::Error, None, None);
        self.push(Finding { rule, severity, primary, secondary, why, obstacles: vec![] });
    }

    /// Adds a finding, once per rule and places. The two threads are interchangeable, and
    /// so are the two places.
    pub(crate) fn add(&mut self, finding: Finding) {
        let places = (finding.primary, finding.secondary);
        let seen = self.findings.iter().any(|other| {
            let known = (other.primary, other.secondary);
            other.rule == finding.rule
                && (known == places || places.1.is_some() && (known.1, known.0) == places)
        });
        if !seen {
            self.push(finding);
        }
    }

    fn push(&mut self, finding: Finding) {
        if self.options.verdict_only && finding.severity == Severity::Error {
            self.asker.settle();
        }
        self.findings.push(finding);
    }

    /// Recent CUDA hardware counts threads that returned as arrived at a barrier of
    /// their block or warp; OpenCL leaves it undefined. SOUNDNESS: a barrier of the
    /// grid waits for them forever (kernels/soundness/11-exit-before-grid-barrier).
    fn severity(&self, rule: Rule, primary: Inst) -> Severity {
        let is_cuda = self.facts.module.language == Language::Cuda;
        let of_grid = matches!(
            self.facts.func.insts[primary],
            InstData::Barrier { scope: BarrierScope::Grid, .. }
        );
        let tolerated = is_cuda && !of_grid && !self.options.strict;
        // What the second rule lists was shown to be no race, or is reported as one. All
        // else stands against the proof, whatever the rule's usual severity is.
        let is_warning =
            rule == Rule::ExitBeforeBarrier && tolerated || rule == Rule::BenignWriteWriteRace;
        if is_warning { Severity::Warning } else { Severity::Error }
    }
}

/// Is it the fold of an array?
fn is_fold(data: &InstData) -> bool {
    matches!(data, InstData::Ghost { kind: GhostKind::Fold, .. })
}

/// A kernel with what was found out about its runs.
pub(crate) struct Case<'m> {
    pub(crate) facts: KernelFacts<'m>,
    pub(crate) met: Met,
    /// What a few small runs show, once they were made.
    failures: OnceLock<Failures>,
    /// States that meet what was assumed, by what that was.
    pub(crate) examples: Mutex<Vec<(Basis, Witness)>>,
    /// Which part of a check in stages it is for.
    pub(crate) stage: Stage,
}

/// What an attempt assumes and knows beyond the kernel and its launch.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Basis {
    in_range: InRange,
    carried: BTreeSet<Array>,
    single_writers: BTreeSet<Array>,
    ordered: BTreeSet<Array>,
}

impl Basis {
    /// That of an attempt; none where annotations claim something.
    pub(crate) fn of(facts: &KernelFacts<'_>, in_range: &InRange) -> Option<Basis> {
        facts.claims.in_force.is_empty().then(|| Basis {
            in_range: in_range.clone(),
            carried: facts.carried.clone(),
            single_writers: facts.single_writers.clone(),
            ordered: facts.ordered.clone(),
        })
    }
}

/// A part of a check in stages.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Stage {
    /// All of it.
    Whole,
    /// All but races, of which the stage before has shown that there are none.
    WithoutRaces,
}

impl<'m> Case<'m> {
    pub(crate) fn new(module: &'m WellFormed, kernel: Func, options: &CheckOptions) -> Case<'m> {
        let facts = options.facts_options(&module.functions[kernel]);
        let mut facts = KernelFacts::new(module, kernel, &facts);
        put_in_force(&mut facts, options);
        Case {
            facts,
            met: Met::default(),
            failures: OnceLock::new(),
            examples: Mutex::default(),
            stage: Stage::Whole,
        }
    }

    /// What a few small runs of the kernel as it is show. They are made once.
    pub(crate) fn failures(&self, options: &CheckOptions) -> &Failures {
        self.failures.get_or_init(|| self.subject(options).first_failures())
    }

    /// The kernel for those who run it.
    pub(crate) fn subject(&self, options: &CheckOptions) -> Subject<'_> {
        subject(&self.facts, options)
    }
}

/// The kernel for those who run it.
pub(crate) fn subject<'a>(facts: &'a KernelFacts<'_>, options: &CheckOptions) -> Subject<'a> {
    let setting = options.run_setting();
    Subject::new(facts.module, facts.kernel, setting, &facts.uniformity).until(options.fence)
}

/// Is what the source assumes met by runs? Each is looked for once.
#[derive(Default)]
pub(crate) struct Met {
    at_once: OnceLock<Option<Witness>>,
    by_a_run: OnceLock<Option<Witness>>,
    in_loops: OnceLock<bool>,
}

impl Met {
    /// Does a run that comes to its end meet it?
    pub(crate) fn is_stated_met(&self, facts: &KernelFacts<'_>, options: &CheckOptions) -> bool {
        self.example(facts, options).is_some()
    }

    /// A run that comes to its end and meets it. With `Patience::None` only
    /// short runs are made: a solver may be faster than a long run.
    pub(crate) fn example(
        &self,
        facts: &KernelFacts<'_>,
        options: &CheckOptions,
    ) -> Option<&Witness> {
        let found = |runs| subject(facts, options).run_that_meets_what_is_stated(runs);
        let soon = self.at_once.get_or_init(|| found(Runs::MetAtOnce));
        if soon.is_some() || options.patience == Patience::None {
            return soon.as_ref();
        }
        self.by_a_run.get_or_init(|| found(Runs::Met)).as_ref()
    }

    /// Do such runs enter every loop?
    pub(crate) fn is_stated_met_in_loops(
        &self,
        facts: &KernelFacts<'_>,
        options: &CheckOptions,
    ) -> bool {
        let met =
            || subject(facts, options).met_by_runs(&InRange::new(), &facts.loops, None).is_some();
        *self.in_loops.get_or_init(met)
    }
}
