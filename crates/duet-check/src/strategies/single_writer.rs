//! Arrays of which each place is written by one thread only.
//!
//! After a barrier a thread forgets what it wrote: another may have written there since.
//! If writes of different threads never meet, barriers or not, that cannot be, and a
//! thread's own values survive. That is asked only of kernels that are not proved
//! otherwise, since few need it; if an array is found, the kernel is checked again.
//!
//! SOUNDNESS: two arbitrary threads walk the whole kernel, each by itself, with every
//! loop cut: so each of their writes, in any iteration and interval, is compared with each
//! other's. Arrays that atomics or copies touch, or that others may overlap, are out; a
//! shared array has an instance for each block, so only threads of one block count. Like
//! all that is known of memory this holds up to the first race
//! (kernels/traps/03-shared-over-block-barrier, 04-shared-over-warp-barrier).

use std::collections::BTreeSet;

use duet_ask::{Effort, Session};
use duet_ir::{AccessMode, Array, Inst, Space};
use duet_product::KernelFacts;
use duet_smt::TermId;
use duet_smt::solver::{Answer, SolverError};
use duet_vc::{InRange, Side, SiteTerm, Walk};

use super::check_under;
use crate::check::{Case, Check};
use crate::options::CheckOptions;
use crate::report::{KernelReport, Verdict};

/// Pairs of writes that are asked about, at most.
const MAX_PAIRS: usize = 64;

/// A proof that knows of arrays with one writer for each place, if there is one where
/// `report` says that there is none without; both assume the same of arithmetic.
pub(crate) fn prove(
    session: &mut Session,
    case: &mut Case<'_>,
    options: &CheckOptions,
    in_range: &InRange,
    report: &KernelReport,
) -> Result<Option<KernelReport>, SolverError> {
    let suspects = read_after_barriers(&case.facts);
    if report.verdict != Verdict::Unproven || suspects.is_empty() || options.warp_sync.is_some() {
        return Ok(None);
    }
    let mut check = Check::new(session, case, options, in_range.clone());
    check.walker.invariants = report.invariants.clone();
    let found = check.single_writers(&suspects)?;
    if found.is_empty() {
        return Ok(None);
    }
    case.facts.single_writers = found;
    let again = check_under(session, case, options, in_range.clone(), Some(&report.invariants))?;
    match again.verdict {
        Verdict::Proved => Ok(Some(again)),
        Verdict::Refuted | Verdict::Unproven | Verdict::Vacuous => {
            case.facts.single_writers.clear();
            Ok(None)
        }
    }
}

/// The arrays that are written and read, where there are barriers.
fn read_after_barriers(facts: &KernelFacts<'_>) -> Vec<Array> {
    let is_barrier = |inst: Inst| facts.func.insts[inst].barrier_scope().is_some();
    if !facts.func.insts_in_order().any(is_barrier) {
        return vec![];
    }
    let arrays = facts.func.arrays_used().into_iter();
    arrays.filter(|&array| may_have_single_writers(facts, array)).collect()
}

fn may_have_single_writers(facts: &KernelFacts<'_>, array: Array) -> bool {
    let is_plain = |kind: AccessMode| matches!(kind, AccessMode::Load | AccessMode::Store);
    let sites = facts.uses.sites(array);
    facts.module.arrays[array].space != Space::Private
        && sites.iter().all(|site| is_plain(site.kind) && !site.volatile)
        && sites.iter().any(|site| site.kind == AccessMode::Load)
        && sites.iter().any(|site| site.kind == AccessMode::Store)
        && facts.uses.aliases(array).next().is_none()
}

impl Check<'_, '_> {
    /// Those of the arrays in which writes of two threads never meet.
    fn single_writers(&mut self, arrays: &[Array]) -> Result<BTreeSet<Array>, SolverError> {
        let first = self.walker.thread(Side::First, None);
        let mate = self.walker.thread(Side::Second, Some(&first));
        let stranger = self.walker.thread(Side::Further(0), None);
        let walks = [
            self.walker.walk_thread(&first),
            self.walker.walk_thread(&mate),
            self.walker.walk_thread(&stranger),
        ];
        let differs = [
            first.differs_in_thread(&mut self.walker.pool, &mate),
            first.differs_in_block(&mut self.walker.pool, &stranger),
        ];
        let mut facts = self.walker.geometry.facts.clone();
        facts.extend(first.facts.iter().chain(&mate.facts).chain(&stranger.facts));
        let mut found = BTreeSet::new();
        for &array in arrays {
            let is_shared = self.facts.module.arrays[array].space == Space::Shared;
            let others = if is_shared { 1 } else { 2 };
            let mut apart = true;
            for (other, &differ) in walks[1..].iter().zip(&differs).take(others) {
                let known: Vec<TermId> = facts.iter().copied().chain([differ]).collect();
                apart = apart && self.never_meet(array, &known, [&walks[0], other])?;
            }
            if apart {
                found.insert(array);
            }
        }
        Ok(found)
    }

    /// Do the writes of two walks to the array never meet?
    fn never_meet(
        &mut self,
        array: Array,
        known: &[TermId],
        walks: [&Walk; 2],
    ) -> Result<bool, SolverError> {
        let writes = |walk: &Walk| -> Vec<SiteTerm> {
            walk.sites.iter().filter(|site| site.writes && site.array == array).cloned().collect()
        };
        let (ours, theirs) = (writes(walks[0]), writes(walks[1]));
        if ours.len() * theirs.len() > MAX_PAIRS {
            return Ok(false);
        }
        for a in &ours {
            for b in &theirs {
                let mut literals = known.to_vec();
                literals.extend(walks[0].facts_at(a.at));
                literals.extend(walks[1].facts_at(b.at));
                literals.extend([a.guard, b.guard, self.walker.overlap(a, b)]);
                let asked = self.asker.decide(
                    &mut self.walker.pool,
                    &literals,
                    "one writer for each place",
                    Effort::Small,
                )?;
                if asked.answer != Answer::Unsat {
                    return Ok(false);
                }
            }
        }
        Ok(true)
    }
}
