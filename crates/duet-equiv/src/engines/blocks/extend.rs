//! Indices that are extended: where a sum of block ids and numbers keeps its value, both
//! extensions are the same, and each summand may be extended by itself.
//!
//! `int g = blockIdx.x * blockDim.x + threadIdx.x` is extended with its sign and the same sum
//! of unsigned numbers without, and kernels are rewritten from one to the other.
//!
//! *Why it is sound.* A block id is below the size of the grid, which is given or which the
//! limits of a launch bound, and so is a sum of products of such numbers, if no part of it
//! overflows.

use duet_analysis::{MAX_GRID_YZ, MAX_THREADS_ALONG};
use duet_ir::{BinaryOp, CastOp, InstData, Value, ValueDef};
use duet_smt::{Op, TermId, TermPool};
use duet_vc::Extent;

use super::run::BlockRun;
use crate::engines::NotShown;
use crate::engines::terms::Env;

/// The term of an extension, if what is extended is known to be small.
///
/// SOUNDNESS: below the sign only, and only if no part overflows (test
/// `indices_of_small_launches_alone_are_the_same`).
pub(super) fn extended(
    run: &BlockRun<'_>,
    pool: &mut TermPool,
    op: CastOp,
    arg: TermId,
    width: u32,
) -> Option<TermId> {
    if !matches!(op, CastOp::SExt | CastOp::ZExt) || pool.as_bv(arg).is_some() {
        return None;
    }
    if most(run, pool, arg)? >> (pool.width(arg) - 1) != 0 {
        return None;
    }
    let parts = match pool.op(arg) {
        Op::BvAdd => pool.args(arg).to_vec(),
        _ => vec![arg],
    };
    let wide: Vec<TermId> =
        parts.into_iter().map(|part| pool.bits().zext_or_trunc(part, width)).collect();
    Some(if wide.len() == 1 { wide[0] } else { pool.bits().sum(&wide) })
}

/// The extension of a sum that is assumed not to overflow, summand by summand: what a
/// pointer is moved by first, and what it is moved by then (`p = a + x; p[i]`, `a[x + i]`).
///
/// SOUNDNESS: only sums whose overflow is undefined, and each is listed (test
/// `pointers_that_are_moved_first`).
pub(super) fn extended_by_parts(
    run: &mut BlockRun<'_>,
    pool: &mut TermPool,
    env: &Env,
    (value, width): (Value, u32),
    depth: u32,
) -> Result<TermId, NotShown> {
    let func = run.terms.func;
    let sum = match func.values[value] {
        ValueDef::Result(inst, _) => Some(inst),
        ValueDef::BlockParam(..) | ValueDef::FunctionParam(_) | ValueDef::Const(_) => None,
    };
    if let Some(inst) = sum
        && let InstData::Binary { op: BinaryOp::Add, nsw: true, args } = func.insts[inst]
        && depth > 0
    {
        let span = run.kernel.module.span_of_inst(func, inst);
        let line = span.map_or(String::new(), |span| format!(":{}", span.line));
        let file = run.kernel.file.display();
        run.assumptions.insert(format!("{file}{line}: no signed overflow"));
        let [a, b] = args;
        let a = extended_by_parts(run, pool, env, (a, width), depth - 1)?;
        let b = extended_by_parts(run, pool, env, (b, width), depth - 1)?;
        return Ok(pool.bits().add(a, b));
    }
    let term = run.terms.term(pool, env, value)?;
    let small = extended(run, pool, CastOp::SExt, term, width);
    Ok(small.unwrap_or_else(|| pool.bits().sext_or_trunc(term, width)))
}

/// A number that no value of a term is above, if it is computed without overflow from
/// numbers and block ids.
fn most(run: &BlockRun<'_>, pool: &mut TermPool, term: TermId) -> Option<u128> {
    let args = pool.args(term).to_vec();
    let most = match pool.op(term) {
        Op::BvConst { bits, .. } => bits,
        Op::ZeroExtend(_) => most(run, pool, args[0])?,
        Op::BvAdd => {
            let parts: Option<Vec<u128>> = args.iter().map(|&arg| most(run, pool, arg)).collect();
            parts?.into_iter().try_fold(0u128, u128::checked_add)?
        }
        Op::BvMul => {
            let parts: Option<Vec<u128>> = args.iter().map(|&arg| most(run, pool, arg)).collect();
            parts?.into_iter().try_fold(1u128, u128::checked_mul)?
        }
        Op::Apply(_) => {
            let dim = (0..3).find(|&dim| pool.bv_var(BLOCK_IDS[dim], 32) == term)?;
            u128::from(most_blocks(run, dim)).checked_sub(1)?
        }
        _ => return None,
    };
    (pool.width(term) >= 128 || most >> pool.width(term) == 0).then_some(most)
}

/// How many blocks there are at most along a dimension.
fn most_blocks(run: &BlockRun<'_>, dim: usize) -> u32 {
    match run.spec.grid[dim] {
        Extent::Number(number) => number,
        Extent::Free => {
            let along = MAX_THREADS_ALONG / run.shape.block[dim].max(1);
            if dim == 0 { along } else { along.min(MAX_GRID_YZ) }
        }
    }
}

/// A product of a number and a sum, multiplied out.
pub(super) fn multiplied_out(pool: &mut TermPool, term: TermId) -> TermId {
    let [a, b] = *pool.args(term) else { return term };
    let (factor, sum) = if pool.as_bv(a).is_some() { (a, b) } else { (b, a) };
    let is_product = pool.op(term) == Op::BvMul && pool.as_bv(factor).is_some();
    if !is_product || pool.op(sum) != Op::BvAdd {
        return term;
    }
    let parts = pool.args(sum).to_vec();
    let products: Vec<TermId> =
        parts.into_iter().map(|part| pool.bits().mul(factor, part)).collect();
    pool.bits().sum(&products)
}

/// What block ids are called.
const BLOCK_IDS: [&str; 3] = ["blockIdx.x", "blockIdx.y", "blockIdx.z"];
