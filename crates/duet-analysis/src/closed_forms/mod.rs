//! The parameters of a loop's header as functions of the loop's iteration count `c`:
//! the number of times the header has been reached again since the loop was
//! entered.
//!
//! Every form is exact, for one thread, at every arrival at the header, whatever
//! the count: equality of machine integers modulo 2^w, no statement about order.
//! `init` is the parameter's value on entry to the loop.
//!
//! | the loop does | form at iteration `c` |
//! |---|---|
//! | `x = x` | `init` |
//! | `x += step` | `init + c * step` |
//! | `x <<= k`, `x *= 2^k`, `x += x` | `init << k*c`, 0 from the width on |
//! | `x >>= k`, `x /= 2^k` | `init >> k*c`; 0 or the sign from the width on |
//! | `x = a - x`, `x ^= m` | `init` if `c` is even, else `a - init`, `init ^ m` |
//! | `swap(x, y)` | `init`, or `y`'s `init` |
//! | `x = y + a`, with `y` a header parameter | `init`, then `y` at iteration `c - 1`, plus `a` |
//! | `x = a` | `init`, then `a` |
//!
//! The *invariant* parts (`step`, `a`, `m`) are sums of values that do not change
//! while the loop runs. Some may be computed inside the loop, from operands that
//! do not change: a user that needs them before they are computed has to compute them
//! from their operands. A loop with several latches has a form if all agree.
//! Everything is a *must* fact. Irreducible graphs have no forms.
//!
//! Cost: linear in the expressions behind the latches' arguments.

mod linear;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use duet_ir::{BinaryOp, Block, CastOp, Function, Operation, SecondaryMap, Type, Value, ValueDef};

pub use linear::Linear;
pub(crate) use linear::Reader;

use crate::bits::{mask, signed};
use crate::graph::incoming;
use crate::{ArrayUses, EdgeId, Homes, Loop, Loops};

/// How a shift to the right fills up, and rounds.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum RightShift {
    /// Zeros: halving of unsigned numbers.
    Logical,
    /// The sign: halving that rounds down.
    Arithmetic,
    /// Halving of signed numbers that rounds to zero.
    Division,
}

/// A header parameter as a function of the iteration count; see the file header.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ClosedForm {
    /// It keeps its value.
    Unchanged,
    /// `init + c * step`.
    Affine {
        /// Invariant.
        step: Linear,
    },
    /// `init << by * c`.
    ShiftLeft {
        /// Bits per iteration.
        by: u32,
    },
    /// `init >> by * c`.
    ShiftRight {
        /// How.
        kind: RightShift,
        /// Bits per iteration.
        by: u32,
    },
    /// `sum - init` at odd counts.
    Reflects {
        /// Invariant.
        sum: Linear,
    },
    /// `init ^ mask` at odd counts.
    Flips {
        /// Invariant.
        mask: Linear,
    },
    /// The other parameter's `init` at odd counts.
    Swaps {
        /// Another parameter of the header.
        with: Value,
    },
    /// After the first arrival: the other parameter at the iteration before, plus
    /// something invariant.
    Follows {
        /// Another parameter of the header.
        param: Value,
        /// Invariant.
        plus: Linear,
    },
    /// After the first arrival: something invariant.
    Settles {
        /// Invariant.
        to: Linear,
    },
}

/// What one iteration does to a parameter, before it is known what the others do.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Update {
    Linear(Linear),
    Xor(Linear),
    Shift(RightShift, u32),
}

/// The closed forms of all loops.
#[derive(Clone, Debug)]
pub struct ClosedForms {
    forms: BTreeMap<Value, ClosedForm>,
    headers: Vec<(Loop, Vec<Value>)>,
    widths: BTreeMap<Value, u8>,
}

impl ClosedForms {
    /// Of a well-formed function with its loops and array uses.
    pub fn new(func: &Function, loops: &Loops, arrays: &ArrayUses) -> ClosedForms {
        let mut result =
            ClosedForms { forms: BTreeMap::new(), headers: vec![], widths: BTreeMap::new() };
        let maps = Maps::new(func, loops);
        for (id, data) in loops.iter().filter(|_| loops.is_reducible()) {
            let params = func.blocks[data.header].params.clone();
            let width = |value: &Value| func.type_of(*value).bits().unwrap_or(0) as u8;
            result.widths.extend(params.iter().map(|param| (*param, width(param))));
            result.add_loop(maps.reader(func, loops, arrays, id), &params);
            result.headers.push((id, params));
        }
        result
    }

    /// The form of a header parameter.
    pub fn get(&self, param: Value) -> Option<&ClosedForm> {
        self.forms.get(&param)
    }

    /// The bits of a header parameter at an iteration, given the bits on entry of each
    /// header parameter of its loop and of each invariant value. None without a
    /// form.
    pub fn evaluate(
        &self,
        param: Value,
        iteration: u128,
        init: &dyn Fn(Value) -> u128,
        invariant: &dyn Fn(Value) -> u128,
    ) -> Option<u128> {
        let form = self.get(param)?;
        let width = self.widths[&param].max(1);
        let start = init(param);
        let odd = iteration % 2 == 1;
        Some(match form {
            _ if iteration == 0 => start,
            ClosedForm::Unchanged => start,
            ClosedForm::Affine { step } => {
                start.wrapping_add(iteration.wrapping_mul(step.evaluate(invariant))) & mask(width)
            }
            ClosedForm::ShiftLeft { by } => {
                let bits = iteration.saturating_mul(u128::from(*by));
                if bits >= u128::from(width) { 0 } else { (start << bits) & mask(width) }
            }
            ClosedForm::ShiftRight { kind, by } => {
                shift_right(*kind, start, iteration.saturating_mul(u128::from(*by)), width)
            }
            ClosedForm::Reflects { sum } if odd => {
                sum.evaluate(invariant).wrapping_sub(start) & mask(width)
            }
            ClosedForm::Flips { mask } if odd => start ^ mask.evaluate(invariant),
            ClosedForm::Swaps { with } if odd => init(*with),
            ClosedForm::Reflects { .. } | ClosedForm::Flips { .. } | ClosedForm::Swaps { .. } => {
                start
            }
            ClosedForm::Follows { param, plus } => {
                let before = self.evaluate(*param, iteration - 1, init, invariant)?;
                match plus.width {
                    0 => before,
                    width => before.wrapping_add(plus.evaluate(invariant)) & mask(width),
                }
            }
            ClosedForm::Settles { to } => to.evaluate(invariant),
        })
    }

    /// Finds the forms of one header. Parameters that do not change are found
    /// first: to the others they are invariant.
    fn add_loop(&mut self, mut reader: Reader<'_>, params: &[Value]) {
        loop {
            let same = |&param: &Value, reader: &mut Reader<'_>| {
                reader.update(param).is_some_and(
                    |update| matches!(update, Update::Linear(sum) if sum.as_value() == Some(param)),
                )
            };
            let before = reader.unchanged.len();
            let found: Vec<Value> =
                params.iter().copied().filter(|param| same(param, &mut reader)).collect();
            reader.unchanged.extend(found);
            reader.invariant.clear();
            if reader.unchanged.len() == before {
                break;
            }
        }
        let updates: BTreeMap<Value, Update> =
            params.iter().filter_map(|&param| Some((param, reader.update(param)?))).collect();
        for &param in params {
            if let Some(form) = classify(param, params, &reader.unchanged, &updates) {
                self.forms.insert(param, form);
            }
        }
    }
}

/// Where values are defined and edges come from.
pub(crate) struct Maps {
    homes: Homes,
    incoming: SecondaryMap<Block, Vec<EdgeId>>,
}

impl Maps {
    pub(crate) fn new(func: &Function, loops: &Loops) -> Maps {
        Maps { homes: Homes::new(func), incoming: incoming(func, loops.order()) }
    }

    pub(crate) fn reader<'a>(
        &'a self,
        func: &'a Function,
        loops: &'a Loops,
        arrays: &'a ArrayUses,
        id: Loop,
    ) -> Reader<'a> {
        Reader {
            func,
            loops,
            arrays,
            homes: &self.homes,
            incoming: &self.incoming,
            id,
            unchanged: BTreeSet::new(),
            invariant: BTreeMap::new(),
            open: BTreeSet::new(),
        }
    }
}

impl Reader<'_> {
    /// What one iteration does to a header parameter, if all latches agree.
    fn update(&mut self, param: Value) -> Option<Update> {
        let mut updates = self.latch_arguments(param).into_iter().map(|arg| self.step(param, arg));
        let first = updates.next().flatten()?;
        updates.all(|update| update.as_ref() == Some(&first)).then_some(first)
    }

    /// What the back edges bring.
    pub(crate) fn latch_arguments(&self, param: Value) -> Vec<Value> {
        self.header_arguments(param, true)
    }

    /// What the edges from outside bring.
    pub(crate) fn entry_arguments(&self, param: Value) -> Vec<Value> {
        self.header_arguments(param, false)
    }

    fn header_arguments(&self, param: Value, inside: bool) -> Vec<Value> {
        let ValueDef::BlockParam(block, index) = self.func.values[param] else {
            return vec![];
        };
        let edges = self.incoming[block].iter();
        let wanted = edges.filter(|edge| self.loops.contains(self.id, edge.from) == inside);
        wanted.map(|edge| edge.argument(self.func, index as usize)).collect()
    }

    /// What one back edge does to a header parameter.
    fn step(&mut self, param: Value, arg: Value) -> Option<Update> {
        let Type::Int(width) = self.func.type_of(param) else {
            return self.identity(arg).map(|value| Update::Linear(Linear::value(0, value)));
        };
        if let Some(sum) = self.linear(arg, width) {
            return Some(Update::Linear(sum));
        }
        self.shift(param, arg, width).or_else(|| self.flip(param, arg, width))
    }

    /// The header parameter or invariant value that a value of any type is.
    fn identity(&mut self, value: Value) -> Option<Value> {
        let mut at = value;
        for _ in 0..64 {
            let header = self.loops.data(self.id).header;
            if matches!(self.func.values[at], ValueDef::BlockParam(block, _) if block == header) {
                return Some(at);
            }
            match self.same_argument(at) {
                Some(next) => at = next,
                None => return self.is_invariant(at).then_some(at),
            }
        }
        None
    }

    /// The operation behind truncations.
    fn under_trunc(&self, value: Value) -> Option<Operation> {
        let mut operation = self.func.operation_of(value)?;
        while let Operation::Cast { op: CastOp::Trunc, arg, .. } = operation {
            operation = self.func.operation_of(arg)?;
        }
        Some(operation)
    }

    /// Is the value the parameter, or an extension of it (which is returned)?
    fn extended(&self, param: Value, value: Value) -> Option<Option<CastOp>> {
        if value == param {
            return Some(None);
        }
        let Operation::Cast { op: op @ (CastOp::ZExt | CastOp::SExt), arg, .. } =
            self.func.operation_of(value)?
        else {
            return None;
        };
        (arg == param).then_some(Some(op))
    }

    /// `param >> k` or `param / 2^k`, computed at this width or a wider one. An
    /// extension must fill up as the shift does: `x >> 1` on a `signed char` is
    /// `trunc(ashr(sext x, 1))`.
    fn shift(&self, param: Value, arg: Value, width: u8) -> Option<Update> {
        let Operation::Binary { op, args: [a, b], .. } = self.under_trunc(arg)? else {
            return None;
        };
        let extension = self.extended(param, a)?;
        let amount = self.func.const_bits(b)?;
        let own = u8::try_from(self.func.type_of(a).bits()?).ok()?;
        let power = amount.is_power_of_two() && amount != 1 << (own - 1);
        let (kind, by) = match (op, extension) {
            (BinaryOp::LShr, None | Some(CastOp::ZExt)) => (RightShift::Logical, amount),
            (BinaryOp::AShr, Some(CastOp::ZExt)) => (RightShift::Logical, amount),
            (BinaryOp::AShr, None | Some(_)) => (RightShift::Arithmetic, amount),
            (BinaryOp::UDiv, None | Some(CastOp::ZExt)) if amount.is_power_of_two() => {
                (RightShift::Logical, u128::from(amount.trailing_zeros()))
            }
            (BinaryOp::SDiv, Some(CastOp::ZExt)) if power => {
                (RightShift::Logical, u128::from(amount.trailing_zeros()))
            }
            (BinaryOp::SDiv, None | Some(CastOp::SExt)) if power => {
                (RightShift::Division, u128::from(amount.trailing_zeros()))
            }
            _ => return None,
        };
        let by = u32::try_from(by.min(u128::from(width))).ok()?;
        (by > 0).then_some(Update::Shift(kind, by))
    }

    /// `param ^ m` with an invariant `m`.
    fn flip(&mut self, param: Value, arg: Value, width: u8) -> Option<Update> {
        let Operation::Binary { op: BinaryOp::Xor, args: [a, b], .. } = self.under_trunc(arg)?
        else {
            return None;
        };
        let mask = match (self.extended(param, a), self.extended(param, b)) {
            (Some(_), None) => b,
            (None, Some(_)) => a,
            _ => return None,
        };
        if self.is_invariant(mask) { self.linear(mask, width).map(Update::Xor) } else { None }
    }
}

/// The form of a parameter, given what one iteration does to each.
fn classify(
    param: Value,
    params: &[Value],
    unchanged: &BTreeSet<Value>,
    updates: &BTreeMap<Value, Update>,
) -> Option<ClosedForm> {
    let next = match updates.get(&param)? {
        Update::Xor(mask) => return Some(ClosedForm::Flips { mask: mask.clone() }),
        Update::Shift(kind, by) => {
            return Some(ClosedForm::ShiftRight { kind: *kind, by: *by });
        }
        Update::Linear(next) => next,
    };
    let is_other =
        |value: &Value| *value != param && params.contains(value) && !unchanged.contains(value);
    let others: Vec<Value> = next.terms.keys().copied().filter(is_other).collect();
    let rest = next.without(param);
    let own = next.factor(param);
    match (own, others.as_slice()) {
        (1, []) if rest.is_zero() || next.width == 0 => Some(ClosedForm::Unchanged),
        (1, []) => Some(ClosedForm::Affine { step: rest }),
        (0, []) => Some(ClosedForm::Settles { to: rest }),
        (0, &[other]) if next.factor(other) == 1 => {
            Some(follow(param, other, next.without(other), updates))
        }
        (factor, []) if factor == mask(next.width) => Some(ClosedForm::Reflects { sum: rest }),
        (factor, []) if factor.is_power_of_two() && rest.is_zero() => {
            Some(ClosedForm::ShiftLeft { by: factor.trailing_zeros() })
        }
        _ => None,
    }
}

/// A parameter that takes another's old value: a swap, or a step behind it.
fn follow(
    param: Value,
    other: Value,
    plus: Linear,
    updates: &BTreeMap<Value, Update>,
) -> ClosedForm {
    let back = matches!(updates.get(&other),
        Some(Update::Linear(sum)) if sum.as_value() == Some(param));
    let bare = plus.width == 0 || plus.is_zero();
    if back && bare {
        ClosedForm::Swaps { with: other }
    } else {
        ClosedForm::Follows { param: other, plus }
    }
}

/// A shift by any number of bits.
fn shift_right(kind: RightShift, bits: u128, by: u128, width: u8) -> u128 {
    let value = signed(bits, width);
    let by = by.min(128) as u32;
    match kind {
        RightShift::Logical => bits.checked_shr(by).unwrap_or(0),
        RightShift::Arithmetic => (value >> by.min(127)) as u128 & mask(width),
        RightShift::Division => {
            let magnitude = value.unsigned_abs().checked_shr(by).unwrap_or(0) as i128;
            (if value < 0 { magnitude.wrapping_neg() } else { magnitude }) as u128 & mask(width)
        }
    }
}

impl fmt::Display for ClosedForms {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, params) in &self.headers {
            writeln!(f, "{id}:")?;
            for param in params {
                match self.get(*param) {
                    Some(form) => writeln!(f, "  {param}: {form}")?,
                    None => writeln!(f, "  {param}: no closed form")?,
                }
            }
        }
        Ok(())
    }
}

impl fmt::Display for ClosedForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClosedForm::Unchanged => write!(f, "init"),
            ClosedForm::Affine { step } => write!(f, "init + c*({step})"),
            ClosedForm::ShiftLeft { by } => write!(f, "init << {by}*c"),
            ClosedForm::ShiftRight { kind: RightShift::Logical, by } => {
                write!(f, "init >> {by}*c")
            }
            ClosedForm::ShiftRight { kind: RightShift::Arithmetic, by } => {
                write!(f, "init >> {by}*c, signed")
            }
            ClosedForm::ShiftRight { kind: RightShift::Division, by } => {
                write!(f, "init / 2^({by}*c), signed")
            }
            ClosedForm::Reflects { sum } => write!(f, "init, ({sum}) - init in turn"),
            ClosedForm::Flips { mask } => write!(f, "init, init ^ ({mask}) in turn"),
            ClosedForm::Swaps { with } => write!(f, "init, init of {with} in turn"),
            ClosedForm::Follows { param, plus } if plus.width == 0 || plus.is_zero() => {
                write!(f, "init, then {param} of the iteration before")
            }
            ClosedForm::Follows { param, plus } => {
                write!(f, "init, then {param} of the iteration before + ({plus})")
            }
            ClosedForm::Settles { to } => write!(f, "init, then {to}"),
        }
    }
}
