//! DYN: runs of the interpreter.
//!
//! The kernel is run on small launches and arguments that satisfy its preconditions;
//! at each visit of a loop's header the candidates are evaluated. It stops once every
//! block was reached, when a run tells nothing new, or after a number of runs. Visits
//! that are looked at are counted for each loop, so that a long loop does not use up
//! what others need; a run itself is cut off after a number of instructions.
//! (*candidate-invariants*, 5.1.3)
//!
//! Certain: the states of a run are among those that Houdini considers, as long as
//! the run has no race and no divergence, since a thread's view of memory is argued
//! from that. What a run with such a defect shows is thrown away
//! (`kernels/loops/dyn-racy-run-bug`). Under an assumption that arithmetic does not
//! overflow nothing is run: a run may break it.

use std::collections::{BTreeSet, HashMap, HashSet};

use duet_analysis::Loop;
use duet_interp::{FindingKind, Observer, Outcome, Status, ThreadPos, Visit};
use duet_ir::{Block, Function};

use super::super::options::CheckOptions;
use super::super::session::KernelFacts;
use super::board::{Board, Number};
use super::evaluate::HeaderVisit;
use crate::refute::{Run, Subject};

/// Runs that are legal.
const RUNS: usize = 4;
/// Runs that are tried.
const TRIES: usize = 8;
/// Instructions of a run.
const STEPS: u64 = 30_000;
/// Threads of a run; setting one up is worth some fifty instructions.
const THREADS: u64 = 2048;
/// Visits of a loop's header that are looked at in a run.
const VISITS: u32 = 96;

/// The candidates that runs break.
pub(super) fn run(facts: &KernelFacts<'_>, options: &CheckOptions, board: &Board) -> Vec<Number> {
    if options.warp_sync.is_some() || duet_interp::skips_assumptions(facts.module, facts.kernel) {
        return vec![];
    }
    let subject = Subject::new(facts.module, facts.kernel, options, &facts.uniformity);
    let mut refuted = vec![];
    let mut reached: BTreeSet<Block> = BTreeSet::new();
    let mut legal = 0;
    let few = subject.small_runs().take(TRIES);
    for run in few.filter(|run| run.threads() <= THREADS) {
        if legal == RUNS || board.is_over() {
            break;
        }
        let mut watcher = Watcher::new(facts, board, &run);
        let outcome = run.watch(facts.module, facts.kernel, STEPS, &mut watcher);
        if !outcome.is_ok_and(|outcome| is_legal(&outcome)) {
            continue;
        }
        legal += 1;
        let (blocks, killed) = (reached.len(), refuted.len());
        reached.extend(&watcher.reached);
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
        BenignRace, DivisionByZero, InactiveLane, InvariantFailed, PartialExchange, SignedOverflow,
        Uninitialised,
    };
    let harmless = |kind: &FindingKind| {
        matches!(
            kind,
            BenignRace(_)
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
    run: &'a Run,
    threads: HashMap<ThreadPos, Trail>,
    visits: HashMap<Loop, u32>,
    reached: HashSet<Block>,
    broken: Vec<Number>,
}

/// Where a thread was.
#[derive(Default)]
struct Trail {
    last: Option<Block>,
    /// The parameters of headers when they were last reached from outside.
    initial: HashMap<Loop, Vec<u128>>,
}

impl<'a> Watcher<'a> {
    fn new(facts: &'a KernelFacts<'a>, board: &'a Board, run: &'a Run) -> Watcher<'a> {
        Watcher {
            facts,
            board,
            run,
            threads: HashMap::new(),
            visits: HashMap::new(),
            reached: HashSet::new(),
            broken: vec![],
        }
    }

    fn evaluate(&mut self, id: Loop, header: Block, visit: &Visit<'_>, initial: &[u128]) {
        let launch = &self.run.launch;
        let func: &Function = self.facts.func;
        let here = HeaderVisit { func, header, visit, launch, initial };
        for (number, candidate) in self.board.live_of(id) {
            if !self.broken.contains(&number) && here.truth(&candidate.expr) == Some(false) {
                self.broken.push(number);
            }
        }
    }
}

impl Observer for Watcher<'_> {
    fn enter_block(&mut self, visit: &Visit<'_>, block: Block) {
        if visit.func() != self.facts.kernel {
            return;
        }
        self.reached.insert(block);
        let loops = &self.facts.loops;
        let trail = self.threads.entry(visit.thread).or_default();
        let last = trail.last.replace(block);
        let Some(id) = loops.headed_by(block) else { return };
        if !last.is_some_and(|last| loops.contains(id, last)) {
            let params = self.facts.func.blocks[block].params.iter();
            trail.initial.insert(id, params.map(|&param| visit.value(param)).collect());
        }
        let initial = trail.initial.get(&id).cloned().unwrap_or_default();
        let visits = self.visits.entry(id).or_default();
        *visits += 1;
        if *visits <= VISITS {
            self.evaluate(id, block, visit, &initial);
        }
    }
}
