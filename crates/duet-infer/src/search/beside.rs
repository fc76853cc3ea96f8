//! Engines that work at the same time, each on a thread of its own.
//!
//! They exchange refutations through the board as they find them. One engine works on
//! the calling thread: Houdini where it takes part, and when it is done the others stop.
//! Each of the others has its own terms and its own solver.
//!
//! Who refutes a candidate first is a matter of time here, and so is which of the solver's
//! models Houdini sees. What is inductive is not: the same candidates are kept as long as
//! every question is decided. Where one is not, two runs may differ; so the engines that
//! are used unless the user chooses others work one after the other.
//!
//! A search that is over soon is not to pay for the others: beside Houdini, each of them
//! waits for a while before it begins, those that need a solver for longer.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use duet_ask::{Asker, Session};
use duet_product::KernelFacts;
use duet_smt::TermId;
use duet_smt::solver::{CancelToken, SolverError};
use duet_vc::{InRange, Premises, Walker};

use super::board::{Board, Number};
use super::composition::Engine;
use super::edges::Edge;
use super::{EngineWork, InferOptions, Search, dynamic, work};

/// How long runs wait before they begin.
const BEFORE_RUNS: Duration = Duration::from_millis(3);
/// How long an engine waits that needs a solver: starting one takes some 20 ms.
const BEFORE_SOLVERS: Duration = Duration::from_millis(100);

/// What an engine on another thread needs.
struct Helper<'a> {
    facts: &'a KernelFacts<'a>,
    premises: &'a Premises,
    options: &'a InferOptions,
    in_range: &'a InRange,
    board: &'a Board,
    cancel: CancelToken,
    /// Houdini is at work beside them.
    is_beside_houdini: bool,
}

impl Search<'_, '_, '_> {
    /// Runs the engines of a stage at the same time.
    pub(super) fn run_beside(
        &mut self,
        stage: &[Engine],
        board: &Board,
        edges: &[Edge],
        proved: &mut HashSet<Vec<TermId>>,
    ) -> Result<(), SolverError> {
        let own = stage.iter().position(|engine| *engine == Engine::Houdini).unwrap_or(0);
        let mut others = stage.to_vec();
        let own = others.remove(own);
        let sessions: Vec<Option<Session>> =
            others.iter().map(|engine| self.session_for(*engine)).collect::<Result<_, _>>()?;
        let (facts, options) = (self.walker.facts, self.options);
        let (premises, in_range) = (self.walker.premises.clone(), self.walker.in_range.clone());
        let cancel = CancelToken::new();
        let is_beside_houdini = own == Engine::Houdini;
        let (premises, in_range) = (&premises, &in_range);
        let helper =
            Helper { facts, premises, options, in_range, board, cancel, is_beside_houdini };
        let helper = &helper;
        let (result, done) = std::thread::scope(|scope| {
            let start = |(engine, session): (Engine, Option<Session>)| {
                scope.spawn(move || helper.work(engine, session))
            };
            let threads: Vec<_> = others.into_iter().zip(sessions).map(start).collect();
            let result = self.run_engine(own, board, edges, proved);
            if own == Engine::Houdini || result.is_err() {
                board.end();
                helper.cancel.cancel();
                threads.iter().for_each(|thread| thread.thread().unpark());
            }
            let done: Vec<_> = threads.into_iter().map(|thread| thread.join()).collect();
            (result, done)
        });
        for one in done {
            // A panic on another thread is one of ours.
            let (work, session) = one.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            session.into_iter().for_each(|session| self.asker.session.take_back(session));
            self.record.engines.push(work?);
        }
        result
    }

    fn session_for(&mut self, engine: Engine) -> Result<Option<Session>, SolverError> {
        match engine {
            Engine::Dynamic => Ok(None),
            Engine::Houdini | Engine::Base | Engine::Step | Engine::Unroll(_) => {
                self.asker.session.another().map(Some)
            }
        }
    }
}

impl Helper<'_> {
    fn work(
        &self,
        engine: Engine,
        mut session: Option<Session>,
    ) -> (Result<EngineWork, SolverError>, Option<Session>) {
        self.wait(if session.is_some() { BEFORE_SOLVERS } else { BEFORE_RUNS });
        let start = Instant::now();
        let refuted = match &mut session {
            _ if self.board.is_over() => Ok(vec![]),
            None => Ok(self.run()),
            Some(session) => self.ask(engine, session),
        };
        (refuted.map(|refuted| work(engine, start, refuted, self.board)), session)
    }

    /// Lets Houdini go ahead.
    fn wait(&self, time: Duration) {
        let end = Instant::now() + time;
        while self.is_beside_houdini && !self.board.is_over() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::park_timeout(left);
        }
    }

    fn run(&self) -> Vec<Number> {
        match self.in_range.is_empty() {
            true => dynamic::run(self.facts, self.options, self.board),
            false => vec![],
        }
    }

    fn ask(&self, engine: Engine, session: &mut Session) -> Result<Vec<Number>, SolverError> {
        let mut walker = Walker::new(self.facts, self.premises.clone(), self.in_range.clone());
        walker.invariants = self.board.invariants(&vec![true; self.board.len()]);
        let mut asker = Asker::new(session, self.options.ask.clone());
        asker.cancel = self.cancel.clone();
        let mut search = Search::new(&mut walker, &mut asker, self.options);
        if let Engine::Unroll(iterations) = engine {
            return search.run_unrolled(iterations, self.board);
        }
        let walk = search.walker.walk_alone();
        let edges = search.edges(&walk, &walk.headers, self.board);
        let is_back = engine == Engine::Step;
        let own = edges.iter().filter(|edge| edge.is_back == is_back);
        search.run_edges(own, self.board, &mut HashSet::new())
    }
}
