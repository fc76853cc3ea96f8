//! Does a run meet what a proof assumes?
//!
//! That the preconditions and assumptions of the source can be met is shown best by a
//! run that comes to its end under them: then all threads of a launch meet them, in
//! every iteration, with the same contents of arrays.
//!
//! A proof may assume that operations at certain lines stay in range. That the
//! assumption has a model is asked with every loop cut, so one good iteration is a
//! model, although each run may break the assumption in a later one: a linear
//! congruential generator in an `int` overflows in every run that goes on. A proof
//! under an assumption that no run meets says nothing about the kernel.
//!
//! So the assumption is written into a copy of the kernel, as `__assume` behind each
//! operation, and small launches are run until those that come to their end have
//! executed every assumed operation and entered every loop. More than one thread takes
//! part in each of them, unless the launch has only one, and several blocks with several
//! threads each where there are such launches. Of a large launch a few blocks are run,
//! which the caller is told ([`Met::is_whole`]).
//!
//! A run proves that something is possible, never that something is not: `false` means
//! that no run was found.
//!
//! SOUNDNESS: kernels/soundness/90-generator-overflows, 91-generator-converts. Running out of
//! the budget is "no": the proof is then not accepted.

use std::collections::BTreeSet;

use duet_analysis::Loops;
use duet_ask::{Runs, Steps};
use duet_interp::{Key, Launch, Outcome, Status};
use duet_ir::{Block, Func, Function, Module};
use duet_transform::with_range_assumptions;
use duet_vc::{InRange, Position, Scalar, Witness};

use crate::Subject;
use crate::inputs::{Arguments, Contents};
use crate::run::Run;
use crate::search::perform_within;

/// Choices of arguments for each launch and contents, round by round.
const CHOICES: [usize; 3] = [2, 12, 60];
/// A launch of more threads is not run as a whole.
const MOST_THREADS: u64 = 8192;
/// A run of more threads is asked about by one thread first, which may take so many
/// instructions.
const MOST_UNASKED: u64 = 128;
const PROBE_STEPS: u64 = 2_000;
/// What arrays hold.
const CONTENTS: [Contents; 4] =
    [Contents::SmallInputs(4), Contents::Zero, Contents::Counting, Contents::Ones];

impl Subject<'_> {
    /// Do runs that come to their end meet the assumption, and what the source assumes,
    /// and, together, execute every assumed operation and enter every loop? `example` is
    /// a launch to try first.
    pub fn met_by_runs(
        &self,
        in_range: &InRange,
        loops: &Loops,
        example: Option<&Witness>,
    ) -> Option<Met> {
        let module = with_range_assumptions(self.module, self.kernel, in_range)?;
        let open = Open::new(self.func, in_range, loops);
        let runs = self.runs_that_close(&module, open, example, Runs::Met)?;
        let is_whole = runs.iter().all(|run| run.only_blocks.is_none());
        Some(Met { launches: runs.into_iter().map(|run| run.launch).collect(), is_whole })
    }

    /// A run that comes to its end and meets what the source assumes: its launch and
    /// arguments. None if runs leave out a part of that.
    pub fn run_that_meets_what_is_stated(&self, runs: Runs) -> Option<Witness> {
        if duet_interp::skips_assumptions(self.module, self.kernel) {
            return None;
        }
        let entry = Open::entry(self.func);
        let run = self.runs_that_close(self.module, entry, None, runs)?.pop()?;
        let arguments = self.func.scalar_params().filter_map(|param| {
            let bits = run.inputs.scalars.get(&Key::Index(param.index)).copied()?;
            Some((param.name.to_string(), Scalar { bits, ty: param.ty, unsigned: param.unsigned }))
        });
        Some(Witness {
            block_dim: run.launch.block,
            grid_dim: run.launch.grid,
            threads: vec![Position::default()],
            arguments: arguments.collect(),
            ..Witness::default()
        })
    }

    /// The launch of a run that comes to its end and visits a block of the kernel. Only what
    /// takes a moment is tried.
    pub fn launch_that_visits(&self, block: Block) -> Option<Launch> {
        let open = Open(vec![[block].into()]);
        let run = self.runs_that_close(self.module, open, None, Runs::MetAtOnce)?.pop()?;
        run.only_blocks.is_none().then_some(run.launch)
    }

    /// Runs that together leave nothing open.
    fn runs_that_close(
        &self,
        module: &Module,
        mut open: Open,
        example: Option<&Witness>,
        runs: Runs,
    ) -> Option<Vec<Run>> {
        let mut budget = Steps::new(runs, self.fence);
        let models: Vec<&Witness> = example.into_iter().collect();
        let mut launches = self.maker.launches(&models);
        if launches.iter().any(|launch| launch.threads() > 1) {
            launches.retain(|launch| launch.threads() > 1);
        }
        launches.sort_by_key(|launch| launch.blocks() == 1 || launch.threads_per_block() == 1);
        let mut taken = vec![];
        let mut before = 0;
        for choices in CHOICES {
            for contents in CONTENTS {
                for launch in &launches {
                    let of_models =
                        models.iter().map(|model| self.maker.arguments_of(model, launch));
                    let arguments = self.maker.arguments(launch, &models, choices);
                    let arguments = of_models.chain(arguments);
                    for arguments in arguments.take(choices).skip(before) {
                        let run = self.run_with(launch, arguments, contents);
                        let most = runs.of_one();
                        if is_refused(&mut budget, module, self.kernel, &run) {
                            continue;
                        }
                        let outcome = perform_within(&mut budget, module, self.kernel, &run, most);
                        if budget.is_spent() {
                            return None;
                        }
                        let Some(outcome) = outcome else { continue };
                        if open.is_narrowed_by(self.kernel, &outcome) {
                            taken.push(run);
                        }
                        if open.0.is_empty() {
                            return Some(taken);
                        }
                    }
                }
            }
            before = choices;
        }
        None
    }

    /// A run; of a large launch only the first, the middle and the last block, if blocks
    /// can be run by themselves.
    fn run_with(&self, launch: &Launch, arguments: Arguments, contents: Contents) -> Run {
        let mut run = self.maker.run(launch, arguments, contents);
        let blocks = launch.blocks() as u32;
        if blocks > 3 && launch.threads() > MOST_THREADS && self.maker.may_run_some_blocks {
            run.only_blocks = Some(vec![0, blocks / 2, blocks - 1]);
        }
        run
    }
}

/// Do the preconditions refuse the run, as one thread of it sees at once? To make up the
/// sizes and arguments of a host's launch takes many attempts, and each would be charged for
/// all of its threads. A run that is refused meets nothing, so none is lost.
fn is_refused(budget: &mut Steps, module: &Module, kernel: Func, run: &Run) -> bool {
    if run.threads() <= MOST_UNASKED {
        return false;
    }
    let probe = Run { only_blocks: None, only_threads: Some(vec![0]), ..run.clone() };
    let outcome = perform_within(budget, module, kernel, &probe, PROBE_STEPS);
    outcome.is_some_and(|outcome| matches!(outcome.status, Status::RequirementFailed(_)))
}

/// Runs that meet what is assumed.
pub struct Met {
    /// Their launches.
    pub launches: Vec<Launch>,
    /// All blocks of them took part.
    pub is_whole: bool,
}

/// What no run that meets the assumption has come to yet: each entry is a set of blocks
/// of which one must be visited.
struct Open(Vec<BTreeSet<Block>>);

impl Open {
    /// Any run will do.
    fn entry(func: &Function) -> Open {
        Open(vec![[func.entry()].into()])
    }

    fn new(func: &Function, in_range: &InRange, loops: &Loops) -> Open {
        let Open(mut open) = Open::entry(func);
        for &block in &func.layout {
            if func.blocks[block].insts.iter().any(|inst| in_range.contains(inst)) {
                open.push([block].into());
            }
        }
        for (id, data) in loops.iter() {
            let mut body: BTreeSet<Block> =
                func.layout.iter().copied().filter(|&block| loops.contains(id, block)).collect();
            // The head of a loop is visited also by a thread that does not enter it.
            if body.len() > 1 {
                body.remove(&data.header);
            }
            open.push(body);
        }
        Open(open)
    }

    /// Takes note of a run; does it leave less open?
    fn is_narrowed_by(&mut self, kernel: Func, outcome: &Outcome) -> bool {
        let before = self.0.len();
        if outcome.status == Status::Finished {
            self.0.retain(|blocks| {
                blocks.iter().all(|&block| outcome.coverage.visits(kernel, block) == 0)
            });
        }
        self.0.len() < before
    }
}
