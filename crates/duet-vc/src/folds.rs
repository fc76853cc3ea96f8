//! Elements of an array, folded with an operation: `__sum_add(a, lo, hi)`.
//!
//! A fold is an unknown function of where the array starts and of the two numbers, one for
//! each array and operation. What it means is added as instances of three laws, for the
//! folds that a question mentions; nothing is quantified:
//!
//! * *empty*: from `lo` to `hi <= lo` it is the operation's identity;
//! * *unit*: from `lo` to `lo + 1` it is the element `lo`;
//! * *join*: of folds from `a` to `b` and from `b` to `c`, `a <= b <= c`, the operation makes
//!   the fold from `a` to `c`.
//!
//! A join is added only where the question applies the operation to something that was read,
//! and only of folds that make one of the goal: there are as many as triples of folds, and
//! solvers pay for each.
//!
//! All operations are associative on bit patterns, wrapping addition included, so the laws
//! hold of every array. Floats have none.
//!
//! SOUNDNESS: the contents must be the same at all times that the terms of a question speak
//! of, so only of arrays that the kernel never writes, under any name; of any other array a
//! fold is a new unknown each time (kernels/claims/40-sum-of-changed).

use std::collections::BTreeSet;

use duet_ir::{Array, Const, FoldOp, IntCc, Space, Type, Value};
use duet_product::KernelFacts;
use duet_smt::{Op, Sort, TermId, TermPool};

use crate::symbols::{Origin, Symbol, Symbols};
use crate::{memory, ops};

/// Folds of one function that laws are made for, at most.
const MAX_FOLDS: usize = 10;

/// The array and the operation of a fold, if it is one that is the same at all times.
pub(crate) fn is_constant_fold(facts: &KernelFacts<'_>, args: &[Value]) -> Option<(Array, FoldOp)> {
    let Some(Const::Array(array)) = facts.func.const_of(args[0]) else { return None };
    let op = FoldOp::from_number(facts.func.const_bits(args[4])?)?;
    let outside = matches!(facts.module.arrays[array].space, Space::Global | Space::Constant);
    let is_constant =
        outside && facts.uses.is_never_written(array) && facts.uses.aliases(array).next().is_none();
    is_constant.then_some((array, op))
}

/// The term of a fold from where the array starts and the two numbers, and its symbol.
pub(crate) fn fold_term(
    pool: &mut TermPool,
    facts: &KernelFacts<'_>,
    (array, op): (Array, FoldOp),
    args: [TermId; 3],
    ty: Type,
) -> (TermId, Symbol) {
    let name = format!("fold:{op:?}:{}:{array}", facts.module.arrays[array].name);
    let term = ops::uninterpreted(pool, &name, &args, ty);
    (term, Symbol { origin: Origin::Fold(array, op), side: None })
}

/// A fold that a question mentions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Fold {
    array: Array,
    op: FoldOp,
    term: TermId,
    base: TermId,
    lo: TermId,
    hi: TermId,
}

/// Instances of the laws for the folds that terms mention, where `goal` would be wrong.
pub fn laws(
    pool: &mut TermPool,
    symbols: &Symbols,
    facts: &KernelFacts<'_>,
    terms: &[TermId],
    goal: &[TermId],
) -> Vec<TermId> {
    let wanted = mentioned(pool, symbols, goal);
    let mut folds = wanted.clone();
    let others = mentioned(pool, symbols, terms).into_iter();
    folds.extend(others.filter(|fold| !wanted.contains(fold)));
    folds.truncate(MAX_FOLDS);
    let mut laws = vec![];
    for fold in &folds {
        laws.extend(of_one(pool, facts, fold));
    }
    let below = pool.reachable(terms);
    let is_applied = |pool: &TermPool, fold: &Fold| {
        let width = pool.width(fold.term);
        below.iter().any(|&term| is_application(pool, term, fold.op, width))
    };
    for whole in wanted.iter().take(MAX_FOLDS) {
        if !is_applied(pool, whole) {
            continue;
        }
        for one in folds.iter().filter(|one| is_beside(one, whole)) {
            for other in folds.iter().filter(|other| is_beside(one, other)) {
                laws.extend(join(pool, one, other, whole));
            }
        }
    }
    laws
}

/// May the term be the operation on two elements? Sums of ids and constants are none: one of
/// the operands must have been read. The greater and the lesser are choices, of which any
/// may be meant.
fn is_application(pool: &TermPool, term: TermId, op: FoldOp, width: u32) -> bool {
    // Short integers are computed with in longer ones.
    if !matches!(pool.sort(term), Sort::BitVec(own) if own >= width) {
        return false;
    }
    let is_it = match op {
        FoldOp::SMax | FoldOp::UMax | FoldOp::SMin | FoldOp::UMin => pool.op(term) == Op::Ite,
        FoldOp::Add => pool.op(term) == Op::BvAdd,
        // Each may be written as the other.
        FoldOp::Or | FoldOp::And => matches!(pool.op(term), Op::BvOr | Op::BvAnd),
        FoldOp::Xor => pool.op(term) == Op::BvXor,
    };
    let args = pool.args(term);
    let open = args.iter().filter(|&&arg| pool.as_bv(arg).is_none()).count();
    is_it && open >= 2 && args.iter().any(|&arg| is_read(pool, arg))
}

/// Does the value come from memory?
fn is_read(pool: &TermPool, term: TermId) -> bool {
    let args = pool.args(term);
    match pool.op(term) {
        Op::Select => true,
        Op::Apply(_) => !args.is_empty(),
        Op::Ite
        | Op::BvNot
        | Op::Concat
        | Op::Extract { .. }
        | Op::ZeroExtend(_)
        | Op::SignExtend(_) => args.iter().any(|&arg| is_read(pool, arg)),
        Op::True
        | Op::False
        | Op::BvConst { .. }
        | Op::IntConst(_)
        | Op::Not
        | Op::And
        | Op::Or
        | Op::Eq
        | Op::BvAdd
        | Op::BvMul
        | Op::BvUdiv
        | Op::BvUrem
        | Op::BvSdiv
        | Op::BvSrem
        | Op::BvSmod
        | Op::BvAnd
        | Op::BvOr
        | Op::BvXor
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::Ult
        | Op::Ule
        | Op::Slt
        | Op::Sle
        | Op::IntAdd
        | Op::IntMul
        | Op::IntDiv
        | Op::IntMod
        | Op::IntLe
        | Op::Store => false,
    }
}

/// Are these folds of the same array with the same operation, from the same start?
fn is_beside(one: &Fold, other: &Fold) -> bool {
    one.term != other.term && (one.array, one.op, one.base) == (other.array, other.op, other.base)
}

fn mentioned(pool: &TermPool, symbols: &Symbols, terms: &[TermId]) -> Vec<Fold> {
    let mut seen: BTreeSet<TermId> = BTreeSet::new();
    let mut open = terms.to_vec();
    let mut folds = vec![];
    while let Some(term) = open.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Op::Apply(func) = pool.op(term)
            && let Some(Symbol { origin: Origin::Fold(array, op), .. }) = symbols.get(func)
            && let &[base, lo, hi] = pool.args(term)
        {
            folds.push(Fold { array, op, term, base, lo, hi });
        }
        open.extend(pool.args(term));
    }
    folds
}

/// The empty fold and that of one element.
fn of_one(pool: &mut TermPool, facts: &KernelFacts<'_>, fold: &Fold) -> Vec<TermId> {
    let width = pool.width(fold.term);
    let identity = pool.bv(width, fold.op.identity(width));
    let is_empty = pool.compare().ule(fold.hi, fold.lo);
    let is_identity = pool.eq(fold.term, identity);
    let empty = pool.implies(is_empty, is_identity);
    // The number after the largest is 0, which is not above it.
    let one = pool.bv(32, 1);
    let next = pool.bits().add(fold.lo, one);
    let is_next = pool.eq(fold.hi, next);
    let is_above = pool.compare().ult(fold.lo, fold.hi);
    let is_unit = pool.and2(is_next, is_above);
    let element = element(pool, facts, fold, width);
    let is_element = pool.eq(fold.term, element);
    vec![empty, pool.implies(is_unit, is_element)]
}

/// The element with the number that the fold starts from.
fn element(pool: &mut TermPool, facts: &KernelFacts<'_>, fold: &Fold, width: u32) -> TermId {
    let data = &facts.module.arrays[fold.array];
    let pointer = u32::from(facts.module.pointer_width);
    let sort = memory::contents_sort(data, facts.module.pointer_width);
    let contents = pool.constant(&format!("contents:{}", data.name), sort);
    let number = pool.bits().zext_or_trunc(fold.lo, pointer);
    let size = pool.bv(pointer, u128::from(width / 8));
    let distance = pool.bits().mul(number, size);
    let offset = pool.bits().add(fold.base, distance);
    memory::read(pool, contents, data, offset, Type::Int(width as u8))
}

/// Two folds that meet make a third.
fn join(pool: &mut TermPool, one: &Fold, other: &Fold, whole: &Fold) -> Option<TermId> {
    if other.term == whole.term {
        return None;
    }
    let premise = [
        pool.eq(one.lo, whole.lo),
        pool.eq(one.hi, other.lo),
        pool.eq(other.hi, whole.hi),
        pool.compare().ule(one.lo, one.hi),
        pool.compare().ule(other.lo, other.hi),
    ];
    let premise = pool.and(&premise);
    if premise == pool.ff() {
        return None;
    }
    let joined = apply(pool, one.op, one.term, other.term);
    let same = pool.eq(whole.term, joined);
    Some(pool.implies(premise, same))
}

/// The operation on two elements.
fn apply(pool: &mut TermPool, op: FoldOp, a: TermId, b: TermId) -> TermId {
    let mut greater = |cc: IntCc| {
        let is_less = ops::compare(pool, cc, a, b);
        pool.ite(is_less, b, a)
    };
    match op {
        FoldOp::SMax => greater(IntCc::Slt),
        FoldOp::UMax => greater(IntCc::Ult),
        FoldOp::SMin => greater(IntCc::Sgt),
        FoldOp::UMin => greater(IntCc::Ugt),
        FoldOp::Add => pool.bits().add(a, b),
        FoldOp::Or => pool.bits().or(a, b),
        FoldOp::And => pool.bits().and(a, b),
        FoldOp::Xor => pool.bits().xor(a, b),
    }
}
