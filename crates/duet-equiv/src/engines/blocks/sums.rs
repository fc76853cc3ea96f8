//! Sums whose order does not matter: of integers always, of floats where the user allows it.

use std::collections::BTreeMap;

use duet_smt::{Op, TermId, TermPool, mask};

use crate::pair::request::FloatModel;

/// A term in which regrouped and reordered sums are one term. Integer arithmetic is exact
/// modulo 2^w in any order; floats are left as they are unless the model says otherwise.
pub fn normal(pool: &mut TermPool, term: TermId, float: FloatModel) -> TermId {
    pool.rebuild(&[term], |pool, old, args| match pool.op(old) {
        Op::BvAdd => Some(integer_sum(pool, args)),
        Op::Apply(func) if float != FloatModel::Exact => float_sum(pool, func, args),
        _ => None,
    })[0]
}

/// The simplifier gives long sums up; here each term is counted, however many there are.
fn integer_sum(pool: &mut TermPool, args: &[TermId]) -> TermId {
    let width = pool.width(args[0]);
    let (mut counts, mut constant) = (BTreeMap::new(), 0u128);
    let mut left: Vec<TermId> = args.to_vec();
    while let Some(term) = left.pop() {
        match pool.op(term) {
            Op::BvAdd => left.extend(pool.args(term)),
            Op::BvConst { bits, .. } => constant = constant.wrapping_add(bits) & mask(width),
            _ => {
                let (count, base) = counted(pool, term);
                let sum: &mut u128 = counts.entry(base).or_default();
                *sum = sum.wrapping_add(count) & mask(width);
            }
        }
    }
    let mut parts: Vec<TermId> = vec![];
    for (base, count) in counts.into_iter().filter(|(_, count)| *count != 0) {
        let factor = pool.bv(width, count);
        parts.push(if count == 1 { base } else { pool.raw(Op::BvMul, &[factor, base]) });
    }
    if constant != 0 || parts.is_empty() {
        parts.push(pool.bv(width, constant));
    }
    if parts.len() == 1 { parts[0] } else { pool.raw(Op::BvAdd, &parts) }
}

/// A number and what it is multiplied with.
fn counted(pool: &TermPool, term: TermId) -> (u128, TermId) {
    let number = |term: TermId| match pool.op(term) {
        Op::BvConst { bits, .. } => Some(bits),
        _ => None,
    };
    match (pool.op(term), pool.args(term)) {
        (Op::BvMul, [a, b]) => match (number(*a), number(*b)) {
            (Some(count), None) => (count, *b),
            (None, Some(count)) => (count, *a),
            _ => (1, term),
        },
        _ => (1, term),
    }
}

fn float_sum(pool: &mut TermPool, func: duet_smt::FuncId, args: &[TermId]) -> Option<TermId> {
    let name = pool.func_data(func).name.clone();
    let is_sum = name.starts_with("fadd.op(");
    if !is_sum && !name.starts_with("fmul.op(") {
        return None;
    }
    let mut parts = vec![];
    for &arg in args {
        collect(pool, func, arg, &mut parts);
    }
    if is_sum {
        // Both zeros are neutral: signs of zero are ignored.
        parts.retain(|&part| !is_zero(pool, part));
    }
    parts.sort_unstable();
    let zero = args[0];
    let mut rest = parts.into_iter();
    let first = rest.next().unwrap_or(zero);
    Some(rest.fold(first, |sum, part| pool.apply(func, &[sum, part])))
}

/// The parts of a sum that is in normal form already: nested to the left.
fn collect(pool: &TermPool, func: duet_smt::FuncId, mut term: TermId, parts: &mut Vec<TermId>) {
    while pool.op(term) == Op::Apply(func) {
        parts.push(pool.args(term)[1]);
        term = pool.args(term)[0];
    }
    parts.push(term);
}

fn is_zero(pool: &TermPool, term: TermId) -> bool {
    match pool.op(term) {
        Op::BvConst { width, bits } => bits & (u128::MAX >> (129 - width.clamp(1, 128))) == 0,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::normal;
    use crate::pair::request::FloatModel;
    use duet_ir::{BinaryOp, Type};
    use duet_smt::{TermId, TermPool};
    use duet_vc::ops;

    #[test]
    fn long_integer_sums_count_their_terms() {
        let mut pool = TermPool::new();
        let names: Vec<TermId> = (0..200).map(|k| pool.bv_var(&format!("x{k}"), 32)).collect();
        let up = names.iter().copied().reduce(|a, b| pool.bits().add(a, b)).expect("terms");
        let down = names.iter().rev().copied().reduce(|a, b| pool.bits().add(a, b));
        let down = down.expect("terms");
        let more = pool.bits().add(down, names[7]);
        let mut of = |term: TermId| normal(&mut pool, term, FloatModel::Exact);
        assert_eq!(of(up), of(down));
        assert_ne!(of(up), of(more));
    }

    #[test]
    fn order_matters_only_in_exact_arithmetic() {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.bv_var(name, 32));
        let add = |pool: &mut TermPool, a: TermId, b: TermId| {
            ops::binary(pool, BinaryOp::FAdd, a, b, Type::F32)
        };
        let xy = add(&mut pool, x, y);
        let left = add(&mut pool, xy, z);
        let zy = add(&mut pool, z, y);
        let right = add(&mut pool, x, zy);
        let twice = add(&mut pool, right, x);
        let mut of = |term: TermId, float| normal(&mut pool, term, float);
        assert_ne!(of(left, FloatModel::Exact), of(right, FloatModel::Exact));
        let model = FloatModel::Reassociating;
        assert_eq!(of(left, model), of(right, model));
        // Each summand counts as often as it occurs.
        assert_ne!(of(twice, model), of(right, model));
    }
}
