//! Sums of small numbers are small: the law of ranges for `__sum_add`.
//!
//! If each of the elements from `lo` to `hi` is at most `m`, their sum is at most
//! `m * (hi - lo)`; and if that fits the type, no part of the sum wraps. That each element is
//! small is what a claim about every element says at the barrier that settles the array. It
//! is not quantified either: a number that depends on the sum, its *witness*, is that of an
//! element above `m` if there is one among those of the sum. So either the element with that
//! number is one of them and above `m`, or none of them is. The claim is used for the witness
//! alone, and a solver concludes which of the two it is.
//!
//! If the product fits, so does the sum: that is what `__sum_noovfl` asks, which then need not be
//! assumed.
//!
//! Where nothing wraps, a part of a sum, together with the element that follows it in the sum,
//! is at most the sum.
//!
//! SOUNDNESS: the product is computed in twice the bits, so it does not wrap itself
//! (kernels/claims/38-short-sum-wraps), and of the elements of a part of the array nothing
//! follows for the rest (kernels/claims/39-half-is-claimed). Bits are read as a number
//! without a sign.

use duet_ir::{Array, Const, Dim, FoldOp, GeometryKind, Inst, Type, Value, ValueDef};
use duet_product::KernelFacts;
use duet_smt::{Op, TermId, TermPool};

use crate::claim_terms::{ClaimTerms, Leaves, cell_of};
use crate::folds::{Fold, element, element_bits, is_beside};
use crate::launch::{Geometry, argument_name};
use crate::symbols::{Side, Symbol};
use crate::{memory, ops};

/// Pairs of sums that are compared, at most.
const MAX_PAIRS: usize = 24;

/// A sum with what its elements are at most.
struct Bounded {
    fold: Fold,
    /// It does not wrap.
    fits: TermId,
}

/// Instances of the law, for sums of arrays of which something is claimed.
pub(crate) fn laws(
    pool: &mut TermPool,
    facts: &KernelFacts<'_>,
    geometry: &Geometry,
    folds: &[Fold],
) -> Vec<TermId> {
    let mut laws = vec![];
    let mut bounded = vec![];
    let is_of_add = |fold: &&Fold| matches!(fold.op, FoldOp::Add | FoldOp::Fits);
    for fold in folds.iter().filter(is_of_add) {
        bounded.extend(bound(pool, facts, geometry, fold, &mut laws));
    }
    let mut pairs = vec![];
    for outer in &bounded {
        for inner in folds.iter().filter(|inner| is_beside(inner, &outer.fold)) {
            pairs.push(part(pool, facts, inner, outer));
        }
    }
    pairs.truncate(MAX_PAIRS);
    laws.extend(pairs);
    laws
}

/// What is known of a sum from what is claimed of the elements.
fn bound(
    pool: &mut TermPool,
    facts: &KernelFacts<'_>,
    geometry: &Geometry,
    fold: &Fold,
    laws: &mut Vec<TermId>,
) -> Option<Bounded> {
    let &barrier = facts.settled.get(&fold.array)?;
    let width = element_bits(facts, fold);
    let is_whole = 8 * facts.module.arrays[fold.array].granule.max(1) == width;
    is_whole.then_some(())?;
    let of = memory::settled_name(facts, fold.array, fold.side);
    let claimed = |pool: &mut TermPool, number: TermId| -> Vec<TermId> {
        let claims = facts.claims_at(barrier).into_iter();
        claims
            .filter_map(|claim| instance(pool, facts, geometry, (barrier, claim), fold, number))
            .collect()
    };
    let some = pool.bv_var(&format!("some:{of}"), 32);
    let value = element(pool, facts, fold, some);
    let claims = claimed(pool, some);
    let most = claims.into_iter().filter_map(|holds| largest(pool, holds, value)).max()?;
    // One witness for each limit: an element above one of them need not be above another.
    let name = format!("witness:{most}:{of}");
    let witness = ops::uninterpreted(pool, &name, &[fold.base, fold.lo, fold.hi], Type::Int(32));
    let value = element(pool, facts, fold, witness);
    laws.extend(claimed(pool, witness));
    let (from, to) = (pool.compare().ule(fold.lo, witness), pool.compare().ult(witness, fold.hi));
    let limit = pool.bv(width, most);
    let is_above = pool.compare().ult(limit, value);
    let is_found = pool.and(&[from, to, is_above]);
    let none_is_above = pool.not(is_found);
    let wide = 32 + width;
    let count = pool.bits().sub(fold.hi, fold.lo);
    let count = pool.bits().zext_or_trunc(count, wide);
    let each = pool.bv(wide, most);
    let product = pool.bits().mul(count, each);
    let largest = pool.bv(wide, (1u128 << width) - 1);
    let is_small = pool.compare().ule(product, largest);
    let in_order = pool.compare().ule(fold.lo, fold.hi);
    let fits = pool.and(&[in_order, none_is_above, is_small]);
    if fold.op == FoldOp::Fits {
        laws.push(pool.implies(fits, fold.term));
        return None;
    }
    let product = pool.bits().zext_or_trunc(product, width);
    let is_below = pool.compare().ule(fold.term, product);
    laws.push(pool.implies(fits, is_below));
    Some(Bounded { fold: *fold, fits })
}

/// A part of a sum that does not wrap, with the element that follows it.
fn part(pool: &mut TermPool, facts: &KernelFacts<'_>, inner: &Fold, outer: &Bounded) -> TermId {
    let all = &outer.fold;
    let within = [
        outer.fits,
        pool.compare().ule(all.lo, inner.lo),
        pool.compare().ule(inner.lo, inner.hi),
        pool.compare().ule(inner.hi, all.hi),
    ];
    let within = pool.and(&within);
    let is_below = pool.compare().ule(inner.term, all.term);
    let next = element(pool, facts, inner, inner.hi);
    let rest = pool.bits().sub(all.term, inner.term);
    let fits_too = pool.compare().ule(next, rest);
    let has_next = pool.compare().ult(inner.hi, all.hi);
    let with_next = pool.implies(has_next, fits_too);
    let both = pool.and2(is_below, with_next);
    pool.implies(within, both)
}

/// The largest number that a claim compares an element with. Any number is right; this one is
/// of use.
fn largest(pool: &TermPool, holds: TermId, value: TermId) -> Option<u128> {
    let mut most = None;
    for term in pool.reachable(&[holds]) {
        let &[a, b] = pool.args(term) else { continue };
        let is_order = matches!(pool.op(term), Op::Ult | Op::Ule | Op::Eq | Op::Slt | Op::Sle);
        let other = match is_order {
            true if a == value => b,
            true if b == value => a,
            _ => continue,
        };
        let Some(number) = pool.as_bv(other) else { continue };
        let is_strict = matches!(pool.op(term), Op::Ult | Op::Slt) && a == value;
        most = most.max(Some(number.saturating_sub(u128::from(is_strict))));
    }
    most
}

/// What a claim at the barrier that settles the array says of one of its elements.
///
/// SOUNDNESS: a claim that is in force is proved of the contents that the barrier leaves, and
/// these do not change; who speaks of them has passed it (kernels/claims/49-settled-in-branch).
/// Only what is the same at all times may be mentioned.
fn instance(
    pool: &mut TermPool,
    facts: &KernelFacts<'_>,
    geometry: &Geometry,
    (barrier, claim): (Inst, Inst),
    fold: &Fold,
    number: TermId,
) -> Option<TermId> {
    let (cell, array, base) = cell_of(facts, claim)?;
    let start = facts.func.const_bits(base)?;
    let is_same = array == fold.array && pool.as_bv(fold.base) == Some(start);
    is_same.then_some(())?;
    let duet_ir::InstData::Annotation { args, .. } = &facts.func.insts[claim] else { return None };
    let offset = {
        let pointer = u32::from(facts.module.pointer_width);
        let number = pool.bits().zext_or_trunc(number, pointer);
        let size = facts.module.arrays[array].granule.max(1);
        let size = pool.bv(pointer, u128::from(size));
        let distance = pool.bits().mul(number, size);
        pool.bits().add(fold.base, distance)
    };
    let is_told = true;
    let mut leaves = OfWitness { pool, facts, geometry, cell, number, fold, offset, is_told };
    let holds = ClaimTerms::new(facts, barrier, &mut leaves).value(false, args[0]);
    holds.filter(|_| leaves.is_told)
}

/// The leaves of a claim about the element with the witness's number.
struct OfWitness<'a> {
    pool: &'a mut TermPool,
    facts: &'a KernelFacts<'a>,
    geometry: &'a Geometry,
    cell: Value,
    number: TermId,
    fold: &'a Fold,
    /// Where the element is.
    offset: TermId,
    /// Nothing was met that depends on the thread.
    is_told: bool,
}

impl Leaves for OfWitness<'_> {
    fn pool(&mut self) -> &mut TermPool {
        self.pool
    }

    fn id(&mut self, _other: bool, _dim: Dim) -> Option<TermId> {
        None
    }

    fn geometry(&mut self, kind: GeometryKind, dim: Dim) -> TermId {
        match kind {
            GeometryKind::BlockDim => self.geometry.block[dim.index()],
            GeometryKind::GridDim => self.geometry.grid[dim.index()],
            GeometryKind::GlobalOffset => self.geometry.global_offset[dim.index()],
            GeometryKind::WorkDim => self.geometry.work_dim,
            GeometryKind::ThreadId | GeometryKind::BlockId => {
                self.is_told = false;
                self.pool.bv(32, 0)
            }
        }
    }

    fn leaf(&mut self, _other: bool, value: Value) -> Option<TermId> {
        let func = self.facts.func;
        let ty = func.type_of(value);
        match func.values[value] {
            _ if value == self.cell => Some(self.number),
            ValueDef::Const(Const::Bits(bits)) => Some(ops::constant(self.pool, bits, ty)),
            ValueDef::FunctionParam(_) => {
                let name = argument_name(func, value);
                Some(self.pool.constant(&name, ops::sort_of(ty)))
            }
            ValueDef::Const(Const::Null | Const::Array(_))
            | ValueDef::Result(..)
            | ValueDef::BlockParam(..) => None,
        }
    }

    fn note(&mut self, _term: TermId, _symbol: Symbol) {}

    fn side(&mut self, _other: bool, _array: Array) -> Option<Side> {
        self.fold.side
    }

    fn contents(&mut self, _other: bool, array: Array, offset: TermId) -> Option<TermId> {
        let is_it = array == self.fold.array && offset == self.offset;
        is_it.then(|| memory::settled(self.pool, self.facts, array, self.fold.side))
    }
}
