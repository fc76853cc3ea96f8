//! Arguments that a precondition says the value of: `__requires(n == 640)`. No other number is
//! worth a run.

use std::collections::BTreeMap;

use duet_ir::{AnnotationKind, BinaryOp, Function, InstData, IntCc, Operation, Value, ValueDef};

/// The numbers of parameters, by position, that preconditions of a kernel fix.
pub fn pinned(func: &Function) -> BTreeMap<usize, i64> {
    let mut left: Vec<Value> = func
        .insts_in_order()
        .filter_map(|inst| match &func.insts[inst] {
            InstData::Annotation { kind: AnnotationKind::Requires, args } => args.first().copied(),
            _ => None,
        })
        .collect();
    let mut found = BTreeMap::new();
    while let Some(value) = left.pop() {
        match operation(func, value) {
            Some(Operation::Binary { op: BinaryOp::And, args, .. }) => left.extend(args),
            Some(Operation::IntCompare { cc: IntCc::Eq, args: [a, b] }) => {
                found.extend(equation(func, a, b).or_else(|| equation(func, b, a)));
            }
            _ => {}
        }
    }
    found
}

/// The parameter and its number, if one is a parameter and the other a number.
fn equation(func: &Function, param: Value, number: Value) -> Option<(usize, i64)> {
    let bits = func.const_bits(number)?;
    let width = func.type_of(number).bits()?;
    let number = i64::try_from(duet_smt::to_signed(bits, width)).ok()?;
    let mut param = param;
    while let Some(Operation::Cast { arg, .. }) = operation(func, param) {
        param = arg;
    }
    match func.values[param] {
        ValueDef::FunctionParam(index) => Some((index as usize, number)),
        ValueDef::Result(..) | ValueDef::BlockParam(..) | ValueDef::Const(_) => None,
    }
}

fn operation(func: &Function, value: Value) -> Option<Operation> {
    match func.values[value] {
        ValueDef::Result(inst, _) => func.insts[inst].operation(),
        ValueDef::FunctionParam(_) | ValueDef::BlockParam(..) | ValueDef::Const(_) => None,
    }
}
