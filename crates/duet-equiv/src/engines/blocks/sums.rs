//! Sums and products of floats whose order does not matter, where the user allows that.

use duet_smt::{Op, TermId, TermPool};

use crate::pair::request::FloatModel;

/// A term in which regrouped and reordered sums are one term; as it is in exact arithmetic.
pub fn normal(pool: &mut TermPool, term: TermId, float: FloatModel) -> TermId {
    if float == FloatModel::Exact {
        return term;
    }
    pool.rebuild(&[term], |pool, old, args| {
        let Op::Apply(func) = pool.op(old) else { return None };
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
    })[0]
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
    fn order_matters_only_in_exact_arithmetic() {
        let mut pool = TermPool::new();
        let [x, y, z] = ["x", "y", "z"].map(|name| pool.bv_var(name, 32));
        let add =
            |pool: &mut TermPool, a: TermId, b: TermId| ops::binary(pool, BinaryOp::FAdd, a, b, Type::F32);
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
