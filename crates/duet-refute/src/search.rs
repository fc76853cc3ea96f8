//! The search for runs that show what a proof left open.
//!
//! First a grid of sensible arguments on small contents ([`STAGES`]), then the states of
//! solvers as they are, then all the rest: more contents, more arguments, other orders of
//! threads, other values of what is unknown. The budget counts instructions, not time, so
//! the result is the same on every machine. No part may use all of it, and a run that gets
//! nowhere (signed overflow, too many instructions) is not repeated in another order: the
//! state of a solver is often such a one.

use std::collections::BTreeMap;

use duet_ask::{Runs, Steps};
use duet_interp::{Key, Launch, Outcome, Schedule, Status};
use duet_ir::{Func, Module};
use duet_vc::{Position, Witness};

use crate::Subject;
use crate::evidence::Defect;
use crate::inputs::{Aliases, Arguments, Contents};
use crate::refute::Suspicion;
use crate::run::Run;

/// Instructions of one of the first runs.
const FIRST_STEPS: u64 = 400_000;
/// Instructions of the run that a setting names.
const LIKELY_STEPS: u64 = 1_000_000;
/// Instructions of one run.
const RUN_STEPS: u64 = Runs::Search.of_one();
/// Blocks, and threads, above which only some blocks are run.
const MANY_BLOCKS: u64 = 8;
const MANY_THREADS: u64 = 1 << 11;
/// Threads of a launch that is run as a whole.
const WHOLE_GRID: u64 = 1 << 14;
/// Seeds of unknown values that are tried.
const SEEDS: u64 = 9;
/// Seeds of random orders that are tried where the order of threads matters.
const ORDERS: u64 = 32;
/// Combinations of arguments that are made for a launch.
const MOST_ARGUMENTS: usize = 3000;
/// Orders of threads that are tried, where the order matters.
const SCHEDULES: [Schedule; 4] =
    [Schedule::InOrder, Schedule::Reversed, Schedule::Seeded(7), Schedule::Seeded(1)];
/// Contents that are tried where there is no time for all.
const FEW_CONTENTS: [Contents; 3] = [Contents::Zero, Contents::Counting, Contents::SmallInputs(4)];

/// A part of the search: every launch with each of these contents, and with so many
/// arguments that its preconditions accept.
#[derive(Clone, Copy, Debug)]
struct Stage {
    contents: &'static [Contents],
    arguments: usize,
    /// Orders of threads.
    orders: usize,
    /// Instructions of one run.
    steps: u64,
}

/// The parts, one after the other; what an earlier one tried is not repeated.
const STAGES: [Stage; 6] = [
    Stage { contents: &[Contents::Zero], arguments: 6, orders: 1, steps: FIRST_STEPS },
    Stage {
        contents: &[Contents::SmallInputs(4), Contents::Signed, Contents::Counting],
        arguments: 6,
        orders: 1,
        steps: FIRST_STEPS,
    },
    Stage { contents: &[Contents::Zero], arguments: 40, orders: 1, steps: FIRST_STEPS },
    Stage { contents: &Contents::ALL, arguments: 3, orders: 4, steps: RUN_STEPS },
    Stage { contents: &Contents::ALL, arguments: 12, orders: 4, steps: RUN_STEPS },
    Stage { contents: &Contents::ALL, arguments: 200, orders: 4, steps: RUN_STEPS },
];
/// The stages that come before the states of solvers.
const EARLY: usize = 3;

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

/// What came of a run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tried {
    /// The preconditions refuse it.
    Refused,
    /// It says nothing: it overflows, or it did not come to an end.
    Lost,
    /// It was run in the first order only, and others may differ.
    InOneOrder,
    /// There is no more to be seen.
    Done,
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
    /// Was one of them cut off after so many instructions?
    is_cut_off: bool,
    /// What came of runs: by launch, contents and arguments, each by number.
    tried: BTreeMap<(usize, usize, usize), Tried>,
    /// The arguments of each launch.
    arguments: BTreeMap<usize, Vec<Arguments>>,
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
            is_cut_off: false,
            tried: BTreeMap::new(),
            arguments: BTreeMap::new(),
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
        let launches = self.subject.maker.launches(&self.models);
        let launches: Vec<Launch> = launches.into_iter().filter(keep).collect();
        self.try_stage(
            Stage { contents: &FEW_CONTENTS, arguments: 12, orders: 4, steps: RUN_STEPS },
            &launches,
        );
        self.shown.retain(|shown| !shown.suspicions.is_empty());
        (self.shown, self.legal_runs)
    }

    /// What the first few small runs show.
    pub(crate) fn run_first(mut self) -> Vec<Shown> {
        self.budget = Steps::new(Runs::First, self.subject.fence);
        let launches = self.subject.maker.launches(&self.models);
        // Zeros show least: two threads that store what they loaded store the same.
        let part = Runs::First.steps() / EARLY as u64;
        self.try_likely();
        for stage in &STAGES[..EARLY] {
            self.within(part, |search| search.try_stage(*stage, &launches));
        }
        self.shown
    }

    /// What the states of solvers show.
    pub(crate) fn run_models(mut self) -> Vec<Shown> {
        self.budget = Steps::new(Runs::Brief, self.subject.fence);
        self.try_models();
        self.shown
    }

    /// The runs that show something; those that the caller knows already come first.
    pub(crate) fn run(mut self, known: &[Run]) -> Vec<Shown> {
        let launches = self.subject.maker.launches(&self.models);
        let part = Runs::Search.steps() / 4;
        for run in known {
            self.try_orders(run, &[run.schedule], RUN_STEPS);
        }
        // A caller that knows runs has made these.
        let early = if known.is_empty() { &STAGES[..EARLY] } else { &[] };
        self.within(part, |search| {
            early.iter().for_each(|stage| search.try_stage(*stage, &launches));
        });
        self.within(part, |search| search.try_models());
        self.within(part, |search| search.try_aliases(&launches));
        self.within(part, |search| search.try_few_threads(&launches));
        for (number, stage) in STAGES.iter().enumerate().skip(EARLY) {
            self.try_stage(*stage, &launches);
            if number == EARLY {
                self.within(part, |search| search.try_whole_grid(&launches));
                self.within(part, |search| search.try_seeds(&launches));
                self.within(part, |search| search.try_random_orders(&launches));
            }
        }
        self.try_one_long(&launches);
        self.shown
    }

    /// Does a part of the search with a part of the budget.
    fn within(&mut self, steps: u64, part: impl FnOnce(&mut Self)) {
        let rest = self.budget.take_but(steps);
        part(self);
        // A run that showed a defect has cut the budget for the rest.
        if !self.shown.iter().any(|one| self.subject.is_failure(one)) {
            self.budget.give(rest);
        }
    }

    fn is_over(&self) -> bool {
        let is_shown = || self.shown.iter().any(|one| self.subject.is_failure(one));
        let is_asked = !self.suspicions.is_empty();
        self.budget.is_spent() || (is_asked && self.open.is_empty() && is_shown())
    }

    fn try_stage(&mut self, stage: Stage, launches: &[Launch]) {
        // Contents that decide nothing still make the values of two writes differ.
        let some = |contents: &&Contents| {
            let plain = [Contents::Zero, Contents::Counting, Contents::Small(4), Contents::Random];
            if **contents == Contents::Few {
                return self.subject.maker.has_sums();
            }
            self.subject.maker.contents_decide() || plain.contains(contents)
        };
        for &contents in stage.contents.iter().filter(some).collect::<Vec<_>>() {
            for number in 0..launches.len() {
                self.try_launch(stage, launches, number, contents);
            }
        }
    }

    /// A launch and contents with several arguments.
    fn try_launch(&mut self, stage: Stage, launches: &[Launch], number: usize, contents: Contents) {
        let launch = &launches[number];
        let mut accepted = 0;
        for (choice, arguments) in self.arguments_of(number, launch).into_iter().enumerate() {
            if accepted >= stage.arguments || self.is_over() {
                return;
            }
            let key = (number, contents.number(), choice);
            let before = self.tried.get(&key).copied();
            let orders = match before {
                None => &SCHEDULES[..stage.orders],
                Some(Tried::InOneOrder) if stage.orders > 1 => &SCHEDULES[1..stage.orders],
                Some(_) => &[],
            };
            let mut tried = before.unwrap_or(Tried::Done);
            if !orders.is_empty() {
                let run = self.some_blocks(self.new_run(launch, arguments, contents), &[]);
                tried = self.try_orders(&run, orders, stage.steps);
                self.tried.insert(key, tried);
            }
            accepted += usize::from(tried != Tried::Refused);
        }
    }

    /// The launch that the setting names, with its arguments.
    fn try_likely(&mut self) {
        let maker = &self.subject.maker;
        let Some(likely) = &maker.setting.likely else { return };
        let launch = maker.launch(likely.block, likely.grid);
        let bits = |value| likely.arguments.iter().find(|(own, _)| *own == value);
        let arguments = self.subject.func.scalar_params().filter_map(|param| {
            let (_, bits) = bits(param.value)?;
            Some((Key::Index(param.index), *bits))
        });
        let run = self.new_run(&launch, arguments.collect(), Contents::Counting);
        if maker.is_possible(&launch) {
            self.try_orders(&self.some_blocks(run, &[]), &SCHEDULES[..1], LIKELY_STEPS);
        }
    }

    /// The arguments of a launch, made once.
    fn arguments_of(&mut self, number: usize, launch: &Launch) -> Vec<Arguments> {
        let maker = &self.subject.maker;
        let new = || maker.arguments(launch, &self.models, MOST_ARGUMENTS);
        self.arguments.entry(number).or_insert_with(new).clone()
    }

    /// The launches, arguments and contents of models as they are.
    fn try_models(&mut self) {
        let mut tried: Vec<Run> = vec![];
        let maker = &self.subject.maker;
        for model in self.models.clone() {
            let launch = maker.launch(model.block_dim, model.grid_dim);
            let few = launch.threads() <= 1 << 16 || maker.may_run_some_blocks;
            let empty = launch.block.contains(&0) || launch.grid.contains(&0);
            if !few || self.is_over() || empty || !maker.is_possible(&launch) {
                continue;
            }
            for contents in [Contents::Zero, Contents::SmallInputs(4)] {
                let mut run = maker.run(&launch, maker.arguments_of(model, &launch), contents);
                maker.fill(&mut run.inputs, contents, Some(model));
                maker.fill_pointers(&mut run);
                if tried.contains(&run) {
                    continue;
                }
                tried.push(run.clone());
                let run = self.some_blocks(run, &model.threads);
                if self.try_orders(&run, &SCHEDULES, RUN_STEPS) == Tried::Lost {
                    break;
                }
            }
        }
    }

    /// Pointers to the same memory, where that is to be expected.
    fn try_aliases(&mut self, launches: &[Launch]) {
        for aliases in self.subject.maker.alias_choices() {
            self.aliases = aliases;
            self.tried.clear();
            let (contents, orders, steps) = (&FEW_CONTENTS, SCHEDULES.len(), RUN_STEPS);
            self.try_stage(Stage { contents, arguments: 2, orders, steps }, launches);
        }
        if !self.aliases.is_empty() {
            self.tried.clear();
        }
        self.aliases.clear();
    }

    /// Of large launches, a few threads at many distances from each other, each to its
    /// end: where strides wrap, the thread that meets another one is far away.
    fn try_few_threads(&mut self, launches: &[Launch]) {
        let large = |launch: &&Launch| (MANY_THREADS..1 << 31).contains(&launch.threads());
        let maker = &self.subject.maker;
        if !maker.may_run_some_threads {
            return;
        }
        for launch in launches.iter().filter(large).take(2) {
            let of_models = self.models.iter().map(|model| maker.arguments_of(model, launch));
            let own = maker.arguments(launch, &self.models, 4);
            for arguments in of_models.chain(own).take(4).collect::<Vec<_>>() {
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
                let tried = self.try_orders(&run, &SCHEDULES[..1], RUN_STEPS);
                if tried != Tried::Refused {
                    break;
                }
            }
        }
    }

    /// All blocks, where only some were run before.
    fn try_whole_grid(&mut self, launches: &[Launch]) {
        for (number, launch) in launches.iter().enumerate() {
            for contents in [Contents::Zero, Contents::SmallInputs(4)] {
                let mut accepted = 0;
                for arguments in self.arguments_of(number, launch) {
                    let run = self.new_run(launch, arguments, contents);
                    let is_whole = self.some_blocks(run.clone(), &[]).only_blocks.is_none();
                    let is_large = launch.threads() > WHOLE_GRID;
                    if accepted >= 4 || is_whole || is_large || self.is_over() {
                        break;
                    }
                    let tried = self.try_orders(&run, &SCHEDULES, RUN_STEPS);
                    accepted += usize::from(tried != Tried::Refused);
                }
            }
        }
    }

    /// Other values of what is unknown, such as memory that was never written.
    fn try_seeds(&mut self, launches: &[Launch]) {
        for seed in 1..SEEDS {
            for (number, launch) in launches.iter().enumerate().take(4) {
                let Some(arguments) = self.arguments_of(number, launch).into_iter().next() else {
                    continue;
                };
                if self.is_over() {
                    return;
                }
                let mut run = self.new_run(launch, arguments, Contents::Zero);
                (run.seed, run.unknown_below) = (seed, Some(2));
                let run = self.some_blocks(run, &[]);
                self.try_orders(&run, &SCHEDULES, RUN_STEPS);
            }
        }
    }

    /// Many orders of threads, for kernels in which threads wait for each other, or look at
    /// what others write, in ways that barriers don't order.
    fn try_random_orders(&mut self, launches: &[Launch]) {
        if self.subject.is_deterministic {
            return;
        }
        let decide = self.subject.maker.contents_decide();
        let contents = [Contents::Zero, Contents::SmallInputs(4)];
        for contents in contents.into_iter().take(1 + usize::from(decide)) {
            for number in 0..launches.len().min(2) {
                self.try_launch_in_random_orders(launches, number, contents);
            }
        }
    }

    fn try_launch_in_random_orders(
        &mut self,
        launches: &[Launch],
        number: usize,
        contents: Contents,
    ) {
        let orders: Vec<Schedule> = (2..ORDERS).map(Schedule::Seeded).collect();
        let launch = &launches[number];
        for arguments in self.arguments_of(number, launch).into_iter().take(4) {
            if self.is_over() {
                return;
            }
            let run = self.some_blocks(self.new_run(launch, arguments, contents), &[]);
            if self.try_orders(&run, &orders, FIRST_STEPS) != Tried::Refused {
                return;
            }
        }
    }

    /// One run of one block, or of all where they belong together, for as long as it takes,
    /// if all that was tried was cut off: the defect may be in a late iteration.
    fn try_one_long(&mut self, launches: &[Launch]) {
        let came_to_an_end = |tried: &Tried| matches!(tried, Tried::Done | Tried::InOneOrder);
        let is_shown = self.shown.iter().any(|one| self.subject.is_failure(one));
        let is_cut_off = self.is_cut_off && !self.open.is_empty();
        if is_shown || !is_cut_off || self.tried.values().any(came_to_an_end) {
            return;
        }
        let accepted = self.tried.iter().find(|(_, tried)| **tried == Tried::Lost);
        let Some((&(number, _, choice), _)) = accepted else { return };
        self.budget = Steps::new(Runs::Long, self.subject.fence);
        let arguments = self.arguments_of(number, &launches[number]).into_iter().nth(choice);
        let Some(arguments) = arguments else { return };
        let mut run = self.new_run(&launches[number], arguments, Contents::Zero);
        run.unknown_below = None;
        if self.subject.maker.may_run_some_blocks && launches[number].blocks() > 1 {
            run.only_blocks = Some(vec![0]);
        }
        self.try_orders(&run, &SCHEDULES[..1], Runs::Long.of_one());
    }

    fn new_run(&self, launch: &Launch, arguments: Arguments, contents: Contents) -> Run {
        let mut run = self.subject.maker.run(launch, arguments, contents);
        run.inputs.aliases = self.aliases.clone();
        run
    }

    /// The same run of some blocks of a large launch: those of the threads, the first,
    /// its neighbours and the last.
    fn some_blocks(&self, mut run: Run, threads: &[Position]) -> Run {
        let (blocks, all) = (run.launch.blocks(), run.launch.threads());
        let is_large = blocks > MANY_BLOCKS || (blocks > 2 && all > MANY_THREADS);
        if is_large && self.subject.maker.may_run_some_blocks {
            run.only_blocks = Some(some_blocks(&run.launch, threads));
        }
        run
    }

    /// One run in several orders of threads.
    fn try_orders(&mut self, run: &Run, orders: &[Schedule], steps: u64) -> Tried {
        let in_step = run.lock_step.is_some();
        for &schedule in orders {
            let run = Run { schedule, ..run.clone() };
            let Some(outcome) = self.perform(&run, steps) else { return Tried::Lost };
            if is_refused(&outcome) {
                return Tried::Refused;
            }
            self.legal_runs += 1;
            self.is_cut_off |= matches!(outcome.status, Status::DidNotFinish(_));
            self.note(run, &outcome);
            let is_clean = outcome.findings.is_empty() && outcome.status == Status::Finished;
            if is_clean && self.subject.is_deterministic {
                return Tried::Done;
            }
            if self.subject.is_lost(&outcome) {
                return Tried::Lost;
            }
            if self.is_over() || in_step {
                return Tried::Done;
            }
        }
        if orders.len() == 1 { Tried::InOneOrder } else { Tried::Done }
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
        let shown = Shown { run, suspicions, further };
        if self.subject.is_failure(&shown) {
            self.budget.at_most(Runs::More.steps());
        }
        self.shown.push(shown);
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

/// The first block and its neighbour along each dimension, the last one, and those of
/// the threads.
fn some_blocks(launch: &Launch, threads: &[Position]) -> Vec<u32> {
    let [x, y, z] = launch.grid.map(u64::from);
    let flat = |id: [u32; 3]| {
        let [i, j, k] = id.map(u64::from);
        u32::try_from(i + x * (j + y * k)).ok().filter(|_| i < x && j < y && k < z)
    };
    let last = launch.grid.map(|size| size.saturating_sub(1));
    let own = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1], last];
    let ids = own.into_iter().chain(threads.iter().map(|one| one.block));
    let mut blocks: Vec<u32> = ids.filter_map(flat).collect();
    blocks.sort_unstable();
    blocks.dedup();
    blocks
}
