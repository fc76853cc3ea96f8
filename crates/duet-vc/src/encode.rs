//! Walks a region for one thread and makes terms.

use std::collections::HashMap;

use duet_analysis::{ArrayUses, Loop, Loops};
use duet_ir::{
    Access, AnnotationKind, Array, Block, Const, Function, GhostKind, Inst, InstData, Module,
    Space, Terminator, Type, Value, ValueDef,
};
use duet_product::{Context, Node, Region, Successor};
use duet_smt::{TermId, TermPool};

use crate::candidates::{Invariants, affine_steps};
use crate::launch::{Geometry, ThreadTerms};
use crate::memory::{self, Memory};
use crate::ops;
use crate::walk::{
    Assumption, EndTerm, HeaderEdge, HeaderTerm, ObligationTerm, Point, SiteTerm, Walk,
};

/// A kernel and what is known about it.
#[derive(Clone, Copy)]
pub struct Kernel<'a> {
    /// The module.
    pub module: &'a Module,
    /// The kernel.
    pub func: &'a Function,
    /// Its loops.
    pub loops: &'a Loops,
    /// Its accesses.
    pub uses: &'a ArrayUses,
    /// The launch.
    pub geometry: &'a Geometry,
}

/// What two threads have in common: symbols that they share.
pub struct Sharing<'a> {
    /// Is the value the same for both threads here?
    pub value: &'a dyn Fn(Value) -> bool,
    /// Are both threads at the same visit of the loop's header?
    pub visit: &'a dyn Fn(Loop) -> bool,
    /// Do both threads see the same contents of the array at the start?
    pub contents: &'a dyn Fn(Array) -> bool,
    /// Tells the symbols of this walk from those of others.
    pub tag: &'a str,
}

/// Where a walk starts from.
#[derive(Clone, Copy)]
pub struct Start<'a> {
    /// The walk that led here; none from the entry.
    pub before: Option<&'a Walk>,
}

/// Walks one region for one thread.
pub struct Encoder<'a> {
    kernel: Kernel<'a>,
    pool: &'a mut TermPool,
    thread: &'a ThreadTerms,
    region: &'a Region,
    sharing: &'a Sharing<'a>,
    invariants: &'a Invariants,
    start: Start<'a>,
    walk: Walk,
    /// Conditions of the edges out of each node.
    edges: HashMap<(Node, usize), TermId>,
    /// Values that depend on what a single thread does not know.
    tainted: HashMap<Value, bool>,
    /// The node that is being walked.
    node: Node,
    /// How far the walk is.
    moment: u32,
}

impl<'a> Encoder<'a> {
    /// Walks `region`.
    pub fn walk(
        kernel: Kernel<'a>,
        pool: &'a mut TermPool,
        thread: &'a ThreadTerms,
        region: &'a Region,
        sharing: &'a Sharing<'a>,
        invariants: &'a Invariants,
        start: Start<'a>,
    ) -> Walk {
        let mut encoder = Encoder {
            kernel,
            pool,
            thread,
            region,
            sharing,
            invariants,
            start,
            walk: Walk::default(),
            edges: HashMap::new(),
            tainted: HashMap::new(),
            node: region.root(),
            moment: 0,
        };
        for &node in &region.order {
            encoder.node = node;
            encoder.note_ancestors(node);
            encoder.enter(node);
            encoder.instructions(node);
            encoder.leave(node);
        }
        encoder.close_headers();
        encoder.walk
    }

    fn note_ancestors(&mut self, node: Node) {
        let mut all = std::collections::BTreeSet::new();
        for (from, _) in &self.region.nodes[node].predecessors {
            if let Some(before) = self.walk.ancestors.get(from) {
                all.extend(before);
                all.insert(*from);
            }
        }
        self.walk.ancestors.insert(node, all);
    }

    /// Here and now.
    fn point(&mut self) -> Point {
        self.moment += 1;
        Point { node: self.node, moment: self.moment }
    }

    /// The end of a node.
    fn end_of(node: Node) -> Point {
        Point { node, moment: u32::MAX }
    }

    /// States a fact that holds from here on.
    fn assume(&mut self, holds: TermId) {
        let reach = self.walk.reach[&self.node];
        let fact = self.pool.implies(reach, holds);
        let at = self.point();
        self.walk.assumptions.push(Assumption { at, fact });
    }

    fn context(&self) -> Context {
        self.region.nodes[self.node].context
    }

    // ---- Values ---------------------------------------------------------

    /// The term of a value as seen from the current node.
    pub fn term(&mut self, value: Value) -> TermId {
        let func = self.kernel.func;
        let ty = func.type_of(value);
        match func.values[value] {
            ValueDef::Const(Const::Bits(bits)) => ops::constant(self.pool, bits, ty),
            ValueDef::Const(Const::Null) => self.pool.bv(32, 0),
            ValueDef::Const(Const::Array(array)) => self.pool.bv(32, array_number(array)),
            ValueDef::FunctionParam(_) => self.param(value, ty),
            _ => self.look_up(value),
        }
    }

    /// A scalar parameter: the same for all threads of a launch.
    fn param(&mut self, value: Value, ty: Type) -> TermId {
        let name = crate::launch::argument_name(self.kernel.func, value);
        self.pool.constant(&name, ops::sort_of(ty))
    }

    fn look_up(&mut self, value: Value) -> TermId {
        let mut at = Some(self.context());
        while let Some(context) = at {
            if let Some(&term) = self.walk.values.get(&(context, value)) {
                return term;
            }
            at = self.region.parents[context];
        }
        // The way to the start has every loop cut, hence one pass only.
        let only = <Context as duet_ir::EntityRef>::new(0);
        let before = self.start.before.and_then(|walk| walk.values.get(&(only, value)));
        match before.copied() {
            Some(term) => term,
            None => self.unknown_value(value),
        }
    }

    fn define(&mut self, value: Value, term: TermId) {
        let context = self.context();
        self.walk.values.insert((context, value), term);
    }

    /// A symbol for a value of which nothing is known; one for both threads where
    /// they agree on it.
    fn unknown_value(&mut self, value: Value) -> TermId {
        let shared = (self.sharing.value)(value);
        let name = self.symbol(&format!("{value}"), shared);
        let sort = ops::sort_of(self.kernel.func.type_of(value));
        self.pool.constant(&name, sort)
    }

    /// A name for something at the current node.
    fn symbol(&self, what: &str, shared: bool) -> String {
        let who = if shared { "" } else { self.thread.name.as_str() };
        format!("{what}@{}.{}{who}", self.sharing.tag, self.node)
    }

    // ---- Nodes ----------------------------------------------------------

    /// The condition, the parameters and the memory on arrival at a node.
    fn enter(&mut self, node: Node) {
        let data = &self.region.nodes[node];
        if node == self.region.root() {
            let here = self.pool.tt();
            self.walk.reach.insert(node, here);
            let memory = self.initial_memory();
            self.walk.memory.insert(node, memory);
            if let Some(id) = data.cut {
                self.cut(node, id, vec![]);
            }
            return;
        }
        let mut incoming: Vec<(TermId, Vec<TermId>, Node)> = vec![];
        for (from, edge) in data.predecessors.clone() {
            if let Some(&guard) = self.edges.get(&(from, edge)) {
                incoming.push((guard, self.edge_args(from, edge), from));
            }
        }
        let guards: Vec<TermId> = incoming.iter().map(|(guard, _, _)| *guard).collect();
        let reach = self.join(&guards);
        self.walk.reach.insert(node, reach);
        let count = self.kernel.func.blocks[data.block].params.len();
        let merged: Vec<TermId> = (0..count)
            .map(|index| {
                let choices: Vec<(TermId, TermId)> =
                    incoming.iter().map(|(guard, args, _)| (*guard, args[index])).collect();
                self.choose(&choices)
            })
            .collect();
        let memory = self.merge_memory(&incoming);
        self.walk.memory.insert(node, memory);
        match data.cut {
            Some(id) => self.cut(node, id, merged),
            None => self.bind(data.block, &merged),
        }
    }

    fn bind(&mut self, block: Block, terms: &[TermId]) {
        for (&param, &term) in self.kernel.func.blocks[block].params.iter().zip(terms) {
            self.define(param, term);
        }
    }

    /// The arguments of an edge, seen from where it starts.
    fn edge_args(&mut self, from: Node, edge: usize) -> Vec<TermId> {
        let here = std::mem::replace(&mut self.node, from);
        let block = self.region.nodes[from].block;
        let args = self.kernel.func.blocks[block].terminator.edges()[edge].args.clone();
        let terms = args.into_iter().map(|arg| self.term(arg)).collect();
        self.node = here;
        terms
    }

    /// The value of whichever edge was taken: exactly one is.
    fn choose(&mut self, choices: &[(TermId, TermId)]) -> TermId {
        let Some((&(_, last), rest)) = choices.split_last() else {
            return self.pool.ff();
        };
        rest.iter()
            .rev()
            .fold(last, |otherwise, &(guard, term)| self.pool.ite(guard, term, otherwise))
    }

    /// Disjunction of edge conditions, `a and c` and `a and not c` made `a`.
    fn join(&mut self, guards: &[TermId]) -> TermId {
        let mut guards = guards.to_vec();
        'again: loop {
            for i in 0..guards.len() {
                for j in i + 1..guards.len() {
                    if let Some(merged) = self.complementary(guards[i], guards[j]) {
                        guards[i] = merged;
                        guards.remove(j);
                        continue 'again;
                    }
                }
            }
            return self.pool.or(&guards);
        }
    }

    /// What two conjunctions have in common, if they differ in one literal only,
    /// which is negated in the other.
    fn complementary(&mut self, a: TermId, b: TermId) -> Option<TermId> {
        let (x, y) = (self.conjuncts(a), self.conjuncts(b));
        let only_x: Vec<TermId> = x.iter().copied().filter(|term| !y.contains(term)).collect();
        let only_y: Vec<TermId> = y.iter().copied().filter(|term| !x.contains(term)).collect();
        let ([p], [q]) = (&only_x[..], &only_y[..]) else { return None };
        if self.pool.not(*p) != *q {
            return None;
        }
        let common: Vec<TermId> = x.into_iter().filter(|term| y.contains(term)).collect();
        Some(self.pool.and(&common))
    }

    fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        match self.pool.op(term) {
            duet_smt::Op::And => self.pool.args(term).to_vec(),
            _ => vec![term],
        }
    }

    /// The conditions of the edges out of a node, and its end.
    fn leave(&mut self, node: Node) {
        let data = &self.region.nodes[node];
        let reach = self.walk.reach[&node];
        if let Some(end) = data.finish {
            self.walk.ends.push(EndTerm { at: Self::end_of(node), end, guard: reach });
            return;
        }
        let terminator = self.kernel.func.blocks[data.block].terminator.clone();
        let conditions = self.edge_conditions(&terminator);
        for (edge, condition) in conditions.into_iter().enumerate() {
            let guard = self.pool.and2(reach, condition);
            self.edges.insert((node, edge), guard);
        }
    }

    fn edge_conditions(&mut self, terminator: &Terminator) -> Vec<TermId> {
        match terminator {
            Terminator::Branch { cond, .. } => {
                let cond = self.term(*cond);
                vec![cond, self.pool.not(cond)]
            }
            Terminator::Switch { arg, cases, .. } => {
                let ty = self.kernel.func.type_of(*arg);
                let arg = self.term(*arg);
                let mut conditions: Vec<TermId> = cases
                    .iter()
                    .map(|(case, _)| {
                        let case = ops::constant(self.pool, *case, ty);
                        self.pool.eq(arg, case)
                    })
                    .collect();
                let any = self.pool.or(&conditions);
                conditions.push(self.pool.not(any));
                conditions
            }
            Terminator::Jump(_) => vec![self.pool.tt()],
            Terminator::Return(_) | Terminator::Halt => vec![],
        }
    }

    // ---- Loops ----------------------------------------------------------

    /// An arbitrary visit of a header: unknown parameters under the invariants,
    /// and forgotten memory.
    fn cut(&mut self, node: Node, id: Loop, initial: Vec<TermId>) {
        let block = self.region.nodes[node].block;
        let params = self.arbitrary_params(id, block, &initial);
        self.bind(block, &params);
        self.forget_written(node, id);
        let header = HeaderTerm {
            id,
            node,
            context: self.context(),
            initial,
            params: params.clone(),
            edges: vec![],
        };
        // SOUNDNESS: an invariant compares with the values on entry to the loop. Where
        // a back edge leads to the cut, those on arrival are of a later visit
        // (kernels/soundness/02-cut-after-passes).
        let entered = self.region.passed[self.context()] != Some(id);
        for candidate in self.invariants.of(id).to_vec() {
            if (entered || !candidate.is_about_entry())
                && let Some(holds) = self.candidate(&candidate, &header, &params)
            {
                self.assume(holds);
            }
        }
        self.walk.headers.push(header);
    }

    /// Parameters at an arbitrary visit. A counter with a constant step is its
    /// first value plus so many steps, exactly modulo its width.
    fn arbitrary_params(&mut self, id: Loop, block: Block, initial: &[TermId]) -> Vec<TermId> {
        let func = self.kernel.func;
        let steps = affine_steps(func, self.kernel.loops, id);
        let same_visit = (self.sharing.visit)(id);
        let count = self.symbol("visits", same_visit);
        let count = self.pool.bv_var(&count, 64);
        let mut params = vec![];
        for (index, &param) in func.blocks[block].params.iter().enumerate() {
            let ty = func.type_of(param);
            let step = steps.get(index).copied().flatten();
            let term = match (step, initial.get(index)) {
                (Some(step), Some(&first)) if ty.is_int() && ty != Type::BOOL => {
                    let width = ty.bits().expect("an integer");
                    let step = self.step_term(step);
                    let visits = self.pool.zext_or_trunc(count, width);
                    let distance = self.pool.bv_mul(visits, step);
                    self.pool.bv_add(first, distance)
                }
                _ => {
                    let shared = same_visit && (self.sharing.value)(param);
                    let name = self.symbol(&param.to_string(), shared);
                    self.pool.constant(&name, ops::sort_of(ty))
                }
            };
            params.push(term);
        }
        params
    }

    pub(crate) fn step_term(&mut self, step: crate::candidates::Step) -> TermId {
        let term = self.term(step.value);
        if step.negated { self.pool.bv_neg(term) } else { term }
    }

    /// Forgets what the loop may change, and all shared memory if it passes a
    /// barrier. SOUNDNESS: trap 20 is proved wrongly without this.
    fn forget_written(&mut self, node: Node, id: Loop) {
        let written = self.kernel.uses.may_be_written_in(self.kernel.func, self.kernel.loops, id);
        for array in written {
            self.forget(node, array);
        }
        let passes_barrier = self.kernel.loops.data(id).blocks.iter().any(|&block| {
            self.kernel.func.blocks[block].insts.iter().any(|&inst| self.is_any_barrier(inst))
        });
        if passes_barrier {
            self.forget_shared(node);
        }
    }

    fn is_any_barrier(&self, inst: Inst) -> bool {
        let data = &self.kernel.func.insts[inst];
        matches!(data, InstData::Barrier { .. } | InstData::BarrierReduce { .. })
    }

    /// Completes the edges into cut headers.
    fn close_headers(&mut self) {
        let mut headers = std::mem::take(&mut self.walk.headers);
        for header in &mut headers {
            let entries = self.region.nodes[header.node].predecessors.clone();
            for (from, edge) in entries {
                self.add_header_edge(header, from, edge, false);
            }
            for &from in &self.region.order {
                for (edge, successor) in
                    self.region.nodes[from].successors.clone().into_iter().enumerate()
                {
                    if successor == Successor::Cut(header.node) {
                        self.add_header_edge(header, from, edge, true);
                    }
                }
            }
        }
        self.walk.headers = headers;
    }

    fn add_header_edge(&mut self, header: &mut HeaderTerm, from: Node, edge: usize, is_back: bool) {
        let Some(&guard) = self.edges.get(&(from, edge)) else { return };
        let args = self.edge_args(from, edge);
        let claims = self
            .invariants
            .of(header.id)
            .to_vec()
            .into_iter()
            .map(|candidate| {
                let holds = self.candidate(&candidate, header, &args);
                (candidate, holds)
            })
            .collect();
        let at = Self::end_of(from);
        header.edges.push(HeaderEdge { is_back, at, guard, args, claims });
    }

    // ---- Memory ---------------------------------------------------------

    fn initial_memory(&mut self) -> Memory {
        let mut memory = Memory::default();
        for (array, data) in self.kernel.module.arrays.iter() {
            let private = data.space == Space::Private;
            // SOUNDNESS: shared memory that nobody writes holds whatever was there,
            // in each block something else (kernels/soundness/05-never-written-shared).
            let constant = self.kernel.uses.is_never_written(array) && data.space != Space::Shared;
            let shared = constant || (self.sharing.contents)(array);
            let name = match constant && !private {
                true => format!("contents:{}", data.name),
                false => {
                    let tag = self.sharing.tag;
                    let who = if shared && !private { "" } else { self.thread.name.as_str() };
                    format!("contents:{}@{tag}{who}", data.name)
                }
            };
            let sort = memory::contents_sort(data, self.kernel.module.pointer_width);
            memory.arrays.insert(array, self.pool.constant(&name, sort));
        }
        // The thread's own private arrays are what they were.
        if let Some(before) = self.start.before
            && let Some(known) = before.final_memory()
        {
            for (array, data) in self.kernel.module.arrays.iter() {
                if data.space == Space::Private {
                    memory.arrays.insert(array, known.arrays[&array]);
                }
            }
        }
        memory
    }

    fn merge_memory(&mut self, incoming: &[(TermId, Vec<TermId>, Node)]) -> Memory {
        let memories: Vec<(TermId, Memory)> = incoming
            .iter()
            .map(|(guard, _, from)| (*guard, self.walk.memory[from].clone()))
            .collect();
        let mut merged = Memory::default();
        for (array, _) in self.kernel.module.arrays.iter() {
            let choices: Vec<(TermId, TermId)> =
                memories.iter().map(|(guard, memory)| (*guard, memory.arrays[&array])).collect();
            if !choices.is_empty() {
                merged.arrays.insert(array, self.choose(&choices));
            }
        }
        merged
    }

    /// Gives an array new, unknown contents.
    fn forget(&mut self, node: Node, array: Array) {
        let data = &self.kernel.module.arrays[array];
        let sort = memory::contents_sort(data, self.kernel.module.pointer_width);
        self.moment += 1;
        // The moment makes the name new in this walk, and the same in every walk.
        let name = self.symbol(&format!("contents:{}.{}", data.name, self.moment), false);
        let fresh = self.pool.constant(&name, sort);
        if let Some(memory) = self.walk.memory.get_mut(&node) {
            memory.arrays.insert(array, fresh);
        }
    }

    /// Forgets every array that other threads may have written.
    fn forget_shared(&mut self, node: Node) {
        let written: Vec<Array> = self
            .kernel
            .module
            .arrays
            .iter()
            .filter(|(array, data)| {
                data.space != Space::Private && !self.kernel.uses.is_never_written(*array)
            })
            .map(|(array, _)| array)
            .collect();
        for array in written {
            self.forget(node, array);
        }
    }

    fn site(&mut self, inst: Inst, access: &Access, bytes: u32, writes: bool) -> SiteTerm {
        SiteTerm {
            inst,
            at: self.point(),
            array: access.array,
            guard: self.walk.reach[&self.node],
            offset: self.term(access.offset),
            bytes,
            writes,
            atomic: None,
            values: vec![],
            align: access.align,
        }
    }

    // ---- Instructions ---------------------------------------------------

    fn instructions(&mut self, node: Node) {
        let data = &self.region.nodes[node];
        let insts = self.kernel.func.blocks[data.block].insts[data.first..data.end].to_vec();
        for inst in insts {
            self.instruction(inst);
        }
    }

    fn instruction(&mut self, inst: Inst) {
        let func = self.kernel.func;
        let data = &func.insts[inst];
        self.spread_taint(inst, data);
        match data {
            InstData::Load { access, ty, lanes } => self.load(inst, access, *ty, *lanes),
            InstData::Store { access, values } => self.store(inst, access, values),
            InstData::Atomic { op, scope, access, ty, .. } => {
                let mut site = self.site(inst, access, ty.bytes().unwrap_or(1), true);
                site.writes = *op != duet_ir::AtomicOp::Load;
                site.atomic = Some((*op, *scope));
                self.walk.sites.push(site);
                self.forget(self.node, access.array);
                self.unknown_results(inst);
            }
            InstData::AsyncCopy { .. } | InstData::WaitEvents { .. } => self.unknown_results(inst),
            InstData::Barrier { .. } | InstData::BarrierReduce { .. } => {
                self.forget_shared(self.node);
                self.unknown_results(inst);
            }
            InstData::Assert { cond, .. } => self.assertion(inst, *cond),
            InstData::Annotation { kind, args } => self.annotation(*kind, args),
            InstData::Binary { op, args, .. } if op.may_fail() => {
                self.pure(inst, data);
                self.division(inst, args[1]);
            }
            _ if data.is_pure() || matches!(data, InstData::Binary { .. }) => self.pure(inst, data),
            _ => self.unknown_results(inst),
        }
    }

    fn unknown_results(&mut self, inst: Inst) {
        for &value in &self.kernel.func.results_of[inst].clone() {
            let term = self.unknown_value(value);
            self.define(value, term);
        }
    }

    /// The results of an instruction that depends on its operands alone.
    fn pure(&mut self, inst: Inst, data: &InstData) {
        let func = self.kernel.func;
        let results = func.results_of[inst].clone();
        let Some(term) = self.pure_term(inst, data) else {
            return self.unknown_results(inst);
        };
        self.define(results[0], term);
    }

    /// The term of a pure instruction with one result; `None` if it is unknown.
    pub(crate) fn pure_term(&mut self, inst: Inst, data: &InstData) -> Option<TermId> {
        let func = self.kernel.func;
        let ty = func.type_of(*func.results_of[inst].first()?);
        Some(match data {
            InstData::Binary { op, args: [a, b], .. } => {
                let (a, b) = (self.term(*a), self.term(*b));
                ops::binary(self.pool, *op, a, b, ty)
            }
            InstData::Unary { op, arg } => {
                let arg = self.term(*arg);
                ops::unary(self.pool, *op, arg, ty)
            }
            InstData::Cast { op, arg, to } => {
                let from = func.type_of(*arg);
                let arg = self.term(*arg);
                ops::cast(self.pool, *op, arg, from, *to)
            }
            InstData::IntCompare { cc, args: [a, b] } => {
                let (a, b) = (self.term(*a), self.term(*b));
                ops::compare(self.pool, *cc, a, b)
            }
            InstData::FloatCompare { cc, args: [a, b] } => {
                let (a, b) = (self.term(*a), self.term(*b));
                ops::float_compare(self.pool, *cc, a, b)
            }
            InstData::Select { cond, args: [a, b] } => {
                let cond = self.term(*cond);
                let (a, b) = (self.term(*a), self.term(*b));
                self.pool.ite(cond, a, b)
            }
            InstData::Pure { name, args, ty } => {
                let args: Vec<TermId> = args.iter().map(|&arg| self.term(arg)).collect();
                ops::uninterpreted(self.pool, name, &args, *ty)
            }
            InstData::Geometry(geometry) => {
                self.kernel.geometry.term(self.thread, geometry.kind, geometry.dim)
            }
            InstData::PtrToInt { reference, offset } => {
                let args = [self.term(*reference), self.term(*offset)];
                // SOUNDNESS: what is not the same array for all threads has an
                // address of its own in each (kernels/soundness/06-private-address).
                let who = match self.has_one_address(*reference) {
                    true => "",
                    false => self.thread.name.as_str(),
                };
                ops::uninterpreted(self.pool, &format!("address{who}"), &args, ty)
            }
            InstData::Ghost { kind: GhostKind::Enabled, .. } => self.pool.tt(),
            _ => return None,
        })
    }

    /// Does the reference name null or one array of the whole launch?
    fn has_one_address(&self, reference: Value) -> bool {
        match self.kernel.func.const_of(reference) {
            Some(Const::Array(array)) => {
                let space = self.kernel.module.arrays[array].space;
                matches!(space, Space::Global | Space::Constant)
            }
            Some(Const::Null) => true,
            Some(Const::Bits(_)) | None => false,
        }
    }

    fn load(&mut self, inst: Inst, access: &Access, ty: Type, lanes: u32) {
        let bytes = ty.bytes().unwrap_or(1);
        if !access.ghost {
            let site = self.site(inst, access, bytes * lanes, false);
            self.walk.sites.push(site);
        }
        // SOUNDNESS: what a volatile read of global memory yields is up to others too,
        // the host for one (kernels/soundness/12-volatile-read).
        let space = self.kernel.module.arrays[access.array].space;
        let outside = access.volatile && matches!(space, Space::Global | Space::Constant);
        if outside || self.kernel.uses.is_touched_by_atomics(access.array) {
            return self.unknown_results(inst);
        }
        let results = self.kernel.func.results_of[inst].clone();
        let data = &self.kernel.module.arrays[access.array];
        let contents = self.walk.memory[&self.node].arrays[&access.array];
        let mut offset = self.term(access.offset);
        let width = self.pool.width(offset);
        let step = self.pool.bv(width, u128::from(bytes));
        for value in results {
            let term = match (self.sharing.value)(value)
                && !self.kernel.uses.is_never_written(access.array)
            {
                true => self.unknown_value(value),
                false => memory::read(self.pool, contents, data, offset, ty),
            };
            self.define(value, term);
            offset = self.pool.bv_add(offset, step);
        }
    }

    fn store(&mut self, inst: Inst, access: &Access, values: &[Value]) {
        let ty = self.kernel.func.type_of(values[0]);
        let bytes = ty.bytes().unwrap_or(1);
        let terms: Vec<TermId> = values.iter().map(|&value| self.term(value)).collect();
        if !access.ghost {
            let mut site = self.site(inst, access, bytes * values.len() as u32, true);
            site.values = terms.clone();
            self.walk.sites.push(site);
        }
        let data = &self.kernel.module.arrays[access.array];
        let mut contents = self.walk.memory[&self.node].arrays[&access.array];
        let mut offset = self.term(access.offset);
        let width = self.pool.width(offset);
        let step = self.pool.bv(width, u128::from(bytes));
        for term in terms {
            contents = memory::write(self.pool, contents, data, offset, term, ty);
            offset = self.pool.bv_add(offset, step);
        }
        let node = self.node;
        if let Some(memory) = self.walk.memory.get_mut(&node) {
            memory.arrays.insert(access.array, contents);
        }
    }

    /// A division by zero yields an unspecified value. SOUNDNESS: SMT-LIB gives it
    /// a certain one, which nothing may rely on.
    fn division(&mut self, inst: Inst, divisor: Value) {
        let result = self.kernel.func.result(inst);
        let ty = self.kernel.func.type_of(divisor);
        let term = self.term(divisor);
        let zero = ops::constant(self.pool, 0, ty);
        let is_zero = self.pool.eq(term, zero);
        let quotient = self.term(result);
        let name = self.symbol(&format!("{result}.undefined"), false);
        let unspecified = self.pool.constant(&name, ops::sort_of(ty));
        let value = self.pool.ite(is_zero, unspecified, quotient);
        self.define(result, value);
    }

    fn assertion(&mut self, inst: Inst, cond: Value) {
        let holds = self.term(cond);
        let tainted = self.is_tainted(cond);
        self.obligation(inst, holds, tainted);
    }

    fn obligation(&mut self, inst: Inst, holds: TermId, not_expressible: bool) {
        let guard = self.walk.reach[&self.node];
        let at = self.point();
        self.walk.obligations.push(ObligationTerm { inst, at, guard, holds, not_expressible });
    }

    fn annotation(&mut self, kind: AnnotationKind, args: &[Value]) {
        let is_fact = matches!(
            kind,
            AnnotationKind::Requires
                | AnnotationKind::GlobalRequires
                | AnnotationKind::Assume
                | AnnotationKind::Axiom
        );
        if !is_fact || self.is_tainted(args[0]) {
            return;
        }
        let holds = self.term(args[0]);
        self.assume(holds);
    }

    /// Marks values that depend on the other thread or on logged accesses.
    fn spread_taint(&mut self, inst: Inst, data: &InstData) {
        let own = matches!(data, InstData::Ghost { kind, .. } if *kind != GhostKind::Enabled);
        let tainted = own || data.values().into_iter().any(|value| self.is_tainted(value));
        if tainted {
            for &value in &self.kernel.func.results_of[inst] {
                self.tainted.insert(value, true);
            }
        }
    }

    fn is_tainted(&self, value: Value) -> bool {
        self.tainted.get(&value).copied().unwrap_or(false)
    }

    // ---- What candidates need -------------------------------------------

    /// The pool, for candidates.
    pub(crate) fn pool(&mut self) -> &mut TermPool {
        self.pool
    }

    /// Sees values from `node`; yields where they were seen from before.
    pub(crate) fn move_to(&mut self, node: Node) -> Node {
        std::mem::replace(&mut self.node, node)
    }

    /// The kernel, for candidates.
    pub(crate) fn kernel(&self) -> Kernel<'a> {
        self.kernel
    }

    /// Evaluates the header's block with other parameters: the terms of its pure
    /// instructions, as far as they can be told.
    pub(crate) fn evaluate_header(
        &mut self,
        header: &HeaderTerm,
        params: &[TermId],
    ) -> HashMap<Value, TermId> {
        let here = std::mem::replace(&mut self.node, header.node);
        let block = self.region.nodes[header.node].block;
        let context = self.context();
        let func = self.kernel.func;
        let mut saved: Vec<(Value, Option<TermId>)> = vec![];
        let mut result = HashMap::new();
        let mut set = |this: &mut Self, value: Value, term: TermId| {
            saved.push((value, this.walk.values.insert((context, value), term)));
        };
        for (&param, &term) in func.blocks[block].params.iter().zip(params) {
            set(self, param, term);
            result.insert(param, term);
        }
        let mut unknown: Vec<Value> = vec![];
        for &inst in &func.blocks[block].insts {
            let data = &func.insts[inst];
            let known = data.values().iter().all(|value| !unknown.contains(value));
            let is_value = data.is_pure() || matches!(data, InstData::Binary { .. });
            let term = (known && is_value).then(|| self.pure_term(inst, data)).flatten();
            match (term, &func.results_of[inst][..]) {
                (Some(term), [value]) => {
                    set(self, *value, term);
                    result.insert(*value, term);
                }
                (_, values) => unknown.extend(values),
            }
        }
        for (value, old) in saved.into_iter().rev() {
            match old {
                Some(term) => self.walk.values.insert((context, value), term),
                None => self.walk.values.remove(&(context, value)),
            };
        }
        self.node = here;
        result
    }
}

/// The number that stands for an array in terms of sort `ref`.
fn array_number(array: Array) -> u128 {
    use duet_ir::EntityRef;
    array.index() as u128 + 1
}

impl Walk {
    /// The memory at the end that the walk was pruned to.
    pub fn final_memory(&self) -> Option<&Memory> {
        self.ends.last().and_then(|end| self.memory.get(&end.at.node))
    }
}
