//! Options that kernels annotated for GPUVerify carry and that mean nothing to
//! Duet, or nothing yet. One table: it feeds the parser, the notes, the errors and
//! (through a test) the table in docs/check.md.
//!
//! An option is ignored, with a note, only where ignoring it cannot make a verdict
//! wrong or misleading; any other is refused.

use clap::{Arg, ArgAction, ArgMatches, Command};

/// An option of the peer.
pub struct PeerOption {
    /// Without the dashes.
    pub name: &'static str,
    /// What its value is called, if it takes one.
    pub value: Option<&'static str>,
    /// What becomes of it.
    pub fate: Fate,
}

/// What becomes of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Fate {
    /// It is accepted and has no effect, for this reason.
    NoEffect(&'static str),
    /// It is refused, for this reason.
    Refused(&'static str),
}

use Fate::{NoEffect, Refused};

const fn flag(name: &'static str, fate: Fate) -> PeerOption {
    PeerOption { name, value: None, fate }
}

const fn valued(name: &'static str, value: &'static str, fate: Fate) -> PeerOption {
    PeerOption { name, value: Some(value), fate }
}

const OWN_STAGES: Fate = NoEffect("it is meant for a stage that Duet does not have");
const STOP: Fate = Refused("Duet has other stages; `duet emit --stage=...` prints them");
const LAUNCH_FILES: Fate = Refused("files of recorded launches are not supported yet");

/// The table.
pub const PEER_OPTIONS: &[PeerOption] = &[
    flag("math-int", NoEffect("integers are machine integers, exactly as compiled")),
    flag(
        "adversarial-abstraction",
        NoEffect("what two threads share is chosen per array, unless accesses are logged"),
    ),
    flag(
        "equality-abstraction",
        NoEffect("what two threads share is chosen per array, unless accesses are logged"),
    ),
    flag("asymmetric-asserts", NoEffect("an assertion is about one arbitrary thread anyway")),
    flag("no-barrier-access-checks", NoEffect("barrier invariants are not used yet")),
    valued("boogie-file", "FILE", NoEffect("the file is not read, and its axioms are not assumed")),
    flag("gen-smt2", NoEffect("--emit-smt2=DIR writes the questions")),
    flag("keep-temps", NoEffect("there are no temporary files")),
    flag("debug", NoEffect("--verbose and --emit-smt2=DIR show what is done")),
    valued("opt-opt", "ARGS", OWN_STAGES),
    valued("bugle-opt", "ARGS", OWN_STAGES),
    valued("vcgen-opt", "ARGS", OWN_STAGES),
    valued("cruncher-opt", "ARGS", OWN_STAGES),
    valued("boogie-opt", "ARGS", OWN_STAGES),
    flag(
        "only-log",
        Refused("there is no log without --race-instrumenter; --only-divergence leaves races out"),
    ),
    flag("stop-at-opt", STOP),
    flag("stop-at-gbpl", STOP),
    flag("stop-at-bpl", STOP),
    flag("stop-at-cbpl", STOP),
    flag(
        "json",
        Refused(
            "files of recorded launches are not supported yet; for JSON output use --format=json",
        ),
    ),
    flag("list-intercepted", LAUNCH_FILES),
    valued("verify-intercepted", "N", LAUNCH_FILES),
    flag("verify-all-intercepted", LAUNCH_FILES),
    valued("cache", "FILE", LAUNCH_FILES),
];

/// Options that have an effect where accesses are logged.
const ABOUT_LOGS: &[&str] = &["adversarial-abstraction", "equality-abstraction", "only-log"];

/// Options of the table that were given.
#[derive(Clone, Debug, Default)]
pub struct PeerArgs {
    given: Vec<(&'static str, Fate)>,
}

impl PeerArgs {
    /// Is an option given?
    pub fn is_given(&self, name: &str) -> bool {
        self.given.iter().any(|(given, _)| *given == name)
    }

    /// Those that mean nothing to the encoding: some are about logs.
    pub fn without_logs(&self) -> PeerArgs {
        let is_other = |(name, _): &&(&'static str, Fate)| !ABOUT_LOGS.contains(name);
        PeerArgs { given: self.given.iter().filter(is_other).copied().collect() }
    }

    /// A line for each option that has no effect.
    pub fn notes(&self) -> Vec<String> {
        let note = |(name, fate): &(&str, Fate)| match fate {
            NoEffect(why) => Some(format!("--{name} has no effect here: {why}")),
            Refused(_) => None,
        };
        self.given.iter().filter_map(note).collect()
    }

    /// Why the first refused option is.
    pub fn refused(&self) -> Option<String> {
        self.given.iter().find_map(|(name, fate)| match fate {
            Refused(why) => Some(format!("--{name} is not supported: {why}")),
            NoEffect(_) => None,
        })
    }
}

impl clap::Args for PeerArgs {
    fn augment_args(command: Command) -> Command {
        PEER_OPTIONS.iter().fold(command, |command, option| {
            let arg = Arg::new(option.name).long(option.name).hide(true);
            command.arg(match option.value {
                Some(value) => {
                    arg.value_name(value).action(ArgAction::Append).allow_hyphen_values(true)
                }
                None => arg.action(ArgAction::Count),
            })
        })
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl clap::FromArgMatches for PeerArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<PeerArgs, clap::Error> {
        let is_given = |option: &&PeerOption| match option.value {
            Some(_) => matches.contains_id(option.name),
            None => matches.get_count(option.name) > 0,
        };
        let given = PEER_OPTIONS.iter().filter(is_given);
        Ok(PeerArgs { given: given.map(|option| (option.name, option.fate)).collect() })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = PeerArgs::from_arg_matches(matches)?;
        Ok(())
    }
}
