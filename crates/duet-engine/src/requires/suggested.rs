//! What the way a kernel computes places suggests of its launches.
//!
//! `blockIdx.x * 16 + threadIdx.x` is a number of two digits: it is meant for blocks of
//! at most 16 threads. `y * pitch + x` is meant for a pitch that no `x` reaches, and for
//! so many rows that the product fits. The author of the sum would state that first, so
//! such statements are cheap. Whether they are enough, and needed, is found out as ever.

use std::collections::BTreeSet;

use duet_ir::{BinaryOp, Dim, Function, GeometryKind, InstData, Operation, Type, Value, ValueDef};

use super::atom::{Atom, Quantity};

/// The factors of a product of 24 bits.
const NARROW: u32 = 0xff_ffff;
/// Terms of a sum that are looked at.
const MOST_TERMS: usize = 12;

/// A term of a sum.
#[derive(Clone, Copy)]
enum Term {
    /// A thread's id in its block.
    Thread(Dim),
    /// A block's id times the threads of a block.
    Blocks(Dim),
    /// A block's id times a number.
    Tiles(Dim, u32),
    /// Anything else times a number.
    Several(u32),
    /// Anything times an argument.
    Rows(Value),
}

/// The statements that sums of the kernel suggest.
pub(super) fn suggested(func: &Function) -> BTreeSet<Atom> {
    let mut found = BTreeSet::new();
    for inst in func.insts_in_order() {
        if let InstData::Binary { op: BinaryOp::Add, args, .. } = &func.insts[inst] {
            let terms = terms(func, args);
            found.extend(digits(&terms));
            found.extend(rows(&terms));
        }
        found.extend(products(func, &func.insts[inst]));
        found.extend(narrow_factors(func, &func.insts[inst]));
    }
    found
}

/// A thread's id is a digit below each number that others are multiplied by, and there
/// are not too many blocks for the product.
fn digits(terms: &[Term]) -> BTreeSet<Atom> {
    let mut found = BTreeSet::new();
    for term in terms {
        if let Term::Tiles(dim, number) = *term {
            let limit = Quantity::Number(i32::MAX as u32);
            found.insert(Atom::AtMost(Quantity::GridTimes(number, dim), limit));
        }
    }
    for term in terms {
        let Term::Thread(dim) = term else { continue };
        for other in terms {
            if let Term::Tiles(_, number) | Term::Several(number) = other
                && (2..1024).contains(number)
            {
                found.insert(Atom::AtMost(Quantity::Block(*dim), Quantity::Number(*number)));
            }
        }
    }
    found
}

/// What is added to rows is shorter than a row.
fn rows(terms: &[Term]) -> BTreeSet<Atom> {
    let mut found = BTreeSet::new();
    for term in terms {
        let Term::Rows(argument) = term else { continue };
        let own = Quantity::Argument(*argument);
        for other in terms {
            match *other {
                Term::Blocks(dim) => {
                    found.insert(Atom::AtLeast(own, Quantity::Threads(dim)));
                    found.insert(Atom::Equal(own, Quantity::Threads(dim)));
                }
                Term::Tiles(dim, number) => {
                    found.insert(Atom::AtLeast(own, Quantity::GridTimes(number, dim)));
                }
                Term::Thread(dim) if !terms.iter().any(|one| is_of_blocks(*one, dim)) => {
                    found.insert(Atom::AtLeast(own, Quantity::Block(dim)));
                }
                _ => {}
            }
        }
    }
    found
}

fn is_of_blocks(term: Term, wanted: Dim) -> bool {
    matches!(term, Term::Blocks(dim) | Term::Tiles(dim, _) if dim == wanted)
}

/// A product of rows by their length fits 31 bits, where it may wrap around.
fn products(func: &Function, data: &InstData) -> BTreeSet<Atom> {
    let mut found = BTreeSet::new();
    let InstData::Binary { op: BinaryOp::Mul, args, nsw: false } = data else { return found };
    let Some((argument, count)) = argument_and_other(func, args) else { return found };
    if func.type_of(argument) != Type::I32 {
        return found;
    }
    for term in terms(func, &[count, count]) {
        if let Term::Blocks(dim) = term {
            let limit = Quantity::Number(i32::MAX as u32);
            found.insert(Atom::AtMost(Quantity::Rows(argument, dim), limit));
        }
    }
    found
}

/// Arguments that are cut to 24 bits before they are multiplied fit them.
fn narrow_factors(func: &Function, data: &InstData) -> Option<Atom> {
    let InstData::Binary { op: BinaryOp::And, args: [arg, mask], .. } = data else { return None };
    let is_argument = matches!(func.values[*arg], ValueDef::FunctionParam(_));
    let limit = Quantity::Number(NARROW >> 1);
    (is_argument && func.const_bits(*mask) == Some(NARROW.into()))
        .then_some(Atom::AtMost(Quantity::Argument(*arg), limit))
}

/// The terms of the sum of two values.
fn terms(func: &Function, args: &[Value; 2]) -> Vec<Term> {
    let mut open: Vec<Value> = args.to_vec();
    let mut terms = vec![];
    while let Some(value) = open.pop() {
        if terms.len() + open.len() > MOST_TERMS {
            break;
        }
        let value = without_casts(func, value);
        match func.operation_of(value) {
            Some(Operation::Binary { op: BinaryOp::Add, args, .. }) => open.extend(args),
            Some(Operation::Binary { op: BinaryOp::Mul, args, .. }) => {
                terms.extend(product(func, &args));
            }
            Some(Operation::Binary { op: BinaryOp::Shl, args: [what, by], .. }) => {
                let by = func.const_bits(by).filter(|by| *by < 31);
                terms.extend(by.map(|by| times(func, what, 1 << by)));
            }
            Some(Operation::Geometry(geometry)) if geometry.kind == GeometryKind::ThreadId => {
                terms.push(Term::Thread(geometry.dim));
            }
            Some(
                Operation::Binary { .. }
                | Operation::Unary { .. }
                | Operation::Cast { .. }
                | Operation::IntCompare { .. }
                | Operation::FloatCompare { .. }
                | Operation::Select { .. }
                | Operation::Geometry(_),
            )
            | None => {}
        }
    }
    terms
}

fn product(func: &Function, args: &[Value; 2]) -> Option<Term> {
    let [a, b] = args.map(|arg| without_casts(func, arg));
    for (one, other) in [(a, b), (b, a)] {
        if let Some(number) = func.const_bits(one).and_then(|bits| u32::try_from(bits).ok()) {
            return Some(times(func, other, number));
        }
        if let (Some((GeometryKind::BlockId, dim)), Some((GeometryKind::BlockDim, size))) =
            (geometry(func, one), geometry(func, other))
            && dim == size
        {
            return Some(Term::Blocks(dim));
        }
    }
    argument_and_other(func, args).map(|(argument, _)| Term::Rows(argument))
}

fn times(func: &Function, value: Value, number: u32) -> Term {
    match geometry(func, without_casts(func, value)) {
        Some((GeometryKind::BlockId, dim)) => Term::Tiles(dim, number),
        _ => Term::Several(number),
    }
}

/// Which of two factors is a scalar argument, and the other one.
fn argument_and_other(func: &Function, args: &[Value; 2]) -> Option<(Value, Value)> {
    let [a, b] = args.map(|arg| without_casts(func, arg));
    let is_argument = |value: Value| matches!(func.values[value], ValueDef::FunctionParam(_));
    [(a, b), (b, a)].into_iter().find(|(one, _)| is_argument(*one))
}

fn geometry(func: &Function, value: Value) -> Option<(GeometryKind, Dim)> {
    let Operation::Geometry(geometry) = func.operation_of(value)? else { return None };
    Some((geometry.kind, geometry.dim))
}

/// The value that casts were applied to, or that was cut to 24 bits to be multiplied.
fn without_casts(func: &Function, mut value: Value) -> Value {
    while let Some(operation) = func.operation_of(value) {
        value = match operation {
            Operation::Cast { arg, .. } => arg,
            Operation::Binary { op: BinaryOp::And, args: [arg, mask], .. }
                if func.const_bits(mask) == Some(NARROW.into()) =>
            {
                arg
            }
            Operation::Binary { .. }
            | Operation::Unary { .. }
            | Operation::IntCompare { .. }
            | Operation::FloatCompare { .. }
            | Operation::Select { .. }
            | Operation::Geometry(_) => break,
        };
    }
    value
}
