//! Trees to kernel IR, in the form that a front end gives it: a loop's variables
//! are parameters of its header, joins bind what the arms changed.

use duet_ir::{
    Access, AnnotationKind, Array, ArrayData, ArrayOrigin, AssertKind, AtomicOp, BarrierScope,
    BinaryOp, Block, CastOp, Const, Dim, Edge, ExchangeOp, FileData, Found, Func, Function,
    FunctionBuilder, FunctionKind, Geometry, GeometryKind, GhostKind, InstData, IntCc, Language,
    LocData, MemoryOrder, Module, Param, ParamKind, Space, Terminator, Type, Value, ValueDef,
    WellFormed, check_well_formed,
};

use crate::ast::{
    ArrayDecl, ArrayPlace, At, Claim, ClaimOf, Cond, Expr, Kernel, Loop, PARAMS, POINTERS, Place,
    Stmt, VARS, Watched,
};

/// Names of the parameters.
pub const PARAM_NAMES: [&str; PARAMS] = ["n", "m"];

/// A module with the kernel.
///
/// # Panics
/// If what the tree lowers to is not well formed.
pub fn lower(kernel: &Kernel) -> (WellFormed, Func) {
    let mut module = Module::new(Language::Cuda, 64);
    let arrays = kernel
        .arrays
        .iter()
        .enumerate()
        .map(|(number, decl)| module.arrays.push(array(number, decl)))
        .collect();
    let kind = FunctionKind::Kernel { required_block: None, max_threads: None };
    let mut func = Function::new("k", "k", kind);
    let mut params = vec![];
    for (number, name) in PARAM_NAMES.into_iter().enumerate() {
        let value = func.make_value(ValueDef::FunctionParam(number as u32), Type::I32);
        func.params.push(Param { name: name.to_string(), kind: ParamKind::Scalar(value) });
        params.push(value);
    }
    let builder = FunctionBuilder::new(&mut module, func);
    let mut lowering = Lowering { builder, arrays, params, vars: vec![], loops: vec![] };
    lowering.kernel(kernel);
    let func = lowering.builder.finish();
    let id = module.functions.push(func);
    module.retain_used_arrays();
    let text = module.to_string();
    let module = check_well_formed(module).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"));
    (module, id)
}

fn array(number: usize, decl: &ArrayDecl) -> ArrayData {
    let (space, origin, letter) = match decl.place {
        ArrayPlace::Global => (Space::Global, ArrayOrigin::Variable, 'g'),
        ArrayPlace::Shared => (Space::Shared, ArrayOrigin::Local, 's'),
        ArrayPlace::Private => (Space::Private, ArrayOrigin::Local, 'p'),
    };
    ArrayData {
        name: format!("{letter}{number}"),
        space,
        granule: if decl.mixed { 1 } else { decl.width },
        size: None,
        origin,
        restrict: true,
        init: None,
        declared: None,
        found: Found::Unknown,
        loc: None,
    }
}

/// A loop that is being lowered.
struct Around {
    /// Where `break` goes, and where `continue` goes.
    exit: Option<Block>,
    latch: Option<Block>,
    /// The variables that these blocks bind.
    vars: Vec<usize>,
}

struct Lowering<'m> {
    builder: FunctionBuilder<'m>,
    arrays: Vec<Array>,
    params: Vec<Value>,
    vars: Vec<Value>,
    loops: Vec<Around>,
}

impl Lowering<'_> {
    fn kernel(&mut self, kernel: &Kernel) {
        let entry = self.builder.make_block();
        self.builder.switch_to(entry);
        for (number, &bound) in kernel.bounds.iter().enumerate() {
            let bound = self.builder.int(u128::from(bound), Type::I32);
            let cond = self.builder.compare(IntCc::Ult, self.params[number], bound);
            let args = vec![cond];
            self.builder.inst(InstData::Annotation { kind: AnnotationKind::Requires, args });
        }
        let zero = self.builder.int(0, Type::I32);
        let start = self.builder.offset(0);
        self.vars = vec![zero; VARS];
        self.vars.extend([start; POINTERS]);
        self.statements(&kernel.body);
        self.builder.terminate(Terminator::Return(vec![]));
    }

    fn statements(&mut self, stmts: &[Stmt]) {
        for stmt in stmts {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Assign(var, value) => self.vars[*var] = self.expr(value),
            Stmt::AssignSigned { var, op, is_signed, a, b } => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.vars[*var] = self.signed(*op, *is_signed, a, b);
            }
            Stmt::Divide(var, op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.vars[*var] = self.builder.binary(*op, a, b);
            }
            Stmt::SetPointer(var, index, scale) => self.vars[*var] = self.scaled(index, *scale),
            Stmt::BumpPointer(var, index, scale) => {
                let distance = self.scaled(index, *scale);
                self.vars[*var] = self.builder.add(self.vars[*var], distance);
            }
            Stmt::Load { var, place } => {
                let access = self.access(place);
                self.vars[*var] = self.load(access, place);
            }
            Stmt::GhostLoad { var, place } => {
                let access = self.ghost_access(place);
                self.vars[*var] = self.load(access, place);
            }
            Stmt::Watch { place, about, body } => self.watch(place, about, body),
            Stmt::Store { place, value } => self.store(place, value),
            Stmt::Atomic { var, op, scope, place, value } => {
                let (ty, access) = (int(place.width), self.access(place));
                let arg = self.expr(value);
                let arg = self.builder.resize(arg, ty, false);
                let args = if *op == AtomicOp::Load { vec![] } else { vec![arg] };
                let order = MemoryOrder::Relaxed;
                let atomic = InstData::Atomic { op: *op, scope: *scope, order, access, args, ty };
                let old = self.builder.value(atomic);
                self.vars[*var] = self.builder.resize(old, Type::I32, false);
            }
            Stmt::If(cond, then, otherwise) => self.branch(cond, then, otherwise),
            Stmt::Loop(data) => self.repeat(data),
            Stmt::Break(cond) => self.leave(cond, true),
            Stmt::Continue(cond) => self.leave(cond, false),
            Stmt::Return(cond) => {
                let cond = self.cond(cond);
                let (out, next) = (self.builder.make_block(), self.builder.make_block());
                self.builder.branch(cond, out, next);
                self.builder.switch_to(out);
                self.builder.terminate(Terminator::Return(vec![]));
                self.builder.switch_to(next);
            }
            Stmt::Assert(cond) => {
                let cond = self.cond(cond);
                self.builder.inst(InstData::Assert { kind: AssertKind::Annotated, cond });
            }
            Stmt::Assume(cond) => {
                let args = vec![self.cond(cond)];
                self.builder.inst(InstData::Annotation { kind: AnnotationKind::Assume, args });
            }
            Stmt::Claim(claim) => self.claim(claim),
            _ => self.synchronise(stmt),
        }
    }

    /// An operation whose result is put into a signed variable. It has a line of its own:
    /// what has none is not assumed to stay in range.
    fn signed(&mut self, op: BinaryOp, is_signed: bool, a: Value, b: Value) -> Value {
        let module = &mut *self.builder.module;
        let file = match module.files.keys().next() {
            Some(file) => file,
            None => module.files.push(FileData::of_user("fuzzed.cu")),
        };
        let line = module.locs.len() as u32 + 1;
        let loc = module.locs.push(LocData { file, line, column: 1, inlined_at: None });
        self.builder.set_loc(Some(loc));
        let result = self.builder.binary_flagged(op, is_signed, a, b);
        self.builder.set_loc(None);
        if let (false, ValueDef::Result(inst, _)) = (is_signed, self.builder.func.values[result])
            && self.builder.func.inst_locs[inst] == Some(loc)
        {
            self.builder.func.into_signed[inst] = true;
        }
        result
    }

    /// Statements that concern other threads, and unknowns.
    fn synchronise(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Barrier(flags) => {
                let arg = Some(self.expr(flags));
                self.builder.inst(InstData::Barrier { scope: BarrierScope::Block, arg });
            }
            Stmt::WarpBarrier(mask) => {
                let arg = Some(self.expr(mask));
                self.builder.inst(InstData::Barrier { scope: BarrierScope::Warp, arg });
            }
            Stmt::GridBarrier => {
                self.builder.inst(InstData::Barrier { scope: BarrierScope::Grid, arg: None });
            }
            Stmt::BarrierReduce(var, op, value) => {
                let arg = self.expr(value);
                self.vars[*var] = self.builder.value(InstData::BarrierReduce { op: *op, arg });
            }
            Stmt::Shuffle { var, xor, mask, value, lane } => {
                let op = if *xor { ExchangeOp::ShuffleXor } else { ExchangeOp::ShuffleIndex };
                let width = self.builder.int(32, Type::I32);
                let args = vec![self.expr(value), self.expr(lane), width];
                self.exchange(*var, op, *mask, args);
            }
            Stmt::Vote { var, any, mask, value } => {
                let op = if *any { ExchangeOp::VoteAny } else { ExchangeOp::Ballot };
                let args = vec![self.expr(value)];
                self.exchange(*var, op, *mask, args);
            }
            Stmt::Fresh(var) => {
                let fresh = InstData::Fresh { cause: "unknown".into(), ty: Type::I32 };
                self.vars[*var] = self.builder.value(fresh);
            }
            _ => unreachable!("lowered above"),
        }
    }

    fn exchange(&mut self, var: usize, op: ExchangeOp, mask: u32, args: Vec<Value>) {
        let mask = Some(self.builder.int(u128::from(mask), Type::I32));
        let exchange = InstData::Exchange { op, mask, args, ty: Type::I32 };
        self.vars[var] = self.builder.value(exchange);
    }

    // ---- Control flow ----------------------------------------------------

    fn branch(&mut self, cond: &Cond, then: &[Stmt], otherwise: &[Stmt]) {
        let cond = self.cond(cond);
        let arms = [self.builder.make_block(), self.builder.make_block()];
        self.builder.branch(cond, arms[0], arms[1]);
        let before = self.vars.clone();
        let mut ends = vec![];
        for (block, stmts) in arms.into_iter().zip([then, otherwise]) {
            self.builder.switch_to(block);
            self.vars = before.clone();
            self.statements(stmts);
            ends.push((self.builder.current_block(), self.vars.clone()));
        }
        let differ: Vec<usize> =
            (0..before.len()).filter(|&var| ends[0].1[var] != ends[1].1[var]).collect();
        let join = self.builder.make_block();
        let merged = ends[0].1.clone();
        for (block, vars) in ends {
            self.builder.switch_to(block);
            self.builder.jump(join, differ.iter().map(|&var| vars[var]).collect());
        }
        self.vars = merged;
        self.start(join, &differ);
    }

    /// Goes on in a block that binds these variables.
    fn start(&mut self, block: Block, vars: &[usize]) {
        for &var in vars {
            let ty = self.builder.func.type_of(self.vars[var]);
            self.vars[var] = self.builder.func.add_block_param(block, ty);
        }
        self.builder.switch_to(block);
    }

    fn current(&self, vars: &[usize]) -> Vec<Value> {
        vars.iter().map(|&var| self.vars[var]).collect()
    }

    fn leave(&mut self, cond: &Cond, by_break: bool) {
        let Some(around) = self.loops.last() else { return };
        let target = if by_break { around.exit } else { around.latch };
        let (target, vars) = (target.expect("made for it"), around.vars.clone());
        let cond = self.cond(cond);
        let next = self.builder.make_block();
        let then = Edge { block: target, args: self.current(&vars) };
        let otherwise = Edge { block: next, args: vec![] };
        self.builder.terminate(Terminator::Branch { cond, then, otherwise });
        self.builder.switch_to(next);
    }

    fn repeat(&mut self, data: &Loop) {
        let mut assigned = vec![false; VARS + POINTERS];
        assigned[data.var] = true;
        data.body.iter().for_each(|stmt| stmt.assigned(&mut assigned));
        let vars: Vec<usize> = (0..assigned.len()).filter(|&var| assigned[var]).collect();
        let leaves = |by| data.body.iter().any(|stmt| stmt.leaves_body(by));
        let (breaks, continues) = (leaves(true), leaves(false));
        self.vars[data.var] = self.expr(&data.start);
        let header = self.builder.make_block();
        let args = self.current(&vars);
        self.builder.jump(header, args);
        self.start(header, &vars);
        let exit = breaks.then(|| self.builder.make_block());
        let out = self.builder.make_block();
        let mut at_test = self.vars.clone();
        if !data.test_last {
            let body = self.builder.make_block();
            self.test(data, body, vec![], exit.unwrap_or(out), exit.map(|_| &vars[..]));
            self.builder.switch_to(body);
        }
        let latch = continues.then(|| self.builder.make_block());
        self.loops.push(Around { exit, latch, vars: vars.clone() });
        self.statements(&data.body);
        self.loops.pop();
        if let Some(latch) = latch {
            let args = self.current(&vars);
            self.builder.jump(latch, args);
            self.start(latch, &vars);
        }
        let step = self.expr(&data.step);
        self.vars[data.var] = self.builder.binary(data.op, self.vars[data.var], step);
        if data.test_last {
            at_test = self.vars.clone();
            let args = self.current(&vars);
            self.test(data, header, args, exit.unwrap_or(out), exit.map(|_| &vars[..]));
        } else {
            let args = self.current(&vars);
            self.builder.jump(header, args);
        }
        self.vars = at_test;
        match exit {
            Some(exit) => self.start(exit, &vars),
            None => self.builder.switch_to(out),
        }
    }

    /// Goes to `again` while the loop's test holds, else to `exit`.
    fn test(
        &mut self,
        data: &Loop,
        again: Block,
        args: Vec<Value>,
        exit: Block,
        exit_vars: Option<&[usize]>,
    ) {
        let bound = self.expr(&data.bound);
        let cond = self.builder.compare(data.cc, self.vars[data.var], bound);
        let exit_args = exit_vars.map_or(vec![], |vars| self.current(vars));
        let then = Edge { block: again, args };
        let otherwise = Edge { block: exit, args: exit_args };
        self.builder.terminate(Terminator::Branch { cond, then, otherwise });
    }

    // ---- Memory ----------------------------------------------------------

    fn scaled(&mut self, index: &Expr, scale: u32) -> Value {
        let index = self.expr(index);
        let wide = self.builder.cast(CastOp::ZExt, index, Type::I64);
        let scale = self.builder.offset(u64::from(scale));
        self.builder.mul(wide, scale)
    }

    fn access(&mut self, place: &Place) -> Access {
        let offset = match &place.at {
            At::Wide(index) => self.scaled(index, place.width),
            At::Signed(index) => {
                let index = self.expr(index);
                let wide = self.builder.cast(CastOp::SExt, index, Type::I64);
                let scale = self.builder.offset(u64::from(place.width));
                self.builder.mul(wide, scale)
            }
            At::Wrapping(index) => {
                let index = self.expr(index);
                let scale = self.builder.int(u128::from(place.width), Type::I32);
                let narrow = self.builder.mul(index, scale);
                self.builder.cast(CastOp::ZExt, narrow, Type::I64)
            }
            At::Pointer(var, more) => {
                let more = self.builder.offset(u64::from(*more * place.width));
                self.builder.add(self.vars[*var], more)
            }
        };
        let array = self.arrays[place.array];
        let align = self.builder.module.arrays[array].granule.min(place.width);
        Access { array, offset, align, volatile: false, ghost: false, cached: false }
    }

    fn ghost_access(&mut self, place: &Place) -> Access {
        Access { ghost: true, ..self.access(place) }
    }

    /// The sum of the lanes.
    fn load(&mut self, access: Access, place: &Place) -> Value {
        let ty = int(place.width);
        let load = self.builder.inst(InstData::Load { access, ty, lanes: place.lanes });
        let results = self.builder.func.results_of[load].clone();
        let mut sum = self.builder.int(0, Type::I32);
        for result in results {
            let narrow = self.builder.resize(result, Type::I32, false);
            sum = self.builder.add(sum, narrow);
        }
        sum
    }

    /// What is claimed at the barrier that follows.
    fn claim(&mut self, claim: &Claim) {
        if claim.of == ClaimOf::Cell {
            return self.claim_of_cells(claim);
        }
        let access = self.ghost_access(&claim.place);
        let read = self.load(access, &claim.place);
        let (kind, value) = match claim.of {
            ClaimOf::Thread => {
                (AnnotationKind::BarrierInvariant, self.as_stored(&claim.value, &claim.place))
            }
            ClaimOf::Pair | ClaimOf::Cell => {
                let (ty, args) = (Type::I32, vec![read]);
                let other = InstData::Ghost { kind: GhostKind::Other, args, ty };
                (AnnotationKind::BarrierInvariantBinary, self.builder.value(other))
            }
        };
        let mut args = vec![self.builder.compare(claim.cc, read, value)];
        for instance in &claim.instances {
            let number = self.expr(instance);
            args.push(self.builder.cast(CastOp::ZExt, number, Type::I64));
        }
        self.builder.inst(InstData::Annotation { kind, args });
    }

    fn claim_of_cells(&mut self, claim: &Claim) {
        let place = &claim.place;
        let array = self.arrays[place.array];
        let reference = self.builder.func.constant(Const::Array(array), Type::Ref);
        let args = vec![reference, self.builder.offset(0)];
        let cell = InstData::Ghost { kind: GhostKind::Cell, args, ty: Type::I32 };
        let number = self.builder.value(cell);
        let wide = self.builder.cast(CastOp::ZExt, number, Type::I64);
        let scale = self.builder.offset(u64::from(place.width));
        let offset = self.builder.mul(wide, scale);
        let access = Access { offset, ghost: true, ..self.access(place) };
        let read = self.load(access, &Place { lanes: 1, ..place.clone() });
        let value = match &claim.value {
            Expr::Tid => number,
            value => self.expr(value),
        };
        let cut = self.builder.resize(value, int(place.width), false);
        let value = self.builder.resize(cut, Type::I32, false);
        let holds = self.builder.compare(claim.cc, read, value);
        let limit = self.builder.int(64, Type::I32);
        let outside = self.builder.compare(IntCc::Uge, number, limit);
        let cond = self.builder.binary(BinaryOp::Or, outside, holds);
        let (kind, args) = (AnnotationKind::CellInvariant, vec![cond, number]);
        self.builder.inst(InstData::Annotation { kind, args });
    }

    fn watch(&mut self, place: &Place, about: &Watched, body: &[Stmt]) {
        let access = self.ghost_access(place);
        let first = self.load(access, place);
        if let Watched::Assumed(value) = about {
            let value = self.as_stored(value, place);
            let args = vec![self.builder.compare(IntCc::Eq, first, value)];
            self.builder.inst(InstData::Annotation { kind: AnnotationKind::Assume, args });
        }
        self.statements(body);
        let second = self.load(access, place);
        let expected = match about {
            Watched::Same => first,
            Watched::Is(value) | Watched::Assumed(value) => self.as_stored(value, place),
        };
        let cond = self.builder.compare(IntCc::Eq, second, expected);
        self.builder.inst(InstData::Assert { kind: AssertKind::Annotated, cond });
    }

    /// A value as it comes back from memory, where the place has one lane.
    fn as_stored(&mut self, value: &Expr, place: &Place) -> Value {
        let value = self.expr(value);
        let cut = self.builder.resize(value, int(place.width), false);
        self.builder.resize(cut, Type::I32, false)
    }

    fn store(&mut self, place: &Place, value: &Expr) {
        let access = self.access(place);
        let first = self.expr(value);
        let mut values = vec![];
        for lane in 0..place.lanes {
            let lane = self.builder.int(u128::from(lane), Type::I32);
            let value = self.builder.add(first, lane);
            values.push(self.builder.resize(value, int(place.width), false));
        }
        self.builder.inst(InstData::Store { access, values });
    }

    // ---- Expressions -----------------------------------------------------

    fn cond(&mut self, cond: &Cond) -> Value {
        let (a, b) = (self.expr(&cond.a), self.expr(&cond.b));
        self.builder.compare(cond.cc, a, b)
    }

    fn expr(&mut self, expr: &Expr) -> Value {
        use GeometryKind::{BlockDim, BlockId, GridDim, ThreadId};
        match expr {
            Expr::Const(number) => self.builder.int(u128::from(*number), Type::I32),
            Expr::Param(number) => self.params[*number],
            Expr::Var(number) => self.vars[*number],
            Expr::Tid => self.geometry(ThreadId, Dim::X),
            Expr::TidY => self.geometry(ThreadId, Dim::Y),
            Expr::Bid => self.geometry(BlockId, Dim::X),
            Expr::BlockDim => self.geometry(BlockDim, Dim::X),
            Expr::GridDim => self.geometry(GridDim, Dim::X),
            Expr::Gid => {
                let (block, size) =
                    (self.geometry(BlockId, Dim::X), self.geometry(BlockDim, Dim::X));
                let (first, thread) =
                    (self.builder.mul(block, size), self.geometry(ThreadId, Dim::X));
                self.builder.add(first, thread)
            }
            Expr::Lane => {
                let thread = self.geometry(ThreadId, Dim::X);
                let mask = self.builder.int(31, Type::I32);
                self.builder.binary(BinaryOp::And, thread, mask)
            }
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.expr(a), self.expr(b));
                self.builder.binary(*op, a, b)
            }
            Expr::Select(cond, a, b) => {
                let cond = self.cond(cond);
                let (a, b) = (self.expr(a), self.expr(b));
                self.builder.select(cond, a, b)
            }
            Expr::Cut(bits, signed, value) => {
                let value = self.expr(value);
                let narrow = self.builder.resize(value, Type::Int(*bits), false);
                self.builder.resize(narrow, Type::I32, *signed)
            }
        }
    }

    fn geometry(&mut self, kind: GeometryKind, dim: Dim) -> Value {
        self.builder.geometry(Geometry { kind, dim })
    }
}

/// An integer of so many bytes.
fn int(bytes: u32) -> Type {
    Type::Int((8 * bytes) as u8)
}
