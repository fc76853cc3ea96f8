//! `duet explain`: the page of a rule. The pages are the files of `docs/rules`.

use duet_ir::Rule;

use crate::exit::Exit;
use crate::output;

/// Options of `duet explain`.
#[derive(clap::Args)]
pub struct Args {
    /// The rule, as messages name it, or its code; all rules are listed without one
    rule: Option<String>,
}

macro_rules! pages {
    ($($rule:ident = $file:literal),* $(,)?) => {
        /// The page of a rule.
        fn page(rule: Rule) -> &'static str {
            match rule {
                $(Rule::$rule => include_str!(
                    concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/rules/", $file, ".md")
                )),*
            }
        }
    };
}

pages! {
    WriteWriteRace = "write-write-race",
    ReadWriteRace = "read-write-race",
    AtomicRace = "atomic-race",
    BenignWriteWriteRace = "benign-write-write-race",
    BarrierDivergence = "barrier-divergence",
    ExitBeforeBarrier = "exit-before-barrier",
    WarpDeadlock = "warp-deadlock",
    MaskExcludesSelf = "mask-excludes-self",
    CopyMismatch = "copy-mismatch",
    AssertionFailed = "assertion-failed",
    InvariantFailed = "invariant-failed",
    InvalidPointer = "invalid-pointer",
    ConstantWrite = "constant-write",
    OutOfBounds = "out-of-bounds",
    MisalignedAccess = "misaligned-access",
    MisplacedAnnotation = "misplaced-annotation",
    MissingRestrict = "missing-restrict",
    RedundantBarrier = "redundant-barrier",
    NotModelled = "not-modelled",
    BoundedSearch = "bounded-search",
    TimeLimit = "time-limit",
    NotShownSatisfiable = "not-shown-satisfiable",
    Vacuous = "vacuous",
    SolverMissing = "solver-missing",
    InternalError = "internal-error",
    DivisionByZero = "division-by-zero",
    SignedOverflow = "signed-overflow",
    ConversionOutOfRange = "conversion-out-of-range",
    UninitialisedRead = "uninitialised-read",
    PartialExchange = "partial-exchange",
    InactiveLane = "inactive-lane",
    UnsupportedConstruct = "unsupported-construct",
    UnknownFunction = "unknown-function",
    NarrowPointers = "narrow-pointers",
    MissingHeader = "missing-header",
    CompileError = "compile-error",
    CompilerMissing = "compiler-missing",
    CompilerTimeout = "compiler-timeout",
    CompilerFailed = "compiler-failed",
    UnreadableInput = "unreadable-input",
    BadBitcode = "bad-bitcode",
    NoKernel = "no-kernel",
    NoSuchKernel = "no-such-kernel",
    NoCache = "no-cache",
    WorkLimit = "work-limit",
    ContractViolated = "contract-violated",
    ContractUnproven = "contract-unproven",
    BadContract = "bad-contract",
    BarrierInvariantFailed = "barrier-invariant-failed",
    BarrierInvariantPermission = "barrier-invariant-permission",
    BarrierInvariantRange = "barrier-invariant-range",
    MisplacedBarrierInvariant = "misplaced-barrier-invariant",
    MissingFence = "missing-fence",
    FenceScopeTooNarrow = "fence-scope-too-narrow",
    AtomicScopeTooNarrow = "atomic-scope-too-narrow",
    PlainAccessToFlag = "plain-access-to-flag",
}

/// Runs the command.
pub fn explain(args: &Args) -> Exit {
    let Some(rule) = &args.rule else {
        for &rule in Rule::ALL {
            output::print(&format!("{rule}: {}\n", first_sentence(page(rule))));
        }
        return Exit::Proved;
    };
    match Rule::from_id(rule).or_else(|| Rule::from_code(rule)) {
        Some(rule) => {
            output::print(page(rule));
            Exit::Proved
        }
        None => {
            eprintln!("error: there is no rule `{rule}`; `duet explain` lists them");
            Exit::Usage
        }
    }
}

/// The paragraph after the title.
fn first_sentence(page: &str) -> &str {
    page.lines().skip(1).find(|line| !line.is_empty()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::{first_sentence, page};
    use duet_ir::Rule;

    /// The compiler sees that each rule has a page; this, that it is its own.
    #[test]
    fn every_page_is_about_its_rule() {
        for &rule in Rule::ALL {
            assert!(page(rule).starts_with(&format!("# {rule}\n\n")), "{rule}");
            assert!(!first_sentence(page(rule)).is_empty(), "{rule}");
        }
    }
}
