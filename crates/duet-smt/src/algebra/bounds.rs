//! Intervals, and proofs of `P ≥ 0`.

use super::meaning::{self, Atoms};
use super::notebook::Notebook;
use super::poly::{Atom, Monomial, Poly, gcd};
use super::proof::{AtomData, Fact, Rule, StepId};
use super::state::Known;
use crate::pool::TermPool;
use rustc_hash::{FxHashMap, FxHashSet};

/// Work of one proof attempt.
const PROOF_FUEL: u32 = 60;
/// Parts that are replaced by their maxima in one proof.
const MAXIMA: usize = 8;
/// Inequalities that are looked through for a unit of work.
const GES_OF_FUEL: usize = 16;

type Range = (Option<i128>, Option<i128>);

/// What is known by inequalities on the current branch.
#[derive(Clone, Default)]
pub(super) struct Bounds {
    /// Lower bounds of monomials.
    pub lower: FxHashMap<Monomial, (i128, StepId)>,
    /// Upper bounds of monomials.
    pub upper: FxHashMap<Monomial, (i128, StepId)>,
    /// Inequalities that are no bounds of one monomial.
    pub ges: Vec<Known>,
    /// Inequalities that are halves of equations.
    pub halves: FxHashSet<StepId>,
    /// What could not be proved.
    pub failed: FxHashSet<Poly>,
    /// Whether a bound got better in this round.
    pub better_bounds: bool,
}

impl Bounds {
    /// The bounds by width of an atom, as bounds like any other.
    pub fn ensure_width(
        &mut self,
        notebook: &mut Notebook,
        pool: &TermPool,
        atoms: &Atoms,
        atom: Atom,
    ) {
        let key = Monomial::of(atom);
        if self.lower.contains_key(&key) {
            return;
        }
        let data = atoms.table[atom];
        let Some((lo, hi)) = meaning::width_bounds(pool, data) else { return };
        let (Some(low), Some(high)) =
            (Poly::atom(atom).plus(-lo), Poly::constant(hi).sub(&Poly::atom(atom)))
        else {
            return;
        };
        let low = notebook.line(Fact::Ge(low), Rule::Width(atom), &[]);
        let high = notebook.line(Fact::Ge(high), Rule::Width(atom), &[]);
        self.lower.insert(key, (lo, low));
        // An upper bound may be known already where the lower one was missing.
        self.upper.entry(key).or_insert((hi, high));
    }

    /// Whether an atom is known to stay within less than its width.
    pub fn is_bounded(&self, pool: &TermPool, data: AtomData, atom: Atom) -> bool {
        let Some((lo, hi)) = meaning::width_bounds(pool, data) else {
            return false;
        };
        let key = Monomial::of(atom);
        let tighter =
            |bound: Option<&(i128, StepId)>, width| bound.is_some_and(|(b, _)| *b != width);
        tighter(self.lower.get(&key), lo) || tighter(self.upper.get(&key), hi)
    }

    /// What intervals say about a polynomial's least value.
    pub fn least(&self, p: &Poly) -> Option<i128> {
        let mut total = p.constant_term();
        for (m, c) in p.proper_terms() {
            let (lo, hi) = self.range(m);
            let bound = if c > 0 { lo } else { hi };
            total = total.checked_add(c.checked_mul(bound?)?)?;
        }
        Some(total)
    }

    /// What intervals say about a polynomial's greatest value.
    pub fn greatest(&self, p: &Poly) -> Option<i128> {
        self.least(&p.negate()?)?.checked_neg()
    }

    fn range(&self, m: &Monomial) -> Range {
        let known = |map: &FxHashMap<Monomial, (i128, StepId)>| map.get(m).map(|b| b.0);
        let (lo, hi) = (known(&self.lower), known(&self.upper));
        if m.len() < 2 {
            return (lo, hi);
        }
        let (l, h) = self.product_range(m);
        (lo.max(l), [hi, h].into_iter().flatten().min())
    }

    /// The range of a product from those of its factors.
    fn product_range(&self, m: &Monomial) -> Range {
        let factors: Vec<Range> = m.iter().map(|&a| self.range(&Monomial::of(a))).collect();
        let natural = |r: &Range| r.0.is_some_and(|l| l >= 0) && r.1.is_none_or(|h| h >= 0);
        if factors.iter().all(natural) {
            let low = factors.iter().try_fold(1i128, |p, r| p.checked_mul(r.0?));
            let high = factors.iter().try_fold(1i128, |p, r| p.checked_mul(r.1?));
            return (low, if low.is_some() { high } else { None });
        }
        let mut range = Some((1i128, 1i128));
        for (l, h) in factors {
            range = range.and_then(|(lo, hi)| {
                let (l, h) = (l?, h?);
                let corners = [
                    lo.checked_mul(l)?,
                    lo.checked_mul(h)?,
                    hi.checked_mul(l)?,
                    hi.checked_mul(h)?,
                ];
                Some((*corners.iter().min()?, *corners.iter().max()?))
            });
        }
        (range.map(|r| r.0), range.map(|r| r.1))
    }

    /// `p ≥ 0` by intervals alone.
    pub fn interval(&mut self, notebook: &mut Notebook, p: &Poly) -> Option<StepId> {
        if self.least(p)? < 0 {
            return None;
        }
        let mut premises = Vec::new();
        for (m, _) in p.proper_terms() {
            let singles = m.iter().map(|&a| Monomial::of(a));
            for key in singles.chain([*m]) {
                let bounds = [self.lower.get(&key), self.upper.get(&key)];
                premises.extend(bounds.into_iter().flatten().map(|b| b.1));
            }
        }
        premises.sort_unstable();
        premises.dedup();
        Some(notebook.line(Fact::Ge(p.clone()), Rule::Interval, &premises))
    }

    /// `p ≥ 0`, by intervals and known inequalities.
    pub fn prove_ge(&mut self, notebook: &mut Notebook, p: &Poly, depth: u32) -> Option<StepId> {
        if let Some(&known) = notebook.lines.get(&Fact::Ge(p.clone())) {
            return Some(known);
        }
        if let Some(id) = self.interval(notebook, p) {
            return Some(id);
        }
        if depth == 0 || self.failed.contains(p) {
            return None;
        }
        // A step or two are often enough, and soon tried.
        let mut found = self.search(notebook, p, 1, &mut { PROOF_FUEL });
        if found.is_none() && depth > 1 && self.has_products() {
            found = self.by_maxima(notebook, p);
        }
        if found.is_none() && depth > 2 && self.has_products() {
            found = self.search(notebook, p, 2, &mut { PROOF_FUEL });
        }
        if found.is_none() && depth > 1 {
            found = self.search(notebook, p, depth, &mut { PROOF_FUEL });
        }
        if found.is_none() {
            self.failed.insert(p.clone());
        }
        found
    }

    /// Writes `k·p = M·G + rest` with a known `G ≥ 0` that cancels a monomial of
    /// `p`, `M ≥ 0` by intervals, and proves the rest.
    fn search(
        &mut self,
        notebook: &mut Notebook,
        p: &Poly,
        depth: u32,
        fuel: &mut u32,
    ) -> Option<StepId> {
        if let Some(id) = self.interval(notebook, p) {
            return Some(id);
        }
        if depth == 0 {
            return None;
        }
        for i in 0..self.ges.len() {
            let (g, g_line) = self.ges[i].clone();
            for (m, gc) in g.proper_terms().rev() {
                if *fuel == 0 || notebook.fuel == 0 {
                    return None;
                }
                // Only a part that pulls p down needs another bound: one that
                // occurs negatively, or may be negative itself.
                if gc > 0 && self.range(m).0.is_some_and(|lo| lo >= 0) {
                    continue;
                }
                let Some((k, factor, rest)) = self.cancel(p, &g, m, gc) else { continue };
                *fuel -= 1;
                notebook.spend();
                let Some(rest) = self.search(notebook, &rest, depth - 1, fuel) else { continue };
                return self.add_up(notebook, p, k, &factor, g_line, rest);
            }
        }
        match self.has_products() {
            true => self.search_by_least(notebook, p, depth, fuel),
            false => None,
        }
    }

    /// A polynomial whose parts pull it down is least at the maxima of their digits: each part is
    /// replaced by what some inequality says that it is at most, the one first that leaves the
    /// fewest such parts. `m − n·(y·w + x)` with `x < w`, `y < h` and `n·w·h ≤ m` takes three
    /// steps in any order, where a search would try all orders of all inequalities.
    ///
    /// SOUNDNESS: each step is an equation `k·p = M·G + rest` as in [`Bounds::search`], which the
    /// checker computes again (test `files`, volume-that-wraps).
    fn by_maxima(&mut self, notebook: &mut Notebook, p: &Poly) -> Option<StepId> {
        let mut steps: Vec<(Poly, i128, Poly, StepId)> = vec![];
        let mut rest = p.clone();
        let mut last = loop {
            if let Some(id) = self.interval(notebook, &rest) {
                break id;
            }
            if steps.len() >= MAXIMA || notebook.fuel == 0 {
                return None;
            }
            let (k, factor, line, next) = self.best_replacement(notebook, &rest)?;
            steps.push((rest, k, factor, line));
            rest = next;
        };
        while let Some((p, k, factor, line)) = steps.pop() {
            last = self.add_up(notebook, &p, k, &factor, line, last)?;
        }
        Some(last)
    }

    /// The inequality by which a part of `p` that pulls it down is best replaced.
    fn best_replacement(
        &mut self,
        notebook: &mut Notebook,
        p: &Poly,
    ) -> Option<(i128, Poly, StepId, Poly)> {
        let mut best: Option<(usize, (i128, Poly, StepId, Poly))> = None;
        for (g, line) in &self.ges {
            for (m, gc) in g.proper_terms().filter(|(_, c)| *c < 0) {
                let pulls = p.proper_terms().any(|(of, c)| c < 0 && of.divide(m).is_some());
                if !pulls {
                    continue;
                }
                let Some((k, factor, rest)) = self.cancel(p, g, m, gc) else { continue };
                let left = self.pulling(&rest);
                if best.as_ref().is_none_or(|(least, _)| left < *least) {
                    best = Some((left, (k, factor, *line, rest)));
                }
            }
        }
        notebook.charge(1 + self.ges.len() / GES_OF_FUEL);
        best.map(|(_, found)| found)
    }

    /// How many parts pull a polynomial down.
    fn pulling(&self, p: &Poly) -> usize {
        let pulls = |(m, c): &(&Monomial, i128)| *c < 0 || self.range(m).0.is_none_or(|lo| lo < 0);
        p.proper_terms().filter(pulls).count()
    }

    /// Is a product of atoms bounded? Else intervals see most.
    fn has_products(&self) -> bool {
        self.ges.iter().any(|(g, _)| g.proper_terms().any(|(m, _)| m.len() > 1))
    }

    /// The same where a part that does not pull `p` down is replaced by what it is at
    /// least: intervals alone don't see that `b·g − b` is not negative for `g ≥ 1`, nor
    /// that `s − x` is positive for `s ≥ b·g` and `x < b`.
    fn search_by_least(
        &mut self,
        notebook: &mut Notebook,
        p: &Poly,
        depth: u32,
        fuel: &mut u32,
    ) -> Option<StepId> {
        for (g_line, m) in self.replaceable(p) {
            if *fuel == 0 || notebook.fuel == 0 {
                return None;
            }
            let g = notebook.poly(g_line).clone();
            let gc = g.coefficient(&m);
            let Some((k, factor, rest)) = self.cancel(p, &g, &m, gc) else { continue };
            *fuel -= 1;
            notebook.spend();
            let Some(rest) = self.search(notebook, &rest, depth - 1, fuel) else { continue };
            return self.add_up(notebook, p, k, &factor, g_line, rest);
        }
        None
    }

    /// Inequalities that bound a positive part of `p` from below by something other than
    /// a number, and least values of atoms that are multiplied by others.
    fn replaceable(&self, p: &Poly) -> Vec<(StepId, Monomial)> {
        let mut found = vec![];
        for (m, _) in p.proper_terms().filter(|(_, c)| *c > 0) {
            let of_part = self.ges.iter().filter(|(g, _)| g.coefficient(m) > 0);
            found.extend(of_part.map(|(_, line)| (*line, *m)));
            let atoms = m.iter().filter(|_| m.len() > 1).map(|&a| Monomial::of(a));
            found.extend(atoms.filter_map(|a| {
                let (least, line) = self.lower.get(&a)?;
                (*least >= 1).then_some((*line, a))
            }));
        }
        found.dedup();
        found
    }

    /// `(k, M, rest)` with `k·p = M·g + rest`, `M ≥ 0`, and `m` gone from the
    /// rest; `None` if the signs don't fit or the rest grows.
    fn cancel(&self, p: &Poly, g: &Poly, m: &Monomial, gc: i128) -> Option<(i128, Poly, Poly)> {
        let (factor, _) = p.split_by(m);
        if factor.is_zero() {
            return None;
        }
        let common = gcd(gcd(factor.content(), factor.constant_term()), gc);
        let k = gc.checked_abs()? / common;
        let factor = factor.divide(common)?.scale(gc.signum())?;
        if self.least(&factor)? < 0 {
            return None;
        }
        let rest = p.scale(k)?.sub(&factor.mul(g)?)?;
        (rest.size() <= p.size() + 2 && !rest.terms().any(|(n, _)| n == m))
            .then_some((k, factor, rest))
    }

    fn add_up(
        &mut self,
        notebook: &mut Notebook,
        p: &Poly,
        k: i128,
        factor: &Poly,
        g: StepId,
        rest: StepId,
    ) -> Option<StepId> {
        let fact = Fact::Ge(p.clone());
        if let Some(weight) = factor.as_constant() {
            let rule = Rule::Combine { scale: k, weights: vec![weight, 1] };
            return Some(notebook.line(fact, rule, &[g, rest]));
        }
        let factor = self.interval(notebook, factor)?;
        Some(notebook.line(fact, Rule::Product { scale: k }, &[factor, g, rest]))
    }

    /// Notes `±m + c ≥ 0` as a bound, if it is a better one.
    pub fn note_bound(&mut self, notebook: &mut Notebook, id: StepId) {
        let p = notebook.poly(id).clone();
        let Some((m, c)) = p.proper_terms().next() else { return };
        let constant = p.constant_term();
        let bound = if c == 1 { -constant } else { constant };
        let old = if c == 1 { &self.lower } else { &self.upper }.get(m).map(|b| b.0);
        let better = match (old, c) {
            (None, _) => true,
            (Some(old), 1) => bound > old,
            (Some(old), _) => bound < old,
        };
        if better {
            let map = if c == 1 { &mut self.lower } else { &mut self.upper };
            map.insert(*m, (bound, id));
            self.better_bounds = true;
            notebook.changed = true;
        }
    }

    /// Bounds of single monomials from inequalities with several.
    pub fn propagate_bounds(&mut self, notebook: &mut Notebook) {
        for i in 0..self.ges.len() {
            let (g, id) = self.ges[i].clone();
            for (m, c) in g.proper_terms() {
                self.bound_monomial(notebook, &g, id, m, c);
            }
        }
        let mut products: Vec<(Monomial, i128, StepId)> = self
            .upper
            .iter()
            .filter(|(m, _)| m.len() > 1)
            .map(|(m, (bound, id))| (*m, *bound, *id))
            .collect();
        products.sort();
        for (m, bound, id) in products {
            for which in 0..m.len() {
                self.bound_factor(notebook, &m, bound, id, which);
            }
        }
    }

    /// `c·m + rest ≥ 0` and `rest ≤ h` give `c·m + h ≥ 0`.
    fn bound_monomial(
        &mut self,
        notebook: &mut Notebook,
        g: &Poly,
        id: StepId,
        m: &Monomial,
        c: i128,
    ) -> Option<()> {
        let own = Poly::monomial(*m).scale(c)?;
        let rest = g.sub(&own)?;
        let high = self.greatest(&rest)?;
        let better = {
            let (lo, hi) = self.range(m);
            let bound = high.checked_neg()?.checked_div(c)?;
            if c > 0 { lo.is_none_or(|l| bound > l) } else { hi.is_none_or(|h| bound < h) }
        };
        if !better {
            return None;
        }
        let slack = self.interval(notebook, &Poly::constant(high).sub(&rest)?)?;
        let rule = Rule::Combine { scale: 1, weights: vec![1, 1] };
        let sum = notebook.line(Fact::Ge(own.plus(high)?), rule, &[id, slack]);
        let bound = notebook.tighten(sum);
        self.note_bound(notebook, bound);
        Some(())
    }

    /// `x·y ≤ k`, `y ≥ l ≥ 1` and `x ≥ 0` give `l·x ≤ k`, for an atom `y` and a product
    /// `x` of others.
    fn bound_factor(
        &mut self,
        notebook: &mut Notebook,
        m: &Monomial,
        k: i128,
        id: StepId,
        which: usize,
    ) -> Option<()> {
        let y = m[which];
        let x = m.divide(&Monomial::of(y))?;
        let (low, low_line) = *self.lower.get(&Monomial::of(y))?;
        let (x_low, x_high) = self.range(&x);
        if low < 1 || x_low? < 0 || x_high.is_some_and(|high| high <= k / low) {
            return None;
        }
        // k − l·x = x·(y − l) + (k − x·y).
        let x = Poly::monomial(x);
        let x_line = self.interval(notebook, &x)?;
        let fact = Fact::Ge(Poly::constant(k).sub(&x.scale(low)?)?);
        let id = notebook.line(fact, Rule::Product { scale: 1 }, &[x_line, low_line, id]);
        let bound = notebook.tighten(id);
        self.note_bound(notebook, bound);
        Some(())
    }
}
