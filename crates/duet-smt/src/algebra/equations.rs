//! Equations and congruences: solving, mixed radix, elimination.

use super::meaning;
use super::poly::{Atom, Monomial, Poly};
use super::proof::{Fact, Rule, StepId, View};
use super::state::Prover;

/// How hard the bounds of a radix are tried.
const RADIX_DEPTH: u32 = 4;
/// Congruences beyond this number are not combined.
const MAX_CONGS: usize = 12;

impl Prover<'_> {
    /// What can be drawn from equations without guessing.
    pub fn work_on_equations(&mut self) {
        for i in 0..self.branch.eqs.len() {
            let (p, id) = self.branch.eqs[i].clone();
            if self.refute_equation(&p, id) {
                return;
            }
            if is_simple(&p) || self.terms.operation_in(&p).is_some() {
                self.solve(&p, id);
                continue;
            }
            self.separate(&p, id);
        }
    }

    /// `p = 0` although `p > 0` or `p < 0`.
    fn refute_equation(&mut self, p: &Poly, id: StepId) -> bool {
        for sign in [1, -1] {
            let Some(positive) = p.scale(sign).and_then(|q| q.plus(-1)) else { continue };
            let Some(strict) = self.terms.prove_ge(&positive, 1) else { continue };
            let Some(other) = p.scale(-sign) else { continue };
            let half = self.line(Fact::Ge(other), Rule::Relax, &[id]);
            self.contradict_sum(half, strict);
            return true;
        }
        false
    }

    /// `P ≥ 0` and `−P − 1 ≥ 0`.
    pub fn contradict_sum(&mut self, a: StepId, b: StepId) {
        let rule = Rule::Combine { scale: 1, weights: vec![1, 1] };
        let absurd = self.line(Fact::Ge(Poly::constant(-1)), rule, &[a, b]);
        self.contradict(Rule::Absurd, &[absurd]);
    }

    /// Replaces an atom by what the equation says it is. Its bounds stay known,
    /// as facts about the value.
    pub fn solve(&mut self, p: &Poly, id: StepId) -> bool {
        let Some((atom, sign)) = self.best_atom(p) else { return false };
        let line = if sign == 1 { Some(id) } else { self.negated(p, id) };
        let Some(line) = line else { return false };
        let Some(value) = Poly::atom(atom).sub(self.terms.notebook.poly(line)) else {
            return false;
        };
        let key = Monomial::of(atom);
        for bound in [self.terms.bounds.lower.get(&key), self.terms.bounds.upper.get(&key)] {
            if let Some(&(_, bound)) = bound
                && !self.terms.known.extra.contains(&bound)
            {
                self.terms.known.extra.push(bound);
            }
        }
        self.terms.known.solved.insert(atom, (value, line));
        self.terms.notebook.changed = true;
        true
    }

    /// Of the atoms that can be solved for, one that connects this equation to
    /// most others, then one that few inequalities are about: those of the
    /// others keep their shape.
    fn best_atom(&self, p: &Poly) -> Option<(Atom, i128)> {
        // Of the two values of one term the unsigned one stays.
        let term = |a: Atom| self.terms.atoms.table[a].term;
        if let &[a, b] = &p.atoms()[..]
            && term(a) == term(b)
        {
            let signed = |&(a, _): &(Atom, i128)| self.terms.atoms.table[a].view == View::Signed;
            return solvable_atoms(p).find(signed);
        }
        if let Some(found) = self.terms.operation_in(p) {
            return Some(found);
        }
        let uses = |a: Atom| {
            let about =
                |(q, id): &&(Poly, StepId)| q.mentions(a) && !self.terms.bounds.halves.contains(id);
            self.terms.bounds.ges.iter().filter(about).count()
        };
        let links = |a: Atom| self.branch.eqs.iter().filter(|(q, _)| q.mentions(a)).count();
        solvable_atoms(p)
            .min_by_key(|&(a, _)| (std::cmp::Reverse(links(a)), uses(a), std::cmp::Reverse(a)))
    }

    fn negated(&mut self, p: &Poly, id: StepId) -> Option<StepId> {
        let factor = Poly::constant(-2);
        Some(self.line(Fact::Eq(p.negate()?), Rule::EqSum { factor }, &[id, id]))
    }

    /// Mixed radix: `A·R + L = 0` with `|L| < A`.
    fn separate(&mut self, p: &Poly, id: StepId) -> bool {
        for (radix, quotient, low) in splits(p) {
            if !self.terms.notebook.spend() {
                return false;
            }
            if self.separate_by(p, id, &radix, &quotient, &low).is_some() {
                return true;
            }
        }
        false
    }

    fn separate_by(
        &mut self,
        p: &Poly,
        id: StepId,
        radix: &Poly,
        quotient: &Poly,
        low: &Poly,
    ) -> Option<()> {
        let (below, above) = (radix.plus(-1)?.sub(low)?, radix.plus(-1)?.add(low)?);
        let hopeless = |p: &Self, q: &Poly| p.terms.bounds.greatest(q).is_some_and(|high| high < 0);
        if hopeless(self, &below) || hopeless(self, &above) {
            return None;
        }
        let below = self.terms.prove_ge(&below, RADIX_DEPTH)?;
        let above = self.terms.prove_ge(&above, RADIX_DEPTH)?;
        let rule = Rule::MixedRadix { radix: radix.clone() };
        let high = self.line(Fact::Eq(quotient.clone()), rule, &[id, below, above]);
        self.terms.learn(high);
        if !low.is_zero() {
            let factor = radix.negate()?;
            debug_assert_eq!(p.add(&factor.mul(quotient)?)?, *low);
            let rest = self.line(Fact::Eq(low.clone()), Rule::EqSum { factor }, &[id, high]);
            self.terms.learn(rest);
        }
        Some(())
    }

    /// Solves one equation for good, where nothing gentler helped.
    pub fn solve_one(&mut self) -> bool {
        let mut eqs = self.branch.eqs.clone();
        let links = |p: &Poly| {
            let atoms = solvable_atoms(p).map(|(a, _)| a);
            let others = |a| self.branch.eqs.iter().filter(|(q, _)| q.mentions(a)).count();
            atoms.map(others).max().unwrap_or(0)
        };
        eqs.sort_by_cached_key(|(p, _)| std::cmp::Reverse(links(p)));
        eqs.iter().any(|(p, id)| self.solve(p, *id))
    }

    /// Congruences whose polynomial stays between −m and m are equations.
    pub fn unwrap_congruences(&mut self) {
        for i in 0..self.branch.congs.len() {
            let (p, m, id) = self.branch.congs[i].clone();
            if let Some(eq) = self.unwrapped(&p, m, id) {
                self.terms.learn(eq);
            }
        }
    }

    fn unwrapped(&mut self, p: &Poly, m: i128, id: StepId) -> Option<StepId> {
        let less = self.terms.prove_ge(&Poly::constant(m - 1).sub(p)?, 3)?;
        let more = self.terms.prove_ge(&p.plus(m - 1)?, 3)?;
        Some(self.line(Fact::Eq(p.clone()), Rule::NoWrap, &[id, less, more]))
    }

    /// From `x ≡ c·v` and a congruence with `c·k·v` the one with `k·x` instead, where that
    /// is an equation: a counter `2·v` that is known to fit its width says what the index
    /// `8192·v` is, whatever `v` does. Was one found?
    pub fn relate_multiples(&mut self) -> bool {
        let congs = self.branch.congs.clone();
        let before = self.terms.known.extra.len();
        for (q, n, q_line) in &congs {
            let Some((v, c)) = multiple_in(q) else { continue };
            for (p, m, p_line) in congs.iter().filter(|(p, _, _)| p != q) {
                let d = p.coefficient(&[v]);
                let wanted = d != 0 && d % c == 0 && m == n && is_linear_in(p, v);
                if !wanted || !self.terms.notebook.spend() {
                    continue;
                }
                let factor = -(d / c);
                let Some(sum) = p.add_scaled(q, factor) else { continue };
                let rule = Rule::CongSum { factor };
                let id = self.line(Fact::Cong(sum.clone(), *m), rule, &[*p_line, *q_line]);
                if let Some(eq) = self.unwrapped(&sum, *m, id) {
                    self.terms.learn(eq);
                }
            }
        }
        self.terms.known.extra.len() > before
    }

    /// Adds congruences so that an atom cancels.
    pub fn combine_congruences(&mut self) {
        let congs = self.branch.congs.clone();
        if congs.len() > MAX_CONGS {
            return;
        }
        for (i, (p, m, p_line)) in congs.iter().enumerate() {
            for (q, n, q_line) in &congs[i + 1..] {
                for atom in p.atoms() {
                    self.cancel_atom((p, *m, *p_line), (q, *n, *q_line), atom);
                }
            }
        }
    }

    fn cancel_atom(
        &mut self,
        (p, m, p_line): (&Poly, i128, StepId),
        (q, n, q_line): (&Poly, i128, StepId),
        atom: Atom,
    ) -> Option<()> {
        let (c, d) = (p.coefficient(&[atom]), q.coefficient(&[atom]));
        if c.abs() != 1 || d.abs() != 1 || !is_linear_in(p, atom) || !is_linear_in(q, atom) {
            return None;
        }
        let k = m.min(n);
        if m % k != 0 || n % k != 0 {
            return None;
        }
        let factor = -c * d;
        let sum = p.add_scaled(q, factor)?;
        if sum.size() + 1 >= p.size() + q.size() {
            return None;
        }
        let id = self.line(Fact::Cong(sum, k), Rule::CongSum { factor }, &[p_line, q_line]);
        let id = self.terms.notebook.reduce(id);
        self.terms.learn(id);
        Some(())
    }

    /// A signed value that is not negative is the unsigned one. Was one found?
    pub fn link_signs(&mut self) -> bool {
        let before = self.terms.known.extra.len();
        let signed: Vec<Atom> = (self.terms.atoms.table.iter())
            .filter(|(_, data)| data.view == View::Signed)
            .map(|(a, _)| a)
            .collect();
        for s in signed {
            let natural =
                self.terms.bounds.lower.get(&Monomial::of(s)).is_some_and(|(lo, _)| *lo >= 0);
            if natural
                && !self.terms.known.solved.contains_key(&s)
                && self.terms.value(s).1.is_none()
            {
                self.link_sign(s);
            }
        }
        self.terms.known.extra.len() > before
    }

    fn link_sign(&mut self, s: Atom) -> Option<()> {
        let term = self.terms.atoms.table[s].term;
        let u = self.terms.atoms.get(term, View::Unsigned);
        self.terms.ensure_width(u);
        let [link, _] = meaning::sign_links(self.terms.pool, &mut self.terms.atoms, term)?;
        let link = self.line(link, Rule::SignLink(term), &[]);
        let (p, m) = (self.terms.notebook.poly(link).clone(), 1i128 << self.terms.pool.width(term));
        let less = self
            .terms
            .bounds
            .interval(&mut self.terms.notebook, &Poly::constant(m - 1).sub(&p)?)?;
        let more = self.terms.bounds.interval(&mut self.terms.notebook, &p.plus(m - 1)?)?;
        let eq = self.line(Fact::Eq(p.clone()), Rule::NoWrap, &[link, less, more]);
        self.terms.learn(eq);
        self.solve(&p, eq);
        Some(())
    }

    /// What is not zero and not negative is at least one.
    pub fn sharpen_disequalities(&mut self) {
        for (p, id) in self.branch.nes.clone() {
            for sign in [1, -1] {
                let Some(side) = p.scale(sign) else { continue };
                let Some(bound) = self.terms.bounds.interval(&mut self.terms.notebook, &side)
                else {
                    continue;
                };
                let Some(strict) = side.plus(-1) else { continue };
                let strict = self.line(Fact::Ge(strict), Rule::Strict, &[id, bound]);
                self.terms.learn(strict);
            }
        }
    }

    /// `P ≥ 0` next to `−P ≥ 0`.
    pub fn squeeze(&mut self) {
        for i in 0..self.terms.bounds.ges.len() {
            let (p, id) = self.terms.bounds.ges[i].clone();
            let Some(negated) = p.negate() else { continue };
            let Some(&other) = self.terms.notebook.lines.get(&Fact::Ge(negated)) else { continue };
            let eq = self.line(Fact::Eq(p), Rule::Squeeze, &[id, other]);
            self.terms.learn(eq);
        }
    }
}

/// The atom `v` and its factor `c` in `±x + c·v`, for a `c` that is no unit.
fn multiple_in(p: &Poly) -> Option<(Atom, i128)> {
    let mut terms = p.proper_terms();
    let (one, other) = (terms.next()?, terms.next()?);
    let (v, c) = match (&one.0[..], one.1, &other.0[..], other.1) {
        ([_], 1 | -1, [v], c) | ([v], c, [_], 1 | -1) => (*v, c),
        _ => return None,
    };
    (terms.next().is_none() && c.abs() > 1).then_some((v, c))
}

/// `x = y`, `x = c` and the like: solving them loses no structure.
fn is_simple(p: &Poly) -> bool {
    let linear = p.proper_terms().all(|(m, _)| m.len() == 1);
    linear && p.proper_terms().count() <= 2 && solvable_atoms(p).next().is_some()
}

/// Atoms that occur once, alone, with coefficient one or minus one.
pub(super) fn solvable_atoms(p: &Poly) -> impl Iterator<Item = (Atom, i128)> {
    p.proper_terms().filter_map(move |(m, c)| match m[..] {
        [a] if c.abs() == 1 && is_linear_in(p, a) => Some((a, c)),
        _ => None,
    })
}

/// Whether the atom occurs only as a term of its own.
fn is_linear_in(p: &Poly, a: Atom) -> bool {
    p.terms().all(|(m, _)| !m.contains(&a) || m.len() == 1)
}

/// Ways to write `p = A·R + L`: radices are parts of p's own terms.
fn splits(p: &Poly) -> Vec<(Poly, Poly, Poly)> {
    let mut radices: Vec<(Monomial, i128)> = Vec::new();
    for (m, c) in p.proper_terms() {
        let c = c.saturating_abs();
        for part in sub_monomials(m) {
            radices.push((part, 1));
            radices.push((part, c));
        }
        radices.push((Monomial::one(), c));
    }
    radices.sort_by_key(|(m, c)| (m.len(), *m, *c));
    radices.dedup();
    radices.retain(|(m, c)| !(m.is_empty() && *c <= 1));
    let mut all = Vec::new();
    for (m, c) in radices {
        split_by_term(p, &m, c, &mut all);
    }
    for radix in sum_radices(p) {
        all.extend(split_by_sum(p, &radix));
    }
    all
}

/// Proper, non-empty parts of a monomial.
fn sub_monomials(m: &Monomial) -> Vec<Monomial> {
    let n = m.len().min(4);
    let mut parts: Vec<Monomial> = (1u32..(1 << n))
        .filter_map(|bits| {
            Monomial::from_sorted((0..n).filter(|i| bits >> i & 1 == 1).map(|i| m[i]))
        })
        .collect();
    parts.sort();
    parts.dedup();
    parts
}

/// Terms divisible by `c·m` go to the quotient. A constant is divided with
/// remainder, rounded both ways.
fn split_by_term(p: &Poly, m: &Monomial, c: i128, all: &mut Vec<(Poly, Poly, Poly)>) {
    let Some(radix) = Poly::monomial(*m).scale(c) else { return };
    let (mut quotient, mut low) = (Poly::zero(), Poly::zero());
    for (n, k) in p.proper_terms() {
        let target = match n.divide(m) {
            Some(q) if k % c == 0 => {
                quotient.add_scaled(&Poly::monomial(q), k / c).map(|q| (q, None))
            }
            _ => low.add_scaled(&Poly::monomial(*n), k).map(|l| (quotient.clone(), Some(l))),
        };
        match target {
            Some((q, None)) => quotient = q,
            Some((_, Some(l))) => low = l,
            None => return,
        }
    }
    if quotient.is_zero() {
        return;
    }
    let constant = p.constant_term();
    if !m.is_empty() {
        all.extend(low.plus(constant).map(|low| (radix, quotient, low)));
        return;
    }
    let (floor, rest) = (constant.div_euclid(c), constant.rem_euclid(c));
    for (extra, rest) in [(floor, rest), (floor + 1, rest - c)] {
        if let (Some(q), Some(l)) = (quotient.plus(extra), low.plus(rest)) {
            all.push((radix.clone(), q, l));
        }
    }
}

/// Radices that are sums, such as the padded pitch `n + 1` of `(n+1)·y + x`:
/// the factors of single atoms in p.
fn sum_radices(p: &Poly) -> Vec<Poly> {
    let factors = p.atoms().into_iter().map(|a| p.split_by(&[a]).0);
    let mut sums: Vec<Poly> =
        factors.filter(|f| f.size() > 1 && f.as_constant().is_none()).collect();
    sums.extend(sums.clone().iter().filter_map(Poly::negate));
    sums.sort();
    sums.dedup();
    sums
}

/// Division with remainder by a sum, along its leading term.
fn split_by_sum(p: &Poly, radix: &Poly) -> Option<(Poly, Poly, Poly)> {
    let (lead, c) = radix.leading().map(|(m, c)| (*m, c))?;
    let (mut rest, mut quotient) = (p.clone(), Poly::zero());
    for _ in 0..8 {
        let next = rest.terms().find_map(|(n, k)| {
            let q = n.divide(&lead)?;
            (k % c == 0).then(|| Poly::monomial(q).scale(k / c))?
        });
        let Some(part) = next else { break };
        quotient = quotient.add(&part)?;
        rest = rest.sub(&part.mul(radix)?)?;
    }
    (!quotient.is_zero()).then_some((radix.clone(), quotient, rest))
}
