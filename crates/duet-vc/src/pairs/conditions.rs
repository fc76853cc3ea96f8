//! Values of a thread as terms, read off the instructions alone.
//!
//! Walks give each value its terms by node and iteration. Arguments about the order of
//! threads need less: what the values of one thread are, at one moment, as functions of each
//! other. Sizes, ids and scalar arguments are what they are everywhere; what is computed
//! from them is computed here; all else is an unknown, the same wherever it is named in one
//! [`Reading`]. So a reading stands for the values that a thread has at one moment, each as
//! it was computed last.

use std::collections::{BTreeMap, HashMap};

use duet_ir::{CastOp, Const, InstData, Type, Value, ValueDef};
use duet_smt::TermId;

use super::Walker;
use crate::ThreadTerms;
use crate::launch::argument_name;
use crate::ops;
use crate::symbols::{Origin, Symbol};

/// The values of a thread at one moment.
pub struct Reading {
    /// Whose they are.
    pub thread: ThreadTerms,
    /// What is known of some of them.
    pub given: HashMap<Value, TermId>,
    /// What was taken for an unknown.
    pub unknown: BTreeMap<Value, TermId>,
    known: HashMap<Value, TermId>,
    tag: &'static str,
}

impl Reading {
    /// Of a thread; the tag tells its unknowns from those of other moments.
    pub fn of(thread: &ThreadTerms, tag: &'static str) -> Reading {
        let (given, unknown, known) = (HashMap::new(), BTreeMap::new(), HashMap::new());
        Reading { thread: thread.clone(), given, unknown, known, tag }
    }

    /// Has it no unknown?
    pub fn is_known(&self) -> bool {
        self.unknown.is_empty()
    }
}

impl Reading {
    /// The term of a value.
    pub fn term(&mut self, walker: &mut Walker<'_>, value: Value) -> TermId {
        if let Some(&term) = self.given.get(&value).or(self.known.get(&value)) {
            return term;
        }
        let term = match self.computed(walker, value) {
            Some(term) => term,
            None => self.unknown(walker, value),
        };
        self.known.insert(value, term);
        term
    }

    fn unknown(&mut self, walker: &mut Walker<'_>, value: Value) -> TermId {
        let sort = ops::sort_of(walker.facts.func.type_of(value));
        let name = format!("{value}@{}{}", self.tag, self.thread.name);
        let term = walker.pool.constant(&name, sort);
        let symbol = Symbol { origin: Origin::Value(value), side: Some(self.thread.side) };
        walker.symbols.note(&walker.pool, term, symbol);
        self.unknown.insert(value, term);
        term
    }

    /// The term of a value that is computed from others by an operation of numbers.
    fn computed(&mut self, walker: &mut Walker<'_>, value: Value) -> Option<TermId> {
        let func = walker.facts.func;
        let ty = func.type_of(value);
        let inst = match func.values[value] {
            ValueDef::Const(Const::Bits(bits)) => {
                return Some(ops::constant(&mut walker.pool, bits, ty));
            }
            ValueDef::FunctionParam(_) => return Some(scalar_argument(walker, value)),
            ValueDef::Const(Const::Null | Const::Array(_)) | ValueDef::BlockParam(..) => {
                return None;
            }
            ValueDef::Result(inst, _) => inst,
        };
        Some(match &func.insts[inst] {
            InstData::Binary { op, args: [a, b], .. } if !op.may_fail() && !op.is_float() => {
                let (a, b) = (self.term(walker, *a), self.term(walker, *b));
                ops::binary(&mut walker.pool, *op, a, b, ty)
            }
            InstData::Cast { op, arg, to } => {
                let from = func.type_of(*arg);
                if !is_of_integers(*op) {
                    return None;
                }
                let arg = self.term(walker, *arg);
                ops::cast(&mut walker.pool, *op, arg, from, *to)
            }
            InstData::IntCompare { cc, args: [a, b] }
                if matches!(func.type_of(*a), Type::Int(_)) =>
            {
                let (a, b) = (self.term(walker, *a), self.term(walker, *b));
                ops::compare(&mut walker.pool, *cc, a, b)
            }
            InstData::Select { cond, args: [a, b] } => {
                let cond = self.term(walker, *cond);
                let (a, b) = (self.term(walker, *a), self.term(walker, *b));
                walker.pool.ite(cond, a, b)
            }
            InstData::Geometry(geometry) => {
                walker.geometry.term(&self.thread, geometry.kind, geometry.dim)
            }
            InstData::Binary { .. }
            | InstData::IntCompare { .. }
            | InstData::Unary { .. }
            | InstData::FloatCompare { .. }
            | InstData::Pure { .. }
            | InstData::Ghost { .. }
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
}

fn scalar_argument(walker: &mut Walker<'_>, value: Value) -> TermId {
    let func = walker.facts.func;
    let name = argument_name(func, value);
    let term = walker.pool.constant(&name, ops::sort_of(func.type_of(value)));
    let symbol = Symbol { origin: Origin::Argument(value), side: None };
    walker.symbols.note(&walker.pool, term, symbol);
    term
}

fn is_of_integers(op: CastOp) -> bool {
    match op {
        CastOp::Trunc | CastOp::ZExt | CastOp::SExt => true,
        CastOp::FToU
        | CastOp::FToS
        | CastOp::FToUSat
        | CastOp::FToSSat
        | CastOp::UToF
        | CastOp::SToF
        | CastOp::FTrunc
        | CastOp::FExt
        | CastOp::Bitcast => false,
    }
}
