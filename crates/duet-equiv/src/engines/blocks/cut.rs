//! Loops that are counted: which of them a thread with symbols for ids need not unroll.
//!
//! A counted loop is left only by the test at its head, which compares a counter with a bound
//! that the loop does not change. One symbol stands for the number of the iteration; the
//! counter is `first + count * step`, and the iteration happens if and only if that is below
//! the bound, read as integers; or above it, if the step is negative. A number may be added
//! before the comparison (`k + 3 < n`): that sum does not overflow, or the counter's last
//! iteration is undefined. What else the loop carries is a function of the ids and of
//! the count, with its first value and its step as terms.
//!
//! A loop may also be tested at its end, where the counter's next value is compared. Its first
//! iteration happens without a test, so whoever follows it has to know that the test would
//! hold there; then both kinds of loops make the same iterations.
//!
//! *Why it is sound.* The counter goes one way, so the test holds in all iterations before one
//! in which it holds; and where it holds, the counter has not left its type. That the counter
//! does not wrap past the bound is certain if it goes up by one from a number that is not
//! negative, compared in its own type; else it is assumed, and listed. So is that a count of
//! 31 bits can number the iterations, except from zero by one, or of signed numbers. A step that is not
//! positive would make a loop that is entered endless, and both kernels are assumed to end.

use std::collections::BTreeMap;

use duet_analysis::{Loop, Loops};
use duet_ir::{
    BinaryOp, Block, CastOp, Edge, Function, InstData, IntCc, Operation, Space, Terminator, Type,
    Value, ValueDef, WellFormed,
};
use duet_smt::TermId;

/// A loop that is not unrolled.
#[derive(Clone, Debug)]
pub struct Counted {
    /// Its head.
    pub header: Block,
    /// Counters: position among the head's parameters, and what is added each time.
    pub counters: BTreeMap<usize, Value>,
    /// Which of them is tested.
    pub tested: usize,
    /// What is added to the counter before it is compared: `k + 3 < n`.
    pub shift: i64,
    /// Is the counter extended before it is compared?
    pub extended: Option<(CastOp, Type)>,
    /// The comparison, with the counter on the left.
    pub cc: IntCc,
    /// What it is compared with.
    pub bound: Value,
    /// Barriers that each iteration passes.
    pub barriers: i64,
    /// May the counter wrap, as far as its type and step tell?
    pub may_wrap: bool,
    /// The block whose test ends the loop, if it is not tested at its head.
    pub tail: Option<Tail>,
}

/// The end of a loop that is tested there.
#[derive(Clone, Debug)]
pub struct Tail {
    /// The block.
    pub block: Block,
    /// The way back to the head.
    pub back: Edge,
    /// The way out.
    pub out: Edge,
}

impl Counted {
    /// Does the counter go down?
    pub fn is_down(&self) -> bool {
        matches!(self.cc, IntCc::Sgt | IntCc::Sge | IntCc::Ugt | IntCc::Uge)
    }
}

/// A counted loop that a thread went through.
#[derive(Clone, Debug)]
pub struct Round {
    /// Counts of the loops around it, outermost first.
    pub outer: Vec<TermId>,
    /// The symbol of its own count.
    pub count: TermId,
    /// How many iterations it makes.
    pub trips: TermId,
    /// When the iteration of the count happens, given that the loop is reached.
    pub happens: TermId,
    /// The tested counter keeps its value where the iteration happens: that follows.
    pub keeps: Option<TermId>,
    /// The tested counter in the iteration of the count, and its bound.
    pub counter: (TermId, TermId),
    /// What it carries besides counters.
    pub carried: Vec<Carried>,
}

/// A value that a loop carries.
#[derive(Clone, Debug)]
pub struct Carried {
    /// Stands for it: a function of the ids, the counts around, and the count.
    pub func: duet_smt::FuncId,
    /// Position among the head's parameters.
    pub param: usize,
    /// At first.
    pub first: TermId,
    /// After the iteration of the count, once it was followed.
    pub step: Option<TermId>,
}

/// How many barriers a thread has passed: a number, and multiples of counts and trips.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Moment {
    /// The number.
    pub number: i64,
    /// Terms of 32 bits, each with what it counts.
    pub parts: Vec<(TermId, i64)>,
}

impl Moment {
    /// How many more than another, if that is a number.
    pub fn minus(&self, other: &Moment) -> (i64, BTreeMap<TermId, i64>) {
        let mut parts: BTreeMap<TermId, i64> = BTreeMap::new();
        for (own, sign) in [(self, 1), (other, -1)] {
            for &(term, factor) in &own.parts {
                *parts.entry(term).or_default() += sign * factor;
            }
        }
        parts.retain(|_, factor| *factor != 0);
        (self.number - other.number, parts)
    }
}

/// Counted loops of a function, by their heads.
pub fn counted(
    module: &WellFormed,
    func: &Function,
    loops: &Loops,
    with_numbers: bool,
) -> BTreeMap<Block, Counted> {
    let analysis = Analysis { module, func, loops };
    let all = loops.iter().filter_map(|(id, data)| Some((data.header, analysis.counted(id)?)));
    all.filter(|(_, one)| with_numbers || !analysis.is_short(one)).collect()
}

struct Analysis<'a> {
    module: &'a WellFormed,
    func: &'a Function,
    loops: &'a Loops,
}

impl Analysis<'_> {
    fn counted(&self, id: Loop) -> Option<Counted> {
        let header = self.loops.data(id).header;
        self.tested_at(id, header, false).or_else(|| {
            let goes_back = |edge: &&Block| {
                self.func.blocks[**edge].terminator.edges().iter().any(|e| e.block == header)
            };
            let inside = |block: &&Block| self.loops.contains(id, **block);
            let mut tails = self.func.layout.iter().filter(inside).filter(goes_back);
            let (tail, None) = (*tails.next()?, tails.next()) else { return None };
            self.tested_at(id, tail, true)
        })
    }

    /// A loop that is left only by the test of one block: its head, or where it ends.
    fn tested_at(&self, id: Loop, tester: Block, is_end: bool) -> Option<Counted> {
        let (func, header) = (self.func, self.loops.data(id).header);
        let Terminator::Branch { cond, then, otherwise } = &func.blocks[tester].terminator else {
            return None;
        };
        let goes_on = self.loops.contains(id, then.block);
        if goes_on == self.loops.contains(id, otherwise.block) {
            return None;
        }
        let (back, out) = if goes_on { (then, otherwise) } else { (otherwise, then) };
        if is_end && back.block != header {
            return None;
        }
        let barriers = self.is_plain(id, is_end)?;
        let mut backs: Vec<&[Value]> = vec![];
        for &block in func.layout.iter().filter(|&&block| self.loops.contains(id, block)) {
            for edge in func.blocks[block].terminator.edges() {
                // SOUNDNESS: a loop that is left elsewhere makes fewer iterations than its
                // counter says (test `a_loop_with_a_break_is_not_counted`).
                if block != tester && !self.loops.contains(id, edge.block) {
                    return None;
                }
                if edge.block == header {
                    backs.push(&edge.args);
                }
            }
        }
        let mut counters = BTreeMap::new();
        for (position, &param) in func.blocks[header].params.iter().enumerate() {
            let next = backs.first()?.get(position)?;
            let agree = backs.iter().all(|args| args.get(position) == Some(next));
            if let (true, Some(step)) = (agree, self.step(id, param, *next)) {
                counters.insert(position, step);
            }
        }
        let values = if is_end { backs.first()? } else { &func.blocks[header].params[..] };
        let test = self.test(id, (header, values), (*cond, goes_on), &counters)?;
        // SOUNDNESS: what is compared is the next value itself (test `loops_tested_at_their_end`).
        if is_end && (test.shift != 0 || test.extended.is_some()) {
            return None;
        }
        let tail = is_end.then(|| Tail { block: tester, back: back.clone(), out: out.clone() });
        Some(Counted { header, counters, barriers, tail, ..test })
    }

    /// Does the loop hold nothing that cannot be followed once for all iterations? How many
    /// barriers each passes.
    fn is_plain(&self, id: Loop, is_end: bool) -> Option<i64> {
        let (func, header) = (self.func, self.loops.data(id).header);
        let mut barriers = 0;
        for &block in func.layout.iter().filter(|&&block| self.loops.contains(id, block)) {
            for &inst in &func.blocks[block].insts {
                let data = &func.insts[inst];
                match data {
                    InstData::Barrier { .. } if self.loops.innermost(block) == Some(id) => {
                        barriers += 1;
                    }
                    // SOUNDNESS: how many barriers an iteration passes must be known (test
                    // `barriers_of_inner_loops_are_not_counted`).
                    InstData::Barrier { .. } | InstData::BarrierReduce { .. } => return None,
                    _ => {}
                }
                let accesses = data.accesses();
                let is_private = |array| self.module.arrays[array].space == Space::Private;
                // SOUNDNESS: what an iteration leaves in a private array is not carried to the
                // next one here (test `private_cells_of_an_iteration`).
                let stores = accesses
                    .iter()
                    .any(|(mode, access)| mode.may_write() && is_private(access.array));
                // A head with a test is gone through once more than the body.
                if stores || !is_end && block == header && !accesses.is_empty() {
                    return None;
                }
            }
        }
        Some(barriers)
    }

    /// What is added to a parameter of the head each time.
    fn step(&self, id: Loop, param: Value, next: Value) -> Option<Value> {
        let Operation::Binary { op: BinaryOp::Add, args, .. } = self.operation(next)? else {
            return None;
        };
        let [a, b] = args;
        let step = if a == param { b } else { (b == param).then_some(a)? };
        self.is_invariant(id, step, 8).then_some(step)
    }

    fn operation(&self, value: Value) -> Option<Operation> {
        match self.func.values[value] {
            ValueDef::Result(inst, _) => self.func.insts[inst].operation(),
            ValueDef::Const(_) | ValueDef::FunctionParam(_) | ValueDef::BlockParam(..) => None,
        }
    }

    /// Is a value the same in every iteration?
    fn is_invariant(&self, id: Loop, value: Value, depth: u32) -> bool {
        match self.func.values[value] {
            ValueDef::Const(_) | ValueDef::FunctionParam(_) => true,
            ValueDef::BlockParam(block, _) => !self.loops.contains(id, block),
            ValueDef::Result(inst, _) => {
                let Some(block) = self.func.block_of(inst) else { return false };
                let data = &self.func.insts[inst];
                let is_pure = match data {
                    InstData::Geometry(_)
                    | InstData::Cast { .. }
                    | InstData::Unary { .. }
                    | InstData::IntCompare { .. }
                    | InstData::Select { .. } => true,
                    InstData::Binary { op, args, .. } => {
                        let divisor = self.func.const_bits(args[1]);
                        !op.may_fail() || divisor.is_some_and(|bits| (1..1 << 30).contains(&bits))
                    }
                    _ => false,
                };
                !self.loops.contains(id, block)
                    || is_pure
                        && depth > 0
                        && data
                            .values()
                            .into_iter()
                            .all(|arg| self.is_invariant(id, arg, depth - 1))
            }
        }
    }

    fn test(
        &self,
        id: Loop,
        (header, values): (Block, &[Value]),
        (cond, goes_on): (Value, bool),
        counters: &BTreeMap<usize, Value>,
    ) -> Option<Counted> {
        let Operation::IntCompare { cc, args } = self.operation(cond)? else { return None };
        let counter = |value: Value| {
            if let Some(position) = values.iter().position(|own| *own == value)
                && counters.contains_key(&position)
            {
                return Some((position, None, 0));
            }
            let (value, shift) = self.shifted(value);
            let (value, cast) = match self.operation(value) {
                Some(Operation::Cast { op: op @ (CastOp::SExt | CastOp::ZExt), arg, to }) => {
                    (arg, Some((op, to)))
                }
                _ => (value, None),
            };
            let position = values.iter().position(|own| *own == value)?;
            // A sum that is extended, or that is made of what is extended, is no counter.
            let is_known = counters.contains_key(&position) && (shift == 0 || cast.is_none());
            is_known.then_some((position, cast, shift))
        };
        let cc = if goes_on { cc } else { negated(cc) };
        let (left, cc, bound) = match (counter(args[0]), counter(args[1])) {
            (Some(left), None) => (left, cc, args[1]),
            (None, Some(right)) => (right, turned(cc), args[0]),
            _ => return None,
        };
        let (tested, extended, shift) = left;
        let step = self.func.const_bits(counters[&tested]);
        let Type::Int(width) = self.func.type_of(values[tested]) else { return None };
        // Narrow counters wrap soon, and wide ones need sums that are wider still.
        let is_up = matches!(cc, IntCc::Slt | IntCc::Sle | IntCc::Ult | IntCc::Ule);
        let is_equality = matches!(cc, IntCc::Eq | IntCc::Ne);
        let is_negative = step.is_some_and(|bits| bits >> (width - 1) & 1 == 1);
        let goes_there = match is_up {
            true => !is_negative && step != Some(0),
            // Down by a number only, and compared as it is.
            false => is_negative && extended.is_none() && shift == 0,
        };
        if width != 32 || is_equality || !goes_there || !self.is_invariant(id, bound, 8) {
            return None;
        }
        let may_wrap = step != Some(1) || extended.is_some() || shift != 0;
        let counters = BTreeMap::new();
        let (barriers, tail) = (0, None);
        Some(Counted {
            header,
            counters,
            tested,
            shift,
            extended,
            cc,
            bound,
            barriers,
            may_wrap,
            tail,
        })
    }

    /// A value without the small number that is added to it without overflow.
    fn shifted(&self, value: Value) -> (Value, i64) {
        let Some(Operation::Binary { op: BinaryOp::Add, nsw: true, args: [a, b] }) =
            self.operation(value)
        else {
            return (value, 0);
        };
        let number = |value: Value| match self.func.type_of(value) {
            Type::Int(32) => self.func.const_bits(value).map(|bits| i64::from(bits as u32 as i32)),
            _ => None,
        };
        match (number(a), number(b)) {
            (None, Some(number)) => (a, number),
            (Some(number), None) => (b, number),
            _ => (value, 0),
        }
    }

    /// Is the number of iterations a small number?
    fn is_short(&self, one: &Counted) -> bool {
        self.func.const_bits(one.bound).is_some_and(|bits| bits <= 64)
    }
}

fn negated(cc: IntCc) -> IntCc {
    match cc {
        IntCc::Eq => IntCc::Ne,
        IntCc::Ne => IntCc::Eq,
        IntCc::Ult => IntCc::Uge,
        IntCc::Ule => IntCc::Ugt,
        IntCc::Ugt => IntCc::Ule,
        IntCc::Uge => IntCc::Ult,
        IntCc::Slt => IntCc::Sge,
        IntCc::Sle => IntCc::Sgt,
        IntCc::Sgt => IntCc::Sle,
        IntCc::Sge => IntCc::Slt,
    }
}

/// The comparison with its operands exchanged.
fn turned(cc: IntCc) -> IntCc {
    match cc {
        IntCc::Eq | IntCc::Ne => cc,
        IntCc::Ult => IntCc::Ugt,
        IntCc::Ule => IntCc::Uge,
        IntCc::Ugt => IntCc::Ult,
        IntCc::Uge => IntCc::Ule,
        IntCc::Slt => IntCc::Sgt,
        IntCc::Sle => IntCc::Sge,
        IntCc::Sgt => IntCc::Slt,
        IntCc::Sge => IntCc::Sle,
    }
}
