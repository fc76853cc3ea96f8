//! A few short runs of a kernel, for those who want to see it run at all.

use duet_interp::{Key, Launch, Schedule};
use duet_ir::ScalarParam;

use super::{Contents, RunMaker};
use crate::run::Run;

/// Threads that are few.
const FEW_THREADS: usize = 4;

/// What arrays hold, run by run.
const CONTENTS: [Contents; 4] =
    [Contents::SmallInputs(4), Contents::Counting, Contents::Random, Contents::Zero];

impl RunMaker<'_> {
    /// Runs of one or two blocks, each with other arguments and contents; the
    /// likeliest to satisfy the preconditions first. There is no end of them.
    pub fn small_runs(&self) -> impl Iterator<Item = Run> {
        let launches = self.launches(&[]);
        let params: Vec<_> = self.func.scalar_params().collect();
        (0..).map_while(move |rank| {
            let launch = launches.get(rank % launches.len().max(1))?;
            Some(self.small_run(launch, &params, rank))
        })
    }

    /// The same run of a few threads only, where none waits for another: so that they get
    /// somewhere.
    pub fn of_few_threads(&self, mut run: Run) -> Run {
        let (blocks, size) = (run.launch.blocks(), run.launch.threads_per_block());
        if self.may_run_some_threads && run.threads() > FEW_THREADS as u64 {
            let last = (blocks - 1) * size;
            let mut threads = vec![0, 1, size / 2, last + size - 1];
            threads.sort_unstable();
            threads.dedup();
            run.only_threads =
                threads.into_iter().map(|number| u32::try_from(number).ok()).collect();
        }
        run
    }

    fn small_run(&self, launch: &Launch, params: &[ScalarParam<'_>], rank: usize) -> Run {
        let mut run = Run::new(launch.clone());
        for param in params {
            let values = self.values(param, launch, &[]);
            let bits = values.get(rank).or(values.first()).copied().unwrap_or(0);
            run.inputs.scalars.insert(Key::Index(param.index), bits);
        }
        let contents = CONTENTS[rank % CONTENTS.len()];
        self.fill(&mut run.inputs, contents, None);
        run.unknown_below = (contents != Contents::Random).then_some(16);
        run.schedule = if rank.is_multiple_of(2) { Schedule::InOrder } else { Schedule::Seeded(7) };
        if launch.blocks() > 2 && self.may_run_some_blocks {
            run.only_blocks = Some(vec![0, launch.blocks() as u32 - 1]);
        }
        run
    }
}
