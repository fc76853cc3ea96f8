//! The candidates of a kernel with their numbers, and which of them are refuted: the
//! pool that all engines feed.

use std::sync::atomic::{AtomicBool, Ordering};

use duet_analysis::Loop;

/// The number of a candidate.
pub type Number = usize;

/// What a board knows of a candidate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Entry {
    /// Its loop.
    pub id: Loop,
    /// The user wrote it.
    pub is_of_user: bool,
}

/// All candidates. Engines on several threads may refute them.
pub struct Board {
    entries: Vec<Entry>,
    refuted: Vec<AtomicBool>,
    /// Houdini is done: no more refutations are needed.
    is_over: AtomicBool,
}

impl Board {
    /// With nothing refuted.
    pub fn new(entries: Vec<Entry>) -> Board {
        let refuted = entries.iter().map(|_| AtomicBool::new(false)).collect();
        Board { entries, refuted, is_over: AtomicBool::new(false) }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Are there none?
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Did the user write it?
    pub(super) fn is_of_user(&self, number: Number) -> bool {
        self.entries[number].is_of_user
    }

    /// Is it not refuted?
    pub fn is_live(&self, number: Number) -> bool {
        !self.refuted[number].load(Ordering::Relaxed)
    }

    /// Which are not refuted, all at one time or a little later.
    pub(super) fn live(&self) -> Vec<bool> {
        (0..self.len()).map(|number| self.is_live(number)).collect()
    }

    /// The numbers of a loop's candidates that are not refuted.
    pub fn live_of(&self, id: Loop) -> impl Iterator<Item = Number> + '_ {
        let all = self.entries.iter().enumerate();
        all.filter(move |(number, entry)| entry.id == id && self.is_live(*number))
            .map(|(number, _)| number)
    }

    /// Refutes one; is that news?
    pub fn refute(&self, number: Number) -> bool {
        !self.refuted[number].swap(true, Ordering::Relaxed)
    }

    /// A name that is the same on every run: the loop and the number.
    pub(super) fn name(&self, number: Number) -> String {
        format!("{}.{number}", self.entries[number].id)
    }

    /// No more refutations are needed.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    /// Are more refutations of no use?
    pub fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Relaxed)
    }
}
