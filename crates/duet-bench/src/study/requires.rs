//! Preconditions: how many kernels are proved with the sizes that their files give,
//! for any launch, and for any launch under a precondition that was found.
//!
//! A precondition counts if it fixes no size or argument to a number other than 1; one
//! that admits a single block only is counted apart. (That a run under it shows no
//! defect is a condition of finding it at all.)

use serde_json::Value;

use super::by_configuration;
use crate::page::Page;
use crate::record::{KernelRecord, Outcome, Record};
use crate::run::Configuration;
use crate::table::{Align, Table};

/// The sizes of the files, free ones, and free ones with preconditions.
pub(super) fn configurations() -> Vec<Configuration> {
    vec![
        Configuration::new("sizes given", &[]),
        Configuration::new("sizes free", &["--sizes-free"]),
        Configuration::new("inferred", &["--sizes-free", "--infer-requires"]),
    ]
}

/// What a file comes to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Result {
    Proved,
    Inferred,
    OneBlock,
    Other,
}

fn of_kernel(kernel: &KernelRecord) -> Result {
    let found = &kernel.requires;
    match kernel.verdict.as_str() {
        "proved" => Result::Proved,
        _ if found.is_null() || found["fixes_a_size"] != Value::Bool(false) => Result::Other,
        _ if found["one_block_only"] == Value::Bool(true) => Result::OneBlock,
        _ => Result::Inferred,
    }
}

/// The worst of its kernels.
fn of_file(record: &Record) -> Result {
    if record.outcome == Outcome::Proved {
        return Result::Proved;
    }
    let kernels: Vec<Result> = record.kernels.iter().map(of_kernel).collect();
    let worst_first = [Result::Other, Result::OneBlock, Result::Inferred, Result::Proved];
    let worst = worst_first.into_iter().find(|result| kernels.contains(result));
    // A file without kernels, or whose check was ended, is not proved.
    worst.filter(|result| *result != Result::Proved).unwrap_or(Result::Other)
}

/// The table, and the preconditions.
pub(super) fn page(records: &[Record]) -> Page {
    let mut table = Table::new(&[
        ("configuration", Align::Left),
        ("files", Align::Right),
        ("proved", Align::Right),
        ("under a precondition", Align::Right),
        ("one block only", Align::Right),
        ("not proved", Align::Right),
    ]);
    let mut list = Table::new(&[("file", Align::Left), ("precondition", Align::Left)]);
    for (name, records) in by_configuration(records) {
        let count = |wanted: Result| {
            records.iter().filter(|record| of_file(record) == wanted).count().to_string()
        };
        let all = records.len().to_string();
        let [proved, inferred, one, other] =
            [Result::Proved, Result::Inferred, Result::OneBlock, Result::Other].map(count);
        table.row([name, all, proved, inferred, one, other]);
        for record in records {
            for kernel in &record.kernels {
                if let Some(text) = kernel.requires["condition"].as_str() {
                    list.row([record.file.clone(), text.to_string()]);
                }
            }
        }
    }
    let mut page = Page::new("Preconditions");
    page.text("Kernels proved with the sizes that their files give, for any launch, and for any launch under a precondition that was found.");
    page.table("How many", table);
    page.table("Preconditions", list);
    page
}

#[cfg(test)]
mod tests {
    use super::{Result, of_kernel};
    use crate::record::KernelRecord;
    use serde_json::{Value, json};

    #[test]
    fn what_counts() {
        let kernel = |verdict: &str, requires: Value| KernelRecord {
            verdict: verdict.to_string(),
            requires,
            ..KernelRecord::default()
        };
        let found = |one: bool, fixes: bool| json!({ "condition": "n == 1", "one_block_only": one, "fixes_a_size": fixes });
        assert_eq!(of_kernel(&kernel("proved", Value::Null)), Result::Proved);
        assert_eq!(of_kernel(&kernel("refuted", found(false, false))), Result::Inferred);
        assert_eq!(of_kernel(&kernel("unproven", found(true, false))), Result::OneBlock);
        assert_eq!(of_kernel(&kernel("unproven", found(false, true))), Result::Other);
        assert_eq!(of_kernel(&kernel("unproven", Value::Null)), Result::Other);
    }
}
