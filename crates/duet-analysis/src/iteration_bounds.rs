//! When loops go on: the tests that every iteration passes, and how many iterations there
//! can be.
//!
//! *Tests.* A block of the loop that dominates every latch and ends in a branch with
//! one edge out of the loop decides on every iteration whether the loop may go on. If its condition compares a sum over one header
//! parameter that has a closed form (the *counter*) with a value that does not
//! change in the loop (the *bound*), it is listed, turned so that it reads as what
//! must hold for the loop to go on. An iteration is counted when the header is reached
//! again: the loop goes round at iteration `c` only if every listed test holds with the
//! counter at iteration `c`. That is exact, and a *must* fact.
//!
//! *Counts.* Where start, step and bound are known (literals, or values with a
//! single possibility in the given [`Ranges`]) the first iteration at which a test fails
//! is computed in the arithmetic of the machine: no loop is assumed not to wrap.
//! It is an upper bound on the iterations, and exactly their number if no other edge
//! leaves the loop ([`LoopBound::exact`]; edges to blocks that can only fail do not
//! count, for threads that do not fail). With ranges alone there is an upper bound
//! for counters that go towards the bound and cannot jump over the end of the type.
//!
//! Cost: linear in the tests' expressions.

use std::fmt;

use duet_ir::{
    BinaryOp, Block, CastOp, Function, IntCc, Operation, PrimaryMap, Terminator, Type, Value,
};

use crate::bits::{compare, gcd, mask, negate, signed, swap};
use crate::closed_forms::{Maps, Reader};
use crate::{
    ArrayUses, ClosedForm, ClosedForms, Dominators, EdgeId, Linear, Loop, Loops, Range, Ranges,
};

/// What must hold for a loop to go on: `extend(counter) cc bound`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContinueTest {
    /// The edge that leaves the loop when the test fails.
    pub exit: EdgeId,
    /// The comparison.
    pub cc: IntCc,
    /// The header parameter that counts; it has a closed form.
    pub param: Value,
    /// A sum over it and values that do not change in the loop.
    pub counter: Linear,
    /// How the sum is extended before it is compared.
    pub extend: Option<(CastOp, u8)>,
    /// Does not change in the loop.
    pub bound: Value,
    /// The literal that the bound is, with its width.
    pub literal: Option<(u128, u8)>,
}

/// What is known of a loop's iterations.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LoopBound {
    /// The tests that every iteration passes.
    pub tests: Vec<ContinueTest>,
    /// At most so many iterations.
    pub max_trips: Option<u128>,
    /// Exactly so many iterations, of every thread that does not fail.
    pub exact: Option<u128>,
}

/// The bounds of every loop.
#[derive(Clone, Debug)]
pub struct IterationBounds {
    bounds: PrimaryMap<Loop, LoopBound>,
}

impl IterationBounds {
    /// Of a well-formed function with its closed forms. Counts need ranges.
    pub fn new(
        func: &Function,
        dominators: &Dominators,
        loops: &Loops,
        arrays: &ArrayUses,
        forms: &ClosedForms,
        ranges: &Ranges,
    ) -> IterationBounds {
        let maps = Maps::new(func, loops);
        let mut bounds = PrimaryMap::new();
        for (id, _) in loops.iter() {
            let mut reader = maps.reader(func, loops, arrays, id);
            let header = loops.data(id).header;
            let same = |param: &&Value| forms.get(**param) == Some(&ClosedForm::Unchanged);
            reader.unchanged = func.blocks[header].params.iter().filter(same).copied().collect();
            let mut finder = Finder { reader, dominators, forms, ranges };
            bounds.push(if loops.is_reducible() { finder.bound() } else { LoopBound::default() });
        }
        IterationBounds { bounds }
    }

    /// What is known of a loop's iterations.
    pub fn get(&self, id: Loop) -> &LoopBound {
        &self.bounds[id]
    }
}

/// Looks at one loop.
struct Finder<'a> {
    reader: Reader<'a>,
    dominators: &'a Dominators,
    forms: &'a ClosedForms,
    ranges: &'a Ranges,
}

impl Finder<'_> {
    fn bound(&mut self) -> LoopBound {
        let exits = &self.reader.loops.data(self.reader.id).exits;
        let live: Vec<EdgeId> =
            exits.iter().filter(|exit| !self.only_fails(exit.to)).map(|exit| exit.edge).collect();
        let tests: Vec<ContinueTest> =
            exits.iter().filter_map(|exit| self.test(exit.edge)).collect();
        let mut bound = LoopBound::default();
        for test in &tests {
            let count = self.count(test);
            if live == [test.exit] {
                bound.exact = count;
            }
            let most = count.or_else(|| self.most(test));
            bound.max_trips = match (bound.max_trips, most) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
        bound.tests = tests;
        bound
    }

    /// Does the block do nothing but fail?
    fn only_fails(&self, block: Block) -> bool {
        matches!(self.reader.func.blocks[block].terminator, Terminator::Halt)
    }

    /// The test at the start of an exit edge.
    fn test(&mut self, exit: EdgeId) -> Option<ContinueTest> {
        let (func, loops, id) = (self.reader.func, self.reader.loops, self.reader.id);
        let latches = &loops.data(id).latches;
        let every_trip = latches.iter().all(|&latch| self.dominators.dominates(exit.from, latch));
        let Terminator::Branch { cond, then, otherwise } = &func.blocks[exit.from].terminator
        else {
            return None;
        };
        let other = if exit.index == 0 { otherwise } else { then };
        if !every_trip || !loops.contains(id, other.block) {
            return None;
        }
        let (cc, a, b) = comparison(func, *cond, exit.index == 1)?;
        let found = self.counter(a).filter(|_| self.reader.is_invariant(b));
        let (cc, bound, (param, counter, extend)) = match found {
            Some(counter) => (cc, b, counter),
            None => {
                let counter = self.counter(b)?;
                (swap(cc), self.reader.is_invariant(a).then_some(a)?, counter)
            }
        };
        let wide = extend.map_or(counter.width, |(_, wide)| wide);
        let literal = func.const_bits(bound).map(|bits| (bits, wide));
        Some(ContinueTest { exit, cc, param, counter, extend, bound, literal })
    }

    /// The value as a sum over one header parameter that changes.
    #[allow(clippy::type_complexity)]
    fn counter(&mut self, value: Value) -> Option<(Value, Linear, Option<(CastOp, u8)>)> {
        let Type::Int(width) = self.reader.func.type_of(value) else {
            return None;
        };
        if let Some(sum) = self.reader.linear(value, width) {
            return Some((self.moving(&sum)?, sum, None));
        }
        let Operation::Cast { op: op @ (CastOp::ZExt | CastOp::SExt), arg, .. } =
            self.reader.func.operation_of(value)?
        else {
            return None;
        };
        let narrow = u8::try_from(self.reader.func.type_of(arg).bits()?).ok()?;
        let sum = self.reader.linear(arg, narrow)?;
        Some((self.moving(&sum)?, sum, Some((op, width))))
    }

    /// The only changing header parameter in a sum, if it has a closed form.
    fn moving(&self, sum: &Linear) -> Option<Value> {
        let header = self.reader.loops.data(self.reader.id).header;
        let params = &self.reader.func.blocks[header].params;
        let changes =
            |value: &&Value| params.contains(value) && !self.reader.unchanged.contains(value);
        let mut moving = sum.terms.keys().filter(changes);
        let first = *moving.next()?;
        (moving.next().is_none() && self.forms.get(first).is_some()).then_some(first)
    }

    /// The range of a value that enters the loop with a parameter.
    fn entry_range(&self, param: Value) -> Option<Range> {
        let args = self.reader.entry_arguments(param).into_iter();
        let mut ranges = args.map(|arg| self.ranges.of(arg));
        let first = ranges.next()??;
        ranges.try_fold(first, |joined, range| Some(joined.join(range?)))
    }

    fn known(&self, sum: &Linear) -> Option<u128> {
        let known = |value: &Value| self.ranges.known(*value);
        sum.terms
            .keys()
            .all(|value| known(value).is_some())
            .then(|| sum.evaluate(|value| self.ranges.known(value).expect("checked just before")))
    }

    /// The first iteration at which a test fails, where everything is known.
    fn count(&self, test: &ContinueTest) -> Option<u128> {
        let start = self.entry_range(test.param)?.as_single()?;
        let bound = self.ranges.known(test.bound)?;
        let rest = self.known(&test.counter.without(test.param))?;
        let factor = test.counter.factor(test.param);
        let width = test.counter.width;
        let at = |bits: u128| bits.wrapping_mul(factor).wrapping_add(rest) & mask(width);
        if let Some(ClosedForm::Affine { step }) = self.forms.get(test.param) {
            let step = self.known(step)?.wrapping_mul(factor) & mask(width);
            return first_failure(test, at(start), step, bound);
        }
        // Other forms settle or repeat within the width.
        let init = |param: Value| self.entry_range(param).and_then(|range| range.as_single());
        let iterations = 0..=2 * u128::from(width) + 2;
        for iteration in iterations {
            let unknown = std::cell::Cell::new(false);
            let value = self.forms.evaluate(
                test.param,
                iteration,
                &|param| {
                    init(param).unwrap_or_else(|| {
                        unknown.set(true);
                        0
                    })
                },
                &|value| {
                    self.ranges.known(value).unwrap_or_else(|| {
                        unknown.set(true);
                        0
                    })
                },
            )?;
            if unknown.get() {
                return None;
            }
            if !holds(test, at(value), bound) {
                return Some(iteration);
            }
        }
        None
    }

    /// An upper bound on the iterations from ranges: the counter moves by a known step
    /// towards a bound, and cannot jump over the end of the type.
    fn most(&self, test: &ContinueTest) -> Option<u128> {
        let start = self.entry_range(test.param)?;
        let bound = self.ranges.of(test.bound)?;
        let width = test.counter.width;
        // A counter that is cut before it is compared does not move one way.
        if start.is_empty() || bound.is_empty() || start.width() != width {
            return None;
        }
        let bits = u128::from(width);
        let plain = test.counter.as_value() == Some(test.param);
        match self.forms.get(test.param)? {
            ClosedForm::Affine { step } if test.counter.factor(test.param) == 1 => {
                let rest = self.known(&test.counter.without(test.param))?;
                let start = Range::binary(BinaryOp::Add, start, Range::single(rest, width));
                most_steps(test, start, signed(self.known(step)?, width), bound)
            }
            // Halved until it is zero.
            ClosedForm::ShiftRight { kind, .. } if plain => {
                use crate::RightShift::{Arithmetic, Division, Logical};
                let falls = match kind {
                    Logical | Division => true,
                    Arithmetic => start.signed().0 >= 0,
                };
                let stops = bound.as_single() == Some(0)
                    && matches!(test.cc, IntCc::Ne | IntCc::Ugt | IntCc::Sgt);
                (falls && stops).then_some(bits)
            }
            ClosedForm::Unchanged
            | ClosedForm::Affine { .. }
            | ClosedForm::ShiftLeft { .. }
            | ClosedForm::ShiftRight { .. }
            | ClosedForm::Reflects { .. }
            | ClosedForm::Flips { .. }
            | ClosedForm::Swaps { .. }
            | ClosedForm::Follows { .. }
            | ClosedForm::Settles { .. } => None,
        }
    }
}

/// Does the test hold for these bits of the counter?
fn holds(test: &ContinueTest, counter: u128, bound: u128) -> bool {
    let width = test.counter.width;
    match test.extend {
        None => compare(test.cc, counter, bound, width),
        Some((CastOp::SExt, wide)) => {
            compare(test.cc, signed(counter, width) as u128 & mask(wide), bound, wide)
        }
        Some((_, wide)) => compare(test.cc, counter, bound, wide),
    }
}

/// The comparison behind a condition that is known to be true or false.
fn comparison(func: &Function, cond: Value, truth: bool) -> Option<(IntCc, Value, Value)> {
    match func.operation_of(cond)? {
        Operation::IntCompare { cc, args: [a, b] } if func.type_of(a).is_int() => {
            Some((if truth { cc } else { negate(cc) }, a, b))
        }
        Operation::Binary { op: BinaryOp::Xor, args: [a, b], .. }
            if func.const_bits(b) == Some(1) && func.type_of(a) == Type::BOOL =>
        {
            comparison(func, a, !truth)
        }
        Operation::IntCompare { .. }
        | Operation::Binary { .. }
        | Operation::Unary { .. }
        | Operation::Cast { .. }
        | Operation::FloatCompare { .. }
        | Operation::Select { .. }
        | Operation::Geometry(_) => None,
    }
}

/// Is the comparison one of order, of signed numbers, with the counter to stay
/// below (or above) the bound, and may it be equal?
struct Order {
    signed: bool,
    below: bool,
    equal: bool,
}

fn order(cc: IntCc) -> Option<Order> {
    let (signed, below, equal) = match cc {
        IntCc::Ult => (false, true, false),
        IntCc::Ule => (false, true, true),
        IntCc::Ugt => (false, false, false),
        IntCc::Uge => (false, false, true),
        IntCc::Slt => (true, true, false),
        IntCc::Sle => (true, true, true),
        IntCc::Sgt => (true, false, false),
        IntCc::Sge => (true, false, true),
        IntCc::Eq | IntCc::Ne => return None,
    };
    Some(Order { signed, below, equal })
}

/// How the counter reads as a number in a comparison of order: by its sign or
/// not, and the least and greatest number it can be. None where that is not
/// monotone.
fn reading(test: &ContinueTest, order: &Order) -> Option<(bool, i128, i128)> {
    let width = test.counter.width;
    if width > 64 {
        return None;
    }
    let by_sign = match test.extend {
        None => order.signed,
        Some((CastOp::SExt, _)) if order.signed => true,
        Some((CastOp::SExt, _)) => return None,
        Some(_) => false,
    };
    let full = Range::full(width);
    let (low, high) = full.unsigned();
    Some(if by_sign {
        (true, full.signed().0, full.signed().1)
    } else {
        (false, low as i128, high as i128)
    })
}

/// The first iteration at which `start + c * step` fails the test; none if that is
/// never, or only after a wrap.
fn first_failure(test: &ContinueTest, start: u128, step: u128, bound: u128) -> Option<u128> {
    if !holds(test, start, bound) {
        return Some(0);
    }
    let width = test.counter.width;
    if let Some(order) = order(test.cc) {
        let wide = test.extend.map_or(width, |(_, wide)| wide);
        let (by_sign, _, _) = reading(test, &order)?;
        let read = |bits: u128, width: u8, by_sign: bool| {
            if by_sign { signed(bits, width) } else { bits as i128 }
        };
        let bound = Interval::point(read(bound, wide, order.signed));
        let start = Interval::point(read(start, width, by_sign));
        return steps(test, &order, start, signed(step, width), bound);
    }
    match (test.cc, test.extend) {
        (IntCc::Eq, _) => (step != 0).then_some(1),
        (_, None) => meets(start, step, bound, width),
        _ => None,
    }
}

/// The least `c` with `start + c * step = bound` modulo 2^w.
fn meets(start: u128, step: u128, bound: u128, width: u8) -> Option<u128> {
    if step == 0 || width > 64 {
        return None;
    }
    let distance = bound.wrapping_sub(start) & mask(width);
    let common = gcd(step, 1 << width);
    if !distance.is_multiple_of(common) {
        return None;
    }
    let modulus = (1u128 << width) / common;
    let inverse = inverse(step / common, modulus);
    Some((distance / common).wrapping_mul(inverse) % modulus)
}

/// The inverse of an odd number modulo a power of two up to 2^64, by Newton's
/// iteration: each round doubles the bits that are right.
fn inverse(odd: u128, modulus: u128) -> u128 {
    let mut x = 1u128;
    for _ in 0..7 {
        x = x.wrapping_mul(2u128.wrapping_sub(odd.wrapping_mul(x)));
    }
    x & (modulus - 1)
}

/// A pair of numbers with a least and a greatest.
#[derive(Clone, Copy)]
struct Interval {
    low: i128,
    high: i128,
}

impl Interval {
    fn point(at: i128) -> Interval {
        Interval { low: at, high: at }
    }
}

fn most_steps(test: &ContinueTest, start: Range, step: i128, bound: Range) -> Option<u128> {
    let order = order(test.cc)?;
    let (by_sign, _, _) = reading(test, &order)?;
    let read = |range: Range, by_sign: bool| {
        let ((low, high), (slow, shigh)) = (range.unsigned(), range.signed());
        if by_sign {
            Interval { low: slow, high: shigh }
        } else {
            Interval { low: low as i128, high: high as i128 }
        }
    };
    steps(test, &order, read(start, by_sign), step, read(bound, order.signed))
}

/// The most steps until a counter that starts in `start` fails an order test
/// against `bound`; exact if both are points.
fn steps(
    test: &ContinueTest,
    order: &Order,
    start: Interval,
    step: i128,
    bound: Interval,
) -> Option<u128> {
    let (_, least, greatest) = reading(test, order)?;
    let slack = i128::from(order.equal);
    // The first number that fails, and the way to it.
    let (distance, stride) = if order.below {
        let fails = bound.high + slack;
        // The last number that passes is at most fails - 1.
        if step <= 0 || fails - 1 + step > greatest {
            return None;
        }
        (fails - start.low, step)
    } else {
        let fails = bound.low - slack;
        if step >= 0 || fails + 1 + step < least {
            return None;
        }
        (start.high - fails, -step)
    };
    Some(u128::try_from(distance.max(0)).ok()?.div_ceil(stride.unsigned_abs()))
}

impl fmt::Display for IterationBounds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (id, bound) in &self.bounds {
            write!(f, "{id}:")?;
            match (bound.exact, bound.max_trips) {
                (Some(iterations), _) => writeln!(f, " {iterations} iterations")?,
                (None, Some(iterations)) => writeln!(f, " at most {iterations} iterations")?,
                (None, None) => writeln!(f)?,
            }
            bound.tests.iter().try_for_each(|test| writeln!(f, "  {test}"))?;
        }
        Ok(())
    }
}

impl fmt::Display for ContinueTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ContinueTest { exit, cc, counter, extend, bound, .. } = self;
        write!(f, "goes on at {} while ", exit.from)?;
        match extend {
            Some((op, width)) => write!(f, "{op}({counter}) to i{width}")?,
            None => write!(f, "{counter}")?,
        }
        match self.literal {
            Some((bits, width)) => write!(f, " {cc} {}", signed(bits, width)),
            None => write!(f, " {cc} {bound}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use duet_ir::EntityRef;

    fn test_of(cc: IntCc, width: u8, extend: Option<(CastOp, u8)>) -> ContinueTest {
        let value = Value::new(0);
        let exit = EdgeId { from: Block::new(0), index: 0 };
        let counter = Linear::value(width, value);
        ContinueTest { exit, cc, param: value, counter, extend, bound: value, literal: None }
    }

    /// Every start, step and bound of four bits, plain and extended to six,
    /// against running the loop.
    #[test]
    fn counts_are_what_running_shows() {
        let extensions = [None, Some((CastOp::ZExt, 6)), Some((CastOp::SExt, 6))];
        let mut decided = 0;
        for (&cc, extend) in IntCc::ALL.iter().flat_map(|cc| extensions.map(|e| (cc, e))) {
            let test = test_of(cc, 4, extend);
            let bounds = if extend.is_some() { 64 } else { 16 };
            for (start, step) in (0..16u128).flat_map(|a| (0..16u128).map(move |b| (a, b))) {
                for bound in 0..bounds {
                    let fails = |c: &u128| !holds(&test, (start + c * step) & 15, bound);
                    let ran = (0..17).find(fails);
                    if let Some(count) = first_failure(&test, start, step, bound) {
                        assert_eq!(Some(count), ran, "{cc} {extend:?} {start} {step} {bound}");
                        decided += 1;
                    }
                }
            }
        }
        assert!(decided > 60_000, "only {decided} decided");
    }
}
