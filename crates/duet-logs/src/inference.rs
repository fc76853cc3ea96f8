//! Which candidates hold: the engines of [`duet_infer::sorting`] over the edges of a walk.
//!
//! SOUNDNESS: Houdini is among them and has the last word: a candidate that is kept was
//! proved on each edge relying on kept ones only (kernels/traps/10-houdini-too-early). One
//! that is not decided is dropped.

use std::time::{Duration, Instant};

use duet_ask::Asker;
use duet_infer::sorting::{
    self, Board, Edge, Entry, Problem, Runs, SortOptions, Sorted, Sorter, Unrolled,
};
use duet_product::KernelFacts;
use duet_smt::TermPool;
use duet_smt::solver::SolverError;

use crate::judge::Visits;
use crate::log::Site;
use crate::statement::Candidate;
use crate::walk::{Obligation, Row, What};

/// What was stated on the edges of a walk.
pub(crate) struct Stated<'o> {
    /// All candidates.
    pub candidates: &'o [Candidate],
    /// What has to be shown, of which edges are a part.
    pub obligations: &'o [Obligation],
    /// The first iterations, as far as an engine wants them.
    pub unrolled: Vec<Unrolled>,
    /// The kernel, if it may be run.
    pub runs: Option<&'o KernelFacts<'o>>,
    /// What is logged.
    pub sites: &'o [Site],
    /// The threads.
    pub row: Row,
}

/// The candidates that hold, and how long it took to find them.
pub(crate) fn sort_out(
    stated: &Stated<'_>,
    options: &SortOptions,
    pool: &mut TermPool,
    asker: &mut Asker<'_>,
) -> Result<(Sorted, Duration), SolverError> {
    if stated.candidates.is_empty() {
        return Ok((Sorted::default(), Duration::ZERO));
    }
    let start = Instant::now();
    let entry = |one: &Candidate| Entry { id: one.id, is_of_user: one.rule == "user" };
    let board = Board::new(stated.candidates.iter().map(entry).collect());
    let edges = edges(stated.obligations);
    let Stated { candidates, sites, row, runs, .. } = *stated;
    let run = || match runs {
        Some(facts) => {
            let width = u32::from(facts.module.pointer_width);
            let judge = &Visits { candidates, sites, row, width };
            sorting::run(&Runs { facts, setting: &options.setting, board: &board, judge })
        }
        None => vec![],
    };
    let problem = Problem { board: &board, edges: &edges, unrolled: &stated.unrolled, run: &run };
    let sorted = Sorter::new(pool, asker, options).sort_out(&problem)?;
    Ok((sorted, start.elapsed()))
}

/// The edges among what has to be shown.
pub(crate) fn edges(obligations: &[Obligation]) -> Vec<Edge> {
    obligations.iter().filter_map(edge).collect()
}

fn edge(obligation: &Obligation) -> Option<Edge> {
    let What::Edge { is_back, claims } = &obligation.what else { return None };
    let (mut known, mut assumed) = (vec![], vec![]);
    for fact in obligation.known.iter() {
        match fact.if_live {
            Some(number) => assumed.push((number, fact.term)),
            None => known.push(fact.term),
        }
    }
    known.reverse();
    assumed.reverse();
    known.extend(&obligation.goal);
    let told = claims.iter().filter_map(|(number, claim)| Some((*number, (*claim)?)));
    let unclaimed = claims.iter().filter(|(_, claim)| claim.is_none());
    Some(Edge {
        is_back: *is_back,
        known,
        assumed,
        claims: told.collect(),
        unclaimed: unclaimed.map(|(number, _)| *number).collect(),
    })
}
