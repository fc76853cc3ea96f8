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
//! * *inclusion*: where sums are compared, that of a part is not above that of the whole
//!   for operations that only grow, and for `+` if the sum fits its type
//!   (`__sum_noovfl`), which someone must have assumed; not below for those that shrink.
//! * *range*: a sum of elements that are claimed to be small is small, and does not wrap
//!   ([`sum_ranges`]).
//!
//! An operation that the source declares (`__operator`) is an unknown function with an
//! identity; it is joined only if it is declared associative.
//!
//! A join is added only where the question applies the operation to something that was read,
//! and only of folds that make one of the goal: there are as many as triples of folds, and
//! solvers pay for each.
//!
//! The built-in operations are associative on bit patterns, wrapping addition included, so
//! the laws hold of every array. What is declared of others has a model that is not trivial,
//! whatever the identity is: the first of two operands that is not the identity, or, if it
//! is to be commutative, the greater in an order in which the identity comes first. Floats have none.
//!
//! SOUNDNESS: the contents must be the same at all times that the terms of a question speak
//! of, so only of arrays that the kernel never writes, under any name, and of shared arrays
//! that are settled: written before a barrier and never after it, if the fold stands after it.
//! Of any other array a fold is a new unknown each time (kernels/claims/40-sum-of-changed,
//! 46-sum-of-rewritten).

use std::collections::BTreeSet;

use duet_ir::{Array, Const, FoldOp, Inst, InstData, IntCc, Space, Type, Value, ValueDef};
use duet_product::KernelFacts;
use duet_smt::{Op, Sort, TermId, TermPool};

use crate::launch::Geometry;
use crate::symbols::{Origin, Side, Symbol, Symbols};
use crate::{memory, ops, sum_ranges};

/// Folds of one function that laws are made for, at most.
const MAX_FOLDS: usize = 10;

/// A fold whose value is the same at all times.
pub(crate) struct ConstantFold<'f> {
    array: Array,
    op: FoldOp,
    /// The function that is applied, if the source declares it.
    function: &'f str,
    is_settled: bool,
}

impl ConstantFold<'_> {
    /// The array, if it is a shared one that is written before a barrier.
    pub(crate) fn settled(&self) -> Option<Array> {
        self.is_settled.then_some(self.array)
    }

    /// The operands that its value depends on: where the array starts, the two numbers, and
    /// of a declared operation its identity and its application to that.
    pub(crate) fn operands(&self, args: &[Value]) -> Vec<Value> {
        let more = if self.op.is_declared() { &args[5..] } else { &[] };
        args[1..4].iter().chain(more).copied().collect()
    }
}

/// The array and the operation of a fold, if it is one that is the same at all times.
pub(crate) fn is_constant_fold<'f>(
    facts: &KernelFacts<'f>,
    inst: Inst,
    args: &[Value],
) -> Option<ConstantFold<'f>> {
    let Some(Const::Array(array)) = facts.func.const_of(args[0]) else { return None };
    let op = FoldOp::from_number(facts.func.const_bits(args[4])?)?;
    let outside = matches!(facts.module.arrays[array].space, Space::Global | Space::Constant);
    let is_constant =
        outside && facts.uses.is_never_written(array) && facts.uses.aliases(array).next().is_none();
    let function = match op.is_declared() {
        true => applied_function(facts, *args.get(6)?)?,
        false => "",
    };
    if op == FoldOp::Fits && !is_of_elements(facts, array, *args.get(5)?) {
        return None;
    }
    let is_settled = facts.is_settled_at(array, inst);
    (is_constant || is_settled).then_some(ConstantFold { array, op, function, is_settled })
}

/// Is the number of the type that the array's elements are modelled in?
///
/// SOUNDNESS: that the sum of an array's bytes fits a byte says nothing of the sum of its
/// words, and the term of [`FoldOp::Fits`] does not tell the two apart
/// (kernels/claims/70-sum-of-other-type).
fn is_of_elements(facts: &KernelFacts<'_>, array: Array, number: Value) -> bool {
    let granule = granule_bits(facts, array);
    matches!(facts.func.type_of(number), Type::Int(bits) if u32::from(bits) == granule)
}

/// Bits of an element as the array is modelled.
fn granule_bits(facts: &KernelFacts<'_>, array: Array) -> u32 {
    8 * facts.module.arrays[array].granule.max(1)
}

/// The function that an application of a declared operation is one of.
fn applied_function<'f>(facts: &KernelFacts<'f>, applied: Value) -> Option<&'f str> {
    let ValueDef::Result(inst, _) = facts.func.values[applied] else { return None };
    let InstData::Pure { name, .. } = &facts.func.insts[inst] else { return None };
    Some(name)
}

/// The term of a fold from its operands, and its symbol.
///
/// SOUNDNESS: sums with two functions are two functions of their operands
/// (kernels/claims/44-two-operators).
pub(crate) fn fold_term(
    pool: &mut TermPool,
    facts: &KernelFacts<'_>,
    fold: &ConstantFold<'_>,
    side: Option<Side>,
    operands: &[TermId],
    ty: Type,
) -> (TermId, Symbol) {
    let &ConstantFold { array, op, function, is_settled } = fold;
    let of = match is_settled {
        true => memory::settled_name(facts, array, side),
        false => format!("{}:{array}", facts.module.arrays[array].name),
    };
    let term = ops::uninterpreted(pool, &format!("fold:{op:?}{function}:{of}"), operands, ty);
    (term, Symbol { origin: Origin::Fold(array, op), side })
}

/// A fold that a question mentions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Fold {
    pub(crate) array: Array,
    pub(crate) op: FoldOp,
    pub(crate) term: TermId,
    pub(crate) base: TermId,
    pub(crate) lo: TermId,
    pub(crate) hi: TermId,
    /// Whose contents are folded, if the threads do not share them.
    pub(crate) side: Option<Side>,
    /// The identity of a declared operation, and its application to that.
    declared: Option<(TermId, TermId)>,
    /// Of what type the elements are.
    sort: Sort,
}

/// Instances of the laws for the folds that terms mention, where `goal` would be wrong.
pub fn laws(
    pool: &mut TermPool,
    symbols: &Symbols,
    facts: &KernelFacts<'_>,
    geometry: &Geometry,
    terms: &[TermId],
    goal: &[TermId],
) -> Vec<TermId> {
    let wanted = mentioned(pool, symbols, goal);
    let mut folds = wanted.clone();
    let others = mentioned(pool, symbols, terms).into_iter();
    folds.extend(others.filter(|fold| !wanted.contains(fold)));
    folds.truncate(MAX_FOLDS);
    let mut laws = vec![];
    for fold in folds.iter().filter(|fold| fold.op != FoldOp::Fits) {
        laws.extend(of_one(pool, facts, fold));
    }
    let below = pool.reachable(terms);
    laws.extend(applications(pool, &folds, &below));
    laws.extend(inclusions(pool, facts, &folds, goal));
    let asks_for_fit = wanted.iter().any(|fold| fold.op == FoldOp::Fits);
    if wanted.is_empty() || asks_for_fit || compares_folds(pool, &folds, goal) {
        laws.extend(sum_ranges::laws(pool, facts, geometry, &folds));
    }
    let is_applied = |pool: &TermPool, fold: &Fold| {
        let width = pool.width(fold.term);
        below.iter().any(|&term| is_application(pool, term, fold, width))
    };
    for whole in wanted.iter().filter(|fold| is_joined(fold.op)).take(MAX_FOLDS) {
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
fn is_application(pool: &TermPool, term: TermId, fold: &Fold, width: u32) -> bool {
    // Short integers are computed with in longer ones.
    if !matches!(pool.sort(term), Sort::BitVec(own) if own >= width) {
        return false;
    }
    let is_it = match fold.op {
        FoldOp::SMax | FoldOp::UMax | FoldOp::SMin | FoldOp::UMin => pool.op(term) == Op::Ite,
        FoldOp::Add => pool.op(term) == Op::BvAdd,
        // Each may be written as the other.
        FoldOp::Or | FoldOp::And => matches!(pool.op(term), Op::BvOr | Op::BvAnd),
        FoldOp::Xor => pool.op(term) == Op::BvXor,
        FoldOp::Declared | FoldOp::Associative | FoldOp::Commutative => {
            return is_of_function(pool, term, fold);
        }
        FoldOp::Fits => false,
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
///
/// SOUNDNESS: the elements must have one type: the second byte of an array is not its second
/// word (kernels/claims/72-words-and-bytes).
pub(crate) fn is_beside(one: &Fold, other: &Fold) -> bool {
    let of = |fold: &Fold| (fold.array, fold.op, fold.base, fold.side, fold.declared, fold.sort);
    one.term != other.term && of(one) == of(other)
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
            && let Some(Symbol { origin: Origin::Fold(array, op), side }) = symbols.get(func)
            && let &[base, lo, hi, ref more @ ..] = pool.args(term)
        {
            let declared = match *more {
                [identity, applied] => Some((identity, applied)),
                _ => None,
            };
            let sort = pool.sort(term);
            folds.push(Fold { array, op, term, base, lo, hi, side, declared, sort });
        }
        open.extend(pool.args(term));
    }
    folds
}

/// The empty fold and that of one element.
fn of_one(pool: &mut TermPool, facts: &KernelFacts<'_>, fold: &Fold) -> Vec<TermId> {
    let width = pool.width(fold.term);
    let identity = match (fold.declared, fold.op.identity(width)) {
        (Some((identity, _)), _) => identity,
        (None, Some(identity)) => pool.bv(width, identity),
        (None, None) => return vec![],
    };
    let is_empty = pool.compare().ule(fold.hi, fold.lo);
    let is_identity = pool.eq(fold.term, identity);
    let empty = pool.implies(is_empty, is_identity);
    // The number after the largest is 0, which is not above it.
    let one = pool.bv(32, 1);
    let next = pool.bits().add(fold.lo, one);
    let is_next = pool.eq(fold.hi, next);
    let is_above = pool.compare().ult(fold.lo, fold.hi);
    let is_unit = pool.and2(is_next, is_above);
    let element = element(pool, facts, fold, fold.lo);
    let is_element = pool.eq(fold.term, element);
    vec![empty, pool.implies(is_unit, is_element)]
}

/// Bits of an element that is folded.
pub(crate) fn element_bits(facts: &KernelFacts<'_>, fold: &Fold) -> u32 {
    match fold.sort {
        Sort::BitVec(width) => width,
        // Whether a sum fits is of the elements as they are modelled.
        Sort::Bool | Sort::Int | Sort::Named(_) | Sort::Array { .. } => {
            granule_bits(facts, fold.array)
        }
    }
}

/// The element with a number, of the array that is folded.
pub(crate) fn element(
    pool: &mut TermPool,
    facts: &KernelFacts<'_>,
    fold: &Fold,
    number: TermId,
) -> TermId {
    let data = &facts.module.arrays[fold.array];
    let pointer = u32::from(facts.module.pointer_width);
    let width = element_bits(facts, fold);
    let contents = match facts.settled.contains_key(&fold.array) {
        true => memory::settled(pool, facts, fold.array, fold.side),
        false => {
            let sort = memory::contents_sort(data, facts.module.pointer_width);
            pool.constant(&format!("contents:{}", data.name), sort)
        }
    };
    let number = pool.bits().zext_or_trunc(number, pointer);
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
    let joined = apply(pool, one, other)?;
    let same = pool.eq(whole.term, joined);
    Some(pool.implies(premise, same))
}

/// May two folds that meet be joined? Of a declared operation only what is declared is known.
///
/// SOUNDNESS: the join of three parts is associativity
/// (kernels/scans/kogge-stone-operator-plain-bug).
fn is_joined(op: FoldOp) -> bool {
    match op {
        FoldOp::Add
        | FoldOp::SMax
        | FoldOp::UMax
        | FoldOp::SMin
        | FoldOp::UMin
        | FoldOp::Or
        | FoldOp::And
        | FoldOp::Xor
        | FoldOp::Associative
        | FoldOp::Commutative => true,
        FoldOp::Declared | FoldOp::Fits => false,
    }
}

/// Is the term an application of the declared operation of the fold?
fn is_of_function(pool: &TermPool, term: TermId, fold: &Fold) -> bool {
    let function = fold.declared.map(|(_, applied)| pool.op(applied));
    matches!(pool.op(term), Op::Apply(_)) && function == Some(pool.op(term))
}

/// Applications of a declared operation that laws are made for, at most.
const MAX_APPLICATIONS: usize = 12;

/// What is declared of the operation, for each of its applications.
fn applications(pool: &mut TermPool, folds: &[Fold], below: &[TermId]) -> Vec<TermId> {
    let mut laws = vec![];
    let mut functions: Vec<&Fold> = vec![];
    for fold in folds.iter().filter(|fold| fold.declared.is_some()) {
        if functions.iter().all(|known| known.declared != fold.declared) {
            functions.push(fold);
        }
    }
    for fold in functions {
        let Some((identity, _)) = fold.declared else { continue };
        let applied: Vec<TermId> =
            below.iter().copied().filter(|&term| is_of_function(pool, term, fold)).collect();
        for term in applied.into_iter().take(MAX_APPLICATIONS) {
            let (&[a, b], Op::Apply(function)) = (pool.args(term), pool.op(term)) else {
                continue;
            };
            for (left, right) in [(a, b), (b, a)] {
                let is_identity = pool.eq(left, identity);
                let is_other = pool.eq(term, right);
                laws.push(pool.implies(is_identity, is_other));
            }
            if fold.op == FoldOp::Commutative {
                let swapped = pool.apply(function, &[b, a]);
                laws.push(pool.eq(term, swapped));
            }
        }
    }
    laws
}

/// Pairs of folds that are compared, at most.
const MAX_INCLUSIONS: usize = 24;

/// Of two folds the one of which lies within the other, which is the greater?
///
/// With more elements, a maximum and the bits of any only grow, a minimum and the bits of
/// all only shrink, and so does a sum of numbers without a sign grow if the sum of all of
/// them fits their type.
///
/// SOUNDNESS: a sum that wraps may be less than a part of it
/// (kernels/claims/43-sum-may-wrap), and a fold with `^` says nothing of its parts.
fn inclusions(
    pool: &mut TermPool,
    facts: &KernelFacts<'_>,
    folds: &[Fold],
    goal: &[TermId],
) -> Vec<TermId> {
    let of_fits = |fold: &Fold| (fold.array, fold.base, fold.side);
    let fits: Vec<&Fold> = folds.iter().filter(|fold| fold.op == FoldOp::Fits).collect();
    if fits.is_empty() && !compares_folds(pool, folds, goal) {
        return vec![];
    }
    let mut laws = vec![];
    for inner in folds {
        for outer in folds.iter().filter(|outer| is_beside(inner, outer)) {
            let within = [
                pool.compare().ule(outer.lo, inner.lo),
                pool.compare().ule(inner.lo, inner.hi),
                pool.compare().ule(inner.hi, outer.hi),
            ];
            let within = pool.and(&within);
            match inner.op {
                // SOUNDNESS: `Fits` is of the elements as they are modelled; the sum of
                // their bytes may wrap all the same (kernels/claims/71-bytes-of-a-sum).
                FoldOp::Add if pool.width(inner.term) != granule_bits(facts, inner.array) => {}
                FoldOp::Add => {
                    let above = pool.compare().ule(inner.term, outer.term);
                    for all in fits.iter().filter(|all| of_fits(all) == of_fits(inner)) {
                        let from = pool.compare().ule(all.lo, outer.lo);
                        let to = pool.compare().ule(outer.hi, all.hi);
                        let premise = pool.and(&[within, from, to, all.term]);
                        laws.push(pool.implies(premise, above));
                    }
                }
                FoldOp::Fits => {
                    let premise = pool.and2(within, outer.term);
                    laws.push(pool.implies(premise, inner.term));
                }
                FoldOp::UMax
                | FoldOp::SMax
                | FoldOp::Or
                | FoldOp::UMin
                | FoldOp::SMin
                | FoldOp::And => {
                    // To add what is there already changes nothing.
                    let with_inner = apply(pool, inner, outer);
                    let same = with_inner.map(|both| pool.eq(both, outer.term));
                    laws.extend(same.map(|same| pool.implies(within, same)));
                }
                FoldOp::Xor | FoldOp::Declared | FoldOp::Associative | FoldOp::Commutative => {}
            }
        }
    }
    laws.truncate(MAX_INCLUSIONS);
    laws
}

/// Does the goal compare a fold with something?
fn compares_folds(pool: &TermPool, folds: &[Fold], goal: &[TermId]) -> bool {
    pool.reachable(goal).into_iter().any(|term| {
        let is_order = matches!(pool.op(term), Op::Ult | Op::Ule | Op::Slt | Op::Sle);
        is_order && pool.args(term).iter().any(|arg| folds.iter().any(|fold| fold.term == *arg))
    })
}

/// The operation on two folds.
fn apply(pool: &mut TermPool, one: &Fold, other: &Fold) -> Option<TermId> {
    let (a, b) = (one.term, other.term);
    let mut greater = |cc: IntCc| {
        let is_less = ops::compare(pool, cc, a, b);
        pool.ite(is_less, b, a)
    };
    Some(match one.op {
        FoldOp::SMax => greater(IntCc::Slt),
        FoldOp::UMax => greater(IntCc::Ult),
        FoldOp::SMin => greater(IntCc::Sgt),
        FoldOp::UMin => greater(IntCc::Ugt),
        FoldOp::Add => pool.bits().add(a, b),
        FoldOp::Or => pool.bits().or(a, b),
        FoldOp::And => pool.bits().and(a, b),
        FoldOp::Xor => pool.bits().xor(a, b),
        FoldOp::Declared | FoldOp::Associative | FoldOp::Commutative => {
            let (_, applied) = one.declared?;
            let Op::Apply(function) = pool.op(applied) else { return None };
            pool.apply(function, &[a, b])
        }
        FoldOp::Fits => return None,
    })
}
