//! The candidates of a kernel with their numbers, and which of them are refuted: the
//! pool that all engines feed.

use std::sync::atomic::{AtomicBool, Ordering};

use duet_analysis::{Loop, Loops};
use duet_vc::{Candidate, Invariants, Source};

/// The number of a candidate.
pub(super) type Number = usize;

/// All candidates. Engines on several threads may refute them.
pub(super) struct Board {
    candidates: Vec<(Loop, Candidate)>,
    refuted: Vec<AtomicBool>,
    /// Houdini is done: no more refutations are needed.
    is_over: AtomicBool,
}

impl Board {
    /// With nothing refuted. Candidates are numbered loop by loop.
    pub(super) fn new(loops: &Loops, all: &Invariants) -> Board {
        let of_loop = |id| all.of(id).iter().map(move |candidate| (id, candidate.clone()));
        let candidates: Vec<_> = loops.iter().flat_map(|(id, _)| of_loop(id)).collect();
        let refuted = candidates.iter().map(|_| AtomicBool::new(false)).collect();
        Board { candidates, refuted, is_over: AtomicBool::new(false) }
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    /// The number of a loop's candidate, given its position among those of the loop.
    pub(super) fn number(&self, id: Loop, position: usize) -> Number {
        let first = self.candidates.iter().position(|(of, _)| *of == id);
        first.expect("a loop with candidates") + position
    }

    /// The candidates of a loop that are not refuted.
    pub(super) fn live_of(&self, id: Loop) -> impl Iterator<Item = (Number, &Candidate)> {
        let all = self.candidates.iter().enumerate();
        all.filter(move |(number, (of, _))| *of == id && self.is_live(*number))
            .map(|(number, (_, candidate))| (number, candidate))
    }

    /// Did the user write it?
    pub(super) fn is_of_user(&self, number: Number) -> bool {
        matches!(self.candidates[number].1.source, Source::User(_))
    }

    /// Is it not refuted?
    pub(super) fn is_live(&self, number: Number) -> bool {
        !self.refuted[number].load(Ordering::Relaxed)
    }

    /// Which are not refuted, all at one time or a little later.
    pub(super) fn live(&self) -> Vec<bool> {
        (0..self.len()).map(|number| self.is_live(number)).collect()
    }

    /// Refutes one; is that news?
    pub(super) fn refute(&self, number: Number) -> bool {
        !self.refuted[number].swap(true, Ordering::Relaxed)
    }

    /// A name that is the same on every run: the loop and the number.
    pub(super) fn name(&self, number: Number) -> String {
        format!("{}.{number}", self.candidates[number].0)
    }

    /// Those that are `live`, by loop.
    pub(super) fn invariants(&self, live: &[bool]) -> Invariants {
        let mut kept = Invariants::default();
        let all = self.candidates.iter().zip(live).filter(|(_, live)| **live);
        all.for_each(|((id, candidate), _)| kept.add(*id, candidate.clone()));
        kept
    }

    /// No more refutations are needed.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Are more refutations of no use?
    pub(super) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
