//! Byte offsets as indices of elements.

use duet_smt::{Op, TermId, TermPool};

/// A byte offset divided by the bytes of an element, if it is a multiple by its form.
pub fn element(pool: &mut TermPool, offset: TermId, size: u32) -> Option<TermId> {
    if size == 1 {
        return Some(offset);
    }
    let size = u128::from(size);
    let args = pool.args(offset).to_vec();
    match pool.op(offset) {
        Op::BvConst { width, bits } => {
            let number = duet_smt::to_signed(bits, width);
            (number % size as i128 == 0).then(|| pool.bv(width, (number / size as i128) as u128))
        }
        Op::BvAdd => {
            let parts: Option<Vec<TermId>> =
                args.iter().map(|&arg| element(pool, arg, size as u32)).collect();
            let mut parts = parts?.into_iter();
            let first = parts.next()?;
            Some(parts.fold(first, |sum, part| pool.bits().add(sum, part)))
        }
        Op::BvMul => {
            let at = args.iter().position(|&arg| {
                pool.as_bv(arg).is_some_and(|number| {
                    let signed = duet_smt::to_signed(number, pool.width(arg));
                    signed % size as i128 == 0
                })
            })?;
            let width = pool.width(args[at]);
            let number = duet_smt::to_signed(pool.as_bv(args[at])?, width) / size as i128;
            let mut product = pool.bv(width, number as u128);
            for (index, &arg) in args.iter().enumerate() {
                if index != at {
                    product = pool.bits().mul(product, arg);
                }
            }
            Some(product)
        }
        Op::Ite => {
            let (a, b) =
                (element(pool, args[1], size as u32)?, element(pool, args[2], size as u32)?);
            Some(pool.ite(args[0], a, b))
        }
        Op::True
        | Op::False
        | Op::IntConst(_)
        | Op::Apply(_)
        | Op::Not
        | Op::And
        | Op::Or
        | Op::Eq
        | Op::BvNot
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
        | Op::Concat
        | Op::Extract { .. }
        | Op::ZeroExtend(_)
        | Op::SignExtend(_)
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
        | Op::Store => None,
    }
}
