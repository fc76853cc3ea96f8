//! The launches of a program, and what is known about each.

use std::collections::{BTreeSet, HashSet};

use duet_frontend::llvm::{self, Val};
use duet_ir::{BinaryOp, CastOp, Type};
use inkwell::llvm_sys::prelude::LLVMModuleRef;
use inkwell::llvm_sys::{LLVMOpcode, LLVMTypeKind, LLVMValueKind};

use crate::calls::{self, is_stub, kernel_of_stub};
use crate::cfg::{self, Cfg};
use crate::evaluate::{Evaluator, branch_condition, scalar_type};
use crate::found::{self, Turns};
use crate::memory::{Memory, Source, Spot, World, callee_name, is_device, opcode};
use crate::names::{self, Names};
use crate::origins::Origins;
use crate::relation::{Argument, BaseData, Relation, Site, Term, Unknown};
use crate::structs::{self, Passed};
use crate::tables::Fills;

/// The most facts that a relation has.
const MAX_FACTS: usize = 60;
/// The deepest that pointers are followed.
const MAX_POINTER_DEPTH: usize = 24;

/// Finds the launches in all functions of a module, and the kernels with launches that
/// could not be followed.
///
/// SOUNDNESS: a launch that nothing is known about is one of any kind (test
/// `a_launch_that_is_not_followed_may_be_any`).
pub fn find(module: LLVMModuleRef, world: &World) -> (Vec<Site>, BTreeSet<String>) {
    let functions = names::defined(module);
    let frees: Vec<Val> = calls_of(&functions, "__duet_free");
    let fills = Fills::new(module);
    let turns = Turns::new(module);
    let mut sites = vec![];
    let mut lost = BTreeSet::new();
    for &function in &functions {
        if is_stub(&function.name()) {
            continue;
        }
        let launches: Vec<Val> = function
            .blocks()
            .into_iter()
            .flat_map(|block| block.instructions())
            .filter(|&inst| is_launch(inst))
            .collect();
        if launches.is_empty() {
            continue;
        }
        let cfg = Cfg::new(function);
        let names = Names::new(&cfg.blocks);
        let memory = Memory::new(module, &cfg, world);
        for launch in launches {
            if cfg.position.contains_key(&launch) {
                let finder = Finder {
                    cfg: &cfg,
                    memory: &memory,
                    names: &names,
                    turns: &turns,
                    frees: &frees,
                    fills: &fills,
                };
                match finder.site(launch) {
                    // What facts rule out is never launched there.
                    Some(site) if site.relation.is_never_made() => {}
                    Some(mut site) => {
                        site.relation = site.relation.simplified();
                        sites.push(site);
                    }
                    None => lost.extend(launched_kernel(launch)),
                }
            }
        }
    }
    (sites, lost)
}

/// The kernel that a call launches, if it names one.
fn launched_kernel(launch: Val) -> Option<String> {
    let callee = callee_name(launch)?;
    match is_stub(&callee) {
        true => kernel_of_stub(&callee),
        false => kernel_of_stub(&launch.arguments().first()?.name()),
    }
}

/// The kernels whose address goes where it is not followed: they may be launched in ways
/// that are not seen.
pub fn escaped_kernels(module: LLVMModuleRef) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for stub in llvm::functions(module) {
        let name = stub.name();
        if !is_stub(&name) {
            continue;
        }
        let escapes = llvm::users(stub).into_iter().any(|user| escapes(stub, user));
        if escapes {
            found.extend(kernel_of_stub(&name));
        }
    }
    found
}

fn escapes(stub: Val, user: Val) -> bool {
    match callee_name(user) {
        Some(callee) => {
            let is_direct = user.callee() == stub;
            let is_known = callee == "__duet_launch"
                || callee == "cudaLaunch"
                || callee.starts_with("__cudaRegister")
                || calls::effect(&callee) != calls::Effect::Anything;
            !(is_known || is_direct && !user.arguments().contains(&stub))
        }
        None => {
            let is_use = user.is_instruction() || user.is_constant();
            // A comparison does not launch it.
            is_use && opcode(user) != Some(LLVMOpcode::LLVMICmp)
        }
    }
}

fn calls_of(functions: &[Val], name: &str) -> Vec<Val> {
    let insts = functions.iter().flat_map(|function| function.blocks());
    insts
        .flat_map(|block| block.instructions())
        .filter(|&inst| callee_name(inst).as_deref() == Some(name))
        .collect()
}

fn is_null(value: Val) -> bool {
    value.kind() == LLVMValueKind::LLVMConstantPointerNullValueKind
}

fn is_launch(inst: Val) -> bool {
    callee_name(inst).is_some_and(|name| is_stub(&name) || name == "__duet_launch")
}

/// Looks at the launches of one function.
pub struct Finder<'a> {
    pub cfg: &'a Cfg,
    pub memory: &'a Memory<'a>,
    pub names: &'a Names,
    /// The calls after which memory or the order of streams may be another.
    pub turns: &'a Turns,
    frees: &'a [Val],
    fills: &'a Fills,
}

/// A pointer that was followed.
pub struct Pointer {
    pub base: BaseKey,
    pub offset: Term,
}

/// What a pointer starts from.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum BaseKey {
    /// A value: an allocation, or one that is not followed further.
    Value(Val),
    /// What is in memory.
    Memory(Source),
}

impl Finder<'_> {
    fn site(&self, launch: Val) -> Option<Site> {
        let (block, _) = self.cfg.position[&launch];
        let mut evaluator = Evaluator::new(self.cfg, self.memory, self.names, block);
        let callee = callee_name(launch)?;
        let (stub, sizes, by_address) = match is_stub(&callee) {
            true => {
                let configure = self.configuration(block)?;
                (launch.callee(), configure.arguments(), false)
            }
            false => {
                let arguments = launch.arguments();
                let stub = arguments[0];
                if !stub.is_function() || !is_stub(&stub.name()) {
                    return None;
                }
                let mut sizes = arguments[1..7].to_vec();
                sizes.push(arguments[8]);
                (stub, sizes, true)
            }
        };
        let kernel = kernel_of_stub(&stub.name())?;
        // A node of a graph is launched later, by a stream that is not known.
        let stream = sizes.get(7).copied().filter(|_| !by_address);
        let size = |evaluator: &mut Evaluator<'_>, at: usize| evaluator.value(sizes[at]);
        let grid = [0, 1, 2].map(|at| size(&mut evaluator, at));
        let block_sizes = [3, 4, 5].map(|at| size(&mut evaluator, at));
        let shared = size(&mut evaluator, 6);
        let mut bases = Bases { finder: self, launch, keys: vec![], data: vec![], pairs: vec![] };
        let arguments = match by_address {
            true => self.arguments_by_address(&mut evaluator, &mut bases, launch, stub),
            false => Some(self.arguments(&mut evaluator, &mut bases, launch, stub)),
        };
        let conditions = evaluator.conditions_at(block, 0);
        evaluator.facts.extend(conditions);
        let bases = bases.finish();
        let mut relation = Relation {
            terms: evaluator.terms,
            unknowns: evaluator.unknowns,
            grid,
            block: block_sizes,
            shared,
            arguments,
            bases,
            facts: evaluator.facts,
            items: None,
        };
        relation.keep_relevant_facts();
        let relation = relation.settled();
        let mut places = names::places(launch).into_iter();
        let place = places.next()?;
        let tables = match stream {
            Some(stream) if is_null(stream) && self.memory.is_closed() => {
                self.fills.at(self, launch)
            }
            Some(_) | None => vec![],
        };
        let is_once = self.is_once(launch);
        Some(Site { kernel, place, through: places.collect(), relation, tables, is_once })
    }

    /// Does the program make the launch at most once?
    ///
    /// SOUNDNESS: not in a loop, not in a function that others call again, not where work is
    /// recorded and repeated (test `variables_that_are_not_known`).
    fn is_once(&self, launch: Val) -> bool {
        let is_main = self.cfg.function.name() == "main" && self.memory.is_closed();
        is_main && !self.turns.repeats && !self.cfg.reaches(launch, launch, None)
    }

    /// The configuration that a launch goes with: the one whose result is tested on the
    /// way.
    pub fn configuration(&self, block: usize) -> Option<Val> {
        let mut at = block;
        while at != 0 {
            let from = self.cfg.idom[at];
            if let Some(cond) = branch_condition(self.cfg, from)
                && let Some(call) = tested_configuration(cond)
            {
                let then = self.cfg.succs[from][0];
                let other = self.cfg.succs[from][1];
                let decides = self.cfg.edge_dominates(from, then, block)
                    || self.cfg.edge_dominates(from, other, block);
                if decides {
                    return Some(call);
                }
            }
            at = from;
        }
        None
    }

    /// The arguments of a call of a stub.
    fn arguments(
        &self,
        evaluator: &mut Evaluator<'_>,
        bases: &mut Bases<'_, '_>,
        launch: Val,
        stub: Val,
    ) -> Vec<Argument> {
        let groups = groups(stub);
        let values = launch.arguments();
        groups
            .into_iter()
            .enumerate()
            .map(|group| match group {
                (_, Group::Plain(at)) => self.argument(evaluator, bases, values[at]),
                (number, Group::Struct(passed)) => {
                    match structs::parts(self.memory.module, stub, number) {
                        Some(parts) => {
                            self.struct_argument(evaluator, bases, launch, &passed, parts)
                        }
                        None => Argument::Opaque,
                    }
                }
            })
            .collect()
    }

    pub fn argument(
        &self,
        evaluator: &mut Evaluator<'_>,
        bases: &mut Bases<'_, '_>,
        value: Val,
    ) -> Argument {
        if value.ty().is_pointer() {
            let pointer = self.pointer(evaluator, value, 0);
            let base = bases.number(evaluator, pointer.base);
            return Argument::Pointer { base, offset: pointer.offset };
        }
        match scalar_type(value) {
            Some(_) => Argument::Scalar(evaluator.value(value)),
            None => Argument::Opaque,
        }
    }

    /// The arguments of a launch that is given an array of their addresses.
    fn arguments_by_address(
        &self,
        evaluator: &mut Evaluator<'_>,
        bases: &mut Bases<'_, '_>,
        launch: Val,
        stub: Val,
    ) -> Option<Vec<Argument>> {
        let list = self.memory.spot(launch.arguments()[7], 8)?;
        let params = stub.params();
        let mut found = vec![];
        for (number, group) in groups(stub).into_iter().enumerate() {
            let Group::Plain(at) = group else {
                found.push(Argument::Opaque);
                continue;
            };
            let slot = Spot { offset: list.offset + 8 * number as i64, ..list };
            let source = self.memory.resolve(self.memory.source_before(slot, launch));
            let Source::Stored(address) = source else {
                found.push(Argument::Opaque);
                continue;
            };
            let param = params[at];
            let spot = self.memory.spot(address, self.memory.size_of(param));
            let Some(spot) = spot.filter(|&spot| self.memory.is_steady(spot)) else {
                found.push(Argument::Opaque);
                continue;
            };
            let source = self.memory.resolve(self.memory.source_before(spot, launch));
            found.push(match scalar_type(param) {
                Some(_) if param.ty().is_pointer() => {
                    let pointer = self.pointer_of_source(evaluator, source, 0);
                    let base = bases.number(evaluator, pointer.base);
                    Argument::Pointer { base, offset: pointer.offset }
                }
                Some(ty) => Argument::Scalar(evaluator.source(source, ty, "")),
                None => Argument::Opaque,
            });
        }
        Some(found)
    }

    /// Follows a pointer to what it starts from.
    fn pointer(&self, evaluator: &mut Evaluator<'_>, pointer: Val, depth: usize) -> Pointer {
        let address = self.memory.address(pointer);
        let mut offset = evaluator.terms.constant(address.offset as u128, Type::I64);
        for (index, scale) in address.indices {
            let index = evaluator.value(index);
            let index = match evaluator.terms.ty(index) {
                Type::I64 => index,
                Type::Int(width) if width < 64 => {
                    evaluator.terms.cast(CastOp::SExt, index, Type::I64)
                }
                Type::Int(_) | Type::Float(_) | Type::Ref => {
                    evaluator.terms.cast(CastOp::Trunc, index, Type::I64)
                }
            };
            let scale = evaluator.terms.constant(u128::from(scale), Type::I64);
            let part = evaluator.terms.binary(BinaryOp::Mul, false, index, scale);
            offset = evaluator.terms.binary(BinaryOp::Add, false, offset, part);
        }
        let inner = self.pointer_base(evaluator, address.base, depth);
        let offset = evaluator.terms.binary(BinaryOp::Add, false, inner.offset, offset);
        Pointer { base: inner.base, offset }
    }

    fn pointer_base(&self, evaluator: &mut Evaluator<'_>, base: Val, depth: usize) -> Pointer {
        let zero = evaluator.terms.constant(0, Type::I64);
        let symbolic = Pointer { base: BaseKey::Value(base), offset: zero };
        if depth > MAX_POINTER_DEPTH || !base.is_instruction() {
            return symbolic;
        }
        match base.opcode() {
            LLVMOpcode::LLVMLoad => {
                let spot = self.memory.spot(base.operand(0), 8);
                let spot = spot.filter(|&spot| !base.is_volatile() && self.memory.is_steady(spot));
                let Some(spot) = spot else { return symbolic };
                let source = self.memory.resolve(self.memory.source_before(spot, base));
                self.pointer_of_source(evaluator, source, depth + 1)
            }
            LLVMOpcode::LLVMPHI => {
                let block = self.cfg.block_of(base);
                let inside = self.cfg.loops.get(&block);
                let incoming: Vec<Val> = self.cfg.preds[block]
                    .iter()
                    .filter(|pred| inside.is_none_or(|body| !body.contains(pred)))
                    .map(|&pred| cfg::incoming(base, self.cfg.blocks[pred]))
                    .collect();
                if let Some(body) = inside {
                    return self.carried(evaluator, base, body, depth).unwrap_or(symbolic);
                }
                self.same_pointer(evaluator, &incoming, depth).unwrap_or(symbolic)
            }
            LLVMOpcode::LLVMSelect => {
                let sides = [base.operand(1), base.operand(2)];
                self.same_pointer(evaluator, &sides, depth).unwrap_or(symbolic)
            }
            _ => symbolic,
        }
    }

    /// A pointer that a loop carries: one that stays, or moves inside its memory.
    fn carried(
        &self,
        evaluator: &mut Evaluator<'_>,
        phi: Val,
        body: &HashSet<usize>,
        depth: usize,
    ) -> Option<Pointer> {
        let (start, next) = self.around(phi, body)?;
        let step = self.memory.address(next);
        if step.base != phi {
            return None;
        }
        let start = self.pointer(evaluator, start, depth + 1);
        if step.offset == 0 && step.indices.is_empty() {
            return Some(start);
        }
        // It moves by something in each iteration: somewhere in the same memory.
        let moved = evaluator.value(phi);
        let offset = evaluator.terms.binary(BinaryOp::Add, false, start.offset, moved);
        Some(Pointer { base: start.base, offset })
    }

    /// What comes into a loop's head from before, and from the one latch.
    fn around(&self, phi: Val, body: &HashSet<usize>) -> Option<(Val, Val)> {
        let block = self.cfg.block_of(phi);
        let (inside, outside): (Vec<usize>, Vec<usize>) =
            self.cfg.preds[block].iter().partition(|pred| body.contains(pred));
        let (&[latch], &[before]) = (inside.as_slice(), outside.as_slice()) else { return None };
        let from = |pred: usize| cfg::incoming(phi, self.cfg.blocks[pred]);
        Some((from(before), from(latch)))
    }

    /// The two allocations that a loop exchanges in each iteration, if the pointer is one
    /// of such a pair: whichever iteration it is, it points to the start of one of them,
    /// and its partner to the other.
    ///
    /// SOUNDNESS: only an exchange in every iteration keeps the two apart (trap 12 of the
    /// test `traps`).
    fn exchanged(&self, evaluator: &mut Evaluator<'_>, phi: Val) -> Option<[Val; 2]> {
        let is_phi = |value: Val| value.is_instruction() && value.opcode() == LLVMOpcode::LLVMPHI;
        let block = self.cfg.block_of(phi);
        let body = self.cfg.loops.get(&block).filter(|_| is_phi(phi))?;
        let (first, partner) = self.around(phi, body)?;
        if !is_phi(partner) || self.cfg.block_of(partner) != block || partner == phi {
            return None;
        }
        let (second, back) = self.around(partner, body)?;
        if back != phi {
            return None;
        }
        let mut allocation = |value: Val| {
            let pointer = self.pointer(evaluator, value, 1);
            let BaseKey::Value(base) = pointer.base else { return None };
            let at_start = evaluator.terms.bits(pointer.offset) == Some(0);
            (is_device(base) && at_start).then_some(base)
        };
        let pair = [allocation(first)?, allocation(second)?];
        (pair[0] != pair[1]).then_some(pair)
    }

    /// The pointer that all of these are, null aside: a kernel that is given null can do
    /// nothing with it.
    fn same_pointer(
        &self,
        evaluator: &mut Evaluator<'_>,
        values: &[Val],
        depth: usize,
    ) -> Option<Pointer> {
        let mut found: Option<Pointer> = None;
        for &value in values {
            if value.kind() == LLVMValueKind::LLVMConstantPointerNullValueKind {
                return None;
            }
            let pointer = self.pointer(evaluator, value, depth + 1);
            match &found {
                Some(known) if known.base != pointer.base || known.offset != pointer.offset => {
                    return None;
                }
                Some(_) => {}
                None => found = Some(pointer),
            }
        }
        found
    }

    pub fn pointer_of_source(
        &self,
        evaluator: &mut Evaluator<'_>,
        source: Source,
        depth: usize,
    ) -> Pointer {
        let zero = evaluator.terms.constant(0, Type::I64);
        match source {
            Source::Stored(value) if value.ty().is_pointer() && depth <= MAX_POINTER_DEPTH => {
                self.pointer(evaluator, value, depth + 1)
            }
            Source::Stored(_)
            | Source::Zero
            | Source::Changed(..)
            | Source::Entry(_)
            | Source::Merged(..) => Pointer { base: BaseKey::Memory(source), offset: zero },
        }
    }

    /// May the allocation have been freed before the launch?
    ///
    /// SOUNDNESS: then its address may be that of a later one (trap 11 of the test `traps`).
    fn may_be_freed(&self, evaluator: &mut Evaluator<'_>, allocation: Val, launch: Val) -> bool {
        self.frees.iter().any(|&free| {
            if llvm::instruction_function(free) != self.cfg.function {
                return true;
            }
            if !self.cfg.reaches(free, launch, Some(allocation)) {
                return false;
            }
            match self.pointer(evaluator, free.arguments()[0], 0).base {
                BaseKey::Value(freed) if is_device(freed) => freed == allocation,
                BaseKey::Value(_) | BaseKey::Memory(_) => true,
            }
        })
    }
}

/// The call of `__duet_configure` whose result a condition compares with zero.
fn tested_configuration(cond: Val) -> Option<Val> {
    let is_configure = |value: Val| callee_name(value).as_deref() == Some("__duet_configure");
    if !cond.is_instruction() || cond.opcode() != LLVMOpcode::LLVMICmp {
        return None;
    }
    let call = cond.operand(0);
    (is_configure(call) && cond.operand(1).const_u64() == Some(0)).then_some(call)
}

/// A parameter of the kernel among those of its stub.
enum Group {
    /// One number or pointer.
    Plain(usize),
    /// A struct.
    Struct(Passed),
}

/// The kernel's parameters as the stub takes them: clang passes a struct by reference or
/// in parts.
fn groups(stub: Val) -> Vec<Group> {
    let mut found: Vec<(String, Group)> = vec![];
    for (number, param) in stub.params().into_iter().enumerate() {
        let name = param.name();
        let base = name.split(".coerce").next().unwrap_or(&name).to_string();
        let is_part = name.contains(".coerce");
        let by_reference = stub.byval_type(number as u32).is_some()
            || stub.param_has_attribute(number as u32, "byval")
            || is_indirect(stub, number as u32);
        if is_part {
            match found.last_mut() {
                Some((last, Group::Struct(Passed::InWords(words)))) if *last == base => {
                    words.push(number);
                }
                _ => found.push((base, Group::Struct(Passed::InWords(vec![number])))),
            }
        } else if by_reference
            || matches!(
                param.ty().kind(),
                LLVMTypeKind::LLVMStructTypeKind | LLVMTypeKind::LLVMVectorTypeKind
            )
        {
            found.push((base, Group::Struct(Passed::ByReference(number))));
        } else {
            found.push((base, Group::Plain(number)));
        }
    }
    found.into_iter().map(|(_, group)| group).collect()
}

/// A struct with a copy constructor of its own is passed by the address of a copy, which
/// only the debug information tells from a pointer: such a parameter is `noundef` and has
/// no other mark, but its name stays the parameter's. A pointer to it is dead on return.
fn is_indirect(stub: Val, number: u32) -> bool {
    stub.param_has_attribute(number, "dead_on_unwind")
        || stub.param_has_attribute(number, "nonnull")
        || stub.param_has_attribute(number, "dereferenceable")
}

/// The memory that the arguments of a launch point into.
pub struct Bases<'f, 'a> {
    finder: &'f Finder<'a>,
    launch: Val,
    keys: Vec<BaseKey>,
    data: Vec<BaseData>,
    /// Bases that are one of two allocations, whichever.
    pairs: Vec<(usize, [Val; 2])>,
}

impl Bases<'_, '_> {
    /// The memory. One of two allocations is not known to be distinct from either of them,
    /// nor from one of another pair.
    fn finish(mut self) -> Vec<BaseData> {
        for (number, pair) in &self.pairs {
            let meets = |(at, key): (usize, &BaseKey)| {
                at != *number && matches!(key, BaseKey::Value(value) if pair.contains(value))
            };
            let mixes = |(at, other): &(usize, [Val; 2])| {
                at != number
                    && other.iter().any(|one| pair.contains(one))
                    && !(other[0] == pair[1] && other[1] == pair[0])
            };
            let doubles = |(at, other): &(usize, [Val; 2])| at != number && other == pair;
            if self.keys.iter().enumerate().any(meets)
                || self.pairs.iter().any(|one| mixes(one) || doubles(one))
            {
                self.data[*number].distinct = false;
            }
        }
        self.data
    }

    pub fn number(&mut self, evaluator: &mut Evaluator<'_>, key: BaseKey) -> usize {
        if let Some(known) = self.keys.iter().position(|&other| other == key) {
            return known;
        }
        let names = self.finder.names;
        let data = match key {
            BaseKey::Value(value) if is_device(value) => {
                let (found, given) = found::at(self.finder, value, self.launch);
                BaseData {
                    name: names.of(value),
                    size: Some(evaluator.value(value.arguments()[0])),
                    distinct: !self.finder.may_be_freed(evaluator, value, self.launch),
                    may_be_unset: false,
                    found,
                    given,
                }
            }
            BaseKey::Value(value) => {
                let pair = self.finder.exchanged(evaluator, value);
                let size = pair.and_then(|pair| {
                    let sizes = pair.map(|one| evaluator.value(one.arguments()[0]));
                    (sizes[0] == sizes[1]).then_some(sizes[0])
                });
                let distinct = pair.is_some_and(|pair| {
                    pair.iter().all(|&one| !self.finder.may_be_freed(evaluator, one, self.launch))
                });
                self.pairs.extend(pair.map(|pair| (self.keys.len(), pair)));
                let base = BaseData { size, distinct, ..BaseData::unknown(names.of(value)) };
                match pair {
                    Some(_) => base,
                    None => self.chosen(evaluator, base, self.finder.origins_of_value(value)),
                }
            }
            BaseKey::Memory(source) => {
                let name = match source {
                    Source::Changed(_, spot) | Source::Entry(spot) | Source::Merged(spot, _) => {
                        names.of(spot.object)
                    }
                    Source::Stored(value) => names.of(value),
                    Source::Zero => String::new(),
                };
                let base = BaseData::unknown(name);
                self.chosen(evaluator, base, self.finder.origins_of_source(source))
            }
        };
        self.keys.push(key);
        self.data.push(data);
        self.keys.len() - 1
    }
}

impl Bases<'_, '_> {
    /// Memory that is one of several allocations.
    fn chosen(
        &self,
        evaluator: &mut Evaluator<'_>,
        base: BaseData,
        origins: Option<Origins>,
    ) -> BaseData {
        let Some(origins) = origins else { return base };
        match self.finder.common_size(evaluator, &origins) {
            Some(size) => BaseData { size: Some(size), may_be_unset: origins.may_be_unset, ..base },
            None => base,
        }
    }
}

impl Relation {
    /// Drops the facts that say nothing about the launch.
    fn keep_relevant_facts(&mut self) {
        let mut relevant = self.launch_unknowns();
        let mut facts: Vec<Term> = vec![];
        let mut open: Vec<Term> = std::mem::take(&mut self.facts);
        open.sort();
        open.dedup();
        open.retain(|&fact| self.terms.bits(fact) != Some(1));
        loop {
            let (near, far): (Vec<Term>, Vec<Term>) = open
                .into_iter()
                .partition(|&fact| !self.terms.unknowns_of(fact).is_disjoint(&relevant));
            open = far;
            if near.is_empty() {
                break;
            }
            for fact in near {
                relevant.extend(self.terms.unknowns_of(fact));
                facts.push(fact);
            }
        }
        facts.truncate(MAX_FACTS);
        facts.sort();
        self.facts = facts;
    }

    /// The unknowns of sizes and arguments.
    pub fn launch_unknowns(&self) -> BTreeSet<Unknown> {
        let mut found = BTreeSet::new();
        let mut add = |term: Term| found.extend(self.terms.unknowns_of(term));
        self.grid.into_iter().chain(self.block).for_each(&mut add);
        add(self.shared);
        self.arguments.iter().flatten().flat_map(Argument::terms).for_each(&mut add);
        self.bases.iter().filter_map(|base| base.size).for_each(&mut add);
        found
    }
}
