//! The checker: reads a refutation line by line and accepts only what each rule
//! allows. It shares with the prover the axioms of `meaning.rs` and polynomial
//! arithmetic, and none of the search.
//!
//! *Why an accepted refutation is right.* By induction over the lines: in every
//! model of the literals, a line's fact holds whenever the hypotheses it rests
//! on hold. A hypothesis rests on itself; `Cases` removes the hypotheses of its
//! branches, having checked that they exhaust the possibilities. The last line
//! is a contradiction that rests on nothing but the literals.

use super::meaning::{self, Atoms};
use super::poly::{Atom, Monomial, Poly, gcd};
use super::proof::{Fact, Refutation, Rule, Step, StepId};
use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::TermId;
use cranelift_entity::{EntityRef, PrimaryMap};
use std::collections::{BTreeMap, BTreeSet};

/// A line that its rule does not allow.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} does not follow by {rule}")]
pub struct CheckError {
    /// The line.
    pub line: String,
    /// The rule it names.
    pub rule: &'static str,
}

/// Checks that `refutation` shows `literals` to have no common model.
pub fn check_refutation(
    pool: &mut TermPool,
    literals: &[TermId],
    refutation: &Refutation,
) -> Result<(), CheckError> {
    let mut checker = Checker {
        pool,
        literals,
        atoms: Atoms::from_table(&refutation.atoms),
        steps: &refutation.steps,
        open: PrimaryMap::new(),
    };
    for (id, step) in &refutation.steps {
        let earlier = step.premises.iter().all(|p| p.index() < id.index());
        let allowed = earlier && checker.allows(step) == Some(true);
        let open = allowed.then(|| checker.open_hypotheses(id, step)).flatten();
        match open {
            Some(open) => checker.open.push(open),
            None => return Err(CheckError { line: id.to_string(), rule: step.rule.name() }),
        };
    }
    let end = refutation.conclusion;
    let closed = checker.open.get(end).is_some_and(BTreeSet::is_empty);
    if closed && refutation.steps[end].fact == Fact::False {
        return Ok(());
    }
    Err(CheckError { line: end.to_string(), rule: "conclusion" })
}

struct Checker<'a> {
    pool: &'a mut TermPool,
    literals: &'a [TermId],
    atoms: Atoms,
    steps: &'a PrimaryMap<StepId, Step>,
    /// The hypotheses each checked line rests on.
    open: PrimaryMap<StepId, BTreeSet<StepId>>,
}

impl Checker<'_> {
    fn fact(&self, id: StepId) -> &Fact {
        &self.steps[id].fact
    }

    fn premise(&self, step: &Step, i: usize) -> Option<&Fact> {
        step.premises.get(i).map(|&id| self.fact(id))
    }

    fn ge(&self, step: &Step, i: usize) -> Option<&Poly> {
        match self.premise(step, i)? {
            Fact::Ge(p) => Some(p),
            _ => None,
        }
    }

    /// The hypotheses a line rests on; `None` if a case closes one it may not.
    fn open_hypotheses(&self, id: StepId, step: &Step) -> Option<BTreeSet<StepId>> {
        if step.rule == Rule::Hypothesis {
            return Some(BTreeSet::from([id]));
        }
        let union = |ids: &[StepId]| {
            ids.iter().flat_map(|&p| self.open[p].iter().copied()).collect::<BTreeSet<_>>()
        };
        if step.rule != Rule::Cases {
            return Some(union(&step.premises));
        }
        let head = self.case_head(step)?;
        let mut open = union(&step.premises[..head]);
        for case in step.premises[head..].chunks(2) {
            let mut below = self.open[case[1]].clone();
            below.remove(&case[0]);
            open.extend(below);
        }
        Some(open)
    }

    /// Whether the rule allows the line; `None` counts as no.
    fn allows(&mut self, step: &Step) -> Option<bool> {
        match &step.rule {
            Rule::Given => Some(self.is_given(&step.fact)),
            Rule::Hypothesis => Some(step.premises.is_empty()),
            Rule::Part => self.is_part(step),
            Rule::Reading => {
                let Some(&Fact::Holds(t)) = self.premise(step, 0) else { return None };
                let read = meaning::reading(self.pool, &mut self.atoms, t)?;
                Some(read == step.fact || weaker_reading(&read, &step.fact, self.pool, t))
            }
            Rule::Width(atom) => self.is_width(*atom, &step.fact),
            Rule::Definition(t) => {
                Some(meaning::definitions(self.pool, &mut self.atoms, *t).contains(&step.fact))
            }
            Rule::SignLink(t) => {
                Some(meaning::sign_links(self.pool, &mut self.atoms, *t)?.contains(&step.fact))
            }
            Rule::Split(t, k) => {
                Some(meaning::split(self.pool, &mut self.atoms, *t, *k)? == step.fact)
            }
            Rule::Middle(t) => Some(meaning::middle(self.pool, &mut self.atoms, *t)? == step.fact),
            Rule::Division(t) => self.is_division(*t, step),
            Rule::BitBound(t) => {
                Some(meaning::bit_bounds(self.pool, &mut self.atoms, *t).contains(&step.fact))
            }
            Rule::Substitute(atoms) => Some(self.substituted(step, atoms)? == step.fact),
            Rule::Tighten => is_tightened(self.premise(step, 0)?, &step.fact),
            Rule::Combine { scale, weights } => self.is_combination(step, *scale, weights),
            Rule::Product { scale } => self.is_product(step, *scale),
            Rule::Interval => self.is_interval(step),
            Rule::Squeeze => {
                let (p, q) = (self.ge(step, 0)?, self.ge(step, 1)?);
                Some(p.negate()? == *q && step.fact == Fact::Eq(p.clone()))
            }
            Rule::NoWrap => self.is_no_wrap(step),
            Rule::MixedRadix { radix } => self.is_mixed_radix(step, radix),
            Rule::Absurd => Some(step.fact == Fact::False && is_absurd(self.premise(step, 0)?)),
            Rule::Clash => self.is_clash(step),
            Rule::CongSum { factor } => self.is_cong_sum(step, *factor),
            Rule::DeMorgan => self.is_de_morgan(step),
            Rule::Tautology => self.is_tautology(&step.fact),
            Rule::Branch(t) => self.is_branch(*t, step),
            Rule::Reduce => self.is_reduced(step),
            Rule::EqSum { factor } => match (self.premise(step, 0)?, self.premise(step, 1)?) {
                (Fact::Eq(p), Fact::Eq(q)) => Some(step.fact == Fact::Eq(p.add(&factor.mul(q)?)?)),
                _ => None,
            },
            Rule::Strict => {
                let Fact::Ne(p) = self.premise(step, 0)? else { return None };
                let bound = self.ge(step, 1)?;
                let same = bound == p || *bound == p.negate()?;
                Some(same && step.fact == Fact::Ge(bound.plus(-1)?))
            }
            Rule::Relax => {
                let (Fact::Eq(p), Fact::Ge(q)) = (self.premise(step, 0)?, &step.fact) else {
                    return None;
                };
                Some(p == q || p.negate()? == *q)
            }
            Rule::Cases => Some(step.fact == Fact::False && self.case_head(step).is_some()),
        }
    }

    fn is_given(&self, fact: &Fact) -> bool {
        matches!(fact, Fact::Holds(t) if self.literals.contains(t))
    }

    fn is_part(&mut self, step: &Step) -> Option<bool> {
        let (Some(&Fact::Holds(whole)), &Fact::Holds(part)) = (self.premise(step, 0), &step.fact)
        else {
            return None;
        };
        if self.pool.op(whole) == Op::And {
            return Some(self.pool.args(whole).contains(&part));
        }
        if self.pool.op(whole) == Op::Or {
            return Some(meaning::common_parts(self.pool, whole).contains(&part));
        }
        let inner = (self.pool.op(whole) == Op::Not).then(|| self.pool.args(whole)[0])?;
        if self.pool.op(inner) != Op::Or {
            return None;
        }
        // The negation of a bound is another comparison (`not (1 <= t)` is `t = 0`), whose own
        // negation need not be the bound again: so what is compared is the negated argument.
        let args = self.pool.args(inner).to_vec();
        Some(args.into_iter().any(|arg| self.pool.not(arg) == part))
    }

    fn is_width(&self, atom: Atom, fact: &Fact) -> Option<bool> {
        let (lo, hi) = meaning::width_bounds(self.pool, *self.atoms.table.get(atom)?)?;
        let low = Poly::atom(atom).plus(lo.checked_neg()?)?;
        let high = Poly::constant(hi).sub(&Poly::atom(atom))?;
        Some(*fact == Fact::Ge(low) || *fact == Fact::Ge(high))
    }

    fn is_division(&mut self, t: TermId, step: &Step) -> Option<bool> {
        let divided = meaning::division(self.pool, &mut self.atoms, t)?;
        let shown: Vec<&Fact> = step.premises.iter().map(|&p| self.fact(p)).collect();
        let needs = divided.needs.into_iter().map(Fact::Ge).collect::<Vec<_>>();
        let met = needs.iter().all(|need| shown.contains(&need));
        Some(met && divided.gives.contains(&step.fact))
    }

    /// The first premise with atoms replaced, in order.
    fn substituted(&self, step: &Step, atoms: &[Atom]) -> Option<Fact> {
        let mut fact = self.premise(step, 0)?.clone();
        if step.premises.len() != atoms.len() + 1 {
            return None;
        }
        for (&atom, &by) in atoms.iter().zip(&step.premises[1..]) {
            let relation = match (self.fact(by), &fact) {
                (Fact::Eq(p), _) => p,
                // A congruence may replace inside one of a modulus that divides it.
                (Fact::Cong(p, m), Fact::Cong(_, n) | Fact::NotCong(_, n)) if m % n == 0 => p,
                _ => return None,
            };
            // x − X = 0, so X = x − (x − X).
            let value = Poly::atom(atom).sub(relation)?;
            if value.mentions(atom) {
                return None;
            }
            fact = map_poly(&fact, |p| p.substitute(atom, &value))?;
        }
        Some(fact)
    }

    fn is_combination(&self, step: &Step, scale: i128, weights: &[i128]) -> Option<bool> {
        let Fact::Ge(conclusion) = &step.fact else { return None };
        if scale <= 0 || weights.len() != step.premises.len() || weights.iter().any(|&w| w < 0) {
            return None;
        }
        let mut sum = Poly::zero();
        for (i, &w) in weights.iter().enumerate() {
            sum = sum.add_scaled(self.ge(step, i)?, w)?;
        }
        let rest = conclusion.scale(scale)?.sub(&sum)?;
        rest.as_constant().map(|c| c >= 0)
    }

    fn is_product(&self, step: &Step, scale: i128) -> Option<bool> {
        let Fact::Ge(conclusion) = &step.fact else { return None };
        let product = self.ge(step, 0)?.mul(self.ge(step, 1)?)?;
        Some(scale > 0 && conclusion.scale(scale)? == product.add(self.ge(step, 2)?)?)
    }

    fn is_interval(&self, step: &Step) -> Option<bool> {
        let Fact::Ge(conclusion) = &step.fact else { return None };
        let mut bounds = Bounds::default();
        for i in 0..step.premises.len() {
            bounds.learn(self.ge(step, i)?)?;
        }
        bounds.lower(conclusion).map(|low| low >= 0)
    }

    fn is_no_wrap(&self, step: &Step) -> Option<bool> {
        let Fact::Cong(p, m) = self.premise(step, 0)? else { return None };
        let below = Poly::constant(m - 1).sub(p)?;
        let above = p.plus(m - 1)?;
        let bounded = *self.ge(step, 1)? == below && *self.ge(step, 2)? == above;
        Some(bounded && step.fact == Fact::Eq(p.clone()))
    }

    fn is_mixed_radix(&self, step: &Step, radix: &Poly) -> Option<bool> {
        let (Fact::Eq(whole), Fact::Eq(quotient)) = (self.premise(step, 0)?, &step.fact) else {
            return None;
        };
        let low = whole.sub(&radix.mul(quotient)?)?;
        let below = radix.plus(-1)?.sub(&low)?;
        let above = radix.plus(-1)?.add(&low)?;
        Some(*self.ge(step, 1)? == below && *self.ge(step, 2)? == above)
    }

    fn is_clash(&mut self, step: &Step) -> Option<bool> {
        let (Some(&Fact::Holds(a)), second) = (self.premise(step, 0), self.premise(step, 1)) else {
            return None;
        };
        let second = second.cloned();
        if step.fact != Fact::False {
            return None;
        }
        match second {
            None => Some(self.pool.op(a) == Op::False),
            Some(Fact::Holds(b)) => Some(self.pool.not(a) == b || self.pool.not(b) == a),
            Some(_) => None,
        }
    }

    fn is_cong_sum(&self, step: &Step, factor: i128) -> Option<bool> {
        let (Fact::Cong(p, m), Fact::Cong(q, n), Fact::Cong(r, k)) =
            (self.premise(step, 0)?, self.premise(step, 1)?, &step.fact)
        else {
            return None;
        };
        let same = *k > 0 && m % k == 0 && n % k == 0;
        Some(same && *r == p.add_scaled(q, factor)?)
    }

    /// One of the parts of a conjunction that does not hold is false: each negation must be
    /// among the alternatives.
    fn is_de_morgan(&mut self, step: &Step) -> Option<bool> {
        let (Some(&Fact::Holds(whole)), &Fact::Holds(either)) = (self.premise(step, 0), &step.fact)
        else {
            return None;
        };
        let inner = (self.pool.op(whole) == Op::Not).then(|| self.pool.args(whole)[0])?;
        if self.pool.op(inner) != Op::And || self.pool.op(either) != Op::Or {
            return None;
        }
        let parts = self.pool.args(inner).to_vec();
        let negations: Vec<TermId> = parts.into_iter().map(|part| self.pool.not(part)).collect();
        Some(negations.iter().all(|negation| self.pool.args(either).contains(negation)))
    }

    fn is_tautology(&mut self, fact: &Fact) -> Option<bool> {
        let &Fact::Holds(t) = fact else { return None };
        let parts = self.pool.args(t).to_vec();
        let negations: Vec<TermId> = parts.iter().map(|&p| self.pool.not(p)).collect();
        Some(self.pool.op(t) == Op::Or && negations.iter().any(|n| parts.contains(n)))
    }

    fn is_branch(&mut self, t: TermId, step: &Step) -> Option<bool> {
        let Some(&Fact::Holds(shown)) = self.premise(step, 0) else { return None };
        let condition = *self.pool.args(t).first()?;
        let taken = shown == condition;
        if !taken && shown != self.pool.not(condition) {
            return None;
        }
        Some(meaning::branch(self.pool, &mut self.atoms, t, taken)?.contains(&step.fact))
    }

    fn is_reduced(&self, step: &Step) -> Option<bool> {
        match (self.premise(step, 0)?, &step.fact) {
            (Fact::Cong(p, m), Fact::Cong(q, n)) | (Fact::NotCong(p, m), Fact::NotCong(q, n)) => {
                Some(m == n && *m > 0 && p.sub(q)?.divide(*m).is_some())
            }
            _ => None,
        }
    }

    /// The number of premises before the cases, if the cases are exhaustive and
    /// each ends in a contradiction.
    fn case_head(&self, step: &Step) -> Option<usize> {
        let (head, cases) = match self.premise(step, 0)? {
            Fact::Holds(t) if self.pool.op(*t) == Op::Or => {
                (1, self.pool.args(*t).iter().map(|&d| Fact::Holds(d)).collect())
            }
            Fact::Ne(p) => (1, vec![Fact::Ge(p.plus(-1)?), Fact::Ge(p.negate()?.plus(-1)?)]),
            Fact::Cong(p, m) => (3, self.multiples(step, p, *m)?),
            _ => return None,
        };
        let branches = &step.premises[head..];
        let closed = branches.chunks(2).all(|case| {
            let [hypothesis, end] = *case else { return false };
            self.steps[hypothesis].rule == Rule::Hypothesis && *self.fact(end) == Fact::False
        });
        let supposed: Vec<&Fact> = branches.iter().step_by(2).map(|&h| self.fact(h)).collect();
        let exhaustive = cases.iter().all(|case| supposed.contains(&case));
        (closed && exhaustive).then_some(head)
    }

    /// `P ≡ 0 (mod m)` with `lo ≤ P ≤ hi`: the cases `P = k·m`.
    fn multiples(&self, step: &Step, p: &Poly, m: i128) -> Option<Vec<Fact>> {
        let low = self.ge(step, 1)?.sub(p)?.as_constant()?.checked_neg()?;
        let high = self.ge(step, 2)?.add(p)?.as_constant()?;
        let (first, last) = (low.div_euclid(m), high.div_euclid(m));
        if last - first > 64 {
            return None;
        }
        (first..=last).map(|k| Some(Fact::Eq(p.plus(k.checked_mul(-m)?)?))).collect()
    }
}

/// An equality of bit-vectors also reads as one modulo 2^w, and so does its
/// negation: two values below 2^w are equal exactly if they are congruent.
fn weaker_reading(read: &Fact, fact: &Fact, pool: &TermPool, t: TermId) -> bool {
    let inner = if pool.op(t) == Op::Not { pool.args(t)[0] } else { t };
    let Some(width) = pool.sort(pool.args(inner)[0]).width() else { return false };
    match (read, fact) {
        (Fact::Eq(p), Fact::Cong(q, m)) | (Fact::Ne(p), Fact::NotCong(q, m)) => {
            p == q && *m == meaning::modulus(width)
        }
        _ => false,
    }
}

fn map_poly(fact: &Fact, f: impl FnOnce(&Poly) -> Option<Poly>) -> Option<Fact> {
    Some(match fact {
        Fact::Eq(p) => Fact::Eq(f(p)?),
        Fact::Ge(p) => Fact::Ge(f(p)?),
        Fact::Ne(p) => Fact::Ne(f(p)?),
        Fact::Cong(p, m) => Fact::Cong(f(p)?, *m),
        Fact::NotCong(p, m) => Fact::NotCong(f(p)?, *m),
        Fact::Holds(_) | Fact::False => return None,
    })
}

fn is_tightened(premise: &Fact, conclusion: &Fact) -> Option<bool> {
    match (premise, conclusion) {
        // g·P + c ≥ 0 with g > 0 gives P + floor(c/g) ≥ 0.
        (Fact::Ge(p), Fact::Ge(q)) => {
            let g = p.content();
            let rounded = p.plus(-p.constant_term().checked_rem_euclid(g)?)?;
            Some(g > 0 && rounded.divide(g)? == *q)
        }
        (Fact::Eq(p), Fact::Eq(q)) | (Fact::Ne(p), Fact::Ne(q)) => {
            let g = gcd(p.content(), p.constant_term());
            Some(g > 0 && p.divide(g)? == *q)
        }
        // g·P ≡ 0 (mod m) gives P ≡ 0 (mod m / gcd(g, m)).
        (Fact::Cong(p, m), Fact::Cong(q, n)) => {
            let g = gcd(p.content(), p.constant_term());
            Some(g > 0 && *m > 0 && p.divide(g)? == *q && *n == m / gcd(g, *m))
        }
        _ => None,
    }
}

fn is_absurd(fact: &Fact) -> bool {
    match fact {
        Fact::Ge(p) => p.as_constant().is_some_and(|c| c < 0),
        Fact::Ne(p) => p.is_zero(),
        Fact::Eq(p) => match p.content() {
            0 => p.constant_term() != 0,
            g => p.constant_term() % g != 0,
        },
        Fact::Cong(p, m) => {
            let g = gcd(p.content(), *m);
            g > 0 && p.constant_term() % g != 0
        }
        Fact::NotCong(p, m) => *m > 0 && p.as_constant().is_some_and(|c| c % m == 0),
        Fact::False => true,
        Fact::Holds(_) => false,
    }
}

/// Bounds of monomials, learnt from premises of the shapes `±M + c ≥ 0`.
#[derive(Default)]
struct Bounds {
    lower: BTreeMap<Monomial, i128>,
    upper: BTreeMap<Monomial, i128>,
}

impl Bounds {
    fn learn(&mut self, p: &Poly) -> Option<()> {
        let mut terms = p.proper_terms();
        let (Some((m, c)), None) = (terms.next(), terms.next()) else { return None };
        let constant = p.constant_term();
        match c {
            1 => {
                let bound = constant.checked_neg()?;
                self.lower.entry(*m).and_modify(|b| *b = bound.max(*b)).or_insert(bound);
            }
            -1 => {
                self.upper.entry(*m).and_modify(|b| *b = constant.min(*b)).or_insert(constant);
            }
            _ => return None,
        }
        Some(())
    }

    /// A lower bound of a polynomial.
    fn lower(&self, p: &Poly) -> Option<i128> {
        let mut total = p.constant_term();
        for (m, c) in p.proper_terms() {
            let (lo, hi) = self.range(m);
            let bound = if c > 0 { lo } else { hi };
            total = total.checked_add(c.checked_mul(bound?)?)?;
        }
        Some(total)
    }

    /// The range of a product: known as a whole, or from its factors.
    fn range(&self, m: &Monomial) -> (Option<i128>, Option<i128>) {
        let (mut lo, mut hi) = (self.lower.get(m).copied(), self.upper.get(m).copied());
        if m.len() > 1
            && let Some((l, h)) = self.factor_range(m)
        {
            lo = Some(lo.map_or(l, |b| b.max(l)));
            hi = match (hi, h) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        (lo, hi)
    }

    /// The range of a product from its factors' ranges: by corners where all
    /// are known, else for factors that are not negative.
    fn factor_range(&self, m: &Monomial) -> Option<(i128, Option<i128>)> {
        let of = |a: &Atom| {
            (self.lower.get(&Monomial::of(*a)).copied(), self.upper.get(&Monomial::of(*a)).copied())
        };
        let ranges: Vec<(Option<i128>, Option<i128>)> = m.iter().map(of).collect();
        if ranges.iter().all(|(l, h)| l.is_some_and(|l| l >= 0) && h.is_none_or(|h| h >= 0)) {
            let low = ranges.iter().try_fold(1i128, |p, (l, _)| p.checked_mul((*l)?))?;
            let high = ranges.iter().try_fold(1i128, |p, (_, h)| p.checked_mul((*h)?));
            return Some((low, high));
        }
        let (mut lo, mut hi) = (1i128, 1i128);
        for (l, h) in ranges {
            let corners = [
                lo.checked_mul(l?)?,
                lo.checked_mul(h?)?,
                hi.checked_mul(l?)?,
                hi.checked_mul(h?)?,
            ];
            lo = *corners.iter().min()?;
            hi = *corners.iter().max()?;
        }
        Some((lo, Some(hi)))
    }
}
