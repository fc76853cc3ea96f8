//! The rules, and what they have in common.

mod compared_bound;
mod counts_without_wrap;
mod enumerated_states;
mod guard_before;
mod guard_non_neg;
mod loop_bound;
mod loop_counter_is_strided;
mod pow2;
mod pow2_not_zero;
mod relational_pow2;
mod value_range;

use duet_analysis::ClosedForm;
use duet_ir::{BinaryOp, Operation, Type, Value};
use duet_vc::Expr;

use crate::LoopInput;

/// A way to make candidates up.
pub struct Rule {
    /// Its name: that of the paper, if it is there.
    pub name: &'static str,
    /// Its number in the paper.
    pub number: Option<u8>,
    /// Does it list all values that parameters have, so that the rules after it need
    /// not speak of them?
    pub lists_states: bool,
    /// The candidates for a loop.
    pub guess: fn(&LoopInput<'_>) -> Vec<Expr>,
}

/// All rules.
pub const RULES: &[Rule] = &[
    enumerated_states::RULE,
    compared_bound::RULE,
    guard_before::RULE,
    guard_non_neg::RULE,
    loop_bound::RULE,
    loop_counter_is_strided::RULE,
    pow2::RULE,
    pow2_not_zero::RULE,
    relational_pow2::RULE,
    value_range::RULE,
    counts_without_wrap::RULE,
];

impl LoopInput<'_> {
    /// The integer parameters that the loop changes, with numbers and types.
    pub(crate) fn integers(&self) -> Vec<(usize, Value, Type)> {
        let params = self.view.params().iter().copied().enumerate();
        let typed = params.map(|(index, value)| (index, value, self.view.func.type_of(value)));
        typed
            .filter(|(_, _, ty)| ty.is_int() && *ty != Type::BOOL)
            .filter(|(_, value, _)| self.view.forms.get(*value) != Some(&ClosedForm::Unchanged))
            .collect()
    }

    /// Those that are not listed.
    pub(crate) fn changing(&self) -> Vec<(usize, Value, Type)> {
        let mut integers = self.integers();
        integers.retain(|(_, value, _)| !self.listed.contains(value));
        integers
    }

    /// What the back edges bind a parameter to.
    pub(crate) fn next_values(&self, index: usize) -> Vec<Value> {
        let data = self.view.loops.data(self.view.id);
        let mut args = vec![];
        for &latch in &data.latches {
            for edge in self.view.func.blocks[latch].terminator.edges() {
                if edge.block == data.header {
                    args.push(edge.args[index]);
                }
            }
        }
        args
    }

    /// The operation behind a value, truncations aside, if it works on two.
    pub(crate) fn operation(&self, value: Value) -> Option<(BinaryOp, [Value; 2])> {
        match self.view.func.operation_of(value)? {
            Operation::Binary { op, args, .. } => Some((op, args)),
            Operation::Cast { op: duet_ir::CastOp::Trunc, arg, .. } => self.operation(arg),
            Operation::Cast { .. }
            | Operation::Unary { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. }
            | Operation::Geometry(_) => None,
        }
    }
}
