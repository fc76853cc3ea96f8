//! Instructions without effect as terms, for both sides alike: equal operations on equal
//! operands are equal terms.

use std::collections::BTreeMap;

use duet_ir::{Array, Const, EntityRef, Function, Geometry, Inst, InstData, Type, Value, ValueDef};
use duet_smt::{TermId, TermPool};
use duet_vc::ops;

use crate::pair::matching::Matching;
use crate::pair::request::Side;

/// Terms of values.
pub type Env = BTreeMap<Value, TermId>;

/// One side of the pair, as far as terms need to know it.
#[derive(Clone, Copy)]
pub struct Terms<'a> {
    /// Which side.
    pub side: Side,
    /// Its function.
    pub func: &'a Function,
    /// Which arrays belong together.
    pub matching: &'a Matching,
}

impl Terms<'_> {
    /// The term of a value.
    ///
    /// # Errors
    /// If it was not computed yet.
    pub fn term(&self, pool: &mut TermPool, env: &Env, value: Value) -> Result<TermId, String> {
        if let Some(&term) = env.get(&value) {
            return Ok(term);
        }
        match self.func.values[value] {
            ValueDef::Const(Const::Bits(bits)) => {
                Ok(ops::constant(pool, bits, self.func.type_of(value)))
            }
            ValueDef::Const(Const::Array(array)) => Ok(self.reference(pool, array)),
            ValueDef::Const(Const::Null) => Ok(pool.bv(32, 0)),
            ValueDef::FunctionParam(index) => self.argument(pool, index as usize, value),
            ValueDef::Result(..) | ValueDef::BlockParam(..) => {
                Err("a value is used that was not computed on the way".to_string())
            }
        }
    }

    /// A reference to an array: partners have the same number.
    fn reference(&self, pool: &mut TermPool, array: Array) -> TermId {
        let matched = |pair: &[Array; 2]| pair[self.side.index()] == array;
        let number = match self.matching.arrays.iter().position(matched) {
            Some(position) => 1 + position,
            None => 100_000 * (1 + self.side.index()) + array.index(),
        };
        pool.bv(32, number as u128)
    }

    /// A scalar argument: partners are one symbol.
    fn argument(&self, pool: &mut TermPool, index: usize, value: Value) -> Result<TermId, String> {
        let ty = self.func.type_of(value);
        let pairs = self.matching.scalars.iter();
        let pair = pairs.enumerate().find(|(_, pair)| pair.index[self.side.index()] == index);
        let Some((number, pair)) = pair else {
            let name = format!("arg.{}.{index}", self.side.letter());
            return Ok(pool.constant(&name, ops::sort_of(ty)));
        };
        let widths = pair.ty.map(|ty| ty.bits().unwrap_or(0));
        if pair.ty[0] == pair.ty[1] {
            return Ok(pool.constant(&format!("arg.{number}"), ops::sort_of(ty)));
        }
        // The symbol is the narrower one; the wider side extends it.
        let (narrow, width) = if widths[0] < widths[1] { (0, widths[0]) } else { (1, widths[1]) };
        let symbol = pool.bv_var(&format!("arg.{number}"), width.max(1));
        let own = widths[self.side.index()];
        Ok(match pair.unsigned[narrow] {
            true => pool.bits().zext_or_trunc(symbol, own),
            false => pool.bits().sext_or_trunc(symbol, own),
        })
    }

    /// The result of an instruction without effect; `None` for any other.
    ///
    /// # Errors
    /// If an operand was not computed.
    pub fn pure(
        &self,
        pool: &mut TermPool,
        env: &Env,
        inst: Inst,
        geometry: &dyn Fn(&mut TermPool, Geometry) -> TermId,
    ) -> Result<Option<TermId>, String> {
        let func = self.func;
        let ty = |value: Value| func.type_of(value);
        let of = |pool: &mut TermPool, value: Value| self.term(pool, env, value);
        Ok(Some(match &func.insts[inst] {
            InstData::Binary { op, args, .. } => {
                let (a, b) = (of(pool, args[0])?, of(pool, args[1])?);
                ops::binary(pool, *op, a, b, ty(args[0]))
            }
            InstData::Unary { op, arg } => {
                let term = of(pool, *arg)?;
                ops::unary(pool, *op, term, ty(*arg))
            }
            InstData::Cast { op, arg, to } => {
                let term = of(pool, *arg)?;
                ops::cast(pool, *op, term, ty(*arg), *to)
            }
            InstData::IntCompare { cc, args } => {
                let (a, b) = (of(pool, args[0])?, of(pool, args[1])?);
                ops::compare(pool, *cc, a, b)
            }
            InstData::FloatCompare { cc, args } => {
                let (a, b) = (of(pool, args[0])?, of(pool, args[1])?);
                ops::float_compare(pool, *cc, a, b)
            }
            InstData::Select { cond, args } => {
                let cond = of(pool, *cond)?;
                let (a, b) = (of(pool, args[0])?, of(pool, args[1])?);
                pool.ite(cond, a, b)
            }
            InstData::Pure { name, args, ty } => {
                let terms: Result<Vec<TermId>, String> =
                    args.iter().map(|&arg| of(pool, arg)).collect();
                ops::uninterpreted(pool, name, &terms?, *ty)
            }
            InstData::Geometry(own) => geometry(pool, *own),
            // SOUNDNESS: an unknown is the side's own, and new at every use (test
            // `unknowns_are_not_common`).
            InstData::Fresh { ty, .. } | InstData::Ghost { ty, .. } => {
                pool.fresh(&format!("unknown.{}", self.side.letter()), ops::sort_of(*ty))
            }
            InstData::PtrToInt { .. }
            | InstData::IntToPtr { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::Atomic { .. }
            | InstData::Barrier { .. }
            | InstData::BarrierReduce { .. }
            | InstData::Fence { .. }
            | InstData::Exchange { .. }
            | InstData::AsyncCopy { .. }
            | InstData::WaitEvents { .. }
            | InstData::Assert { .. }
            | InstData::Annotation { .. }
            | InstData::Call { .. }
            | InstData::CallUnknown { .. } => return Ok(None),
        }))
    }

    /// What an array that is never written holds at an offset, common to both sides; `None` if
    /// it is written or has no partner.
    pub fn initial(
        &self,
        pool: &mut TermPool,
        array: Array,
        offset: TermId,
        ty: Type,
    ) -> Option<TermId> {
        let matched = |pair: &[Array; 2]| pair[self.side.index()] == array;
        let number = self.matching.arrays.iter().position(matched)?;
        Some(ops::uninterpreted(pool, &format!("start.{number}.{ty}"), &[offset], ty))
    }

    /// The offset of the nth element of an access.
    pub fn lane(&self, pool: &mut TermPool, offset: TermId, ty: Type, lane: u32) -> TermId {
        let bytes = ty.bits().map_or(1, |bits| bits.div_ceil(8));
        let width = pool.width(offset);
        let shift = pool.bv(width, u128::from(bytes) * u128::from(lane));
        pool.bits().add(offset, shift)
    }
}
