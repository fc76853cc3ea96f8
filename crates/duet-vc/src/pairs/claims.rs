//! Annotations about logged accesses, evaluated at another place than their own.
//!
//! `__write_implies(a, P(__write_offset_bytes(a)))` claims P of every write to `a` that is
//! in the log. Here its condition becomes a term for one state of the log: nothing logged,
//! or one access at a given offset. The other arrays' logs that it mentions are then
//! unknown, so a claim that holds for each access by itself holds for every log.
//!
//! The condition is computed anew from arguments, sizes, ids and what was computed once
//! before the place. What a loop changes has no value there, unless the parameters of a
//! loop's header are given; such a claim has no term.

use std::collections::{BTreeSet, HashMap};

use duet_ir::{
    Array, BinaryOp, Block, Const, Edge, GhostKind, Inst, InstData, Terminator, Type, Value,
    ValueDef,
};
use duet_product::{Context, ghost_insts_of};
use duet_smt::TermId;

use super::Walker;
use crate::launch::argument_name;
use crate::ops;
use crate::symbols::{Origin, Side, Symbol};
use crate::walk::Walk;

/// Instructions and paths that are followed for one claim.
const FUEL: u32 = 4096;

/// The log of one array: its reads or its writes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Log {
    /// The array.
    pub array: Array,
    /// Its writes; else its reads.
    pub writes: bool,
}

/// A state of the log.
#[derive(Clone, Copy, Debug)]
pub enum Logged {
    /// It is empty.
    Nothing,
    /// It holds an access at this byte offset, and in other logs anything.
    Access(Log, TermId),
}

/// Where a claim is evaluated.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    /// The walk that the place is on.
    pub walk: &'a Walk,
    /// What is computed once, before this block on every way, is known.
    pub block: Block,
    /// Parameters of a loop's header that are given.
    pub params: &'a HashMap<Value, TermId>,
}

impl Walker<'_> {
    /// The logs that an annotation speaks of; `None` if it also speaks of another thread,
    /// or if the array cannot be told.
    pub fn logs_of(&self, inst: Inst) -> Option<BTreeSet<Log>> {
        let func = self.facts.func;
        let mut logs = BTreeSet::new();
        for ghost in ghost_insts_of(func, inst) {
            let InstData::Ghost { kind, args, .. } = &func.insts[ghost] else { continue };
            let Some(writes) = log_of(*kind) else {
                if matches!(kind, GhostKind::Enabled | GhostKind::DominatorEnabled) {
                    continue;
                }
                return None;
            };
            match func.const_of(*args.first()?)? {
                Const::Array(array) => logs.extend([Log { array, writes }]),
                Const::Null => {}
                Const::Bits(_) => return None,
            }
        }
        Some(logs)
    }

    /// The annotation's condition for a state of the log, at a place.
    pub fn claim(&mut self, inst: Inst, logged: Logged, place: Place<'_>) -> Option<TermId> {
        let InstData::Annotation { args, .. } = &self.facts.func.insts[inst] else { return None };
        let cond = *args.first()?;
        Evaluation { walker: self, logged, place, known: HashMap::new(), fuel: FUEL }.value(cond)
    }

    fn note(&mut self, term: TermId, origin: Origin, side: Option<Side>) {
        self.symbols.note(&self.pool, term, Symbol { origin, side });
    }

    /// An unknown byte offset.
    pub fn unknown_offset(&mut self) -> TermId {
        let width = u32::from(self.facts.module.pointer_width);
        self.pool.bv_var("offset@log", width)
    }
}

/// The log that a ghost value speaks of: of writes, or of reads.
fn log_of(kind: GhostKind) -> Option<bool> {
    match kind {
        GhostKind::HasWritten | GhostKind::WriteOffset => Some(true),
        GhostKind::HasRead | GhostKind::ReadOffset => Some(false),
        GhostKind::Enabled
        | GhostKind::DominatorEnabled
        | GhostKind::Other
        | GhostKind::SameBlock
        | GhostKind::ArrayIdentity
        | GhostKind::ReturnValue
        | GhostKind::Old
        | GhostKind::Fold
        | GhostKind::Cell
        | GhostKind::AtomicHasTakenValue => None,
    }
}

struct Evaluation<'w, 'f, 'p> {
    walker: &'w mut Walker<'f>,
    logged: Logged,
    place: Place<'p>,
    known: HashMap<Value, TermId>,
    fuel: u32,
}

impl Evaluation<'_, '_, '_> {
    fn value(&mut self, value: Value) -> Option<TermId> {
        if let Some(&term) = self.known.get(&value).or(self.place.params.get(&value)) {
            return Some(term);
        }
        self.fuel = self.fuel.checked_sub(1)?;
        let func = self.walker.facts.func;
        let ty = func.type_of(value);
        let term = match func.values[value] {
            ValueDef::Const(Const::Bits(bits)) => ops::constant(&mut self.walker.pool, bits, ty),
            ValueDef::Const(Const::Null | Const::Array(_)) => return None,
            ValueDef::FunctionParam(_) => self.argument(value, ty),
            ValueDef::Result(inst, _) => match self.result(inst, ty) {
                Some(term) => term,
                None => self.computed_before(value)?,
            },
            ValueDef::BlockParam(block, index) => match self.joined(block, index as usize) {
                Some(term) => term,
                None => self.computed_before(value)?,
            },
        };
        self.known.insert(value, term);
        Some(term)
    }

    fn argument(&mut self, value: Value, ty: Type) -> TermId {
        let name = argument_name(self.walker.facts.func, value);
        let term = self.walker.pool.constant(&name, ops::sort_of(ty));
        self.walker.note(term, Origin::Argument(value), None);
        term
    }

    /// SOUNDNESS: a value of a loop is another one at other visits, and what is computed
    /// on another way says nothing here (test `a_claim_about_what_a_loop_left_is_a_finding`).
    fn computed_before(&self, value: Value) -> Option<TermId> {
        let facts = self.walker.facts;
        let home = facts.homes.of(value)?;
        let is_once = facts.loops.around(home).next().is_none();
        if !is_once || !facts.dominators.dominates(home, self.place.block) {
            return None;
        }
        let only = <Context as duet_ir::EntityRef>::new(0);
        self.place.walk.values.get(&(only, value)).copied()
    }

    fn result(&mut self, inst: Inst, ty: Type) -> Option<TermId> {
        let func = self.walker.facts.func;
        let data = &func.insts[inst];
        if let InstData::Ghost { kind, args, .. } = data {
            return self.ghost(inst, *kind, args.first().copied());
        }
        Some(match data {
            InstData::Binary { op: BinaryOp::Or, args: [a, b], .. } if ty == Type::BOOL => {
                self.either(*a, *b)?
            }
            InstData::Binary { op, args: [a, b], .. } => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                let result = ops::binary(&mut self.walker.pool, *op, a, b, ty);
                if op.may_fail() { self.unless_zero(inst, b, result) } else { result }
            }
            InstData::Unary { op, arg } => {
                let arg = self.value(*arg)?;
                ops::unary(&mut self.walker.pool, *op, arg, ty)
            }
            InstData::Cast { op, arg, to } => {
                let (from, arg) = (func.type_of(*arg), self.value(*arg)?);
                ops::cast(&mut self.walker.pool, *op, arg, from, *to)
            }
            InstData::IntCompare { cc, args: [a, b] } => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                ops::compare(&mut self.walker.pool, *cc, a, b)
            }
            InstData::FloatCompare { cc, args: [a, b] } => {
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                ops::float_compare(&mut self.walker.pool, *cc, a, b)
            }
            InstData::Select { cond, args: [a, b] } => {
                let cond = self.value(*cond)?;
                let (a, b) = (self.value(*a)?, self.value(*b)?);
                self.walker.pool.ite(cond, a, b)
            }
            InstData::Pure { name, args, ty } => {
                let args: Option<Vec<TermId>> = args.iter().map(|&arg| self.value(arg)).collect();
                let args = args?;
                ops::uninterpreted(&mut self.walker.pool, name, &args, *ty)
            }
            InstData::Geometry(geometry) => {
                let thread = self.walker.thread(Side::Alone, None);
                self.walker.geometry.term(&thread, geometry.kind, geometry.dim)
            }
            InstData::Ghost { .. }
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

    /// One that is true is enough, whatever the other is.
    fn either(&mut self, a: Value, b: Value) -> Option<TermId> {
        let truth = self.walker.pool.tt();
        let (a, b) = (self.value(a), self.value(b));
        if [a, b].contains(&Some(truth)) {
            return Some(truth);
        }
        Some(self.walker.pool.or(&[a?, b?]))
    }

    /// A division by zero yields an unknown value.
    fn unless_zero(&mut self, inst: Inst, divisor: TermId, quotient: TermId) -> TermId {
        let width = self.walker.pool.width(divisor);
        let zero = self.walker.pool.bv(width, 0);
        let is_zero = self.walker.pool.eq(divisor, zero);
        let unknown = self.unknown(self.walker.facts.func.result(inst));
        self.walker.pool.ite(is_zero, unknown, quotient)
    }

    fn unknown(&mut self, value: Value) -> TermId {
        let sort = ops::sort_of(self.walker.facts.func.type_of(value));
        let unknown = self.walker.pool.constant(&format!("{value}@log"), sort);
        self.walker.note(unknown, Origin::Value(value), Some(Side::Alone));
        unknown
    }

    fn ghost(&mut self, inst: Inst, kind: GhostKind, array: Option<Value>) -> Option<TermId> {
        let func = self.walker.facts.func;
        let result = func.result(inst);
        let ty = func.type_of(result);
        let Some(writes) = log_of(kind) else {
            let is_true = matches!(kind, GhostKind::Enabled | GhostKind::DominatorEnabled);
            return is_true.then(|| self.walker.pool.tt());
        };
        let is_flag = matches!(kind, GhostKind::HasRead | GhostKind::HasWritten);
        let log = match func.const_of(array?)? {
            Const::Array(array) => Some(Log { array, writes }),
            // No access goes through null.
            Const::Null => None,
            Const::Bits(_) => return None,
        };
        Some(match self.logged {
            Logged::Access(of, _) if is_flag && Some(of) == log => self.walker.pool.tt(),
            Logged::Access(of, offset) if Some(of) == log => {
                self.walker.pool.bits().zext_or_trunc(offset, ty.bits()?)
            }
            Logged::Nothing if is_flag => self.walker.pool.ff(),
            Logged::Access(..) if is_flag && log.is_none() => self.walker.pool.ff(),
            Logged::Nothing | Logged::Access(..) => self.unknown(result),
        })
    }

    /// A parameter of a block where ways join, as `&&` and `?:` leave them: chosen by the
    /// branches from the dominator on.
    fn joined(&mut self, block: Block, index: usize) -> Option<TermId> {
        let facts = self.walker.facts;
        if facts.loops.headed_by(block).is_some() {
            return None;
        }
        let from = facts.dominators.immediate(block)?;
        self.chosen(from, block, index)
    }

    fn chosen(&mut self, from: Block, to: Block, index: usize) -> Option<TermId> {
        self.fuel = self.fuel.checked_sub(1)?;
        let func = self.walker.facts.func;
        if self.walker.facts.loops.headed_by(from).is_some_and(|_| from != to) {
            return None;
        }
        match &func.blocks[from].terminator {
            Terminator::Jump(edge) => self.along(edge, to, index),
            Terminator::Branch { cond, then, otherwise } => {
                let cond = self.value(*cond)?;
                let (then, otherwise) =
                    (self.along(then, to, index)?, self.along(otherwise, to, index)?);
                Some(self.walker.pool.ite(cond, then, otherwise))
            }
            Terminator::Switch { .. } | Terminator::Return(_) | Terminator::Halt => None,
        }
    }

    fn along(&mut self, edge: &Edge, to: Block, index: usize) -> Option<TermId> {
        match edge.block == to {
            true => self.value(*edge.args.get(index)?),
            false => self.chosen(edge.block, to, index),
        }
    }
}
