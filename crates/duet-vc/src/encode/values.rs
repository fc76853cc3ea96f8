//! Values as terms: the walk so far, and what can be said at the node where it is.

use duet_analysis::Loop;
use duet_ir::{
    Access, Array, Block, Const, EntityRef, GhostKind, Inst, InstData, Space, Type, Value, ValueDef,
};
use duet_product::{Context, Node, Region};
use duet_smt::{Op, Sort, TermId, TermPool};

use super::{Kernel, Sharing, Start};
use crate::folds::{fold_term, is_constant_fold};
use crate::invariant_values::LoopView;
use crate::launch::ThreadTerms;
use crate::symbols::{Origin, Side, Symbol};
use crate::walk::{Assumption, Point, SiteTerm, Walk};
use crate::{memory, ops};

/// Choices that are followed to find the arrays that a pointer may point into.
const MAX_CHOICES: usize = 8;

/// One thread at a node of its region: terms of values, symbols and facts.
pub(super) struct Values<'a> {
    pub kernel: Kernel<'a>,
    pub pool: &'a mut TermPool,
    pub thread: &'a ThreadTerms,
    pub region: &'a Region,
    pub sharing: &'a Sharing<'a>,
    pub start: Start<'a>,
    pub walk: Walk,
    /// The node that is being walked.
    pub node: Node,
    /// How far the walk is.
    pub moment: u32,
}

/// Places and facts.
impl Values<'_> {
    /// Here and now.
    pub fn point(&mut self) -> Point {
        self.moment += 1;
        Point { node: self.node, moment: self.moment }
    }

    /// The end of a node.
    pub fn end_of(node: Node) -> Point {
        Point { node, moment: u32::MAX }
    }

    /// States a fact that holds from here on.
    pub fn assume(&mut self, holds: TermId) {
        self.note_fact(holds);
    }

    /// The same for an invariant of a loop, by its position.
    pub fn assume_invariant(&mut self, holds: TermId, id: Loop, position: usize) {
        self.note_fact(holds).invariant = Some((id, position));
    }

    /// The same, where the source states it.
    pub fn assume_as_stated(&mut self, holds: TermId) {
        self.note_fact(holds).stated = true;
    }

    /// The same, where the contract of a function states it.
    pub fn assume_by_contract(&mut self, holds: TermId) {
        let assumption = self.note_fact(holds);
        (assumption.stated, assumption.contract) = (true, true);
    }

    /// The same for what holds in every run.
    pub fn assume_derived(&mut self, holds: TermId) {
        self.note_fact(holds).derived = true;
    }

    fn note_fact(&mut self, holds: TermId) -> &mut Assumption {
        let reach = self.walk.reach[&self.node];
        let fact = self.pool.implies(reach, holds);
        let at = self.point();
        let assumption = Assumption {
            at,
            fact,
            stated: false,
            invariant: None,
            derived: false,
            contract: false,
        };
        self.walk.assumptions.push(assumption);
        self.walk.assumptions.last_mut().expect("it was just added")
    }

    /// The iteration that the node belongs to.
    pub fn context(&self) -> Context {
        self.region.nodes[self.node].context
    }

    /// An access, here and now.
    pub fn site(&mut self, inst: Inst, access: &Access, bytes: u32, writes: bool) -> SiteTerm {
        SiteTerm {
            inst,
            at: self.point(),
            context: self.context(),
            array: access.array,
            guard: self.walk.reach[&self.node],
            offset: self.term(access.offset),
            bytes,
            writes,
            atomic: None,
            values: vec![],
            align: access.align,
            result: None,
            operands: vec![],
            by_agent: false,
        }
    }
}

/// Terms of values.
impl Values<'_> {
    /// The term of a value as seen from the current node.
    pub fn term(&mut self, value: Value) -> TermId {
        let func = self.kernel.func;
        let ty = func.type_of(value);
        match func.values[value] {
            ValueDef::Const(Const::Bits(bits)) => ops::constant(self.pool, bits, ty),
            ValueDef::Const(Const::Null) => self.pool.bv(32, 0),
            ValueDef::Const(Const::Array(array)) => self.pool.bv(32, array_number(array)),
            ValueDef::FunctionParam(_) => self.param(value, ty),
            ValueDef::Result(..) | ValueDef::BlockParam(..) => self.look_up(value),
        }
    }

    /// A scalar parameter: the same for all threads of a launch.
    fn param(&mut self, value: Value, ty: Type) -> TermId {
        let name = crate::launch::argument_name(self.kernel.func, value);
        let term = self.pool.constant(&name, ops::sort_of(ty));
        self.note(term, Origin::Argument(value), true)
    }

    fn look_up(&mut self, value: Value) -> TermId {
        let mut at = Some(self.context());
        while let Some(context) = at {
            if let Some(&term) = self.walk.values.get(&(context, value)) {
                return term;
            }
            at = self.region.parents[context];
        }
        // The way to the start has every loop cut, hence one iteration only.
        let only = <Context as duet_ir::EntityRef>::new(0);
        let before = self.start.before.and_then(|walk| walk.values.get(&(only, value)));
        match before.copied() {
            Some(term) => term,
            None => self.unknown_value(value),
        }
    }

    /// Gives a value its term.
    pub fn define(&mut self, value: Value, term: TermId) {
        let context = self.context();
        self.walk.values.insert((context, value), term);
    }

    /// A symbol for a value of which nothing is known; one for both threads where
    /// they agree on it.
    pub fn unknown_value(&mut self, value: Value) -> TermId {
        let shared = (self.sharing.value)(value);
        let name = self.symbol(&format!("{value}"), shared);
        let sort = ops::sort_of(self.kernel.func.type_of(value));
        let term = self.pool.constant(&name, sort);
        self.note(term, Origin::Value(value), shared)
    }

    /// Takes note of what a symbol stands for, and whether the threads share it.
    pub fn note(&mut self, term: TermId, origin: Origin, shared: bool) -> TermId {
        let side = (!shared).then_some(self.thread.side);
        self.walk.symbols.push((term, Symbol { origin, side }));
        term
    }

    /// Whose contents of a settled array the thread sees, if it does not share them.
    pub fn side_of(&self, array: Array) -> Option<Side> {
        (!(self.sharing.contents)(array)).then_some(self.thread.side)
    }

    /// The contents of an array that is settled.
    pub fn settled_contents(&mut self, array: Array) -> TermId {
        let side = self.side_of(array);
        let contents = memory::settled(self.pool, self.kernel.facts, array, side);
        self.note(contents, Origin::Contents(array), side.is_none())
    }

    /// A name for something at the current node.
    pub fn symbol(&self, what: &str, shared: bool) -> String {
        let who = if shared { "" } else { self.thread.name.as_str() };
        format!("{what}@{}.{}{who}", self.sharing.tag, self.node)
    }

    /// New unknowns for the results of an instruction.
    pub fn unknown_results(&mut self, inst: Inst) {
        for &value in &self.kernel.func.results_of[inst].clone() {
            let term = self.unknown_value(value);
            self.define(value, term);
        }
    }

    /// The term of a pure instruction with one result; `None` if it is unknown.
    pub fn pure_term(&mut self, inst: Inst, data: &InstData) -> Option<TermId> {
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
                self.address(who, &args, ty)
            }
            InstData::Ghost { kind: GhostKind::Enabled, .. } => self.pool.tt(),
            InstData::Ghost { kind: GhostKind::Fold, args, ty } => {
                let fold = is_constant_fold(self.kernel.facts, inst, args)?;
                let parts: Vec<TermId> =
                    fold.operands(args).into_iter().map(|arg| self.term(arg)).collect();
                let side = fold.settled().and_then(|array| self.side_of(array));
                let facts = self.kernel.facts;
                let (term, symbol) = fold_term(self.pool, facts, &fold, side, &parts, *ty);
                self.note(term, symbol.origin, side.is_none())
            }
            InstData::Fresh { .. }
            | InstData::IntToPtr { .. }
            | InstData::Load { .. }
            | InstData::Store { .. }
            | InstData::Atomic { .. }
            | InstData::Barrier { .. }
            | InstData::BarrierReduce { .. }
            | InstData::Fence { .. }
            | InstData::Exchange { .. }
            | InstData::AsyncCopy { .. }
            | InstData::WaitEvents { .. }
            | InstData::Assert { .. }
            | InstData::Annotation { .. }
            | InstData::Ghost { .. }
            | InstData::Call { .. }
            | InstData::CallUnknown { .. } => return None,
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

    /// The address of an array's byte.
    pub fn address(&mut self, who: &str, args: &[TermId], ty: Type) -> TermId {
        let address = ops::uninterpreted(self.pool, &format!("address.of{who}"), args, ty);
        self.note(address, Origin::Address, who.is_empty())
    }

    /// Is the thread's lane set in a value that is a mask?
    pub fn has_own_lane(&mut self, mask: Value) -> TermId {
        let mask = self.term(mask);
        let mask = self.pool.bits().zext_or_trunc(mask, 32);
        self.thread.lane_is_in(self.pool, self.kernel.geometry, mask)
    }
}

/// Pointers that numbers stand for.
impl Values<'_> {
    /// The pointer that a number stands for: the one whose address it is, or else an
    /// unknown function of the number, of this thread, since private memory is another
    /// one in each.
    pub fn pointer(&mut self, inst: Inst, number: Value) {
        let func = self.kernel.func;
        let results = func.results_of[inst].clone();
        if results.iter().any(|&value| (self.sharing.value)(value)) {
            return self.unknown_results(inst);
        }
        let number = self.term(number);
        let types = results.iter().map(|&value| func.type_of(value)).collect::<Vec<_>>();
        let parts = self.pointer_parts(number, &types, MAX_CHOICES);
        results.into_iter().zip(parts).for_each(|(value, part)| self.define(value, part));
    }

    /// The array and offset that a number stands for, choice by choice where it is one of
    /// several.
    fn pointer_parts(&mut self, number: TermId, types: &[Type], choices: usize) -> Vec<TermId> {
        if let Some(parts) = self.with_this_address(number) {
            return parts.to_vec();
        }
        if choices > 0
            && let Some((chosen, one, other)) = self.choice(number)
        {
            let one = self.pointer_parts(one, types, choices - 1);
            let other = self.pointer_parts(other, types, choices - 1);
            let both = one.into_iter().zip(other);
            return both.map(|(one, other)| self.pool.ite(chosen, one, other)).collect();
        }
        let named = ["array", "offset"].into_iter().zip(types);
        named
            .map(|(part, &ty)| {
                let name = format!("{part}-of-pointer{}", self.thread.name);
                let part = ops::uninterpreted(self.pool, &name, &[number], ty);
                self.note(part, Origin::Pointer, false)
            })
            .collect()
    }

    /// The number as a choice between two: as it is written, or by what was stored last.
    fn choice(&mut self, number: TermId) -> Option<(TermId, TermId, TermId)> {
        match (self.pool.op(number), self.pool.args(number)) {
            (Op::Ite, &[chosen, one, other]) => Some((chosen, one, other)),
            (Op::Select, &[contents, place]) => {
                let (Op::Store, &[before, stored_at, stored]) =
                    (self.pool.op(contents), self.pool.args(contents))
                else {
                    return None;
                };
                let is_it = self.pool.eq(place, stored_at);
                let other = self.pool.select(before, place);
                Some((is_it, stored, other))
            }
            _ => None,
        }
    }

    /// The array and offset, if the number was made from them.
    fn with_this_address(&mut self, number: TermId) -> Option<[TermId; 2]> {
        let Op::Apply(_) = self.pool.op(number) else { return None };
        let args = <[TermId; 2]>::try_from(self.pool.args(number)).ok()?;
        let ty = self.kernel.module.pointer_type();
        let own = self.thread.name.as_str();
        let is_it = ["", own].into_iter().any(|who| self.address(who, &args, ty) == number);
        is_it.then_some(args)
    }
}

/// Visits of the headers of loops.
impl<'a> Values<'a> {
    /// The loop of a header.
    pub fn view(&self, id: Loop) -> LoopView<'a> {
        LoopView { facts: self.kernel.facts, id }
    }

    /// How often the header was reached again since the arrival, modulo 2^64.
    pub fn visits(&mut self, id: Loop) -> TermId {
        let same_visit = (self.sharing.visit)(id);
        let name = self.symbol(&format!("visits:{id}"), same_visit);
        let visits = self.pool.bv_var(&name, 64);
        self.note(visits, Origin::Visits(id), same_visit)
    }

    /// One term at odd visits of a header, another one at even ones.
    pub fn at_odd_visits(&mut self, id: Loop, odd: TermId, even: TermId) -> TermId {
        let visits = self.visits(id);
        let low = self.pool.bits().extract(0, 0, visits);
        let one = self.pool.bv(1, 1);
        let is_odd = self.pool.eq(low, one);
        self.pool.ite(is_odd, odd, even)
    }

    /// One term at the first visit of a header, another one later.
    pub fn at_first_visit(&mut self, id: Loop, first: TermId, later: TermId) -> TermId {
        let same_visit = (self.sharing.visit)(id);
        let name = self.symbol(&format!("first:{id}"), same_visit);
        let is_first = self.pool.constant(&name, Sort::Bool);
        let is_first = self.note(is_first, Origin::Visits(id), same_visit);
        self.pool.ite(is_first, first, later)
    }
}

/// What comes from several nodes.
impl Values<'_> {
    /// Gives the parameters of a block their terms.
    pub fn bind(&mut self, block: Block, terms: &[TermId]) {
        for (&param, &term) in self.kernel.func.blocks[block].params.iter().zip(terms) {
            self.define(param, term);
        }
    }

    /// The arguments of an edge, seen from where it starts.
    pub fn edge_args(&mut self, from: Node, edge: usize) -> Vec<TermId> {
        let here = std::mem::replace(&mut self.node, from);
        let block = self.region.nodes[from].block;
        let args = self.kernel.func.blocks[block].terminator.edges()[edge].args.clone();
        let terms = args.into_iter().map(|arg| self.term(arg)).collect();
        self.node = here;
        terms
    }

    /// The value of whichever edge was taken: exactly one is.
    pub fn choose(&mut self, choices: &[(TermId, TermId)]) -> TermId {
        let Some((&(_, last), rest)) = choices.split_last() else {
            return self.pool.ff();
        };
        rest.iter()
            .rev()
            .fold(last, |otherwise, &(guard, term)| self.pool.ite(guard, term, otherwise))
    }

    /// Disjunction of edge conditions, `a and c` and `a and not c` made `a`.
    pub fn join(&mut self, guards: &[TermId]) -> TermId {
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

    /// The parts of a conjunction.
    pub fn conjuncts(&self, term: TermId) -> Vec<TermId> {
        if let duet_smt::Op::And = self.pool.op(term) {
            self.pool.args(term).to_vec()
        } else {
            vec![term]
        }
    }
}

/// The number that stands for an array in terms of sort `ref`.
fn array_number(array: Array) -> u128 {
    array.index() as u128 + 1
}
