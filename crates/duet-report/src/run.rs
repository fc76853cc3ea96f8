//! What a run of the checker has to show: kernels with their verdicts and findings,
//! as plain data for the renderers of whole runs (SARIF, HTML, annotations).

use std::path::PathBuf;

use duet_ir::{Diagnostic, Severity};

/// A run over one file.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Run {
    /// The file.
    pub file: PathBuf,
    /// The version of the program.
    pub version: String,
    /// The exit code.
    pub exit_code: u8,
    /// The kernels, in source order.
    pub kernels: Vec<KernelResult>,
    /// What was found while reading the file.
    pub messages: Vec<Diagnostic>,
}

/// A kernel.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KernelResult {
    /// Its name.
    pub name: String,
    /// `proved`, `refuted` or `unproven`.
    pub verdict: String,
    /// The launch, in words.
    pub launch: String,
    /// What the verdict takes for granted.
    pub assumptions: Vec<String>,
    /// What was found.
    pub findings: Vec<Reported>,
}

/// Something that was found.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reported {
    /// The message.
    pub diagnostic: Diagnostic,
    /// Has a run shown it?
    pub is_refuted: bool,
    /// Why the user accepts it, if so.
    pub suppression: Option<Suppression>,
    /// The run that showed it.
    pub witness: Option<Witness>,
}

/// A run that showed something, for tables and pictures.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Witness {
    /// Sizes of the launch: a name and a value each.
    pub launch: Vec<(String, String)>,
    /// Arguments that are numbers.
    pub arguments: Vec<(String, String)>,
    /// What arrays hold at the start.
    pub contents: Vec<(String, String)>,
    /// The thread, or the two threads, in the order of the finding's places.
    pub threads: Vec<WitnessThread>,
    /// The memory that was accessed.
    pub memory: Option<Memory>,
    /// The command that repeats the run, for a shell.
    pub command: String,
}

/// A thread at the place of a finding.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct WitnessThread {
    /// Its ids, in words.
    pub name: String,
    /// What it does there: `writes`, `waits`, `is here`.
    pub action: String,
    /// The line.
    pub line: Option<u32>,
    /// The line of the last barrier before it.
    pub since: Option<u32>,
    /// The line of a barrier that comes next.
    pub until: Option<u32>,
    /// Loops around the place: line, and the number of the iteration.
    pub iterations: Vec<(u32, u64)>,
}

/// A part of an array.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Memory {
    /// The array's name.
    pub array: String,
    /// Bytes of an element; 1 where it has none.
    pub element: u64,
    /// Bytes of the array, if known.
    pub size: Option<u64>,
    /// The accesses, in the order of the threads.
    pub accesses: Vec<MemoryAccess>,
    /// The bytes that they have in common: the first, and how many.
    pub overlap: Option<(i64, u64)>,
}

/// One access.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MemoryAccess {
    /// The first byte; negative before the array.
    pub offset: i64,
    /// How many.
    pub bytes: u64,
    /// `writes`, `reads`, `updates`.
    pub action: String,
    /// The value that is written.
    pub value: Option<String>,
}

/// A finding that the user accepts. It still stands against a proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Suppression {
    /// Where that is written.
    pub by: SuppressedBy,
    /// Why.
    pub reason: String,
}

/// Where it is written that a finding is accepted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuppressedBy {
    /// In a comment of the source.
    Comment,
    /// In the baseline.
    Baseline,
    /// In the project file.
    Project,
}

impl SuppressedBy {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            SuppressedBy::Comment => "comment",
            SuppressedBy::Baseline => "baseline",
            SuppressedBy::Project => "project file",
        }
    }
}

impl KernelResult {
    /// Findings that stand against a proof.
    pub fn errors(&self) -> impl Iterator<Item = &Reported> {
        self.findings.iter().filter(|one| one.diagnostic.severity == Severity::Error)
    }

    /// Is there something against a proof, and all of it accepted by the user?
    pub fn is_accepted(&self) -> bool {
        self.errors().count() > 0 && self.errors().all(|one| one.suppression.is_some())
    }
}

impl Run {
    /// The same without findings that an earlier instance of the same template has at the
    /// same place; that one names the others. Nothing that the user accepts is touched.
    pub fn without_repeats(&self) -> Run {
        let mut run = self.clone();
        let mut also: Vec<(usize, usize, String)> = vec![];
        for number in 1..run.kernels.len() {
            let (before, rest) = run.kernels.split_at_mut(number);
            let kernel = &mut rest[0];
            let name = kernel.name.clone();
            kernel.findings.retain(|one| match repeated(before, &name, one) {
                Some((first, finding)) => {
                    also.push((first, finding, name.clone()));
                    false
                }
                None => true,
            });
        }
        for (kernel, finding, name) in also {
            let diagnostic = &mut run.kernels[kernel].findings[finding].diagnostic;
            let note = format!("the same in kernel `{name}`");
            if !diagnostic.notes.contains(&note) {
                diagnostic.notes.push(note);
            }
        }
        run
    }

    /// All findings, each with its kernel.
    pub fn findings(&self) -> impl Iterator<Item = (&KernelResult, &Reported)> {
        self.kernels.iter().flat_map(|kernel| kernel.findings.iter().map(move |one| (kernel, one)))
    }
}

/// The finding of an earlier instance of the template at the same place.
fn repeated(before: &[KernelResult], name: &str, one: &Reported) -> Option<(usize, usize)> {
    // `main.cu:12 scan<int><<<4, 64>>>` is an instance of `scan`.
    let template = |name: &str| {
        let plain = &name[..name.find('<')?];
        Some(plain.rsplit(' ').next().unwrap_or(plain).to_string())
    };
    let own = template(name)?;
    let place = |one: &Reported| one.diagnostic.primary.clone();
    let is_same = |other: &Reported| {
        other.suppression.is_none()
            && one.suppression.is_none()
            && other.diagnostic.rule == one.diagnostic.rule
            && other.is_refuted == one.is_refuted
            && place(one).is_some()
            && place(other) == place(one)
    };
    before.iter().enumerate().find_map(|(number, kernel)| {
        (template(&kernel.name)? == own).then_some(())?;
        Some((number, kernel.findings.iter().position(is_same)?))
    })
}
