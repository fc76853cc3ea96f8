//! What the contract says of cells at the heads of aligned loops: `a[i] == E`, for all values
//! of bound variables that a guard leaves.
//!
//! Such a condition is a fact about what a block sees of a cell at the head, at every visit.
//! Of a cell at some offset it is used by finding values of the bound variables, and of the ids
//! that occur, at which `i` is the cell's index: the inversion of an index, as for writers. The
//! values are a guess; that they are in the guard, those of a thread of the launch, and that the
//! index is the cell, is a condition of what is then known of it. Where it does not hold the
//! cell is unknown.
//!
//! Cells that `E` or the guard read are those at the same visit.
//!
//! **Why it is sound.** All threads of a block are at an aligned loop's head at each of its
//! visits ([`super::cuts`]), so what is shown of any thread there holds of every thread of the
//! block. It is shown on arrival from outside by what the piece before leaves in the cell, and
//! over an iteration by what the last piece of it does. Those read what blocks saw at cuts
//! before, never at the head that the condition is shown for: so the induction is over the
//! order in which a block gets to cuts, and conditions at other loops and of other arrays may be
//! used on the way. What is compared are terms, of floats too, so the fact is equality of terms.
//!
//! SOUNDNESS: a condition that is not shown leaves the contract unproven, so no proof rests on
//! it (kernels/prove/time-loop-wrong, kernels/prove/traps/64-cell-on-entry,
//! kernels/prove/traps/65-cell-of-another-index).

use duet_analysis::Loop;
use duet_ask::Effort;
use duet_ir::{Array, Space};
use duet_parametric::writer::{Digit, Sought, inverses};
use duet_smt::solver::SolverError;
use duet_smt::{Op, TermId};
use duet_spec::{BinaryOp, Expr, ExprKind, Quantifier};

use crate::proof::Prover;
use crate::proof::clauses::{Clauses, Variables};
use crate::proof::loops::cuts::{Cut, Until};
use crate::proof::loops::invariants::Invariants;
use crate::proof::spec_terms::{Cell, SpecTerm};
use crate::proof::walked::{Instance, View};
use crate::proof::writers::{Place, known_digits};

/// Guesses for the variables of one condition that are looked at.
const GUESSES: usize = 2;

/// The state in which a condition at a loop reads cells: at the end of a piece.
#[derive(Clone, Debug)]
pub struct Head {
    /// The piece.
    pub until: Until,
    /// The counts of aligned loops.
    pub counts: Vec<(Loop, TermId)>,
}

/// A condition about a cell at the head of an aligned loop, over the formal thread and counts.
#[derive(Clone, Debug)]
pub struct HeadFact {
    id: Loop,
    array: Array,
    /// The byte offset of the cell, where the condition holds, and the bits of the cell.
    offset: TermId,
    guard: TermId,
    value: TermId,
    /// The bound variables.
    binders: Vec<TermId>,
    /// Cells at the same visit that occur, by their symbols.
    cells: Vec<(TermId, Cell)>,
}

impl HeadFact {
    /// Is it about the head of this loop?
    pub fn is_at(&self, id: Loop) -> bool {
        self.id == id
    }
}

/// What is collected on the way to an equation.
#[derive(Default)]
struct Context {
    guards: Vec<TermId>,
    binders: Vec<TermId>,
    cells: Vec<(TermId, Cell)>,
}

impl Invariants<'_, '_, '_> {
    /// Makes equations of cells facts about every visit of an aligned loop's head.
    pub(in crate::proof) fn make_cell_facts(
        &mut self,
        id: Loop,
        condition: &Expr,
        variables: &Variables,
    ) {
        let (mut found, folds) = (vec![], self.folds.len());
        self.collect(id, condition, &mut variables.clone(), &mut Context::default(), &mut found);
        self.sides.clear();
        // SOUNDNESS: a sum, in a guard or a function of the contract too, is one symbol, which
        // would be the same at all cells (kernels/prove/traps/78-sums-in-guards).
        if self.folds.len() > folds {
            self.folds.truncate(folds);
            return;
        }
        self.head_facts.extend(found);
    }

    fn collect(
        &mut self,
        id: Loop,
        pred: &Expr,
        variables: &mut Variables,
        context: &mut Context,
        found: &mut Vec<HeadFact>,
    ) {
        match &pred.kind {
            ExprKind::Quantified(Quantifier::Forall, binders, body) => {
                let (count, bound) = (variables.len(), context.binders.len());
                let mut known = vec![];
                if Clauses(self.0).bind(binders, body, variables, &mut known).is_err() {
                    return;
                }
                for (_, value) in &variables[count..] {
                    context.binders.extend(self.symbol_of(value));
                }
                let guards = context.guards.len();
                context.guards.extend(known);
                self.collect(id, body, variables, context, found);
                context.guards.truncate(guards);
                context.binders.truncate(bound);
                variables.truncate(count);
            }
            ExprKind::Binary(BinaryOp::Implies, guard, then) => {
                let (guards, cells) = (context.guards.len(), context.cells.len());
                for conjunct in guard.conjuncts() {
                    let made = self.with_cells(variables, false, |terms| terms.truth(conjunct));
                    let Ok((fact, more)) = made else { return };
                    context.guards.push(fact);
                    context.guards.extend(std::mem::take(&mut self.sides));
                    context.cells.extend(more);
                }
                let wide = variables.clone();
                if !matches!(then.kind, ExprKind::Binary(BinaryOp::Implies, ..)) {
                    Clauses(self.0).tighten(variables);
                }
                self.collect(id, then, variables, context, found);
                *variables = wide;
                context.guards.truncate(guards);
                context.cells.truncate(cells);
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.collect(id, a, variables, context, found);
                self.collect(id, b, variables, context, found);
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) => {
                let both = [(a, b), (b, a)];
                let fact = both.into_iter().find_map(|(cell, value)| {
                    self.equation_of_cell(id, cell, value, variables, context)
                });
                found.extend(fact);
            }
            ExprKind::Int(_)
            | ExprKind::Float(..)
            | ExprKind::Name(_)
            | ExprKind::Threads
            | ExprKind::Index(..)
            | ExprKind::Call(..)
            | ExprKind::Unary(..)
            | ExprKind::Binary(..)
            | ExprKind::Conditional(..)
            | ExprKind::Cast(..)
            | ExprKind::Old(_)
            | ExprKind::Quantified(..)
            | ExprKind::Fold(..)
            | ExprKind::Pow2(_)
            | ExprKind::IsPow2(_) => {}
        }
    }

    /// The symbol of a bound variable.
    fn symbol_of(&self, value: &SpecTerm) -> Option<TermId> {
        let SpecTerm::Int(term, _) = *value else { return None };
        let pool = &self.walked.walker.pool;
        Some(if let Op::SignExtend(_) = pool.op(term) { pool.args(term)[0] } else { term })
    }

    /// `cell == value`, if the one is a cell that the loop's iterations change.
    fn equation_of_cell(
        &mut self,
        id: Loop,
        cell: &Expr,
        value: &Expr,
        variables: &Variables,
        context: &Context,
    ) -> Option<HeadFact> {
        let ExprKind::Index(array, index) = &cell.kind else { return None };
        let ExprKind::Name(name) = &array.kind else { return None };
        let known = variables.iter().rev().find(|(own, _)| own == name);
        let &SpecTerm::Array(array, ty) = known.map(|one| &one.1)? else { return None };
        let folds = self.folds.len();
        let made = self.with_cells(variables, false, |terms| {
            Ok((terms.offset(index, ty)?, terms.term(value)?))
        });
        let sides = std::mem::take(&mut self.sides);
        let ((offset, value), cells) = made.ok()?;
        let width = 8 * ty.bytes();
        let pool = &mut self.walked.walker.pool;
        let value = match value {
            SpecTerm::Int(term, _) if !ty.is_float() => pool.bits().sext_or_trunc(term, width),
            SpecTerm::Float(term, _) if ty.is_float() && pool.width(term) == width => term,
            SpecTerm::Int(..) | SpecTerm::Float(..) | SpecTerm::Bool(_) | SpecTerm::Array(..) => {
                return None;
            }
        };
        let mut guards = context.guards.clone();
        guards.extend(sides);
        let value = self.sums_as_ranges(folds, value)?;
        let guard = self.walked.walker.pool.and(&guards);
        let cells = context.cells.iter().copied().chain(cells).collect();
        let binders = context.binders.clone();
        Some(HeadFact { id, array, offset, guard, value, binders, cells })
    }

    /// A value in which sums are functions of their ends; none if one cannot be.
    fn sums_as_ranges(&mut self, before: usize, value: TermId) -> Option<TermId> {
        let is_free = self.folds.len() == before;
        is_free.then_some(value)
    }
}

/// Uses what is known of cells at heads with a prover.
pub struct Heads<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(Heads);

impl Heads<'_, '_, '_> {
    /// What a cell holds where a condition at a loop is about it.
    pub fn value_at_head(
        &mut self,
        head: &Head,
        cell: Cell,
        hypotheses: &[TermId],
    ) -> Result<TermId, SolverError> {
        let (array, block) = (cell.array, self.walked.thread.block);
        // The cut is that before the piece, which is found there.
        let cut = self.walked.cuts.aligned.first().map_or(Cut::Barrier(0), |id| Cut::Header(*id));
        let view = View { array, cut, block, counts: head.counts.clone() };
        let (place, before) = self.piece_before(&view, head.until, cell.offset);
        self.value(&place, before, hypotheses, &[], 1)
    }

    /// What conditions at the loop say of a cell that is seen at its head.
    pub fn by_condition(
        &mut self,
        view: &View,
        offset: TermId,
        hypotheses: &[TermId],
        under: &[TermId],
        depth: u32,
    ) -> Result<Option<TermId>, SolverError> {
        let Cut::Header(id) = view.cut else { return Ok(None) };
        let own: Vec<HeadFact> = self
            .head_facts
            .iter()
            .filter(|one| one.id == id && one.array == view.array)
            .cloned()
            .collect();
        let mut cases = vec![];
        for fact in own {
            for guess in self.guesses(&fact, view, offset, hypotheses).into_iter().take(GUESSES) {
                cases.extend(self.case_of(&fact, view, offset, guess, hypotheses)?);
            }
        }
        if cases.is_empty() {
            return Ok(None);
        }
        let width = 8 * self.walked.facts().module.arrays[view.array].granule;
        let mut result = self.walked.walker.pool.fresh("cell", duet_smt::Sort::BitVec(width));
        for (condition, value, cells) in cases.into_iter().rev() {
            let mut both = [condition, value];
            for (symbol, cell, offset) in cells {
                let seen = View { array: cell.array, ..view.clone() };
                let held = self.view_value(&seen, offset, hypotheses, under, depth + 1)?;
                both = both.map(|term| self.replaced(term, symbol, held));
            }
            result = self.walked.walker.pool.ite(both[0], both[1], result);
        }
        Ok(Some(result))
    }

    /// Values of the variables and ids at which the condition may be about the cell.
    fn guesses(
        &mut self,
        fact: &HeadFact,
        view: &View,
        offset: TermId,
        hypotheses: &[TermId],
    ) -> Vec<Vec<(TermId, TermId)>> {
        let mut formal = self.at_view(view);
        let ids = self.walked.ids(false);
        for &(id, _) in &ids {
            formal.set(id, id);
        }
        let term = self.walked.one_at(&mut formal, fact.offset);
        let reached = self.walked.walker.pool.reachable(&[term]);
        let binders = fact.binders.iter().map(|&symbol| Digit { symbol, below: None });
        let ids = ids.into_iter().filter(|(id, _)| reached.contains(id));
        let ids = ids.map(|(symbol, size)| Digit { symbol, below: Some(size) });
        let unknowns: Vec<Digit> = binders.chain(ids).collect();
        let known = known_digits(&self.walked.walker.pool, hypotheses);
        let sought =
            Sought { place: offset, offset: term, unknowns: &unknowns, fixed: &[], known: &known };
        let found = inverses(&mut self.walked.walker.pool, &sought);
        found.into_iter().map(|inverse| inverse.values).collect()
    }

    /// A thread of the block of a view, at its counts.
    fn at_view(&mut self, view: &View) -> Instance {
        let mut instance = Instance::default();
        self.walked.set_block(&mut instance, view.block);
        for &(id, count) in &view.counts {
            self.walked.set_count(&mut instance, id, count);
        }
        instance
    }

    /// The condition at these values: when it is about the cell, and what the cell holds then,
    /// with the cells that occur in both.
    #[allow(clippy::type_complexity)]
    fn case_of(
        &mut self,
        fact: &HeadFact,
        view: &View,
        offset: TermId,
        guess: Vec<(TermId, TermId)>,
        hypotheses: &[TermId],
    ) -> Result<Option<(TermId, TermId, Vec<(TermId, Cell, TermId)>)>, SolverError> {
        let (guess, digits) = self.without_division(guess, hypotheses)?;
        // Digits that exist only under the hypotheses are none where those do not hold.
        if digits.iter().any(|fact| !self.digits.contains(fact)) {
            return Ok(None);
        }
        let mut instance = self.at_view(view);
        let ids = self.walked.ids(false);
        let mut inside = vec![];
        for (id, size) in ids {
            let given = guess.iter().find(|one| one.0 == id).map(|one| one.1);
            let value = match given {
                Some(value) => value,
                // Any thread will do; the first of a block is one.
                None => self.walked.walker.pool.bv(32, 0),
            };
            instance.set(id, value);
            if given.is_some() {
                inside.push(self.walked.walker.pool.compare().ult(value, size));
            }
        }
        let mut terms = vec![fact.offset, fact.guard, fact.value];
        terms.extend(fact.cells.iter().map(|(_, cell)| cell.offset));
        let terms = self.walked.at(&mut instance, &terms);
        let binders = &fact.binders;
        let pool = &mut self.walked.walker.pool;
        let terms = pool.rebuild(&terms, |_, term, _| {
            let bound = guess.iter().find(|one| one.0 == term && binders.contains(&term));
            bound.map(|one| one.1)
        });
        inside.push(pool.eq(terms[0], offset));
        inside.push(terms[1]);
        let condition = pool.and(&inside);
        let cells = fact.cells.iter().zip(&terms[3..]);
        let cells = cells.map(|(&(symbol, cell), &offset)| (symbol, cell, offset)).collect();
        Ok(Some((condition, terms[2], cells)))
    }

    /// What a cell of a global array holds in the end if all of its writers are in one block:
    /// what that block sees of it at the end.
    ///
    /// SOUNDNESS: threads of other blocks must not write it at all
    /// (kernels/prove/traps/66-two-blocks), and the block has to pass the last cut.
    pub fn final_in_block(
        &mut self,
        array: Array,
        offset: TermId,
        hypotheses: &[TermId],
    ) -> Result<Option<TermId>, SolverError> {
        let place = Place { array, offset, block: None, piece: None };
        let stores = self.stores(&place);
        let in_loop = stores.iter().find(|site| !self.walked.aligned_around(site).is_empty());
        let Some(site) = in_loop.cloned() else { return Ok(None) };
        if self.head_facts.is_empty()
            || self.walked.facts().module.arrays[array].space != Space::Global
        {
            return Ok(None);
        }
        let Some(block) = self.only_block(&place, &site, hypotheses)? else { return Ok(None) };
        let mut counts = vec![];
        let mut anyone = self.walked.stranger(Some(block));
        for id in self.walked.cuts.aligned.clone() {
            let count = self.walked.walker.pool.fresh("left", duet_smt::Sort::BitVec(32));
            self.walked.set_count(&mut anyone, id, count);
            let wide = self.walked.walker.pool.bits().zero_extend(32, count);
            counts.push((id, wide));
        }
        let mut facts = self.walked.in_launch(&mut anyone);
        // A thread of the block is in the launch, for the block is.
        for &(id, count) in &counts {
            let reach = self.reaches(&mut anyone, id);
            let mut left = self.counter_facts(&mut anyone, id, count);
            left.push(self.leaves(&mut anyone, id));
            left.extend(self.left_exactly(&anyone, id, count));
            for fact in left {
                facts.push(self.walked.walker.pool.implies(reach, fact));
            }
        }
        let mut known = hypotheses.to_vec();
        known.extend(&facts);
        let cut = self.walked.cuts.aligned.first().map_or(Cut::Barrier(0), |id| Cut::Header(*id));
        let view = View { array, cut, block, counts };
        let (place, before) = self.piece_before(&view, Until::End, offset);
        if let Some((at, _)) = place
            .piece
            .as_ref()
            .and_then(|piece| piece.from.and_then(|cut| self.walked.cuts.place(cut)))
        {
            let reach = self.walked.walk.reach[&at.node];
            let reach = self.walked.one_at(&mut anyone, reach);
            if !self.implies(&known, reach, "the block gets there", Effort::Small)? {
                return Ok(None);
            }
        }
        self.learned.extend(facts);
        let value = self.value(&place, before, &known, &[], 1)?;
        Ok(Some(value))
    }

    /// The block of every thread that writes the cell, if it is one.
    fn only_block(
        &mut self,
        place: &Place,
        site: &duet_vc::SiteTerm,
        hypotheses: &[TermId],
    ) -> Result<Option<[TermId; 3]>, SolverError> {
        let formal = self.walked.thread.block;
        let mut guesses = vec![vec![]];
        guesses.extend(self.proposals(place, site, hypotheses).into_iter().take(1));
        'guesses: for guess in guesses {
            let (guess, _) = self.without_division(guess, hypotheses)?;
            let zero = self.walked.walker.pool.bv(32, 0);
            let is_symbol = |id| matches!(self.walked.walker.pool.op(id), Op::Apply(_));
            let given = |id| guess.iter().find(|one| one.0 == id).map_or(zero, |one| one.1);
            let block = formal.map(|id| if is_symbol(id) { given(id) } else { id });
            let mut instance = Instance::default();
            self.walked.set_block(&mut instance, block);
            for (id, size) in self.walked.ids(true) {
                let own = self.walked.one_at(&mut instance, id);
                let inside = self.walked.walker.pool.compare().ult(own, size);
                if !self.implies(hypotheses, inside, "the block is in the launch", Effort::Small)? {
                    continue 'guesses;
                }
            }
            for store in self.stores(place) {
                let mut anyone = self.walked.stranger(None);
                let mut known = hypotheses.to_vec();
                known.extend(self.stranger_facts(None, &store, &mut anyone));
                let at = self.walked.one_at(&mut anyone, store.offset);
                let pool = &mut self.walked.walker.pool;
                known.push(pool.eq(at, place.offset));
                let others = anyone.block().unwrap_or(block);
                let same: Vec<TermId> =
                    others.iter().zip(&block).map(|(&a, &b)| pool.eq(a, b)).collect();
                let same = pool.and(&same);
                if !self.implies(&known, same, "one block writes the cell", Effort::Small)? {
                    continue 'guesses;
                }
            }
            return Ok(Some(block));
        }
        Ok(None)
    }
}
