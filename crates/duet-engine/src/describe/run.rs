//! A finding that a run showed, in the user's words: what each thread did, with
//! which values, on which launch.

use std::fmt::Write;

use duet_interp::{AccessKind, Actor, Fill, FindingKind, Key, Race, RaceSide, Schedule, ThreadPos};
use duet_ir::{Array, AssertKind, InstData, Type};

use duet_refute::{Evidence, Path, fill_text, own_name};
use duet_vc::Scalar;

use super::{Describe, describe_sizes};

/// Branches of a path that are listed.
const MOST_BRANCHES: usize = 6;
/// Characters of an array's contents that are shown.
const MOST_CONTENTS: usize = 100;

/// A run to speak about.
pub(super) struct DescribeRun<'a> {
    pub(super) text: &'a Describe<'a>,
    pub(super) evidence: &'a Evidence,
}

impl DescribeRun<'_> {
    pub(super) fn headline(&self) -> String {
        use FindingKind::*;
        match &self.evidence.defect.kind {
            Race(race) | BenignRace(race) => self.race_headline(race),
            BarrierDivergence { scope, .. } => {
                format!("threads of one {scope} wait at different barriers")
            }
            LeftBarrierLoop { .. } => {
                "a thread leaves a loop while others wait at a barrier in it".to_string()
            }
            ExitBeforeBarrier { .. } => {
                "a thread returns before a barrier that others wait at".to_string()
            }
            WarpDeadlock { mask, missing, .. } => {
                format!("lanes {missing:#x} of the mask {mask:#x} never arrive")
            }
            MaskExcludesSelf { mask, .. } => format!("the mask {mask:#x} leaves out its own lane"),
            CopyMismatch { .. } => "threads disagree about an asynchronous copy".to_string(),
            OutOfBounds { array, offset, len, size, .. } => {
                let name = self.text.array_name(*array);
                let granule = u64::from(self.text.module.arrays[*array].granule.max(1));
                let size = match size {
                    Some(size) if granule > 1 => {
                        format!(", which has {} elements", size / granule)
                    }
                    Some(size) => format!(", which has {size} bytes"),
                    None => String::new(),
                };
                format!("{} lies outside `{name}`{size}", self.place(*array, *offset, *len))
            }
            InvariantFailed { .. } => "a loop invariant is false".to_string(),
            BarrierInvariantFailed { .. } => "a barrier invariant is false".to_string(),
            AssertFailed { kind, .. } => match kind {
                AssertKind::Pointer => "a pointer is null or points nowhere".to_string(),
                AssertKind::ConstantWrite => "constant memory is written".to_string(),
                AssertKind::Bounds => "it leaves the memory that the host allocates".to_string(),
                AssertKind::Annotated
                | AssertKind::Global
                | AssertKind::Library
                | AssertKind::Trap
                | AssertKind::Unreachable => "an assertion fails".to_string(),
            },
            // No run refutes by these (`Subject::defect` in duet-refute).
            PartialExchange { .. }
            | InactiveLane { .. }
            | Uninitialised { .. }
            | DivisionByZero { .. }
            | SignedOverflow { .. }
            | ConversionOutOfRange { .. } => self.evidence.defect.rule.to_string(),
        }
    }

    fn race_headline(&self, race: &Race) -> String {
        let place = self.element(race.array, race.overlap.0);
        let (first, second) = (race.first.kind, race.second.kind);
        if first.is_atomic() || second.is_atomic() {
            format!("an atomic access to {place} conflicts with another access")
        } else if first.writes() && second.writes() {
            format!("two threads write {place} at the same time")
        } else {
            format!("a thread reads {place} while another writes it")
        }
    }

    /// `a[3]`, or a byte where the array has no elements.
    fn element(&self, array: Array, offset: u64) -> String {
        let data = &self.text.module.arrays[array];
        let name = self.text.array_name(array);
        match u64::from(data.granule) {
            0 | 1 => format!("byte {offset} of `{name}`"),
            granule => format!("`{name}[{}]`", offset / granule),
        }
    }

    /// `a[-1]`, or the bytes where they are no element.
    fn place(&self, array: Array, offset: u64, len: u32) -> String {
        let name = self.text.array_name(array);
        let granule = i64::from(self.text.module.arrays[array].granule.max(1));
        let first = offset as i64;
        match granule > 1 && first % granule == 0 && i64::from(len) == granule {
            true => format!("`{name}[{}]`", first / granule),
            false => format!("byte {first} of `{name}`"),
        }
    }

    /// What happens at the finding's two places.
    pub(super) fn labels(&self) -> [Option<String>; 2] {
        use FindingKind::*;
        let defect = &self.evidence.defect;
        match &defect.kind {
            Race(race) | BenignRace(race) => {
                [Some(self.side(race, &race.first)), Some(self.side(race, &race.second))]
            }
            BarrierDivergence { first, second, .. } | CopyMismatch { first, second } => {
                let what =
                    |at: &duet_interp::At| Some(format!("{} is here", self.thread(&at.thread)));
                [what(first), what(second)]
            }
            LeftBarrierLoop { waiting, left, .. } => {
                let (waiting, left) = (self.thread(&waiting.thread), self.thread(left));
                [Some(format!("{waiting} waits here; {left} has left the loop and returned")), None]
            }
            ExitBeforeBarrier { waiting, returned, .. } => {
                let (waiting, returned) = (self.thread(&waiting.thread), self.thread(returned));
                [Some(format!("{waiting} waits here; {returned} has returned")), None]
            }
            OutOfBounds { at, array, kind, offset, len, .. } => {
                let what = self.place(*array, *offset, *len);
                [Some(format!("{} {} {what}", self.thread(&at.thread), verb(*kind))), None]
            }
            _ => {
                let thread = defect.threads().first().copied();
                let here = thread.map(|at| {
                    let at = ThreadPos { thread: at.thread, block: at.block };
                    format!("{} is here", self.thread(&at))
                });
                [here, None]
            }
        }
    }

    fn side(&self, race: &Race, side: &RaceSide) -> String {
        let verb = verb(side.kind);
        let actor = match &side.actor {
            Actor::Thread(position) => self.thread(position),
            Actor::Copy(position) => format!("the copy started by {}", self.thread(position)),
        };
        let what = self.element(race.array, race.overlap.0);
        match side.value {
            Some(value) => {
                let value = self.value(race.array, race.overlap.1, u128::from(value));
                format!("{actor} {verb} {value} to {what}").replace("sets", "stores")
            }
            None => format!("{actor} {verb} {what}"),
        }
    }

    /// Bytes of an array as a number: of its type, where they are one of its elements.
    fn value(&self, array: Array, len: u32, bits: u128) -> String {
        let width = 8 * len.clamp(1, 16);
        match self.float_type(array) {
            Some(Type::F32) if len == 4 => format!("{:?}", f32::from_bits(bits as u32)),
            Some(Type::F64) if len == 8 => format!("{:?}", f64::from_bits(bits as u64)),
            // Nothing tells whether a number with this bit is meant to be negative.
            _ if width > 8 && bits >> (width - 1) & 1 == 1 => {
                let unused = 128 - width;
                format!("{bits} ({})", ((bits << unused) as i128) >> unused)
            }
            _ => bits.to_string(),
        }
    }

    /// The type of an array's elements, if the kernel reads and writes it as numbers with
    /// floating point only.
    fn float_type(&self, array: Array) -> Option<Type> {
        let func = self.text.func;
        let mut types = func.insts_in_order().filter_map(|inst| match &func.insts[inst] {
            InstData::Load { access, ty, .. } if access.array == array => Some(*ty),
            InstData::Store { access, values } if access.array == array => {
                values.first().map(|&value| func.type_of(value))
            }
            _ => None,
        });
        let first = types.next().filter(|ty| ty.is_float())?;
        types.all(|ty| ty == first).then_some(first)
    }

    /// First contents of an array, for people.
    fn contents(&self, name: &str, array: Option<Array>, fill: &Fill) -> String {
        let long = |text: String| match text.len() > MOST_CONTENTS {
            true => "see below".to_string(),
            false => text,
        };
        match fill {
            Fill::Zero => "all 0".to_string(),
            Fill::Ones => "all 1".to_string(),
            Fill::Byte(byte) => format!("all bytes {byte}"),
            Fill::Iota => "0, 1, 2, ...".to_string(),
            Fill::Small(small) => format!("small numbers at random (seed {})", small.seed),
            Fill::Random(seed) => format!("at random (seed {seed})"),
            Fill::Cells(cells) if !cells.is_empty() => {
                let granule = array.map_or(1, |array| self.text.module.arrays[array].granule);
                let cell = |(index, &bits): (&u64, &u128)| match array {
                    Some(array) => {
                        format!("{name}[{index}] = {}", self.value(array, granule, bits))
                    }
                    None => format!("{name}[{index}] = {bits}"),
                };
                let cells: Vec<String> = cells.iter().map(cell).collect();
                long(format!("all 0 but {}", cells.join(", ")))
            }
            Fill::Cells(_) => "all 0".to_string(),
            Fill::Bytes(_) | Fill::Unknown => long(fill_text(fill)),
        }
    }

    /// `thread 3 of block 0`, `thread (1,2) of block (0,1)`.
    fn thread(&self, position: &ThreadPos) -> String {
        let launch = &self.evidence.run.launch;
        let thread = ids(position.thread, launch.block);
        format!("thread {thread} of block {}", ids(position.block, launch.grid))
    }

    pub(super) fn notes(&self) -> Vec<String> {
        let run = &self.evidence.run;
        let mut text = "refuted: this run shows it".to_string();
        let launch = &run.launch;
        let language = self.text.module.language;
        let sizes = describe_sizes(language, launch.block, launch.grid, launch.global_offset);
        let _ = write!(text, "\nlaunch: {sizes}");
        self.write_inputs(&mut text);
        if let FindingKind::Race(race) | FindingKind::BenignRace(race) = &self.evidence.defect.kind
        {
            let (first, len) = race.overlap;
            let name = self.text.array_name(race.array);
            let last = first + u64::from(len.max(1)) - 1;
            let _ = match first == last {
                true => write!(text, "\ncommon byte: {first} of `{name}`"),
                false => write!(text, "\ncommon bytes: {first} to {last} of `{name}`"),
            };
        }
        match run.schedule {
            Schedule::InOrder => {}
            Schedule::Reversed => text.push_str("\norder: the last thread first"),
            Schedule::Seeded(seed) => {
                let _ = write!(text, "\norder: at random (seed {seed})");
            }
        }
        if let Some(size) = run.lock_step {
            let _ = write!(text, "\nwarps of {size} threads run in lock step");
        }
        if run.only_threads.is_some() {
            text.push_str("\nonly some threads were run; the others come later");
        } else if run.only_blocks.is_some() {
            text.push_str("\nonly the blocks of these threads were run; the others come later");
        }
        let mut notes = vec![text];
        notes.extend(self.paths());
        notes
    }

    fn write_inputs(&self, text: &mut String) {
        let inputs = &self.evidence.run.inputs;
        let arguments: Vec<String> = self.arguments().map(|(n, v)| format!("{n} = {v}")).collect();
        if !arguments.is_empty() {
            let _ = write!(text, "\narguments: {}", arguments.join(", "));
        }
        let arrays: Vec<String> = inputs
            .arrays
            .iter()
            .filter_map(|(key, input)| {
                let Key::Name(name) = key else { return None };
                let array = self.text.module.arrays.iter().find(|(_, data)| data.name == *name);
                let array = array.map(|(id, _)| id);
                let name = array.map_or(name.as_str(), |id| self.text.array_name(id));
                Some(format!("{name} = {}", self.contents(name, array, &input.fill)))
            })
            .collect();
        if !arrays.is_empty() {
            let has_cells = arrays.iter().any(|text| text.contains(','));
            let _ = write!(text, "\narrays: {}", arrays.join(if has_cells { "; " } else { ", " }));
        }
        for (key, (of, shift)) in &inputs.aliases {
            let name = |key| own_name(self.text.module, self.text.kernel, key).unwrap_or("?");
            let _ = match shift {
                0 => write!(text, "\npointers: `{}` points to `{}`", name(key), name(of)),
                _ => write!(
                    text,
                    "\npointers: `{}` points {shift} bytes into `{}`",
                    name(key),
                    name(of)
                ),
            };
        }
    }

    /// The arguments of the run by name.
    fn arguments(&self) -> impl Iterator<Item = (&str, Scalar)> {
        let scalars = &self.evidence.run.inputs.scalars;
        self.text.func.scalar_params().filter_map(|param| {
            let bits = scalars.get(&Key::Index(param.index)).copied()?;
            Some((param.name, Scalar { bits, ty: param.ty, unsigned: param.unsigned }))
        })
    }

    /// How each thread got there, where that takes a branch or a loop.
    fn paths(&self) -> Option<String> {
        let threads = self.evidence.defect.threads();
        let mut lines = vec![];
        for (position, path) in threads.iter().zip(&self.evidence.paths) {
            let words = path_in_words(path);
            if !words.is_empty() {
                let at = ThreadPos { thread: position.thread, block: position.block };
                lines.push(format!("{}: {words}", self.thread(&at)));
            }
        }
        (!lines.is_empty()).then(|| lines.join("\n"))
    }
}

fn verb(kind: AccessKind) -> &'static str {
    match kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
        AccessKind::AtomicRead => "atomically reads",
        AccessKind::AtomicWrite => "atomically sets",
    }
}

/// `3`, or `(3,1)` where more than one dimension counts.
fn ids(ids: [u32; 3], sizes: [u32; 3]) -> String {
    let rank = sizes.iter().rposition(|size| *size != 1).map_or(1, |last| last + 1);
    let words: Vec<String> = ids[..rank].iter().map(u32::to_string).collect();
    match rank {
        1 => words[0].clone(),
        _ => format!("({})", words.join(",")),
    }
}

fn path_in_words(path: &Path) -> String {
    let mut parts: Vec<String> = path
        .iterations
        .iter()
        .map(|(line, count)| format!("iteration {count} of the loop at line {line}"))
        .collect();
    let skipped = path.branches.len().saturating_sub(MOST_BRANCHES);
    if skipped > 0 {
        parts.push("...".to_string());
    }
    for (line, way) in &path.branches[skipped..] {
        parts.push(format!("line {line} {}", if *way { "true" } else { "false" }));
    }
    parts.join(", ")
}
