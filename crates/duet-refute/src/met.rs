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
/// The same for a large launch.
const FEW_CHOICES: usize = 4;
/// A launch of more threads is not run as a whole.
const MOST_THREADS: u64 = 8192;
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

    /// Runs that together leave nothing open. Large launches are tried once a run of a small
    /// one did not come to its end.
    fn runs_that_close(
        &self,
        module: &Module,
        open: Open,
        example: Option<&Witness>,
        runs: Runs,
    ) -> Option<Vec<Run>> {
        let models: Vec<&Witness> = example.into_iter().collect();
        let mut launches = self.maker.launches(&models);
        if launches.iter().any(|launch| launch.threads() > 1) {
            launches.retain(|launch| launch.threads() > 1);
        }
        launches.sort_by_key(|launch| launch.blocks() == 1 || launch.threads_per_block() == 1);
        let budget = Steps::new(runs, self.fence);
        let mut closing =
            Closing { module, models, runs, budget, open, taken: vec![], is_cut_off: false };
        let mut large = self.maker.large_launches();
        let mut before = 0;
        for choices in CHOICES {
            for contents in CONTENTS {
                for launch in &launches {
                    let more = Choices { contents, from: before, to: choices };
                    self.close(&mut closing, launch, &more);
                    if closing.is_cut_off {
                        let few = Choices { contents, from: 0, to: FEW_CHOICES };
                        std::mem::take(&mut large)
                            .iter()
                            .for_each(|launch| self.close(&mut closing, launch, &few));
                    }
                    if closing.open.0.is_empty() {
                        return Some(closing.taken);
                    }
                    if closing.budget.is_spent() {
                        return None;
                    }
                }
            }
            before = choices;
        }
        None
    }

    /// Makes runs of a launch, until nothing is open.
    fn close(&self, closing: &mut Closing<'_>, launch: &Launch, choices: &Choices) {
        let Closing { module, runs, .. } = *closing;
        let maker = &self.maker;
        let of_models: Vec<Arguments> =
            closing.models.iter().map(|model| maker.arguments_of(model, launch)).collect();
        let arguments = maker.arguments(launch, &closing.models, choices.to);
        let arguments = of_models.into_iter().chain(arguments);
        for arguments in arguments.take(choices.to).skip(choices.from) {
            if closing.open.0.is_empty() || closing.budget.is_spent() {
                return;
            }
            let run = self.run_with(launch, arguments, choices.contents);
            let (budget, most) = (&mut closing.budget, runs.of_one());
            let Some(outcome) = perform_within(budget, module, self.kernel, &run, most) else {
                continue;
            };
            closing.is_cut_off |= matches!(outcome.status, Status::DidNotFinish(_));
            if closing.open.is_narrowed_by(self.kernel, &outcome) {
                closing.taken.push(run);
            }
        }
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

/// Runs that are made until they leave nothing open.
struct Closing<'a> {
    module: &'a Module,
    models: Vec<&'a Witness>,
    runs: Runs,
    budget: Steps,
    open: Open,
    taken: Vec<Run>,
    /// Did a run not come to its end?
    is_cut_off: bool,
}

/// Which arguments of a launch are tried, by number, and with which contents.
struct Choices {
    contents: Contents,
    from: usize,
    to: usize,
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
