//! Random small kernels: structured control flow with early exits from loops
//! (`break` of one or two levels, `continue`, `return`), branches, switches, failed
//! paths, thread and block ids, memory, barriers and exchanges. Every loop has a
//! counter of its own that ends it soon.
//!
//! Variables are values of the IR. At a join only the variables that differ become
//! block parameters, so values are used directly after the loops that define them,
//! which is where uniformity is easy to get wrong.

use duet_ir::{
    Access, Array, ArrayData, ArrayOrigin, AtomicOp, BarrierScope, BinaryOp, Block, CastOp, Dim,
    Edge, ExchangeOp, Found, Func, Function, FunctionBuilder, FunctionKind, Geometry, GeometryKind,
    InstData, IntCc, Language, MemoryOrder, MemoryScope, Module, Param, ParamKind, Reduction,
    Space, Terminator, Type, Value, ValueDef, WellFormed, check_well_formed,
};

use super::Random;

/// The arrays of every generated kernel.
struct Arrays {
    read_only: Array,
    written: Array,
    shared: Array,
    quiet: Array,
    private: Array,
}

/// A loop that is being generated.
#[derive(Clone)]
struct LoopContext {
    header: Block,
    /// Where `break` goes, if the loop has one; it takes the loop's variables.
    exit: Option<Block>,
    /// The variables that are parameters of the header.
    vars: Vec<usize>,
    /// How the latch changes some of them.
    patterns: Vec<(usize, Pattern)>,
    counter: Counter,
    counter_value: Value,
}

/// What a latch does to a variable that the body leaves alone.
#[derive(Clone, Copy)]
enum Pattern {
    Add(Value),
    Sub(Value),
    From(Value),
    Flip(Value),
    Double,
    Halve(BinaryOp),
    /// Takes the old value of another variable of the same type.
    Copy(usize),
    Keep,
}

/// How the counter that ends a loop moves.
#[derive(Clone, Copy)]
enum Counter {
    Up(u128),
    Down,
    Double,
    Halve,
}

struct Generator<'m, 'r> {
    builder: FunctionBuilder<'m>,
    random: &'r mut Random,
    arrays: Arrays,
    vars: Vec<Value>,
    /// May the statement at hand assign the variable?
    assignable: Vec<bool>,
    scalars: Vec<Value>,
    loops: Vec<LoopContext>,
    budget: usize,
    synchronises: bool,
}

/// Types of the variables.
const TYPES: [Type; 6] = [Type::I32, Type::I32, Type::I32, Type::I32, Type::I16, Type::I64];

/// A random kernel of a module of its own.
pub fn kernel(random: &mut Random) -> (WellFormed, Func) {
    let mut module = Module::new(Language::Cuda, 64);
    let arrays = Arrays {
        read_only: array(&mut module, "ro", Space::Global, ArrayOrigin::Variable),
        written: array(&mut module, "rw", Space::Global, ArrayOrigin::Variable),
        shared: array(&mut module, "s", Space::Shared, ArrayOrigin::Local),
        quiet: array(&mut module, "q", Space::Shared, ArrayOrigin::Local),
        private: array(&mut module, "p", Space::Private, ArrayOrigin::Local),
    };
    let kind = FunctionKind::Kernel { required_block: None, max_threads: None };
    let mut func = Function::new("k", "k", kind);
    let mut scalars = vec![];
    for (number, name) in ["n", "m"].into_iter().enumerate() {
        let value = func.make_value(ValueDef::FunctionParam(number as u32), Type::I32);
        func.params.push(Param { name: name.to_string(), kind: ParamKind::Scalar(value) });
        scalars.push(value);
    }
    let builder = FunctionBuilder::new(&mut module, func);
    let (budget, synchronises) = (6 + random.below(14), random.chance(3));
    let mut generator = Generator {
        builder,
        random,
        arrays,
        vars: vec![],
        assignable: vec![true; TYPES.len()],
        scalars,
        loops: vec![],
        budget,
        synchronises,
    };
    generator.body();
    let func = generator.builder.finish();
    let id = module.functions.push(func);
    let text = module.to_string();
    let checked = check_well_formed(module);
    (checked.unwrap_or_else(|errors| panic!("{errors:?}\n{text}")), id)
}

fn array(module: &mut Module, name: &str, space: Space, origin: ArrayOrigin) -> Array {
    module.arrays.push(ArrayData {
        name: name.to_string(),
        space,
        granule: 4,
        size: Some(64),
        origin,
        restrict: true,
        init: None,
        declared: None,
        found: Found::Unknown,
        loc: None,
    })
}

impl Generator<'_, '_> {
    fn body(&mut self) {
        let entry = self.builder.make_block();
        self.builder.switch_to(entry);
        for ty in TYPES {
            let start = self.expression(ty, 1);
            self.vars.push(start);
        }
        self.statements(5);
        self.finish();
    }

    /// Ends the thread, in a block of its own so that observers see what the
    /// block before computed.
    fn finish(&mut self) {
        let end = self.builder.make_block();
        self.builder.jump(end, vec![]);
        self.builder.switch_to(end);
        self.builder.terminate(Terminator::Return(vec![]));
    }

    fn statements(&mut self, most: usize) {
        for _ in 0..1 + self.random.below(most) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            match self.random.below(16) {
                0..=3 => self.assign(),
                4..=5 => self.branch(),
                6 => self.switch(),
                7..=10 if self.loops.len() < 3 => self.repeat(),
                11..=12 => self.leave(),
                13 => self.store(),
                14 if self.synchronises => self.synchronise(),
                15 => self.fail(),
                _ => self.assign(),
            }
        }
    }

    fn assign(&mut self) {
        let free: Vec<usize> = (0..TYPES.len()).filter(|&n| self.assignable[n]).collect();
        if !free.is_empty() {
            let var = self.random.pick(&free);
            self.vars[var] = self.expression(TYPES[var], 2);
        }
    }

    fn branch(&mut self) {
        let cond = self.condition();
        let arms = [self.builder.make_block(), self.builder.make_block()];
        self.builder.branch(cond, arms[0], arms[1]);
        self.arms(&arms);
    }

    fn switch(&mut self) {
        let arg = self.expression(Type::I32, 1);
        let arms: Vec<Block> = (0..3).map(|_| self.builder.make_block()).collect();
        let edge = |n: usize| Edge { block: arms[n], args: vec![] };
        let cases = vec![(0, edge(0)), (1, edge(1))];
        self.builder.terminate(Terminator::Switch { arg, cases, default: edge(2) });
        self.arms(&arms);
    }

    /// Fills the arms of a branch and joins them; some variables that differ are
    /// parameters of the join.
    fn arms(&mut self, arms: &[Block]) {
        let before = self.vars.clone();
        let join = self.builder.make_block();
        let mut ends = vec![];
        for &arm in arms {
            self.builder.switch_to(arm);
            self.vars = before.clone();
            if !self.random.chance(3) {
                self.statements(2);
            }
            ends.push((self.builder.current_block(), self.vars.clone()));
        }
        let differ: Vec<usize> = (0..TYPES.len())
            .filter(|&n| ends.iter().any(|(_, vars)| vars[n] != before[n]))
            .collect();
        for (block, vars) in &ends {
            let args = differ.iter().map(|&n| vars[n]).collect();
            self.builder.switch_to(*block);
            self.builder.jump(join, args);
        }
        self.vars = before;
        for &n in &differ {
            self.vars[n] = self.builder.func.add_block_param(join, TYPES[n]);
        }
        self.builder.switch_to(join);
    }

    /// A loop with its test at the top or at the bottom.
    fn repeat(&mut self) {
        let vars: Vec<usize> =
            (0..TYPES.len()).filter(|&n| self.assignable[n] && !self.random.chance(3)).collect();
        let (counter, start, bound, cc) = self.counter();
        let header = self.builder.make_block();
        let patterns = self.patterns(&vars);
        let entry: Vec<Value> =
            [start].into_iter().chain(vars.iter().map(|&n| self.vars[n])).collect();
        self.builder.jump(header, entry);
        let counter_value = self.builder.func.add_block_param(header, Type::I32);
        for &n in &vars {
            self.vars[n] = self.builder.func.add_block_param(header, TYPES[n]);
        }
        self.builder.switch_to(header);
        let exit = self.random.chance(2).then(|| self.builder.make_block());
        let saved = self.assignable.clone();
        for n in 0..TYPES.len() {
            let moved_by_latch = patterns.iter().any(|(var, _)| *var == n);
            self.assignable[n] = vars.contains(&n) && !moved_by_latch;
        }
        let context = LoopContext { header, exit, vars, patterns, counter, counter_value };
        if self.random.chance(2) {
            self.loop_tested_first(context, cc, bound);
        } else {
            self.loop_tested_last(context, cc, bound);
        }
        self.assignable = saved;
    }

    fn loop_tested_first(&mut self, context: LoopContext, cc: IntCc, bound: Value) {
        let go_on = self.builder.compare(cc, context.counter_value, bound);
        let (body, out) = (self.builder.make_block(), self.builder.make_block());
        let at_exit = self.vars.clone();
        let direct = context.exit.filter(|_| self.random.chance(2));
        let exit_args = context.vars.iter().map(|&n| self.vars[n]).collect();
        let edge = |block| Edge { block, args: vec![] };
        let leave = direct.map_or(edge(out), |block| Edge { block, args: exit_args });
        let (then, otherwise) = (edge(body), leave);
        self.builder.terminate(Terminator::Branch { cond: go_on, then, otherwise });
        self.builder.switch_to(body);
        self.loops.push(context);
        self.statements(3);
        let context = self.loops.last().expect("pushed above").clone();
        self.jump_to_header(&context);
        self.loops.pop();
        self.vars = at_exit;
        self.arrive(&context, direct, out);
    }

    fn loop_tested_last(&mut self, context: LoopContext, cc: IntCc, bound: Value) {
        self.loops.push(context);
        self.statements(3);
        let context = self.loops.pop().expect("pushed above");
        let go_on = self.builder.compare(cc, context.counter_value, bound);
        let out = self.builder.make_block();
        let direct = context.exit.filter(|_| self.random.chance(2));
        let exit_args = context.vars.iter().map(|&n| self.vars[n]).collect();
        let empty = Edge { block: out, args: vec![] };
        let otherwise = direct.map_or(empty, |block| Edge { block, args: exit_args });
        let then = Edge { block: context.header, args: self.header_args(&context) };
        self.builder.terminate(Terminator::Branch { cond: go_on, then, otherwise });
        self.arrive(&context, direct, out);
    }

    /// Goes on after a loop, whose test leads to `direct` with the loop's
    /// variables, or to `out`.
    fn arrive(&mut self, context: &LoopContext, direct: Option<Block>, out: Block) {
        if direct.is_none() {
            self.builder.switch_to(out);
            self.leave_loop(context);
            return;
        }
        let exit = context.exit.expect("`direct` is the exit");
        for &n in &context.vars {
            self.vars[n] = self.builder.func.add_block_param(exit, TYPES[n]);
        }
        self.builder.switch_to(exit);
    }

    /// Goes from the block after the test to where `break` goes.
    fn leave_loop(&mut self, context: &LoopContext) {
        let Some(exit) = context.exit else {
            return;
        };
        let args = context.vars.iter().map(|&n| self.vars[n]).collect();
        self.builder.jump(exit, args);
        for &n in &context.vars {
            self.vars[n] = self.builder.func.add_block_param(exit, TYPES[n]);
        }
        self.builder.switch_to(exit);
    }

    fn jump_to_header(&mut self, context: &LoopContext) {
        let args = self.header_args(context);
        self.builder.jump(context.header, args);
    }

    /// What the latch does: moves the counter and the variables with a pattern.
    fn header_args(&mut self, context: &LoopContext) -> Vec<Value> {
        let one = self.builder.int(1, Type::I32);
        let (op, by) = match context.counter {
            Counter::Up(by) => (BinaryOp::Add, self.builder.int(by, Type::I32)),
            Counter::Down => (BinaryOp::Sub, one),
            Counter::Double => (BinaryOp::Shl, one),
            Counter::Halve => (BinaryOp::LShr, one),
        };
        let next = self.builder.binary(op, context.counter_value, by);
        let old = self.vars.clone();
        let mut args = vec![next];
        for &n in &context.vars {
            let pattern = context.patterns.iter().find(|(var, _)| *var == n);
            args.push(match pattern {
                Some((_, pattern)) => self.moved(n, *pattern, &old),
                None => old[n],
            });
        }
        args
    }

    /// Ends the block with a branch whose edges may carry arguments.
    fn branch_edges(&mut self, cond: Value, then: Edge, otherwise: Edge) {
        let (then, otherwise) =
            if self.random.chance(2) { (then, otherwise) } else { (otherwise, then) };
        self.builder.terminate(Terminator::Branch { cond, then, otherwise });
    }

    fn moved(&mut self, n: usize, pattern: Pattern, old: &[Value]) -> Value {
        let x = old[n];
        let one = self.builder.int(1, TYPES[n]);
        match pattern {
            Pattern::Add(by) => self.builder.binary(BinaryOp::Add, x, by),
            Pattern::Sub(by) => self.builder.binary(BinaryOp::Sub, x, by),
            Pattern::From(sum) => self.builder.binary(BinaryOp::Sub, sum, x),
            Pattern::Flip(mask) => self.builder.binary(BinaryOp::Xor, x, mask),
            Pattern::Double if TYPES[n] == Type::I16 => {
                let wide = self.builder.cast(CastOp::SExt, x, Type::I32);
                let one = self.builder.int(1, Type::I32);
                let sum = self.builder.binary(BinaryOp::Shl, wide, one);
                self.builder.cast(CastOp::Trunc, sum, Type::I16)
            }
            Pattern::Double => self.builder.binary(BinaryOp::Add, x, x),
            Pattern::Halve(BinaryOp::SDiv) => {
                let two = self.builder.int(2, TYPES[n]);
                self.builder.binary(BinaryOp::SDiv, x, two)
            }
            Pattern::Halve(op) => self.builder.binary(op, x, one),
            Pattern::Copy(other) => old[other],
            Pattern::Keep => x,
        }
    }

    /// Chooses variables that only the latch moves.
    fn patterns(&mut self, vars: &[usize]) -> Vec<(usize, Pattern)> {
        let mut patterns = vec![];
        for &n in vars {
            if !self.random.chance(2) {
                continue;
            }
            let ty = TYPES[n];
            let like: Vec<usize> = vars.iter().copied().filter(|&m| TYPES[m] == ty).collect();
            let amount =
                if self.random.chance(2) { self.literal(ty) } else { self.expression(ty, 1) };
            let pattern = match self.random.below(10) {
                0..=1 => Pattern::Add(amount),
                2 => Pattern::Sub(amount),
                3 => Pattern::From(amount),
                4 => Pattern::Flip(amount),
                5 => Pattern::Double,
                6 => {
                    let ops = [BinaryOp::LShr, BinaryOp::AShr, BinaryOp::SDiv];
                    Pattern::Halve(self.random.pick(&ops))
                }
                7..=8 => Pattern::Copy(self.random.pick(&like)),
                _ => Pattern::Keep,
            };
            patterns.push((n, pattern));
        }
        patterns
    }

    /// A counter that ends the loop within a few iterations.
    fn counter(&mut self) -> (Counter, Value, Value, IntCc) {
        let int = |generator: &mut Self, bits: u128| generator.builder.int(bits, Type::I32);
        match self.random.below(5) {
            0 => {
                let cc = self.random.pick(&[IntCc::Ugt, IntCc::Sgt, IntCc::Ne]);
                let start = self.small();
                (Counter::Down, start, int(self, 0), cc)
            }
            1 => {
                let cc = self.random.pick(&[IntCc::Ult, IntCc::Sle]);
                (Counter::Double, int(self, 1), int(self, 16), cc)
            }
            2 => {
                let cc = self.random.pick(&[IntCc::Ne, IntCc::Ugt]);
                let start = int(self, 8);
                (Counter::Halve, start, int(self, 0), cc)
            }
            _ => {
                let cc = self.random.pick(&[IntCc::Ult, IntCc::Slt, IntCc::Sle]);
                let (start, bound) = (self.random.below(3) as u128, self.small());
                (Counter::Up(1 + self.random.below(2) as u128), int(self, start), bound, cc)
            }
        }
    }

    /// A number from 0 to 5, often different per thread.
    fn small(&mut self) -> Value {
        if self.random.chance(3) {
            let bits = self.random.below(6) as u128;
            return self.builder.int(bits, Type::I32);
        }
        let value = self.expression(Type::I32, 1);
        let three = self.builder.int(3, Type::I32);
        self.builder.binary(BinaryOp::And, value, three)
    }

    /// Leaves a loop or the kernel on some condition.
    fn leave(&mut self) {
        let cond = self.condition();
        if !self.loops.is_empty() && self.random.chance(2) {
            return self.leave_directly(cond);
        }
        let (out, stay) = (self.builder.make_block(), self.builder.make_block());
        if self.random.chance(2) {
            self.builder.branch(cond, out, stay);
        } else {
            self.builder.branch(cond, stay, out);
        }
        let before = self.vars.clone();
        self.builder.switch_to(out);
        if self.random.chance(2) {
            self.assign();
        }
        let targets: Vec<LoopContext> = self.loops.clone();
        match (targets.len(), self.random.below(4)) {
            (0, _) | (_, 0) => self.finish(),
            (_, 1) => self.jump_to_header(&targets[targets.len() - 1]),
            (count, _) => {
                let target = targets[self.random.below(count)].clone();
                match target.exit {
                    Some(exit) => {
                        let args = target.vars.iter().map(|&n| self.vars[n]).collect();
                        self.builder.jump(exit, args);
                    }
                    // Going on with an outer loop.
                    None => self.jump_to_header(&target),
                }
            }
        }
        self.vars = before;
        self.builder.switch_to(stay);
    }

    /// Leaves a loop, or goes on with it, by an edge of the branch itself.
    fn leave_directly(&mut self, cond: Value) {
        let target = self.loops[self.random.below(self.loops.len())].clone();
        let stay = self.builder.make_block();
        let leave = match target.exit.filter(|_| !self.random.chance(4)) {
            Some(block) => {
                Edge { block, args: target.vars.iter().map(|&n| self.vars[n]).collect() }
            }
            None => Edge { block: target.header, args: self.header_args(&target) },
        };
        self.branch_edges(cond, leave, Edge { block: stay, args: vec![] });
        self.builder.switch_to(stay);
    }

    /// A path that fails.
    fn fail(&mut self) {
        let value = self.expression(Type::I32, 1);
        let odd = self.builder.int(77, Type::I32);
        let cond = self.builder.compare(IntCc::Eq, value, odd);
        let (bad, good) = (self.builder.make_block(), self.builder.make_block());
        self.builder.branch(cond, bad, good);
        self.builder.switch_to(bad);
        self.builder.terminate(Terminator::Halt);
        self.builder.switch_to(good);
    }

    fn store(&mut self) {
        let value = self.expression(Type::I32, 1);
        let spots = [self.arrays.written, self.arrays.shared, self.arrays.private];
        let array = self.random.pick(&spots);
        let access = self.access(array);
        if self.random.chance(4) && array != self.arrays.private {
            let (op, scope) = (AtomicOp::Add, MemoryScope::Device);
            self.builder.inst(InstData::Atomic {
                op,
                scope,
                order: MemoryOrder::Relaxed,
                access,
                args: vec![value],
                ty: Type::I32,
            });
        } else {
            self.builder.inst(InstData::Store { access, values: vec![value] });
        }
    }

    fn synchronise(&mut self) {
        let all = self.builder.int(u128::MAX, Type::I32);
        match self.random.below(5) {
            0 | 1 => {
                let bits = 1 + self.random.below(3) as u128;
                let flags = self.builder.int(bits, Type::I32);
                self.builder
                    .inst(InstData::Barrier { scope: BarrierScope::Block, arg: Some(flags) });
            }
            2 => {
                self.builder.inst(InstData::Barrier { scope: BarrierScope::Warp, arg: Some(all) });
            }
            3 if self.assignable[0] => {
                let arg = self.expression(Type::I32, 1);
                let op = self.random.pick(&[Reduction::Count, Reduction::And, Reduction::Or]);
                self.vars[0] = self.builder.value(InstData::BarrierReduce { op, arg });
            }
            _ if self.assignable[1] => {
                let arg = self.expression(Type::I32, 1);
                let (zero, width) =
                    (self.builder.int(0, Type::I32), self.builder.int(32, Type::I32));
                let (op, args) = match self.random.below(4) {
                    0 => (ExchangeOp::VoteAny, vec![arg]),
                    1 => (ExchangeOp::Ballot, vec![arg]),
                    2 => (ExchangeOp::ReduceAdd, vec![arg]),
                    _ => (ExchangeOp::ShuffleIndex, vec![arg, zero, width]),
                };
                let data = InstData::Exchange { op, mask: Some(all), args, ty: Type::I32 };
                self.vars[1] = self.builder.value(data);
            }
            _ => {}
        }
    }

    fn condition(&mut self) -> Value {
        let ty = self.random.pick(&[Type::I32, Type::I32, Type::I16, Type::I64]);
        let (a, b) = (self.expression(ty, 1), self.expression(ty, 1));
        let b = if self.random.chance(2) { self.literal(ty) } else { b };
        let cc = self.random.pick(IntCc::ALL);
        // Not folded: a literal condition would be no branch.
        self.builder.value(InstData::IntCompare { cc, args: [a, b] })
    }

    fn literal(&mut self, ty: Type) -> Value {
        let bits =
            self.random.pick(&[0, 1, 2, 3, 4, 5, 7, 8, 31, 32, 100, u128::MAX, u128::MAX - 4]);
        self.builder.int(bits, ty)
    }

    fn access(&mut self, array: Array) -> Access {
        let index = self.expression(Type::I32, 1);
        let fifteen = self.builder.int(15, Type::I32);
        let masked = self.builder.binary(BinaryOp::And, index, fifteen);
        let wide = self.builder.cast(CastOp::ZExt, masked, Type::I64);
        let four = self.builder.int(4, Type::I64);
        let offset = self.builder.mul(wide, four);
        Access { array, offset, align: 4, volatile: false, ghost: false, cached: false }
    }

    /// An expression of a type.
    fn expression(&mut self, ty: Type, depth: usize) -> Value {
        if ty != Type::I32 && self.random.chance(2) {
            let narrow = self.expression(Type::I32, depth);
            return self.builder.resize(narrow, ty, true);
        }
        if depth == 0 || self.random.chance(4) {
            return self.leaf(ty);
        }
        use BinaryOp::*;
        let (a, b) = (self.expression(ty, depth - 1), self.expression(ty, depth - 1));
        match self.random.below(12) {
            0..=5 => {
                let op = self.random.pick(&[Add, Add, Sub, Mul, And, Or, Xor]);
                self.builder.binary(op, a, b)
            }
            6 => {
                let by = self.builder.int(1 + self.random.below(4) as u128, ty);
                let op = self.random.pick(&[Shl, LShr, AShr]);
                self.builder.binary(op, a, by)
            }
            7 => {
                let by = if self.random.chance(4) { b } else { self.builder.int(3, ty) };
                let op = self.random.pick(&[UDiv, URem, SDiv, SRem]);
                self.builder.binary(op, a, by)
            }
            8 => {
                let cc = self.random.pick(IntCc::ALL);
                let cond = self.builder.compare(cc, a, b);
                self.builder.select(cond, a, b)
            }
            9 if ty == Type::I32 => self.load(),
            10 if ty == Type::I32 => {
                let low = self.builder.cast(CastOp::Trunc, a, Type::I16);
                let op = self.random.pick(&[CastOp::ZExt, CastOp::SExt]);
                self.builder.cast(op, low, ty)
            }
            11 if self.random.chance(4) => {
                self.builder.value(InstData::Fresh { cause: "test".into(), ty })
            }
            _ => self.builder.binary(Add, a, b),
        }
    }

    fn load(&mut self) -> Value {
        let Arrays { read_only, written, shared, quiet, private } = self.arrays;
        let array =
            self.random.pick(&[read_only, read_only, read_only, written, shared, quiet, private]);
        let access = self.access_leaf(array);
        self.builder.value(InstData::Load { access, ty: Type::I32, lanes: 1 })
    }

    fn access_leaf(&mut self, array: Array) -> Access {
        let index = self.leaf(Type::I32);
        let fifteen = self.builder.int(15, Type::I32);
        let masked = self.builder.binary(BinaryOp::And, index, fifteen);
        let wide = self.builder.cast(CastOp::ZExt, masked, Type::I64);
        let four = self.builder.int(4, Type::I64);
        let offset = self.builder.mul(wide, four);
        Access { array, offset, align: 4, volatile: false, ghost: false, cached: false }
    }

    fn leaf(&mut self, ty: Type) -> Value {
        let like: Vec<usize> = (0..self.vars.len()).filter(|&n| TYPES[n] == ty).collect();
        if ty != Type::I32 {
            return if like.is_empty() || self.random.chance(3) {
                self.literal(ty)
            } else {
                self.vars[self.random.pick(&like)]
            };
        }
        use GeometryKind::*;
        match self.random.below(10) {
            0..=3 if !like.is_empty() => self.vars[self.random.pick(&like)],
            4 => {
                let kind = self.random.pick(&[ThreadId, ThreadId, BlockId, BlockDim, GridDim]);
                self.builder.geometry(Geometry { kind, dim: Dim::X })
            }
            5 if !self.loops.is_empty() => {
                let number = self.random.below(self.loops.len());
                self.loops[number].counter_value
            }
            6 | 7 => self.random.pick(&self.scalars.clone()),
            _ => self.literal(ty),
        }
    }
}
