//! Questions about a kernel, and their answers.
//!
//! A caller states a [`Question`] and gets an [`Answered`]: it is
//! proved, or it is open, with the reason and with what stood in the way. There is no way
//! to get the one without the other.
//!
//! SOUNDNESS: only `Unsat` is [`Answered::Proved`]. No time left, no solver asked, a solver
//! that died and a question that was only written down are all open
//! (tests `what_a_silent_solver_leaves_is_open`, `what_is_only_written_down_is_not_proved`).

use std::time::Duration;

use duet_ir::Inst;
use duet_smt::solver::{Answer, CancelToken, Limits, Reason, SolverError};
use duet_smt::{Context, DecidedBy, Decision, Prefer, TermId, TermPool};
use duet_vc::{SiteTerm, Walker, Witness};

use crate::budget::{Budget, Effort, Patience};
use crate::models::Likely;
use crate::obstacle::Obstacle;
use crate::obstacles::Obstacles;
use crate::session::Session;
use crate::trace::Trace;
use crate::witness::ModelReader;

/// How questions about one kernel are asked.
#[derive(Clone, Debug)]
pub struct AskOptions {
    /// What the answers may cost.
    pub budget: Budget,
    /// Keep what was asked and who answered.
    pub explain: bool,
    /// Some size of the launch is free.
    pub is_size_free: bool,
    /// What is claimed of memory are equations between sums of cells.
    pub adds_cells: bool,
    /// A launch that is likely to suit what is assumed.
    pub likely: Option<Likely>,
}

/// What must not be possible: all of `given`, `when` and `goal` together.
#[derive(Clone, Debug)]
pub struct Question<'q> {
    /// What is known.
    pub given: Vec<TermId>,
    /// The conditions under which the places are reached.
    pub when: Vec<TermId>,
    /// What would be wrong there.
    pub goal: Vec<TermId>,
    /// The instructions that it is about.
    pub places: Vec<Inst>,
    /// The accesses that would meet, if two would.
    pub sites: Vec<&'q SiteTerm>,
    /// What it is about, in a few words (`a race`).
    pub about: &'q str,
    /// How hard it is tried.
    pub effort: Effort,
}

impl<'q> Question<'q> {
    /// A question about something, with nothing given and nothing asked yet.
    pub fn about(about: &'q str) -> Question<'q> {
        let (given, when, goal, places, sites) = (vec![], vec![], vec![], vec![], vec![]);
        Question { given, when, goal, places, sites, about, effort: Effort::Full }
    }

    /// The conjunction that must have no model.
    pub fn literals(&self) -> Vec<TermId> {
        let mut literals = self.given.clone();
        for &term in self.when.iter().chain(&self.goal) {
            if !literals.contains(&term) {
                literals.push(term);
            }
        }
        literals
    }
}

/// What became of a question.
#[derive(Clone, PartialEq, Debug)]
pub enum Answered {
    /// It cannot be: every state was excluded.
    Proved,
    /// It may be, as far as is known.
    Open(Open),
}

impl Answered {
    /// What is open about it; `None` if it is proved.
    pub fn open(self) -> Option<Open> {
        match self {
            Answered::Proved => None,
            Answered::Open(open) => Some(open),
        }
    }
}

/// A question that is open.
#[derive(Clone, PartialEq, Debug)]
pub struct Open {
    /// Why.
    pub doubt: Doubt,
    /// What stood in the way of a proof, as far as that is known.
    pub obstacles: Vec<Obstacle>,
}

/// Why something is not proved.
#[derive(Clone, PartialEq, Debug)]
pub enum Doubt {
    /// There is a state in which it happens; it may be unreachable.
    Model(Box<Witness>),
    /// It was not decided.
    Unknown(Reason),
}

/// Asks questions about one kernel.
pub struct Asker<'s> {
    /// Who is asked.
    pub session: &'s mut Session,
    /// What was asked and who answered.
    pub trace: Trace,
    /// Stops the questions that are being asked.
    pub cancel: CancelToken,
    pub(crate) options: AskOptions,
    /// The session's count of work when this began.
    work_before: u64,
    /// A question was left open because of the clock.
    is_cut_short: bool,
    /// A question was left open although no solver was asked.
    gave_up: bool,
    /// No further answers are needed.
    is_settled: bool,
}

impl<'s> Asker<'s> {
    /// Nothing asked yet; the work counts from now.
    pub fn new(session: &'s mut Session, options: AskOptions) -> Asker<'s> {
        let work_before = session.work();
        Asker {
            session,
            trace: Trace { is_wanted: options.explain, ..Trace::default() },
            cancel: CancelToken::new(),
            options,
            work_before,
            is_cut_short: false,
            gave_up: false,
            is_settled: false,
        }
    }

    /// Asks a question. The goal is not asked twice if it is among what is given.
    pub fn ask(
        &mut self,
        walker: &mut Walker<'_>,
        question: &Question<'_>,
    ) -> Result<Answered, SolverError> {
        let decision = self.decide_question(&mut walker.pool, question)?;
        Ok(self.answered(walker, question, &decision.answer))
    }

    fn decide_question(
        &mut self,
        pool: &mut TermPool,
        question: &Question<'_>,
    ) -> Result<Decision, SolverError> {
        let literals = question.literals();
        self.decide_at(pool, &literals, question.about, &question.places, question.effort)
    }

    /// What an answer says, with everything that a report wants of it.
    fn answered(&self, walker: &Walker<'_>, question: &Question<'_>, answer: &Answer) -> Answered {
        let doubt = match answer {
            Answer::Unsat => return Answered::Proved,
            Answer::Unknown(reason) => Doubt::Unknown(*reason),
            Answer::Sat(model) => {
                let reader = ModelReader(walker);
                let mut witness = reader.witness(model);
                let terms = [&question.goal[..], &question.when[..]].concat();
                witness.contents.append(&mut Obstacles(walker).elements_read(model, &terms));
                witness.touched = reader.touched(model, &question.sites);
                Doubt::Model(Box::new(witness))
            }
        };
        let obstacles = Obstacles(walker).of(answer, &question.goal, &question.when);
        Answered::Open(Open { doubt, obstacles })
    }

    /// Asks whether a conjunction has a model, about no place in particular.
    pub fn decide(
        &mut self,
        pool: &mut TermPool,
        literals: &[TermId],
        about: &str,
        effort: Effort,
    ) -> Result<Decision, SolverError> {
        self.decide_at(pool, literals, about, &[], effort)
    }

    /// Asks whether a conjunction has a model.
    pub fn decide_at(
        &mut self,
        pool: &mut TermPool,
        literals: &[TermId],
        about: &str,
        places: &[Inst],
        effort: Effort,
    ) -> Result<Decision, SolverError> {
        if self.trace.only_written {
            return Ok(self.trace.write_down(pool, literals, about, places));
        }
        if let Some(end) = self.end() {
            self.is_cut_short |= end == End::Time;
            return Ok(not_asked(end));
        }
        pool.work.set_fence(self.options.budget.fence);
        let mut decision = not_asked(End::Settled);
        for options in self.options.budget.means(effort, self.work_left()) {
            let cancel = self.cancel.clone();
            let prefer = self.preferred_encoding();
            let question = duet_smt::Question { literals, about, cancel, prefer };
            self.session.decider.set_options(options);
            decision = self.session.decider.decide(pool, &question)?;
            if !matches!(decision.answer, Answer::Unknown(_)) {
                break;
            }
        }
        self.note_cut(&decision.answer);
        let is_momentary = matches!(effort, Effort::Moment | Effort::MomentOfInference);
        let is_open = matches!(decision.answer, Answer::Unknown(_)) && !is_momentary;
        self.gave_up |= self.options.budget.patience == Patience::None && is_open;
        // What takes more than a moment is asked again.
        if !is_momentary || decision.answer == Answer::Unsat {
            self.trace.keep(pool, about, places, &decision);
        }
        Ok(decision)
    }

    /// Do the simplifier and a short look of the algebra show that a conjunction has no
    /// model? No engine is asked when time is up.
    pub fn is_excluded_soon(
        &mut self,
        pool: &mut TermPool,
        literals: &[TermId],
        about: &str,
        places: &[Inst],
    ) -> Result<bool, SolverError> {
        if self.trace.only_written {
            return Ok(false);
        }
        let decision = self.decide_at(pool, literals, about, places, Effort::Moment)?;
        Ok(decision.answer == Answer::Unsat)
    }

    /// Tells a solver facts that many questions share ([`Asker::decide_within`]).
    pub fn open_context(&mut self, pool: &mut TermPool, literals: &[TermId]) -> Context {
        self.session.decider.context(pool, literals)
    }

    /// The solver forgets them.
    pub fn close_context(&mut self, mut context: Context) {
        self.session.decider.close(&mut context);
    }

    /// Asks within a context, under assumptions; `literals` is the same question by itself.
    pub fn decide_within(
        &mut self,
        pool: &mut TermPool,
        context: &mut Context,
        assumptions: &[TermId],
        literals: &[TermId],
        about: &str,
    ) -> Result<Answer, SolverError> {
        let limits = match self.end() {
            Some(end) => {
                self.is_cut_short |= end == End::Time;
                return Ok(not_asked(end).answer);
            }
            None => self.limits(Effort::Inference),
        };
        let Some(limits) = limits else { return Ok(not_asked(End::Settled).answer) };
        let cancel = self.cancel.clone();
        let question = duet_smt::Question { literals, about, cancel, ..Default::default() };
        let decider = &mut self.session.decider;
        let decision = decider.decide_within(pool, context, assumptions, &question, limits)?;
        self.note_cut(&decision.answer);
        self.trace.keep(pool, about, &[], &decision);
        Ok(decision.answer)
    }

    /// No further answers are needed: the verdict is clear. It is not "proved" then.
    pub fn settle(&mut self) {
        self.is_settled = true;
    }

    /// Was a question left open although no solver was asked?
    pub fn gave_up(&self) -> bool {
        self.gave_up
    }

    /// Is the verdict clear, and nothing else wanted? It is not "proved" then.
    pub fn is_settled(&self) -> bool {
        self.gave_up || self.is_settled
    }

    /// Why no further question is answered; `None` as long as they are.
    pub fn end(&self) -> Option<End> {
        match () {
            () if self.is_settled() => Some(End::Settled),
            () if self.options.budget.fence.is_past() => Some(End::Time),
            () if self.work_left() == 0 => Some(End::Work),
            () => None,
        }
    }

    /// Takes note of an answer that the fence cut short. A solver that counts nothing has a
    /// limit in seconds of its own, and says so by itself.
    fn note_cut(&mut self, answer: &Answer) {
        self.is_cut_short |=
            *answer == Answer::Unknown(Reason::Timeout) && self.options.budget.fence.is_past();
    }

    /// Was a question left open because of the clock?
    pub fn is_cut_short(&self) -> bool {
        self.is_cut_short
    }

    /// The work of all questions so far, in units of z3's resource count.
    pub fn work(&self) -> u64 {
        self.session.work() - self.work_before
    }

    fn work_left(&self) -> u64 {
        self.options.budget.work.saturating_sub(self.work())
    }

    /// How hard each question is tried.
    pub fn patience(&self) -> Patience {
        self.options.budget.patience
    }

    /// What a question to a solver may cost; `None` if none may be asked any more.
    pub fn limits(&self, effort: Effort) -> Option<Limits> {
        let means = self.options.budget.means(effort, self.work_left());
        let means = means.into_iter().rfind(|means| means.solvers);
        means.filter(|_| self.end().is_none()).map(|means| means.first)
    }

    /// Where the sizes are numbers, products of symbols are few, and bit-vectors are faster
    /// even so: over 382 kernels, with 2 s each, 340 are proved instead of 331, in 0.94 of
    /// the time.
    pub fn preferred_encoding(&self) -> Prefer {
        match self.session.encoding() {
            Prefer::Auto if self.options.adds_cells => Prefer::Data,
            Prefer::Auto if !self.options.is_size_free => Prefer::Bits,
            own @ Prefer::Auto
            | own @ Prefer::Bits
            | own @ Prefer::Integers
            | own @ Prefer::Data => own,
        }
    }
}

/// Why no further question is answered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// No more answers are needed.
    Settled,
    /// The wall clock's fence is past.
    Time,
    /// The work is used up.
    Work,
}

/// The answer when no engine was asked, with the reason.
fn not_asked(end: End) -> Decision {
    let reason = match end {
        End::Settled => Reason::Cancelled,
        End::Time => Reason::Timeout,
        End::Work => Reason::Resource,
    };
    Decision {
        answer: Answer::Unknown(reason),
        by: DecidedBy::Nobody,
        took: Duration::ZERO,
        may_wrap: vec![],
    }
}

/// Why a solver found nothing out.
pub fn reason_in_words(reason: Reason) -> &'static str {
    match reason {
        Reason::Timeout => "the time limit was reached",
        Reason::Resource => "the solver used up its resources",
        Reason::Memory => "the solver ran out of memory",
        Reason::Incomplete => "the solver gave up",
        Reason::Crashed => "the solver died or spoke garbage",
        Reason::Cancelled => "the solver was stopped",
    }
}
