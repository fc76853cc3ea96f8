//! The prover: what holds on the current branch, and how branches are left again.

use super::bounds::Bounds;
use super::meaning;
use super::poly::Poly;
use super::proof::{Fact, Rule, StepId};
use super::values::{KnownTerms, Terms};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::TermId;
use rustc_hash::FxHashMap;

/// A polynomial and the line that says something about it.
pub(super) type Known = (Poly, StepId);

/// What holds on the current branch, sorted by its form.
#[derive(Clone, Default)]
pub(super) struct Branch {
    /// Comparisons that hold, in order.
    pub literals: Vec<StepId>,
    /// Disjunctions that hold, in order.
    pub ors: Vec<StepId>,
    /// The contradiction, once found.
    pub contradiction: Option<StepId>,
    pub eqs: Vec<Known>,
    pub nes: Vec<Known>,
    pub congs: Vec<(Poly, i128, StepId)>,
    pub not_congs: Vec<(Poly, i128, StepId)>,
}

/// All that is known on a branch. Lines proved under a hypothesis are only ever referred
/// to from here, so restoring an earlier state forgets them.
#[derive(Clone)]
pub(super) struct Snapshot {
    lines: FxHashMap<Fact, StepId>,
    bounds: Bounds,
    known: KnownTerms,
    branch: Branch,
}

/// The search for a contradiction.
pub(super) struct Prover<'a> {
    pub terms: Terms<'a>,
    pub branch: Branch,
    /// The last literal that was given.
    pub last: Option<StepId>,
}

impl<'a> Prover<'a> {
    pub fn new(pool: &'a mut TermPool, fuel: u32) -> Self {
        Prover { terms: Terms::new(pool, fuel), branch: Branch::default(), last: None }
    }

    /// What is known now.
    pub fn snapshot(&self) -> Snapshot {
        let Terms { notebook, bounds, known, .. } = &self.terms;
        Snapshot {
            lines: notebook.lines.clone(),
            bounds: bounds.clone(),
            known: known.clone(),
            branch: self.branch.clone(),
        }
    }

    /// Goes back to what was known earlier.
    pub fn restore(&mut self, Snapshot { lines, bounds, known, branch }: Snapshot) {
        self.terms.notebook.lines = lines;
        self.terms.bounds = bounds;
        self.terms.known = known;
        self.branch = branch;
    }

    /// Adds a line, or finds the one with the same fact.
    pub fn line(&mut self, fact: Fact, rule: Rule, premises: &[StepId]) -> StepId {
        self.terms.notebook.line(fact, rule, premises)
    }

    pub fn contradict(&mut self, rule: Rule, premises: &[StepId]) {
        let id = self.line(Fact::False, rule, premises);
        self.branch.contradiction = Some(id);
    }

    /// Notes that a truth-valued term holds, and its parts.
    pub fn hold(&mut self, id: StepId) {
        let Fact::Holds(t) = *self.terms.notebook.fact(id) else {
            unreachable!("a term that holds")
        };
        if self.terms.known.held.insert(t, id).is_some() {
            return;
        }
        let negation = self.terms.pool.not(t);
        if self.terms.pool.op(t) == Op::False {
            return self.contradict(Rule::Clash, &[id]);
        }
        if let Some(&other) = self.terms.known.held.get(&negation) {
            return self.contradict(Rule::Clash, &[id, other]);
        }
        match self.terms.pool.op(t) {
            Op::And => {
                for part in self.terms.pool.args(t).to_vec() {
                    let part = self.line(Fact::Holds(part), Rule::Part, &[id]);
                    self.hold(part);
                }
            }
            Op::Not if self.terms.pool.op(self.terms.pool.args(t)[0]) == Op::Or => {
                for part in self.terms.pool.args(self.terms.pool.args(t)[0]).to_vec() {
                    let part = self.terms.pool.not(part);
                    let part = self.line(Fact::Holds(part), Rule::Part, &[id]);
                    self.hold(part);
                }
            }
            // Of what is known there may be many, and few of them help.
            Op::Not
                if self.terms.pool.op(self.terms.pool.args(t)[0]) == Op::And
                    && (self.terms.notebook.is_supposed(id) || self.last == Some(id)) =>
            {
                let parts = self.terms.pool.args(self.terms.pool.args(t)[0]).to_vec();
                let negations: Vec<TermId> =
                    parts.into_iter().map(|part| self.terms.pool.not(part)).collect();
                let either = self.terms.pool.raw(Op::Or, &negations);
                let either = self.line(Fact::Holds(either), Rule::DeMorgan, &[id]);
                self.hold(either);
            }
            Op::Or => {
                self.branch.ors.push(id);
                for part in meaning::common_parts(self.terms.pool, t) {
                    let part = self.line(Fact::Holds(part), Rule::Part, &[id]);
                    self.hold(part);
                }
            }
            _ => self.branch.literals.push(id),
        }
    }
}
