//! The rules: every kind of problem that Duet reports, in one table.
//!
//! A rule has an id that messages print and comments name, a code that never changes
//! even if the id does, and the facts that later stages decide by. What a rule says about
//! one case (values, lines, threads) is made where the case is known; the page that
//! `duet explain` shows is in `docs/rules`; which property a rule is about is said in
//! `duet-check`, which knows the properties.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use crate::{Language, Severity};

/// A row of the table.
struct Facts {
    /// Stable; a rule that goes leaves its code unused.
    code: &'static str,
    /// Stable kebab-case name.
    id: &'static str,
    /// How bad it is unless the case says otherwise.
    severity: Severity,
    /// Can a run of the kernel show it?
    is_shown_by_runs: bool,
    /// May a comment or a baseline accept it?
    can_be_accepted: bool,
    /// The headline with `{array}`, `{lines}` and `{kernel}` for those of the case;
    /// `None` if the code that reports it words it.
    headline: Option<&'static str>,
    /// What usually mends it.
    help: Help,
}

/// What usually mends a problem.
#[derive(Clone, Copy)]
enum Help {
    /// It depends on the case, or nothing does.
    None,
    /// The same words in both languages.
    Always(&'static str),
    /// In the words of the language.
    ByLanguage { cuda: &'static str, opencl: &'static str },
}

/// Makes the enum and its table of one list, so that neither lacks a rule.
macro_rules! rules {
    ($($(#[$doc:meta])* $rule:ident { $($facts:tt)* },)*) => {
        /// A kind of problem that Duet reports. Prints as its id.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Rule {
            $($(#[$doc])* $rule,)*
        }

        impl Rule {
            /// Every rule, in the order of codes.
            pub const ALL: &'static [Rule] = &[$(Rule::$rule),*];

            fn facts(self) -> &'static Facts {
                match self {
                    $(Rule::$rule => const { &Facts { $($facts)* } },)*
                }
            }
        }
    };
}

rules! {
    // Defects of a kernel that `duet check` proves absent.
    /// Two threads write the same bytes at once.
    WriteWriteRace {
        code: "D001",
        id: "write-write-race",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("two threads may write {array} at the same time{lines}"),
        help: Help::ByLanguage {
            cuda: "put a `__syncthreads()` between the accesses, or give each thread an element \
             of its own",
            opencl: "put a `barrier` between the accesses, or give each thread an element of its \
             own",
        },
    },
    /// A thread reads bytes that another writes at once.
    ReadWriteRace {
        code: "D002",
        id: "read-write-race",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("a thread may read {array} while another writes it{lines}"),
        help: Help::ByLanguage {
            cuda: "put a `__syncthreads()` between the accesses, or give each thread an element \
             of its own",
            opencl: "put a `barrier` between the accesses, or give each thread an element of its \
             own",
        },
    },
    /// An atomic access conflicts with another access.
    AtomicRace {
        code: "D003",
        id: "atomic-race",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("an atomic access to {array} may conflict with another access{lines}"),
        help: Help::Always(
            "make both accesses atomic, on the same bytes and for all threads that share \
             them",
        ),
    },
    /// Two threads write the same value to the same bytes at once.
    BenignWriteWriteRace {
        code: "D004",
        id: "benign-write-write-race",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some(
            "two threads may write the same value to {array} at the same time{lines}",
        ),
        help: Help::Always("tolerated; --no-benign-tolerance makes it an error"),
    },
    /// Threads of a group wait at different barriers, or left a loop that others wait in.
    BarrierDivergence {
        code: "D005",
        id: "barrier-divergence",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("threads of one group may wait at different barriers{lines}"),
        help: Help::ByLanguage {
            cuda: "let every thread of the block reach the same barrier: guard the work between \
             barriers, not the barrier",
            opencl: "let every work-item of the group reach the same barrier: guard the work \
             between barriers, not the barrier",
        },
    },
    /// A thread returns before a barrier that others wait at.
    ExitBeforeBarrier {
        code: "D006",
        id: "exit-before-barrier",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("a thread may return before a barrier that others wait at"),
        help: Help::ByLanguage {
            cuda: "let every thread of the block reach the same barrier: guard the work between \
             barriers, not the barrier",
            opencl: "let every work-item of the group reach the same barrier: guard the work \
             between barriers, not the barrier",
        },
    },
    /// A lane waits for lanes that never arrive.
    WarpDeadlock {
        code: "D007",
        id: "warp-deadlock",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("lanes that an operation of the warp waits for may be elsewhere{lines}"),
        help: Help::None,
    },
    /// A lane names a mask that it is not in.
    MaskExcludesSelf {
        code: "D008",
        id: "mask-excludes-self",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("the mask may leave out the lane that names it"),
        help: Help::None,
    },
    /// Threads of a group disagree about an asynchronous copy.
    CopyMismatch {
        code: "D009",
        id: "copy-mismatch",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("not all threads of a group may ask for this copy alike"),
        help: Help::None,
    },
    /// An assertion is false, or a trap is reached.
    AssertionFailed {
        code: "D010",
        id: "assertion-failed",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("an assertion may fail"),
        help: Help::Always(
            "mend the kernel, or state what callers keep to, first in the kernel: \
             `__requires(...);`",
        ),
    },
    /// A loop invariant of the source does not hold.
    InvariantFailed {
        code: "D011",
        id: "invariant-failed",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("a loop invariant is not proved"),
        help: Help::None,
    },
    /// A pointer that is used is null or points nowhere.
    InvalidPointer {
        code: "D012",
        id: "invalid-pointer",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("a pointer may be null or point nowhere"),
        help: Help::None,
    },
    /// Constant memory is written.
    ConstantWrite {
        code: "D013",
        id: "constant-write",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("constant memory may be written"),
        help: Help::None,
    },
    /// An access lies outside its array.
    OutOfBounds {
        code: "D014",
        id: "out-of-bounds",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("an access may lie outside {array}"),
        help: Help::Always(
            "guard the access with a test of its index, or state what callers keep to: \
             `__requires(...);`",
        ),
    },
    /// An access is not aligned to the elements of its array.
    MisalignedAccess {
        code: "D015",
        id: "misaligned-access",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("an access to {array} may not be aligned to its elements"),
        help: Help::None,
    },
    /// An annotation stands where it means nothing.
    MisplacedAnnotation {
        code: "D016",
        id: "misplaced-annotation",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("this invariant belongs to no loop"),
        help: Help::Always(
            "write it before the guard of a `for` or `while`, or first in the body of a \
             `do`",
        ),
    },

    // Remarks about a kernel that do not stand against its proof.
    /// Pointers are assumed to point to distinct arrays.
    MissingRestrict {
        code: "D017",
        id: "missing-restrict",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: None,
        help: Help::None,
    },
    /// A kernel is proved without this barrier.
    RedundantBarrier {
        code: "D018",
        id: "redundant-barrier",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("the kernel is proved without this barrier"),
        help: Help::Always("remove it; if several are named, one at a time"),
    },

    // Reasons why a kernel, or a part of it, was not checked. They are never accepted.
    /// Duet does not model something that the kernel does.
    NotModelled {
        code: "D019",
        id: "not-modelled",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: Some("Duet does not model this"),
        help: Help::None,
    },
    /// Only the first iterations of loops were looked at.
    BoundedSearch {
        code: "D020",
        id: "bounded-search",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: Some("kernel `{kernel}`: only the first iterations of loops were looked at"),
        help: Help::Always("without --findbugs and --loop-unwind it can be proved"),
    },
    /// The time limit was reached first.
    TimeLimit {
        code: "D021",
        id: "time-limit",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: Some("kernel `{kernel}`: the time limit was reached"),
        help: Help::None,
    },
    /// No launch was found that satisfies what is assumed.
    NotShownSatisfiable {
        code: "D022",
        id: "not-shown-satisfiable",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: Some(
            "kernel `{kernel}`: the launch and the assumptions were not shown to be \
             possible",
        ),
        help: Help::None,
    },
    /// What is assumed contradicts itself.
    Vacuous {
        code: "D023",
        id: "vacuous",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: Some(
            "kernel `{kernel}`: the launch and the assumptions contradict each other",
        ),
        help: Help::Always("look for a precondition that no launch satisfies"),
    },
    /// No solver could be asked.
    SolverMissing {
        code: "D024",
        id: "solver-missing",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: Some("kernel `{kernel}`: no solver could be asked"),
        help: Help::None,
    },
    /// An internal error in Duet.
    InternalError {
        code: "D025",
        id: "internal-error",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: Some("kernel `{kernel}`: internal error in Duet"),
        help: Help::None,
    },

    // Undefined or doubtful behaviour that `duet run` reports. A run with any of the first
    // three is no evidence of another defect.
    /// A divisor is zero.
    DivisionByZero {
        code: "D026",
        id: "division-by-zero",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("a divisor may be zero"),
        help: Help::None,
    },
    /// Signed arithmetic overflows, which the language leaves undefined.
    SignedOverflow {
        code: "D027",
        id: "signed-overflow",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: None,
        help: Help::None,
    },
    /// A float does not fit the integer type that it is converted to.
    ConversionOutOfRange {
        code: "D028",
        id: "conversion-out-of-range",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: None,
        help: Help::None,
    },
    /// Shared or private memory is read that no thread has written.
    UninitialisedRead {
        code: "D029",
        id: "uninitialised-read",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: None,
        help: Help::None,
    },
    /// Only some lanes of a warp reach an exchange without a mask.
    PartialExchange {
        code: "D030",
        id: "partial-exchange",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: None,
        help: Help::None,
    },
    /// A shuffle reads from a lane that takes no part in it.
    InactiveLane {
        code: "D031",
        id: "inactive-lane",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: None,
        help: Help::None,
    },

    // What the front end has to say. Nothing is checked then, or less than the file holds.
    /// The source uses a construct that the front end does not translate.
    UnsupportedConstruct {
        code: "D032",
        id: "unsupported-construct",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// A function that is called has no body.
    UnknownFunction {
        code: "D033",
        id: "unknown-function",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::Always(
            "include its definition, or declare it `__attribute__((const))` if it is a \
             function of its arguments",
        ),
    },
    /// The file compiles only with 32-bit pointers and is read so.
    NarrowPointers {
        code: "D034",
        id: "narrow-pointers",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: Some("read with 32-bit pointers and `size_t`"),
        help: Help::Always("--pointer-bitwidth=32 says so explicitly"),
    },
    /// The source does not compile.
    CompileError {
        code: "D035",
        id: "compile-error",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// clang could not be started.
    CompilerMissing {
        code: "D036",
        id: "compiler-missing",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::Always(
            "install it (Debian: apt-get install clang-19), or name it with --clang or \
             DUET_CLANG; `duet doctor` shows what else is missing",
        ),
    },
    /// clang did not finish in time.
    CompilerTimeout {
        code: "D037",
        id: "compiler-timeout",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// The state of clang could not be asked.
    CompilerFailed {
        code: "D038",
        id: "compiler-failed",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// The input file cannot be read.
    UnreadableInput {
        code: "D039",
        id: "unreadable-input",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// LLVM cannot read or prepare the bitcode.
    BadBitcode {
        code: "D040",
        id: "bad-bitcode",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// The file has no kernel.
    NoKernel {
        code: "D041",
        id: "no-kernel",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::Always(
            "a template kernel must be instantiated: launch it, or add `template __global__ \
             void kernel<...>(...);`",
        ),
    },
    /// The file has no kernel of a name that was asked for.
    NoSuchKernel {
        code: "D042",
        id: "no-such-kernel",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// The folder for headers cannot be made.
    NoCache {
        code: "D043",
        id: "no-cache",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// The work of solvers and of the algebra was used up first.
    WorkLimit {
        code: "D044",
        id: "work-limit",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: Some("kernel `{kernel}`: the budget of work is used up"),
        help: Help::None,
    },
    // What `duet prove` says about contracts.
    /// A run that meets what the contract requires breaks what it ensures.
    ContractViolated {
        code: "D045",
        id: "contract-violated",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: None,
        help: Help::Always("mend the kernel, or say in the contract what it is to compute"),
    },
    /// It is not shown that the kernel keeps its contract, and no run breaks it.
    ContractUnproven {
        code: "D046",
        id: "contract-unproven",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// The text of a contract has no meaning.
    BadContract {
        code: "D047",
        id: "bad-contract",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::None,
    },
    /// A claim about memory at a barrier does not hold.
    BarrierInvariantFailed {
        code: "D048",
        id: "barrier-invariant-failed",
        severity: Severity::Error,
        is_shown_by_runs: true,
        can_be_accepted: true,
        headline: Some("a barrier invariant is not proved"),
        help: Help::None,
    },
    /// A claim at a barrier mentions a cell that others may change.
    BarrierInvariantPermission {
        code: "D049",
        id: "barrier-invariant-permission",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("a barrier invariant reads memory that other threads may write"),
        help: Help::Always(
            "let the thread access the cell before the barrier, or read it with \
             `__read_permission`",
        ),
    },
    /// A claim at a barrier names a thread that there is not.
    BarrierInvariantRange {
        code: "D050",
        id: "barrier-invariant-range",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("a barrier invariant is to be used for a thread that there is not"),
        help: Help::Always("name threads of the block: numbers below its size"),
    },
    /// A claim about memory belongs to no barrier.
    MisplacedBarrierInvariant {
        code: "D051",
        id: "misplaced-barrier-invariant",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("this barrier invariant belongs to no barrier"),
        help: Help::Always(
            "write it directly before a barrier of the block, where all threads come by",
        ),
    },

    // What is wrong with an order by fences and flags, beside the race that it leaves.
    /// A fence between data and flag would order the accesses.
    MissingFence {
        code: "D052",
        id: "missing-fence",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("a fence is missing between the data and the flag{lines}"),
        help: Help::Always(
            "put a `__threadfence()` between the data and the write of the flag, and another \
             between the read of the flag and the data",
        ),
    },
    /// A fence does not reach the thread that it is for.
    FenceScopeTooNarrow {
        code: "D053",
        id: "fence-scope-too-narrow",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("this fence reaches its block only, and the flag goes to another{lines}"),
        help: Help::Always("use `__threadfence()`, which reaches all threads of the launch"),
    },
    /// An atomic operation does not reach the thread that it is for.
    AtomicScopeTooNarrow {
        code: "D054",
        id: "atomic-scope-too-narrow",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some(
            "this operation on {array} is atomic within its block only, and others use it{lines}",
        ),
        help: Help::Always("use the operation without `_block`, or the scope of the device"),
    },
    /// A flag is read or written like data.
    PlainAccessToFlag {
        code: "D055",
        id: "plain-access-to-flag",
        severity: Severity::Error,
        is_shown_by_runs: false,
        can_be_accepted: true,
        headline: Some("{array} is a flag, and this access to it is a plain one{lines}"),
        help: Help::Always("access it through a `volatile` pointer, or by an atomic operation"),
    },
    /// A header of the host was not found, or a host function does not compile; the kernels
    /// are read without it.
    MissingHeader {
        code: "D056",
        id: "missing-header",
        severity: Severity::Warning,
        is_shown_by_runs: false,
        can_be_accepted: false,
        headline: None,
        help: Help::Always("-I names a folder with headers"),
    },
}

impl Rule {
    /// The stable kebab-case name that messages print.
    pub fn id(self) -> &'static str {
        self.facts().id
    }

    /// The stable code, `D001`.
    pub fn code(self) -> &'static str {
        self.facts().code
    }

    /// The rule of this id.
    pub fn from_id(id: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.id() == id)
    }

    /// The rule of this code.
    pub fn from_code(code: &str) -> Option<Rule> {
        Rule::ALL.iter().copied().find(|rule| rule.code() == code)
    }

    /// How bad it is unless the case says otherwise.
    pub fn severity(self) -> Severity {
        self.facts().severity
    }

    /// Can a run of the kernel show it?
    pub fn is_shown_by_runs(self) -> bool {
        self.facts().is_shown_by_runs
    }

    /// May a comment or a baseline accept it? Not if it says that nothing was checked.
    pub fn can_be_accepted(self) -> bool {
        self.facts().can_be_accepted
    }

    /// The headline, with `{array}`, `{lines}` and `{kernel}` for those of the case;
    /// `None` if the code that reports it words it.
    pub fn headline(self) -> Option<&'static str> {
        self.facts().headline
    }

    /// What usually mends it, in the words of the language.
    pub fn help(self, language: Language) -> Option<&'static str> {
        match (self.facts().help, language) {
            (Help::None, _) => None,
            (Help::Always(help), _) => Some(help),
            (Help::ByLanguage { cuda, .. }, Language::Cuda) => Some(cuda),
            (Help::ByLanguage { opencl, .. }, Language::OpenCl) => Some(opencl),
        }
    }

    /// Is it a race that stands against the proof? Which of them it is follows from the
    /// two accesses.
    pub fn is_race(self) -> bool {
        matches!(self, Rule::WriteWriteRace | Rule::ReadWriteRace | Rule::AtomicRace)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.id())
    }
}

/// The text is the id of no rule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no rule `{0}`")]
pub struct NoSuchRule(pub String);

impl FromStr for Rule {
    type Err = NoSuchRule;

    fn from_str(id: &str) -> Result<Rule, NoSuchRule> {
        Rule::from_id(id).ok_or_else(|| NoSuchRule(id.to_string()))
    }
}

/// Lists that are sorted by rule are sorted by id, whatever the order of the table.
impl Ord for Rule {
    fn cmp(&self, other: &Rule) -> Ordering {
        self.id().cmp(other.id())
    }
}

impl PartialOrd for Rule {
    fn partial_cmp(&self, other: &Rule) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::{NoSuchRule, Rule};
    use crate::{Language, Severity};

    #[test]
    fn ids_are_unique_and_in_kebab_case() {
        let ids: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.id()).collect();
        assert_eq!(ids.len(), Rule::ALL.len());
        for id in ids {
            let is_word =
                |word: &str| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_lowercase());
            assert!(id.split('-').all(is_word), "{id}");
        }
    }

    #[test]
    fn codes_are_unique_and_follow_the_table() {
        for (number, rule) in Rule::ALL.iter().enumerate() {
            assert_eq!(rule.code(), format!("D{:03}", number + 1), "{rule}");
            assert_eq!(Rule::from_code(rule.code()), Some(*rule));
        }
        assert_eq!(Rule::from_code("D000"), None);
    }

    #[test]
    fn ids_are_read_as_they_are_printed() {
        for rule in Rule::ALL {
            assert_eq!(Rule::from_id(rule.id()), Some(*rule));
            assert_eq!(rule.to_string().parse(), Ok(*rule));
        }
        assert_eq!("Vacuous".parse::<Rule>(), Err(NoSuchRule("Vacuous".to_string())));
    }

    #[test]
    fn rules_are_ordered_by_id() {
        assert!(Rule::AtomicRace < Rule::ReadWriteRace);
        assert!(Rule::ReadWriteRace < Rule::WriteWriteRace);
    }

    /// An accepted finding lets a command succeed, so a rule that says that
    /// something was not checked can never be accepted.
    #[test]
    fn what_says_that_nothing_was_checked_is_an_error_and_never_accepted() {
        use Rule::*;
        for rule in [
            NotModelled,
            BoundedSearch,
            TimeLimit,
            WorkLimit,
            NotShownSatisfiable,
            Vacuous,
            SolverMissing,
            InternalError,
        ] {
            assert!(!rule.can_be_accepted(), "{rule}");
            assert!(!rule.is_shown_by_runs(), "{rule}");
            assert_eq!(rule.severity(), Severity::Error, "{rule}");
        }
    }

    #[test]
    fn help_is_in_the_words_of_the_language() {
        let help = |language| Rule::ReadWriteRace.help(language).unwrap_or_default();
        assert!(help(Language::Cuda).contains("__syncthreads()"));
        assert!(help(Language::OpenCl).contains("`barrier`"));
        assert_eq!(
            Rule::OutOfBounds.help(Language::Cuda),
            Rule::OutOfBounds.help(Language::OpenCl)
        );
        assert_eq!(Rule::TimeLimit.help(Language::Cuda), None);
    }
}
