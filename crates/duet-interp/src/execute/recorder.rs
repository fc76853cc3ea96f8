//! What a run has found so far, and whether it goes on.

use duet_ir::Rule;

use crate::decode::Program;
use crate::execute::thread::Thread;
use crate::interface::findings::*;
use crate::interface::launch::Launch;
use crate::interface::outcome::Status;

/// Notes findings, with the threads and places in them, and the end of a run.
pub(crate) struct Recorder<'a> {
    pub(crate) program: &'a Program,
    pub(crate) launch: &'a Launch,
    pub(crate) block_threads: u32,
    pub(crate) findings: Findings,
    /// Set when the run is to end at once.
    pub(crate) stop: Option<Status>,
    /// Were threads given up?
    pub(crate) stuck: bool,
}

impl<'a> Recorder<'a> {
    /// Nothing found yet.
    pub(crate) fn new(program: &'a Program, launch: &'a Launch) -> Recorder<'a> {
        Recorder {
            program,
            launch,
            block_threads: launch.threads_per_block() as u32,
            findings: Findings::default(),
            stop: None,
            stuck: false,
        }
    }

    /// Where a thread of the grid is.
    pub(crate) fn position(&self, thread: u32) -> ThreadPos {
        let threads = self.block_threads;
        ThreadPos {
            block: unflatten(thread / threads, self.launch.grid),
            thread: unflatten(thread % threads, self.launch.block),
        }
    }

    /// A thread at an instruction.
    pub(crate) fn at(&self, thread: u32, site: u32) -> At {
        At { thread: self.position(thread), site: self.program.site(site) }
    }

    /// The instruction that a waiting thread is at.
    pub(crate) fn wait_site(&self, thread: &Thread) -> u32 {
        let code = &self.program.codes[thread.frame.code as usize];
        code.sites[thread.frame.pc as usize - 1]
    }

    /// Notes a finding about one instruction.
    #[cold]
    pub(crate) fn note(
        &mut self,
        rule: Rule,
        thread: u32,
        site: u32,
        make: impl FnOnce(At) -> FindingKind,
    ) {
        let at = self.at(thread, site);
        self.findings.note((rule, site, site), || make(at));
    }

    #[cold]
    pub(crate) fn note_overflow(&mut self, thread: &Thread, site: u32) {
        self.note(Rule::SignedOverflow, thread.number, site, |at| FindingKind::SignedOverflow {
            at,
        });
    }

    #[cold]
    pub(crate) fn note_zero_divisor(&mut self, thread: &Thread, site: u32) {
        self.note(Rule::DivisionByZero, thread.number, site, |at| FindingKind::DivisionByZero {
            at,
        });
    }

    #[cold]
    pub(crate) fn note_conversion(&mut self, thread: &Thread, site: u32) {
        self.note(Rule::ConversionOutOfRange, thread.number, site, |at| {
            FindingKind::ConversionOutOfRange { at }
        });
    }
}

/// The coordinates of a number, x fastest.
pub(crate) fn unflatten(number: u32, dims: [u32; 3]) -> [u32; 3] {
    let [x, y, _] = dims;
    [number % x, number / x % y, number / x / y]
}
