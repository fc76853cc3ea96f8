//! What was found out about a kernel, as plain data.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use duet_ask::{Asked, Doubt, Obstacle, reason_in_words};
use duet_infer::{Inference, RuleCount};
use duet_ir::{Inst, Rule, Severity};
use duet_refute::Evidence;
use duet_smt::solver::SolverError;
use duet_vc::{Invariants, LaunchSpec, Witness};

/// What was found out about one kernel.
#[derive(Clone, Debug)]
pub struct KernelReport {
    /// The kernel's name.
    pub name: String,
    /// The launch that it was checked for.
    pub launch: LaunchSpec,
    /// Different pointers were allowed to point into the same memory.
    pub may_alias: bool,
    /// The verdict over all properties.
    pub verdict: Verdict,
    /// The name of the strategy that the verdict comes from
    /// ([`crate::STRATEGIES`]); empty if none was chosen.
    pub decided_by: &'static str,
    /// The verdict on each property.
    pub properties: Vec<PropertyReport>,
    /// What the verdict takes for granted.
    pub assumptions: Vec<String>,
    /// What could not be proved, and warnings, each with its place.
    pub findings: Vec<Finding>,
    /// The second places of findings that were joined with one, by the number of that one.
    pub other_places: BTreeMap<usize, Vec<Inst>>,
    /// A launch that satisfies preconditions and assumptions: the verdict is not
    /// about nothing.
    pub example: Option<Witness>,
    /// How often each means decided a question.
    pub decided: Vec<(&'static str, u64)>,
    /// Loops in its IR.
    pub loops: usize,
    /// The search for loop invariants.
    pub inference: Inference,
    /// Those that hold, as the check uses them.
    pub invariants: Invariants,
    /// An invariant about logged accesses was not shown: logs can say what it means.
    pub is_left_to_logs: bool,
    /// Nothing is assumed about the range of arithmetic.
    pub is_exact: bool,
    /// Time spent.
    pub took: Duration,
    /// Work of solvers, of the algebra and on terms, in units of z3's resource count.
    pub work: u64,
    /// Of that, in solvers.
    pub in_solvers: Duration,
    /// Of that, in the search for loop invariants, solvers included.
    pub in_inference: Duration,
    /// What was asked and who answered, if that is wanted.
    pub asked: Vec<Asked>,
    /// What came of the candidates of each rule that made any.
    pub rules: Vec<RuleCount>,
    /// The stages, if the check was made in stages.
    pub stages: Vec<StageReport>,
}

/// What came of one stage of a check.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StageReport {
    /// What it was about.
    pub about: &'static str,
    /// What came of it, in words.
    pub result: &'static str,
    /// Its work, in units of z3's resource count.
    pub work: u64,
}

/// A verdict.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// Every question was answered `unsat`.
    Proved,
    /// A run showed a defect.
    Refuted,
    /// Something was not answered so, and no run showed a defect.
    Unproven,
    /// The launch, preconditions and assumptions contradict each other.
    Vacuous,
}

impl Verdict {
    /// `proved`, `refuted` or `unproven`: a vacuous proof is none.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Proved => "proved",
            Verdict::Refuted => "refuted",
            Verdict::Unproven | Verdict::Vacuous => "unproven",
        }
    }
}

/// Something that a kernel may have or lack.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Property {
    /// No two threads touch the same bytes at once, one of them writing.
    RaceFree,
    /// Threads that share a barrier arrive at it together.
    DivergenceFree,
    /// Assertions, invariants, pointers and divisions.
    AssertionsHold,
    /// Accesses stay inside their arrays.
    InBounds,
}

impl Property {
    /// In the order of reports.
    pub const ALL: [Property; 4] = [
        Property::RaceFree,
        Property::DivergenceFree,
        Property::AssertionsHold,
        Property::InBounds,
    ];

    /// The stable name.
    pub fn name(self) -> &'static str {
        match self {
            Property::RaceFree => "data-races",
            Property::DivergenceFree => "barrier-divergence",
            Property::AssertionsHold => "assertions",
            Property::InBounds => "array-bounds",
        }
    }

    /// The property that a rule is about; `None` for one that is about all.
    pub fn of_rule(rule: Rule) -> Option<Property> {
        match rule {
            Rule::WriteWriteRace
            | Rule::ReadWriteRace
            | Rule::AtomicRace
            | Rule::MissingFence
            | Rule::FenceScopeTooNarrow
            | Rule::AtomicScopeTooNarrow
            | Rule::PlainAccessToFlag
            | Rule::BenignWriteWriteRace => Some(Property::RaceFree),
            Rule::BarrierDivergence
            | Rule::ExitBeforeBarrier
            | Rule::WarpDeadlock
            | Rule::MaskExcludesSelf
            | Rule::CopyMismatch => Some(Property::DivergenceFree),
            Rule::OutOfBounds => Some(Property::InBounds),
            Rule::AssertionFailed
            | Rule::InvariantFailed
            | Rule::InvalidPointer
            | Rule::ConstantWrite
            | Rule::DivisionByZero => Some(Property::AssertionsHold),
            // SOUNDNESS: what leaves a part of the kernel unchecked stands against every
            // property (test `what_rests_on_what`).
            Rule::MisalignedAccess
            | Rule::MisplacedAnnotation
            | Rule::BarrierInvariantFailed
            | Rule::BarrierInvariantPermission
            | Rule::BarrierInvariantRange
            | Rule::MisplacedBarrierInvariant
            | Rule::NotModelled
            | Rule::BoundedSearch
            | Rule::TimeLimit
            | Rule::WorkLimit
            | Rule::NotShownSatisfiable
            | Rule::Vacuous
            | Rule::SolverMissing
            | Rule::InternalError => None,
            // A check reports none of these; if it did, they would stand against all.
            Rule::MissingRestrict
            | Rule::RedundantBarrier
            | Rule::SignedOverflow
            | Rule::ConversionOutOfRange
            | Rule::UninitialisedRead
            | Rule::PartialExchange
            | Rule::InactiveLane
            | Rule::UnsupportedConstruct
            | Rule::UnknownFunction
            | Rule::NarrowPointers
            | Rule::MissingHeader
            | Rule::CompileError
            | Rule::CompilerMissing
            | Rule::CompilerTimeout
            | Rule::CompilerFailed
            | Rule::UnreadableInput
            | Rule::BadBitcode
            | Rule::NoKernel
            | Rule::NoSuchKernel
            | Rule::NoCache
            | Rule::ContractViolated
            | Rule::ContractUnproven
            | Rule::BadContract => None,
        }
    }
}

/// The verdict on one property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PropertyReport {
    /// Which.
    pub property: Property,
    /// The verdict.
    pub status: PropertyStatus,
}

/// The verdict on one property.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PropertyStatus {
    /// It holds, under the assumptions of the report.
    Proved,
    /// A run showed that it does not hold.
    Refuted,
    /// There are findings about it.
    Unproven,
    /// Nothing speaks against it, but its proof rests on a property that is not
    /// proved: the number of a finding about that.
    DependsOn(usize),
    /// An option left it out.
    NotChecked,
}

impl From<Doubt> for Why {
    fn from(doubt: Doubt) -> Why {
        match doubt {
            Doubt::Model(witness) => Why::Model(witness),
            Doubt::Unknown(reason) => Why::Solver(reason_in_words(reason).to_string()),
        }
    }
}

/// Something that is not proved, or a warning.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The rule that may be broken.
    pub rule: Rule,
    /// A warning does not stand against the verdict.
    pub severity: Severity,
    /// The instruction it is about; `None` if it is about the whole kernel.
    pub primary: Option<Inst>,
    /// The other instruction.
    pub secondary: Option<Inst>,
    /// Why it is not proved.
    pub why: Why,
    /// What stood in the way of a proof, as far as that is known.
    pub obstacles: Vec<Obstacle>,
}

impl Finding {
    /// Did a run show it?
    pub fn is_refuted(&self) -> bool {
        matches!(self.why, Why::Run(_))
    }
}

/// Why something is not proved.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Why {
    /// A run showed that it fails: it is refuted.
    Run(Box<Evidence>),
    /// There is a state that breaks it; it may be unreachable.
    Model(Box<Witness>),
    /// The solver gave up, in words.
    Solver(String),
    /// Duet does not model this.
    NotModelled(Construct),
    /// The rule says it all; further words, for one that does not.
    Stated(String),
}

/// Something that Duet does not model. Prints as messages name it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Construct {
    /// Copies that are not those of OpenCL.
    AsyncCopies,
    /// Copies in loops whose iterations threads need not share.
    AsyncCopiesInLoops,
    /// A function of which only the declaration is known.
    FunctionsWithoutBody,
    /// A table of functions that the host could change.
    FunctionTables,
    /// A call that is left.
    Calls,
    /// `__ensures`.
    Postconditions,
    /// The footprint in a function's specification.
    Footprints,
    /// `__barrier_invariant`.
    BarrierInvariants,
    /// A mask of lanes that is computed, where lanes may diverge.
    ComputedMasks,
    /// A loop with two entries.
    IrreducibleLoops,
    /// A copy of an array's contents in an annotation.
    ArraySnapshots,
    /// An assumption about the other thread that a loop may repeat.
    AssumptionsAboutTheOther,
    /// An assumption about an operator that is declared with laws.
    AssumptionsAboutOperators,
    /// An assertion that one thread alone cannot decide.
    AssertionsAboutOthers,
}

impl fmt::Display for Construct {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Construct::AsyncCopies => "asynchronous copies",
            Construct::AsyncCopiesInLoops => {
                "asynchronous copies in loops that threads go round apart"
            }
            Construct::FunctionsWithoutBody => "functions without a body",
            Construct::FunctionTables => "tables of functions that the host could change",
            Construct::Calls => "calls that are not inlined",
            Construct::Postconditions => "postconditions",
            Construct::Footprints => "what a specification says that a function reads and writes",
            Construct::BarrierInvariants => "barrier invariants",
            Construct::ComputedMasks => {
                "computed masks, where lanes of a warp may go different ways"
            }
            Construct::IrreducibleLoops => "irreducible loops",
            Construct::ArraySnapshots => "snapshots of arrays",
            Construct::AssumptionsAboutTheOther => "assumptions about the other thread in a loop",
            Construct::AssumptionsAboutOperators => "assumptions about a declared operator",
            Construct::AssertionsAboutOthers => "assertions about other threads or logged accesses",
        })
    }
}

impl KernelReport {
    /// The report on a kernel that could not be checked to the end.
    pub fn broken_off(name: &str, launch: LaunchSpec, error: &SolverError) -> KernelReport {
        let rule = match error {
            SolverError::Disagreement(_) => Rule::InternalError,
            SolverError::NotInstalled { .. } | SolverError::CannotStart { .. } => {
                Rule::SolverMissing
            }
        };
        KernelReport::stopped(name, launch, rule, error.to_string())
    }

    /// The report on a kernel whose check ended in an internal error.
    pub fn internal_error(name: &str, launch: LaunchSpec, what: String) -> KernelReport {
        KernelReport::stopped(name, launch, Rule::InternalError, what)
    }

    pub(crate) fn stopped(
        name: &str,
        launch: LaunchSpec,
        rule: Rule,
        what: String,
    ) -> KernelReport {
        let finding = Finding {
            rule,
            severity: Severity::Error,
            primary: None,
            secondary: None,
            why: Why::Stated(what),
            obstacles: vec![],
        };
        let unproven = |property| PropertyReport { property, status: PropertyStatus::Unproven };
        KernelReport {
            name: name.to_string(),
            launch,
            may_alias: false,
            verdict: Verdict::Unproven,
            decided_by: "",
            properties: Property::ALL.map(unproven).to_vec(),
            assumptions: vec![],
            findings: vec![finding],
            other_places: BTreeMap::new(),
            example: None,
            decided: vec![],
            loops: 0,
            inference: Inference::default(),
            invariants: Invariants::default(),
            is_left_to_logs: false,
            is_exact: true,
            took: Duration::ZERO,
            work: 0,
            in_solvers: Duration::ZERO,
            in_inference: Duration::ZERO,
            asked: vec![],
            rules: vec![],
            stages: vec![],
        }
    }
}

/// The verdict on each property, given the findings.
///
/// SOUNDNESS: freedom from races rests on alignment and the other way round, and
/// everything rests on both; so a property without findings of its own is proved
/// only if these two are (DESIGN, meaning 11; test `what_rests_on_what`).
pub fn property_reports(findings: &[Finding], left_out: &[Property]) -> Vec<PropertyReport> {
    let against = |wanted: Property| {
        findings.iter().position(|finding| {
            finding.severity == Severity::Error
                && Property::of_rule(finding.rule).is_none_or(|property| property == wanted)
        })
    };
    let foundation = against(Property::RaceFree).or_else(|| against(Property::DivergenceFree));
    let is_refuted = |wanted: Property| {
        findings.iter().any(|finding| {
            finding.severity == Severity::Error
                && finding.is_refuted()
                && Property::of_rule(finding.rule) == Some(wanted)
        })
    };
    let status = |property| match (against(property), foundation) {
        _ if is_refuted(property) => PropertyStatus::Refuted,
        (Some(_), _) => PropertyStatus::Unproven,
        (None, Some(finding)) => PropertyStatus::DependsOn(finding),
        (None, None) => PropertyStatus::Proved,
    };
    Property::ALL
        .into_iter()
        .map(|property| PropertyReport {
            property,
            status: match left_out.contains(&property) {
                true => PropertyStatus::NotChecked,
                false => status(property),
            },
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Finding, Property, PropertyStatus, Why, property_reports};
    use duet_ir::{Rule, Severity};

    fn finding(rule: Rule, severity: Severity) -> Finding {
        let why = Why::Solver("it gave up".into());
        Finding { rule, severity, primary: None, secondary: None, why, obstacles: vec![] }
    }

    fn statuses(findings: &[Finding], left_out: &[Property]) -> Vec<PropertyStatus> {
        property_reports(findings, left_out).into_iter().map(|one| one.status).collect()
    }

    #[test]
    fn what_rests_on_what() {
        use PropertyStatus::{DependsOn, NotChecked, Proved, Unproven};
        let bounds = [Property::InBounds];
        assert_eq!(statuses(&[], &bounds), [Proved, Proved, Proved, NotChecked]);
        let assertion = [finding(Rule::AssertionFailed, Severity::Error)];
        assert_eq!(statuses(&assertion, &bounds), [Proved, Proved, Unproven, NotChecked]);
        let race = [assertion[0].clone(), finding(Rule::ReadWriteRace, Severity::Error)];
        assert_eq!(statuses(&race, &[]), [Unproven, DependsOn(1), Unproven, DependsOn(1)]);
        let warning = [finding(Rule::ExitBeforeBarrier, Severity::Warning)];
        assert_eq!(statuses(&warning, &[]), [Proved; 4]);
        let unknown = [finding(Rule::NotModelled, Severity::Error)];
        assert_eq!(statuses(&unknown, &[]), [Unproven; 4]);
    }
}
