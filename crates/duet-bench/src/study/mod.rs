//! Studies: a folder under several configurations, and what they tell.
//!
//! A study says which configurations it wants ([`Study::configurations`]) and makes
//! a page of what came of them ([`Study::page`]). All of a file's configurations are
//! run one after the other, so their times can be compared.

mod barriers;
mod engines;
mod functional;
mod logs;
mod refutation;
mod requires;
mod rules;
mod speed;

use crate::page::Page;
use crate::record::Record;
use crate::run::Configuration;

/// A study.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Study {
    /// Index algebra on and off, solvers, encodings: all in one run.
    Speed,
    /// What each shortcut of the checker brings (engineering, Table 1).
    Optimisations,
    /// The solvers against each other (engineering, Tables 1 and 2).
    Solvers,
    /// How often each rule makes candidates, how many hold, and for how many
    /// kernels it is essential (candidate-invariants, Table 3).
    Rules,
    /// Which rule's candidates need another rule's (candidate-invariants, Fig. 6).
    Influence,
    /// Time and proofs as rules are added (candidate-invariants, Figs. 7 and 8).
    Evolution,
    /// What each refutation engine kills, in which time, and how that helps Houdini
    /// (candidate-invariants, Table 4, Figs. 12 and 13).
    Engines,
    /// How alike two engines are (candidate-invariants, Table 5).
    Jaccard,
    /// What the search for runs costs.
    Refutation,
    /// Sizes given, sizes free, and preconditions found.
    Requires,
    /// How proofs with barrier invariants grow with the number of threads
    /// (barrier-invariants, Figs. 9 to 12).
    Barriers,
    /// What each optimisation of the encoding by logs brings (engineering, Table 1).
    Table1,
    /// The solvers, by logs (engineering, Table 2).
    Table2,
    /// Logs against pairs.
    Logs,
    /// What each step of the proof of a contract brings (functional-correctness, Table 1).
    Functional,
}

impl Study {
    /// All of them.
    pub const ALL: [Study; 15] = [
        Study::Speed,
        Study::Optimisations,
        Study::Solvers,
        Study::Rules,
        Study::Influence,
        Study::Evolution,
        Study::Refutation,
        Study::Engines,
        Study::Jaccard,
        Study::Requires,
        Study::Barriers,
        Study::Table1,
        Study::Table2,
        Study::Logs,
        Study::Functional,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Study::Speed => "speed",
            Study::Optimisations => "optimisations",
            Study::Solvers => "solvers",
            Study::Rules => "rules",
            Study::Influence => "influence",
            Study::Evolution => "evolution",
            Study::Engines => "engines",
            Study::Jaccard => "jaccard",
            Study::Refutation => "refutation",
            Study::Requires => "requires",
            Study::Barriers => "barriers",
            Study::Table1 => "table1",
            Study::Table2 => "table2",
            Study::Logs => "logs",
            Study::Functional => "functional",
        }
    }

    /// The command of `duet` that it runs.
    pub fn command(self) -> &'static str {
        match self {
            Study::Functional => "prove",
            Study::Speed
            | Study::Optimisations
            | Study::Solvers
            | Study::Rules
            | Study::Influence
            | Study::Evolution
            | Study::Engines
            | Study::Jaccard
            | Study::Refutation
            | Study::Requires
            | Study::Barriers
            | Study::Table1
            | Study::Table2
            | Study::Logs => "check",
        }
    }

    /// What is to be run, given the names of the checker's rules (in the order in
    /// which they were added) and the solvers that are there.
    pub fn configurations(self, rules: &[String], solvers: &[String]) -> Vec<Configuration> {
        match self {
            Study::Speed => speed::switches(solvers),
            Study::Optimisations => speed::optimisations(),
            Study::Solvers => speed::solvers(solvers),
            Study::Rules | Study::Influence => rules::one_left_out(rules),
            Study::Evolution => rules::one_more_each(rules),
            Study::Engines => engines::compositions(),
            Study::Jaccard => engines::alone(),
            Study::Refutation => refutation::configurations(),
            Study::Requires => requires::configurations(),
            Study::Barriers => barriers::configurations(),
            Study::Table1 => logs::optimisations(),
            Study::Table2 => logs::solvers(solvers),
            Study::Logs => logs::both_ways(),
            Study::Functional => functional::configurations(),
        }
    }

    /// What came of it.
    pub fn page(self, rules: &[String], records: &[Record]) -> Page {
        match self {
            Study::Speed => speed::page("Switches against the usual way", records),
            Study::Optimisations => speed::page("What each shortcut brings", records),
            Study::Solvers => speed::page("Solvers", records),
            Study::Rules => rules::worth(rules, records),
            Study::Influence => rules::influence(rules, records),
            Study::Evolution => rules::evolution(records),
            Study::Engines => engines::page(records),
            Study::Jaccard => engines::jaccard(records),
            Study::Refutation => refutation::page(records),
            Study::Requires => requires::page(records),
            Study::Barriers => barriers::page(records),
            Study::Table1 => speed::page("What each optimisation brings, by logs", records),
            Study::Table2 => speed::page("Solvers, by logs", records),
            Study::Logs => logs::against_pairs(records),
            Study::Functional => functional::page(records),
        }
    }
}

/// The records of each configuration, in the order in which they come.
fn by_configuration(records: &[Record]) -> Vec<(String, Vec<&Record>)> {
    let mut groups: Vec<(String, Vec<&Record>)> = vec![];
    for record in records {
        match groups.iter_mut().find(|(name, _)| *name == record.configuration) {
            Some((_, list)) => list.push(record),
            None => groups.push((record.configuration.clone(), vec![record])),
        }
    }
    groups
}
