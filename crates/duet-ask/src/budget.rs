//! What questions may cost: all limits are here.
//!
//! An [`Effort`] says how hard one question is tried, a [`Budget`] what all of them may
//! cost together. Both count work: resources of the solver, fuel of the algebra, terms
//! made. So the same questions are answered on a busy machine as on an idle one. The wall
//! clock is a fence behind that, and what it stops is reported as stopped by it.

use std::time::Duration;

use duet_smt::solver::Limits;
use duet_smt::{DeciderOptions, Fence};

/// How hard a question is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// A question whose answer is worth waiting for.
    Full,
    /// The same, but it is hoped that there is a model.
    Witness,
    /// One of many.
    Small,
    /// The same, but it is hoped that there is a model.
    Example,
    /// One about a candidate for a loop invariant.
    Inference,
    /// The same from an engine that only refutes: what is not easy is left to others.
    Refuting,
    /// Many at once: if it fails they are asked one by one.
    Joint,
    /// Only what takes a moment, without a solver.
    Moment,
    /// The same about candidates for loop invariants: a small model refutes some.
    MomentOfInference,
}

impl Effort {
    pub(crate) fn options(self) -> DeciderOptions {
        let both = |first: u64, second: u64| DeciderOptions {
            first: Limits::units(first),
            second: Some(Limits::units(second)),
            ..DeciderOptions::default()
        };
        let hoped = |options: DeciderOptions| DeciderOptions { repair: true, ..options };
        match self {
            Effort::Full => both(20_000_000, 10_000_000),
            Effort::Witness => hoped(both(20_000_000, 10_000_000)),
            Effort::Small => both(4_000_000, 2_000_000),
            Effort::Example | Effort::Inference => hoped(both(4_000_000, 2_000_000)),
            Effort::Refuting => DeciderOptions { second: None, ..hoped(both(1_000_000, 0)) },
            Effort::Joint => DeciderOptions { second: None, algebra: false, ..both(4_000_000, 0) },
            Effort::Moment => {
                DeciderOptions { solvers: false, brief: true, ..DeciderOptions::default() }
            }
            Effort::MomentOfInference => hoped(Effort::Moment.options()),
        }
    }

    /// The same with [`Patience::Little`].
    pub(crate) fn little(self) -> DeciderOptions {
        DeciderOptions { first: Limits::units(1_000_000), second: None, ..self.options() }
    }

    /// What is tried one after the other with [`Patience::Glance`]: the algebra at
    /// length, then a solver for a moment. What loops are about and whether assumptions
    /// can be met is worth more: all the rest depends on it.
    pub(crate) fn at_a_glance(self) -> Vec<DeciderOptions> {
        match self {
            Effort::Full | Effort::Small | Effort::Example => {
                let algebra = DeciderOptions { solvers: false, ..self.options() };
                let first = Limits::units(150_000);
                vec![algebra, DeciderOptions { first, brief: true, ..self.options() }]
            }
            Effort::Moment | Effort::MomentOfInference => vec![self.options()],
            Effort::Witness | Effort::Inference | Effort::Refuting | Effort::Joint => {
                vec![self.little()]
            }
        }
    }
}

/// How long solvers are waited for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Patience {
    /// As long as a question is worth.
    Full,
    /// About a tenth of a second for a question.
    Little,
    /// All that the algebra can do, and a solver for a moment: for trying many
    /// preconditions, most of which fail.
    Glance,
    /// The same without that moment, but for loop invariants and for models.
    Algebra,
    /// No solver is asked, and the first question that is left open ends it.
    None,
}

/// Work for all questions about a kernel, in units of z3's resource count, unless the
/// user says otherwise: a minute or two on a quiet machine.
pub const WORK: u64 = 1_000_000_000;

/// What the answers to all questions about a kernel may cost.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// How hard each of them is tried.
    pub patience: Patience,
    /// Work for all of them, in units of z3's resource count.
    pub work: u64,
    /// When everything that is still open becomes unproven, whatever is left of the work.
    pub fence: Fence,
}

impl Budget {
    /// The usual work, with a fence from now on.
    pub fn new(patience: Patience, time_limit: Option<Duration>) -> Budget {
        Budget { patience, work: WORK, fence: Fence::after(time_limit) }
    }

    /// What a question may use, with so much work left; one after the other.
    pub(crate) fn means(&self, effort: Effort, left: u64) -> Vec<DeciderOptions> {
        let mut tries = match self.patience {
            Patience::Full => vec![effort.options()],
            Patience::Little => vec![effort.little()],
            Patience::Glance => effort.at_a_glance(),
            Patience::Algebra => effort.at_a_glance().into_iter().take(1).collect(),
            Patience::None => vec![Effort::Moment.options()],
        };
        for options in &mut tries {
            for limits in std::iter::once(&mut options.first).chain(&mut options.second) {
                limits.resources = limits.resources.map(|units| units.min(left));
                limits.fence = self.fence;
            }
        }
        tries
    }
}

/// What runs of the interpreter are made for. Each purpose has its own number of
/// instructions, so that what is found does not depend on the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Runs {
    /// To show what a proof left open.
    Search,
    /// To show more, once something was shown.
    More,
    /// To see whether a few small ones show a defect, before a solver is asked.
    First,
    /// To see whether the states of solvers show one.
    Brief,
    /// One long run, where shorter ones came to no end and showed nothing.
    Long,
    /// To see whether runs meet what a proof assumes.
    Met,
    /// The same, for a proof that takes a moment or is left to others.
    MetAtOnce,
    /// To make a run that shows something smaller.
    Shrink,
    /// To see which launches avoid a defect.
    Unless,
}

impl Runs {
    /// Instructions of all of them together.
    pub const fn steps(self) -> u64 {
        match self {
            Runs::Search => 32_000_000,
            Runs::More => 6_000_000,
            Runs::First => 2_000_000,
            Runs::Brief => 3_000_000,
            Runs::Long => 24_000_000,
            Runs::Met => 48_000_000,
            Runs::MetAtOnce => 150_000,
            Runs::Shrink => 8_000_000,
            Runs::Unless => 2_000_000,
        }
    }

    /// Instructions of one of them.
    pub const fn of_one(self) -> u64 {
        match self {
            Runs::Search | Runs::More | Runs::First | Runs::Brief | Runs::Unless => 3_000_000,
            Runs::Long => 24_000_000,
            Runs::Met => 4_000_000,
            Runs::MetAtOnce => 50_000,
            Runs::Shrink => 2_000_000,
        }
    }
}

/// What a run costs beyond its instructions: to be set up, and for each thread.
const RUN_STEPS: u64 = 4_000;
const THREAD_STEPS: u64 = 40;

/// Instructions that runs may still execute. Nothing is left once the fence is past.
#[derive(Clone, Copy, Debug)]
pub struct Steps {
    left: u64,
    fence: Fence,
}

impl Steps {
    /// All that runs for this purpose may execute.
    pub fn new(runs: Runs, fence: Fence) -> Steps {
        Steps { left: runs.steps(), fence }
    }

    /// Is nothing left?
    pub fn is_spent(&self) -> bool {
        self.left == 0 || self.fence.is_past()
    }

    /// No more than this from now on.
    pub fn at_most(&mut self, steps: u64) {
        self.left = self.left.min(steps);
    }

    /// Takes a part of what is left, to be given back by [`Steps::give`].
    pub fn take_but(&mut self, steps: u64) -> u64 {
        let rest = self.left.saturating_sub(steps);
        self.left -= rest;
        rest
    }

    /// Gives back what was taken.
    pub fn give(&mut self, steps: u64) {
        self.left += steps;
    }

    /// What a run of so many threads may execute if it may execute so much at most; none
    /// if nothing is left for it. `execute` does it and says how much it executed.
    pub fn spend<T>(
        &mut self,
        threads: u64,
        at_most: u64,
        execute: impl FnOnce(u64) -> Option<(T, u64)>,
    ) -> Option<T> {
        let setup = RUN_STEPS + THREAD_STEPS.saturating_mul(threads);
        let steps = at_most.min(self.left.saturating_sub(setup));
        if steps == 0 || self.fence.is_past() {
            self.left = 0;
            return None;
        }
        let done = execute(steps);
        let used = done.as_ref().map_or(0, |(_, used)| *used);
        self.left = self.left.saturating_sub(setup + used);
        done.map(|(result, _)| result)
    }
}
