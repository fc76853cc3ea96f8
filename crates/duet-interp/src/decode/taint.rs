//! Which values may depend on ghost values that one thread's run cannot know
//! (the other thread's values, access logs): assertions and assumptions over
//! them are skipped. Or on what one instruction yields: a run that made it up may
//! have gone where no real one goes.
//!
//! A static over-approximation over what a kernel may call: through operands, block
//! parameters, calls, arrays, and the branches that decide which way control
//! comes to a block.

use std::collections::{HashSet, VecDeque};

use duet_ir::{
    Array, Block, EntityRef, FoldOp, Func, Function, FunctionKind, GhostKind, Inst, InstData,
    Module, ParamKind, Space, Terminator, Value, ValueDef,
};

use crate::decode::called_from;

/// Where it starts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
enum Source {
    /// At ghost values that a run cannot know.
    #[default]
    Ghosts,
    /// At what an instruction yields.
    Inst(Func, Inst),
}

/// The tainted values and assertions of what a kernel runs.
#[derive(Default, Debug)]
pub(crate) struct Taint {
    source: Source,
    /// What is looked at: nothing comes from functions that the kernel does not call.
    functions: Vec<Func>,
    values: HashSet<(Func, Value)>,
    /// Blocks that control reaches or not depending on a tainted condition.
    blocks: HashSet<(Func, Block)>,
    arrays: HashSet<Array>,
    /// Functions with a tainted result.
    results: HashSet<(Func, usize)>,
    /// Branches on tainted conditions that have been followed: once is enough, and it takes
    /// long in a large function.
    branches: HashSet<(Func, Block)>,
}

/// Can one thread's run not know the ghost value?
pub(crate) fn is_unknown_ghost(function: &Function, data: &InstData) -> bool {
    let InstData::Ghost { kind, args, .. } = data else { return false };
    match kind {
        GhostKind::Enabled | GhostKind::DominatorEnabled | GhostKind::ArrayIdentity => false,
        // What a declared operation yields is not known.
        GhostKind::Fold => fold_op(function, args).is_none_or(FoldOp::is_declared),
        // The value at entry of what never changes is known.
        GhostKind::Old => !matches!(
            args.first().map(|&arg| function.values[arg]),
            Some(ValueDef::FunctionParam(_) | ValueDef::Const(_))
        ),
        GhostKind::Other
        | GhostKind::SameBlock
        | GhostKind::HasRead
        | GhostKind::HasWritten
        | GhostKind::ReadOffset
        | GhostKind::WriteOffset
        | GhostKind::ReturnValue
        | GhostKind::Cell
        | GhostKind::AtomicHasTakenValue => true,
    }
}

/// The operation of a fold.
pub(crate) fn fold_op(function: &Function, args: &[Value]) -> Option<FoldOp> {
    args.get(4).and_then(|&op| function.const_bits(op)).and_then(FoldOp::from_number)
}

impl Taint {
    pub(crate) fn of(module: &Module, kernel: Func) -> Taint {
        let mut taint = Taint { functions: called_from(module, kernel), ..Taint::default() };
        let any = taint.functions.iter().any(|&func| {
            let function = &module.functions[func];
            function.insts.values().any(|data| is_unknown_ghost(function, data))
        });
        if any {
            while taint.spread(module) {}
        }
        taint
    }

    /// What depends on the result of one instruction.
    pub(crate) fn from(module: &Module, func: Func, inst: Inst) -> Taint {
        let functions = match module.functions[func].kind {
            FunctionKind::Kernel { .. } => called_from(module, func),
            FunctionKind::Device => module.functions.keys().collect(),
        };
        let mut taint = Taint { source: Source::Inst(func, inst), functions, ..Taint::default() };
        while taint.spread(module) {}
        taint
    }

    /// Does more than the contents of memory depend on it: where control goes, what is
    /// accessed, what is asserted, who waits for whom?
    pub(crate) fn decides(&self, module: &Module) -> bool {
        let tainted =
            |func: Func, values: &[Value]| values.iter().any(|&value| self.is_tainted(func, value));
        !self.blocks.is_empty()
            || self.functions.iter().any(|&func| {
                let function = &module.functions[func];
                let mut insts =
                    function.layout.iter().flat_map(|&block| &function.blocks[block].insts);
                insts.any(|&inst| match &function.insts[inst] {
                    data @ (InstData::Load { .. }
                    | InstData::Store { .. }
                    | InstData::Atomic { .. }) => {
                        data.accesses().iter().any(|(_, access)| tainted(func, &[access.offset]))
                    }
                    data @ (InstData::Barrier { .. }
                    | InstData::BarrierReduce { .. }
                    | InstData::Exchange { .. }
                    | InstData::AsyncCopy { .. }
                    | InstData::WaitEvents { .. }
                    | InstData::Assert { .. }
                    | InstData::Annotation { .. }
                    | InstData::CallUnknown { .. }) => tainted(func, &data.values()),
                    InstData::Binary { .. }
                    | InstData::Unary { .. }
                    | InstData::Cast { .. }
                    | InstData::IntCompare { .. }
                    | InstData::FloatCompare { .. }
                    | InstData::Select { .. }
                    | InstData::Pure { .. }
                    | InstData::Fresh { .. }
                    | InstData::Geometry(_)
                    | InstData::PtrToInt { .. }
                    | InstData::IntToPtr { .. }
                    | InstData::Fence { .. }
                    | InstData::Ghost { .. }
                    | InstData::Call { .. } => false,
                })
            })
    }

    /// Does the instruction yield something tainted of itself?
    fn starts_at(&self, function: &Function, func: Func, inst: Inst) -> bool {
        match self.source {
            Source::Ghosts => is_unknown_ghost(function, &function.insts[inst]),
            Source::Inst(of, source) => (of, source) == (func, inst),
        }
    }

    /// Does the verdict of an assertion on `cond` in `block` depend on unknowns?
    pub(crate) fn affects(&self, func: Func, block: Block, cond: Option<Value>) -> bool {
        self.blocks.contains(&(func, block))
            || cond.is_some_and(|cond| self.values.contains(&(func, cond)))
    }

    /// One round over the functions. Did anything change?
    fn spread(&mut self, module: &Module) -> bool {
        let before = self.size();
        for func in self.functions.clone() {
            let function = &module.functions[func];
            for &block in &function.layout {
                for &inst in &function.blocks[block].insts {
                    self.spread_inst(module, func, block, inst);
                }
                self.spread_terminator(function, func, block);
            }
        }
        self.size() != before
    }

    fn size(&self) -> usize {
        self.values.len() + self.blocks.len() + self.arrays.len() + self.results.len()
    }

    fn is_tainted(&self, func: Func, value: Value) -> bool {
        self.values.contains(&(func, value))
    }

    fn spread_inst(&mut self, module: &Module, func: Func, block: Block, inst: Inst) {
        let function = &module.functions[func];
        let data = &function.insts[inst];
        let operands = data.values().iter().any(|&value| self.is_tainted(func, value));
        let controlled = self.blocks.contains(&(func, block));
        let accesses = data.accesses();
        let array = accesses.iter().any(|(_, access)| self.arrays.contains(&access.array));
        for (_, access) in accesses {
            let private = module.arrays[access.array].space == Space::Private;
            if writes(data) && (operands || array || controlled && private) {
                self.arrays.insert(access.array);
            }
        }
        if let InstData::Call { callee, args } = data {
            self.spread_call(module, func, inst, *callee, args);
        } else if operands || array || self.starts_at(function, func, inst) {
            let results = &function.results_of[inst];
            self.values.extend(results.iter().map(|&value| (func, value)));
        }
    }

    fn spread_call(
        &mut self,
        module: &Module,
        func: Func,
        inst: Inst,
        callee: Func,
        args: &[Value],
    ) {
        let params = param_values(&module.functions[callee]);
        for (&arg, param) in args.iter().zip(params) {
            if self.is_tainted(func, arg) {
                self.values.insert((callee, param));
            }
        }
        for (n, &result) in module.functions[func].results_of[inst].iter().enumerate() {
            if self.results.contains(&(callee, n)) {
                self.values.insert((func, result));
            }
        }
    }

    fn spread_terminator(&mut self, function: &Function, func: Func, block: Block) {
        let terminator = &function.blocks[block].terminator;
        for edge in terminator.edges() {
            for (&arg, &param) in edge.args.iter().zip(&function.blocks[edge.block].params) {
                if self.is_tainted(func, arg) {
                    self.values.insert((func, param));
                }
            }
        }
        let cond = match terminator {
            Terminator::Branch { cond, .. } => *cond,
            Terminator::Switch { arg, .. } => *arg,
            Terminator::Return(values) => {
                let all = self.blocks.contains(&(func, block));
                for (n, &value) in values.iter().enumerate() {
                    if all || self.is_tainted(func, value) {
                        self.results.insert((func, n));
                    }
                }
                return;
            }
            Terminator::Jump(_) | Terminator::Halt => return,
        };
        if self.is_tainted(func, cond) && self.branches.insert((func, block)) {
            self.spread_branch(function, func, block);
        }
    }

    /// The blocks between a branch and the first block that all its ways meet in.
    fn spread_branch(&mut self, function: &Function, func: Func, branch: Block) {
        let meeting = meeting_block(function, branch);
        for block in reachable(function, branch, meeting) {
            let params = &function.blocks[block].params;
            self.values.extend(params.iter().map(|&value| (func, value)));
            if Some(block) != meeting {
                self.blocks.insert((func, block));
            }
        }
    }
}

/// Does the instruction write to the arrays that it names?
fn writes(data: &InstData) -> bool {
    data.accesses().iter().any(|(kind, _)| kind.may_write() || kind.is_atomic())
}

/// The values that a function's parameters bind, in call order.
pub(crate) fn param_values(function: &Function) -> Vec<Value> {
    let mut values = Vec::new();
    for param in &function.params {
        match param.kind {
            ParamKind::Scalar(value) => values.push(value),
            ParamKind::Pointer(reference, offset) => values.extend([reference, offset]),
            ParamKind::Array(_) => {}
        }
    }
    values
}

/// What can be reached from the successors of `from`; not beyond `stop`.
fn reachable(function: &Function, from: Block, stop: Option<Block>) -> Vec<Block> {
    let mut seen = vec![false; function.blocks.len()];
    let mut work: Vec<Block> = function.successors(from).collect();
    let mut found = Vec::new();
    while let Some(block) = work.pop() {
        if std::mem::replace(&mut seen[block.index()], true) {
            continue;
        }
        found.push(block);
        if Some(block) != stop {
            work.extend(function.successors(block));
        }
    }
    found
}

/// The nearest block that every way from `branch` to an end passes: it lies on each of these
/// ways, so on any one, and removing it leaves no way to an end.
fn meeting_block(function: &Function, branch: Block) -> Option<Block> {
    let separates = |&candidate: &Block| {
        candidate != branch && {
            let without = reachable(function, branch, Some(candidate));
            !without.iter().any(|&block| block != candidate && is_end(function, block))
        }
    };
    way_to_an_end(function, branch)?.into_iter().find(separates)
}

fn is_end(function: &Function, block: Block) -> bool {
    function.successors(block).next().is_none()
}

/// A shortest way from a successor of `from`, a branch, to an end, if there is one.
fn way_to_an_end(function: &Function, from: Block) -> Option<Vec<Block>> {
    let mut before: Vec<Option<Block>> = vec![None; function.blocks.len()];
    let mut work = VecDeque::from([from]);
    while let Some(block) = work.pop_front() {
        if is_end(function, block) {
            let back = |&block: &Block| before[block.index()].filter(|&before| before != from);
            let mut way: Vec<Block> = std::iter::successors(Some(block), back).collect();
            way.reverse();
            return Some(way);
        }
        for successor in function.successors(block) {
            if before[successor.index()].is_none() {
                before[successor.index()] = Some(block);
                work.push_back(successor);
            }
        }
    }
    None
}
