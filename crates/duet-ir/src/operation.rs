//! Operations: the instructions that compute one value from their operands by a fixed
//! rule. Code that recognises the form of a value (a linear term, a comparison behind a
//! negation) looks at these alone; memory, synchronisation, calls and unknowns have no
//! form to recognise.

use crate::{
    BinaryOp, CastOp, FloatCc, Function, Geometry, Inst, InstData, IntCc, Type, UnaryOp, Value,
    ValueDef,
};

/// An instruction that computes one value from its operands by a fixed rule. The
/// variants are those of [`InstData`] with the same names.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)] // the fields are those of `InstData`
pub enum Operation {
    /// `op ty a, b`.
    Binary { op: BinaryOp, nsw: bool, args: [Value; 2] },
    /// `op ty a`.
    Unary { op: UnaryOp, arg: Value },
    /// Conversion between types.
    Cast { op: CastOp, arg: Value, to: Type },
    /// Integer comparison.
    IntCompare { cc: IntCc, args: [Value; 2] },
    /// Float comparison.
    FloatCompare { cc: FloatCc, args: [Value; 2] },
    /// `cond ? a : b`.
    Select { cond: Value, args: [Value; 2] },
    /// A thread or block id, or a launch size.
    Geometry(Geometry),
}

impl InstData {
    /// The operation that the instruction is, if it is one.
    pub fn operation(&self) -> Option<Operation> {
        use InstData::*;
        match *self {
            Binary { op, nsw, args } => Some(Operation::Binary { op, nsw, args }),
            Unary { op, arg } => Some(Operation::Unary { op, arg }),
            Cast { op, arg, to } => Some(Operation::Cast { op, arg, to }),
            IntCompare { cc, args } => Some(Operation::IntCompare { cc, args }),
            FloatCompare { cc, args } => Some(Operation::FloatCompare { cc, args }),
            Select { cond, args } => Some(Operation::Select { cond, args }),
            Geometry(geometry) => Some(Operation::Geometry(geometry)),
            Pure { .. }
            | Fresh { .. }
            | PtrToInt { .. }
            | IntToPtr { .. }
            | Load { .. }
            | Store { .. }
            | Atomic { .. }
            | Barrier { .. }
            | BarrierReduce { .. }
            | Fence { .. }
            | Exchange { .. }
            | AsyncCopy { .. }
            | WaitEvents { .. }
            | Assert { .. }
            | Annotation { .. }
            | Ghost { .. }
            | Call { .. }
            | CallUnknown { .. } => None,
        }
    }
}

impl Function {
    /// The instruction that a value is a result of.
    pub fn inst_of(&self, value: Value) -> Option<Inst> {
        match self.values[value] {
            ValueDef::Result(inst, _) => Some(inst),
            ValueDef::BlockParam(..) | ValueDef::FunctionParam(_) | ValueDef::Const(_) => None,
        }
    }

    /// The data of the instruction that a value is a result of.
    pub fn definition(&self, value: Value) -> Option<&InstData> {
        self.inst_of(value).map(|inst| &self.insts[inst])
    }

    /// The operation that a value is the result of.
    pub fn operation_of(&self, value: Value) -> Option<Operation> {
        self.definition(value)?.operation()
    }
}
