//! The report as text and as JSON.

use duet_ir::Type;
use serde_json::{Value, json};

use crate::report::{Report, Verdict};
use crate::search::Element;

/// The report as text.
pub fn text(report: &Report) -> String {
    let [(file_a, a), (file_b, b)] = &report.kernels;
    let mut lines = vec![format!("{a} ({file_a}) and {b} ({file_b}): {}", headline(report))];
    lines.extend(report.launches.iter().map(|line| format!("  {line}")));
    lines.push(format!("  compared: {}", report.outputs.join(", ")));
    if let Some(difference) = &report.difference {
        let element = &difference.element;
        lines.push(format!("  {}[{}] differs:", element.array, element.index));
        for (letter, side) in [("a", 0), ("b", 1)] {
            let own = value(element, element.values[side]);
            let kept = element.values[side] == element.before;
            let note = if kept { " (as it was before)" } else { "" };
            lines.push(format!("    {letter}: {own}{note}"));
        }
        lines.push("  repeat with:".to_string());
    } else if let (Verdict::Equal, false) = (report.verdict, report.commands.is_empty()) {
        lines.push("  a launch that meets all of this:".to_string());
    }
    lines.extend(report.commands.iter().map(|command| format!("    {command}")));
    if let Some(engine) = &report.engine {
        lines.push(format!("  proved: {engine}"));
    }
    lines.extend(report.notes.iter().map(|note| format!("  note: {note}")));
    lines.extend(report.reasons.iter().map(|reason| format!("  because: {reason}")));
    if report.verdict == Verdict::Equal {
        lines.extend(report.assumptions.iter().map(|one| format!("  assuming: {one}")));
    }
    lines.push(format!("  {} pairs of runs compared", report.runs));
    lines.join("\n") + "\n"
}

fn headline(report: &Report) -> String {
    match (report.verdict, report.one_sided.as_slice()) {
        (Verdict::Equal, [first, ..]) => format!("equal only where {first}"),
        (verdict, _) => verdict.words().to_string(),
    }
}

/// The report as JSON.
pub fn json(report: &Report, exit_code: u8) -> Value {
    let side = |(file, kernel): &(String, String)| json!({ "file": file, "kernel": kernel });
    let difference = report.difference.as_ref().map(|difference| {
        let element = &difference.element;
        json!({
            "array": element.array,
            "index": element.index,
            "element_bytes": element.bytes,
            "a": value(element, element.values[0]),
            "b": value(element, element.values[1]),
            "before": value(element, element.before),
        })
    });
    json!({
        "version": 1,
        "verdict": report.verdict.words(),
        "exit_code": exit_code,
        "a": side(&report.kernels[0]),
        "b": side(&report.kernels[1]),
        "launches": report.launches,
        "outputs": report.outputs,
        "engine": report.engine,
        "notes": report.notes,
        "assumptions": report.assumptions,
        "one_sided_assumptions": report.one_sided,
        "reasons": report.reasons,
        "difference": difference,
        "commands": report.commands,
        "runs": report.runs,
    })
}

/// A value of an element, by its type.
fn value(element: &Element, bits: u128) -> String {
    match element.ty {
        Some(Type::F32) => format!("{:?} (0x{bits:08x})", f32::from_bits(bits as u32)),
        Some(Type::F64) => format!("{:?} (0x{bits:016x})", f64::from_bits(bits as u64)),
        _ => {
            let shift = 128 - 8 * element.bytes.clamp(1, 16);
            (((bits << shift) as i128) >> shift).to_string()
        }
    }
}
