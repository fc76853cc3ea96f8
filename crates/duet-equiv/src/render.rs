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
            let who = match &difference.writers[side] {
                Some(writer) => format!("written by {writer}"),
                None => "not written".to_string(),
            };
            lines.push(format!("    {letter}: {own}{note}, {who}"));
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
            "writer_a": difference.writers[0],
            "writer_b": difference.writers[1],
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

/// Several reports as JSON: one by itself, or a list.
pub fn all_json(reports: &[Report], exit_code: u8) -> Value {
    match reports {
        [report] => json(report, exit_code),
        _ => json!({
            "version": 1,
            "exit_code": exit_code,
            "reports": reports.iter().map(|one| json(one, own_code(one))).collect::<Vec<Value>>(),
        }),
    }
}

fn own_code(report: &Report) -> u8 {
    match report.verdict {
        Verdict::Equal => 0,
        Verdict::Different => 1,
        Verdict::NotShown | Verdict::Vacuous => 2,
    }
}

/// Reports as SARIF: a result for each pair that is not equal.
pub fn sarif(reports: &[Report], version: &str) -> Value {
    let results: Vec<Value> = reports
        .iter()
        .filter(|report| report.verdict != Verdict::Equal)
        .map(|report| {
            let (rule, level) = match report.verdict {
                Verdict::Different => ("not-equivalent", "error"),
                Verdict::Equal | Verdict::NotShown | Verdict::Vacuous => {
                    ("equivalence-not-shown", "warning")
                }
            };
            let places: Vec<Value> = report
                .kernels
                .iter()
                .map(|(file, kernel)| {
                    json!({
                        "physicalLocation": { "artifactLocation": { "uri": file } },
                        "logicalLocations": [{ "name": kernel, "kind": "function" }],
                    })
                })
                .collect();
            json!({
                "ruleId": rule,
                "level": level,
                "message": { "text": text(report).trim_end() },
                "locations": [places[1]],
                "relatedLocations": [places[0]],
            })
        })
        .collect();
    let rule = |id: &str, text: &str| json!({ "id": id, "shortDescription": { "text": text } });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "duet",
                "version": version,
                "rules": [
                    rule("not-equivalent", "two kernels leave different contents"),
                    rule("equivalence-not-shown", "two kernels are not shown to be the same"),
                ],
            } },
            "results": results,
        }],
    })
}

/// A page with the two sources side by side.
pub fn html(reports: &[Report], sources: &[[String; 2]]) -> String {
    let escaped = |text: &str| text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let mut page = String::from(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>duet equiv</title>\n\
         <style>body{font-family:sans-serif;margin:2em}pre{background:#f4f4f4;padding:1em;overflow:auto}\
         .pair{display:grid;grid-template-columns:1fr 1fr;gap:1em}.different{color:#a00}.equal{color:#070}\
         </style></head><body>\n",
    );
    for (report, sources) in reports.iter().zip(sources) {
        let class = if report.verdict == Verdict::Equal { "equal" } else { "different" };
        let [(file_a, a), (file_b, b)] = &report.kernels;
        page += &format!(
            "<h1 class=\"{class}\">{} and {}: {}</h1>\n<pre>{}</pre>\n<div class=\"pair\">\n",
            escaped(a),
            escaped(b),
            escaped(&headline(report)),
            escaped(&text(report)),
        );
        for (file, source) in [(file_a, &sources[0]), (file_b, &sources[1])] {
            let numbered: Vec<String> = (1..)
                .zip(source.lines())
                .map(|(number, line)| format!("{number:4}  {}", escaped(line)))
                .collect();
            page += &format!(
                "<div><h2>{}</h2><pre>{}</pre></div>\n",
                escaped(file),
                numbered.join("\n")
            );
        }
        page += "</div>\n";
    }
    page + "</body></html>\n"
}
