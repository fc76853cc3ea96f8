//! The candidates of the loops of one thread, with their numbers.

use duet_analysis::{Loop, Loops};
use duet_vc::{Candidate, Invariants, Source};

use crate::sorting::{Board, Entry, HeaderVisit, Judge, Number};

/// Candidates, numbered loop by loop.
pub(super) struct Numbered(Vec<(Loop, Candidate)>);

impl Numbered {
    /// All of these.
    pub(super) fn new(loops: &Loops, all: &Invariants) -> Numbered {
        let of_loop = |id| all.of(id).iter().map(move |candidate| (id, candidate.clone()));
        Numbered(loops.iter().flat_map(|(id, _)| of_loop(id)).collect())
    }

    /// A board with nothing refuted.
    pub(super) fn board(&self) -> Board {
        let entry = |(id, candidate): &(Loop, Candidate)| Entry {
            id: *id,
            is_of_user: matches!(candidate.source, Source::User(_)),
        };
        Board::new(self.0.iter().map(entry).collect())
    }

    /// The number of a loop's candidate, given its position among those of the loop.
    pub(super) fn number(&self, id: Loop, position: usize) -> Number {
        let first = self.0.iter().position(|(of, _)| *of == id);
        first.expect("a loop with candidates") + position
    }

    /// Those that are `live`, by loop.
    pub(super) fn invariants(&self, live: &[bool]) -> Invariants {
        let mut kept = Invariants::default();
        let all = self.0.iter().zip(live).filter(|(_, live)| **live);
        all.for_each(|((id, candidate), _)| kept.add(*id, candidate.clone()));
        kept
    }
}

impl Judge for Numbered {
    fn truth(&self, number: Number, here: &HeaderVisit<'_>) -> Option<bool> {
        here.truth(&self.0[number].1.expr)
    }

    fn wants_accesses(&self) -> bool {
        false
    }
}
