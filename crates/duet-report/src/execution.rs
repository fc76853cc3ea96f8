//! What `duet run` says: findings as diagnostics, and as JSON.

use std::path::{Path, PathBuf};

use duet_interp::{
    AccessKind, Actor, At, Contents, Finding, FindingKind, Launch, Limit, Outcome, Race, RaceSide,
    Site, Status, ThreadPos,
};
use duet_ir::{Diagnostic, Func, Module, SourceSpan};
use serde_json::{Value, json};

/// The findings of one kernel.
pub fn diagnostics(module: &Module, kernel: Func, findings: &[&Finding]) -> Vec<Diagnostic> {
    findings.iter().map(|finding| diagnostic(module, kernel, finding)).collect()
}

fn diagnostic(module: &Module, kernel: Func, finding: &Finding) -> Diagnostic {
    let mut diagnostic = Diagnostic::new(finding.kind.rule(), headline(module, &finding.kind));
    let places = places(module, &finding.kind);
    diagnostic.primary = places.first().and_then(|(site, _)| span(module, *site));
    for (site, label) in places.iter().skip(1) {
        if let Some(span) = span(module, *site) {
            diagnostic.secondary.push((span, label.clone()));
        }
    }
    if let Some((_, label)) = places.first() {
        diagnostic = diagnostic.note(label.clone());
    }
    let name = &module.functions[kernel].name;
    let times = match finding.count {
        1 => "once".to_string(),
        count => format!("{count} times"),
    };
    diagnostic.note(format!("in kernel `{name}`, seen {times} in this run"))
}

fn headline(module: &Module, kind: &FindingKind) -> String {
    use FindingKind::*;
    match kind {
        Race(race) => format!("data race on {}", element(module, race)),
        BenignRace(race) => {
            format!("two threads write the same value to {}", element(module, race))
        }
        BarrierDivergence { scope, .. } => {
            format!("threads of one {scope} wait at different barriers")
        }
        LeftBarrierLoop { .. } => {
            "a thread left a loop while others wait at a barrier in it".into()
        }
        ExitBeforeBarrier { .. } => "a thread returned before a barrier others wait at".into(),
        WarpDeadlock { mask, missing, .. } => {
            format!("lanes {missing:#x} of the mask {mask:#x} never arrive")
        }
        MaskExcludesSelf { mask, .. } => format!("the mask {mask:#x} leaves out its own lane"),
        PartialExchange { lanes, .. } => format!("only lanes {lanes:#x} take part in the exchange"),
        InactiveLane { lane, .. } => format!("the shuffle reads lane {lane}, which takes no part"),
        OutOfBounds { array, offset, len, size, .. } => {
            let size = size.map_or(String::new(), |size| format!(" of {size} bytes"));
            let name = &module.arrays[*array].name;
            // Offsets before the start wrap around; the reader wants them negative.
            let first = *offset as i64;
            let last = first.wrapping_add(i64::from(*len) - 1);
            format!("bytes {first} to {last} lie outside `{name}`{size}")
        }
        Uninitialised { array, .. } => {
            format!("`{}` is read before it is written", module.arrays[*array].name)
        }
        AssertFailed { kind, .. } => match kind.name() {
            "trap" => "the kernel traps".into(),
            "pointer" => "a pointer is null or points nowhere".into(),
            "constant_write" => "constant memory is written".into(),
            "unreachable" => "control reaches a point it should not".into(),
            _ => "an assertion fails".into(),
        },
        InvariantFailed { .. } => "a loop invariant is false".into(),
        BarrierInvariantFailed { .. } => "a barrier invariant is false".into(),
        DivisionByZero { .. } => "division by zero".into(),
        SignedOverflow { .. } => "signed overflow".into(),
        ConversionOutOfRange { .. } => {
            "a float is converted to an integer type that cannot hold it".into()
        }
        CopyMismatch { .. } => "threads disagree about an asynchronous copy".into(),
    }
}

/// The element that a race is about, in the user's terms.
fn element(module: &Module, race: &Race) -> String {
    let data = &module.arrays[race.array];
    let (offset, len) = race.overlap;
    let granule = u64::from(data.granule.max(1));
    match granule {
        1 => format!("byte {offset} of `{}`", data.name),
        _ => {
            let _ = len;
            format!("`{}[{}]`", data.name, offset / granule)
        }
    }
}

/// The instructions that a finding is about, each with what happens there.
fn places(module: &Module, kind: &FindingKind) -> Vec<(Site, String)> {
    use FindingKind::*;
    match kind {
        Race(race) | BenignRace(race) => {
            vec![side(module, race, &race.first), side(module, race, &race.second)]
        }
        BarrierDivergence { first, second, .. } | CopyMismatch { first, second } => {
            vec![at("here", first), at("here", second)]
        }
        LeftBarrierLoop { waiting, left, .. } => {
            vec![(
                waiting.site,
                format!("{} waits; {} left the loop", thread(&waiting.thread), thread(left)),
            )]
        }
        ExitBeforeBarrier { waiting, returned, .. } => {
            vec![(
                waiting.site,
                format!("{} waits; {} returned", thread(&waiting.thread), thread(returned)),
            )]
        }
        WarpDeadlock { waiting, .. } => vec![at("waits", waiting)],
        MaskExcludesSelf { at: place, .. }
        | PartialExchange { at: place, .. }
        | InactiveLane { at: place, .. }
        | OutOfBounds { at: place, .. }
        | Uninitialised { at: place, .. }
        | AssertFailed { at: place, .. }
        | InvariantFailed { at: place }
        | BarrierInvariantFailed { at: place }
        | DivisionByZero { at: place }
        | SignedOverflow { at: place }
        | ConversionOutOfRange { at: place } => vec![at("here", place)],
    }
}

fn at(what: &str, at: &At) -> (Site, String) {
    (at.site, format!("{} {what}", thread(&at.thread)))
}

fn side(module: &Module, race: &Race, side: &RaceSide) -> (Site, String) {
    let verb = match side.kind {
        AccessKind::Read => "reads",
        AccessKind::Write => "writes",
        AccessKind::AtomicRead => "atomically reads",
        AccessKind::AtomicWrite => "atomically updates",
    };
    let actor = match &side.actor {
        Actor::Thread(position) => thread(position),
        Actor::Copy(position) => format!("the copy started by {}", thread(position)),
    };
    let value = match side.value {
        Some(value) => format!(" (value {value:#x})"),
        None => String::new(),
    };
    (side.site, format!("{actor} {verb} {}{value}", element(module, race)))
}

fn thread(position: &ThreadPos) -> String {
    let triple = |[x, y, z]: [u32; 3]| format!("({x},{y},{z})");
    format!("thread {} of block {}", triple(position.thread), triple(position.block))
}

/// Where an instruction is in the user's source.
fn span(module: &Module, site: Site) -> Option<SourceSpan> {
    module.source_span(module.functions[site.func].inst_locs[site.inst])
}

/// One line about the whole run.
pub fn summary(module: &Module, kernel: Func, launch: &Launch, outcome: &Outcome) -> String {
    let name = &module.functions[kernel].name;
    let defects = outcome.defects().count();
    let verdict = match (&outcome.status, defects) {
        (Status::Finished, 0) => "finished, no defect seen".to_string(),
        (Status::Finished, count) => format!("finished, {count} defects"),
        (other, 0) => status_in_words(module, other),
        (other, count) => format!("{}, {count} defects", status_in_words(module, other)),
    };
    format!(
        "{name}: {verdict} ({} threads, {} instructions)\n",
        launch.threads(),
        outcome.instructions
    )
}

/// How a run ended, in words.
fn status_in_words(module: &Module, status: &Status) -> String {
    let line =
        |at: &At| span(module, at.site).map_or(String::new(), |at| format!(" on line {}", at.line));
    match status {
        Status::Finished => "finished".to_string(),
        Status::Stuck => "given up: some threads wait forever".to_string(),
        Status::DidNotFinish(limit) => format!("not finished: {}", limit_in_words(*limit)),
        Status::RequirementFailed(at) => format!(
            "not legal: the precondition{} is false, so what was seen means nothing",
            line(at)
        ),
        Status::AssumptionFailed(at) => format!(
            "not covered: the assumption{} is false, so what was seen means nothing",
            line(at)
        ),
    }
}

fn limit_in_words(limit: Limit) -> &'static str {
    match limit {
        Limit::Steps => "the limit on instructions was reached (--max-steps)",
        Limit::ThreadSteps => "the limit on instructions of one thread was reached",
        Limit::Memory => "the limit on memory was reached",
        Limit::Barriers => "the limit on barriers was reached",
        Limit::CallDepth => "the limit on nested calls was reached",
        Limit::Conflicts => "the limit on conflicts was reached",
        Limit::Observed => "what was looked for was seen",
    }
}

/// The elements of an array at the end, as hexadecimal numbers.
pub fn contents(module: &Module, outcome: &Outcome, name: &str) -> Result<String, String> {
    let (array, data) = module
        .arrays
        .iter()
        .find(|(_, data)| data.name == name)
        .ok_or_else(|| format!("--print: there is no array `{name}`"))?;
    let Some(contents) = outcome.arrays.get(&array) else {
        return Err(format!("--print: `{name}` is not in global memory"));
    };
    let granule = data.granule.max(1) as usize;
    let elements: Vec<String> = match contents {
        Contents::Dense(bytes) => bytes.chunks(granule).map(number).collect(),
        Contents::Sparse(_) => {
            return Err(format!("--print: the size of `{name}` is not known; give it with --fill"));
        }
    };
    Ok(format!("{name} = [{}]\n", elements.join(", ")))
}

/// A little-endian number.
fn number(chunk: &[u8]) -> String {
    let mut bytes = [0; 16];
    bytes[..chunk.len()].copy_from_slice(chunk);
    u128::from_le_bytes(bytes).to_string()
}

/// The whole result.
pub fn json(file: &Path, module: &Module, launch: &Launch, reports: &[(Func, Outcome)]) -> Value {
    let kernels: Vec<Value> =
        reports.iter().map(|(kernel, outcome)| kernel_json(module, *kernel, outcome)).collect();
    json!({
        "version": 1,
        "file": PathBuf::from(file).display().to_string(),
        "launch": {
            "grid": launch.grid,
            "block": launch.block,
            "global_offset": launch.global_offset,
            "dynamic_shared": launch.dynamic_shared,
        },
        "kernels": kernels,
    })
}

fn kernel_json(module: &Module, kernel: Func, outcome: &Outcome) -> Value {
    let findings: Vec<Value> = outcome
        .findings
        .iter()
        .map(|finding| {
            let diagnostic = diagnostic(module, kernel, finding);
            let mut value = crate::json::diagnostic_to_json(&diagnostic);
            value["count"] = json!(finding.count);
            value
        })
        .collect();
    json!({
        "name": module.functions[kernel].name,
        "status": format!("{:?}", outcome.status),
        "ended": status_in_words(module, &outcome.status),
        "instructions": outcome.instructions,
        "findings": findings,
    })
}
