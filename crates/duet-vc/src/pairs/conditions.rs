//! Values of a thread as terms, read off the instructions alone.
//!
//! Walks give each value its terms by node and iteration. Arguments about the order of
//! threads need less: what the values of one thread are, at one moment, as functions of each
//! other. Sizes, ids and scalar arguments are what they are everywhere; what is computed
//! from them is computed here; all else is an unknown, the same wherever it is named in one
//! [`Reading`]. So a reading stands for the values that a thread has at one moment, each as
//! it was computed last.

use std::collections::{BTreeMap, HashMap};

use duet_ir::{Block, CastOp, Const, Edge, Function, InstData, Terminator, Type, Value, ValueDef};
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
            ValueDef::BlockParam(block, index) => {
                let (cond, [then, otherwise]) = merged(func, block, index as usize)?;
                let cond = self.term(walker, cond);
                let (then, otherwise) = (self.term(walker, then), self.term(walker, otherwise));
                return Some(walker.pool.ite(cond, then, otherwise));
            }
            ValueDef::Const(Const::Null | Const::Array(_)) => return None,
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

/// The condition and the two values of a parameter of a block in which the two ways from one
/// branch meet: `a ? b : c`, `a && b`.
///
/// The condition and what is computed before the branch are computed on every way to the
/// block, and what is computed on one of the two ways leads to the block at once. So at any
/// moment behind the block all of them are what they were when it was last entered.
fn merged(func: &Function, block: Block, index: usize) -> Option<(Value, [Value; 2])> {
    let ways_to = |to: Block| {
        let from = func.layout.iter().copied();
        from.flat_map(move |from| {
            let edges = func.blocks[from].terminator.edges().into_iter();
            edges.filter(move |edge| edge.block == to).map(move |edge| (from, edge))
        })
    };
    let ways: Vec<(Block, &Edge)> = ways_to(block).collect();
    let [one, other] = ways[..] else { return None };
    // The branch that a way comes from, itself or through a block of its own.
    let start = |(from, edge): (Block, &Edge)| -> Option<(Block, bool, Value)> {
        let value = *edge.args.get(index)?;
        let side = |at: Block, to: &Edge| {
            let Terminator::Branch { then, otherwise, .. } = &func.blocks[at].terminator else {
                return None;
            };
            (then.block != otherwise.block).then(|| (at, then.block == to.block, value))
        };
        match func.blocks[from].terminator {
            Terminator::Branch { .. } => side(from, edge),
            Terminator::Jump(_) => {
                let before: Vec<(Block, &Edge)> = ways_to(from).collect();
                let &[(at, edge)] = &before[..] else { return None };
                side(at, edge)
            }
            Terminator::Switch { .. } | Terminator::Return(_) | Terminator::Halt => None,
        }
    };
    let ((at, is_then, first), (there, is_other, second)) = (start(one)?, start(other)?);
    let Terminator::Branch { cond, .. } = func.blocks[at].terminator else { return None };
    let values = if is_then { [first, second] } else { [second, first] };
    // A loop that leads to the block again would be one of its ways.
    (at == there && is_then != is_other && at != block).then_some((cond, values))
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
