//! Loops whose number of iterations is no number: taken as a whole.
//!
//! A thread that gets to a loop with a test that is no number goes through its body once, with
//! symbols (*holes*) for what the loop carries. What the loop leaves is then a function of what
//! it began with, and two loops with the same test and the same steps are the same function.
//! Where a counter goes up to a bound and a value only has summands added to it, what is left
//! is a sum over a range ([`super::ranges`]), of which more is known.
//!
//! What the body adds to memory by atomic sums is added over the range of the counter, so such
//! a loop must be one that counts.
//!
//! *Why it is sound.* The body writes nothing else, waits for nobody and is left at its head only,
//! so what it leaves is decided by the test, the steps and the first values; what it reads is
//! not changed while it runs, since there are no races. A loop that does not end leaves
//! nothing, and both kernels are assumed to end. A test, steps and first values that are the
//! same terms, with the holes renamed in the order in which they occur, are those of the same
//! loop.
//!
//! Loops with other exits, with unknowns, or that read cells of which only some are known, are
//! not taken.

use std::collections::BTreeMap;
use std::rc::Rc;

use duet_analysis::Loop;
use duet_ir::{AnnotationKind, Array, Block, Edge, Inst, InstData, Terminator, Type};
use duet_parametric::writer::Inverse;
use duet_smt::{Op, Sort, TermId, TermPool};
use duet_vc::ops;

use super::adds::{Add, Over};
use super::guards::{Guard, Guards};
use super::ranges::{Counting, Ranges};
use super::run::BlockRun;
use super::sums::normal;
use super::thread::{Thread, Way};
use crate::engines::NotShown;
use crate::pair::request::FloatModel;

const NO_RANGE: &str = "atomic operations in a loop that is not counted";

/// The body of a loop that is gone through once.
pub(super) struct Body {
    id: Loop,
    header: Block,
    /// What goes back to the head, and when.
    back: Option<(Guard, Vec<TermId>)>,
    /// When the loop is left.
    leaves: Guard,
}

impl Body {
    /// Takes an edge that ends the iteration; is it one?
    pub(super) fn ends(
        &mut self,
        run: &BlockRun<'_>,
        (pool, guards): (&mut TermPool, &mut Guards),
        way: &Way,
        edge: &Edge,
        guard: Guard,
    ) -> Result<bool, NotShown> {
        if edge.block != self.header {
            let is_exit = !run.loops.contains(self.id, edge.block);
            if is_exit {
                self.leaves = guards.or(self.leaves, guard);
            }
            return Ok(is_exit);
        }
        let mut args = vec![];
        for &arg in &edge.args {
            args.push(run.terms.term(pool, &way.env, arg)?);
        }
        self.back = Some(match self.back.take() {
            None => (guard, args),
            Some((old, before)) => {
                let both = before.iter().zip(&args);
                let merged = both.map(|(&x, &y)| guards.select(pool, old, x, y)).collect();
                (guards.or(old, guard), merged)
            }
        });
        Ok(true)
    }

    pub(super) fn is_of(&self, header: Block) -> bool {
        self.header == header
    }
}

/// A loop after its body was gone through.
pub(super) struct Whole {
    /// What stands for what is carried.
    pub(super) holes: Vec<TermId>,
    /// Holes of loops around.
    pub(super) outer: Vec<TermId>,
    /// What is carried at first.
    pub(super) firsts: Vec<TermId>,
    /// And after an iteration.
    pub(super) steps: Vec<TermId>,
    pub(super) types: Vec<Type>,
    /// When an iteration happens.
    pub(super) test: TermId,
    /// The head, in the user's words.
    pub(super) line: String,
}

/// Takes loops of a block as a whole.
pub(super) struct Taker<'r, 'a> {
    pub(super) run: &'r mut BlockRun<'a>,
}

impl Taker<'_, '_> {
    /// Takes a loop as a whole if a way gets to its head and its test is no number. Where it
    /// was taken, the thread goes on behind it.
    pub(super) fn take(
        &mut self,
        (pool, guards): (&mut TermPool, &mut Guards),
        thread: &mut Thread,
        way: &Way,
        float: FloatModel,
    ) -> Result<bool, NotShown> {
        let Some((id, outside)) = plain_loop(self.run, way.block) else { return Ok(false) };
        let Terminator::Branch { cond, .. } = self.run.terms.func.blocks[way.block].terminator
        else {
            return Ok(false);
        };
        let mut next = way.clone();
        self.read_head((&mut *pool, &mut *guards), thread, &mut next)?;
        let cond = self.run.terms.term(pool, &next.env, cond)?;
        let cond = guards.of(pool, cond);
        let both = guards.and(way.guard, cond);
        if both == way.guard || both == Guard::FALSE {
            return Ok(false);
        }
        let whole = self.go_through((&mut *pool, &mut *guards), thread, way, id, float)?;
        let mut next = way.clone();
        let params = self.run.terms.func.blocks[way.block].params.clone();
        for (number, &param) in params.iter().enumerate() {
            let left = whole.left((&mut *pool, &mut *guards), number, float);
            next.env.insert(param, left);
        }
        self.read_head((&mut *pool, &mut *guards), thread, &mut next)?;
        self.run.take(pool, guards, thread, &next, &outside, way.guard)?;
        Ok(true)
    }

    fn read_head(
        &mut self,
        (pool, guards): (&mut TermPool, &mut Guards),
        thread: &mut Thread,
        way: &mut Way,
    ) -> Result<(), NotShown> {
        for &inst in &self.run.terms.func.blocks[way.block].insts {
            *self.run.steps = self.run.steps.checked_sub(1).ok_or("too many instructions")?;
            self.run.step(pool, guards, thread, way, inst)?;
        }
        Ok(())
    }

    /// Goes through the body once, with holes for what the loop carries.
    fn go_through(
        &mut self,
        (pool, guards): (&mut TermPool, &mut Guards),
        thread: &mut Thread,
        way: &Way,
        id: Loop,
        float: FloatModel,
    ) -> Result<Whole, NotShown> {
        let func = self.run.terms.func;
        let params = &func.blocks[way.block].params;
        let level = self.run.holes.len();
        let types: Vec<Type> = params.iter().map(|&param| func.type_of(param)).collect();
        let hole = |pool: &mut TermPool, number: usize, ty: Type| {
            pool.constant(&format!("hole.{level}.{number}.{ty}"), ops::sort_of(ty))
        };
        let holes: Vec<TermId> =
            types.iter().enumerate().map(|(number, &ty)| hole(pool, number, ty)).collect();
        let mut env = way.env.clone();
        env.extend(params.iter().copied().zip(holes.iter().copied()));
        let outer = self.run.holes.concat();
        self.run.holes.push(holes.clone());
        let start = Way { block: way.block, at: 0, guard: Guard::TRUE, env };
        let body = Body { id, header: way.block, back: None, leaves: Guard::FALSE };
        let mut inner = thread.inside(body, start);
        let before = std::mem::take(&mut self.run.adds);
        let went = self.run.go(pool, guards, &mut inner);
        let added = std::mem::replace(&mut self.run.adds, before);
        thread.own = std::mem::take(&mut inner.own);
        self.run.holes.pop();
        went?;
        let body = inner.body.take().ok_or("no body")?;
        let (guard, steps) = body.back.ok_or("a loop does not go back")?;
        let goes_on = guards.not(body.leaves);
        // SOUNDNESS: an iteration that does not get back to the head is the last one (test
        // `a_loop_that_ends_early_is_not_the_whole`).
        if guard != goes_on {
            return Err("an iteration of a loop may end elsewhere".into());
        }
        let firsts = params.iter().map(|param| way.env[param]).collect();
        let steps = steps.into_iter().map(|step| normal(pool, step, float)).collect();
        let test = guards.term(pool, goes_on);
        let line = self.run.kernel.module.source_span(func.blocks[way.block].loc);
        let line = line.map_or(String::new(), |span| format!(":{}", span.line));
        let line = format!("{}{line}", self.run.kernel.file.display());
        let whole = Whole { holes, outer, firsts, steps, types, test, line };
        self.add_over_range((pool, guards), &whole, added, way.guard)?;
        Ok(whole)
    }

    /// Takes note of what the iterations of a loop add, which is reached under a condition.
    ///
    /// SOUNDNESS: conditions of an iteration are about the counter too, and those of the loop
    /// are not (test `histograms_of_loops`).
    fn add_over_range(
        &mut self,
        (pool, guards): (&mut TermPool, &mut Guards),
        whole: &Whole,
        added: BTreeMap<Array, Vec<Add>>,
        reached: Guard,
    ) -> Result<(), NotShown> {
        if added.is_empty() {
            return Ok(());
        }
        let counting = Counting::of(pool, whole).ok_or(NO_RANGE)?;
        for (array, list) in added {
            for add in list {
                let mut over = |term: TermId| counting.over_counter(pool, term).ok_or(NO_RANGE);
                let (offset, value) = (over(add.offset)?, over(add.value)?);
                let when = guards.term(pool, add.guard);
                let when = counting.over_counter(pool, when).ok_or(NO_RANGE)?;
                if add.over.is_some() || !whole.outer.is_empty() {
                    return Err("atomic operations in loops of loops".into());
                }
                let over = Some(Rc::new(Over { range: counting.range.clone(), when }));
                let add = Add { guard: reached, offset, value, over, ..add };
                self.run.adds.entry(array).or_default().push(add);
            }
        }
        Ok(())
    }
}

/// A loop that is left at its head alone and has no effect, with the edge behind it.
fn plain_loop(run: &BlockRun<'_>, header: Block) -> Option<(Loop, Edge)> {
    let (func, id) = (run.terms.func, run.loops.headed_by(header)?);
    let Terminator::Branch { then, otherwise, .. } = &func.blocks[header].terminator else {
        return None;
    };
    let outside = match [then, otherwise].map(|edge| run.loops.contains(id, edge.block)) {
        [true, false] => otherwise.clone(),
        [false, true] => then.clone(),
        [true, true] | [false, false] => return None,
    };
    let mut inside = func.layout.iter().filter(|&&block| run.loops.contains(id, block));
    let is_plain = inside.all(|&block| {
        let data = &func.blocks[block];
        // SOUNDNESS: what else leaves the loop decides how often it is gone through (test
        // `a_loop_that_ends_early_is_not_the_whole`).
        let stays = data.terminator.edges().iter().all(|edge| run.loops.contains(id, edge.block));
        // SOUNDNESS: the head is read once more than there are iterations, and again here, so
        // it must not add to anything (test `sums_at_the_head_of_a_loop`).
        let adds = |inst: &Inst| matches!(func.insts[*inst], InstData::Atomic { .. });
        let is_quiet = block != header || !data.insts.iter().any(adds);
        (block == header || stays)
            && is_quiet
            && data.insts.iter().all(|&inst| is_plain(&func.insts[inst]))
    });
    is_plain.then_some((id, outside))
}

/// Has an instruction no effect but to add to something, and the same result whenever its
/// operands and what it reads are the same?
///
/// SOUNDNESS: what is unknown is another value in each iteration (test
/// `unknowns_of_iterations`).
fn is_plain(data: &InstData) -> bool {
    match data {
        InstData::Binary { .. }
        | InstData::Unary { .. }
        | InstData::Cast { .. }
        | InstData::IntCompare { .. }
        | InstData::FloatCompare { .. }
        | InstData::Select { .. }
        | InstData::Pure { .. }
        | InstData::Geometry(_)
        | InstData::Load { .. }
        | InstData::Atomic { .. }
        | InstData::Fence { .. }
        | InstData::Assert { .. } => true,
        InstData::Annotation { kind, .. } => {
            !matches!(kind, AnnotationKind::Requires | AnnotationKind::GlobalRequires)
        }
        InstData::Fresh { .. }
        | InstData::Ghost { .. }
        | InstData::PtrToInt { .. }
        | InstData::IntToPtr { .. }
        | InstData::Store { .. }
        | InstData::Barrier { .. }
        | InstData::BarrierReduce { .. }
        | InstData::Exchange { .. }
        | InstData::AsyncCopy { .. }
        | InstData::WaitEvents { .. }
        | InstData::Call { .. }
        | InstData::CallUnknown { .. } => false,
    }
}

impl Whole {
    /// What the loop leaves of a value.
    fn left(
        &self,
        (pool, guards): (&mut TermPool, &mut Guards),
        number: usize,
        float: FloatModel,
    ) -> TermId {
        if self.steps[number] == self.holes[number] {
            return self.firsts[number];
        }
        let Some(counting) = Counting::of(pool, self) else { return self.function(pool, number) };
        if number != counting.number {
            let ranges = Ranges { pool, guards, whole: self, counting: &counting, float };
            if let Some(sum) = ranges.sum(number) {
                return sum;
            }
        }
        self.function(pool, number)
    }

    /// What the loop leaves of a value, as a function of what is carried at first.
    fn function(&self, pool: &mut TermPool, number: usize) -> TermId {
        let mut order = vec![];
        holes_in(pool, self.test, &self.holes, &mut order);
        holes_in(pool, self.steps[number], &self.holes, &mut order);
        if !order.contains(&number) {
            order.push(number);
        }
        let mut next = 0;
        while let Some(&one) = order.get(next) {
            holes_in(pool, self.steps[one], &self.holes, &mut order);
            next += 1;
        }
        let mut terms = vec![self.test];
        terms.extend(order.iter().map(|&one| self.steps[one]));
        let bound: Vec<TermId> = order.iter().map(|&one| self.holes[one]).collect();
        let Closed { terms, free } = Closed::of(pool, &terms, &bound, &self.outer);
        let place = order.iter().position(|&one| one == number);
        let mut args: Vec<TermId> = order.iter().map(|&one| self.firsts[one]).collect();
        args.extend(free);
        let sort = pool.sort(self.holes[number]);
        apply(pool, &format!("loop.{terms:?}.{place:?}"), &args, sort)
    }
}

/// Terms whose holes have names by the order in which they occur.
#[derive(Debug)]
pub(super) struct Closed {
    pub(super) terms: Vec<TermId>,
    /// Holes of loops around, in the order of their names.
    pub(super) free: Vec<TermId>,
}

impl Closed {
    /// Renames what is bound in this order, and what is not in that of its occurrence.
    pub(super) fn of(
        pool: &mut TermPool,
        terms: &[TermId],
        bound: &[TermId],
        outer: &[TermId],
    ) -> Closed {
        let mut order = vec![];
        for &term in terms {
            holes_in(pool, term, outer, &mut order);
        }
        let free: Vec<TermId> = order.iter().map(|&one| outer[one]).collect();
        let mut values = vec![];
        for (kind, list) in [("bound", bound), ("free", &free)] {
            for (number, &hole) in list.iter().enumerate() {
                let sort = pool.sort(hole);
                values.push((hole, pool.constant(&format!("{kind}.{number}.{sort:?}"), sort)));
            }
        }
        Closed { terms: Inverse { values }.apply_all(pool, terms), free }
    }
}

/// Applies the function of a name; names say all sorts but the result's.
pub(super) fn apply(pool: &mut TermPool, name: &str, args: &[TermId], sort: Sort) -> TermId {
    let sorts: Vec<Sort> = args.iter().map(|&arg| pool.sort(arg)).collect();
    let func = pool.func(&format!("{name}.{sorts:?}.{sort:?}"), &sorts, sort);
    pool.apply(func, args)
}

/// Which holes a term mentions, in the order in which they occur, after those that are known.
fn holes_in(pool: &TermPool, term: TermId, holes: &[TermId], order: &mut Vec<usize>) {
    let (mut left, mut seen) = (vec![term], std::collections::BTreeSet::new());
    while let Some(term) = left.pop() {
        if !seen.insert(term) {
            continue;
        }
        if let Some(number) = holes.iter().position(|hole| *hole == term)
            && !order.contains(&number)
        {
            order.push(number);
        }
        left.extend(pool.args(term).iter().rev());
    }
}

/// Does a term mention one of the holes?
pub(super) fn mentions(pool: &TermPool, term: TermId, holes: &[TermId]) -> bool {
    !holes.is_empty() && pool.reachable(&[term]).iter().any(|part| holes.contains(part))
}

/// The parts of a sum.
pub(super) fn parts(pool: &TermPool, term: TermId) -> Vec<TermId> {
    match pool.op(term) {
        Op::BvAdd => pool.args(term).to_vec(),
        _ => vec![term],
    }
}
