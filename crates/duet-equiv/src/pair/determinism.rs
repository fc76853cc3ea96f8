//! Is what a kernel computes independent of the order of its threads, once it has no race?
//!
//! SOUNDNESS: this is a list of what is allowed. For a new instruction it has to be said
//! here whether its result depends on who comes first (test `tickets_differ_from_themselves`).

use std::collections::{BTreeMap, BTreeSet};

use duet_ir::{Array, AtomicOp, ExchangeOp, Function, Inst, InstData, Value, WellFormed};

use super::request::FloatModel;

/// An instruction that is not allowed, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The instruction.
    pub inst: Inst,
    /// In words.
    pub why: String,
}

/// What of a kernel may depend on the order of threads, or is not modelled.
pub fn refusals(module: &WellFormed, func: &Function, float: FloatModel) -> Vec<Refusal> {
    let used = used_values(func);
    let mut operations: BTreeMap<Array, AtomicOp> = BTreeMap::new();
    let mut list = vec![];
    for inst in func.insts_in_order() {
        let data = &func.insts[inst];
        let is_used = func.results_of[inst].iter().any(|value| used.contains(value));
        let mut why = refusal(data, is_used, float).map(str::to_string);
        if let InstData::Atomic { op, access, .. } = data {
            let first = operations.entry(access.array).or_insert(*op);
            if first != op {
                let name = func.array_name(module, access.array);
                why = Some(format!("`{name}` is changed by different atomic operations"));
            }
        }
        list.extend(why.map(|why| Refusal { inst, why }));
    }
    list
}

fn refusal(data: &InstData, is_used: bool, float: FloatModel) -> Option<&'static str> {
    match data {
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Fresh { .. }
        | InstData::Geometry(_)
        | InstData::Store { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Fence { .. }
        | InstData::Assert { .. }
        | InstData::Annotation { .. }
        | InstData::Ghost { .. } => None,
        InstData::Load { access, .. } if access.volatile => Some("a volatile read"),
        InstData::Load { .. } => None,
        InstData::Atomic { op, .. } => atomic(*op, is_used, float),
        InstData::Exchange { op, .. } => match op {
            ExchangeOp::ActiveMask => Some("which lanes run together depends on the device"),
            ExchangeOp::ShuffleIndex
            | ExchangeOp::ShuffleUp
            | ExchangeOp::ShuffleDown
            | ExchangeOp::ShuffleXor
            | ExchangeOp::VoteAll
            | ExchangeOp::VoteAny
            | ExchangeOp::VoteUniform
            | ExchangeOp::Ballot
            | ExchangeOp::MatchAny
            | ExchangeOp::MatchAll
            | ExchangeOp::ReduceAdd
            | ExchangeOp::ReduceSMin
            | ExchangeOp::ReduceSMax
            | ExchangeOp::ReduceUMin
            | ExchangeOp::ReduceUMax
            | ExchangeOp::ReduceAnd
            | ExchangeOp::ReduceOr
            | ExchangeOp::ReduceXor => None,
        },
        InstData::PtrToInt { .. } | InstData::IntToPtr { .. } => Some("a pointer as an integer"),
        InstData::AsyncCopy { .. } | InstData::WaitEvents { .. } => Some("an asynchronous copy"),
        InstData::Call { .. } => Some("a call of a function that was not inlined"),
        InstData::CallUnknown { .. } => Some("a call of a function without a body"),
    }
}

fn atomic(op: AtomicOp, is_used: bool, float: FloatModel) -> Option<&'static str> {
    match op {
        _ if is_used => Some("the result of an atomic operation is used"),
        AtomicOp::Add
        | AtomicOp::Sub
        | AtomicOp::SMin
        | AtomicOp::SMax
        | AtomicOp::UMin
        | AtomicOp::UMax
        | AtomicOp::And
        | AtomicOp::Or
        | AtomicOp::Xor => None,
        AtomicOp::FAdd => match float {
            FloatModel::Exact => Some("a float sum by atomic operations has no fixed order"),
            FloatModel::Reassociating | FloatModel::Real => None,
        },
        AtomicOp::FMin | AtomicOp::FMax => Some("atomic minima and maxima of floats"),
        AtomicOp::Exchange
        | AtomicOp::IncWrap
        | AtomicOp::DecWrap
        | AtomicOp::CompareExchange
        | AtomicOp::Load
        | AtomicOp::Store => Some("an atomic operation whose order matters"),
    }
}

fn used_values(func: &Function) -> BTreeSet<Value> {
    let of_insts = func.insts_in_order().flat_map(|inst| func.insts[inst].values());
    let of_ends = func.layout.iter().flat_map(|&block| func.blocks[block].terminator.values());
    of_insts.chain(of_ends).collect()
}
