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

use std::time::{Duration, Instant};

use duet_ask::{AskOptions, Asker, Session};
use duet_smt::TermPool;
use duet_smt::solver::{CancelToken, SolverError};

use super::board::Number;
use super::composition::Engine;
use super::{EngineWork, Problem, SortOptions, Sorter, work};

/// How long runs wait before they begin.
const BEFORE_RUNS: Duration = Duration::from_millis(3);
/// How long an engine waits that needs a solver: starting one takes some 20 ms.
const BEFORE_SOLVERS: Duration = Duration::from_millis(100);

/// What an engine on another thread needs.
struct Helper<'a> {
    problem: &'a Problem<'a>,
    options: &'a SortOptions,
    cancel: CancelToken,
    /// Houdini is at work beside them.
    is_beside_houdini: bool,
}

/// What an engine on another thread owns: terms, and a solver.
struct Own {
    pool: TermPool,
    session: Session,
}

impl Sorter<'_, '_, '_> {
    /// Runs the engines of a stage at the same time.
    pub(super) fn run_beside(
        &mut self,
        stage: &[Engine],
        problem: &Problem<'_>,
    ) -> Result<(), SolverError> {
        let own = stage.iter().position(|engine| *engine == Engine::Houdini).unwrap_or(0);
        let mut others = stage.to_vec();
        let own = others.remove(own);
        let owned: Vec<Option<Own>> =
            others.iter().map(|engine| self.owned_by(*engine)).collect::<Result<_, _>>()?;
        let (options, cancel) = (self.options, CancelToken::new());
        let is_beside_houdini = own == Engine::Houdini;
        let helper = &Helper { problem, options, cancel, is_beside_houdini };
        let (result, done) = std::thread::scope(|scope| {
            let start = |(engine, owned): (Engine, Option<Own>)| {
                scope.spawn(move || helper.work(engine, owned))
            };
            let threads: Vec<_> = others.into_iter().zip(owned).map(start).collect();
            let result = self.run_engine(own, problem);
            if own == Engine::Houdini || result.is_err() {
                problem.board.end();
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

    fn owned_by(&mut self, engine: Engine) -> Result<Option<Own>, SolverError> {
        match engine {
            Engine::Dynamic => Ok(None),
            Engine::Houdini | Engine::Base | Engine::Step | Engine::Unroll(_) => {
                let session = self.asker.session.another()?;
                Ok(Some(Own { pool: self.pool.clone(), session }))
            }
        }
    }
}

impl Helper<'_> {
    fn work(
        &self,
        engine: Engine,
        mut owned: Option<Own>,
    ) -> (Result<EngineWork, SolverError>, Option<Session>) {
        self.wait(if owned.is_some() { BEFORE_SOLVERS } else { BEFORE_RUNS });
        let start = Instant::now();
        let refuted = match &mut owned {
            _ if self.problem.board.is_over() => Ok(vec![]),
            None => Ok((self.problem.run)()),
            Some(owned) => self.ask(engine, owned),
        };
        let took = start.elapsed();
        let work = refuted.map(|refuted| work(engine, took, refuted, self.problem.board));
        (work, owned.map(|owned| owned.session))
    }

    /// Lets Houdini go ahead.
    fn wait(&self, time: Duration) {
        let end = Instant::now() + time;
        while self.is_beside_houdini && !self.problem.board.is_over() {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            std::thread::park_timeout(left);
        }
    }

    fn ask(&self, engine: Engine, owned: &mut Own) -> Result<Vec<Number>, SolverError> {
        let ask: AskOptions = self.options.ask.clone();
        let mut asker = Asker::new(&mut owned.session, ask);
        asker.cancel = self.cancel.clone();
        let mut sorter = Sorter::new(&mut owned.pool, &mut asker, self.options);
        let (edges, _) = self.problem.edges_for(engine);
        sorter.run_edges(&edges, self.problem.board)
    }
}
