//! Engines that prove two kernels equal, each from freedom of races and divergence, which
//! `duet check` shows.
//!
//! | file | holds |
//! |---|---|
//! | `terms` | instructions without effect as terms |
//! | `live` | instructions that nothing needs |
//! | `lockstep` | Engine 0: thread t of A does what thread t of B does |
//! | `chase` | Engine 1: who wrote a place, for every size |
//! | `blocks` | Engine 2: block b of A leaves what block b of B leaves |

pub mod blocks;
pub mod chase;
mod live;
pub mod lockstep;
mod terms;

use std::collections::{BTreeMap, BTreeSet};

/// What an engine proved, and what it took for granted.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Proof {
    /// The engine, in words.
    pub engine: String,
    /// What was assumed beyond freedom of races and divergence.
    pub assumptions: BTreeSet<String>,
    /// What the proof rests on, for the report.
    pub notes: Vec<String>,
    /// How many goals each means decided, by the decider's words.
    pub decided: BTreeMap<&'static str, u64>,
}

impl Proof {
    /// Goals that were decided, and how many of them without a solver.
    pub fn without_solver(&self) -> (u64, u64) {
        let needs_solver = |who: &str| ["bits", "integers", "nobody"].contains(&who);
        let own = self.decided.iter().filter(|(who, _)| !needs_solver(who));
        (self.decided.values().sum(), own.map(|(_, count)| count).sum())
    }
}

/// Why an engine proved nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotShown(pub String);

impl<T: Into<String>> From<T> for NotShown {
    fn from(text: T) -> NotShown {
        NotShown(text.into())
    }
}
