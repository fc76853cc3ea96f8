//! What the contract says at loops. Each condition is shown to hold whenever a thread arrives
//! at the loop's head, before the loop's own condition, and is a fact about every such visit
//! from then on.
//!
//! The induction is over the arrivals of one thread in the order of its execution: on entry
//! from what comes before the loop, and over each edge that goes round from the visit before.
//! Conditions at other loops are facts there about earlier arrivals only: of loops around it,
//! at the visits that the thread is in, and of loops before it or within it, at the visit at
//! which the thread left them. So they may be used before they are shown, as long as no clause
//! counts as proved before all of them are.
//!
//! A condition `x == \sum(…)` is shown with the functions of [`crate::proof::sums::folds`], for a variable
//! that a nest of loops accumulates, and is no fact: the proofs find such sums by themselves.
//!
//! SOUNDNESS: a condition that is not shown leaves the whole contract unproven
//! (kernels/prove/traps/31-user-invariant, 53-invariant-on-entry, 54-invariant-of-a-step).

use std::collections::BTreeMap;

use duet_analysis::Loop;
use duet_ask::Effort;
use duet_ir::{Block, Inst, InstData, ScalarType, Value, ValueDef};
use duet_smt::solver::SolverError;
use duet_smt::{Op, Sort, TermId};
use duet_spec::{BinaryOp, ClauseKind, Expr, ExprKind};
use duet_vc::{HeaderTerm, Point};

use crate::contract::{AtLoop, NamedAtLoop};
use crate::proof::Prover;
use crate::proof::clauses::{Clauses, Stop, Variables};
use crate::proof::loops::counters::Counting;
use crate::proof::loops::cuts::{Cut, Until};
use crate::proof::loops::heads::Head;
use crate::proof::spec_terms::{SpecTerm, has_fold};
use crate::proof::sums::folds::Sums;
use crate::proof::walked::Instance;
use crate::report::ClauseStatus;

/// The conditions at one loop.
pub(in crate::proof) struct Stated<'s> {
    pub header: HeaderTerm,
    /// What names are there.
    pub names: &'s BTreeMap<String, NamedAtLoop>,
    pub conditions: Vec<&'s Expr>,
    /// Where the text stands.
    pub place: Option<Inst>,
}

/// What the variables of a loop are.
#[derive(Clone, Copy)]
enum When<'a> {
    /// At a visit.
    Now,
    /// These, at the next one.
    Next(&'a [TermId]),
}

/// Shows what is stated at loops with a prover.
pub struct Invariants<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(Invariants);

impl Invariants<'_, '_, '_> {
    /// Shows what the contract says at loops; the reason why not.
    pub fn prove_invariants(&mut self) -> Result<Option<ClauseStatus>, SolverError> {
        self.is_at_loop = true;
        let result = self.shown_at_loops();
        self.is_at_loop = false;
        self.head = None;
        match result {
            Ok(()) => Ok(None),
            Err((Stop::Open(why), place)) => {
                Ok(Some(ClauseStatus::Unproven { why, place, help: None }))
            }
            Err((Stop::Solver(error), _)) => Err(error),
        }
    }

    fn shown_at_loops(&mut self) -> Result<(), (Stop, Option<Inst>)> {
        let bound = self.bound;
        let mut all = vec![];
        for at in &bound.loops {
            let stated = self.stated(at).map_err(|why| (Stop::Open(why), at.mark))?;
            all.push(stated);
        }
        for stated in &all {
            self.make_facts(stated);
        }
        for stated in &all {
            for &condition in &stated.conditions {
                Clauses(self.0).begin_clause();
                self.condition(stated, condition).map_err(|stop| (stop, stated.place))?;
            }
        }
        self.find_steps().map_err(|error| (Stop::Solver(error), None))?;
        Clauses(self.0).begin_clause();
        Ok(())
    }

    /// The loop that conditions are about.
    fn stated<'s>(&self, at: &'s AtLoop<'s>) -> Result<Stated<'s>, String> {
        let facts = self.walked.facts();
        let several = "a loop invariant stands in a function that is called more than once";
        let mark = at.mark.ok_or(several)?;
        let block = facts.block_of(mark).ok_or("a loop invariant stands in no loop")?;
        let around = facts.loops.around(block);
        let own = around.min_by_key(|id| facts.loops.data(*id).blocks.len());
        let header = own.and_then(|id| self.walked.header(id)).cloned();
        let header = header.ok_or("a loop invariant stands in no loop")?;
        let conditions = at.spec.contract.clauses.iter().filter_map(|clause| match &clause.kind {
            ClauseKind::LoopInvariant(pred) => Some(pred.conjuncts()),
            ClauseKind::Requires(_)
            | ClauseKind::Ensures(_)
            | ClauseKind::Assigns(_)
            | ClauseKind::Ghost(..)
            | ClauseKind::Logic(_)
            | ClauseKind::Writer(..) => None,
        });
        let conditions = conditions.flatten().collect();
        Ok(Stated { header, names: &at.names, conditions, place: Some(mark) })
    }

    /// Makes conditions facts about every visit. What cannot be stated as one is no fact.
    pub(in crate::proof) fn make_facts(&mut self, stated: &Stated<'_>) {
        let visits = stated.header.visits;
        let Ok(variables) = self.variables(stated, None, visits, When::Now) else { return };
        for condition in &stated.conditions {
            self.head = self.head_at(stated, Until::Round(stated.header.id), visits);
            if self.head.is_some() {
                self.make_cell_facts(stated.header.id, condition, &variables);
            }
            self.head = None;
            if has_fold(condition) {
                continue;
            }
            let folds = self.folds.len();
            let made = self.with_cells(&variables, false, |terms| terms.truth(condition));
            let sides = std::mem::take(&mut self.sides);
            // A sum in a function of the contract is one symbol, and this is a fact of all visits.
            let has_sums = self.folds.len() > folds;
            self.folds.truncate(folds);
            if let Ok((fact, _)) = made
                && sides.is_empty()
                && !has_sums
            {
                self.invariants.push((stated.header.id, fact));
            }
        }
    }

    pub(in crate::proof) fn condition(
        &mut self,
        stated: &Stated<'_>,
        condition: &Expr,
    ) -> Result<(), Stop> {
        self.head = None;
        if has_fold(condition) {
            return self.sum_condition(stated, condition);
        }
        self.on_entry(stated, condition)?;
        self.over_iterations(stated, condition)
    }

    fn on_entry(&mut self, stated: &Stated<'_>, condition: &Expr) -> Result<(), Stop> {
        let header = &stated.header;
        for edge in header.edges.iter().filter(|edge| !edge.is_back) {
            let mut instance = Instance::default();
            Counting(self).identity(&mut instance);
            let mut known = self.known_around(header, &mut instance);
            let parent = self.parent(header.id);
            known.extend(self.left_loops(parent, edge.at, &mut instance));
            known.extend(self.on_edge(edge.at, edge.guard, &mut instance));
            let args = self.values_on(&edge.args, &mut instance, &mut known)?;
            let zero = self.walked.walker.pool.bv(64, 0);
            let mut variables =
                self.variables(stated, Some(&mut instance), zero, When::Next(&args))?;
            self.head = self.head_at(stated, Until::Arrival(Cut::Header(header.id)), zero);
            Clauses(self.0)
                .claim(condition, &mut variables, &known)
                .map_err(|stop| told(stop, "on entry"))?;
        }
        Ok(())
    }

    fn over_iterations(&mut self, stated: &Stated<'_>, condition: &Expr) -> Result<(), Stop> {
        let header = &stated.header;
        for edge in header.edges.iter().filter(|edge| edge.is_back) {
            let mut instance = Instance::default();
            Counting(self).identity(&mut instance);
            let count = self.walked.walker.pool.fresh("count", Sort::BitVec(32));
            self.walked.set_count(&mut instance, header.id, count);
            let mut known = self.known_around(header, &mut instance);
            known.extend(self.counter_facts(&mut instance, header.id, count));
            known.extend(self.left_loops(Some(header.id), edge.at, &mut instance));
            known.extend(self.on_edge(edge.at, edge.guard, &mut instance));
            let args = self.values_on(&edge.args, &mut instance, &mut known)?;
            let pool = &mut self.walked.walker.pool;
            let (wide, one) = (pool.bits().zero_extend(32, count), pool.bv(64, 1));
            let next = pool.bits().add(wide, one);
            let mut variables =
                self.variables(stated, Some(&mut instance), next, When::Next(&args))?;
            self.head = self.head_at(stated, Until::Round(header.id), wide);
            Clauses(self.0)
                .claim(condition, &mut variables, &known)
                .map_err(|stop| told(stop, "after an iteration"))?;
        }
        Ok(())
    }

    /// Where conditions at an aligned loop read cells: at a piece's end, in which the loop's count
    /// is this.
    fn head_at(&mut self, stated: &Stated<'_>, until: Until, count: TermId) -> Option<Head> {
        let own = stated.header.id;
        if !self.walked.cuts.aligned.contains(&own) {
            return None;
        }
        let mut counts = vec![];
        for header in self.walked.walk.headers.clone() {
            if !self.walked.cuts.aligned.contains(&header.id) {
                continue;
            }
            let block = self.walked.facts().loops.data(own).header;
            let is_around = self.walked.facts().loops.contains(header.id, block);
            let count = match (header.id == own, is_around) {
                (true, _) => count,
                (false, true) => header.visits,
                (false, false) => {
                    let left = self.walked.walker.pool.fresh("left", Sort::BitVec(32));
                    self.walked.walker.pool.bits().zero_extend(32, left)
                }
            };
            counts.push((header.id, count));
        }
        Some(Head { until, counts })
    }

    /// What is known of the launch, the thread, and the visits that it is in of loops around.
    fn known_around(&mut self, header: &HeaderTerm, instance: &mut Instance) -> Vec<TermId> {
        let mut known = self.base.clone();
        known.extend(self.walked.thread.facts.clone());
        known.extend(Counting(self).around_formal(header));
        let facts = self.walked.facts();
        let block = facts.loops.data(header.id).header;
        let around: Vec<Loop> = facts.loops.around(block).filter(|id| *id != header.id).collect();
        let stated = self.invariants.iter().filter(|one| around.contains(&one.0));
        let stated: Vec<TermId> = stated.map(|one| one.1).collect();
        known.extend(self.walked.at(instance, &stated));
        known
    }

    /// What is known of a thread that takes an edge.
    fn on_edge(&mut self, at: Point, guard: TermId, instance: &mut Instance) -> Vec<TermId> {
        let mut passed = self.walked.walk.facts_at(at);
        passed.push(guard);
        self.walked.at(instance, &passed)
    }

    /// The values that an edge carries, with what was stored before barriers in them.
    fn values_on(
        &mut self,
        args: &[TermId],
        instance: &mut Instance,
        known: &mut Vec<TermId>,
    ) -> Result<Vec<TermId>, SolverError> {
        // SOUNDNESS: what is found out about cells on the way rests on what is known here, not
        // on what another condition rested on (kernels/prove/traps/38-case-of-an-invariant).
        Clauses(self.0).begin_goal(known);
        let mut values = vec![];
        for arg in self.walked.at(instance, args) {
            let before = self.learned.len();
            values.push(self.resolved(arg, known, &[], 1)?);
            known.extend(self.learned.drain(before..));
        }
        Ok(values)
    }

    /// The loop right around a loop.
    fn parent(&self, id: Loop) -> Option<Loop> {
        let loops = &self.walked.facts().loops;
        let around = loops.around(loops.data(id).header).filter(|other| *other != id);
        around.min_by_key(|other| loops.data(*other).blocks.len())
    }

    /// What is known of the loops right inside of one, or of none, that come before a place:
    /// the thread left each at some visit, if it got there.
    fn left_loops(
        &mut self,
        inside: Option<Loop>,
        at: Point,
        instance: &mut Instance,
    ) -> Vec<TermId> {
        let mut known = vec![];
        for header in self.walked.walk.headers.clone() {
            let facts = self.walked.facts();
            let block: Block = facts.program.alone.nodes[at.node].block;
            let is_done = self.walked.walk.is_before(header.node, at.node)
                && !facts.loops.contains(header.id, block);
            if !is_done || self.parent(header.id) != inside {
                continue;
            }
            let left = self.walked.walker.pool.fresh("left", Sort::BitVec(32));
            self.walked.set_count(instance, header.id, left);
            let reach = self.reaches(instance, header.id);
            let leaves = self.leaves(instance, header.id);
            for fact in self.counter_facts(instance, header.id, left).into_iter().chain([leaves]) {
                known.push(self.walked.walker.pool.implies(reach, fact));
            }
        }
        known
    }

    /// The names at the loop, as they are at an instance, or of the formal thread.
    fn variables(
        &mut self,
        stated: &Stated<'_>,
        mut instance: Option<&mut Instance>,
        count: TermId,
        when: When<'_>,
    ) -> Result<Variables, String> {
        let most = i128::from(u32::MAX) + 1;
        let mut variables = vec![("loop_count".to_string(), SpecTerm::Int(count, (0, most)))];
        let mut outer = self.parent(stated.header.id);
        for number in 2.. {
            let Some(id) = outer else { break };
            if let Some(visits) = self.walked.header(id).map(|header| header.visits) {
                let visits = self.at_instance(instance.as_deref_mut(), visits);
                let name = format!("loop_count_{number}");
                variables.push((name, SpecTerm::Int(visits, (0, most))));
            }
            outer = self.parent(id);
        }
        for (name, named) in stated.names {
            let value = match *named {
                NamedAtLoop::Known(named) => {
                    let none = vec![];
                    self.with_cells(&none, false, |terms| terms.named(named))?.0
                }
                NamedAtLoop::Local(value, ty) => {
                    let bits =
                        self.local(stated, name, value, ty, instance.as_deref_mut(), when)?;
                    let none = vec![];
                    self.with_cells(&none, false, |terms| terms.of_bits(bits, ty))?.0
                }
            };
            variables.push((name.clone(), value));
        }
        Ok(variables)
    }

    fn at_instance(&mut self, instance: Option<&mut Instance>, term: TermId) -> TermId {
        match instance {
            Some(instance) => self.walked.one_at(instance, term),
            None => term,
        }
    }

    /// A variable of the code at the loop's head.
    ///
    /// SOUNDNESS: the value that the text captures is that at the top of the body. It is that
    /// at the head only for the loop's own variables and for what the loop does not change
    /// (kernels/prove/traps/55-changed-before).
    fn local(
        &mut self,
        stated: &Stated<'_>,
        name: &str,
        value: Value,
        ty: ScalarType,
        instance: Option<&mut Instance>,
        when: When<'_>,
    ) -> Result<TermId, String> {
        let facts = self.walked.facts();
        let header = &stated.header;
        let block = facts.loops.data(header.id).header;
        let inside = |inst: Inst| {
            facts.block_of(inst).is_none_or(|block| facts.loops.contains(header.id, block))
        };
        let is_id = |inst: Inst| matches!(facts.func.insts[inst], InstData::Geometry(_));
        let fixed = match facts.func.values[value] {
            ValueDef::BlockParam(own, index) if own == block => {
                let index = index as usize;
                return match when {
                    When::Next(args) => Ok(args[index]),
                    When::Now => Ok(self.at_instance(instance, header.params[index])),
                };
            }
            ValueDef::BlockParam(own, _) => !facts.loops.contains(header.id, own),
            ValueDef::Result(inst, _) => !inside(inst) || is_id(inst),
            ValueDef::FunctionParam(_) | ValueDef::Const(_) => true,
        };
        let known = self.walked.walk.values.iter().filter(|((_, own), _)| *own == value);
        let known: Vec<TermId> = known.map(|one| *one.1).collect();
        match known[..] {
            [term]
                if fixed && self.walked.walker.pool.sort(term) == Sort::BitVec(8 * ty.bytes()) =>
            {
                Ok(self.at_instance(instance, term))
            }
            _ => Err(format!(
                "a loop invariant speaks of `{name}`, which is no variable at the loop's head"
            )),
        }
    }

    /// `x == \sum(…)` for a variable that loops accumulate.
    fn sum_condition(&mut self, stated: &Stated<'_>, condition: &Expr) -> Result<(), Stop> {
        let shape = || {
            let why = "a loop invariant with a sum is covered as `variable == \\sum(…)` only";
            Stop::Open(why.to_string())
        };
        let ExprKind::Binary(BinaryOp::Eq, a, b) = &condition.kind else { return Err(shape()) };
        let facts = self.walked.facts();
        let block = facts.loops.data(stated.header.id).header;
        let index_of = |expr: &Expr| {
            let ExprKind::Name(name) = &expr.kind else { return None };
            match stated.names.get(name)? {
                NamedAtLoop::Local(value, ty) => match facts.func.values[*value] {
                    ValueDef::BlockParam(own, index) if own == block => Some((index as usize, *ty)),
                    ValueDef::BlockParam(..)
                    | ValueDef::Result(..)
                    | ValueDef::FunctionParam(_)
                    | ValueDef::Const(_) => None,
                },
                NamedAtLoop::Known(_) => None,
            }
        };
        let ((index, ty), sum) = match (index_of(a), index_of(b)) {
            (Some(own), None) => (own, b),
            (None, Some(own)) => (own, a),
            (Some(_), Some(_)) | (None, None) => return Err(shape()),
        };
        let mut instance = Instance::default();
        Counting(self).identity(&mut instance);
        let header = stated.header.clone();
        let count = self.walked.walker.pool.fresh("count", Sort::BitVec(32));
        self.walked.set_count(&mut instance, header.id, count);
        let mut known = self.known_around(&header, &mut instance);
        known.extend(self.counter_facts(&mut instance, header.id, count));
        known.push(self.reaches(&mut instance, header.id));
        Clauses(self.0).begin_goal(&known);
        let wide = self.walked.walker.pool.bits().zero_extend(32, count);
        let variables = self.variables(stated, Some(&mut instance), wide, When::Now)?;
        let before = self.folds.len();
        let (term, _) = self.with_cells(&variables, false, |terms| terms.term(sum))?;
        let folds = self.folds[before..].to_vec();
        let bits = match term {
            SpecTerm::Int(term, _) | SpecTerm::Float(term, _) => term,
            SpecTerm::Bool(_) | SpecTerm::Array(..) => return Err(shape()),
        };
        let [fold] = &folds[..] else { return Err(shape()) };
        if !self.is_sum_of_type(bits, fold.symbol, ty) {
            return Err(shape());
        }
        let sides = std::mem::take(&mut self.sides);
        for side in sides {
            if !self.implies(&known, side, "an index is small", Effort::Small)? {
                return Err(Stop::Open("an index of the contract may be too large".to_string()));
            }
        }
        match Sums(self.0).is_sum_at_visit(&mut instance, header.id, index, fold, &known)? {
            true => Ok(()),
            false => Err(Stop::Open(format!("the loop invariant `{condition}` was not shown"))),
        }
    }

    /// Is a term the symbol of a sum, extended as variables of the type are? Then it equals a
    /// variable if the symbol has its bits, or is the variable extended by its sign.
    ///
    /// SOUNDNESS: `(int)` of a sum and an unsigned variable with the same bits are different
    /// numbers (kernels/prove/traps/56-sign-of-a-sum).
    fn is_sum_of_type(&self, term: TermId, symbol: TermId, ty: ScalarType) -> bool {
        let pool = &self.walked.walker.pool;
        let inner = || pool.args(term)[0] == symbol;
        let is_wide = pool.width(symbol) > 8 * ty.bytes();
        if ty.is_float() {
            return term == symbol;
        }
        match (pool.op(term), ty.is_signed()) {
            (Op::SignExtend(_), true) => inner(),
            (Op::ZeroExtend(_), false) => inner() && !is_wide,
            (_, true) => term == symbol,
            (_, false) => false,
        }
    }
}

/// Says when a condition was not shown.
fn told(stop: Stop, when: &str) -> Stop {
    match stop {
        Stop::Open(why) => Stop::Open(format!("a loop invariant does not hold {when}: {why}")),
        Stop::Solver(error) => Stop::Solver(error),
    }
}
