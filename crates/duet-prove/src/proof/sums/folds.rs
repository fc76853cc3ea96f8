//! Sums of contracts, and variables of loops that accumulate them.
//!
//! A sum over `[from, to)` of a body `F` is made of two unknown functions of one number:
//!
//! * `φ(m)`, the sum of the first m terms: `φ(0) = 0`, `φ(m + 1) = φ(m) + F(from + m)` for
//!   `0 <= m < 2^62`; the sum is `φ(to - from)` if `from < to`, else 0. Floats are added from
//!   the left from `+0.0`, integers modulo 2^w.
//! * of integers also `P(i)` with `P(i + 1) = P(i) + F(i)`, so that `φ(m) = P(from + m) -
//!   P(from)`: a sum over any range within is a difference.
//!
//! Such functions exist for every `F`, so the equations are facts wherever they are stated;
//! they are stated at terms only. That `F(i)` is what the contract says is shown once, for an
//! arbitrary `i` of the range. A product, the least and the greatest are folds of the same
//! kind, with `·`, `min` or `max` for `+` and their unit for 0; the least or greatest of no
//! term is unknown, and λ below may start at 1 with the first term.
//!
//! A variable of a loop is `φ(λ)` at each visit, λ a sum of counts with weights: one for each
//! term that an iteration adds, the trips of the inner loop for each iteration of an outer
//! one. That is shown by induction: on entry to the outermost loop, and over each edge that
//! goes round, where the loop within was left at a count that its condition settles.
//!
//! A sum of mathematical integers is of a width that holds all its values, and so wider than
//! the variable that accumulates it. Then the invariant is that the variable, extended by its
//! sign, is `φ(λ)`: each iteration has to keep that as well, by what is known of overflow.
//!
//! SOUNDNESS: the step of the induction rests on nothing of later visits; that a loop ends is
//! shown elsewhere (kernels/prove/row-sum-wrong, kernels/prove/matrix-mul-wrong,
//! kernels/prove/traps/14-minus-zero).

use duet_analysis::Loop;
use duet_ask::Effort;
use duet_ir::{BinaryOp, Type};
use duet_smt::solver::SolverError;
use duet_smt::{Op, Sort, TermId, TermPool};
use duet_spec::Fold;
use duet_vc::{HeaderTerm, SiteTerm, binary_term};

use crate::proof::Prover;
use crate::proof::spec_terms::{FoldTerm, SpecTerm};
use crate::proof::walked::Instance;

/// Works on sums with a prover.
pub struct Sums<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(Sums);

/// A loop of a nest that accumulates: the number of its variable, and how many terms an
/// iteration adds.
#[derive(Clone, Copy, Debug)]
struct Level {
    id: Loop,
    index: usize,
    weight: TermId,
}

/// The level of a loop.
fn level_of(nest: &[Level], id: Loop) -> Option<&Level> {
    nest.iter().find(|level| level.id == id)
}

impl FoldTerm {
    /// A function of a sum, told from others by the sum's symbol and what it is for.
    pub fn function(&self, pool: &mut TermPool, what: &str, args: &[TermId]) -> TermId {
        let sorts: Vec<Sort> = args.iter().map(|&arg| pool.sort(arg)).collect();
        let func = pool.func(&format!("{what}:{:?}", self.symbol), &sorts, pool.sort(self.symbol));
        pool.apply(func, args)
    }

    /// The sum of so many terms.
    pub fn first_terms(&self, pool: &mut TermPool, count: TermId) -> TermId {
        match pool.as_bv(count) {
            Some(0) => self.unit,
            _ => self.function(pool, "terms", &[count]),
        }
    }

    /// Is it a sum?
    pub fn is_sum(&self) -> bool {
        matches!(self.fold, Fold::Sum | Fold::Count)
    }

    /// A sum as a variable of so many bits, and that it has no more.
    fn narrow(&self, pool: &mut TermPool, sum: TermId, bits: u32) -> (TermId, TermId) {
        let own = pool.width(sum);
        if bits >= own {
            return (sum, pool.tt());
        }
        let narrow = pool.bits().extract(bits - 1, 0, sum);
        let wide = pool.bits().sext_or_trunc(narrow, own);
        (narrow, pool.eq(wide, sum))
    }

    /// `P` at an index.
    pub fn prefix(&self, pool: &mut TermPool, index: TermId) -> TermId {
        self.function(pool, "prefix", &[index])
    }

    /// What is added to a sum.
    fn plus(&self, pool: &mut TermPool, sum: TermId, term: TermId) -> TermId {
        match (self.fold, self.float) {
            (Fold::Prod, Some(ty)) => binary_term(pool, BinaryOp::FMul, sum, term, Type::Float(ty)),
            (Fold::Sum | Fold::Count | Fold::Min | Fold::Max, Some(ty)) => {
                binary_term(pool, BinaryOp::FAdd, sum, term, Type::Float(ty))
            }
            (Fold::Sum | Fold::Count, None) => pool.bits().add(sum, term),
            (Fold::Prod, None) => pool.bits().mul(sum, term),
            (Fold::Min, None) => {
                let less = pool.compare().slt(term, sum);
                pool.ite(less, term, sum)
            }
            (Fold::Max, None) => {
                let more = pool.compare().slt(sum, term);
                pool.ite(more, term, sum)
            }
        }
    }
}

impl Sums<'_, '_, '_> {
    /// A term with what loops accumulated as sums of the clause, and what is known besides.
    pub fn accumulated(
        &mut self,
        site: &SiteTerm,
        instance: &mut Instance,
        stored: TermId,
        known: &[TermId],
    ) -> Result<(TermId, Vec<TermId>), SolverError> {
        let (mut stored, mut facts) = (stored, vec![]);
        if self.folds.is_empty() {
            return Ok((stored, facts));
        }
        for id in self.walked.loops_done(site) {
            let Some(header) = self.walked.header(id).cloned() else { continue };
            for (index, &param) in header.params.iter().enumerate() {
                let parts = self.walked.walker.pool.reachable(&[stored]);
                let value = instance.get(param).filter(|value| parts.contains(value));
                let Some(value) = value else { continue };
                for fold in self.folds.clone() {
                    let found = self.is_sum(instance, id, index, &fold, known)?;
                    let Some((sum, more)) = found else { continue };
                    facts.extend(more);
                    stored = self.replaced(stored, value, sum);
                    break;
                }
            }
        }
        for id in self.walked.loops_around(site) {
            let Some(header) = self.walked.header(id).cloned() else { continue };
            for (index, &param) in header.params.iter().enumerate() {
                let parts = self.walked.walker.pool.reachable(&[stored]);
                let value = instance.get(param).filter(|value| parts.contains(value));
                let Some(value) = value else { continue };
                for fold in self.folds.clone() {
                    let found = self.so_far(instance, id, index, &fold, known)?;
                    let Some((sum, more)) = found else { continue };
                    facts.extend(more);
                    stored = self.replaced(stored, value, sum);
                    break;
                }
            }
        }
        Ok((stored, facts))
    }

    /// The variable of a loop that nothing else accumulates, at a visit that the instance is in:
    /// as many terms as there were visits. With it comes what the next term adds, which is how
    /// the sum is made.
    fn so_far(
        &mut self,
        instance: &mut Instance,
        id: Loop,
        index: usize,
        fold: &FoldTerm,
        known: &[TermId],
    ) -> Result<Option<(TermId, Vec<TermId>)>, SolverError> {
        let Some(header) = self.walked.header(id).cloned() else { return Ok(None) };
        let Some(visits) = instance.get(header.visits) else { return Ok(None) };
        let pool = &mut self.walked.walker.pool;
        let width = pool.width(fold.symbol);
        let Sort::BitVec(own) = pool.sort(header.params[index]) else { return Ok(None) };
        let is_wider = own > width || (own < width && fold.float.is_some());
        if is_wider || !self.is_of_kind(id, index, fold) {
            return Ok(None);
        }
        // A variable that goes on with each visit of a loop around has more terms than its own
        // loop's visits.
        let Some(nest) = self.nest_around(id, index).filter(|nest| nest.len() == 1) else {
            return Ok(None);
        };
        if matches!(fold.fold, Fold::Min | Fold::Max) {
            return Ok(None);
        }
        let reach = self.reaches(instance, id);
        let entered: Vec<TermId> = known.iter().copied().chain([reach]).collect();
        // SOUNDNESS: it starts at zero at each visit of the loop around
        // (kernels/prove/traps/83-sum-goes-on).
        if self.starts(instance, &header, index, fold, &entered)? != Some(0)
            || !self.goes_on(instance, (&nest, 0), None, fold, known)?
        {
            return Ok(None);
        }
        let pool = &mut self.walked.walker.pool;
        let one = pool.bv(64, 1);
        let at = pool.bits().add(fold.from, visits);
        let next = pool.bits().add(visits, one);
        let (sum, more) = (fold.first_terms(pool, visits), fold.first_terms(pool, next));
        let (narrow, fits) = fold.narrow(pool, sum, own);
        let mut facts = vec![pool.implies(reach, fits)];
        let kept = std::mem::take(&mut self.sides);
        let body = self.body_at(fold, at);
        self.sides = kept;
        if let Some(body) = body {
            let pool = &mut self.walked.walker.pool;
            let made = fold.plus(pool, sum, body);
            let most = pool.bv(64, 1 << 32);
            let is_small = pool.compare().ult(visits, most);
            let is_next = pool.eq(more, made);
            facts.push(pool.implies(is_small, is_next));
        }
        Ok(Some((narrow, facts)))
    }
}

impl Prover<'_, '_> {
    /// A loop that was left went round at the visit before, if there was one.
    pub fn left_exactly(&mut self, instance: &Instance, id: Loop, left: TermId) -> Vec<TermId> {
        let kept = self.coordinates(Some(id));
        let mut before = instance.only(&kept);
        let pool = &mut self.walked.walker.pool;
        let (zero, one) = (pool.bv(64, 0), pool.bv(64, 1));
        let some = pool.ne(left, zero);
        let count = pool.bits().sub(left, one);
        self.walked.set_count(&mut before, id, count);
        let mut facts = self.counter_facts(&mut before, id, count);
        facts.push(self.goes_round(&mut before, id));
        let reach = self.reaches(&mut before, id);
        let pool = &mut self.walked.walker.pool;
        let happens = pool.and2(some, reach);
        facts.into_iter().map(|fact| pool.implies(happens, fact)).collect()
    }

    /// A term with one part replaced.
    pub fn replaced(&mut self, term: TermId, part: TermId, by: TermId) -> TermId {
        let pool = &mut self.walked.walker.pool;
        pool.rebuild(&[term], |_, one, _| (one == part).then_some(by))[0]
    }
}

impl Sums<'_, '_, '_> {
    /// A term with its sums as functions of their ends; a sum whose body may be something else
    /// than the contract says stays unknown.
    pub fn with_sums(&mut self, term: TermId, known: &[TermId]) -> Result<TermId, SolverError> {
        let mut term = term;
        for fold in self.folds.clone() {
            if self.walked.walker.pool.reachable(&[term]).contains(&fold.symbol)
                && let Some(whole) = self.whole(&fold, known)?
            {
                term = self.replaced(term, fold.symbol, whole);
            }
        }
        Ok(term)
    }

    /// The body at an index, as bits of the sum's width.
    pub fn body_at(&mut self, fold: &FoldTerm, index: TermId) -> Option<TermId> {
        let mut variables = fold.variables.clone();
        variables.push((fold.variable.clone(), SpecTerm::Int(index, fold.range)));
        let made = self.with_cells(&variables, fold.initial, |terms| terms.term(&fold.body));
        let (term, cells) = made.ok()?;
        if !cells.is_empty() {
            return None;
        }
        let pool = &mut self.walked.walker.pool;
        match (term, fold.float) {
            (SpecTerm::Float(term, _), Some(_)) => Some(term),
            (SpecTerm::Int(term, _), None) => {
                let width = pool.width(fold.symbol);
                Some(pool.bits().sext_or_trunc(term, width))
            }
            _ => None,
        }
    }

    /// The whole sum; none if its body is not what the contract says.
    fn whole(&mut self, fold: &FoldTerm, known: &[TermId]) -> Result<Option<TermId>, SolverError> {
        let index = self.walked.walker.pool.fresh("index", Sort::BitVec(64));
        let kept = std::mem::take(&mut self.sides);
        let body = self.body_at(fold, index);
        let sides = std::mem::replace(&mut self.sides, kept);
        if body.is_none() {
            return Ok(None);
        }
        let pool = &mut self.walked.walker.pool;
        let inside = [pool.compare().sle(fold.from, index), pool.compare().slt(index, fold.to)];
        let all: Vec<TermId> = known.iter().copied().chain(inside).collect();
        // SOUNDNESS: inside of the range the body's terms do not wrap
        // (test `indices_in_sums_must_be_small`).
        for side in sides {
            if !self.implies(&all, side, "an index is small", Effort::Small)? {
                return Ok(None);
            }
        }
        let pool = &mut self.walked.walker.pool;
        let count = pool.bits().sub(fold.to, fold.from);
        let sum = fold.first_terms(pool, count);
        // SOUNDNESS: nothing is known of the least or greatest of nothing
        // (kernels/prove/row-maximum-wrong).
        let none = match fold.fold {
            Fold::Sum | Fold::Prod | Fold::Count => fold.unit,
            Fold::Min | Fold::Max => pool.fresh("spec.undefined", pool.sort(fold.symbol)),
        };
        let some = pool.compare().slt(fold.from, fold.to);
        Ok(Some(pool.ite(some, sum, none)))
    }

    /// Is a variable of a loop a float where the terms of a sum are, and an integer else? That only
    /// saves questions.
    fn is_of_kind(&self, id: Loop, index: usize, fold: &FoldTerm) -> bool {
        let facts = self.walked.facts();
        let param = facts.func.blocks[facts.loops.data(id).header].params.get(index);
        param.is_some_and(|&param| {
            matches!(facts.func.type_of(param), Type::Float(_)) == fold.float.is_some()
        })
    }

    /// Is the variable of a loop the whole sum at the visit that the instance is in?
    pub fn is_sum_at_visit(
        &mut self,
        instance: &mut Instance,
        id: Loop,
        index: usize,
        fold: &FoldTerm,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let Some(own) = self.walked.header(id).map(|header| header.params[index]) else {
            return Ok(false);
        };
        let (own, width) = {
            let pool = &self.walked.walker.pool;
            (pool.sort(own), pool.width(fold.symbol))
        };
        let Sort::BitVec(own) = own else { return Ok(false) };
        if own > width || (own < width && fold.float.is_some()) {
            return Ok(false);
        }
        // SOUNDNESS: the body has to be what the contract says (test
        // `indices_in_sums_must_be_small`).
        if self.whole(fold, known)?.is_none() {
            return Ok(false);
        }
        let Some(nest) = self.nest_around(id, index) else { return Ok(false) };
        let Some(first) = self.walked.header(nest[0].id).cloned() else { return Ok(false) };
        let reach = self.reaches(instance, first.id);
        let entered: Vec<TermId> = known.iter().copied().chain([reach]).collect();
        // Of the least and the greatest of nothing is nothing known, so they are not covered.
        let starts = self.starts(instance, &first, nest[0].index, fold, &entered)?;
        if starts != Some(0) || matches!(fold.fold, Fold::Min | Fold::Max) {
            return Ok(false);
        }
        for depth in 0..nest.len() {
            let inner = nest.get(depth + 1);
            if !self.goes_on(instance, (&nest[..=depth], 0), inner, fold, known)? {
                return Ok(false);
            }
        }
        let mut count = self.walked.walker.pool.bv(64, 0);
        for level in nest.iter().take_while(|level| level.id != id).chain(level_of(&nest, id)) {
            let Some(visits) = self.walked.header(level.id).map(|header| header.visits) else {
                return Ok(false);
            };
            let terms = self.walked.at(instance, &[level.weight, visits]);
            let pool = &mut self.walked.walker.pool;
            let here = pool.bits().mul(terms[0], terms[1]);
            count = pool.bits().add(count, here);
        }
        let pool = &mut self.walked.walker.pool;
        let whole = pool.bits().sub(fold.to, fold.from);
        let is_whole = pool.eq(count, whole);
        let is_some = pool.compare().sle(fold.from, fold.to);
        let goal = pool.and2(is_whole, is_some);
        self.implies(known, goal, "the sum has as many terms", Effort::Full)
    }

    /// The nest of loops that accumulates a variable of a loop, from the outermost one.
    fn nest_around(&mut self, id: Loop, index: usize) -> Option<Vec<Level>> {
        for header in self.walked.walk.headers.clone() {
            for number in 0..header.params.len() {
                let nest = self.nest(&header, number);
                let has = |level: &Level| level.id == id && level.index == index;
                if let Some(nest) = nest.filter(|nest| nest.iter().any(has)) {
                    return Some(nest);
                }
            }
        }
        None
    }

    /// Is the variable of the loop a sum where the loop is left? The sum, and facts.
    fn is_sum(
        &mut self,
        instance: &mut Instance,
        id: Loop,
        index: usize,
        fold: &FoldTerm,
        known: &[TermId],
    ) -> Result<Option<(TermId, Vec<TermId>)>, SolverError> {
        let Some(header) = self.walked.header(id).cloned() else { return Ok(None) };
        let Some(left) = instance.get(header.visits) else { return Ok(None) };
        let pool = &mut self.walked.walker.pool;
        let width = pool.width(fold.symbol);
        let Sort::BitVec(own) = pool.sort(header.params[index]) else { return Ok(None) };
        // Only integers may be wider than the variable.
        if own > width || (own < width && fold.float.is_some()) || !self.is_of_kind(id, index, fold)
        {
            return Ok(None);
        }
        let Some(nest) = self.nest(&header, index) else { return Ok(None) };
        let reach = self.reaches(instance, id);
        let mut entered = known.to_vec();
        entered.push(reach);
        let Some(start) = self.starts(instance, &header, index, fold, &entered)? else {
            return Ok(None);
        };
        if start == 1 && nest.len() > 1 {
            return Ok(None);
        }
        for depth in 0..nest.len() {
            let inner = nest.get(depth + 1);
            if !self.goes_on(instance, (&nest[..=depth], start), inner, fold, known)? {
                return Ok(None);
            }
        }
        let weight = self.walked.one_at(instance, nest[0].weight);
        let mut facts = self.left_exactly(instance, id, left);
        // How many terms that is, by the time that the loop was left.
        let pool = &mut self.walked.walker.pool;
        let start = pool.bv(64, start);
        let count = pool.bits().mul(weight, left);
        let count = pool.bits().add(start, count);
        let all: Vec<TermId> = known.iter().chain(&facts).copied().collect();
        let whole = pool.bits().sub(fold.to, fold.from);
        let is_whole = pool.eq(count, whole);
        let done = self.is_left_after_all(&all, left, is_whole)?;
        let pool = &mut self.walked.walker.pool;
        let count = if done { whole } else { count };
        let sum = fold.first_terms(pool, count);
        let none = pool.bv(64, 0);
        let (is_none, is_unit) = (pool.eq(count, none), pool.eq(sum, fold.unit));
        facts.push(pool.implies(is_none, is_unit));
        if done {
            facts.push(is_whole);
        }
        // What was shown of the variable is known only of threads that get to the loop.
        let (narrow, fits) = fold.narrow(pool, sum, own);
        facts.push(pool.implies(reach, fits));
        Ok(Some((narrow, facts)))
    }

    /// Is the loop left after all terms? First by what is said of its count and its limit, in two
    /// cases: it was left at once, or it went round before.
    fn is_left_after_all(
        &mut self,
        known: &[TermId],
        left: TermId,
        is_whole: TermId,
    ) -> Result<bool, SolverError> {
        let about = "the loop is left after all terms";
        let pool = &mut self.walked.walker.pool;
        let zero = pool.bv(pool.width(left), 0);
        let (none, some) = (pool.eq(left, zero), pool.ne(left, zero));
        let mut all = true;
        for case in [none, some] {
            let known: Vec<TermId> = known.iter().copied().chain([case]).collect();
            all = all && self.implies_by_itself(&known, (is_whole, &[]), about)?;
        }
        Ok(all || self.implies(known, is_whole, about, Effort::Full)?)
    }

    /// How many terms the variable has where the loop is entered: none, or of the least and
    /// the greatest the first one.
    fn starts(
        &mut self,
        instance: &mut Instance,
        header: &HeaderTerm,
        index: usize,
        fold: &FoldTerm,
        known: &[TermId],
    ) -> Result<Option<u128>, SolverError> {
        let width = self.walked.walker.pool.width(fold.symbol);
        let first = self.walked.one_at(instance, header.initial[index]);
        let pool = &mut self.walked.walker.pool;
        let first = pool.bits().sext_or_trunc(first, width);
        // φ(0) is the unit; floats start from +0.0.
        let starts = pool.eq(first, fold.unit);
        if self.implies(known, starts, "the sum starts at zero", Effort::Small)? {
            return Ok(Some(0));
        }
        if !matches!(fold.fold, Fold::Min | Fold::Max) {
            return Ok(None);
        }
        let kept = std::mem::take(&mut self.sides);
        let body = self.body_at(fold, fold.from);
        self.sides = kept;
        let Some(body) = body else { return Ok(None) };
        let starts = self.walked.walker.pool.eq(first, body);
        let is_first = self.implies(known, starts, "the fold starts with a term", Effort::Small)?;
        Ok(is_first.then_some(1))
    }

    /// The loops that accumulate one variable, from the outside.
    fn nest(&mut self, header: &HeaderTerm, index: usize) -> Option<Vec<Level>> {
        let param = header.params[index];
        let backs: Vec<TermId> =
            header.edges.iter().filter(|edge| edge.is_back).map(|edge| edge.args[index]).collect();
        let inner = self.walked.walk.headers.clone().into_iter().find_map(|inner| {
            let number = inner.initial.iter().position(|&first| first == param)?;
            let is_inner =
                inner.id != header.id && backs.iter().all(|&b| b == inner.params[number]);
            is_inner.then_some((inner, number))
        });
        let Some((inner, number)) = inner else {
            let weight = self.walked.walker.pool.bv(64, 1);
            return Some(vec![Level { id: header.id, index, weight }]);
        };
        let below = self.nest(&inner, number)?;
        let trips = self.trips(&inner)?;
        let weight = self.walked.walker.pool.bits().mul(trips, below[0].weight);
        let own = Level { id: header.id, index, weight };
        Some([own].into_iter().chain(below).collect())
    }

    /// How often a loop goes round, if it counts from a first value by ones to a limit: a
    /// guess, which the step of the outer loop proves.
    fn trips(&mut self, header: &HeaderTerm) -> Option<TermId> {
        let counter = *self.counters.get(&header.id)?;
        let back = header.edges.iter().find(|edge| edge.is_back)?;
        let pool = &self.walked.walker.pool;
        let limit = pool.reachable(&[back.guard]).into_iter().find_map(|term| {
            let &[a, b] = pool.args(term) else { return None };
            let counts = |side: TermId| pool.reachable(&[side]).contains(&header.visits);
            let is_below = matches!(pool.op(term), Op::Slt | Op::Ult) && counts(a) && !counts(b);
            is_below.then_some(b)
        })?;
        let pool = &mut self.walked.walker.pool;
        let wide = pool.bits().sext_or_trunc(limit, 64);
        Some(pool.bits().sub(wide, counter.first()))
    }

    /// Does each iteration of the innermost of these loops add its terms?
    fn goes_on(
        &mut self,
        instance: &Instance,
        (around, start): (&[Level], u128),
        inner: Option<&Level>,
        fold: &FoldTerm,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let own = around[around.len() - 1];
        let Some(header) = self.walked.header(own.id).cloned() else { return Ok(false) };
        let mut all = known.to_vec();
        let (mut visit, so_far) = self.visit(instance, (around, start), fold, &mut all);
        let pool = &mut self.walked.walker.pool;
        let most = pool.bv(64, 1 << 62);
        let is_small = pool.compare().ult(so_far, most);
        let sum = fold.first_terms(pool, so_far);
        let mut next = vec![];
        if let Some(inner) = inner {
            let weight = self.walked.one_at(&mut visit, own.weight);
            let more = self.walked.walker.pool.bits().add(so_far, weight);
            next.push(more);
            self.left_inside(&mut visit, *inner, so_far, fold, &mut all);
        }
        let backs: Vec<_> = header.edges.iter().filter(|edge| edge.is_back).cloned().collect();
        for edge in backs {
            let mut all = all.clone();
            let passed = self.walked.walk.facts_at(edge.at);
            all.extend(self.walked.at(&mut visit, &passed));
            all.push(self.walked.one_at(&mut visit, edge.guard));
            let added = self.walked.one_at(&mut visit, edge.args[own.index]);
            let expected = match next.first() {
                Some(&count) => fold.first_terms(&mut self.walked.walker.pool, count),
                None => {
                    if !self.implies(&all, is_small, "a count is small", Effort::Small)? {
                        return Ok(false);
                    }
                    let at = self.walked.walker.pool.bits().add(fold.from, so_far);
                    let kept = std::mem::take(&mut self.sides);
                    let body = self.body_at(fold, at);
                    self.sides = kept;
                    let Some(body) = body else { return Ok(false) };
                    fold.plus(&mut self.walked.walker.pool, sum, body)
                }
            };
            let before = self.learned.len();
            let added = self.resolved(added, &all, &[], 1)?;
            all.extend(self.learned.drain(before..));
            let pool = &mut self.walked.walker.pool;
            let width = pool.width(fold.symbol);
            let added = pool.bits().sext_or_trunc(added, width);
            if !self.equal(&all, added, expected, 0)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// The thread at other counts of these loops, its variables the sums so far, and how many
    /// terms the innermost has.
    fn visit(
        &mut self,
        instance: &Instance,
        (around, start): (&[Level], u128),
        fold: &FoldTerm,
        known: &mut Vec<TermId>,
    ) -> (Instance, TermId) {
        let kept = self.coordinates(around.first().map(|level| level.id));
        let mut visit = instance.only(&kept);
        let mut so_far = self.walked.walker.pool.bv(64, start);
        let mut counts = vec![];
        for level in around {
            let count = self.walked.walker.pool.fresh("visit", Sort::BitVec(32));
            self.walked.set_count(&mut visit, level.id, count);
            counts.push(count);
        }
        for (level, &count) in around.iter().zip(&counts) {
            let weight = self.walked.one_at(&mut visit, level.weight);
            let pool = &mut self.walked.walker.pool;
            let wide = pool.bits().zero_extend(32, count);
            let here = pool.bits().mul(weight, wide);
            so_far = pool.bits().add(so_far, here);
            let sum = fold.first_terms(pool, so_far);
            if let Some(param) = self.walked.header(level.id).map(|one| one.params[level.index]) {
                let pool = &mut self.walked.walker.pool;
                let bits = pool.width(param);
                let (narrow, fits) = fold.narrow(pool, sum, bits);
                visit.set(param, narrow);
                known.push(fits);
            }
        }
        for (level, &count) in around.iter().zip(&counts) {
            known.extend(self.counter_facts(&mut visit, level.id, count));
        }
        (visit, so_far)
    }

    /// The loop within was left: its variable has all its terms.
    fn left_inside(
        &mut self,
        visit: &mut Instance,
        inner: Level,
        so_far: TermId,
        fold: &FoldTerm,
        known: &mut Vec<TermId>,
    ) {
        let Some(header) = self.walked.header(inner.id).cloned() else { return };
        let left = self.walked.walker.pool.fresh("left", Sort::BitVec(32));
        self.walked.set_count(visit, inner.id, left);
        let weight = self.walked.one_at(visit, inner.weight);
        let pool = &mut self.walked.walker.pool;
        let wide = pool.bits().zero_extend(32, left);
        let here = pool.bits().mul(weight, wide);
        let count = pool.bits().add(so_far, here);
        let sum = fold.first_terms(pool, count);
        let bits = pool.width(header.params[inner.index]);
        let (narrow, fits) = fold.narrow(pool, sum, bits);
        visit.set(header.params[inner.index], narrow);
        let reach = self.reaches(visit, inner.id);
        let mut facts = self.counter_facts(visit, inner.id, left);
        facts.push(fits);
        facts.push(self.leaves(visit, inner.id));
        facts.extend(self.left_exactly(visit, inner.id, wide));
        for fact in facts {
            known.push(self.walked.walker.pool.implies(reach, fact));
        }
    }
}
