//! Function-wide invariants: one statement of the source for every loop.
//!
//! The annotation stands anywhere, as a rule at the function's end; what it says must
//! not depend on a variable that the function changes. So it is written anew at each
//! loop, over arguments, sizes, ids and what was computed before the loop. What cannot
//! be written so (a variable that changes, a read of memory) is a candidate of no loop.
//!
//! A value counts as computed before a loop only if its block dominates the header. The
//! operands of an annotation at the end are mostly computed after it, and are unknown at
//! the loop; their definitions are not.
//!
//! SOUNDNESS: like any candidate it counts only once it is shown
//! (`kernels/contracts/function-wide-bug`).

use duet_analysis::Loop;
use duet_ir::{AnnotationKind, BinaryOp, CastOp, Inst, InstData, Operation, Type, Value, ValueDef};
use duet_product::KernelFacts;
use duet_vc::{Candidate, Expr, Invariants, Source};

/// How deep instructions are followed.
const DEPTH: u32 = 32;

/// Is it about every loop?
fn is_function_wide(kind: AnnotationKind) -> bool {
    use AnnotationKind::{FunctionWideCandidateInvariant, FunctionWideInvariant};
    matches!(kind, FunctionWideInvariant | FunctionWideCandidateInvariant)
}

/// The candidates that function-wide invariants are, for each loop.
pub(super) fn candidates(facts: &KernelFacts<'_>) -> Vec<(Loop, Candidate)> {
    let func = facts.func;
    let mut found = vec![];
    for inst in func.insts_in_order() {
        let InstData::Annotation { kind, args } = &func.insts[inst] else { continue };
        if !is_function_wide(*kind) {
            continue;
        }
        for (id, _) in facts.loops.iter() {
            let at = AtLoop { facts, id };
            let expr = at.expr(args[0], DEPTH);
            let source = Source::User(inst);
            found.extend(expr.map(|expr| (id, Candidate { source, expr })));
        }
    }
    found
}

/// Is a function-wide invariant among those that hold, at every loop?
pub fn holds_at_all_loops(facts: &KernelFacts<'_>, invariants: &Invariants, inst: Inst) -> bool {
    let user = Source::User(inst);
    let mut loops = facts.loops.iter();
    loops.all(|(id, _)| invariants.of(id).iter().any(|known| known.source == user))
}

/// A loop at which something is to be stated.
struct AtLoop<'a> {
    facts: &'a KernelFacts<'a>,
    id: Loop,
}

impl AtLoop<'_> {
    /// The value, in terms of what is there when the loop's header is reached.
    fn expr(&self, value: Value, depth: u32) -> Option<Expr> {
        let depth = depth.checked_sub(1)?;
        let func = self.facts.func;
        let ty = func.type_of(value);
        if let Some(bits) = func.const_bits(value) {
            return Some(Expr::number(bits, ty));
        }
        let inst = match func.values[value] {
            ValueDef::FunctionParam(_) => return Some(Expr::Value(value)),
            ValueDef::Result(inst, _) => inst,
            ValueDef::BlockParam(..) | ValueDef::Const(_) => return None,
        };
        if self.is_there(inst) {
            return Some(Expr::Value(value));
        }
        let arg = |value: Value| self.expr(value, depth);
        match func.insts[inst].operation()? {
            Operation::Geometry(geometry) => Some(Expr::Geometry(geometry.kind, geometry.dim)),
            Operation::IntCompare { cc, args: [a, b] } => Some(Expr::compare(cc, arg(a)?, arg(b)?)),
            Operation::Binary { op, args: [a, b], .. } if ty == Type::BOOL => {
                connective(op, arg(a)?, arg(b)?)
            }
            Operation::Binary { op, args: [a, b], .. } if !op.is_float() => {
                let fails = op.may_fail() && func.const_bits(b).is_none_or(|bits| bits == 0);
                (!fails).then_some(())?;
                Some(Expr::binary(op, arg(a)?, arg(b)?, ty))
            }
            Operation::Cast { op, arg: from, to }
                if matches!(op, CastOp::Trunc | CastOp::ZExt | CastOp::SExt) =>
            {
                let (from, arg) = (func.type_of(from), Box::new(arg(from)?));
                Some(Expr::Cast { op, arg, from, to })
            }
            Operation::Binary { .. }
            | Operation::Unary { .. }
            | Operation::Cast { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. } => None,
        }
    }

    /// Was the instruction executed before the loop, whichever way was taken?
    fn is_there(&self, inst: Inst) -> bool {
        let header = self.facts.loops.data(self.id).header;
        self.facts.block_of(inst).is_some_and(|block| {
            self.facts.dominators.dominates(block, header)
                && !self.facts.loops.contains(self.id, block)
        })
    }
}

fn connective(op: BinaryOp, a: Expr, b: Expr) -> Option<Expr> {
    match op {
        BinaryOp::And => Some(Expr::All(vec![a, b])),
        BinaryOp::Or => Some(Expr::Any(vec![a, b])),
        BinaryOp::Xor => {
            let both = Expr::All(vec![a.clone(), b.clone()]);
            Some(Expr::All(vec![Expr::Any(vec![a, b]), Expr::Not(Box::new(both))]))
        }
        BinaryOp::Add
        | BinaryOp::Sub
        | BinaryOp::Mul
        | BinaryOp::UDiv
        | BinaryOp::SDiv
        | BinaryOp::URem
        | BinaryOp::SRem
        | BinaryOp::Shl
        | BinaryOp::LShr
        | BinaryOp::AShr
        | BinaryOp::FAdd
        | BinaryOp::FSub
        | BinaryOp::FMul
        | BinaryOp::FDiv
        | BinaryOp::FRem => None,
    }
}
