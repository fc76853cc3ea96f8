//! What questions may cost: all limits are here.
//!
//! An [`Effort`] says how hard one question is tried, in the solver's own count and by
//! the clock; a [`Budget`] how long one is willing to wait for all of them.

use std::time::{Duration, Instant};

use duet_smt::DeciderOptions;
use duet_smt::solver::Limits;

/// How hard a question is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effort {
    /// A question whose answer is worth waiting for.
    Full,
    /// The same, but it is hoped that there is a model.
    Witness,
    /// One of many.
    Small,
    /// One about a candidate for a loop invariant. Only the solver's count limits it,
    /// so that the same candidates are kept on every machine.
    Inference,
    /// The same from an engine that only refutes: what is not easy is left to others.
    Refuting,
    /// Many at once: if it fails they are asked one by one.
    Joint,
    /// Only what takes a moment, without a solver.
    Moment,
}

impl Effort {
    pub(crate) fn options(self) -> DeciderOptions {
        let limits =
            |units: u64, wall: u64| Limits { resources: Some(units), ..Limits::wall_ms(wall) };
        match self {
            Effort::Full | Effort::Witness => DeciderOptions {
                first: limits(20_000_000, 4000),
                second: Some(limits(10_000_000, 2000)),
                ..DeciderOptions::default()
            },
            Effort::Small => DeciderOptions {
                first: limits(4_000_000, 1000),
                second: Some(limits(2_000_000, 500)),
                ..DeciderOptions::default()
            },
            Effort::Inference => DeciderOptions {
                first: limits(4_000_000, 30_000),
                second: Some(limits(2_000_000, 30_000)),
                ..DeciderOptions::default()
            },
            Effort::Refuting => DeciderOptions {
                first: limits(1_000_000, 10_000),
                second: None,
                ..DeciderOptions::default()
            },
            Effort::Joint => DeciderOptions {
                first: limits(4_000_000, 1000),
                second: None,
                algebra: false,
                ..DeciderOptions::default()
            },
            Effort::Moment => {
                DeciderOptions { solvers: false, brief: true, ..DeciderOptions::default() }
            }
        }
    }

    /// The same for somebody with little patience.
    pub(crate) fn little(self) -> DeciderOptions {
        let first = Limits { resources: Some(1_000_000), ..Limits::wall_ms(3000) };
        DeciderOptions { first, second: None, ..self.options() }
    }

    /// What is tried one after the other by somebody who only has a look: the algebra at
    /// length, then a solver for a moment. What loops are about and whether assumptions
    /// can be met is worth more: all the rest depends on it.
    pub(crate) fn at_a_glance(self) -> Vec<DeciderOptions> {
        match self {
            Effort::Full | Effort::Small => {
                let algebra = DeciderOptions { solvers: false, ..self.options() };
                let first = Limits { resources: Some(150_000), ..Limits::wall_ms(2000) };
                vec![algebra, DeciderOptions { first, brief: true, ..self.options() }]
            }
            Effort::Moment => vec![self.options()],
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
    /// All that the algebra can do, and a solver for a moment: for whoever tries many
    /// preconditions, most of them in vain.
    Glance,
    /// The same without that moment, but for loop invariants and for models.
    Algebra,
    /// No solver is asked, and the first question that is left open ends it.
    None,
}

/// How long one is willing to wait for the answers to all questions about a kernel.
#[derive(Clone, Copy, Debug)]
pub struct Budget {
    /// For each of them.
    pub patience: Patience,
    /// When everything that is still open becomes unproven.
    deadline: Option<Instant>,
}

impl Budget {
    /// From now on.
    pub fn new(patience: Patience, time_limit: Option<Duration>) -> Budget {
        Budget { patience, deadline: time_limit.map(|limit| Instant::now() + limit) }
    }

    /// Until everything that is still open becomes unproven.
    pub fn time_left(&self) -> Duration {
        match self.deadline {
            Some(deadline) => deadline.saturating_duration_since(Instant::now()),
            None => Duration::MAX,
        }
    }

    /// What a question may use, with so much time left; one after the other.
    pub(crate) fn means(&self, effort: Effort, left: Duration) -> Vec<DeciderOptions> {
        let mut tries = match self.patience {
            Patience::Full => vec![effort.options()],
            Patience::Little => vec![effort.little()],
            Patience::Glance => effort.at_a_glance(),
            Patience::Algebra => effort.at_a_glance().into_iter().take(1).collect(),
            Patience::None => vec![Effort::Moment.options()],
        };
        for options in &mut tries {
            options.first.wall = options.first.wall.min(left);
            if let Some(second) = &mut options.second {
                second.wall = second.wall.min(left);
            }
        }
        tries
    }
}
