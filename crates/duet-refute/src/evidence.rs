//! What a run shows: which of its findings are defects that refute, in the setting
//! that the kernel is run for, and which suspicion they confirm.
//!
//! SOUNDNESS: this is where "refuted" is decided. A run that is not legal (a false
//! precondition or assumption, one that could not be evaluated) shows nothing. Nor
//! does one with signed overflow, a division by zero, an access outside its array or
//! through a pointer to nowhere show anything else: what happens after undefined
//! behaviour is not the kernel's fault twice. A correct kernel that is refuted
//! fails the test `verdicts_are_never_wrong` (kernels/contracts,
//! kernels/soundness/22-overflow-strict-fine).

use duet_interp::{Actor, At, FindingKind, Outcome, Race, Status, ThreadPos};
use duet_ir::{AssertKind, Inst, InstData, Language, Rule};
use duet_vc::Position;

use crate::Subject;
use crate::path::Path;
use crate::refute::Suspicion;
use crate::run::Run;

/// A run that shows a defect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Evidence {
    /// The run.
    pub run: Run,
    /// What it shows.
    pub defect: Defect,
    /// How each thread got there, in the order of [`Defect::threads`].
    pub paths: Vec<Path>,
    /// A condition on free sizes, in the source's language, under which no run showed it.
    pub not_seen_if: Option<String>,
    /// The weight of the run before it was made smaller.
    pub first_weight: (u64, u128, u64),
}

/// A defect that a run showed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Defect {
    /// The rule that it breaks.
    pub rule: Rule,
    /// The instruction it is about.
    pub primary: Inst,
    /// The other one.
    pub secondary: Option<Inst>,
    /// What the interpreter saw.
    pub kind: FindingKind,
}

impl Defect {
    /// Is this what is suspected?
    pub(crate) fn is(&self, suspicion: &Suspicion<'_>) -> bool {
        let (one, other) = (suspicion.primary, suspicion.secondary);
        let mine = (Some(self.primary), self.secondary);
        let places = mine == (one, other) || (mine.1.is_some() && mine == (other, one));
        places && is_alike(self.rule, suspicion.rule)
    }

    /// The same, told in the order of the suspicion's places.
    pub(crate) fn towards(self, suspicion: &Suspicion<'_>) -> Defect {
        match (self.secondary, suspicion.primary) {
            (Some(other), Some(first)) if self.primary != first && other == first => {
                let secondary = Some(self.primary);
                Defect { primary: other, secondary, kind: turned(self.kind), ..self }
            }
            _ => self,
        }
    }

    /// Is it about where threads wait, whatever memory holds?
    pub(crate) fn is_about_barriers(&self) -> bool {
        matches!(self.rule, Rule::BarrierDivergence | Rule::WarpDeadlock | Rule::MaskExcludesSelf)
    }

    /// The thread, or the two threads, in the order of the instructions.
    pub fn threads(&self) -> Vec<Position> {
        let positions = match &self.kind {
            FindingKind::Race(race) | FindingKind::BenignRace(race) => {
                vec![thread_of(race.first.actor), thread_of(race.second.actor)]
            }
            FindingKind::BarrierDivergence { first, second, .. }
            | FindingKind::CopyMismatch { first, second } => vec![first.thread, second.thread],
            FindingKind::ExitBeforeBarrier { waiting, returned: gone, .. }
            | FindingKind::LeftBarrierLoop { waiting, left: gone, .. } => {
                vec![waiting.thread, *gone]
            }
            kind @ FindingKind::WarpDeadlock { .. }
            | kind @ FindingKind::MaskExcludesSelf { .. }
            | kind @ FindingKind::PartialExchange { .. }
            | kind @ FindingKind::InactiveLane { .. }
            | kind @ FindingKind::OutOfBounds { .. }
            | kind @ FindingKind::Uninitialised { .. }
            | kind @ FindingKind::AssertFailed { .. }
            | kind @ FindingKind::InvariantFailed { .. }
            | kind @ FindingKind::BarrierInvariantFailed { .. }
            | kind @ FindingKind::DivisionByZero { .. }
            | kind @ FindingKind::SignedOverflow { .. }
            | kind @ FindingKind::ConversionOutOfRange { .. } => {
                at_of(kind).map(|at| vec![at.thread]).unwrap_or_default()
            }
        };
        positions.into_iter().map(|at| Position { thread: at.thread, block: at.block }).collect()
    }
}

/// The two sides of a finding in the other order.
fn turned(kind: FindingKind) -> FindingKind {
    use FindingKind::*;
    let race = |race: duet_interp::Race| duet_interp::Race {
        first: race.second,
        second: race.first,
        ..race
    };
    match kind {
        Race(one) => Race(race(one)),
        BenignRace(one) => BenignRace(race(one)),
        BarrierDivergence { scope, first, second } => {
            BarrierDivergence { scope, first: second, second: first }
        }
        CopyMismatch { first, second } => CopyMismatch { first: second, second: first },
        other @ ExitBeforeBarrier { .. }
        | other @ LeftBarrierLoop { .. }
        | other @ WarpDeadlock { .. }
        | other @ MaskExcludesSelf { .. }
        | other @ PartialExchange { .. }
        | other @ InactiveLane { .. }
        | other @ OutOfBounds { .. }
        | other @ Uninitialised { .. }
        | other @ AssertFailed { .. }
        | other @ InvariantFailed { .. }
        | other @ BarrierInvariantFailed { .. }
        | other @ DivisionByZero { .. }
        | other @ SignedOverflow { .. }
        | other @ ConversionOutOfRange { .. } => other,
    }
}

/// The thread that made an access, or started the copy that made it.
pub(crate) fn thread_of(actor: Actor) -> ThreadPos {
    match actor {
        Actor::Thread(position) | Actor::Copy(position) => position,
    }
}

/// Are the rules the same, or both about races? Which race it is follows from the
/// instructions.
fn is_alike(one: Rule, other: Rule) -> bool {
    one == other || (one.is_race() && other.is_race())
}

impl Subject<'_> {
    /// The defects of a run that refute; none if the run shows nothing.
    pub(crate) fn defects(&self, outcome: &Outcome) -> Vec<Defect> {
        if !self.is_legal(outcome) {
            return vec![];
        }
        let kinds = outcome.findings.iter().map(|finding| &finding.kind);
        match kinds.clone().find(|kind| self.spoils(kind)) {
            Some(first) => self.defect(first).into_iter().collect(),
            None => kinds.filter_map(|kind| self.defect(kind)).collect(),
        }
    }

    /// Did the run keep preconditions and assumptions, as far as it went?
    fn is_legal(&self, outcome: &Outcome) -> bool {
        let overflows = |kind: &FindingKind| match kind {
            FindingKind::SignedOverflow { .. } | FindingKind::DivisionByZero { .. } => true,
            // What it yields is up to the device, and matters only if something depends
            // on it (`a_run_with_an_open_conversion_is_no_witness` in duet's tests).
            FindingKind::ConversionOutOfRange { at } => duet_interp::decides(self.module, at.site),
            FindingKind::Race(_)
            | FindingKind::BenignRace(_)
            | FindingKind::BarrierDivergence { .. }
            | FindingKind::ExitBeforeBarrier { .. }
            | FindingKind::LeftBarrierLoop { .. }
            | FindingKind::WarpDeadlock { .. }
            | FindingKind::MaskExcludesSelf { .. }
            | FindingKind::PartialExchange { .. }
            | FindingKind::InactiveLane { .. }
            | FindingKind::OutOfBounds { .. }
            | FindingKind::Uninitialised { .. }
            | FindingKind::AssertFailed { .. }
            | FindingKind::InvariantFailed { .. }
            | FindingKind::BarrierInvariantFailed { .. }
            | FindingKind::CopyMismatch { .. } => false,
        };
        let finished = match outcome.status {
            Status::Finished | Status::Stuck => true,
            // Threads that have not begun may still break a precondition, unless it is
            // met by all or none and comes first.
            Status::DidNotFinish(_) => !self.has_assumptions || self.assumptions_come_first,
            Status::RequirementFailed(_) | Status::AssumptionFailed(_) => false,
        };
        finished && !outcome.findings.iter().any(|finding| overflows(&finding.kind))
    }

    /// Does the run show nothing, whatever the order of threads: it is not legal, or it
    /// did not come to its end and there is no defect?
    pub(crate) fn is_lost(&self, outcome: &Outcome) -> bool {
        let cut_off = matches!(outcome.status, Status::DidNotFinish(_));
        !self.is_legal(outcome) || (cut_off && self.defects(outcome).is_empty())
    }

    /// Does what follows in the run mean nothing?
    fn spoils(&self, kind: &FindingKind) -> bool {
        use FindingKind::*;
        match kind {
            OutOfBounds { .. } | MaskExcludesSelf { .. } | CopyMismatch { .. } => true,
            ExitBeforeBarrier { .. } => self.module.language == Language::OpenCl,
            AssertFailed { kind, .. } => matches!(
                kind,
                AssertKind::Pointer
                    | AssertKind::ConstantWrite
                    | AssertKind::Unreachable
                    | AssertKind::Bounds
            ),
            Race(_)
            | BenignRace(_)
            | BarrierDivergence { .. }
            | LeftBarrierLoop { .. }
            | WarpDeadlock { .. }
            | PartialExchange { .. }
            | InactiveLane { .. }
            | Uninitialised { .. }
            | InvariantFailed { .. }
            | BarrierInvariantFailed { .. }
            | DivisionByZero { .. }
            | SignedOverflow { .. }
            | ConversionOutOfRange { .. } => false,
        }
    }

    /// The interpreter's finding as a defect, if it counts as one in this setting.
    fn defect(&self, kind: &FindingKind) -> Option<Defect> {
        use FindingKind::*;
        let at = |rule, at: &At| self.at(rule, at, None, kind);
        match kind {
            Race(race) => self.race(race, kind),
            BenignRace(race) if !self.setting().tolerate_benign => self.race(race, kind),
            BarrierDivergence { first, second, .. } => {
                self.at(Rule::BarrierDivergence, first, Some(second), kind)
            }
            LeftBarrierLoop { waiting, .. } => at(Rule::BarrierDivergence, waiting),
            ExitBeforeBarrier { waiting, .. } => at(Rule::ExitBeforeBarrier, waiting),
            WarpDeadlock { waiting, .. } => at(Rule::WarpDeadlock, waiting),
            MaskExcludesSelf { at: place, .. } => at(Rule::MaskExcludesSelf, place),
            CopyMismatch { first, second } => {
                self.at(Rule::CopyMismatch, first, Some(second), kind)
            }
            OutOfBounds { at: place, .. } if self.setting().check_bounds => {
                at(Rule::OutOfBounds, place)
            }
            InvariantFailed { at: place } => at(Rule::InvariantFailed, place),
            BarrierInvariantFailed { at: place } => at(Rule::BarrierInvariantFailed, place),
            AssertFailed { at: place, kind } => at(assertion_rule(*kind), place),
            BenignRace(_)
            | PartialExchange { .. }
            | InactiveLane { .. }
            | OutOfBounds { .. }
            | Uninitialised { .. }
            | DivisionByZero { .. }
            | SignedOverflow { .. }
            | ConversionOutOfRange { .. } => None,
        }
    }

    fn at(
        &self,
        rule: Rule,
        first: &At,
        second: Option<&At>,
        kind: &FindingKind,
    ) -> Option<Defect> {
        let primary = self.inst(first)?;
        let secondary = match second {
            Some(second) => Some(self.inst(second)?),
            None => None,
        };
        Some(Defect { rule, primary, secondary, kind: kind.clone() })
    }

    /// The instruction, if it is the kernel's own: all calls are inlined.
    fn inst(&self, at: &At) -> Option<Inst> {
        (at.site.func == self.kernel).then_some(at.site.inst)
    }

    fn race(&self, race: &Race, kind: &FindingKind) -> Option<Defect> {
        let (first, second) = (thread_of(race.first.actor), thread_of(race.second.actor));
        let own = race.first.site.func == self.kernel && race.second.site.func == self.kernel;
        // The kernel makes no such read: it is there for a claim alone
        // (kernels/claims/04-permission-races).
        let func = &self.module.functions[self.kernel];
        let is_permission = |inst| duet_ir::is_read_permission(self.module, func, inst);
        let of_claim =
            own && (is_permission(race.first.site.inst) || is_permission(race.second.site.inst));
        let left_out = of_claim
            || self.setting().only_divergence
            || (self.setting().only_intra_group && first.block != second.block);
        (own && !left_out).then(|| Defect {
            rule: race.rule(),
            primary: race.first.site.inst,
            secondary: Some(race.second.site.inst),
            kind: kind.clone(),
        })
    }
}

/// The rule of an assertion that fails.
fn assertion_rule(kind: AssertKind) -> Rule {
    match kind {
        AssertKind::Pointer => Rule::InvalidPointer,
        AssertKind::ConstantWrite => Rule::ConstantWrite,
        AssertKind::Bounds => Rule::OutOfBounds,
        AssertKind::Annotated
        | AssertKind::Global
        | AssertKind::Library
        | AssertKind::Trap
        | AssertKind::Unreachable => Rule::AssertionFailed,
    }
}

/// Where a finding about one thread is.
fn at_of(kind: &FindingKind) -> Option<At> {
    use FindingKind::*;
    match kind {
        WarpDeadlock { waiting: at, .. }
        | MaskExcludesSelf { at, .. }
        | PartialExchange { at, .. }
        | InactiveLane { at, .. }
        | OutOfBounds { at, .. }
        | Uninitialised { at, .. }
        | AssertFailed { at, .. }
        | InvariantFailed { at }
        | BarrierInvariantFailed { at }
        | DivisionByZero { at }
        | SignedOverflow { at }
        | ConversionOutOfRange { at } => Some(*at),
        Race(_)
        | BenignRace(_)
        | BarrierDivergence { .. }
        | ExitBeforeBarrier { .. }
        | LeftBarrierLoop { .. }
        | CopyMismatch { .. } => None,
    }
}

/// Does the instruction restrict which runs are legal?
pub(crate) fn is_assumption(data: &InstData) -> bool {
    matches!(data, InstData::Annotation { kind, .. } if kind.is_believed())
}
