//! Each rule that makes up loop invariants is needed: `kernels/loops` has a kernel
//! that is proved with it, and not without.

mod common;

use std::process::Command;

use common::{KernelFile, assert_none, in_parallel, kernels};
use duet_engine::check::RULES;

/// `relationalPow2` is needed by `loops/relational-pow2.cu`.
fn kernel_of(rule: &str) -> String {
    let mut name = String::from("loops/");
    for letter in rule.chars() {
        if letter.is_uppercase() {
            name.push('-');
        }
        name.extend(letter.to_lowercase());
    }
    name + ".cu"
}

fn is_proved(file: &KernelFile, options: &[&str]) -> bool {
    let output = Command::new(env!("CARGO_BIN_EXE_duet"))
        .args(["check", "--silent", "--timeout=20"])
        .args(options)
        .args(&file.header.options)
        .arg(&file.path)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs");
    output.status.code() == Some(0)
}

#[test]
fn every_rule_is_essential_for_its_kernel() {
    let all = kernels();
    let rules: Vec<&str> = RULES.iter().map(|rule| rule.name).collect();
    let problems = in_parallel(&rules, |rule| {
        let name = kernel_of(rule);
        let Some(file) = all.iter().find(|file| file.name == name) else {
            return Some(format!("{rule} has no kernel {name}"));
        };
        let omit = format!("--omit-infer={rule}");
        match (is_proved(file, &[]), is_proved(file, &[&omit])) {
            (true, false) => None,
            (false, _) => Some(format!("{name} is not proved")),
            (true, true) => Some(format!("{name} is proved without {rule}")),
        }
    });
    assert_none(problems.into_iter().flatten());
}
