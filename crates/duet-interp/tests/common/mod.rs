//! What the tests share: running a module text as a run line says, and writing
//! the outcome down.
//!
//! A run line is `kernel grid block` and then, in any order,
//! `n=5` (a scalar), `@a=iota:256` (contents and bytes of an array; `-` for an
//! unknown length), `dynamic=bytes`, `offset=x`, `schedule=reversed|seeded:N`,
//! `seed=N`, `steps=N`, `thread_steps=N`, `memory=N`, `show=@a:4:8` (eight
//! elements of four bytes).

#![allow(dead_code)] // each test file uses its part

use std::fmt::Write;

use duet_interp::*;
use duet_ir::{Func, Module, Place, SourceLines};

/// What a run line asks for.
pub struct Run {
    pub kernel: String,
    pub launch: Launch,
    pub inputs: Inputs,
    pub options: RunOptions,
    /// Was a schedule named?
    pub scheduled: bool,
    show: Vec<(String, u64, u64)>,
}

/// Reads a run line.
pub fn parse_run(line: &str) -> Result<Run, String> {
    let mut words = line.split_whitespace();
    let mut word = || words.next().ok_or("expected: kernel grid block");
    let (kernel, grid, block) = (word()?.to_string(), dims(word()?)?, dims(word()?)?);
    let mut run = Run {
        kernel,
        launch: Launch::new(grid, block),
        inputs: Inputs::new(),
        options: RunOptions::default(),
        scheduled: false,
        show: vec![],
    };
    run.options.limits.steps = 1 << 24;
    for word in words {
        let (key, value) = word.split_once('=').ok_or(format!("expected key=value: {word}"))?;
        set(&mut run, key, value)?;
    }
    Ok(run)
}

fn dims(text: &str) -> Result<[u32; 3], String> {
    let mut dims = [1; 3];
    for (dim, part) in dims.iter_mut().zip(text.split('x')) {
        *dim = part.parse().map_err(|_| format!("not a size: {text}"))?;
    }
    Ok(dims)
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("not a number: {text}"))
}

fn set(run: &mut Run, key: &str, value: &str) -> Result<(), String> {
    match key {
        "dynamic" => run.launch.dynamic_shared = Some(number(value)?),
        "offset" => run.launch.global_offset[0] = number(value)? as u32,
        "seed" => run.options.seed = number(value)?,
        "steps" => run.options.limits.steps = number(value)?,
        "thread_steps" => run.options.limits.thread_steps = number(value)?,
        "memory" => run.options.limits.memory = number(value)?,
        "schedule" => {
            run.scheduled = true;
            run.options.schedule = schedule(value)?;
        }
        "show" => {
            let parts: Vec<&str> = value.trim_start_matches('@').split(':').collect();
            let [name, size, count] = parts[..] else { return Err(format!("show: {value}")) };
            run.show.push((name.to_string(), number(size)?, number(count)?));
        }
        _ => match key.strip_prefix('@') {
            Some(name) => {
                let (fill, len) = value.split_once(':').ok_or(format!("no length: {value}"))?;
                let bytes = if len == "-" { None } else { Some(number(len)?) };
                run.inputs.arrays.insert(name.into(), ArrayInput { fill: fill_of(fill)?, bytes });
            }
            None => {
                let bits: i128 = value.parse().map_err(|_| format!("not a number: {value}"))?;
                run.inputs.scalars.insert(key.into(), bits as u128);
            }
        },
    }
    Ok(())
}

fn schedule(text: &str) -> Result<Schedule, String> {
    match text.split_once(':') {
        Some(("seeded", seed)) => Ok(Schedule::Seeded(number(seed)?)),
        None if text == "inorder" => Ok(Schedule::InOrder),
        None if text == "reversed" => Ok(Schedule::Reversed),
        _ => Err(format!("not a schedule: {text}")),
    }
}

fn fill_of(text: &str) -> Result<Fill, String> {
    match text {
        "zero" => Ok(Fill::Zero),
        "ones" => Ok(Fill::Ones),
        "iota" => Ok(Fill::Iota),
        "unknown" => Ok(Fill::Unknown),
        "random" => Ok(Fill::Random(1)),
        _ => {
            let hex = text.strip_prefix("0x").ok_or(format!("not a fill: {text}"))?;
            let byte = |n: usize| u8::from_str_radix(&hex[2 * n..2 * n + 2], 16);
            let bytes: Result<Vec<u8>, _> = (0..hex.len() / 2).map(byte).collect();
            bytes.map(Fill::Bytes).map_err(|_| format!("not hex: {text}"))
        }
    }
}

/// A module with the lines its parts come from.
pub struct Text {
    pub module: Module,
    pub lines: SourceLines,
}

impl Text {
    pub fn parse(text: &str) -> Result<Text, String> {
        let (module, lines) = Module::parse_with_lines(text).map_err(|errors| {
            errors.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        })?;
        let errors = duet_ir::well_formed_errors(&module);
        match errors.first() {
            Some(error) => Err(format!("not well formed: {error:?}")),
            None => Ok(Text { module, lines }),
        }
    }

    pub fn kernel(&self, name: &str) -> Result<Func, String> {
        let found = self.module.kernels().find(|(_, function)| function.name == name);
        found.map(|(func, _)| func).ok_or(format!("no kernel `{name}`"))
    }

    pub fn run(&self, run: &Run) -> Result<Outcome, String> {
        let kernel = self.kernel(&run.kernel)?;
        duet_interp::run(&self.module, kernel, &run.launch, &run.inputs, &run.options)
            .map_err(|error| error.to_string())
    }

    /// The outcome as lines of text.
    pub fn describe(&self, run: &Run, outcome: &Outcome) -> String {
        let mut text = format!("{}\n", self.status(outcome.status));
        for finding in &outcome.findings {
            let times =
                if finding.count == 1 { String::new() } else { format!(" ({}x)", finding.count) };
            let _ =
                writeln!(text, "{} {}{times}", finding.kind.rule(), self.finding(&finding.kind));
        }
        for (name, size, count) in &run.show {
            let _ = writeln!(text, "@{name} = {}", self.elements(outcome, name, *size, *count));
        }
        text
    }

    /// Rules and lines only: what must not depend on the schedule. What is read
    /// does depend on it where there is a race.
    pub fn essence(&self, outcome: &Outcome) -> Vec<(&'static str, Vec<u32>)> {
        let line = |site: Site| self.lines.line_of(Place::Inst(site.func, site.inst));
        let mut all: Vec<_> = outcome
            .findings
            .iter()
            .map(|finding| {
                let mut lines: Vec<u32> = sites(&finding.kind).into_iter().map(line).collect();
                lines.sort_unstable();
                (finding.kind.rule().id(), lines)
            })
            .collect();
        all.sort();
        if all.iter().any(|(rule, _)| rule.ends_with("-race")) {
            all.retain(|(rule, _)| *rule != "uninitialised-read");
        }
        all
    }

    fn status(&self, status: Status) -> String {
        match status {
            Status::Finished => "finished".to_string(),
            Status::Stuck => "stuck".to_string(),
            Status::DidNotFinish(limit) => format!("did not finish: {limit:?}"),
            Status::RequirementFailed(at) => format!("requirement failed: {}", self.at(&at)),
            Status::AssumptionFailed(at) => format!("assumption failed: {}", self.at(&at)),
        }
    }

    fn line(&self, site: Site) -> String {
        format!("line {}", self.lines.line_of(Place::Inst(site.func, site.inst)))
    }

    fn at(&self, at: &At) -> String {
        format!("{} {}", self.line(at.site), position(&at.thread))
    }

    fn finding(&self, kind: &FindingKind) -> String {
        use FindingKind::*;
        let name = |array| format!("@{}", self.module.arrays[array].name);
        match kind {
            Race(race) | BenignRace(race) => {
                let (start, len) = race.overlap;
                let (a, b) = (self.side(&race.first), self.side(&race.second));
                format!("{} bytes {start}+{len}: {a}; {b}", name(race.array))
            }
            BarrierDivergence { scope, first, second } => {
                format!("{scope}: {}; {}", self.at(first), self.at(second))
            }
            LeftBarrierLoop { scope, waiting, left } => {
                format!("{scope}: {}; left {}", self.at(waiting), position(left))
            }
            ExitBeforeBarrier { scope, waiting, returned } => {
                format!("{scope}: {}; returned {}", self.at(waiting), position(returned))
            }
            WarpDeadlock { waiting, mask, missing } => {
                format!("{} mask {mask:#x} missing {missing:#x}", self.at(waiting))
            }
            MaskExcludesSelf { at, mask } => format!("{} mask {mask:#x}", self.at(at)),
            PartialExchange { at, lanes } => format!("{} lanes {lanes:#x}", self.at(at)),
            InactiveLane { at, lane } => format!("{} lane {lane}", self.at(at)),
            OutOfBounds { at, array, kind, offset, len, size } => {
                let size = size.map_or("unknown".to_string(), |size| size.to_string());
                let (at, name) = (self.at(at), name(*array));
                format!("{at} {kind:?} {name} bytes {}+{len} of {size}", *offset as i64)
            }
            Uninitialised { at, array, offset, len } => {
                format!("{} {} bytes {offset}+{len}", self.at(at), name(*array))
            }
            AssertFailed { at, kind } => format!("{} {kind}", self.at(at)),
            InvariantFailed { at }
            | BarrierInvariantFailed { at }
            | DivisionByZero { at }
            | SignedOverflow { at }
            | ConversionOutOfRange { at } => self.at(at),
            CopyMismatch { first, second } => format!("{}; {}", self.at(first), self.at(second)),
        }
    }

    fn side(&self, side: &RaceSide) -> String {
        let who = match &side.actor {
            Actor::Thread(thread) => position(thread),
            Actor::Copy(thread) => format!("copy of {}", position(thread)),
        };
        let value = side.value.map_or(String::new(), |value| format!(" {value}"));
        format!(
            "{} {who} {:?}{value} {}+{}",
            self.line(side.site),
            side.kind,
            side.offset,
            side.len
        )
    }

    fn elements(&self, outcome: &Outcome, name: &str, size: u64, count: u64) -> String {
        let array = self.module.arrays.iter().find(|(_, data)| data.name == name);
        let contents = array.and_then(|(array, _)| outcome.arrays.get(&array));
        let element = |n: u64| match contents.and_then(|c| c.number(n * size, size as usize)) {
            Some(number) => number.to_string(),
            None => "?".to_string(),
        };
        (0..count).map(element).collect::<Vec<_>>().join(" ")
    }
}

/// `b0 t5`, with as many coordinates as are not 0.
fn position(thread: &ThreadPos) -> String {
    let short = |id: [u32; 3]| match id {
        [x, 0, 0] => x.to_string(),
        [x, y, 0] => format!("{x},{y}"),
        [x, y, z] => format!("{x},{y},{z}"),
    };
    format!("b{} t{}", short(thread.block), short(thread.thread))
}

fn sites(kind: &FindingKind) -> Vec<Site> {
    use FindingKind::*;
    match kind {
        Race(race) | BenignRace(race) => vec![race.first.site, race.second.site],
        BarrierDivergence { first, second, .. } | CopyMismatch { first, second } => {
            vec![first.site, second.site]
        }
        ExitBeforeBarrier { waiting: at, .. }
        | LeftBarrierLoop { waiting: at, .. }
        | WarpDeadlock { waiting: at, .. }
        | MaskExcludesSelf { at, .. }
        | PartialExchange { at, .. }
        | InactiveLane { at, .. }
        | OutOfBounds { at, .. }
        | Uninitialised { at, .. }
        | AssertFailed { at, .. }
        | InvariantFailed { at }
        | BarrierInvariantFailed { at }
        | DivisionByZero { at }
        | ConversionOutOfRange { at }
        | SignedOverflow { at } => vec![at.site],
    }
}
