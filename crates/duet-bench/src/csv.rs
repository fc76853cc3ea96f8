//! Results as comma-separated values (RFC 4180), one line for each file and
//! configuration.

use crate::record::{Expected, Record};

const HEADS: &str = "file,configuration,expected,outcome,loops,seconds,clang_seconds,\
solver_seconds,infer_seconds,peak_mb,reason";

/// All results.
pub fn render_csv(records: &[Record]) -> String {
    let mut text = format!("{HEADS}\n");
    for record in records {
        text.push_str(&line(record));
        text.push('\n');
    }
    text
}

fn line(record: &Record) -> String {
    let loops: u64 = record.kernels.iter().map(|kernel| kernel.loops).sum();
    let expected = match record.expected {
        Expected::Pass => "pass",
        Expected::Fail => "fail",
        Expected::Nothing => "",
    };
    let cells = [
        record.file.clone(),
        record.configuration.clone(),
        expected.to_string(),
        record.outcome.word().to_string(),
        record.has_loops().map(|_| loops.to_string()).unwrap_or_default(),
        format!("{:.3}", record.seconds),
        format!("{:.3}", record.clang_seconds),
        format!("{:.3}", record.solver_seconds),
        format!("{:.3}", record.infer_seconds),
        format!("{:.1}", record.peak_mb),
        record.reason.clone(),
    ];
    cells.map(|cell| quote(&cell)).join(",")
}

fn quote(cell: &str) -> String {
    match cell.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", cell.replace('"', "\"\"")),
        false => cell.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::quote;

    #[test]
    fn cells_that_need_quotes() {
        assert_eq!(quote("plain"), "plain");
        assert_eq!(quote("a,b"), "\"a,b\"");
        assert_eq!(quote("say \"no\""), "\"say \"\"no\"\"\"");
    }
}
