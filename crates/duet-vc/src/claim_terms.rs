//! What a claim at a barrier says of a thread of the block, or of two, as a term.
//!
//! The condition is computed anew, as an expression: ids are those of the thread that it is
//! about, and reads of memory that stand before the barrier become reads of the contents
//! after it. All else is a leaf, of which [`Leaves`] says what it stands for; a leaf that
//! stands for nothing makes the claim one that cannot be told.
//!
//! SOUNDNESS: a read elsewhere in the kernel is a leaf like any other value: the contents
//! may have changed since (kernels/claims/23-loaded-earlier).

use std::collections::HashMap;

use duet_ir::{
    AnnotationKind, Array, Block, Const, Dim, Edge, GeometryKind, GhostKind, Inst, InstData, Space,
    Terminator, Type, Value, ValueDef,
};
use duet_product::KernelFacts;
use duet_smt::{TermId, TermPool};

use crate::folds::{fold_term, is_constant_fold};
use crate::symbols::{Side, Symbol};
use crate::{memory, ops};

/// Instructions and paths that are followed for one claim.
const FUEL: u32 = 2048;

/// What the leaves of a claim stand for; `other` is the second of two threads.
pub(crate) trait Leaves {
    /// The terms.
    fn pool(&mut self) -> &mut TermPool;
    /// An id of the thread in its block.
    fn id(&mut self, other: bool, dim: Dim) -> Option<TermId>;
    /// A size of the launch, or the id of the block.
    fn geometry(&mut self, kind: GeometryKind, dim: Dim) -> TermId;
    /// Any other value, when the thread came to the barrier.
    fn leaf(&mut self, other: bool, value: Value) -> Option<TermId>;
    /// Takes note of what a symbol stands for.
    fn note(&mut self, term: TermId, symbol: Symbol);
    /// Whose contents of a settled array are meant, if the threads do not share them.
    fn side(&mut self, other: bool, array: Array) -> Option<Side>;
    /// The contents of an array after the barrier, to be read at an offset.
    fn contents(&mut self, other: bool, array: duet_ir::Array, offset: TermId) -> Option<TermId>;
}

/// Evaluates claims that stand before a barrier.
pub(crate) struct ClaimTerms<'l, 'f> {
    pub facts: &'f KernelFacts<'f>,
    pub barrier: Inst,
    pub leaves: &'l mut dyn Leaves,
    known: HashMap<(bool, Value), Option<TermId>>,
    fuel: u32,
}

impl<'l, 'f> ClaimTerms<'l, 'f> {
    /// Nothing evaluated yet.
    pub fn new(
        facts: &'f KernelFacts<'f>,
        barrier: Inst,
        leaves: &'l mut dyn Leaves,
    ) -> ClaimTerms<'l, 'f> {
        ClaimTerms { facts, barrier, leaves, known: HashMap::new(), fuel: FUEL }
    }

    /// The value for the thread, or for the second of two.
    pub fn value(&mut self, other: bool, value: Value) -> Option<TermId> {
        if let Some(&known) = self.known.get(&(other, value)) {
            return known;
        }
        self.fuel = self.fuel.checked_sub(1)?;
        let term = match self.facts.func.values[value] {
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => self.leaves.leaf(other, value),
            ValueDef::Result(inst, number) => self.result(other, inst, number as usize, value),
            ValueDef::BlockParam(block, index) => {
                self.joined(other, block, index as usize).or_else(|| self.leaves.leaf(other, value))
            }
        };
        self.known.insert((other, value), term);
        term
    }

    fn result(&mut self, other: bool, inst: Inst, number: usize, value: Value) -> Option<TermId> {
        let func = self.facts.func;
        let ty = func.type_of(value);
        match &func.insts[inst] {
            InstData::Load { access, ty, .. } => {
                let is_read = self.facts.claims.places.is_read_at(self.barrier, inst);
                let data = &self.facts.module.arrays[access.array];
                if !is_read || data.space == Space::Private {
                    return self.leaves.leaf(other, value);
                }
                let offset = self.value(other, access.offset)?;
                self.read(other, access.array, offset, number, *ty)
            }
            InstData::Ghost { kind: GhostKind::Other, args, .. } => self.value(!other, args[0]),
            InstData::Ghost { kind: GhostKind::SameBlock | GhostKind::Enabled, .. } => {
                Some(self.leaves.pool().tt())
            }
            InstData::Ghost { kind: GhostKind::Fold, args, ty } => {
                let fold = is_constant_fold(self.facts, inst, args)?;
                let parts: Option<Vec<TermId>> =
                    fold.operands(args).into_iter().map(|arg| self.value(other, arg)).collect();
                let side = fold.settled().and_then(|array| self.leaves.side(other, array));
                let pool = self.leaves.pool();
                let (term, symbol) = fold_term(pool, self.facts, &fold, side, &parts?, *ty);
                self.leaves.note(term, symbol);
                Some(term)
            }
            InstData::Ghost { kind: GhostKind::Cell, .. } => self.leaves.leaf(other, value),
            InstData::Ghost { .. } => None,
            InstData::Geometry(geometry) => Some(match geometry.kind {
                GeometryKind::ThreadId => self.leaves.id(other, geometry.dim)?,
                GeometryKind::BlockId
                | GeometryKind::BlockDim
                | GeometryKind::GridDim
                | GeometryKind::GlobalOffset
                | GeometryKind::WorkDim => self.leaves.geometry(geometry.kind, geometry.dim),
            }),
            data @ InstData::Binary { .. }
            | data @ InstData::Unary { .. }
            | data @ InstData::Cast { .. }
            | data @ InstData::IntCompare { .. }
            | data @ InstData::FloatCompare { .. }
            | data @ InstData::Select { .. }
            | data @ InstData::Pure { .. }
            | data @ InstData::Fresh { .. }
            | data @ InstData::PtrToInt { .. }
            | data @ InstData::IntToPtr { .. }
            | data @ InstData::Store { .. }
            | data @ InstData::Atomic { .. }
            | data @ InstData::Barrier { .. }
            | data @ InstData::BarrierReduce { .. }
            | data @ InstData::Fence { .. }
            | data @ InstData::Exchange { .. }
            | data @ InstData::AsyncCopy { .. }
            | data @ InstData::WaitEvents { .. }
            | data @ InstData::Assert { .. }
            | data @ InstData::Annotation { .. }
            | data @ InstData::Call { .. }
            | data @ InstData::CallUnknown { .. } => {
                self.pure(other, data, ty).or_else(|| self.leaves.leaf(other, value))
            }
        }
    }

    fn read(
        &mut self,
        other: bool,
        array: duet_ir::Array,
        offset: TermId,
        number: usize,
        ty: Type,
    ) -> Option<TermId> {
        let data = &self.facts.module.arrays[array];
        let pool = self.leaves.pool();
        let distance = number as u128 * u128::from(ty.bytes()?);
        let width = pool.width(offset);
        let distance = pool.bv(width, distance);
        let offset = pool.bits().add(offset, distance);
        let contents = self.leaves.contents(other, array, offset)?;
        let pool = self.leaves.pool();
        Some(memory::read(pool, contents, data, offset, ty))
    }

    /// The result of an operation on its operands alone.
    fn pure(&mut self, other: bool, data: &InstData, ty: Type) -> Option<TermId> {
        let func = self.facts.func;
        Some(match data {
            InstData::Binary { op, args: [a, b], .. } => {
                let (a, b) = (self.value(other, *a)?, self.value(other, *b)?);
                ops::binary(self.leaves.pool(), *op, a, b, ty)
            }
            InstData::Unary { op, arg } => {
                let arg = self.value(other, *arg)?;
                ops::unary(self.leaves.pool(), *op, arg, ty)
            }
            InstData::Cast { op, arg, to } => {
                let (from, arg) = (func.type_of(*arg), self.value(other, *arg)?);
                ops::cast(self.leaves.pool(), *op, arg, from, *to)
            }
            InstData::IntCompare { cc, args: [a, b] } => {
                let (a, b) = (self.value(other, *a)?, self.value(other, *b)?);
                ops::compare(self.leaves.pool(), *cc, a, b)
            }
            InstData::FloatCompare { cc, args: [a, b] } => {
                let (a, b) = (self.value(other, *a)?, self.value(other, *b)?);
                ops::float_compare(self.leaves.pool(), *cc, a, b)
            }
            InstData::Select { cond, args: [a, b] } => {
                let cond = self.value(other, *cond)?;
                let (a, b) = (self.value(other, *a)?, self.value(other, *b)?);
                self.leaves.pool().ite(cond, a, b)
            }
            InstData::Pure { name, args, ty } => {
                let args: Option<Vec<TermId>> =
                    args.iter().map(|&arg| self.value(other, arg)).collect();
                ops::uninterpreted(self.leaves.pool(), name, &args?, *ty)
            }
            InstData::Ghost { .. }
            | InstData::Geometry(_)
            | InstData::Fresh { .. }
            | InstData::PtrToInt { .. }
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
            | InstData::CallUnknown { .. } => return None,
        })
    }

    /// A parameter of a block where ways join, as `&&` and `?:` leave them: chosen by the
    /// branches from the dominator on.
    fn joined(&mut self, other: bool, block: Block, index: usize) -> Option<TermId> {
        if self.facts.loops.headed_by(block).is_some() {
            return None;
        }
        let from = self.facts.dominators.immediate(block)?;
        let around = |block| self.facts.loops.around(block).next();
        (around(from) == around(block)).then_some(())?;
        self.chosen(other, from, block, index)
    }

    fn chosen(&mut self, other: bool, from: Block, to: Block, index: usize) -> Option<TermId> {
        self.fuel = self.fuel.checked_sub(1)?;
        match &self.facts.func.blocks[from].terminator {
            Terminator::Jump(edge) => self.along(other, edge, to, index),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.value(other, *cond)?;
                let then = self.along(other, then, to, index)?;
                let otherwise = self.along(other, otherwise, to, index)?;
                Some(self.leaves.pool().ite(cond, then, otherwise))
            }
            Terminator::Switch { .. } | Terminator::Return(_) | Terminator::Halt => None,
        }
    }

    fn along(&mut self, other: bool, edge: &Edge, to: Block, index: usize) -> Option<TermId> {
        if edge.block == to {
            return self.value(other, *edge.args.get(index)?);
        }
        // Another iteration would have other values.
        match self.facts.loops.headed_by(edge.block) {
            Some(_) => None,
            None => self.chosen(other, edge.block, to, index),
        }
    }
}

/// The thread of a block with a number, x fastest: its ids, and that there is one.
///
/// SOUNDNESS: a number that no thread has says nothing, so the ranges are a premise and no
/// fact (kernels/claims/29-flat-instance). Sizes are below 2^32, so the product of two of
/// them does not wrap in 64 bits.
pub(crate) fn thread_with_number(
    pool: &mut TermPool,
    sizes: [TermId; 3],
    number: TermId,
) -> ([TermId; 3], TermId) {
    let number = pool.bits().zext_or_trunc(number, 64);
    let wide = sizes.map(|size| pool.bits().zero_extend(32, size));
    let one = |pool: &mut TermPool, size: TermId| pool.as_bv(size) == Some(1);
    if one(pool, sizes[1]) && one(pool, sizes[2]) {
        let in_range = pool.compare().ult(number, wide[0]);
        let id = pool.bits().zext_or_trunc(number, 32);
        let zero = pool.bv(32, 0);
        return ([id, zero, zero], in_range);
    }
    let plane = pool.bits().mul(wide[0], wide[1]);
    let (x, rows) = (pool.bits().urem(number, wide[0]), pool.bits().udiv(number, wide[0]));
    let (y, z) = (pool.bits().urem(rows, wide[1]), pool.bits().udiv(number, plane));
    let in_range = pool.compare().ult(z, wide[2]);
    let ids = [x, y, z].map(|id| pool.bits().zext_or_trunc(id, 32));
    (ids, in_range)
}

/// The number that a claim about every element is of, its array, and where that starts.
pub(crate) fn cell_of(facts: &KernelFacts<'_>, claim: Inst) -> Option<(Value, Array, Value)> {
    let func = facts.func;
    let InstData::Annotation { kind: AnnotationKind::CellInvariant, args } = &func.insts[claim]
    else {
        return None;
    };
    let ValueDef::Result(cell, _) = func.values[args[1]] else { return None };
    let InstData::Ghost { kind: GhostKind::Cell, args: of, .. } = &func.insts[cell] else {
        return None;
    };
    let Some(Const::Array(array)) = func.const_of(of[0]) else { return None };
    Some((args[1], array, of[1]))
}

/// The array that a claim about every element is of.
pub fn array_of_cells(facts: &KernelFacts<'_>, claim: Inst) -> Option<Array> {
    cell_of(facts, claim).map(|(_, array, _)| array)
}

/// Is the value a constant reference? Those have no term of their own.
pub(crate) fn is_reference(facts: &KernelFacts<'_>, value: Value) -> bool {
    matches!(facts.func.const_of(value), Some(Const::Array(_) | Const::Null))
}
