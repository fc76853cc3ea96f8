//! Kernels that order their threads by fences and flags (`kernels/order`): right ones and
//! wrong ones with one defect each. No right one is refuted and no wrong one proved; most
//! right ones are proved, and most wrong ones are shown to fail by a run. Each rule that a
//! review settled has kernels of both kinds, and each finding about order the line that mends
//! it.

mod common;

use std::path::Path;
use std::process::Command;

use common::{KernelFile, assert_none, kernel, kernels};
use serde_json::Value;

/// How many there are of each kind, at least, and how many of them are decided. Only ever
/// raised.
const RIGHT: usize = 103;
const PROVED: usize = 93;
const WRONG: usize = 211;
const REFUTED: usize = 191;

/// Wrong kernels, with the rule that names what is missing. Each is reported beside the race.
const NAMED: &[(&str, &str)] = &[
    ("order/message-no-release-bug.cu", "missing-fence"),
    ("order/message-no-acquire-bug.cu", "missing-fence"),
    ("order/last-block-almost.cu", "missing-fence"),
    ("order/last-block-no-release-bug.cu", "missing-fence"),
    ("order/lock-no-acquire-bug.cu", "missing-fence"),
    ("order/message-narrow-fence-bug.cu", "fence-scope-too-narrow"),
    ("order/last-block-narrow-bug.cu", "fence-scope-too-narrow"),
    ("order/message-narrow-flag-bug.cu", "atomic-scope-too-narrow"),
    ("order/lock-scope-bug.cu", "atomic-scope-too-narrow"),
    ("order/message-plain-flag-bug.cu", "plain-access-to-flag"),
    ("order/lock-plain-reset-bug.cu", "plain-access-to-flag"),
];

/// A rule that a review settled, with kernels that keep to it and broken twins.
struct Settled {
    number: usize,
    right: &'static [&'static str],
    broken: &'static [&'static str],
}

/// The rules by number.
const RULES: &[Settled] = &[
    // Where the fence stands.
    Settled {
        number: 1,
        right: &["message.cu", "spin-fence-behind.cu", "atomic-ref-fences.cu"],
        broken: &["message-early-fence-bug.cu", "message-late-bug.cu", "spin-fence-before-bug.cu"],
    },
    // Morally strong.
    Settled {
        number: 2,
        right: &["message-in-block.cu", "message-volatile.cu", "ref-fence-system.cu"],
        broken: &[
            "message-narrow-fence-bug.cu",
            "message-narrow-flag-bug.cu",
            "message-ldg-bug.cu",
            "half-flag-bug.cu",
            "volatile-packet-bug.cu",
        ],
    },
    // Seeing a value is not seeing a write.
    Settled {
        number: 3,
        right: &[
            "last-block.cu",
            "chain-fence.cu",
            "last-block-assumed.cu",
            "last-block-guarded.cu",
            "gate-generation.cu",
        ],
        broken: &[
            "last-block-guarded-bug.cu",
            "gate-generation-stale-bug.cu",
            "message-initial-bug.cu",
            "two-writers-bug.cu",
            "chain-broken-bug.cu",
            "last-block-two-bug.cu",
            "last-block-no-barrier-bug.cu",
        ],
    },
    // Tickets.
    Settled {
        number: 4,
        right: &["queue.cu", "queue-counted.cu"],
        broken: &["queue-own-counter-bug.cu", "tickets-bug.cu", "queue-tail-bug.cu"],
    },
    // Locks.
    Settled {
        number: 5,
        right: &["lock.cu", "lock-array.cu", "lock-try.cu", "lock-passed-on.cu"],
        broken: &[
            "lock-two-bug.cu",
            "lock-tried-bug.cu",
            "lock-freed-by-other-bug.cu",
            "lock-plain-reset-bug.cu",
            "bucket-next-bug.cu",
            "lock-passed-on-bug.cu",
        ],
    },
    // OpenCL.
    Settled {
        number: 6,
        right: &[
            "opencl-message.cl",
            "opencl-fence-both.cl",
            "opencl-lock.cl",
            "opencl-local-message.cl",
            "opencl-local-fence.cl",
        ],
        broken: &[
            "opencl-local-fence-bug.cl",
            "opencl-local-message-relaxed-bug.cl",
            "opencl-message-local-bug.cl",
            "opencl-local-flag-global-bug.cl",
            "opencl-fence-local-bug.cl",
            "opencl-message-scopes-bug.cl",
            "opencl-message-volatile-bug.cl",
            "opencl-mem-fence-bug.cl",
        ],
    },
    // Clocks.
    Settled {
        number: 7,
        right: &["relay.cu", "flags-of-blocks.cu", "message-to-block.cu"],
        broken: &[
            "relay-no-fence-bug.cu",
            "message-to-block-warp-bug.cu",
            "lock-of-all-own-count-bug.cu",
            "last-of-last-narrow-bug.cu",
            "last-of-last-no-release-bug.cu",
        ],
    },
    // The induction.
    Settled {
        number: 8,
        right: &["two-flags.cu"],
        broken: &["dekker-bug.cu", "store-buffer-bug.cu"],
    },
    // What a race is.
    Settled {
        number: 9,
        right: &["lock-looked.cu", "volatile-word-pair.cu"],
        broken: &["message-plain-read-bug.cu", "last-thread-block-add-bug.cu"],
    },
    // Almost right code, which is neither proved nor refuted.
    Settled {
        number: 10,
        right: &["last-block-reduce.cu", "last-block-fence-by-adder.cu", "last-block-sizes.cu"],
        broken: &[
            "last-block-almost.cu",
            "last-block-sizes-almost.cu",
            "last-block-each-fences-almost.cu",
            "message-to-block-no-fence-bug.cu",
        ],
    },
    // What is known of contents.
    Settled {
        number: 12,
        right: &["work-by-lock.cu"],
        broken: &["stale-index-bug.cu", "stale-index-sizes-bug.cu"],
    },
];

/// A kernel with its line in the list of verdicts, which `check_kernels` compares with what
/// is said of each.
struct Listed {
    name: String,
    passes: bool,
    line: String,
}

impl Listed {
    fn is(&self, verdict: &str) -> bool {
        let word = self.line.split_whitespace().nth(1).unwrap_or_default();
        word.trim_end_matches(',') == verdict
    }
}

fn listed() -> Vec<Listed> {
    let list = include_str!("../../../kernels/VERDICTS.txt");
    let line_of = |file: &KernelFile| {
        let own = |line: &&str| line.split_once(": ").is_some_and(|(name, _)| name == file.name);
        list.lines().find(own).map(|line| line[file.name.len() + 2..].to_string())
    };
    let files = kernels().into_iter().filter(|file| file.name.starts_with("order/"));
    files
        .map(|file| Listed {
            line: line_of(&file).unwrap_or_default(),
            passes: file.passes(),
            name: file.name,
        })
        .collect()
}

#[test]
fn order_by_fences_is_judged_right() {
    let all = listed();
    let is_wrong = |one: &&Listed| match one.passes {
        true => !(one.is("proved") || one.is("unproven")),
        false => !(one.is("refuted") || one.is("unproven")),
    };
    let wrong = all.iter().filter(is_wrong);
    assert_none(wrong.map(|one| format!("{}: {}", one.name, one.line)));
    let right = all.iter().filter(|one| one.passes).count();
    assert!(right >= RIGHT && all.len() - right >= WRONG, "{right} of {} are right", all.len());
    let proved = all.iter().filter(|one| one.passes && one.is("proved")).count();
    let refuted = all.iter().filter(|one| !one.passes && one.is("refuted")).count();
    println!("{proved} of {right} are proved, {refuted} of {} refuted", all.len() - right);
    assert!(proved >= PROVED, "only {proved} are proved");
    assert!(refuted >= REFUTED, "only {refuted} are refuted");
    for (name, rule) in NAMED {
        let one = all.iter().find(|one| one.name == *name).expect("the kernel is there");
        assert!(one.line.contains(&format!("{rule}?@")), "{name}: {}", one.line);
    }
    // What no precondition says is assumed, and printed.
    let assumed = all.iter().find(|one| one.name == "order/last-block-assumed.cu");
    let line = assumed.map(|one| one.line.clone()).unwrap_or_default();
    assert!(line.contains("`count` is 0 at launch"), "{line}");
}

#[test]
fn each_rule_has_kernels_and_broken_twins() {
    let all = listed();
    let find = |name: &&str| {
        let name = format!("order/{name}");
        let one = all.iter().find(|one| one.name == name);
        one.unwrap_or_else(|| panic!("{name} is not there"))
    };
    for rule in RULES {
        let number = rule.number;
        assert!(!rule.right.is_empty() && !rule.broken.is_empty(), "rule {number}");
        for one in rule.right.iter().map(find) {
            assert!(one.passes && one.is("proved"), "rule {number}: {} {}", one.name, one.line);
        }
        for one in rule.broken.iter().map(find) {
            let is_judged = !one.passes && (one.is("refuted") || one.is("unproven"));
            assert!(is_judged, "rule {number}: {} {}", one.name, one.line);
            let is_open = one.is("unproven") && one.line.contains("missing-fence?@");
            assert!(number != 10 || is_open, "rule 10: {} {}", one.name, one.line);
        }
    }
    // The rule about litmus tests is kept by tests of the interpreter.
    let litmus = include_str!("../../duet-interp/tests/litmus.rs");
    for test in ["clocks_order_what_the_patterns_order", "usual_shapes_are_ordered_as_enumerated"] {
        assert!(litmus.contains(&format!("fn {test}()")), "{test}");
    }
    let numbers: Vec<usize> = RULES.iter().map(|rule| rule.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12], "11 is the litmus tests");
}

fn duet(file: &Path, options: &[String]) -> std::process::Output {
    Command::new(env!("CARGO_BIN_EXE_duet"))
        .arg("check")
        .arg(file)
        .args(options)
        .env("DUET_CACHE_DIR", concat!(env!("CARGO_TARGET_TMPDIR"), "/cache"))
        .output()
        .expect("duet runs")
}

/// Why the line that is suggested for the finding does not mend the kernel, if so.
fn not_mended(name: &str, rule: &str) -> Option<String> {
    let file = kernel(name);
    let mut options = file.header.options.clone();
    options.push("--suggest-fixes".to_string());
    let text = String::from_utf8(duet(&file.path, &options).stderr).expect("text");
    if !text.contains("the kernel is proved with it") {
        return Some(format!("{name}: nothing in the text: {text}"));
    }
    let json = |format: &str| -> Value {
        let mut options = options.clone();
        options.push(format!("--format={format}"));
        serde_json::from_slice(&duet(&file.path, &options).stdout).expect("JSON")
    };
    let sarif = json("sarif");
    let results = sarif["runs"][0]["results"].as_array().cloned().unwrap_or_default();
    let fixed = results.iter().find(|one| one["ruleId"] == rule);
    if fixed.is_none_or(|one| one["fixes"].as_array().is_none_or(Vec::is_empty)) {
        return Some(format!("{name}: no fix of {rule} in SARIF"));
    }
    let json = json("json");
    let findings = json["kernels"][0]["findings"].as_array().cloned().unwrap_or_default();
    let Some(fix) = findings.iter().find(|one| one["rule"] == rule).map(|one| &one["fix"]) else {
        return Some(format!("{name}: no {rule}"));
    };
    let (Some(line), Some(new)) = (fix["line"].as_u64(), fix["text"].as_str()) else {
        return Some(format!("{name}: no fix in JSON"));
    };
    let source = std::fs::read_to_string(&file.path).expect("a kernel");
    let mut lines: Vec<&str> = source.lines().collect();
    let at = line as usize - 1;
    match fix["replaces"].as_bool() {
        Some(true) => lines[at] = new.trim_end(),
        _ => lines.insert(at, new.trim_end()),
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(file.path.file_name().expect("a name"));
    std::fs::write(&path, lines.join("\n") + "\n").expect("a file");
    let code = duet(&path, &file.header.options).status.code();
    (code != Some(0)).then(|| format!("{name}: exit {code:?} with {new}"))
}

#[test]
fn findings_about_order_come_with_the_line_that_mends_them() {
    assert_none(NAMED.iter().filter_map(|(name, rule)| not_mended(name, rule)));
}
