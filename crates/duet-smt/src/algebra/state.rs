//! The prover's notebook: lines of the proof so far, and what is known now.

use super::meaning::{self, Atoms};
use super::poly::{Atom, Monomial, Poly, gcd};
use super::proof::{Fact, Rule, Step, StepId, View};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::TermId;
use cranelift_entity::PrimaryMap;
use rustc_hash::{FxHashMap, FxHashSet};

/// A polynomial and the line that says something about it.
pub(super) type Known = (Poly, StepId);

/// What is known on the current branch. Lines proved under a hypothesis are
/// only ever referred to from here, so restoring an earlier state forgets them.
#[derive(Clone, Default)]
pub(super) struct State {
    /// Lower bounds of monomials.
    pub lower: FxHashMap<Monomial, (i128, StepId)>,
    /// Upper bounds of monomials.
    pub upper: FxHashMap<Monomial, (i128, StepId)>,
    /// Solved atoms: the line says `atom − poly = 0`.
    pub solved: FxHashMap<Atom, Known>,
    /// Facts found on the way, normalised anew in each round.
    pub extra: Vec<StepId>,
    /// Truth-valued terms that hold.
    pub held: FxHashMap<TermId, StepId>,
    /// Comparisons that hold, in order.
    pub literals: Vec<StepId>,
    /// Disjunctions that hold, in order.
    pub ors: Vec<StepId>,
    /// Terms whose opaque operation has been looked at.
    pub introduced: FxHashSet<TermId>,
    /// Division terms that wait for their divisor to be positive.
    pub divisions: Vec<TermId>,
    /// Terms known only modulo 2^w.
    pub wrapping: Vec<(TermId, View)>,
    /// Lines by fact.
    pub lines: FxHashMap<Fact, StepId>,
    /// The contradiction, once found.
    pub contradiction: Option<StepId>,

    /// Memo of a round: atoms in terms of unsolved atoms.
    pub values: FxHashMap<Atom, (Poly, Option<StepId>)>,
    /// Memo of a round: terms modulo 2^w.
    pub moduli: FxHashMap<TermId, Option<StepId>>,
    /// Whether a bound got better in this round.
    pub better_bounds: bool,
    /// What could not be proved.
    pub failed: FxHashSet<Poly>,
    /// Inequalities that are halves of equations.
    pub halves: FxHashSet<StepId>,
    pub eqs: Vec<Known>,
    pub ges: Vec<Known>,
    pub nes: Vec<Known>,
    pub congs: Vec<(Poly, i128, StepId)>,
    pub not_congs: Vec<(Poly, i128, StepId)>,
}

pub(super) struct Prover<'a> {
    pub pool: &'a mut TermPool,
    pub atoms: Atoms,
    pub steps: PrimaryMap<StepId, Step>,
    pub state: State,
    /// Work left; search stops at zero.
    pub fuel: u32,
    /// Whether something was learnt since last asked.
    pub changed: bool,
}

/// Proofs longer than this are given up.
const MAX_STEPS: usize = 20_000;

impl<'a> Prover<'a> {
    pub fn new(pool: &'a mut TermPool, fuel: u32) -> Self {
        Prover {
            pool,
            atoms: Atoms::default(),
            steps: PrimaryMap::new(),
            state: State::default(),
            fuel,
            changed: false,
        }
    }

    /// Takes a unit of work; `false` when there is none left.
    pub fn spend(&mut self) -> bool {
        if self.steps.len() > MAX_STEPS || self.pool.is_late() {
            self.fuel = 0;
        }
        let left = self.fuel > 0;
        self.fuel = self.fuel.saturating_sub(1);
        left
    }

    /// Adds a line, or finds the one with the same fact.
    pub fn line(&mut self, fact: Fact, rule: Rule, premises: &[StepId]) -> StepId {
        if rule != Rule::Hypothesis
            && let Some(&id) = self.state.lines.get(&fact)
        {
            return id;
        }
        let step = Step { fact: fact.clone(), rule, premises: premises.to_vec() };
        let id = self.steps.push(step);
        self.state.lines.insert(fact, id);
        id
    }

    pub fn fact(&self, id: StepId) -> &Fact {
        &self.steps[id].fact
    }

    /// The polynomial that a line is about.
    pub fn poly(&self, id: StepId) -> &Poly {
        match self.fact(id) {
            Fact::Eq(p) | Fact::Ge(p) | Fact::Ne(p) | Fact::Cong(p, _) | Fact::NotCong(p, _) => p,
            Fact::Holds(_) | Fact::False => unreachable!("no polynomial"),
        }
    }

    pub fn contradict(&mut self, rule: Rule, premises: &[StepId]) {
        let id = self.line(Fact::False, rule, premises);
        self.state.contradiction = Some(id);
    }

    /// Notes a fact for the rounds to come.
    pub fn learn(&mut self, id: StepId) {
        if !self.state.extra.contains(&id) {
            self.state.extra.push(id);
            self.changed = true;
        }
    }

    /// Notes that a truth-valued term holds, and its parts.
    pub fn hold(&mut self, id: StepId) {
        let Fact::Holds(t) = *self.fact(id) else { unreachable!("a term that holds") };
        if self.state.held.insert(t, id).is_some() {
            return;
        }
        let negation = self.pool.not(t);
        if self.pool.op(t) == Op::False {
            return self.contradict(Rule::Clash, &[id]);
        }
        if let Some(&other) = self.state.held.get(&negation) {
            return self.contradict(Rule::Clash, &[id, other]);
        }
        match self.pool.op(t) {
            Op::And => {
                for part in self.pool.args(t).to_vec() {
                    let part = self.line(Fact::Holds(part), Rule::Part, &[id]);
                    self.hold(part);
                }
            }
            Op::Not if self.pool.op(self.pool.args(t)[0]) == Op::Or => {
                for part in self.pool.args(self.pool.args(t)[0]).to_vec() {
                    let part = self.pool.not(part);
                    let part = self.line(Fact::Holds(part), Rule::Part, &[id]);
                    self.hold(part);
                }
            }
            Op::Or => {
                self.state.ors.push(id);
                for part in meaning::common_parts(self.pool, t) {
                    let part = self.line(Fact::Holds(part), Rule::Part, &[id]);
                    self.hold(part);
                }
            }
            _ => self.state.literals.push(id),
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

    /// The bounds by width of an atom, as bounds like any other.
    pub fn ensure_width(&mut self, atom: Atom) {
        let key = Monomial::of(atom);
        if self.state.lower.contains_key(&key) {
            return;
        }
        let data = self.atoms.table[atom];
        let Some((lo, hi)) = meaning::width_bounds(self.pool, data) else { return };
        let (Some(low), Some(high)) =
            (Poly::atom(atom).plus(-lo), Poly::constant(hi).sub(&Poly::atom(atom)))
        else {
            return;
        };
        let low = self.line(Fact::Ge(low), Rule::Width(atom), &[]);
        let high = self.line(Fact::Ge(high), Rule::Width(atom), &[]);
        self.state.lower.insert(key, (lo, low));
        // An upper bound may be known already where the lower one was missing.
        self.state.upper.entry(key).or_insert((hi, high));
    }
}
