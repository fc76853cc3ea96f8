//! Makes the code of a function: places its values in slots and turns each
//! instruction and terminator into one operation.

use duet_ir::{
    Access, AnnotationKind, AtomicOp, BarrierScope, BinaryOp, Block, CastOp, Const, Edge,
    EntityRef, FenceScope, Func, Function, Geometry, GeometryKind, GhostKind, Inst, InstData,
    IntCc, Language, MemoryOrder, MemoryScope, Module, Terminator, Type, Value, ValueDef,
};

use crate::decode::barrier_loops::barrier_loops;
use crate::decode::claims::claims;
use crate::decode::taint::{Taint, is_unknown_ghost, param_values};
use crate::decode::*;
use crate::interface::launch::Launch;
use crate::races::shadow::Kind;
use crate::values::math;

/// The code of `func` for a launch. Whether what is run has fences is asked once, by the
/// caller.
pub(crate) fn decode_function(
    module: &Module,
    func: Func,
    launch: &Launch,
    arrays: &[ArrayInfo],
    taint: &Taint,
    site_base: u32,
    has_fences: bool,
) -> Code {
    let function = &module.functions[func];
    let entry = function.layout.first().copied().unwrap_or(Block::new(0));
    let code = empty_code(func, entry, barrier_loops(function));
    let mut decoder =
        Decoder { module, function, launch, arrays, taint, site_base, has_fences, code };
    decoder.place_values();
    let starts = decoder.decode_blocks();
    decoder.code.claims = claims(module, function, &decoder.code, &starts);
    for edge in &mut decoder.code.edges {
        edge.pc = starts[edge.block.index()];
        edge.enters = decoder.code.barrier_loops[edge.block.index()];
    }
    decoder.code
}

/// The code of a function that no thread of a run comes to.
pub(crate) fn undecoded(func: Func) -> Code {
    empty_code(func, Block::new(0), vec![])
}

fn empty_code(func: Func, entry: Block, barrier_loops: Vec<u64>) -> Code {
    Code {
        func,
        entry,
        barrier_loops,
        ops: vec![],
        blocks: vec![],
        sites: vec![],
        template: vec![],
        slots: vec![],
        scalars: vec![],
        casts: vec![],
        wides: vec![],
        pures: vec![],
        accesses: vec![],
        exchanges: vec![],
        copies: vec![],
        waits: vec![],
        annotations: vec![],
        claims: vec![],
        folds: vec![],
        calls: vec![],
        unknowns: vec![],
        edges: vec![],
        switches: vec![],
        returns: vec![],
    }
}

struct Decoder<'a> {
    module: &'a Module,
    function: &'a Function,
    launch: &'a Launch,
    arrays: &'a [ArrayInfo],
    taint: &'a Taint,
    site_base: u32,
    /// Fences may order accesses.
    has_fences: bool,
    code: Code,
}

/// Is a value of the type wider than a slot?
fn is_wide(ty: Type) -> bool {
    ty.bits().is_some_and(|bits| bits > 64)
}

/// 64 minus the width.
fn shift_of(ty: Type) -> u8 {
    64 - ty.bits().unwrap_or(64).min(64) as u8
}

/// Width in bits; references are as wide as a slot.
fn width_of(ty: Type) -> u8 {
    ty.bits().unwrap_or(64) as u8
}

/// Appends to a table and gives the index.
fn push<T>(table: &mut Vec<T>, item: T) -> u32 {
    table.push(item);
    table.len() as u32 - 1
}

impl Decoder<'_> {
    // -- values -----------------------------------------------------------

    /// Gives every value its slots, and constants their values.
    fn place_values(&mut self) {
        for (value, def) in self.function.values.iter() {
            let wide = is_wide(self.function.type_of(value));
            let arg = Arg { slot: self.code.template.len() as Slot, wide };
            self.code.template.resize(self.code.template.len() + 1 + usize::from(wide), 0);
            self.code.slots.push(arg);
            if let ValueDef::Const(constant) = def {
                arg.write(&mut self.code.template, constant_bits(*constant));
            }
        }
        for param in self.function.scalar_params() {
            self.code.scalars.push((param.index, self.code.arg(param.value)));
        }
    }

    fn arg(&self, value: Value) -> Arg {
        self.code.arg(value)
    }

    fn args(&self, values: &[Value]) -> Vec<Arg> {
        values.iter().map(|&value| self.arg(value)).collect()
    }

    fn slot(&self, value: Value) -> Slot {
        self.arg(value).slot
    }

    fn type_of(&self, value: Value) -> Type {
        self.function.type_of(value)
    }

    /// The place of an instruction's first result.
    fn result(&self, inst: Inst) -> Arg {
        let result = self.function.results_of[inst].first();
        result.map_or(Arg { slot: 0, wide: false }, |&value| self.arg(value))
    }

    fn results(&self, inst: Inst) -> Vec<Arg> {
        self.args(&self.function.results_of[inst])
    }

    // -- blocks -----------------------------------------------------------

    /// Decodes all blocks; gives the first operation of each.
    fn decode_blocks(&mut self) -> Vec<u32> {
        let mut starts = vec![0; self.function.blocks.len()];
        for &block in &self.function.layout {
            starts[block.index()] = self.code.ops.len() as u32;
            let data = &self.function.blocks[block];
            let mut site = 0;
            for &inst in &data.insts {
                site = self.site_base + inst.as_u32();
                let op = self.decode_inst(block, inst);
                self.emit(op, site);
            }
            let op = self.decode_terminator(&data.terminator);
            self.emit(op, site);
            self.code.blocks.resize(self.code.ops.len(), block.as_u32());
        }
        if self.code.ops.is_empty() {
            self.emit(Op::Halt, 0);
        }
        starts
    }

    fn emit(&mut self, op: Op, site: u32) {
        self.code.ops.push(op);
        self.code.sites.push(site);
    }

    fn decode_terminator(&mut self, terminator: &Terminator) -> Op {
        match terminator {
            Terminator::Jump(edge) => Op::Jump(self.edge(edge)),
            Terminator::Branch { cond, then, otherwise } => Op::Branch {
                cond: self.slot(*cond),
                then: self.edge(then),
                otherwise: self.edge(otherwise),
            },
            Terminator::Switch { arg, cases, default } => {
                let cases = cases.iter().map(|(bits, edge)| (*bits, self.edge(edge))).collect();
                let data = SwitchData { arg: self.arg(*arg), cases, default: self.edge(default) };
                Op::Switch(push(&mut self.code.switches, data))
            }
            Terminator::Return(values) => {
                let values = self.args(values);
                Op::Return(push(&mut self.code.returns, values))
            }
            Terminator::Halt => Op::Halt,
        }
    }

    /// Edges are filled in with their targets when all blocks are placed.
    fn edge(&mut self, edge: &Edge) -> u32 {
        let params = &self.function.blocks[edge.block].params;
        let mut moves = Vec::new();
        for (&from, &to) in edge.args.iter().zip(params) {
            copy_slots(self.arg(from), self.arg(to), &mut moves);
        }
        moves.retain(|(from, to)| from != to);
        let overlap = moves
            .iter()
            .enumerate()
            .any(|(n, m)| moves[..n].iter().any(|earlier| earlier.1 == m.0));
        push(&mut self.code.edges, EdgeData { block: edge.block, pc: 0, moves, overlap, enters: 0 })
    }

    // -- instructions -----------------------------------------------------

    fn decode_inst(&mut self, block: Block, inst: Inst) -> Op {
        use InstData::*;
        let dst = self.result(inst);
        match &self.function.insts[inst] {
            Binary { op, nsw, args } => self.binary(*op, *nsw, dst, *args),
            Unary { op, arg } => self.unary(*op, dst, *arg),
            Cast { op, arg, to } => self.cast(*op, dst, *arg, *to),
            IntCompare { cc, args } => self.int_compare(*cc, dst, *args),
            FloatCompare { cc, args } => match self.type_of(args[0]) {
                Type::Float(ty) => Op::FCompare(*cc, ty, self.two(dst, *args)),
                Type::Int(_) | Type::Ref => Op::Nothing,
            },
            Select { cond, args } => self.select(dst, *cond, *args),
            Pure { name, args, ty } => self.pure(dst, name, args, *ty),
            Fresh { ty, .. } => self.fresh(dst, *ty),
            Geometry(geometry) => self.geometry(dst, *geometry),
            PtrToInt { reference, offset } => Op::PtrToInt {
                dst: dst.slot,
                reference: self.slot(*reference),
                offset: self.slot(*offset),
            },
            IntToPtr { arg } => Op::IntToPtr { dst: dst.slot, arg: self.slot(*arg) },
            Load { access, ty, .. } => self.load(inst, access, *ty),
            Store { access, values } => self.store(access, values),
            Atomic { op, scope, order, access, args, ty } => {
                self.atomic(dst, *op, (*scope, *order), access, args, *ty)
            }
            Barrier { scope, arg } => self.barrier(*scope, *arg),
            BarrierReduce { op, arg } => {
                Op::BarrierReduce { op: *op, dst: dst.slot, arg: self.slot(*arg) }
            }
            Fence { scope, order, spaces: _ } => self.fence(*scope, *order),
            Exchange { op, mask, args, ty } => {
                let data = ExchangeData {
                    op: *op,
                    mask: mask.map(|mask| self.slot(mask)),
                    args: self.args(args),
                    width: args.first().map_or(32, |&arg| width_of(self.type_of(arg))),
                    dst,
                    dst_width: width_of(*ty),
                };
                Op::Exchange(push(&mut self.code.exchanges, data))
            }
            AsyncCopy { .. } => self.async_copy(inst, dst),
            WaitEvents { events } => {
                let events = self.args(events);
                Op::Wait(push(&mut self.code.waits, events))
            }
            Assert { kind, cond } => Op::Assert {
                kind: *kind,
                cond: self.slot(*cond),
                skip: self.taint.affects(self.code.func, block, Some(*cond)),
            },
            Annotation { kind, args } => self.annotation(block, inst, *kind, args),
            Ghost { kind, args, .. } => self.ghost(inst, dst, *kind, args),
            Call { callee, args } => self.call(inst, *callee, args),
            CallUnknown { results, .. } => {
                let widths = results.iter().map(|&ty| width_of(ty));
                let data = self.results(inst).into_iter().zip(widths).collect();
                Op::CallUnknown(push(&mut self.code.unknowns, data))
            }
        }
    }

    fn two(&self, dst: Arg, [a, b]: [Value; 2]) -> Two {
        let shift = shift_of(self.type_of(a));
        Two { dst: dst.slot, a: self.slot(a), b: self.slot(b), shift }
    }

    fn wide(&mut self, what: WideOp, ty: Type, dst: Arg, args: [Value; 3]) -> Op {
        let [a, b, c] = args.map(|value| self.arg(value));
        let data = WideData { what, width: width_of(ty), dst, a, b, c };
        Op::Wide(push(&mut self.code.wides, data))
    }

    fn binary(&mut self, op: BinaryOp, nsw: bool, dst: Arg, args: [Value; 2]) -> Op {
        let ty = self.type_of(args[0]);
        if is_wide(ty) {
            return self.wide(WideOp::Binary(op, nsw), ty, dst, [args[0], args[1], args[1]]);
        }
        let two = self.two(dst, args);
        if let Type::Float(format) = ty {
            return match ty {
                Type::F32 => Op::F32(op, two),
                Type::F64 => Op::F64(op, two),
                Type::Int(_) | Type::Float(_) | Type::Ref => Op::Half(op, format, two),
            };
        }
        match op {
            BinaryOp::Add if nsw => Op::AddNoWrap(two),
            BinaryOp::Sub if nsw => Op::SubNoWrap(two),
            BinaryOp::Mul if nsw => Op::MulNoWrap(two),
            BinaryOp::Shl if nsw => Op::ShlNoWrap(two),
            BinaryOp::Add => Op::Add(two),
            BinaryOp::Sub => Op::Sub(two),
            BinaryOp::Mul => Op::Mul(two),
            BinaryOp::UDiv => Op::UDiv(two),
            BinaryOp::URem => Op::URem(two),
            BinaryOp::SDiv => Op::SDiv(two),
            BinaryOp::SRem => Op::SRem(two),
            BinaryOp::Shl => Op::Shl(two),
            BinaryOp::LShr => Op::LShr(two),
            BinaryOp::AShr => Op::AShr(two),
            BinaryOp::And => Op::And(two),
            BinaryOp::Or => Op::Or(two),
            BinaryOp::Xor => Op::Xor(two),
            BinaryOp::FAdd | BinaryOp::FSub | BinaryOp::FMul | BinaryOp::FDiv | BinaryOp::FRem => {
                Op::Nothing
            }
        }
    }

    fn unary(&mut self, op: duet_ir::UnaryOp, dst: Arg, arg: Value) -> Op {
        let ty = self.type_of(arg);
        if is_wide(ty) {
            return self.wide(WideOp::Unary(op), ty, dst, [arg; 3]);
        }
        Op::Unary(op, One { dst: dst.slot, a: self.slot(arg), shift: shift_of(ty) })
    }

    fn cast(&mut self, op: CastOp, dst: Arg, arg: Value, to: Type) -> Op {
        let from = self.type_of(arg);
        let one = |shift| One { dst: dst.slot, a: self.slot(arg), shift };
        let narrow = !is_wide(from) && !is_wide(to);
        match op {
            CastOp::Trunc if narrow => Op::Cut(one(shift_of(to))),
            CastOp::ZExt | CastOp::Bitcast if narrow => Op::Copy(one(0)),
            CastOp::SExt if narrow => Op::Extend(one(shift_of(from)), shift_of(to)),
            CastOp::Trunc
            | CastOp::ZExt
            | CastOp::SExt
            | CastOp::FToU
            | CastOp::FToUSat
            | CastOp::FToSSat
            | CastOp::FToS
            | CastOp::UToF
            | CastOp::SToF
            | CastOp::FTrunc
            | CastOp::FExt
            | CastOp::Bitcast => {
                let data = CastData { op, from, to, arg: self.arg(arg), dst };
                Op::Cast(push(&mut self.code.casts, data))
            }
        }
    }

    fn int_compare(&mut self, cc: IntCc, dst: Arg, args: [Value; 2]) -> Op {
        let ty = self.type_of(args[0]);
        if is_wide(ty) {
            return self.wide(WideOp::Compare(cc), ty, dst, [args[0], args[1], args[1]]);
        }
        let (same, swapped) = (self.two(dst, args), self.two(dst, [args[1], args[0]]));
        match cc {
            IntCc::Eq => Op::Eq(same),
            IntCc::Ne => Op::Ne(same),
            IntCc::Ult => Op::Ult(same),
            IntCc::Ule => Op::Ule(same),
            IntCc::Ugt => Op::Ult(swapped),
            IntCc::Uge => Op::Ule(swapped),
            IntCc::Slt => Op::Slt(same),
            IntCc::Sle => Op::Sle(same),
            IntCc::Sgt => Op::Slt(swapped),
            IntCc::Sge => Op::Sle(swapped),
        }
    }

    fn select(&mut self, dst: Arg, cond: Value, args: [Value; 2]) -> Op {
        let ty = self.type_of(args[0]);
        if is_wide(ty) {
            return self.wide(WideOp::Select, ty, dst, [cond, args[0], args[1]]);
        }
        let args = args.map(|value| self.slot(value));
        Op::Select { dst: dst.slot, cond: self.slot(cond), args }
    }

    fn pure(&mut self, dst: Arg, name: &str, args: &[Value], ty: Type) -> Op {
        let types: Vec<_> = args.iter().map(|&arg| self.type_of(arg)).collect();
        let data = PureData {
            meaning: math::meaning(name, &types, ty),
            args: self.args(args).into_iter().zip(types).collect(),
            ty,
            dst,
        };
        Op::Pure(push(&mut self.code.pures, data))
    }

    /// An unknown reference is null: no array can be named by chance.
    fn fresh(&mut self, dst: Arg, ty: Type) -> Op {
        match ty {
            Type::Ref => Op::Nothing,
            _ if dst.wide => {
                let data = WideData {
                    what: WideOp::Fresh,
                    width: width_of(ty),
                    dst,
                    a: dst,
                    b: dst,
                    c: dst,
                };
                Op::Wide(push(&mut self.code.wides, data))
            }
            Type::Int(_) | Type::Float(_) => Op::Fresh { dst: dst.slot, width: width_of(ty) },
        }
    }

    /// Sizes of the launch are constants of the frame.
    fn geometry(&mut self, dst: Arg, Geometry { kind, dim }: Geometry) -> Op {
        let n = dim.index();
        let constant = match kind {
            GeometryKind::ThreadId => return Op::ThreadId { dst: dst.slot, dim: n as u8 },
            GeometryKind::BlockId => return Op::BlockId { dst: dst.slot, dim: n as u8 },
            GeometryKind::BlockDim => self.launch.block[n],
            GeometryKind::GridDim => self.launch.grid[n],
            GeometryKind::GlobalOffset => self.launch.global_offset[n],
            GeometryKind::WorkDim => self.launch.work_dim,
        };
        self.code.template[dst.slot as usize] = u64::from(constant);
        Op::Nothing
    }

    // -- memory -----------------------------------------------------------

    fn place(&self, access: &Access) -> PlaceData {
        let info = &self.arrays[access.array.index()];
        let private = matches!(info.place, Place::Private(_));
        PlaceData {
            array: info.array,
            place: info.place,
            offset: self.slot(access.offset),
            shift: info.shift,
            ghost: access.ghost,
            logged: info.written && !private && !access.ghost,
        }
    }

    fn access(&mut self, access: &Access, kind: Kind, ty: Type, values: Vec<Arg>) -> AccessData {
        let element = ty.bytes().unwrap_or(u32::from(self.module.pointer_width) / 8).max(1);
        let at = self.place(access);
        let len = element * values.len().max(1) as u32;
        // A volatile access of CUDA to one word is strong. Without fences it orders nothing:
        // old code that counts on warps in step is to be told so.
        let is_strong =
            access.volatile && self.has_fences && self.module.language == Language::Cuda;
        let is_word = values.len() <= 1 && element <= 8 && element.is_power_of_two();
        let kind = if is_strong && is_word { kind.volatile(element) } else { kind };
        AccessData {
            at,
            kind,
            element,
            len,
            width: width_of(ty),
            values,
            atomic: None,
            order: MemoryOrder::Relaxed,
        }
    }

    fn load(&mut self, inst: Inst, access: &Access, ty: Type) -> Op {
        let values = self.results(inst);
        let data = self.access(access, Kind::READ, ty, values);
        Op::Load(push(&mut self.code.accesses, data))
    }

    fn store(&mut self, access: &Access, values: &[Value]) -> Op {
        let Some(&first) = values.first() else { return Op::Nothing };
        let data = self.access(access, Kind::WRITE, self.type_of(first), self.args(values));
        Op::Store(push(&mut self.code.accesses, data))
    }

    fn atomic(
        &mut self,
        dst: Arg,
        op: AtomicOp,
        (scope, order): (MemoryScope, MemoryOrder),
        access: &Access,
        args: &[Value],
        ty: Type,
    ) -> Op {
        let mut data = self.access(access, Kind::READ, ty, vec![dst]);
        data.kind = Kind::atomic(op != AtomicOp::Load, scope == MemoryScope::Block, data.element);
        data.values.extend(self.args(args));
        data.atomic = Some((op, ty));
        data.order = order;
        Op::Atomic(push(&mut self.code.accesses, data))
    }

    /// Fences of OpenCL link only the spaces of their flags. Here they link both, so a run
    /// calls no pair of accesses a race that is ordered.
    fn fence(&self, scope: FenceScope, order: MemoryOrder) -> Op {
        match scope {
            FenceScope::Block => Op::Fence(Reach::Block, order),
            FenceScope::Device | FenceScope::System => Op::Fence(Reach::Device, order),
        }
    }

    fn barrier(&mut self, scope: BarrierScope, arg: Option<Value>) -> Op {
        let arg = arg.map(|value| self.slot(value));
        match scope {
            BarrierScope::Block => Op::BlockBarrier { flags: arg },
            BarrierScope::Warp => Op::WarpBarrier { mask: arg },
            BarrierScope::Grid => Op::GridBarrier,
        }
    }

    fn async_copy(&mut self, inst: Inst, result: Arg) -> Op {
        let function = self.function;
        let InstData::AsyncCopy { dst, src, element, count, dst_stride, src_stride, event } =
            &function.insts[inst]
        else {
            return Op::Nothing;
        };
        let number = |value: &Value| (self.arg(*value), width_of(self.type_of(*value)));
        let data = CopyData {
            dst: self.place(dst),
            src: self.place(src),
            element: *element,
            numbers: [number(count), number(dst_stride), number(src_stride)],
            event: self.arg(*event),
            result: result.slot,
        };
        Op::AsyncCopy(push(&mut self.code.copies, data))
    }

    // -- annotations and calls --------------------------------------------

    fn annotation(&mut self, block: Block, inst: Inst, kind: AnnotationKind, args: &[Value]) -> Op {
        let skip = self.taint.affects(self.code.func, block, args.first().copied());
        let data = AnnotationData { inst, kind, args: self.args(args), skip };
        Op::Annotation(push(&mut self.code.annotations, data))
    }

    /// Known ghosts are constants or copies; unknown ones are 0, and what depends
    /// on them is skipped.
    fn ghost(&mut self, inst: Inst, dst: Arg, kind: GhostKind, args: &[Value]) -> Op {
        let unknown = is_unknown_ghost(self.function, &self.function.insts[inst]);
        match (kind, args.first()) {
            (GhostKind::Enabled | GhostKind::DominatorEnabled, _) => {
                dst.write(&mut self.code.template, 1);
                Op::Nothing
            }
            (GhostKind::ArrayIdentity | GhostKind::Old, Some(&arg)) if !unknown && !dst.wide => {
                Op::Copy(One { dst: dst.slot, a: self.slot(arg), shift: 0 })
            }
            (GhostKind::Fold, _) if !dst.wide => self.fold(inst, dst, args),
            _ => Op::Nothing,
        }
    }

    fn fold(&mut self, inst: Inst, dst: Arg, args: &[Value]) -> Op {
        let number = self.function.const_bits(args[4]).and_then(FoldOp::from_number);
        // What a declared operation yields is unknown, and what depends on it is skipped.
        let Some(op) = number.filter(|op| !op.is_declared()) else { return Op::Nothing };
        let of_elements = match op {
            FoldOp::Fits => *args.last().unwrap_or(&args[0]),
            FoldOp::Add
            | FoldOp::SMax
            | FoldOp::UMax
            | FoldOp::SMin
            | FoldOp::UMin
            | FoldOp::Or
            | FoldOp::And
            | FoldOp::Xor
            | FoldOp::Declared
            | FoldOp::Associative
            | FoldOp::Commutative => self.function.result(inst),
        };
        let width = width_of(self.type_of(of_elements));
        let args = [args[0], args[1], args[2], args[3]].map(|arg| self.arg(arg));
        Op::Fold(push(&mut self.code.folds, FoldData { args, op, dst, width }))
    }

    fn call(&mut self, inst: Inst, callee: Func, args: &[Value]) -> Op {
        let target = &self.module.functions[callee];
        let places = value_slots(target);
        let mut moves = Vec::new();
        for (&arg, param) in args.iter().zip(param_values(target)) {
            copy_slots(self.arg(arg), places[param.index()], &mut moves);
        }
        let data = CallData { callee: callee.as_u32(), args: moves, results: self.results(inst) };
        Op::Call(push(&mut self.code.calls, data))
    }
}

/// Where the values of a function live: as `place_values` puts them.
fn value_slots(function: &Function) -> Vec<Arg> {
    let mut next = 0;
    let place = |ty: &Type| {
        let arg = Arg { slot: next, wide: is_wide(*ty) };
        next += 1 + u32::from(arg.wide);
        arg
    };
    function.types.values().map(place).collect()
}

fn copy_slots(from: Arg, to: Arg, moves: &mut Vec<(Slot, Slot)>) {
    moves.push((from.slot, to.slot));
    if from.wide && to.wide {
        moves.push((from.slot + 1, to.slot + 1));
    }
}

/// A constant's bits; references are array numbers plus one.
fn constant_bits(constant: Const) -> u128 {
    match constant {
        Const::Bits(bits) => bits,
        Const::Array(array) => u128::from(array.as_u32()) + 1,
        Const::Null => 0,
    }
}
