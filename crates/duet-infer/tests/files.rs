//! File tests: each file holds a kernel in the text form and, in sections named
//! after rules, the candidates that these make up for each loop. The launch is 64
//! threads in each of 4 blocks. `BLESS=1` rewrites the sections.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use duet_analysis::LaunchSpec;
use duet_infer::{RULES, Selection, guess};
use duet_ir::{Func, Module, WellFormed, check_well_formed};
use duet_product::{FactsOptions, KernelFacts};

/// The candidates of one rule, loop by loop.
fn candidates(module: &WellFormed, id: Func, rule: &str) -> String {
    let options = FactsOptions {
        launch: LaunchSpec::known([4, 1, 1], [64, 1, 1]),
        arguments: BTreeMap::new(),
        may_alias: false,
        warp_sync: None,
    };
    let kernel = KernelFacts::new(module, id, &options);
    let only = BTreeSet::from([rule.to_string()]);
    let found = guess(&kernel, &Selection { only, omit: BTreeSet::new() });
    let mut text = String::new();
    for (id, _) in kernel.loops.iter() {
        let own = found.iter().filter(|(of, _)| *of == id);
        let list: Vec<String> = own.map(|(_, one)| format!("  {}\n", one.expr)).collect();
        writeln!(text, "{id}:{}", if list.is_empty() { " nothing" } else { "" }).expect("text");
        text.extend(list);
    }
    text
}

#[test]
fn rules_guess_what_the_files_say() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    duet_filetest::run(dir, "duet", |file| {
        let mut sections = file.sections();
        let module = Module::parse(&sections.input).map_err(|errors| format!("{errors:?}"))?;
        let module = check_well_formed(module).map_err(|errors| format!("{errors:?}"))?;
        let (kernel, _) = module.kernels().next().ok_or("no kernel")?;
        let names: Vec<String> = sections.names().map(str::to_string).collect();
        for name in names {
            let text = candidates(&module, kernel, &name);
            sections.set(&name, text);
        }
        Ok(sections.to_string())
    });
}

/// Every rule has a file with a loop that it speaks of, and one that it does not.
#[test]
fn every_rule_has_a_file() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/files");
    for rule in RULES {
        let path = dir.join(format!("{}.duet", rule.name));
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let section = text.split("==== ").find(|part| part.starts_with(rule.name));
        let section = section.unwrap_or_else(|| panic!("{} has no section", path.display()));
        assert!(section.contains("  ("), "{} speaks of no loop", rule.name);
        assert!(section.contains("nothing"), "{} speaks of every loop", rule.name);
    }
}
