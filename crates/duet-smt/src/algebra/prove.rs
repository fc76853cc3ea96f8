//! The search: rounds of normalisation and deduction, then cases.

use super::poly::Poly;
use super::proof::{Fact, Refutation, Rule, StepId};
use super::relevance;
use super::state::Prover;
use super::values::Terms;
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::TermId;
use cranelift_entity::EntityRef;

/// Rounds on one branch.
const MAX_ROUNDS: usize = 16;
/// Nesting of cases.
const MAX_CASES: u32 = 3;
/// Disjunctions with more parts are not split.
const MAX_DISJUNCTS: usize = 12;
/// Conditions of conditional terms that are split.
const MAX_CONDITIONS: usize = 3;
/// How hard an inequality is tried to be contradicted.
const DEEP: u32 = 5;
/// Literals that are read anew for a unit of work: where there are hundreds, reading them is
/// what takes the time.
const LITERALS_OF_FUEL: usize = 24;
/// Work of one refutation.
const FUEL: u32 = 10_000;

/// Tries to show that the literals have no common model. The proof can be
/// checked with [`check_refutation`](super::check_refutation).
pub fn refute(pool: &mut TermPool, literals: &[TermId]) -> Option<Refutation> {
    refute_within(pool, literals, FUEL)
}

/// The same with so much work at most, twice where a part of the literals is tried first.
pub fn refute_within(pool: &mut TermPool, literals: &[TermId], fuel: u32) -> Option<Refutation> {
    refute_counting(pool, literals, fuel, &mut 0)
}

/// The same; what it took is added to a count.
pub(crate) fn refute_counting(
    pool: &mut TermPool,
    literals: &[TermId],
    fuel: u32,
    spent: &mut u64,
) -> Option<Refutation> {
    let few = relevance::relevant(pool, literals);
    let soon = few.and_then(|few| refute_all(pool, &few, fuel, spent));
    soon.or_else(|| refute_all(pool, literals, fuel, spent))
}

fn refute_all(
    pool: &mut TermPool,
    literals: &[TermId],
    fuel: u32,
    spent: &mut u64,
) -> Option<Refutation> {
    let mut prover = Prover::new(pool, fuel);
    for (number, &t) in literals.iter().enumerate() {
        let id = prover.line(Fact::Holds(t), Rule::Given, &[]);
        prover.last = (number + 1 == literals.len()).then_some(id);
        prover.hold(id);
    }
    let end = prover.refute_branch(0);
    let Terms { notebook, atoms, .. } = prover.terms;
    *spent += u64::from(fuel - notebook.fuel);
    Some(notebook.finish(atoms, end?))
}

impl Prover<'_> {
    fn refute_branch(&mut self, nesting: u32) -> Option<StepId> {
        self.saturate();
        if self.branch.contradiction.is_some() {
            return self.branch.contradiction;
        }
        if nesting >= MAX_CASES {
            return None;
        }
        self.split_disjunctions(nesting)
            .or_else(|| self.split_disequalities(nesting))
            .or_else(|| self.split_conditions(nesting))
    }

    /// The condition of a conditional term holds or it does not.
    fn split_conditions(&mut self, nesting: u32) -> Option<StepId> {
        let terms = self.terms.atoms.table.values().map(|data| data.term);
        let conditionals = terms.filter(|&t| self.terms.pool.op(t) == Op::Ite);
        let mut conditions: Vec<TermId> =
            conditionals.map(|t| self.terms.pool.args(t)[0]).collect();
        conditions.sort_unstable();
        conditions.dedup();
        for c in conditions.into_iter().take(MAX_CONDITIONS) {
            let negation = self.terms.pool.not(c);
            if self.terms.known.held.contains_key(&c)
                || self.terms.known.held.contains_key(&negation)
            {
                continue;
            }
            let either = self.terms.pool.raw(Op::Or, &[c, negation]);
            let id = self.line(Fact::Holds(either), Rule::Tautology, &[]);
            let cases = vec![Fact::Holds(c), Fact::Holds(negation)];
            if let Some(end) = self.cases(id, &[id], cases, nesting) {
                return Some(end);
            }
        }
        None
    }

    /// Rounds until nothing new comes up.
    pub fn saturate(&mut self) {
        for round in 0..MAX_ROUNDS {
            self.terms.notebook.changed = false;
            if self.terms.pool.work.is_late_now() {
                self.terms.notebook.fuel = 0;
                return;
            }
            self.normalise();
            self.deduce();
            if self.branch.contradiction.is_some() {
                return;
            }
            if self.terms.notebook.fuel == 0 {
                // What the last steps found may contradict the rest as it is.
                return self.normalise();
            }
            if self.terms.notebook.changed || round == 0 {
                continue;
            }
            if !self.relate_multiples() && !self.solve_one() {
                self.combine_congruences();
            }
            if !self.terms.notebook.changed {
                break;
            }
        }
        self.contradict_inequalities();
    }

    fn deduce(&mut self) {
        self.terms.bounds.propagate_bounds(&mut self.terms.notebook);
        // Read all anew first: where both values of a term are about, nothing fits.
        if self.link_signs() {
            return;
        }
        let steps: [fn(&mut Self); 5] = [
            Self::sharpen_disequalities,
            |prover| prover.terms.try_divisions(),
            Self::unwrap_congruences,
            Self::work_on_equations,
            Self::squeeze,
        ];
        for step in steps {
            if self.branch.contradiction.is_some() {
                return;
            }
            step(self);
        }
    }

    /// Reads all literals and derived facts anew with what is solved by now.
    fn normalise(&mut self) {
        self.terms.notebook.charge(self.branch.literals.len() / LITERALS_OF_FUEL);
        self.terms.known.values.clear();
        self.terms.known.moduli.clear();
        // Inequalities of the last round help to read the terms of this one.
        let mut fresh: Vec<StepId> = Vec::new();
        for id in self.branch.literals.clone() {
            fresh.extend(self.terms.readings(id));
        }
        for id in self.terms.known.extra.clone() {
            fresh.extend(match self.terms.notebook.fact(id) {
                Fact::Cong(..) => self.terms.normal_modular(id),
                _ => self.terms.normal(id),
            });
        }
        let mut i = 0;
        while i < self.terms.known.wrapping.len() {
            let (t, view) = self.terms.known.wrapping[i];
            fresh.extend(self.terms.wrapping_fact(t, view));
            i += 1;
        }
        let before = std::mem::take(&mut self.terms.bounds.ges);
        self.branch.eqs.clear();
        self.branch.nes.clear();
        self.branch.congs.clear();
        self.branch.not_congs.clear();
        for id in fresh {
            self.classify(id);
            if self.branch.contradiction.is_some() {
                return;
            }
        }
        // What could not be proved is tried again only with more to prove it by.
        if self.terms.bounds.ges != before || self.terms.bounds.better_bounds {
            self.terms.bounds.failed.clear();
        }
        self.terms.bounds.better_bounds = false;
    }

    fn classify(&mut self, id: StepId) {
        let id = self.terms.notebook.tighten(id);
        match self.terms.notebook.fact(id).clone() {
            Fact::Ge(p) => match p.as_constant() {
                Some(c) if c < 0 => self.contradict(Rule::Absurd, &[id]),
                Some(_) => {}
                None => {
                    let bound = is_bound(&p);
                    if bound {
                        self.terms.bounds.note_bound(&mut self.terms.notebook, id);
                    }
                    // The bound of a product helps where it is part of a larger one.
                    let helps = !bound || p.proper_terms().any(|(m, c)| m.len() > 1 && c < 0);
                    if helps && !self.terms.bounds.ges.iter().any(|(q, _)| *q == p) {
                        self.terms.bounds.ges.push((p, id));
                    }
                }
            },
            Fact::Eq(p) if p.is_zero() => {}
            Fact::Eq(p) => match p.content() {
                0 => self.contradict(Rule::Absurd, &[id]),
                g if p.constant_term() % g != 0 => self.contradict(Rule::Absurd, &[id]),
                _ => self.classify_equation(p, id),
            },
            Fact::Ne(p) if p.is_zero() => self.contradict(Rule::Absurd, &[id]),
            Fact::Ne(p) => self.branch.nes.push((p, id)),
            Fact::Cong(p, m) => {
                let g = super::poly::gcd(p.content(), m);
                if p.constant_term() % g != 0 {
                    self.contradict(Rule::Absurd, &[id]);
                } else if p.as_constant().is_none() && m > 1 && !self.knows_congruence(&p, m) {
                    self.branch.congs.push((p, m, id));
                }
            }
            Fact::NotCong(p, m) => {
                if p.as_constant().is_some_and(|c| c % m == 0) {
                    self.contradict(Rule::Absurd, &[id]);
                } else {
                    self.branch.not_congs.push((p, m, id));
                }
            }
            Fact::Holds(_) | Fact::False => {}
        }
    }

    /// Whether an equation or another congruence says it already.
    fn knows_congruence(&self, p: &Poly, m: i128) -> bool {
        let negated = p.negate();
        let same = |q: &Poly| q == p || Some(q) == negated.as_ref();
        self.branch.eqs.iter().any(|(q, _)| same(q))
            || self.branch.congs.iter().any(|(q, n, _)| n % m == 0 && same(q))
    }

    /// An equation also bounds its atoms from both sides.
    fn classify_equation(&mut self, p: Poly, id: StepId) {
        let negated = p.negate();
        if self.branch.eqs.iter().any(|(q, _)| *q == p || Some(q) == negated.as_ref()) {
            return;
        }
        if let Some(negated) = negated {
            for half in [p.clone(), negated] {
                let half = self.line(Fact::Ge(half), Rule::Relax, &[id]);
                let half = self.terms.notebook.tighten(half);
                if is_bound(self.terms.notebook.poly(half)) {
                    self.terms.bounds.note_bound(&mut self.terms.notebook, half);
                } else {
                    let poly = self.terms.notebook.poly(half).clone();
                    self.terms.bounds.halves.insert(half);
                    self.terms.bounds.ges.push((poly, half));
                }
            }
        }
        self.branch.eqs.push((p, id));
    }

    /// Looks harder for an inequality whose opposite can be proved, and for
    /// bounds that exclude each other.
    fn contradict_inequalities(&mut self) {
        let mut bounds: Vec<_> = self.terms.bounds.lower.iter().map(|(m, b)| (*m, *b)).collect();
        bounds.sort();
        for (m, (lo, low)) in bounds {
            if let Some(&(hi, high)) = self.terms.bounds.upper.get(&m)
                && hi < lo
                && let Some(gap) = hi.checked_sub(lo)
            {
                let rule = Rule::Combine { scale: 1, weights: vec![1, 1] };
                let gap = self.line(Fact::Ge(Poly::constant(gap)), rule, &[low, high]);
                return self.contradict(Rule::Absurd, &[gap]);
            }
        }
        for (p, id) in self.terms.bounds.ges.clone() {
            let opposite = p.negate().and_then(|q| q.plus(-1));
            let Some(opposite) = opposite else { continue };
            if let Some(strict) = self.terms.prove_ge(&opposite, DEEP) {
                return self.contradict_sum(id, strict);
            }
        }
    }

    /// Every part of some disjunction leads to a contradiction. The last literal comes first:
    /// where it is a disjunction, it is what shall not be, and the others are what is known.
    fn split_disjunctions(&mut self, nesting: u32) -> Option<StepId> {
        let mut ors = self.branch.ors.clone();
        let size = |p: &Self, id: StepId| match p.terms.notebook.fact(id) {
            Fact::Holds(t) => p.terms.pool.args(*t).len(),
            _ => 0,
        };
        ors.retain(|&id| size(self, id) <= MAX_DISJUNCTS);
        ors.sort_by_key(|&id| (Some(id) != self.last, size(self, id), id.index()));
        for id in ors {
            let Fact::Holds(t) = *self.terms.notebook.fact(id) else { continue };
            let cases: Vec<Fact> =
                self.terms.pool.args(t).iter().map(|&d| Fact::Holds(d)).collect();
            if let Some(end) = self.cases(id, &[id], cases, nesting) {
                return Some(end);
            }
        }
        None
    }

    /// `P ≠ 0`: above or below.
    fn split_disequalities(&mut self, nesting: u32) -> Option<StepId> {
        let nes = self.branch.nes.clone();
        for (p, id) in nes.into_iter().take(6) {
            let cases = vec![Fact::Ge(p.plus(-1)?), Fact::Ge(p.negate()?.plus(-1)?)];
            if let Some(end) = self.cases(id, &[id], cases, nesting) {
                return Some(end);
            }
        }
        None
    }

    /// Refutes each case under its hypothesis; `None` at the first that stands.
    fn cases(
        &mut self,
        about: StepId,
        head: &[StepId],
        cases: Vec<Fact>,
        nesting: u32,
    ) -> Option<StepId> {
        let before = self.snapshot();
        let mut premises = head.to_vec();
        let mut refuted = true;
        for case in cases {
            if !self.terms.notebook.spend() {
                refuted = false;
                break;
            }
            let hypothesis = self.line(case, Rule::Hypothesis, &[]);
            self.suppose(hypothesis, about);
            let end = match self.branch.contradiction {
                Some(end) => Some(end),
                None => self.refute_branch(nesting + 1),
            };
            self.restore(before.clone());
            match end {
                Some(end) => premises.extend([hypothesis, end]),
                None => {
                    refuted = false;
                    break;
                }
            }
        }
        self.restore(before);
        if !refuted {
            return None;
        }
        let id = self.line(Fact::False, Rule::Cases, &premises);
        self.branch.contradiction = Some(id);
        Some(id)
    }

    fn suppose(&mut self, hypothesis: StepId, about: StepId) {
        self.branch.ors.retain(|&or| or != about);
        self.branch.nes.retain(|(_, ne)| *ne != about);
        match self.terms.notebook.fact(hypothesis) {
            Fact::Holds(_) => self.hold(hypothesis),
            _ => self.terms.learn(hypothesis),
        }
    }
}

/// `±m + c`: a bound of one monomial.
fn is_bound(p: &Poly) -> bool {
    let mut terms = p.proper_terms();
    matches!((terms.next(), terms.next()), (Some((_, 1 | -1)), None))
}
