//! From suspicions to evidence: runs are searched for, made small, and handed back with
//! what they show.

use duet_ir::{Inst, Rule};
use duet_vc::Witness;

use crate::evidence::{Defect, Evidence};
use crate::path;
use crate::run::Run;
use crate::search::{Search, Shown};
use crate::shrink::shrink;
use crate::subject::Subject;

/// States of solvers that are tried.
const MOST_MODELS: usize = 8;

/// Something that a proof left open and a run may show.
#[derive(Clone, Copy, Debug)]
pub struct Suspicion<'a> {
    /// The rule that may be broken.
    pub rule: Rule,
    /// The instruction it is about; `None` if it is about the whole kernel.
    pub primary: Option<Inst>,
    /// The other instruction.
    pub secondary: Option<Inst>,
    /// A state that breaks it, which may be unreachable.
    pub witness: Option<&'a Witness>,
}

/// What one run shows.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refuted {
    /// The suspicions that it confirms, by number. The two sides of a defect are in the
    /// order of the suspicion's.
    pub confirmed: Vec<(usize, Evidence)>,
    /// Defects that no open question is about.
    pub further: Vec<Evidence>,
}

/// Runs that show defects which are not tolerated.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Failures {
    /// The runs.
    pub runs: Vec<Run>,
    /// What they show.
    pub defects: Vec<Defect>,
}

impl Failures {
    /// Does no run show anything?
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// Is this one of the defects?
    pub fn show(&self, suspicion: &Suspicion<'_>) -> bool {
        self.defects.iter().any(|defect| defect.is(suspicion))
    }
}

/// Looks for runs that show what is suspected. `example` is a state that keeps the
/// preconditions; `first` are runs that are known to show something.
pub fn refute(
    subject: &Subject<'_>,
    suspicions: &[Suspicion<'_>],
    example: Option<&Witness>,
    first: &[Run],
) -> Vec<Refuted> {
    if !subject.can_be_judged_by_runs() {
        return vec![];
    }
    let models = models_of(suspicions, example);
    let all = Search::new(subject, suspicions, models.clone()).run(first);
    all.into_iter()
        .map(|shown| {
            let first_weight = shown.run.weight();
            let shown = shrink(subject, shown);
            let not_seen_if = subject.not_seen_if(&shown, suspicions, &models);
            Small { shown, first_weight, not_seen_if }.refuted(subject, suspicions)
        })
        .collect()
}

impl Subject<'_> {
    /// What a few small runs show: for those who have not asked a solver yet.
    pub fn first_failures(&self) -> Failures {
        if !self.can_be_judged_by_runs() {
            return Failures::default();
        }
        let mut failures = Failures::default();
        for shown in Search::new(self, &[], vec![]).run_first() {
            if self.is_failure(&shown) {
                failures.runs.push(shown.run);
                failures.defects.extend(shown.further);
            }
        }
        failures
    }

    /// Do the states of solvers, if the kernel is run with them, show a defect that is not
    /// tolerated?
    pub fn fails_in_models(&self, suspicions: &[Suspicion<'_>], example: Option<&Witness>) -> bool {
        if !self.can_be_judged_by_runs() {
            return false;
        }
        let shown = Search::new(self, suspicions, models_of(suspicions, example)).run_models();
        shown.iter().any(|one| self.is_failure(one))
    }

    /// Does the run show a defect that is not tolerated?
    pub(crate) fn is_failure(&self, shown: &Shown) -> bool {
        let suspected = shown.suspicions.iter().map(|(_, defect)| defect);
        suspected.chain(&shown.further).any(|defect| !self.is_tolerated(defect))
    }
}

/// The states of suspicions and of an example, each once, not too many.
fn models_of<'a>(suspicions: &[Suspicion<'a>], example: Option<&'a Witness>) -> Vec<&'a Witness> {
    let mut models: Vec<&Witness> = vec![];
    let suspected = suspicions.iter().filter_map(|suspicion| suspicion.witness);
    for model in suspected.chain(example) {
        if !models.contains(&model) && models.len() < MOST_MODELS {
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

impl Small {
    /// Each defect with the run, and with the ways of its threads.
    fn refuted(self, subject: &Subject<'_>, suspicions: &[Suspicion<'_>]) -> Refuted {
        let Small { shown: Shown { run, suspicions: shown, further }, .. } = self;
        let evidence = |defect: Defect| Evidence {
            run: run.clone(),
            paths: path::paths(subject, &run, &defect),
            defect,
            not_seen_if: self.not_seen_if.clone(),
            first_weight: self.first_weight,
        };
        let confirm = |(number, defect): (usize, Defect)| {
            (number, evidence(defect.towards(&suspicions[number])))
        };
        Refuted {
            confirmed: shown.into_iter().map(confirm).collect(),
            further: further.into_iter().map(evidence).collect(),
        }
    }
}
