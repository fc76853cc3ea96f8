//! Terms in the words of the source, for people.

use duet_smt::{Op, TermId, TermPool, to_signed};

/// A term as an expression; conversions are left out.
pub fn shown(pool: &TermPool, term: TermId) -> String {
    let args = pool.args(term);
    let all = |sign: &str| {
        let parts: Vec<String> = args.iter().map(|&arg| operand(pool, arg)).collect();
        parts.join(sign)
    };
    match pool.op(term) {
        Op::BvConst { width, bits } => to_signed(bits, width).to_string(),
        Op::Apply(func) => {
            let name = pool.func_data(func).name.as_str();
            let name = name.strip_prefix("arg:").unwrap_or(name);
            name.split(['!', '@', '\'']).next().unwrap_or(name).to_string()
        }
        Op::BvAdd => all(" + "),
        Op::BvMul => all(" * "),
        Op::BvUdiv | Op::BvSdiv => all(" / "),
        Op::BvUrem | Op::BvSrem => all(" % "),
        Op::BvXor => all(" ^ "),
        Op::ZeroExtend(_) | Op::SignExtend(_) | Op::Extract { .. } => shown(pool, args[0]),
        Op::True
        | Op::False
        | Op::IntConst(_)
        | Op::Not
        | Op::And
        | Op::Or
        | Op::Eq
        | Op::Ite
        | Op::BvNot
        | Op::BvSmod
        | Op::BvAnd
        | Op::BvOr
        | Op::BvShl
        | Op::BvLshr
        | Op::BvAshr
        | Op::Concat
        | Op::Ult
        | Op::Ule
        | Op::Slt
        | Op::Sle
        | Op::IntAdd
        | Op::IntMul
        | Op::IntDiv
        | Op::IntMod
        | Op::IntLe
        | Op::Select
        | Op::Store => "…".to_string(),
    }
}

fn operand(pool: &TermPool, term: TermId) -> String {
    let text = shown(pool, term);
    if text.contains(' ') { format!("({text})") } else { text }
}
