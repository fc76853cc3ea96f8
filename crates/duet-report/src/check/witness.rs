//! A run that shows a defect, as tables and pictures take it.

use duet_engine::Report;
use duet_engine::check::{Position, Scalar, array_name};
use duet_engine::refute::{Evidence, fill_text};
use duet_interp::{AccessKind, FindingKind, Key, Race, RaceSide};
use duet_ir::{Array, Func, Inst, Language, Module};

use super::replay::Replay;
use crate::run::{Memory, MemoryAccess, Witness, WitnessThread};

/// Characters of an array's contents that are shown.
const MOST_CONTENTS: usize = 120;

/// The run of a finding.
pub fn witness(
    module: &Module,
    kernel: Func,
    report: &Report,
    evidence: &Evidence,
    replay: &Replay,
) -> Witness {
    Witness {
        launch: launch(module.language, evidence),
        arguments: arguments(module, kernel, evidence),
        contents: contents(module, kernel, evidence),
        threads: threads(module, kernel, evidence),
        memory: memory(module, kernel, evidence),
        command: replay.line(module, kernel, report, evidence).unwrap_or_default(),
    }
}

fn launch(language: Language, evidence: &Evidence) -> Vec<(String, String)> {
    let run = &evidence.run;
    let names = match language {
        Language::Cuda => ["grid", "block", "offset"],
        Language::OpenCl => ["work-groups", "work-group size", "global offset"],
    };
    let [grid, block, offset] = names.map(str::to_string);
    let mut rows = vec![(grid, sizes(run.launch.grid)), (block, sizes(run.launch.block))];
    if run.launch.global_offset != [0; 3] {
        rows.push((offset, sizes(run.launch.global_offset)));
    }
    rows
}

/// `8`, or `8 × 4 × 1` where more than the first dimension matters.
fn sizes([x, y, z]: [u32; 3]) -> String {
    match (y, z) {
        (0 | 1, 0 | 1) => x.to_string(),
        (_, 0 | 1) => format!("{x} × {y}"),
        _ => format!("{x} × {y} × {z}"),
    }
}

fn arguments(module: &Module, kernel: Func, evidence: &Evidence) -> Vec<(String, String)> {
    let params = module.functions[kernel].scalar_params();
    let value = |index| evidence.run.inputs.scalars.get(&Key::Index(index)).copied();
    let rows = params.filter_map(|param| {
        let bits = value(param.index)?;
        Some((
            param.name.to_string(),
            Scalar { bits, ty: param.ty, unsigned: param.unsigned }.to_string(),
        ))
    });
    rows.collect()
}

fn contents(module: &Module, kernel: Func, evidence: &Evidence) -> Vec<(String, String)> {
    let func = &module.functions[kernel];
    let rows = evidence.run.inputs.arrays.iter().filter_map(|(key, input)| {
        let Key::Name(name) = key else { return None };
        let array = module.arrays.iter().find(|(_, data)| data.name == *name);
        let name = array.map_or(name.as_str(), |(id, _)| array_name(module, func, id));
        let mut text = fill_text(&input.fill);
        if text.chars().count() > MOST_CONTENTS {
            text = text.chars().take(MOST_CONTENTS).chain(['…']).collect();
        }
        Some((name.to_string(), text))
    });
    rows.collect()
}

fn threads(module: &Module, kernel: Func, evidence: &Evidence) -> Vec<WitnessThread> {
    let defect = &evidence.defect;
    let places = [Some(defect.primary), defect.secondary.or(Some(defect.primary))];
    let named = defect.threads().into_iter().zip(places).enumerate();
    let of = |(number, (position, place)): (usize, (Position, Option<Inst>))| {
        let path = evidence.paths.get(number).cloned().unwrap_or_default();
        WitnessThread {
            name: name(module.language, &position, evidence),
            action: action(&defect.kind, number),
            line: place.and_then(|inst| line(module, kernel, inst)),
            since: path.since,
            until: path.until,
            iterations: path.iterations,
        }
    };
    named.map(of).collect()
}

fn line(module: &Module, kernel: Func, inst: Inst) -> Option<u32> {
    module.source_span(module.functions[kernel].inst_locs[inst]).map(|span| span.line)
}

/// `thread 3, block 0`, with as many dimensions as the launch has.
fn name(language: Language, position: &Position, evidence: &Evidence) -> String {
    let launch = &evidence.run.launch;
    let (thread, block) = match language {
        Language::Cuda => ("thread", "block"),
        Language::OpenCl => ("work-item", "group"),
    };
    let (t, b) = (ids(position.thread, launch.block), ids(position.block, launch.grid));
    format!("{thread} {t}, {block} {b}")
}

fn ids([x, y, z]: [u32; 3], sizes: [u32; 3]) -> String {
    match sizes {
        [_, 1, 1] => x.to_string(),
        [_, _, 1] => format!("({x}, {y})"),
        _ => format!("({x}, {y}, {z})"),
    }
}

/// What thread `number` does at its place.
fn action(kind: &FindingKind, number: usize) -> String {
    use FindingKind::*;
    let word = match kind {
        Race(race) | BenignRace(race) => {
            access_word(if number == 0 { race.first.kind } else { race.second.kind })
        }
        BarrierDivergence { .. } | WarpDeadlock { .. } | MaskExcludesSelf { .. } => "waits",
        ExitBeforeBarrier { .. } => ["waits", "returned"][number.min(1)],
        LeftBarrierLoop { .. } => ["waits", "left the loop"][number.min(1)],
        OutOfBounds { kind, .. } => access_word(*kind),
        AssertFailed { .. } | InvariantFailed { .. } | BarrierInvariantFailed { .. } => "fails",
        Uninitialised { .. } => "reads",
        PartialExchange { .. }
        | InactiveLane { .. }
        | DivisionByZero { .. }
        | SignedOverflow { .. }
        | ConversionOutOfRange { .. }
        | CopyMismatch { .. } => "is here",
    };
    word.to_string()
}

fn access_word(kind: AccessKind) -> &'static str {
    match (kind.is_atomic(), kind.writes()) {
        (true, _) => "updates",
        (false, true) => "writes",
        (false, false) => "reads",
    }
}

fn memory(module: &Module, kernel: Func, evidence: &Evidence) -> Option<Memory> {
    let of = |array: Array, size, accesses, overlap| Memory {
        array: array_name(module, &module.functions[kernel], array).to_string(),
        element: u64::from(module.arrays[array].granule.max(1)),
        size,
        accesses,
        overlap,
    };
    match &evidence.defect.kind {
        FindingKind::Race(race) | FindingKind::BenignRace(race) => {
            let accesses = [&race.first, &race.second].map(|side| side_of(race, side)).to_vec();
            let overlap = Some((race.overlap.0 as i64, u64::from(race.overlap.1)));
            Some(of(race.array, None, accesses, overlap))
        }
        FindingKind::OutOfBounds { array, kind, offset, len, size, .. } => {
            let access = MemoryAccess {
                offset: *offset as i64,
                bytes: u64::from(*len),
                action: access_word(*kind).to_string(),
                value: None,
            };
            Some(of(*array, *size, vec![access], None))
        }
        FindingKind::BarrierDivergence { .. }
        | FindingKind::ExitBeforeBarrier { .. }
        | FindingKind::LeftBarrierLoop { .. }
        | FindingKind::WarpDeadlock { .. }
        | FindingKind::MaskExcludesSelf { .. }
        | FindingKind::PartialExchange { .. }
        | FindingKind::InactiveLane { .. }
        | FindingKind::Uninitialised { .. }
        | FindingKind::AssertFailed { .. }
        | FindingKind::InvariantFailed { .. }
        | FindingKind::BarrierInvariantFailed { .. }
        | FindingKind::DivisionByZero { .. }
        | FindingKind::SignedOverflow { .. }
        | FindingKind::ConversionOutOfRange { .. }
        | FindingKind::CopyMismatch { .. } => None,
    }
}

fn side_of(race: &Race, side: &RaceSide) -> MemoryAccess {
    let digits = 2 * race.overlap.1 as usize;
    MemoryAccess {
        offset: side.offset as i64,
        bytes: u64::from(side.len),
        action: access_word(side.kind).to_string(),
        value: side
            .value
            .filter(|_| side.kind.writes())
            .map(|value| format!("0x{value:0digits$x}")),
    }
}
