//! How hard a question is tried: what it may cost, in the solver's own count and by the
//! clock.

use duet_smt::DeciderOptions;
use duet_smt::solver::Limits;

/// How hard a question is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Effort {
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
    pub(super) fn options(self) -> DeciderOptions {
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
    pub(super) fn little(self) -> DeciderOptions {
        let first = Limits { resources: Some(1_000_000), ..Limits::wall_ms(3000) };
        DeciderOptions { first, second: None, ..self.options() }
    }

    /// What is tried one after the other by somebody who only has a look: the algebra at
    /// length, then a solver for a moment. What loops are about and whether assumptions
    /// can be met is worth more: all the rest depends on it.
    pub(super) fn at_a_glance(self) -> Vec<DeciderOptions> {
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
