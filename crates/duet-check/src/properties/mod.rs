//! The properties that a kernel is checked for: a file each.
//!
//! | file | asks |
//! |---|---|
//! | `unmodelled`, `annotations` | is there anything that is not covered, or claimed and not proved? |
//! | `logs` | do invariants about logged accesses hold of every access? |
//! | `alone`, `two_threads` | assertions, divisions and pointers, of one thread and of two |
//! | `alignment`, `bounds` | do accesses fit the elements of their arrays, and stay inside? |
//! | `claims` | does what is claimed of memory at barriers hold? |
//! | `divergence` | do threads that start an interval together end it together? |
//! | `races`, `tolerated`, `exits` | can two threads touch the same bytes, one writing? |
//! | `order` | are two accesses ordered by fences and flags? |
//! | `copies`, `waits` | the same for asynchronous copies; do all threads wait for them? |

mod alignment;
mod alone;
mod annotations;
mod bounds;
mod claims;
mod copies;
mod divergence;
mod exits;
mod frames;
mod logs;
mod order;
mod races;
mod tolerated;
mod two_threads;
mod unmodelled;
mod waits;

pub use bounds::size_of;
pub(crate) use claims::{Claims, claims_fail, obstacle_of_cells};
pub(crate) use frames::check_frame;
pub(crate) use order::{Order, Told, may_be_ordered};

use std::collections::BTreeSet;

use duet_ir::{Inst, Rule};
use duet_smt::solver::SolverError;

use crate::check::{Check, Stage};
use crate::vacuity::Vacuity;
use copies::Copies;
use races::Races;
use waits::Waits;

/// The pairs of accesses that fences and flags order in every execution, with the kind of
/// race that each would be.
pub(crate) fn ordered_pairs(
    check: &mut Check<'_, '_>,
) -> Result<BTreeSet<(Rule, Inst, Inst)>, SolverError> {
    check.order = Some(Order::new(check)?);
    check.told = Told::find(check);
    Races { check }.ordered_pairs()
}

impl Check<'_, '_> {
    /// Every property that the options ask for; returns what was not checked.
    pub(crate) fn check_properties(&mut self) -> Result<Option<String>, SolverError> {
        self.reject_unmodelled();
        self.reject_annotations();
        frames::check_frame(self);
        let not_checked = self.check_user_invariants()?;
        self.check_alone()?;
        self.check_two_threads()?;
        self.check_alignment()?;
        if self.options.check_bounds {
            self.check_bounds()?;
        }
        self.check_divergence()?;
        Claims { check: self }.check_claims()?;
        Copies { check: self }.check_copy_arguments();
        Waits { check: self }.check_waits();
        // SOUNDNESS: left out only where the stage before has asked about them
        // (test `races_are_asked_about_in_one_stage`).
        if !self.options.only_divergence && self.stage == Stage::Whole {
            if !self.facts.ordered.is_empty() {
                self.order = Some(Order::new(self)?);
            }
            self.told = Told::find(self);
            Races { check: self }.check_races()?;
            Races { check: self }.check_exits()?;
            Copies { check: self }.check_copies()?;
        }
        let assumes_too_much = Vacuity { check: self }.assumes_too_much_in_loops();
        if self.options.vacuity || assumes_too_much || self.believes_contracts() {
            Vacuity { check: self }.check_vacuity(assumes_too_much)?;
        }
        if self.options.safety_net {
            Vacuity { check: self }.check_safety_net()?;
        }
        let not_checked: BTreeSet<u32> = not_checked.into_iter().collect();
        let lines: Vec<String> = not_checked.iter().map(u32::to_string).collect();
        Ok((!lines.is_empty()).then(|| {
            format!(
                "nothing rests on the invariants about logged accesses or other threads (line {}), which were not checked",
                lines.join(", ")
            )
        }))
    }
}
