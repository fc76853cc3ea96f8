//! A run that shows a defect, as JSON.

use duet_engine::Report;
use duet_engine::check::{Position, Scalar, array_name};
use duet_engine::refute::{Evidence, Path, fill_text, own_name};
use duet_interp::{FindingKind, Key, Race, RaceSide, Schedule};
use duet_ir::{Func, Module};
use serde_json::{Map, Value, json};

use super::replay::Replay;

/// The whole run. docs/check.md describes the fields.
pub fn evidence_json(
    module: &Module,
    kernel: Func,
    report: &Report,
    evidence: &Evidence,
    replay: &Replay,
) -> Value {
    let run = &evidence.run;
    let mut value = json!({
        "block_dim": run.launch.block,
        "grid_dim": run.launch.grid,
        "global_offset": run.launch.global_offset,
        "threads": evidence.defect.threads().iter().map(position_json).collect::<Vec<_>>(),
        "arguments": arguments_json(module, kernel, evidence),
        "arrays": arrays_json(module, kernel, evidence),
        "aliases": aliases_json(module, kernel, evidence),
        "schedule": match run.schedule {
            Schedule::InOrder => "in-order".to_string(),
            Schedule::Reversed => "reversed".to_string(),
            Schedule::Seeded(seed) => seed.to_string(),
        },
        "seed": run.seed,
        "unknown_below": run.unknown_below,
        "only_blocks": run.only_blocks,
        "only_threads": run.only_threads,
        "cut_after": run.cut_after,
        "warp_sync": run.lock_step,
        "not_seen_if": evidence.not_seen_if,
        "paths": evidence.paths.iter().map(path_json).collect::<Vec<_>>(),
        "command": replay.words(module, kernel, report, evidence),
    });
    if let FindingKind::Race(race) | FindingKind::BenignRace(race) = &evidence.defect.kind {
        value["conflict"] = conflict_json(module, kernel, race);
    }
    value
}

/// A thread's ids.
pub fn position_json(position: &Position) -> Value {
    json!({ "thread": position.thread, "block": position.block })
}

/// The value of an argument.
pub fn scalar_json(value: &Scalar) -> Value {
    json!({
        "type": value.ty.to_string(),
        "bits": format!("{:#x}", value.bits),
        "text": value.to_string(),
    })
}

fn arguments_json(module: &Module, kernel: Func, evidence: &Evidence) -> Map<String, Value> {
    let func = &module.functions[kernel];
    let scalars = func.scalar_params().filter_map(|param| {
        let bits = *evidence.run.inputs.scalars.get(&Key::Index(param.index))?;
        Some((
            param.name.to_string(),
            scalar_json(&Scalar { bits, ty: param.ty, unsigned: param.unsigned }),
        ))
    });
    scalars.collect()
}

fn arrays_json(module: &Module, kernel: Func, evidence: &Evidence) -> Map<String, Value> {
    let func = &module.functions[kernel];
    let arrays = evidence.run.inputs.arrays.iter().filter_map(|(key, input)| {
        let Key::Name(name) = key else { return None };
        let array = module.arrays.iter().find(|(_, data)| data.name == *name);
        let name = array.map_or(name.as_str(), |(id, _)| array_name(module, func, id));
        Some((name.to_string(), json!({ "fill": fill_text(&input.fill), "bytes": input.bytes })))
    });
    arrays.collect()
}

/// Parameters that point into another one's array.
fn aliases_json(module: &Module, kernel: Func, evidence: &Evidence) -> Vec<Value> {
    let aliases = evidence.run.inputs.aliases.iter();
    let one = |(key, (of, shift)): (&Key, &(Key, u64))| {
        json!({
            "pointer": own_name(module, kernel, key),
            "into": own_name(module, kernel, of),
            "bytes": shift,
        })
    };
    aliases.map(one).collect()
}

fn path_json(path: &Path) -> Value {
    let branches = path.branches.iter().map(|(line, way)| json!({ "line": line, "taken": way }));
    let iterations =
        path.iterations.iter().map(|(line, count)| json!({ "line": line, "iteration": count }));
    json!({
        "branches": branches.collect::<Vec<_>>(),
        "iterations": iterations.collect::<Vec<_>>(),
        "since_barrier": path.since,
        "until_barrier": path.until,
    })
}

/// The bytes that two accesses have in common.
fn conflict_json(module: &Module, kernel: Func, race: &Race) -> Value {
    let data = &module.arrays[race.array];
    let (first, len) = race.overlap;
    let side = |side: &RaceSide| {
        json!({
            "offset": side.offset,
            "bytes": side.len,
            "writes": side.kind.writes(),
            "atomic": side.kind.is_atomic(),
            "value": side.value.map(|value| format!("{value:#x}")),
        })
    };
    json!({
        "array": array_name(module, &module.functions[kernel], race.array),
        "element": first / u64::from(data.granule.max(1)),
        "first_byte": first,
        "bytes": len,
        "accesses": [side(&race.first), side(&race.second)],
    })
}
