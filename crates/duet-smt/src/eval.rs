//! The evaluator: the meaning of every operation, total as in SMT-LIB.
//!
//! It shares no code with the simplifier, whose constructors are tested against
//! it. Division by zero: `bvudiv` gives all ones, `bvurem` the dividend, the
//! signed forms follow from them. Integer division by zero is an arbitrary
//! function in SMT-LIB; here it is 0, and `mod` gives the dividend. Integers
//! outside 128 bits are an error, never a wrong value.

use crate::op::Op;
use crate::pool::TermPool;
use crate::sort::{TermId, mask, to_signed};
use crate::value::{Model, Value};
use rustc_hash::FxHashMap;

/// An integer that does not fit into 128 bits came up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("an integer outside 128 bits came up during evaluation")]
pub struct Overflow;

/// Evaluates one term.
pub fn eval(pool: &TermPool, model: &Model, t: TermId) -> Result<Value, Overflow> {
    Ok(eval_all(pool, model, &[t])?.remove(&t).expect("the root was evaluated"))
}

/// Whether all of `terms` are true; `false` too if evaluation overflows.
pub fn holds(pool: &TermPool, model: &Model, terms: &[TermId]) -> bool {
    match eval_all(pool, model, terms) {
        Ok(values) => terms.iter().all(|t| values[t] == Value::Bool(true)),
        Err(Overflow) => false,
    }
}

/// Evaluates everything below `roots`.
pub fn eval_all(
    pool: &TermPool,
    model: &Model,
    roots: &[TermId],
) -> Result<FxHashMap<TermId, Value>, Overflow> {
    let mut values: FxHashMap<TermId, Value> = FxHashMap::default();
    for t in pool.reachable(roots) {
        let args: Vec<&Value> = pool.args(t).iter().map(|a| &values[a]).collect();
        let value = apply(pool, model, pool.op(t), &args)?;
        values.insert(t, value);
    }
    Ok(values)
}

fn apply(pool: &TermPool, model: &Model, op: Op, args: &[&Value]) -> Result<Value, Overflow> {
    Ok(match op {
        Op::True => Value::Bool(true),
        Op::False => Value::Bool(false),
        Op::BvConst { width, bits } => Value::bv(width, bits),
        Op::IntConst(n) => Value::Int(n),
        Op::Apply(f) => {
            let args: Vec<Value> = args.iter().map(|&v| v.clone()).collect();
            model.value(pool, f, &args)
        }
        Op::Not => Value::Bool(!truth(args[0])),
        Op::And => Value::Bool(args.iter().all(|v| truth(v))),
        Op::Or => Value::Bool(args.iter().any(|v| truth(v))),
        Op::Eq => Value::Bool(args[0] == args[1]),
        Op::Ite => (if truth(args[0]) { args[1] } else { args[2] }).clone(),
        Op::IntAdd | Op::IntMul | Op::IntDiv | Op::IntMod | Op::IntLe => int_op(op, args)?,
        Op::Select => match args[0] {
            Value::Array(a) => a.get(args[1]).clone(),
            other => unreachable!("select from {other:?}"),
        },
        Op::Store => match args[0].clone() {
            Value::Array(a) => Value::Array(Box::new(a.set(args[1].clone(), args[2].clone()))),
            other => unreachable!("store into {other:?}"),
        },
        _ => bv_op(op, args),
    })
}

fn truth(v: &Value) -> bool {
    v.as_bool().expect("a truth value")
}

fn int(v: &Value) -> i128 {
    v.as_int().expect("an integer")
}

fn int_op(op: Op, args: &[&Value]) -> Result<Value, Overflow> {
    let ints = args.iter().map(|v| int(v));
    let result = match op {
        Op::IntAdd => ints.into_iter().try_fold(0i128, i128::checked_add),
        Op::IntMul => ints.into_iter().try_fold(1i128, i128::checked_mul),
        Op::IntDiv if int(args[1]) == 0 => Some(0),
        Op::IntDiv => int(args[0]).checked_div_euclid(int(args[1])),
        Op::IntMod if int(args[1]) == 0 => Some(int(args[0])),
        Op::IntMod => int(args[0]).checked_rem_euclid(int(args[1])),
        _ => return Ok(Value::Bool(int(args[0]) <= int(args[1]))),
    };
    result.map(Value::Int).ok_or(Overflow)
}

fn bv_op(op: Op, args: &[&Value]) -> Value {
    let (w, a) = parts(args[0]);
    match op {
        Op::BvNot => Value::bv(w, !a),
        Op::Extract { hi, lo } => Value::bv(hi - lo + 1, a >> lo),
        Op::ZeroExtend(by) => Value::bv(w + by, a),
        Op::SignExtend(by) => Value::bv(w + by, to_signed(a, w) as u128),
        Op::BvAdd | Op::BvMul | Op::BvAnd | Op::BvOr | Op::BvXor => {
            let rest = args[1..].iter().map(|v| parts(v).1);
            Value::bv(w, rest.fold(a, |x, y| assoc(op, x, y)))
        }
        _ => binary(op, w, a, parts(args[1])),
    }
}

fn assoc(op: Op, x: u128, y: u128) -> u128 {
    match op {
        Op::BvAdd => x.wrapping_add(y),
        Op::BvMul => x.wrapping_mul(y),
        Op::BvAnd => x & y,
        Op::BvOr => x | y,
        _ => x ^ y,
    }
}

fn binary(op: Op, w: u32, a: u128, (wb, b): (u32, u128)) -> Value {
    let (sa, sb) = (to_signed(a, w), to_signed(b, wb));
    match op {
        Op::BvUdiv => Value::bv(w, a.checked_div(b).unwrap_or(mask(w))),
        Op::BvUrem => Value::bv(w, a.checked_rem(b).unwrap_or(a)),
        Op::BvSdiv if b == 0 => Value::bv(w, if sa < 0 { 1 } else { mask(w) }),
        Op::BvSdiv => Value::bv(w, sa.wrapping_div(sb) as u128),
        Op::BvSrem | Op::BvSmod if b == 0 => Value::bv(w, a),
        Op::BvSrem => Value::bv(w, sa.wrapping_rem(sb) as u128),
        Op::BvSmod => {
            let r = sa.wrapping_rem(sb);
            let fix = r != 0 && (r < 0) != (sb < 0);
            Value::bv(w, (if fix { r.wrapping_add(sb) } else { r }) as u128)
        }
        Op::BvShl => Value::bv(w, if b >= u128::from(w) { 0 } else { a << b }),
        Op::BvLshr => Value::bv(w, if b >= u128::from(w) { 0 } else { a >> b }),
        Op::BvAshr => Value::bv(w, (sa >> b.min(u128::from(w - 1))) as u128),
        Op::Concat => Value::bv(w + wb, (a << wb) | b),
        Op::Ult => Value::Bool(a < b),
        Op::Ule => Value::Bool(a <= b),
        Op::Slt => Value::Bool(sa < sb),
        Op::Sle => Value::Bool(sa <= sb),
        _ => unreachable!("{op:?} is no bit-vector operation"),
    }
}

fn parts(v: &Value) -> (u32, u128) {
    match v {
        Value::Bv { width, bits } => (*width, *bits),
        other => unreachable!("{other:?} is no bit-vector"),
    }
}
