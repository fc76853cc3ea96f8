//! From suspicions to evidence: runs are searched for, made small, and handed back with
//! what they show.

use duet_ir::{Inst, Rule};
use duet_vc::Witness;

use crate::evidence::{Defect, Evidence};
use crate::path;
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
    /// Defects that nobody suspected.
    pub further: Vec<Evidence>,
}

/// Looks for runs that show what is suspected. `example` is a state that keeps the
/// preconditions.
pub fn refute(
    subject: &Subject<'_>,
    suspicions: &[Suspicion<'_>],
    example: Option<&Witness>,
) -> Vec<Refuted> {
    if !subject.can_be_judged_by_runs() {
        return vec![];
    }
    let models = models_of(suspicions, example);
    let all = Search::new(subject, suspicions, models.clone()).run();
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
    /// Do a few small runs show a defect that is not tolerated?
    pub fn fails_soon(&self, suspicions: &[Suspicion<'_>], example: Option<&Witness>) -> bool {
        if !self.can_be_judged_by_runs() {
            return false;
        }
        let shown = Search::new(self, suspicions, models_of(suspicions, example)).run_briefly();
        shown.iter().any(|one| {
            let suspected = one.suspicions.iter().map(|(_, defect)| defect);
            suspected.chain(&one.further).any(|defect| !self.is_tolerated(defect))
        })
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
