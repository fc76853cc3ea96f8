//! The prover's notebook: the lines of the proof so far.

use super::meaning::Atoms;
use super::poly::{Poly, gcd};
use super::proof::{Fact, Refutation, Rule, Step, StepId};
use crate::fence::Fence;
use cranelift_entity::PrimaryMap;
use rustc_hash::FxHashMap;

/// Proofs longer than this are given up.
const MAX_STEPS: usize = 20_000;
/// The clock is looked at once in so many units of work.
const LOOKS: u32 = 16;

/// Lines, found by what they say, and the work that is left for further ones.
pub(super) struct Notebook {
    steps: PrimaryMap<StepId, Step>,
    /// Lines by fact, on the current branch.
    pub lines: FxHashMap<Fact, StepId>,
    /// Work left; search stops at zero.
    pub fuel: u32,
    /// No work is left once it is past.
    fence: Fence,
    /// Whether something was learnt since last asked.
    pub changed: bool,
}

impl Notebook {
    pub fn new(fuel: u32, fence: Fence) -> Self {
        let (steps, lines) = (PrimaryMap::new(), FxHashMap::default());
        Notebook { steps, lines, fuel, fence, changed: false }
    }

    /// Takes a unit of work; `false` when there is none left.
    pub fn spend(&mut self) -> bool {
        let is_late = self.fuel.is_multiple_of(LOOKS) && self.fence.is_past();
        if self.steps.len() > MAX_STEPS || is_late {
            self.fuel = 0;
        }
        let left = self.fuel > 0;
        self.fuel = self.fuel.saturating_sub(1);
        left
    }

    /// Adds a line, or finds the one with the same fact.
    pub fn line(&mut self, fact: Fact, rule: Rule, premises: &[StepId]) -> StepId {
        if rule != Rule::Hypothesis
            && let Some(&id) = self.lines.get(&fact)
        {
            return id;
        }
        let step = Step { fact: fact.clone(), rule, premises: premises.to_vec() };
        let id = self.steps.push(step);
        self.lines.insert(fact, id);
        id
    }

    pub fn fact(&self, id: StepId) -> &Fact {
        &self.steps[id].fact
    }

    /// Is the line a hypothesis?
    pub fn is_supposed(&self, id: StepId) -> bool {
        self.steps[id].rule == Rule::Hypothesis
    }

    /// Takes so much fuel at once, as far as there is any.
    pub fn charge(&mut self, fuel: usize) {
        self.fuel = self.fuel.saturating_sub(fuel as u32);
    }

    /// The polynomial that a line is about.
    pub fn poly(&self, id: StepId) -> &Poly {
        match self.fact(id) {
            Fact::Eq(p) | Fact::Ge(p) | Fact::Ne(p) | Fact::Cong(p, _) | Fact::NotCong(p, _) => p,
            Fact::Holds(_) | Fact::False => unreachable!("no polynomial"),
        }
    }

    /// Divides a fact by its common factor.
    pub fn tighten(&mut self, id: StepId) -> StepId {
        match self.tightened(id) {
            Some(fact) => self.line(fact, Rule::Tighten, &[id]),
            None => id,
        }
    }

    fn tightened(&self, id: StepId) -> Option<Fact> {
        match self.fact(id) {
            Fact::Ge(p) => {
                let g = p.content();
                let rounded = p.plus(-p.constant_term().checked_rem_euclid(g)?)?;
                (g > 1).then(|| rounded.divide(g).map(Fact::Ge))?
            }
            Fact::Eq(p) => {
                let g = gcd(p.content(), p.constant_term());
                (g > 1).then(|| p.divide(g).map(Fact::Eq))?
            }
            Fact::Cong(p, m) => {
                let g = gcd(p.content(), p.constant_term());
                (g > 1).then(|| p.divide(g).map(|q| Fact::Cong(q, m / gcd(g, *m))))?
            }
            _ => None,
        }
    }

    /// Brings the coefficients of a congruence into `(−m/2, m/2]`.
    pub fn reduce(&mut self, id: StepId) -> StepId {
        let (p, m, positive) = match self.fact(id) {
            Fact::Cong(p, m) => (p, *m, true),
            Fact::NotCong(p, m) => (p, *m, false),
            _ => return id,
        };
        let mut reduced = Some(Poly::zero());
        for (monomial, c) in p.terms() {
            let c = c.rem_euclid(m);
            let c = if c > m / 2 { c - m } else { c };
            let term = Poly::monomial(*monomial);
            reduced = reduced.and_then(|r| r.add_scaled(&term, c));
        }
        match reduced {
            Some(r) if r != *p => {
                let fact = if positive { Fact::Cong(r, m) } else { Fact::NotCong(r, m) };
                self.line(fact, Rule::Reduce, &[id])
            }
            _ => id,
        }
    }

    /// Keeps the lines that the conclusion rests on.
    pub fn finish(self, atoms: Atoms, end: StepId) -> Refutation {
        let mut needed = vec![end];
        let mut work = vec![end];
        while let Some(id) = work.pop() {
            for &p in &self.steps[id].premises {
                if !needed.contains(&p) {
                    needed.push(p);
                    work.push(p);
                }
            }
        }
        needed.sort_unstable();
        let mut renumbered: FxHashMap<StepId, StepId> = FxHashMap::default();
        let mut steps = PrimaryMap::new();
        for id in needed {
            let mut step = self.steps[id].clone();
            step.premises.iter_mut().for_each(|p| *p = renumbered[p]);
            renumbered.insert(id, steps.push(step));
        }
        Refutation { atoms: atoms.table, steps, conclusion: renumbered[&end] }
    }
}
