//! A clause: its variables become symbols, its guard hypotheses, and each conjunct of what it
//! says a goal. Frames: every store is to a cell that the clause names.

use duet_ask::Effort;
use duet_ir::Space;
use duet_smt::TermId;
use duet_smt::solver::SolverError;
use duet_spec::{
    BinaryOp, Binder, Clause, ClauseKind, Expr, ExprKind, Quantifier, UnaryOp, bounds_of,
};
use duet_vc::Walker;

use super::Prover;
use super::loops::counters::Counting;
use super::loops::cuts::Cut;
use super::loops::heads::Heads;
use super::loops::invariants::Invariants;
use super::spec_terms::{Cell, SpecTerm, Terms, products_of_some};
use super::sums::folds::Sums;
use crate::report::ClauseStatus;
use crate::requires::bounded_product;

/// A clause that was not proved, or could not be stated.
pub enum Stop {
    /// Why.
    Open(String),
    /// A solver that cannot be asked.
    Solver(SolverError),
}

impl From<SolverError> for Stop {
    fn from(error: SolverError) -> Stop {
        Stop::Solver(error)
    }
}

impl From<String> for Stop {
    fn from(why: String) -> Stop {
        Stop::Open(why)
    }
}

pub type Variables = Vec<(String, SpecTerm)>;

/// Proves clauses with a prover.
pub struct Clauses<'p, 's, 'f>(pub &'p mut Prover<'s, 'f>);

works_on_prover!(Clauses);

impl Prover<'_, '_> {
    /// Makes a term; final cells are symbols in it, which are listed.
    pub fn with_cells<T>(
        &mut self,
        variables: &Variables,
        initial: bool,
        make: impl FnOnce(&mut Terms<'_, '_>) -> Result<T, String>,
    ) -> Result<(T, Vec<(TermId, Cell)>), String> {
        let mut cells: Vec<(TermId, Cell)> = vec![];
        let (mut folds, mut sides) = (vec![], vec![]);
        let contents = self.walked.walk.initial.arrays.clone();
        let is_unreadable = self.is_at_loop && self.head.is_none();
        let is_at_head = self.is_at_loop && self.head.is_some();
        let mut read = |walker: &mut Walker<'_>, cell: Cell| -> Result<TermId, String> {
            let data = &walker.facts.module.arrays[cell.array];
            if data.granule != cell.ty.bytes() {
                return Err("an array is accessed in pieces of another size".to_string());
            }
            let is_shared = is_at_head && data.space == Space::Shared && !cell.initial;
            if !is_shared {
                if !matches!(data.space, Space::Global | Space::Constant) {
                    return Err("a contract speaks of global memory only".to_string());
                }
                if cell.initial || walker.facts.uses.is_never_written(cell.array) {
                    return Ok(walker.pool.select(contents[&cell.array], cell.offset));
                }
            }
            // SOUNDNESS: at a loop's head an array has other contents than in the end
            // (kernels/prove/traps/52-invariant-of-an-array).
            if is_unreadable {
                let why = "a loop invariant about an array that the kernel writes is covered at \
                           loops with barriers only";
                return Err(why.to_string());
            }
            if let Some((symbol, _)) = cells.iter().find(|(_, known)| *known == cell) {
                return Ok(*symbol);
            }
            let sort = duet_smt::Sort::BitVec(8 * cell.ty.bytes());
            let symbol = walker.pool.fresh("final", sort);
            cells.push((symbol, cell));
            Ok(symbol)
        };
        let value = make(&mut Terms {
            walker: &mut self.walked.walker,
            bound: self.bound,
            variables: variables.clone(),
            initial,
            read: &mut read,
            depth: 0,
            in_index: false,
            sides: &mut sides,
            folds: &mut folds,
            recursions: &mut self.recursions,
            inside: None,
            frozen: false,
        });
        self.folds.extend(folds);
        self.sides.extend(sides);
        let value = value?;
        Ok((value, cells))
    }
}

/// For all values what the guard says implies that the last conjunct is false.
fn none_exists(exists: &Expr) -> Expr {
    let ExprKind::Quantified(_, binders, body) = &exists.kind else { return exists.clone() };
    let made = |kind| Expr { kind, span: exists.span };
    let conjuncts = body.conjuncts();
    let Some((last, guard)) = conjuncts.split_last() else { return exists.clone() };
    let mut result = made(ExprKind::Unary(UnaryOp::Not, Box::new((*last).clone())));
    for one in guard.iter().rev() {
        let parts = (Box::new((*one).clone()), Box::new(result));
        result = made(ExprKind::Binary(BinaryOp::Implies, parts.0, parts.1));
    }
    made(ExprKind::Quantified(Quantifier::Forall, binders.clone(), Box::new(result)))
}

impl Clauses<'_, '_, '_> {
    /// What is known of the launch and its arguments: limits of sizes, and preconditions
    /// that can be stated.
    pub fn base_facts(&mut self) -> Vec<TermId> {
        let mut facts = self.walked.walker.geometry.facts.clone();
        let conjuncts: Vec<&Expr> = self.bound.requires().flat_map(Expr::conjuncts).collect();
        let mut stated = vec![];
        for conjunct in conjuncts {
            // SOUNDNESS: preconditions speak of initial contents
            // (kernels/prove/traps/11-initial-contents).
            let made = self.with_cells(&vec![], true, |terms| terms.truth(conjunct));
            let sides = std::mem::take(&mut self.sides);
            if let Ok((fact, _)) = made {
                // What the terms say is what the contract does where the sides hold.
                let pool = &mut self.walked.walker.pool;
                let exact = pool.and(&sides);
                let fact = pool.implies(exact, fact);
                facts.push(fact);
                stated.push((conjunct, fact));
            }
        }
        for (conjunct, fact) in stated {
            let products = self.limits_of_products(conjunct, &facts);
            // The product of all is among them, without the width that costs solvers their time.
            if !products.is_empty() {
                facts.retain(|&known| known != fact);
                facts.extend(products);
            }
        }
        facts
    }

    /// What a limit of a product of sizes, if it is a number, says of the products of some of
    /// them and of all.
    fn limits_of_products(&mut self, pred: &Expr, known: &[TermId]) -> Vec<TermId> {
        let Some((factors, limit, is_strict)) = bounded_product(pred) else { return vec![] };
        let Ok((_, (least, most))) = self.integer(limit, &vec![]) else { return vec![] };
        let Ok(limit) = i32::try_from(most - i128::from(is_strict)) else { return vec![] };
        if least != most {
            return vec![];
        }
        let mut terms = vec![];
        for factor in factors {
            let Ok((term, _)) = self.integer(factor, &vec![]) else { return vec![] };
            let pool = &mut self.walked.walker.pool;
            if pool.width(term) != 64 {
                return vec![];
            }
            let one = pool.bv(64, 1);
            let positive = pool.compare().sle(one, term);
            match self.implies(known, positive, "a size is positive", Effort::Small) {
                Ok(true) => terms.push(term),
                Ok(false) | Err(_) => return vec![],
            }
        }
        products_of_some(&mut self.walked.walker.pool, &terms, limit)
    }

    /// Barriers that every thread passes, and loops that end; the reason why not.
    pub fn prepare(&mut self) -> Result<Option<ClauseStatus>, SolverError> {
        if let Some(place) = self.not_passed()? {
            return Ok(Some(ClauseStatus::Unproven {
                why: "not every thread passes the barrier each time".to_string(),
                place: Some(place),
                help: Some("take the barrier out of the condition".to_string()),
            }));
        }
        let facts = self.walked.facts();
        if let Some(id) = self.walked.cuts.left_late(facts, &self.walked.walk) {
            return Ok(Some(ClauseStatus::Unproven {
                why: "a loop with barriers is left in the middle of an iteration".to_string(),
                place: self.place_of(id),
                help: Some("let the loop end by its condition".to_string()),
            }));
        }
        if let Some(id) = Counting(self).find_counters()? {
            return Ok(Some(ClauseStatus::Unproven {
                why: "no counter was found by which a loop ends without overflow".to_string(),
                place: self.place_of(id),
                help: Some(
                    "bound the loop's limit in `requires`, such as `n + \\threads <= INT_MAX`"
                        .to_string(),
                ),
            }));
        }
        Invariants(self.0).prove_invariants()
    }

    fn place_of(&self, id: duet_analysis::Loop) -> Option<duet_ir::Inst> {
        let facts = self.walked.facts();
        let header = facts.loops.data(id).header;
        facts.func.blocks[header].insts.first().copied()
    }

    /// A barrier that a thread may not pass: outside of loops at all, or on a way round a
    /// loop that holds it.
    fn not_passed(&mut self) -> Result<Option<duet_ir::Inst>, SolverError> {
        let mut known = self.base.clone();
        known.extend(self.walked.thread.facts.clone());
        let levels: Vec<Option<duet_analysis::Loop>> =
            [None].into_iter().chain(self.walked.cuts.aligned.iter().copied().map(Some)).collect();
        for level in levels {
            let ways = match level {
                None => vec![known.clone()],
                Some(id) => self.ways_round(id, &known),
            };
            let cuts = self.walked.cuts.right_inside(level);
            // SOUNDNESS: a loop whose barriers are all in loops within it may go round without
            // passing one (kernels/prove/traps/32-way-round).
            let has_own = cuts.iter().any(|(cut, _)| matches!(cut, Cut::Barrier(_)));
            if let Some(id) = level.filter(|_| !has_own) {
                return Ok(self.place_of(id).or(Some(self.walked.walk.after_barriers[0].inst)));
            }
            for (cut, at) in cuts {
                let reach = self.walked.walk.reach[&at.node];
                let done = self.left_before(level, at);
                for way in &ways {
                    let all: Vec<TermId> = way.iter().chain(&done).copied().collect();
                    let is_passed =
                        self.implies(&all, reach, "every thread passes", Effort::Small)?
                            || (level.is_none() && self.passes_together(at, reach, &all)?);
                    if !is_passed {
                        return Ok(match cut {
                            Cut::Barrier(number) => {
                                Some(self.walked.walk.after_barriers[number].inst)
                            }
                            Cut::Header(id) => self.place_of(id),
                        });
                    }
                }
            }
        }
        self.passed_by(&known)
    }

    /// A loop with barriers, in no other one, that a thread may have gone around when it comes to
    /// a later cut, or that is on another way than some cut.
    ///
    /// SOUNDNESS: what a block sees at a cut is taken from the cut before, which is the loop's
    /// head: its facts hold of those that were there, and what it stores is seen by them alone
    /// (kernels/prove/traps/74-loop-passed-by, kernels/prove/traps/75-loops-on-two-ways).
    fn passed_by(&mut self, known: &[TermId]) -> Result<Option<duet_ir::Inst>, SolverError> {
        let cuts = self.walked.cuts.right_inside(None);
        for &(cut, head) in &cuts {
            let Cut::Header(id) = cut else { continue };
            for &(other, at) in cuts.iter().filter(|(other, _)| *other != cut) {
                let walk = &self.walked.walk;
                if walk.has_passed(at, head) {
                    continue;
                }
                let is_later = walk.has_passed(head, at);
                let (there, here) = (walk.reach[&at.node], walk.reach[&head.node]);
                let mut all = known.to_vec();
                all.extend(self.left_before(None, at));
                all.push(there);
                let is_passed = is_later
                    && self.implies(&all, here, "every thread came by the loop", Effort::Small)?;
                if !is_passed {
                    let place = self.place_of(id);
                    return Ok(place.or(match other {
                        Cut::Barrier(number) => Some(self.walked.walk.after_barriers[number].inst),
                        Cut::Header(other) => self.place_of(other),
                    }));
                }
            }
        }
        Ok(None)
    }

    /// If one thread of a block gets to a cut outside of loops, do all of them? Blocks none of
    /// whose threads get there have no piece before it (`if (blockIdx.x >= h) return;`).
    ///
    /// SOUNDNESS: threads that differ in it would not see each other's stores
    /// (kernels/prove/traps/08-returned).
    fn passes_together(
        &mut self,
        at: duet_vc::Point,
        reach: TermId,
        known: &[TermId],
    ) -> Result<bool, SolverError> {
        let block = self.walked.thread.block;
        let mut other = self.walked.stranger(Some(block));
        let mut all = known.to_vec();
        all.push(reach);
        all.extend(self.walked.in_launch(&mut other));
        let done = self.left_before(None, at);
        all.extend(self.walked.at(&mut other, &done));
        let too = self.walked.one_at(&mut other, reach);
        self.implies(&all, too, "all threads of a block pass", Effort::Small)
    }

    /// What is known on each way round a loop.
    fn ways_round(&mut self, id: duet_analysis::Loop, known: &[TermId]) -> Vec<Vec<TermId>> {
        let edges = self.walked.header(id).map_or(vec![], |header| header.edges.clone());
        let backs = edges.into_iter().filter(|edge| edge.is_back);
        backs
            .map(|edge| {
                let mut way = known.to_vec();
                way.extend(self.walked.walk.facts_at(edge.at));
                way.push(edge.guard);
                way
            })
            .collect()
    }

    /// Loops before a place, in no other loop than the place is, were left.
    fn left_before(
        &mut self,
        level: Option<duet_analysis::Loop>,
        at: duet_vc::Point,
    ) -> Vec<TermId> {
        let mut facts = vec![];
        for header in self.walked.walk.headers.clone() {
            let loops = &self.walked.facts().loops;
            let block = loops.data(header.id).header;
            let outside = loops.around(block).filter(|other| *other != header.id);
            let parent = outside.min_by_key(|other| loops.data(*other).blocks.len());
            let own = self.walked.facts().program.alone.nodes[at.node].block;
            let is_around = loops.contains(header.id, own);
            if parent != level || is_around || !self.walked.walk.is_before(header.node, at.node) {
                continue;
            }
            let exits = self.walked.exits(header.id);
            let reach = self.walked.walk.reach[&header.node];
            let pool = &mut self.walked.walker.pool;
            let left = pool.or(&exits);
            facts.push(pool.implies(reach, left));
        }
        facts
    }

    /// Forgets what belongs to another clause.
    pub fn begin_clause(&mut self) {
        self.explained.clear();
        self.digits.clear();
        self.named.clear();
        self.bounds.clear();
        self.folds.clear();
        self.learned.clear();
    }

    /// Proves a clause.
    pub fn clause(&mut self, clause: &Clause) -> Result<ClauseStatus, SolverError> {
        self.begin_clause();
        let base = self.base.clone();
        let result = match &clause.kind {
            ClauseKind::Ensures(pred) => self.claim(pred, &mut vec![], &base),
            ClauseKind::Assigns(cells) => self.frame(cells),
            ClauseKind::Requires(_)
            | ClauseKind::Ghost(..)
            | ClauseKind::Logic(_)
            | ClauseKind::Writer(..)
            | ClauseKind::LoopInvariant(_) => Err(Stop::Open("it promises nothing".to_string())),
        };
        match result {
            Ok(()) => Ok(ClauseStatus::Proved(std::mem::take(&mut self.explained))),
            Err(Stop::Open(why)) => Ok(ClauseStatus::unproven(why)),
            Err(Stop::Solver(error)) => Err(error),
        }
    }

    /// Proves a predicate under hypotheses. What was learned on the way rests on them, so it
    /// is forgotten afterwards.
    pub fn claim(
        &mut self,
        pred: &Expr,
        variables: &mut Variables,
        hypotheses: &[TermId],
    ) -> Result<(), Stop> {
        let before = self.learned.len();
        let result = self.claim_parts(pred, variables, hypotheses);
        self.learned.truncate(before);
        result
    }

    fn claim_parts(
        &mut self,
        pred: &Expr,
        variables: &mut Variables,
        hypotheses: &[TermId],
    ) -> Result<(), Stop> {
        match &pred.kind {
            ExprKind::Quantified(Quantifier::Forall, binders, body) => {
                let before = variables.len();
                let mut known = hypotheses.to_vec();
                self.bind(binders, body, variables, &mut known)?;
                let result = self.claim(body, variables, &known);
                variables.truncate(before);
                result
            }
            ExprKind::Binary(BinaryOp::Implies, guard, then) => {
                let mut known = hypotheses.to_vec();
                for conjunct in guard.conjuncts() {
                    let fact = self.resolved_truth(conjunct, variables, &known)?;
                    known.push(fact);
                }
                let wide = variables.clone();
                // SOUNDNESS: a guard further in may be what has the bounds, and is evaluated
                // first (test `bounds_of_a_later_guard`).
                if !matches!(then.kind, ExprKind::Binary(BinaryOp::Implies, ..)) {
                    self.tighten(variables);
                }
                let result = self.claim(then, variables, &known);
                *variables = wide;
                result
            }
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.claim(a, variables, hypotheses)?;
                self.claim(b, variables, hypotheses)
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) => self.equation(a, b, variables, hypotheses),
            ExprKind::Unary(UnaryOp::Not, arg)
                if matches!(arg.kind, ExprKind::Quantified(Quantifier::Exists, ..)) =>
            {
                self.claim(&none_exists(arg), variables, hypotheses)
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
            | ExprKind::IsPow2(_) => {
                let goal = self.resolved_truth(pred, variables, hypotheses)?;
                let known = self.with_learned(hypotheses);
                match self.implies(&known, goal, "what is ensured", Effort::Full)? {
                    true => Ok(()),
                    false => Err(Stop::Open(format!("`{pred}` was not shown"))),
                }
            }
        }
    }

    /// Makes bound variables symbols. A variable's bounds tell how many bits it needs.
    pub fn bind(
        &mut self,
        binders: &[Binder],
        body: &Expr,
        variables: &mut Variables,
        known: &mut Vec<TermId>,
    ) -> Result<(), Stop> {
        let all = bounds_of(Quantifier::Forall, binders, body);
        for (binder, bounds) in binders.iter().zip(all) {
            let mut range: (Option<i128>, Option<i128>) = (None, None);
            if bounds.not_negative {
                range.0 = Some(0);
            }
            for (bound, strict) in &bounds.from {
                let (_, (low, _)) = self.integer(bound, variables)?;
                let low = low + i128::from(*strict);
                range.0 = Some(range.0.map_or(low, |known| known.max(low)));
            }
            for (bound, strict) in &bounds.to {
                let (term, (_, high)) = self.integer(bound, variables)?;
                let high = self.smaller_limit(term, high, known)?;
                let high = high - i128::from(*strict);
                range.1 = Some(range.1.map_or(high, |known| known.min(high)));
            }
            let (Some(low), Some(high)) = range else {
                return Err(Stop::Open(format!("`{}` is not bounded", binder.name)));
            };
            // SOUNDNESS: the symbol takes every value that the guard leaves, and its guard is
            // a hypothesis besides (test `wide_variables`).
            let fits = |bits: u32| low >= -(1i128 << (bits - 1)) && high < 1i128 << (bits - 1);
            let pool = &mut self.walked.walker.pool;
            let term = match () {
                () if fits(32) => {
                    let symbol = pool.fresh(&binder.name, duet_smt::Sort::BitVec(32));
                    pool.bits().sign_extend(32, symbol)
                }
                () if fits(64) => pool.fresh(&binder.name, duet_smt::Sort::BitVec(64)),
                () => return Err(Stop::Open(format!("`{}` may be too large", binder.name))),
            };
            if binder.unsigned {
                let zero = pool.bv(64, 0);
                known.push(pool.compare().sle(zero, term));
            }
            let limits =
                if fits(32) { (i128::from(i32::MIN), i128::from(i32::MAX)) } else { (low, high) };
            variables.push((binder.name.clone(), SpecTerm::Int(term, limits)));
            self.bounds.push((term, (low, high)));
        }
        Ok(())
    }

    /// A limit of a term that is far below what its type allows, if the preconditions say so.
    fn smaller_limit(
        &mut self,
        term: TermId,
        high: i128,
        known: &[TermId],
    ) -> Result<i128, SolverError> {
        for limit in [i128::from(i32::MAX), 1i128 << 60] {
            // What fits 33 bits is small enough as it is.
            if high <= limit || high < 1 << 33 {
                break;
            }
            let pool = &mut self.walked.walker.pool;
            let most = pool.bv(pool.width(term), limit as u128);
            let is_small = pool.compare().sle(term, most);
            if self.implies(known, is_small, "a bound is small", Effort::Small)? {
                return Ok(limit);
            }
        }
        Ok(high)
    }

    /// Variables keep to their bounds once the guard that has them is a hypothesis.
    pub fn tighten(&self, variables: &mut Variables) {
        for (_, value) in variables {
            if let SpecTerm::Int(term, range) = value
                && let Some((_, bounds)) = self.bounds.iter().find(|(own, _)| own == term)
            {
                // An empty range says that the guard is never true.
                if bounds.0 > bounds.1 {
                    continue;
                }
                *range = (range.0.max(bounds.0), range.1.min(bounds.1));
            }
        }
    }

    /// Proves an equation; of floats, equality of bits.
    fn equation(
        &mut self,
        a: &Expr,
        b: &Expr,
        variables: &Variables,
        hypotheses: &[TermId],
    ) -> Result<(), Stop> {
        let (a_term, mut a_cells) = self.with_cells(variables, false, |terms| terms.term(a))?;
        let (b_term, b_cells) = self.with_cells(variables, false, |terms| terms.term(b))?;
        a_cells.extend(b_cells);
        let (both, _) = self.with_cells(variables, false, |terms| terms.alike(a_term, b_term))?;
        let (a_term, b_term) = both;
        let (left, right) = match (a_term, b_term) {
            (SpecTerm::Float(x, one), SpecTerm::Float(y, other)) if one == other => (x, y),
            (SpecTerm::Bool(x), SpecTerm::Bool(y)) => (x, y),
            (SpecTerm::Bool(_), SpecTerm::Int(..)) | (SpecTerm::Int(..), SpecTerm::Bool(_)) => {
                let both = [a_term, b_term].map(|side| self.as_number(side));
                (both[0], both[1])
            }
            (SpecTerm::Int(x, _), SpecTerm::Int(y, _)) => {
                let pool = &mut self.walked.walker.pool;
                let width = pool.width(x).max(pool.width(y));
                (pool.bits().sext_or_trunc(x, width), pool.bits().sext_or_trunc(y, width))
            }
            _ => return Err(Stop::Open("both sides of `==` must have the same type".to_string())),
        };
        let hypotheses = &self.show_sides(hypotheses)?;
        self.begin_goal(hypotheses);
        let left = self.filled(left, &a_cells, hypotheses)?;
        let right = self.filled(right, &a_cells, hypotheses)?;
        let known = self.with_learned(hypotheses);
        let left = Sums(self).with_sums(left, &known)?;
        let right = Sums(self).with_sums(right, &known)?;
        match self.equal(&known, left, right, 0)? {
            true => Ok(()),
            false => Err(Stop::Open(format!("`{a} == {b}` was not shown"))),
        }
    }

    /// A truth value beside an integer is 0 or 1.
    fn as_number(&mut self, side: SpecTerm) -> TermId {
        let pool = &mut self.walked.walker.pool;
        match side {
            SpecTerm::Bool(term) => {
                let (one, zero) = (pool.bv(128, 1), pool.bv(128, 0));
                pool.ite(term, one, zero)
            }
            SpecTerm::Int(term, _) | SpecTerm::Float(term, _) => {
                pool.bits().sext_or_trunc(term, 128)
            }
            SpecTerm::Array(..) => pool.fresh("array", duet_smt::Sort::BitVec(128)),
        }
    }

    /// What was found out for another goal may rest on other hypotheses.
    pub fn begin_goal(&mut self, hypotheses: &[TermId]) {
        self.given = hypotheses.to_vec();
        let digits = std::mem::take(&mut self.digits);
        self.learned.extend(digits);
        self.named.clear();
        self.cells.clear();
        self.searched.clear();
        self.block_sums.clear();
    }

    fn with_learned(&self, hypotheses: &[TermId]) -> Vec<TermId> {
        let mut known = hypotheses.to_vec();
        for &fact in self.learned.iter().chain(&self.digits) {
            if !known.contains(&fact) {
                known.push(fact);
            }
        }
        known
    }

    /// A term with its final cells replaced by what their writers leave there.
    fn filled(
        &mut self,
        term: TermId,
        cells: &[(TermId, Cell)],
        hypotheses: &[TermId],
    ) -> Result<TermId, SolverError> {
        let mut term = term;
        for &(symbol, cell) in cells {
            if !self.walked.walker.pool.reachable(&[term]).contains(&symbol) {
                continue;
            }
            let value = match self.head.clone() {
                Some(head) => Heads(self).value_at_head(&head, cell, hypotheses)?,
                None => self.final_value(cell.array, cell.offset, hypotheses)?,
            };
            let changed = self
                .walked
                .walker
                .pool
                .rebuild(&[term], |_, part, _| (part == symbol).then_some(value));
            term = changed[0];
        }
        Ok(term)
    }

    fn resolved_truth(
        &mut self,
        pred: &Expr,
        variables: &Variables,
        hypotheses: &[TermId],
    ) -> Result<TermId, Stop> {
        let (term, cells) = self.with_cells(variables, false, |terms| terms.truth(pred))?;
        let hypotheses = &self.show_sides(hypotheses)?;
        self.begin_goal(hypotheses);
        let term = self.filled(term, &cells, hypotheses)?;
        let known = self.with_learned(hypotheses);
        Ok(Sums(self).with_sums(term, &known)?)
    }

    fn integer(
        &mut self,
        expr: &Expr,
        variables: &Variables,
    ) -> Result<(TermId, (i128, i128)), String> {
        let (value, cells) = self.with_cells(variables, false, |terms| terms.integer(expr))?;
        match cells.is_empty() && std::mem::take(&mut self.sides).is_empty() {
            true => Ok(value),
            false => Err("a bound reads an array that the kernel writes".to_string()),
        }
    }
}
