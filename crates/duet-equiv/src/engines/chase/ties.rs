//! Symbols that a fact says the value of: `width == 32 * gridDim.x`.
//!
//! Indices are taken apart and compared as polynomials, and two of them look alike only if a
//! size has one name. So an argument or a size that an equation of the relation, or of a
//! precondition, determines is replaced by its value everywhere before the kernels are
//! compared.
//!
//! SOUNDNESS: the equation is a fact of every launch that is considered, not of some of them
//! (test `an_alternative_is_no_equation`), and it is kept. In a launch that meets it the symbol
//! is, bit by bit, the low part of the other side, so each term keeps its value there.

use duet_parametric::writer::Inverse;
use duet_smt::{Op, TermId, TermPool};
use duet_vc::Geometry;

use super::offsets::low_part;
use crate::engines::blocks::run::{Event, Symbolic, What};

/// Equations that are used one after the other, at most.
const MOST: usize = 12;

/// Replaces, in facts, sizes and what the threads do, symbols that the facts determine.
pub(super) fn tie(
    pool: &mut TermPool,
    facts: &mut Vec<TermId>,
    sides: &mut [Symbolic],
    geometries: &mut [Geometry; 2],
) {
    *facts = facts.iter().flat_map(|&fact| conjuncts(pool, fact)).collect();
    for _ in 0..MOST {
        let Some(value) = facts.iter().find_map(|&fact| definition(pool, fact)) else { return };
        let tied = Inverse { values: vec![value] };
        *facts = tied.apply_all(pool, facts);
        for side in sides.iter_mut() {
            side.replace(pool, &tied);
        }
        for geometry in geometries.iter_mut() {
            replace_sizes(pool, &tied, geometry);
        }
    }
}

/// The parts of a conjunction: a precondition may say several things.
fn conjuncts(pool: &mut TermPool, fact: TermId) -> Vec<TermId> {
    let args = pool.args(fact).to_vec();
    let parts = match (pool.op(fact), args.as_slice()) {
        (Op::And, parts) => parts.to_vec(),
        // `a && b`, as C evaluates it.
        (Op::Ite, &[a, b, otherwise]) if pool.as_bool(otherwise) == Some(false) => vec![a, b],
        (Op::Ite, &[a, then, b]) if pool.as_bool(then) == Some(false) => vec![pool.not(a), b],
        _ => return vec![fact],
    };
    parts.into_iter().flat_map(|part| conjuncts(pool, part)).collect()
}

/// The symbol that an equation determines, and its value; what is no polynomial would hide the
/// symbol instead of explaining it.
fn definition(pool: &mut TermPool, fact: TermId) -> Option<(TermId, TermId)> {
    if pool.op(fact) != Op::Eq {
        return None;
    }
    let [a, b] = [pool.args(fact)[0], pool.args(fact)[1]];
    [(a, b), (b, a)].into_iter().find_map(|(named, value)| {
        let symbol = match pool.op(named) {
            Op::ZeroExtend(_) | Op::SignExtend(_) => pool.args(named)[0],
            _ => named,
        };
        let is_symbol = matches!(pool.op(symbol), Op::Apply(_))
            && pool.args(symbol).is_empty()
            && pool.sort(symbol).width() == Some(32);
        if !is_symbol || pool.reachable(&[value]).contains(&symbol) {
            return None;
        }
        // SOUNDNESS: of sums and products, and of nothing else, the low part is that of the low
        // parts (test `a_quotient_says_nothing_of_its_low_part`).
        if !is_polynomial(pool, value) {
            return None;
        }
        let low = match pool.sort(value).width() {
            Some(32) => value,
            _ => low_part(pool, value)?,
        };
        Some((symbol, low))
    })
}

fn is_polynomial(pool: &TermPool, term: TermId) -> bool {
    match pool.op(term) {
        Op::BvAdd | Op::BvMul => pool.args(term).iter().all(|&arg| is_polynomial(pool, arg)),
        Op::BvConst { .. } => true,
        Op::Apply(_) => pool.args(term).is_empty(),
        Op::ZeroExtend(_) | Op::SignExtend(_) => {
            let inner = pool.args(term)[0];
            pool.width(inner) == 32 && is_polynomial(pool, inner)
        }
        _ => false,
    }
}

fn replace_sizes(pool: &mut TermPool, tied: &Inverse, geometry: &mut Geometry) {
    let sizes = geometry.block.iter_mut().chain(&mut geometry.grid);
    for size in sizes.chain(&mut geometry.global_offset) {
        *size = tied.apply(pool, *size);
    }
    geometry.facts = tied.apply_all(pool, &geometry.facts);
}

impl Symbolic {
    /// Replaces symbols that are no ids and no counts.
    fn replace(&mut self, pool: &mut TermPool, tied: &Inverse) {
        replace_sizes(pool, tied, &mut self.geometry);
        self.thread.facts = tied.apply_all(pool, &self.thread.facts);
        self.facts = tied.apply_all(pool, &self.facts);
        for event in &mut self.events {
            event.replace(pool, tied);
        }
        for (term, _) in &mut self.moment.parts {
            *term = tied.apply(pool, *term);
        }
        for open in &mut self.rounds {
            open.round.replace(pool, tied);
        }
        for (_, guard, fits) in &mut self.exact {
            *guard = tied.apply(pool, *guard);
            *fits = tied.apply(pool, *fits);
        }
        for (_, _, facts) in &mut self.lemmas {
            *facts = tied.apply_all(pool, facts);
        }
    }
}

impl Event {
    fn replace(&mut self, pool: &mut TermPool, tied: &Inverse) {
        self.offset = tied.apply(pool, self.offset);
        self.guard = tied.apply(pool, self.guard);
        if let What::Writes(value) | What::Adds(_, value) = &mut self.what {
            *value = tied.apply(pool, *value);
        }
        for (term, _) in &mut self.moment.parts {
            *term = tied.apply(pool, *term);
        }
    }
}

impl crate::engines::blocks::cut::Round {
    fn replace(&mut self, pool: &mut TermPool, tied: &Inverse) {
        let (counter, bound) = &mut self.counter;
        for term in [&mut self.trips, &mut self.happens, counter, bound] {
            *term = tied.apply(pool, *term);
        }
        if let Some(keeps) = &mut self.keeps {
            *keeps = tied.apply(pool, *keeps);
        }
        for carried in &mut self.carried {
            carried.first = tied.apply(pool, carried.first);
            if let Some(step) = &mut carried.step {
                *step = tied.apply(pool, *step);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use duet_smt::{Sort, TermPool};

    use super::definition;

    #[test]
    fn a_quotient_says_nothing_of_its_low_part() {
        let mut pool = TermPool::new();
        let [n, m] = ["n", "m"].map(|name| pool.bv_var(name, 32));
        let wide = pool.bv_var("wide", 64);
        assert_eq!(pool.sort(n), Sort::BitVec(32));
        let long = pool.bits().zero_extend(32, n);
        let (four, shift) = (pool.bv(64, 4), pool.bv(64, 1 << 33));
        let of_m = pool.bits().zero_extend(32, m);
        let sum = pool.bits().add(of_m, shift);
        let product = pool.bits().mul(of_m, four);
        let quotient = pool.bits().udiv(sum, four);
        for (value, is_one) in [(product, true), (quotient, false), (wide, false)] {
            let equation = pool.eq(long, value);
            assert_eq!(definition(&mut pool, equation).is_some(), is_one);
        }
    }
}
