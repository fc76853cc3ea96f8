//! DYN: runs of the interpreter.
//!
//! The kernel is run on small launches and arguments that satisfy its preconditions;
//! at visits of a loop's header the candidates are evaluated. It stops once every block
//! was reached, when a run tells nothing new, or after a number of runs.
//! (*candidate-invariants*, 5.1.3)
//!
//! Each loop has a share of visits that are looked at, so that a long loop does not use
//! up what others need (`kernels/loops/dyn-late-loop`): the first iterations of a thread,
//! then ever fewer, and the last, at which the guard fails. A run ends as soon as every
//! loop with candidates has had its share; the instructions of all runs are limited, but
//! as a fence and not as a measure. Where no thread waits for another only a few of them
//! run, so that they come to the later loops. Of the accesses that candidates of an encoding with
//! logs speak of, a few of each instruction are kept.
//!
//! Certain: the states of a run are among those that Houdini considers, as long as
//! the run has no race and no divergence, since a thread's view of memory is argued
//! from that. What a run with such a defect shows is thrown away
//! (`kernels/loops/dyn-racy-run-bug`). What a run does after it was cut off does not
//! matter: nothing before rests on it. Candidates that read memory are not evaluated:
//! their reads are not among those that are judged for races. Under an assumption that
//! arithmetic does not overflow nothing is run: a run may break it.

use std::collections::{BTreeSet, HashMap};

use duet_analysis::Loop;
use duet_interp::{FindingKind, Observer, Outcome, Site, Status, ThreadPos, Visit};
use duet_ir::{Array, Block, EntityRef, Function};
use duet_product::KernelFacts;
use duet_refute::{Run, Setting, Subject};

use super::board::{Board, Number};
use super::evaluate::HeaderVisit;
use super::pending::{Done, Pending};

/// Fewer candidates are soon sorted out without runs.
const MIN_CANDIDATES: usize = 4;
/// Runs that are legal.
const RUNS: usize = 4;
/// Runs that are tried.
const TRIES: usize = 8;
/// Instructions of all runs.
const STEPS: u64 = 80_000;
/// Threads of a run; setting one up is worth some fifty instructions.
const THREADS: u64 = 2048;
/// Visits of a loop's header that are looked at in a run.
const SHARE: u32 = 96;
/// First iterations of a thread that are all looked at.
const FIRST_ITERATIONS: u32 = 4;

/// Tells what candidates say of a visit.
pub trait Judge: Sync {
    /// Is the candidate true at a visit of its loop's head? `None` if that cannot be told.
    fn truth(&self, number: Number, here: &HeaderVisit<'_>) -> Option<bool>;

    /// Do candidates speak of accesses?
    fn wants_accesses(&self) -> bool;
}

/// What is run, and what for.
pub struct Runs<'a> {
    /// The kernel.
    pub facts: &'a KernelFacts<'a>,
    /// What it is run for.
    pub setting: &'a Setting,
    /// The candidates.
    pub board: &'a Board,
    /// What they say.
    pub judge: &'a dyn Judge,
}

/// Refutes the candidates that runs break, and returns them.
pub fn run(runs: &Runs<'_>) -> Vec<Number> {
    let Runs { facts, setting, board, .. } = *runs;
    let is_lock_step = facts.warp_sync.is_some();
    let skips = duet_interp::skips_assumptions(facts.module, facts.kernel);
    if is_lock_step || skips || board.len() < MIN_CANDIDATES {
        return vec![];
    }
    let subject = Subject::new(facts.module, facts.kernel, setting.clone(), &facts.uniformity);
    let mut refuted = vec![];
    let mut reached: BTreeSet<Block> = BTreeSet::new();
    let (mut legal, mut steps) = (0, STEPS);
    let few = subject.maker.small_runs().take(TRIES).map(|run| subject.maker.of_few_threads(run));
    for run in few.filter(|run| run.threads() <= THREADS) {
        if legal == RUNS || steps == 0 || board.is_over() {
            break;
        }
        let mut watcher = Watcher::new(runs, &run);
        let Ok(outcome) = run.watch(facts.module, facts.kernel, steps, &mut watcher) else {
            continue;
        };
        steps = steps.saturating_sub(outcome.instructions);
        if !is_legal(&outcome) {
            continue;
        }
        legal += 1;
        let (blocks, killed) = (reached.len(), refuted.len());
        let layout = facts.func.layout.iter().copied();
        reached.extend(layout.filter(|block| watcher.reached[block.index()]));
        refuted.extend(watcher.broken.into_iter().filter(|number| board.refute(*number)));
        let tells_nothing = (reached.len(), refuted.len()) == (blocks, killed);
        if tells_nothing || reached.len() == facts.func.layout.len() {
            break;
        }
    }
    refuted
}

/// Does the run show states that the check considers?
fn is_legal(outcome: &Outcome) -> bool {
    use FindingKind::{
        BenignRace, ConversionOutOfRange, DivisionByZero, InactiveLane, InvariantFailed,
        PartialExchange, SignedOverflow, Uninitialised,
    };
    let harmless = |kind: &FindingKind| {
        matches!(
            kind,
            BenignRace(_)
                | ConversionOutOfRange { .. }
                | DivisionByZero { .. }
                | InactiveLane { .. }
                | InvariantFailed { .. }
                | PartialExchange { .. }
                | SignedOverflow { .. }
                | Uninitialised { .. }
        )
    };
    matches!(outcome.status, Status::Finished | Status::DidNotFinish(_))
        && outcome.findings.iter().all(|finding| harmless(&finding.kind))
}

/// Evaluates candidates while a kernel runs.
struct Watcher<'a> {
    facts: &'a KernelFacts<'a>,
    board: &'a Board,
    judge: &'a dyn Judge,
    run: &'a Run,
    /// The thread that runs.
    thread: Option<ThreadPos>,
    trail: Trail,
    /// Where the others were.
    others: HashMap<ThreadPos, Trail>,
    /// Visits still to be looked at, by loop; none of loops without candidates.
    left: Vec<u32>,
    reached: Vec<bool>,
    broken: Vec<Number>,
}

/// Where a thread was.
#[derive(Default)]
struct Trail {
    last: Option<Block>,
    /// What it has accessed.
    pending: Pending,
    /// When it last came to each loop.
    arrivals: HashMap<Loop, Arrival>,
}

/// When a thread last came to a loop from outside.
struct Arrival {
    /// The parameters of its header then.
    initial: Vec<u128>,
    /// Visits of the header since.
    iterations: u32,
}

impl<'a> Watcher<'a> {
    fn new(runs: &'a Runs<'a>, run: &'a Run) -> Watcher<'a> {
        let Runs { facts, board, judge, .. } = *runs;
        let share = |id| if board.live_of(id).next().is_some() { SHARE } else { 0 };
        Watcher {
            facts,
            board,
            judge,
            run,
            thread: None,
            trail: Trail::default(),
            others: HashMap::new(),
            left: facts.loops.iter().map(|(id, _)| share(id)).collect(),
            reached: vec![false; facts.func.blocks.len()],
            broken: vec![],
        }
    }

    /// Makes the trail that of a thread.
    fn turn_to(&mut self, thread: ThreadPos) {
        if self.thread == Some(thread) {
            return;
        }
        let next = self.others.remove(&thread).unwrap_or_default();
        let before = std::mem::replace(&mut self.trail, next);
        if let Some(before_it) = self.thread.replace(thread) {
            self.others.insert(before_it, before);
        }
    }

    /// Evaluates the candidates of a loop at the last visit of its header.
    fn evaluate(&mut self, id: Loop, visit: &Visit<'_>, is_there: bool) {
        let Some(arrival) = self.trail.arrivals.get(&id) else { return };
        let left = &mut self.left[id.index()];
        if *left == 0 {
            return;
        }
        *left -= 1;
        let (launch, initial) = (&self.run.launch, &arrival.initial[..]);
        let func: &Function = self.facts.func;
        let header = self.facts.loops.data(id).header;
        // What was accessed since the visit is not what it was then.
        let done: Option<&[Done]> = is_there.then(|| self.trail.pending.done());
        let here = HeaderVisit { func, header, visit, launch, initial, done };
        for number in self.board.live_of(id) {
            if !self.broken.contains(&number) && self.judge.truth(number, &here) == Some(false) {
                self.broken.push(number);
            }
        }
    }

    /// The loops that are left by going to a block, at the end of a visit that was not
    /// looked at. None if the header of a loop around them is reached: its parameters,
    /// which candidates may speak of, are no longer those of that visit.
    fn left_loops(&self, to: Block) -> Vec<Loop> {
        let loops = &self.facts.loops;
        let Some(from) = self.trail.last else { return vec![] };
        if loops.innermost(from) == loops.innermost(to)
            || loops.headed_by(to).is_some_and(|id| loops.contains(id, from))
        {
            return vec![];
        }
        let was_skipped = |id: &Loop| {
            let arrival = self.trail.arrivals.get(id);
            arrival.is_some_and(|arrival| !is_looked_at(arrival.iterations))
        };
        loops.around(from).filter(|id| !loops.contains(*id, to)).filter(was_skipped).collect()
    }

    /// Takes note of an arrival at a header; is this visit looked at?
    fn arrive(&mut self, id: Loop, visit: &Visit<'_>) -> bool {
        let is_inside = |from| self.facts.loops.contains(id, from);
        if !self.trail.last.is_some_and(is_inside) {
            let header = self.facts.loops.data(id).header;
            let params = self.facts.func.blocks[header].params.iter();
            let initial = params.map(|&param| visit.value(param)).collect();
            self.trail.arrivals.insert(id, Arrival { initial, iterations: 0 });
        }
        self.trail.arrivals.get_mut(&id).is_some_and(|arrival| {
            arrival.iterations = arrival.iterations.saturating_add(1);
            is_looked_at(arrival.iterations)
        })
    }
}

/// Is the visit with this number, from 1, looked at?
fn is_looked_at(iteration: u32) -> bool {
    iteration <= FIRST_ITERATIONS || iteration.is_power_of_two()
}

impl Observer for Watcher<'_> {
    fn enter_block(&mut self, visit: &Visit<'_>, block: Block) {
        if visit.func() != self.facts.kernel {
            return;
        }
        self.reached[block.index()] = true;
        self.turn_to(visit.thread);
        for id in self.left_loops(block) {
            self.evaluate(id, visit, false);
        }
        if let (Some(last), true) = (self.trail.last, self.judge.wants_accesses()) {
            self.trail.pending.leave(self.facts, last);
        }
        if let Some(id) = self.facts.loops.headed_by(block)
            && self.arrive(id, visit)
        {
            self.evaluate(id, visit, true);
        }
        self.trail.last = Some(block);
    }

    fn access(&mut self, thread: ThreadPos, site: Site, array: Array, offset: u64, _len: u32) {
        if site.func == self.facts.kernel && self.judge.wants_accesses() {
            self.turn_to(thread);
            self.trail.pending.note(site.inst, array, offset);
        }
    }

    fn is_satisfied(&self) -> bool {
        self.left.iter().all(|left| *left == 0) || self.board.is_over()
    }
}
