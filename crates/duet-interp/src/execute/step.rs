//! The step loop: runs one thread until it waits, ends, or has used its time.

use duet_ir::{AnnotationKind, BinaryOp, CastOp, EntityRef, Rule, Type, UnaryOp};

use crate::decode::*;
use crate::execute::engine::Engine;
use crate::execute::observer::{Observer, Visit};
use crate::execute::thread::*;
use crate::interface::findings::{At, FindingKind};
use crate::interface::outcome::{Limit, Status};
use crate::values::eval;
use crate::values::float;
use crate::values::math;
use crate::values::random::{hash, wide};

/// The flags of a barrier that orders everything.
const ALL_SPACES: u32 = 7;

/// The low bits of the width that `shift` stands for.
#[inline]
fn cut(x: u64, shift: u8) -> u64 {
    (x << shift) >> shift
}

/// The signed reading at the width that `shift` stands for.
#[inline]
fn signed(x: u64, shift: u8) -> i64 {
    ((x << shift) as i64) >> shift
}

/// The width that `shift` stands for.
fn width(shift: u8) -> u8 {
    64 - shift
}

/// Cuts an exact or wrapped signed result; does it differ from the exact one?
#[inline]
fn fit((result, wrapped): (i64, bool), shift: u8) -> (u64, bool) {
    (cut(result as u64, shift), wrapped || signed(result as u64, shift) != result)
}

/// Division and remainder, with what a zero divisor yields.
#[inline]
fn divide(op: BinaryOp, x: u64, y: u64, shift: u8) -> u64 {
    use BinaryOp::*;
    if y == 0 {
        return if matches!(op, UDiv | SDiv) { cut(u64::MAX, shift) } else { x };
    }
    let (sx, sy) = (signed(x, shift), signed(y, shift));
    match op {
        UDiv => x / y,
        URem => x % y,
        SDiv => cut(sx.wrapping_div(sy) as u64, shift),
        SRem => cut(sx.wrapping_rem(sy) as u64, shift),
        Add | Sub | Mul | Shl | LShr | AShr | And | Or | Xor | FAdd | FSub | FMul | FDiv | FRem => {
            unreachable!("neither a division nor a remainder")
        }
    }
}

/// The most negative number divided by minus one.
#[inline]
fn quotient_overflows(op: BinaryOp, x: u64, y: u64, shift: u8) -> bool {
    matches!(op, BinaryOp::SDiv | BinaryOp::SRem)
        && signed(y, shift) == -1
        && x == cut(1 << (width(shift) - 1), shift)
}

/// How the loop goes on.
pub(crate) enum Flow {
    Next,
    /// The frame has changed.
    Frame,
    /// The thread waits or has ended, or the run is over.
    Leave,
}

impl<O: Observer> Engine<'_, O> {
    /// Runs a ready thread for at most `quantum` operations.
    pub(crate) fn run_thread(&mut self, block: &mut BlockLocal, thread: &mut Thread, quantum: u64) {
        let own = self.options.limits.thread_steps.saturating_sub(thread.steps);
        let quantum = quantum.min(self.steps_left).min(own);
        if thread.steps == 0 {
            let frame = std::mem::take(&mut thread.frame);
            let entry = self.program.codes[frame.code as usize].entry;
            self.enter_block(block, thread, frame.code, entry, &frame.slots);
            thread.frame = frame;
        }
        let left = self.run_frames(block, thread, quantum);
        thread.steps += quantum - left;
        // Copies and folds have been charged for in the meantime.
        self.steps_left = self.steps_left.saturating_sub(quantum - left);
        if self.recorder.stop.is_none()
            && thread.steps >= self.options.limits.thread_steps
            && thread.is_ready()
        {
            self.recorder.stop = Some(Status::DidNotFinish(Limit::ThreadSteps));
        }
    }

    /// The loop itself; gives the time that is left.
    fn run_frames(&mut self, block: &mut BlockLocal, thread: &mut Thread, quantum: u64) -> u64 {
        let mut left = quantum;
        loop {
            let mut frame = std::mem::take(&mut thread.frame);
            let flow = self.run_frame(block, thread, &mut frame, &mut left);
            match flow {
                Flow::Frame => {}
                Flow::Next | Flow::Leave => {
                    thread.frame = frame;
                    return left;
                }
            }
        }
    }

    /// Runs within one activation. On [`Flow::Frame`] the thread's current frame
    /// is another.
    pub(crate) fn run_frame(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        frame: &mut Frame,
        left: &mut u64,
    ) -> Flow {
        let program = self.program;
        let code = &program.codes[frame.code as usize];
        let s = &mut frame.slots[..];
        let mut pc = frame.pc as usize;
        let mut time = *left;

        macro_rules! two {
            ($two:expr, |$x:ident, $y:ident, $shift:ident| $result:expr) => {{
                let Two { dst, a, b, shift: $shift } = $two;
                let ($x, $y) = (s[a as usize], s[b as usize]);
                s[dst as usize] = $result;
            }};
        }
        macro_rules! no_wrap {
            ($two:expr, |$x:ident, $y:ident| $result:expr) => {{
                let Two { dst, a, b, shift } = $two;
                let ($x, $y) = (signed(s[a as usize], shift), signed(s[b as usize], shift));
                let (result, wrapped) = fit($result, shift);
                s[dst as usize] = result;
                if wrapped {
                    self.recorder.note_overflow(thread, code.sites[pc - 1]);
                }
            }};
        }
        macro_rules! quotient {
            ($op:expr, $two:expr) => {{
                let Two { dst, a, b, shift } = $two;
                let (x, y) = (s[a as usize], s[b as usize]);
                if y == 0 {
                    self.recorder.note_zero_divisor(thread, code.sites[pc - 1]);
                } else if quotient_overflows($op, x, y, shift) {
                    self.recorder.note_overflow(thread, code.sites[pc - 1]);
                }
                s[dst as usize] = divide($op, x, y, shift);
            }};
        }
        macro_rules! go {
            ($edge:expr) => {{
                let edge = &code.edges[$edge as usize];
                take_edge(edge, s);
                frame.entered |= edge.enters;
                pc = edge.pc as usize;
                self.enter_block(block, thread, frame.code, edge.block, s);
            }};
        }
        macro_rules! leave {
            ($flow:expr) => {{
                frame.pc = pc as u32;
                *left = time;
                return $flow;
            }};
        }

        while time > 0 {
            let op = code.ops[pc];
            pc += 1;
            time -= 1;
            match op {
                Op::Add(t) => two!(t, |x, y, shift| cut(x.wrapping_add(y), shift)),
                Op::Sub(t) => two!(t, |x, y, shift| cut(x.wrapping_sub(y), shift)),
                Op::Mul(t) => two!(t, |x, y, shift| cut(x.wrapping_mul(y), shift)),
                Op::AddNoWrap(t) => no_wrap!(t, |x, y| x.overflowing_add(y)),
                Op::SubNoWrap(t) => no_wrap!(t, |x, y| x.overflowing_sub(y)),
                Op::MulNoWrap(t) => no_wrap!(t, |x, y| x.overflowing_mul(y)),
                Op::ShlNoWrap(t) => {
                    let (x, y) = (u128::from(s[t.a as usize]), u128::from(s[t.b as usize]));
                    s[t.dst as usize] = eval::binary(BinaryOp::Shl, x, y, width(t.shift)) as u64;
                    if eval::overflows(BinaryOp::Shl, x, y, width(t.shift)) {
                        self.recorder.note_overflow(thread, code.sites[pc - 1]);
                    }
                }
                Op::UDiv(t) => quotient!(BinaryOp::UDiv, t),
                Op::URem(t) => quotient!(BinaryOp::URem, t),
                Op::SDiv(t) => quotient!(BinaryOp::SDiv, t),
                Op::SRem(t) => quotient!(BinaryOp::SRem, t),
                Op::Shl(t) => two!(t, |x, y, shift| {
                    if y >= u64::from(width(shift)) { 0 } else { cut(x << y, shift) }
                }),
                Op::LShr(t) => {
                    two!(t, |x, y, shift| if y >= u64::from(width(shift)) { 0 } else { x >> y })
                }
                Op::AShr(t) => two!(t, |x, y, shift| {
                    cut((signed(x, shift) >> y.min(u64::from(width(shift)) - 1)) as u64, shift)
                }),
                Op::And(t) => two!(t, |x, y, _shift| x & y),
                Op::Or(t) => two!(t, |x, y, _shift| x | y),
                Op::Xor(t) => two!(t, |x, y, _shift| x ^ y),
                Op::Eq(t) => two!(t, |x, y, _shift| u64::from(x == y)),
                Op::Ne(t) => two!(t, |x, y, _shift| u64::from(x != y)),
                Op::Ult(t) => two!(t, |x, y, _shift| u64::from(x < y)),
                Op::Ule(t) => two!(t, |x, y, _shift| u64::from(x <= y)),
                Op::Slt(t) => two!(t, |x, y, sh| u64::from(signed(x, sh) < signed(y, sh))),
                Op::Sle(t) => two!(t, |x, y, sh| u64::from(signed(x, sh) <= signed(y, sh))),
                Op::F32(op, t) => {
                    two!(t, |x, y, _shift| float::binary(op, duet_ir::FloatType::F32, x, y))
                }
                Op::F64(op, t) => {
                    two!(t, |x, y, _shift| float::binary(op, duet_ir::FloatType::F64, x, y))
                }
                Op::Half(op, ty, t) => two!(t, |x, y, _shift| float::binary(op, ty, x, y)),
                Op::FCompare(cc, ty, t) => {
                    two!(t, |x, y, _shift| u64::from(float::compare(cc, ty, x, y)))
                }
                Op::Select { dst, cond, args: [a, b] } => {
                    let from = if s[cond as usize] != 0 { a } else { b };
                    s[dst as usize] = s[from as usize];
                }
                Op::Cut(One { dst, a, shift }) => s[dst as usize] = cut(s[a as usize], shift),
                Op::Copy(One { dst, a, .. }) => s[dst as usize] = s[a as usize],
                Op::Extend(One { dst, a, shift }, to) => {
                    s[dst as usize] = cut(signed(s[a as usize], shift) as u64, to);
                }
                Op::Unary(op, One { dst, a, shift }) => {
                    s[dst as usize] = unary(op, s[a as usize], shift);
                }
                Op::Cast(n) => {
                    let data = &code.casts[n as usize];
                    if is_out_of_range(data, s) {
                        self.recorder.note_conversion(thread, code.sites[pc - 1]);
                    }
                    cast(data, s);
                }
                Op::Wide(n) => self.wide_op(thread, &code.wides[n as usize], s, code.sites[pc - 1]),
                Op::ThreadId { dst, dim } => s[dst as usize] = u64::from(thread.id[dim as usize]),
                Op::BlockId { dst, dim } => s[dst as usize] = u64::from(block.id[dim as usize]),
                Op::Pure(n) => pure(&code.pures[n as usize], s),
                Op::Fold(n) => {
                    let data = &code.folds[n as usize];
                    let count = self.memory.folded_elements(block, thread, data, s);
                    if !self.charge(count) {
                        leave!(Flow::Leave);
                    }
                    let bits = self.memory.fold(block, thread, data, s);
                    data.dst.write(s, bits);
                }
                Op::Fresh { dst, width } => {
                    s[dst as usize] = self.unknown(thread, code.sites[pc - 1], width) as u64;
                }
                Op::PtrToInt { dst, reference, offset } => {
                    let (array, offset) = (s[reference as usize], s[offset as usize]);
                    s[dst as usize] = self.memory.pointer_to_int(block, thread, array, offset);
                }
                Op::IntToPtr { dst, arg } => {
                    let (array, offset) =
                        self.memory.int_to_pointer(block, thread, s[arg as usize]);
                    s[dst as usize] = array;
                    s[dst as usize + 1] = offset;
                }
                Op::Load(n) => {
                    self.load(block, thread, &code.accesses[n as usize], s, code.sites[pc - 1]);
                }
                Op::Store(n) => {
                    self.store(block, thread, &code.accesses[n as usize], s, code.sites[pc - 1]);
                }
                Op::Atomic(n) => {
                    self.atomic(block, thread, &code.accesses[n as usize], s, code.sites[pc - 1]);
                }
                Op::BlockBarrier { flags } => {
                    let flags = flags.map_or(ALL_SPACES, |slot| s[slot as usize] as u32);
                    thread.state = State::Waiting(Wait::Block { flags, reduce: None });
                    leave!(Flow::Leave);
                }
                Op::BarrierReduce { op, dst, arg } => {
                    let reduce = Some((op, dst, s[arg as usize] != 0));
                    thread.state = State::Waiting(Wait::Block { flags: ALL_SPACES, reduce });
                    leave!(Flow::Leave);
                }
                Op::GridBarrier => {
                    thread.state = State::Waiting(Wait::Grid);
                    leave!(Flow::Leave);
                }
                Op::WarpBarrier { mask } => {
                    let mask = mask.map_or(u32::MAX, |slot| s[slot as usize] as u32);
                    if self.joins_mask(thread, Some(mask), code.sites[pc - 1]) {
                        let wait = WarpWait { mask: Some(mask), exchange: None };
                        thread.state = State::Waiting(Wait::Warp(wait));
                        leave!(Flow::Leave);
                    }
                }
                Op::Exchange(n) => {
                    let data = &code.exchanges[n as usize];
                    if self.start_exchange(block, thread, n, data, s, code.sites[pc - 1]) {
                        leave!(Flow::Leave);
                    }
                }
                Op::AsyncCopy(n) => {
                    self.start_copy(block, thread, &code.copies[n as usize], s, code.sites[pc - 1]);
                }
                Op::Wait(n) => {
                    let events = code.waits[n as usize].iter().map(|event| event.read(s) as u32);
                    self.wait_for_events(block, thread, events.collect(), code.sites[pc - 1]);
                }
                Op::Assert { kind, cond, skip } => {
                    if s[cond as usize] == 0 && !skip {
                        self.recorder.note(
                            Rule::AssertionFailed,
                            thread.number,
                            code.sites[pc - 1],
                            |at| FindingKind::AssertFailed { at, kind },
                        );
                    }
                }
                Op::Annotation(n) => {
                    let data = &code.annotations[n as usize];
                    self.annotation(block, thread, code, data, s, code.sites[pc - 1]);
                    if self.recorder.stop.is_some() {
                        leave!(Flow::Leave);
                    }
                }
                Op::Call(n) => {
                    let data = &code.calls[n as usize];
                    if thread.callers.len() >= self.options.limits.call_depth as usize {
                        self.recorder.stop = Some(Status::DidNotFinish(Limit::CallDepth));
                        leave!(Flow::Leave);
                    }
                    frame.pc = pc as u32;
                    let callee = self.make_frame(block, thread, data, s);
                    thread.callers.push(std::mem::take(frame));
                    thread.frame = callee;
                    *left = time;
                    return Flow::Frame;
                }
                Op::CallUnknown(n) => {
                    for &(dst, width) in &code.unknowns[n as usize] {
                        let bits = self.unknown(thread, code.sites[pc - 1], width);
                        dst.write(s, bits);
                    }
                }
                Op::Fence(reach, order) => {
                    if !self.races.fence(thread.number, block.number, (reach, order)) {
                        self.recorder.stop = Some(Status::DidNotFinish(Limit::Barriers));
                        leave!(Flow::Leave);
                    }
                }
                Op::Nothing => {}
                Op::Jump(edge) => go!(edge),
                Op::Branch { cond, then, otherwise } => {
                    let edge = if s[cond as usize] != 0 { then } else { otherwise };
                    go!(edge);
                }
                Op::Switch(n) => {
                    let data = &code.switches[n as usize];
                    let arg = data.arg.read(s);
                    let case = data.cases.iter().find(|case| case.0 == arg);
                    go!(case.map_or(data.default, |case| case.1));
                }
                Op::Return(n) => {
                    let values = &code.returns[n as usize];
                    *left = time;
                    if self.return_to_caller(thread, values, s) {
                        return Flow::Frame;
                    }
                    thread.state = State::Ended(End::Returned);
                    leave!(Flow::Leave);
                }
                Op::Halt => {
                    thread.state = State::Ended(End::Halted);
                    leave!(Flow::Leave);
                }
            }
        }
        leave!(Flow::Next)
    }

    /// Counts the visit of a block and tells the observer.
    #[inline]
    fn enter_block(
        &mut self,
        block: &BlockLocal,
        thread: &Thread,
        code: u32,
        entered: duet_ir::Block,
        slots: &[u64],
    ) {
        self.visits[code as usize][entered.index()] += 1;
        if O::ACTIVE {
            let visit = self.visit(block, thread, code, slots);
            self.observer.enter_block(&visit, entered);
        }
    }

    fn visit<'v>(
        &self,
        block: &BlockLocal,
        thread: &Thread,
        code: u32,
        slots: &'v [u64],
    ) -> Visit<'v>
    where
        Self: 'v,
    {
        let position = crate::interface::findings::ThreadPos { block: block.id, thread: thread.id };
        Visit { thread: position, code: &self.program.codes[code as usize], slots }
    }

    // -- calls ------------------------------------------------------------

    fn make_frame(
        &mut self,
        block: &BlockLocal,
        thread: &Thread,
        data: &CallData,
        slots: &[u64],
    ) -> Frame {
        let code = &self.program.codes[data.callee as usize];
        let mut callee = Frame {
            code: data.callee,
            slots: code.template.clone(),
            entered: code.loop_at_entry(),
            ..Frame::default()
        };
        for &(from, to) in &data.args {
            callee.slots[to as usize] = slots[from as usize];
        }
        self.enter_block(block, thread, data.callee, code.entry, &callee.slots);
        callee
    }

    /// Hands results to the caller and makes its frame the current one. False if
    /// there is no caller.
    fn return_to_caller(&mut self, thread: &mut Thread, values: &[Arg], slots: &[u64]) -> bool {
        let Some(mut caller) = thread.callers.pop() else { return false };
        let code = &self.program.codes[caller.code as usize];
        if let Op::Call(n) = code.ops[caller.pc as usize - 1] {
            for (value, result) in values.iter().zip(&code.calls[n as usize].results) {
                result.write(&mut caller.slots, value.read(slots));
            }
        }
        thread.frame = caller;
        true
    }

    // -- rarer operations -------------------------------------------------

    /// An unknown value: a function of seed, thread and count, so that it
    /// does not depend on the schedule.
    pub(crate) fn unknown(&mut self, thread: &mut Thread, site: u32, width: u8) -> u128 {
        let nth = thread.unknowns;
        thread.unknowns += 1;
        let h = hash(&[self.options.seed, u64::from(thread.number), nth]);
        let any = match self.options.unknown_below {
            Some(below) => u128::from(h % u64::from(below.max(1))),
            None => wide(h),
        };
        let default = any & eval::mask(width);
        if !O::ACTIVE {
            return default;
        }
        let (thread, site) = (self.recorder.position(thread.number), self.program.site(site));
        self.observer.unknown(thread, site, nth, default) & eval::mask(width)
    }

    fn wide_op(&mut self, thread: &mut Thread, data: &WideData, s: &mut [u64], site: u32) {
        let (a, b, c) = (data.a.read(s), data.b.read(s), data.c.read(s));
        let result = match data.what {
            WideOp::Binary(op, nsw) => {
                if op.may_fail() && b == 0 {
                    self.recorder.note_zero_divisor(thread, site);
                }
                let checked = nsw || matches!(op, BinaryOp::SDiv | BinaryOp::SRem);
                if checked && eval::overflows(op, a, b, data.width) {
                    self.recorder.note_overflow(thread, site);
                }
                eval::binary(op, a, b, data.width)
            }
            WideOp::Unary(op) => eval::unary(op, a, data.width),
            WideOp::Compare(cc) => u128::from(eval::compare(cc, a, b, data.width)),
            WideOp::Select if a != 0 => b,
            WideOp::Select => c,
            WideOp::Fresh => self.unknown(thread, site, data.width),
        };
        data.dst.write(s, result);
    }

    fn annotation(
        &mut self,
        block: &mut BlockLocal,
        thread: &mut Thread,
        code: &Code,
        data: &AnnotationData,
        s: &[u64],
        site: u32,
    ) {
        let args: Vec<u128> = data.args.iter().map(|arg| arg.read(s)).collect();
        if O::ACTIVE {
            let visit = self.visit(block, thread, code.func.as_u32(), s);
            self.observer.annotation(&visit, data.inst, data.kind, &args);
        }
        use AnnotationKind::*;
        let is_false = args.first() == Some(&0) && !data.skip;
        let at = |engine: &Self| -> At { engine.recorder.at(thread.number, site) };
        match data.kind {
            Requires | GlobalRequires if is_false => {
                self.recorder.stop = Some(Status::RequirementFailed(at(self)));
            }
            Invariant | GlobalInvariant if is_false => {
                self.recorder.note(Rule::InvariantFailed, thread.number, site, |at| {
                    FindingKind::InvariantFailed { at }
                });
            }
            Assume | Axiom | Contract if is_false => {
                self.recorder.stop = Some(Status::AssumptionFailed(at(self)))
            }
            ArraySnapshot => self.memory.snapshot(block, thread, &args),
            Requires
            | GlobalRequires
            | Ensures
            | GlobalEnsures
            | Assume
            | CandidateAssert
            | CandidateGlobalAssert
            | Invariant
            | GlobalInvariant
            | CandidateInvariant
            | CandidateGlobalInvariant
            | FunctionWideInvariant
            | FunctionWideCandidateInvariant
            | BarrierInvariant
            | BarrierInvariantBinary
            | Captured
            | CellInvariant
            | Axiom
            | Contract
            | Verified
            | ReadsFrom
            | WritesTo => {}
        }
    }
}

/// Copies a block's arguments into its parameters, all at once.
#[inline]
fn take_edge(edge: &EdgeData, s: &mut [u64]) {
    if !edge.overlap {
        for &(from, to) in &edge.moves {
            s[to as usize] = s[from as usize];
        }
        return;
    }
    let mut few = [0; 16];
    if edge.moves.len() <= few.len() {
        for (value, &(from, _)) in few.iter_mut().zip(&edge.moves) {
            *value = s[from as usize];
        }
        for (value, &(_, to)) in few.iter().zip(&edge.moves) {
            s[to as usize] = *value;
        }
        return;
    }
    let values: Vec<u64> = edge.moves.iter().map(|&(from, _)| s[from as usize]).collect();
    for (value, &(_, to)) in values.into_iter().zip(&edge.moves) {
        s[to as usize] = value;
    }
}

fn unary(op: UnaryOp, x: u64, shift: u8) -> u64 {
    eval::unary(op, u128::from(x), width(shift)) as u64
}

/// Does a conversion to an integer leave its result open?
fn is_out_of_range(data: &CastData, s: &[u64]) -> bool {
    let (Type::Float(ty), Some(width)) = (data.from, data.to.bits()) else { return false };
    let fits = |signed| float::fits(ty, data.arg.read(s) as u64, width as u8, signed);
    match data.op {
        CastOp::FToS => !fits(true),
        CastOp::FToU => !fits(false),
        CastOp::FToSSat
        | CastOp::FToUSat
        | CastOp::Trunc
        | CastOp::ZExt
        | CastOp::SExt
        | CastOp::UToF
        | CastOp::SToF
        | CastOp::FTrunc
        | CastOp::FExt
        | CastOp::Bitcast => false,
    }
}

/// A conversion.
fn cast(data: &CastData, s: &mut [u64]) {
    let bits = data.arg.read(s);
    let width = |ty: Type| ty.bits().unwrap_or(64) as u8;
    let (from, to) = (width(data.from), width(data.to));
    let result = match (data.op, data.from, data.to) {
        (CastOp::FToU | CastOp::FToUSat, Type::Float(ty), _) => {
            float::to_unsigned(ty, bits as u64, to)
        }
        (CastOp::FToS | CastOp::FToSSat, Type::Float(ty), _) => {
            float::to_signed(ty, bits as u64, to)
        }
        (CastOp::UToF, _, Type::Float(ty)) => u128::from(float::from_unsigned(ty, bits)),
        (CastOp::SToF, _, Type::Float(ty)) => u128::from(float::from_signed(ty, bits, from)),
        (CastOp::FTrunc | CastOp::FExt, Type::Float(a), Type::Float(b)) => {
            u128::from(float::convert(a, bits as u64, b))
        }
        (CastOp::SExt, ..) => eval::signed(bits, from) as u128,
        _ => bits,
    };
    data.dst.write(s, result & eval::mask(to));
}

fn pure(data: &PureData, s: &mut [u64]) {
    let args: Vec<_> = data.args.iter().map(|&(arg, ty)| (arg.read(s), ty)).collect();
    data.dst.write(s, math::apply(data.meaning, &args, data.ty));
}
