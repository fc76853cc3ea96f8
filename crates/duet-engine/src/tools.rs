//! The solvers of this machine, as the shells need to know them: which is asked when the
//! user chose none, and what there is, for `duet doctor`.

pub use duet_smt::solver::{
    Located, Origin, SolverKind, end_all as end_solvers, preferred as preferred_solver,
};
use duet_smt::solver::{SolverError, locate};

/// A solver that Duet knows.
#[derive(Clone, Debug)]
pub struct KnownSolver {
    /// Which one.
    pub kind: SolverKind,
    /// Where it is, or why it cannot be asked.
    pub located: Result<Located, SolverError>,
}

impl KnownSolver {
    /// Is it there, and did it tell its version? A program that cannot even do that (one
    /// for another processor, say) would answer no question.
    pub fn runs(&self) -> bool {
        self.located.as_ref().is_ok_and(|located| located.version() != "unknown")
    }

    /// Can it do without another solver? One that knows no integers cannot.
    pub fn suffices(&self) -> bool {
        self.runs() && self.kind.has_integers()
    }
}

/// All solvers that Duet knows, the preferred one first.
pub fn known_solvers() -> Vec<KnownSolver> {
    let look = |kind| KnownSolver { kind, located: locate(kind, None) };
    SolverKind::ALL.into_iter().map(look).collect()
}
