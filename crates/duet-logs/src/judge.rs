//! What candidates say of a visit of a run: for the engine that runs the kernel.
//!
//! A thread of a run is the first of the two; the second may be any other, so what is said of
//! both is not judged. The log holds each of the accesses that no barrier has ordered since,
//! one at a time.

use duet_analysis::compare;
use duet_infer::sorting::{Done, HeaderVisit, Judge, Number};

use crate::log::{Key, Site};
use crate::statement::{Candidate, OffsetIs, Statement};
use crate::walk::Row;

/// Judges the candidates of a row.
pub(crate) struct Visits<'c> {
    /// The candidates.
    pub candidates: &'c [Candidate],
    /// What is logged.
    pub sites: &'c [Site],
    /// The threads.
    pub row: Row,
    /// Bits of an offset.
    pub width: u32,
}

impl Judge for Visits<'_> {
    fn truth(&self, number: Number, here: &HeaderVisit<'_>) -> Option<bool> {
        match &self.candidates[number].statement {
            Statement::Own(expr) => here.truth(expr),
            Statement::NoAccess(key) => Some(self.offsets(*key, here)?.is_empty()),
            Statement::Offset(key, is) => {
                let offsets = self.offsets(*key, here)?;
                let truths: Option<Vec<bool>> =
                    offsets.into_iter().map(|offset| self.offset_is(is, offset, here)).collect();
                truths.map(|truths| truths.into_iter().all(|truth| truth))
            }
            Statement::User(_)
            | Statement::SameActive
            | Statement::SameAlive
            | Statement::SameValue(_)
            | Statement::SameDistance(_)
            | Statement::NoAccessInWarp(_)
            | Statement::ActiveOnlyIfEntered
            | Statement::ActiveIf(..)
            | Statement::OnlyIfEntered(_)
            | Statement::KeptIfNotEntered(_)
            | Statement::Logged(_)
            | Statement::LoggedOwn(..) => None,
        }
    }

    fn wants_accesses(&self) -> bool {
        self.row != Row::Alone
    }
}

impl Visits<'_> {
    /// Offsets that may be logged, a few of them.
    fn offsets(&self, key: Key, here: &HeaderVisit<'_>) -> Option<Vec<u128>> {
        let is_pending = |one: &&Done| {
            let site = self.sites.iter().find(|site| site.inst == one.inst);
            let is_of_key = site.is_some_and(|site| site.key == key && key.0 == one.array);
            is_of_key && (self.row == Row::Grid || !one.is_ordered)
        };
        let pending = here.done?.iter().filter(is_pending);
        Some(pending.map(|one| u128::from(one.offset)).collect())
    }

    fn offset_is(&self, is: &OffsetIs, offset: u128, here: &HeaderVisit<'_>) -> Option<bool> {
        let mask = u128::MAX >> (128 - self.width);
        match is {
            OffsetIs::Compared(cc, expr) => {
                Some(compare(*cc, offset, here.bits(expr)?, self.width as u8))
            }
            OffsetIs::Congruent(modulus, expr) => {
                let distance = offset.wrapping_sub(here.bits(expr)?) & mask;
                distance.checked_rem(*modulus).map(|rest| rest == 0)
            }
            OffsetIs::Component { id, rest, stride } => {
                let distance = offset.wrapping_sub(here.bits(rest)?) & mask;
                Some(distance.checked_div(*stride)? == here.bits(id)?)
            }
            OffsetIs::Any(parts) => {
                let truths: Option<Vec<bool>> =
                    parts.iter().map(|part| self.offset_is(part, offset, here)).collect();
                truths.map(|truths| truths.into_iter().any(|truth| truth))
            }
        }
    }
}
