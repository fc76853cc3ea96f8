//! `duet explain`: the page of a rule. The pages are the files of `docs/rules`.

use crate::exit::Exit;
use crate::output;

/// Options of `duet explain`.
#[derive(clap::Args)]
pub struct Args {
    /// The rule, as messages name it; all rules are listed without one
    rule: Option<String>,
}

macro_rules! pages {
    ($($rule:literal),* $(,)?) => {
        &[$(($rule, include_str!(concat!("../../../docs/rules/", $rule, ".md")))),*]
    };
}

/// Every rule with its page.
const PAGES: &[(&str, &str)] = pages![
    "write-write-race",
    "read-write-race",
    "atomic-race",
    "benign-write-write-race",
    "barrier-divergence",
    "exit-before-barrier",
    "warp-deadlock",
    "mask-excludes-self",
    "copy-mismatch",
    "assertion-failed",
    "invariant-failed",
    "invalid-pointer",
    "constant-write",
    "out-of-bounds",
    "misaligned-access",
    "misplaced-annotation",
    "missing-restrict",
    "redundant-barrier",
    "not-modelled",
    "bounded-search",
    "time-limit",
    "not-shown-satisfiable",
    "vacuous",
    "solver-missing",
    "internal-error",
];

/// Runs the command.
pub fn explain(args: &Args) -> Exit {
    let Some(rule) = &args.rule else {
        for (rule, page) in PAGES {
            output::print(&format!("{rule}: {}\n", first_sentence(page)));
        }
        return Exit::Proved;
    };
    match PAGES.iter().find(|(name, _)| name == rule) {
        Some((_, page)) => {
            output::print(page);
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
