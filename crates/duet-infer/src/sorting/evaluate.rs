//! What a statement about a loop says of a concrete visit of the loop's header.

use duet_analysis::compare;
use duet_interp::{Launch, Visit};
use duet_ir::{BinaryOp, Block, CastOp, Dim, Function, GeometryKind, Operation, Type};
use duet_ir::{Value, ValueDef};
use duet_vc::Expr;

use super::pending::Done;

/// How deep the instructions of a header are followed.
const DEPTH: u32 = 32;

/// A visit of a header by a thread of a run.
pub struct HeaderVisit<'a> {
    /// The kernel.
    pub func: &'a Function,
    /// The header.
    pub header: Block,
    /// The thread.
    pub visit: &'a Visit<'a>,
    /// The launch.
    pub launch: &'a Launch,
    /// The header's parameters when the thread came from outside the loop.
    pub initial: &'a [u128],
    /// What the thread has accessed that no barrier of the grid has ordered since; `None` if
    /// the visit is over.
    pub done: Option<&'a [Done]>,
}

/// Bits and their width.
type Bits = (u128, u32);

impl HeaderVisit<'_> {
    /// Is the statement true? `None` if that cannot be told here.
    pub fn truth(&self, expr: &Expr) -> Option<bool> {
        self.expr(expr).map(|(bits, _)| bits == 1)
    }

    /// The bits of an integer expression.
    pub fn bits(&self, expr: &Expr) -> Option<u128> {
        self.expr(expr).map(|(bits, _)| bits)
    }

    fn expr(&self, expr: &Expr) -> Option<Bits> {
        let params = &self.func.blocks[self.header].params;
        Some(match expr {
            Expr::Param(index) => self.value(*params.get(*index)?)?,
            Expr::Initial(index) => (*self.initial.get(*index)?, self.width(*params.get(*index)?)?),
            Expr::Value(value) => self.value(*value)?,
            // Runs don't count them.
            Expr::Visits => return None,
            Expr::Geometry(kind, dim) => (self.geometry(*kind, *dim), 32),
            Expr::Const { bits, ty } => (*bits, ty.bits()?),
            Expr::Binary { op, args, ty } => {
                let width = ty.bits()?;
                (binary(*op, self.expr(&args[0])?.0, self.expr(&args[1])?.0, width)?, width)
            }
            Expr::Cast { op, arg, from, to } => cast(*op, self.expr(arg)?.0, *from, *to)?,
            Expr::Compare { cc, args } => {
                let (a, width) = self.expr(&args[0])?;
                truth(compare(*cc, a, self.expr(&args[1])?.0, width as u8))
            }
            Expr::All(parts) => truth(self.each(parts)?.into_iter().all(|bits| bits == 1)),
            Expr::Any(parts) => truth(self.each(parts)?.into_iter().any(|bits| bits == 1)),
            Expr::Not(part) => truth(self.expr(part)?.0 == 0),
            Expr::AtMostOneBit(part) => truth(self.expr(part)?.0.count_ones() <= 1),
            Expr::InHeader { value, params } => {
                let given = self.each(params)?;
                self.in_header(*value, &given, DEPTH)?
            }
        })
    }

    fn each(&self, parts: &[Expr]) -> Option<Vec<u128>> {
        parts.iter().map(|part| self.expr(part).map(|(bits, _)| bits)).collect()
    }

    /// What the header's instructions make of a value for these parameters.
    fn in_header(&self, value: Value, given: &[u128], depth: u32) -> Option<Bits> {
        let depth = depth.checked_sub(1)?;
        let block = &self.func.blocks[self.header];
        if let Some(index) = block.params.iter().position(|&param| param == value) {
            return Some((*given.get(index)?, self.width(value)?));
        }
        let inst = match self.func.values[value] {
            ValueDef::Result(inst, _) if block.insts.contains(&inst) => inst,
            ValueDef::Result(..)
            | ValueDef::BlockParam(..)
            | ValueDef::FunctionParam(_)
            | ValueDef::Const(_) => return self.value(value),
        };
        let arg = |value: Value| self.in_header(value, given, depth);
        Some(match self.func.insts[inst].operation()? {
            Operation::Binary { op, args: [a, b], .. } => {
                let ((a, width), (b, _)) = (arg(a)?, arg(b)?);
                (binary(op, a, b, width)?, width)
            }
            Operation::IntCompare { cc, args: [a, b] } => {
                let ((a, width), (b, _)) = (arg(a)?, arg(b)?);
                truth(compare(cc, a, b, width as u8))
            }
            Operation::Cast { op, arg: from, to } => {
                cast(op, arg(from)?.0, self.func.type_of(from), to)?
            }
            Operation::Geometry(geometry) => (self.geometry(geometry.kind, geometry.dim), 32),
            Operation::Unary { .. } | Operation::FloatCompare { .. } | Operation::Select { .. } => {
                return None;
            }
        })
    }

    fn value(&self, value: Value) -> Option<Bits> {
        Some((self.visit.value(value), self.width(value)?))
    }

    /// Of integers only: of nothing else can be said more than that it is there.
    fn width(&self, value: Value) -> Option<u32> {
        let ty = self.func.type_of(value);
        ty.is_int().then(|| ty.bits()).flatten()
    }

    fn geometry(&self, kind: GeometryKind, dim: Dim) -> u128 {
        let of = |sizes: [u32; 3]| u128::from(sizes[dim.index()]);
        match kind {
            GeometryKind::ThreadId => of(self.visit.thread.thread),
            GeometryKind::BlockId => of(self.visit.thread.block),
            GeometryKind::BlockDim => of(self.launch.block),
            GeometryKind::GridDim => of(self.launch.grid),
            GeometryKind::GlobalOffset => of(self.launch.global_offset),
            GeometryKind::WorkDim => u128::from(self.launch.work_dim),
        }
    }
}

fn truth(holds: bool) -> Bits {
    (u128::from(holds), 1)
}

fn mask(width: u32) -> u128 {
    u128::MAX >> (128 - width.clamp(1, 128))
}

fn signed(bits: u128, width: u32) -> i128 {
    let unused = 128 - width.clamp(1, 128);
    ((bits << unused) as i128) >> unused
}

/// Integers only; `None` where the result is left to the implementation.
fn binary(op: BinaryOp, a: u128, b: u128, width: u32) -> Option<u128> {
    use BinaryOp::*;
    let (left, right) = (signed(a, width), signed(b, width));
    let shift = || u32::try_from(b).ok().filter(|by| *by < width);
    let result = match op {
        Add => a.wrapping_add(b),
        Sub => a.wrapping_sub(b),
        Mul => a.wrapping_mul(b),
        UDiv => a.checked_div(b)?,
        URem => a.checked_rem(b)?,
        SDiv => left.checked_div(right)? as u128,
        SRem => left.checked_rem(right)? as u128,
        Shl => a << shift()?,
        LShr => a >> shift()?,
        AShr => (left >> shift()?) as u128,
        And => a & b,
        Or => a | b,
        Xor => a ^ b,
        FAdd | FSub | FMul | FDiv | FRem => return None,
    };
    Some(result & mask(width))
}

fn cast(op: CastOp, bits: u128, from: Type, to: Type) -> Option<Bits> {
    let (from, to) = (from.bits()?, to.bits()?);
    let bits = match op {
        CastOp::Trunc | CastOp::ZExt => bits,
        CastOp::SExt => signed(bits, from) as u128,
        CastOp::FToU
        | CastOp::FToS
        | CastOp::FToUSat
        | CastOp::FToSSat
        | CastOp::UToF
        | CastOp::SToF
        | CastOp::FTrunc
        | CastOp::FExt
        | CastOp::Bitcast => return None,
    };
    Some((bits & mask(to), to))
}
