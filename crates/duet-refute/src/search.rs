//! The search for runs that show what a proof left open.
//!
//! Models come first, then small launches with the arguments and contents of
//! `inputs`. The budget counts instructions, not time, so the
//! result is the same on every machine.

use duet_ask::{Runs, Steps};
use duet_interp::{Launch, Outcome, Schedule, Status};
use duet_ir::{Func, Module};
use duet_vc::{Position, Witness};

use crate::Subject;
use crate::evidence::Defect;
use crate::inputs::{Aliases, Arguments, Contents};
use crate::refute::Suspicion;
use crate::run::Run;

/// Blocks above which only some are run first.
const MANY_BLOCKS: u64 = 8;
/// Threads of a launch of which only a few are run first.
const MANY_THREADS: u64 = 1 << 11;
/// Seeds of unknown values that are tried.
const SEEDS: u64 = 9;
/// Orders of threads that are tried, where the order matters.
const SCHEDULES: [Schedule; 4] =
    [Schedule::InOrder, Schedule::Reversed, Schedule::Seeded(7), Schedule::Seeded(1)];
/// Choices of arguments that a launch and contents are tried with, in each round.
const CHOICES: [usize; 3] = [2, 12, 200];

/// Runs a kernel with at most so many instructions; `None` if nothing is left for it, or if
/// it cannot be run.
pub(crate) fn perform_within(
    steps: &mut Steps,
    module: &Module,
    kernel: Func,
    run: &Run,
    at_most: u64,
) -> Option<Outcome> {
    steps.spend(run.threads(), at_most, |steps| {
        let outcome = run.perform(module, kernel, steps).ok()?;
        let used = outcome.instructions;
        Some((outcome, used))
    })
}

/// A run, and the suspicions (by number) and further defects that it shows.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    pub run: Run,
    pub suspicions: Vec<(usize, Defect)>,
    pub further: Vec<Defect>,
}

/// The search for one kernel.
pub(crate) struct Search<'a> {
    subject: &'a Subject<'a>,
    suspicions: &'a [Suspicion<'a>],
    models: Vec<&'a Witness>,
    open: Vec<usize>,
    budget: Steps,
    shown: Vec<Shown>,
    /// Pointers that point into the same memory in the runs that are tried.
    aliases: Aliases,
    /// Runs that kept preconditions.
    legal_runs: usize,
}

impl<'a> Search<'a> {
    pub(crate) fn new(
        subject: &'a Subject<'a>,
        suspicions: &'a [Suspicion<'a>],
        models: Vec<&'a Witness>,
    ) -> Search<'a> {
        let can_show = |number: &usize| {
            let suspicion = &suspicions[*number];
            suspicion.primary.is_some() && suspicion.rule.is_shown_by_runs()
        };
        let open = (0..suspicions.len()).filter(can_show).collect();
        Search {
            subject,
            suspicions,
            models,
            open,
            budget: Steps::new(Runs::Search, subject.fence),
            shown: vec![],
            aliases: Aliases::new(),
            legal_runs: 0,
        }
    }

    /// A search for some of the suspicions, by number.
    pub(crate) fn for_some(
        subject: &'a Subject<'a>,
        suspicions: &'a [Suspicion<'a>],
        models: Vec<&'a Witness>,
        numbers: &[usize],
    ) -> Search<'a> {
        let mut search = Search::new(subject, suspicions, models);
        search.open.retain(|number| numbers.contains(number));
        search
    }

    /// The runs of certain launches that show what is looked for, and how many runs
    /// kept preconditions.
    pub(crate) fn run_where(
        mut self,
        runs: Runs,
        keep: &dyn Fn(&Launch) -> bool,
    ) -> (Vec<Shown>, usize) {
        self.budget = Steps::new(runs, self.subject.fence);
        let launches = self.subject.launches(&self.models);
        for contents in [Contents::Zero, Contents::Counting, Contents::SmallInputs(4)] {
            for launch in launches.iter().filter(|launch| keep(launch)) {
                self.try_arguments(launch, contents, CHOICES[1], 0);
            }
        }
        self.shown.retain(|shown| !shown.suspicions.is_empty());
        (self.shown, self.legal_runs)
    }

    /// What the first few small runs show.
    pub(crate) fn run_briefly(mut self) -> Vec<Shown> {
        self.budget = Steps::new(Runs::Brief, self.subject.fence);
        let launches = self.subject.launches(&self.models);
        self.within(Runs::Brief.steps() / 3, |search| search.try_models());
        for contents in [Contents::Zero, Contents::Counting, Contents::SmallInputs(4)] {
            for launch in &launches {
                self.try_arguments(launch, contents, CHOICES[0], 0);
            }
        }
        self.shown
    }

    /// The runs that show something.
    pub(crate) fn run(mut self) -> Vec<Shown> {
        let launches = self.subject.launches(&self.models);
        let third = Runs::Search.steps() / 3;
        self.within(third, |search| search.try_models());
        self.within(third, |search| search.try_aliases(&launches));
        self.within(third, |search| search.try_few_threads(&launches));
        for (round, choices) in CHOICES.into_iter().enumerate() {
            if round == 1 {
                self.try_seeds(&launches);
            }
            for contents in Contents::ALL {
                for launch in &launches {
                    self.try_arguments(launch, contents, choices, round);
                    if self.is_over() {
                        return self.shown;
                    }
                }
            }
        }
        self.shown
    }

    /// Does a part of the search with a part of the budget.
    fn within(&mut self, steps: u64, part: impl FnOnce(&mut Self)) {
        let rest = self.budget.take_but(steps);
        part(self);
        // A run that showed something has cut the budget for the rest.
        if self.shown.is_empty() {
            self.budget.give(rest);
        }
    }

    fn is_over(&self) -> bool {
        (self.open.is_empty() && !self.shown.is_empty()) || self.budget.is_spent()
    }

    /// The launches, arguments and contents of models as they are.
    fn try_models(&mut self) {
        let mut tried: Vec<Run> = vec![];
        for model in self.models.clone() {
            let launch = self.subject.launch(model.block_dim, model.grid_dim);
            let few = launch.threads() <= 1 << 16 || self.subject.may_run_some_blocks;
            let empty = launch.block.contains(&0) || launch.grid.contains(&0);
            if !few || self.is_over() || empty || !self.subject.is_possible(&launch) {
                continue;
            }
            for contents in [Contents::Zero, Contents::SmallInputs(4)] {
                let Some(arguments) = self.subject.arguments(&launch, &[model]).into_iter().next()
                else {
                    continue;
                };
                let lock_step = self.subject.lock_step();
                let mut run = Run { lock_step, ..Run::new(launch.clone()) };
                run.inputs.scalars.extend(arguments);
                self.subject.fill(&mut run.inputs, contents, Some(model));
                self.subject.fill_pointers(&mut run);
                run.unknown_below = Some(16);
                if !tried.contains(&run) {
                    self.try_blocks(run.clone(), &model.threads);
                    tried.push(run);
                }
            }
        }
    }

    /// Pointers to the same memory, where that is to be expected.
    fn try_aliases(&mut self, launches: &[Launch]) {
        for aliases in self.subject.alias_choices() {
            self.aliases = aliases;
            for contents in [Contents::Zero, Contents::Counting, Contents::SmallInputs(4)] {
                for launch in launches {
                    self.try_arguments(launch, contents, CHOICES[0], 0);
                }
            }
        }
        self.aliases.clear();
    }

    /// Of large launches, a few threads at many distances from each other, each to its
    /// end: where strides wrap, the thread that meets another one is far away.
    fn try_few_threads(&mut self, launches: &[Launch]) {
        let large = |launch: &&Launch| (MANY_THREADS..1 << 31).contains(&launch.threads());
        if !self.subject.may_run_some_threads {
            return;
        }
        for launch in launches.iter().filter(large).take(2) {
            for arguments in self.subject.arguments(launch, &self.models).into_iter().take(4) {
                if self.is_over() {
                    return;
                }
                let threads = distant_threads(launch);
                let mut blocks: Vec<u32> = threads
                    .iter()
                    .map(|thread| (u64::from(*thread) / launch.threads_per_block()) as u32)
                    .collect();
                blocks.dedup();
                let mut run = self.new_run(launch, arguments, Contents::Zero);
                (run.only_blocks, run.only_threads) = (Some(blocks), Some(threads));
                let Some(outcome) = self.perform(&run, Runs::Search.of_one()) else { return };
                if !is_refused(&outcome) {
                    self.note(run, &outcome);
                    break;
                }
            }
        }
    }

    /// Other values of what nobody knows, such as memory that was never written.
    fn try_seeds(&mut self, launches: &[Launch]) {
        for seed in 1..SEEDS {
            for launch in launches.iter().take(4) {
                let Some(arguments) =
                    self.subject.arguments(launch, &self.models).into_iter().next()
                else {
                    continue;
                };
                if self.is_over() {
                    return;
                }
                let mut run = self.new_run(launch, arguments, Contents::Zero);
                (run.seed, run.unknown_below) = (seed, Some(2));
                self.try_blocks(run, &[]);
            }
        }
    }

    fn new_run(&self, launch: &Launch, arguments: Arguments, contents: Contents) -> Run {
        let mut run = Run { lock_step: self.subject.lock_step(), ..Run::new(launch.clone()) };
        run.inputs.scalars.extend(arguments);
        run.inputs.aliases = self.aliases.clone();
        self.subject.fill(&mut run.inputs, contents, None);
        self.subject.fill_pointers(&mut run);
        run
    }

    /// A launch and contents with several arguments.
    fn try_arguments(&mut self, launch: &Launch, contents: Contents, choices: usize, round: usize) {
        let mut legal = 0;
        let before = if round == 0 { 0 } else { CHOICES[round - 1] };
        for arguments in self.subject.arguments(launch, &self.models) {
            if legal >= choices || self.is_over() {
                return;
            }
            let mut run = self.new_run(launch, arguments, contents);
            run.unknown_below = (contents != Contents::Random).then_some(16);
            if legal < before {
                // Tried in an earlier round, unless it was refused.
                legal += usize::from(self.is_accepted(&run));
                continue;
            }
            let threads = self.models.first().map_or(&[][..], |model| &model.threads);
            legal += usize::from(self.try_blocks(run, threads));
        }
    }

    /// Are the preconditions true for the first thread?
    fn is_accepted(&mut self, run: &Run) -> bool {
        let mut run = run.clone();
        run.only_blocks = Some(vec![0]);
        let outcome = self.perform(&run, 2_000);
        outcome.is_some_and(|outcome| !is_refused(&outcome))
    }

    /// Some blocks of a large launch, then all. Was the run legal?
    fn try_blocks(&mut self, run: Run, threads: &[Position]) -> bool {
        let many = run.launch.blocks() > MANY_BLOCKS && self.subject.may_run_some_blocks;
        if !many {
            return self.try_schedules(run);
        }
        let mut legal = false;
        for blocks in some_blocks(&run.launch, threads) {
            let some = Run { only_blocks: Some(blocks), ..run.clone() };
            legal |= self.try_schedules(some);
            if self.is_over() || !legal {
                return legal;
            }
        }
        if run.threads() <= 1 << 14 {
            self.try_schedules(run);
        }
        legal
    }

    /// One run in several orders of threads. Was it legal?
    fn try_schedules(&mut self, run: Run) -> bool {
        let in_step = run.lock_step.is_some();
        for schedule in SCHEDULES {
            let run = Run { schedule, ..run.clone() };
            let Some(outcome) = self.perform(&run, Runs::Search.of_one()) else { return false };
            if is_refused(&outcome) {
                return false;
            }
            self.legal_runs += 1;
            self.note(run, &outcome);
            let clean = outcome.findings.is_empty() && outcome.status == Status::Finished;
            let same = (clean && self.subject.is_deterministic) || in_step;
            if self.is_over() || same {
                break;
            }
        }
        true
    }

    /// Keeps the run if it shows something new.
    fn note(&mut self, mut run: Run, outcome: &Outcome) {
        if matches!(outcome.status, Status::DidNotFinish(_)) {
            run.cut_after = Some(outcome.instructions);
        }
        let defects = self.subject.defects(outcome);
        let mut suspicions = vec![];
        for &number in &self.open {
            let suspicion = &self.suspicions[number];
            if let Some(defect) = defects.iter().find(|defect| defect.is(suspicion)) {
                suspicions.push((number, defect.clone()));
            }
        }
        let is_new = |defect: &&Defect| {
            let known = self.suspicions.iter().any(|suspicion| defect.is(suspicion));
            let seen = self.shown.iter().flat_map(|shown| &shown.further);
            !known
                && !seen.clone().any(|other| same_place(other, defect))
                && (self.subject.adds_defects(outcome) || defect.is_about_barriers())
        };
        let further: Vec<Defect> = defects.iter().filter(is_new).cloned().collect();
        if suspicions.is_empty() && further.is_empty() {
            return;
        }
        self.open.retain(|number| !suspicions.iter().any(|(one, _)| one == number));
        self.shown.push(Shown { run, suspicions, further });
        self.budget.at_most(Runs::More.steps());
    }

    fn perform(&mut self, run: &Run, steps: u64) -> Option<Outcome> {
        perform(self.subject, run, steps, &mut self.budget)
    }
}

/// Runs within the budget.
pub(crate) fn perform(
    subject: &Subject<'_>,
    run: &Run,
    steps: u64,
    budget: &mut Steps,
) -> Option<Outcome> {
    perform_within(budget, subject.module, subject.kernel, run, steps)
}

fn is_refused(outcome: &Outcome) -> bool {
    matches!(outcome.status, Status::RequirementFailed(_) | Status::AssumptionFailed(_))
}

/// Defects at the same places count once.
pub(crate) fn same_place(one: &Defect, other: &Defect) -> bool {
    (one.rule, one.primary, one.secondary) == (other.rule, other.primary, other.secondary)
}

/// The first threads, those whose numbers are powers of two, and the last.
fn distant_threads(launch: &Launch) -> Vec<u32> {
    let last = (launch.threads() - 1) as u32;
    let powers = (0..31).map(|power| 1u32 << power).take_while(|&thread| thread < last);
    std::iter::once(0).chain(powers).chain([last]).collect()
}

/// Small sets of blocks: those of the model, neighbours along each dimension, the
/// first and the last.
fn some_blocks(launch: &Launch, threads: &[Position]) -> Vec<Vec<u32>> {
    let [x, y, z] = launch.grid.map(u64::from);
    let flat = |id: [u32; 3]| {
        let [i, j, k] = id.map(u64::from);
        u32::try_from(i + x * (j + y * k)).ok().filter(|_| i < x && j < y && k < z)
    };
    let last = flat([launch.grid[0] - 1, launch.grid[1] - 1, launch.grid[2] - 1]);
    let mut sets = vec![threads.iter().map(|one| flat(one.block)).collect::<Vec<_>>()];
    for neighbour in [[1, 0, 0], [0, 1, 0], [0, 0, 1]] {
        sets.push(vec![Some(0), flat(neighbour)]);
    }
    sets.push(vec![Some(0), last]);
    let mut known: Vec<Vec<u32>> = vec![];
    for set in sets {
        let mut set: Vec<u32> = set.into_iter().flatten().collect();
        set.sort_unstable();
        set.dedup();
        if !set.is_empty() && !known.contains(&set) {
            known.push(set);
        }
    }
    known
}
