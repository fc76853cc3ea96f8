//! A session with solvers, over many kernels, and its options.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use duet_smt::solver::{
    Portfolio, ProcessSolver, QueryCache, QueryLog, RecordingSolver, Solver, SolverError,
    SolverKind, locate,
};
use duet_smt::{Decider, DeciderOptions, Policy, Prefer};

/// Which solvers are asked, and what is kept of the questions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SessionOptions {
    /// The solvers; several race against each other.
    pub solvers: Vec<SolverKind>,
    /// A folder for every question, each as a file that stands alone.
    pub query_folder: Option<PathBuf>,
    /// A folder of answers from earlier runs, which this one adds to.
    pub answer_folder: Option<PathBuf>,
    /// Is the index algebra asked before solvers?
    pub algebra: bool,
    /// Which encoding solvers are asked in first.
    pub encoding: Prefer,
}

impl Default for SessionOptions {
    fn default() -> Self {
        SessionOptions {
            solvers: vec![SolverKind::Z3],
            query_folder: None,
            answer_folder: None,
            algebra: true,
            encoding: Prefer::Auto,
        }
    }
}

/// The solvers that are there, by name.
pub fn installed_solvers() -> Vec<&'static str> {
    let all = [SolverKind::Z3, SolverKind::Cvc5, SolverKind::Bitwuzla];
    let is_there = |kind: &SolverKind| locate(*kind, None).is_ok();
    all.into_iter().filter(is_there).map(SolverKind::name).collect()
}

/// Makes a solver for each session.
type MakeSolver = dyn Fn() -> Box<dyn Solver> + Send + Sync;

/// A solver that is asked, over many kernels.
pub struct Session {
    pub(crate) decider: Decider,
    options: SessionOptions,
    /// Where solvers come from, if not from the options.
    make: Option<Arc<MakeSolver>>,
    /// Sessions for those who work beside this one.
    spare: Vec<Session>,
}

impl Session {
    /// Starts a session with z3.
    pub fn new() -> Result<Session, SolverError> {
        Session::with_options(&SessionOptions::default())
    }

    /// Starts a session. A solver that is missing is an error at once.
    pub fn with_options(options: &SessionOptions) -> Result<Session, SolverError> {
        let mut solvers: Vec<Box<dyn Solver>> = vec![];
        for &kind in &options.solvers {
            solvers.push(Box::new(ProcessSolver::find(kind, None)?));
        }
        let solver = match solvers.len() {
            1 => solvers.remove(0),
            _ => Box::new(Portfolio::new(solvers)),
        };
        Session::around(solver, None, options)
    }

    /// Starts a session that asks the solvers which `make` yields instead of those that
    /// the options name: for tests with a solver that answers from a script, and for
    /// programs that bring a solver of their own. `make` is called once for this session
    /// and once for each that works beside it.
    pub fn with_solver(
        make: impl Fn() -> Box<dyn Solver> + Send + Sync + 'static,
        options: &SessionOptions,
    ) -> Result<Session, SolverError> {
        Session::around(make(), Some(Arc::new(make)), options)
    }

    /// A session with a solver; the log and the cache of the options are put around it.
    fn around(
        mut solver: Box<dyn Solver>,
        make: Option<Arc<MakeSolver>>,
        options: &SessionOptions,
    ) -> Result<Session, SolverError> {
        let cache = opened(&options.answer_folder, "cache of answers", QueryCache::open)?;
        let log = opened(&options.query_folder, "log of questions", QueryLog::open)?;
        if cache.is_some() || log.is_some() {
            solver = Box::new(RecordingSolver::new(solver, cache, log));
        }
        let policy = Policy { algebra: options.algebra, prefer: options.encoding };
        let decider = Decider::new(solver, DeciderOptions::default()).with_policy(policy);
        Ok(Session { decider, options: options.clone(), make, spare: vec![] })
    }

    /// A session of the same kind, to work beside this one. It keeps no questions: their
    /// numbers would depend on who is faster.
    pub fn another(&mut self) -> Result<Session, SolverError> {
        if let Some(session) = self.spare.pop() {
            return Ok(session);
        }
        let options = SessionOptions { query_folder: None, ..self.options.clone() };
        match &self.make {
            Some(make) => Session::around(make(), Some(Arc::clone(make)), &options),
            None => Session::with_options(&options),
        }
    }

    /// Keeps a session for the next time.
    pub fn take_back(&mut self, session: Session) {
        self.spare.push(session);
    }

    /// Which encoding solvers are asked in first.
    pub(crate) fn encoding(&self) -> Prefer {
        self.options.encoding
    }

    /// Time spent in solvers so far.
    pub fn in_solvers(&self) -> Duration {
        self.decider.statistics().in_solvers
    }

    /// Work of all questions so far, in units of z3's resource count.
    pub fn work(&self) -> u64 {
        self.decider.statistics().work
    }

    /// How often each means decided.
    pub fn decided(&self) -> Vec<(&'static str, u64)> {
        self.decider.statistics().decided.iter().map(|(&word, &count)| (word, count)).collect()
    }
}

/// Opens a folder, if one is named.
fn opened<T>(
    folder: &Option<PathBuf>,
    name: &str,
    open: fn(&Path) -> std::io::Result<T>,
) -> Result<Option<T>, SolverError> {
    let Some(folder) = folder else { return Ok(None) };
    let why = |error| format!("{}: {error}", folder.display());
    let failed = |error| SolverError::CannotStart { name: name.to_string(), why: why(error) };
    open(folder).map(Some).map_err(failed)
}
